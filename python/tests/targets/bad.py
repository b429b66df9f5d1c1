"""Functions that an exploration must survive."""

import signal
import sys
import threading
import time
from pathlib import Path


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


def kills(text: str) -> str:
    import os

    if text == "!":
        os._exit(7)
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
    while text == "s":
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
