"""Solvers: answers, models, cores, limits, and what happens when the process misbehaves."""

from __future__ import annotations

import asyncio
import os
import signal
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from stringent_smt import (
    AsyncSolver,
    Boolean,
    Integer,
    Model,
    Not,
    Or,
    Solver,
    SolverError,
    SolverNotFound,
    SolverUnknown,
    SortError,
    String,
    evaluate,
    sat,
    solve,
    unknown,
    unsat,
)
from stringent_smt.process import SolverProcess, default_command, find_command

x, y, n, b = String("x"), String("y"), Integer("n"), Boolean("b")
# Products of variables: no solver decides this in a second.
HARD = (
    n * n * n + Integer("m") * Integer("m") * Integer("m") == Integer("k") * Integer("k") * Integer("k"),
    n > 0,
    Integer("m") > 0,
)


def fake_solver(path: Path, body: str) -> list[str]:
    """A solver that reads commands and runs some Python for each line; `mark` answers the mark."""
    program = path / "fake"
    program.write_text(
        f"#!{sys.executable}\n"
        "import sys, os, time\n"
        "def mark(line): print(line[7:-3], flush=True)\n"
        "for line in sys.stdin:\n"
        "    if line.startswith('(echo') and 'check' not in globals(): mark(line); continue\n"
        f"{body}"
    )
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return [str(program)]


def test_models_are_python_values(solver_command: list[str] | None) -> None:
    with Solver(solver_command, timeout=20) as s:
        s.add(x.contains('é"\\'), n == x.length() - 9, b == (n < 0), x.length() == 4)
        assert s.check() == sat
        model = s.model()
        assert isinstance(model[x], str) and 'é"\\' in model[x] and len(model[x]) == 4
        assert model[n] == -5 and model[b] is True
        assert model["n"] == -5 and model[n + 1] == -4
        assert model[String("other")] == "" and String("other") not in model
        assert all(evaluate(term, model) is True for term in s.assertions)
        assert set(model) == {x, n, b} and len(model) == 3 and "x" in model


def test_levels_and_assumptions(solver_command: list[str] | None) -> None:
    with Solver(solver_command, timeout=20) as s:
        s.add(x.length() == 2)
        assert s.check(x.startswith("ab")) == sat
        assert s.model()[x] == "ab"
        assert s.check(x == "abc") == unsat
        assert s.check() == sat
        s.push()
        s.add(y + "c" == x)
        assert s.check(x[0] == "q") == sat
        assert s.model()[x] == "qc" and s.model()[y] == "q"
        s.push()
        s.add(y.length() == 2)
        assert s.check() == unsat
        s.pop(2)
        assert s.level == 0 and s.check() == sat
        assert y not in s.model()
        with s.scope():
            s.add(Integer("y") == 3)  # the name is free again
            s.push()
            assert s.check() == sat and s.model()["y"] == 3
        assert s.level == 0
        with pytest.raises(SolverError):
            s.pop()


def test_cores(solver_command: list[str] | None) -> None:
    for eager in (False, True):
        with Solver(solver_command, timeout=20, cores=eager) as s:
            s.add(n > 3, b)
            s.push()
            s.add(n < 2)
            assert s.check(x == "a") == unsat
            core = s.unsat_core()
            assert {n > 3, n < 2} <= set(core) <= {n > 3, n < 2, b, x == "a"}
            s.pop()
            assert s.check(n == 5, n == 6) == unsat
            assert set(s.unsat_core()) >= {n == 5, n == 6}
            assert s.check() == sat
            with pytest.raises(SolverError):
                s.unsat_core()


def test_every_name_and_character_survives(solver_command: list[str] | None) -> None:
    names = ["a b", "|", "let", "str.len", "é", "", "x\ny", "1", "\\", "core!0"]
    values = ["", "\u0000", '""', "\\u{41}", "\t\n", "\U0002ffff", "\ud800", "a|b"]
    with Solver(solver_command, timeout=20) as s:
        for i, name in enumerate(names):
            s.add(String(name) == values[i % len(values)])
        assert s.check() == sat
        assert s.model().as_dict() == {name: values[i % len(values)] for i, name in enumerate(names)}


def test_all_models() -> None:
    with Solver() as s:
        s.add(x.in_re("[ab]{2}"))
        assert sorted(m[x] for m in s.models(x)) == ["aa", "ab", "ba", "bb"]
        assert len(list(s.models(limit=3))) == 3
        assert s.level == 0 and len(s.assertions) == 1


def test_solve() -> None:
    model = solve(x + y == "ab", x.length() == 1)
    assert model == Model({x: "a", y: "b"}) and repr(model) == "Model(x='a', y='b')"
    assert solve(x != x) is None
    with pytest.raises(SolverUnknown):
        solve(*HARD, timeout=0.2)


def test_answers_have_no_truth_value() -> None:
    with Solver() as s, pytest.raises(TypeError):
        bool(s.check())
    assert str(sat) == "sat" and repr(unknown) == "unknown"


def test_time_limits(solver_command: list[str] | None) -> None:
    with Solver(solver_command) as s:
        s.add(*HARD)
        assert s.check(timeout=0.3) == unknown
        assert s.reason_unknown
        assert s.check(Integer("m") < 0, timeout=20) == unsat


def test_a_solver_that_hangs_is_killed(tmp_path: Path) -> None:
    s = Solver(fake_solver(tmp_path, "    if 'check' in line: time.sleep(1000)\n"), timeout=0.2)
    assert s.check() == unknown and s.reason_unknown == "timeout" and s.starts == 1
    assert s.check() == unknown and s.starts == 2
    s.close()


def test_a_solver_that_crashes_is_started_again(tmp_path: Path) -> None:
    log = tmp_path / "log"
    body = f"    open({str(log)!r}, 'a').write(line)\n    if 'check' in line: print('no luck', file=sys.stderr); os._exit(7)\n"
    s = Solver(fake_solver(tmp_path, body))
    s.add(x == "a")
    s.push()
    s.add(n == 1)
    assert s.check() == unknown
    assert s.reason_unknown == "the solver process ended with exit code 7: no luck"
    assert s.check(b) == unknown and s.starts == 2
    first, second = log.read_text().split("(check-sat)\n")[:2]
    for line in ("(push 1)", '(assert (= x "a"))', "(assert (= n 1))", "(declare-const n Int)"):
        assert first.count(line) == 1
        assert second.count(line) == 1 + (line == "(push 1)")
    with pytest.raises(SolverError):
        s.model()
    s.close()


def test_killed_from_outside() -> None:
    with Solver() as s:
        s.add(x == "a")
        assert s.check() == sat
        pid = s._process.pid
        assert pid is not None
        os.kill(pid, signal.SIGKILL)
        assert s.check(y == x) == unknown and "SIGKILL" in s.reason_unknown
        s.push()
        s.add(y == x + "b")
        assert s.check() == sat and s.model()[y] == "ab" and s.starts == 2


def test_refused_commands_are_errors(tmp_path: Path) -> None:
    """An assertion that the solver refuses must not be lost silently."""
    s = Solver(
        fake_solver(
            tmp_path,
            "    if 'assert' in line: print('(error \"no strings\")')\n    if 'check-sat' in line: print('sat')\n",
        )
    )
    assert s.check() == sat
    s.add(x == "a")
    with pytest.raises(SolverError, match="no strings"):
        s.check()
    s.close()


def test_nonsense_is_an_error(tmp_path: Path) -> None:
    s = Solver(fake_solver(tmp_path, "    if 'check-sat' in line: print('maybe')\n"))
    with pytest.raises(SolverError, match="maybe"):
        s.check()
    s.close()


def test_programs_that_are_missing() -> None:
    with pytest.raises(SolverNotFound):
        Solver(["/no/such/program"]).check()
    with pytest.raises(SolverNotFound):
        Solver("no-such-solver")
    with pytest.raises(SolverNotFound):
        Solver([])
    with pytest.raises(SolverError):
        Solver(["true"]).check()


def test_one_name_with_two_sorts() -> None:
    s = Solver()
    s.add(x == "a")
    s.add(Integer("x") == 1)
    with pytest.raises(SortError):
        s.check()


SLOW = (
    "    slow = '(< n 0)' not in line and globals().get('slow', True)\n"
    "    if 'check-sat' in line: time.sleep(1000 if slow else 0); print('unsat')\n"
)
"""A solver that hangs unless it was told that n is negative."""


def test_interrupt(tmp_path: Path) -> None:
    with Solver(fake_solver(tmp_path, SLOW)) as s:
        threading.Timer(0.3, s.interrupt).start()
        assert s.check(timeout=60) == unknown and s.reason_unknown == "the solver was interrupted"
        assert s.check(n < 0, timeout=60) == unsat and s.starts == 2


def test_memory_limit() -> None:
    limit = 300
    with Solver(memory=limit) as s:
        s.add(x == "a")
        assert s.check() == sat
        pid = s._process.pid
        limits = Path(f"/proc/{pid}/limits")
        if limits.exists():
            line = next(line for line in limits.read_text().splitlines() if line.startswith("Max address space"))
            assert line.split()[3] == str(limit << 20)


def test_long_scripts_do_not_block() -> None:
    with Solver() as s:
        for i in range(3000):
            s.add(Or(String(f"v{i}") == "a" * 100, n == i))
        assert s.check() == sat
        assert len(s.model()) == 3001


def test_reset_and_script() -> None:
    with Solver() as s:
        s.add(x == "a")
        s.push()
        s.add(Not(x == y))
        text = '(set-logic ALL)\n(declare-const x String)\n(assert (= x "a"))\n(push 1)\n(declare-const y String)\n'
        assert s.smt2() == text + "(assert (not (= x y)))\n(check-sat)\n"
        assert s.check() == sat
        s.reset()
        assert s.assertions == [] and s.level == 0 and s.check() == sat and len(s.model()) == 0


def test_a_fork_has_a_process_of_its_own() -> None:
    with Solver() as s:
        s.add(x == "a")
        assert s.check() == sat
        child = os.fork()
        if child == 0:
            code = 1
            try:
                code = 0 if s.check(y == x) == sat and s.model()[y] == "a" and s.starts == 2 else 2
            finally:
                os._exit(code)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert s.check(x == "b") == unsat and s.starts == 1


def test_nothing_is_left_running() -> None:
    s = Solver()
    assert s.check() == sat
    pid = s._process.pid
    assert pid is not None
    del s
    with pytest.raises(ProcessLookupError):
        for _ in range(100):
            os.kill(pid, 0)
            time.sleep(0.02)


def test_a_killed_interpreter_leaves_no_solver(tmp_path: Path) -> None:
    """The solver is busy, so that it does not see the end of its input."""
    marker = tmp_path / "pid"
    busy = f"echo $$ > {marker}; while true; do :; done"
    code = f"from stringent_smt import *; s = Solver(['/bin/sh', '-c', {busy!r}]); s.add(String('x') == 'a'); s.check()"
    with subprocess.Popen([sys.executable, "-c", code]) as interpreter:
        _wait_for(lambda: marker.exists() and marker.read_text().strip() != "")
        solver = int(marker.read_text())
        os.kill(solver, 0)
        interpreter.kill()
    _wait_for(lambda: not _has_members(solver))


def test_no_guard_is_left() -> None:
    with Solver() as solver:
        solver.add(String("x") == "a")
        assert solver.check() == sat
        pid = solver._process.pid
        assert pid is not None and _has_members(pid)
    _wait_for(lambda: not _has_members(pid))


def _wait_for(condition: Callable[[], bool]) -> None:
    for _ in range(1000):
        if condition():
            return
        time.sleep(0.02)
    raise AssertionError("the condition does not come true")


def _has_members(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def test_names_of_solvers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for version in ("4.8.12", "4.8.5"):
        program = tmp_path / f"z3-{version}" / "bin" / "z3"
        program.parent.mkdir(parents=True)
        program.write_text("")
        program.chmod(0o755)
    monkeypatch.setenv("STRINGENT_CACHE", str(tmp_path))
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("STRINGENT_Z3", raising=False)
    assert find_command("z3") == [str(tmp_path / "z3-4.8.12/bin/z3"), "-in"]
    assert find_command("z3-4.8.5") == [str(tmp_path / "z3-4.8.5/bin/z3"), "-in"]
    monkeypatch.setenv("STRINGENT_Z3", "/some/z3")
    assert find_command("z3") == ["/some/z3", "-in"]
    assert find_command(["cvc5", "-q"]) == ["cvc5", "-q"]
    assert find_command("./bin/cvc5") == ["./bin/cvc5", "--incremental"]


def test_requests() -> None:
    process = SolverProcess(default_command())
    assert process.request('(echo "@reply-1")(echo "hello")') == "@reply-1\nhello\n"
    assert process.request("(check-sat)", timeout=60) == "sat\n"
    process.close()
    process.close()
    assert not process.running


def test_async(tmp_path: Path) -> None:
    async def main() -> None:
        async with AsyncSolver(timeout=30) as first, AsyncSolver(timeout=30) as second:
            first.add(x == "a")
            second.add(x == "b")
            assert await asyncio.gather(
                first.check(),
                second.check(),
            ) == [sat, sat]
            assert (await first.model())[x] == "a" and (await second.model())[x] == "b"
            first.push()
            first.add(x == "b")
            assert await first.check() == unsat
            assert {x == "a", x == "b"} == set(await first.unsat_core())
            first.pop()
        async with AsyncSolver(fake_solver(tmp_path, SLOW)) as third:
            task = asyncio.create_task(third.check())
            await asyncio.sleep(0.3)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert await third.check(n < 0) == unsat

    asyncio.run(main())


INTERRUPTING = SLOW.replace("time.sleep", "slow and os.kill(os.getppid(), 2); time.sleep")
"""A slow solver that sends Ctrl-C to its user."""


def test_interrupted_by_a_signal(tmp_path: Path) -> None:
    """Ctrl-C during a check raises KeyboardInterrupt and leaves a usable solver."""
    code = (
        "from stringent_smt import *\n"
        "n = Integer('n')\n"
        f"s = Solver({fake_solver(tmp_path, INTERRUPTING)!r})\n"
        "try:\n    s.check()\nexcept KeyboardInterrupt:\n    print('interrupted', s.check(n < 0), s.starts)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
    assert done.stdout == "interrupted unsat 2\n", done.stderr
