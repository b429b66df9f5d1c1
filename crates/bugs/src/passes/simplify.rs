//! Formulas with the same meaning that are shorter.
//!
//! `(not (not p))` becomes `p`, `(= true p)` becomes `p`, `(and p true)` becomes `p`, `(ite true a b)` becomes `a`, `(= x x)` becomes `true`, `(str.++ x "")` becomes `x`. The models stay the same.

use super::Pass;
use super::edit::{Change, Edit, New, largest};
use super::survey::{Occurrence, Survey};
use crate::doc::{Doc, Effect};
use smt::{Head, Op, Pool, Term};

/// Simplifies.
pub(super) struct Simplify;

impl Pass for Simplify {
    fn name(&self) -> &'static str {
        "simplify"
    }

    fn edits(&self, doc: &Doc) -> Vec<Edit> {
        let survey = Survey::new(doc);
        largest(survey.trees().flat_map(|tree| {
            let of_site = |(at, o): (u32, Occurrence)| {
                let change = Change::At(tree.site(at), simpler(&doc.pool, o.term)?);
                Some(Edit { effect: Effect::Equivalent, gain: tree.nodes(at), change })
            };
            largest(tree.sites().filter_map(of_site))
        }))
    }
}

/// A shorter term with the same meaning, built of the arguments of the old one.
fn simpler(pool: &Pool, t: Term) -> Option<New> {
    let Head::Op(op) = pool.head(t) else { return None };
    let args = pool.args(t);
    match op {
        Op::Not => of_not(pool, args[0]),
        Op::And
        | Op::ReInter
        | Op::Or
        | Op::ReUnion
        | Op::Add
        | Op::StrConcat
        | Op::ReConcat
        | Op::SeqConcat => of_chain(pool, op, args),
        Op::Implies => of_implies(pool, args),
        Op::Eq => of_equality(pool, args),
        Op::Ite => of_ite(pool, args),
        Op::Neg => of_minus(pool, args[0]),
        Op::Le | Op::Ge | Op::StrLe | Op::StrPrefixof | Op::StrSuffixof | Op::StrContains => {
            (args.len() == 2 && args[0] == args[1]).then(|| New::constant(Op::True))
        }
        Op::Lt | Op::Gt | Op::StrLt | Op::Distinct => {
            (args.len() == 2 && args[0] == args[1]).then(|| New::constant(Op::False))
        }
        _ => None,
    }
}

fn is(pool: &Pool, t: Term, op: Op) -> bool {
    pool.head(t) == Head::Op(op)
}

/// `(not true)`, `(not (not p))`, `(not (distinct a b))`
fn of_not(pool: &Pool, t: Term) -> Option<New> {
    let part = |i: usize| New::Term(pool.args(t)[i]);
    match pool.head(t) {
        Head::Op(Op::True) => Some(New::constant(Op::False)),
        Head::Op(Op::False) => Some(New::constant(Op::True)),
        Head::Op(Op::Not) => Some(part(0)),
        Head::Op(Op::Distinct) if pool.args(t).len() == 2 => Some(New::op(Op::Eq, vec![part(0), part(1)])),
        _ => None,
    }
}

/// `(- (- a))`
fn of_minus(pool: &Pool, t: Term) -> Option<New> {
    is(pool, t, Op::Neg).then(|| New::Term(pool.args(t)[0]))
}

/// Without neutral arguments; the absorbing one alone.
fn of_chain(pool: &Pool, op: Op, args: &[Term]) -> Option<New> {
    let absorbing = match op {
        Op::And => Some(Op::False),
        Op::Or => Some(Op::True),
        Op::ReInter | Op::ReConcat => Some(Op::ReNone),
        Op::ReUnion => Some(Op::ReAll),
        _ => None,
    };
    if let Some(all) = absorbing.filter(|&all| args.iter().any(|&a| is(pool, a, all))) {
        return Some(New::constant(all));
    }
    let once = matches!(op, Op::And | Op::Or | Op::ReInter | Op::ReUnion);
    let mut left: Vec<usize> = (0..args.len()).filter(|&i| !is_neutral(pool, op, args[i])).collect();
    let mut seen = rustc_hash::FxHashSet::default();
    left.retain(|&i| !once || seen.insert(args[i]));
    match left[..] {
        _ if left.len() == args.len() => None,
        [] => Some(New::Arg(0)),
        [one] => Some(New::Arg(one)),
        _ => Some(New::op(op, left.into_iter().map(New::Arg).collect())),
    }
}

fn is_neutral(pool: &Pool, op: Op, t: Term) -> bool {
    match (op, pool.head(t)) {
        (Op::And, head) => head == Head::Op(Op::True),
        (Op::Or, head) => head == Head::Op(Op::False),
        (Op::ReInter, head) => head == Head::Op(Op::ReAll),
        (Op::ReUnion, head) => head == Head::Op(Op::ReNone),
        (Op::Add, Head::Int(id)) => pool.int_value(id).is_zero(),
        (Op::SeqConcat, head) => head == Head::Op(Op::SeqEmpty),
        (Op::StrConcat, Head::Str(id)) => pool.word(id).is_empty(),
        (Op::ReConcat, Head::Op(Op::StrToRe)) => is_neutral(pool, Op::StrConcat, pool.args(t)[0]),
        _ => false,
    }
}

/// `(=> true p)`, `(=> false p)`, `(=> p true)`, `(=> p false)`
fn of_implies(pool: &Pool, args: &[Term]) -> Option<New> {
    let &[a, b] = args else { return None };
    if is(pool, a, Op::True) {
        return Some(New::Arg(1));
    }
    if is(pool, a, Op::False) || is(pool, b, Op::True) || a == b {
        return Some(New::constant(Op::True));
    }
    is(pool, b, Op::False).then(|| New::op(Op::Not, vec![New::Arg(0)]))
}

/// `(= true p)`, `(= p false)`, `(= x x)`
fn of_equality(pool: &Pool, args: &[Term]) -> Option<New> {
    let &[a, b] = args else { return None };
    if a == b {
        return Some(New::constant(Op::True));
    }
    for (constant, other) in [(a, 1), (b, 0)] {
        if is(pool, constant, Op::True) {
            return Some(New::Arg(other));
        }
        if is(pool, constant, Op::False) {
            return Some(New::op(Op::Not, vec![New::Arg(other)]));
        }
    }
    None
}

/// `(ite true a b)`, `(ite p a a)`, `(ite p true false)`, `(ite p q true)`, `(ite p true q)`, `(ite p q false)`
fn of_ite(pool: &Pool, args: &[Term]) -> Option<New> {
    let &[c, a, b] = args else { return None };
    if is(pool, c, Op::True) || a == b {
        return Some(New::Arg(1));
    }
    if is(pool, c, Op::False) {
        return Some(New::Arg(2));
    }
    let both = |op: Op, other: usize| Some(New::op(op, vec![New::Arg(0), New::Arg(other)]));
    let known = |t: Term| [Op::True, Op::False].into_iter().find(|&op| is(pool, t, op));
    match (known(a), known(b)) {
        (Some(Op::True), Some(_)) => Some(New::Arg(0)),
        (Some(_), Some(_)) => Some(New::op(Op::Not, vec![New::Arg(0)])),
        (Some(Op::True), None) => both(Op::Or, 2),
        (None, Some(Op::True)) => both(Op::Implies, 1),
        (None, Some(Op::False)) => both(Op::And, 1),
        _ => None,
    }
}
