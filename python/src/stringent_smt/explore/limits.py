"""Limits of one execution: time and memory.

Time is an alarm that raises `RunStopped` in the running code, again and again until the execution ends, so that an `except:` in a loop of the target does not keep it alive for ever: after many of them the process gives up. In the main
thread the alarm is a signal, which also ends a sleep (a second one, by processor time, is for targets that use the first themselves); in other threads it is an exception that is set from outside. Code in C that does not return cannot be stopped from inside of the process; that is what `--isolate` is for.

Memory is a limit of the address space above the present size, so that the target gets a `MemoryError`.
"""

from __future__ import annotations

import builtins
import contextlib
import ctypes
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

from .path import RunStopped

_leave = os._exit
_AGAIN = 0.05
_PATIENCE = 200


class Immortal(BaseException):
    """The target catches every exception: the execution cannot be ended from inside."""


class ProcessExit(SystemExit):
    """The target calls `os._exit`."""


@contextmanager
def intact() -> Iterator[None]:
    """The block neither ends this process nor replaces builtins for good, and a process that it forks ends with it."""
    process = os.getpid()
    leave = os._exit
    before = dict(builtins.__dict__)

    def refuse(status: int) -> NoReturn:
        if os.getpid() != process:
            leave(status)
        raise ProcessExit(f"os._exit({status})")

    os._exit = refuse
    try:
        yield
    finally:
        os._exit = leave
        if os.getpid() != process:
            leave(0)
        builtins.__dict__.update(before)


class Interrupts:
    """Tells an interrupt of the user, a signal, from a `KeyboardInterrupt` that the target raises."""

    def __enter__(self) -> Interrupts:
        handler = signal.getsignal(signal.SIGINT)
        main = threading.current_thread() is threading.main_thread()
        self._possible = main and handler is not signal.SIG_IGN  # ignored in the background of a shell
        self._watching = main and handler is signal.default_int_handler
        self._signalled = False
        if self._watching:
            signal.signal(signal.SIGINT, self._ring)
        return self

    def _ring(self, number: int, frame: FrameType | None) -> NoReturn:
        self._signalled = True
        raise KeyboardInterrupt

    def __exit__(self, *_: object) -> None:
        if self._watching:
            signal.signal(signal.SIGINT, signal.default_int_handler)

    def of_the_user(self) -> bool:
        """Whether a `KeyboardInterrupt` that was raised in the block comes from a signal."""
        return self._signalled if self._watching else self._possible


def _message(seconds: float) -> str:
    return f"stopped after {seconds:g} s"


@contextmanager
def time_limit(seconds: float, on_immortal: str = "") -> Iterator[None]:
    """Raises `RunStopped` in the block after some seconds."""
    if threading.current_thread() is threading.main_thread() and hasattr(signal, "setitimer"):
        with _by_signal(seconds, on_immortal):
            yield
    else:
        with _from_outside(seconds):
            yield


@contextmanager
def _by_signal(seconds: float, on_immortal: str) -> Iterator[None]:
    rings = 0
    active = True

    def ring(number: int, frame: FrameType | None) -> None:
        nonlocal rings
        if not active:
            return
        rings += 1
        if rings > _PATIENCE:
            text = f"error: {on_immortal or 'the function'} catches every exception and does not end\n"
            with contextlib.suppress(OSError, ValueError, AttributeError):
                os.write(sys.__stderr__.fileno(), text.encode())  # type: ignore[union-attr]
            _leave(3)
        raise RunStopped(_message(seconds))

    alarms = ((signal.SIGALRM, signal.ITIMER_REAL, seconds), (signal.SIGVTALRM, signal.ITIMER_VIRTUAL, 2 * seconds))
    before = [(number, signal.signal(number, ring)) for number, _, _ in alarms]
    for _, timer, after in alarms:
        signal.setitimer(timer, after, _AGAIN)
    try:
        yield
    finally:
        active = False
        for _, timer, _ in alarms:
            signal.setitimer(timer, 0)
        for number, handler in before:
            signal.signal(number, handler)


@contextmanager
def _from_outside(seconds: float) -> Iterator[None]:
    target = threading.get_ident()
    done = threading.Event()
    lock = threading.Lock()
    fired = False

    def watch() -> None:
        nonlocal fired
        pause = seconds
        while not done.wait(pause):
            with lock:
                if not done.is_set():
                    fired = True
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(target), ctypes.py_object(_Late))
            pause = _AGAIN

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        try:
            yield
        finally:
            with lock:
                done.set()
            if fired:
                _flush(target)
    except _Late:
        raise RunStopped(_message(seconds)) from None


def _flush(target: int) -> None:
    """Waits for an exception that was set and perhaps not raised yet. It is replaced by another one, as taking it back leaves Python 3.11 in an endless loop."""
    with contextlib.suppress(_Late):
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(target), ctypes.py_object(_Late))
        while True:
            time.sleep(0)


class _Late(RunStopped):
    def __init__(self) -> None:
        super().__init__("stopped by its time limit")


@contextmanager
def memory_limit(megabytes: int) -> Iterator[None]:
    """The address space may grow by this much. Nothing is limited where the system has no such limit."""
    try:
        import resource

        with open("/proc/self/statm", encoding="ascii") as file:
            used = int(file.read().split()[0]) * resource.getpagesize()
    except (ImportError, OSError):
        yield
        return
    before = resource.getrlimit(resource.RLIMIT_AS)
    wanted = used + megabytes * (1 << 20)
    if before[1] != resource.RLIM_INFINITY:
        wanted = min(wanted, before[1])
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (wanted, before[1]))
    try:
        yield
    finally:
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_AS, before)
