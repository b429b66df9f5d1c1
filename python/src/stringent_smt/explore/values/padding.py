"""Models of ljust, rjust, center, zfill, encode and decode.

A padding is a fresh word of one repeated character with a length that is stated: `p` in `0*` and `len(p) = width - len(s)`.
"""

from __future__ import annotations

import codecs
from typing import Any

from ...terms import const, eq, mk
from ..path import Recorder
from . import chars, text
from .base import Num, Unmodelled, Word, add, at_least, concrete, decide, lit, num, sub
from .captures import holds
from .kinds import BYTES, STR, Kind, fixed, model, number


def _fill(kind: Kind, rec: Recorder, value: Any) -> str:
    c = kind.word(value)
    if not decide(rec, eq(text.length_term(rec, c.t), const(1)), len(c.v) == 1):
        raise TypeError("The fill character must be exactly one character long")
    if c.t.op != "const":
        rec.pin(c.t, c.v, "the fill character")
    return c.v


def padded(rec: Recorder, w: Word, width: Num, fill: str, align: str) -> Word:
    """A word brought to a width: `<` to the left, `>` to the right, `^` or `=` in the middle; `=` is the rule of `str.center`."""
    size = text.length(rec, w)
    if at_least(rec, size, width):
        return w
    count = sub(width, size)
    if align == "<":
        return text.cat(w, text.padding(rec, fill, count))
    if align == ">":
        return text.cat(text.padding(rec, fill, count), w)
    half = Num(count.v // 2, mk("div", count.t, const(2)))
    if align == "=" and width.v % 2:
        half = add(half, Num(count.v % 2, mk("mod", count.t, const(2))))
    rest = sub(count, half)
    return text.cat(text.padding(rec, fill, half), w, text.padding(rec, fill, rest))


def _justify(kind: Kind, rec: Recorder, w: Word, width: Any, fill: Any, align: str) -> Any:
    c = " " if fill is None else _fill(kind, rec, fill)
    if align == "=":
        return kind.wrap(padded(rec, w, num(fixed(rec, width)), c, align))
    return kind.wrap(padded(rec, w, number(width), c, align))


@model("ljust")
def ljust(kind: Kind, rec: Recorder, w: Word, width: Any, fill: Any = None, /) -> Any:
    return _justify(kind, rec, w, width, fill, "<")


@model("rjust")
def rjust(kind: Kind, rec: Recorder, w: Word, width: Any, fill: Any = None, /) -> Any:
    return _justify(kind, rec, w, width, fill, ">")


@model("center")
def center(kind: Kind, rec: Recorder, w: Word, width: Any, fill: Any = None, /) -> Any:
    return _justify(kind, rec, w, width, fill, "=")


@model("zfill")
def zfill(kind: Kind, rec: Recorder, w: Word, width: Any, /) -> Any:
    wide = number(width)
    size = text.length(rec, w)
    if at_least(rec, size, wide):
        return kind.wrap(w)
    zeros = text.padding(rec, "0", sub(wide, size))
    signed = text.in_re(rec, w, chars.seq(chars.cls(chars.of("+-")), chars.ANY))
    if not decide(rec, signed, w.v[:1] in ("+", "-")):
        return kind.wrap(text.cat(zeros, w))
    return kind.wrap(text.cat(text.char(rec, w, num(0)), zeros, text.between(rec, w, num(1), None)))


_LABEL = chars.cls(chars.complement(chars.normal([*chars.of("."), (0x80, 0x2FFFF)])))
_LABELS = chars.seq(
    mk("re.*", chars.seq(mk("re.loop", _LABEL, params=(1, 63)), mk("str.to_re", const(".")))),
    mk("re.loop", _LABEL, params=(0, 63)),
)
"""Words that the encoding idna leaves as they are."""
_ASCII_BASED = frozenset({"utf-8", "ascii", "iso8859-1", "cp1252", "iso8859-15", "utf-8-sig-less"})


def _codec(rec: Recorder, name: Any) -> str:
    if type(name) is not str:
        raise Unmodelled("the name of an encoding")
    try:
        return codecs.lookup(name).name
    except LookupError:
        raise Unmodelled("an unknown encoding") from None


@model("encode", kinds=(STR,))
def encode(kind: Kind, rec: Recorder, w: Word, /, encoding: Any = "utf-8", errors: Any = "strict") -> Any:
    codec = _codec(rec, encoding)
    if codec == "idna" and errors == "strict":
        if decide(rec, text.in_re(rec, w, _LABELS), holds(w.v, _LABELS)):
            return BYTES.wrap(w)
    if codec not in _ASCII_BASED or type(errors) is not str:
        raise Unmodelled("an encoding")
    if text.all_ascii(rec, w):
        return BYTES.wrap(w)
    if codec in ("ascii", "iso8859-1"):
        limit = 127 if codec == "ascii" else 255
        fits = all(ord(c) <= limit for c in w.v)
        if codec == "iso8859-1" and decide(rec, text.in_re(rec, w, chars.star(chars.LATIN)), fits):
            return BYTES.wrap(w)
        if errors == "strict":
            return w.v.encode(encoding)  # raises
    raise Unmodelled("characters that are not ASCII")


@model("decode", kinds=(BYTES,))
def decode(kind: Kind, rec: Recorder, w: Word, /, encoding: Any = "utf-8", errors: Any = "strict") -> Any:
    codec = _codec(rec, encoding)
    if codec not in _ASCII_BASED or type(errors) is not str:
        raise Unmodelled("an encoding")
    if codec == "iso8859-1" or text.all_ascii(rec, w):
        return STR.wrap(w)
    if codec == "ascii" and errors == "strict":
        return w.v.encode("latin-1").decode("ascii")  # raises
    raise Unmodelled("characters that are not ASCII")


__all__ = ["concrete", "lit"]
