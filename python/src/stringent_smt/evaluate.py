"""The value of a term under an assignment, as the standard defines it.

Small terms are evaluated by recursion, large ones with a stack and each shared part once. `ite`, `and`, `or` and `=>`
look only at the arguments that they need, so that a division by zero counts only where it is used.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .errors import UndeterminedError
from .operators import FOLD
from .regexes import indexof_re, language, replace_re, replace_re_all
from .terms import Sort, Term, Value

_SMALL = 150


def evaluate(term: Term, env: Mapping[Any, Any]) -> Value:
    """The value of a term of sort Bool, Int or String.

    `env` maps variables to Python values. Raises `UndeterminedError` for variables without a value and for
    divisions by zero.
    """
    try:
        if term.size <= _SMALL:
            return _small(term, env)  # type: ignore[no-any-return]
        return _large(term, env)  # type: ignore[no-any-return]
    except KeyError as missing:
        key = missing.args[0] if missing.args else None
        if isinstance(key, Term):
            raise UndeterminedError(f"{key} has no value") from None
        raise


def _small(term: Term, env: Mapping[Any, Any]) -> Any:
    op = term.op
    if op == "const":
        return term.value
    if op == "var":
        return env[term]
    args = term.args
    lazy = _LAZY.get(op)
    if lazy is not None:
        return lazy(args, env)
    if term.params:
        return FOLD[op](*term.params, _small(args[0], env))
    if len(args) == 1:
        return FOLD[op](_small(args[0], env))
    return FOLD[op](*[_small(arg, env) for arg in args])


def _small_ite(args: tuple[Term, ...], env: Mapping[Any, Any]) -> Any:
    return _small(args[1] if _small(args[0], env) else args[2], env)


def _small_and(args: tuple[Term, ...], env: Mapping[Any, Any]) -> Any:
    for arg in args:  # noqa: SIM110 (a loop is faster)
        if not _small(arg, env):
            return False
    return True


def _small_or(args: tuple[Term, ...], env: Mapping[Any, Any]) -> Any:
    for arg in args:  # noqa: SIM110
        if _small(arg, env):
            return True
    return False


def _small_implies(args: tuple[Term, ...], env: Mapping[Any, Any]) -> Any:
    for arg in args[:-1]:
        if not _small(arg, env):
            return True
    return _small(args[-1], env)


def _small_eq(args: tuple[Term, ...], env: Mapping[Any, Any]) -> Any:
    first = args[0]
    if first.sort is Sort.REGLAN:
        raise UndeterminedError("equality of languages is not evaluated")
    value = _small(first, env)
    for arg in args[1:]:  # noqa: SIM110
        if _small(arg, env) != value:
            return False
    return True


def _small_distinct(args: tuple[Term, ...], env: Mapping[Any, Any]) -> Any:
    if args[0].sort is Sort.REGLAN:
        raise UndeterminedError("equality of languages is not evaluated")
    return len({_small(arg, env) for arg in args}) == len(args)


def _small_in_re(args: tuple[Term, ...], env: Mapping[Any, Any]) -> Any:
    r = args[1]
    automaton = r._language
    if automaton is None:
        automaton = language(r, env)
    return automaton.contains(_small(args[0], env))


def _small_replace_re(args: tuple[Term, ...], env: Mapping[Any, Any]) -> Any:
    return replace_re(_small(args[0], env), language(args[1], env), _small(args[2], env))


def _small_replace_re_all(args: tuple[Term, ...], env: Mapping[Any, Any]) -> Any:
    return replace_re_all(_small(args[0], env), language(args[1], env), _small(args[2], env))


def _small_indexof_re(args: tuple[Term, ...], env: Mapping[Any, Any]) -> Any:
    return indexof_re(_small(args[0], env), language(args[1], env), _small(args[2], env))


_LAZY: dict[str, Callable[[tuple[Term, ...], Mapping[Any, Any]], Any]] = {
    "ite": _small_ite,
    "and": _small_and,
    "or": _small_or,
    "=>": _small_implies,
    "=": _small_eq,
    "distinct": _small_distinct,
    "str.in_re": _small_in_re,
    "str.replace_re": _small_replace_re,
    "str.replace_re_all": _small_replace_re_all,
    "str.indexof_re": _small_indexof_re,
}


def _needed(term: Term, values: dict[int, Any], passed: dict[int, int]) -> list[Term]:
    """The next arguments whose values decide the value of a term; none if all that matter are known.

    `passed` counts the arguments of a connective that have been looked at and decide nothing.
    """
    op = term.op
    args = term.args
    if op == "ite":
        if id(args[0]) not in values:
            return [args[0]]
        chosen = args[1] if values[id(args[0])] else args[2]
        return [] if id(chosen) in values else [chosen]
    if op not in ("and", "or", "=>"):
        return [a for a in args if id(a) not in values and a.sort is not Sort.REGLAN]
    for i in range(passed.get(id(term), 0), len(args)):
        passed[id(term)] = i
        arg = args[i]
        if id(arg) not in values:
            return [arg]
        if bool(values[id(arg)]) == (op == "or") and not (op == "=>" and i == len(args) - 1):
            return []
    return []


def _combine(term: Term, values: dict[int, Any], env: Mapping[Any, Any]) -> Any:
    """The value of a term whose needed arguments are known."""
    op, args = term.op, term.args
    if op == "ite":
        return values[id(args[1])] if values[id(args[0])] else values[id(args[2])]
    if op in ("and", "or"):
        return all(values.get(id(a), True) for a in args) if op == "and" else any(values.get(id(a)) for a in args)
    if op == "=>":
        return any(not values.get(id(a), True) for a in args[:-1]) or values[id(args[-1])]
    if any(a.sort is Sort.REGLAN for a in args):
        return _combine_re(op, args, values, env)
    return FOLD[op](*term.params, *[values[id(a)] for a in args])


def _combine_re(op: str, args: tuple[Term, ...], values: dict[int, Any], env: Mapping[Any, Any]) -> Any:
    if args[0].sort is Sort.REGLAN:
        raise UndeterminedError("equality of languages is not evaluated")
    s, r = values[id(args[0])], language(args[1], env)
    if op == "str.in_re":
        return r.contains(s)
    last = values[id(args[2])]
    if op == "str.indexof_re":
        return indexof_re(s, r, last)
    return replace_re(s, r, last) if op == "str.replace_re" else replace_re_all(s, r, last)


def _large(root: Term, env: Mapping[Any, Any]) -> Any:
    values: dict[int, Any] = {}
    passed: dict[int, int] = {}
    stack = [root]
    while stack:
        term = stack[-1]
        if id(term) in values:
            stack.pop()
        elif not term.args:
            values[id(term)] = term.value if term.op == "const" else env[term]
            stack.pop()
        else:
            needed = _needed(term, values, passed)
            if needed:
                stack.extend(reversed(needed))
            else:
                values[id(term)] = _combine(term, values, env)
                stack.pop()
    return values[id(root)]
