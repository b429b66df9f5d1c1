//! Short names for building and decomposing terms.

use crate::poly::Poly;
use smallvec::SmallVec;
use smt::op::S;
use smt::typing::builtin_sort;
use smt::{Head, Int, Op, Pool, Rat, Sort, Term};

/// A short list of terms.
pub(crate) type Terms = SmallVec<[Term; 8]>;

/// `(op args)`; the sort is that of the operator's table row.
pub(crate) fn op(pool: &mut Pool, op: Op, args: &[Term]) -> Term {
    let sort = match op.row().ret {
        S::Num => Sort::INT,
        other => builtin_sort(other).unwrap_or_else(|| pool.sort_of(args[args.len() - 1])),
    };
    pool.mk(Head::Op(op), sort, args)
}

/// Whether `t` is an application of `op`.
pub(crate) fn is(pool: &Pool, t: Term, op: Op) -> bool {
    pool.head(t) == Head::Op(op)
}

/// The two arguments of an application.
pub(crate) fn two(pool: &Pool, t: Term) -> Option<(Term, Term)> {
    match *pool.args(t) {
        [a, b] => Some((a, b)),
        _ => None,
    }
}

/// The three arguments of an application.
pub(crate) fn three(pool: &Pool, t: Term) -> (Term, Term, Term) {
    let args = pool.args(t);
    (args[0], args[1], args[2])
}

/// The three arguments of `t` if it is an application of `op`.
pub(crate) fn three_of(pool: &Pool, t: Term, op: Op) -> Option<(Term, Term, Term)> {
    is(pool, t, op).then(|| three(pool, t))
}

/// The characters of a string constant.
pub(crate) fn word(pool: &Pool, t: Term) -> Option<&[u32]> {
    match pool.head(t) {
        Head::Str(id) => Some(pool.word(id)),
        _ => None,
    }
}

/// The value of an integer constant in normal form.
pub(crate) fn int(pool: &Pool, t: Term) -> Option<&Int> {
    match pool.head(t) {
        Head::Int(id) => Some(pool.int_value(id)),
        _ => None,
    }
}

/// The value of a real constant.
pub(crate) fn rational(pool: &Pool, t: Term) -> Option<Rat> {
    match (pool.head(t), pool.args(t)) {
        (Head::Real(id), _) => Some(pool.real_value(id).clone()),
        (Head::Op(Op::Neg), &[a]) => match pool.head(a) {
            Head::Real(id) => Some(-pool.real_value(id).clone()),
            _ => None,
        },
        _ => None,
    }
}

/// The value of `true` or `false`.
pub(crate) fn truth(pool: &Pool, t: Term) -> Option<bool> {
    match pool.head(t) {
        Head::Op(Op::True) => Some(true),
        Head::Op(Op::False) => Some(false),
        _ => None,
    }
}

/// Whether `t` is a literal: a string, a number, `true` or `false`. Different literals have different values.
pub(crate) fn is_value(pool: &Pool, t: Term) -> bool {
    matches!(pool.head(t), Head::Str(_) | Head::Int(_) | Head::Real(_) | Head::Op(Op::True | Op::False))
}

/// Whether `t` is the empty string.
pub(crate) fn is_empty(pool: &Pool, t: Term) -> bool {
    word(pool, t).is_some_and(<[u32]>::is_empty)
}

/// The empty string.
pub(crate) fn empty(pool: &mut Pool) -> Term {
    pool.string(&[])
}

/// The parts of a concatenation in normal form: no part is a concatenation or empty.
pub(crate) fn parts(pool: &Pool, s: Term) -> Terms {
    if is(pool, s, Op::StrConcat) {
        return pool.args(s).into();
    }
    if is_empty(pool, s) { Terms::new() } else { [s].into_iter().collect() }
}

/// The concatenation of parts, none of which is empty or a concatenation.
pub(crate) fn concat(pool: &mut Pool, parts: &[Term]) -> Term {
    match parts {
        [] => empty(pool),
        [only] => *only,
        _ => op(pool, Op::StrConcat, parts),
    }
}

/// `(str.len s)`
pub(crate) fn len(pool: &mut Pool, s: Term) -> Term {
    op(pool, Op::StrLen, &[s])
}

/// `(str.substr s n m)`
pub(crate) fn substr(pool: &mut Pool, s: Term, n: &Poly, m: &Poly) -> Term {
    let (n, m) = (n.to_term(pool), m.to_term(pool));
    op(pool, Op::StrSubstr, &[s, n, m])
}

/// `(not t)`
pub(crate) fn not(pool: &mut Pool, t: Term) -> Term {
    op(pool, Op::Not, &[t])
}

/// `(= s t)`
pub(crate) fn eq(pool: &mut Pool, s: Term, t: Term) -> Term {
    op(pool, Op::Eq, &[s, t])
}

/// `(and args)`
pub(crate) fn and(pool: &mut Pool, args: &[Term]) -> Term {
    if let [only] = args { *only } else { op(pool, Op::And, args) }
}

/// `(or args)`
pub(crate) fn or(pool: &mut Pool, args: &[Term]) -> Term {
    if let [only] = args { *only } else { op(pool, Op::Or, args) }
}

/// `(>= p 0)`
pub(crate) fn ge0(pool: &mut Pool, p: &Poly) -> Term {
    let (sum, zero) = (p.to_term(pool), pool.int(0));
    op(pool, Op::Ge, &[sum, zero])
}

/// `(str.contains s t)`
pub(crate) fn contains(pool: &mut Pool, s: Term, t: Term) -> Term {
    op(pool, Op::StrContains, &[s, t])
}

/// Whether a term is a product of several terms that are not constants.
pub(crate) fn is_product(pool: &Pool, t: Term) -> bool {
    let open = |&&a: &&Term| int(pool, a).is_none();
    pool.head(t) == Head::Op(Op::Mul)
        && pool.sort_of(t) == Sort::INT
        && pool.args(t).iter().filter(open).nth(1).is_some()
}

/// Whether a term is a division by a term that is not a constant other than zero.
pub(crate) fn may_divide_by_zero(pool: &Pool, t: Term) -> bool {
    match (pool.head(t), pool.args(t)) {
        (Head::Op(Op::IntDiv | Op::Mod), &[_, k]) => int(pool, k).is_none_or(Int::is_zero),
        (Head::Op(Op::RealDiv), &[_, k]) => rational(pool, k).is_none_or(|q| q.is_zero()),
        _ => false,
    }
}
