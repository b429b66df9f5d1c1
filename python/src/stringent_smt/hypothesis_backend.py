"""A backend of Hypothesis: the values that a property test draws are symbolic, and new ones are solutions.

    @settings(backend="stringent")
    @given(st.text())
    def test(s): ...

Every draw is a variable with a value, and a test case is an execution on symbolic values, as in `explore`. Before a
test case, a branch of an earlier one is negated and the solution becomes the values of the draws; draws that it does not
reach get simple or random values. The functions of the module of the test, and of the modules that it imports names
from, are lifted while a test case runs. When no branch is left, Hypothesis goes on with its own backend.

Floats are not symbolic. Strings have no characters past U+2FFFF.
"""

from __future__ import annotations

import contextlib
import math
import random
import sys
import time
from collections.abc import Iterator
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import Any, TypeVar

from hypothesis.errors import BackendCannotProceed
from hypothesis.internal.conjecture.providers import COLLECTION_DEFAULT_MAX_SIZE, PrimitiveProvider
from hypothesis.internal.intervalsets import IntervalSet

from .explore import hooks, values
from .explore.inputs import BYTES_LANGUAGE
from .explore.lift import Lifting, hook
from .explore.path import Recorder, Site
from .explore.queries import Asker, Pipe, make_query
from .explore.result import Execution, Outcome
from .explore.search import Frontier, Trace
from .operators import LAST_CHARACTER
from .patterns import Ranges, chars_re
from .process import find_command
from .terms import Sort, Term, const, eq, mk

T = TypeVar("T")

QUERY_TIME = 0.5
"""Seconds for a query the first time, four times as much the second time."""
CASE_TIME = 2.0
"""Seconds to look for the values of one test case."""
MEMORY = 4096
CHOICES = 16
"""A range with fewer numbers is a choice: one path for each of them."""
_FLOATS = (0.0, 1.0, -1.0, 0.5, 1.5, 2.0, -0.0, 1e10, 1e-5, math.inf, -math.inf, math.nan, sys.float_info.max, 5e-324)


class StringentProvider(PrimitiveProvider):
    """The provider of one test function."""

    avoid_realization = True

    def __init__(self, conjecturedata: Any, /) -> None:
        super().__init__(conjecturedata)
        self._random = random.Random(0)
        self._frontier = Frontier(0, _distance)
        self._asker = Asker([Pipe(find_command(None), memory=MEMORY)])
        self._lifted: _Lifted | None = None
        self._recorder: Recorder | None = None
        self._plan: dict[str, Any] = {}
        self._draws: dict[str, Any] = {}
        self._cases = 0
        self._solved = 0

    # Test cases.

    @contextlib.contextmanager
    def per_test_case_context_manager(self) -> Iterator[None]:
        """Chooses the values of the next test case, and records its path."""
        if self._lifted is None:
            self._lifted = _Lifted(_test_modules(sys._getframe()))
        self._plan = self._next()
        self._cases += 1
        self._draws = {}
        recorder = self._recorder = Recorder()
        started = time.monotonic()
        try:
            with self._lifted.active(), recorder.running():
                yield
        finally:
            self._recorder = None
            execution = Execution(
                number=self._cases,
                arguments=self._draws,
                outcome=Outcome("return"),
                reached=frozenset(),
                new=frozenset(),
                seconds=time.monotonic() - started,
                at=0.0,
                path=len(recorder.events),
            )
            self._frontier.add(
                Trace(execution, recorder.events, recorder.inexact_from, recorder.lost_from, recorder.foreign_from)
            )

    def _next(self) -> dict[str, Any]:
        """The values of the next test case by the names of the draws."""
        deadline = time.monotonic() + CASE_TIME
        while time.monotonic() < deadline:
            batch = self._frontier.pick(1)
            if not batch:
                if len(self._frontier) == 0:
                    break
                continue
            candidate = batch[0]
            query = make_query(candidate.trace.events, candidate.index, candidate.excluded)
            left = max(0.05, deadline - time.monotonic())
            answer = self._asker.answer([query], QUERY_TIME * 4**candidate.tries, left)[0]
            if answer.status == "sat":
                self._solved += 1
                plan = dict(candidate.trace.execution.arguments)
                plan.update((str(v.value), found) for v, found in answer.model.items())
                return plan
            if answer.status == "unknown" and candidate.tries < 1:
                self._frontier.again(candidate)
        # The simplest values first, then random ones.
        if self._cases > 3 and len(self._frontier) == 0 and self._solved < self._cases - 3:
            raise BackendCannotProceed("exhausted")
        return {}

    def realize(self, value: T, *, for_failure: bool = False) -> T:
        """The concrete value."""
        result: T = values.concrete(value)
        return result

    def observe_test_case(self) -> dict[str, Any]:
        """What the search has done so far."""
        counts = self._asker.counts
        return {
            "test cases": self._cases,
            "from solutions": self._solved,
            "queries": {"sat": counts.sat, "unsat": counts.unsat, "unknown": counts.unknown},
        }

    # Draws.

    def _draw(self, kind: str, sort: Sort, default: Any, allowed: Any) -> tuple[Any, Term | None]:
        """The value of the next draw, planned if there is one that is allowed, and its variable."""
        name = f"{kind}{len(self._draws)}"
        value = self._plan.get(name)
        if value is None or not allowed(value):
            value = default
        self._draws[name] = value
        recorder = self._recorder
        return value, None if recorder is None else recorder.input(name, sort, value)

    def _simple(self) -> bool:
        return self._cases <= 1 or self._random.random() < 0.6

    def draw_boolean(self, p: float = 0.5) -> bool:
        """A truth value; `p` is a hint except for 0 and 1."""
        if p <= 0 or p >= 1:
            return p >= 1
        default = False if self._simple() else self._random.random() < p
        value, term = self._draw("bool", Sort.BOOL, default, lambda v: isinstance(v, bool))
        return value if term is None else values.wrap(value, term)  # type: ignore[no-any-return]

    def draw_integer(
        self,
        min_value: int | None = None,
        max_value: int | None = None,
        *,
        weights: dict[int, float] | None = None,
        shrink_towards: int = 0,
    ) -> int:
        """A number between the bounds."""
        low = -math.inf if min_value is None else min_value
        high = math.inf if max_value is None else max_value
        if low == high:
            return int(low)
        simple = min(max(shrink_towards, low), high)
        default = int(simple) if self._simple() else self._some_integer(min_value, max_value, int(simple))

        def allowed(v: Any) -> bool:
            return type(v) is int and low <= v <= high

        value, term = self._draw("int", Sort.INT, default, allowed)
        if term is None:
            return int(value)
        if min_value is not None:
            self._assume(mk("<=", const(min_value), term))
        if max_value is not None:
            self._assume(mk("<=", term, const(max_value)))
        if high - low < CHOICES:
            # such as the index of a strategy in one_of, which is an item of a list
            assert self._recorder is not None
            self._recorder.choose(term, eq(term, const(int(value))))
        return values.wrap(value, term)  # type: ignore[no-any-return]

    def _some_integer(self, low: int | None, high: int | None, near: int) -> int:
        width = self._random.choice((3, 20, 1000, 2**32))
        lowest = near - width if low is None else max(low, near - width)
        highest = near + width if high is None else min(high, near + width)
        return self._random.randint(lowest, highest)

    def draw_float(
        self,
        *,
        min_value: float = -math.inf,
        max_value: float = math.inf,
        allow_nan: bool = True,
        smallest_nonzero_magnitude: float,
    ) -> float:
        """A number; it is concrete."""

        def allowed(v: Any) -> bool:
            if not isinstance(v, float):
                return False
            if math.isnan(v):
                return allow_nan
            if v == 0 and math.copysign(1, v) < 0 <= min_value and math.copysign(1, min_value) > 0:
                return False
            if v == 0 and math.copysign(1, v) > 0 >= max_value and math.copysign(1, max_value) < 0:
                return False
            return min_value <= v <= max_value and (v == 0 or abs(v) >= smallest_nonzero_magnitude)

        options = [v for v in (*_FLOATS, min_value, max_value) if allowed(v)]
        finite = [v for v in options if math.isfinite(v)]
        default = options[0] if self._simple() else self._random.choice(options)
        if len(finite) > 1 and self._random.random() < 0.3:
            between = self._random.uniform(max(min(finite), -1e9), min(max(finite), 1e9))
            default = between if allowed(between) else default
        name = f"float{len(self._draws)}"
        value = self._plan.get(name, default)
        value = value if allowed(value) else default
        self._draws[name] = value
        return float(value)

    def draw_string(
        self, intervals: IntervalSet, *, min_size: int = 0, max_size: int = COLLECTION_DEFAULT_MAX_SIZE
    ) -> str:
        """A string over an alphabet."""
        ranges: Ranges = tuple(
            (low, min(high, LAST_CHARACTER)) for low, high in intervals.intervals if low <= LAST_CHARACTER
        )

        def allowed(v: Any) -> bool:
            return isinstance(v, str) and min_size <= len(v) <= max_size and all(ord(c) in intervals for c in v)

        if not ranges:
            return "".join(map(chr, self._characters(intervals.intervals, min_size, max_size)))
        default = "".join(map(chr, self._characters(ranges, min_size, max_size)))
        value, term = self._draw("str", Sort.STRING, default, allowed)
        if term is None:
            return str(value)
        if ranges != ((0, LAST_CHARACTER),):
            self._assume(mk("str.in_re", term, mk("re.*", chars_re(ranges))))
        self._bound(term, min_size, max_size)
        return values.wrap(value, term)  # type: ignore[no-any-return]

    def draw_bytes(self, min_size: int = 0, max_size: int = COLLECTION_DEFAULT_MAX_SIZE) -> bytes:
        """Some bytes; a string of the same code points stands for them."""

        def allowed(v: Any) -> bool:
            return isinstance(v, str) and min_size <= len(v) <= max_size and all(ord(c) < 256 for c in v)

        default = "".join(map(chr, self._characters(((0, 255),), min_size, max_size)))
        value, term = self._draw("bytes", Sort.STRING, default, allowed)
        data = str(value).encode("latin-1")
        if term is None:
            return data
        self._assume(mk("str.in_re", term, BYTES_LANGUAGE))
        self._bound(term, min_size, max_size)
        return values.wrap(data, term)  # type: ignore[no-any-return]

    def _characters(self, ranges: Any, min_size: int, max_size: int) -> list[int]:
        """The code points of a string: the shortest, or a few more."""
        if not ranges:
            return []
        size = min_size if self._simple() else min(max_size, min_size + self._random.randrange(8))
        simple = [c for c in (48, 97, 65, 32) if any(low <= c <= high for low, high in ranges)] or [ranges[0][0]]
        found = []
        for _ in range(size):
            if self._random.random() < 0.7:
                found.append(self._random.choice(simple))
            else:
                low, high = self._random.choice(ranges)
                found.append(self._random.randint(low, high))
        return found

    def _bound(self, term: Term, min_size: int, max_size: int) -> None:
        length = mk("str.len", term)
        if min_size > 0:
            self._assume(mk("<=", const(min_size), length))
        if max_size < 2**31:
            self._assume(mk("<=", length, const(max_size)))

    def _assume(self, term: Term) -> None:
        assert self._recorder is not None
        self._recorder.assume(term)


def _distance(site: Site) -> int:
    """Branches of the test come first, then choices of Hypothesis, then its other branches, such as those that print a value."""
    if "/hypothesis/" not in site.file:
        return 0
    return 1 if site.label == "choice" else 3


class _Lifted:
    """The functions of some modules, with their code as it is and lifted."""

    def __init__(self, modules: list[ModuleType]) -> None:
        lifting = Lifting(hooks.HOOKS)
        lifting.add(modules)
        self._functions: list[tuple[FunctionType, CodeType, CodeType]] = []
        for function, original in lifting._originals:
            self._functions.append((function, original, function.__code__))
        lifting.restore()

    @contextlib.contextmanager
    def active(self) -> Iterator[None]:
        """The functions run as lifted."""
        import builtins

        names = {hook(name): function for name, function in hooks.HOOKS.items()}
        before = {name: builtins.__dict__[name] for name in names if name in builtins.__dict__}
        builtins.__dict__.update(names)
        for function, _, lifted in self._functions:
            function.__code__ = lifted
        try:
            yield
        finally:
            for function, original, _ in self._functions:
                function.__code__ = original
            for name in names:
                if name in before:
                    builtins.__dict__[name] = before[name]
                else:
                    builtins.__dict__.pop(name, None)


def _test_modules(frame: FrameType | None) -> list[ModuleType]:
    """The module of the running test, and those that its names come from, except the standard library and testing tools."""
    while frame is not None:
        owner = frame.f_locals.get("self")
        if type(owner).__name__ == "StateForActualGivenExecution":
            test = getattr(owner, "test", None)
            module = sys.modules.get(getattr(test, "__module__", None) or "")
            return [] if module is None else _with_imports(module)
        frame = frame.f_back
    return []


_TOOLS = frozenset({"hypothesis", "pytest", "_pytest", "stringent_smt", "attr", "numpy", "pandas", "builtins"})


def _with_imports(module: ModuleType) -> list[ModuleType]:
    found = {module.__name__: module}
    for value in list(vars(module).values()):
        name = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
        if not isinstance(name, str) or name in found:
            continue
        top = name.partition(".")[0]
        imported = sys.modules.get(name)
        if imported is not None and top not in _TOOLS and top not in sys.stdlib_module_names:
            found[name] = imported
    return list(found.values())


__all__ = ["StringentProvider"]
