"""Checking a function: a search for inputs on which it breaks.

What counts: exceptions that are not announced, failed assertions, postconditions that do not hold, and a second function that should do the same and does not. Inputs that break a precondition do not count. The checked function is
wrapped in one that raises `Violation`, so that conditions of contracts are explored like the rest of the code. Each problem is called once more on plain values and the unlifted code; only what happens there, too, is reported.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from . import inputs, values
from .contracts import Contracts, announced, contracts_of, old
from .engine import Engine, Options, Progress, call, class_name, module_of, quiet
from .path import RunStopped
from .result import Execution, Result, safe_repr, safe_str


class Violation(Exception):
    """A postcondition does not hold, or two functions differ."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class Unmet(Exception):
    """The input breaks a precondition."""


@dataclass(slots=True)
class Problem:
    """An input on which the function breaks."""

    kind: str
    """`exception`, `assertion`, `postcondition`, `difference`, `limit`."""
    message: str
    arguments: dict[str, Any]
    call: str
    where: tuple[str, int] | None
    execution: Execution


@dataclass(slots=True)
class Verdict:
    """The result of a check."""

    problems: list[Problem]
    result: Result
    preconditions: int
    """Executions that ended at a precondition."""

    def proved(self) -> bool:
        """All paths were executed and none breaks."""
        return not self.problems and self.result.exhaustive


def wrapped(function: Callable[..., Any], contracts: Contracts, other: Callable[..., Any] | None) -> Callable[..., Any]:
    """The function with its contracts as exceptions."""
    signature = inspect.signature(function)

    @functools.wraps(function)
    def checked(*args: Any, **kwargs: Any) -> Any:
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        local = dict(bound.arguments)
        for condition in contracts.pre:
            try:
                holds = bool(condition.evaluate(local))
            except RunStopped:
                raise
            except Exception as error:
                raise Unmet(f"{condition.text} raises {type(error).__name__}") from None
            if not holds:
                raise Unmet(condition.text)
        before = old(local) if contracts.needs_old() else None
        if other is not None:
            return _compare(function, other, args, kwargs)
        result = function(*args, **kwargs)
        for condition in contracts.post:
            names = {**local, "__return__": result, "_": result, "__old__": before}
            if not condition.evaluate(names):
                raise Violation("postcondition", f"{condition.text} does not hold for the result {_plain(result)}")
        return result

    return checked


def _compare(function: Callable[..., Any], other: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    copies = old({"args": args, "kwargs": kwargs})
    first, error = _attempt(function, args, kwargs)
    second, other_error = _attempt(other, copies.args, copies.kwargs)
    if error is not None or other_error is not None:
        if type(error) is not type(other_error):
            raise Violation("difference", f"one {_ends(first, error)}, the other {_ends(second, other_error)}")
        return None
    if not (first == second):
        raise Violation("difference", f"one {_ends(first, error)}, the other {_ends(second, other_error)}")
    return first


def _attempt(function: Callable[..., Any], args: Any, kwargs: Any) -> tuple[Any, Exception | None]:
    try:
        return function(*args, **kwargs), None
    except Exception as error:
        return None, error


def _ends(result: Any, error: Exception | None) -> str:
    if error is None:
        return f"returns {_plain(result)}"
    return f"raises {type(error).__name__}: {safe_str(error)}"


def _plain(value: Any) -> str:
    try:
        return safe_repr(values.concrete(value))
    except Exception:
        return safe_repr(value)


def check(
    function: Callable[..., Any],
    seeds: Sequence[Any] | None = None,
    budget: float = 30.0,
    *,
    equals: Callable[..., Any] | None = None,
    allow: Sequence[str] = (),
    first: bool = False,
    progress: Callable[[Progress], None] | None = None,
    name: str = "",
    modules: Sequence[ModuleType] = (),
    **options: Any,
) -> Verdict:
    """Searches for inputs on which a function breaks.

    `equals` is a function that should do the same. `allow` names exceptions that are no errors. `first` stops at the first problem. The other arguments are those of `explore`.
    """
    contracts = contracts_of(function)
    contracts.raises.extend(allow)
    name = name or getattr(function, "__qualname__", "function")
    driver = wrapped(function, contracts, equals)
    all_modules = [*module_of(function), *(module_of(equals) if equals else []), *modules]
    own: list[ModuleType] = list(dict.fromkeys(all_modules))

    def stop(execution: Execution) -> bool:
        return first and _judged(execution, contracts) is not None

    # the confirmation below is stricter than the one of the engine
    chosen = Options(budget=budget, verify=False, **options)
    engine = Engine(driver, seeds, chosen, progress=progress, name=name, modules=own, stop=stop)
    result = engine.explore()
    problems: list[Problem] = []
    seen: set[Any] = set()
    for execution in result.executions:
        judged = _judged(execution, contracts)
        if judged is None:
            continue
        kind, message = judged
        key = (kind, type(execution.outcome.exception).__name__, execution.outcome.where)
        if key in seen or not _confirmed(driver, execution, kind, contracts, chosen, result):
            continue
        seen.add(key)
        problems.append(
            Problem(kind, message, execution.arguments, execution.call(name), execution.outcome.where, execution)
        )
    unmet = sum(isinstance(e.outcome.exception, Unmet) for e in result.executions)
    return Verdict(problems, result, unmet)


def _judged(execution: Execution, contracts: Contracts) -> tuple[str, str] | None:
    """The kind of problem that an outcome is, with a message; none if it is none."""
    outcome = execution.outcome
    error = outcome.exception
    if outcome.kind == "limit":
        return "limit", str(error)
    if error is None or isinstance(error, Unmet):
        return None
    if isinstance(error, Violation):
        return error.kind, str(error)
    if announced(error, contracts.raises):
        return None
    if type(error).__name__ == "ViolationError":  # icontract
        return "postcondition", outcome.describe()
    if isinstance(error, AssertionError):
        text = safe_str(error)
        return "assertion", f"the assertion fails: {text}" if text else "the assertion fails"
    return "exception", outcome.describe()


def _confirmed(
    driver: Callable[..., Any], execution: Execution, kind: str, contracts: Contracts, options: Options, result: Result
) -> bool:
    """Whether the same happens on plain values."""
    if kind == "limit":
        return True
    arguments: Mapping[str, Any] = inputs.solved(execution.arguments, {})
    with quiet():
        plain = call(driver, arguments, options.run_time, options.run_memory, None)
    if class_name(plain.exception) == class_name(execution.outcome.exception):
        return True
    from .result import Finding

    text = f"on plain values the function {plain.describe()}, on symbolic values it {execution.outcome.describe()}"
    result.findings.append(Finding("replay", text, dict(execution.arguments)))
    return False
