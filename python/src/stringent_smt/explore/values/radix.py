"""Digits of numbers in base 2, 8, 10 and 16.

The number of digits is a branch. Each digit is a variable with its bounds, and the number is their weighted sum, which determines them: for two digits in base 16, `n = 16 * d1 + d0`. The character of a digit is that of a
constant text at its position.
"""

from __future__ import annotations

from ...terms import Sort, const, eq, mk
from ..path import Recorder
from . import text
from .base import Num, Word, at_least, facts, give_up, less, lit, num

BASES = {"b": 2, "o": 8, "d": 10, "x": 16, "X": 16}
_MOST = 32


def digits(rec: Recorder, n: Num, kind: str, separator: str = "") -> tuple[bool, Word]:
    """Whether a number is negative, which is a branch, and the digits of its absolute value, with a separator between groups."""
    negative = not at_least(rec, n, num(0))
    if negative:
        n = Num(-n.v, mk("-", n.t))
    written = [lit(c) for c in format(n.v, kind)] if n.t.op == "const" else _written(rec, n, kind)
    size = 3 if kind == "d" else 4
    parts = [lit("")]
    for i, c in enumerate(written):
        if separator and i and (len(written) - i) % size == 0:
            parts.append(lit(separator))
        parts.append(c)
    return negative, text.cat(*parts)


def _written(rec: Recorder, n: Num, kind: str) -> list[Word]:
    """The characters of a number that is not negative, the first one first."""
    base = BASES[kind]
    count = len(format(n.v, kind))
    if count > _MOST:
        give_up(rec, "a large number")
    for i in range(1, count + 1):
        if less(rec, n, num(base**i)):
            break
    if count == 1:
        return [_character(rec, n, kind)]
    places = [_place(rec, n.v // base**i % base, base) for i in range(count)]
    terms = [mk("*", const(base**i), place.t) if i else place.t for i, place in enumerate(places)]
    rec.assume(eq(n.t, mk("+", *terms)))
    return [_character(rec, place, kind) for place in reversed(places)]


def _place(rec: Recorder, value: int, base: int) -> Num:
    term = rec.fresh(Sort.INT, "d", value)
    rec.assume(mk("<=", const(0), term))
    rec.assume(mk("<", term, const(base)))
    return Num(value, term)


def _character(rec: Recorder, digit: Num, kind: str) -> Word:
    """The character of a digit."""
    table = "0123456789ABCDEF" if kind == "X" else "0123456789abcdef"
    term = mk("str.at", const(table[: BASES[kind]]), digit.t)
    facts(rec).length[term] = 1
    return Word(table[digit.v], term)
