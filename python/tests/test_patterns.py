"""Python's regular expressions as languages, against Python's `re`."""

from __future__ import annotations

import itertools
import random
import re
import warnings

import pytest

from stringent_smt.errors import UntranslatableError
from stringent_smt.patterns import fullmatch_re, intersect, match_re, parse, search_re, subtract, unite, wider_re
from stringent_smt.regexes import language
from stringent_smt.terms import Re, String, free_vars

_ONES = [*r"a b A _ é ſ k . \d \w \s \W \D [ab] [^a] [a-c_] [^\w] [\da] \n 1 [^\n1] İ [k-z] \\ \x41".split(), " "]
_FORMS = (("fullmatch", fullmatch_re), ("match", match_re), ("search", search_re))


def _contains(term: Re, word: str) -> bool:
    return language(term, {}).contains(word)


class Patterns:
    """Random patterns over a few characters, with every construct."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def one(self) -> str:
        return self.random.choice(_ONES)

    def part(self, depth: int) -> str:
        kind = self.random.randrange(14) if depth > 0 else 0
        if kind < 4:
            return self.one()
        if kind == 4:
            return self.random.choice(["^", "$", r"\A", r"\Z", r"\b", r"\B"])
        if kind == 5:
            return f"(?{self.random.choice('=!')}{self.pattern(depth - 1)})"
        if kind == 6:
            return f"(?<{self.random.choice('=!')}{self.one()})"
        if kind == 7:
            return f"(?{self.random.choice(['i', 's', 'm', '-i', 'a', 'u'])}:{self.pattern(depth - 1)})"
        body = self.one() if kind < 11 else f"({self.random.choice(['', '?:'])}{self.pattern(depth - 1)})"
        if kind == 13:
            return body
        return (
            body
            + self.random.choice(["*", "+", "?", "{2}", "{1,2}", "{,2}", "{1,}"])
            + self.random.choice(["", "", "?"])
        )

    def pattern(self, depth: int) -> str:
        options = []
        for _ in range(self.random.choice((1, 1, 1, 2, 3))):
            options.append("".join(self.part(depth) for _ in range(self.random.randrange(4))))
        return "|".join(options)

    def word(self) -> str:
        return "".join(self.random.choice("aabbAk1_ \né\\ſKİz") for _ in range(self.random.randrange(7)))


def test_against_re() -> None:
    """Random patterns: the same strings match, however they are asked."""
    draw = Patterns(5)
    translated = untranslatable = matches = 0
    for i in range(1500):
        text = draw.pattern(2)
        flags = draw.random.choice((0, re.I, re.S | re.A, re.M | re.A, re.A, re.I | re.A, re.M | re.S | re.A))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                compiled = re.compile(text, flags)
            except re.error:
                continue
        name, form = _FORMS[i % 3]
        try:
            term = form(text, flags)
        except UntranslatableError:
            untranslatable += 1
            continue
        translated += 1
        for word in ["", *[draw.word() for _ in range(15)]]:
            expected = getattr(compiled, name)(word) is not None
            matches += expected
            assert _contains(term, word) == expected, (text, flags, name, word, term)
    assert translated > 1000 and untranslatable < 200 and matches > 4000


_LOOPS = [
    r"[ab]|[ab](?:[ab-](?!--))*[ab]",
    r"(?:a(?!b))*.*",
    r"(?:(?!-->).)*",
    r"(?:(?!ab).)*-+",
    r"(?:a(?=b|$)b?)+",
    r"(?:(?:(?!ab)[ab])+-)*",
    r"(?:(?!aa)(?:ab|b|a(?=b)))*b*",
    r"(?:a$|b)*",
    r"(?:a(?:b(?!b))*)*-?",
    r"(?:a(?!a.?b)|b){2,}?-?",
    r"(?:(?=(?:a(?!-))*b)[ab])*",
]


@pytest.mark.parametrize("pattern", _LOOPS)
def test_look_ahead_in_repetitions(pattern: str) -> None:
    """All short words, by each function."""
    for name, form in _FORMS:
        term = form(pattern)
        assert not free_vars(term)
        for length in range(7):
            for letters in itertools.product("ab-" if length > 4 else "ab->\n", repeat=length):
                word = "".join(letters)
                expected = getattr(re, name)(pattern, word) is not None
                assert _contains(term, word) == expected, (name, word, term)


def test_repetitions_with_large_automata_are_refused() -> None:
    with pytest.raises(UntranslatableError, match="with many states"):
        fullmatch_re(r"(?:a(?!.{12}b)|b)*")


def test_short_alphabets_are_exact_on_them() -> None:
    draw = Patterns(6)
    for _ in range(600):
        text = draw.pattern(2)
        flags = draw.random.choice((0, re.I))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                compiled = re.compile(text, flags)
                term = search_re(text, flags, last=0x7F)
            except (re.error, UntranslatableError):
                continue
        assert len(term.smt2()) < 20000
        for _ in range(15):
            word = draw.word()
            if word.isascii():
                assert _contains(term, word) == (compiled.search(word) is not None), (text, flags, word)


def test_bytes() -> None:
    for pattern in (rb"\w+", rb"[^a]", rb"(?i)k\xe9", rb"\b.\b", rb"."):
        for data in (b"", b"a", b"K\xe9", b"\xff", b"ab", b"\n", b"_"):
            expected = re.fullmatch(pattern, data) is not None
            assert _contains(fullmatch_re(pattern), data.decode("latin-1")) == expected, (pattern, data)


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        (r"(a)\1", "a back-reference"),
        (r"(?P<q>['\"]).*(?P=q)", "a back-reference"),
        (r"(a)?(?(1)b|c)", "a conditional group"),
        (r"(?<=ab)c", "a look-behind over more than one character"),
        (r"(?:a\b)*", "the anchor boundary in a part that is repeated without limit"),
        (r"(?:(?!ab).?)*", "a look-ahead in a part that is repeated without limit"),
        (r"(?:\bx(?!ab))*", "the anchor boundary in a part that is repeated without limit"),
        (r"(?:(?!ab).){1,99}", "a look-ahead in a part that is repeated 99 times"),
    ],
)
def test_untranslatable(pattern: str, reason: str) -> None:
    with pytest.raises(UntranslatableError) as caught:
        fullmatch_re(pattern)
    assert caught.value.construct == reason
    assert str(caught.value) == f"cannot translate {reason} of {pattern!r}"


@pytest.mark.skipif("sys.version_info < (3, 11)")
@pytest.mark.parametrize(("pattern", "reason"), [(r"(?>a*)b", "an atomic group"), (r"a*+b", "a possessive quantifier")])
def test_untranslatable_since_3_11(pattern: str, reason: str) -> None:
    with pytest.raises(UntranslatableError, match=reason):
        search_re(pattern)


def test_locale_is_untranslatable() -> None:
    with pytest.raises(UntranslatableError, match="LOCALE"):
        fullmatch_re(rb"(?L)a")


def test_invalid_patterns_are_errors_of_re() -> None:
    for pattern in ("(", "a**", "[", "(?P<n"):
        with pytest.raises(re.error):
            fullmatch_re(pattern)


def test_compiled_patterns_keep_their_flags() -> None:
    x = String("x")
    compiled = re.compile("A # letter", re.I | re.X)
    assert x.in_re(compiled) is x.in_re("[aA]")
    assert x.in_re("a", re.I) is x.in_re("[aA]")


def test_groups() -> None:
    parsed = parse(r"(?P<user>\w+)@(?P<host>(a|b)+)")
    assert parsed.groups == 3
    assert dict(parsed.names) == {"user": 1, "host": 2}


def test_sets() -> None:
    choose = random.Random(9)
    for _ in range(2000):
        a, b = (frozenset(choose.sample(range(12), choose.randrange(12))) for _ in range(2))
        ra, rb = _ranges(a), _ranges(b)
        assert unite(ra, rb) == _ranges(a | b)
        assert intersect(ra, rb) == _ranges(a & b)
        assert subtract(ra, rb) == _ranges(a - b)


def _ranges(members: frozenset[int]) -> tuple[tuple[int, int], ...]:
    out: list[tuple[int, int]] = []
    for i in sorted(members):
        if out and out[-1][1] == i - 1:
            out[-1] = (out[-1][0], i)
        else:
            out.append((i, i))
    return tuple(out)


@pytest.mark.parametrize(
    "pattern",
    [
        r"(a|b)c\1",
        r"(?i:(a))\1",
        r"(<)?a(?(1)>|b)",
        r"(?>a|ab)c?",
        r"a*+b",
        r"(?<=ab)c|a",
        r"(?<!ab)c|a",
        r"(a)(?!\1)b",
        r"(a)(?!b\1)b",
        r"((a)|b)*\2",
        r"(?P<q>['a])b(?P=q)$",
        r"(a$)?b\1|a",
    ],
)
def test_a_wider_language_has_all_matches(pattern: str) -> None:
    try:
        compiled = re.compile(pattern)
    except re.error:
        pytest.skip("not a pattern of this version")
    words = ["".join(w) for n in range(5) for w in itertools.product("abcA<>'\n", repeat=n)]
    for how in ("fullmatch", "match", "search"):
        wider = language(wider_re(compiled, how, 0x7F), {})
        matched = [word for word in words if getattr(compiled, how)(word)]
        assert [word for word in matched if not wider.contains(word)] == []
