"""Membership in a regular language, by derivatives.

The derivative of a language by a character is the set of the rests of its words that start with it. A word is in the
language if the empty word is in the derivative by all its characters. Derivatives are nodes of an automaton that is
built as far as words need it: each node keeps its successors by character, so that a long word costs one dictionary
lookup per character. All operators of SMT-LIB are covered, complement and intersection included.

Example: the derivative of `(ab)*` by `a` is `b(ab)*`, that by `b` is empty.
"""

from __future__ import annotations

import sys
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from .errors import UndeterminedError
from .operators import LAST_CHARACTER
from .terms import Re, Term

Ranges = tuple[tuple[int, int], ...]
"""A set of characters: ascending ranges of code points."""


class Node:
    """A language, interned by its builder."""

    __slots__ = ("args", "data", "depth", "following", "kind", "nullable")

    def __init__(self, kind: str, args: tuple[Node, ...], data: Any, nullable: bool) -> None:
        self.kind = kind
        self.args = args
        self.data = data
        self.nullable = nullable
        self.depth: int = 1 + max((a.depth for a in args), default=0)
        self.following: dict[str, Node] = {}


class Language:
    """The automaton of one regular expression."""

    def __init__(self, term: Re, env: Mapping[Term, Any] | None = None) -> None:
        self._nodes: dict[Any, Node] = {}
        self.none = self._node("none", (), None, False)
        self.epsilon = self._node("epsilon", (), None, True)
        self.all = self._node("not", (self.none,), None, True)
        self.start = self._read(term, env or {})
        needed = 4 * self.start.depth + 500
        if needed > sys.getrecursionlimit():
            sys.setrecursionlimit(needed)

    # Words.

    def contains(self, word: str) -> bool:
        """Whether a word is in the language."""
        node = self.start
        for c in word:
            following = node.following.get(c)
            node = self._step(node, c) if following is None else following
        return node.nullable

    def shortest_end(self, word: str, start: int, allow_empty: bool = True) -> int:
        """The end of the shortest match that starts at a position, or -1."""
        node = self.start
        if allow_empty and node.nullable:
            return start
        for i in range(start, len(word)):
            node = self._step(node, word[i])
            if node.nullable:
                return i + 1
            if node is self.none:
                return -1
        return -1

    def _step(self, node: Node, c: str) -> Node:
        following = node.following.get(c)
        if following is None:
            following = node.following[c] = self._derive(node, c)
        return following

    # Derivatives.

    def _derive(self, node: Node, c: str) -> Node:
        kind = node.kind
        if kind == "chars":
            code = ord(c)
            i = bisect_right(node.data, (code, sys.maxunicode)) - 1
            return self.epsilon if i >= 0 and code <= node.data[i][1] else self.none
        if kind == "cat":
            return self._derive_cat(node, c)
        if kind == "star":
            return self._cat(self._step(node.args[0], c), node)
        if kind == "or" or kind == "and":
            return self._junction(kind, [self._step(a, c) for a in node.args])
        if kind == "not":
            return self._not(self._step(node.args[0], c))
        if kind == "loop":
            least, most = node.data
            rest = self._loop(node.args[0], max(least - 1, 0), most - 1)
            return self._cat(self._step(node.args[0], c), rest)
        return self.none

    def _derive_cat(self, node: Node, c: str) -> Node:
        options: list[Node] = []
        while node.kind == "cat":
            head, tail = node.args
            options.append(self._cat(self._step(head, c), tail))
            if not head.nullable:
                break
            node = tail
        else:
            options.append(self._step(node, c))
        return self._junction("or", options)

    # Construction, simplified so that there are finitely many derivatives.

    def _node(self, kind: str, args: tuple[Node, ...], data: Any, nullable: bool) -> Node:
        key = (kind, data, *map(id, args))
        node = self._nodes.get(key)
        if node is None:
            node = self._nodes[key] = Node(kind, args, data, nullable)
        return node

    def _union(self, args: list[Node]) -> Node:
        """A union, in which all sets of characters are one."""
        sets = [a for a in args if a.kind == "chars"]
        if len(sets) < 2:
            return self._junction("or", args)
        merged = _merge(r for a in sets for r in a.data)
        return self._junction("or", [self._chars(merged), *[a for a in args if a.kind != "chars"]])

    def _chars(self, ranges: Ranges) -> Node:
        return self._node("chars", (), ranges, False) if ranges else self.none

    def _word(self, word: str) -> Node:
        node = self.epsilon
        for c in reversed(word):
            node = self._cat(self._chars(((ord(c), ord(c)),)), node)
        return node

    def _cat(self, a: Node, b: Node) -> Node:
        """Concatenations lean to the right: their head is never a concatenation."""
        if a is self.none or b is self.none:
            return self.none
        if b is self.epsilon:
            return a
        heads: list[Node] = []
        while a.kind == "cat":
            heads.append(a.args[0])
            a = a.args[1]
        if a is not self.epsilon:
            heads.append(a)
        for head in reversed(heads):
            b = self._node("cat", (head, b), None, head.nullable and b.nullable)
        return b

    def _junction(self, kind: str, args: list[Node]) -> Node:
        neutral, zero = (self.none, self.all) if kind == "or" else (self.all, self.none)
        kept: dict[int, Node] = {}
        for arg in args:
            for part in arg.args if arg.kind == kind else (arg,):
                if part is zero:
                    return zero
                if part is not neutral:
                    kept[id(part)] = part
        if not kept:
            return neutral
        if len(kept) == 1:
            return next(iter(kept.values()))
        ordered = tuple(kept[key] for key in sorted(kept))
        nullable = any(a.nullable for a in ordered) if kind == "or" else all(a.nullable for a in ordered)
        return self._node(kind, ordered, None, nullable)

    def _not(self, a: Node) -> Node:
        return a.args[0] if a.kind == "not" else self._node("not", (a,), None, not a.nullable)

    def _star(self, a: Node) -> Node:
        if a is self.none or a is self.epsilon:
            return self.epsilon
        return a if a.kind == "star" or a is self.all else self._node("star", (a,), None, True)

    def _loop(self, a: Node, least: int, most: int) -> Node:
        if least > most:
            return self.none
        if most == 0 or a is self.epsilon:
            return self.epsilon
        if a is self.none:
            return self.epsilon if least == 0 else self.none
        return a if least == most == 1 else self._node("loop", (a,), (least, most), least == 0 or a.nullable)

    # Terms.

    def _read(self, term: Re, env: Mapping[Term, Any]) -> Node:
        done: dict[int, Node] = {}
        stack: list[Re] = [term]
        while stack:
            t = stack[-1]
            if id(t) in done:
                stack.pop()
                continue
            ranges = char_set(t) if t.op == "re.union" else None
            if ranges is not None:
                done[id(t)] = self._chars(ranges)
                continue
            args = [a for a in t.args if isinstance(a, Re)]
            missing = [a for a in args if id(a) not in done]
            if missing:
                stack.extend(missing)
            else:
                done[id(t)] = self._read_one(t, [done[id(a)] for a in args], env)
        return done[id(term)]

    def _read_one(self, t: Re, args: list[Node], env: Mapping[Term, Any]) -> Node:
        op = t.op
        if op == "str.to_re":
            return self._word(_string(t.args[0], env))
        if op == "re.range":
            low, high = (_string(a, env) for a in t.args)
            return self._chars(((ord(low), ord(high)),) if len(low) == len(high) == 1 and low <= high else ())
        if op == "re.++":
            node = self.epsilon
            for arg in reversed(args):
                node = self._cat(arg, node)
            return node
        if op == "re.union":
            return self._union(args)
        if op == "re.inter":
            return self._junction("and", args)
        if op == "ite":
            from .evaluate import evaluate

            return args[0] if evaluate(t.args[0], env) else args[1]
        return self._read_operator(op, t.params, args)

    def _read_operator(self, op: str, params: tuple[int, ...], args: list[Node]) -> Node:
        if op == "re.*":
            return self._star(args[0])
        if op == "re.+":
            return self._cat(args[0], self._star(args[0]))
        if op == "re.opt":
            return self._junction("or", [self.epsilon, args[0]])
        if op == "re.comp":
            return self._not(args[0])
        if op == "re.diff":
            return self._junction("and", [args[0], *map(self._not, args[1:])])
        if op == "re.loop" or op == "re.^":
            return self._loop(args[0], params[0], params[-1])
        if op == "re.none":
            return self.none
        return self.all if op == "re.all" else self._chars(((0, LAST_CHARACTER),))


def _merge(ranges: Iterable[tuple[int, int]]) -> Ranges:
    merged: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if merged and low <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(merged[-1][1], high))
        else:
            merged.append((low, high))
    return tuple(merged)


@lru_cache(maxsize=256)
def char_set(union: Re) -> Ranges | None:
    """The characters of a union of ranges and single characters; None for other unions."""
    ranges: list[tuple[int, int]] = []
    for arg in union.args:
        ends = [str(a.value) for a in arg.args] if arg.op in ("re.range", "str.to_re") else []
        if not ends or any(a.op != "const" for a in arg.args) or any(len(end) != 1 for end in ends):
            return None
        if ends[0] <= ends[-1]:
            ranges.append((ord(ends[0]), ord(ends[-1])))
    return _merge(ranges)


def _string(term: Term, env: Mapping[Term, Any]) -> str:
    if term.op == "const":
        return str(term.value)
    from .evaluate import evaluate

    return str(evaluate(term, env))


def language(term: Term, env: Mapping[Term, Any]) -> Language:
    """The automaton of a regular expression; kept with the term if it has no variables."""
    found = term._language
    if found is not None:
        assert isinstance(found, Language)
        return found
    if not isinstance(term, Re):
        raise UndeterminedError(f"{term} is no regular expression")
    from .terms import free_vars

    if free_vars(term):
        return Language(term, env)
    made = term._language = Language(term)
    return made


def replace_re(s: str, r: Language, t: str) -> str:
    """`str.replace_re`: the shortest leftmost match is replaced."""
    for start in range(len(s) + 1):
        end = r.shortest_end(s, start)
        if end >= 0:
            return s[:start] + t + s[end:]
    return s


def replace_re_all(s: str, r: Language, t: str) -> str:
    """`str.replace_re_all`: every shortest match from the left that is not empty is replaced."""
    out: list[str] = []
    start = 0
    while start < len(s):
        end = r.shortest_end(s, start, allow_empty=False)
        if end >= 0:
            out.append(t)
            start = end
        else:
            out.append(s[start])
            start += 1
    return "".join(out)


def indexof_re(s: str, r: Language, i: int) -> int:
    """`str.indexof_re` of cvc5: the first position from `i` on at which a match starts."""
    if i < 0:
        return -1
    for start in range(i, len(s) + 1):
        if r.shortest_end(s, start) >= 0:
            return start
    return -1
