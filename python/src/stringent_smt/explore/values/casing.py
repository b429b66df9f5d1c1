"""Models of methods on the kinds of characters: case, predicates, translate.

Python follows Unicode, SMT-LIB knows ASCII letters only. Each model first branches on whether the input is ASCII, and is exact there. Otherwise white space and digits have exact tables, and everything else is made concrete.
`bytes` needs no such branch.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...terms import Term, const, ite, mk
from ..path import Recorder
from . import chars, text
from .base import MAX_PIECES, Unmodelled, Word, concrete, decide, facts, is_symbolic, lit, wrap
from .chars import ALNUM, ASCII, DIGITS, LETTERS, LOWER, UPPER, complement, opt, plus, seq, star
from .kinds import BYTES, STR, Kind, model
from .text import all_ascii, cat, in_re, mapped

LOWERED, UPPERED = "str.to_lower", "str.to_upper"


def _need_ascii(kind: Kind, rec: Recorder, w: Word) -> None:
    if kind is STR and not all_ascii(rec, w):
        raise Unmodelled("characters that are not ASCII")


@model("lower")
def lower(kind: Kind, rec: Recorder, w: Word, /) -> Any:
    _need_ascii(kind, rec, w)
    return kind.wrap(mapped(rec, LOWERED, w))


@model("casefold", kinds=(STR,))
def casefold(kind: Kind, rec: Recorder, w: Word, /) -> Any:
    return lower(kind, rec, w)


@model("upper")
def upper(kind: Kind, rec: Recorder, w: Word, /) -> Any:
    _need_ascii(kind, rec, w)
    return kind.wrap(mapped(rec, UPPERED, w))


@model("capitalize")
def capitalize(kind: Kind, rec: Recorder, w: Word, /) -> Any:
    _need_ascii(kind, rec, w)
    if text.is_empty(rec, w):
        return kind.encode("")
    head, tail = split_first(rec, w)
    return kind.wrap(cat(mapped(rec, UPPERED, head), mapped(rec, LOWERED, tail)))


def split_first(rec: Recorder, w: Word) -> tuple[Word, Word]:
    """The first character and the rest of a word that is not empty."""
    from .base import num

    return text.char(rec, w, num(0)), text.between(rec, w, num(1), None)


def _choice(rec: Recorder, condition: Term, holds: bool, a: Word, b: Word) -> Word:
    return Word(a.v if holds else b.v, ite(condition, a.t, b.t))


def _each(kind: Kind, rec: Recorder, w: Word, change: Callable[[int, list[Word]], Word]) -> Any:
    letters = text.characters(rec, w)
    return kind.wrap(cat(lit(""), *[_one(rec, change(i, letters)) for i in range(len(letters))]))


def _one(rec: Recorder, c: Word) -> Word:
    facts(rec).length[c.t] = 1
    return c


@model("swapcase")
def swapcase(kind: Kind, rec: Recorder, w: Word, /) -> Any:
    _need_ascii(kind, rec, w)

    def change(i: int, letters: list[Word]) -> Word:
        c = letters[i]
        is_lower = in_re(rec, c, chars.cls(LOWER))
        return _choice(rec, is_lower, "a" <= c.v <= "z", mapped(rec, UPPERED, c), mapped(rec, LOWERED, c))

    return _each(kind, rec, w, change)


@model("title")
def title(kind: Kind, rec: Recorder, w: Word, /) -> Any:
    _need_ascii(kind, rec, w)

    def change(i: int, letters: list[Word]) -> Word:
        c = letters[i]
        if i == 0:
            return mapped(rec, UPPERED, c)
        before = letters[i - 1]
        after_letter = in_re(rec, before, chars.cls(LETTERS))
        return _choice(rec, after_letter, text.has_letters(before.v), mapped(rec, LOWERED, c), mapped(rec, UPPERED, c))

    return _each(kind, rec, w, change)


# predicates


def _predicate(name: str, r: Term, kinds: tuple[Kind, ...], beyond: Callable[[], Term] | None = None) -> None:
    """A predicate that is membership in `r` on ASCII words, and in `beyond` on all others."""

    def test(kind: Kind, rec: Recorder, w: Word, /) -> Any:
        value = getattr(kind.plain, name)(kind.encode(w.v))
        if kind is STR and not all_ascii(rec, w):
            if beyond is None:
                raise Unmodelled("characters that are not ASCII")
            return wrap(value, in_re(rec, w, beyond()))
        return wrap(value, in_re(rec, w, r))

    model(name, kinds=kinds)(test)


_BOTH = (STR, BYTES)
_OTHER = complement(LETTERS)
_predicate("isalpha", plus(LETTERS), _BOTH, lambda: plus(chars.table(str.isalpha)))
_predicate("isalnum", plus(ALNUM), _BOTH, lambda: plus(chars.table(str.isalnum)))
_predicate("isdigit", plus(DIGITS), _BOTH, lambda: plus(chars.digits()))
_predicate("isdecimal", plus(DIGITS), (STR,), lambda: plus(chars.decimals()))
_predicate("isnumeric", plus(DIGITS), (STR,), lambda: plus(chars.table(str.isnumeric)))
_predicate("isupper", seq(star(complement(LOWER)), chars.cls(UPPER), star(complement(LOWER))), _BOTH)
_predicate("islower", seq(star(complement(UPPER)), chars.cls(LOWER), star(complement(UPPER))), _BOTH)
_TITLED = seq(chars.cls(UPPER), star(LOWER))
_predicate(
    "istitle", seq(star(_OTHER), mk("re.*", seq(_TITLED, plus(_OTHER))), opt(_TITLED)), _BOTH
)  # replaced below: at least one cased letter is needed
_predicate("isidentifier", seq(chars.cls(chars.IDENTIFIER_START), star(chars.IDENTIFIER)), (STR,))
_predicate("isprintable", star(chars.PRINTABLE), (STR,))
_predicate("istitle", seq(star(_OTHER), mk("re.*", seq(_TITLED, plus(_OTHER))), _TITLED, star(_OTHER)), _BOTH)


@model("isspace")
def isspace(kind: Kind, rec: Recorder, w: Word, /) -> Any:
    value = bool(w.v) and all(chars.member(kind.spaces, c) for c in w.v)
    return wrap(value, in_re(rec, w, plus(kind.spaces)))


@model("isascii")
def isascii(kind: Kind, rec: Recorder, w: Word, /) -> Any:
    return True if text.known_ascii(rec, w.t) else wrap(w.v.isascii(), in_re(rec, w, star(ASCII)))


# translate


@model("translate", kinds=(STR,))
def translate(kind: Kind, rec: Recorder, w: Word, table: Any, /) -> Any:
    if is_symbolic(table) or type(table) is not dict:
        raise Unmodelled("a table that is not a plain dictionary")
    images: dict[str, Word] = {}
    for key, image in table.items():
        if type(key) is not int or not 0 <= key <= 0x2FFFF:
            continue
        if image is None:
            images[chr(key)] = lit("")
        elif type(image) is int:
            images[chr(key)] = lit(chr(image))
        elif isinstance(image, str):
            images[chr(key)] = kind.word(image)
        else:
            raise Unmodelled("an image of another type")
    return kind.wrap(substituted(rec, w, images))


def substituted(rec: Recorder, w: Word, images: dict[str, Word]) -> Word:
    """Characters replaced by words. Whether one of them occurs is a branch: without them the word stays as it is."""
    unchanged = in_re(rec, w, star(complement(chars.ranges(map(ord, images)))))
    if decide(rec, unchanged, not any(key in w.v for key in images)):
        return w
    simple = len(images) <= 4 and not any(
        k in image.v or image.t.op != "const" for image in images.values() for k in images
    )
    if simple:
        for key, image in images.items():
            w = Word(w.v.replace(key, image.v), mk("str.replace_all", w.t, const(key), image.t))
        return w
    result = [lit("")]
    for c in text.characters(rec, w, min(MAX_PIECES, 800 // len(images))):
        if c.t.op == "const":
            result.append(images.get(c.v, c))
            continue
        term = c.t
        for key, image in images.items():
            term = ite(text.equal(rec, c, lit(key)), image.t, term)
        result.append(Word(images[c.v].v if c.v in images else c.v, term))
    return cat(*result)


@model("translate", kinds=(BYTES,))
def translate_bytes(kind: Kind, rec: Recorder, w: Word, table: Any, /, delete: Any = b"") -> Any:
    raise Unmodelled("a table")


__all__ = ["concrete"]
