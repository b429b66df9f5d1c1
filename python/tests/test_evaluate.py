"""The value of terms, against the rules of the standard and against the solvers."""

from __future__ import annotations

import random
import subprocess

import pytest
from randomterms import Terms

from stringent_smt.errors import UndeterminedError
from stringent_smt.evaluate import _large, evaluate
from stringent_smt.operators import SIGNATURES, Sort
from stringent_smt.process import default_command
from stringent_smt.terms import Boolean, If, Integer, Or, String, Term, const, eq, free_vars, mk, not_, symbol

x, y, n, b = String("x"), String("y"), Integer("n"), Boolean("b")


@pytest.mark.parametrize(
    ("term", "value"),
    [
        (mk("str.substr", x, n, const(2)), "bc"),
        (x[1:], "bcabc"),
        (x[-2:], "bc"),
        (x[-9:2], "ab"),
        (x[4:2], ""),
        (x[-1], "c"),
        (x[99], ""),
        (x.find(""), 0),
        (x.find("", 6), 6),
        (x.find("", 7), -1),
        (x.find("c", 3), 5),
        (x.replace("", "z", 1), "zabcabc"),
        (x.replace("", "z"), "abcabc"),
        (x.replace("bc", ""), "aa"),
        (mk("str.at", x, const(-1)), ""),
        (mk("str.to_int", const("")), -1),
        (mk("str.to_int", const("٣")), -1),
        (mk("str.to_int", const("007")), 7),
        (mk("str.from_int", const(-1)), ""),
        (mk("str.from_code", const(0x30000)), ""),
        (mk("str.to_code", x), -1),
        (mk("div", const(-7), const(2)), -4),
        (mk("div", const(-7), const(-2)), 4),
        (mk("mod", const(-7), const(-2)), 1),
        ((n - 8) // 2, -4),
        ((n - 8) // -2, 3),
        ((n - 8) % -2, -1),
        (mk("str.update", x, const(4), const("zzz")), "abcazz"),
        (mk("str.replace_re", x, x[1].to_re().star(), const("z")), "zabcabc"),
        (mk("str.replace_re_all", x, x[1].to_re().star(), const("z")), "azcazc"),
        (mk("str.indexof_re", x, const("c").to_re(), const(0)), 2),  # type: ignore[attr-defined]
        (mk("seq.last_indexof", x, const("")), 6),
        (If(b, n, n // 0 if False else n), 1),
    ],
)
def test_corner_cases(term: Term, value: object) -> None:
    env = {x: "abcabc", n: 1, b: True}
    assert evaluate(term, env) == value
    assert _large(term, env) == value


def test_python_meaning_of_division() -> None:
    for p in range(-7, 8):
        for q in (-3, -2, -1, 1, 2, 3):
            m = Integer("m")
            for divisor in (const(q), m):
                assert evaluate(n // divisor, {n: p, m: q}) == p // q  # type: ignore[operator]
                assert evaluate(n % divisor, {n: p, m: q}) == p % q  # type: ignore[operator]


def test_python_meaning_of_slices() -> None:
    i, j = Integer("i"), Integer("j")
    for text in ("", "a", "abc"):
        for p in range(-5, 6):
            env = {x: text, i: p}
            assert evaluate(x[p:], env) == text[p:] == evaluate(x[i:], env)
            assert evaluate(x[:p], env) == text[:p] == evaluate(x[:i], env)
            assert evaluate(x[p], env) == (text[p] if -len(text) <= p < len(text) else "") == evaluate(x[i], env)
            for q in range(-5, 6):
                assert evaluate(x[p:q], env) == text[p:q] == evaluate(x[i:j], {**env, j: q})


def test_undetermined() -> None:
    for term in (x, x + "a", mk("div", n, n), mk("mod", n, n), eq(mk("re.all"), x.to_re())):
        with pytest.raises(UndeterminedError):
            evaluate(term, {n: 0})
    divided = mk("div", const(1), n)
    assert evaluate(Or(eq(n, const(0)), eq(divided, const(1))), {n: 0}) is True
    assert evaluate(If(eq(n, const(0)), const(5), divided), {n: 0}) == 5


def test_long_numbers() -> None:
    digits = "9" * 10000
    value = evaluate(x.to_int(), {x: digits})
    assert value == 10**10000 - 1
    assert evaluate(n.to_str(), {n: value}) == digits
    assert len(const(value).smt2()) == 10000


def test_both_evaluators_agree() -> None:
    random_terms = Terms(11, (x, n, b))
    for i in range(3000):
        term = random_terms.term((Sort.BOOL, Sort.INT, Sort.STRING)[i % 3], 4)
        env = {x: ("", "ab", "0")[i % 3], n: i % 5 - 1, b: i % 2 == 0}
        try:
            expected = evaluate(term, env)
        except UndeterminedError:
            continue
        assert _large(term, env) == expected, (term, env)


def test_against_the_solver() -> None:
    """Every operator on random arguments: the built-in solver refutes that the value differs."""
    variables = (x, y, n, b)
    random_terms = Terms(3, variables)
    choose = random.Random(4)
    # The order of languages and their equality are not evaluated.
    operators = [op for op in [*SIGNATURES, "ite", "=", "distinct"] if not op.startswith("re.")]
    operators = [op for op in operators if op not in ("str.to_re",)]
    terms: list[Term] = []
    for op in operators * 8 + ["str.in_re"] * 200:
        terms.append(random_terms.application(op, 3))
    script: list[str] = ["(set-logic ALL)"]
    asked: list[tuple[Term, object, dict[Term, object]]] = []
    for term in terms:
        env: dict[Term, object] = {
            x: choose.choice(["", "a", "ab", "0", "12", "é", '"']),
            y: choose.choice(["", "b", "aab", "Z"]),
            n: choose.randrange(-2, 4),
            b: choose.random() < 0.5,
        }
        try:
            value = evaluate(term, env)
        except UndeterminedError:
            continue
        script.append("(push 1)")
        for v in sorted(free_vars(term), key=lambda v: str(v.value)):
            text = const(env[v]).smt2()  # type: ignore[arg-type]
            script.append(f"(define-fun {symbol(v.value)} () {v.sort.value} {text})")
        script.append(f"(assert (not (= {term.smt2()} {const(value).smt2()})))(check-sat)(pop 1)")
        asked.append((term, value, env))
    done = subprocess.run(default_command(), input="\n".join(script), capture_output=True, text=True, timeout=120)
    answers = done.stdout.split("\n")[:-1]
    assert len(answers) == len(asked) > 400, done.stdout[-1000:]
    wrong = [(term, value, env, answer) for (term, value, env), answer in zip(asked, answers) if answer != "unsat"]
    assert not wrong, f"{len(wrong)} of {len(asked)}; first: {wrong[0]}"
    assert not_(eq(x, x)).value is False
