"""Files from an exploration: a pytest file that repeats each kept execution, and the queries as SMT-LIB."""

from __future__ import annotations

import ast
import inspect
import json
import keyword
import os
import re
from collections.abc import Callable, Sequence
from typing import Any

from ..process import SolverProcess, find_command
from .engine import GENERATOR
from .limits import ProcessExit
from .queries import Logged, canonical, script
from .result import Execution, Result, safe_repr


def literal(value: Any) -> str | None:
    """The expression of a value, if it is a literal of Python that gives the same value back."""
    try:
        text = repr(value)
        back = ast.literal_eval(text)
        return text if type(back) is type(value) and back == value else None
    except Exception:
        return None


_ELEMENTS = """async def _elements_of(generator):
    return [element async for element in generator]"""


def run_by(function: Callable[..., Any]) -> tuple[str, str]:
    """How a test runs what a call only prepares: an import, and an expression with the call as `{}`."""
    target = inspect.unwrap(function)
    if inspect.iscoroutinefunction(target):
        return "import asyncio", "asyncio.run({})"
    if inspect.isasyncgenfunction(target):
        return "import asyncio", "asyncio.run(_elements_of({}))"
    if inspect.isgeneratorfunction(target):
        return "import itertools", f"list(itertools.islice({{}}, {GENERATOR}))"
    return "", "{}"


def pytest_file(
    result: Result, module: str, function: str, expression: str = "", run: tuple[str, str] = ("", "{}")
) -> str:
    """A file of tests, one for each kept execution whose arguments are literals. `expression` is what they call, `run` is of `run_by`."""
    root = function.partition(".")[0]
    tests: list[str] = []
    skipped = 0
    names: set[str] = set()
    needs_pytest = False
    for execution in result.executions:
        if execution.outcome.kind == "limit" or isinstance(execution.outcome.exception, ProcessExit):
            skipped += 1
            continue
        arguments = {name: literal(value) for name, value in execution.arguments.items()}
        if any(text is None for text in arguments.values()):
            skipped += 1
            continue
        given = ", ".join(f"{k}={v}" for k, v in arguments.items())
        body, raises = _body(execution, run[1].format(f"{expression or function}({given})"))
        needs_pytest = needs_pytest or raises
        name = _test_name(execution, function, names)
        tests.append(f"def {name}():\n{body}")
    head = [
        f'"""Tests of {module}.{function}, one for each path that reached something new or ended in a new way."""',
        "",
    ]
    if run[0]:
        head += [run[0], ""]
    if needs_pytest:
        head += ["import pytest", ""]
    head += [f"from {module} import {root}", ""]
    if "_elements_of(" in run[1]:
        head += ["", _ELEMENTS, ""]
    if skipped:
        head.insert(
            1,
            f"# {skipped} executions are left out: they reached a limit or ended the process, or their arguments are no literals.",
        )
    return "\n".join(head) + "\n\n" + "\n\n".join(tests) + ("\n" if tests else "")


def _body(execution: Execution, call: str) -> tuple[str, bool]:
    outcome = execution.outcome
    if outcome.kind == "raise":
        error = type(outcome.exception)
        if error.__module__ == "builtins":
            return f"    with pytest.raises({error.__name__}):\n        {call}\n", True
        return (
            f"    with pytest.raises({'Exception' if isinstance(outcome.exception, Exception) else 'BaseException'}) as caught:\n        {call}\n"
            f"    assert type(caught.value).__name__ == {error.__name__!r}\n",
            True,
        )
    expected = literal(outcome.value)
    if expected is None:
        return f"    {call}  # returns {_comment(safe_repr(outcome.value, 80))}\n", False
    if outcome.value is None or outcome.value is True or outcome.value is False:
        return f"    assert {call} is {expected}\n", False
    return f"    assert {call} == {expected}\n", False


def _comment(text: str) -> str:
    return text.replace("\n", " ")


def _test_name(execution: Execution, function: str, names: set[str]) -> str:
    outcome = execution.outcome
    what = type(outcome.exception).__name__ if outcome.exception is not None else type(outcome.value).__name__
    base = re.sub(r"\W+", "_", f"test_{function}_{'raises' if outcome.exception else 'returns'}_{what}".lower())
    name = base
    number = 1
    while name in names or keyword.iskeyword(name):
        number += 1
        name = f"{base}_{number}"
    names.add(name)
    return name


def write_queries(
    log: Sequence[Logged],
    folder: str,
    source: str,
    *,
    confirm: Sequence[str] = (),
    timeout: float = 10.0,
) -> dict[str, int]:
    """Writes each query once, up to the names of its variables, with the answer as `:status`. With `confirm`, only answers that all of these solvers share become a status. Returns how many have which."""
    os.makedirs(folder, exist_ok=True)
    counts: dict[str, int] = {}
    seen: set[str] = set()
    index: list[dict[str, Any]] = []
    processes = [(name, SolverProcess(find_command(name))) for name in confirm]
    try:
        for logged in log:
            key = canonical(logged.conjuncts)
            if key in seen:
                continue
            seen.add(key)
            status = logged.status
            answers = {"explored with": logged.status}
            for name, process in processes:
                answers[name] = ask_file(process, script(logged.conjuncts), timeout)
            if len({a for a in answers.values() if a in ("sat", "unsat")}) > 1:
                status = "disagreement"
            elif any(a not in ("sat", "unsat") for a in answers.values()):
                status = "unknown" if logged.status not in ("sat", "unsat") or confirm else status
            name = f"{len(seen):05}.smt2"
            text = script(logged.conjuncts, f"A path of {source}.", status)
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)
            index.append({"file": name, "status": status, "answers": answers, "seconds": round(logged.seconds, 4)})
            counts[status] = counts.get(status, 0) + 1
    finally:
        for _, process in processes:
            process.close()
    with open(os.path.join(folder, "index.json"), "w", encoding="utf-8") as file:
        json.dump({"source": source, "queries": index}, file, indent=1)
        file.write("\n")
    return counts


def ask_file(process: SolverProcess, text: str, timeout: float) -> str:
    """The answer of another solver to a script."""
    from ..errors import SolverError

    process.close()
    options = "(set-option :strings-exp true)\n" if os.path.basename(process.command[0]).startswith("cvc") else ""
    try:
        reply = process.request(options + text, timeout).split()
    except SolverError:
        return "unknown"
    return next((word for word in reply if word in ("sat", "unsat")), "unknown")
