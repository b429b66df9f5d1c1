"""Inputs of a function: default values by annotation, symbolic values for their leaves, and new inputs from solutions.

An input is a tree of containers whose leaves are strings, numbers, truth values and bytes. Each leaf is a variable, named by its place (`url`, `parts[0]`, `options['key']`). A solution replaces leaves; the shape stays that of the
seed, so several shapes are several seeds.
"""

from __future__ import annotations

import copy
import dataclasses
import enum
import inspect
import itertools
import types
import typing
from collections import abc
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from ..terms import Sort, Term, const, mk, var
from . import values
from .path import Recorder, Value
from .values.base import representable

_SORTS: dict[type, Sort] = {str: Sort.STRING, bytes: Sort.STRING, int: Sort.INT, bool: Sort.BOOL}
_IMMUTABLE = frozenset({float, complex, type(None), frozenset, range, types.EllipsisType})
BYTES_LANGUAGE = mk("re.*", mk("re.range", const("\x00"), const("\xff")))
"""The strings that stand for bytes."""
_DEPTH = 4
_SEEDS = 12


class InputError(ValueError):
    """There are no inputs for a function."""


def _walk(value: Any, name: str, leaf: Callable[[Any, str], Any], depth: int = 0) -> Any:
    """A copy of a value in which `leaf` has replaced the leaves."""
    kind = type(value)
    if kind in _SORTS:
        return leaf(value, name)
    if depth >= 20:
        return value
    if kind is list or kind is tuple:
        return kind([_walk(v, f"{name}[{i}]", leaf, depth + 1) for i, v in enumerate(value)])
    if kind is dict:
        return {k: _walk(v, f"{name}[{k!r}]", leaf, depth + 1) for k, v in value.items()}
    if isinstance(value, tuple) and hasattr(kind, "_make"):
        pairs = zip(kind._fields, value, strict=True)
        return kind._make([_walk(v, f"{name}.{f}", leaf, depth + 1) for f, v in pairs])
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {
            f.name: _walk(getattr(value, f.name), f"{name}.{f.name}", leaf, depth + 1)
            for f in dataclasses.fields(value)
            if f.init
        }
        return kind(**fields)
    if kind in _IMMUTABLE or isinstance(value, type | types.FunctionType | types.ModuleType | enum.Enum):
        return value
    try:
        return copy.deepcopy(value)
    except Exception:
        return value


def symbolic(arguments: Mapping[str, Any], rec: Recorder) -> dict[str, Any]:
    """The arguments with symbolic leaves."""

    def leaf(value: Any, name: str) -> Any:
        if type(value) is str and not representable(value):
            return value
        plain: Value = value.decode("latin-1") if type(value) is bytes else value
        term = rec.input(name, _SORTS[type(value)], plain)
        if type(value) is bytes:
            rec.assume(mk("str.in_re", term, BYTES_LANGUAGE))
        return values.wrap(value, term)

    return {name: _walk(value, name, leaf) for name, value in arguments.items()}


def solved(arguments: Mapping[str, Any], model: Mapping[Term, Value]) -> dict[str, Any]:
    """The arguments with the leaves that a solution has replaced."""

    def leaf(value: Any, name: str) -> Any:
        found = model.get(var(name, _SORTS[type(value)]))
        if found is None:
            return value
        if type(value) is bytes:
            return str(found).encode("latin-1", "replace")
        return found

    return {name: _walk(value, name, leaf) for name, value in arguments.items()}


def shape(arguments: Mapping[str, Any]) -> str:
    """What no solution changes: the containers, and the values that are not symbolic."""
    return repr({name: _walk(value, name, lambda v, _: type(v)) for name, value in arguments.items()})


def not_varied(function: Callable[..., Any], seeds: Sequence[Mapping[str, Any]]) -> list[str]:
    """Parameters whose values are only those of the seeds, with the reason: other values may take other paths."""
    found: dict[str, None] = {}
    for seed in seeds:
        for name, value in seed.items():
            _walk(value, name, lambda v, n: found.setdefault(f"{n} (text past U+2FFFF)") if _past(v) else v)
            for kind in _kinds(value, 0):
                found.setdefault(f"{name} ({kind})")
    for name, parameter in _signature(function).parameters.items():
        if parameter.kind is parameter.VAR_POSITIONAL:
            found.setdefault(f"*{name}")
        elif parameter.kind is parameter.VAR_KEYWORD:
            found.setdefault(f"**{name}")
        elif all(seed.get(name) is None for seed in seeds) and parameter.annotation not in (None, "None"):
            found.setdefault(f"{name} (None)")
    return list(found)


def _past(value: Any) -> bool:
    return type(value) is str and not representable(value)


def _kinds(value: Any, depth: int) -> Iterator[str]:
    """The types of parts of a value that are neither variables nor containers."""
    kind = type(value)
    if kind in _SORTS or value is None or isinstance(value, enum.Enum) or depth >= 20:
        return
    if kind in (list, tuple) or hasattr(kind, "_make"):
        parts: Iterable[Any] = value
    elif kind is dict:
        parts = value.values()
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        parts = [getattr(value, field.name) for field in dataclasses.fields(value) if field.init]
    else:
        yield kind.__name__
        return
    for part in parts:
        yield from _kinds(part, depth + 1)


def has_containers(seeds: Sequence[Mapping[str, Any]]) -> bool:
    """Whether the number of elements or the keys of an argument are those of the seeds."""
    return any(type(value) in (list, dict, tuple) for seed in seeds for value in seed.values())


def key(arguments: Mapping[str, Any]) -> str:
    """Tells inputs apart."""
    return repr(arguments)


# seeds


def seeds_of(function: Callable[..., Any], given: Sequence[Any] | None, depth: int = 0) -> list[dict[str, Any]]:
    """The first inputs: those given, else values by annotation and default."""
    signature = _signature(function)
    if given is not None:
        return [_bind(signature, seed) for seed in given]
    hints = _hints(function)
    choices: list[list[Any]] = []
    names: list[str] = []
    for name, parameter in signature.parameters.items():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        names.append(name)
        choices.append(_choices(name, parameter, hints.get(name, inspect.Parameter.empty), depth))
    seeds = [dict(zip(names, combination, strict=True)) for combination in itertools.islice(_by_sum(choices), _SEEDS)]
    return seeds or [{}]


def _by_sum(choices: list[list[Any]]) -> typing.Iterator[tuple[Any, ...]]:
    """All combinations, those with early choices first."""
    ranks = [range(len(c)) for c in choices]
    if len(choices) > 6:
        ranks = [range(1) if len(c) == 1 else range(min(2, len(c))) for c in choices]
    combinations = itertools.islice(itertools.product(*ranks), 20_000)
    for combination in sorted(combinations, key=lambda c: (sum(c), c)):
        yield tuple(choice[i] for choice, i in zip(choices, combination, strict=True))


def _choices(name: str, parameter: inspect.Parameter, hint: Any, depth: int) -> list[Any]:
    found = [] if hint is inspect.Parameter.empty else _of_hint(hint, depth)
    if parameter.default is not parameter.empty:
        default = parameter.default
        if not found and type(default) in (*_SORTS, float, list, tuple, dict):
            found = _of_type(type(default))
        return _distinct([default, *found])
    if not found:
        if hint is not inspect.Parameter.empty and hint is not Any and hint is not object:
            raise InputError(f"no values for the parameter {name}: {_show(hint)}; give seeds")
        # no annotation: most functions on strings take strings
        found = ["", 0]
    return _distinct(found)


def _distinct(found: list[Any]) -> list[Any]:
    kept: dict[str, Any] = {}
    for value in found:
        kept.setdefault(f"{type(value).__name__} {value!r}", value)
    return list(kept.values())


def _of_type(kind: type) -> list[Any]:
    return [kind()]


def _of_hint(hint: Any, depth: int) -> list[Any]:
    """Values of a type, simple ones first; none if there is no way to make one."""
    if depth > _DEPTH:
        return []
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if hint is None or hint is type(None):
        return [None]
    if hint in _SORTS or hint is float:
        return _of_type(hint)
    if origin is typing.Annotated:
        return _of_hint(arguments[0], depth)
    if origin is typing.Union or origin is types.UnionType:
        return [value for argument in arguments for value in _of_hint(argument, depth + 1)]
    if origin is typing.Literal:
        return list(arguments)
    if typing.is_typeddict(hint):
        parts = {name: _of_hint(part, depth + 1)[:1] for name, part in typing.get_type_hints(hint).items()}
        return [{name: part[0] for name, part in parts.items()}] if all(parts.values()) else []
    if isinstance(hint, typing.NewType):
        return _of_hint(hint.__supertype__, depth)
    if isinstance(hint, typing.TypeVar):
        bounds = hint.__constraints__ or ((hint.__bound__,) if hint.__bound__ else ())
        return [value for bound in bounds for value in _of_hint(bound, depth + 1)]
    kind = origin or hint
    if kind in _SEQUENCES:
        return _sequences(list if kind not in (tuple, set, frozenset) else kind, arguments, depth)
    if kind in _MAPPINGS:
        elements = _of_hint(arguments[1], depth + 1) if len(arguments) == 2 else [""]
        keys = _of_hint(arguments[0], depth + 1) if len(arguments) == 2 else [""]
        names = ["key"] if "" in keys else keys
        return [{}, *({k: e} for k, e in itertools.product(names[:1], elements[:2]))]
    if isinstance(kind, type):
        return _of_class(kind, depth)
    return []


_SEQUENCES: frozenset[Any] = frozenset(
    {list, tuple, set, frozenset, abc.Sequence, abc.Iterable, abc.Collection, abc.MutableSequence}
)
_MAPPINGS: frozenset[Any] = frozenset({dict, abc.Mapping, abc.MutableMapping})


def _sequences(kind: type, arguments: tuple[Any, ...], depth: int) -> list[Any]:
    if kind is tuple and arguments and arguments[-1] is not Ellipsis:
        parts = [_of_hint(argument, depth + 1)[:1] for argument in arguments]
        return [tuple(part[0] for part in parts)] if all(parts) else []
    elements = _of_hint(arguments[0], depth + 1) if arguments else [""]
    nested = [kind([element]) for element in elements[1:2] if type(element) in (list, dict, tuple)]
    return [kind(), *(kind([element] * n) for element in elements[:1] for n in (1, 2, 3)), *nested]


def _of_class(kind: type, depth: int) -> list[Any]:
    if issubclass(kind, enum.Enum):
        return list(kind)
    if kind in (object, type):
        return []
    if dataclasses.is_dataclass(kind) or hasattr(kind, "_make"):
        try:
            made = seeds_of(kind, None, depth + 1) if depth < _DEPTH else []
        except (InputError, TypeError, ValueError):
            return []
        return [kind(**arguments) for arguments in made[:2]]
    return []


def _signature(function: Callable[..., Any]) -> inspect.Signature:
    try:
        return inspect.signature(function)
    except (TypeError, ValueError):
        raise InputError(f"{_name(function)} has no signature that Python can read") from None


def _hints(function: Callable[..., Any]) -> dict[str, Any]:
    target: Any = vars(function).get("__init__", function) if isinstance(function, type) else function
    try:
        return typing.get_type_hints(target)
    except Exception:
        # an annotation that cannot be evaluated is none
        found = getattr(target, "__annotations__", {})
        return {name: hint for name, hint in found.items() if not isinstance(hint, str)}


def _bind(signature: inspect.Signature, seed: Any) -> dict[str, Any]:
    """A seed is a dictionary of arguments, a tuple of them, or the only argument."""
    names = [n for n, p in signature.parameters.items() if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    if isinstance(seed, dict) and (set(seed) <= set(names)) and (seed or not names):
        found = dict(seed)
    elif isinstance(seed, tuple):
        if len(seed) > len(names):
            raise InputError(f"the seed {seed!r} has {len(seed)} values for {len(names)} parameters")
        found = dict(zip(names, seed, strict=False))
    else:
        if not names:
            raise InputError("the function has no parameters, so it has no seeds")
        found = {names[0]: seed}
    for name in names:
        parameter = signature.parameters[name]
        if name not in found:
            if parameter.default is parameter.empty:
                raise InputError(f"the seed {seed!r} has no value for the parameter {name}")
            found[name] = parameter.default
    return {name: found[name] for name in names}


def call(function: Callable[..., Any], arguments: Mapping[str, Any]) -> Any:
    """Calls a function with arguments by name, positional where it must be."""
    positional: list[Any] = []
    named: dict[str, Any] = {}
    for name, parameter in inspect.signature(function).parameters.items():
        if name not in arguments:
            continue
        if parameter.kind is parameter.KEYWORD_ONLY:
            named[name] = arguments[name]
        else:
            positional.append(arguments[name])
    return function(*positional, **named)


def _show(hint: Any) -> str:
    return hint.__name__ if isinstance(hint, type) else str(hint)


def _name(function: Any) -> str:
    return getattr(function, "__qualname__", None) or repr(function)
