"""Terms: sharing, sorts, text, simplification."""

from __future__ import annotations

import copy
import gc
import pickle
import random

import pytest
from randomterms import Terms, rebuild

from stringent_smt import terms
from stringent_smt.errors import SortError, UndeterminedError, UnrepresentableError
from stringent_smt.evaluate import evaluate
from stringent_smt.terms import (
    And,
    Boolean,
    Distinct,
    If,
    Implies,
    Integer,
    IntVal,
    Not,
    Or,
    Sort,
    String,
    StringVal,
    const,
    free_vars,
    mk,
    substitute,
    subterms,
    var,
)

x, y = String("x"), String("y")
n, m = Integer("n"), Integer("m")
b = Boolean("b")


def test_equal_terms_are_one_object() -> None:
    assert mk("str.++", x, const("a")) is x + "a"
    assert const(1) is not const(True)
    assert const("1") is not const(1)
    assert var("x", Sort.STRING) is x
    assert var("x", Sort.INT) is not x
    assert mk("re.loop", mk("re.allchar"), params=(1, 2)) is not mk("re.loop", mk("re.allchar"), params=(1, 3))
    assert {x: 1}[String("x")] == 1


def test_terms_are_freed() -> None:
    before = len(terms._table)
    made = [mk("str.++", x, const(f"garbage {i}")) for i in range(1000)]
    assert len(terms._table) > before
    del made
    gc.collect()
    assert len(terms._table) <= before + 10


def test_copies_are_the_same_object() -> None:
    t = If(x.contains("a"), n + 1, m)
    assert copy.copy(t) is t and copy.deepcopy(t) is t and pickle.loads(pickle.dumps(t)) is t


@pytest.mark.parametrize(
    ("term", "text"),
    [
        (x + "a" + y, '(str.++ x "a" y)'),
        ("a" + x, '(str.++ "a" x)'),
        (x == "a", '(= x "a")'),
        (x != "a", '(not (= x "a"))'),
        (x[0], "(str.at x 0)"),
        (x[-1], "(str.at x (+ (str.len x) (- 1)))"),
        (x[0:3], "(str.substr x 0 3)"),
        (x[2:], "(str.substr x 2 (+ (str.len x) (- 2)))"),
        (x[::-1], "(str.rev x)"),
        (x.contains("a"), '(str.contains x "a")'),
        (x.startswith("a"), '(str.prefixof "a" x)'),
        (x.find("a", 1), '(str.indexof x "a" 1)'),
        (x.replace("a", "b"), '(str.replace_all x "a" "b")'),
        (x.replace("a", "b", 1), '(str.replace x "a" "b")'),
        (x < "a", '(str.< x "a")'),
        (x > "a", '(str.< "a" x)'),
        (n // 3, "(div n 3)"),
        (n % -3, "(- (mod (- n) 3))"),
        (1 - n, "(- 1 n)"),
        (-n, "(- n)"),
        (n <= 2, "(<= n 2)"),
        (~b & (n == 1), "(and (not b) (= n 1))"),
        (b | False, "b"),
        (b.implies(b), "(=> b b)"),
        (b ^ True, "(xor b true)"),
        (Distinct(x, y, "a"), '(distinct x y "a")'),
        (If(b, x, "a"), '(ite b x "a")'),
        (Implies(b, n == m), "(=> b (= n m))"),
        (Or(b, Not(b)), "(or b (not b))"),
        (And(), "true"),
        (x.to_re().loop(1, 3), "((_ re.loop 1 3) (str.to_re x))"),
        (x.to_re() * 2, "((_ re.^ 2) (str.to_re x))"),
        (StringVal('a"\\é\n'), '"a""\\u{5c}\\u{e9}\\u{a}"'),
        (IntVal(-5), "(- 5)"),
        (String("odd name") + "", "|odd name|"),
        (String("str.len"), "sym!7374722e6c656e"),
        (String("a|b"), "sym!617c62"),
        (String(""), "sym!"),
        (String("0"), "|0|"),
    ],
)
def test_text(term: terms.Term, text: str) -> None:
    assert term.smt2() == text
    assert str(term) == text and repr(term) == text


def test_names_stay_different() -> None:
    names = ["a", "|a|", "a b", "sym!61", "let", "_let_0", "é", "\udc80", "a\\", "a\nb", "", " "]
    assert len({String(name).smt2() for name in names}) == len(names)


def test_wrong_sorts_are_refused() -> None:
    for wrong in (
        lambda: x + 1,
        lambda: n + "a",
        lambda: n + True,
        lambda: x == 1,
        lambda: b & 1,
        lambda: mk("str.len", n),
        lambda: mk("str.len"),
        lambda: mk("no.such", x),
        lambda: mk("re.loop", mk("re.all"), params=(1,)),
        lambda: mk("re.^", mk("re.allchar"), params=(-1,)),
        lambda: var("r", Sort.REGLAN),
        lambda: const(1.5),
        lambda: If(b, x, n),
        lambda: x[::2],
        lambda: x * n,
        lambda: x.replace("a", "b", 2),
    ):
        with pytest.raises(SortError):
            wrong()  # type: ignore[no-untyped-call]


def test_misleading_operations_are_refused() -> None:
    for wrong in (lambda: len(x), lambda: "a" in x, lambda: bool(n < m), lambda: list(x), lambda: bool(b)):
        with pytest.raises(TypeError):
            wrong()  # type: ignore[no-untyped-call]
    with pytest.raises(ZeroDivisionError):
        n // 0
    assert bool(x == x) and not bool(x == y) and bool(x != y)
    assert x in [y, x] and x not in [y]


def test_characters_past_the_last_one_are_refused() -> None:
    assert const("\U0002ffff").value == "\U0002ffff"
    with pytest.raises(UnrepresentableError):
        const("a\U00030000")
    with pytest.raises(UnrepresentableError):
        x + "\U0010ffff"


def test_large_terms_share_their_text() -> None:
    t = x
    for _ in range(60):
        t = mk("str.replace", t, t, t)  # 3^60 nodes as a tree
    assert len(t.smt2()) < 5000
    assert t.smt2().count("(let ") == 59
    assert free_vars(t) == {x}
    assert len(subterms(t)) == 61


def test_deep_terms_do_not_recurse() -> None:
    t = n
    for i in range(20000):
        t = mk("ite", b, mk("*", t, m), const(i))
    assert t.smt2().startswith("(ite b")
    assert free_vars(t) == {n, m, b}
    assert evaluate(t, {n: 1, m: 1, b: True}) == 1
    assert substitute(t, {n: m}) is not t


def test_substitution() -> None:
    t = And(x + y == "ab", n < x.length())
    assert substitute(t, {x: const("a")}) is And("a" + y == "ab", n < 1)
    assert substitute(t, {m: n}) is t
    with pytest.raises(SortError):
        substitute(t, {x: n})


def test_simplification_keeps_values() -> None:
    """Terms built with and without simplification have the same values."""
    variables = (x, y, n, m, b)
    random_terms = Terms(7, variables)
    choose = random.Random(8)
    changed = compared = 0
    for i in range(6000):
        raw = random_terms.term((Sort.BOOL, Sort.INT, Sort.STRING)[i % 3], 3)
        simple = rebuild(raw, mk)
        changed += simple is not raw
        env = {
            x: choose.choice(["", "a", "ab", "0", "12", "é"]),
            y: choose.choice(["", "b", "aab", "-1"]),
            n: choose.randrange(-2, 4),
            m: choose.choice([-1, 0, 5, 97]),
            b: choose.random() < 0.5,
        }
        try:
            expected = evaluate(raw, env)
        except UndeterminedError:
            continue
        compared += 1
        assert evaluate(simple, env) == expected, (raw, simple, env)
        ground = substitute(simple, {v: const(value) for v, value in env.items()})  # type: ignore[arg-type]
        assert evaluate(ground, {}) == expected
    assert changed > 1000 and compared > 5000
