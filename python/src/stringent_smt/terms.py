"""Terms of SMT-LIB over Booleans, integers, strings and regular expressions.

Terms are immutable and hash-consed: two equal terms are the same object, so that comparing them is `is`, and sharing
costs nothing. A term keeps its operator under the name of SMT-LIB (`"str.++"`), its arguments, its indices, and its
sort. `mk` builds terms and simplifies on constants only. The subclasses `Bool`, `Int`, `Str` and `Re` have the
operators of Python (`x + "a"`, `x[0:3]`, `n // 3`).
"""

from __future__ import annotations

import re
import weakref
from collections.abc import Iterable
from typing import Any, ClassVar, TypeAlias, TypeVar, Union, overload

from .errors import SortError, UnrepresentableError
from .operators import FOLD, LAST_CHARACTER, SIGNATURES, Sort
from .text import literal, symbol, term_text

Value: TypeAlias = Union[bool, int, str]
"""The values of terms that are not regular expressions."""

_BIG = 1 << 40


class Term:
    """A term; made by `mk`, `const`, `var` and the operators, never directly."""

    __slots__ = ("__weakref__", "_language", "_text", "_vars", "args", "op", "params", "size", "value")

    sort: ClassVar[Sort]

    op: str
    """The operator, `"const"` or `"var"`."""
    args: tuple[Term, ...]
    params: tuple[int, ...]
    """The indices, such as those of `re.loop`."""
    value: Any
    """The value of a constant, the name of a variable, otherwise None."""
    size: int
    """The number of operators, constants and variables of the term as a tree (saturated)."""
    _text: str | None
    _vars: frozenset[Term] | None
    _language: Any

    def __init__(self, *_: object, **__: object) -> None:
        raise TypeError("terms are made by const, var and mk")

    def smt2(self) -> str:
        """The term in SMT-LIB 2.6, with `let` for shared parts if it is large."""
        text = self._text
        if text is None:
            text = self._text = term_text(self)
        return text

    def __str__(self) -> str:
        return self.smt2()

    def __repr__(self) -> str:
        text = self.smt2()
        return text if len(text) <= 500 else text[:497] + "..."

    __hash__ = object.__hash__

    def __eq__(self, other: object) -> Bool:  # type: ignore[override]
        return eq(self, _coerce(other, self.sort))

    def __ne__(self, other: object) -> Bool:  # type: ignore[override]
        return not_(eq(self, _coerce(other, self.sort)))

    def __reduce__(self) -> tuple[Any, ...]:
        if self.op == "const":
            return const, (self.value,)
        if self.op == "var":
            return var, (self.value, self.sort)
        return _rebuild, (self.op, self.args, self.params)

    def __copy__(self) -> Term:
        return self

    def __deepcopy__(self, memo: object) -> Term:
        return self

    @property
    def is_const(self) -> bool:
        """Whether the term is a literal."""
        return self.op == "const"

    @property
    def is_var(self) -> bool:
        """Whether the term is a variable (a constant of SMT-LIB)."""
        return self.op == "var"


class Bool(Term):
    """A term of sort `Bool`."""

    __slots__ = ()
    sort = Sort.BOOL

    def __bool__(self) -> bool:
        """The truth of `a == b` and `a != b` as comparisons of terms; everything else has no truth value."""
        if self.op == "const":
            return bool(self.value)
        if self.op == "=" and len(self.args) == 2:
            return self.args[0] is self.args[1]
        if self.op == "not" and self.args[0].op == "=":
            return not self.args[0]
        raise TypeError("the truth of a term is only known to a solver; use And, Or, Not and If to combine terms")

    def __and__(self, other: BoolLike) -> Bool:
        return and_(self, to_bool(other))

    __rand__ = __and__

    def __or__(self, other: BoolLike) -> Bool:
        return or_(self, to_bool(other))

    __ror__ = __or__

    def __xor__(self, other: BoolLike) -> Bool:
        return _bool(mk("xor", self, to_bool(other)))

    __rxor__ = __xor__

    def __invert__(self) -> Bool:
        return not_(self)

    def implies(self, other: BoolLike) -> Bool:
        """`self => other`."""
        return _bool(mk("=>", self, to_bool(other)))

    def iff(self, other: BoolLike) -> Bool:
        """`self = other`."""
        return eq(self, to_bool(other))

    @overload
    def ite(self, then: StrLike, otherwise: Str) -> Str: ...
    @overload
    def ite(self, then: IntLike, otherwise: Int) -> Int: ...
    @overload
    def ite(self, then: Any, otherwise: Any) -> Term: ...
    def ite(self, then: Any, otherwise: Any) -> Term:
        """`then` if this holds, else `otherwise`."""
        term: Term = If(self, then, otherwise)
        return term


class Int(Term):
    """A term of sort `Int`. Division and remainder are those of Python."""

    __slots__ = ()
    sort = Sort.INT

    def __add__(self, other: IntLike) -> Int:
        return _int(mk("+", self, to_int(other)))

    def __radd__(self, other: IntLike) -> Int:
        return _int(mk("+", to_int(other), self))

    def __sub__(self, other: IntLike) -> Int:
        return _int(mk("-", self, to_int(other)))

    def __rsub__(self, other: IntLike) -> Int:
        return _int(mk("-", to_int(other), self))

    def __mul__(self, other: IntLike) -> Int:
        return _int(mk("*", self, to_int(other)))

    def __rmul__(self, other: IntLike) -> Int:
        return _int(mk("*", to_int(other), self))

    def __floordiv__(self, other: IntLike) -> Int:
        return floor_div(self, to_int(other))

    def __rfloordiv__(self, other: IntLike) -> Int:
        return floor_div(to_int(other), self)

    def __mod__(self, other: IntLike) -> Int:
        return floor_mod(self, to_int(other))

    def __rmod__(self, other: IntLike) -> Int:
        return floor_mod(to_int(other), self)

    def __neg__(self) -> Int:
        return _int(mk("-", self))

    def __pos__(self) -> Int:
        return self

    def __abs__(self) -> Int:
        return _int(mk("abs", self))

    def __lt__(self, other: IntLike) -> Bool:
        return _bool(mk("<", self, to_int(other)))

    def __le__(self, other: IntLike) -> Bool:
        return _bool(mk("<=", self, to_int(other)))

    def __gt__(self, other: IntLike) -> Bool:
        return _bool(mk(">", self, to_int(other)))

    def __ge__(self, other: IntLike) -> Bool:
        return _bool(mk(">=", self, to_int(other)))

    def to_str(self) -> Str:
        """The decimal digits; the empty string for negative numbers (`str.from_int`)."""
        return _str(mk("str.from_int", self))

    def to_char(self) -> Str:
        """The character with this code point, or the empty string (`str.from_code`)."""
        return _str(mk("str.from_code", self))


class Str(Term):
    """A term of sort `String`. Positions and slices are those of Python, except that `x[i]` is empty out of range."""

    __slots__ = ()
    sort = Sort.STRING
    __iter__ = None

    def __add__(self, other: StrLike) -> Str:
        return _str(mk("str.++", self, to_str(other)))

    def __radd__(self, other: StrLike) -> Str:
        return _str(mk("str.++", to_str(other), self))

    def __mul__(self, times: int) -> Str:
        if not isinstance(times, int):
            raise SortError("a string is repeated by a Python int only")
        return _str(mk("str.++", *[self] * times)) if times > 0 else StringVal("")

    __rmul__ = __mul__

    def __lt__(self, other: StrLike) -> Bool:
        return _bool(mk("str.<", self, to_str(other)))

    def __le__(self, other: StrLike) -> Bool:
        return _bool(mk("str.<=", self, to_str(other)))

    def __gt__(self, other: StrLike) -> Bool:
        return _bool(mk("str.<", to_str(other), self))

    def __ge__(self, other: StrLike) -> Bool:
        return _bool(mk("str.<=", to_str(other), self))

    def __len__(self) -> int:
        raise TypeError("len() must give a Python int; use x.length()")

    def __contains__(self, other: object) -> bool:
        raise TypeError("`in` must give a Python bool; use x.contains(part)")

    def __getitem__(self, index: IntLike | slice) -> Str:
        if isinstance(index, slice):
            return self._slice(index)
        i = to_int(index)
        if i.op == "const":
            i = i if i.value >= 0 else self.length() + i
        else:
            i = _int(ite(i < 0, self.length() + i, i))
        return _str(mk("str.at", self, i))

    def _slice(self, index: slice) -> Str:
        if index.step == -1 and index.start is None and index.stop is None:
            return _str(mk("str.rev", self))
        if index.step not in (None, 1):
            raise SortError("slices with a step are not supported, except x[::-1]")
        start = self._bound(0 if index.start is None else index.start)
        if index.stop is None:
            return _str(mk("str.substr", self, start, self.length() - start))
        return _str(mk("str.substr", self, start, self._bound(index.stop) - start))

    def _bound(self, index: IntLike) -> Int:
        """The end of a slice as a position that is not negative."""
        i = to_int(index)
        if i.op == "const" and i.value >= 0:
            return i
        from_end = self.length() + i
        from_end = _int(ite(from_end < 0, IntVal(0), from_end))
        return from_end if i.op == "const" else _int(ite(i < 0, from_end, i))

    def length(self) -> Int:
        """The number of characters."""
        return _int(mk("str.len", self))

    def at(self, index: IntLike) -> Str:
        """The character at a position, or the empty string; negative positions are out of range (`str.at`)."""
        return _str(mk("str.at", self, to_int(index)))

    def substr(self, start: IntLike, length: IntLike) -> Str:
        """`str.substr` of SMT-LIB."""
        return _str(mk("str.substr", self, to_int(start), to_int(length)))

    def contains(self, part: StrLike) -> Bool:
        """Whether `part` occurs in this string."""
        return _bool(mk("str.contains", self, to_str(part)))

    def startswith(self, prefix: StrLike) -> Bool:
        """Whether this string starts with `prefix`."""
        return _bool(mk("str.prefixof", to_str(prefix), self))

    def endswith(self, suffix: StrLike) -> Bool:
        """Whether this string ends with `suffix`."""
        return _bool(mk("str.suffixof", to_str(suffix), self))

    def find(self, part: StrLike, start: IntLike = 0) -> Int:
        """The first position of `part` from `start` on, or -1."""
        return _int(mk("str.indexof", self, to_str(part), self._bound(start)))

    def replace(self, old: StrLike, new: StrLike, count: int = -1) -> Str:
        """All occurrences of `old` replaced by `new`, or only the first with `count=1`.

        An empty `old` is replaced nowhere, and with `count=1` at the start.
        """
        if count not in (-1, 1):
            raise SortError("count must be -1 or 1")
        op = "str.replace" if count == 1 else "str.replace_all"
        return _str(mk(op, self, to_str(old), to_str(new)))

    def in_re(self, pattern: ReLike, flags: int = 0) -> Bool:
        """Whether the whole string matches: a `Re` term, a Python pattern, or its text."""
        return _bool(mk("str.in_re", self, to_re(pattern, flags)))

    def to_int(self) -> Int:
        """The number that the digits 0 to 9 denote; -1 for everything else (`str.to_int`)."""
        return _int(mk("str.to_int", self))

    def to_code(self) -> Int:
        """The code point of the only character, or -1 (`str.to_code`)."""
        return _int(mk("str.to_code", self))

    def is_digit(self) -> Bool:
        """Whether this is one of the characters 0 to 9."""
        return _bool(mk("str.is_digit", self))

    def to_lower(self) -> Str:
        """A to Z as a to z; other letters stay. Not in the standard: the built-in solver and cvc5 have it."""
        return _str(mk("str.to_lower", self))

    def to_upper(self) -> Str:
        """a to z as A to Z; other letters stay. Not in the standard: the built-in solver and cvc5 have it."""
        return _str(mk("str.to_upper", self))

    def to_re(self) -> Re:
        """The language of this string alone."""
        return _re(mk("str.to_re", self))


class Re(Term):
    """A term of sort `RegLan`: a regular language."""

    __slots__ = ()
    sort = Sort.REGLAN

    def __add__(self, other: ReLike) -> Re:
        return _re(mk("re.++", self, to_re(other)))

    def __radd__(self, other: ReLike) -> Re:
        return _re(mk("re.++", to_re(other), self))

    def __or__(self, other: ReLike) -> Re:
        return _re(mk("re.union", self, to_re(other)))

    def __ror__(self, other: ReLike) -> Re:
        return _re(mk("re.union", to_re(other), self))

    def __and__(self, other: ReLike) -> Re:
        return _re(mk("re.inter", self, to_re(other)))

    def __rand__(self, other: ReLike) -> Re:
        return _re(mk("re.inter", to_re(other), self))

    def __sub__(self, other: ReLike) -> Re:
        return _re(mk("re.diff", self, to_re(other)))

    def __invert__(self) -> Re:
        return _re(mk("re.comp", self))

    def __mul__(self, times: int) -> Re:
        return _re(mk("re.^", self, params=(times,)))

    def star(self) -> Re:
        """Zero or more times."""
        return _re(mk("re.*", self))

    def plus(self) -> Re:
        """One or more times."""
        return _re(mk("re.+", self))

    def opt(self) -> Re:
        """Once or not at all."""
        return _re(mk("re.opt", self))

    def loop(self, least: int, most: int | None = None) -> Re:
        """From `least` to `most` times; without `most`, at least `least` times."""
        if most is None:
            return _re(mk("re.++", mk("re.^", self, params=(least,)), mk("re.*", self)))
        return _re(mk("re.loop", self, params=(least, most)))


BoolLike: TypeAlias = Union[Bool, bool]
IntLike: TypeAlias = Union[Int, int]
StrLike: TypeAlias = Union[Str, str]
ReLike: TypeAlias = Union[Re, str, "re.Pattern[str]"]

_CLASSES: dict[Sort, type[Term]] = {Sort.BOOL: Bool, Sort.INT: Int, Sort.STRING: Str, Sort.REGLAN: Re}


# The table of all living terms. Keys hold the identities of the arguments, which live as long as the term itself.


class _Entry(weakref.ref[Term]):
    __slots__ = ("key",)
    key: tuple[Any, ...]


_table: dict[tuple[Any, ...], _Entry] = {}


def _forget(entry: weakref.ref[Term], _table: dict[tuple[Any, ...], _Entry] = _table) -> None:
    key = entry.key  # type: ignore[attr-defined]
    if _table.get(key) is entry:
        del _table[key]


def _intern(
    key: tuple[Any, ...], cls: type[Term], op: str, args: tuple[Term, ...], params: tuple[int, ...], value: Any
) -> Term:
    entry = _table.get(key)
    if entry is not None:
        found = entry()
        if found is not None:
            return found
    term: Term = object.__new__(cls)
    term.op = op
    term.args = args
    term.params = params
    term.value = value
    term._text = None
    term._vars = None
    term._language = None
    size = 1
    for arg in args:
        size += arg.size
    term.size = size if size < _BIG else _BIG
    new = _Entry(term, _forget)
    new.key = key
    while True:  # another thread may have made the same term, or the same term may just have died
        old = _table.setdefault(key, new)
        if old is new:
            return term
        found = old()
        if found is not None:
            return found
        if _table.get(key) is old:
            _table[key] = new
            return term


def _apply(op: str, sort: Sort, args: tuple[Term, ...], params: tuple[int, ...] = ()) -> Term:
    return _intern((op, params, *map(id, args)), _CLASSES[sort], op, args, params, None)


def const(value: Value) -> Term:
    """The literal of a Python bool, int or str."""
    if isinstance(value, str):
        if not value.isascii() and ord(max(value)) > LAST_CHARACTER:
            raise UnrepresentableError(f"U+{ord(max(value)):X} is past U+2FFFF, the last character of SMT-LIB strings")
        value = str.__str__(value) if type(value) is not str else value
        return _intern((str, value), Str, "const", (), (), value)
    if isinstance(value, bool):
        return _intern((bool, value), Bool, "const", (), (), value)
    if isinstance(value, int):
        value = int.__int__(value)
        return _intern((int, value), Int, "const", (), (), value)
    raise SortError(f"a bool, int or str is expected, not {type(value).__name__}")


def var(name: str, sort: Sort) -> Term:
    """The variable of a name and a sort. Every name is allowed; unusual ones are encoded in SMT-LIB text."""
    if not isinstance(name, str) or not isinstance(sort, Sort):
        raise SortError("a variable has a name and a Sort")
    if sort is Sort.REGLAN:
        raise SortError("there are no variables of sort RegLan")
    return _intern(("var", sort, name), _CLASSES[sort], "var", (), (), name)


TRUE: Bool = const(True)  # type: ignore[assignment]
FALSE: Bool = const(False)  # type: ignore[assignment]
_EMPTY = const("")
_ZERO = const(0)


def mk(op: str, *args: Term, params: tuple[int, ...] = ()) -> Term:
    """The application of an operator, simplified if arguments are constants."""
    signature = SIGNATURES.get(op)
    if signature is None:
        return _polymorphic(op, args)
    sorts = signature.args
    if signature.variadic:
        sort = sorts[0]
        good = len(args) >= len(sorts)
        for arg in args:
            if arg.sort is not sort:
                good = False
    else:
        good = len(args) == len(sorts)
        for arg, sort in zip(args, sorts):
            if arg.sort is not sort:
                good = False
    if not good or len(params) != signature.indices:
        raise _wrong_sorts(op, args, params)
    simplify = _SIMPLIFY.get(op)
    if simplify is not None:
        result: Term | None = simplify(op, args, params)
        if result is not None:
            return result
    folded = _fold(op, args, params)
    return _apply(op, signature.result, args, params) if folded is None else folded


def _fold(op: str, args: tuple[Term, ...], params: tuple[int, ...]) -> Term | None:
    """The value of an operator on constants."""
    for arg in args:
        if arg.op != "const":
            return None
    meaning = FOLD.get(op)
    if meaning is None or (op in ("div", "mod") and any(a.value == 0 for a in args[1:])):
        return None
    return const(meaning(*params, *[arg.value for arg in args]))


def _polymorphic(op: str, args: tuple[Term, ...]) -> Term:
    if op in ("=", "distinct") and len(args) >= 2 and all(a.sort is args[0].sort for a in args):
        if op == "=" and len(args) == 2:
            return eq(*args)
        folded = _fold(op, args, ())
        return _apply(op, Sort.BOOL, args) if folded is None else folded
    if op == "ite" and len(args) == 3 and args[0].sort is Sort.BOOL and args[1].sort is args[2].sort:
        return ite(*args)
    raise _wrong_sorts(op, args, ())


def _wrong_sorts(op: str, args: Iterable[Term], params: tuple[int, ...]) -> SortError:
    if op not in SIGNATURES and op not in ("=", "distinct", "ite"):
        return SortError(f"unknown operator {op}")
    sorts = " ".join(a.sort.value if isinstance(a, Term) else type(a).__name__ for a in args)
    indices = "".join(f" {p}" for p in params)
    return SortError(f"{op}{indices} is not defined on ({sorts})")


def _rebuild(op: str, args: tuple[Term, ...], params: tuple[int, ...]) -> Term:
    return mk(op, *args, params=params)


# Booleans, and operators on every sort.


def not_(a: Term) -> Bool:
    """The negation."""
    if a.op == "const":
        return FALSE if a.value else TRUE
    if a.op == "not":
        return a.args[0]  # type: ignore[return-value]
    return _apply("not", Sort.BOOL, (a,))  # type: ignore[return-value]


def _junction(op: str, args: Iterable[Term], neutral: Bool, zero: Bool) -> Bool:
    kept: dict[int, Term] = {}
    for arg in args:
        if arg is zero:
            return zero
        if arg is not neutral:
            kept[id(arg)] = arg
    if not kept:
        return neutral
    if len(kept) == 1:
        return next(iter(kept.values()))  # type: ignore[return-value]
    return _apply(op, Sort.BOOL, tuple(kept.values()))  # type: ignore[return-value]


def and_(*args: Term) -> Bool:
    """The conjunction; `true` of nothing."""
    return _junction("and", args, TRUE, FALSE)


def or_(*args: Term) -> Bool:
    """The disjunction; `false` of nothing."""
    return _junction("or", args, FALSE, TRUE)


def eq(a: Term, b: Term) -> Bool:
    """The equality of two terms of one sort."""
    if a is b:
        return TRUE
    if a.sort is not b.sort:
        raise _wrong_sorts("=", (a, b), ())
    if a.op == "const" and b.op == "const":
        return FALSE
    if a.sort is Sort.BOOL:
        for x, y in ((a, b), (b, a)):
            if x.op == "const":
                return y if x.value else not_(y)  # type: ignore[return-value]
    return _apply("=", Sort.BOOL, (a, b))  # type: ignore[return-value]


def ite(c: Term, a: Term, b: Term) -> Term:
    """`a` if `c` holds, else `b`."""
    if c.op == "const":
        return a if c.value else b
    if a is b:
        return a
    if a.sort is not b.sort or c.sort is not Sort.BOOL:
        raise _wrong_sorts("ite", (c, a, b), ())
    if a is TRUE and b is FALSE:
        return c
    if a is FALSE and b is TRUE:
        return not_(c)
    return _apply("ite", a.sort, (c, a, b))


# Simplification on constants, by operator. A function returns None if it has nothing to simplify.


def _simplify_not(op: str, args: tuple[Term, ...], params: tuple[int, ...]) -> Term | None:
    return not_(args[0])


def _simplify_and(op: str, args: tuple[Term, ...], params: tuple[int, ...]) -> Term | None:
    return and_(*args)


def _simplify_or(op: str, args: tuple[Term, ...], params: tuple[int, ...]) -> Term | None:
    return or_(*args)


def _simplify_implies(op: str, args: tuple[Term, ...], params: tuple[int, ...]) -> Term | None:
    if len(args) != 2:
        return None
    if args[0].op == "const":
        return args[1] if args[0].value else TRUE
    if args[1].op == "const":
        return TRUE if args[1].value else not_(args[0])
    return None


def _simplify_add(op: str, args: tuple[Term, ...], params: tuple[int, ...]) -> Term | None:
    """Constants are added up and come last; `(+ (+ x 1) 2)` is `(+ x 3)`."""
    total = 0
    terms: list[Term] = []
    for arg in args:
        if arg.op == "const":
            total += arg.value
        elif arg.op == "+" and arg.args[-1].op == "const":
            total += arg.args[-1].value
            terms.extend(arg.args[:-1])
        else:
            terms.append(arg)
    if total or not terms:
        terms.append(const(total))
    return terms[0] if len(terms) == 1 else _apply("+", Sort.INT, tuple(terms))


def _simplify_sub(op: str, args: tuple[Term, ...], params: tuple[int, ...]) -> Term | None:
    if len(args) == 1:
        if args[0].op == "-" and len(args[0].args) == 1:
            return args[0].args[0]
        return None
    if len(args) != 2:
        return None
    a, b = args
    if a is b:
        return _ZERO
    if b.op == "const":
        return _simplify_add("+", (a, const(-b.value)), ())
    if b.op == "+" and b.args[-1].op == "const":
        rest = b.args[0] if len(b.args) == 2 else _apply("+", Sort.INT, b.args[:-1])
        return _simplify_add("+", (mk("-", a, rest), const(-b.args[-1].value)), ())
    if a.op == "+" and len(a.args) == 2 and a.args[-1].op == "const" and a.args[0] is b:
        return a.args[1]
    if a is _ZERO:
        return mk("-", b)
    return None


def _simplify_mul(op: str, args: tuple[Term, ...], params: tuple[int, ...]) -> Term | None:
    factor = 1
    terms: list[Term] = []
    for arg in args:
        if arg.op == "const":
            factor *= arg.value
        else:
            terms.append(arg)
    if factor == 0 or not terms:
        return const(factor)
    if factor != 1:
        terms.insert(0, const(factor))
    return terms[0] if len(terms) == 1 else _apply("*", Sort.INT, tuple(terms))


def _simplify_div(op: str, args: tuple[Term, ...], params: tuple[int, ...]) -> Term | None:
    if len(args) == 2 and args[1].op == "const" and args[1].value == 1:
        return args[0] if op == "div" else _ZERO
    return None


def _simplify_order(op: str, args: tuple[Term, ...], params: tuple[int, ...]) -> Term | None:
    if len(args) == 2 and args[0] is args[1]:
        return TRUE if op.endswith("=") else FALSE
    return None


def _simplify_concat(op: str, args: tuple[Term, ...], params: tuple[int, ...]) -> Term | None:
    """Neighbouring constants are joined; nested concatenations are flattened if they are short."""
    terms: list[Term] = []
    for arg in args:
        if arg is _EMPTY:
            continue
        if arg.op == "str.++" and len(arg.args) <= 256:
            parts: tuple[Term, ...] = arg.args
        else:
            parts = (arg,)
        first = parts[0]
        if first.op == "const" and terms and terms[-1].op == "const":
            terms[-1] = const(terms[-1].value + first.value)
            terms.extend(parts[1:])
        else:
            terms.extend(parts)
    if not terms:
        return _EMPTY
    return terms[0] if len(terms) == 1 else _apply("str.++", Sort.STRING, tuple(terms))


def _simplify_part(op: str, args: tuple[Term, ...], params: tuple[int, ...]) -> Term | None:
    part, whole = (args[1], args[0]) if op == "str.contains" else args
    return TRUE if part is _EMPTY or part is whole else None


def _simplify_substr(op: str, args: tuple[Term, ...], params: tuple[int, ...]) -> Term | None:
    s, start, length = args
    if s is _EMPTY or (length.op == "const" and length.value <= 0) or (start.op == "const" and start.value < 0):
        return _EMPTY
    if start is _ZERO and length.op == "str.len" and length.args[0] is s:
        return s
    return None


def _simplify_at(op: str, args: tuple[Term, ...], params: tuple[int, ...]) -> Term | None:
    s, i = args
    return _EMPTY if s is _EMPTY or (i.op == "const" and i.value < 0) else None


_NONE = _apply("re.none", Sort.REGLAN, ())
_ALL = _apply("re.all", Sort.REGLAN, ())
_EPSILON = _apply("str.to_re", Sort.REGLAN, (_EMPTY,))


def _simplify_re_concat(op: str, args: tuple[Term, ...], params: tuple[int, ...]) -> Term | None:
    terms: list[Term] = []
    for arg in args:
        if arg is _NONE:
            return _NONE
        for part in arg.args if arg.op == "re.++" else (arg,):
            if part is _EPSILON:
                continue
            last = terms[-1] if terms else None
            if last is not None and _is_word(last) and _is_word(part):
                terms[-1] = _apply("str.to_re", Sort.REGLAN, (const(last.args[0].value + part.args[0].value),))
            else:
                terms.append(part)
    if not terms:
        return _EPSILON
    return terms[0] if len(terms) == 1 else _apply("re.++", Sort.REGLAN, tuple(terms))


def _is_word(r: Term) -> bool:
    return r.op == "str.to_re" and r.args[0].op == "const"


def _simplify_re_union(op: str, args: tuple[Term, ...], params: tuple[int, ...]) -> Term | None:
    neutral, zero = (_NONE, _ALL) if op == "re.union" else (_ALL, _NONE)
    terms: dict[int, Term] = {}
    for arg in args:
        for part in arg.args if arg.op == op else (arg,):
            if part is zero:
                return zero
            if part is not neutral:
                terms[id(part)] = part
    if not terms:
        return neutral
    if len(terms) == 1:
        return next(iter(terms.values()))
    return _apply(op, Sort.REGLAN, tuple(terms.values()))


def _simplify_re_star(op: str, args: tuple[Term, ...], params: tuple[int, ...]) -> Term | None:
    r = args[0]
    if r is _NONE or r is _EPSILON:
        return _NONE if op == "re.+" and r is _NONE else _EPSILON
    if r.op == "re.*" or r is _ALL:
        return r
    return _ALL if op == "re.*" and r.op == "re.allchar" else None


def _simplify_re_comp(op: str, args: tuple[Term, ...], params: tuple[int, ...]) -> Term | None:
    r = args[0]
    if r.op == "re.comp":
        return r.args[0]
    return _ALL if r is _NONE else _NONE if r is _ALL else None


def _simplify_re_loop(op: str, args: tuple[Term, ...], params: tuple[int, ...]) -> Term | None:
    least, most = params[0], params[-1]
    if least < 0 or most < 0:
        raise SortError(f"{op} needs indices that are not negative")
    if least > most:
        return _NONE
    if most == 0:
        return _EPSILON
    if least == most == 1:
        return args[0]
    return mk("re.opt", args[0]) if (least, most) == (0, 1) else None


def _simplify_in_re(op: str, args: tuple[Term, ...], params: tuple[int, ...]) -> Term | None:
    s, r = args
    if r is _ALL or r is _NONE:
        return TRUE if r is _ALL else FALSE
    return eq(s, r.args[0]) if r.op == "str.to_re" else None


_SIMPLIFY: dict[str, Any] = {
    "not": _simplify_not,
    "and": _simplify_and,
    "or": _simplify_or,
    "=>": _simplify_implies,
    "+": _simplify_add,
    "-": _simplify_sub,
    "*": _simplify_mul,
    "div": _simplify_div,
    "mod": _simplify_div,
    "<": _simplify_order,
    "<=": _simplify_order,
    ">": _simplify_order,
    ">=": _simplify_order,
    "str.<": _simplify_order,
    "str.<=": _simplify_order,
    "str.++": _simplify_concat,
    "str.contains": _simplify_part,
    "str.prefixof": _simplify_part,
    "str.suffixof": _simplify_part,
    "str.substr": _simplify_substr,
    "str.at": _simplify_at,
    "re.++": _simplify_re_concat,
    "re.union": _simplify_re_union,
    "re.inter": _simplify_re_union,
    "re.*": _simplify_re_star,
    "re.+": _simplify_re_star,
    "re.comp": _simplify_re_comp,
    "re.loop": _simplify_re_loop,
    "re.^": _simplify_re_loop,
    "str.in_re": _simplify_in_re,
}


# Walks.

_NO_VARS: frozenset[Term] = frozenset()


def subterms(*roots: Term) -> list[Term]:
    """All different subterms, arguments before the terms that use them."""
    seen: set[int] = set()
    order: list[Term] = []
    stack: list[tuple[Term, bool]] = [(root, False) for root in reversed(roots)]
    while stack:
        term, done = stack.pop()
        if done:
            order.append(term)
        elif id(term) not in seen:
            seen.add(id(term))
            if term.args:
                stack.append((term, True))
                for arg in reversed(term.args):
                    if id(arg) not in seen:
                        stack.append((arg, False))
            else:
                order.append(term)
    return order


def free_vars(term: Term) -> frozenset[Term]:
    """The variables of a term; kept, so that asking again costs nothing."""
    found = term._vars
    if found is not None:
        return found
    stack = [term]
    while stack:
        t = stack[-1]
        if t._vars is not None:
            stack.pop()
        elif not t.args:
            t._vars = frozenset((t,)) if t.op == "var" else _NO_VARS
            stack.pop()
        else:
            missing = [a for a in t.args if a._vars is None]
            if missing:
                stack.extend(missing)
            else:
                t._vars = _union(t.args)
                stack.pop()
    assert term._vars is not None
    return term._vars


def _union(args: tuple[Term, ...]) -> frozenset[Term]:
    largest = max((a._vars or _NO_VARS for a in args), key=len)
    for a in args:
        if a._vars and not a._vars <= largest:
            largest = largest | a._vars
    return largest


def substitute(term: Term, by: dict[Term, Term]) -> Term:
    """The term with some of its subterms (usually variables) replaced by others of the same sort."""
    done: dict[int, Term] = {}
    for t in subterms(term):
        new = by.get(t)
        if new is None:
            if t.args:
                args = tuple(done[id(a)] for a in t.args)
                same = all(a is b for a, b in zip(args, t.args))
                new = t if same else mk(t.op, *args, params=t.params)
            else:
                new = t
        elif new.sort is not t.sort:
            raise SortError(f"{t} has sort {t.sort.value}, its replacement {new.sort.value}")
        done[id(t)] = new
    return done[id(term)]


# The language for users.


def String(name: str) -> Str:
    """A string variable."""
    return _str(var(name, Sort.STRING))


def Integer(name: str) -> Int:
    """An integer variable."""
    return _int(var(name, Sort.INT))


def Boolean(name: str) -> Bool:
    """A Boolean variable."""
    return _bool(var(name, Sort.BOOL))


def Strings(names: str) -> list[Str]:
    """String variables, their names separated by spaces."""
    return [String(name) for name in names.split()]


def Integers(names: str) -> list[Int]:
    """Integer variables, their names separated by spaces."""
    return [Integer(name) for name in names.split()]


def Booleans(names: str) -> list[Bool]:
    """Boolean variables, their names separated by spaces."""
    return [Boolean(name) for name in names.split()]


def StringVal(value: str) -> Str:
    """A string literal."""
    return to_str(value)


def IntVal(value: int) -> Int:
    """An integer literal."""
    return to_int(value)


def BoolVal(value: bool) -> Bool:
    """`true` or `false`."""
    return to_bool(value)


def And(*args: BoolLike) -> Bool:
    """All of them hold."""
    return and_(*map(to_bool, args))


def Or(*args: BoolLike) -> Bool:
    """One of them holds."""
    return or_(*map(to_bool, args))


def Not(a: BoolLike) -> Bool:
    """It does not hold."""
    return not_(to_bool(a))


def Implies(a: BoolLike, b: BoolLike) -> Bool:
    """`b` holds if `a` does."""
    return _bool(mk("=>", to_bool(a), to_bool(b)))


def Distinct(*args: Any) -> Bool:
    """No two of them are equal."""
    terms = _alike(args)
    return _bool(mk("distinct", *terms)) if len(terms) > 1 else TRUE


T = TypeVar("T", Bool, Int, Str, Re)


@overload
def If(c: BoolLike, a: T, b: T) -> T: ...
@overload
def If(c: BoolLike, a: Any, b: Any) -> Any: ...
def If(c: BoolLike, a: Any, b: Any) -> Any:
    """`a` if `c` holds, else `b`."""
    return ite(to_bool(c), *_alike((a, b)))


def Concat(*args: StrLike) -> Str:
    """All strings one after the other."""
    return _str(mk("str.++", *map(to_str, args))) if args else to_str("")


def floor_div(a: Term, b: Term) -> Int:
    """`a // b` of Python: rounded down, also for negative divisors."""
    if b.op == "const":
        if b.value == 0:
            raise ZeroDivisionError("division of a term by zero")
        return _int(mk("div", a, b) if b.value > 0 else mk("div", mk("-", a), const(-b.value)))
    return _int(ite(mk(">", b, _ZERO), mk("div", a, b), mk("div", mk("-", a), mk("-", b))))


def floor_mod(a: Term, b: Term) -> Int:
    """`a % b` of Python: with the sign of the divisor."""
    if b.op == "const":
        if b.value == 0:
            raise ZeroDivisionError("remainder of a term by zero")
        return _int(mk("mod", a, b) if b.value > 0 else mk("-", mk("mod", mk("-", a), const(-b.value))))
    return _int(ite(mk(">", b, _ZERO), mk("mod", a, b), mk("-", mk("mod", mk("-", a), mk("-", b)))))


def to_term(value: Any) -> Term:
    """A term as it is, a Python value as a literal."""
    return value if isinstance(value, Term) else const(value)


def _coerce(value: object, sort: Sort) -> Term:
    if isinstance(value, Term):
        return value
    if sort is Sort.INT:
        return to_int(value)  # type: ignore[arg-type]
    if sort is Sort.STRING:
        return to_str(value)  # type: ignore[arg-type]
    return to_bool(value) if sort is Sort.BOOL else to_re(value)  # type: ignore[arg-type]


def _alike(args: Iterable[Any]) -> list[Term]:
    """Terms of the sort of the first term among them; all literals if there is none."""
    args = list(args)
    for arg in args:
        if isinstance(arg, Term):
            return [_coerce(a, arg.sort) for a in args]
    return [const(a) for a in args]


def to_bool(value: BoolLike) -> Bool:
    """A Bool term as it is, a Python bool as a literal."""
    if isinstance(value, Bool):
        return value
    if isinstance(value, bool):
        return TRUE if value else FALSE
    raise SortError(f"a Bool is expected, not {_kind(value)}")


def to_int(value: IntLike) -> Int:
    """An Int term as it is, a Python int as a literal."""
    if isinstance(value, Int):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return const(value)  # type: ignore[return-value]
    raise SortError(f"an Int is expected, not {_kind(value)}")


def to_str(value: StrLike) -> Str:
    """A Str term as it is, a Python str as a literal."""
    if isinstance(value, Str):
        return value
    if isinstance(value, str):
        return const(value)  # type: ignore[return-value]
    raise SortError(f"a String is expected, not {_kind(value)}")


def to_re(value: ReLike, flags: int = 0) -> Re:
    """A Re term as it is; a Python pattern as the language of the strings that it matches as a whole."""
    if isinstance(value, Re):
        return value
    if isinstance(value, (str, re.Pattern)):
        from .patterns import fullmatch_re

        return fullmatch_re(value, flags)
    raise SortError(f"a regular expression is expected, not {_kind(value)}")


def _kind(value: object) -> str:
    return value.sort.value if isinstance(value, Term) else type(value).__name__


def _bool(term: Term) -> Bool:
    return term  # type: ignore[return-value]


def _int(term: Term) -> Int:
    return term  # type: ignore[return-value]


def _str(term: Term) -> Str:
    return term  # type: ignore[return-value]


def _re(term: Term) -> Re:
    return term  # type: ignore[return-value]


__all__ = [
    "FALSE",
    "TRUE",
    "And",
    "Bool",
    "BoolVal",
    "Boolean",
    "Booleans",
    "Concat",
    "Distinct",
    "If",
    "Implies",
    "Int",
    "IntVal",
    "Integer",
    "Integers",
    "Not",
    "Or",
    "Re",
    "Sort",
    "Str",
    "String",
    "StringVal",
    "Strings",
    "Term",
    "Value",
    "and_",
    "const",
    "eq",
    "floor_div",
    "floor_mod",
    "free_vars",
    "ite",
    "literal",
    "mk",
    "not_",
    "or_",
    "substitute",
    "subterms",
    "symbol",
    "to_term",
    "var",
]
