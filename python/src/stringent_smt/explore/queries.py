"""Queries: the path up to a branch, with the branch negated.

Only the conjuncts that share variables with the negated branch, directly or through others, are asked (slicing); the other variables keep the values of the execution. Answers are kept by the set of conjuncts, so that a query is
asked once whatever execution it comes from, and solutions of earlier queries over the same variables are tried before the solver is.

The solver is one process that is driven by text. Each conjunct is a level of its stack: from one query to the next, the levels that both share stay, and one write and one read make a query.
"""

from __future__ import annotations

import os
import re
import select
import subprocess
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ..errors import SolverError, SolverNotFound, UndeterminedError, UnrepresentableError
from ..evaluate import evaluate
from ..terms import Sort, Term, free_vars, symbol
from .path import Assume, Branch, Event, Pin, Value

_SORTS = {Sort.BOOL: "Bool", Sort.INT: "Int", Sort.STRING: "String"}
_TOKEN = re.compile(r'"(?:[^"]|"")*"|\|[^|]*\||[()]|[^\s()"|]+')
_ESCAPE = re.compile(r"\\u\{([0-9a-fA-F]{1,5})\}|\\u([0-9a-fA-F]{4})")


@dataclass(slots=True)
class Answer:
    """`sat` with values of the variables that were asked for, `unsat`, or `unknown` with a reason."""

    status: str
    model: dict[Term, Value] = field(default_factory=dict)
    reason: str = ""
    without_pins: bool = False


@dataclass(slots=True)
class Query:
    """The conjuncts that matter to the negation of the branch at `index` of a path, and what pins say about them."""

    conjuncts: list[Term]
    pins: list[Term]
    variables: list[Term]
    whole: bool
    """No conjunct of the path was sliced away."""


def make_query(events: Sequence[Event], index: int, inputs: Iterable[Term]) -> Query:
    """The query that negates the branch at `index`."""
    branch = events[index]
    assert isinstance(branch, Branch)
    goal = branch.flipped()
    wanted = set(free_vars(goal))
    chosen: set[int] = set()
    rest = list(range(index))
    grown = True
    while grown:
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
    conjuncts: list[Term] = []
    pins: list[Term] = []
    for i in sorted(chosen):
        event = events[i]
        (pins if isinstance(event, Pin) else conjuncts).append(event.holds())
    conjuncts.append(goal)
    return Query(conjuncts, pins, [v for v in inputs if v in wanted], not rest)


def script(conjuncts: Sequence[Term], comment: str = "", status: str = "") -> str:
    """A query as a file of its own."""
    lines = [f"; {line}" for line in comment.splitlines()]
    lines.append("(set-logic QF_SLIA)")
    if status in ("sat", "unsat"):
        lines.append(f"(set-info :status {status})")
    lines.extend(f"(declare-const {symbol(v.value)} {_SORTS[v.sort]})" for v in variables_of(conjuncts))
    lines.extend(f"(assert {term.smt2()})" for term in conjuncts)
    lines.append("(check-sat)")
    return "\n".join(lines) + "\n"


def variables_of(terms: Iterable[Term]) -> list[Term]:
    found: set[Term] = set()
    for term in terms:
        found |= free_vars(term)
    return sorted(found, key=lambda v: str(v.value))


class Pipe:
    """A solver process and the levels on its stack."""

    def __init__(self, command: Sequence[str], *, stack: bool = True) -> None:
        self.command = list(command)
        self.keep_levels = stack
        self.levels: list[Term] = []
        self.declared: set[Term] = set()
        self.process: subprocess.Popen[bytes] | None = None
        self.timeout = -1
        self.marks = 0
        self.buffer = b""

    def ask(self, conjuncts: Sequence[Term], variables: Sequence[Term], timeout: float) -> Answer:
        """Checks the conjunction. `timeout` is in seconds."""
        try:
            text = self._text(conjuncts, variables, timeout)
        except UnrepresentableError as error:
            return Answer("unknown", reason=str(error))
        try:
            lines = self._exchange(text, timeout)
        except SolverError as error:
            self.close()
            return Answer("unknown", reason=str(error))
        return self._answer(lines, variables)

    def _text(self, conjuncts: Sequence[Term], variables: Sequence[Term], timeout: float) -> str:
        parts: list[str] = []
        assertions = [term.smt2() for term in conjuncts]
        if self.process is None:
            parts.append(
                "(set-option :print-success false)(set-option :produce-models true)(set-option :global-declarations true)(set-logic ALL)"
            )
            self.levels.clear()
            self.declared.clear()
            self.timeout = -1
        milliseconds = max(1, int(timeout * 1000))
        if milliseconds != self.timeout and self._takes_timeout():
            parts.append(f"(set-option :{self._takes_timeout()} {milliseconds})")
            self.timeout = milliseconds
        for term in conjuncts:
            for v in free_vars(term):
                if v not in self.declared:
                    self.declared.add(v)
                    parts.append(f"(declare-const {symbol(v.value)} {_SORTS[v.sort]})")
        shared = 0
        if self.keep_levels:
            for old, new in zip(self.levels, conjuncts[:-1], strict=False):
                if old is not new:
                    break
                shared += 1
        if len(self.levels) > shared:
            parts.append(f"(pop {len(self.levels) - shared})")
        if self.keep_levels:
            parts.extend(f"(push 1)(assert {text})" for text in assertions[shared:-1])
            self.levels[shared:] = conjuncts[shared:-1]
            parts.append(f"(push 1)(assert {assertions[-1]})")
        else:
            parts.append("(push 1)")
            parts.extend(f"(assert {text})" for text in assertions)
        parts.append("(check-sat)")
        if variables:
            parts.append(f"(get-value ({' '.join(symbol(v.value) for v in variables)}))")
        self.marks += 1
        parts.append(f'(pop 1)(echo "mark {self.marks}")\n')
        return "\n".join(parts)

    def _takes_timeout(self) -> str:
        name = os.path.basename(self.command[0])
        return "tlimit-per" if name.startswith("cvc5") else "timeout"

    def _exchange(self, text: str, timeout: float) -> list[str]:
        if self.process is None:
            try:
                self.process = subprocess.Popen(
                    self.command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    bufsize=0,
                    start_new_session=True,
                )
            except OSError as error:
                raise SolverNotFound(f"cannot start {self.command[0]}: {error.strerror}") from None
            self.buffer = b""
        mark = f"mark {self.marks}".encode()
        deadline = time.monotonic() + 2 * timeout + 2
        assert self.process.stdin is not None and self.process.stdout is not None
        data = memoryview(text.encode())
        source, sink = self.process.stdout.fileno(), self.process.stdin.fileno()
        while True:
            end = self.buffer.find(mark)
            if end >= 0 and not data:
                newline = self.buffer.find(b"\n", end)
                if newline >= 0:
                    reply, self.buffer = self.buffer[:end], self.buffer[newline + 1 :]
                    return reply.decode("utf-8", "replace").rstrip('"\n').splitlines()
            left = deadline - time.monotonic()
            if left <= 0:
                raise SolverError("the solver does not answer")
            readable, writable, _ = select.select([source], [sink] if data else [], [], left)
            try:
                if writable:
                    data = data[os.write(sink, data[:65536]) :]
                if readable:
                    chunk = os.read(source, 1 << 16)
                    if not chunk:
                        raise SolverError("the solver process ended")
                    self.buffer += chunk
            except OSError:
                raise SolverError("the solver process ended") from None

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
                try:
                    return Answer("sat", parse_values(" ".join(lines[i + 1 :]), variables) if variables else {})
                except SolverError as error:
                    return Answer("unknown", reason=str(error))
            # what follows is the error of get-value, which is asked for in advance
            return Answer("unsat") if status == "unsat" else Answer("unknown", reason="the solver gave up")
        return Answer("unknown", reason=errors[0] if errors else f"unexpected answer: {' '.join(lines)[:200]}")

    def close(self) -> None:
        process, self.process = self.process, None
        if process is not None:
            process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout):
                if stream is not None:
                    stream.close()


def parse_values(text: str, variables: Sequence[Term]) -> dict[Term, Value]:
    """The answer to `get-value`: pairs in the order of the request."""
    tokens = _TOKEN.findall(text)
    values: list[Value] = []
    position = 1
    try:
        while position < len(tokens) and tokens[position] == "(":
            position += 2
            token = tokens[position]
            if token == "(":
                values.append(-int(tokens[position + 2]))
                position += 4
            else:
                values.append(_literal(token))
                position += 1
            position += 1
    except (IndexError, ValueError):
        values.clear()
    if len(values) != len(variables):
        raise SolverError(f"cannot read the model: {text[:200]}")
    return dict(zip(variables, values, strict=True))


def _literal(token: str) -> Value:
    if token.startswith('"'):
        return _ESCAPE.sub(lambda m: chr(int(m[1] or m[2], 16)), token[1:-1].replace('""', '"'))
    if token in ("true", "false"):
        return token == "true"
    return int(token)


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


class Asker:
    """Answers queries: from the cache, from earlier solutions, from the solver."""

    def __init__(self, pipe: Pipe) -> None:
        self.pipe = pipe
        self.counts = Counts()
        self.log: list[tuple[list[Term], str]] | None = None
        self._answers: dict[frozenset[Term], Answer] = {}
        self._solutions: dict[tuple[Term, ...], list[dict[Term, Value]]] = {}

    def answer(self, query: Query, timeout: float) -> Answer:
        """Tries with pins first; if that has no solution, without them."""
        if query.pins:
            answer = self._one(query.pins + query.conjuncts, query, timeout)
            if answer.status == "sat":
                return answer
            answer = self._one(query.conjuncts, query, timeout)
            return Answer(answer.status, answer.model, answer.reason, True)
        return self._one(query.conjuncts, query, timeout)

    def _one(self, conjuncts: list[Term], query: Query, timeout: float) -> Answer:
        key = frozenset(conjuncts)
        known = self._answers.get(key)
        if known is not None and known.status != "unknown":
            self.counts.cached += 1
            return known
        answer = self._reuse(conjuncts, query)
        if answer is None:
            answer = self._solve(conjuncts, query, timeout)
        else:
            self.counts.reused += 1
        self._answers[key] = answer
        if answer.status == "sat" and answer.model:
            kept = self._solutions.setdefault(tuple(query.variables), [])
            kept.append(answer.model)
            del kept[:-16]
        return answer

    def _reuse(self, conjuncts: list[Term], query: Query) -> Answer | None:
        """An earlier solution over the same variables. If the query is the whole path, there is none: that path would have been executed."""
        if query.whole:
            return None
        for model in reversed(self._solutions.get(tuple(query.variables), ())):
            try:
                if all(evaluate(term, model) is True for term in reversed(conjuncts)):
                    return Answer("sat", model)
            except UndeterminedError:
                return None
        return None

    def _solve(self, conjuncts: list[Term], query: Query, timeout: float) -> Answer:
        start = time.perf_counter()
        answer = self.pipe.ask(conjuncts, query.variables, timeout)
        self.counts.seconds += time.perf_counter() - start
        match answer.status:
            case "sat":
                self.counts.sat += 1
            case "unsat":
                self.counts.unsat += 1
            case _:
                self.counts.unknown += 1
        if self.log is not None:
            self.log.append((list(conjuncts), answer.status))
        return answer


__all__ = [
    "Answer",
    "Asker",
    "Assume",
    "Counts",
    "Pipe",
    "Query",
    "make_query",
    "parse_values",
    "script",
    "variables_of",
]
