"""Models of `re` on constant patterns.

Whether there is a match is one branch: membership in the language of the pattern. Where it is and what the groups are is stated when the program asks for it (see captures.py). A search goes through the places where a match may
start. What the statement of groups does not cover is made concrete and counted.

For a pattern that is no regular language (back-references and the like) a branch states whether the string is in a larger regular language; if not, there is no match. If it is, and there is a match, the groups are stated for the texts
that references refer to now, as an approximation; otherwise the string is made concrete.

`\\w` and the like have long tables for the whole of Unicode; for such patterns the path first branches on whether the string is ASCII.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from ...errors import UntranslatableError
from ...evaluate import evaluate
from ...operators import LAST_CHARACTER
from ...patterns import EPSILON, Anchor, Texts, parse, wider_re
from ...terms import Term, const, mk
from ..path import Recorder, current
from . import chars, text
from .base import (
    MAX_PIECES,
    Unmodelled,
    UnrepresentableError,
    Word,
    concrete,
    decide,
    is_symbolic,
    less,
    lit,
    num,
    piece,
    pin_all,
    split_into,
    wrap_num,
)
from .captures import Parse, Steps, context, flat, holds, languages, nullable, starts
from .containers import METHODS
from .functions import BUILTINS
from .kinds import BYTES, STR, Kind, fixed, number

MAX_LANGUAGE = 60
"""The size of a language from which on the ASCII part of it is used for ASCII strings."""


class Subject:
    """A compiled pattern and a string."""

    def __init__(self, rec: Recorder, pattern: re.Pattern[Any], value: Any, texts: Texts = ()) -> None:
        self.rec = rec
        self.pattern = pattern
        self.kind: Kind = BYTES if isinstance(pattern.pattern, bytes) else STR
        self.value = value
        self.whole = self.kind.word(value)
        self.last = 0xFF if self.kind is BYTES else LAST_CHARACTER
        steps = flat(parse(pattern, texts=texts).root)
        if self.kind is STR and languages(steps, chars.ANY, self.last)[1][0].size > MAX_LANGUAGE:
            if text.all_ascii(rec, self.whole):
                self.last = 0x7F
        self.parsed = parse(pattern, last=self.last, texts=texts)
        self.steps: Steps = flat(self.parsed.root)
        inner = text.is_mapped(rec, self.whole.t)
        self.op, self.word = inner or ("", self.whole)

    def start(self, pos: Any) -> tuple[list[Word], Word]:
        """What is before and after the position at which a match or a search starts."""
        rec, at = self.rec, number(pos)
        if not less(rec, num(0), at):
            return [], self.word
        if text.is_empty(rec, self.word):
            return [], self.word
        if less(rec, text.length(rec, self.word), at):
            return [self.word], lit("")
        before, rest = text.between(rec, self.word, num(0), at), text.between(rec, self.word, at, None)
        return [before], rest

    def seen(self, w: Word) -> str:
        return text.map_text(self.op, w.v) if self.op else w.v

    def parse_at(self, before: list[Word], rest: Word, tail: Term) -> Parse:
        return Parse(self.rec, self.whole, before, rest, self.steps, tail, self.last)

    def matched(self, before: list[Word], rest: Word, tail: Term) -> Parse | None:
        """A match that starts here, after a branch on whether there is one."""
        found = self.parse_at(before, rest, tail)
        return found if found.decide(found.language(self.steps)) else None

    def search(self, before: list[Word], rest: Word) -> Parse | None:
        """The first match from here on."""
        rec = self.rec
        if self.steps and self.steps[0] == Anchor("start"):
            return self.matched(before, rest, chars.ANY) if not before else None
        classes, found = languages(self.steps, chars.ANY, self.last)
        here = found[0] if len(found) == 1 else found[context(rec, text.cat(lit(""), *before), classes, self.op)]
        # everything before the end of `anywhere` is one language: a match here, or later
        later = [chars.seq(chars.ANY, chars.cls(c), f) for c, f in zip(classes, found[1:])] or [
            chars.seq(chars.ANY, here)
        ]
        anywhere = chars.alt(here, *later)
        probe = self.parse_at(before, rest, chars.ANY)
        if not probe.decide(anywhere):
            return None
        first = starts(self.steps)
        steps = 0
        while True:
            steps += 1
            if steps > 2 * MAX_PIECES:
                raise Unmodelled("a long search")
            probe = self.parse_at(before, rest, chars.ANY)
            if first is None:
                if probe.decide(probe.language(self.steps)):
                    return probe
                gap, rest = self.next_character(rest)
                before = [*before, gap]
                continue
            gap, rest = self.skip(rest, first)
            if gap.v or gap.t.op != "const":
                before = [*before, gap]
            probe = self.parse_at(before, rest, chars.ANY)
            if probe.decide(probe.language(self.steps)):
                return probe
            gap, rest = self.next_character(rest)
            before = [*before, gap]

    def next_character(self, rest: Word) -> tuple[Word, Word]:
        one = text.cat(text.char(self.rec, rest, num(0)))
        if rest.t.op == "const":
            return one, lit(rest.v[1:])
        tail = piece(self.rec, "v", rest.v[1:])
        split_into(self.rec, rest, (one, tail))
        return one, tail

    def skip(self, rest: Word, first: chars.Ranges) -> tuple[Word, Word]:
        """What is before the next character that a match may start with; the path has one."""
        allowed = text.preimage_ranges(self.op, first) if self.op else first
        found = text.scan(self.rec, rest, allowed)
        if found is None:
            raise Unmodelled("a search")
        gap, one, after = found
        return gap, text.cat(one, after)


class SymMatch:
    """A match object with symbolic groups."""

    def __init__(self, subject: Subject, found: Parse, real: re.Match[Any]) -> None:
        self._subject, self._parse, self._real = subject, found, real
        self._state = 0
        self.re = subject.pattern
        self.string = subject.value
        self.pos, self.endpos = real.pos, real.endpos

    @property
    def lastindex(self) -> int | None:
        self.ensure(True)  # the path has the alternatives that were taken
        return self._real.lastindex

    @property
    def lastgroup(self) -> str | None:
        self.ensure(True)
        return self._real.lastgroup

    @property
    def __class__(self) -> type:
        return re.Match

    @__class__.setter
    def __class__(self, value: type) -> None:
        raise TypeError("__class__ assignment is not supported")

    def plain(self) -> re.Match[Any]:
        return self._real

    def ensure(self, to_end: bool) -> bool:
        """Takes the steps of the match; False if they cannot be stated, and groups are concrete."""
        wanted = 2 if to_end else 1
        if self._state < 0 or self._subject.rec is not current():
            return False
        if self._state >= wanted:
            return True
        try:
            self._parse.run(to_end)
            self._state = wanted
            self._check(to_end)
        except (Unmodelled, UntranslatableError, UnrepresentableError) as error:
            self._state = -1
            self._subject.rec.pin(self._subject.whole.t, self._subject.whole.v, f"groups of a match: {error}")
            return False
        return True

    def _check(self, to_end: bool) -> None:
        """The groups must be those of Python."""
        numbers = range(0 if to_end else 1, self.re.groups + 1)
        for i in numbers:
            span = self._span(i)
            seen = (-1, -1) if span is None else tuple(self._parse.position(at).v for at in span)
            if seen != self._real.span(i):
                raise Unmodelled("other groups than those of Python")

    def _span(self, number: int) -> tuple[int, int] | None:
        return (0, len(self._parse.pieces)) if number == 0 else self._parse.spans.get(number)

    def _number(self, name: Any) -> int:
        if is_symbolic(name):
            name.pin(self._subject.rec, "the name of a group")
            name = name.plain()
        self._real.span(name)  # raises IndexError
        return name if isinstance(name, int) else self.re.groupindex[name]

    def _one(self, name: Any) -> Any:
        number = self._number(name)
        if not self.ensure(number == 0):
            return self._real.group(number)
        span = self._span(number)
        return None if span is None else self._subject.kind.wrap(self._parse.word(span))

    def group(self, *names: Any) -> Any:
        if not names:
            return self._one(0)
        return self._one(names[0]) if len(names) == 1 else tuple(map(self._one, names))

    def __getitem__(self, name: Any) -> Any:
        return self._one(name)

    def groups(self, default: Any = None) -> tuple[Any, ...]:
        found = [self._one(i) for i in range(1, self.re.groups + 1)]
        return tuple(default if value is None else value for value in found)

    def groupdict(self, default: Any = None) -> dict[str, Any]:
        found = {name: self._one(i) for name, i in self.re.groupindex.items()}
        return {name: default if value is None else value for name, value in found.items()}

    def _position(self, name: Any, end: int) -> Any:
        number = self._number(name)
        if not self.ensure(number == 0 and end == 1):
            return self._real.span(number)[end]
        span = (0, 0) if number == 0 and end == 0 else self._span(number)
        return -1 if span is None else wrap_num(self._parse.position(span[end]))

    def start(self, name: Any = 0) -> Any:
        return self._position(name, 0)

    def end(self, name: Any = 0) -> Any:
        return self._position(name, 1)

    def span(self, name: Any = 0) -> tuple[Any, Any]:
        return self.start(name), self.end(name)

    @property
    def regs(self) -> tuple[Any, ...]:
        return tuple(self.span(i) for i in range(self.re.groups + 1))

    def expand(self, template: Any) -> Any:
        rec = self._subject.rec
        try:
            return self._subject.kind.wrap(_template(rec, self._subject.kind, template)(self))
        except Unmodelled as error:
            pin_all(rec, f"Match.expand: {error}", (self.string, template))
            return self._real.expand(concrete(template))

    def __copy__(self) -> SymMatch:
        return self

    def __deepcopy__(self, memo: Any) -> SymMatch:
        return self

    def __repr__(self) -> str:
        return repr(self._real)


# the functions


def _once(how: str) -> Callable[..., Any]:
    def run(rec: Recorder, pattern: re.Pattern[Any], string: Any, pos: Any = 0, endpos: Any = None, /) -> Any:
        if endpos is not None:
            raise Unmodelled("the end of a search")
        real = getattr(pattern, how)(concrete(string), concrete(pos))
        try:
            subject = Subject(rec, pattern, string)
        except UntranslatableError:
            if is_symbolic(pos) or pos != 0:
                raise
            if not _may_match(rec, pattern, string, how):
                return None
            if real is None:
                raise
            subject = Subject(rec, pattern, string, _referenced(pattern, real))
            rec.approximate("a back-reference")
        before, rest = subject.start(pos)
        if how == "search":
            found = subject.search(before, rest)
        else:
            found = subject.matched(before, rest, EPSILON if how == "fullmatch" else chars.ANY)
        if found is None:
            return None
        return SymMatch(subject, found, real)

    return run


def _may_match(rec: Recorder, pattern: re.Pattern[Any], string: Any, how: str) -> bool:
    """A branch on whether the string is in a language that has all matches."""
    kind: Kind = BYTES if isinstance(pattern.pattern, bytes) else STR
    w = kind.word(string)
    language = wider_re(pattern, how)
    if kind is STR and language.size > MAX_LANGUAGE and text.all_ascii(rec, w):
        language = wider_re(pattern, how, 0x7F)
    return decide(rec, text.in_re(rec, w, language), bool(evaluate(mk("str.in_re", const(w.v), language), {})))


def _referenced(pattern: re.Pattern[Any], real: re.Match[Any]) -> Texts:
    """The groups that references refer to, with their texts in this match."""
    return tuple((i, real[i]) for i in sorted(parse(pattern).references) if real[i] is not None)


def _matches(rec: Recorder, pattern: re.Pattern[Any], string: Any) -> Iterator[tuple[SymMatch, list[Word], Word]]:
    """All matches, with the pieces before each and the rest after it."""
    subject = Subject(rec, pattern, string)
    if any(not nullable(step) for step in subject.steps):
        real = pattern.finditer(subject.kind.encode(subject.whole.v))
        before: list[Word] = []
        rest = subject.word
        while True:
            found = subject.search(before, rest)
            if found is None:
                return
            match = SymMatch(subject, found, next(real))
            gap = found.before[len(before) :]
            if not match.ensure(True):
                raise Unmodelled("groups of a match")
            yield match, gap, found.rest
            before, rest = [*found.before, *found.pieces], found.rest
    else:
        raise Unmodelled("a pattern that matches the empty string")


def _all(
    rec: Recorder, pattern: re.Pattern[Any], string: Any, limit: int = 0
) -> tuple[Subject, list[tuple[SymMatch, Word]], Word]:
    """The matches with what is before each, and the rest."""
    subject = Subject(rec, pattern, string)
    found: list[tuple[SymMatch, Word]] = []
    rest = subject.word
    for match, gap, after in _matches(rec, pattern, string):
        if len(found) >= MAX_PIECES:
            raise Unmodelled("more than a few matches")
        found.append((match, _outer(subject, gap)))
        rest = after
        if limit and len(found) >= limit:
            break
    return subject, found, _outer(subject, [rest])


def _outer(subject: Subject, parts: list[Word]) -> Word:
    joined = text.cat(lit(""), *parts)
    return text.mapped(subject.rec, subject.op, joined) if subject.op else joined


def _findall(rec: Recorder, pattern: re.Pattern[Any], string: Any, pos: Any = 0, endpos: Any = None, /) -> Any:
    if is_symbolic(pos) or pos != 0 or endpos is not None:
        raise Unmodelled("the ends of a search")
    subject, found, _ = _all(rec, pattern, string)
    empty = subject.kind.encode("")
    if pattern.groups == 0:
        return [match.group() for match, _ in found]
    if pattern.groups == 1:
        return [match.groups(empty)[0] for match, _ in found]
    return [match.groups(empty) for match, _ in found]


def _finditer(rec: Recorder, pattern: re.Pattern[Any], string: Any, pos: Any = 0, endpos: Any = None, /) -> Any:
    if is_symbolic(pos) or pos != 0 or endpos is not None:
        raise Unmodelled("the ends of a search")
    return iter([match for match, _ in _all(rec, pattern, string)[1]])


def _split(rec: Recorder, pattern: re.Pattern[Any], string: Any, maxsplit: Any = 0) -> Any:
    limit = fixed(rec, maxsplit)
    if limit < 0:
        return [string]
    subject, found, rest = _all(rec, pattern, string, limit)
    result: list[Any] = []
    for match, gap in found:
        result.append(subject.kind.wrap(gap))
        result.extend(match.groups())
    return [*result, subject.kind.wrap(rest)]


def _subn(rec: Recorder, pattern: re.Pattern[Any], repl: Any, string: Any, count: Any = 0) -> Any:
    limit = fixed(rec, count)
    if limit < 0:
        return string, 0
    kind = BYTES if isinstance(pattern.pattern, bytes) else STR
    make = _replacement(rec, kind, repl)
    subject, found, rest = _all(rec, pattern, string, limit)
    parts = [lit("")]
    for match, gap in found:
        parts += [gap, make(match)]
    return subject.kind.wrap(text.cat(*parts, rest)), len(found)


def _sub(rec: Recorder, pattern: re.Pattern[Any], repl: Any, string: Any, count: Any = 0) -> Any:
    return _subn(rec, pattern, repl, string, count)[0]


def _replacement(rec: Recorder, kind: Kind, repl: Any) -> Callable[[SymMatch], Word]:
    if callable(repl):
        return lambda match: kind.word(repl(match))
    return _template(rec, kind, repl)


_REFERENCE = re.compile(r"\\(?:g<(\w+)>|([1-9][0-9]?)|(.))", re.S)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "v": "\v", "a": "\a", "b": "\b", "\\": "\\"}


def _template(rec: Recorder, kind: Kind, repl: Any) -> Callable[[SymMatch], Word]:
    w = kind.word(repl)
    if not decide(rec, text.contains(rec, w, lit("\\")), "\\" in w.v):
        return lambda match: w
    if w.t.op != "const":
        raise Unmodelled("a template")
    parts: list[str | int] = []
    at = 0
    for found in _REFERENCE.finditer(w.v):
        parts.append(w.v[at : found.start()])
        at = found.end()
        name, number, escape = found.groups()
        if escape is not None:
            if escape not in _ESCAPES:
                raise Unmodelled("an escape in a template")
            parts.append(_ESCAPES[escape])
        else:
            parts.append(_Reference(name or number))
    parts.append(w.v[at:])
    if any("\\" in part for part in parts if type(part) is str and part != "\\"):
        raise Unmodelled("an escape in a template")

    def fill(match: SymMatch) -> Word:
        words = [lit("")]
        for part in parts:
            if isinstance(part, _Reference):
                value = match.group(int(part) if part.isdigit() else str(part))
                words.append(lit("") if value is None else kind.word(value))
            else:
                words.append(lit(str(part)))
        return text.cat(*words)

    return fill


class _Reference(str):
    """A reference to a group, by name or number."""


# tables


def _guarded(name: str, model: Callable[..., Any]) -> Callable[..., Any]:
    def call(pattern: re.Pattern[Any], *args: Any, **kwargs: Any) -> Any:
        rec = current()
        if is_symbolic(pattern.pattern):
            pattern = re.compile(concrete(pattern.pattern), pattern.flags)
        native = getattr(pattern, name)
        if rec is None:
            return native(*args, **kwargs)
        at = 1 if name in ("sub", "subn") else 0
        named = dict(kwargs)
        values = list(args)
        for key in ("repl", "string") if at else ("string",):
            if key in named:
                values.append(named.pop(key))
        subject = values[at] if len(values) > at else None
        wanted = bytes if isinstance(pattern.pattern, bytes) else str
        if not isinstance(subject, wanted):
            return native(*args, **kwargs)
        try:
            try:
                return model(rec, pattern, *values, **named)
            except UntranslatableError:
                if (
                    name not in _NOTHING
                    or len(values) != at + 1
                    or named
                    or _may_match(rec, pattern, subject, "search")
                ):
                    raise
                return _NOTHING[name](subject)
        except (Unmodelled, UntranslatableError, UnrepresentableError) as error:
            pin_all(rec, f"re.{name}: {error}", (*args, *kwargs.values()))
            return native(*_plain(values), **{key: concrete(value) for key, value in named.items()})

    return call


_NOTHING: dict[str, Callable[[Any], Any]] = {
    "findall": lambda subject: [],
    "finditer": lambda subject: iter(()),
    "split": lambda subject: [subject],
    "sub": lambda subject: subject,
    "subn": lambda subject: (subject, 0),
}
"""The results of the functions if there is no match."""


def _plain(values: list[Any]) -> list[Any]:
    return [concrete(value) for value in values]


_MODELS: dict[str, Callable[..., Any]] = {
    "match": _once("match"),
    "fullmatch": _once("fullmatch"),
    "search": _once("search"),
    "findall": _findall,
    "finditer": _finditer,
    "split": _split,
    "sub": _sub,
    "subn": _subn,
}


def _module_function(name: str) -> Callable[..., Any]:
    method = METHODS[re.Pattern, name]
    arguments = {"sub": 2, "subn": 2}.get(name, 1)

    def call(pattern: Any, *args: Any, flags: Any = 0, **kwargs: Any) -> Any:
        if len(args) > arguments and name in ("match", "fullmatch", "search", "findall", "finditer"):
            flags, args = args[arguments], args[:arguments]
        elif len(args) > arguments + 1:
            flags, args = args[arguments + 1], args[: arguments + 1]
        return method(_compile(None, pattern, flags), *args, **kwargs)

    return call


def _compile(rec: Recorder | None, pattern: Any, flags: Any = 0) -> re.Pattern[Any]:
    rec = rec or current()
    if is_symbolic(pattern) and rec is not None:
        pattern.pin(rec, "a regular expression")
    return re.compile(concrete(pattern), concrete(flags))


def _escape(value: Any) -> Any:
    rec = current()
    if rec is not None and is_symbolic(value) and isinstance(value, str):
        w = STR.word(value)
        special = chars.normal((ord(c), ord(c)) for c in map(chr, range(128)) if re.escape(c) != c)
        simple = not any(chars.member(special, c) for c in w.v)
        if decide(rec, text.in_re(rec, w, chars.star(chars.complement(special))), simple):
            return value
        value.pin(rec, "re.escape")  # type: ignore[attr-defined]
    return re.escape(concrete(value))


for _name, _model in _MODELS.items():
    METHODS[re.Pattern, _name] = _guarded(_name, _model)
    BUILTINS[getattr(re, _name)] = _module_function(_name)
BUILTINS[re.compile] = lambda pattern, flags=0: _compile(None, pattern, flags)
BUILTINS[re.escape] = _escape

__all__ = ["SymMatch", "holds"]
