"""Inputs by splicing: a word that a condition asks for is put in the place of the text that the condition read.

A scanner that goes character by character fixes the bounds of a token before it looks at the token, so that `token == "select"` has no solution on a path where the token has another length; the search would have to
lengthen it step by step. Splicing replaces that part of the input, `a = x` becomes `a = select`, and executes the result. Nothing is predicted of it: it is an input like a seed, and it is tried a few times for each
direction of a branch that was never taken.

Example: `text[2:5] == "select"` with the text `a xyz b` gives `a select b`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..errors import UndeterminedError
from ..evaluate import evaluate
from ..terms import Sort, Term, free_vars, mk, var
from .path import Assume, Event, Value

_DEPTH = 20
WORD = var("word!", Sort.STRING)


def wanted(goal: Term) -> tuple[Term, Term] | None:
    """The text that a condition is about, and what it asks of the word in its place."""
    args = goal.args
    if goal.op == "str.in_re" and not free_vars(args[1]):
        return args[0], mk("str.in_re", WORD, args[1])
    if goal.op in ("=", "str.prefixof", "str.suffixof") and args[0].sort is Sort.STRING:
        word, text = args if args[0].op == "const" else args[::-1]
        if word.op == "const" and (goal.op == "=" or word is args[0]):
            return text, mk("=", WORD, word)
    return None


def place(text: Term, events: Sequence[Event], env: Mapping[Term, Value]) -> tuple[Term, int, int] | None:
    """The input that a text is a part of, with the bounds of the part."""
    try:
        start, size = 0, _size(text, env)
        for _ in range(_DEPTH):
            if text.op == "var" and "!" not in str(text.value):
                return text, start, start + size
            found = _whole(text, events, env)
            if found is None:
                return None
            text, before = found
            start += before
    except UndeterminedError:
        pass
    return None


def _whole(part: Term, events: Sequence[Event], env: Mapping[Term, Value]) -> tuple[Term, int] | None:
    """The text that this one is a part of, and the length of the text before it."""
    if part.op in ("str.substr", "str.at"):
        start = evaluate(part.args[1], env)
        return (part.args[0], start) if isinstance(start, int) and start >= 0 else None
    if part.op in ("str.to_lower", "str.to_upper"):
        return part.args[0], 0
    for event in events if part.op == "var" else ():
        if not isinstance(event, Assume) or event.term.op != "=":
            continue
        for whole, parts in (event.term.args, event.term.args[::-1]):
            if parts.op == "str.++" and part in parts.args:
                return whole, sum(_size(p, env) for p in parts.args[: parts.args.index(part)])
    return None


def _size(term: Term, env: Mapping[Term, Value]) -> int:
    return len(str(evaluate(term, env)))
