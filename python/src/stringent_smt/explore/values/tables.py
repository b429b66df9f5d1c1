"""Look-ups in large tables with constant keys, as terms.

A table is *positional* if its keys are all words of some length over a set of characters for each position, and its values are numbers, or single characters by their codes, that are a sum of one contribution for each position. Pairs of
hexadecimal digits with their bytes are one (`"7F"`: 7 · 16 + 15), the alphabet of base 64 with its indices is another. Whether a key is in such a table is one branch, by a regular expression for each position, and the value is a
variable with a definition: no key is tried by itself.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import Any

from ...terms import Sort, Term, const, eq, mk
from ..path import Recorder
from . import chars, text
from .base import Num, Word, add, decide, facts, is_symbolic, num, representable, wrap_num
from .kinds import BYTES, STR, Kind

_LONGEST = 4
_RUNS = 8
"""The number of ranges of characters, at one position, on which the contribution grows evenly."""


@dataclass(frozen=True)
class _Table:
    places: list[dict[str, int]]
    """The contribution of each character at each position. That of the first key is its value at position 0, and 0 at the others."""
    kind: type

    def value(self, key: str) -> int:
        return sum(place[c] for place, c in zip(self.places, key, strict=True))


def _known(rec: Recorder, kind: Kind, table: dict[Any, Any]) -> _Table | None:
    """The positional form, computed once in an execution as long as the table has the same keys and values."""
    memo = facts(rec).memo
    key = ("table", id(table), kind.plain)
    objects = [*table.keys(), *table.values()]
    before = memo.get(key)
    if before is None or len(before[0]) != len(objects) or not all(map(operator.is_, before[0], objects)):
        before = memo[key] = (objects, _positional(kind, table))
    found: _Table | None = before[1]
    return found


def _positional(kind: Kind, table: dict[Any, Any]) -> _Table | None:
    """The table in positional form, if it has one."""
    if any(type(k) is not kind.plain for k in table):
        return None
    made = type(next(iter(table.values())))
    if made not in (int, str, bytes) or any(type(v) is not made for v in table.values()):
        return None
    if made is not int and any(len(v) != 1 for v in table.values()):
        return None
    codes = {kind.decode(k): v if made is int else ord(v) for k, v in table.items()}
    length = len(next(iter(codes)))
    if not 1 <= length <= _LONGEST or any(len(k) != length or not representable(k) for k in codes):
        return None
    alphabets = [sorted({k[i] for k in codes}) for i in range(length)]
    product = 1
    for alphabet in alphabets:
        product *= len(alphabet)
    return _contributions(codes, alphabets, made) if product == len(codes) else None


def _contributions(codes: dict[str, int], alphabets: list[list[str]], made: type) -> _Table | None:
    base = min(codes)
    places = []
    for i, alphabet in enumerate(alphabets):
        start = codes[base] if i else 0
        places.append({c: codes[base[:i] + c + base[i + 1 :]] - start for c in alphabet})
    found = _Table(places, made)
    few = all(len(_runs(place)) <= _RUNS for place in places)
    return found if few and all(found.value(k) == v for k, v in codes.items()) else None


def _slope(place: dict[str, int]) -> int:
    """By how much the contribution grows from a character to the next one."""
    steps = [place[chr(ord(c) + 1)] - value for c, value in sorted(place.items()) if chr(ord(c) + 1) in place]
    return max(sorted(set(steps)), key=steps.count) if steps else 1


def _runs(place: dict[str, int]) -> list[tuple[int, int]]:
    """Ranges of characters on which the contribution is a line over the codes: the last code, and the contribution at code 0."""
    runs: list[tuple[int, int]] = []
    slope = _slope(place)
    for c, value in sorted(place.items()):
        start = value - slope * ord(c)
        if runs and runs[-1][1] == start:
            runs.pop()
        runs.append((ord(c), start))
    return runs


def look_up(rec: Recorder, table: dict[Any, Any], key: Any) -> tuple[bool, Any] | None:
    """Whether a symbolic key is in a table, which is a branch, and its value; none if the table has no such form."""
    if not is_symbolic(key) or not isinstance(key, str | bytes):
        return None
    kind = STR if isinstance(key, str) else BYTES
    found = _known(rec, kind, table)
    if found is None:
        return None
    w = kind.word(key)
    language = chars.seq(*[chars.cls(chars.of("".join(place))) for place in found.places])
    inside = len(w.v) == len(found.places) and all(c in place for place, c in zip(found.places, w.v, strict=True))
    if not decide(rec, text.in_re(rec, w, language), inside):
        return False, None
    return True, _value(rec, found, w)


def _value(rec: Recorder, table: _Table, w: Word) -> Any:
    facts(rec).length[w.t] = len(table.places)
    total = num(0)
    for i, place in enumerate(table.places):
        total = add(total, _contribution(rec, place, text.char(rec, w, num(i))))
    if table.kind is int:
        return wrap_num(total)
    from .functions import chr_word

    return (STR if table.kind is str else BYTES).wrap(chr_word(total, rec))


def _contribution(rec: Recorder, place: dict[str, int], c: Word) -> Num:
    value = place[c.v]
    if c.t.op == "const":
        return num(value)
    term = rec.fresh(Sort.INT, "v", value)
    rec.assume(eq(term, _sum(place, mk("str.to_code", c.t))))
    rec.assume(mk("<=", const(min(place.values())), term))
    rec.assume(mk("<=", term, const(max(place.values()))))
    return Num(value, term)


def _sum(place: dict[str, int], code: Term) -> Term:
    """The contribution of a character, given that it is one of the position."""
    *others, (_, start) = _runs(place)
    slope = _slope(place)
    scaled = code if slope == 1 else mk("*", const(slope), code)
    term = mk("+", scaled, const(start))
    for end, other in reversed(others):
        term = mk("ite", mk("<=", code, const(end)), mk("+", scaled, const(other)), term)
    return term


__all__ = ["look_up"]
