//! Connectives and `ite`.

use super::{Cx, Rule};
use crate::build::{and, eq, is, is_value, not, or, truth, two};
use rustc_hash::FxHashSet;
use smt::{Head, Op, Pool, Sort, Term};

/// The rule that flattens conjunctions and disjunctions.
pub(super) const JUNCTION: &str = "junction";

pub(super) static RULES: &[Rule] = &[
    Rule::new("not", &[Op::Not], not_rule),
    Rule::new(JUNCTION, &[Op::And, Op::Or], junction_rule),
    Rule::new("xor", &[Op::Xor], xor),
    Rule::new("distinct", &[Op::Distinct], distinct),
    Rule::new("chain", &[Op::Eq, Op::Le, Op::Lt, Op::Ge, Op::Gt, Op::StrLe, Op::StrLt], chainable),
    Rule::new("bool-eq", &[Op::Eq], bool_eq),
    Rule::new("ite-same", &[Op::Ite], ite_same),
    Rule::new("ite-not", &[Op::Ite], ite_not),
    Rule::new("ite-nested", &[Op::Ite], ite_nested),
    Rule::new("ite-equal", &[Op::Ite], ite_equal),
    Rule::new("ite-bool", &[Op::Ite], ite_bool),
];

/// match: `(not c)`, `(not (not a))`
/// result: the other constant, `a`
fn not_rule(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let a = cx.pool.args(t)[0];
    if let Some(b) = truth(cx.pool, a) {
        return Some(cx.pool.bool(!b));
    }
    is(cx.pool, a, Op::Not).then(|| cx.pool.args(a)[0])
}

/// match: `(and …)`, `(or …)`
/// result: flat, sorted, each operand once; the absorbing constant if it or a complementary pair is among them
fn junction_rule(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let Head::Op(op) = cx.pool.head(t) else { return None };
    let args = cx.pool.args(t).to_vec();
    Some(junction(cx.pool, op, &args))
}

/// The normal form of a conjunction or disjunction of terms in normal form.
pub(super) fn junction(pool: &mut Pool, op: Op, args: &[Term]) -> Term {
    let absorbing = op == Op::Or;
    let mut flat: Vec<Term> = Vec::with_capacity(args.len());
    for &a in args {
        if is(pool, a, op) {
            flat.extend_from_slice(pool.args(a));
        } else if let Some(b) = truth(pool, a) {
            if b == absorbing {
                return a;
            }
        } else {
            flat.push(a);
        }
    }
    flat.sort_unstable();
    flat.dedup();
    let complement = |&a: &Term| is(pool, a, Op::Not) && flat.binary_search(&pool.args(a)[0]).is_ok();
    if flat.iter().any(complement) {
        return pool.bool(absorbing);
    }
    match flat[..] {
        [] => pool.bool(!absorbing),
        [only] => only,
        _ => pool.mk(Head::Op(op), Sort::BOOL, &flat),
    }
}

/// match: `(xor a b …)`
/// result: `(not (= a b))`, from the left
fn xor(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let args = cx.pool.args(t).to_vec();
    let different = |a: Term, b: Term| {
        let same = eq(cx.pool, a, b);
        not(cx.pool, same)
    };
    args.into_iter().reduce(different)
}

/// Pairs of arguments of `distinct` that become disequalities, at most; more stay one atom (`strings/distinct.rs`).
const MAX_PAIRS: usize = 5_000;

/// match: `(distinct a b …)`, two arguments the same, or all constants, or few that are not
/// result: false; true; the conjunction of `(not (= a b))` over all pairs that are not constants
fn distinct(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let args = cx.pool.args(t).to_vec();
    let mut seen = FxHashSet::default();
    let repeats = !args.iter().all(|&a| seen.insert(a));
    if repeats || args.len() > 2 && cx.pool.sort_of(args[0]) == Sort::BOOL {
        return Some(cx.pool.bool(false));
    }
    let open = args.iter().filter(|&&a| !is_value(cx.pool, a)).count();
    if open.saturating_mul(2 * args.len() - open) / 2 > MAX_PAIRS {
        return None;
    }
    let mut all = Vec::new();
    for (i, &a) in args.iter().enumerate() {
        for &b in args[i + 1..].iter().filter(|_| open > 0) {
            if !is_value(cx.pool, a) || !is_value(cx.pool, b) {
                let same = eq(cx.pool, a, b);
                all.push(not(cx.pool, same));
            }
        }
    }
    Some(if all.is_empty() { cx.pool.bool(true) } else { and(cx.pool, &all) })
}

/// match: `(op a b c …)` with a chainable operator
/// result: `(and (op a b) (op b c) …)`
fn chainable(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    if cx.pool.args(t).len() <= 2 {
        return None;
    }
    let head = cx.pool.head(t);
    let args = cx.pool.args(t).to_vec();
    let pairs: Vec<Term> = args.windows(2).map(|pair| cx.pool.mk(head, Sort::BOOL, pair)).collect();
    Some(and(cx.pool, &pairs))
}

/// match: `(= a b)` of `Bool` terms, one of them constant, the same, complementary or negated
/// result: a constant, a side or its negation; otherwise negations outside and the greater id on the right
fn bool_eq(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (a, b) = two(cx.pool, t)?;
    if cx.pool.sort_of(a) != Sort::BOOL || cx.pool.sort_of(b) != Sort::BOOL {
        return None;
    }
    if a == b {
        return Some(cx.pool.bool(true));
    }
    for (constant, other) in [(a, b), (b, a)] {
        match truth(cx.pool, constant) {
            Some(true) => return Some(other),
            Some(false) => return Some(not(cx.pool, other)),
            None => {}
        }
    }
    let bare = |t: Term| if is(cx.pool, t, Op::Not) { (cx.pool.args(t)[0], true) } else { (t, false) };
    let ((a, x), (b, y)) = (bare(a), bare(b));
    if a == b {
        return Some(cx.pool.bool(x == y));
    }
    let same = eq(cx.pool, a.min(b), a.max(b));
    Some(if x == y { same } else { not(cx.pool, same) })
}

/// match: `(ite c a b)` with a constant `c`, or `a` the same as `b`
/// result: the branch
fn ite_same(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (c, a, b) = crate::build::three(cx.pool, t);
    match truth(cx.pool, c) {
        Some(true) => Some(a),
        Some(false) => Some(b),
        None => (a == b).then_some(a),
    }
}

/// match: `(ite (not c) a b)`
/// result: `(ite c b a)`
fn ite_not(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (c, a, b) = crate::build::three(cx.pool, t);
    if !is(cx.pool, c, Op::Not) {
        return None;
    }
    let (c, sort) = (cx.pool.args(c)[0], cx.pool.sort_of(t));
    Some(cx.pool.mk(Head::Op(Op::Ite), sort, &[c, b, a]))
}

/// match: `(ite c (ite c a b) d)`, `(ite c a (ite c b d))`
/// result: `(ite c a d)`
fn ite_nested(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (c, a, b) = crate::build::three(cx.pool, t);
    let branch = |u: Term, i: usize| match *cx.pool.args(u) {
        [d, x, y] if is(cx.pool, u, Op::Ite) && d == c => [x, y][i],
        _ => u,
    };
    let (a, b, sort) = (branch(a, 0), branch(b, 1), cx.pool.sort_of(t));
    Some(cx.pool.mk(Head::Op(Op::Ite), sort, &[c, a, b]))
}

/// match: `(ite (= a b) a b)`, `(ite (= a b) b a)`; `(ite (= a c) a d)` of a constant `c`
/// result: `b`, `a`; `(ite (= a c) c d)`
fn ite_equal(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (c, x, y) = crate::build::three(cx.pool, t);
    let (a, b) = two(cx.pool, c).filter(|_| is(cx.pool, c, Op::Eq))?;
    if (a, b) == (x, y) || (a, b) == (y, x) {
        return Some(y);
    }
    let sort = cx.pool.sort_of(t);
    (x == a && is_value(cx.pool, b)).then(|| cx.pool.mk(Head::Op(Op::Ite), sort, &[c, b, y]))
}

/// match: `(ite c a b)` of sort `Bool`, a branch constant or `c` itself
/// result: a conjunction or disjunction
fn ite_bool(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (c, a, b) = crate::build::three(cx.pool, t);
    if cx.pool.sort_of(t) != Sort::BOOL {
        return None;
    }
    let value = |u: Term| if u == c { None } else { truth(cx.pool, u) };
    let (x, y) = (if a == c { Some(true) } else { value(a) }, if b == c { Some(false) } else { value(b) });
    Some(match (x, y) {
        (Some(true), _) => or(cx.pool, &[c, b]),
        (_, Some(false)) => and(cx.pool, &[c, a]),
        (Some(false), _) => {
            let c = not(cx.pool, c);
            and(cx.pool, &[c, b])
        }
        (_, Some(true)) => {
            let c = not(cx.pool, c);
            or(cx.pool, &[c, a])
        }
        (None, None) => return None,
    })
}

/// match: `(= (ite c k l) m)` of constants `k`, `l`, `m`; `(= (ite c m l) m)`, `(= (ite c k m) m)`; `(= (ite c k l) m)`
/// of different constants `k` and `m`, or `l` and `m`
/// result: `c`, its negation, or a constant; `(or c (= l m))`, `(or (not c) (= k m))`; `(and (not c) (= l m))`,
/// `(and c (= k m))`
pub(super) fn ite_eq(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (a, b) = two(cx.pool, t)?;
    for (choice, m) in [(a, b), (b, a)] {
        let Some((c, k, l)) = crate::build::three_of(cx.pool, choice, Op::Ite) else { continue };
        let constants = [k, l, m].iter().all(|&u| is_value(cx.pool, u));
        match (k == m, l == m) {
            (true, true) => return Some(cx.pool.bool(true)),
            (true, false) if constants => return Some(c),
            (false, true) if constants => return Some(not(cx.pool, c)),
            (false, false) if constants => return Some(cx.pool.bool(false)),
            (true, false) => {
                let same = eq(cx.pool, l, m);
                return Some(or(cx.pool, &[c, same]));
            }
            (false, true) => {
                let (c, same) = (not(cx.pool, c), eq(cx.pool, k, m));
                return Some(or(cx.pool, &[c, same]));
            }
            (false, false) if is_value(cx.pool, m) && is_value(cx.pool, k) => {
                let (c, same) = (not(cx.pool, c), eq(cx.pool, l, m));
                return Some(and(cx.pool, &[c, same]));
            }
            (false, false) if is_value(cx.pool, m) && is_value(cx.pool, l) => {
                let same = eq(cx.pool, k, m);
                return Some(and(cx.pool, &[c, same]));
            }
            (false, false) => {}
        }
    }
    None
}
