//! Eliminated quantifiers against their expected form, and against trying all values.

use super::*;
use semantics::{Evaluator, Model, Satisfaction, Str, Value};
use smt::Dialect;

fn assertion(text: &str) -> (Pool, Term) {
    let mut pool = Pool::new();
    let script =
        format!("(declare-const s String)(declare-const t String)(declare-const n Int)(assert {text})");
    let parsed = smt::parse(script.as_bytes(), Some(Dialect::Smt26), &mut pool);
    assert!(parsed.is_ok(), "{text}: {:?}", parsed.diagnostics);
    let t = parsed.script.assertions().next().expect("one");
    (pool, t)
}

fn without(text: &str) -> String {
    let (mut pool, t) = assertion(text);
    let mut list = [t];
    eliminate(&mut pool, &mut list, &mut |_, t| t);
    smt::print::term_text(&pool, list[0])
}

#[test]
fn shapes() {
    for (text, want) in [
        ("(exists ((x String)) (= s (str.++ x t)))", "(str.suffixof t s)"),
        ("(exists ((x String)) (= (str.++ t x) s))", "(str.prefixof t s)"),
        ("(exists ((x String) (y String)) (= s (str.++ x t y)))", "(str.contains s t)"),
        ("(exists ((x String) (y String)) (= s (str.++ x y)))", "true"),
        ("(exists ((x Int)) (> n 0))", "(> n 0)"),
        ("(exists ((x Int) (y Int)) (and (= x (+ y 1)) (= y n) (> x 3)))", "(> (+ n 1) 3)"),
        (
            "(forall ((a String) (b String) (c String)) (=> (= s (str.++ a b c)) (= (= b t) false)))",
            "(not (str.contains s t))",
        ),
        (
            "(forall ((a String) (b String)) (=> (= s (str.++ a b)) (not (= b t))))",
            "(not (str.suffixof t s))",
        ),
        (
            "(forall ((a String)) (and (distinct n 0) (not (= s (str.++ a t)))))",
            "(not (or (not (distinct n 0)) (str.suffixof t s)))",
        ),
        (
            "(forall ((j Int)) (=> (and (>= j 0) (< j (str.len s))) (or (= (str.at s j) \"a\") (= (str.at s j) \"b\"))))",
            "(str.in_re s (re.* (re.union (str.to_re \"a\") (str.to_re \"b\"))))",
        ),
        (
            "(exists ((x String) (y String)) (and (= s (str.++ x y)) (or (= n 1) (= x t))))",
            "(or (= n 1) (str.prefixof t s))",
        ),
        // The variable occurs twice: it is half of the string.
        (
            "(exists ((x String)) (= s (str.++ x x)))",
            "(= s (str.++ (str.substr s 0 (div (- (+ 0 (str.len s)) 0) 2)) (str.substr s 0 (div (- (+ 0 (str.len s)) 0) 2))))",
        ),
        // A variable is between two terms.
        (
            "(exists ((x String) (y String)) (= s (str.++ x t y s)))",
            "(exists ((x String) (y String)) (= s (str.++ x t y s)))",
        ),
    ] {
        assert_eq!(without(text), want, "{text}");
    }
    let instances = without("(forall ((i Int)) (=> (and (>= i 0) (< i n)) (= (str.at s i) t)))");
    assert!(
        instances.contains("(str.at s (+ n (- 1)))") && instances.starts_with("(and (forall"),
        "{instances}"
    );
}

/// Whether some values of the variables satisfy an equality of this shape, by trying all substrings of the word.
fn tried(word: &str, other: &str, shape: &[char]) -> bool {
    let parts: Vec<&str> =
        (0..=word.len()).flat_map(|i| (i..=word.len()).map(move |j| &word[i..j])).collect();
    fn search(word: &str, other: &str, shape: &[char], parts: &[&str], made: String) -> bool {
        match shape.split_first() {
            None => made == word,
            Some(('t', rest)) => search(word, other, rest, parts, made + other),
            Some((_, rest)) => parts.iter().any(|p| search(word, other, rest, parts, format!("{made}{p}"))),
        }
    }
    search(word, other, shape, &parts, String::new())
}

#[test]
fn eliminated_quantifiers_are_equivalent() {
    let words = ["", "a", "b", "ab", "ba", "aa", "aab", "aba", "abab"];
    let mut eliminated = 0;
    for code in 0..3usize.pow(4) {
        let shape: Vec<char> =
            (0..4).map(|i| ['t', 'v', ' '][code / 3usize.pow(i) % 3]).filter(|c| *c != ' ').collect();
        if shape.len() < 2 || !shape.contains(&'v') {
            continue;
        }
        let part = |(i, c): (usize, &char)| if *c == 't' { "t".into() } else { format!("x{i}") };
        let parts: Vec<String> = shape.iter().enumerate().map(part).collect();
        let vars: Vec<String> = parts.iter().filter(|p| *p != "t").map(|p| format!("({p} String)")).collect();
        let text = format!("(exists ({}) (= s (str.++ {})))", vars.join(" "), parts.join(" "));
        let (mut pool, t) = assertion(&text);
        let mut list = [t];
        eliminate(&mut pool, &mut list, &mut |_, t| t);
        if pool.has_binder(list[0]) {
            continue;
        }
        eliminated += 1;
        for s in words {
            for o in words {
                let mut model = Model::new();
                for (name, value) in [("s", s), ("t", o)] {
                    let value = Value::Str(Str::from_text(value).expect("plain"));
                    let t = (0..pool.fun_count())
                        .map(|i| smt::Fun(i as u32))
                        .find(|f| pool.fun_name(*f) == name)
                        .expect("declared");
                    model.assign(t, value);
                }
                let holds = Evaluator::new(&pool, &model).truth(list[0]) == Satisfaction::Holds;
                assert_eq!(holds, tried(s, o, &shape), "{text} for {s} {o}");
            }
        }
    }
    assert!(eliminated > 15, "{eliminated}");
}

/// Bodies with a bounded variable `j`, which are eliminated.
const BOUNDED: &[&str] = &[
    "(and (>= j 0) (< j (str.len t)) (str.contains (str.++ s (str.substr t 0 j)) t))",
    "(and (>= j 0) (< j (str.len t)) (str.contains (str.substr t 0 j) s))",
    "(and (>= j n) (<= j 2) (str.prefixof s (str.substr t 0 j)))",
    "(and (>= j n) (< j 3) (not (str.contains (str.++ s (str.substr t 1 j)) \"ab\")))",
    "(and (>= j (- 1)) (not (> j n)) (not (str.prefixof s (str.++ \"a\" (str.substr t 0 j)))))",
    "(and (>= j 0) (< j (str.len s)) (not (= (str.at s j) \"a\")))",
    "(and (>= j n) (< j (str.len s)) (not (= (str.at s j) \"a\")))",
    "(and (< n j) (< j (str.len s)) (not (= \"b\" (str.substr s j 1))) (not (= (str.at s j) \"ab\")))",
    "(and (<= 0 j) (< j (str.len s)) (not (= (str.at s j) t)))",
    "(and (<= 0 j) (< j (str.len s)) (not (= (str.at s j) t)) (not (= (str.at s j) \"b\")))",
];

#[test]
fn bounded_variables_are_eliminated_correctly() {
    let words = ["", "a", "b", "ab", "ba", "aa", "aba", "bab", "abab"];
    for body in BOUNDED {
        let (mut pool, t) = assertion(&format!("(exists ((j Int)) {body})"));
        let (v, inner) = (pool.args(t)[0], pool.args(t)[1]);
        let given: Vec<Term> = (-3..8_i64)
            .map(|j| {
                let j = pool.int(j);
                pool.replace(inner, &mut FxHashMap::from_iter([(v, j)]))
            })
            .collect();
        let mut list = [t];
        eliminate(&mut pool, &mut list, &mut |_, t| t);
        assert!(!pool.has_binder(list[0]), "{}", smt::print::term_text(&pool, list[0]));
        let fun = |name: &str| {
            (0..pool.fun_count())
                .map(|i| smt::Fun(i as u32))
                .find(|f| pool.fun_name(*f) == name)
                .expect("declared")
        };
        for (s, o, n) in
            words.iter().flat_map(|s| words.iter().flat_map(move |o| (-2..4_i64).map(move |n| (s, o, n))))
        {
            let mut model = Model::new();
            model.assign(fun("s"), Value::Str(Str::from_text(s).expect("plain")));
            model.assign(fun("t"), Value::Str(Str::from_text(o).expect("plain")));
            model.assign(fun("n"), Value::Int(smt::Int::from(n)));
            let holds = |t: Term| Evaluator::new(&pool, &model).truth(t) == Satisfaction::Holds;
            let wanted = given.iter().any(|&t| holds(t));
            assert_eq!(holds(list[0]), wanted, "{body} for {s} {o} {n}");
        }
    }
}

/// Bodies with a real variable `x`, which is eliminated.
const LINEAR: &[&str] = &[
    "(and (< r x) (< x q))",
    "(and (<= r x) (<= (* 2.0 x) q))",
    "(and (<= r x) (<= x q) (distinct x 1.0))",
    "(and (<= r x) (not (> x q)) (not (= x r)) (not (= (+ x x) q)))",
    "(and (> r x) (distinct x q))",
    "(and (= (+ x r) (* 3.0 q)) (< x 1.0))",
    "(and (<= r x) (or (< x q) (= x 0.5)) (>= 2.0 x))",
    "(and (< (- r x) q) (>= (- 1.0 (/ x 2.0)) r) (<= x (+ r q)))",
];

#[test]
fn real_variables_are_eliminated_correctly() {
    for body in LINEAR {
        for head in ["exists", "forall"] {
            let mut pool = Pool::new();
            let script =
                format!("(declare-const r Real)(declare-const q Real)(assert ({head} ((x Real)) {body}))");
            let parsed = smt::parse(script.as_bytes(), Some(Dialect::Smt26), &mut pool);
            let t = parsed.script.assertions().next().expect("one");
            let mut list = [t];
            eliminate(&mut pool, &mut list, &mut |_, t| t);
            assert!(!pool.has_binder(list[0]), "{}", smt::print::term_text(&pool, list[0]));
            for (r, q) in (-6..8_i64).flat_map(|r| (-6..8_i64).map(move |q| (r, q))) {
                let mut model = Model::new();
                for (i, n) in [r, q].into_iter().enumerate() {
                    let half = smt::Rat::new(smt::Int::from(n), smt::Int::from(2)).expect("not zero");
                    model.assign(smt::Fun(i as u32), Value::Real(half));
                }
                let truth = |t: Term| Evaluator::new(&pool, &model).truth(t);
                assert!(matches!(truth(t), Satisfaction::Holds | Satisfaction::Fails), "{body}");
                assert_eq!(truth(list[0]), truth(t), "{head} {body} for {r}/2 {q}/2");
            }
        }
    }
}
