"""Reports of explorations and checks as text and as JSON."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable
from typing import Any

from .check import Verdict
from .coverage import Direction, Line
from .engine import Progress
from .result import Execution, Finding, Place, Result, safe_repr

_ROWS = 12


def relative(file: str) -> str:
    """A path as it is shown: from the current folder if it is below it."""
    shown = os.path.relpath(file) if os.path.isabs(file) else file
    return file if shown.startswith("..") else shown


def percent(part: int, whole: int) -> str:
    return "-" if whole == 0 else f"{100 * part / whole:.0f} %"


def table(header: list[str], rows: list[list[str]]) -> list[str]:
    """Columns of text; the first is left-aligned, the others right-aligned."""
    widths = [max(len(row[i]) for row in [header, *rows]) for i in range(len(header))]
    lines = []
    for row in [header, *rows]:
        cells = [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        lines.append("  ".join(cells).rstrip())
    return lines


def progress_line(progress: Progress) -> str:
    """One line about a running exploration."""
    return (
        f"{progress.seconds:5.1f} s  lines {progress.lines[0]}/{progress.lines[1]}  "
        f"branches {progress.branches[0]}/{progress.branches[1]}  executions {progress.runs}  "
        f"queries {progress.queries}  waiting {progress.waiting}  errors {progress.errors}"
    )


def coverage_table(result: Result) -> list[str]:
    """Lines and branches of each function that was reached."""
    rows = []
    skipped = 0
    for function in sorted(result.functions(), key=lambda f: (f.file, f.line)):
        lines, all_lines, branches, all_branches = result.covered_in(function)
        if not lines:
            skipped += 1
            continue
        rows.append(
            [
                f"{function.name} ({relative(function.file)}:{function.line})",
                f"{lines}/{all_lines}",
                percent(lines, all_lines),
                f"{branches}/{all_branches}",
                percent(branches, all_branches),
            ]
        )
    lines, all_lines = result.lines()
    branches, all_branches = result.branches()
    rows.append(
        [
            "all functions",
            f"{lines}/{all_lines}",
            percent(lines, all_lines),
            f"{branches}/{all_branches}",
            percent(branches, all_branches),
        ]
    )
    found = table(["function", "lines", "", "branches", ""], rows)
    if skipped:
        found.append(f"({skipped} functions of the file are not reached)")
    return found


def lost_table(result: Result) -> list[str]:
    """Where tracking was lost, most frequent first."""
    found: list[str] = []
    for title, counter in (
        ("tracking lost here", result.losses),
        ("made concrete here", result.pins),
        ("modelled approximately here", result.approximations),
    ):
        for (file, line, what), count in _ranked(counter)[:_ROWS]:
            found.append(f"  {relative(file)}:{line}: {title} {times(count)}: {what}")
        if len(counter) > _ROWS:
            found.append(f"  ... and {len(counter) - _ROWS} more places")
    return found


def times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _counted(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"


def _ranked(counter: Counter[Place]) -> list[tuple[Place, int]]:
    return sorted(counter.items(), key=lambda item: (-item[1], item[0]))


def summary(result: Result) -> list[str]:
    """What was done, and how it ended."""
    counts = result.counts
    reused = counts.cached + counts.reused
    reason = {
        "complete": "no branch is left to negate",
        "no branches": "no branch is left to negate; there may be more paths, as values were not tracked or not varied everywhere",
        "time": "the time limit is reached",
        "executions": "the limit of executions is reached",
        "found": "a problem was found",
        "interrupted": "interrupted",
    }[result.stopped or "interrupted"]
    found = [
        f"{_counted(result.runs, 'execution', 'executions')}, {_counted(counts.asked(), 'query', 'queries')} ({counts.sat} sat, {counts.unsat} unsat, {counts.unknown} unknown)"
        f" and {reused} answered from earlier ones; {result.seconds:.1f} s, of which the solver {counts.seconds:.1f} s",
        f"end: {reason}" + ("; all paths were executed" if result.exhaustive else ""),
    ]
    found.extend(f"{reason}: {times(count)}" for reason, count in sorted(result.explained.items()))
    found.extend(f"note: {note}" for note in result.notes)
    return found


def findings(result: Result) -> list[str]:
    """Defects of this package or of the solver."""
    found = []
    for finding in result.findings:
        found.append(f"defect of this package ({finding.kind}): {finding.message}")
        if finding.arguments:
            found.append(f"  input: {safe_repr(finding.arguments)}")
    return found


def cover_text(result: Result) -> str:
    """The report of `cover`."""
    lines = coverage_table(result)
    lines += ["", "inputs that reached something new, or ended in a new way:"]
    for execution in result.executions:
        lines.append(f"  {execution.call(result.name)}  # {execution.outcome.describe()}")
    lost = lost_table(result)
    if lost:
        lines += ["", "limits of tracking:", *lost]
    lines += ["", *summary(result), *findings(result)]
    return "\n".join(lines)


def check_text(verdict: Verdict) -> str:
    """The report of `check`."""
    result = verdict.result
    lines: list[str] = []
    for problem in verdict.problems:
        where = f"{relative(problem.where[0])}:{problem.where[1]}: " if problem.where else ""
        lines.append(f"{where}{problem.kind}: {problem.message}")
        lines.append(f"  when calling {problem.call}")
    if not verdict.problems:
        lines.append(
            f"{result.name}: no problem, and all paths were executed"
            if result.exhaustive
            else f"{result.name}: no problem found"
        )
    if verdict.preconditions == len(result.executions):
        lines.append("warning: no input met the preconditions")
    lost = lost_table(result)
    if lost:
        lines += ["", "limits of tracking:", *lost]
    lines += ["", *summary(result), *findings(result)]
    return "\n".join(lines)


# JSON


def _execution_json(execution: Execution, name: str) -> dict[str, Any]:
    outcome = execution.outcome
    return {
        "number": execution.number,
        "call": execution.call(name),
        "arguments": {k: safe_repr(v, 10_000) for k, v in execution.arguments.items()},
        "outcome": outcome.kind,
        "result": safe_repr(outcome.value) if outcome.kind == "return" else None,
        "exception": type(outcome.exception).__name__ if outcome.exception is not None else None,
        "message": outcome.describe(),
        "file": outcome.where[0] if outcome.where else None,
        "line": outcome.where[1] if outcome.where else None,
        "new_places": len(execution.new),
        "seconds": round(execution.seconds, 6),
        "at": round(execution.at, 6),
        "parent": execution.parent,
    }


def _places_json(counter: Counter[Place]) -> list[dict[str, Any]]:
    return [{"file": f, "line": n, "what": w, "times": c} for (f, n, w), c in _ranked(counter)]


def _findings_json(items: Iterable[Finding]) -> list[dict[str, Any]]:
    return [
        {
            "kind": finding.kind,
            "message": finding.message,
            "arguments": {k: safe_repr(v, 10_000) for k, v in finding.arguments.items()},
            "query": [term.smt2() for term in finding.query],
        }
        for finding in items
    ]


def result_json(result: Result) -> dict[str, Any]:
    """Everything that an exploration found."""
    lines, all_lines = result.lines()
    branches, all_branches = result.branches()
    places = result.measure.places
    functions = []
    for function in sorted(result.functions(), key=lambda f: (f.file, f.line)):
        covered = result.covered_in(function)
        functions.append(
            {
                "name": function.name,
                "file": function.file,
                "line": function.line,
                "lines": {"covered": covered[0], "all": covered[1]},
                "branches": {"covered": covered[2], "all": covered[3]},
                "missing_lines": sorted(
                    place.line
                    for n in function.lines
                    if n not in result.reached and isinstance(place := places[n], Line)
                ),
                "missing_branches": sorted(
                    [place.line, place.column, place.truth]
                    for n in function.branches
                    if n not in result.reached and isinstance(place := places[n], Direction)
                ),
            }
        )
    return {
        "function": result.name,
        "lines": {"covered": lines, "all": all_lines},
        "branches": {"covered": branches, "all": all_branches},
        "functions": functions,
        "executions": result.runs,
        "kept": [_execution_json(execution, result.name) for execution in result.executions],
        "queries": {
            "sat": result.counts.sat,
            "unsat": result.counts.unsat,
            "unknown": result.counts.unknown,
            "cached": result.counts.cached,
            "reused": result.counts.reused,
            "seconds": round(result.counts.seconds, 3),
        },
        "seconds": round(result.seconds, 3),
        "stopped": result.stopped,
        "exhaustive": result.exhaustive,
        "tracking_lost": _places_json(result.losses),
        "made_concrete": _places_json(result.pins),
        "approximate": _places_json(result.approximations),
        "left_the_prediction": dict(result.explained),
        "defects": _findings_json(result.findings),
        "notes": result.notes,
        "timeline": [[round(at, 3), a, b] for at, a, b in result.timeline],
    }


def verdict_json(verdict: Verdict) -> dict[str, Any]:
    """The result of a check."""
    return {
        "problems": [
            {
                "kind": problem.kind,
                "message": problem.message,
                "call": problem.call,
                "arguments": {k: safe_repr(v, 10_000) for k, v in problem.arguments.items()},
                "file": problem.where[0] if problem.where else None,
                "line": problem.where[1] if problem.where else None,
                "at": round(problem.execution.at, 3),
            }
            for problem in verdict.problems
        ],
        "proved": verdict.proved(),
        "exploration": result_json(verdict.result),
    }
