"""Models of methods that take words apart: partition, split, splitlines, strip, expandtabs.

Each step is a branch on whether there is another separator, and a word equation with fresh variables: `s = a ++ sep ++ b` with no separator in `a`.
"""

from __future__ import annotations

from typing import Any

from ...terms import const, eq, mk, not_, or_
from ..path import RARE, Recorder
from . import chars, text
from .base import MAX_PIECES, Num, Word, add, decide, facts, is_symbolic, lit, num, piece, split_into
from .chars import Ranges, cls, opt, plus, seq, star
from .kinds import Kind, fixed, model, number
from .text import cat, first, is_empty, last, length, occurs, scan, stripped


def _partition(kind: Kind, rec: Recorder, w: Word, separator: Any, backwards: bool) -> Any:
    p = kind.word(separator)
    if is_empty(rec, p):
        raise ValueError("empty separator")
    if not occurs(rec, w, p):
        none = kind.encode("")
        return (none, none, kind.wrap(w)) if backwards else (kind.wrap(w), none, none)
    before, at, after = (last if backwards else first)(rec, w, p)
    return kind.wrap(before), kind.wrap(at), kind.wrap(after)


@model("partition")
def partition(kind: Kind, rec: Recorder, w: Word, separator: Any, /) -> Any:
    return _partition(kind, rec, w, separator, False)


@model("rpartition")
def rpartition(kind: Kind, rec: Recorder, w: Word, separator: Any, /) -> Any:
    return _partition(kind, rec, w, separator, True)


@model("split")
def split(kind: Kind, rec: Recorder, w: Word, /, sep: Any = None, maxsplit: Any = -1) -> Any:
    return _split(kind, rec, w, sep, maxsplit, False)


@model("rsplit")
def rsplit(kind: Kind, rec: Recorder, w: Word, /, sep: Any = None, maxsplit: Any = -1) -> Any:
    return _split(kind, rec, w, sep, maxsplit, True)


def _split(kind: Kind, rec: Recorder, w: Word, sep: Any, maxsplit: Any, backwards: bool) -> Any:
    limit = fixed(rec, maxsplit)
    if sep is None:
        pieces = _split_spaces(kind, rec, w, limit, backwards)
    else:
        p = kind.word(sep)
        if is_empty(rec, p):
            raise ValueError("empty separator")
        pieces = _split_on(kind, rec, w, p, limit, backwards)
    return pieces[::-1] if backwards else pieces


def _split_on(kind: Kind, rec: Recorder, w: Word, p: Word, limit: int, backwards: bool) -> list[Any]:
    """The pieces in the order in which they are found."""
    pieces: list[Any] = []
    while limit != 0 and occurs(rec, w, p):
        if len(pieces) >= MAX_PIECES:
            rec.pin(w.t, w.v, "split: more than a few pieces")
            rest = w.v.rsplit(p.v, limit)[::-1] if backwards else w.v.split(p.v, limit)
            return pieces + [kind.encode(part) for part in rest]
        before, _, after = (last if backwards else first)(rec, w, p)
        pieces.append(kind.wrap(after if backwards else before))
        w = before if backwards else after
        limit -= 1
    return [*pieces, kind.wrap(w)]


def _split_spaces(kind: Kind, rec: Recorder, w: Word, limit: int, backwards: bool) -> list[Any]:
    pieces: list[Any] = []
    w = stripped(rec, w, kind.spaces, not backwards, backwards)
    while not is_empty(rec, w):
        if limit == 0:
            return [*pieces, kind.wrap(w)]
        if len(pieces) >= MAX_PIECES:
            rec.pin(w.t, w.v, "split: more than a few pieces")
            return pieces + [kind.encode(part) for part in _plain_split(kind, w.v, limit, backwards)]
        one, w = _next_word(rec, w, kind.spaces, backwards)
        pieces.append(kind.wrap(one))
        limit -= 1
    return pieces


def _plain_split(kind: Kind, value: str, limit: int, backwards: bool) -> list[str]:
    whole = kind.encode(value)
    parts = whole.rsplit(None, limit)[::-1] if backwards else whole.split(None, limit)
    return [kind.decode(part) for part in parts]


def _next_word(rec: Recorder, w: Word, spaces: Ranges, backwards: bool) -> tuple[Word, Word]:
    """The first run without spaces of a word that starts with one, and what follows the spaces after it."""
    if w.t.op == "const":
        v = w.v[::-1] if backwards else w.v
        i = next((i for i, c in enumerate(v) if chars.member(spaces, c)), len(v))
        j = next((j for j in range(i, len(v)) if not chars.member(spaces, v[j])), len(v))
        return (lit(v[:i][::-1]), lit(v[j:][::-1])) if backwards else (lit(v[:i]), lit(v[j:]))
    inner = text.is_mapped(rec, w.t)
    if inner is not None:
        one, rest = _next_word(rec, inner[1], text.preimage_ranges(inner[0], spaces), backwards)
        return text.mapped(rec, inner[0], one), text.mapped(rec, inner[0], rest)
    memo = facts(rec).memo
    key = ("word", w.t, spaces, backwards)
    if key in memo:
        return memo[key]  # type: ignore[no-any-return]
    v = w.v[::-1] if backwards else w.v
    i = next((i for i, c in enumerate(v) if chars.member(spaces, c)), len(v))
    j = next((j for j in range(i, len(v)) if not chars.member(spaces, v[j])), len(v))
    values = (v[:i], v[i:j], v[j:])
    one, gap, rest = (piece(rec, h, x[::-1] if backwards else x) for h, x in zip("wgr", values))
    split_into(rec, w, (rest, gap, one) if backwards else (one, gap, rest))
    other = chars.complement(spaces)
    rec.assume(mk("str.in_re", one.t, plus(other)))
    rec.assume(mk("str.in_re", gap.t, star(spaces)))
    start = seq(chars.ANY, cls(other)) if backwards else seq(cls(other), chars.ANY)
    rec.assume(mk("str.in_re", rest.t, opt(start)))
    rec.assume(or_(not_(eq(gap.t, const(""))), eq(rest.t, const(""))))
    memo[key] = (one, rest)
    return one, rest


@model("splitlines")
def splitlines(kind: Kind, rec: Recorder, w: Word, /, keepends: Any = False) -> Any:
    keep = bool(keepends) if is_symbolic(keepends) else bool(fixed(rec, keepends))
    lines: list[Any] = []
    while not is_empty(rec, w):
        if len(lines) >= MAX_PIECES:
            rec.pin(w.t, w.v, "splitlines: more than a few lines")
            return lines + kind.encode(w.v).splitlines(keep)
        found = scan(rec, w, kind.breaks)
        if found is None:
            lines.append(kind.wrap(w))
            break
        line, end, w = found
        if decide(rec, text.equal(rec, end, lit("\r")), end.v == "\r", RARE + "carriage return"):
            end = lit("\r")
            if decide(rec, text.prefix(rec, lit("\n"), w), w.v.startswith("\n")):
                end, w = lit("\r\n"), text.without(rec, w, lit("\n"), True)
        lines.append(kind.wrap(cat(line, end) if keep else line))
    return lines


def _strip(kind: Kind, rec: Recorder, w: Word, which: Any, left: bool, right: bool) -> Any:
    if which is None:
        r = kind.spaces
    else:
        c = kind.word(which)
        if c.t.op != "const":
            rec.pin(c.t, c.v, "the characters to strip")
        r = chars.normal((p, p) for p in map(ord, c.v))
    return kind.wrap(stripped(rec, w, r, left, right))


@model("strip")
def strip(kind: Kind, rec: Recorder, w: Word, which: Any = None, /) -> Any:
    return _strip(kind, rec, w, which, True, True)


@model("lstrip")
def lstrip(kind: Kind, rec: Recorder, w: Word, which: Any = None, /) -> Any:
    return _strip(kind, rec, w, which, True, False)


@model("rstrip")
def rstrip(kind: Kind, rec: Recorder, w: Word, which: Any = None, /) -> Any:
    return _strip(kind, rec, w, which, False, True)


_CONTROL = chars.of("\t\n\r")


@model("expandtabs")
def expandtabs(kind: Kind, rec: Recorder, w: Word, /, tabsize: Any = 8) -> Any:
    size = fixed(rec, tabsize)
    done = [lit("")]
    column: Num = num(0)
    while True:
        if len(done) > MAX_PIECES:
            rec.pin(w.t, w.v, "expandtabs: more than a few tabs")
            w = lit(("x" * column.v + w.v).expandtabs(size)[column.v :])
            return kind.wrap(cat(*done, w))
        found = scan(rec, w, _CONTROL)
        if found is None:
            return kind.wrap(cat(*done, w))
        before, at, w = found
        done.append(before)
        column = add(column, length(rec, before))
        if decide(rec, text.equal(rec, at, lit("\t")), at.v == "\t"):
            if size > 0:
                rest = Num(size - column.v % size, mk("-", const(size), mk("mod", column.t, const(size))))
                done.append(text.padding(rec, " ", rest))
                column = add(column, rest)
        else:
            done.append(at)
            column = num(0)


def width(rec: Recorder, value: Any) -> Num:
    return number(value)
