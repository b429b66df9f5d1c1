"""Functions that an exploration must survive."""

import atexit
import builtins
import ctypes
import math
import os
import signal
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypedDict


def loops(text: str) -> int:
    if text.startswith("a"):
        n = 0
        while True:
            n += 1
    return 1


def sleeps(text: str) -> int:
    if text == "z":
        time.sleep(3600)
    return 1


def stubborn(text: str) -> int:
    """Ends only after it has caught some exceptions that are not its own."""
    caught = 0
    while text == "b" and caught < 3:
        try:
            while True:
                pass
        except BaseException:
            caught += 1
    return 2


def hungry(text: str) -> int:
    if text.endswith("!"):
        return len(bytearray(1 << 44))
    return 3


def deletes(text: str) -> str:
    if text.startswith("rm "):
        Path(__file__).with_name("victim.txt").unlink()
        return "deleted"
    return "kept"


def leaves_files(text: str) -> str:
    Path("left-behind.txt").write_text(text)
    return text


class Odd:
    def __eq__(self, other: object) -> bool:
        raise RuntimeError("no comparison")

    __hash__ = None  # type: ignore[assignment]


def odd_comparison(text: str) -> str:
    if text == Odd():
        return "equal"
    return "different"


def threads(text: str) -> int:
    results: list[int] = []

    def work() -> None:
        results.append(text.count("a"))
        if text == "t":
            raise ValueError("in a thread")

    worker = threading.Thread(target=work)
    worker.start()
    worker.join()
    return 1 if results[0] > 1 else 0


def recursion(text: str) -> int:
    if text.startswith("("):
        return recursion(text[1:]) + 1
    if text == "deep":
        return recursion(text)
    return 0


def exact_types(text: str) -> str:
    if len(text) > 2:
        return sys.intern(text)
    return str(time.strptime("2020", text or "%Y").tm_year)


def no_annotations(a, b):
    if a == "x" and b == "y":
        raise LookupError(a + b)
    return a


def unknown_type(stream: threading.Lock) -> int:
    return 1


def exits(text: str) -> None:
    if text == "q":
        sys.exit(4)


def prints(text: str) -> None:
    print("noise of the target")
    input()


def takes_the_alarm(text: str) -> int:
    """Uses the signal of the time limit itself."""
    signal.signal(signal.SIGALRM, signal.SIG_IGN)
    if text == "s":
        while True:
            pass
    return 1


def endless(text: str):
    while True:
        yield text == "u"


async def asynchronous(text: str) -> int:
    return 1 if "k" in text else 0


def generator(text: str):
    if text == "g":
        yield 1
    yield 2


CONSTANT = 5


async def elements(text: str):
    for c in text:
        if c == "!":
            raise ValueError(c)
        yield c


def leaves(text: str) -> None:
    if text == "x":
        os._exit(5)


def forks(text: str) -> int:
    if text == "f":
        child = os.fork()
        if child == 0:
            return 1
        os.waitpid(child, 0)
    return 0


def crashes(text: str) -> None:
    if text == "c":
        ctypes.string_at(0)


def breaks_builtins(text: str) -> int:
    if text == "b":
        builtins.len = None  # type: ignore[assignment]
    return len(text)


def own_exception(text: str) -> None:
    class Own(Exception):
        def __str__(self) -> str:
            raise RuntimeError("no text")

    if text == "o":
        raise Own


def kills_children(text: str) -> int:
    """Kills the solver, among others."""
    if text.startswith("k"):
        process = os.getpid()
        for child in Path(f"/proc/{process}/task/{process}/children").read_text().split():
            os.kill(int(child), signal.SIGKILL)
    return 7 if text == "key" else 0


def leaves_threads(text: str) -> int:
    threading.Thread(target=time.sleep, args=(3600,)).start()
    atexit.register(os._exit, 9)
    return 1


def writes_to_descriptors(text: str) -> int:
    os.write(1, b"noise\n" * 1000)
    os.write(2, b"noise\n" * 1000)
    print("noise" * 1_000_000)
    return 1


class Counter:
    def step(self, text: str) -> int:
        return 1 if text == "up" else 0


def raises_interrupt(s: str) -> str:
    if s == "stop":
        raise KeyboardInterrupt
    return s


def root(x: str) -> float:
    return math.sqrt(x)


def scaled(n: int, factor: float) -> float:
    return n * factor


@dataclass
class Tree:
    value: int
    parts: list["Tree"] = field(default_factory=list)


def in_tree(tree: Tree) -> int:
    return 1 if tree.value == 7 else sum(map(in_tree, tree.parts))


def nested(table: dict[str, list[tuple[int, str]]]) -> str:
    for pairs in table.values():
        for n, s in pairs:
            if n > 3 and s == "deep":
                return s
    return ""


class Person(TypedDict):
    name: str
    age: int


def typed_dict(person: Person) -> bool:
    return person["name"] == "x" and person["age"] > 3
