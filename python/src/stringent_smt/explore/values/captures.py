"""Where the parts of a match are: Python's rules of priority, stated exactly by memberships.

The parts of a pattern are taken from left to right. What follows a part is a language of the rest of the string, so whether a choice (an option, another repetition) leads to a match is one membership, and Python's
backtracking becomes a sequence of branches without any going back. A repetition of single characters takes one fresh variable: `u = x ++ v`, `x` in `C*`, `v` in the language of what follows, and, as greedy repetitions are the
longest possible, `v` not in `C+` followed by it.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

from ...evaluate import evaluate
from ...patterns import (
    EPSILON,
    Alt,
    Anchor,
    Chars,
    Group,
    Look,
    Node,
    Ranges,
    Repeat,
    Seq,
    _Translator,
    chars_re,
    repeat_re,
    single,
)
from ...terms import Term, const, eq, mk, not_
from ..path import Recorder
from . import chars, text
from .base import MAX_PIECES, Num, Unmodelled, Word, add, decide, facts, lit, num, piece, split_into


@dataclass(frozen=True)
class End:
    """The end of a group."""

    number: int


Step = Node | End
Steps = tuple[Step, ...]


def flat(node: Node) -> Steps:
    """The parts of a sequence."""
    if isinstance(node, Seq):
        return tuple(step for part in node.parts for step in flat(part))
    return (node,)


def holds(value: str, language: Term) -> bool:
    """Whether a concrete string is in a language."""
    return evaluate(mk("str.in_re", const(value), language), {}) is True


@functools.lru_cache(maxsize=4096)
def languages(steps: Steps, tail: Term, last: int) -> tuple[tuple[Ranges, ...], tuple[Term, ...]]:
    """The language of the steps and the tail, for each class of the character before; the first is that of the start of the string."""
    nodes = tuple(step for step in steps if not isinstance(step, End))
    translator = _Translator(Seq(nodes), last)
    found = translator.whole(Seq(nodes), tail)
    if not translator.aware or all(f is found[0] for f in found):
        return (), (found[-1],)
    return tuple(translator.classes), found


@functools.lru_cache(maxsize=4096)
def nullable(node: Step) -> bool:
    """Whether a part may match the empty string."""
    if isinstance(node, Chars):
        return False
    if isinstance(node, Seq):
        return all(map(nullable, node.parts))
    if isinstance(node, Alt):
        return any(map(nullable, node.options))
    if isinstance(node, Repeat):
        return node.least == 0 or nullable(node.body)
    return nullable(node.body) if isinstance(node, Group) else True


def groups_of(steps: Steps) -> bool:
    """Whether there is a group, or the end of one, in the steps."""
    for step in steps:
        if isinstance(step, (Group, End)):
            return True
        if isinstance(step, Seq) and groups_of(step.parts):
            return True
        if isinstance(step, Alt) and groups_of(step.options):
            return True
        if isinstance(step, (Repeat, Look)) and groups_of((step.body,)):
            return True
    return False


@functools.lru_cache(maxsize=4096)
def one_character(step: Step) -> Ranges | None:
    """The set of characters of a part that matches one of them and has no group."""
    return None if isinstance(step, End) or groups_of((step,)) else single(step)


def starts(steps: Steps) -> Ranges | None:
    """The characters that a match of the steps starts with; None if it may be empty or looks at its context."""
    found: Ranges = ()
    for step in steps:
        one = _starts(step)
        if one is None:
            return None
        found = chars.normal((*found, *one[0]))
        if not one[1]:
            return found
    return None


def _starts(step: Step) -> tuple[Ranges, bool] | None:
    if isinstance(step, End):
        return (), True
    if isinstance(step, Chars):
        return step.ranges, False
    if isinstance(step, Group):
        return _starts(step.body)
    if isinstance(step, Repeat):
        one = _starts(step.body)
        return None if one is None else (one[0], one[1] or step.least == 0)
    if isinstance(step, (Seq, Alt)):
        parts = step.parts if isinstance(step, Seq) else step.options
        ranges: Ranges = ()
        empty = isinstance(step, Seq)
        for part in parts:
            one = _starts(part)
            if one is None:
                return None
            ranges = chars.normal((*ranges, *one[0]))
            if isinstance(step, Seq):
                if not one[1]:
                    return ranges, False
            else:
                empty = empty or one[1]
        return ranges, empty
    if isinstance(step, (Anchor, Look)):
        return (), True
    return None


class Parse:
    """A match in progress: the pieces before the match, the pieces of the match, and the rest of the string."""

    def __init__(
        self, rec: Recorder, whole: Word, before: list[Word], rest: Word, steps: Steps, tail: Term, last: int
    ) -> None:
        self.rec = rec
        inner = text.is_mapped(rec, whole.t)
        self.op = inner[0] if inner else ""
        self.before = before
        self.pieces: list[Word] = []
        self.rest = rest
        self.steps = steps
        self.tail = tail
        self.last = last
        self.spans: dict[int, tuple[int, int]] = {}
        """Groups as ranges of pieces."""
        self.open: dict[int, int] = {}

    # languages

    def language(self, steps: Steps, prefix: str | None = None) -> Term:
        """The language of the steps at this place. With `prefix`, for a concrete string before, and without a branch."""
        classes, found = languages(steps, self.tail, self.last)
        if len(found) == 1:
            return found[0]
        if prefix is not None:
            return found[_context(classes, prefix)]
        consumed = text.cat(lit(""), *self.before, *self.pieces)
        return found[context(self.rec, consumed, classes, self.op)]

    def mapped(self, language: Term) -> Term:
        return text.preimage(self.op, language) if self.op else language

    def inside(self, w: Word, language: Term) -> Term:
        return mk("str.in_re", w.t, self.mapped(language))

    def value(self, w: Word) -> str:
        """The text that the pattern sees of a piece."""
        return text.map_text(self.op, w.v) if self.op else w.v

    def decide(self, language: Term) -> bool:
        return decide(self.rec, self.inside(self.rest, language), holds(self.value(self.rest), language))

    # steps

    def run(self, to_end: bool) -> None:
        """Takes steps until there are no groups left, or to the end of the match."""
        count = 0
        while self.steps and (to_end or groups_of(self.steps)):
            count += 1
            if count > 8 * MAX_PIECES:
                raise Unmodelled("a long match")
            self.step()

    def step(self) -> None:
        step, after = self.steps[0], self.steps[1:]
        if isinstance(step, End):
            self.spans[step.number] = (self.open[step.number], len(self.pieces))
            self.steps = after
        elif isinstance(step, Group):
            self.open[step.number] = len(self.pieces)
            self.steps = (*flat(step.body), End(step.number), *after)
        elif isinstance(step, Seq):
            self.steps = (*flat(step), *after)
        elif isinstance(step, (Anchor, Look)):
            if isinstance(step, Look) and groups_of((step.body,)):
                raise Unmodelled("a group in a look-ahead")
            self.steps = after
        elif one_character(step) is not None:
            self.take_characters(one_character(step) or (), after)
        elif isinstance(step, Alt):
            self.choose(step, after)
        elif isinstance(step, Repeat):
            self.repeat(step, after)
        else:
            raise Unmodelled("a part of a pattern")

    def take(self, x: Word, v: Word, after: Steps) -> None:
        if x.v or x.t.op != "const":
            self.pieces.append(x)
        self.rest = v
        self.steps = after

    def take_characters(self, ranges: Ranges, after: Steps) -> None:
        """One character of a set; literals are taken together."""
        literal = []
        rest = (Chars(ranges), *after)
        while rest and isinstance(rest[0], Chars):
            only = rest[0].ranges
            seen = text.preimage_ranges(self.op, only) if self.op else only
            if len(seen) != 1 or seen[0][0] != seen[0][1]:
                break
            literal.append(chr(seen[0][0]))
            rest = rest[1:]
        if literal:
            word = "".join(literal)
            u = self.rest
            self.take(lit(word), text.without(self.rec, u, lit(word), True), rest)
            return
        self.split(1, chars_re(ranges), after)

    def split(self, size: int, language: Term, after: Steps) -> tuple[Word, Word]:
        """`u = x ++ v` with `x` of a language; states what the rest is."""
        u = self.rest
        memo = facts(self.rec).memo
        key = ("cut", u.t, language, after, self.tail, size, self.op, bool(self.before or self.pieces))
        if key in memo:
            x, v = memo[key]
            self.take(x, v, after)
            return x, v
        if u.t.op == "const":
            x, v = lit(u.v[:size]), lit(u.v[size:])
        else:
            x, v = piece(self.rec, "x", u.v[:size]), piece(self.rec, "v", u.v[size:])
            split_into(self.rec, u, (x, v))
            self.rec.assume(self.inside(x, language))
            fixed = _width(language)
            if fixed is not None:
                facts(self.rec).length[x.t] = fixed
        self.take(x, v, after)
        follows = self.language(after)
        if follows is not chars.ANY and v.t.op != "const":
            self.rec.assume(self.inside(v, follows))
        memo[key] = (x, v)
        return x, v

    def choose(self, step: Alt, after: Steps) -> None:
        """The first option that leads to a match."""
        for option in step.options[:-1]:
            steps = (*flat(option), *after)
            if self.decide(self.language(steps)):
                self.steps = steps
                return
        self.steps = (*flat(step.options[-1]), *after)

    def repeat(self, step: Repeat, after: Steps) -> None:
        least, most = step.least, step.most
        if most == 0:
            self.steps = after
            return
        body = one_character(step.body)
        if body is not None:
            if least == most:
                self.split(least, repeat_re(chars_re(body), least, most), after)
                return
            if self.run_of(step, body, after):
                return
        elif nullable(step.body):
            raise Unmodelled("a repetition of a part that may be empty")
        fewer = Repeat(max(least - 1, 0), None if most is None else most - 1, step.body, step.lazy)
        again = (*flat(step.body), fewer, *after)
        if least == 0:
            if step.lazy:
                if self.decide(self.language(after)):
                    self.steps = after
                    return
            elif not self.decide(self.language(again)):
                self.steps = after
                return
        self.steps = again

    def run_of(self, step: Repeat, body: Ranges, after: Steps) -> bool:
        """A repetition of single characters as one piece, if its end can be stated."""
        most = step.most
        first = starts(after)
        unique = first is not None and not chars.intersect(first, body)
        at_end = not after and self.tail is EPSILON
        unique = unique or at_end
        if not unique and (step.lazy or most is not None):
            return False
        seen = self.value(self.rest)
        prefix = self.consumed()
        size = step.least
        limit = len(seen) if most is None else min(most, len(seen))
        run = 0
        while run < limit and chars.member(body, seen[run]):
            run += 1
        lengths = range(step.least, run + 1) if step.lazy else range(run, step.least - 1, -1)
        for size in lengths:
            if holds(seen[size:], self.language(after, prefix + seen[:size])):
                break
        else:
            raise Unmodelled("the end of a repetition")
        _, v = self.split(size, repeat_re(chars_re(body), step.least, most), after)
        if not unique and v.t.op != "const":
            longer = self.language((Repeat(1, None, Chars(body), False), *after))
            self.rec.assume(not_(self.inside(v, longer)))
        return True

    def consumed(self) -> str:
        return "".join([self.value(p) for p in (*self.before, *self.pieces)])

    # results

    def word(self, span: tuple[int, int]) -> Word:
        parts = self.pieces[span[0] : span[1]]
        joined = text.cat(lit(""), *parts)
        return text.mapped(self.rec, self.op, joined) if self.op else joined

    def position(self, at: int) -> Num:
        total = num(0)
        for part in (*self.before, *self.pieces[:at]):
            total = add(total, text.length(self.rec, part))
        return total


def _width(language: Term) -> int | None:
    if language.op in ("re.range", "re.allchar") or (
        language.op == "re.union" and all(_width(a) == 1 for a in language.args)
    ):
        return 1
    if language.op == "str.to_re" and language.args[0].op == "const":
        return len(language.args[0].value)
    if language.op == "re.^":
        one = _width(language.args[0])
        return None if one is None else one * language.params[0]
    return None


def _context(classes: tuple[Ranges, ...], prefix: str) -> int:
    if not prefix:
        return 0
    return 1 + next(i for i, c in enumerate(classes) if chars.member(c, prefix[-1]))


def context(rec: Recorder, consumed: Word, classes: tuple[Ranges, ...], op: str = "") -> int:
    """Which class the character before is of, by branches."""
    if consumed.t.op == "const":
        return _context(classes, consumed.v)
    size = text.length(rec, consumed)
    if decide(rec, eq(consumed.t, const("")) if size.t.op != "const" else const(size.v == 0), not consumed.v):
        return 0
    found = _context(classes, text.map_text(op, consumed.v) if op else consumed.v)
    for i, one in enumerate(classes[:-1]):
        ranges = text.preimage_ranges(op, one) if op else one
        if decide(rec, mk("str.in_re", consumed.t, chars.seq(chars.ANY, chars.cls(ranges))), found == i + 1):
            return i + 1
    return len(classes)


__all__: list[str] = ["Any", "Parse", "context", "flat", "groups_of", "holds", "languages", "nullable", "starts"]
