"""`--isolate`: the function runs in a process of its own, where it can do little harm.

The process works in a temporary folder, which is also its home and the place of temporary files. While the module is imported and while the function runs, an audit hook refuses to write, rename or delete files outside of that folder, to
start programs, to open network connections and to send signals: the target gets a `PermissionError`. The process is killed if it does not end in time, which code in C that does not return can cause. The hook guards against accidents,
not against code that is written to get around it.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

FOLDER = "STRINGENT_ISOLATED"
"""Set in the process that isolates: its folder."""
ORIGIN = "STRINGENT_ORIGIN"
"""The folder where the user is."""
STATE = "input"
DONE = "done"

_PATHS = {
    "os.remove": (0,), "os.rename": (0, 1), "os.rmdir": (0,), "os.mkdir": (0,), "os.link": (0, 1), "os.symlink": (0, 1), "os.truncate": (0,), "os.chmod": (0,), "os.chown": (0,), "os.utime": (0,),
    "os.setxattr": (0,), "os.removexattr": (0,), "shutil.rmtree": (0,), "shutil.move": (0, 1), "shutil.copyfile": (1,), "shutil.copymode": (1,), "shutil.copystat": (1,), "shutil.copytree": (1,), "shutil.chown": (0,),
    "shutil.make_archive": (0,), "shutil.unpack_archive": (1,), "tempfile.mkstemp": (0,), "tempfile.mkdtemp": (0,), "sqlite3.connect": (0,),
}  # fmt: skip
_REFUSED = ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.fork", "os.forkpty", "os.kill", "os.killpg", "signal.pthread_kill", "os.startfile", "pty.spawn", "socket.connect", "socket.bind", "socket.sendto", "socket.getaddrinfo", "socket.gethostbyname", "ftplib.connect", "smtplib.connect", "urllib.Request", "os.chdir", "os.chroot", "winreg.")  # fmt: skip

_folder = ""
_installed = False


def folder() -> str:
    """The folder of this process if it is isolated, otherwise empty."""
    return os.environ.get(FOLDER, "")


def install(where: str) -> None:
    """Installs the audit hook, which works while code is `guarded`."""
    global _folder, _installed
    _folder = os.path.realpath(where) + os.sep
    if not _installed:
        _installed = True
        sys.addaudithook(_audit)


class Guard:
    """Whether code of the target runs. Threads that it starts are guarded as well."""

    depth = 0


@contextmanager
def guarded() -> Iterator[None]:
    """The audit hook refuses."""
    Guard.depth += 1
    try:
        yield
    finally:
        Guard.depth -= 1


def _audit(event: str, args: tuple[Any, ...]) -> None:
    if not Guard.depth:
        return
    if event == "open":
        path, mode, flags = args
        if isinstance(path, int):
            return
        writes = (
            any(c in mode for c in "wax+")
            if isinstance(mode, str)
            else bool(flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT))
        )
        if writes and not _inside(path):
            _refuse(f"writing {os.fsdecode(path)}")
    elif event in _PATHS:
        for i in _PATHS[event]:
            if i < len(args) and not isinstance(args[i], int) and not _inside(args[i]):
                _refuse(f"{event} of {os.fsdecode(args[i])}")
    elif event.startswith(_REFUSED):
        _refuse(event)


def _inside(path: Any) -> bool:
    if path is None:
        return True
    try:
        full = os.path.realpath(os.fsdecode(path))
    except (TypeError, ValueError):
        return False
    return (full + os.sep).startswith(_folder) or full in ("/dev/null", "/dev/tty")


def _refuse(what: str) -> None:
    raise PermissionError(f"--isolate does not permit {what}")


def note_input(text: str) -> None:
    """Keeps the input that runs now, for the report of a crash."""
    with (
        contextlib.suppress(OSError),
        open(os.path.join(_folder, "..", STATE), "w", encoding="utf-8", errors="backslashreplace") as file,
    ):
        file.write(text)


def finished() -> None:
    """States that the command line came to its end by itself."""
    with contextlib.suppress(OSError), open(os.path.join(folder(), "..", DONE), "w", encoding="utf-8"):
        pass


def run(arguments: Sequence[str], seconds: float) -> int:
    """Runs the command line in a process of its own, and returns its exit code."""
    base = tempfile.mkdtemp(prefix="stringent-")
    inner = os.path.join(base, "work")
    os.mkdir(inner)
    environment = {
        **os.environ,
        FOLDER: inner,
        ORIGIN: os.getcwd(),
        "HOME": inner,
        "TMPDIR": inner,
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    if "STRINGENT_CACHE" not in environment:
        cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
        environment["STRINGENT_CACHE"] = os.path.join(cache, "stringent", "solvers")
    environment["PYTHONPATH"] = os.pathsep.join([path or os.getcwd() for path in sys.path if path != inner])
    command = [sys.executable, "-m", "stringent_smt", *arguments]
    process = subprocess.Popen(
        command,
        cwd=inner,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=_descriptor(sys.stdout),
        stderr=_descriptor(sys.stderr),
        start_new_session=True,
    )
    try:
        code = process.wait(seconds)
        if os.path.exists(os.path.join(base, DONE)):
            return code
        if code >= 0:
            print(f"error: the function ended the process with exit code {code}{_last_input(base)}", file=sys.stderr)
            return 3
        with contextlib.suppress(ValueError):
            print(f"error: the process ended by {signal.Signals(-code).name}{_last_input(base)}", file=sys.stderr)
        return 3
    except subprocess.TimeoutExpired:
        print(
            f"error: killed after {seconds:g} s: the function does not return from code that cannot be interrupted{_last_input(base)}",
            file=sys.stderr,
        )
        return 3
    finally:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        shutil.rmtree(base, ignore_errors=True)


def _descriptor(stream: Any) -> int | None:
    try:
        return int(stream.fileno())
    except (OSError, ValueError, AttributeError):
        return None


def _last_input(base: str) -> str:
    try:
        with open(os.path.join(base, STATE), encoding="utf-8") as file:
            return f"; the input was {file.read()}"
    except OSError:
        return ""
