"""The classes of symbolic values: `SymStr`, `SymBytes`, `SymInt`, `SymBool`.

Each is a subclass of the type it stands for (`bool` cannot be one; its place takes a subclass of `int` that says it is a `bool`), has the concrete value, and a term. Methods call the models; a comparison gives a
`SymBool`, and the truth of a `SymBool` is a branch of the path. Without a recorder all of them behave like plain values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ...terms import Term, const, ite
from ..path import Recorder, current, escaped, lose
from . import numbers, text
from .base import MAX_PIECES, Num, Word, decide, is_symbolic, less, num, register
from .kinds import BYTES, STR, Kind, invoke, method


def _hashed(value: object) -> None:
    """A hash ties the path to the concrete value, unless a model says which keys the value is compared with."""
    rec = current()
    if rec is None:
        return
    if rec.hashable is value:
        rec.hashes -= 1
        if rec.hashes <= 0:
            rec.hashable = None
    elif rec.hashable is not rec:
        rec.lost("hash")
        rec.hashed = True


class SymStr(str):
    """A string with its term."""

    __slots__ = ("term", "value")
    term: Term
    value: str

    def __new__(cls, value: str, term: Term) -> SymStr:
        self = str.__new__(cls, value)
        self.value = str.__str__(value)
        self.term = term
        return self

    @property
    def __class__(self) -> type:
        return str

    @__class__.setter
    def __class__(self, value: type) -> None:
        raise TypeError("__class__ assignment only supported for mutable types or ModuleType subclasses")

    def plain(self) -> str:
        return self.value

    def word(self) -> Word:
        return Word(self.value, self.term)

    def pin(self, rec: Recorder, why: str) -> None:
        rec.pin(self.term, self.value, why)

    def __str__(self) -> str:
        return self

    def __repr__(self) -> str:
        from .formatting import repr_of

        lose("repr")
        result: str = repr_of(self)
        return result

    def __format__(self, spec: str) -> str:
        from .formatting import formatted

        lose("format")
        result: str = formatted(self, spec)
        return result

    def __bool__(self) -> bool:
        rec = current()
        if rec is None:
            return bool(self.value)
        return not text.is_empty(rec, self.word())

    def __len__(self) -> int:
        escaped("len")
        return len(self.value)

    def __hash__(self) -> int:
        _hashed(self)
        return hash(self.value)

    def __iter__(self) -> Iterator[Any]:
        rec = current()
        return iter(self.value) if rec is None else _characters(STR, rec, self.word())

    def __reversed__(self) -> Iterator[Any]:
        return reversed(list(self))

    def __mod__(self, other: Any) -> Any:
        from .formatting import percent

        return percent(self, other)

    def __rmod__(self, other: Any) -> Any:
        from .formatting import percent

        return percent(other, self) if isinstance(other, str) else NotImplemented

    def __copy__(self) -> SymStr:
        return self

    def __deepcopy__(self, memo: Any) -> SymStr:
        return self

    def __reduce_ex__(self, protocol: Any) -> Any:
        return str, (self.value,)

    def __getnewargs__(self) -> Any:
        return (self.value,)

    def __sizeof__(self) -> int:
        return self.value.__sizeof__()


class SymBytes(bytes):
    """Bytes with their term, a word of characters up to U+00FF."""

    term: Term
    value: bytes

    def __new__(cls, value: bytes, term: Term) -> SymBytes:
        self = bytes.__new__(cls, value)
        self.value = bytes(bytearray(value))
        self.term = term
        return self

    @property
    def __class__(self) -> type:
        return bytes

    @__class__.setter
    def __class__(self, value: type) -> None:
        raise TypeError("__class__ assignment only supported for mutable types or ModuleType subclasses")

    def plain(self) -> bytes:
        return self.value

    def word(self) -> Word:
        return Word(self.value.decode("latin-1"), self.term)

    def pin(self, rec: Recorder, why: str) -> None:
        rec.pin(self.term, self.value.decode("latin-1"), why)

    def __bytes__(self) -> bytes:
        return self

    def __repr__(self) -> str:
        from .formatting import repr_of

        lose("repr")
        result: str = repr_of(self)
        return result

    def __bool__(self) -> bool:
        rec = current()
        if rec is None:
            return bool(self.value)
        return not text.is_empty(rec, self.word())

    def __len__(self) -> int:
        escaped("len")
        return len(self.value)

    def __hash__(self) -> int:
        _hashed(self)
        return hash(self.value)

    def __iter__(self) -> Iterator[Any]:
        rec = current()
        return iter(self.value) if rec is None else _characters(BYTES, rec, self.word())

    def __copy__(self) -> SymBytes:
        return self

    def __deepcopy__(self, memo: Any) -> SymBytes:
        return self

    def __reduce_ex__(self, protocol: Any) -> Any:
        return bytes, (self.value,)


def _characters(kind: Kind, rec: Recorder, w: Word) -> Iterator[Any]:
    """The characters one by one; before each, a branch on whether there is another."""
    size = text.length(rec, w)
    for i, c in enumerate(w.v):
        if i >= 4 * MAX_PIECES:
            if current() is rec:
                rec.pin(w.t, w.v, "iteration over more than a few characters")
            yield from kind.encode(w.v[i:])
            return
        if not less(rec, num(i), size):
            return
        one = text.char(rec, w, num(i))
        yield kind.wrap(one) if kind is STR else numbers.code(one)
        del c
    less(rec, num(len(w.v)), size)


_WORD_METHODS = (
    "__add__",
    "__mul__",
    "__rmul__",
    "__eq__",
    "__ne__",
    "__lt__",
    "__le__",
    "__gt__",
    "__ge__",
    "__contains__",
    "__getitem__",
)
_STATIC = ("maketrans", "fromhex")


def _install(cls: type, kind: Kind) -> None:
    for name in dir(kind.plain):
        if name in _STATIC or (name.startswith("_") and name not in _WORD_METHODS):
            continue
        setattr(cls, name, method(kind, name))
    cls.__radd__ = _radd(kind)  # type: ignore[attr-defined]


def _radd(kind: Kind) -> Callable[[Any, Any], Any]:
    def radd(self: Any, other: Any) -> Any:
        if not isinstance(other, kind.plain):
            return NotImplemented
        return invoke(kind, "__add__", other, (self,), {})

    return radd


class SymInt(int):
    """An integer with its term."""

    term: Term
    value: int

    def __new__(cls, value: int, term: Term) -> SymInt:
        self = int.__new__(cls, value)
        self.value = int.__int__(value)
        self.term = term
        return self

    @property
    def __class__(self) -> type:
        return int

    @__class__.setter
    def __class__(self, value: type) -> None:
        raise TypeError("__class__ assignment only supported for mutable types or ModuleType subclasses")

    def plain(self) -> int:
        return self.value

    def num(self) -> Num:
        return Num(self.value, self.term)

    def pin(self, rec: Recorder, why: str) -> None:
        rec.pin(self.term, self.value, why)

    def __hash__(self) -> int:
        _hashed(self)
        return hash(self.value)

    def __bool__(self) -> bool:
        rec = current()
        if rec is None or self.value is None:
            return self.value != 0
        return decide(rec, numbers.compare_terms(rec, "!=", self.num(), num(0)), self.value != 0)

    def __copy__(self) -> SymInt:
        return self

    def __deepcopy__(self, memo: Any) -> SymInt:
        return self

    def __reduce_ex__(self, protocol: Any) -> Any:
        return int, (self.value,)


class SymBool(int):
    """A truth value with its term."""

    term: Term
    value: bool

    def __new__(cls, value: bool, term: Term) -> SymBool:
        self = int.__new__(cls, value)
        self.value = True if value else False  # noqa: SIM210 (not bool(value), which would branch)
        self.term = term
        return self

    @property
    def __class__(self) -> type:
        return bool

    @__class__.setter
    def __class__(self, value: type) -> None:
        raise TypeError("__class__ assignment only supported for mutable types or ModuleType subclasses")

    def plain(self) -> bool:
        return self.value

    def num(self) -> Num:
        return Num(int(self.value), ite(self.term, const(1), const(0)))

    def pin(self, rec: Recorder, why: str) -> None:
        rec.pin(self.term, self.value, why)

    def __hash__(self) -> int:
        _hashed(self)
        return hash(self.value)

    def __bool__(self) -> bool:
        rec = current()
        if rec is not None:
            rec.branch(self.term, self.value)
        return self.value

    def __str__(self) -> str:
        return "True" if self else "False"

    def __repr__(self) -> str:
        lose("repr")
        return "True" if self.value else "False"

    def __copy__(self) -> SymBool:
        return self

    def __deepcopy__(self, memo: Any) -> SymBool:
        return self

    def __reduce_ex__(self, protocol: Any) -> Any:
        return bool, (self.value,)


_install(SymStr, STR)
_install(SymBytes, BYTES)
numbers.install(SymInt)
numbers.install(SymBool, truth=True)
register(str, SymStr)
register(bytes, SymBytes)
register(int, SymInt)
register(bool, SymBool)

__all__ = ["SymBool", "SymBytes", "SymInt", "SymStr", "is_symbolic"]
