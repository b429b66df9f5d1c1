"""The function that a command line names: `MODULE:FUNCTION`, `FILE.py:FUNCTION`, `MODULE:CLASS.METHOD`."""

from __future__ import annotations

import functools
import importlib
import importlib.util
import inspect
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from .result import safe_str

_METHOD = "__stringent_method__"


class TargetError(ValueError):
    """There is no such function."""


@dataclass(slots=True)
class Target:
    module: ModuleType
    name: str
    function: Callable[..., Any]
    expression: str
    """What to call: the name, or the method of a new object."""


def find_target(spec: str) -> Target:
    """Imports the module and finds the function."""
    place, colon, name = spec.rpartition(":")
    if not colon or not place or not name:
        raise TargetError(f"{spec!r} is not of the form MODULE:FUNCTION")
    module = _from_file(place) if place.endswith(".py") or os.sep in place else _by_name(place)
    function = _attribute(module, name)
    bound = getattr(function, _METHOD, False)
    return Target(module, name, function, "().".join(name.rsplit(".", 1)) if bound else name)


def _by_name(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and (name == error.name or name.startswith(error.name + ".")):
            raise TargetError(f"there is no module {error.name}") from None
        raise TargetError(f"the module {name} cannot be imported: {error}") from error
    except (Exception, SystemExit) as error:
        raise TargetError(_failure(name, error)) from error


def _from_file(path: str) -> ModuleType:
    full = os.path.abspath(path)
    if not os.path.isfile(full):
        raise TargetError(f"there is no file {path}")
    for module in list(sys.modules.values()):
        if getattr(module, "__file__", None) == full:
            return module
    name = os.path.splitext(os.path.basename(full))[0]
    folder = os.path.dirname(full)
    if folder not in sys.path:
        sys.path.insert(0, folder)
    spec = importlib.util.spec_from_file_location(name, full)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise TargetError(_failure(path, error)) from error
    return module


def _failure(name: str, error: BaseException) -> str:
    """An exception at import, with the line of the module that raised it."""
    where = ""
    trace = error.__traceback__
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if (
            not file.startswith("<")
            and os.sep + "importlib" + os.sep not in file
            and not file.startswith(os.path.dirname(__file__))
        ):
            where = f" at {file}:{trace.tb_lineno}"
        trace = trace.tb_next
    if isinstance(error, SyntaxError) and error.filename:
        where = f" at {error.filename}:{error.lineno}:{error.offset}"
        if error.text is not None and error.offset is not None:
            line = error.text.rstrip("\n").expandtabs(1)
            return (
                f"the module {name} raises {type(error).__name__} when it is imported{where}: {error.msg}"
                f"\n  {line}\n  {' ' * (error.offset - 1)}^"
            )
    return f"the module {name} raises {type(error).__name__} when it is imported{where}: {safe_str(error)}"


def _attribute(module: ModuleType, name: str) -> Callable[..., Any]:
    found: Any = module
    owner: Any = None
    for part in name.split("."):
        owner = found
        try:
            found = inspect.getattr_static(found, part) if isinstance(found, type) else getattr(found, part)
        except AttributeError:
            raise TargetError(f"{_describe(owner)} has no function named {part}{_suggestion(owner, part)}") from None
    if isinstance(owner, type):
        if isinstance(found, staticmethod | classmethod):
            found = found.__get__(None, owner)
        elif inspect.isfunction(found):
            found = _method(owner, found)
    if not callable(found):
        raise TargetError(f"{name} is not a function, it is a value of type {type(found).__name__}")
    return found  # type: ignore[no-any-return]


def _method(owner: type, function: Any) -> Callable[..., Any]:
    """A method as a function: each call gets a new object, which must need no arguments."""
    try:
        owner()
    except Exception as error:
        raise TargetError(
            f"{function.__qualname__} needs an object, and {owner.__name__}() raises {type(error).__name__}: "
            f"{safe_str(error)}; write a function that makes one and calls it"
        ) from None
    signature = inspect.signature(function)

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        return function(owner(), *args, **kwargs)

    parameters = list(signature.parameters.values())[1:]
    setattr(call, _METHOD, True)
    call.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    return call


def _describe(owner: Any) -> str:
    if isinstance(owner, ModuleType):
        return f"the module {owner.__name__}"
    return f"{getattr(owner, '__qualname__', type(owner).__name__)}"


def _suggestion(owner: Any, name: str) -> str:
    import difflib

    names = [n for n in dir(owner) if callable(getattr(owner, n, None)) and not n.startswith("__")]
    close = difflib.get_close_matches(name, names, 3)
    return f"; did you mean {' or '.join(close)}?" if close else ""
