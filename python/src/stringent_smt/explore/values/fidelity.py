"""Fidelity of the models: every modelled operation against Python itself, on random calls.

    python -m stringent_smt.explore.values.fidelity --calls 100000
    python -m stringent_smt.explore.values.fidelity --calls 1000 --seconds 3600      rounds of 1000 calls of each operation for an hour

A call is made twice: on plain values, and in an execution with some or all of its values symbolic, which also runs the operation as lifted code would. The results must be equal, or the exceptions of the same type; the terms of the
result must have the value of the result under the values of the inputs; and every branch, definition and pin of the path must hold. Counted besides: calls whose result is exact, that is, without a pin, a loss or an approximation.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ...evaluate import evaluate
from ..path import Recorder
from . import BUILTINS, METHODS, concrete, is_symbolic, joined, make_input

Operation = Callable[[Callable[..., Any], list[Any]], Any]
"""An operation as lifted code has it: called with `call` and the values."""
Generator = Callable[[random.Random], list[Any]]


@dataclass
class Row:
    """The outcome for one operation."""

    name: str
    calls: int = 0
    raised: int = 0
    exact: int = 0
    symbolic: int = 0
    branches: int = 0
    faults: list[str] = field(default_factory=list)


def lifted_call(function: Any, *args: Any, **kwargs: Any) -> Any:
    """A call as hooks.py makes it."""
    from ..hooks import call

    return call(function, *args, **kwargs)


def _plain_call(function: Any, *args: Any, **kwargs: Any) -> Any:
    return function(*args, **kwargs)


def compare(row: Row, operation: Operation, values: list[Any], symbolic: list[bool]) -> None:
    """One call."""
    row.calls += 1
    expected: Any = None
    error: type[BaseException] | None = None
    try:
        expected = operation(_plain_call, list(values))
    except Exception as caught:
        error = type(caught)
        row.raised += 1
    rec = Recorder(audit=True)
    problem = ""
    result: Any = None
    with rec.running():
        inputs = [make_input(v, f"x{i}", rec) if s else v for i, (v, s) in enumerate(zip(values, symbolic))]
        try:
            result = operation(lifted_call, inputs)
            if error is not None:
                problem = f"gives {result!r} instead of {error.__name__}"
        except Exception as caught:
            if type(caught) is not error:
                problem = f"raises {caught!r} instead of {error.__name__ if error else repr(expected)}"
    if not problem and error is None:
        problem = _difference(result, expected, rec)
    if not problem and rec.mismatches:
        problem = f"path: {rec.mismatches[0].term} is not {rec.mismatches[0].taken}"
    if problem:
        if len(row.faults) < 20:
            row.faults.append(f"{values!r} symbolic {symbolic}: {problem}")
        else:
            row.faults.append("...")
    row.exact += not (rec.pins or rec.losses or rec.approximations)
    row.symbolic += _any_symbolic(result)
    row.branches += rec.branches


def _difference(result: Any, expected: Any, rec: Recorder) -> str:
    plain = concrete(result)
    if type(plain) is not type(expected) or (
        plain != expected and repr(plain) != repr(expected)
    ):  # nan is not equal to itself
        return f"gives {plain!r} instead of {expected!r}"
    return _terms_differ(result, rec)


def _terms_differ(value: Any, rec: Recorder) -> str:
    if is_symbolic(value):
        plain = value.plain()
        if isinstance(plain, bytes):
            plain = plain.decode("latin-1")
        found = evaluate(value.term, rec.env)
        return "" if found == plain and type(found) is type(plain) else f"{value.term} is {found!r}, not {plain!r}"
    if isinstance(value, list | tuple):
        return next((text for text in (_terms_differ(element, rec) for element in value) if text), "")
    if isinstance(value, dict):
        return next((text for text in (_terms_differ(element, rec) for element in value.values()) if text), "")
    return ""


def _any_symbolic(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return any(_any_symbolic(element) for element in value)
    return is_symbolic(value)


def measure(name: str, calls: int, seed: int = 0) -> Row:
    """Random calls of one operation."""
    from .fidelity_calls import OPERATIONS

    operation, generator = OPERATIONS[name]
    source = random.Random(f"{seed} {name}")
    row = Row(name)
    for _ in range(calls):
        values = generator(source)
        symbolic = [source.random() < 0.7 for _ in values]
        if not any(symbolic):
            symbolic[source.randrange(len(symbolic))] = True
        compare(row, operation, values, symbolic)
    return row


def merge(row: Row, other: Row) -> None:
    """Adds the outcome of further calls."""
    row.calls += other.calls
    row.raised += other.raised
    row.exact += other.exact
    row.symbolic += other.symbolic
    row.branches += other.branches
    row.faults += other.faults


def table(rows: list[Row]) -> str:
    """The outcome as a table in Markdown."""
    lines = ["| operation | calls | faults | raised | exact % | branches per call |", "|---|---:|---:|---:|---:|---:|"]
    for r in rows:
        calls = max(r.calls, 1)
        lines.append(
            f"| `{r.name}` | {r.calls} | {len(r.faults)} | {r.raised} | {100 * r.exact / calls:.1f} | {r.branches / calls:.1f} |"
        )
    return "\n".join(lines)


def _write(path: str, rows: list[Row]) -> None:
    if path:
        with open(path, "w", encoding="utf-8") as file:
            file.write(table(rows) + "\n")


def main(arguments: list[str] | None = None) -> int:
    """The command."""
    from .fidelity_calls import OPERATIONS

    parser = argparse.ArgumentParser(
        prog="fidelity", description="Compare the models of operations with Python on random calls."
    )
    parser.add_argument("--calls", type=int, default=1000, help="calls of each operation (default: 1000)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the random calls (default: 0)")
    parser.add_argument("--only", default="", help="operations whose name has this text")
    parser.add_argument(
        "--seconds", type=float, default=0, help="repeat whole rounds, with the next seeds, for so long"
    )
    parser.add_argument("--output", default="", help="a file for the table, written after each round")
    parser.add_argument("--format", choices=("text", "markdown"), default="text")
    options = parser.parse_args(arguments)
    if options.calls < 1:
        parser.error("--calls must be at least 1")
    names = [name for name in OPERATIONS if options.only in name]
    if not names:
        parser.error(f"no operation has {options.only!r} in its name")
    begin = time.monotonic()
    rows: list[Row] = []
    for name in names:
        start = time.monotonic()
        row = measure(name, options.calls, options.seed)
        rows.append(row)
        if options.format == "text":
            print(
                f"{name}: {row.calls} calls, {len(row.faults)} faults, {row.raised} raised, {100 * row.exact / row.calls:.1f} % exact, {time.monotonic() - start:.1f} s",
                flush=True,
            )
            for fault in row.faults[:5]:
                print(f"    {fault}")
    rounds = 1
    _write(options.output, rows)
    while time.monotonic() < begin + options.seconds:
        for row in rows:
            merge(row, measure(row.name, options.calls, options.seed + rounds))
        rounds += 1
        _write(options.output, rows)
        faults = sum(len(row.faults) for row in rows)
        print(f"round {rounds}: {rows[0].calls} calls of each operation, {faults} faults", file=sys.stderr, flush=True)
    if options.format == "markdown":
        print(table(rows))
    for row in rows if rounds > 1 else []:
        for fault in row.faults[:5]:
            print(f"{row.name}: {fault}", file=sys.stderr)
    faults = sum(len(row.faults) for row in rows)
    print(f"{len(rows)} operations, {sum(row.calls for row in rows)} calls, {faults} faults", file=sys.stderr)
    return 1 if faults else 0


__all__ = ["BUILTINS", "METHODS", "compare", "joined", "main", "measure"]

if __name__ == "__main__":
    sys.exit(main())
