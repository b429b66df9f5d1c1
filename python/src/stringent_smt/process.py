"""One solver process that is driven by text over pipes.

A request is some commands followed by an `echo` of a mark; the reply is everything up to the mark. Requests are
written and replies read without blocking on either side, so that long texts cannot deadlock. A process that ends, that
does not answer in time or whose request is interrupted is killed: what it would print later belongs to nobody.

A solver must not outlive this interpreter, even one that was killed: beside it, in its process group, a shell waits for the
end of a pipe that only the interpreter holds open, and then kills it.
"""

from __future__ import annotations

import contextlib
import math
import os
import secrets
import select
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from .errors import SolverDied, SolverError, SolverNotFound, SolverTimeout

_CHUNK = 1 << 16
_ARGUMENTS = {
    "stringent": ("solve",),
    "z3": ("-in",),
    "cvc5": ("--incremental",),
    "cvc4": ("--incremental", "--lang=smt2.6"),
}
_GUARDED = """
(read -r _; kill -9 $$) <"/dev/fd/$0" >/dev/null 2>&1 &
if [ "$1" -gt 0 ]; then ulimit -v "$1" || exit 1; fi
shift
exec "$@"
"""
"""A shell script: kills the command when the pipe `$0` ends, and limits its address space to `$1` KiB."""


def default_command() -> list[str]:
    """The command of the built-in solver.

    The program is `$STRINGENT_BINARY`, else the one that was installed with this package, else the one on the path.
    """
    program = os.environ.get("STRINGENT_BINARY")
    if program:
        return [program, "solve"]
    for scheme in (sysconfig.get_default_scheme(), sysconfig.get_preferred_scheme("user")):
        with contextlib.suppress(KeyError):
            candidate = Path(sysconfig.get_path("scripts", scheme)) / "stringent"
            if candidate.is_file() and os.access(candidate, os.X_OK):
                return [str(candidate), "solve"]
    program = shutil.which("stringent")
    if program is None:
        raise SolverNotFound("the program stringent is not installed; set STRINGENT_BINARY to its path")
    return [program, "solve"]


def find_command(name: str | Sequence[str] | None) -> list[str]:
    """The command of a solver: None or `"stringent"` for the built-in one, a command, a program, or a name.

    A name (`"z3"`, `"cvc5"`, `"z3-4.8.12"`) is looked up as `$STRINGENT_Z3` or `$STRINGENT_CVC5`, on the path, and
    among the solvers that `stringent solvers install` has installed.
    """
    if name is None or name == "stringent":
        return default_command()
    if not isinstance(name, str):
        command = [os.fspath(part) for part in name]
        if not command:
            raise SolverNotFound("the command of the solver is empty")
        return command
    arguments = _ARGUMENTS.get(solver_kind(name), ())
    if os.sep in name:
        return [name, *arguments]
    program = os.environ.get(f"STRINGENT_{name.upper()}") or shutil.which(name) or _installed(name)
    if program is None:
        raise SolverNotFound(f"the solver {name} is not installed; try `stringent solvers install {name}`")
    return [program, *arguments]


def solver_kind(program: str) -> str:
    """The family of a solver by the name of its program: `stringent`, `z3`, `cvc5`, `cvc4`, or empty."""
    base = os.path.basename(program)
    return next((kind for kind in _ARGUMENTS if base.startswith(kind)), "")


def _installed(name: str) -> str | None:
    """The program of an installed solver: the version that is named, else the newest."""
    cache = os.environ.get("STRINGENT_CACHE")
    if not cache:
        cache = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "stringent", "solvers")
    kind = solver_kind(name)
    found: list[tuple[list[int], str]] = []
    for folder in Path(cache).glob(f"{name.replace('@', '-')}*"):
        version = folder.name.partition("-")[2]
        program = folder / "bin" / kind
        if folder.name in (name.replace("@", "-"), f"{name}-{version}") and os.access(program, os.X_OK):
            found.append(([int(part) for part in version.split(".") if part.isdigit()], str(program)))
    return max(found)[1] if found else None


class _Limit:
    """The end of a request: by the clock, and by the processor time of the process."""

    def __init__(self, pid: int, timeout: float | None, cpu: float | None) -> None:
        self.exists = timeout is not None or cpu is not None
        self._pid = pid
        self._deadline = None if timeout is None else time.monotonic() + timeout
        now = None if cpu is None else cpu_time(pid)
        self._cpu = None if cpu is None or now is None else now + cpu
        if cpu is not None and now is None:
            end = time.monotonic() + cpu
            self._deadline = end if self._deadline is None else min(self._deadline, end)

    def left(self) -> float | None:
        """The milliseconds until one of the limits can be reached, 0 if one is, None without limits."""
        left = [] if self._deadline is None else [self._deadline - time.monotonic()]
        if self._cpu is not None:
            left.append(self._cpu - (cpu_time(self._pid) or 0.0))
        return max(0.0, math.ceil(min(left) * 1000)) if left else None


def cpu_time(pid: int) -> float | None:
    """The processor time of a process in seconds; None if there is none, or on other systems than Linux."""
    if not sys.platform.startswith("linux"):
        return None
    try:
        return time.clock_gettime((~pid << 3) | 2)  # the clock of clock_getcpuclockid(3)
    except OSError:
        return None


class SolverProcess:
    """A solver process; started by the first request, and again by the next one after it has ended."""

    def __init__(self, command: Sequence[str], *, memory: int | None = None) -> None:
        """`memory` is a limit of the address space in MiB (not enforced by macOS)."""
        if os.name != "posix":
            raise SolverError("solver processes need Linux, macOS or another POSIX system")
        self.command = list(command)
        self.memory = memory
        self.starts = 0
        """How often a process was started."""
        self._process: subprocess.Popen[bytes] | None = None
        self._owner = 0
        self._alive = -1
        """The end of a pipe that keeps the process alive."""
        self._stderr: IO[bytes] | None = None
        self._marks = 0
        self.interrupted = False
        """Whether the last process was ended by `interrupt`."""

    @property
    def running(self) -> bool:
        """Whether there is a process of ours. A fork does not inherit it."""
        return self._process is not None and self._owner == os.getpid()

    @property
    def pid(self) -> int | None:
        """The process number, if it runs."""
        return self._process.pid if self._process is not None and self.running else None

    def start(self) -> None:
        """Starts the process unless it runs."""
        if self.running:
            return
        if shutil.which(self.command[0]) is None:
            raise SolverNotFound(f"there is no program {self.command[0]}")
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115 (closed by close)
        self._release()
        watched, self._alive = os.pipe()
        limit = str((self.memory or 0) * 1024)
        try:
            self._process = subprocess.Popen(
                ["/bin/sh", "-c", _GUARDED, str(watched), limit, *self.command],
                pass_fds=(watched,),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._stderr,
                bufsize=0,
                start_new_session=True,
            )
        except OSError as error:
            self._release()
            raise SolverNotFound(f"cannot start {self.command[0]}: {error.strerror}") from None
        finally:
            os.close(watched)
        self._owner = os.getpid()
        self.interrupted = False
        self.starts += 1
        assert self._process.stdin is not None
        os.set_blocking(self._process.stdin.fileno(), False)

    def request(self, text: str, timeout: float | None = None, cpu: float | None = None) -> str:
        """Sends commands and returns what they print.

        Raises `SolverDied` if the process ends, and `SolverTimeout` if the reply is not complete after `timeout`
        seconds, or after `cpu` seconds of processor time; then there is no process any more.
        """
        self.start()
        self._marks += 1
        # No other output can end with it.
        mark = f"@reply-{self._marks}-{secrets.token_hex(8)}"
        data = f'{text}\n(echo "{mark}")\n'.encode("utf-8", "replace")
        try:
            limit = _Limit(self._process.pid if self._process else 0, timeout, cpu)
            reply = self._exchange(data, mark.encode(), limit)
        except BaseException:
            self.close()
            raise
        return reply.decode("utf-8", "replace")

    def _exchange(self, data: bytes, mark: bytes, limit: _Limit) -> bytes:
        process = self._process
        assert process is not None and process.stdin is not None and process.stdout is not None
        sink, source = process.stdin.fileno(), process.stdout.fileno()
        rest = memoryview(data)
        ends = (mark + b"\n", b'"' + mark + b'"\n')
        reply = bytearray()
        poll = select.poll()
        poll.register(source, select.POLLIN)
        while True:
            if rest:
                with contextlib.suppress(BlockingIOError):
                    try:
                        rest = rest[os.write(sink, rest) :]
                    except BrokenPipeError:
                        raise self._died() from None
                if rest:
                    poll.register(sink, select.POLLOUT)
                else:
                    with contextlib.suppress(KeyError):
                        poll.unregister(sink)
            if rest or limit.exists:
                ready = poll.poll(limit.left())
                if not ready and limit.left() == 0:
                    raise SolverTimeout("the solver did not answer in time")
                if not any(fd == source for fd, _ in ready):
                    continue
            chunk = os.read(source, _CHUNK)
            if not chunk:
                raise self._died()
            reply += chunk
            if not rest and reply.endswith(ends):
                end = reply.rfind(mark)
                return bytes(reply[: end - 1 if reply[end - 1 : end] == b'"' else end])

    def _died(self) -> SolverDied:
        """The error of a process that has ended, with its exit code and the end of its error messages."""
        process = self._process
        assert process is not None
        if self.interrupted:
            return SolverDied("the solver was interrupted")
        try:
            code: int | None = process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            code = None
        message = "the solver process ended"
        if code is not None and code < 0:
            with contextlib.suppress(ValueError):
                message += f" by {signal.Signals(-code).name}"
        elif code is not None:
            message += f" with exit code {code}"
        text = ""
        if self._stderr is not None:
            size = self._stderr.seek(0, os.SEEK_END)
            self._stderr.seek(max(0, size - 2000))
            text = self._stderr.read().decode("utf-8", "replace").strip()
        if text:
            message += f": {text.splitlines()[-1][:300]}"
        return SolverDied(message, code, text)

    def interrupt(self) -> None:
        """Ends the running request from another thread; it raises `SolverDied`."""
        process = self._process
        if process is not None and self.running:
            self.interrupted = True
            process.kill()

    def close(self) -> None:
        """Ends the process."""
        process, self._process = self._process, None
        stderr, self._stderr = self._stderr, None
        if process is not None:
            if self._owner == os.getpid():
                # The group still has this number: the process is not waited for before, or its guard is alive.
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()
            for stream in (process.stdin, process.stdout):
                if stream is not None:
                    with contextlib.suppress(OSError):
                        stream.close()
        if stderr is not None:
            stderr.close()
        self._release()

    def _release(self) -> None:
        """Closes the pipe; the guard of a process that still runs kills it."""
        alive, self._alive = self._alive, -1
        if alive >= 0:
            with contextlib.suppress(OSError):
                os.close(alive)

    def __del__(self) -> None:
        if getattr(self, "_process", None) is not None:
            with contextlib.suppress(Exception):
                self.close()


__all__ = ["SolverProcess", "default_command", "find_command", "solver_kind"]
