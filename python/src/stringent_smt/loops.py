"""Repetitions without limit of a part with look-ahead, as regular expressions.

The language of `(part)*` before a rest is the only solution of the equation `X = rest ∪ part before X`; look-ahead in the part is an intersection with a language that reaches into `X`. A variable stands for `X` while the pattern is
translated. In the end the automaton of the whole is built by derivatives (regexes.py), where the derivative of a variable is that of the right side of its equation, and turned into a regular expression without variables, state by state.

Example: `(a(?!b))*` before `.*` is `X = .* ∪ a(X ∩ ¬(b.*))`.

The equation has one solution because the part matches no empty string. Automata have few states in practice; large ones are refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .errors import UntranslatableError
from .operators import LAST_CHARACTER
from .regexes import Language, Node, Ranges
from .terms import Re, Sort, Term, const, mk, var

MAX_STATES = 40
MAX_SIZE = 4000
_NONE = mk("re.none")
_EPSILON = mk("str.to_re", const(""))
_ALL = mk("re.all")

Edges = dict[int, dict[int, Term]]
"""The labels of an automaton: from a state to a state by a language."""


class Loops(Language):
    """The equations of one pattern."""

    def __init__(self) -> None:
        self._variables: dict[Term, Node] = {}
        self._meaning: dict[int, Node] = {}
        super().__init__(_NONE)  # type: ignore[arg-type]

    def __len__(self) -> int:
        return len(self._variables)

    def variable(self, rest: Term) -> Term:
        """A variable for a repetition before this rest."""
        number = len(self._variables)
        term = mk("str.to_re", var(f"repetition!{number}", Sort.STRING))
        nullable = self._read(rest, {}).nullable  # type: ignore[arg-type]
        self._variables[term] = self._node("variable", (), number, nullable)
        return term

    def define(self, variable: Term, meaning: Term) -> None:
        """The right side of the equation of a variable."""
        self._meaning[self._variables[variable].data] = self._read(meaning, {})  # type: ignore[arg-type]

    def closed(self, term: Term) -> Term:
        """The same language without variables."""
        start = self._read(term, {})  # type: ignore[arg-type]
        classes = self._classes()
        states = self._states(start, classes)
        number = {id(state): i for i, state in enumerate(states)}
        edges: Edges = {i: {} for i in range(len(states) + 1)}
        for i, state in enumerate(states):
            if state is self.all:
                edges[i][len(states)] = _ALL
                continue
            targets: dict[int, Ranges] = {}
            for ranges in classes:
                target = self._step(state, chr(ranges[0][0]))
                if target is not self.none:
                    targets[number[id(target)]] = tuple(sorted((*targets.get(number[id(target)], ()), *ranges)))
            edges[i] = {j: _set(ranges) for j, ranges in targets.items()}
            if state.nullable:
                edges[i][len(states)] = _EPSILON
        return _eliminate(edges, len(states))

    def _derive(self, node: Node, c: str) -> Node:
        if node.kind == "variable":
            return self._step(self._meaning[node.data], c)
        return super()._derive(node, c)

    def _read_one(self, t: Re, args: list[Node], env: Mapping[Term, Any]) -> Node:
        found = self._variables.get(t)
        return super()._read_one(t, args, env) if found is None else found

    def _classes(self) -> list[Ranges]:
        """The sets of characters that no state tells apart."""
        from .patterns import intersect, subtract

        classes: list[Ranges] = [((0, LAST_CHARACTER),)]
        for node in list(self._nodes.values()):
            if node.kind == "chars":
                split = [part for c in classes for part in (intersect(c, node.data), subtract(c, node.data))]
                classes = [part for part in split if part]
        return classes

    def _states(self, start: Node, classes: list[Ranges]) -> list[Node]:
        found = [start]
        seen = {id(start), id(self.none)}
        for state in found:
            for ranges in classes if state is not self.all else ():
                target = self._step(state, chr(ranges[0][0]))
                if id(target) not in seen:
                    seen.add(id(target))
                    found.append(target)
            if len(found) > MAX_STATES:
                raise UntranslatableError("a look-ahead in a part that is repeated without limit, with many states,")
        return found


def _set(ranges: Ranges) -> Term:
    from .patterns import chars_re, unite

    return chars_re(unite(ranges, ()))


def _eliminate(edges: Edges, end: int) -> Term:
    """The language from state 0 to the end, by removing the other states, the least connected first."""
    left = set(edges) - {0, end}
    while left:
        ways = {k: [i for i in edges if i != k and k in edges[i]] for k in left}
        k = min(left, key=lambda k: (len(ways[k]) * len(edges[k]), k))
        left.remove(k)
        out = edges.pop(k)
        stay = _star(out.pop(k, None))
        for i in ways[k]:
            before = edges[i].pop(k)
            for j, after in out.items():
                _add(edges[i], j, mk("re.++", before, *stay, after))
    out = edges[0]
    stay = _star(out.pop(0, None))
    result = mk("re.++", *stay, out[end]) if end in out else _NONE
    if result.size > MAX_SIZE:
        raise UntranslatableError("a look-ahead in a part that is repeated without limit, with a long translation,")
    return result


def _star(body: Term | None) -> list[Term]:
    return [] if body is None else [mk("re.*", body)]


def _add(row: dict[int, Term], j: int, way: Term) -> None:
    row[j] = mk("re.union", row[j], way) if j in row else way
    if row[j].size > MAX_SIZE:
        raise UntranslatableError("a look-ahead in a part that is repeated without limit, with a long translation,")
