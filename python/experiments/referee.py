"""The referee: calls a function on recorded inputs, under coverage.py, and writes the lines and branches reached.

python -m experiments.referee SUBJECT INPUTS… --output FILE --seconds 10

Independent of the engines: plain values, the code as it is, only inputs that were there within the CPU time. Lines and branches count in the functions of the package (or file) that some engine has entered; what is executed on import
does not count. The inputs of each engine are a file; the sums of all engines are the denominators' functions.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

import coverage

from experiments.subjects import find

_STEPS = 20
_CALL = 5


def functions_of(file: str) -> list[tuple[int, int]]:
    """First and last lines of the bodies of all functions in a file."""
    tree = ast.parse(Path(file).read_text(encoding="utf-8"))
    nodes = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]
    return [(n.body[0].lineno, n.end_lineno or n.lineno) for n in nodes]


def _stopped(*_: Any) -> None:
    raise TimeoutError


class Referee:
    """Replays of one engine."""

    def __init__(self, subject: Any, roots: list[Path]) -> None:
        self.function = subject
        self.patterns = [f"{root}/*" if root.is_dir() else str(root) for root in roots]

    def replay(self, records: list[dict[str, Any]], seconds: float) -> list[tuple[float, set[Any], set[Any]]]:
        """Reached lines and arcs at steps of the time."""
        cover = coverage.Coverage(data_file=None, branch=True, config_file=False, include=self.patterns)
        steps = [seconds * (i + 1) / _STEPS for i in range(_STEPS)]
        found = []
        todo = list(records)
        signal.signal(signal.SIGALRM, _stopped)
        for step in steps:
            cover.start()
            while todo and todo[0]["at"] <= step:
                signal.alarm(_CALL)
                try:
                    self.function(**todo.pop(0)["input"])
                except BaseException as error:
                    if isinstance(error, KeyboardInterrupt):
                        raise
                finally:
                    signal.alarm(0)
            cover.stop()
            data = cover.get_data()
            lines, arcs = set(), set()
            for file in data.measured_files():
                lines |= {(file, line) for line in data.lines(file) or ()}
                arcs |= {(file, *arc) for arc in data.arcs(file) or ()}
            found.append((step, lines, arcs))
        self.cover = cover
        return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("subject")
    parser.add_argument("inputs", nargs="+", metavar="ENGINE=FILE")
    parser.add_argument("--output", required=True)
    parser.add_argument("--seconds", type=float, default=10.0)
    args = parser.parse_args()
    subject = find(args.subject)
    function, _ = subject.load()
    replays = {}
    error = sys.stderr
    for pair in args.inputs:
        engine, _, path = pair.partition("=")
        records = [json.loads(line) for line in Path(path).read_text(encoding="ascii").splitlines() if line[-1:] == "}"]
        referee = Referee(function, subject.counted())
        sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115
        try:
            replays[engine] = referee.replay([r for r in records if "input" in r], args.seconds)
        finally:
            sys.stdout, sys.stderr = sys.__stdout__, error
    files = {file for replay in replays.values() for file, _ in replay[-1][1]}
    lines: set[tuple[str, int]] = set()
    arcs: set[tuple[str, int, int]] = set()
    for file in files:
        analysis = referee.cover._analyze(file)
        branches = [*analysis.missing_branch_arcs().items(), *analysis.executed_branch_arcs().items()]
        reached = {line for replay in replays.values() for name, line in replay[-1][1] if name == file}
        for first, last in functions_of(file):
            if not any(first <= line <= last for line in reached):
                continue
            lines |= {(file, line) for line in analysis.statements if first <= line <= last}
            for start, ends in branches:
                if first <= start <= last:
                    arcs |= {(file, start, end) for end in ends}
    table = {
        "lines": len(lines),
        "branches": len(arcs),
        "engines": {
            engine: [(step, len(seen & lines), len(taken & arcs)) for step, seen, taken in replay]
            for engine, replay in replays.items()
        },
    }
    Path(args.output).write_text(json.dumps(table))


if __name__ == "__main__":
    main()
