"""What all values share: words and numbers with their terms, facts of the path, wrapping, and concretisation.

A value is a subclass of `str`, `int` or `bytes` that has its concrete value and, in addition, a term over the inputs. Models compute on pairs of both, `Word` and `Num`. A model may
branch (`decide`), introduce fresh variables with definitions that determine them (`piece`), or give up (`Unmodelled`); then the operation runs on concrete values and is counted.
"""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any, NamedTuple, NoReturn

from ...errors import UnrepresentableError
from ...operators import LAST_CHARACTER
from ...terms import Sort, Term, const, eq, mk, not_
from ..path import Recorder, suspended

MAX_SIZE = 3000
"""The size of a term from which on its value is pinned."""
MAX_PIECES = 64
"""The number of pieces, occurrences or characters that one operation tells apart."""


class Word(NamedTuple):
    """A string and its term. Bytes are words of characters up to U+00FF."""

    v: str
    t: Term


class Num(NamedTuple):
    """An integer and its term."""

    v: int
    t: Term


class Unmodelled(Exception):
    """A model has no term for the result: the operation runs on concrete values."""


@dataclass(slots=True)
class Facts:
    """What is known on the path of one execution beyond its events: sound, and used only to avoid branches and to choose better terms."""

    parts: dict[Term, list[tuple[Word, ...]]] = field(default_factory=dict)
    """Words that are known to be concatenations of others."""
    parent: dict[Term, Word] = field(default_factory=dict)
    """The word that a fresh variable is a piece of."""
    length: dict[Term, int] = field(default_factory=dict)
    """Words of fixed length."""
    ascii: set[Term] = field(default_factory=set)
    mapped: dict[Term, tuple[str, Word]] = field(default_factory=dict)
    """`str.to_lower x` and the like, with `x`."""
    counts: dict[Term, tuple[Word, str]] = field(default_factory=dict)
    """Numbers of occurrences of a constant in a word."""
    memo: dict[tuple[Any, ...], Any] = field(default_factory=dict)


def facts(rec: Recorder) -> Facts:
    """The facts of an execution."""
    found = rec.__dict__.get("facts")
    if found is None:
        found = rec.__dict__["facts"] = Facts()
    result: Facts = found
    return result


def lit(value: str) -> Word:
    """A constant word."""
    return Word(value, const(value))


def num(value: int) -> Num:
    """A constant number."""
    return Num(value, const(value))


def representable(value: str) -> bool:
    """Whether SMT-LIB has all characters of a string."""
    return not value or ord(max(value)) <= LAST_CHARACTER


def decide(rec: Recorder, term: Term, taken: bool, label: str | None = None) -> bool:
    """A branch inside of a model."""
    rec.branch(term, taken, label=label)
    return taken


def choose(rec: Recorder, n: Num, limit: int | None = None) -> bool:
    """States the value of a number by a choice: other executions have other values. False if the value is past the limit; this is the choice then."""
    if n.t.op == "const":
        return limit is None or n.v <= limit
    if limit is not None and n.v > limit:
        rec.choose(n.t, mk(">", n.t, const(limit)))
        return False
    rec.choose(n.t, eq(n.t, const(n.v)))
    return True


def give_up(rec: Recorder, why: str) -> NoReturn:
    """The value is too large for a model. This is no decision of the path, so another path than the predicted one is explained by it."""
    rec.approximate(why)
    raise Unmodelled(why)


# linear forms: deciding comparisons that hold by lengths alone


def linear(t: Term) -> tuple[dict[Term, int], int]:
    """A sum of atoms with coefficients, and a constant."""
    atoms: dict[Term, int] = {}
    constant = 0
    todo = [(t, 1)]
    while todo:
        term, factor = todo.pop()
        if term.op == "const":
            constant += factor * term.value
        elif term.op == "+":
            todo.extend((arg, factor) for arg in term.args)
        elif term.op == "-":
            if len(term.args) == 1:
                todo.append((term.args[0], -factor))
            else:
                todo.append((term.args[0], factor))
                todo.extend((arg, -factor) for arg in term.args[1:])
        elif term.op == "*" and len(term.args) == 2 and term.args[0].op == "const":
            todo.append((term.args[1], factor * term.args[0].value))
        elif term.op == "*" and len(term.args) == 2 and term.args[1].op == "const":
            todo.append((term.args[0], factor * term.args[1].value))
        else:
            atoms[term] = atoms.get(term, 0) + factor
    return {a: c for a, c in atoms.items() if c}, constant


def from_linear(atoms: dict[Term, int], constant: int) -> Term:
    """The term of a linear form."""
    terms = [a if c == 1 else mk("*", const(c), a) for a, c in atoms.items()]
    if constant or not terms:
        terms.append(const(constant))
    return mk("+", *terms) if len(terms) > 1 else terms[0]


def sign(rec: Recorder, t: Term) -> int | None:
    """1 if the term is at least 1 by lengths alone, 0 if it is 0, -1 if it is negative, 2 if it is at least 0, otherwise None."""
    atoms, constant = linear(t)
    if not atoms:
        return (constant > 0) - (constant < 0)
    known = facts(rec)
    expanded: dict[Term, int] = {}
    todo = list(atoms.items())
    steps = 0
    while todo:
        atom, factor = todo.pop()
        steps += 1
        if atom.op == "str.len" and steps < 200:
            parts = known.parts.get(atom.args[0])
            if parts:
                for part in parts[0]:
                    fixed = known.length.get(part.t)
                    if part.t.op == "const":
                        constant += factor * len(part.v)
                    elif fixed is not None:
                        constant += factor * fixed
                    else:
                        sub, extra = linear(mk("str.len", part.t))
                        constant += factor * extra
                        todo.extend((a, factor * c) for a, c in sub.items())
                continue
        expanded[atom] = expanded.get(atom, 0) + factor
    low = high = True
    for atom, factor in expanded.items():
        if factor and (atom.op not in ("str.len", "mod", "abs")):
            return None
        low = low and factor >= 0
        high = high and factor <= 0
    if low:
        return 1 if constant > 0 else 2 if constant == 0 else None
    return -1 if high and constant < 0 else None


def at_least(rec: Recorder, a: Num, b: Num) -> bool:
    """Decides `a >= b`, with a branch unless lengths decide it."""
    if a.t.op == "const" and b.t.op == "const":
        return a.v >= b.v
    known = sign(rec, mk("-", a.t, b.t))
    if known is not None:
        return known >= 0
    if sign(rec, mk("-", b.t, a.t)) == 1:
        return False
    return decide(rec, mk(">=", a.t, b.t), a.v >= b.v)


def less(rec: Recorder, a: Num, b: Num) -> bool:
    """Decides `a < b`."""
    return not at_least(rec, a, b)


def add(a: Num, b: Num) -> Num:
    return Num(a.v + b.v, mk("+", a.t, b.t))


def sub(a: Num, b: Num) -> Num:
    return Num(a.v - b.v, mk("-", a.t, b.t))


# pieces


def piece(rec: Recorder, hint: str, value: str) -> Word:
    """A fresh variable for a part of a word. The caller states its definition."""
    return Word(value, rec.fresh(Sort.STRING, hint, value))


def split_into(rec: Recorder, whole: Word, parts: Sequence[Word]) -> None:
    """States that `whole` is the concatenation of `parts`."""
    known = facts(rec)
    rec.assume(mk("=", whole.t, mk("str.++", *[p.t for p in parts])))
    note_parts(known, whole, parts)


def note_parts(known: Facts, whole: Word, parts: Sequence[Word]) -> None:
    if whole.t.op == "const":
        return
    known.parts.setdefault(whole.t, []).append(tuple(parts))
    for part in parts:
        if part.t.op == "var":
            known.parent.setdefault(part.t, whole)


# wrapping

SYMBOLIC: set[type] = set()
"""The types of symbolic values."""
_classes: dict[type, Any] = {}


def register(plain: type, symbolic: Any) -> None:
    """Makes a class known as the symbolic one of a plain type."""
    _classes[plain] = symbolic
    SYMBOLIC.add(symbolic)


def is_symbolic(value: object) -> bool:
    """Whether a value carries a term."""
    return type(value) in SYMBOLIC


REFLECTED = {
    "__add__": "__radd__",
    "__mul__": "__rmul__",
    "__eq__": "__eq__",
    "__ne__": "__ne__",
    "__lt__": "__gt__",
    "__le__": "__ge__",
    "__gt__": "__lt__",
    "__ge__": "__le__",
}
"""The method of the right operand for an operator."""


def by_subclass(left: Any, right: Any, plain: type, name: str) -> Any:
    """The result of a binary operator if the class of the right operand, a subclass of `plain` in Python, has a method of its own: it has precedence over that of `plain`. Otherwise NotImplemented."""
    kind = type(right)
    if kind is plain or kind in SYMBOLIC or not issubclass(kind, plain):
        return NotImplemented
    own: Any = getattr(kind, name, None)
    return own(right, left) if type(own) is FunctionType else NotImplemented


def wrap(value: Any, term: Term, rec: Recorder | None = None) -> Any:
    """A value with its term. Constants stay plain, and so do values whose term is too large: they are pinned."""
    if term.op == "const":
        return value
    if term.size > MAX_SIZE:
        from ..path import current

        rec = rec or current()
        if rec is not None:
            rec.pin(term, value.decode("latin-1") if isinstance(value, bytes) else value, "the term is too large")
        return value
    return _classes[type(value)](value, term)


def wrap_num(n: Num) -> Any:
    return wrap(n.v, n.t)


def wrap_bool(value: bool, term: Term) -> Any:
    return wrap(value, term)


class Key(tuple):  # type: ignore[type-arg]
    """A tuple that is a key of a dictionary: its hashes are no loss, since the path states which key it equals."""

    __slots__ = ()

    def __hash__(self) -> int:
        with suspended():
            return tuple.__hash__(self)


_TABLES = frozenset({defaultdict, OrderedDict, Counter})


def concrete(value: Any) -> Any:
    """The plain value; containers are copied if they have a symbolic element."""
    kind = type(value)
    if kind in SYMBOLIC:
        return value.plain()
    if kind is list or kind is tuple or kind is set or kind is frozenset:
        return kind([concrete(element) for element in value]) if any(_deep(e) for e in value) else value
    if kind is dict:
        if any(_deep(k) or _deep(e) for k, e in value.items()):
            return {concrete(k): concrete(e) for k, e in value.items()}
    if kind is Key:
        return tuple(map(concrete, value))
    if (kind in _TABLES or kind is deque) and _deep(value):
        plain = value.copy()
        plain.clear()
        if kind is deque:
            plain.extend(map(concrete, value))
        else:
            for key, element in value.items():
                plain[concrete(key)] = concrete(element)
        return plain
    if kind is slice:
        return slice(concrete(value.start), concrete(value.stop), concrete(value.step))
    return value


def _deep(value: Any, depth: int = 20) -> bool:
    kind = type(value)
    if kind in SYMBOLIC or kind is slice or kind is Key:
        return True
    if depth and kind in (list, tuple, set, frozenset, deque):
        return any(_deep(e, depth - 1) for e in value)
    if depth and (kind is dict or kind in _TABLES):
        return any(_deep(k, depth - 1) or _deep(e, depth - 1) for k, e in value.items())
    return False


def pin_all(rec: Recorder, why: str, values: Iterable[Any]) -> None:
    """Pins all symbolic values, containers looked into."""
    for value in values:
        kind = type(value)
        if kind in SYMBOLIC:
            value.pin(rec, why)
        elif kind in (list, tuple):
            pin_all(rec, why, value)
        elif kind is dict:
            pin_all(rec, why, value.values())


def lost(rec: Recorder, what: str) -> None:
    rec.lost(what)


__all__ = [
    "MAX_PIECES",
    "SYMBOLIC",
    "Facts",
    "Num",
    "Unmodelled",
    "UnrepresentableError",
    "Word",
    "add",
    "at_least",
    "choose",
    "concrete",
    "decide",
    "facts",
    "give_up",
    "is_symbolic",
    "less",
    "linear",
    "lit",
    "lost",
    "not_",
    "num",
    "piece",
    "pin_all",
    "register",
    "representable",
    "sign",
    "split_into",
    "sub",
    "wrap",
    "wrap_bool",
    "wrap_num",
]
