"""The solvers that the tests use.

The built-in one is `$STRINGENT_BINARY` or the one that the package finds. Others are used if the package finds them:
`$STRINGENT_Z3` and `$STRINGENT_CVC5`, which the test command sets, the path, and `stringent solvers install`.
"""

from __future__ import annotations

import contextlib

import pytest

from stringent_smt.errors import SolverNotFound
from stringent_smt.process import find_command


def other_solvers() -> dict[str, list[str]]:
    """Commands of the other solvers that are installed."""
    found: dict[str, list[str]] = {}
    for name in ("z3", "cvc5"):
        with contextlib.suppress(SolverNotFound):
            found[name] = find_command(name)
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
