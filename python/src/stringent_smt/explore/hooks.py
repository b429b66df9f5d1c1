"""The functions that lifted code calls (see lift.py).

Each hook does what the operation does, unless an operand is symbolic and Python's own code would not reach its methods; then the model in `values` is used. Where there is no model, the operation runs on the value as it is, and
the loss is counted with its line. The common case, nothing symbolic, comes first.

From `values`: `SYMBOLIC` (a set of the symbolic types), `BUILTINS` (function → model with the same arguments), `METHODS` ((type of the plain receiver, name) → model with the receiver first; also `__contains__`,
`__getitem__` and `__mod__`), `joined(parts)` for f-strings (parts are strings or triples of value, conversion, specification), `concrete`, `SymBool`. A model of a method is called if an argument is symbolic or, as for
`join`, a container that may have symbolic elements.
"""

from __future__ import annotations

import builtins
import enum
import functools
import itertools
import operator
import re
import sys
import typing
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Iterable
from types import (
    BuiltinFunctionType,
    ClassMethodDescriptorType,
    FunctionType,
    GeneratorType,
    MappingProxyType,
    MethodDescriptorType,
    MethodType,
    MethodWrapperType,
    SimpleNamespace,
    WrapperDescriptorType,
)
from typing import Any

from . import path, probes, values

_C_CALLABLES = frozenset(
    {
        BuiltinFunctionType,
        type(re.compile("").match),
        MethodDescriptorType,
        MethodWrapperType,
        WrapperDescriptorType,
        ClassMethodDescriptorType,
    }
)
_BUILTIN_METHODS = frozenset({BuiltinFunctionType, type(re.compile("").match)})
"""Methods in C that know their class, such as those of patterns, have a type of their own."""
_SLICES: frozenset[Any] = frozenset(
    {
        itertools.islice, itertools.pairwise, itertools.compress, itertools.product, itertools.permutations, itertools.combinations, itertools.combinations_with_replacement, itertools.cycle,
        itertools.repeat,
    }
)  # fmt: skip
"""Classes in C whose elements are those of their arguments."""
_TABLES: tuple[dict[Any, Any], ...] = ({}, OrderedDict())
_VIEWS: tuple[Any, ...] = tuple(view() for table in _TABLES for view in (table.keys, table.values, table.items))
_EMPTY: tuple[Any, ...] = ([], (), set(), deque(), *_TABLES, *_VIEWS)
_ITERATORS: frozenset[Any] = _SLICES | {
    GeneratorType, map, filter, zip, enumerate, reversed, itertools.chain, itertools.zip_longest, itertools.starmap, itertools.takewhile, itertools.dropwhile, itertools.filterfalse, itertools.accumulate,
    *(type(iter(source)) for source in _EMPTY), *(type(reversed(source)) for source in _EMPTY if hasattr(source, "__reversed__")),
}  # fmt: skip
_CONTAINERS: frozenset[Any] = frozenset({list, tuple, dict, set, frozenset, deque, *map(type, _VIEWS)}) | _ITERATORS

_FUNCTION_FIRST: frozenset[Any] = frozenset(
    {map, filter, functools.reduce, itertools.starmap, itertools.takewhile, itertools.dropwhile, itertools.filterfalse}
)
_HIGHER: frozenset[Any] = _FUNCTION_FIRST | {sorted, min, max, itertools.groupby, itertools.accumulate}
"""Functions in C that call a function that they are given."""
_FEW = 64
_MANY = 1000
_DEPTH = 4
_ATOMS = frozenset({str, int, bool, float, complex, bytes, type(None), type, FunctionType})
_CONVERSIONS: frozenset[Any] = frozenset({str, bytes})
"""Classes whose objects are made of the elements of a container."""
_KEEPERS: frozenset[Any] = frozenset({SimpleNamespace, MappingProxyType})
_HEAP = 1 << 9
"""The flag of classes that are made by a statement."""
_COLLECTORS: frozenset[Any] = frozenset({set, frozenset, Counter})
"""Classes that hash the elements that they are given."""

_TRANSPARENT: frozenset[Any] = _SLICES | frozenset(
    {
        itertools.tee, itertools.chain.from_iterable,
        isinstance, issubclass, iter, next, enumerate, zip, map, filter, reversed, list, tuple, set, frozenset, dict, any, all, sum, min, max, sorted, print, id, callable, type, object,
        divmod, pow, round, slice, super, property, staticmethod, classmethod, functools.partial, hasattr, delattr, getattr, setattr, hash, BaseException, deque, functools.reduce,
        operator.add, operator.sub, operator.mul, operator.floordiv, operator.neg, operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge, operator.not_, operator.truth,
        operator.concat, itertools.chain, itertools.starmap, itertools.takewhile, itertools.dropwhile, itertools.filterfalse, itertools.groupby, itertools.accumulate, itertools.zip_longest,
    }
)  # fmt: skip
"""Functions in C that lose nothing: they pass their arguments on, or work through the methods of the elements."""

_TRANSPARENT_METHODS = frozenset(
    {
        (list, "append"), (list, "extend"), (list, "insert"), (deque, "append"), (deque, "appendleft"), (deque, "extend"), (list, "index"), (list, "count"), (list, "remove"), (list, "sort"), (list, "__contains__"),
        (dict, "update"), (dict, "items"), (set, "add"), (set, "discard"), (set, "update"), (tuple, "index"), (tuple, "count"), (object, "__setattr__"), (object, "__init__"), (object, "__new__"),
    }
)  # fmt: skip


def call(function: Any, /, *args: Any, **kwargs: Any) -> Any:
    """`function(*args, **kwargs)`"""
    recorder = path._current
    if recorder is None:
        return function(*args, **kwargs)
    kind = type(function)
    if kind is MethodType:
        if _note_foreign(recorder, function.__func__):
            probes.probe(recorder, args)
        return function(*args, **kwargs)
    symbolic = values.SYMBOLIC
    if function is functools.partial and args and type(args[0]) is not FunctionType and callable(args[0]):
        return functools.partial(call, *args, **kwargs)  # code in C would be called without a model
    if (kind is type or kind in _BUILTIN_METHODS) and (
        function in _HIGHER or (function.__name__ == "sort" and type(function.__self__) is list)
    ):
        args, kwargs = _passing(function, args, kwargs)
    if kind is FunctionType:
        model = values.BUILTINS.get(function)
        if model is None:
            if _note_foreign(recorder, function):
                probes.probe(recorder, args)
            return function(*args, **kwargs)
        for arg in args:
            if type(arg) in symbolic:
                return model(*args, **kwargs)
        return function(*args, **kwargs)
    for arg in args:
        if type(arg) in symbolic:
            return _call_symbolic(function, kind, args, kwargs)
    if kwargs:
        for arg in kwargs.values():
            if type(arg) in symbolic:
                return _call_symbolic(function, kind, args, kwargs)
    if kind in _BUILTIN_METHODS:
        if _keyed(recorder, function.__self__):
            model = _model_of_method(function)
            if model is not None:
                return model(function.__self__, *args, **kwargs)
        elif (args or kwargs) and (given := [a for a in (*args, *kwargs.values()) if type(a) not in _ATOMS]):
            return _call_with_containers(function, given, args, kwargs)
    elif kind is MethodDescriptorType and _holds_symbolic(args):
        return _call_descriptor(function, args, kwargs)
    elif function is dict:
        return _dict(recorder, args, kwargs)
    elif args and kind is type and function in _COLLECTORS:
        return values.collected(recorder, function, args, kwargs)
    elif isinstance(function, type):
        if function in _CONVERSIONS and args and type(args[0]) not in _ATOMS and _holds_symbolic(args):
            return values.BUILTINS[function](*args, **kwargs)
        if _reads_elements(function) and _holds_symbolic(args):
            return _untracked(function, args, kwargs)
        _note_foreign_class(recorder, function)
    return function(*args, **kwargs)


def _call_with_containers(function: Any, given: list[Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A function in C, some of whose arguments are neither text nor numbers: symbolic values may be in them."""
    if function is len and type(getattr(type(given[0]), "__len__", None)) is FunctionType:
        return _length(given[0])
    model = _model_of_method(function)
    if model is not None:
        shows = function.__name__ in ("format", "format_map") and type(function.__self__) is str
        joins = function.__name__ == "join" and type(given[0]) not in _CONTAINERS
        if function.__name__ == "update" or joins or _holds_symbolic(given) or (shows and any(map(_has_text, given))):
            return model(function.__self__, *args, **kwargs)
    elif _reads(function) and _holds_symbolic(given):
        return _untracked(function, args, kwargs)
    return function(*args, **kwargs)


def _length(owner: Any) -> Any:
    """`len` of an object whose class says in Python how long it is."""
    size = type(owner).__len__(owner)
    if type(size) is not values.SymInt:
        return size if type(size) is int and size >= 0 else len(owner)  # raises
    if size < 0:
        raise ValueError("__len__() should return >= 0")
    return size


def answer(value: Any, name: str) -> Any:
    """The result of a method that code in C reads, such as `__bool__`: the path states it by a branch or a choice."""
    if type(value) not in values.SYMBOLIC:
        return value
    recorder = path.current()
    if recorder is None:
        return values.concrete(value)
    if name == "__hash__":
        recorder.lost("hash")
        return values.concrete(value)
    caller = sys._getframe(1).f_back
    if caller is not None and caller.f_code is _length.__code__:
        return value
    if type(value) is values.SymBool:
        return bool(value)
    return values.fixed(recorder, value) if type(value) is values.SymInt else value


def _has_text(value: Any) -> bool:
    """Whether the text of a value is made by code in Python, which may be lifted."""
    kind = type(value)
    return bool(kind.__flags__ & _HEAP) and any(
        type(getattr(kind, name)) is FunctionType for name in ("__str__", "__repr__", "__format__")
    )


def _keyed(recorder: path.Recorder, container: Any) -> bool:
    """Whether a dictionary or a set has symbolic keys. Code that is not lifted may have made it; then hashes were lost."""
    if id(container) in recorder.keyed:
        return True
    if recorder.hashed and isinstance(container, dict | set | frozenset) and len(container) <= _FEW:
        if any(type(key) in values.SYMBOLIC for key in container):
            recorder.keyed[id(container)] = container
            return True
    return False


def _passing(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments of a function in C that calls a function: calls of that go through `call`."""
    place = 0 if function in _FUNCTION_FIRST else 1 if function in (itertools.groupby, itertools.accumulate) else None
    if place is not None and len(args) > place:
        args = (*args[:place], _through(args[place]), *args[place + 1 :])
    return args, {key: _through(value) if key in ("key", "func") else value for key, value in kwargs.items()}


def _through(function: Any) -> Any:
    return functools.partial(call, function) if callable(function) else function


def _member(recorder: path.Recorder, kind: Any, value: Any) -> Any:
    """`Color(value)`: the value is compared with those of the members."""
    members = kind._value2member_map_
    found, which = values.find_key(recorder, members, value)
    if found:
        return members[which]
    before, recorder.hashable = recorder.hashable, recorder
    try:
        return kind(value if "_missing_" in kind.__dict__ else values.concrete(value))
    finally:
        recorder.hashable = before


def elements(parts: list[Any]) -> Any:
    """`{element, ...}` and `{element for ...}`"""
    recorder = path._current
    return set(parts) if recorder is None else values.collected(recorder, set, (parts,), {})


def combined(left: Any, right: Any, how: str) -> Any:
    """`left | right`, `left & right`, `left - right`"""
    recorder = path._current
    if recorder is not None and type(left) in (set, frozenset) and type(right) in (set, frozenset):
        if _keyed(recorder, left) or _keyed(recorder, right):
            return values.combined(recorder, left, right, how)
    if recorder is not None and how == "|" and type(left) is dict and type(right) is dict:
        if _keyed(recorder, left) or _keyed(recorder, right):
            return merged((left,), (right,))
    return _OPERATORS[how](left, right)


_OPERATORS: dict[str, Callable[[Any, Any], Any]] = {"|": operator.or_, "&": operator.and_, "-": operator.sub}


def subject(value: Any) -> Any:
    """The subject of a `match` statement that has only patterns for mappings: `get`, by which the statement finds keys, is that of the model."""
    recorder = path._current
    if recorder is not None and type(value) is dict and _keyed(recorder, value):
        return _Subject(value)
    return value


class _Subject(dict):  # type: ignore[type-arg]
    __slots__ = ("table",)

    def __init__(self, table: Any) -> None:
        with path.suspended():
            dict.__init__(self, table)
        self.table = table

    def get(self, key: Any, default: Any = None) -> Any:
        return values.METHODS[dict, "get"](self.table, key, default)


def _reads_elements(function: Any) -> bool:
    """Whether a class is made by code in C that may read the elements of a container that it is given, instead of keeping them."""
    made = getattr(function.__new__, "__self__", None)
    if made is None or made in _TRANSPARENT or made in _KEEPERS or function in values.BUILTINS:
        return False
    return not issubclass(function, dict | BaseException)


def _reads(function: Any) -> bool:
    """Whether a function in C may read the elements of a container that it is given."""
    return not (
        function in _TRANSPARENT
        or (type(function.__self__), function.__name__) in _TRANSPARENT_METHODS
        or isinstance(function.__self__, list | tuple | dict | set | frozenset | deque)
        or function in values.BUILTINS
    )


def _dict(recorder: path.Recorder, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """`dict(...)`: keys that are symbolic are compared with those before them."""
    if len(args) != 1:
        return dict(*args, **kwargs)
    source = args[0]
    if type(source) in _ITERATORS:
        source = list(source)
    pairs = values.symbolic_pairs(recorder, source)
    if pairs is None:
        return dict(source, **kwargs)
    return values.dict_of(recorder, [*pairs, *kwargs.items()])


def mapping(pairs: list[tuple[Any, Any]]) -> Any:
    """`{key: value for ...}`"""
    recorder = path._current
    return dict(pairs) if recorder is None else _dict(recorder, (pairs,), {})


def merged(*parts: tuple[Any, ...]) -> Any:
    """`{key: value, **table}`: pairs, and tables as tuples of one element."""
    table: dict[Any, Any] = {}
    recorder = path._current
    for part in parts:
        if len(part) == 2:
            if recorder is not None and (values.is_key(part[0]) or id(table) in recorder.keyed):
                table[values.item_key(recorder, table, part[0])] = part[1]
            else:
                table[part[0]] = part[1]
        else:
            source = part[0] if type(part[0]) is dict else {**part[0]}
            values.METHODS[dict, "update"](table, source)
    return table


def _note_foreign(recorder: path.Recorder, function: Any) -> bool:
    """Notes a call of Python code that is not lifted. Returns whether it is one."""
    code = getattr(function, "__code__", None)
    if code is None or not recorder.is_foreign(code.co_filename) or function is typing.cast:
        return False
    recorder.note_foreign(f"{getattr(function, '__module__', '')}.{function.__qualname__}")
    return True


def _note_foreign_class(recorder: path.Recorder, made: Any) -> None:
    _note_foreign(recorder, made.__init__)
    _note_foreign(recorder, made.__new__)


def _holds_symbolic(args: Iterable[Any]) -> bool:
    """Whether a container among the arguments has a symbolic element. Iterators cannot be looked into, so they count."""
    symbolic = values.SYMBOLIC
    todo = [(arg, 0) for arg in args if type(arg) in _CONTAINERS]
    seen = 0
    while todo and seen < _MANY:
        container, depth = todo.pop()
        kind = type(container)
        if kind in _ITERATORS:
            return True
        elements = (*container, *container.values()) if kind is dict else container
        seen += len(elements)
        for element in elements:
            if type(element) in symbolic:
                return True
            if type(element) in _CONTAINERS and depth < _DEPTH and type(element) not in _ITERATORS:
                todo.append((element, depth + 1))
    return False


def _model_of_method(function: Any) -> Callable[..., Any] | None:
    return _method(type(function.__self__), function.__name__)


def _method(kind: type, name: str) -> Callable[..., Any] | None:
    """The model of a method; a subclass of `dict` that does not override it has that of `dict`."""
    model = values.METHODS.get((kind, name))
    if model is None and issubclass(kind, dict) and values.plain_method(kind, name):
        return values.METHODS.get((dict, name))
    return model


def _call_symbolic(function: Any, kind: type, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    if kind in _BUILTIN_METHODS:
        model = _model_of_method(function)
        if model is not None:
            return model(function.__self__, *args, **kwargs)
        model = values.BUILTINS.get(function)
        if model is not None:
            return model(*args, **kwargs)
        if function is print and kwargs.get("file") not in (None, sys.stdout, sys.stderr):
            return _untracked(function, args, kwargs)
        if function in _TRANSPARENT or (type(function.__self__), function.__name__) in _TRANSPARENT_METHODS:
            return function(*args, **kwargs)
        return _untracked(function, args, kwargs)
    if isinstance(function, type):
        model = values.BUILTINS.get(function)
        if model is not None:
            return model(*args, **kwargs)
        recorder = path.current()
        if recorder is not None and function in _COLLECTORS:
            return values.collected(recorder, function, args, kwargs)
        if function in _TRANSPARENT or issubclass(function, BaseException):
            return function(*args, **kwargs)
        if recorder is not None and isinstance(function, enum.EnumMeta) and len(args) == 1 and not kwargs:
            if issubclass(function, enum.Enum) and not issubclass(function, enum.Flag) and function.__members__:
                return _member(recorder, function, args[0])
        if recorder is not None:
            _note_foreign_class(recorder, function)
        made = getattr(function.__new__, "__self__", None)
        if made is None or made in _TRANSPARENT:
            return function(*args, **kwargs)  # made by Python code, or a container
        return _untracked(function, args, kwargs)
    if kind is functools._lru_cache_wrapper:
        return call(function.__wrapped__, *args, **kwargs)
    if kind is functools.partial:
        return call(function.func, *function.args, *args, **{**function.keywords, **kwargs})
    if kind in _C_CALLABLES:
        return _call_descriptor(function, args, kwargs)
    method = getattr(kind, "__call__", None)  # noqa: B004
    if type(method) is not FunctionType:
        return _untracked(function, args, kwargs)
    recorder = path.current()
    if recorder is not None:
        _note_foreign(recorder, method)
    return function(*args, **kwargs)


def _call_descriptor(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """`str.lower(s)`: the method of the argument, if its class overrides it."""
    name = function.__name__
    owner = getattr(function, "__objclass__", None)
    if args and owner is not None and isinstance(args[0], owner):
        if type(args[0]) in values.SYMBOLIC:
            own = getattr(args[0], name, None)
            if type(own) is MethodType:
                return own(*args[1:], **kwargs)
        else:
            model = values.METHODS.get((type(args[0]), name))
            if model is not None:
                return model(*args, **kwargs)
            if (owner, name) in _TRANSPARENT_METHODS:
                return function(*args, **kwargs)
    return _untracked(function, args, kwargs)


def _untracked(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Calls C code that no model covers. Code that insists on the exact type gets plain values."""
    recorder = path.current()
    name = getattr(function, "__qualname__", None) or repr(function)
    if recorder is not None:
        probes.probe(recorder, args)
        recorder.lost(name)
    try:
        return function(*args, **kwargs)
    except TypeError:
        with path.suspended():
            plain = [values.concrete(arg) for arg in args]
            named = {key: values.concrete(arg) for key, arg in kwargs.items()}
        return function(*plain, **named)


def contains(element: Any, container: Any) -> Any:
    """`element in container`"""
    if path._current is not None and (type(element) in values.SYMBOLIC or values.is_key(element)):
        model = _method(type(container), "__contains__")
        if model is not None:
            return model(container, element)
    elif type(container) in values.SYMBOLIC:
        return container.__contains__(element)
    elif path._current is not None and _keyed(path._current, container):
        model = _method(type(container), "__contains__")
        if model is not None:
            return model(container, element)
    return element in container


def not_contains(element: Any, container: Any) -> Any:
    """`element not in container`"""
    return not contains(element, container)


def equal(left: Any, right: Any) -> Any:
    """`left == right`. A member of an enumeration of strings, on the left, would compare the plain values."""
    recorder = path._current
    if recorder is not None and (_keyed(recorder, left) or _keyed(recorder, right)):
        return values.same_collection(recorder, left, right)
    return right == left if type(right) in values.SYMBOLIC and _inherits(left, right, "__eq__") else left == right


def not_equal(left: Any, right: Any) -> Any:
    """`left != right`"""
    recorder = path._current
    if recorder is not None and (_keyed(recorder, left) or _keyed(recorder, right)):
        return not values.same_collection(recorder, left, right)
    return right != left if type(right) in values.SYMBOLIC and _inherits(left, right, "__ne__") else left != right


def _inherits(left: Any, right: Any, name: str) -> bool:
    """Whether the class of `left` has the comparison of the type that `right` stands for, but is another one."""
    kind, plain = type(left), right.__class__
    return (
        kind is not plain
        and kind not in values.SYMBOLIC
        and issubclass(kind, plain)
        and getattr(kind, name) is getattr(plain, name)
    )


def is_same(left: Any, right: Any) -> bool:
    """`left is right`; a symbolic truth value is the same object as True or False if it has its value."""
    if type(left) in values.SYMBOLIC or type(right) in values.SYMBOLIC:
        if type(left) is values.SymBool and (right is True or right is False):
            return bool(left) is right
        if type(right) is values.SymBool and (left is True or left is False):
            return bool(right) is left
    return left is right


def is_not_same(left: Any, right: Any) -> bool:
    """`left is not right`"""
    return not is_same(left, right)


def item(container: Any, key: Any) -> Any:
    """`container[key]`"""
    kind = type(key)
    if path._current is not None and (kind in values.SYMBOLIC or (isinstance(key, tuple) and values.is_key(key))):
        model = _method(type(container), "__getitem__")
        if model is not None:
            return model(container, key)
    elif kind is slice and type(container) not in values.SYMBOLIC and path._current is not None:
        symbolic = values.SYMBOLIC
        if type(key.start) in symbolic or type(key.stop) in symbolic or type(key.step) in symbolic:
            model = values.METHODS.get((type(container), "__getitem__"))
            if model is not None:
                return model(container, key)
    elif path._current is not None and _keyed(path._current, container):
        model = _method(type(container), "__getitem__")
        if model is not None:
            return model(container, key)
    return container[key]


def key(container: Any, index: Any) -> Any:
    """The `index` of an assignment to `container[index]`. For a dictionary, the path states which of the present keys it equals; for a list, its value."""
    recorder = path._current
    if recorder is not None and (
        type(index) in values.SYMBOLIC
        or id(container) in recorder.keyed
        or (isinstance(index, tuple) and values.is_key(index))
    ):
        return values.item_key(recorder, container, index)
    return index


def joined(*parts: Any) -> Any:
    """An f-string: constants, and triples of value, conversion, format specification."""
    symbolic = values.SYMBOLIC
    if path._current is not None:
        for part in parts:
            if type(part) is tuple and (
                type(part[0]) in symbolic or type(part[2]) in symbolic or _holds_symbolic(part[:1])
            ):
                return values.joined(parts)
    made = [part if type(part) is str else _formatted(*part) for part in parts]
    if path._current is not None and any(type(part) in symbolic for part in made):
        return values.joined(made)
    return "".join(made)


def _formatted(value: Any, conversion: int, spec: str) -> str:
    if conversion == ord("r"):
        value = repr(value)
    elif conversion == ord("s"):
        value = str(value)
    elif conversion == ord("a"):
        value = ascii(value)
    return format(value, spec)


def modulo(left: Any, right: Any) -> Any:
    """`left % right`"""
    if type(left) is str and path._current is not None:
        given = right if type(right) is tuple else (right,)
        if type(right) in values.SYMBOLIC or _holds_symbolic((right,)) or any(map(_has_text, given)):
            model = values.METHODS.get((str, "__mod__"))
            if model is not None:
                return model(left, right)
    return left % right


HOOKS: dict[str, Callable[..., Any]] = {
    "call": call,
    "answer": answer,
    "contains": contains,
    "not_contains": not_contains,
    "equal": equal,
    "not_equal": not_equal,
    "is_same": is_same,
    "is_not_same": is_not_same,
    "item": item,
    "key": key,
    "joined": joined,
    "modulo": modulo,
    "mapping": mapping,
    "merged": merged,
    "elements": elements,
    "combined": combined,
    "subject": subject,
    "slice": builtins.slice,
}
