"""The order of the search: which branch of which execution is negated next.

The search is generational: every branch of an execution past the one that it was made by is a candidate. Candidates whose direction was never taken come first, then those in lines and functions that still have an uncovered branch;
each attempt on the same place and direction costs, so that a loop does not take all the time. A candidate is a node in the tree of all paths, so that no prefix is asked twice. A choice among several conditions is one node: its candidate asks for
none of those seen so far. Every tenth choice is random, so that nothing waits
for ever. With the same seed, the same order.
"""

from __future__ import annotations

import heapq
import math
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..terms import Term
from .path import NOT_ASCII, RARE, Branch, Event, Site, Value
from .probes import LABEL

if TYPE_CHECKING:
    from .result import Execution

_RANDOM = 10
_MOVES = 12


@dataclass(slots=True)
class Trace:
    """What the search keeps of an execution: the path and what explains a divergence."""

    execution: Execution
    events: list[Event]
    inexact_from: int | None
    lost_from: int | None
    foreign_from: int | None
    env: Mapping[Term, Value] = field(default_factory=dict, repr=False)
    """The values of all variables."""


@dataclass(slots=True, eq=False)
class Group:
    """The conditions of a choice that executions had, and whether a candidate for another one waits."""

    terms: list[Term] = field(default_factory=list)
    waiting: bool = False


@dataclass(slots=True, eq=False)
class Candidate:
    """A branch to negate."""

    trace: Trace
    index: int
    site: Site
    flipped: bool
    serial: int
    tries: int = 0
    done: bool = False
    node: tuple[int, Term, bool] | None = field(default=None, repr=False)
    group: Group | None = field(default=None, repr=False)
    rare: int = 0
    """The rare forms of values on the path before."""
    excluded: tuple[Term, ...] = ()
    """The conditions of a choice that must not hold, when the candidate was picked."""


class Frontier:
    """The candidates, and the tree of all paths."""

    def __init__(self, seed: int, uncovered: Callable[[Site], int]) -> None:
        """`uncovered` is 0 if the line of a place has an uncovered branch, 1 if its function has, 2 if not."""
        self._uncovered = uncovered
        self._random = random.Random(seed)
        self._nodes: dict[tuple[int, Term, bool], int] = {}
        self._groups: dict[tuple[int, Term], Group] = {}
        self._shapes: dict[str, int] = {}
        self._asked: set[tuple[int, Term, bool]] = set()
        self._taken: set[tuple[Site, bool]] = set()
        self._attempts: dict[tuple[Site, bool], int] = {}
        self._heap: list[tuple[float, int, Candidate]] = []
        self._all: list[Candidate] = []
        self._serial = 0
        self._picks = 0

    def __len__(self) -> int:
        return len(self._heap)

    def add(self, trace: Trace, shape: str = "") -> bool:
        """Adds the branches of an execution. Paths of inputs of different shapes are different trees. Returns whether the path is new."""
        node = -self._shapes.setdefault(shape, len(self._shapes) + 1)
        new = False
        fresh: list[Candidate] = []
        rare = 0
        for index, event in enumerate(trace.events):
            if not isinstance(event, Branch):
                continue
            key = (node, event.term, event.taken)
            other = (node, event.term, not event.taken)
            self._taken.add((event.site, event.taken))
            found = self._nodes.get(key)
            first = found is None
            if found is None:
                new = True
                found = self._nodes[key] = len(self._nodes) + 1
            if event.choice is not None:
                if first and self._extend(self._groups.setdefault((node, event.choice), Group()), event):
                    self._serial += 1
                    group = self._groups[node, event.choice]
                    fresh.append(Candidate(trace, index, event.site, False, self._serial, group=group, rare=rare))
            elif other not in self._nodes and other not in self._asked:
                self._asked.add(other)
                self._serial += 1
                fresh.append(Candidate(trace, index, event.site, not event.taken, self._serial, node=other, rare=rare))
            node = found
            if event.site.label.startswith(RARE) and event.taken is not (event.site.label == NOT_ASCII):
                rare += 1
        for candidate in fresh:
            self._push(candidate)
        return new or not trace.events

    def _extend(self, group: Group, event: Branch) -> bool:
        """Adds a condition to a choice. Returns whether a candidate for another one is needed."""
        group.terms.append(event.term)
        if len(group.terms) > 1:
            self._taken.add((event.site, False))
        if group.waiting:
            return False
        group.waiting = True
        return True

    def new(self, candidate: Candidate) -> bool:
        """Whether no execution has taken the direction of a candidate."""
        return (candidate.site, candidate.flipped) not in self._taken

    def again(self, candidate: Candidate) -> None:
        """Puts a candidate back, after an answer that was unknown."""
        candidate.tries += 1
        candidate.done = False
        if candidate.group is not None:
            if candidate.group.waiting:
                return
            candidate.group.waiting = True
        self._push(candidate)

    def _push(self, candidate: Candidate) -> None:
        heapq.heappush(self._heap, (self._cost(candidate), candidate.serial, candidate))
        self._all.append(candidate)

    def _cost(self, candidate: Candidate) -> float:
        direction = (candidate.site, candidate.flipped)
        cost = 3.0 * self._uncovered(candidate.site)
        if direction in self._taken:
            cost += 4.0
        cost += 2.0 * math.log2(1 + self._attempts.get(direction, 0))
        cost += 6.0 * candidate.tries
        if candidate.site.label.startswith(LABEL) or (
            candidate.site.label.startswith(RARE) and direction in self._taken
        ):
            cost += 5.0
        cost += 2.0 * min(candidate.rare, 3)
        cost += 0.02 * min(candidate.index, 200)
        if candidate.trace.execution.new:
            cost -= 1.0
        return cost

    def pick(self, count: int) -> list[Candidate]:
        """The next candidates, best first."""
        chosen: list[Candidate] = []
        while self._heap and len(chosen) < count:
            self._picks += 1
            candidate = self._pick_random() if self._picks % _RANDOM == 0 else None
            if candidate is None:
                candidate = self._pick_best()
            if candidate is None:
                break
            candidate.done = True
            if candidate.group is not None:
                candidate.excluded = tuple(candidate.group.terms)
                candidate.group.waiting = False
            elif candidate.node in self._nodes:
                continue  # an execution went there in the meantime
            direction = (candidate.site, candidate.flipped)
            self._attempts[direction] = self._attempts.get(direction, 0) + 1
            chosen.append(candidate)
        return chosen

    def _pick_best(self) -> Candidate | None:
        moves = 0
        while self._heap:
            cost, serial, candidate = heapq.heappop(self._heap)
            if candidate.done:
                continue
            now = self._cost(candidate)
            if now > cost + 0.5 and moves < _MOVES:
                moves += 1
                heapq.heappush(self._heap, (now, serial, candidate))
                continue
            return candidate
        return None

    def _pick_random(self) -> Candidate | None:
        for _ in range(8):
            if not self._all:
                return None
            i = self._random.randrange(len(self._all))
            candidate = self._all[i]
            self._all[i] = self._all[-1]
            self._all.pop()
            if not candidate.done:
                return candidate
        return None


def first_difference(
    expected: Sequence[Event], index: int, seen: Sequence[Event], excluded: Sequence[Term] = ()
) -> int | None:
    """The first branch at which a path leaves the prediction: `expected` up to `index`, where the branch is negated or the choice is none of `excluded`. None if it follows it."""
    branches = [e for e in seen if isinstance(e, Branch)]
    position = 0
    for i in range(index + 1):
        event = expected[i]
        if not isinstance(event, Branch):
            continue
        if position >= len(branches):
            return i
        actual = branches[position]
        if i == index and event.choice is not None:
            return None if actual.choice is event.choice and actual.term not in excluded else i
        if actual.term is not event.term or actual.taken is not (event.taken if i < index else not event.taken):
            return i
        position += 1
    return None
