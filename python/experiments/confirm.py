"""Confirms the list of known bugs: each check fails on the known input with the bad version and passes with the fixed one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from typing import Any

from experiments.packages import HERE, PYTHON, folder

_RUN = "import importlib, json, sys; importlib.import_module(sys.argv[1]).check(*json.loads(sys.argv[2]))"


def bugs() -> list[dict[str, Any]]:
    return tomllib.loads((HERE / "bugs.toml").read_text())["bug"]


def environment(bug: dict[str, Any], version: str) -> dict[str, str]:
    """The environment in which the driver of the bug uses this version."""
    paths = [folder(bug["package"], version), HERE / "bugs"]
    fixed = folder(bug["package"], bug["fixed"])
    return {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, paths)), "STRINGENT_FIXED": str(fixed)}


def outcome(bug: dict[str, Any], version: str) -> str:
    """The last line of the exception that leaves the check on the known input, or `passes`."""
    command = [PYTHON, "-W", "ignore", "-c", _RUN, bug["id"], json.dumps(bug["known"])]
    run = subprocess.run(command, env=environment(bug, version), capture_output=True, text=True, timeout=60)
    return "passes" if run.returncode == 0 else run.stderr.strip().splitlines()[-1]


def main() -> int:
    wrong = 0
    for bug in bugs():
        bad, fixed = outcome(bug, bug["bad"]), outcome(bug, bug["fixed"])
        confirmed = bad != "passes" and fixed == "passes" and not bad.startswith(("ModuleNotFound", "ImportError"))
        wrong += not confirmed
        print(
            f"{'confirmed' if confirmed else 'NOT CONFIRMED':13}  {bug['id']:22} {bug['bad']}: {bad}; {bug['fixed']}: {fixed}"
        )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
