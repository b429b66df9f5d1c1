"""Plain containers with symbolic keys, indices and elements.

A look-up of a symbolic key branches on its equality with the keys one by one, as a chain of comparisons would; a large table is first asked as a whole, by a regular expression. The order does not depend on
hash values, so that a path has the same branches in every process.
"""

from __future__ import annotations

import enum
import re
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable, Iterable
from typing import Any

from ...terms import Sort, const, eq, mk, or_
from ..path import Recorder, current
from . import chars, tables, text
from .base import (
    Key,
    Unmodelled,
    UnrepresentableError,
    Word,
    at_least,
    choose,
    concrete,
    decide,
    is_symbolic,
    less,
    lit,
    num,
    pin_all,
    representable,
)
from .kinds import BYTES, STR, fixed, number, receiver
from .kinds import index as optional_index

METHODS: dict[tuple[type, str], Callable[..., Any]] = {}
LARGE = 24
"""The number of keys from which on a table is asked as a whole first."""


def container(kind: type, *names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Registers the model of a method of a plain container."""

    def add_model(model: Callable[..., Any]) -> Callable[..., Any]:
        for name in names:
            METHODS[kind, name] = _guarded(kind, name, model)
        return model

    return add_model


def _guarded(kind: type, name: str, model: Callable[..., Any]) -> Callable[..., Any]:
    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        rec = current()
        if rec is None:
            return getattr(kind, name)(self, *args, **kwargs)
        before, rec.hashable = rec.hashable, rec  # look-ups of keys that are found are exact
        try:
            return model(rec, self, *args, **kwargs)
        except (Unmodelled, UnrepresentableError) as error:
            pin_all(rec, f"{kind.__name__}.{name}: {error}", args)
            return getattr(kind, name)(self, *map(_plain_key, args), **kwargs)
        finally:
            rec.hashable = before

    return call


def _plain_key(value: Any) -> Any:
    return concrete(value)


# keys


_PLAIN: tuple[Any, ...] = (
    object,
    str,
    bytes,
    int,
    float,
    complex,
    tuple,
    list,
    dict,
    set,
    frozenset,
    type(None),
    range,
)
_EQUALITIES = frozenset(kind.__eq__ for kind in _PLAIN)


def _compares(value: Any) -> bool:
    """Whether the class of a value has an equality of its own."""
    return not is_symbolic(value) and type(value).__eq__ not in _EQUALITIES


def is_key(key: Any) -> bool:
    """Whether a key depends on the input: a symbolic value, or a tuple of such."""
    return is_symbolic(key) or (type(key) in (tuple, Key) and any(map(is_key, key)))


def find_key(rec: Recorder, keys: Iterable[Any], key: Any, which_one: bool = True) -> tuple[bool, Any]:
    """Whether one of the keys is equal to a symbolic key, by branches, and which, unless that does not matter."""
    keys = list(keys)
    if any(map(_compares, keys)):
        raise Unmodelled("keys with an equality of their own")
    if isinstance(key, tuple):
        for k in keys:
            if isinstance(k, tuple) and len(k) == len(key) and key == k:  # branches
                return True, k
        return False, None
    kind = str if isinstance(key, str) else bytes if isinstance(key, bytes) else int
    same = [k for k in keys if isinstance(k, kind) or (kind is int and isinstance(k, float))]
    if len(same) > LARGE and kind is not int and not any(is_symbolic(k) for k in same):
        which = STR if kind is str else BYTES
        w = which.word(key)
        table = {which.decode(k): k for k in same}
        words = chars.alt(*[chars.word(k) for k in sorted(table) if representable(k)])
        if not decide(rec, text.in_re(rec, w, words), w.v in table):
            return False, None
        if which_one:
            rec.choose(w.t, text.equal(rec, w, lit(w.v)))
        return True, table[w.v]
    if len(same) > LARGE and kind is int:
        n = number(key)
        plain = [k for k in same if not is_symbolic(k) and isinstance(k, int)]
        if len(plain) == len(same) <= 2000:
            known = sorted({int(k) for k in plain})
            ranges = chars.ranges([k for k in known if k >= 0])
            terms = [
                eq(n.t, const(lo)) if lo == hi else mk("and", mk("<=", const(lo), n.t), mk("<=", n.t, const(hi)))
                for lo, hi in ranges
            ]
            terms += [eq(n.t, const(k)) for k in known if k < 0]
            if not decide(rec, or_(*terms), n.v in known):
                return False, None
            if which_one:
                choose(rec, n)
            return True, next(k for k in plain if k == n.v)
    for k in same:
        if key == k:  # a branch
            return True, k
    return False, None


def item_key(rec: Recorder, container: Any, key: Any) -> Any:
    """The key of an assignment to an item: one that is present already if the path has it equal to that, else the key itself."""
    if type(container) is list and isinstance(key, int):
        return fixed(rec, key)
    if not isinstance(container, dict) or not plain_method(type(container), "__setitem__"):
        return key
    try:
        found, which = find_key(rec, container, key)
    except (Unmodelled, UnrepresentableError) as error:
        pin_all(rec, f"dict.__setitem__: {error}", (key,))
        return _plain_key(key)
    if found:
        key = which
    if is_key(key):
        rec.keyed[id(container)] = container
        rec.hashable = key
        if type(key) is tuple:
            return Key(key)
        # `table[key] += 1` looks for the key first, and the default is stored
        rec.hashes = 1 if type(container) is dict else 3
    return key


_OWN = frozenset({dict, defaultdict, OrderedDict, Counter})


def plain_method(kind: type, name: str) -> bool:
    """Whether a class of dictionaries has this method as `dict` has it."""
    return kind in _OWN or getattr(kind, name, None) is getattr(dict, name, None)


def _ordered(keys: Iterable[Any]) -> list[Any]:
    """The elements of a set in an order without hash values."""
    return sorted(keys, key=lambda k: (type(concrete(k)).__name__, repr(concrete(k))))


@container(dict, "__contains__")
def dict_contains(rec: Recorder, table: dict[Any, Any], key: Any, /) -> Any:
    return find_key(rec, table, key, False)[0]


def _found(rec: Recorder, table: dict[Any, Any], key: Any) -> tuple[bool, Any]:
    """Whether a key is in a table, and the value there."""
    if len(table) > LARGE:
        answer = tables.look_up(rec, table, key)
        if answer is not None:
            return answer
    found, which = find_key(rec, table, key)
    return found, table[which] if found else None


@container(dict, "__getitem__")
def dict_getitem(rec: Recorder, table: dict[Any, Any], key: Any, /) -> Any:
    found, value = _found(rec, table, key)
    if found:
        return value
    missing = getattr(type(table), "__missing__", None)
    if missing is None:
        raise KeyError(key)
    if is_key(key) and type(table) is defaultdict:
        rec.keyed[id(table)] = table
    return missing(table, key)


@container(dict, "get")
def dict_get(rec: Recorder, table: dict[Any, Any], key: Any, default: Any = None, /) -> Any:
    if not is_key(key) and id(table) not in rec.keyed:
        return table.get(key, default)
    found, value = _found(rec, table, key)
    return value if found else default


@container(dict, "pop")
def dict_pop(rec: Recorder, table: dict[Any, Any], key: Any, /, *default: Any) -> Any:
    if not is_key(key) and id(table) not in rec.keyed:
        return table.pop(key, *default)
    found, which = find_key(rec, table, key)
    if not found:
        return {}.pop(_plain_key(key), *default)
    return table.pop(which)


@container(dict, "setdefault")
def dict_setdefault(rec: Recorder, table: dict[Any, Any], key: Any, default: Any = None, /) -> Any:
    if not is_key(key) and id(table) not in rec.keyed:
        return table.setdefault(key, default)
    found, which = find_key(rec, table, key)
    if not found and is_key(key):
        rec.keyed[id(table)] = table
    return table.setdefault(which if found else key, default)


def symbolic_pairs(rec: Recorder, source: Any) -> list[Any] | None:
    """The pairs that `dict` or `update` is given, if a key is symbolic or the dictionary that they come from has symbolic keys."""
    if isinstance(source, dict):
        known = id(source) in rec.keyed or any(map(is_key, source))
        return list(source.items()) if known else None
    pairs = source if type(source) in (list, tuple) else None
    if pairs is None or not any(type(pair) in (list, tuple) and pair and is_key(pair[0]) for pair in pairs):
        return None
    return list(pairs)


def put(rec: Recorder, table: dict[Any, Any], pairs: Iterable[Any]) -> None:
    """Adds pairs to a dictionary, as assignments would."""
    for pair in pairs:
        if len(pair) != 2:
            dict([pair])  # raises
        key, value = pair
        if is_key(key) or id(table) in rec.keyed:
            key = item_key(rec, table, key)
        table[key] = value


def dict_of(rec: Recorder, pairs: Iterable[Any]) -> dict[Any, Any]:
    """A new dictionary."""
    table: dict[Any, Any] = {}
    put(rec, table, pairs)
    return table


@container(dict, "copy")
def dict_copy(rec: Recorder, table: dict[Any, Any], /) -> Any:
    return dict_of(rec, table.items())


@container(dict, "update")
def dict_update(rec: Recorder, table: dict[Any, Any], source: Any = (), /, **more: Any) -> Any:
    pairs = symbolic_pairs(rec, source)
    if pairs is None and id(table) not in rec.keyed:
        table.update(source, **more)
        return
    if pairs is None:
        pairs = list(dict(source).items())
    put(rec, table, [*pairs, *more.items()])


def dict_fromkeys(kind: Any, keys: Any, value: Any = None, /) -> Any:
    """`dict.fromkeys(keys, value)`"""
    rec = current()
    if rec is None or kind is not dict:
        return kind.fromkeys(keys, value)
    return dict_of(rec, [(key, value) for key in keys])


METHODS[type, "fromkeys"] = dict_fromkeys


def _set_contains(rec: Recorder, elements: Any, key: Any, /) -> Any:
    return find_key(rec, _ordered(elements), key, False)[0]


container(set, "__contains__")(_set_contains)
container(frozenset, "__contains__")(_set_contains)
container(type({}.keys()), "__contains__")(lambda rec, keys, key, /: find_key(rec, list(keys), key, False)[0])


@container(set, "remove")
def set_remove(rec: Recorder, elements: set[Any], key: Any, /) -> Any:
    found, which = find_key(rec, _ordered(elements), key)
    elements.remove(which if found else _plain_key(key))


_ORDER = "the order of a set"


def _add(rec: Recorder, elements: set[Any], key: Any) -> None:
    """Adds an element. A set that has a symbolic one is kept in `keyed`; where it is iterated, the order is that of the concrete values."""
    if is_key(key) or id(elements) in rec.keyed:
        if find_key(rec, _ordered(elements), key)[0]:
            return
        if is_key(key) and id(elements) not in rec.keyed:
            rec.keyed[id(elements)] = elements
            rec.approximate(_ORDER)
    elements.add(key)


@container(set, "add")
def set_add(rec: Recorder, elements: set[Any], key: Any, /) -> None:
    _add(rec, elements, key)


@container(set, "discard")
def set_discard(rec: Recorder, elements: set[Any], key: Any, /) -> None:
    found, which = find_key(rec, _ordered(elements), key)
    if found:
        elements.discard(which)


@container(set, "update")
def set_update(rec: Recorder, elements: set[Any], /, *sources: Iterable[Any]) -> None:
    for source in sources:
        for key in list(source):
            _add(rec, elements, key)


def _with(how: str) -> Callable[..., Any]:
    def method(rec: Recorder, elements: Any, /, *others: Iterable[Any]) -> Any:
        result = elements if others else collected(rec, type(elements), (elements,), {})
        for other in others:
            result = combined(rec, result, set_of(rec, other), how)
        return result

    return method


def set_of(rec: Recorder, source: Iterable[Any]) -> Any:
    return source if isinstance(source, set | frozenset) else collected(rec, set, (source,), {})


def _subset(rec: Recorder, elements: Any, other: Iterable[Any], /) -> bool:
    others = _ordered(set_of(rec, other))
    return all(find_key(rec, others, key)[0] for key in _ordered(elements))


for _set_kind in (set, frozenset):
    for _name, _how in (("union", "|"), ("intersection", "&"), ("difference", "-")):
        container(_set_kind, _name)(_with(_how))
    container(_set_kind, "issubset")(_subset)
    container(_set_kind, "issuperset")(lambda rec, elements, other, /: _subset(rec, set_of(rec, other), elements))
    container(_set_kind, "isdisjoint")(
        lambda rec, elements, other, /: not combined(rec, elements, set_of(rec, other), "&")
    )


@container(enum.EnumMeta, "__getitem__")
def enum_getitem(rec: Recorder, kind: Any, name: Any, /) -> Any:
    found, which = find_key(rec, kind.__members__, name)
    return kind[which if found else _plain_key(name)]


def collected(rec: Recorder, kind: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """`set(...)`, `frozenset(...)`, `Counter(...)`: elements that are symbolic are compared with those before them."""
    if len(args) != 1 or kwargs or (kind is Counter and isinstance(args[0], dict)):
        return kind(*args, **kwargs)
    elements = list(args[0])
    if not any(map(is_key, elements)):
        return kind(elements)
    before = rec.hashable
    try:
        if kind is Counter:
            counter: Counter[Any] = Counter()
            for key in elements:
                key = item_key(rec, counter, key)
                rec.hashable = rec
                counter[key] = dict.get(counter, key, 0) + 1
            return counter
        made: set[Any] = set()
        set_update_ = METHODS[set, "update"]
        set_update_(made, elements)
    except (Unmodelled, UnrepresentableError) as error:
        pin_all(rec, f"{kind.__name__}: {error}", elements)
        return kind(map(concrete, elements))
    finally:
        rec.hashable = before
    if kind is frozenset:
        result = frozenset(made)  # takes the hashes of `made`
        if id(made) in rec.keyed:
            rec.keyed[id(result)] = result
        return result
    return made


def combined(rec: Recorder, left: Any, right: Any, how: str) -> Any:
    """The union, intersection or difference of two sets, one of which has a symbolic element."""
    others = _ordered(right)
    if how == "|":
        found = [*_ordered(left), *others]
    else:
        found = [k for k in _ordered(left) if find_key(rec, others, k)[0] is (how == "&")]
    return collected(rec, type(left), (found,), {})


def same_collection(rec: Recorder, left: Any, right: Any) -> Any:
    """Equality of two sets or dictionaries, one of which has a symbolic key."""
    sets = isinstance(left, set | frozenset) and isinstance(right, set | frozenset)
    if not sets and not (isinstance(left, dict) and isinstance(right, dict)):
        return left == right
    if len(left) != len(right):
        return False
    others = _ordered(right) if sets else list(right)
    for key in _ordered(left) if sets else list(left):
        found, which = find_key(rec, others, key)
        if not found:
            return False
        if not sets:
            before, rec.hashable = rec.hashable, rec
            first, second = left[key], right[which]
            rec.hashable = before
            if not (first is second or first == second):
                return False
    return True


# sequences


def _sequence_contains(rec: Recorder, elements: Any, key: Any, /) -> Any:
    if any(map(_compares, elements)):
        return any(element is key or (element == key if _compares(element) else key == element) for element in elements)
    return find_key(rec, elements, key, False)[0]


def _sequence_getitem(rec: Recorder, elements: Any, key: Any, /) -> Any:
    if isinstance(key, slice):
        parts = [None if p is None else fixed(rec, p) for p in (key.start, key.stop, key.step)]
        return elements[slice(*parts)]
    n = number(key)
    size = num(len(elements))
    if not at_least(rec, n, num(0)):
        n = type(n)(n.v + size.v, mk("+", n.t, size.t))
        inside = at_least(rec, n, num(0))
    else:
        inside = less(rec, n, size)
    if not inside:
        return elements[len(elements)]  # raises
    for i in range(len(elements)):
        if i >= LARGE:
            choose(rec, n)
            return elements[n.v]
        if i == len(elements) - 1 or decide(rec, eq(n.t, const(i)), n.v == i):
            return elements[i]
    return elements[n.v]


for _kind in (list, tuple):
    container(_kind, "__contains__")(_sequence_contains)
    container(_kind, "__getitem__")(_sequence_getitem)
container(range, "__getitem__")(_sequence_getitem)


@container(range, "__contains__")
def range_contains(rec: Recorder, numbers: range, key: Any, /) -> Any:
    from .functions import Range

    if not isinstance(key, int):
        return False
    return key in Range(rec, num(numbers.start), num(numbers.stop), numbers.step)


@container(list, "pop")
def list_pop(rec: Recorder, elements: list[Any], key: Any = -1, /) -> Any:
    return elements.pop(fixed(rec, key))


@container(list, "__mul__", "__rmul__")
def list_mul(rec: Recorder, elements: list[Any], times: Any, /) -> Any:
    return elements * fixed(rec, times)


# plain strings and bytes with symbolic arguments

for _which in (STR, BYTES):
    for _name in dir(_which.plain):
        if _name in ("maketrans", "fromhex") or (
            _name.startswith("_") and _name not in ("__contains__", "__getitem__", "__add__", "__mul__")
        ):
            continue
        METHODS[_which.plain, _name] = receiver(_which, _name)


def _str_mod(left: Any, right: Any) -> Any:
    from .formatting import percent

    return percent(left, right)


METHODS[str, "__mod__"] = _str_mod

__all__ = [
    "METHODS",
    "Sort",
    "Word",
    "collected",
    "combined",
    "dict_of",
    "find_key",
    "is_key",
    "optional_index",
    "re",
    "same_collection",
    "symbolic_pairs",
]
