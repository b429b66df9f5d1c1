"""Symbolic inputs: a value of the seed with a variable for each of its parts.

Containers keep their shape; their elements, and the values of dictionaries, become symbolic. Keys of dictionaries, and everything of another type, stay as they are.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from ...terms import Sort, mk
from ..path import Recorder
from . import chars
from .base import SYMBOLIC, representable
from .symbolic import SymBool, SymBytes, SymInt, SymStr

MAX_ELEMENTS = 200


def make_input(value: Any, name: str, rec: Recorder) -> Any:
    """A copy of a value with variables in the place of its strings, numbers, truth values and bytes. Names of parts are `name[0]`, `name['key']`, `name.field`."""
    kind = type(value)
    if kind in SYMBOLIC:
        value = value.plain()
        kind = type(value)
    if kind is str:
        if not representable(value):
            rec.lost("an input with characters past U+2FFFF")
            return value
        return SymStr(value, rec.input(name, Sort.STRING, value))
    if kind is bool:
        return SymBool(value, rec.input(name, Sort.BOOL, value))
    if kind is int:
        return SymInt(value, rec.input(name, Sort.INT, value))
    if kind is bytes:
        term = rec.input(name, Sort.STRING, value.decode("latin-1"))
        rec.assume(mk("str.in_re", term, chars.star(chars.LATIN)))
        return SymBytes(value, term)
    if kind in (list, tuple):
        return kind(
            make_input(element, f"{name}[{i}]", rec) if i < MAX_ELEMENTS else element for i, element in enumerate(value)
        )
    if kind is dict:
        return {key: make_input(element, f"{name}[{key!r}]", rec) for key, element in value.items()}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return _dataclass(value, name, rec)
    return value


def _dataclass(value: Any, name: str, rec: Recorder) -> Any:
    """A copy with symbolic fields, made without calling the constructor."""
    copy = object.__new__(type(value))
    for field in dataclasses.fields(value):
        if hasattr(value, field.name):
            object.__setattr__(copy, field.name, make_input(getattr(value, field.name), f"{name}.{field.name}", rec))
    for key, extra in getattr(value, "__dict__", {}).items():
        if not hasattr(copy, key):
            object.__setattr__(copy, key, extra)
    return copy
