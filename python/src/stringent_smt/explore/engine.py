"""The exploration of a function: execute, negate a branch, solve, execute again.

An execution runs the lifted function on symbolic values, under limits, and records its path and its coverage. The frontier (search.py) chooses branches to negate, the asker (queries.py) finds inputs that take the other direction, and
each of them is executed in turn. What the solver predicts is compared with what happens: a path that differs is a finding, unless a value that was made concrete, an inexact model or a loss of tracking explains it, or the function
does not repeat itself.

Queries get a short time first. Those that come back unknown are asked again with more time when nothing better is left.
"""

from __future__ import annotations

import asyncio
import functools
import gc
import inspect
import io
import itertools
import random
import sys
import threading
import time
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from types import FunctionType, ModuleType, TracebackType
from typing import Any

from ..errors import StringentError
from ..process import find_command
from . import hooks, inputs, isolate, splice, values
from .coverage import Direction, Line, Measure
from .lift import Lifting, modules_of
from .limits import Interrupts, intact, memory_limit, time_limit
from .path import BOTTOM, Branch, Recorder, RunStopped, Site, current
from .queries import Asker, Pipe, Query, make_query
from .result import Execution, Finding, Outcome, Result, safe_repr
from .search import Candidate, Frontier, Trace, first_difference

_FINDINGS = 50
GENERATOR = 1000
_SPLICES = 4
_ADDRESS = "0x"


class ExploreError(StringentError):
    """An exploration cannot start."""


@dataclass(frozen=True, slots=True)
class Options:
    """Limits and choices of an exploration. Times are in seconds, memory is in MiB."""

    budget: float = 30.0
    """Time of the exploration."""
    runs: int | None = None
    """Number of executions."""
    run_time: float = 5.0
    """Time of one execution."""
    run_memory: int = 1024
    """Growth of memory in one execution."""
    query_time: float = 5.0
    """Processor time of one query, the last time it is asked."""
    first_query_time: float = 0.5
    """Processor time of one query, the first time it is asked."""
    solver: str | Sequence[str] | None = None
    """The solver: none for the built-in one, a name, or a command."""
    jobs: int = 1
    """Queries that are asked at the same time, each to a solver process."""
    seed: int = 0
    lift: Sequence[str] = ()
    """Packages to lift besides the module of the function."""
    verify: bool = True
    """Call the function as it is on all kept inputs at the end."""
    keep_queries: bool = False
    audit: bool = False
    """Evaluate every recorded term on the inputs of the execution (for tests of the models)."""
    max_branches: int = 100_000


@dataclass(slots=True)
class Progress:
    """What a long exploration shows."""

    seconds: float
    runs: int
    queries: int
    lines: tuple[int, int]
    branches: tuple[int, int]
    waiting: int
    errors: int


class Engine:
    """One exploration."""

    def __init__(
        self,
        function: Callable[..., Any],
        seeds: Sequence[Any] | None = None,
        options: Options | None = None,
        *,
        progress: Callable[[Progress], None] | None = None,
        name: str = "",
        modules: Sequence[ModuleType] | None = None,
        stop: Callable[[Execution], bool] | None = None,
    ) -> None:
        """`modules` are lifted, and the coverage is that of their functions; by default the module of the function. `stop` ends the exploration when it holds of an execution."""
        self.function = function
        self.options = options or Options()
        self.name = name or getattr(function, "__qualname__", None) or repr(function)
        self.progress = progress
        self.stop = stop
        self.seeds = inputs.seeds_of(function, seeds)
        self.modules = list(modules) if modules is not None else module_of(function)
        self.scope = {module.__file__ for module in self.modules if getattr(module, "__file__", None)}
        self.measure = Measure()
        self.lifting = Lifting(hooks.HOOKS)
        self.frontier = Frontier(self.options.seed, self._uncovered)
        self.reached: set[int] = set()
        self.executions: list[Execution] = []
        self.findings: list[Finding] = []
        self.losses: Counter[tuple[str, int, str]] = Counter()
        self.pins: Counter[tuple[str, int, str]] = Counter()
        self.approximations: Counter[tuple[str, int, str]] = Counter()
        self.explained: Counter[str] = Counter()
        self.notes: list[str] = []
        self.timeline: list[tuple[float, int, int]] = []
        self.runs = 0
        self.incomplete = False
        self.foreign: set[str] = set()
        self.keyed = False
        """A dictionary or a set had symbolic keys."""
        self._asker = Asker(())
        self._seen_inputs: set[str] = set()
        self._outcomes: set[tuple[Any, ...]] = set()
        self._lines: dict[tuple[str, int], tuple[list[int], list[int]]] = {}
        self._caches: list[Any] = []
        self._loaded = 0
        self._start = 0.0
        self._shown = 0.0
        self._stopped = ""
        self._splices: Counter[Site] = Counter()

    # the whole exploration

    def explore(self) -> Result:
        """Runs the exploration."""
        options = self.options
        command = find_command(options.solver)
        pipes = [Pipe(command, memory=4 * options.run_memory, seed=options.seed) for _ in range(max(1, options.jobs))]
        self._asker = Asker(pipes)
        if options.keep_queries:
            self._asker.log = []
        state = random.getstate()
        self._start = time.monotonic()
        try:
            with self.lifting.installed(), ExitStack() as stack:
                self._lift()
                stack.enter_context(self.measure.collecting())
                self._first()
                self._loop()
        except KeyboardInterrupt:
            self._stopped = "interrupted"
        finally:
            self._asker.close()
            random.setstate(state)
        seconds = time.monotonic() - self._start
        if options.verify:
            self._verify()
        return self._result(seconds)

    def _first(self) -> None:
        for arguments in self.seeds:
            # the first seed runs even if preparations took all the time
            if self._over() and (self.runs or self._stopped != "time"):
                return
            self._seen_inputs.add(inputs.key(arguments))
            self._run(arguments)

    def _loop(self) -> None:
        while not self._over():
            batch = self.frontier.pick(len(self._asker.pipes))
            if not batch:
                if not len(self.frontier):
                    self._stopped = "complete"
                    return
                continue
            queries = [make_query(c.trace.events, c.index, c.excluded) for c in batch]
            tries = max(c.tries for c in batch)
            limit = min(self.options.query_time, self.options.first_query_time * 4**tries)
            answers = self._asker.answer(queries, limit, max(0.05, self._left()) + 0.5)
            for candidate, query, answer in zip(batch, queries, answers, strict=True):
                if answer.status == "unknown":
                    if limit < self.options.query_time and candidate.tries < 4:
                        self.frontier.again(candidate)
                    else:
                        self.incomplete = True
                elif answer.status == "sat" and not self._over():
                    arguments = inputs.solved(candidate.trace.execution.arguments, answer.model)
                    self._follow(candidate, query, arguments, answer.without_pins)
                elif answer.status == "unsat" and candidate.group is None and self.frontier.new(candidate):
                    self._splice(candidate)
            self._show()

    def _over(self) -> bool:
        if not self._stopped:
            if self._left() <= 0:
                self._stopped = "time"
            elif self.options.runs is not None and self.runs >= self.options.runs:
                self._stopped = "executions"
        return bool(self._stopped)

    def _left(self) -> float:
        return self._start + self.options.budget - time.monotonic()

    # one execution

    def _follow(self, candidate: Candidate, query: Query, arguments: dict[str, Any], without_pins: bool) -> None:
        """Executes a solution and compares the path with the prediction."""
        key = inputs.key(arguments)
        if key in self._seen_inputs:
            # the same input again has the same path: the prediction failed
            if not without_pins:
                self._diverged(
                    candidate,
                    query,
                    candidate.index,
                    arguments,
                    None,
                    "the solution is an input that took another path",
                )
            return
        self._seen_inputs.add(key)
        recorder = self._run(arguments, candidate)
        position = first_difference(candidate.trace.events, candidate.index, recorder.events, candidate.excluded)
        if position is None:
            return
        if without_pins:
            self.explained["a value that was made concrete has changed"] += 1
        else:
            self._diverged(candidate, query, position, arguments, recorder, "the path differs from the prediction")

    def _splice(self, candidate: Candidate) -> None:
        """Tries an input with the word that a branch asks for, if no input that follows the path takes it."""
        trace = candidate.trace
        event = trace.events[candidate.index]
        assert isinstance(event, Branch)
        goal = splice.wanted(event.flipped())
        found = goal and splice.place(goal[0], trace.events, trace.env)
        if goal is None or found is None or self._splices[candidate.site] >= _SPLICES or self._over():
            return
        self._splices[candidate.site] += 1
        variable, start, end = found
        ask = Query([goal[1]], frozenset(), [splice.WORD], True)
        answer = self._asker.answer([ask], self.options.first_query_time, max(0.05, self._left()) + 0.5)[0]
        if answer.status != "sat":
            return
        old = str(trace.env[variable])
        new = {variable: old[:start] + str(answer.model[splice.WORD]) + old[end:]}
        arguments = inputs.solved(trace.execution.arguments, new)
        key = inputs.key(arguments)
        if key not in self._seen_inputs and not self._over():
            self._seen_inputs.add(key)
            self._run(arguments)

    def _diverged(
        self,
        candidate: Candidate,
        query: Query,
        position: int,
        arguments: dict[str, Any],
        recorder: Recorder | None,
        message: str,
    ) -> None:
        self.incomplete = True
        trace = candidate.trace
        if _before(trace.inexact_from, position) or (recorder and _before(recorder.inexact_from, position)):
            self.explained["an operation is modelled approximately"] += 1
        elif _before(trace.lost_from, position) or (recorder and _before(recorder.lost_from, position)):
            self.explained["tracking was lost"] += 1
        elif recorder is not None and recorder.truncated:
            self.explained["the path is too long to be recorded"] += 1
        elif not self._repeats(trace):
            self.explained["the function does not repeat itself"] += 1
        elif _kept_values():
            self.explained["the program keeps values of earlier executions"] += 1
        elif (
            (site := _site(trace.events[position]))
            and site.file not in self.lifting.modules
            and (self.foreign or self.keyed)
        ):
            # code in C that it calls may read values unseen
            self.explained["the path differs in code that is not lifted"] += 1
        elif _before(trace.foreign_from, position) or (recorder and _before(recorder.foreign_from, position)):
            self.explained["the path differs after a call of code that is not lifted"] += 1
        else:
            where = f" at line {site.line} of {site.file}" if site else ""
            self._find(Finding("divergence", message + where, arguments, candidate.site, query.conjuncts))

    def _repeats(self, trace: Trace) -> bool:
        """Whether the parent takes the same path once more."""
        recorder, *_ = self._execute(trace.execution.arguments)
        again = recorder.events
        return len(again) == len(trace.events) and all(
            a.term is b.term and getattr(a, "taken", None) is getattr(b, "taken", None)
            for a, b in zip(again, trace.events, strict=True)
        )

    def _find(self, finding: Finding) -> None:
        if len(self.findings) < _FINDINGS:
            self.findings.append(finding)
        else:
            self.explained["further findings, not kept"] += 1

    def _run(self, arguments: dict[str, Any], candidate: Candidate | None = None) -> Recorder:
        """Executes the function and adds what it found."""
        started = time.monotonic()
        recorder, outcome, reached = self._execute(arguments)
        now = time.monotonic()
        self.runs += 1
        new = reached - self.reached
        self.reached |= reached
        signature = outcome.signature()
        execution = Execution(
            self.runs,
            arguments,
            outcome,
            frozenset(reached),
            frozenset(new),
            now - started,
            now - self._start,
            len(recorder.events),
            candidate.trace.execution.number if candidate else None,
            candidate.site if candidate else None,
        )
        if new or signature not in self._outcomes:
            self._outcomes.add(signature)
            self.executions.append(execution)
        if new:
            self.timeline.append((now - self._start, *self._reached_counts()))
        self.losses.update(recorder.losses)
        self.pins.update(recorder.pins)
        self.approximations.update(recorder.approximations)
        self.foreign |= recorder.foreign
        if recorder.keyed:
            self.keyed = True
        if recorder.truncated or self.foreign or self.keyed or outcome.kind == "limit":
            self.incomplete = True
        for mismatch in recorder.mismatches:
            text = f"a condition has another value than its term: {safe_repr(mismatch.term)} is not {mismatch.taken}"
            self._find(Finding("mismatch", text, arguments, mismatch.site, [mismatch.term]))
        trace = Trace(
            execution, recorder.events, recorder.inexact_from, recorder.lost_from, recorder.foreign_from, recorder.env
        )
        self.frontier.add(trace, inputs.shape(arguments))
        if len(sys.modules) != self._loaded:
            self._lift()
        if self.stop is not None and self.stop(execution):
            self._stopped = "found"
        self._show()
        return recorder

    def _execute(self, arguments: Mapping[str, Any]) -> tuple[Recorder, Outcome, set[int]]:
        options = self.options
        recorder = Recorder(audit=options.audit, max_branches=options.max_branches, lifted=self.lifting.modules)
        symbolic = inputs.symbolic(arguments, recorder)
        for cache in self._caches:
            cache.cache_clear()
        random.seed(options.seed)
        limit = max(0.05, min(options.run_time, self._left() + 1))
        if isolate.folder():
            isolate.note_input(safe_repr(arguments, 2000))
        with quiet():
            self.measure.start()
            try:
                outcome = call(self.function, symbolic, limit, options.run_memory, recorder, self.name)
            finally:
                reached = self.measure.stop()
            try:
                outcome.value = values.concrete(outcome.value)
            except Exception as error:
                outcome.value = f"<a result that cannot be copied: {type(error).__name__}>"
        outcome.where = _raised_at(outcome.exception, self.lifting)
        return recorder, outcome, reached

    # lifting and coverage

    def _lift(self) -> None:
        """Lifts and measures the modules under test, and those of packages that have been imported in the meantime."""
        first = not self._loaded
        self._loaded = len(sys.modules)
        before = set(self.lifting.modules)
        self.lifting.add([*self.modules, *modules_of(self.options.lift)])
        for filename, code in self.lifting.modules.items():
            if filename not in before:
                self.measure.add(code)
        if first:
            for filename, why in self.lifting.failed.items():
                self.notes.append(f"{filename} is not lifted: {why}")
            own = getattr(inspect.unwrap(self.function), "__code__", None)
            if own is not None and own.co_filename not in self.lifting.modules:
                self.notes.append(f"{self.name} has no source file: its operations are not lifted")
                self.measure.add(own)
                self.scope.add(own.co_filename)
        if first or set(self.lifting.modules) != before:
            files = set(self.lifting.modules)
            self._caches = [
                o
                for o in gc.get_objects()
                if type(o) is functools._lru_cache_wrapper
                and getattr(getattr(o.__wrapped__, "__code__", None), "co_filename", None) in files
            ]
            self._index()

    def _index(self) -> None:
        """The branches of each line and of its function."""
        self._lines.clear()
        places = self.measure.places
        by_line: dict[tuple[str, int], list[int]] = {}
        for number, place in enumerate(places):
            if isinstance(place, Direction):
                by_line.setdefault((place.file, place.line), []).append(number)
        for function in self.measure.functions:
            for number in function.lines:
                place = places[number]
                key = (place.file, place.line)
                self._lines[key] = (by_line.get(key, []), function.branches)

    def _uncovered(self, site: Site) -> int:
        found = self._lines.get((site.file, site.line))
        if found is None:
            return 1
        on_line, in_function = found
        if not self.reached.issuperset(on_line):
            return 0
        return 1 if not self.reached.issuperset(in_function) else 2

    def _reached_counts(self) -> tuple[int, int]:
        """The lines and branches in the files that count."""
        places = self.measure.places
        found = [places[n] for n in self.reached if places[n].file in self.scope]
        lines = sum(isinstance(place, Line) for place in found)
        return lines, len(found) - lines

    # reports

    def _show(self) -> None:
        now = time.monotonic()
        if self.progress is None or now - self._shown < 0.1:
            return
        self._shown = now
        lines, branches = self._reached_counts()
        counted = [place for place in self.measure.places if place.file in self.scope]
        all_lines = sum(isinstance(place, Line) for place in counted)
        self.progress(
            Progress(
                now - self._start,
                self.runs,
                self._asker.counts.asked(),
                (lines, all_lines),
                (branches, len(counted) - all_lines),
                len(self.frontier),
                sum(signature[0] == "raise" for signature in self._outcomes),
            )
        )

    def _verify(self) -> None:
        """Calls the function as it is on the inputs that were kept: it must end in the same way."""
        for execution in self.executions:
            outcome = execution.outcome
            if outcome.kind == "limit":
                continue
            plain = self._plainly(execution.arguments)
            if plain.kind == "limit" or _same(outcome, plain):
                continue
            if not _same(plain, self._plainly(execution.arguments)):
                self.explained["the function does not repeat itself"] += 1
                continue
            text = f"on plain values the function {plain.describe()}, on symbolic values it {outcome.describe()}"
            self._find(Finding("replay", text, execution.arguments))

    def _plainly(self, arguments: Mapping[str, Any]) -> Outcome:
        random.seed(self.options.seed)
        for cache in self._caches:
            cache.cache_clear()
        fresh = inputs.solved(arguments, {})
        with quiet():
            return call(self.function, fresh, self.options.run_time, self.options.run_memory, None, self.name)

    def _result(self, seconds: float) -> Result:
        asker = self._asker
        for logged in asker.wrong_models:
            self._find(
                Finding("wrong model", "the model of the solver does not satisfy the query", {}, None, logged.conjuncts)
            )
        for reason, count in asker.failures.most_common(3):
            self.notes.append(f"{count} {'query' if count == 1 else 'queries'} without an answer: {reason}")
        if self.foreign:
            names = sorted(self.foreign)
            more = f" and {len(names) - 5} more" if len(names) > 5 else ""
            self.notes.append(f"tracking may end in code that is not lifted: {', '.join(names[:5])}{more} (see --lift)")
        if self.keyed:
            self.notes.append(
                "keys of dictionaries or elements of sets depend on the input: look-ups by code that is not lifted are not seen"
            )
        fixed = inputs.not_varied(self.function, self.seeds)
        if fixed:
            self.incomplete = True
            self.notes.append(f"not varied: {', '.join(fixed)}; give seeds for other values")
        if inputs.has_containers(self.seeds):
            self.notes.append("the sizes of containers and the keys of dictionaries are those of the seeds")
        untouched = not (self.losses or self.pins or self.approximations or self.explained or self.findings)
        exhaustive = self._stopped == "complete" and untouched and not self.incomplete
        if self._stopped == "complete" and not exhaustive:
            self._stopped = "no branches"
        return Result(
            name=self.name,
            executions=self.executions,
            runs=self.runs,
            counts=replace(asker.counts),
            measure=self.measure,
            scope=frozenset(str(file) for file in self.scope),
            reached=frozenset(self.reached),
            seconds=seconds,
            stopped=self._stopped,
            exhaustive=exhaustive,
            findings=self.findings,
            losses=self.losses,
            pins=self.pins,
            approximations=self.approximations,
            explained=self.explained,
            notes=self.notes,
            log=asker.log or [],
            timeline=self.timeline,
        )


def call(
    function: Callable[..., Any],
    arguments: Mapping[str, Any],
    seconds: float,
    megabytes: int,
    recorder: Recorder | None,
    name: str = "",
) -> Outcome:
    """Calls a function under limits, with a recorder or without."""
    interrupts = Interrupts()
    try:
        with interrupts, intact(), time_limit(seconds, name), memory_limit(megabytes), isolate.guarded():
            if recorder is None:
                return Outcome("return", _consume(inputs.call(function, arguments)))
            with recorder.running():
                result = _consume(inputs.call(function, arguments))
                # the truth of the result is a branch like any other
                return Outcome("return", bool(result) if type(result) is values.SymBool else result)
    except RunStopped as error:
        return Outcome("limit", exception=error)
    except MemoryError as error:
        if error.args:
            return Outcome("raise", exception=error)
        return Outcome("limit", exception=RunStopped(f"needs more than {megabytes} MiB"))
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt) and interrupts.of_the_user():
            raise
        return Outcome("raise", exception=error)


BOTTOM[id(call.__code__)] = call.__code__


def _consume(result: Any) -> Any:
    """Runs what a call only prepares: coroutines and generators."""
    if inspect.iscoroutine(result):
        return asyncio.run(result)
    if inspect.isasyncgen(result):
        return asyncio.run(_elements(result))
    if inspect.isgenerator(result):
        found = list(itertools.islice(result, GENERATOR))
        recorder = current()
        if len(found) == GENERATOR and recorder is not None:
            recorder.truncated = True
        return found
    return result


async def _elements(generator: AsyncGenerator[Any, Any]) -> list[Any]:
    found: list[Any] = []
    async for element in generator:
        found.append(element)
        if len(found) == GENERATOR:
            recorder = current()
            if recorder is not None:
                recorder.truncated = True
            break
    return found


class _Nowhere(io.StringIO):
    def write(self, text: str) -> int:
        return len(text)


@contextmanager
def quiet() -> Iterator[None]:
    """The target neither prints nor reads."""
    before = sys.stdin, sys.stdout, sys.stderr
    hook, threading.excepthook = threading.excepthook, lambda _: None
    sys.stdin, sys.stdout, sys.stderr = io.StringIO(), _Nowhere(), _Nowhere()
    try:
        yield
    finally:
        sys.stdin, sys.stdout, sys.stderr = before
        threading.excepthook = hook


def module_of(function: Callable[..., Any]) -> list[ModuleType]:
    target = inspect.unwrap(function)
    module = sys.modules.get(getattr(target, "__module__", "") or "")
    found = [] if module is None else [module]
    code = getattr(target, "__code__", None)
    if isinstance(target, FunctionType) and code is not None and module is not None:
        if getattr(module, "__file__", None) != code.co_filename:
            return [m for m in list(sys.modules.values()) if getattr(m, "__file__", None) == code.co_filename] or found
    return found


def _raised_at(error: BaseException | None, lifting: Lifting) -> tuple[str, int] | None:
    """The innermost line of the code under test in a traceback."""
    if error is None:
        return None
    found: tuple[str, int] | None = None
    trace: TracebackType | None = error.__traceback__
    while trace is not None:
        filename = trace.tb_frame.f_code.co_filename
        if filename in lifting.modules:
            found = (filename, trace.tb_lineno)
        trace = trace.tb_next
    return found


def _kept_values() -> bool:
    """Whether symbolic values outlive their execution, in a cache for example. Such a value has the variables of this execution and another value."""
    gc.collect()
    return any(type(value) in values.SYMBOLIC for value in gc.get_objects())


def _site(event: object) -> Site | None:
    site = getattr(event, "site", None)
    return site if isinstance(site, Site) else None


def _before(start: int | None, position: int) -> bool:
    return start is not None and start <= position


def class_name(value: object) -> tuple[str, str]:
    """A class by its name: one that a function defines is another class in each call."""
    return type(value).__module__, type(value).__qualname__


def _same(a: Outcome, b: Outcome) -> bool:
    if a.kind != b.kind or class_name(a.exception) != class_name(b.exception):
        return False
    if a.exception is not None:
        return True
    left, right = safe_repr(a.value, 10_000), safe_repr(b.value, 10_000)
    return left == right or _ADDRESS in left or _ADDRESS in right
