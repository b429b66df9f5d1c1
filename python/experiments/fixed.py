"""The fixed version of a bug, in a process of its own: whether the check passes there on an input.

An exception that leaves the check with the bad version is the bug only if none does with the fixed version; otherwise it is another bug.
"""

from __future__ import annotations

import importlib
import json
import os
import signal
import subprocess
import sys
from typing import Any

from experiments.confirm import bugs, environment
from experiments.cpu import cpu
from experiments.packages import HERE, PYTHON

_SECONDS = 5


class Fixed:
    """Asks the process, which starts with the first question."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.process: subprocess.Popen[str] | None = None

    def passes(self, arguments: dict[str, Any]) -> bool:
        if self.process is None:
            bug = next(bug for bug in bugs() if bug["id"] == self.name)
            found = environment(bug, bug["fixed"])
            found["PYTHONPATH"] += os.pathsep + str(HERE.parent)
            command = [PYTHON, "-W", "ignore", "-m", "experiments.fixed", self.name]
            self.process = subprocess.Popen(
                command, env=found, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
            )
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(json.dumps(arguments) + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline() == "passes\n"

    def cpu(self) -> float:
        """The CPU time of the process, which is not that of the engine."""
        return cpu(self.process.pid) if self.process else 0.0


def _stopped(*_: Any) -> None:
    raise TimeoutError


def main() -> None:
    answers = sys.stdout
    sys.stdout = open(os.devnull, "w")  # noqa: SIM115
    check = importlib.import_module(sys.argv[1]).check
    signal.signal(signal.SIGALRM, _stopped)
    for line in sys.stdin:
        signal.alarm(_SECONDS)
        try:
            check(**json.loads(line))
            answer = "passes"
        except Exception as error:
            answer = f"raises {type(error).__name__}"
        finally:
            signal.alarm(0)
        answers.write(answer + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
