"""Terms on words, chosen so that string solvers handle them well.

A part of a word is a fresh variable with a word equation rather than a nested `str.substr` of `str.indexof`: after `s.partition(":")`, the path has `s = a ++ ":" ++ b` and `a` without `:`. In measurements
on the built-in solver, z3 and cvc5 this form was solved where the nested one was not, or ten times faster. `str.to_lower` and `str.to_upper` stay on the outside of words; what is asked of them is asked of
the word inside: `lower(x) = "ab"` becomes `x` in `[Aa][Bb]`.
"""

from __future__ import annotations

from functools import lru_cache

from ...terms import FALSE, TRUE, Bool, Term, const, eq, ite, mk, not_, or_
from ..path import NOT_ASCII, Recorder
from . import chars
from .base import (
    MAX_PIECES,
    Num,
    Unmodelled,
    Word,
    add,
    at_least,
    choose,
    decide,
    facts,
    less,
    linear,
    lit,
    note_parts,
    num,
    piece,
    sign,
    split_into,
    sub,
)
from .chars import ANY, ONE, Ranges, cls, seq, star

EMPTY = lit("")


def cat(*words: Word) -> Word:
    """The concatenation."""
    if len(words) == 1:
        return words[0]
    return Word("".join([w.v for w in words]), mk("str.++", *[w.t for w in words]))


def length_term(rec: Recorder, t: Term) -> Term:
    if t.op == "const":
        return const(len(t.value))
    if t.op == "str.++":
        return mk("+", *[length_term(rec, a) for a in t.args])
    if t.op in ("str.to_lower", "str.to_upper"):
        return length_term(rec, t.args[0])
    fixed = facts(rec).length.get(t)
    return mk("str.len", t) if fixed is None else const(fixed)


def length(rec: Recorder, w: Word) -> Num:
    """The length, as a sum over the parts of a concatenation."""
    return Num(len(w.v), length_term(rec, w.t))


# letters mapped to letters


def map_char(op: str, c: str) -> str:
    """`str.to_lower` or `str.to_upper` of one character."""
    if op == "str.to_lower":
        return chr(ord(c) + 32) if "A" <= c <= "Z" else c
    return chr(ord(c) - 32) if "a" <= c <= "z" else c


def map_text(op: str, text: str) -> str:
    return "".join([map_char(op, c) for c in text])


def preimage_ranges(op: str, r: Ranges) -> Ranges:
    """The characters that are mapped into a set."""
    outside = chars.complement(chars.UPPER if op == "str.to_lower" else chars.LOWER)
    kept = chars.intersect(r, outside)
    source, shift = (chars.LOWER, -32) if op == "str.to_lower" else (chars.UPPER, 32)
    moved = [(lo + shift, hi + shift) for lo, hi in chars.intersect(r, source)]
    return chars.normal((*kept, *moved))


@lru_cache(maxsize=2000)
def preimage(op: str, r: Term) -> Term:
    """The words that are mapped into a language. The map keeps lengths, so it commutes with all operators of regular expressions."""
    if r.op == "str.to_re" and r.args[0].op == "const":
        return literal(op, r.args[0].value)
    if r.op == "re.range" and all(a.op == "const" and len(a.value) == 1 for a in r.args):
        lo, hi = (ord(a.value) for a in r.args)
        return cls(preimage_ranges(op, ((lo, hi),))) if lo <= hi else r
    if not r.args:
        return r
    if any(a.sort is not r.sort for a in r.args):
        raise Unmodelled("a regular expression of variables")
    return mk(r.op, *[preimage(op, a) for a in r.args], params=r.params)


def literal(op: str, text: str) -> Term:
    """The words that are mapped to a constant."""
    if map_text(op, text) != text:
        return mk("re.none")
    return seq(*[cls(preimage_ranges(op, chars.of(c))) for c in text]) if text else chars.EPSILON


def is_mapped(rec: Recorder, t: Term) -> tuple[str, Word] | None:
    return facts(rec).mapped.get(t)


def mapped(rec: Recorder, op: str, w: Word) -> Word:
    """`str.to_lower` or `str.to_upper`, moved to the parts of the word that are not constant."""
    t = w.t
    if t.op == "const":
        return lit(map_text(op, w.v))
    if t.op == "str.from_int":
        return w
    inner = is_mapped(rec, t)
    if inner is not None:
        return mapped(rec, op, inner[1])
    if t.op == "str.++":
        return cat(*[mapped(rec, op, part) for part in split_term(rec, w)])
    result = Word(map_text(op, w.v), mk(op, t))
    facts(rec).mapped[result.t] = (op, w)
    return result


def split_term(rec: Recorder, w: Word) -> list[Word]:
    """The arguments of a concatenation with their values."""
    from ...evaluate import evaluate

    result = []
    for arg in w.t.args:
        value = arg.value if arg.op == "const" else rec.env[arg] if arg.op == "var" else evaluate(arg, rec.env)
        result.append(Word(value, arg))  # type: ignore[arg-type]
    return result


# predicates


def in_re(rec: Recorder, w: Word, r: Term) -> Term:
    """Membership in a regular language."""
    inner = is_mapped(rec, w.t)
    if inner is not None:
        return mk("str.in_re", inner[1].t, preimage(inner[0], r))
    return mk("str.in_re", w.t, r)


def equal(rec: Recorder, a: Word, b: Word) -> Term:
    """`a = b`"""
    if a.t.op == "const":
        a, b = b, a
    if b.t.op == "const":
        fixed = facts(rec).length.get(a.t)
        if fixed is not None and fixed != len(b.v):
            return FALSE
        inner = is_mapped(rec, a.t)
        if inner is not None:
            op, x = inner
            if map_text(op, b.v) != b.v:
                return FALSE
            if not has_letters(b.v):
                return eq(x.t, b.t)
            return mk("str.in_re", x.t, literal(op, b.v))
        if a.t.op == "str.from_int" and b.v and not (b.v.isascii() and b.v.isdigit() and str(int(b.v)) == b.v):
            return FALSE
    return eq(a.t, b.t)


def has_letters(text: str) -> bool:
    return any("A" <= c <= "Z" or "a" <= c <= "z" for c in text)


def contains(rec: Recorder, w: Word, part: Word) -> Term:
    """Whether `part` occurs in `w`."""
    if part.t.op == "const":
        fixed = facts(rec).length.get(w.t)
        if fixed is not None and fixed <= len(part.v):
            return FALSE if fixed < len(part.v) else equal(rec, w, part)
        inner = is_mapped(rec, w.t)
        if inner is not None and part.v:
            if not has_letters(part.v):
                return mk("str.contains", inner[1].t, part.t)
            return mk("str.in_re", inner[1].t, seq(ANY, literal(inner[0], part.v), ANY))
    elif w.t.op == "const" and facts(rec).length.get(part.t) == 1:
        return in_re(rec, part, cls(chars.of(w.v)))
    return mk("str.contains", w.t, part.t)


def prefix(rec: Recorder, part: Word, w: Word) -> Term:
    """Whether `w` starts with `part`."""
    return _end(rec, part, w, "str.prefixof")


def suffix(rec: Recorder, part: Word, w: Word) -> Term:
    """Whether `w` ends with `part`."""
    return _end(rec, part, w, "str.suffixof")


def _end(rec: Recorder, part: Word, w: Word, op: str) -> Term:
    if part.t.op == "const":
        fixed = facts(rec).length.get(w.t)
        if fixed is not None and part.v and fixed <= len(part.v):
            return FALSE if fixed < len(part.v) else equal(rec, w, part)
        inner = is_mapped(rec, w.t)
        if inner is not None and part.v:
            if not has_letters(part.v):
                return mk(op, part.t, inner[1].t)
            r = literal(inner[0], part.v)
            return mk("str.in_re", inner[1].t, seq(r, ANY) if op == "str.prefixof" else seq(ANY, r))
    return mk(op, part.t, w.t)


def is_empty(rec: Recorder, w: Word) -> bool:
    """Decides whether a word is empty."""
    if w.t.op == "const":
        return not w.v
    fixed = facts(rec).length.get(w.t)
    if fixed is not None:
        return fixed == 0
    if w.t.op == "str.++" and sign(rec, length_term(rec, w.t)) == 1:
        return False
    return decide(rec, equal(rec, w, EMPTY), not w.v)


def known_ascii(rec: Recorder, t: Term) -> bool:
    if t.op == "const":
        return bool(t.value.isascii())
    known = facts(rec)
    if t in known.ascii or t.op == "str.from_int":
        return True
    if t.op in ("str.++",):
        return all(known_ascii(rec, a) for a in t.args)
    if t.op in ("str.at", "str.substr", "str.to_lower", "str.to_upper", "str.rev"):
        return known_ascii(rec, t.args[0])
    parent = known.parent.get(t)
    return parent is not None and known_ascii(rec, parent.t)


def root(rec: Recorder, w: Word) -> Word | None:
    """The word of which `w` is a part: an input as a rule."""
    t = w.t
    known = facts(rec)
    for _ in range(100):
        if t.op in ("str.at", "str.substr", "str.to_lower", "str.to_upper"):
            t = t.args[0]
        elif t in known.parent:
            t = known.parent[t].t
        else:
            break
    if t is w.t or t.op != "var":
        return None
    return Word(rec.env[t], t)  # type: ignore[arg-type]


def all_ascii(rec: Recorder, w: Word) -> bool:
    """Decides whether all characters are ASCII: of the whole input if that is so, which needs one branch only for all its parts."""
    if known_ascii(rec, w.t):
        return True
    top = root(rec, w)
    if top is not None and decide(rec, in_re(rec, top, star(chars.ASCII)), top.v.isascii(), NOT_ASCII):
        facts(rec).ascii.add(top.t)
        return True
    if w.t.op == "str.++":
        return all(all_ascii(rec, part) for part in split_term(rec, w))
    taken = decide(rec, in_re(rec, w, star(chars.ASCII)), w.v.isascii(), NOT_ASCII)
    if taken:
        facts(rec).ascii.add(w.t)
    return taken


# slices


def decompositions(rec: Recorder, w: Word) -> list[tuple[Word, ...]]:
    found = facts(rec).parts.get(w.t, [])
    if w.t.op == "str.++":
        return [*found, tuple(split_term(rec, w))]
    return found


def _position(rec: Recorder, parts: tuple[Word, ...], at: Num) -> tuple[int, int] | None:
    """The part and the offset in it at which a position is, if it is a boundary or inside of a constant part."""
    atoms, constant = linear(at.t)
    total = 0
    passed: dict[Term, int] = {}
    for i, part in enumerate(parts):
        if passed == atoms and total <= constant:
            if total == constant:
                return i, 0
            if part.t.op == "const" and constant < total + len(part.v):
                return i, constant - total
        more, extra = linear(length_term(rec, part.t))
        total += extra
        for atom, factor in more.items():
            passed[atom] = passed.get(atom, 0) + factor
    return (len(parts), 0) if passed == atoms and total == constant else None


def between(rec: Recorder, w: Word, start: Num, stop: Num | None) -> Word:
    """`w[start:stop]` for a start that is not negative; `None` is the end of the word. An end before the start gives the empty word."""
    value = w.v[start.v :] if stop is None else w.v[start.v : max(stop.v, 0)]
    if start.t.op == "const" and start.v == 0 and stop is None:
        return w
    if w.t.op == "const" and start.t.op == "const" and (stop is None or stop.t.op == "const"):
        return lit(value)
    for parts in decompositions(rec, w):
        begin = _position(rec, parts, start)
        end = (len(parts), 0) if stop is None else _position(rec, parts, stop)
        if begin is None or end is None:
            continue
        chosen = _cut(parts, begin, end)
        if chosen.v == value:
            return chosen
    inner = is_mapped(rec, w.t)
    if inner is not None:
        return mapped(rec, inner[0], between(rec, inner[1], start, stop))
    count = mk("-", length_term(rec, w.t) if stop is None else stop.t, start.t)
    if stop is not None and sign(rec, count) in (0, -1):
        return EMPTY
    return Word(value, mk("str.substr", w.t, start.t, count))


def _cut(parts: tuple[Word, ...], begin: tuple[int, int], end: tuple[int, int]) -> Word:
    (i, offset), (j, rest) = begin, end
    if i > j or (i == j and offset >= rest):
        return EMPTY
    if i == j:
        return lit(parts[i].v[offset:rest])
    chosen = [lit(parts[i].v[offset:]) if offset else parts[i], *parts[i + 1 : j]]
    if rest:
        chosen.append(lit(parts[j].v[:rest]))
    return cat(*chosen)


def bound(rec: Recorder, w: Word, index: Num | None, default: Num) -> Num:
    """An end of a slice, made not negative as Python does; it may be past the end."""
    if index is None:
        return default
    if at_least(rec, index, num(0)):
        return index
    moved = add(index, length(rec, w))
    return moved if at_least(rec, moved, num(0)) else num(0)


def slice_(rec: Recorder, w: Word, start: Num | None, stop: Num | None) -> Word:
    """`w[start:stop]`"""
    if stop is not None and stop.t.op == "const" and stop.v < 0:
        stop = add(stop, length(rec, w))  # negative: empty, as in str.substr
    elif stop is not None:
        stop = bound(rec, w, stop, num(0))
    return between(rec, w, bound(rec, w, start, num(0)), stop)


def char(rec: Recorder, w: Word, index: Num) -> Word:
    """The character at a position that the path has within the word."""
    value = w.v[index.v]
    if w.t.op == "const" and index.t.op == "const":
        return lit(value)
    if facts(rec).length.get(w.t) == 1:
        return w
    for parts in decompositions(rec, w):
        found = _position(rec, parts, index)
        if found is not None and found[0] < len(parts):
            part = parts[found[0]]
            if part.t.op == "const":
                return lit(value)
            if facts(rec).length.get(part.t) == 1:
                return part
    inner = is_mapped(rec, w.t)
    if inner is not None:
        c = mapped(rec, inner[0], char(rec, inner[1], index))
    else:
        c = Word(value, mk("str.at", w.t, index.t))
    facts(rec).length[c.t] = 1
    return c


def characters(rec: Recorder, w: Word, limit: int = MAX_PIECES) -> list[Word]:
    """All characters, after a choice of the length."""
    if not choose(rec, length(rec, w), limit):
        raise Unmodelled("more than a few characters")
    return [char(rec, w, num(i)) for i in range(len(w.v))]


# occurrences


def has_border(text: str) -> bool:
    """Whether a proper prefix is also a suffix, so that occurrences may overlap."""
    return any(text.endswith(text[:k]) for k in range(1, len(text)))


def first(rec: Recorder, w: Word, part: Word) -> tuple[Word, Word, Word]:
    """What is before, at and after the first occurrence of a part that is not empty and that the path has in `w`."""
    return _occurrence(rec, w, part, False)


def last(rec: Recorder, w: Word, part: Word) -> tuple[Word, Word, Word]:
    """What is before, at and after the last occurrence."""
    return _occurrence(rec, w, part, True)


def _occurrence(rec: Recorder, w: Word, part: Word, backwards: bool) -> tuple[Word, Word, Word]:
    memo = facts(rec).memo
    key = ("occurrence", w.t, part.t, backwards)
    found = memo.get(key)
    if found is None:
        found = memo[key] = _new_occurrence(rec, w, part, backwards)
    result: tuple[Word, Word, Word] = found
    return result


def _new_occurrence(rec: Recorder, w: Word, part: Word, backwards: bool) -> tuple[Word, Word, Word]:
    at = w.v.rfind(part.v) if backwards else w.v.find(part.v)
    inner = is_mapped(rec, w.t)
    if inner is not None and part.t.op == "const":
        op, x = inner
        if has_letters(part.v):
            a, _, b = _match(rec, x, at, len(part.v), literal(op, part.v), backwards)
        else:
            a, _, b = _occurrence(rec, x, part, backwards)
        pieces = mapped(rec, op, a), part, mapped(rec, op, b)
        note_parts(facts(rec), w, pieces)
        return pieces
    if w.t.op == "const" and part.t.op == "const":
        return lit(w.v[:at]), part, lit(w.v[at + len(part.v) :])
    a, b = piece(rec, "a", w.v[:at]), piece(rec, "b", w.v[at + len(part.v) :])
    split_into(rec, w, (a, part, b))
    rest = b if backwards else a
    if part.t.op == "const" and not has_border(part.v):
        rec.assume(not_(mk("str.contains", rest.t, part.t)))
    else:
        less_one = mk("-", mk("str.len", part.t), const(1))
        near = mk("str.substr", part.t, const(1 if backwards else 0), less_one)
        parts = (near, rest.t) if backwards else (rest.t, near)
        rec.assume(not_(mk("str.contains", mk("str.++", *parts), part.t)))
    return a, part, b


def _match(rec: Recorder, w: Word, at: int, size: int, r: Term, backwards: bool) -> tuple[Word, Word, Word]:
    """The first or last occurrence of a language of words of one length."""
    a, m, b = piece(rec, "a", w.v[:at]), piece(rec, "m", w.v[at : at + size]), piece(rec, "b", w.v[at + size :])
    split_into(rec, w, (a, m, b))
    facts(rec).length[m.t] = size
    rec.assume(mk("str.in_re", m.t, r))
    if backwards:
        rec.assume(not_(mk("str.in_re", mk("str.++", m.t, b.t), seq(ONE, ANY, r, ANY))))
    else:
        rec.assume(not_(mk("str.in_re", mk("str.++", a.t, m.t), seq(ANY, r, ONE, ANY))))
    return a, m, b


def without(rec: Recorder, w: Word, part: Word, at_start: bool) -> Word:
    """The rest of a word that the path has with this prefix or suffix."""
    n = len(part.v)
    value = w.v[n:] if at_start else w.v[: len(w.v) - n]
    size = length(rec, part)
    if w.t.op == "const" and part.t.op == "const":
        return lit(value)
    inner = is_mapped(rec, w.t)
    if inner is not None:
        whole = length(rec, w)
        return between(rec, w, size, None) if at_start else between(rec, w, num(0), sub(whole, size))
    memo = facts(rec).memo
    key = ("without", w.t, part.t, at_start)
    if key not in memo:
        rest = piece(rec, "b" if at_start else "a", value)
        split_into(rec, w, (part, rest) if at_start else (rest, part))
        memo[key] = rest
    return memo[key]  # type: ignore[no-any-return]


def occurs(rec: Recorder, w: Word, part: Word) -> bool:
    """Decides whether a part occurs."""
    return decide(rec, contains(rec, w, part), part.v in w.v)


def scan(rec: Recorder, w: Word, r: Ranges) -> tuple[Word, Word, Word] | None:
    """What is before, at and after the first character of a set, after a branch on whether there is one."""
    at = next((i for i, c in enumerate(w.v) if chars.member(r, c)), None)
    inner = is_mapped(rec, w.t)
    if inner is not None:
        found = scan(rec, inner[1], preimage_ranges(inner[0], r))
        if found is None:
            return None
        a, m, b = found
        return mapped(rec, inner[0], a), mapped(rec, inner[0], m), mapped(rec, inner[0], b)
    if w.t.op == "const":
        return None if at is None else (lit(w.v[:at]), lit(w.v[at]), lit(w.v[at + 1 :]))
    if not decide(rec, in_re(rec, w, seq(ANY, cls(r), ANY)), at is not None):
        return None
    assert at is not None
    memo = facts(rec).memo
    key = ("scan", w.t, r)
    if key in memo:
        return memo[key]  # type: ignore[no-any-return]
    a, m, b = piece(rec, "a", w.v[:at]), piece(rec, "m", w.v[at]), piece(rec, "b", w.v[at + 1 :])
    split_into(rec, w, (a, m, b))
    rec.assume(mk("str.in_re", a.t, star(chars.complement(r))))
    rec.assume(mk("str.in_re", m.t, cls(r)))
    facts(rec).length[m.t] = 1
    memo[key] = (a, m, b)
    return a, m, b


def stripped(rec: Recorder, w: Word, r: Ranges, left: bool, right: bool) -> Word:
    """The word without the characters of a set at its ends."""
    v = w.v
    i, j = 0, len(v)
    while left and i < j and chars.member(r, v[i]):
        i += 1
    while right and i < j and chars.member(r, v[j - 1]):
        j -= 1
    if not r:
        return w
    if w.t.op == "const":
        return lit(v[i:j])
    inner = is_mapped(rec, w.t)
    if inner is not None:
        return mapped(rec, inner[0], stripped(rec, inner[1], preimage_ranges(inner[0], r), left, right))
    memo = facts(rec).memo
    key = ("strip", w.t, r, left, right)
    if key in memo:
        return memo[key]  # type: ignore[no-any-return]
    result = _strip(rec, w, r, v[:i] if left else None, v[i:j], v[j:] if right else None)
    memo[key] = result
    memo["strip", result.t, r, left, right] = result
    return result


def _strip(rec: Recorder, w: Word, r: Ranges, before: str | None, middle: str, after: str | None) -> Word:
    m = piece(rec, "m", middle)
    parts = [m]
    other = cls(chars.complement(r))
    ends = star(r)
    a = None if before is None else piece(rec, "a", before)
    b = None if after is None else piece(rec, "b", after)
    if a is not None:
        parts.insert(0, a)
    if b is not None:
        parts.append(b)
    split_into(rec, w, parts)
    if a is not None:
        rec.assume(mk("str.in_re", a.t, ends))
    if b is not None:
        rec.assume(mk("str.in_re", b.t, ends))
    if a is None:
        core = seq(ANY, other)
    elif b is None:
        core = seq(other, ANY)
    else:
        core = chars.alt(other, seq(other, ANY, other))
        rec.assume(or_(not_(eq(m.t, const(""))), eq(b.t, const(""))))
    rec.assume(mk("str.in_re", m.t, chars.opt(core)))
    return m


def window(rec: Recorder, w: Word, start: Num | None, stop: Num | None, empty: bool) -> tuple[Word, Num] | None:
    """`w[start:stop]` and its position, as `find` and `startswith` see it. None if the start is past the end; this is decided only if the part may be `empty`, which else would not occur anyway."""
    low = bound(rec, w, start, num(0))
    if empty:
        size = length(rec, w)
        high = size if stop is None else bound(rec, w, stop, size)
        if less(rec, size, high):
            high = size
        if less(rec, high, low):
            return None
        return between(rec, w, low, high), low
    end = None if stop is None else bound(rec, w, stop, num(0))
    return between(rec, w, low, end), low


def padding(rec: Recorder, fill: str, count: Num) -> Word:
    """A character repeated, as often as a number says that is not negative."""
    if count.t.op == "const":
        return lit(fill * count.v)
    memo = facts(rec).memo
    key = ("padding", fill, count.t)
    if key not in memo:
        p = piece(rec, "p", fill * count.v)
        rec.assume(mk("str.in_re", p.t, mk("re.*", chars.word(fill))))
        rec.assume(eq(mk("str.len", p.t), count.t))
        memo[key] = p
    return memo[key]  # type: ignore[no-any-return]


__all__ = [
    "FALSE",
    "TRUE",
    "Bool",
    "between",
    "cat",
    "ite",
    "sub",
]
