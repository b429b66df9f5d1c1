//! `distinct` of constants that occur nowhere else.
//!
//! `(distinct u … r …)` with free `u …` is `(distinct r …)` and a new constant `k`: if `k` is true, the free arguments are
//! longer, or larger, than all others together and different from each other; if it is false, they are equal to one of
//! the others. With `(distinct u v "ab" r)`, `u` is `(ite k (str.++ "ab" r "0") "ab")`, and `v` the same with `"1"`.

use super::{Site, Values};
use smt::{Head, Op, Sort, Term};

/// The product of the numbers of free and other arguments, at most: the values of all free ones contain all others.
const MAX_PRODUCT: usize = 1_000_000;

/// Values of the free arguments.
pub(super) fn spread(s: &mut Site<'_>) -> Option<Values> {
    let (free, rest): (Vec<usize>, Vec<usize>) = (0..s.args.len()).partition(|&i| s.free[i]);
    let rest: Vec<Term> = rest.into_iter().map(|i| s.args[i]).collect();
    if free.len().saturating_mul(rest.len()) > MAX_PRODUCT {
        return None;
    }
    let far: fn(&mut Site<'_>, Term, usize, usize) -> Term = match s.pool.sort_of(s.args[0]) {
        Sort::STRING => longer,
        Sort::INT => larger,
        _ => return None,
    };
    let sum = total(s, &rest);
    let near = rest.first().copied().unwrap_or(sum);
    if rest.len() > 1 {
        s.condition = Some(s.pool.mk(Head::Op(Op::Distinct), Sort::BOOL, &rest));
    }
    let mut values = Vec::with_capacity(free.len());
    for (n, &i) in free.iter().enumerate() {
        let far = far(s, sum, n, free.len());
        values.push((i, s.by_truth(far, near)));
    }
    Some(values)
}

/// A string as long as all others together, or an integer as large.
fn total(s: &mut Site<'_>, rest: &[Term]) -> Term {
    let string = s.pool.sort_of(s.args[0]) == Sort::STRING;
    let zero = if string { s.empty() } else { s.pool.int(0) };
    let mut parts = vec![zero, zero];
    for &r in rest {
        parts.push(if string { r } else { s.mk(Op::Abs, &[r]) });
    }
    s.mk(if string { Op::StrConcat } else { Op::Add }, &parts)
}

/// `sum` and the number `n` in as many digits as `count` has.
fn longer(s: &mut Site<'_>, sum: Term, n: usize, count: usize) -> Term {
    let digits = format!("{n:0width$}", width = count.to_string().len());
    let digits: Vec<u32> = digits.chars().map(u32::from).collect();
    let digits = s.pool.string(&digits);
    s.mk(Op::StrConcat, &[sum, digits])
}

fn larger(s: &mut Site<'_>, sum: Term, n: usize, _count: usize) -> Term {
    let above = s.pool.int(n + 1);
    s.mk(Op::Add, &[sum, above])
}
