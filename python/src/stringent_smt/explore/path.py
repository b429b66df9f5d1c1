"""The path of one execution.

While a function runs on symbolic values, everything that ties its control flow to the inputs is reported to the `Recorder` of the execution: the branches taken, the definitions of fresh
variables, the values that had to be made concrete, and the places where tracking was lost. The list of these events is the path. A later query negates one branch and keeps everything before it.

Values find the recorder by `current()`. Outside of an execution, and in threads that the function started, there is none, and values behave like plain Python values.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Container, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import CodeType, FrameType
from typing import NamedTuple

from ..terms import Sort, Term, const, eq, not_, var

Value = bool | int | str
"""The value of a variable."""

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep


BOTTOM: dict[int, CodeType] = {}
"""The code that calls targets, by identity (the hash of code reads all its instructions): frames below are not of the execution."""


RARE = "rare: "
"""The label of a branch between forms of a value that few programs tell apart, such as a number with a sign or with underscores: the rare one if it is taken."""
NOT_ASCII = f"{RARE}not ASCII"
"""The label of a branch on whether a text is ASCII: the rare form if it is not taken."""


class Site(NamedTuple):
    """A place in the program: the file, the line, the offset of the instruction, and a label that tells apart several branches of one instruction."""

    file: str
    line: int
    offset: int
    label: str


class RunStopped(BaseException):
    """Ends an execution that reached a limit. Not an `Exception`, so that `except Exception` in the target does not catch it."""


@dataclass(slots=True, frozen=True)
class Branch:
    """A condition that was evaluated: `term` has the value `taken`. Terms have no outer negation.

    With a `choice`, the condition is one of several that exclude each other, such as the possible values of that term; it holds, and other executions have other conditions in its place.
    """

    term: Term
    taken: bool
    site: Site
    choice: Term | None = None

    def holds(self) -> Term:
        return self.term if self.taken else not_(self.term)

    def flipped(self) -> Term:
        return not_(self.term) if self.taken else self.term


@dataclass(slots=True, frozen=True)
class Assume:
    """A definition of a fresh variable: part of every query from here on, never negated."""

    term: Term

    def holds(self) -> Term:
        return self.term


@dataclass(slots=True, frozen=True)
class Pin:
    """A value that was made concrete: `term` has `value`. Queries keep the equation first and drop it if there is no solution."""

    term: Term
    value: Value
    why: str
    site: Site

    def holds(self) -> Term:
        return eq(self.term, const(self.value))


Event = Branch | Assume | Pin


@dataclass(slots=True, frozen=True)
class Mismatch:
    """A branch whose term has another value under the inputs than the program computed: a defect of a model."""

    term: Term
    taken: bool
    site: Site


class Recorder:
    """Collects the events of one execution.

    `env` has the values of the inputs and of all fresh variables. `max_branches` ends the execution, `max_events` only ends recording: a path may be long, but what is kept of it is bounded. With `audit`, every term is
    evaluated and compared with the value that the program computed.
    """

    def __init__(
        self,
        *,
        max_branches: int = 100_000,
        max_events: int = 4_000,
        audit: bool = False,
        lifted: Container[str] | None = None,
    ) -> None:
        self.events: list[Event] = []
        self.inputs: list[Term] = []
        self.env: dict[Term, Value] = {}
        self.losses: dict[tuple[str, int, str], int] = {}
        self.pins: dict[tuple[str, int, str], int] = {}
        self.approximations: dict[tuple[str, int, str], int] = {}
        self.inexact_from: int | None = None
        self.lost_from: int | None = None
        self.foreign: set[str] = set()
        """Code that is not lifted and that values went to: what it does with them may be unknown."""
        self.foreign_from: int | None = None
        self.lifted = lifted
        """The files whose code is lifted; none if this does not matter."""
        self.keyed: dict[int, object] = {}
        """Dictionaries with a symbolic key, by identity."""
        self.hashable: object = None
        """A value whose next hashes are no loss: the path states which key it equals."""
        self.hashes = 1
        self.hashed = False
        """A hash was lost: code that is not lifted may have made dictionaries with symbolic keys."""
        self.probed: set[tuple[str, int]] = set()
        """The lines at which texts were probed (probes.py)."""
        self.mismatches: list[Mismatch] = []
        self.branches = 0
        self.truncated = False
        self._known: dict[Term, bool] = {}
        self._fresh = 0
        self._max_branches = max_branches
        self._max_events = max_events
        self._audit = audit
        self._thread = threading.get_ident()

    # what values call

    def input(self, name: str, sort: Sort, value: Value) -> Term:
        """A variable for an input, with its value in this execution."""
        term = var(name, sort)
        self.inputs.append(term)
        self.env[term] = value
        return term

    def fresh(self, sort: Sort, hint: str, value: Value) -> Term:
        """A fresh variable, with its value in this execution. Names depend on the path only, so that equal prefixes of two paths have equal terms."""
        self._fresh += 1
        term = var(f"{hint}!{sort.name.lower()}{self._fresh}", sort)
        self.env[term] = value
        return term

    def branch(self, term: Term, taken: bool, site: Site | None = None, label: str | None = None) -> None:
        """Records that the condition `term` was evaluated to `taken`. Constants, and conditions that the path has already, are not recorded."""
        while term.op == "not":
            term = term.args[0]
            taken = not taken
        if term.op == "const":
            if term.value is not taken:
                self.mismatches.append(Mismatch(term, taken, site or self.site()))
            return
        self.branches += 1
        if self.branches > self._max_branches:
            raise RunStopped(f"more than {self._max_branches} symbolic branches")
        known = self._known.get(term)
        if known is not None:
            if known is not taken:
                self.mismatches.append(Mismatch(term, taken, site or self.site()))
            return
        self._known[term] = taken
        if len(self.events) >= self._max_events:
            self.truncated = True
            return
        place = site or self.site(_label(term) if label is None else label)
        if self.is_foreign(place.file):
            self.note_foreign(place.file)
        if self._audit:
            self._compare(term, taken, place)
        self.events.append(Branch(term, taken, place))

    def choose(self, choice: Term, condition: Term) -> None:
        """Records which one of several conditions on the term `choice` holds. They exclude each other, and one of them holds in every execution that comes here."""
        if choice.op == "const":
            return
        before = len(self.events)
        self.branch(condition, True, label="choice")
        if len(self.events) > before:
            event = self.events[-1]
            assert isinstance(event, Branch)
            self.events[-1] = Branch(event.term, event.taken, event.site, choice)

    def assume(self, term: Term) -> None:
        """Records a definition of fresh variables, which holds in this execution and is never negated."""
        if term.op == "const" and term.value is True:
            return
        if self._audit:
            self._compare(term, True, self.site())
        self.events.append(Assume(term))

    def pin(self, term: Term, value: Value, why: str) -> None:
        """Records that `term` was replaced by its concrete value."""
        site = self.site()
        key = (site.file, site.line, why)
        self.pins[key] = self.pins.get(key, 0) + 1
        if term.op == "const" or len(self.events) >= self._max_events:
            return
        equation = eq(term, const(value))
        if self._known.get(equation) is True:
            return
        self._known[equation] = True
        if self._audit:
            self._compare(equation, True, site)
        self.events.append(Pin(term, value, why, site))

    def note_foreign(self, name: str) -> None:
        """Notes a call of code that is not lifted."""
        self.foreign.add(name)
        if self.foreign_from is None:
            self.foreign_from = len(self.events)

    def lost(self, what: str) -> None:
        """Counts a result that is plain although it depends on an input."""
        self._count(self.losses, what)
        if self.lost_from is None:
            self.lost_from = len(self.events)

    def approximate(self, why: str) -> None:
        """States that the terms from here on are not exact: a solution may take another path."""
        self._count(self.approximations, why)
        if self.inexact_from is None:
            self.inexact_from = len(self.events)

    # helpers

    def site(self, label: str = "") -> Site:
        """The innermost place outside of this package."""
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and frame.f_code.co_filename.startswith(_PACKAGE):
            if id(frame.f_code) in BOTTOM:
                frame = None
                break
            frame = frame.f_back
        if frame is None:
            return Site("<result>", 0, 0, label)
        return Site(frame.f_code.co_filename, frame.f_lineno, frame.f_lasti, label)

    def is_foreign(self, filename: str) -> bool:
        """Whether code of this file is neither lifted, nor ours, nor generated."""
        return (
            self.lifted is not None
            and filename not in self.lifted
            and not filename.startswith(_PACKAGE)
            and (not filename.startswith("<") or filename.startswith("<frozen"))
        )

    def _count(self, table: dict[tuple[str, int, str], int], what: str) -> None:
        site = self.site()
        key = (site.file, site.line, what)
        table[key] = table.get(key, 0) + 1

    def _compare(self, term: Term, taken: bool, site: Site) -> None:
        from ..evaluate import evaluate

        if evaluate(term, self.env) is not taken:
            self.mismatches.append(Mismatch(term, taken, site))

    # who is current

    @contextmanager
    def running(self) -> Iterator[Recorder]:
        """Makes this the current recorder of the calling thread."""
        global _current
        before = _current
        self._thread = threading.get_ident()
        _current = self
        try:
            yield self
        finally:
            _current = before


_current: Recorder | None = None
_ident = threading.get_ident


def escaped(what: str) -> None:
    """Counts a loss, if the caller of the caller is not this package: a value was made plain by code that is not lifted, or by C code."""
    rec = current()
    if rec is not None and not sys._getframe(2).f_code.co_filename.startswith(_PACKAGE):
        rec.lost(what)


def lose(what: str) -> None:
    """Counts a loss: code in C uses a value for a result that is plain."""
    rec = current()
    if rec is not None:
        rec.lost(what)


def current() -> Recorder | None:
    """The recorder of the execution that the calling thread is in, or none."""
    rec = _current
    if rec is None or rec._thread != _ident():
        return None
    return rec


@contextmanager
def suspended() -> Iterator[None]:
    """No recorder: values behave like plain ones."""
    global _current
    before = _current
    _current = None
    try:
        yield
    finally:
        _current = before


def _label(term: Term) -> str:
    """Tells apart the branches of one instruction, such as the comparisons of a look-up with each key."""
    if term.op == "=":
        for arg in term.args:
            if arg.op == "const":
                return f"= {arg.value!r}"
    return term.op
