"""Models of builtin functions: what they do with symbolic arguments.

`int(s)` branches on the form of the text, from plain digits to signs, spaces and underscores, and is exact on all of them; other digits of Unicode are made concrete. Loops over `range(n)` branch before each number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ...terms import Sort, const, eq, mk
from ..path import NOT_ASCII, RARE, Recorder, current
from . import chars, radix, text
from .base import (
    Num,
    Unmodelled,
    UnrepresentableError,
    Word,
    add,
    at_least,
    choose,
    concrete,
    decide,
    facts,
    give_up,
    is_symbolic,
    less,
    lit,
    num,
    pin_all,
    wrap,
    wrap_num,
)
from .chars import DIGITS, alt, cls, opt, plus, seq, star
from .formatting import formatted, repr_of, text_of
from .kinds import BYTES, STR, index, number
from .numbers import code, compare_terms

BUILTINS: dict[Any, Callable[..., Any]] = {}


def builtin(function: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Registers the model of a function: used in an execution, and made concrete if it gives up."""

    def add_model(model: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            rec = current()
            if rec is None:
                return function(*args, **kwargs)
            try:
                return model(rec, *args, **kwargs)
            except (Unmodelled, UnrepresentableError) as error:
                plain = {key: concrete(value) for key, value in kwargs.items()}
                try:
                    return function(*map(concrete, args), **plain)
                finally:
                    pin_all(rec, f"{function.__name__}: {error}", (*args, *kwargs.values()))

        BUILTINS[function] = call
        return call

    return add_model


def _word_of(value: Any) -> tuple[Any, Word] | None:
    if is_symbolic(value) and isinstance(value, str | bytes):
        kind = STR if isinstance(value, str) else BYTES
        return kind, kind.word(value)
    return None


@builtin(len)
def len_(rec: Recorder, value: Any, /) -> Any:
    found = _word_of(value)
    return len(value) if found is None else wrap_num(text.length(rec, found[1]))


@builtin(ord)
def ord_(rec: Recorder, value: Any, /) -> Any:
    found = _word_of(value)
    if found is None:
        return ord(concrete(value))
    w = found[1]
    size = text.length(rec, w)
    if size.t.op != "const":
        decide(rec, eq(size.t, const(1)), len(w.v) == 1)
    if len(w.v) != 1:
        return ord(concrete(value))  # raises
    return code(w)


@builtin(chr)
def chr_(rec: Recorder, value: Any, /) -> Any:
    n = number(value)
    if not at_least(rec, n, num(0)) or not at_least(rec, num(0x10FFFF), n):
        return chr(n.v)  # raises
    if not at_least(rec, num(0x2FFFF), n):
        raise Unmodelled("a character past U+2FFFF")
    return STR.wrap(chr_word(n, rec))


def chr_word(n: Num, rec: Recorder) -> Word:
    """The character of a number that is one."""
    if n.t.op == "str.to_code":
        return Word(chr(n.v), n.t.args[0])
    w = Word(chr(n.v), mk("str.from_code", n.t))
    facts(rec).length[w.t] = 1
    return w


# int and float

_SPACE = chars.normal(r for r in chars.intersect(chars.SPACE, chars.complement(((28, 31),))))
_SIGN = opt(cls(chars.of("+-")))
_UNDERSCORED = seq(plus(DIGITS), mk("re.*", seq(chars.word("_"), plus(DIGITS))))


def _around(core: Any, spaces: chars.Ranges = _SPACE) -> Any:
    return seq(star(spaces), core, star(spaces))


def _wide_int() -> Any:
    d = plus(chars.decimals())
    return _around(seq(_SIGN, d, mk("re.*", seq(chars.word("_"), d))))


def _any_float(wide: bool) -> Any:
    d = chars.decimals() if wide else DIGITS
    part = seq(plus(d), mk("re.*", seq(chars.word("_"), plus(d))))
    point = chars.word(".")
    number_ = alt(seq(part, opt(seq(point, opt(part)))), seq(point, part))
    exponent = opt(seq(cls(chars.of("eE")), _SIGN, part))
    words = [seq(*[cls(chars.of(c + c.upper())) for c in name]) for name in ("inf", "infinity", "nan")]
    return _around(seq(_SIGN, alt(seq(number_, exponent), *words)))


_FLOATS: dict[bool, Any] = {}


@builtin(int)
def int_(rec: Recorder, value: Any = 0, /, base: Any = 10, **kwargs: Any) -> Any:
    if is_symbolic(value) and isinstance(value, int) and base == 10 and not kwargs:
        return wrap_num(number(value))
    found = _word_of(value)
    if found is None or kwargs or is_symbolic(base) or type(base) is not int:
        raise Unmodelled("an argument")
    kind, w = found
    if base != 10:
        return _int_base(rec, kind, w, base)
    spaces = _SPACE if kind is STR else chars.BYTES_SPACE
    if len(w.v) > 1000:
        give_up(rec, "a long number")
    simple = w.v.isascii() and w.v.isdigit()
    if decide(rec, text.in_re(rec, w, plus(DIGITS)), simple, "digits"):
        return wrap(int(w.v), mk("str.to_int", w.t))
    try:
        result = int(kind.encode(w.v))
    except ValueError:
        result = None
    ordinary = result is not None and w.v.isascii() if kind is STR else result is not None
    plainly = result is not None and "_" not in w.v and all(chars.member(spaces, c) or c in "+-0123456789" for c in w.v)
    if decide(rec, text.in_re(rec, w, _around(seq(_SIGN, plus(DIGITS)), spaces)), plainly, RARE + "sign or space"):
        return _signed(rec, text.stripped(rec, w, spaces, True, True))
    if result is not None and "_" in w.v and ordinary:
        ordinary = True
    underscored = result is not None and all(chars.member(spaces, c) or c in "+-_0123456789" for c in w.v)
    if decide(rec, text.in_re(rec, w, _around(seq(_SIGN, _UNDERSCORED), spaces)), underscored, RARE + "underscores"):
        bare = text.stripped(rec, w, spaces, True, True)
        return _signed(rec, Word(bare.v.replace("_", ""), mk("str.replace_all", bare.t, const("_"), const(""))))
    if kind is STR and decide(rec, text.in_re(rec, w, _wide_int()), result is not None, RARE + "other digits"):
        raise Unmodelled("digits that are not ASCII")
    return int(kind.encode(w.v))  # raises


def _signed(rec: Recorder, w: Word) -> Any:
    if decide(rec, text.prefix(rec, lit("-"), w), w.v.startswith("-"), RARE + "minus"):
        rest = text.between(rec, w, num(1), None)
        return wrap(int(w.v), mk("-", mk("str.to_int", rest.t)))
    if decide(rec, text.prefix(rec, lit("+"), w), w.v.startswith("+"), RARE + "plus"):
        w = text.between(rec, w, num(1), None)
    return wrap(int(w.v), mk("str.to_int", w.t))


def _int_base(rec: Recorder, kind: Any, w: Word, base: int) -> Any:
    """Other bases: a branch on the form, then digit by digit for short numbers. Signs, prefixes and underscores are made concrete."""
    if not 2 <= base <= 36:
        raise Unmodelled("a base")
    d = chars.of("".join(c + c.upper() for c in "0123456789abcdefghijklmnopqrstuvwxyz"[:base]))
    simple = bool(w.v) and all(chars.member(d, c) for c in w.v)
    if not decide(rec, text.in_re(rec, w, plus(d)), simple, "digits"):
        return _other_int(rec, kind, w, base, d)
    total: Num = num(0)
    for c in text.characters(rec, w, 8):
        total = add(Num(total.v * base, mk("*", const(base), total.t)), _digit(rec, c, base))
    return wrap_num(total)


def _digit(rec: Recorder, c: Word, base: int) -> Num:
    """The value of a digit: a variable with its bounds, so that numbers out of reach are seen by arithmetic alone."""
    value = int(c.v, base)
    if c.t.op == "const":
        return num(value)
    point = mk("str.to_code", c.t)
    term = mk("-", point, const(48))
    if base > 10:
        letter = mk("ite", mk("<=", point, const(90)), mk("-", point, const(55)), mk("-", point, const(87)))
        term = mk("ite", mk("<=", point, const(57)), term, letter)
    digit = rec.fresh(Sort.INT, "d", value)
    rec.assume(eq(digit, term))
    rec.assume(mk("<=", const(0), digit))
    rec.assume(mk("<", digit, const(base)))
    return Num(value, digit)


def _other_int(rec: Recorder, kind: Any, w: Word, base: int, d: Any) -> Any:
    """A text that is not only digits: no number, or one in a rare form."""
    mark = {2: "bB", 8: "oO", 16: "xX"}.get(base, "")
    prefix = [opt(seq(chars.word("0"), cls(chars.of(mark)), opt(chars.word("_"))))] if mark else []
    digits = seq(plus(d), mk("re.*", seq(chars.word("_"), plus(d))))
    spaces = _SPACE if kind is STR else chars.BYTES_SPACE
    language = _around(seq(_SIGN, *prefix, digits), spaces)
    if kind is STR and not text.all_ascii(rec, w):
        raise Unmodelled("characters that are not ASCII")
    try:
        result = int(kind.encode(w.v), base)
    except ValueError:
        result = None
    if decide(rec, text.in_re(rec, w, language), result is not None, RARE + "sign, prefix or space"):
        raise Unmodelled("a sign, a prefix or a space")
    return int(kind.encode(w.v), base)  # raises


@builtin(float)
def float_(rec: Recorder, value: Any = 0, /) -> Any:
    found = _word_of(value)
    if found is None or found[0] is BYTES:
        raise Unmodelled("a float")
    w = found[1]
    try:
        result = float(w.v)
    except ValueError:
        result = None
    if not decide(rec, text.in_re(rec, w, star(chars.ASCII)), w.v.isascii(), NOT_ASCII):
        language = _FLOATS.setdefault(True, _any_float(True))
    else:
        language = _FLOATS.setdefault(False, _any_float(False))
    if not decide(rec, text.in_re(rec, w, language), result is not None):
        return float(w.v)  # raises
    raise Unmodelled("a float")


# conversions and tests


@builtin(str)
def str_(rec: Recorder, value: Any = "", /, *args: Any, **kwargs: Any) -> Any:
    if args or kwargs:
        if is_symbolic(value) and isinstance(value, bytes):
            return value.decode(*args, **kwargs)
        raise Unmodelled("an argument")
    return text_of(value)


@builtin(repr)
def repr_(rec: Recorder, value: Any, /) -> Any:
    return repr_of(value)


@builtin(format)
def format_(rec: Recorder, value: Any, spec: Any = "", /) -> Any:
    return formatted(value, spec)


def _in_base(kind: str) -> Callable[..., Any]:
    def convert(rec: Recorder, value: Any, /) -> Any:
        negative, size = radix.digits(rec, number(value), kind)
        return STR.wrap(text.cat(lit("-0" + kind if negative else "0" + kind), size))

    return convert


for _function, _kind in ((hex, "x"), (oct, "o"), (bin, "b")):
    builtin(_function)(_in_base(_kind))


@builtin(bytes)
def bytes_(rec: Recorder, value: Any = b"", /, *args: Any, **kwargs: Any) -> Any:
    if is_symbolic(value) and isinstance(value, bytes) and not args and not kwargs:
        return value
    if is_symbolic(value) and isinstance(value, str):
        if not args and not kwargs:
            return bytes(value.value)  # type: ignore[attr-defined]  # raises
        return value.encode(*args, **kwargs)
    if type(value) in (list, tuple) and not args and not kwargs:
        return BYTES.wrap(text.cat(lit(""), *[_byte(rec, element) for element in value]))
    raise Unmodelled("an argument")


def _byte(rec: Recorder, value: Any) -> Word:
    if not is_symbolic(value):
        return lit(bytes([value]).decode("latin-1"))
    n = number(value)
    if not at_least(rec, n, num(0)) or not less(rec, n, num(256)):
        bytes([n.v])  # raises
    return chr_word(n, rec)


@builtin(bool)
def bool_(rec: Recorder, value: Any = False, /) -> Any:
    found = _word_of(value)
    if found is not None:
        w = found[1]
        return wrap(bool(w.v), mk("not", text.equal(rec, w, lit(""))))
    if is_symbolic(value):
        if isinstance(value, bool):
            return value
        return wrap(value.value != 0, compare_terms(rec, "!=", number(value), num(0)))
    return bool(value)


_TYPES = {"SymStr": str, "SymBytes": bytes, "SymInt": int, "SymBool": bool}


@builtin(type)
def type_(rec: Recorder, *args: Any, **kwargs: Any) -> Any:
    if len(args) == 1 and is_symbolic(args[0]):
        return args[0].__class__
    return type(*args, **kwargs)


@builtin(isinstance)
def isinstance_(rec: Recorder, value: Any, kind: Any, /) -> Any:
    return isinstance(value, kind)


@builtin(getattr)
def getattr_(rec: Recorder, owner: Any, name: Any, /, *default: Any) -> Any:
    return getattr(owner, _attribute(rec, owner, name), *default)


def _attribute(rec: Recorder, owner: Any, name: Any) -> Any:
    """The name of an attribute: one of those that there are, if the path has it equal to that."""
    if not is_symbolic(name) or not isinstance(name, str) or hasattr(type(owner), "__getattr__"):
        return _name(rec, name)
    from .containers import find_key

    found, which = find_key(rec, sorted(set(dir(owner))), name)
    return which if found else concrete(name)


@builtin(hasattr)
def hasattr_(rec: Recorder, owner: Any, name: Any, /) -> Any:
    return hasattr(owner, _attribute(rec, owner, name))


@builtin(setattr)
def setattr_(rec: Recorder, owner: Any, name: Any, value: Any, /) -> Any:
    return setattr(owner, _name(rec, name), value)


def _name(rec: Recorder, name: Any) -> Any:
    if is_symbolic(name):
        name.pin(rec, "the name of an attribute")
        return name.plain()
    return name


@builtin(hash)
def hash_(rec: Recorder, value: Any, /) -> Any:
    rec.lost("hash")
    return hash(concrete(value))


@builtin(ascii)
def ascii_(rec: Recorder, value: Any, /) -> Any:
    found = _word_of(value)
    if found is not None and text.all_ascii(rec, found[1]):
        return repr_of(value)
    raise Unmodelled("characters that are not ASCII")


@builtin(abs)
def abs_(rec: Recorder, value: Any, /) -> Any:
    return value.__abs__()


class Range:
    """`range` with a symbolic end: a branch before each number."""

    def __init__(self, rec: Recorder, start: Num, stop: Num, step: int) -> None:
        self.rec, self.first, self.last, self.by = rec, start, stop, step

    def plain(self) -> range:
        return range(self.first.v, self.last.v, self.by)

    def __iter__(self) -> Iterator[Any]:
        at = self.first
        while current() is self.rec:
            inside = less(self.rec, at, self.last) if self.by > 0 else less(self.rec, self.last, at)
            if not inside:
                return
            yield wrap_num(at)
            at = add(at, num(self.by))
        yield from range(at.v, self.last.v, self.by)

    def __len__(self) -> int:
        self._pin("the length of a range")
        return len(self.plain())

    def _pin(self, why: str) -> None:
        if current() is self.rec:
            pin_all(self.rec, why, (wrap_num(self.first), wrap_num(self.last)))

    def __getitem__(self, key: Any) -> Any:
        self._pin("an item of a range")
        pin_all(self.rec, "an item of a range", (key,))
        return self.plain()[concrete(key)]

    def __contains__(self, value: Any) -> bool:
        if not isinstance(value, int):
            return value in self.plain()
        n, rec = number(value), self.rec
        low, high = (self.first, self.last) if self.by > 0 else (add(self.last, num(1)), add(self.first, num(1)))
        if not (at_least(rec, n, low) and less(rec, n, high)):
            return False
        if abs(self.by) == 1:
            return True
        rest = mk("mod", mk("-", n.t, self.first.t), const(abs(self.by)))
        return decide(rec, eq(rest, const(0)), (n.v - self.first.v) % abs(self.by) == 0)

    def __reversed__(self) -> Iterator[Any]:
        return iter(list(self)[::-1])

    def __bool__(self) -> bool:
        return less(self.rec, self.first, self.last) if self.by > 0 else less(self.rec, self.last, self.first)

    def __eq__(self, other: object) -> bool:
        self._pin("ranges compared")
        return self.plain() == (other.plain() if isinstance(other, Range) else other)

    def __hash__(self) -> int:
        self._pin("the hash of a range")
        return hash(self.plain())


@builtin(range)
def range_(rec: Recorder, *args: Any) -> Any:
    if not 1 <= len(args) <= 3:
        return range(*args)  # raises
    numbers = [number(a) for a in args]
    start, stop = (num(0), numbers[0]) if len(args) == 1 else numbers[:2]
    step = numbers[2] if len(args) == 3 else num(1)
    choose(rec, step)
    if step.v == 0:
        return range(start.v, stop.v, 0)  # raises
    return Range(rec, start, stop, step.v)


@builtin(slice)
def slice_(rec: Recorder, *args: Any) -> Any:
    return slice(*args)


def _maketrans(rec: Recorder, *args: Any) -> Any:
    if len(args) >= 2:
        for arg in (args[0], *args[2:]):
            if is_symbolic(arg):
                arg.pin(rec, "str.maketrans")
        if is_symbolic(args[1]):
            images = text.characters(rec, STR.word(args[1]))
            if len(images) != len(concrete(args[0])):
                return str.maketrans(*map(concrete, args))  # raises
            table: dict[int, Any] = {ord(c): STR.wrap(i) for c, i in zip(concrete(args[0]), images, strict=True)}
            table.update({ord(c): None for c in concrete(args[2])} if len(args) > 2 else {})
            return table
        return str.maketrans(*map(concrete, args))
    raise Unmodelled("a table")


builtin(str.maketrans)(_maketrans)

__all__ = ["BUILTINS", "Range", "index"]
