"""Solvers: assertions on a stack, checks, models and cores.

Commands are collected and sent with the next check, so that a check is one write and one read. The solver process is
started by the first check. If it ends, crashes or does not answer in time, the next check starts a new one and sends
it the assertions that are in force.

    >>> x = String("x")
    >>> with Solver() as s:
    ...     s.add(x.in_re(r"[a-z]+@[a-z]+"), x.length() == 3)
    ...     s.check()
    ...     s.model()[x]
"""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from enum import Enum
from types import TracebackType
from typing import Any, TypeVar

from .errors import SolverDied, SolverError, SolverTimeout, SolverUnknown, SortError
from .model import Model, parse, read_values
from .process import SolverProcess, find_command, solver_kind
from .terms import Bool, BoolLike, Or, Term, const, eq, free_vars, not_, symbol, to_bool

_NO_LIMIT = {"stringent": 0, "z3": 4294967295, "cvc5": 0, "cvc4": 0}
_TIME_OPTION = {"stringent": "timeout", "z3": "timeout", "cvc5": "tlimit-per", "cvc4": "tlimit-per"}
_SEED_OPTION = {"stringent": "random-seed", "z3": "smt.random_seed", "cvc5": "seed", "cvc4": "random-seed"}

T = TypeVar("T")


class Status(Enum):
    """The answer of a check. It has no truth value: compare it with `sat`, `unsat` and `unknown`."""

    SAT = "sat"
    UNSAT = "unsat"
    UNKNOWN = "unknown"

    def __str__(self) -> str:
        return self.value

    def __repr__(self) -> str:
        return self.value

    def __bool__(self) -> bool:
        raise TypeError("compare the answer with sat, unsat or unknown")

    __hash__ = object.__hash__


sat, unsat, unknown = Status.SAT, Status.UNSAT, Status.UNKNOWN

_ANSWERS = {"sat": sat, "unsat": unsat, "unknown": unknown, "timeout": unknown}


class Solver:
    """A session with a solver. Not for several threads at once, except `interrupt`."""

    def __init__(
        self,
        command: str | Sequence[str] | None = None,
        *,
        timeout: float | None = None,
        memory: int | None = None,
        seed: int | None = None,
        cores: bool = False,
        logic: str = "ALL",
        options: dict[str, object] | None = None,
    ) -> None:
        """`command` is None for the built-in solver, a name (`"z3"`, `"cvc5"`), or a command as a list.

        `timeout` is the time of each check in seconds, `memory` the limit of the process in MiB. With `cores`,
        `unsat_core` needs no second check. `options` are options of SMT-LIB, set when the process starts.
        """
        self._process = SolverProcess(find_command(command), memory=memory)
        self._kind = solver_kind(self._process.command[0])
        self.timeout = timeout
        self._seed = seed
        self._cores = cores
        self._logic = logic
        self._options = dict(options or {})
        self._levels: list[list[Bool]] = [[]]
        self._clear()

    # State of the process.

    def _clear(self) -> None:
        """The state without a process: nothing is sent yet."""
        self._pending: list[str] = []
        self._declared: dict[str, Term] = {}
        self._declared_at: list[list[str]] = [[]]
        self._sent_timeout: float | None = None
        self._names: list[Bool] = []
        self._extra = False
        self._status: Status | None = None
        self._reason = ""
        self._checked: tuple[Bool, ...] = ()
        self._started = False

    def _start(self) -> None:
        """Starts the process and collects the commands that bring it to the current state."""
        self._process.start()
        levels = self._levels
        self._clear()
        self._started = True
        lines = ["(set-option :print-success false)", "(set-option :produce-models true)"]
        if self._cores:
            lines.append("(set-option :produce-unsat-cores true)")
        if self._seed is not None and self._kind:
            lines.append(f"(set-option :{_SEED_OPTION[self._kind]} {self._seed})")
        lines += [f"(set-option :{name} {_option(given)})" for name, given in self._options.items()]
        lines.append(f"(set-logic {self._logic})")
        reply = self._process.request("\n".join(lines), 60)
        if "(error" in reply:
            self._process.close()
            raise SolverError(f"the solver refuses its options: {reply.strip()[:300]}")
        for i, level in enumerate(levels):
            if i:
                self._open()
            for term in level:
                self._assert(term)

    def _open(self) -> None:
        self._pending.append("(push 1)")
        self._declared_at.append([])

    def _shut(self, count: int) -> None:
        self._pending.append(f"(pop {count})")
        for _ in range(count):
            for name in self._declared_at.pop():
                del self._declared[name]

    def _assert(self, term: Bool) -> None:
        variables = free_vars(term)
        for v in sorted(variables, key=_name) if len(variables) > 1 else variables:
            name = v.value
            known = self._declared.get(name)
            if known is None:
                self._declared[name] = v
                self._declared_at[-1].append(name)
                self._pending.append(f"(declare-const {symbol(name)} {v.sort.value})")
            elif known is not v:
                raise SortError(f"{name} is used with the sorts {known.sort.value} and {v.sort.value}")
        if self._cores:
            self._pending.append(f"(assert (! {term.smt2()} :named core!{len(self._names)}))")
            self._names.append(term)
        else:
            self._pending.append(f"(assert {term.smt2()})")

    def _drop_extra(self) -> None:
        """Removes the level of the assumptions of the last check."""
        if self._extra:
            self._extra = False
            if self._started:
                self._shut(1)

    def _changed(self) -> bool:
        """Before a change of the assertions: the last answer is void. True if there is a process to tell."""
        self._status = None
        self._drop_extra()
        if self._started and not self._process.running:
            self._clear()
        return self._started

    # Assertions.

    def add(self, *terms: BoolLike) -> None:
        """Asserts terms at the current level."""
        bools = [to_bool(term) for term in terms]
        tell = self._changed()
        for term in bools:
            if tell:
                self._assert(term)
            self._levels[-1].append(term)

    def push(self) -> None:
        """Opens a level."""
        if self._changed():
            self._open()
        self._levels.append([])

    def pop(self, count: int = 1) -> None:
        """Removes levels with their assertions."""
        if not 0 <= count < len(self._levels):
            raise SolverError(f"cannot pop {count} of {len(self._levels) - 1} levels")
        if count:
            if self._changed():
                self._shut(count)
            del self._levels[-count:]

    @contextmanager
    def scope(self) -> Iterator[Solver]:
        """A level for the duration of a `with` statement."""
        depth = len(self._levels)
        self.push()
        try:
            yield self
        finally:
            self.pop(len(self._levels) - depth)

    def reset(self) -> None:
        """Removes all assertions and levels."""
        self._levels = [[]]
        if self._started:
            self._process.close()
        self._clear()

    @property
    def assertions(self) -> list[Bool]:
        """All assertions in force."""
        return [term for level in self._levels for term in level]

    @property
    def level(self) -> int:
        """The number of open levels."""
        return len(self._levels) - 1

    # Checks.

    def check(self, *assumptions: BoolLike, timeout: float | None = None) -> Status:
        """Checks the assertions together with the assumptions, which hold for this check only.

        `unknown` is also the answer if the time is over or the process has died; `reason_unknown` says so. The next
        check starts a new process. Raises `SolverError` if the solver refuses an assertion.
        """
        terms = tuple(to_bool(term) for term in assumptions)
        if self._extra or (self._started and not self._process.running):
            self._changed()
        if not self._started:
            try:
                self._start()
            except SolverDied as error:
                self._lost(str(error))
                if self._process.interrupted:
                    return unknown
                raise
        limit = self.timeout if timeout is None else timeout
        if terms:
            self._open()
            self._extra = True
            for term in terms:
                self._assert(term)
        if limit != self._sent_timeout and self._kind:
            amount = _NO_LIMIT[self._kind] if limit is None else max(1, round(limit * 1000))
            self._pending.append(f"(set-option :{_TIME_OPTION[self._kind]} {amount})")
            self._sent_timeout = limit
        self._pending.append("(check-sat)")
        self._checked = terms
        self._status = unknown
        self._reason = ""
        text = "\n".join(self._pending)
        self._pending.clear()
        try:
            # The solver observes the limit by itself, if it can; the process is killed if it does not.
            hard = None if limit is None else limit if not self._kind else 1.25 * limit + 1
            reply = self._process.request(text, hard).strip()
        except SolverTimeout:
            self._lost("timeout")
            return unknown
        except SolverDied as error:
            self._lost(str(error))
            return unknown
        except BaseException:
            self._lost("interrupted")
            raise
        status = _ANSWERS.get(reply)
        if status is None:
            status = self._read(reply)
        self._status = status
        return status

    def _lost(self, reason: str) -> None:
        """After the end of the process."""
        self._clear()
        self._status = unknown
        self._reason = reason

    def _read(self, reply: str) -> Status:
        """An answer with other output."""
        lines = [line.strip() for line in reply.split("\n")]
        errors = [line for line in lines if line.startswith("(error")]
        if errors:
            self._process.close()
            self._clear()
            raise SolverError(f"the solver refuses a command: {errors[0][:500]}")
        answers = [_ANSWERS[line] for line in lines if line in _ANSWERS]
        if len(answers) != 1:
            raise SolverError(f"unexpected answer: {reply[:300]}")
        return answers[0]

    def _ask(self, text: str) -> str:
        """A question about the last check."""
        try:
            limit = None if self.timeout is None else 1.25 * self.timeout + 1
            return self._process.request(text, limit).strip()
        except SolverError:
            self._lost("the process ended")
            raise

    def model(self) -> Model:
        """The values of all variables of the assertions, after `sat`."""
        if self._status is not sat:
            raise SolverError("there is no model; the last answer is not sat")
        variables = [v for v in self._declared.values() if v.op == "var"]
        if not variables:
            return Model({})
        text = self._ask(f"(get-value ({' '.join(symbol(v.value) for v in variables)}))")
        return Model(dict(zip(variables, read_values(text, variables))))

    def unsat_core(self) -> list[Bool]:
        """Assertions and assumptions that are unsatisfiable together, after `unsat`.

        Without `cores=True`, the first call starts the solver again and repeats the check.
        """
        if self._status is not unsat:
            raise SolverError("there is no core; the last answer is not unsat")
        if not self._cores:
            checked = self._checked
            self._process.close()
            self._cores = True
            self._clear()
            if self.check(*checked) is not unsat:
                raise SolverError(f"the solver repeats unsat as {self._status}: {self._reason}")
        text = self._ask("(get-unsat-core)")
        expressions = parse(text)
        names = expressions[0] if len(expressions) == 1 else "error"
        if not isinstance(names, list) or names[:1] == ["error"]:
            raise SolverError(f"cannot read the core: {text[:300]}")
        core: list[Bool] = []
        for name in names:
            number = str(name).strip("|").removeprefix("core!")
            if not number.isdigit() or int(number) >= len(self._names):
                raise SolverError(f"the core has an unknown name: {text[:300]}")
            core.append(self._names[int(number)])
        return core

    @property
    def reason_unknown(self) -> str:
        """Why the last answer was `unknown`."""
        if self._status is unknown and not self._reason and self._process.running:
            reply = self._ask("(get-info :reason-unknown)")
            prefix, _, rest = reply.strip("()").partition(":reason-unknown")
            self._reason = rest.strip().strip('"').strip("()") if not prefix else reply
        return self._reason

    def models(self, *variables: Term, limit: int | None = None) -> Iterator[Model]:
        """Models that differ in the values of these variables; all variables of the assertions if none are given.

        Ends when there are no more, or after `limit`. Raises `SolverUnknown` if the solver gives up.
        """
        found: set[Term] = set()
        for term in self.assertions:
            found |= free_vars(term)
        chosen = list(variables) or sorted(found, key=_name)
        count = 0
        with self.scope():
            while limit is None or count < limit:
                status = self.check()
                if status is unknown:
                    raise SolverUnknown(self.reason_unknown)
                if status is unsat:
                    return
                model = self.model()
                count += 1
                self.add(Or(*[not_(eq(v, const(model[v]))) for v in chosen]))
                yield model

    def smt2(self) -> str:
        """The assertions and a check as a script."""
        declared: set[Term] = set()
        lines = [f"(set-logic {self._logic})"]
        for i, level in enumerate(self._levels):
            if i:
                lines.append("(push 1)")
            for term in level:
                for v in sorted(free_vars(term) - declared, key=_name):
                    declared.add(v)
                    lines.append(f"(declare-const {symbol(v.value)} {v.sort.value})")
                lines.append(f"(assert {term.smt2()})")
        return "\n".join([*lines, "(check-sat)\n"])

    # The process.

    @property
    def starts(self) -> int:
        """How often a process was started; more than one after crashes."""
        return self._process.starts

    def interrupt(self) -> None:
        """Ends a check that runs in another thread; it answers `unknown`."""
        self._process.interrupt()

    def close(self) -> None:
        """Ends the process. The assertions stay; the next check starts a new one."""
        self._process.close()
        self._clear()

    def __enter__(self) -> Solver:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Solver {' '.join(self._process.command)}: {len(self.assertions)} assertions, {self.level} levels>"


def _name(variable: Term) -> str:
    return str(variable.value)


def _option(given: object) -> str:
    return str(given).lower() if isinstance(given, bool) else str(given)


def solve(*terms: BoolLike, solver: str | Sequence[str] | None = None, timeout: float | None = None) -> Model | None:
    """A model of the terms, or None if there is none. Raises `SolverUnknown` if the solver gives up."""
    with Solver(solver, timeout=timeout) as s:
        s.add(*terms)
        status = s.check()
        if status is unknown:
            raise SolverUnknown(s.reason_unknown)
        return s.model() if status is sat else None


class AsyncSolver:
    """A solver for `asyncio`: `check`, `model` and `unsat_core` are awaited. Cancelling a check ends the process."""

    def __init__(self, command: str | Sequence[str] | None = None, **options: Any) -> None:
        """The arguments are those of `Solver`."""
        self.solver = Solver(command, **options)
        self._thread = ThreadPoolExecutor(1, "stringent-solver")

    async def _run(self, function: Callable[..., T], *args: Any, **options: Any) -> T:
        future = asyncio.get_running_loop().run_in_executor(self._thread, functools.partial(function, *args, **options))
        try:
            return await asyncio.shield(future)
        except asyncio.CancelledError:
            self.solver.interrupt()
            await asyncio.wait([future])
            raise

    def add(self, *terms: BoolLike) -> None:
        """Asserts terms at the current level."""
        self.solver.add(*terms)

    def push(self) -> None:
        """Opens a level."""
        self.solver.push()

    def pop(self, count: int = 1) -> None:
        """Removes levels with their assertions."""
        self.solver.pop(count)

    async def check(self, *assumptions: BoolLike, timeout: float | None = None) -> Status:
        """As `Solver.check`."""
        return await self._run(self.solver.check, *assumptions, timeout=timeout)

    async def model(self) -> Model:
        """As `Solver.model`."""
        return await self._run(self.solver.model)

    async def unsat_core(self) -> list[Bool]:
        """As `Solver.unsat_core`."""
        return await self._run(self.solver.unsat_core)

    async def close(self) -> None:
        """Ends the process."""
        await self._run(self.solver.close)
        self._thread.shutdown(wait=False)

    async def __aenter__(self) -> AsyncSolver:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


__all__ = ["AsyncSolver", "Solver", "Status", "sat", "solve", "unknown", "unsat"]
