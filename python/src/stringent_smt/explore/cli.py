"""The command line: `python -m stringent_smt cover | check | generate MODULE:FUNCTION`.

Exit codes: 0 done, and `check` found no problem; 1 `check` found a problem; 2 bad arguments: no such function, a module that cannot be imported, no solver, a seed that is no literal; 3 the function could not be stopped, crashed the
process, or this package has a defect; 130 interrupted.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import faulthandler
import fcntl
import json
import os
import sys
import threading
import traceback
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from importlib import metadata
from typing import Any, NoReturn

from ..errors import SolverNotFound, StringentError
from . import isolate, report
from .check import check
from .contracts import ContractError
from .engine import Engine, Options, Progress
from .generate import pytest_file, run_by, write_queries
from .inputs import InputError
from .limits import intact, time_limit
from .path import RunStopped
from .targets import Target, TargetError, find_target

OK, FOUND, USAGE, BROKEN, INTERRUPTED = 0, 1, 2, 3, 130

_EXAMPLES = """examples:
  python -m stringent_smt cover mypackage.urls:route --budget 10 --html route.html
  python -m stringent_smt check mypackage.urls:parse --allow ValueError --lift mypackage
  python -m stringent_smt check old.py:normalise --equals new.py:normalise
  python -m stringent_smt generate mypackage.urls:route --tests test_route.py --queries queries/

exit codes: 0 done (check: no problem found), 1 check found a problem, 2 bad arguments (no such function, import fails,
no solver), 3 the function cannot be stopped, crashed the process, or this package has a defect, 130 interrupted
"""


class _Usage(Exception):
    """Arguments that cannot be used."""


def _version() -> str:
    try:
        return metadata.version("stringent-smt")
    except metadata.PackageNotFoundError:
        return "(not installed, run from its source)"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m stringent_smt",
        description="Symbolic execution of Python functions.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"stringent-smt {_version()}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    cover = commands.add_parser("cover", help="find inputs that reach all lines and branches")
    _common(cover)
    cover.add_argument("--html", metavar="FILE", help="write the source, coloured by coverage and by input")
    checker = commands.add_parser("check", help="find inputs on which the function breaks")
    _common(checker)
    checker.add_argument("--equals", metavar="MODULE:FN", help="a function that should do the same")
    checker.add_argument("--allow", metavar="NAME", action="append", default=[], help="an exception that is no error")
    checker.add_argument("--first", action="store_true", help="stop at the first problem")
    checker.add_argument("--html", metavar="FILE", help="write the source, coloured by coverage and by input")
    generator = commands.add_parser("generate", help="write tests and queries")
    _common(generator)
    generator.add_argument("--tests", metavar="FILE", help="a pytest file that repeats each path; - for stdout")
    generator.add_argument("--queries", metavar="DIR", help="a folder for the queries as .smt2 files")
    generator.add_argument(
        "--confirm",
        metavar="SOLVER",
        action="append",
        default=[],
        help="state only answers that this solver gives, too",
    )
    return parser


def _common(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "exit codes: see python -m stringent_smt --help"
    add = parser.add_argument
    add("function", metavar="MODULE:FN", help="a function, as MODULE:FUNCTION, FILE.py:FUNCTION or MODULE:CLASS.METHOD")
    add("--budget", type=_positive, default=30.0, metavar="SECONDS", help="time of the exploration (default 30)")
    add("--runs", type=_count, metavar="N", help="number of executions")
    add("--run-time", type=_positive, default=5.0, metavar="SECONDS", help="time of one execution (default 5)")
    add("--run-memory", type=_count, default=1024, metavar="MIB", help="memory of one execution (default 1024)")
    add("--query-time", type=_positive, default=5.0, metavar="SECONDS", help="processor time of one query (default 5)")
    add("--solver", metavar="NAME", help="stringent (default), z3, cvc5, or a command")
    add("--jobs", type=_count, default=1, metavar="N", help="queries at the same time (default 1)")
    add("--seed", type=int, default=0, metavar="N", help="seed of the search (default 0)")
    add("--lift", action="append", default=[], metavar="PACKAGE", help="track values in this package as well")
    add("--input", action="append", metavar="VALUE", help="a first input: a literal, or a tuple or dict of arguments")
    add("--isolate", action="store_true", help="run in a process that cannot write or delete files, or start programs")
    add("--format", choices=("text", "json"), default="text", help="format of the report")
    add("--quiet", action="store_true", help="no progress")


def _positive(text: str) -> float:
    value = float(text)
    if not value > 0 or value == float("inf"):
        raise argparse.ArgumentTypeError(f"{text} is not a positive number")
    return value


def _count(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a positive number")
    return value


def main(argv: Sequence[str] | None = None) -> int:
    """Runs a command and returns the exit code."""
    given = list(sys.argv[1:] if argv is None else argv)
    arguments = _parser().parse_args(given)
    if arguments.isolate and not isolate.folder():
        try:
            return isolate.run(given, 2 * arguments.budget + 2 * arguments.run_time + 60)
        except KeyboardInterrupt:
            return INTERRUPTED
    code = _guarded(arguments)
    if isolate.folder():
        with contextlib.suppress(OSError, ValueError):
            sys.stdout.flush()
            isolate.finished()
    return code


def program() -> NoReturn:
    """Runs a command as the whole of a process, which then ends: nothing that the function leaves behind, threads and exit handlers, takes part in the end.

    What the function, or a program that it starts, writes to the standard streams by their numbers goes nowhere.
    """
    with contextlib.suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_RDWR)
        for number, name in ((1, "stdout"), (2, "stderr")):
            stream = getattr(sys, name)
            own = open(  # noqa: SIM115
                fcntl.fcntl(number, fcntl.F_DUPFD, 500), "w", 1, stream.encoding, stream.errors
            )
            setattr(sys, name, own)
            setattr(sys, f"__{name}__", own)
            os.dup2(nowhere, number)
        os.dup2(nowhere, 0)
    with contextlib.suppress(OSError, ValueError, AttributeError):
        faulthandler.enable(sys.stderr)
    try:
        code = main()
    except SystemExit as error:  # of argparse
        code = error.code if isinstance(error.code, int) else USAGE
    left = [t for t in threading.enumerate() if not t.daemon and t is not threading.current_thread()]
    try:
        if left:
            print(f"note: {len(left)} threads of the function still run; they are ended", file=sys.stderr)
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError):
        code = code or BROKEN
    os._exit(code)


def _guarded(arguments: argparse.Namespace) -> int:
    """Runs a command; every error is a line and an exit code."""
    try:
        return _run(arguments)
    except (TargetError, InputError, ContractError, SolverNotFound, _Usage) as error:
        print(f"error: {error}", file=sys.stderr)
        return USAGE
    except StringentError as error:
        print(f"error: {error}", file=sys.stderr)
        return BROKEN
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as error:
        with contextlib.suppress(OSError, ValueError):
            print(f"error: {error}", file=sys.stderr)
        return USAGE
    except Exception:
        with contextlib.suppress(Exception):
            traceback.print_exc()
            print("error: this is a defect of stringent_smt", file=sys.stderr)
        return BROKEN


def _run(arguments: argparse.Namespace) -> int:
    guard: Callable[[], Any] = nullcontext
    if isolate.folder():
        isolate.install(isolate.folder())
        guard = isolate.guarded
    elif "" not in sys.path and os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    limit = arguments.budget + 10 * arguments.run_time
    try:
        with intact(), time_limit(limit, "the import"), guard():
            target = find_target(_origin(arguments.function))
            other = find_target(_origin(arguments.equals)) if getattr(arguments, "equals", None) else None
    except RunStopped as stopped:
        raise _Usage(f"the import of the module does not end: {stopped}") from None
    if arguments.command == "generate" and not arguments.tests and not arguments.queries:
        raise _Usage("nothing to generate: give --tests FILE or --queries DIR")
    seeds = None if arguments.input is None else [_literal(text) for text in arguments.input]
    options = {
        "runs": arguments.runs,
        "run_time": arguments.run_time,
        "run_memory": arguments.run_memory,
        "query_time": arguments.query_time,
        "solver": _solver(arguments.solver),
        "jobs": arguments.jobs,
        "seed": arguments.seed,
        "lift": _packages(arguments.lift, target),
    }
    progress = _Live(arguments.quiet)
    if arguments.command == "check":
        return _check(arguments, target, other, seeds, options, progress)
    chosen = Options(budget=arguments.budget, keep_queries=arguments.command == "generate", **options)
    engine = Engine(target.function, seeds, chosen, progress=progress, name=target.name)
    result = engine.explore()
    progress.clear()
    if arguments.command == "generate":
        return _generate(arguments, target, result)
    print(_json(report.result_json(result)) if arguments.format == "json" else report.cover_text(result))
    if arguments.html:
        _write_html(arguments.html, result)
    return INTERRUPTED if result.stopped == "interrupted" else OK


def _check(
    arguments: argparse.Namespace,
    target: Target,
    other: Target | None,
    seeds: list[Any] | None,
    options: dict[str, Any],
    progress: _Live,
) -> int:
    verdict = check(
        target.function,
        seeds,
        arguments.budget,
        equals=other.function if other else None,
        allow=arguments.allow,
        first=arguments.first,
        progress=progress,
        name=target.name,
        **options,
    )
    progress.clear()
    print(_json(report.verdict_json(verdict)) if arguments.format == "json" else report.check_text(verdict))
    if arguments.html:
        _write_html(arguments.html, verdict.result)
    if verdict.problems:
        return FOUND
    return INTERRUPTED if verdict.result.stopped == "interrupted" else OK


def _generate(arguments: argparse.Namespace, target: Target, result: Any) -> int:
    done: dict[str, Any] = {"function": target.name}
    counts: dict[str, int] = {}
    if arguments.tests:
        text = pytest_file(result, target.module.__name__, target.name, target.expression, run_by(target.function))
        if arguments.tests == "-":
            print(text, end="")
        else:
            with open(_origin(arguments.tests), "w", encoding="utf-8") as file:
                file.write(text)
            done["tests"] = {"file": arguments.tests, "count": text.count("\ndef test_")}
    if arguments.queries:
        source = f"{target.module.__name__}:{target.name}"
        counts = write_queries(result.log, _origin(arguments.queries), source, confirm=arguments.confirm)
        done["queries"] = {"folder": arguments.queries, **counts}
    if arguments.format == "json":
        print(_json({**done, "exploration": report.result_json(result)}))
    elif arguments.tests != "-":
        if arguments.tests:
            print(f"{done['tests']['count']} tests written to {arguments.tests}")
        if arguments.queries:
            told = ", ".join(f"{count} {status}" for status, count in sorted(counts.items())) or "none"
            print(f"queries written to {arguments.queries}: {told}")
    return OK


def _write_html(path: str, result: Any) -> None:
    from .page import page

    with open(_origin(path), "w", encoding="utf-8") as file:
        file.write(page(result))


def _origin(path: str) -> str:
    """A path as the user means it: an isolated process works elsewhere."""
    origin = os.environ.get(isolate.ORIGIN)
    looks_like_path = os.sep in path or ".py" in path or not isolate.folder()
    if not isolate.folder() or origin is None or os.path.isabs(path):
        return path
    if ":" in path and not looks_like_path:
        return path
    return os.path.join(origin, path)


def _literal(text: str) -> Any:
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        raise _Usage(f"the input {text} is not a literal of Python (strings need quotes)") from None


def _solver(name: str | None) -> Any:
    if name is None or name == "stringent":
        return None
    return name.split() if " " in name else name


def _packages(names: list[str], target: Target) -> list[str]:
    import importlib.util

    found = [part for name in names for part in name.split(",") if part]
    for name in found:
        try:
            known = name in sys.modules or importlib.util.find_spec(name) is not None
        except (ImportError, ValueError):
            known = False
        if not known:
            raise _Usage(f"--lift {name}: there is no such package")
    return found


def _json(value: Any) -> str:
    return json.dumps(value, indent=1, ensure_ascii=True)


class _Live:
    """One line of progress on the terminal."""

    def __init__(self, quiet: bool) -> None:
        self.shows = not quiet and sys.stderr.isatty()
        self.stream = sys.stderr
        self.width = 0

    def __call__(self, progress: Progress) -> None:
        if self.shows:
            line = report.progress_line(progress)[:119]
            self.stream.write("\r" + line.ljust(self.width))
            self.stream.flush()
            self.width = len(line)

    def clear(self) -> None:
        if self.shows and self.width:
            self.stream.write("\r" + " " * self.width + "\r")
            self.stream.flush()


if __name__ == "__main__":
    program()
