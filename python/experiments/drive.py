"""One engine on one function; every input that it executes goes to a file, with the CPU time at which it was there.

python -m experiments.drive ENGINE SUBJECT OUTPUT --seconds 10

Lines of the output are JSON: {"start": seconds}, then {"at": seconds, "input": {…}} for each input, then {"end": …, …} with counts, if the engine ends by itself or looks at the clock. The parent (run.py) stops engines that do not.
"""

from __future__ import annotations

import argparse
import importlib
import inspect
import json
import os
import sys
from collections.abc import Callable
from typing import Any

from experiments.cpu import cpu
from experiments.fixed import Fixed
from experiments.subjects import find

ENGINES = ("stringent", "z3", "cvc5", "crosshair", "hypothesis")
_LIBRARY = {"crosshair": "crosshair.core_and_libs", "hypothesis": "hypothesis.strategies"}


class Log:
    """The output file and the clock."""

    def __init__(self, path: str, seconds: float, fixed: Fixed | None = None) -> None:
        self.file = open(path, "w", encoding="ascii", buffering=1)  # noqa: SIM115
        self.seconds = seconds
        self.fixed = fixed
        """The fixed version of the bug that is searched; the first input on which it differs is the last one."""
        self.begin = cpu(os.getpid())
        self.write({"start": self.begin})

    def write(self, record: dict[str, Any]) -> None:
        self.file.write(json.dumps(record) + "\n")

    def clock(self) -> float:
        return cpu(os.getpid()) - self.begin - (self.fixed.cpu() if self.fixed else 0.0)

    def input(self, arguments: dict[str, Any]) -> None:
        self.write({"at": round(self.clock(), 3), "input": arguments})

    def is_bug(self, arguments: dict[str, Any]) -> bool:
        """Whether an input on which the check has failed is that of the bug."""
        return self.fixed is not None and self.fixed.passes(arguments)

    def over(self) -> bool:
        return self.clock() >= self.seconds


def run_ours(solver: str | None, function: Callable[..., Any], modules: list[Any], log: Log, args: Any) -> None:
    from stringent_smt.explore.engine import Engine, Options

    def stop(execution: Any) -> bool:
        log.input(execution.arguments)
        return log.over() or (execution.outcome.kind == "raise" and log.is_bug(execution.arguments))

    def progress(_: Any) -> None:
        if log.over():
            raise KeyboardInterrupt

    options = Options(
        budget=1000 * args.seconds,
        query_time=min(5.0, args.seconds / 2),
        run_time=args.stretch * 5.0,
        solver=solver,
        keep_queries=bool(args.queries),
        verify=False,
    )
    result = Engine(function, None, options, modules=modules, stop=stop, progress=progress).explore()
    counts = result.counts
    log.write(
        {
            "end": round(log.clock(), 3),
            "complete": result.stopped == "complete",
            "executions": result.runs,
            "sat": counts.sat,
            "unsat": counts.unsat,
            "unknown": counts.unknown,
            "cached": counts.cached + counts.reused,
            "query_seconds": round(counts.seconds, 2),
            "findings": [f"{f.kind}: {f.message} {f.arguments!r}" for f in result.findings],
            "losses": sum(result.losses.values()),
            "pins": sum(result.pins.values()),
            "explained": dict(result.explained),
        }
    )
    if args.queries:
        from stringent_smt.explore.queries import script

        with open(args.queries, "w", encoding="utf-8") as file:
            for logged in result.log:
                text = script(logged.conjuncts, status=logged.status)
                file.write(json.dumps({"script": text, "status": logged.status}) + "\n")


def run_crosshair(function: Callable[..., Any], log: Log, args: Any) -> None:
    import crosshair.core_and_libs
    from crosshair import path_cover
    from crosshair.fnutil import FunctionInfo
    from crosshair.options import DEFAULT_OPTIONS, AnalysisOptionSet
    from crosshair.tracers import NoTracing

    assert crosshair.core_and_libs is not None
    summary = path_cover.PathSummary
    long = 1000.0 * args.seconds

    def logging(*values: Any) -> Any:
        with NoTracing():
            arguments = dict(values[0].arguments)
            log.input(arguments)
            if values[3] is not None and log.is_bug(arguments):
                log.write({"end": round(log.clock(), 3), "complete": False})
                os._exit(0)
        return summary(*values)

    path_cover.PathSummary = logging  # type: ignore[assignment,misc]
    options = DEFAULT_OPTIONS.overlay(
        AnalysisOptionSet(
            per_condition_timeout=long,
            per_path_timeout=args.stretch * 5.0,
            max_iterations=sys.maxsize,
            max_uninteresting_iterations=sys.maxsize,
        )
    )
    log.begin = cpu(os.getpid())
    log.write({"start": log.begin})
    info = FunctionInfo.from_fn(function)
    path_cover.path_cover(info, options, path_cover.CoverageType.PATH, on_nondeterminism=lambda: None)
    log.write({"end": round(log.clock(), 3), "complete": True})


def run_hypothesis(function: Callable[..., Any], log: Log, args: Any) -> None:
    from hypothesis import HealthCheck, Phase, given, seed, settings
    from hypothesis import strategies as st
    from hypothesis.internal.charmap import charmap

    charmap()  # a table that is made once for a working folder
    log.begin = cpu(os.getpid())
    log.write({"start": log.begin})
    strategies = {name: st.from_type(p.annotation) for name, p in inspect.signature(function).parameters.items()}

    def end() -> None:
        log.write({"end": round(log.clock(), 3), "complete": False})
        os._exit(0)

    @seed(0)
    @settings(
        max_examples=10**9,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(st.fixed_dictionaries(strategies))
    def test(arguments: dict[str, Any]) -> None:
        if log.over():
            end()
        log.input(arguments)
        try:
            function(**arguments)
        except Exception:
            if log.is_bug(arguments):
                end()

    test()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine", choices=ENGINES)
    parser.add_argument("subject")
    parser.add_argument("output")
    parser.add_argument("--seconds", type=float, default=10.0, help="CPU time")
    parser.add_argument("--stretch", type=float, default=1.0, help="factor of wall-clock limits, on a busy machine")
    parser.add_argument("--first", action="store_true", help="end at the first input that shows the bug")
    parser.add_argument("--queries", help="file for the queries (our engine)")
    args = parser.parse_args()
    function, modules = find(args.subject).load()
    importlib.import_module(_LIBRARY.get(args.engine, "stringent_smt.explore.engine"))  # before the clock starts
    log = Log(args.output, args.seconds, Fixed(args.subject) if args.first else None)
    if args.engine == "crosshair":
        run_crosshair(function, log, args)
    elif args.engine == "hypothesis":
        run_hypothesis(function, log, args)
    else:
        run_ours(None if args.engine == "stringent" else args.engine, function, modules, log, args)


if __name__ == "__main__":
    main()
