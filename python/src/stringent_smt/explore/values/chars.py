"""Sets of characters as ranges of code points, and their regular expressions.

The tables for the whole of Unicode come from Python itself, so they are those of the running version.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache

from ...operators import LAST_CHARACTER
from ...terms import Term, const, mk

Ranges = tuple[tuple[int, int], ...]
"""Sorted ranges with both ends, without neighbours."""

ALL_CHARS: Ranges = ((0, LAST_CHARACTER),)
ANY = mk("re.all")
ONE = mk("re.allchar")
EPSILON = mk("str.to_re", const(""))


def ranges(points: Iterable[int]) -> Ranges:
    """The set of some code points."""
    result: list[tuple[int, int]] = []
    for p in sorted(set(points)):
        if result and result[-1][1] == p - 1:
            result[-1] = (result[-1][0], p)
        else:
            result.append((p, p))
    return tuple(result)


def normal(parts: Iterable[tuple[int, int]]) -> Ranges:
    """Ranges sorted and merged, cut to what SMT-LIB has."""
    result: list[tuple[int, int]] = []
    for lo, hi in sorted(parts):
        hi = min(hi, LAST_CHARACTER)
        if lo > hi:
            continue
        if result and lo <= result[-1][1] + 1:
            result[-1] = (result[-1][0], max(hi, result[-1][1]))
        else:
            result.append((lo, hi))
    return tuple(result)


def complement(r: Ranges) -> Ranges:
    """All other characters."""
    result = []
    nxt = 0
    for lo, hi in r:
        if lo > nxt:
            result.append((nxt, lo - 1))
        nxt = hi + 1
    if nxt <= LAST_CHARACTER:
        result.append((nxt, LAST_CHARACTER))
    return tuple(result)


def intersect(a: Ranges, b: Ranges) -> Ranges:
    """The characters of both."""
    return complement(normal(complement(a) + complement(b)))


def of(text: str) -> Ranges:
    """The characters of a string."""
    return ranges(map(ord, text))


def member(r: Ranges, c: str) -> bool:
    p = ord(c)
    return any(lo <= p <= hi for lo, hi in r)


@lru_cache(maxsize=1000)
def cls(r: Ranges) -> Term:
    """The regular expression of one character of the set."""
    if r == ALL_CHARS:
        return ONE
    if not r:
        return mk("re.none")
    parts = [
        mk("str.to_re", const(chr(lo))) if lo == hi else mk("re.range", const(chr(lo)), const(chr(hi))) for lo, hi in r
    ]
    return parts[0] if len(parts) == 1 else mk("re.union", *parts)


def star(r: Ranges) -> Term:
    return ANY if r == ALL_CHARS else mk("re.*", cls(r)) if r else EPSILON


def plus(r: Ranges) -> Term:
    return mk("re.+", cls(r))


def seq(*parts: Term) -> Term:
    return parts[0] if len(parts) == 1 else mk("re.++", *parts)


def alt(*parts: Term) -> Term:
    return mk("re.union", *parts) if len(parts) > 1 else parts[0]


def opt(part: Term) -> Term:
    return mk("re.opt", part)


def word(text: str) -> Term:
    return mk("str.to_re", const(text))


@lru_cache(maxsize=100)
def table(predicate: Callable[[str], bool]) -> Ranges:
    """The characters with a property, by trying all of them."""
    return ranges(p for p in range(LAST_CHARACTER + 1) if predicate(chr(p)))


ASCII: Ranges = ((0, 127),)
LATIN: Ranges = ((0, 255),)
DIGITS: Ranges = ((48, 57),)
UPPER: Ranges = ((65, 90),)
LOWER: Ranges = ((97, 122),)
LETTERS: Ranges = UPPER + LOWER
ALNUM: Ranges = DIGITS + LETTERS
ASCII_SPACE: Ranges = ((9, 13), (28, 32))
SPACE: Ranges = (
    (9, 13), (28, 32), (0x85, 0x85), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A), (0x2028, 0x2029), (0x202F, 0x202F),
    (0x205F, 0x205F), (0x3000, 0x3000),
)  # fmt: skip
"""`str.isspace`; a test compares it with all characters."""
BYTES_SPACE: Ranges = ((9, 13), (32, 32))
BREAKS: Ranges = ((10, 13), (0x1C, 0x1E), (0x85, 0x85), (0x2028, 0x2029))
"""The line boundaries of `str.splitlines`."""
BYTES_BREAKS: Ranges = ((10, 10), (13, 13))
IDENTIFIER: Ranges = normal((*LETTERS, *DIGITS, (95, 95)))
IDENTIFIER_START: Ranges = normal((*LETTERS, (95, 95)))
PRINTABLE: Ranges = ((32, 126),)


def decimals() -> Ranges:
    """The characters of `str.isdecimal`."""
    return table(str.isdecimal)


def digits() -> Ranges:
    """The characters of `str.isdigit`."""
    return table(str.isdigit)
