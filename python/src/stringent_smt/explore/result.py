"""What an exploration found: executions, coverage, findings, and where tracking was lost."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from ..terms import Term
from .coverage import Direction, FunctionInfo, Line, Measure
from .path import Site
from .queries import Counts, Logged

_OWN_NAMES = re.compile(r"\bSym(Str|Int|Bool|Bytes)\b")
"""The classes of symbolic values, which code in C names in its messages."""

Place = tuple[str, int, str]
"""A file, a line, and what happened there."""


@dataclass(slots=True)
class Outcome:
    """How a call ended: it returned, raised, or was stopped by a limit."""

    kind: str
    """`return`, `raise`, `limit`."""
    value: Any = None
    """The result, without terms."""
    exception: BaseException | None = None
    where: tuple[str, int] | None = None
    """The line that raised: the innermost one in the code under test."""

    def describe(self) -> str:
        if self.kind == "return":
            return f"returns {safe_repr(self.value)}"
        if self.kind == "limit":
            return str(self.exception)
        text = _OWN_NAMES.sub(lambda name: name[1].lower(), safe_str(self.exception))
        return f"raises {type(self.exception).__name__}" + (f": {text}" if text else "")

    def signature(self) -> tuple[Any, ...]:
        """What makes two outcomes different: the kind, the exception and its line."""
        if self.exception is None:
            return (self.kind, type(self.value).__name__, self.value if isinstance(self.value, bool) else None)
        return (self.kind, type(self.exception).__name__, self.where)


@dataclass(slots=True)
class Execution:
    """One call, with the inputs and what it reached."""

    number: int
    arguments: dict[str, Any]
    outcome: Outcome
    reached: frozenset[int]
    new: frozenset[int]
    """The places that no earlier execution reached."""
    seconds: float
    at: float
    """Seconds from the start of the exploration."""
    path: int
    """The number of events of the path."""
    parent: int | None = None
    negated: Site | None = None
    """The branch of the parent that was negated to get here."""

    def call(self, name: str) -> str:
        """The call as an expression of Python."""
        return f"{name}({', '.join(f'{k}={safe_repr(v, 2000)}' for k, v in self.arguments.items())})"


@dataclass(slots=True)
class Finding:
    """Something that should not happen: a defect of a model, of the solver, or of this package."""

    kind: str
    """`divergence`, `mismatch`, `wrong model`, `replay`."""
    message: str
    arguments: dict[str, Any] = field(default_factory=dict)
    site: Site | None = None
    query: list[Term] = field(default_factory=list)


@dataclass(slots=True)
class Result:
    """The result of an exploration."""

    name: str
    executions: list[Execution]
    """The executions that reached a new place or ended in a new way."""
    runs: int
    counts: Counts
    measure: Measure
    scope: frozenset[str]
    """The files whose lines and branches count."""
    reached: frozenset[int]
    seconds: float
    stopped: str
    """Why the exploration ended: `complete` if all paths were executed, `no branches` if none is left to negate but paths may be missing (see losses, pins, notes), else the limit."""
    exhaustive: bool
    """All paths were executed: nothing was lost, pinned, cut off, unknown or diverged."""
    findings: list[Finding]
    losses: Counter[Place]
    pins: Counter[Place]
    approximations: Counter[Place]
    explained: Counter[str]
    """Executions that left the predicted path for a known reason."""
    notes: list[str]
    log: list[Logged]
    timeline: list[tuple[float, int, int]]
    """Seconds, lines and branches, at each growth of the coverage."""

    def lines(self) -> tuple[int, int]:
        """Lines reached, and lines of all functions that count."""
        return self._covered(Line)

    def branches(self) -> tuple[int, int]:
        """Branches reached, and branches of all functions that count."""
        return self._covered(Direction)

    def _covered(self, kind: type) -> tuple[int, int]:
        places = self.measure.places
        total = [n for n, place in enumerate(places) if isinstance(place, kind) and place.file in self.scope]
        return sum(n in self.reached for n in total), len(total)

    def functions(self) -> list[FunctionInfo]:
        """The functions whose lines and branches count."""
        return [function for function in self.measure.functions if function.file in self.scope]

    def covered_in(self, function: FunctionInfo) -> tuple[int, int, int, int]:
        """Lines reached, lines, branches reached, branches of one function."""
        return (
            sum(n in self.reached for n in function.lines),
            len(function.lines),
            sum(n in self.reached for n in function.branches),
            len(function.branches),
        )

    def outcomes(self) -> list[Execution]:
        """One execution, the first, for each way to end."""
        found: dict[tuple[Any, ...], Execution] = {}
        for execution in self.executions:
            found.setdefault(execution.outcome.signature(), execution)
        return list(found.values())

    def errors(self) -> list[Execution]:
        """One execution for each way to raise."""
        return [e for e in self.outcomes() if e.outcome.kind == "raise"]

    def inputs(self) -> list[dict[str, Any]]:
        """The inputs of the kept executions."""
        return [execution.arguments for execution in self.executions]

    def __str__(self) -> str:
        lines, all_lines = self.lines()
        branches, all_branches = self.branches()
        return (
            f"{self.name}: {lines}/{all_lines} lines, {branches}/{all_branches} branches, {self.runs} executions, "
            f"{self.counts.asked()} queries, {self.seconds:.1f} s, {self.stopped}"
        )


def safe_repr(value: Any, limit: int = 200) -> str:
    """`repr`, cut off; never an exception."""
    try:
        text = repr(value)
    except Exception as error:
        return f"<{type(value).__name__}, whose repr raises {type(error).__name__}>"
    return text if len(text) <= limit else text[: limit - 3] + "..."


def safe_str(value: Any, limit: int = 300) -> str:
    """`str`, cut off; never an exception."""
    try:
        text = str(value)
    except Exception as error:
        return f"<{type(value).__name__}, whose str raises {type(error).__name__}>"
    return text if len(text) <= limit else text[: limit - 3] + "..."
