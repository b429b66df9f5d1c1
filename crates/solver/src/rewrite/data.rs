//! Terms of datatypes: `(value (some x))` is `x`, `((_ is none) (some x))` is `false`, and `(= (some x) (some y))` is `(= x y)`.

use crate::build;
use smt::term::Role;
use smt::{Fun, Head, Op, Pool, Term};

/// The constructor at the top of a term.
pub(crate) fn constructor(pool: &Pool, t: Term) -> Option<Fun> {
    match pool.head(t) {
        Head::Fun(f) if matches!(pool.fun(f).role, Role::Constructor(_)) => Some(f),
        _ => None,
    }
}

/// A selector or tester of a constructor.
pub(super) fn application(pool: &mut Pool, f: Fun, t: Term) -> Option<Term> {
    let of = *pool.args(t).first()?;
    let found = constructor(pool, of);
    match pool.fun(f).role {
        Role::Selector(c, field) => (found? == c).then(|| pool.args(of)[field as usize]),
        Role::Tester(c) => match found {
            Some(found) => Some(pool.bool(found == c)),
            None => {
                let only = pool.datatype(pool.sort_of(of)).is_some_and(|d| d.constructors.len() == 1);
                only.then(|| pool.bool(true))
            }
        },
        _ => None,
    }
}

/// An equality between two constructors.
pub(super) fn equality(pool: &mut Pool, t: Term) -> Option<Term> {
    let (a, b) = build::two(pool, t)?;
    let (f, g) = (constructor(pool, a)?, constructor(pool, b)?);
    if f != g {
        return Some(pool.bool(false));
    }
    let pairs: Vec<(Term, Term)> =
        pool.args(a).iter().copied().zip(pool.args(b).iter().copied()).filter(|(x, y)| x != y).collect();
    let equal: Vec<Term> = pairs.into_iter().map(|(x, y)| build::eq(pool, x, y)).collect();
    Some(if equal.is_empty() { pool.bool(true) } else { build::op(pool, Op::And, &equal) })
}
