"""Models of the operators of `int` and `bool`.

Division and remainder round down as in Python. Operators without a counterpart in linear arithmetic (most bit operations, powers with large or unknown exponents, true division) are made concrete. A number that counts
occurrences, compared with a constant, becomes a regular expression.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

from ...terms import Term, and_, const, eq, ite, mk, not_, or_
from ..path import Recorder, current, escaped, lose
from .base import (
    REFLECTED,
    Num,
    Unmodelled,
    UnrepresentableError,
    Word,
    by_subclass,
    concrete,
    decide,
    facts,
    give_up,
    is_symbolic,
    linear,
    num,
    pin_all,
    sign,
    wrap,
    wrap_num,
)
from .kinds import number

BinaryModel = Callable[[Recorder, Num, Num], Any]
MAX_BITS = 4096
"""The size of numbers from which on terms are no longer built."""


def code(c: Word) -> Any:
    """The code point of a single character."""
    return wrap(ord(c.v), code_term(c.t))


def code_term(t: Term) -> Term:
    return t.args[0] if t.op == "str.from_code" else mk("str.to_code", t)


# comparisons


def compare_terms(rec: Recorder, op: str, a: Num, b: Num) -> Term:
    """The term of a comparison. `op` is as in Python."""
    if op == "!=":
        return not_(compare_terms(rec, "==", a, b))
    counted = _count_compared(rec, op, a, b)
    if counted is not None:
        return counted
    if a.t.op == "const" and b.t.op != "const":
        a, b = b, a
        op = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}.get(op, op)
    known = sign(rec, mk("-", a.t, b.t))
    if known in (0, 1, -1):
        return const({"==": known == 0, "<": known < 0, "<=": known <= 0, ">": known > 0, ">=": known >= 0}[op])
    if known == 2 and op in ("<", ">="):
        return const(op == ">=")
    if op == "==" and b.t.op == "const":
        return _equals_constant(rec, a, b.v)
    return eq(a.t, b.t) if op == "==" else mk(op, a.t, b.t)


def _equals_constant(rec: Recorder, a: Num, value: int) -> Term:
    t = a.t
    if t.op == "ite" and t.args[1].op == "const" and t.args[2].op == "const":
        return or_(
            and_(t.args[0], const(t.args[1].value == value)), and_(not_(t.args[0]), const(t.args[2].value == value))
        )
    if t.op == "str.to_code" and facts(rec).length.get(t.args[0]) == 1 and 0 <= value <= 0x2FFFF:
        from . import text

        return text.equal(
            rec, Word(chr(a.v) if 0 <= a.v <= 0x10FFFF else "", t.args[0]), Word(chr(value), const(chr(value)))
        )
    return eq(t, const(value))


def _count_compared(rec: Recorder, op: str, a: Num, b: Num) -> Term | None:
    counts = facts(rec).counts
    if not counts:
        return None
    if a.t.op == "const":
        a, b = b, a
        op = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}.get(op, op)
    entry = counts.get(a.t)
    if entry is None or b.t.op != "const" or b.v > 20:
        return None
    from .searching import at_least_times

    w, part = entry
    if op == "==":
        if b.v < 0:
            return const(False)
        return and_(at_least_times(rec, w, part, b.v), not_(at_least_times(rec, w, part, b.v + 1)))
    times = b.v if op in (">=", "<") else b.v + 1
    term = at_least_times(rec, w, part, times)
    return term if op in (">=", ">") else not_(term)


def _float_compare(rec: Recorder, op: str, a: Num, f: float) -> tuple[bool, Term] | None:
    """A comparison with a float, as one with an integer."""
    if math.isnan(f) or math.isinf(f):
        return None
    if op in ("==", "!="):
        if not f.is_integer():
            return op == "!=", const(op == "!=")
        bound = int(f)
    else:
        bound = math.ceil(f) if op in ("<", ">=") else math.floor(f)
    value = {"==": a.v == f, "!=": a.v != f, "<": a.v < f, "<=": a.v <= f, ">": a.v > f, ">=": a.v >= f}[op]
    return value, compare_terms(rec, op, a, num(bound))


_TESTS: dict[str, Callable[[Any, Any], bool]] = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


def _comparison(op: str, name: str) -> Callable[[Any, Any], Any]:
    test = _TESTS[op]
    reflected = REFLECTED[f"__{name}__"]

    def compare(self: Any, other: Any) -> Any:
        result = by_subclass(self, other, int, reflected)
        if result is not NotImplemented:
            return result
        rec = current()
        if type(other) is float:
            if rec is None:
                return test(self.value, other)
            found = _float_compare(rec, op, self.num(), other)
            return test(self.value, other) if found is None else wrap(*found)
        if not isinstance(other, int):
            return NotImplemented
        if rec is None:
            return test(self.value, concrete(other))
        if op in ("==", "!=") and self.term.sort is const(True).sort and _is_bool(other):
            term = eq(self.term, _term(other))
            value = self.value == concrete(other)
            return wrap(value if op == "==" else not value, term if op == "==" else not_(term))
        a, b = self.num(), number(other)
        return wrap(test(a.v, b.v), compare_terms(rec, op, a, b))

    return compare


def _is_bool(value: Any) -> bool:
    return isinstance(value, bool)


def _term(value: Any) -> Term:
    return value.term if is_symbolic(value) else const(value)


# arithmetic


def plus(rec: Recorder, a: Num, b: Num) -> Num:
    return Num(a.v + b.v, _linear_sum(a.t, b.t, 1))


def minus(rec: Recorder, a: Num, b: Num) -> Num:
    return Num(a.v - b.v, _linear_sum(a.t, b.t, -1))


def _linear_sum(a: Term, b: Term, factor: int) -> Term:
    if a.size + b.size > 60:
        return mk("+" if factor == 1 else "-", a, b)
    from .base import from_linear

    atoms, constant = linear(a)
    more, extra = linear(b)
    for atom, c in more.items():
        atoms[atom] = atoms.get(atom, 0) + factor * c
    return from_linear({atom: c for atom, c in atoms.items() if c}, constant + factor * extra)


def times(rec: Recorder, a: Num, b: Num) -> Num:
    return Num(a.v * b.v, mk("*", a.t, b.t))


def floordiv(rec: Recorder, a: Num, b: Num) -> Num:
    _not_zero(rec, b, "integer division or modulo by zero")
    if decide(rec, mk(">", b.t, const(0)), b.v > 0):
        return Num(a.v // b.v, mk("div", a.t, b.t))
    return Num(a.v // b.v, mk("div", mk("-", a.t), mk("-", b.t)))


def modulo(rec: Recorder, a: Num, b: Num) -> Num:
    _not_zero(rec, b, "integer modulo by zero")
    if decide(rec, mk(">", b.t, const(0)), b.v > 0):
        return Num(a.v % b.v, mk("mod", a.t, b.t))
    return Num(a.v % b.v, mk("-", mk("mod", mk("-", a.t), mk("-", b.t))))


def _not_zero(rec: Recorder, b: Num, message: str) -> None:
    if decide(rec, eq(b.t, const(0)), b.v == 0):
        raise ZeroDivisionError(message)


def both(rec: Recorder, a: Num, b: Num) -> Any:
    return wrap_num(floordiv(rec, a, b)), wrap_num(modulo(rec, a, b))


def power(rec: Recorder, a: Num, b: Num) -> Num:
    if b.t.op != "const" or not 0 <= b.v <= 4:
        raise Unmodelled("a power")
    return Num(a.v**b.v, mk("*", *[a.t] * b.v) if b.v > 1 else a.t if b.v else const(1))


def shift_left(rec: Recorder, a: Num, b: Num) -> Num:
    if b.t.op != "const" or not 0 <= b.v <= 256:
        raise Unmodelled("a shift")
    return Num(a.v << b.v, mk("*", a.t, const(1 << b.v)))


def shift_right(rec: Recorder, a: Num, b: Num) -> Num:
    if b.t.op != "const" or not 0 <= b.v <= 256:
        raise Unmodelled("a shift")
    return Num(a.v >> b.v, mk("div", a.t, const(1 << b.v)))


def bit_and(rec: Recorder, a: Num, b: Num) -> Num:
    if a.t.op == "const":
        a, b = b, a
    if b.t.op != "const" or b.v < 0 or b.v & (b.v + 1):
        raise Unmodelled("a bit operation")
    return Num(a.v & b.v, mk("mod", a.t, const(b.v + 1)))


def _no_model(rec: Recorder, a: Num, b: Num) -> Num:
    raise Unmodelled("an operation on bits or floats")


_BINARY: dict[str, BinaryModel] = {
    "add": plus,
    "sub": minus,
    "mul": times,
    "floordiv": floordiv,
    "mod": modulo,
    "divmod": both,
    "pow": power,
    "lshift": shift_left,
    "rshift": shift_right,
    "and": bit_and,
    "or": _no_model,
    "xor": _no_model,
    "truediv": _no_model,
}


def _binary(name: str, reflected: bool) -> Callable[..., Any]:
    model = _BINARY[name]
    native = getattr(int, f"__{name}__")

    def operate(self: Any, other: Any, *rest: Any) -> Any:
        if not isinstance(other, int):
            return _repeated(self, other) if name == "mul" else _foreign(self, other, name, reflected)
        if not reflected and not rest:
            found = by_subclass(self, other, int, f"__r{name}__")
            if found is not NotImplemented:
                return found
        x, y = (other, self) if reflected else (self, other)
        rec = current()
        if rec is None or rest:
            if rec is not None:
                pin_all(rec, f"int.__{name}__", (x, y, *rest))
            return native(int(concrete(x)), int(concrete(y)), *map(concrete, rest))
        try:
            a, b = number(x), number(y)
            if (a.v.bit_length() > MAX_BITS or b.v.bit_length() > MAX_BITS) and name != "divmod":
                give_up(rec, "a large number")
            result = model(rec, a, b)
            return wrap_num(result) if type(result) is Num else result
        except (Unmodelled, UnrepresentableError) as error:
            result = native(int(concrete(x)), int(concrete(y)))
            pin_all(rec, f"int.__{name}__: {error}", (x, y))
            return result

    return operate


def _repeated(self: Any, other: Any) -> Any:
    """`"ab" * n`"""
    rec = current()
    if rec is not None and isinstance(other, str | bytes):
        from .kinds import BYTES, STR, invoke

        kind = STR if isinstance(other, str) else BYTES
        return invoke(kind, "__mul__", other, (self,), {})
    if rec is not None and type(other) in (list, tuple):
        from .kinds import fixed

        return other * fixed(rec, self)
    return _foreign(self, other, "mul", False) if type(other) in (float, complex) else NotImplemented


def _foreign(self: Any, other: Any, name: str, reflected: bool) -> Any:
    """An operation with a float or complex number: on concrete values."""
    if type(other) not in (float, complex):
        return NotImplemented
    rec = current()
    if rec is not None:
        self.pin(rec, f"int.__{name}__ with a float")
    value = self.value
    operation = f"__r{name}__" if not reflected else f"__{name}__"
    return getattr(other, operation)(value)


def _logical(name: str, reflected: bool) -> Callable[..., Any]:
    """`&`, `|` and `^` of truth values."""
    as_int = _binary(name, reflected)

    def operate(self: Any, other: Any) -> Any:
        if not _is_bool(other):
            return as_int(self, other)
        b = _term(other)
        x, y = self.value, concrete(other)
        if name == "and":
            return wrap(x and y, and_(self.term, b))
        if name == "or":
            return wrap(x or y, or_(self.term, b))
        return wrap(x is not y, not_(eq(self.term, b)))

    return operate


def _unary(name: str) -> Callable[..., Any]:
    native = getattr(int, name)

    def operate(self: Any, *args: Any) -> Any:
        rec = current()
        if rec is not None and not args:
            n: Num = self.num()
            if name in ("__pos__", "__round__", "__trunc__", "__floor__", "__ceil__", "conjugate"):
                return wrap_num(n)
            if name == "__neg__":
                return wrap(-n.v, mk("-", n.t))
            if name == "__abs__":
                nonnegative = sign(rec, n.t) in (0, 1, 2)
                return wrap(abs(n.v), n.t if nonnegative else mk("abs", n.t))
            if name == "__invert__":
                return wrap(~n.v, mk("-", mk("-", n.t), const(1)))
        if rec is not None:
            pin_all(rec, f"int.{name}", (self, *args))
        return native(int(self.value), *map(concrete, args))

    return operate


def _text(name: str) -> Callable[..., Any]:
    def convert(self: Any, *args: Any) -> Any:
        from . import formatting

        return getattr(formatting, name)(self, *args)

    return convert


def _formatted(self: Any, spec: str) -> Any:
    from .formatting import formatted

    lose("format")
    return formatted(self, spec)


def _repr(self: Any) -> Any:
    from .formatting import number_text

    lose("repr")
    return number_text(self)


def _pinned(name: str) -> Callable[..., Any]:
    native = getattr(int, name)

    @functools.wraps(native)
    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        rec = current()
        if rec is not None:
            pin_all(rec, f"int.{name}", (self, *args))
        return native(int(self.value), *map(concrete, args), **kwargs)

    return call


def _plainly(what: str) -> Callable[[Any], int]:
    def convert(self: Any) -> int:
        escaped(what)
        return int(self.value)

    return convert


def _attribute(value: Callable[[Any], Any]) -> Any:
    return property(value)


def install(cls: Any, truth: bool = False) -> None:
    """Gives a class the operators."""
    for op, name in (("==", "eq"), ("!=", "ne"), ("<", "lt"), ("<=", "le"), (">", "gt"), (">=", "ge")):
        setattr(cls, f"__{name}__", _comparison(op, name))
    for name in _BINARY:
        make = _logical if truth and name in ("and", "or", "xor") else _binary
        setattr(cls, f"__{name}__", make(name, False))
        setattr(cls, f"__r{name}__", make(name, True))
    for name in (
        "__pos__",
        "__neg__",
        "__abs__",
        "__invert__",
        "__round__",
        "__trunc__",
        "__floor__",
        "__ceil__",
        "conjugate",
    ):
        setattr(cls, name, _unary(name))
    for name in ("bit_length", "bit_count", "to_bytes", "as_integer_ratio", "__float__"):
        setattr(cls, name, _pinned(name))
    cls.__int__ = _plainly("int")
    cls.__index__ = _plainly("index")
    cls.is_integer = lambda self: True
    cls.real = _attribute(lambda self: wrap_num(self.num()))
    cls.numerator = _attribute(lambda self: wrap_num(self.num()))
    cls.imag = _attribute(lambda self: 0)
    cls.denominator = _attribute(lambda self: 1)
    cls.__format__ = _formatted
    if not truth:
        cls.__str__ = _text("number_text")
        cls.__repr__ = _repr


__all__ = ["code", "compare_terms", "install", "ite"]
