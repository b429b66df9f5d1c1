"""Symbolic values: concrete values of Python that carry terms over the inputs, and the models of the operations on them.

`make_input` makes an input symbolic. Lifted code finds the models of what Python's own code would not pass on in `BUILTINS` and `METHODS` (see hooks.py).
"""

from __future__ import annotations

from typing import Any

from ...errors import UnrepresentableError
from ...terms import const
from . import casing, padding, regex, searching, splitting  # noqa: F401 (they register models)
from .base import SYMBOLIC, concrete, is_symbolic, wrap
from .containers import (
    METHODS,
    collected,
    combined,
    dict_of,
    find_key,
    is_key,
    item_key,
    plain_method,
    same_collection,
    symbolic_pairs,
)
from .formatting import joined
from .functions import BUILTINS
from .inputs import make_input
from .kinds import fixed
from .symbolic import SymBool, SymBytes, SymInt, SymStr


def lift(value: Any) -> Any:
    """A plain str, int, bool or bytes as a symbolic constant; everything else, and strings that SMT-LIB does not have, unchanged."""
    try:
        match value:
            case _ if is_symbolic(value):
                return value
            case str():
                return SymStr(value, const(value))
            case bool():
                return SymBool(value, const(value))
            case int():
                return SymInt(value, const(value))
            case bytes():
                return SymBytes(value, const(value.decode("latin-1")))
    except UnrepresentableError:
        pass
    return value


__all__ = [
    "BUILTINS",
    "METHODS",
    "SYMBOLIC",
    "SymBool",
    "SymBytes",
    "SymInt",
    "SymStr",
    "collected",
    "combined",
    "concrete",
    "dict_of",
    "find_key",
    "fixed",
    "is_key",
    "is_symbolic",
    "item_key",
    "joined",
    "lift",
    "make_input",
    "plain_method",
    "same_collection",
    "symbolic_pairs",
    "wrap",
]
