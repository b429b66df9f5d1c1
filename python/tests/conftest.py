"""The solvers that the tests use.

The built-in one is `$STRINGENT_BINARY` or the one that the package finds. Others are used if `$STRINGENT_Z3` or
`$STRINGENT_CVC5` name them; the test command sets both.
"""

from __future__ import annotations

import os
import shutil

import pytest


def other_solvers() -> dict[str, list[str]]:
    """Commands of the other solvers that are installed."""
    found: dict[str, list[str]] = {}
    for name, option in (("z3", "-in"), ("cvc5", "--incremental")):
        program = os.environ.get(f"STRINGENT_{name.upper()}") or shutil.which(name)
        if program:
            found[name] = [program, option]
    return found


@pytest.fixture(params=["stringent", "z3", "cvc5"])
def solver_command(request: pytest.FixtureRequest) -> list[str] | None:
    """The command of each solver in turn; None for the built-in one."""
    name: str = request.param
    if name == "stringent":
        return None
    commands = other_solvers()
    if name not in commands:
        pytest.skip(f"{name} is not installed")
    return commands[name]
