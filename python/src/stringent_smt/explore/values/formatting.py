"""Text from values: `str()`, `repr()`, format specifications, `%`, `str.format` and f-strings.

Each field becomes a word, and the result is their concatenation. Specifications of strings and of integers, decimal or in base 2, 8 or 16 (radix.py), have exact models; those of floats are made concrete.
"""

from __future__ import annotations

import _string  # type: ignore[import-not-found]
import re
from collections.abc import Iterator, Mapping
from typing import Any

from ...terms import const, mk
from ..path import Recorder, current
from . import chars, radix, text
from .base import (
    MAX_PIECES,
    Num,
    Unmodelled,
    UnrepresentableError,
    Word,
    at_least,
    concrete,
    decide,
    give_up,
    is_symbolic,
    lit,
    num,
    pin_all,
)
from .kinds import BYTES, STR, Kind, model
from .padding import padded

# decimal numbers


def digits(rec: Recorder, n: Num) -> tuple[bool, Word]:
    """Whether a number is negative, which is a branch, and the digits of its absolute value."""
    negative = not at_least(rec, n, num(0))
    size = mk("-", n.t) if negative else n.t
    if size.op == "const":
        return negative, lit(str(size.value))
    if len(str(abs(n.v))) > 1000:
        give_up(rec, "a large number")
    return negative, Word(str(abs(n.v)), mk("str.from_int", size))


def number_word(rec: Recorder, n: Num) -> Word:
    """`str` of a number."""
    negative, size = digits(rec, n)
    return text.cat(lit("-"), size) if negative else size


def number_text(value: Any) -> str:
    """`str` of a symbolic number."""
    rec = current()
    if rec is None:
        return int.__repr__(int(concrete(value)))
    try:
        return STR.wrap(number_word(rec, value.num()))  # type: ignore[no-any-return]
    except (Unmodelled, UnrepresentableError) as error:
        value.pin(rec, f"str: {error}")
        return int.__repr__(value.value)


# str and repr

_CONTAINERS = frozenset({list, tuple, dict, set, frozenset})


def text_of(value: Any) -> Any:
    """`str(value)`, symbolic if the value is."""
    kind = type(value)
    if is_symbolic(value):
        if isinstance(value, str):
            return value
        if isinstance(value, bytes):
            return repr_of(value)
        return value.__str__()
    return repr_of(value) if kind in _CONTAINERS else str(value)


_SIMPLE = chars.intersect(chars.PRINTABLE, chars.complement(chars.of("'\\")))


def repr_of(value: Any) -> Any:
    """`repr(value)`"""
    rec = current()
    kind = type(value)
    if rec is None:
        return repr(concrete(value))
    if is_symbolic(value):
        if isinstance(value, str | bytes):
            which = STR if isinstance(value, str) else BYTES
            return _quoted(which, rec, which.word(value))
        return value.__str__()
    if kind in (list, tuple) and len(value) <= MAX_PIECES:
        parts = [STR.word(repr_of(element)) for element in value]
        left, right = ("[", "]") if kind is list else ("(", ",)" if len(value) == 1 else ")")
        return STR.wrap(_enclosed(left, parts, right))
    if kind is dict and len(value) <= MAX_PIECES:
        pairs = [text.cat(STR.word(repr_of(k)), lit(": "), STR.word(repr_of(v))) for k, v in value.items()]
        return STR.wrap(_enclosed("{", pairs, "}"))
    return repr(value)


def _enclosed(left: str, parts: list[Word], right: str) -> Word:
    result = [lit(left)]
    for i, part in enumerate(parts):
        result += [lit(", "), part] if i else [part]
    return text.cat(*result, lit(right))


def _quoted(kind: Kind, rec: Recorder, w: Word) -> Any:
    plain = all(chars.member(_SIMPLE, c) for c in w.v)
    if decide(rec, text.in_re(rec, w, chars.star(_SIMPLE)), plain):
        return STR.wrap(text.cat(lit("'" if kind is STR else "b'"), w, lit("'")))
    rec.pin(w.t, w.v, "repr: characters that are escaped")
    return repr(kind.encode(w.v))


# format specifications

_SPEC = re.compile(
    r"(?:(?P<fill>.)?(?P<align>[<>=^]))?(?P<sign>[-+ ])?(?P<alt>\#)?(?P<zero>0)?(?P<width>[0-9]+)?(?P<group>[,_])?(?:\.(?P<precision>[0-9]+))?(?P<type>[sdxXob])?",
    re.S,
)


def formatted(value: Any, spec: Any) -> Any:
    """`format(value, spec)`"""
    rec = current()
    if is_symbolic(spec):
        if rec is not None and spec.term.op != "const":
            spec.pin(rec, "a format specification")
        spec = spec.value
    if not is_symbolic(value):
        return text_of(value) if not spec and type(value) in _CONTAINERS else format(value, spec)
    if rec is None:
        return format(value.plain(), spec)
    if isinstance(value, bool):
        if not spec:
            return value.__str__()
        return format(value.__bool__(), spec)
    plain = format(value.plain(), spec)
    if not spec:
        return text_of(value)
    try:
        result = _by_spec(rec, value, spec)
    except (Unmodelled, UnrepresentableError) as error:
        value.pin(rec, f"format: {error}")
        return plain
    assert result.v == plain, (spec, plain, result.v)
    return STR.wrap(result)


def _by_spec(rec: Recorder, value: Any, spec: str) -> Word:
    found = _SPEC.fullmatch(spec)
    if found is None:
        raise Unmodelled("a format specification")
    fill, align, zero = found["fill"] or " ", found["align"], found["zero"]
    width = int(found["width"] or 0)
    if width > 10_000:
        raise Unmodelled("a wide field")
    if isinstance(value, str):
        if found["sign"] or found["alt"] or found["group"] or (found["type"] or "s") != "s" or align == "=" or zero:
            raise Unmodelled("a format specification")
        w = value.word()  # type: ignore[attr-defined]
        if found["precision"] is not None:
            w = shortened(rec, w, int(found["precision"]))
        return padded(rec, w, num(width), fill, align or "<")
    if isinstance(value, bytes) or found["precision"] is not None or found["type"] == "s":
        raise Unmodelled("a format specification")
    kind = found["type"] or "d"
    if (found["group"] and (zero or align == "=") and width) or (found["group"] == "," and kind != "d"):
        raise Unmodelled("a format specification")
    if kind == "d" and not found["group"]:
        negative, size = digits(rec, value.num())
    else:
        negative, size = radix.digits(rec, value.num(), kind, found["group"] or "")
    mark = "-" if negative else found["sign"] if found["sign"] in ("+", " ") else ""
    mark += "0" + kind if found["alt"] and kind != "d" else ""
    if zero and not align:
        fill, align = "0", "="
    return justified(rec, lit(mark), size, num(width), fill, align or ">")


def shortened(rec: Recorder, w: Word, limit: int) -> Word:
    """The first characters."""
    if at_least(rec, num(limit), text.length(rec, w)):
        return w
    return text.between(rec, w, num(0), num(limit))


def justified(rec: Recorder, mark: Word, size: Word, width: Num, fill: str, align: str) -> Word:
    """A sign and digits in a field; `=` fills between them."""
    whole = text.cat(mark, size)
    if align != "=":
        return padded(rec, whole, width, fill, align)
    length = text.length(rec, whole)
    if at_least(rec, length, width):
        return whole
    rest = Num(width.v - length.v, mk("-", width.t, length.t))
    return text.cat(mark, text.padding(rec, fill, rest), size)


# percent

_PERCENT = re.compile(
    r"%(?:\((?P<key>[^()]*)\))?(?P<flags>[-+ #0]*)(?P<width>\*|[0-9]+)?(?:\.(?P<precision>\*|[0-9]*))?[hlL]?(?P<type>.)",
    re.S,
)


def percent(left: Any, right: Any) -> Any:
    """`left % right`"""
    rec = current()
    if rec is None:
        return concrete(left) % concrete(right)
    if is_symbolic(left):
        left.pin(rec, "the left side of %")
        left = left.value
    try:
        return STR.wrap(_percent(rec, left, right))
    except (Unmodelled, UnrepresentableError) as error:
        result = left % concrete(right)
        pin_all(rec, f"%: {error}", (right,))
        return result


def _percent(rec: Recorder, pattern: str, right: Any) -> Word:
    by_key = isinstance(right, Mapping)
    is_tuple = isinstance(right, tuple)
    pending: Iterator[Any] = iter(right if is_tuple else (right,))
    parts = [lit("")]
    at = 0
    used = False
    while True:
        mark = pattern.find("%", at)
        if mark < 0:
            parts.append(lit(pattern[at:]))
            break
        parts.append(lit(pattern[at:mark]))
        field = _PERCENT.match(pattern, mark)
        if field is None or "*" in (field["width"], field["precision"]):
            raise Unmodelled("a conversion of %")
        at = field.end()
        if field["type"] == "%":
            parts.append(lit(field[0] % ()))
            continue
        if field["key"] is not None:
            if not by_key:
                raise TypeError("format requires a mapping")
            value = right[field["key"]]
            used = True
        else:
            try:
                value = next(pending)
            except StopIteration:
                raise TypeError("not enough arguments for format string") from None
            used = True
        parts.append(_conversion(rec, field, value))
    left_over = next(pending, pending) is not pending
    if left_over and not by_key and not (not is_tuple and used):
        raise TypeError("not all arguments converted during string formatting")
    return text.cat(*parts)


def _conversion(rec: Recorder, field: re.Match[str], value: Any) -> Word:
    flags, kind = field["flags"], field["type"]
    width = num(int(field["width"] or 0))
    precision = field["precision"]
    align = "<" if "-" in flags else ">"
    if kind in "sr":
        w = STR.word(text_of(value) if kind == "s" else repr_of(value))
        if precision is not None:
            w = shortened(rec, w, int(precision or 0))
        return padded(rec, w, width, " ", align)
    if is_symbolic(value):
        if kind in "diu" and isinstance(value, int) and precision is None:
            negative, size = digits(rec, value.num())  # type: ignore[attr-defined]
            mark = "-" if negative else "+" if "+" in flags else " " if " " in flags else ""
            if "0" in flags and align == ">":
                return justified(rec, lit(mark), size, width, "0", "=")
            return padded(rec, text.cat(lit(mark), size), width, " ", align)
        if kind in "xXo" and isinstance(value, int) and precision is None:
            negative, size = radix.digits(rec, value.num(), kind)  # type: ignore[attr-defined]
            mark = "-" if negative else "+" if "+" in flags else " " if " " in flags else ""
            mark += "0" + kind if "#" in flags else ""
            if "0" in flags and align == ">":
                return justified(rec, lit(mark), size, width, "0", "=")
            return padded(rec, text.cat(lit(mark), size), width, " ", align)
        if kind == "c" and isinstance(value, str):
            w = STR.word(value)
            if not decide(rec, mk("=", text.length_term(rec, w.t), const(1)), len(w.v) == 1):
                raise TypeError("%c requires int or char")
            return padded(rec, w, width, " ", align)
    plain_field = "%" + field[0].partition(")")[2] if field["key"] is not None else field[0]
    result = plain_field % (concrete(value),)
    pin_all(rec, f"%{kind}", (value,))
    return lit(result)


# str.format and f-strings


def format_(kind: Kind, rec: Recorder, w: Word, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    if w.t.op != "const":
        rec.pin(w.t, w.v, "a format string")
    counter = [0]
    return STR.wrap(_format(rec, w.v, args, kwargs, counter, 2))


def _format(
    rec: Recorder, pattern: str, args: tuple[Any, ...], kwargs: Mapping[str, Any], counter: list[int], depth: int
) -> Word:
    if depth < 0:
        raise ValueError("Max string recursion exceeded")
    parts = [lit("")]
    for literal, name, spec, conversion in _string.formatter_parser(pattern):
        parts.append(lit(literal))
        if name is None:
            continue
        value = _field(name, args, kwargs, counter)
        if conversion:
            value = convert(value, conversion)
        rendered = STR.wrap(_format(rec, spec, args, kwargs, counter, depth - 1)) if spec else ""
        parts.append(STR.word(formatted(value, rendered)))
    return text.cat(*parts)


def _field(name: str, args: tuple[Any, ...], kwargs: Mapping[str, Any], counter: list[int]) -> Any:
    first, rest = _string.formatter_field_name_split(name)
    if first == "":
        if counter[0] < 0:
            raise ValueError("cannot switch from manual field specification to automatic field numbering")
        first = counter[0]
        counter[0] += 1
    elif isinstance(first, int):
        if counter[0] > 0:
            raise ValueError("cannot switch from automatic field numbering to manual field specification")
        counter[0] = -1
    if isinstance(first, int):
        if first >= len(args):
            raise IndexError(f"Replacement index {first} out of range for positional args tuple")
        value = args[first]
    else:
        value = kwargs[first]
    for is_attribute, key in rest:
        value = getattr(value, key) if is_attribute else value[key]
    return value


def convert(value: Any, conversion: str) -> Any:
    """The conversions `!s`, `!r` and `!a`."""
    if conversion == "s":
        return text_of(value)
    if conversion == "r":
        return repr_of(value)
    if conversion == "a":
        rec = current()
        if rec is not None:
            pin_all(rec, "ascii", (value,))
        return ascii(concrete(value))
    raise ValueError(f"Unknown conversion specifier {conversion!r}")


@model("format", kinds=(STR,))
def format_method(kind: Kind, rec: Recorder, w: Word, /, *args: Any, **kwargs: Any) -> Any:
    return format_(kind, rec, w, args, kwargs)


@model("format_map", kinds=(STR,))
def format_map(kind: Kind, rec: Recorder, w: Word, mapping: Any, /) -> Any:
    return format_(kind, rec, w, (), mapping)


def joined(parts: Any) -> Any:
    """An f-string: strings, and triples of value, conversion and specification."""
    done: list[Any] = []
    for part in parts:
        if type(part) is tuple:
            value, conversion, spec = part
            if conversion != -1:
                value = convert(value, chr(conversion))
            part = formatted(value, spec)
        done.append(part)
    try:
        return STR.wrap(text.cat(lit(""), *[STR.word(part) for part in done]))
    except UnrepresentableError:
        rec = current()
        if rec is not None:
            pin_all(rec, "an f-string with characters past U+2FFFF", done)
        return "".join([concrete(part) for part in done])


__all__ = ["formatted", "joined", "number_text", "percent", "repr_of", "text_of"]
