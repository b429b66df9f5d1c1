//! Quantifiers that say what can be said without them, and likely instances of others.
//!
//! `∀x. φ` is `¬∃x. ¬φ`, and `∃` is taken apart as far as it goes: over disjunctions; a variable that an equality determines is
//! replaced; a variable that does not occur goes; and an equality of a word with a concatenation in which the variables occur
//! that occur nowhere else is a prefix, a suffix or a part of the word. All these are equivalences.
//!
//! What is left of `∀x. φ` gets some instances: `(and (∀x. φ) φ[t] …)` is equivalent whatever the terms are. They serve to refute; a
//! model is judged on the whole anyway.

use super::terms;
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Head, Int, Op, Pool, Sort, Term};

/// Terms in a body that is looked at.
const LARGE: usize = 2_000;
/// Conjuncts and disjuncts that are looked at.
const MANY: usize = 64;
/// Instances of one quantifier.
const INSTANCES: usize = 24;
/// How deep disjunctions are followed.
const DEEP: usize = 4;
/// Cases of one disjunction.
const CASES: usize = 8;

/// The assertions with fewer quantifiers.
pub(super) fn eliminate(pool: &mut Pool, assertions: &mut [Term], rewrite: super::Rewrite<'_>) {
    if !assertions.iter().any(|&t| pool.has_binder(t)) {
        return;
    }
    let mut done: FxHashMap<Term, Term> = FxHashMap::default();
    for root in assertions {
        let mut stack = vec![*root];
        while let Some(&t) = stack.last() {
            if done.contains_key(&t) {
                stack.pop();
                continue;
            }
            if !pool.has_binder(t) {
                done.insert(t, t);
                continue;
            }
            if matches!(pool.head(t), Head::Forall | Head::Exists) {
                let (vars, body) = chain(pool, t);
                match done.get(&body) {
                    Some(&body) => {
                        let new = quantifier(pool, pool.head(t), &vars, body, rewrite);
                        done.insert(t, new);
                    }
                    None => stack.push(body),
                }
                continue;
            }
            let before = stack.len();
            stack.extend(pool.args(t).iter().filter(|a| !done.contains_key(a)));
            if stack.len() > before {
                continue;
            }
            stack.pop();
            let args: Vec<Term> = pool.args(t).iter().map(|a| done[a]).collect();
            let new = if args == pool.args(t) { t } else { terms::rebuild(pool, t, &args) };
            done.insert(t, new);
        }
        *root = done[root];
    }
}

/// The variables and the body of a quantifier, and of the same quantifiers just below it.
fn chain(pool: &Pool, t: Term) -> (Vec<Term>, Term) {
    let (mut vars, mut body) = (Vec::new(), t);
    while pool.head(body) == pool.head(t) {
        let (inner, bound) = pool.args(body).split_last().expect("a quantifier has a body");
        if bound.iter().any(|v| vars.contains(v)) {
            break;
        }
        vars.extend_from_slice(bound);
        body = *inner;
    }
    (vars, body)
}

/// A quantifier, given its variables and body; what is inside is done.
fn quantifier(pool: &mut Pool, head: Head, vars: &[Term], body: Term, rewrite: super::Rewrite<'_>) -> Term {
    let all = head == Head::Forall;
    let given = pool.mk(head, Sort::BOOL, &[vars, &[body]].concat());
    if pool.has_binder(body) || terms::parts(pool, body, LARGE).is_none() {
        return given;
    }
    let inside = if all { not(pool, body) } else { body };
    let found = exists(pool, vars, inside, DEEP, rewrite);
    match (pool.head(found) == Head::Exists, all) {
        (true, true) => with_instances(pool, given, vars, body),
        (true, false) => given,
        (false, true) => not(pool, found),
        (false, false) => found,
    }
}

fn not(pool: &mut Pool, t: Term) -> Term {
    match pool.head(t) {
        Head::Op(Op::Not) => pool.args(t)[0],
        _ => pool.mk(Head::Op(Op::Not), Sort::BOOL, &[t]),
    }
}

fn join(pool: &mut Pool, op: Op, list: &[Term]) -> Term {
    match list {
        [] => pool.bool(op == Op::And),
        [only] => *only,
        _ => pool.mk(Head::Op(op), Sort::BOOL, list),
    }
}

/// The conjuncts of `t`, or the disjuncts: `wanted` is the operator. None if they are many.
fn flat(pool: &mut Pool, t: Term, wanted: Op) -> Option<Vec<Term>> {
    let (mut out, mut stack) = (Vec::new(), vec![(t, true)]);
    while let Some((t, positive)) = stack.pop() {
        let args = pool.args(t).to_vec();
        let here = if positive {
            wanted
        } else if wanted == Op::And {
            Op::Or
        } else {
            Op::And
        };
        match pool.head(t) {
            Head::Op(Op::Not) => stack.push((args[0], !positive)),
            Head::Op(op) if op == here => stack.extend(args.iter().rev().map(|&a| (a, positive))),
            Head::Op(Op::Implies) if args.len() == 2 && here == Op::Or => {
                stack.extend([(args[1], positive), (args[0], !positive)]);
            }
            Head::Op(Op::Eq) if args.len() == 2 && args.contains(&pool.bool(false)) => {
                let other = if args[0] == pool.bool(false) { args[1] } else { args[0] };
                stack.push((other, !positive));
            }
            _ if positive => out.push(t),
            _ => out.push(pool.mk(Head::Op(Op::Not), Sort::BOOL, &[t])),
        }
        if out.len() + stack.len() > MANY {
            return None;
        }
    }
    Some(out)
}

/// `∃vars. t`, with the quantifier only where it is needed.
fn exists(pool: &mut Pool, vars: &[Term], t: Term, deep: usize, rewrite: super::Rewrite<'_>) -> Term {
    let Some(mut list) = flat(pool, t, Op::And) else { return quantified(pool, vars, &[t]) };
    loop {
        let left: Vec<Term> =
            vars.iter().copied().filter(|&v| list.iter().any(|&l| occurs(pool, v, l) > 0)).collect();
        if left.is_empty() {
            return join(pool, Op::And, &list);
        }
        if let Some((at, v, value)) = determined(pool, &left, &list) {
            list.remove(at);
            let mut map = FxHashMap::from_iter([(v, value)]);
            list = list.iter().map(|&l| terms::replace(pool, l, &mut map)).collect();
            list = list.iter().map(|&l| if pool.has_var(l) { rewrite(pool, l) } else { l }).collect();
            let again = join(pool, Op::And, &list);
            let Some(flat) = flat(pool, again, Op::And) else { return quantified(pool, &left, &list) };
            list = flat;
            continue;
        }
        if let Some((at, plain)) = matched(pool, &left, &list) {
            list[at] = plain;
            let truth = pool.bool(true);
            list.retain(|&l| l != truth);
            continue;
        }
        let (inside, mut outside): (Vec<Term>, Vec<Term>) =
            list.into_iter().partition(|&l| left.iter().any(|&v| occurs(pool, v, l) > 0));
        let rest = match letters(pool, &left, &inside) {
            Some(plain) => plain,
            None => by_cases(pool, &left, inside, deep, rewrite),
        };
        outside.push(rest);
        return join(pool, Op::And, &outside);
    }
}

fn quantified(pool: &mut Pool, vars: &[Term], list: &[Term]) -> Term {
    let body = join(pool, Op::And, list);
    pool.mk(Head::Exists, Sort::BOOL, &[vars, &[body]].concat())
}

/// `∃vars. ⋀list` by the cases of one disjunction; as it is if there is none.
fn by_cases(
    pool: &mut Pool,
    vars: &[Term],
    list: Vec<Term>,
    deep: usize,
    rewrite: super::Rewrite<'_>,
) -> Term {
    let found = (0..list.len()).filter(|_| deep > 0).find_map(|at| {
        let cases = disjuncts(pool, list[at]);
        ((2..=CASES).contains(&cases.len())).then_some((at, cases))
    });
    let Some((at, cases)) = found else { return quantified(pool, vars, &list) };
    let mut out = Vec::new();
    for case in cases {
        let mut one = list.clone();
        one[at] = case;
        let all = join(pool, Op::And, &one);
        out.push(exists(pool, vars, all, deep - 1, rewrite));
    }
    join(pool, Op::Or, &out)
}

/// The disjuncts of a literal; a Boolean equality that does not hold has two.
fn disjuncts(pool: &mut Pool, l: Term) -> Vec<Term> {
    if let (Head::Op(Op::Not), &[inner]) = (pool.head(l), pool.args(l))
        && let (Head::Op(Op::Eq), &[a, b]) = (pool.head(inner), pool.args(inner))
        && pool.sort_of(a) == Sort::BOOL
    {
        let (no_a, no_b) = (not(pool, a), not(pool, b));
        return vec![join(pool, Op::And, &[a, no_b]), join(pool, Op::And, &[no_a, b])];
    }
    flat(pool, l, Op::Or).unwrap_or_default()
}

/// `∃j. 0 <= j < |s|` and the character at `j` is none of some: `s` has other characters.
fn letters(pool: &mut Pool, vars: &[Term], list: &[Term]) -> Option<Term> {
    let &[j] = vars else { return None };
    let zero = pool.int(0);
    let (mut low, mut word, mut rest) = (false, None, Vec::new());
    for &l in list {
        match (pool.head(l), pool.args(l)) {
            (Head::Op(Op::Ge), &[a, b]) if a == j && b == zero => low = true,
            (Head::Op(Op::Le), &[a, b]) if a == zero && b == j => low = true,
            (Head::Op(Op::Lt), &[a, n]) | (Head::Op(Op::Gt), &[n, a])
                if a == j && pool.head(n) == Head::Op(Op::StrLen) =>
            {
                word = Some(pool.args(n)[0]);
            }
            (Head::Op(Op::Not), &[e]) if pool.head(e) == Head::Op(Op::Eq) => rest.push(e),
            _ => return None,
        }
    }
    let word = word.filter(|&w| low && occurs(pool, j, w) == 0)?;
    let at = pool.mk(Head::Op(Op::StrAt), Sort::STRING, &[word, j]);
    let mut languages = Vec::new();
    for e in rest {
        let &[a, b] = pool.args(e) else { return None };
        let c = if a == at {
            b
        } else if b == at {
            a
        } else {
            return None;
        };
        let Head::Str(id) = pool.head(c) else { return None };
        if pool.word(id).len() == 1 {
            languages.push(pool.mk(Head::Op(Op::StrToRe), Sort::REGLAN, &[c]));
        }
    }
    let any = match languages[..] {
        [] => pool.mk(Head::Op(Op::ReNone), Sort::REGLAN, &[]),
        [only] => only,
        _ => pool.mk(Head::Op(Op::ReUnion), Sort::REGLAN, &languages),
    };
    let star = pool.mk(Head::Op(Op::ReStar), Sort::REGLAN, &[any]);
    let within = pool.mk(Head::Op(Op::StrInRe), Sort::BOOL, &[word, star]);
    Some(not(pool, within))
}

/// How often a variable occurs in a term, as a tree; 2 is many.
fn occurs(pool: &Pool, v: Term, t: Term) -> usize {
    let (mut count, mut steps, mut stack) = (0, 0, vec![t]);
    while let Some(t) = stack.pop() {
        count += usize::from(t == v);
        steps += 1;
        if count > 1 || steps > LARGE {
            return 2;
        }
        if pool.has_var(t) {
            stack.extend_from_slice(pool.args(t));
        }
    }
    count
}

/// An equality that determines a variable: its place, the variable, and its value.
fn determined(pool: &Pool, vars: &[Term], list: &[Term]) -> Option<(usize, Term, Term)> {
    list.iter().enumerate().find_map(|(at, &l)| {
        let (Head::Op(Op::Eq), &[a, b]) = (pool.head(l), pool.args(l)) else { return None };
        let fits = |v: Term, value: Term| vars.contains(&v) && occurs(pool, v, value) == 0;
        if fits(a, b) { Some((at, a, b)) } else { fits(b, a).then_some((at, b, a)) }
    })
}

/// A piece of a concatenation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Piece {
    Any,
    Given(Term),
}

/// An equality of a word with a concatenation of variables that occur nowhere else and terms without variables: its place, and
/// what it says.
fn matched(pool: &mut Pool, vars: &[Term], list: &[Term]) -> Option<(usize, Term)> {
    let free = |pool: &Pool, t: Term| vars.iter().all(|&v| occurs(pool, v, t) == 0);
    for (at, &l) in list.iter().enumerate() {
        let (Head::Op(Op::Eq), &[a, b]) = (pool.head(l), pool.args(l)) else { continue };
        let (whole, concat) = if free(pool, a) { (a, b) } else { (b, a) };
        if !free(pool, whole) || pool.head(concat) != Head::Op(Op::StrConcat) {
            continue;
        }
        let mut pieces: Vec<Piece> = Vec::new();
        let mut stack = vec![concat];
        let mut linear = true;
        while let Some(t) = stack.pop() {
            if pool.head(t) == Head::Op(Op::StrConcat) {
                stack.extend(pool.args(t).iter().rev());
            } else if vars.contains(&t) {
                linear &= list.iter().map(|&l| occurs(pool, t, l)).sum::<usize>() == 1;
                if pieces.last() != Some(&Piece::Any) {
                    pieces.push(Piece::Any);
                }
            } else if !matches!(pool.head(t), Head::Str(id) if pool.word(id).is_empty()) {
                linear &= free(pool, t);
                pieces.push(Piece::Given(t));
            }
        }
        if linear && let Some(plain) = shape(pool, whole, &pieces) {
            return Some((at, plain));
        }
    }
    None
}

fn shape(pool: &mut Pool, whole: Term, pieces: &[Piece]) -> Option<Term> {
    let concat = |pool: &mut Pool, given: &[Piece]| -> Option<Term> {
        let list: Vec<Term> = given
            .iter()
            .map(|p| if let Piece::Given(t) = p { Some(*t) } else { None })
            .collect::<Option<_>>()?;
        Some(match list[..] {
            [] => pool.string(&[]),
            [only] => only,
            _ => pool.mk(Head::Op(Op::StrConcat), Sort::STRING, &list),
        })
    };
    let test = |pool: &mut Pool, op: Op, a: Term, b: Term| pool.mk(Head::Op(op), Sort::BOOL, &[a, b]);
    match pieces {
        [Piece::Any, middle @ .., Piece::Any] => {
            let t = concat(pool, middle)?;
            Some(test(pool, Op::StrContains, whole, t))
        }
        [Piece::Any] => Some(pool.bool(true)),
        [Piece::Any, end @ ..] => {
            let t = concat(pool, end)?;
            Some(test(pool, Op::StrSuffixof, t, whole))
        }
        [start @ .., Piece::Any] => {
            let t = concat(pool, start)?;
            Some(test(pool, Op::StrPrefixof, t, whole))
        }
        _ => {
            let at = pieces.iter().position(|p| *p == Piece::Any)?;
            let (start, end) = (concat(pool, &pieces[..at])?, concat(pool, &pieces[at + 1..])?);
            let first = test(pool, Op::StrPrefixof, start, whole);
            let last = test(pool, Op::StrSuffixof, end, whole);
            let lengths = [whole, start, end].map(|t| pool.mk(Head::Op(Op::StrLen), Sort::INT, &[t]));
            let both = pool.mk(Head::Op(Op::Add), Sort::INT, &lengths[1..]);
            let room = test(pool, Op::Ge, lengths[0], both);
            Some(join(pool, Op::And, &[first, last, room]))
        }
    }
}

/// A universal formula with some of its instances.
fn with_instances(pool: &mut Pool, given: Term, vars: &[Term], body: Term) -> Term {
    let choices: Vec<Vec<Term>> = vars.iter().map(|&v| candidates(pool, v, body)).collect();
    let mut list = vec![given];
    for n in 0..INSTANCES {
        let mut rest = n;
        let mut map: FxHashMap<Term, Term> = FxHashMap::default();
        for (&v, c) in vars.iter().zip(&choices) {
            if c.is_empty() {
                return given;
            }
            map.insert(v, c[rest % c.len()]);
            rest /= c.len();
        }
        if rest > 0 {
            break;
        }
        list.push(terms::replace(pool, body, &mut map));
    }
    join(pool, Op::And, &list)
}

/// Values that are likely to matter for a variable: the ends of what its guards allow, and the constants of the body.
fn candidates(pool: &mut Pool, v: Term, body: Term) -> Vec<Term> {
    let mut out: Vec<Term> = Vec::new();
    let mut seen = FxHashSet::default();
    let mut add = |out: &mut Vec<Term>, t: Term| {
        if seen.insert(t) && out.len() < 8 {
            out.push(t);
        }
    };
    let parts = terms::parts(pool, body, LARGE).unwrap_or_default();
    let mut parts: Vec<Term> = parts.into_iter().collect();
    parts.sort_unstable();
    match pool.sort_of(v) {
        Sort::INT => {
            for &t in &parts {
                let Head::Op(op @ (Op::Le | Op::Lt | Op::Ge | Op::Gt)) = pool.head(t) else { continue };
                let &[a, b] = pool.args(t) else { continue };
                let (other, above) = if a == v {
                    (b, matches!(op, Op::Ge | Op::Gt))
                } else {
                    (a, matches!(op, Op::Le | Op::Lt))
                };
                if (a != v && b != v) || pool.has_var(other) {
                    continue;
                }
                let strict = matches!(op, Op::Lt | Op::Gt);
                let step = pool.int(Int::from(if !strict {
                    0
                } else if above {
                    1
                } else {
                    -1
                }));
                let end = if strict { pool.mk(Head::Op(Op::Add), Sort::INT, &[other, step]) } else { other };
                add(&mut out, end);
            }
            for n in [0, 1, -1] {
                let t = pool.int(Int::from(n));
                add(&mut out, t);
            }
        }
        Sort::STRING => {
            let empty = pool.string(&[]);
            add(&mut out, empty);
            for &t in &parts {
                if let Head::Str(id) = pool.head(t) {
                    let word = pool.word(id).to_vec();
                    let twice = pool.string(&[&word[..], &word[..]].concat());
                    add(&mut out, t);
                    add(&mut out, twice);
                }
            }
            for &t in &parts {
                if pool.sort_of(t) == Sort::STRING && !pool.has_var(t) {
                    add(&mut out, t);
                }
            }
        }
        Sort::BOOL => {
            for b in [false, true] {
                let t = pool.bool(b);
                add(&mut out, t);
            }
        }
        _ => {}
    }
    out
}

#[cfg(test)]
mod tests {
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
            // The variable occurs twice, or too much is left open.
            ("(exists ((x String)) (= s (str.++ x x)))", "(exists ((x String)) (= s (str.++ x x)))"),
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

    /// Whether some values of the variables make an equality of this shape true, by trying: parts of the word will do.
    fn tried(word: &str, other: &str, shape: &[char]) -> bool {
        let parts: Vec<&str> =
            (0..=word.len()).flat_map(|i| (i..=word.len()).map(move |j| &word[i..j])).collect();
        fn go(word: &str, other: &str, shape: &[char], parts: &[&str], made: String) -> bool {
            match shape.split_first() {
                None => made == word,
                Some(('t', rest)) => go(word, other, rest, parts, made + other),
                Some((_, rest)) => parts.iter().any(|p| go(word, other, rest, parts, format!("{made}{p}"))),
            }
        }
        go(word, other, shape, &parts, String::new())
    }

    #[test]
    fn what_is_said_is_the_same() {
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
            let vars: Vec<String> =
                parts.iter().filter(|p| *p != "t").map(|p| format!("({p} String)")).collect();
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
}
