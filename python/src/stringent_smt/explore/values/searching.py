"""Models of methods that look for parts: find, index, count, startswith, in, replace, slices, and the order of words.

`find` branches on whether the part occurs, and then returns the length of what is before it, a fresh variable. `count` returns a number that knows what it counts: compared with a constant it becomes a regular expression.
"""

from __future__ import annotations

import sys
from typing import Any

from ...terms import Term, and_, const, eq, mk, not_, or_
from ..path import Recorder
from . import text
from .base import (
    MAX_PIECES,
    Num,
    Unmodelled,
    Word,
    add,
    at_least,
    choose,
    decide,
    facts,
    is_symbolic,
    less,
    lit,
    num,
    wrap,
    wrap_num,
)
from .chars import ANY, seq, word
from .kinds import BYTES, STR, Kind, fixed, index, model, number
from .text import between, cat, contains, first, is_empty, last, length, occurs, window


def _locate(
    kind: Kind, rec: Recorder, w: Word, part: Any, start: Any, stop: Any, backwards: bool
) -> tuple[Word, Num] | None:
    """What is before an occurrence, and its position."""
    p = kind.needle(part)
    low, high = index(start), index(stop)
    empty = is_empty(rec, p)
    view = window(rec, w, low, high, empty)
    if view is None:
        return None
    inside, offset = view
    if empty:
        return inside, add(offset, length(rec, inside)) if backwards else offset
    if not occurs(rec, inside, p):
        return None
    before = (last if backwards else first)(rec, inside, p)[0]
    return before, add(offset, length(rec, before))


@model("find")
def find(kind: Kind, rec: Recorder, w: Word, part: Any, start: Any = None, stop: Any = None, /) -> Any:
    found = _locate(kind, rec, w, part, start, stop, False)
    return -1 if found is None else wrap_num(found[1])


@model("rfind")
def rfind(kind: Kind, rec: Recorder, w: Word, part: Any, start: Any = None, stop: Any = None, /) -> Any:
    found = _locate(kind, rec, w, part, start, stop, True)
    return -1 if found is None else wrap_num(found[1])


def _index(kind: Kind, rec: Recorder, w: Word, part: Any, start: Any, stop: Any, backwards: bool) -> Any:
    found = _locate(kind, rec, w, part, start, stop, backwards)
    if found is None:
        raise ValueError("substring not found" if kind is STR else "subsection not found")
    return wrap_num(found[1])


@model("index")
def index_(kind: Kind, rec: Recorder, w: Word, part: Any, start: Any = None, stop: Any = None, /) -> Any:
    return _index(kind, rec, w, part, start, stop, False)


@model("rindex")
def rindex(kind: Kind, rec: Recorder, w: Word, part: Any, start: Any = None, stop: Any = None, /) -> Any:
    return _index(kind, rec, w, part, start, stop, True)


@model("__contains__")
def contains_(kind: Kind, rec: Recorder, w: Word, part: Any, /) -> Any:
    p = kind.needle(part)
    return wrap(p.v in w.v, contains(rec, w, p))


@model("count")
def count(kind: Kind, rec: Recorder, w: Word, part: Any, start: Any = None, stop: Any = None, /) -> Any:
    p = kind.needle(part)
    low, high = index(start), index(stop)
    empty = is_empty(rec, p)
    view = window(rec, w, low, high, empty)
    if view is None:
        return 0
    inside, _ = view
    if empty:
        return wrap_num(add(length(rec, inside), num(1)))
    value = inside.v.count(p.v)
    if p.t.op != "const" or inside.t.op == "const":
        return _count_by_steps(rec, inside, p)
    rest = mk("str.len", mk("str.replace_all", inside.t, p.t, const("")))
    term = mk("-", text.length_term(rec, inside.t), rest)
    if len(p.v) > 1:
        term = mk("div", term, const(len(p.v)))
    facts(rec).counts[term] = (inside, p.v)
    return wrap(value, term)


def _count_by_steps(rec: Recorder, w: Word, p: Word) -> int:
    total = 0
    while occurs(rec, w, p):
        total += 1
        if total > MAX_PIECES:
            raise Unmodelled("more than a few occurrences")
        w = first(rec, w, p)[2]
    return total


def at_least_times(rec: Recorder, w: Word, part: str, times: int) -> Term:
    """Whether a constant occurs at least so many times, without overlaps."""
    if times <= 0:
        return text.TRUE
    if times == 1:
        return contains(rec, w, lit(part))
    once = seq(ANY, word(part))
    return text.in_re(rec, w, seq(*[once] * times, ANY))


def _ends(kind: Kind, rec: Recorder, w: Word, part: Any, start: Any, stop: Any, at_start: bool) -> Any:
    options = [kind.word(p) for p in part] if type(part) is tuple else [kind.word(part)]
    test = text.prefix if at_start else text.suffix
    low, high = index(start), index(stop)
    terms: list[Term] = []
    value = False
    for p in options:
        view = window(rec, w, low, high, is_empty(rec, p)) if start is not None or stop is not None else (w, num(0))
        if view is None:
            continue
        inside = view[0]
        terms.append(test(rec, p, inside))
        value = value or (inside.v.startswith(p.v) if at_start else inside.v.endswith(p.v))
    return wrap(value, or_(*terms)) if terms else False


@model("startswith")
def startswith(kind: Kind, rec: Recorder, w: Word, part: Any, start: Any = None, stop: Any = None, /) -> Any:
    return _ends(kind, rec, w, part, start, stop, True)


@model("endswith")
def endswith(kind: Kind, rec: Recorder, w: Word, part: Any, start: Any = None, stop: Any = None, /) -> Any:
    return _ends(kind, rec, w, part, start, stop, False)


@model("removeprefix")
def removeprefix(kind: Kind, rec: Recorder, w: Word, part: Any, /) -> Any:
    p = kind.word(part)
    if not p.v and p.t.op == "const":
        return kind.wrap(w)
    if not decide(rec, text.prefix(rec, p, w), w.v.startswith(p.v)):
        return kind.wrap(w)
    return kind.wrap(text.without(rec, w, p, True))


@model("removesuffix")
def removesuffix(kind: Kind, rec: Recorder, w: Word, part: Any, /) -> Any:
    p = kind.word(part)
    if not p.v and p.t.op == "const":
        return kind.wrap(w)
    if not decide(rec, text.suffix(rec, p, w), w.v.endswith(p.v)):
        return kind.wrap(w)
    return kind.wrap(text.without(rec, w, p, False))


@model("replace")
def replace(kind: Kind, rec: Recorder, w: Word, old: Any, new: Any, *rest: Any, **kwargs: Any) -> Any:
    if (kwargs and sys.version_info < (3, 13)) or len(rest) > 1 or kwargs.keys() > {"count"} or (rest and kwargs):
        raise TypeError("wrong arguments")
    count = rest[0] if rest else kwargs.get("count", -1)
    o, n = kind.word(old), kind.word(new)
    limit = fixed(rec, count)
    if limit == 0:
        return kind.wrap(w)
    if is_empty(rec, o):
        return kind.wrap(_interleaved(rec, w, n, limit))
    done: list[Word] = []
    while limit != 0 and occurs(rec, w, o):
        if limit < 0 and len(done) == 16 and not text.is_mapped(rec, w.t):
            # After eight occurrences one term stands for the rest; each path decides this at the same place.
            return kind.wrap(cat(*done, Word(w.v.replace(o.v, n.v), mk("str.replace_all", w.t, o.t, n.t))))
        if len(done) > 2 * MAX_PIECES:
            raise Unmodelled("more than a few occurrences")
        before, _, w = first(rec, w, o)
        done += [before, n]
        limit -= 1
    return kind.wrap(cat(*done, w))


def _interleaved(rec: Recorder, w: Word, n: Word, limit: int) -> Word:
    """An empty word is replaced before each character and at the end."""
    if limit > 0 and at_least(rec, length(rec, w), num(limit)):
        # The first ones only.
        done = [p for i in range(limit - 1) for p in (n, text.char(rec, w, num(i)))]
        return cat(*done, n, between(rec, w, num(limit - 1), None))
    result: list[Word] = [n]
    for c in text.characters(rec, w):
        result += [c, n]
    return cat(*result)


# slices and items


@model("__getitem__")
def getitem(kind: Kind, rec: Recorder, w: Word, key: Any, /) -> Any:
    if isinstance(key, slice):
        return kind.wrap(_slice(rec, w, key))
    i = number(key)
    size = length(rec, w)
    if not at_least(rec, i, num(0)):
        i = add(i, size)
        inside = at_least(rec, i, num(0))
    else:
        inside = less(rec, i, size)
    if not inside:
        raise IndexError("string index out of range" if kind is STR else "index out of range")
    c = text.char(rec, w, i)
    if kind is BYTES:
        return wrap(ord(c.v), mk("str.to_code", c.t))
    return kind.wrap(c)


def _slice(rec: Recorder, w: Word, key: slice) -> Word:
    step = 1 if key.step is None else fixed(rec, key.step)
    if step == 1:
        return text.slice_(rec, w, index(key.start), index(key.stop))
    if step == 0:
        raise ValueError("slice step cannot be zero")
    start = None if key.start is None else fixed(rec, key.start)
    stop = None if key.stop is None else fixed(rec, key.stop)
    letters = text.characters(rec, w)
    return cat(lit(""), *letters[slice(start, stop, step)])


# concatenation and order


@model("__add__")
def add_(kind: Kind, rec: Recorder, w: Word, other: Any, /) -> Any:
    return kind.wrap(cat(w, kind.word(other)))


@model("__mul__", "__rmul__")
def mul(kind: Kind, rec: Recorder, w: Word, times: Any, /) -> Any:
    n = number(times)
    if n.t.op == "const":
        if n.v * len(w.v) > 100_000:
            raise Unmodelled("a long repetition")
        if w.t.op != "const" and n.v > MAX_PIECES:
            raise Unmodelled("a long repetition")
        return kind.wrap(cat(*[w] * n.v)) if n.v > 0 else kind.encode("")
    if less(rec, n, num(1)):
        return kind.encode("")
    if w.t.op == "const" and len(w.v) == 1:
        return kind.wrap(text.padding(rec, w.v, n))
    if not choose(rec, n, MAX_PIECES):
        raise Unmodelled("a long repetition")
    return kind.wrap(cat(*[w] * n.v))


def _comparable(kind: Kind, other: Any) -> Word | None:
    try:
        return kind.word(other)
    except Unmodelled:
        return None


@model("__eq__")
def eq_(kind: Kind, rec: Recorder, w: Word, other: Any, /) -> Any:
    o = _comparable(kind, other)
    if o is None:
        return NotImplemented
    return wrap(w.v == o.v, text.equal(rec, w, o))


@model("__ne__")
def ne_(kind: Kind, rec: Recorder, w: Word, other: Any, /) -> Any:
    o = _comparable(kind, other)
    if o is None:
        return NotImplemented
    return wrap(w.v != o.v, not_(text.equal(rec, w, o)))


def _order(op: str, swap: bool) -> Any:
    def compare(kind: Kind, rec: Recorder, w: Word, other: Any, /) -> Any:
        o = _comparable(kind, other)
        if o is None:
            return NotImplemented
        a, b = (o, w) if swap else (w, o)
        value = a.v < b.v if op == "str.<" else a.v <= b.v
        known = _single(rec, a, b)
        if known is not None:
            return wrap(value, mk(op[4:], *known))
        return wrap(value, mk(op, a.t, b.t))

    return compare


def _single(rec: Recorder, a: Word, b: Word) -> tuple[Term, Term] | None:
    """The code points, if both are single characters: a comparison of numbers."""
    codes = []
    for w in (a, b):
        if w.t.op == "const" and len(w.v) == 1:
            codes.append(const(ord(w.v)))
        elif facts(rec).length.get(w.t) == 1 and not text.is_mapped(rec, w.t):
            codes.append(mk("str.to_code", w.t))
        else:
            return None
    return codes[0], codes[1]


for _name, _op, _swap in (
    ("__lt__", "str.<", False),
    ("__le__", "str.<=", False),
    ("__gt__", "str.<", True),
    ("__ge__", "str.<=", True),
):
    model(_name)(_order(_op, _swap))


@model("join")
def join(kind: Kind, rec: Recorder, w: Word, parts: Any, /) -> Any:
    items = list(parts)
    try:
        words = [kind.word(item) for item in items]
    except Unmodelled:
        # A wrong type: the message of CPython.
        from .base import concrete

        return kind.encode(w.v).join([concrete(item) for item in items])
    if not words:
        return kind.encode("")
    result = [words[0]]
    for part in words[1:]:
        result += [w, part]
    return kind.wrap(cat(*result))


__all__ = ["and_", "at_least_times", "eq", "is_symbolic"]
