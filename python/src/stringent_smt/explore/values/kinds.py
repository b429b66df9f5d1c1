"""`str` and `bytes` as two kinds of words: what counts as an argument, which characters are spaces, how a result is wrapped; and the tables of models that both share."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from ...terms import Term
from ..path import Recorder, current
from . import chars
from .base import (
    REFLECTED,
    Num,
    Unmodelled,
    UnrepresentableError,
    Word,
    by_subclass,
    choose,
    concrete,
    is_symbolic,
    lit,
    num,
    pin_all,
    wrap,
)

Model = Callable[..., Any]


class Kind:
    """One of the two types of words."""

    def __init__(self, plain: type, spaces: chars.Ranges, breaks: chars.Ranges) -> None:
        self.plain = plain
        self.spaces = spaces
        self.breaks = breaks
        self.models: dict[str, Model] = {}
        """Models by method name: called with the kind, the recorder, the receiver as a word, and the arguments."""

    def decode(self, value: Any) -> str:
        return value if self.plain is str else value.decode("latin-1")  # type: ignore[no-any-return]

    def encode(self, text: str) -> Any:
        return text if self.plain is str else text.encode("latin-1")

    def wrap(self, w: Word) -> Any:
        """The word as a value of the program."""
        return wrap(self.encode(w.v), w.t)

    def word(self, value: Any) -> Word:
        """An argument as a word; raises `Unmodelled` for other types."""
        if is_symbolic(value):
            plain: object = value.__class__
            if plain is not self.plain:
                raise Unmodelled("type of an argument")
            return Word(self.decode(value.value), value.term)
        if self.plain is str:
            if isinstance(value, str):
                return lit(str.__str__(value))
        elif isinstance(value, (bytes, bytearray)):
            return lit(bytes(value).decode("latin-1"))
        raise Unmodelled("type of an argument")

    def needle(self, value: Any) -> Word:
        """An argument to look for: `bytes` takes a single number, too."""
        if self.plain is bytes and type(value) is int and 0 <= value <= 255:
            return lit(chr(value))
        return self.word(value)


STR = Kind(str, chars.SPACE, chars.BREAKS)
BYTES = Kind(bytes, chars.BYTES_SPACE, chars.BYTES_BREAKS)


def model(*names: str, kinds: tuple[Kind, ...] = (STR, BYTES)) -> Callable[[Model], Model]:
    """Registers a model under the names of methods."""

    def add(function: Model) -> Model:
        for kind in kinds:
            for name in names:
                kind.models[name] = function
        return function

    return add


def index(value: Any) -> Num | None:
    """An argument that is an index or None."""
    if value is None:
        return None
    return number(value)


def number(value: Any) -> Num:
    """An argument that is an integer."""
    if is_symbolic(value):
        if not issubclass(value.__class__, int):
            raise Unmodelled("type of an argument")
        return value.num()  # type: ignore[no-any-return]
    if isinstance(value, int):
        return num(int(value))
    raise Unmodelled("type of an argument")


def fixed(rec: Recorder, value: Any) -> int:
    """An integer argument that must be known: the path states its value by a choice."""
    n = number(value)
    choose(rec, n)
    return n.v


def boolean(value: bool, term: Term) -> Any:
    return wrap(value, term)


def invoke(kind: Kind, name: str, receiver: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Calls a method by its model; without a recorder or a term, on concrete values."""
    rec = current()
    if name == "join" and len(args) == 1 and not isinstance(args[0], list | tuple | str | bytes):
        args = (list(args[0]),)  # an iterator can be read once only
    if rec is not None:
        function = kind.models.get(name)
        try:
            if function is None:
                raise Unmodelled("no model")
            return function(kind, rec, kind.word(receiver), *args, **kwargs)
        except (Unmodelled, UnrepresentableError) as error:
            return concretised(rec, kind, name, receiver, args, kwargs, str(error) or "argument")
        except TypeError:
            # Wrong arguments: CPython has the right message.
            with_plain = getattr(kind.plain, name)(concrete(receiver), *map(concrete, args), **_plain(kwargs))
            rec.lost(f"{kind.plain.__name__}.{name}")
            return with_plain
    return getattr(kind.plain, name)(concrete(receiver), *map(concrete, args), **_plain(kwargs))


def _plain(kwargs: dict[str, Any]) -> dict[str, Any]:
    return {key: concrete(value) for key, value in kwargs.items()}


def concretised(
    rec: Recorder, kind: Kind, name: str, receiver: Any, args: tuple[Any, ...], kwargs: dict[str, Any], why: str
) -> Any:
    """The result on concrete values; everything symbolic is pinned, and counted, unless the call raises a TypeError."""
    try:
        result = getattr(kind.plain, name)(concrete(receiver), *map(concrete, args), **_plain(kwargs))
    except TypeError:
        raise
    except Exception:
        pin_all(rec, f"{kind.plain.__name__}.{name}: {why}", (receiver, *args, *kwargs.values()))
        raise
    pin_all(rec, f"{kind.plain.__name__}.{name}: {why}", (receiver, *args, *kwargs.values()))
    return result


def method(kind: Kind, name: str) -> Callable[..., Any]:
    """The method of a symbolic class that calls the model."""

    reflected = REFLECTED.get(name)

    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        if reflected is not None and len(args) == 1:
            result = by_subclass(self, args[0], kind.plain, reflected)
            if result is not NotImplemented:
                return result
        return invoke(kind, name, self, args, kwargs)

    original = getattr(kind.plain, name)
    call.__name__ = name
    call.__qualname__ = f"{kind.plain.__name__}.{name}"
    call.__doc__ = original.__doc__
    return call


def receiver(kind: Kind, name: str) -> Callable[..., Any]:
    """The entry of METHODS: a plain receiver with symbolic arguments."""

    @functools.wraps(getattr(kind.plain, name))
    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        return invoke(kind, name, self, args, kwargs)

    return call
