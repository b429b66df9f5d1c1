"""Operands whose classes are subclasses of str and int, or have a comparison of their own."""

from enum import Enum, IntEnum, IntFlag


class Colour(str, Enum):
    RED = "red"
    BLUE = "blue"


class Number(IntEnum):
    ANSWER = 42


class Flag(IntFlag):
    A = 1
    B = 2


class Refuses(str):
    def __eq__(self, other: object) -> bool:
        raise ValueError("no comparison")

    __hash__ = str.__hash__


class Folded(str):
    def __eq__(self, other: object) -> bool:
        return str.lower(self) == str(other).lower()

    def __radd__(self, other: str) -> str:
        return f"<{other}>"

    __hash__ = str.__hash__


class Leaves(str):
    def __eq__(self, other: object) -> bool:
        return NotImplemented

    __hash__ = str.__hash__


class Same:
    def __eq__(self, other: object) -> bool:
        return bool(other == "same")

    def __hash__(self) -> int:
        return hash("same")


def on_the_left(s: str) -> int:
    if Colour.RED == s:  # noqa: SIM300
        return 1
    return 2 if Colour.BLUE != s else 3  # noqa: SIM300


def number_on_the_left(n: int) -> int:
    return 1 if Number.ANSWER == n else 2  # noqa: SIM300


def in_a_list(s: str) -> int:
    return 1 if s in [Refuses("a"), "b"] else 0


def in_a_mixed_list(s: str) -> int:
    return 1 if s in [None, Same(), "b"] else 0


def in_a_table(s: str) -> int:
    return {Same(): 1, "b": 2}.get(s, 0)


def operators(s: str) -> str:
    if s == Leaves("x"):
        return "left"
    if s == Folded("Key"):
        return "folded"
    return s + Folded("z")


def flags(n: int) -> str:
    return repr(n & Flag.B) if n > 1 else ""
