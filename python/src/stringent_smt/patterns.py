"""Python's regular expressions as regular languages.

A pattern is read by Python's own parser into a small tree, in which flags are resolved and every single character is
a set of characters (`.`, `\\w`, `[^a-z]`, `(?i:k)`). The sets are computed by Python's own matcher, so they are those of
the running interpreter. The tree is translated from right to left: the language of a part is a function of the language
of everything that follows it, which makes anchors and look-ahead intersections. The character before a
position matters to `^`, `\\b` and look-behind; the translation keeps one language for each class of characters that
these can tell apart.

Not translatable, because the result would not be a regular language or not be exact: back-references, conditional
groups, atomic groups and possessive quantifiers, look-behind over more than one character, the flag LOCALE, and
inside of a part that is repeated without limit: `^`, `\\b` and look-behind. Look-ahead and `$` there are translated by way of an
automaton (loops.py), unless the part can be empty or the automaton is large. The rest raises `UntranslatableError`.

Strings of SMT-LIB end at U+2FFFF: languages have no words with characters past it.
"""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from typing import Any, Union

from .errors import UntranslatableError
from .loops import Loops
from .operators import LAST_CHARACTER
from .terms import Re, Term, const, mk

_NEW = sys.version_info >= (3, 11)
sre_compile: Any = import_module("re._compiler" if _NEW else "sre_compile")
sre: Any = import_module("re._constants" if _NEW else "sre_constants")
sre_parse: Any = import_module("re._parser" if _NEW else "sre_parse")

Ranges = tuple[tuple[int, int], ...]
"""A set of characters: ascending ranges of code points that do not touch."""

ASCII_LAST = 0x7F
BYTES_LAST = 0xFF
MAX_EXPANSION = 16
"""How often a part with anchors or look-around is written out."""


# The tree.


@dataclass(frozen=True)
class Chars:
    """One character of a set."""

    ranges: Ranges


@dataclass(frozen=True)
class Seq:
    """Parts one after the other."""

    parts: tuple[Node, ...]


@dataclass(frozen=True)
class Alt:
    """One of several parts, tried in this order."""

    options: tuple[Node, ...]


@dataclass(frozen=True)
class Repeat:
    """A part from `least` to `most` times (None: without limit)."""

    least: int
    most: int | None
    body: Node
    lazy: bool


@dataclass(frozen=True)
class Group:
    """A capturing group."""

    number: int
    body: Node


@dataclass(frozen=True)
class Anchor:
    """A condition on a position: `start`, `line_start`, `end`, `line_end`, `string_end`, `boundary`, `not_boundary`.

    `word` has the characters of words, for the last two.
    """

    kind: str
    word: Ranges = ()


@dataclass(frozen=True)
class Look:
    """Look-ahead or look-behind."""

    ahead: bool
    negative: bool
    body: Node


@dataclass(frozen=True)
class Opaque:
    """A part that has no translation."""

    construct: str


Node = Union[Chars, Seq, Alt, Repeat, Group, Anchor, Look, Opaque]


@dataclass(frozen=True)
class Pattern:
    """A parsed pattern."""

    root: Node
    groups: int
    """The number of capturing groups."""
    names: tuple[tuple[str, int], ...]
    text: str | bytes
    flags: int
    references: frozenset[int]
    """The groups that back-references refer to."""


Texts = tuple[tuple[int, Union[str, bytes]], ...]
"""Groups and what they match."""


def parse(
    pattern: str | bytes | re.Pattern[Any],
    flags: int = 0,
    last: int = LAST_CHARACTER,
    wider: bool = False,
    texts: Texts = (),
) -> Pattern:
    """The tree of a pattern. With a smaller `last`, its sets have no characters past it.

    With `wider`, what has no translation is replaced by something that matches at least as much. With `texts`, these groups match their text only, and so do references to them. Raises `re.error` if the pattern is not valid.
    """
    if isinstance(pattern, re.Pattern):
        flags = pattern.flags
        text = pattern.pattern
    else:
        text = pattern
    if isinstance(text, bytes):
        last = min(last, BYTES_LAST)
    return _parse(text, flags, last, wider, texts)


@lru_cache(maxsize=1024)
def _parse(text: str | bytes, flags: int, last: int, wider: bool, texts: Texts) -> Pattern:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = sre_parse.parse(text, flags)
    state = tree.state
    reader = _Reader(text, last, wider, dict(texts))
    root = reader.sequence(tree.data, state.flags)
    names = tuple(sorted(state.groupdict.items(), key=lambda pair: int(pair[1])))
    return Pattern(root, state.groups - 1, names, text, state.flags, frozenset(reader.references))


class _Reader:
    """Reads the tree of Python's parser."""

    def __init__(self, text: str | bytes, last: int, wider: bool, texts: dict[int, str | bytes]) -> None:
        self.bytes = isinstance(text, bytes)
        self.last = last
        self.wider = wider
        self.texts = texts
        self.groups: dict[int, Node] = {}
        self.references: set[int] = set()
        self.widened = 0

    def sequence(self, items: Iterable[tuple[Any, Any]], flags: int) -> Node:
        parts: list[Node] = []
        for op, argument in items:
            parts.append(self.item(op, argument, flags))
        return _sequence(parts)

    def item(self, op: Any, argument: Any, flags: int) -> Node:
        if op in (sre.LITERAL, sre.NOT_LITERAL, sre.IN, sre.ANY):
            if flags & re.LOCALE:
                return Opaque("the flag LOCALE")
            return Chars(self.chars(op, argument, flags))
        if op is sre.BRANCH:
            return Alt(tuple(self.sequence(option.data, flags) for option in argument[1]))
        if op is sre.SUBPATTERN:
            number, add, remove, body = argument
            flags = _combine(flags, add, remove)
            if number in self.texts:
                return Group(number, self.literal(number, flags))
            inner = self.sequence(body.data, flags)
            if number is not None:
                self.groups[number] = inner
            return inner if number is None else Group(number, inner)
        if op in (sre.MAX_REPEAT, sre.MIN_REPEAT):
            least, most, body = argument
            limit = None if most is sre.MAXREPEAT or most == sre.MAXREPEAT else int(most)
            return Repeat(int(least), limit, self.sequence(body.data, flags), op is sre.MIN_REPEAT)
        if op in (sre.ASSERT, sre.ASSERT_NOT):
            direction, body = argument
            before = self.widened
            look = Look(direction > 0, op is sre.ASSERT_NOT, self.sequence(body.data, flags))
            if self.wider and (self.widened > before or (not look.ahead and _before(look.body) is None)):
                self.widened += 1
                return Seq(())
            return look
        if op is sre.AT:
            return self.anchor(argument, flags)
        if str(op) == "FAILURE":  # (?!) since Python 3.11
            return Alt(())
        if op is sre.GROUPREF:
            self.references.add(argument)
            if argument in self.texts:
                return self.literal(argument, flags)
        if self.wider:
            self.widened += 1
            return self.at_least(str(op), argument, flags)
        return Opaque(_CONSTRUCTS.get(str(op), f"the construct {op}"))

    def literal(self, number: int, flags: int) -> Node:
        """The text of a group."""
        codes = [c if isinstance(c, int) else ord(c) for c in self.texts[number]]
        return _sequence([self.item(sre.LITERAL, code, flags) for code in codes])

    def at_least(self, op: str, argument: Any, flags: int) -> Node:
        """A part that matches whatever a part without translation matches, at the same position."""
        if op == "ATOMIC_GROUP":
            return self.sequence(argument.data, flags)
        if op == "POSSESSIVE_REPEAT":
            return self.item(sre.MAX_REPEAT, argument, flags)
        if op == "GROUPREF_EXISTS":
            return Alt(tuple(self.sequence(part.data if part else (), flags) for part in argument[1:]))
        group = self.groups.get(argument) if op == "GROUPREF" and not flags & re.IGNORECASE else None
        return group if group is not None and is_plain(group) else Repeat(0, None, Chars(((0, self.last),)), False)

    def anchor(self, at: Any, flags: int) -> Node:
        if at is sre.AT_BEGINNING:
            return Anchor("line_start" if flags & re.MULTILINE else "start")
        if at is sre.AT_BEGINNING_STRING:
            return Anchor("start")
        if at is sre.AT_END:
            return Anchor("line_end" if flags & re.MULTILINE else "end")
        if at is sre.AT_END_STRING:
            return Anchor("string_end")
        if flags & re.LOCALE:
            return Opaque("the flag LOCALE")
        word = self.chars(sre.IN, [(sre.CATEGORY, sre.CATEGORY_WORD)], flags & ~re.IGNORECASE)
        return Anchor("boundary" if at is sre.AT_BOUNDARY else "not_boundary", word)

    def chars(self, op: Any, argument: Any, flags: int) -> Ranges:
        """The characters that one item matches, by Python's own matcher."""
        if op is sre.LITERAL and (not flags & re.IGNORECASE):
            return ((argument, argument),) if argument <= self.last else ()
        key = tuple(argument) if isinstance(argument, list) else argument
        return _matched(op, key, flags & (re.IGNORECASE | re.ASCII | re.UNICODE | re.DOTALL), self.bytes, self.last)


_CONSTRUCTS = {
    "GROUPREF": "a back-reference",
    "GROUPREF_EXISTS": "a conditional group",
    "ATOMIC_GROUP": "an atomic group",
    "POSSESSIVE_REPEAT": "a possessive quantifier",
}


def _combine(flags: int, add: int, remove: int) -> int:
    """The flags inside of a group, as Python's compiler computes them."""
    if add & (re.ASCII | re.LOCALE | re.UNICODE):
        flags &= ~(re.ASCII | re.LOCALE | re.UNICODE)
    return (flags | add) & ~remove


@lru_cache(maxsize=1024)
def _matched(op: Any, argument: Any, flags: int, of_bytes: bool, last: int) -> Ranges:
    state = sre_parse.State()
    state.flags = flags
    state.str = b"" if of_bytes else ""
    item = sre_parse.SubPattern(
        state, [(op, list(argument) if isinstance(argument, tuple) and op is sre.IN else argument)]
    )
    run = sre_parse.SubPattern(state, [(sre.MAX_REPEAT, (1, sre.MAXREPEAT, item))])
    matcher = sre_compile.compile(run, flags)
    return tuple((found.start(), found.end() - 1) for found in matcher.finditer(_alphabet(of_bytes, last)))


@lru_cache(maxsize=8)
def _alphabet(of_bytes: bool, last: int) -> str | bytes:
    return bytes(range(last + 1)) if of_bytes else "".join(map(chr, range(last + 1)))


def _sequence(parts: Sequence[Node]) -> Node:
    """A sequence, in which a look-ahead at one character before one character is an intersection of sets."""
    out: list[Node] = []
    for part in reversed(parts):
        if isinstance(part, Look) and part.ahead and out:
            first, seen = out[-1], single(part.body)
            if isinstance(first, Chars) and seen is not None:
                kept = subtract(first.ranges, seen) if part.negative else intersect(first.ranges, seen)
                out[-1] = Chars(kept)
                continue
        out.append(part)
    out.reverse()
    return out[0] if len(out) == 1 else Seq(tuple(out))


# Sets of characters.


def single(node: Node) -> Ranges | None:
    """The characters of a part that always matches exactly one, else None."""
    if isinstance(node, Chars):
        return node.ranges
    if isinstance(node, Group):
        return single(node.body)
    if isinstance(node, Alt) and node.options:
        found: Ranges = ()
        for option in node.options:
            one = single(option)
            if one is None:
                return None
            found = unite(found, one)
        return found
    return None


def unite(a: Ranges, b: Ranges) -> Ranges:
    """The characters of either set."""
    merged: list[tuple[int, int]] = []
    for low, high in sorted((*a, *b)):
        if merged and low <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(merged[-1][1], high))
        else:
            merged.append((low, high))
    return tuple(merged)


def intersect(a: Ranges, b: Ranges) -> Ranges:
    """The characters of both sets."""
    out: list[tuple[int, int]] = []
    i = j = 0
    while i < len(a) and j < len(b):
        low, high = max(a[i][0], b[j][0]), min(a[i][1], b[j][1])
        if low <= high:
            out.append((low, high))
        if a[i][1] < b[j][1]:
            i += 1
        else:
            j += 1
    return tuple(out)


def subtract(a: Ranges, b: Ranges) -> Ranges:
    """The characters of the first set that are not in the second."""
    inverse: list[tuple[int, int]] = []
    start = 0
    for low, high in b:
        if start < low:
            inverse.append((start, low - 1))
        start = high + 1
    inverse.append((start, sys.maxunicode))
    return intersect(a, tuple(inverse))


# Languages.

ALL = mk("re.all")
NONE = mk("re.none")
EPSILON = mk("str.to_re", const(""))
_ENDS: dict[str, Term] = {
    "string_end": EPSILON,
    "end": mk("re.opt", mk("str.to_re", const("\n"))),
    "line_end": mk("re.opt", mk("re.++", mk("str.to_re", const("\n")), ALL)),
}


@lru_cache(maxsize=512)
def chars_re(ranges: Ranges) -> Term:
    """The language of the single characters of a set."""
    if ranges == ((0, LAST_CHARACTER),):
        return mk("re.allchar")
    parts: list[Term] = []
    for low, high in ranges:
        if low > LAST_CHARACTER:
            break
        high = min(high, LAST_CHARACTER)
        if low == high:
            parts.append(mk("str.to_re", const(chr(low))))
        else:
            parts.append(mk("re.range", const(chr(low)), const(chr(high))))
    return mk("re.union", *parts) if len(parts) > 1 else parts[0] if parts else NONE


def repeat_re(body: Term, least: int, most: int | None) -> Term:
    """A language from `least` to `most` times."""
    if most is None:
        if least <= 1:
            return mk("re.*" if least == 0 else "re.+", body)
        return mk("re.++", mk("re.^", body, params=(least,)), mk("re.*", body))
    if least == most:
        return mk("re.^", body, params=(least,))
    return mk("re.loop", body, params=(least, most))


def is_plain(node: Node) -> bool:
    """Whether a part has neither anchors nor look-around, nor anything that has no translation."""
    if isinstance(node, Chars):
        return True
    if isinstance(node, Seq):
        return all(map(is_plain, node.parts))
    if isinstance(node, Alt):
        return all(map(is_plain, node.options))
    if isinstance(node, (Repeat, Group)):
        return is_plain(node.body)
    return False


def nullable(node: Node) -> bool:
    """Whether a plain part matches the empty string."""
    if isinstance(node, Seq):
        return all(map(nullable, node.parts))
    if isinstance(node, Alt):
        return any(map(nullable, node.options))
    if isinstance(node, Repeat):
        return node.least == 0 or nullable(node.body)
    return nullable(node.body) if isinstance(node, Group) else False


def _width(node: Node) -> int:
    """A lower bound of the length of what a part matches."""
    if isinstance(node, Chars):
        return 1
    if isinstance(node, Seq):
        return sum(map(_width, node.parts))
    if isinstance(node, Alt):
        return min(map(_width, node.options), default=0)
    if isinstance(node, Repeat):
        return node.least * _width(node.body)
    return _width(node.body) if isinstance(node, Group) else 0


def plain_re(node: Node) -> Term:
    """The language of a part without anchors and look-around."""
    if isinstance(node, Chars):
        return chars_re(node.ranges)
    if isinstance(node, Seq):
        return mk("re.++", *map(plain_re, node.parts)) if node.parts else EPSILON
    if isinstance(node, Alt):
        return mk("re.union", *map(plain_re, node.options)) if node.options else NONE
    if isinstance(node, Repeat):
        return repeat_re(plain_re(node.body), node.least, node.most)
    if isinstance(node, Group):
        return plain_re(node.body)
    raise UntranslatableError(_name(node))


def _name(node: Node) -> str:
    if isinstance(node, Opaque):
        return node.construct
    if isinstance(node, Anchor):
        return f"the anchor {node.kind.replace('_', ' ')}"
    if isinstance(node, Look):
        return "a look-ahead" if node.ahead else "a look-behind"
    return type(node).__name__


Languages = tuple[Term, ...]
"""The language of the rest of the string, for each context."""


class _Translator:
    """The translation of one tree.

    A context is what is known of the character before a position: context 0 is the start of the string, the others
    are the classes of characters that the anchors and look-behinds of the pattern can tell apart.
    """

    def __init__(self, root: Node, last: int) -> None:
        sets: list[Ranges] = []
        self.aware = _left_sets(root, sets)
        classes: list[Ranges] = [((0, last),)]
        for one in sets:
            split = [part for c in classes for part in (intersect(c, one), subtract(c, one))]
            classes = [part for part in split if part]
        self.classes = classes if self.aware else []
        """The classes of characters; context i + 1 is the class i."""
        self.contexts = len(self.classes) + 1
        self.loops = Loops()

    def same(self, term: Term) -> Languages:
        return (term,) * self.contexts

    def whole(self, node: Node, rest: Term) -> Languages:
        """The languages of a tree followed by a rest."""
        found = self.translate(node, self.same(rest))
        return (self.loops.closed(found[0]),) if len(self.loops) else found

    def translate(self, node: Node, rest: Languages) -> Languages:
        """The languages of a part followed by the rest."""
        if isinstance(node, Group):
            return self.translate(node.body, rest)
        if isinstance(node, Chars):
            return self.step(EPSILON, node.ranges, rest)
        if isinstance(node, Seq):
            for part in reversed(node.parts):
                rest = self.translate(part, rest)
            return rest
        if isinstance(node, Alt):
            if is_plain(node) and all(r is rest[0] for r in rest[1:]):
                return self.same(_concat(plain_re(node), rest[0]))
            options = [self.translate(option, rest) for option in node.options]
            return tuple(_union(*column) for column in zip(*options)) if options else self.same(NONE)
        if isinstance(node, Repeat):
            return self.repeat(node, rest)
        if isinstance(node, Anchor):
            return tuple(self.anchor(node, i, r) for i, r in enumerate(rest))
        if isinstance(node, Look):
            return self.look(node, rest)
        raise UntranslatableError(_name(node))

    def step(self, before: Term, ranges: Ranges, rest: Languages) -> Languages:
        """`before`, one character of a set, and the rest; the character decides the context of the rest."""
        if all(r is rest[0] for r in rest[1:]) or not self.aware:
            return self.same(_concat(before, chars_re(ranges), rest[-1]))
        parts = []
        by_rest: dict[Term, Ranges] = {}
        for of_class, after in zip(self.classes, rest[1:]):
            by_rest[after] = unite(by_rest.get(after, ()), intersect(ranges, of_class))
        for after, some in by_rest.items():
            parts.append(_concat(before, chars_re(some), after))
        return self.same(_union(*parts))

    def repeat(self, node: Repeat, rest: Languages) -> Languages:
        least, most = node.least, node.most
        if not is_plain(node.body):
            return self.written_out(node, rest)
        if all(r is rest[0] for r in rest[1:]):
            return self.same(_concat(repeat_re(plain_re(node.body), least, most), rest[0]))
        if most == 0:
            return rest
        one = single(node.body)
        if one is not None:
            fewer = repeat_re(chars_re(one), max(least - 1, 0), None if most is None else most - 1)
            some = self.step(fewer, one, rest)
        else:
            language = repeat_re(plain_re(node.body), least, most)
            parts = [
                _concat(mk("re.inter", language, mk("re.++", ALL, chars_re(of_class))), after)
                for of_class, after in zip(self.classes, rest[1:])
            ]
            some = self.same(_union(*parts))
        if least > 0 and not nullable(node.body):
            return some
        return tuple(_union(a, r) for a, r in zip(some, rest))

    def written_out(self, node: Repeat, rest: Languages) -> Languages:
        """A repetition of a part with anchors or look-around."""
        most = node.least if node.most is None else node.most
        if most > MAX_EXPANSION:
            raise UntranslatableError(f"{_assertion(node.body)} in a part that is repeated {most} times")
        languages = rest = self.unlimited(node, rest) if node.most is None else rest
        for i in range(most - 1, -1, -1):
            languages = self.translate(node.body, languages)
            if i >= node.least:
                languages = tuple(_union(a, r) for a, r in zip(languages, rest))
        return languages

    def unlimited(self, node: Repeat, rest: Languages) -> Languages:
        """A repetition without limit: a variable, whose language is the rest or the part before the variable."""
        if self.aware or _width(node.body) == 0:
            raise UntranslatableError(f"{_assertion(node.body)} in a part that is repeated without limit")
        variable = self.loops.variable(rest[0])
        self.loops.define(variable, _union(rest[0], self.translate(node.body, (variable,))[0]))
        return (variable,)

    def anchor(self, node: Anchor, context: int, rest: Term) -> Term:
        kind = node.kind
        if kind == "start":
            return rest if context == 0 else NONE
        if kind == "line_start":
            return rest if context == 0 or self.classes[context - 1] == _NEWLINE else NONE
        if kind in _ENDS:
            return _inter(rest, _ENDS[kind])
        after_word = context > 0 and bool(intersect(self.classes[context - 1], node.word))
        if (kind == "boundary") != after_word:
            return _inter(rest, mk("re.++", chars_re(node.word), ALL))
        others = mk("re.++", chars_re(subtract(((0, LAST_CHARACTER),), node.word)), ALL)
        if kind == "not_boundary" and context == 0 and sys.version_info < (3, 14):
            return _inter(rest, others)  # until Python 3.14, \B does not match the empty string
        return _inter(rest, mk("re.opt", others))

    def look(self, node: Look, rest: Languages) -> Languages:
        if node.ahead:
            seen = self.translate(node.body, self.same(ALL))
            if node.negative:
                seen = tuple(mk("re.comp", s) for s in seen)
            return tuple(_inter(r, s) for r, s in zip(rest, seen))
        holds = _before(node.body)
        assert holds is not None
        at_start, ranges = holds
        allowed = [at_start, *[bool(intersect(c, ranges)) for c in self.classes]]
        return tuple(r if ok != node.negative else NONE for ok, r in zip(allowed, rest))


_NEWLINE: Ranges = ((10, 10),)


def _before(node: Node) -> tuple[bool, Ranges] | None:
    """A look-behind as: whether it holds at the start, and after which characters."""
    one = single(node)
    if one is not None:
        return False, one
    if isinstance(node, Group):
        return _before(node.body)
    if isinstance(node, Anchor) and node.kind in ("start", "line_start"):
        return True, _NEWLINE if node.kind == "line_start" else ()
    if isinstance(node, Alt):
        start = False
        ranges: Ranges = ()
        for option in node.options:
            found = _before(option)
            if found is None:
                return None
            start, ranges = start or found[0], unite(ranges, found[1])
        return start, ranges
    if isinstance(node, Seq) and not node.parts:
        return True, ((0, sys.maxunicode),)
    return None


def _left_sets(node: Node, sets: list[Ranges]) -> bool:
    """Whether a tree looks at the character before a position; collects the sets that it tells apart."""
    if isinstance(node, Anchor):
        if node.kind == "line_start":
            sets.append(_NEWLINE)
        elif node.word:
            sets.append(node.word)
        return node.kind not in _ENDS
    if isinstance(node, Look) and not node.ahead:
        holds = _before(node.body)
        if holds is None:
            raise UntranslatableError("a look-behind over more than one character")
        sets.append(holds[1])
        return True
    if isinstance(node, (Look, Repeat, Group)):
        return _left_sets(node.body, sets)
    if isinstance(node, (Seq, Alt)):
        found = [_left_sets(part, sets) for part in (node.parts if isinstance(node, Seq) else node.options)]
        return any(found)
    return False


def _assertion(node: Node) -> str:
    """The name of the first part that is not plain."""
    if isinstance(node, (Seq, Alt)):
        parts = node.parts if isinstance(node, Seq) else node.options
        return next((_assertion(part) for part in parts if not is_plain(part)), "")
    return _assertion(node.body) if isinstance(node, (Repeat, Group)) else _name(node)


def _concat(*parts: Term) -> Term:
    return mk("re.++", *parts)


def _union(*parts: Term) -> Term:
    return mk("re.union", *parts) if parts else NONE


def _inter(a: Term, b: Term) -> Term:
    if a is EPSILON or b is EPSILON:
        other = b if a is EPSILON else a
        if other is EPSILON or other is ALL or other.op == "re.opt":
            return EPSILON
    return mk("re.inter", a, b)


def _translate(pattern: Pattern, last: int, rest: Term, anywhere: bool) -> Re:
    try:
        translator = _Translator(pattern.root, last)
        found = translator.whole(pattern.root, rest)
    except UntranslatableError as error:
        text = pattern.text if isinstance(pattern.text, str) else repr(pattern.text)
        raise UntranslatableError(error.construct, None, text) from None
    if not anywhere:
        return found[0]  # type: ignore[return-value]
    later = [_concat(ALL, chars_re(of_class), r) for of_class, r in zip(translator.classes, found[1:])]
    if not translator.aware:
        return _concat(ALL, found[0])  # type: ignore[return-value]
    return _union(found[0], *later)  # type: ignore[return-value]


PatternLike = Union[str, bytes, "re.Pattern[str]", "re.Pattern[bytes]"]


def fullmatch_re(pattern: PatternLike, flags: int = 0, last: int = LAST_CHARACTER) -> Re:
    """The strings that `re.fullmatch` matches.

    With a smaller `last` (such as 0x7F), the language is exact for strings without characters past it, and
    much shorter for `\\w` and the like.
    """
    return _cached(pattern, flags, last, "fullmatch")


def match_re(pattern: PatternLike, flags: int = 0, last: int = LAST_CHARACTER) -> Re:
    """The strings that `re.match` matches."""
    return _cached(pattern, flags, last, "match")


def search_re(pattern: PatternLike, flags: int = 0, last: int = LAST_CHARACTER) -> Re:
    """The strings in which `re.search` finds a match."""
    return _cached(pattern, flags, last, "search")


def wider_re(pattern: re.Pattern[Any], how: str, last: int = LAST_CHARACTER) -> Re:
    """A language with all strings that `re.fullmatch`, `re.match` or `re.search` (`how`) matches; for back-references and other constructs without translation also with others."""
    last = min(last, BYTES_LAST) if isinstance(pattern.pattern, bytes) else last
    parsed = parse(pattern, last=last, wider=True)
    return _translate(parsed, last, EPSILON if how == "fullmatch" else ALL, how == "search")


def _cached(pattern: PatternLike, flags: int, last: int, how: str) -> Re:
    if isinstance(pattern, re.Pattern):
        return _language(pattern.pattern, pattern.flags, last, how)
    return _language(pattern, int(flags), last, how)


@lru_cache(maxsize=1024)
def _language(text: str | bytes, flags: int, last: int, how: str) -> Re:
    parsed = parse(text, flags, last)
    last = min(last, BYTES_LAST) if isinstance(text, bytes) else last
    return _translate(parsed, last, EPSILON if how == "fullmatch" else ALL, how == "search")


__all__ = [
    "ALL",
    "EPSILON",
    "NONE",
    "Alt",
    "Anchor",
    "Chars",
    "Group",
    "Look",
    "Node",
    "Opaque",
    "Pattern",
    "Ranges",
    "Repeat",
    "Seq",
    "chars_re",
    "fullmatch_re",
    "intersect",
    "is_plain",
    "match_re",
    "nullable",
    "parse",
    "plain_re",
    "repeat_re",
    "search_re",
    "single",
    "subtract",
    "unite",
    "wider_re",
]
