"""Contracts of a function: what callers must provide, what it promises, what it may raise.

Two notations are read. Docstrings as in PEP 316, with one expression after the keyword or several on indented lines:

    pre: len(text) > 0
    post: __return__.startswith(__old__.text)
    raises: ValueError, KeyError

`__return__` is the result and `__old__` has the arguments as they were; the bracket of `post[x]:` is accepted and ignored. And the decorators of icontract, `require` and `ensure`, by the attributes that they leave on the function.
Exceptions that a docstring announces (`:raises ValueError:`, or a section `Raises:`) are no errors either.
"""

from __future__ import annotations

import ast
import builtins
import copy
import inspect
import re
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import CodeType, SimpleNamespace
from typing import Any

from .lift import lift_expression
from .path import current

_CLAUSE = re.compile(r"^(\s*)(pre|post|raises)\s*(?:\[[^\]]*\])?\s*::?\s*(.*)$")
_SPHINX = re.compile(r":(?:raises?|exceptions?)\s+([\w.,\s]+?):")
_SECTION = re.compile(r"^(\s*)(?:Raises|Throws)\s*:?\s*$")


class ContractError(ValueError):
    """A contract that cannot be read."""


@dataclass(slots=True)
class Condition:
    """An expression over the arguments, and for postconditions over the result."""

    text: str
    evaluate: Callable[[Mapping[str, Any]], Any]


@dataclass(slots=True)
class Contracts:
    pre: list[Condition] = field(default_factory=list)
    post: list[Condition] = field(default_factory=list)
    raises: list[str] = field(default_factory=list)
    """Names of the exceptions that are announced."""

    def needs_old(self) -> bool:
        return any("__old__" in condition.text for condition in self.post)


def contracts_of(function: Callable[..., Any]) -> Contracts:
    """All contracts of a function."""
    found = Contracts()
    target = inspect.unwrap(function)
    _read_docstring(found, inspect.getdoc(target) or "", target)
    _read_icontract(found, function)
    return found


def _read_docstring(found: Contracts, text: str, function: Any) -> None:
    lines = text.expandtabs().splitlines()
    i = 0
    while i < len(lines):
        clause = _CLAUSE.match(lines[i])
        if clause is None:
            i += 1
            continue
        indent, keyword, rest = clause.groups()
        i += 1
        block = []
        while i < len(lines) and (not lines[i].strip() or _indent(lines[i]) > len(indent)):
            block.append(lines[i])
            i += 1
        if keyword == "raises":
            found.raises.extend(re.findall(r"[\w.]+", " ".join([rest, *block])))
            continue
        for expression in _expressions(rest, block, function):
            condition = Condition(expression, _compiled(expression, function))
            (found.pre if keyword == "pre" else found.post).append(condition)
    for names in _SPHINX.findall(text):
        found.raises.extend(re.findall(r"[\w.]+", names))
    found.raises.extend(_sections(lines))


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _expressions(rest: str, block: list[str], function: Any) -> list[str]:
    """The expressions of a clause: one that may go on, or one on each line."""
    body = textwrap.dedent("\n".join(block)).strip("\n")
    if rest.strip():
        whole = rest.strip() + ("\n" + body if body else "")
        for candidate in (rest.strip(), f"({whole})"):
            if _parses(candidate):
                return [candidate]
        raise ContractError(f"{_name(function)}: cannot read the contract {rest.strip()!r}")
    found: list[str] = []
    pending = ""
    for line in body.splitlines():
        pending = f"{pending}\n{line}" if pending else line
        if pending.strip() and _parses(f"({pending})"):
            found.append(pending.strip())
            pending = ""
    if pending.strip():
        raise ContractError(f"{_name(function)}: cannot read the contract {pending.strip()!r}")
    return found


def _parses(text: str) -> bool:
    try:
        ast.parse(text, mode="eval")
    except SyntaxError:
        return False
    return True


def _compiled(text: str, function: Any) -> Callable[[Mapping[str, Any]], Any]:
    filename = f"<contract of {_name(function)}>"
    lifted: CodeType = lift_expression(f"({text})", filename)
    plain: CodeType = compile(f"({text})", filename, "eval", dont_inherit=True)
    names: dict[str, Any] = getattr(function, "__globals__", {})

    def evaluate(local: Mapping[str, Any]) -> Any:
        code = plain if current() is None else lifted
        # comprehensions see globals only, so that arguments are globals here
        return eval(code, {"__builtins__": builtins, **names, **local})

    return evaluate


def _sections(lines: list[str]) -> list[str]:
    """Exceptions of a section `Raises:` in the styles of Google and NumPy."""
    found: list[str] = []
    for i, line in enumerate(lines):
        section = _SECTION.match(line)
        if section is None:
            continue
        base = len(section[1])
        for following in lines[i + 1 :]:
            if set(following.strip()) == {"-"}:
                continue
            if not following.strip() or (_indent(following) <= base and ":" in line):
                break
            name = re.match(r"\s*([A-Za-z_][\w.]*)\s*(?::|$)", following)
            if name is not None:
                found.append(name[1])
    return found


def _read_icontract(found: Contracts, function: Any) -> None:
    """icontract leaves its conditions on the wrapper. Postconditions are checked by the wrapper itself, which raises."""
    while function is not None:
        groups = getattr(function, "__preconditions__", None)
        for contract in groups[0] if groups else ():
            condition = contract.condition
            names = list(inspect.signature(condition).parameters)

            def evaluate(local: Mapping[str, Any], condition: Any = condition, names: list[str] = names) -> Any:
                return condition(**{name: local[name] for name in names if name in local})

            found.pre.append(Condition(contract.description or f"require({', '.join(names)})", evaluate))
        if groups:
            return
        function = getattr(function, "__wrapped__", None)


def old(arguments: Mapping[str, Any]) -> SimpleNamespace:
    """The arguments before the call."""
    kept = {}
    for name, value in arguments.items():
        try:
            kept[name] = copy.deepcopy(value)
        except Exception:
            kept[name] = value
    return SimpleNamespace(**kept)


def announced(error: BaseException, names: list[str]) -> bool:
    """Whether the type of an exception, or a base of it, is among the names."""
    wanted = {name.rpartition(".")[2] for name in names}
    return any(base.__name__ in wanted for base in type(error).__mro__)


def _name(function: Any) -> str:
    return getattr(function, "__qualname__", None) or repr(function)
