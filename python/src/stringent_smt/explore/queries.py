"""Queries: the path up to a branch, with the branch negated.

Only the conjuncts that share variables with the negated branch, directly or through others, are asked (slicing); the other variables keep the values of the execution. Answers are kept by the set of conjuncts, so that a query is
asked once whatever execution it comes from, and solutions of earlier queries over the same variables are tried before the solver is.

The solver is one process that is driven by text. Each conjunct is a level of its stack: from one query to the next, the levels that both share stay, and one write and one read make a query.

Queries have limits of processor time, so that other work on the machine does not change what is found. The built-in solver counts ticks, which are the same in every run; a check that takes much longer than its ticks stand for, and every other
solver that reaches its limit, is killed.
"""

from __future__ import annotations

import re
import signal
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from ..errors import SolverDied, SolverError, SolverTimeout, UndeterminedError, UnrepresentableError
from ..evaluate import evaluate
from ..model import read_values
from ..process import SolverProcess, solver_kind
from ..terms import Term, free_vars, not_, symbol
from .path import Branch, Event, Pin, Value

TICKS = 250_000
"""Ticks of the built-in solver in a second: slow checks make 60,000 to 700,000."""
_PATIENCE = 2.0
"""The processor time of a check with a limit of ticks, relative to the time that they stand for."""
_START = 1.0
"""Seconds of processor time that such a check has at least: starting the program counts as well."""
_TIME, _GAVE_UP = "the time limit is reached", "the solver gave up"
_TOKEN = re.compile(r'"(?:[^"]|"")*"|\|[^|]*\||[^\s()"|]+')


@dataclass(slots=True)
class Answer:
    """`sat` with values of the variables that were asked for, `unsat`, or `unknown` with a reason."""

    status: str
    model: dict[Term, Value] = field(default_factory=dict)
    reason: str = ""
    without_pins: bool = False


@dataclass(slots=True)
class Query:
    """The conjuncts that matter to the negation of a branch, in the order of the path; some of them state pins."""

    conjuncts: list[Term]
    pins: frozenset[Term]
    variables: list[Term]
    whole: bool
    """No conjunct of the path was sliced away."""

    def without_pins(self) -> list[Term]:
        return [term for term in self.conjuncts if term not in self.pins]


def make_query(events: Sequence[Event], index: int, excluded: Sequence[Term] = ()) -> Query:
    """The query that negates the branch at `index`, or all `excluded` conditions of a choice."""
    branch = events[index]
    assert isinstance(branch, Branch)
    goals: list[Term] = [not_(term) for term in excluded] or [branch.flipped()]
    wanted = {v for goal in goals for v in free_vars(goal)}
    chosen: set[int] = set()
    rest = list(range(index))
    grown = True
    while grown and rest:
        grown = False
        left = []
        for i in reversed(rest):
            variables = free_vars(events[i].term)
            if wanted.isdisjoint(variables):
                left.append(i)
                continue
            chosen.add(i)
            if not variables <= wanted:
                wanted |= variables
                grown = True
        left.reverse()
        rest = left
    conjuncts = [events[i].holds() for i in sorted(chosen)]
    pins = frozenset(events[i].holds() for i in chosen if isinstance(events[i], Pin))
    conjuncts.extend(goals)
    return Query(conjuncts, pins, sorted(wanted, key=_name), not rest)


def script(conjuncts: Sequence[Term], comment: str = "", status: str = "") -> str:
    """A query as a file of its own."""
    lines = [f"; {line}" for line in comment.splitlines()]
    lines.append("(set-logic QF_SLIA)")
    if status in ("sat", "unsat"):
        lines.append(f"(set-info :status {status})")
    lines.extend(f"(declare-const {symbol(v.value)} {v.sort.value})" for v in variables_of(conjuncts))
    lines.extend(f"(assert {term.smt2()})" for term in conjuncts)
    lines.append("(check-sat)")
    return "\n".join(lines) + "\n"


def variables_of(terms: Iterable[Term]) -> list[Term]:
    found: set[Term] = set()
    for term in terms:
        found |= free_vars(term)
    return sorted(found, key=_name)


class Pipe:
    """A solver process and the levels on its stack."""

    def __init__(self, command: Sequence[str], *, memory: int | None = None, seed: int = 0) -> None:
        self.process = SolverProcess(command, memory=memory)
        self.kind = solver_kind(command[0])
        self.seed = seed
        self.levels: list[Term] = []
        self.declared: set[Term] = set()
        self.ticks = -1

    def ask(self, conjuncts: Sequence[Term], variables: Sequence[Term], cpu: float, wall: float) -> Answer:
        """Checks the conjunction, for `cpu` seconds of processor time and `wall` seconds by the clock."""
        if not self._names_agree(conjuncts):
            self.process.close()  # the inputs of another shape have a variable of this name with another sort
        limit = max(_START, cpu * _PATIENCE) if self.kind == "stringent" else cpu
        old = self.process.running
        try:
            try:
                reply = self.process.request(self._text(conjuncts, variables, cpu), wall, limit)
            except SolverDied as error:
                if not old or error.returncode != -signal.SIGKILL:
                    raise
                # killed from outside, perhaps by the target
                reply = self.process.request(self._text(conjuncts, variables, cpu), wall, limit)
        except UnrepresentableError as error:
            return Answer("unknown", reason=str(error))
        except SolverTimeout:
            return Answer("unknown", reason=_TIME)
        except SolverDied as error:
            return Answer("unknown", reason=str(error))
        return self._answer(reply.splitlines(), variables)

    def _names_agree(self, conjuncts: Sequence[Term]) -> bool:
        sorts = {v.value: v for v in self.declared}
        return all(sorts.get(v.value, v) is v for term in conjuncts for v in free_vars(term) - self.declared)

    def _text(self, conjuncts: Sequence[Term], variables: Sequence[Term], cpu: float) -> str:
        parts: list[str] = []
        assertions = [term.smt2() for term in conjuncts]
        if not self.process.running:
            parts.append("(set-option :print-success false)(set-option :produce-models true)")
            parts.append("(set-option :global-declarations true)")
            if self.seed and self.kind:
                parts.append(f"(set-option :{'seed' if self.kind.startswith('cvc') else 'random-seed'} {self.seed})")
            if self.kind.startswith("cvc"):
                parts.append("(set-option :strings-exp true)")
            parts.append("(set-logic ALL)")
            self.levels.clear()
            self.declared.clear()
            self.ticks = -1
        ticks = max(1, int(cpu * TICKS))
        if ticks != self.ticks and self.kind == "stringent":
            parts.append(f"(set-option :reproducible-resource-limit {ticks})")
            self.ticks = ticks
        for term in conjuncts:
            for v in sorted(free_vars(term) - self.declared, key=_name):
                self.declared.add(v)
                parts.append(f"(declare-const {symbol(v.value)} {v.sort.value})")
        shared = 0
        for old, new in zip(self.levels, conjuncts[:-1], strict=False):
            if old is not new:
                break
            shared += 1
        if len(self.levels) > shared:
            parts.append(f"(pop {len(self.levels) - shared})")
        parts.extend(f"(push 1)(assert {text})" for text in assertions[shared:-1])
        self.levels[shared:] = conjuncts[shared:-1]
        parts.append(f"(push 1)(assert {assertions[-1]})")
        parts.append("(check-sat)")
        if variables:
            parts.append(f"(get-value ({' '.join(symbol(v.value) for v in variables)}))")
        parts.append("(pop 1)")
        return "\n".join(parts)

    def _answer(self, lines: list[str], variables: Sequence[Term]) -> Answer:
        errors = []
        for i, line in enumerate(lines):
            status = line.strip()
            if status.startswith("(error"):
                errors.append(status)
            if status not in ("sat", "unsat", "unknown", "timeout"):
                continue
            if errors:
                break
            if status == "sat":
                if not variables:
                    return Answer("sat")
                try:
                    values = read_values("\n".join(lines[i + 1 :]), variables)
                except SolverError as error:
                    return Answer("unknown", reason=str(error))
                return Answer("sat", dict(zip(variables, values, strict=True)))
            # what follows is the error of get-value, which is asked for in advance
            return Answer("unsat") if status == "unsat" else Answer("unknown", reason=_GAVE_UP)
        if errors:
            # the levels of the process may not be those that we count
            self.process.close()
        return Answer("unknown", reason=errors[0] if errors else f"unexpected answer: {' '.join(lines)[:200]}")

    def close(self) -> None:
        self.process.close()


def _name(v: Term) -> str:
    return str(v.value)


@dataclass(slots=True)
class Counts:
    """What the queries of an exploration came to."""

    sat: int = 0
    unsat: int = 0
    unknown: int = 0
    cached: int = 0
    reused: int = 0
    seconds: float = 0.0

    def asked(self) -> int:
        return self.sat + self.unsat + self.unknown

    def add(self, status: str, seconds: float) -> None:
        self.seconds += seconds
        if status == "sat":
            self.sat += 1
        elif status == "unsat":
            self.unsat += 1
        else:
            self.unknown += 1


@dataclass(slots=True)
class Logged:
    """A query that was asked, with the answer of the solver."""

    conjuncts: list[Term]
    status: str
    model: dict[Term, Value]
    seconds: float
    reason: str = ""


class Asker:
    """Answers queries: from the cache, from earlier solutions, from the solvers.

    Several queries are asked at once if there are several processes. A query goes to the process of its place in the batch, and answers are recorded in the order of the batch, so that the result does not depend on which process is
    faster.
    """

    def __init__(self, pipes: Sequence[Pipe]) -> None:
        self.pipes = list(pipes)
        self.counts = Counts()
        self.log: list[Logged] | None = None
        self.wrong_models: list[Logged] = []
        self.failures: Counter[str] = Counter()
        """Why a solver gave no answer, other than limits and giving up."""
        self._answers: dict[frozenset[Term], Answer] = {}
        self._canonical: dict[str, tuple[Answer, list[Term]]] = {}
        self._solutions: dict[tuple[Term, ...], list[dict[Term, Value]]] = {}
        self._pool = ThreadPoolExecutor(len(self.pipes)) if len(self.pipes) > 1 else None

    def answer(self, queries: Sequence[Query], cpu: float, wall: float) -> list[Answer]:
        """The answers of a batch, at most one query for each process. Each is tried with its pins first; if that has no solution, without them. Limits are those of one query, in seconds of processor time and by the clock."""
        works = [_Work(query, self) for query in queries]
        asked = [(work, pipe) for work, pipe in zip(works, self.pipes, strict=False) if work.answer is None]
        if self._pool is not None and len(asked) > 1:
            list(self._pool.map(lambda pair: pair[0].solve(pair[1], cpu, wall), asked))
        else:
            for work, pipe in asked:
                work.solve(pipe, cpu, wall)
        return [self._record(work) for work in works]

    def known(self, conjuncts: list[Term], query: Query) -> Answer | None:
        """The answer of a query that is the same up to the names of variables, or an earlier solution."""
        found = self._answers.get(frozenset(conjuncts))
        if found is None and any("!" in v.value for v in query.variables):
            other = self._canonical.get(canonical(conjuncts))
            if other is not None:
                found = _renamed(*other, _in_order(conjuncts))
        if found is not None and found.status != "unknown":
            self.counts.cached += 1
            return found
        reused = self._reuse(conjuncts, query)
        if reused is not None:
            self.counts.reused += 1
        return reused

    def _reuse(self, conjuncts: list[Term], query: Query) -> Answer | None:
        """An earlier solution over the same variables. If the query is the whole path, there is none: that path would have been executed."""
        if query.whole:
            return None
        for model in reversed(self._solutions.get(tuple(query.variables), ())):
            if satisfies(model, conjuncts):
                return Answer("sat", model)
        return None

    def _record(self, work: _Work) -> Answer:
        for conjuncts, answer, seconds in work.asked:
            self.counts.add(answer.status, seconds)
            if answer.status == "unknown" and answer.reason not in (_TIME, _GAVE_UP):
                self.failures[answer.reason] += 1
            self._answers[frozenset(conjuncts)] = answer
            if answer.status != "unknown" and any("!" in v.value for v in work.query.variables):
                self._canonical[canonical(conjuncts)] = (answer, _in_order(conjuncts))
            logged = Logged(conjuncts, answer.status, answer.model, seconds, answer.reason)
            if answer.status == "sat":
                kept = self._solutions.setdefault(tuple(work.query.variables), [])
                kept.append(answer.model)
                del kept[:-16]
                if satisfies(answer.model, conjuncts) is False:
                    self.wrong_models.append(logged)
            if self.log is not None:
                self.log.append(logged)
        assert work.answer is not None
        return work.answer

    def close(self) -> None:
        for pipe in self.pipes:
            pipe.close()
        if self._pool is not None:
            self._pool.shutdown()


class _Work:
    """A query on its way: with its pins, then without."""

    def __init__(self, query: Query, asker: Asker) -> None:
        self.query = query
        self.answer: Answer | None = None
        self.asked: list[tuple[list[Term], Answer, float]] = []
        self.todo: list[tuple[list[Term], bool]] = []
        if query.pins:
            self._look(asker, query.conjuncts, False)
            self._look(asker, query.without_pins(), True)
        else:
            self._look(asker, query.conjuncts, False)

    def _look(self, asker: Asker, conjuncts: list[Term], without: bool) -> None:
        if self.answer is not None and self.answer.status == "sat":
            return
        known = asker.known(conjuncts, self.query)
        if known is None:
            self.todo.append((conjuncts, without))
            self.answer = None
        elif not self.todo:
            self.answer = Answer(known.status, known.model, known.reason, without)

    def solve(self, pipe: Pipe, cpu: float, wall: float) -> None:
        for conjuncts, without in self.todo:
            start = time.perf_counter()
            answer = pipe.ask(conjuncts, self.query.variables, cpu, wall)
            self.asked.append((conjuncts, answer, time.perf_counter() - start))
            self.answer = Answer(answer.status, answer.model, answer.reason, without)
            if answer.status == "sat":
                return


def satisfies(model: Mapping[Term, Value], conjuncts: Sequence[Term]) -> bool | None:
    """Whether a model is a solution; none if it says too little."""
    try:
        return all(evaluate(term, model) is True for term in reversed(conjuncts))
    except UndeterminedError:
        return None


def _in_order(conjuncts: Sequence[Term]) -> list[Term]:
    """The variables in the order of their first occurrence."""
    found: dict[Term, None] = {}
    for term in conjuncts:
        fresh = [v for v in free_vars(term) if v not in found]
        if len(fresh) > 1:
            text = term.smt2()
            fresh.sort(key=lambda v: (text.find(symbol(v.value)), v.value))
        found.update(dict.fromkeys(fresh))
    return list(found)


def canonical(conjuncts: Sequence[Term]) -> str:
    """A text that two queries share only if they are the same up to the names of variables."""
    names = {symbol(v.value): f"v{i}" for i, v in enumerate(_in_order(conjuncts))}
    text = "\n".join(term.smt2() for term in conjuncts)
    return _TOKEN.sub(lambda m: names.get(m[0], m[0]), text)


def _renamed(answer: Answer, old: list[Term], new: list[Term]) -> Answer | None:
    if [v.sort for v in old] != [v.sort for v in new]:
        return None
    renamed = {b: answer.model[a] for a, b in zip(old, new, strict=True) if a in answer.model}
    return Answer(answer.status, renamed, answer.reason)
