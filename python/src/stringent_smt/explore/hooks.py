"""The functions that lifted code calls (see lift.py).

Each hook does what the operation does, unless an operand is symbolic and Python's own code would not reach its methods; then the model in `values` is used. Where there is no model, the operation runs on the value as it is, and
the loss is counted with its line. The common case, nothing symbolic, comes first.

From `values`: `SYMBOLIC` (a set of the symbolic types), `BUILTINS` (function → model with the same arguments), `METHODS` ((type of the plain receiver, name) → model with the receiver first; also `__contains__`,
`__getitem__` and `__mod__`), `joined(parts)` for f-strings (parts are strings or triples of value, conversion, specification), `concrete`, `SymBool`. A model of a method is called if an argument is symbolic or, as for
`join`, a container that may have symbolic elements.
"""

from __future__ import annotations

import builtins
import functools
import re
import typing
from collections.abc import Callable
from types import (
    BuiltinFunctionType,
    ClassMethodDescriptorType,
    FunctionType,
    GeneratorType,
    MethodDescriptorType,
    MethodType,
    MethodWrapperType,
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
_CONTAINERS = frozenset({list, tuple, dict, set, frozenset, GeneratorType, map, filter, zip, enumerate, reversed})

_ITERATORS = frozenset({GeneratorType, map, filter, zip, enumerate, reversed})

_TRANSPARENT: frozenset[Any] = frozenset(
    {
        isinstance, issubclass, iter, next, enumerate, zip, map, filter, reversed, list, tuple, set, frozenset, dict, any, all, sum, min, max, sorted, print, id, callable, type, object,
        slice, super, property, staticmethod, classmethod, functools.partial, hasattr, delattr, getattr, setattr, hash, BaseException,
    }
)  # fmt: skip
"""Functions in C that lose nothing: they pass their arguments on, or work through the methods of the elements."""

_TRANSPARENT_METHODS = frozenset(
    {
        (list, "append"), (list, "extend"), (list, "index"), (list, "count"), (list, "remove"), (list, "sort"), (list, "__contains__"),
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
        if recorder.keyed and id(function.__self__) in recorder.keyed:
            model = _model_of_method(function)
            if model is not None:
                return model(function.__self__, *args, **kwargs)
        elif args and type(args[0]) in _CONTAINERS:
            model = _model_of_method(function)
            if model is not None and (_holds_symbolic(args) or function.__name__ == "update"):
                return model(function.__self__, *args, **kwargs)
    elif function is dict:
        return _dict(recorder, args, kwargs)
    elif isinstance(function, type):
        _note_foreign_class(recorder, function)
    return function(*args, **kwargs)


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
            if recorder is not None and (type(part[0]) in values.SYMBOLIC or id(table) in recorder.keyed):
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
    recorder.foreign.add(f"{getattr(function, '__module__', '')}.{function.__qualname__}")
    return True


def _note_foreign_class(recorder: path.Recorder, made: Any) -> None:
    _note_foreign(recorder, made.__init__)
    _note_foreign(recorder, made.__new__)


def _holds_symbolic(args: tuple[Any, ...]) -> bool:
    """Whether a container among the arguments has a symbolic element. Iterators cannot be looked into, so they count."""
    symbolic = values.SYMBOLIC
    for arg in args:
        kind = type(arg)
        if kind not in _CONTAINERS:
            continue
        if kind is dict:
            if any(type(element) in symbolic for element in arg.values()) or any(type(key) in symbolic for key in arg):
                return True
        elif kind in (list, tuple, set, frozenset):
            if any(type(element) in symbolic for element in arg):
                return True
        else:
            return True
    return False


def _model_of_method(function: Any) -> Callable[..., Any] | None:
    receiver = function.__self__
    return values.METHODS.get((type(receiver), function.__name__))


def _call_symbolic(function: Any, kind: type, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    if kind in _BUILTIN_METHODS:
        model = _model_of_method(function)
        if model is not None:
            return model(function.__self__, *args, **kwargs)
        model = values.BUILTINS.get(function)
        if model is not None:
            return model(*args, **kwargs)
        if function in _TRANSPARENT or (type(function.__self__), function.__name__) in _TRANSPARENT_METHODS:
            return function(*args, **kwargs)
        return _untracked(function, args, kwargs)
    if isinstance(function, type):
        model = values.BUILTINS.get(function)
        if model is not None:
            return model(*args, **kwargs)
        if function in _TRANSPARENT or issubclass(function, BaseException):
            return function(*args, **kwargs)
        recorder = path.current()
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
    if type(element) in values.SYMBOLIC and path._current is not None:
        model = values.METHODS.get((type(container), "__contains__"))
        if model is not None:
            return model(container, element)
    elif type(container) in values.SYMBOLIC:
        return container.__contains__(element)
    elif type(container) is dict and path._current is not None and id(container) in path._current.keyed:
        return values.METHODS[dict, "__contains__"](container, element)
    return element in container


def not_contains(element: Any, container: Any) -> Any:
    """`element not in container`"""
    return not contains(element, container)


def equal(left: Any, right: Any) -> Any:
    """`left == right`. A member of an enumeration of strings, on the left, would compare the plain values."""
    return right == left if type(right) in values.SYMBOLIC and _inherits(left, right, "__eq__") else left == right


def not_equal(left: Any, right: Any) -> Any:
    """`left != right`"""
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
    if kind in values.SYMBOLIC and path._current is not None:
        model = values.METHODS.get((type(container), "__getitem__"))
        if model is not None:
            return model(container, key)
    elif kind is slice and type(container) not in values.SYMBOLIC and path._current is not None:
        symbolic = values.SYMBOLIC
        if type(key.start) in symbolic or type(key.stop) in symbolic or type(key.step) in symbolic:
            model = values.METHODS.get((type(container), "__getitem__"))
            if model is not None:
                return model(container, key)
    elif type(container) is dict and path._current is not None and id(container) in path._current.keyed:
        return values.METHODS[dict, "__getitem__"](container, key)
    return container[key]


def key(container: Any, index: Any) -> Any:
    """The `index` of an assignment to `container[index]`. For a dictionary, the path states which of the present keys it equals; for a list, its value."""
    recorder = path._current
    if recorder is not None and (type(index) in values.SYMBOLIC or id(container) in recorder.keyed):
        return values.item_key(recorder, container, index)
    return index


def joined(*parts: Any) -> Any:
    """An f-string: constants, and triples of value, conversion, format specification."""
    symbolic = values.SYMBOLIC
    if path._current is not None:
        for part in parts:
            if type(part) is tuple and (type(part[0]) in symbolic or type(part[2]) in symbolic):
                return values.joined(parts)
    return "".join([part if type(part) is str else _formatted(*part) for part in parts])


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
        if type(right) in values.SYMBOLIC or _holds_symbolic((right,)):
            model = values.METHODS.get((str, "__mod__"))
            if model is not None:
                return model(left, right)
    return left % right


HOOKS: dict[str, Callable[..., Any]] = {
    "call": call,
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
    "slice": builtins.slice,
}
