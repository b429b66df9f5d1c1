//! Concatenation and length.

use super::fold::MAX_LEN;
use super::{Cx, Rule};
use crate::build::{Terms, concat, is, is_empty, parts, substr, three_of, word};
use crate::entail;
use crate::poly::Poly;
use smt::{Op, Pool, Term};

/// The rule that flattens concatenations.
pub(super) const CONCAT: &str = "concat";

pub(super) static RULES: &[Rule] = &[
    Rule::new(CONCAT, &[Op::StrConcat], concat_rule),
    Rule::new("concat-cuts", &[Op::StrConcat], join_cuts),
    Rule::new("len", &[Op::StrLen], len_rule),
];

/// match: `(str.++ …)`
/// result: flat, without empty parts, neighbouring constants merged
fn concat_rule(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let args = cx.pool.args(t).to_vec();
    flat(cx.pool, &args)
}

/// The normal form of a concatenation of strings in normal form, unless it has too many parts.
pub(super) fn flat(pool: &mut Pool, args: &[Term]) -> Option<Term> {
    let size: usize =
        args.iter().map(|&a| if is(pool, a, Op::StrConcat) { pool.args(a).len() } else { 1 }).sum();
    (size <= super::MAX_PARTS).then(|| join(pool, args))
}

fn join(pool: &mut Pool, args: &[Term]) -> Term {
    let mut list: Vec<Term> = Vec::with_capacity(args.len());
    for &a in args {
        if is(pool, a, Op::StrConcat) {
            list.extend_from_slice(pool.args(a));
        } else if !is_empty(pool, a) {
            list.push(a);
        }
    }
    let mut out: Vec<Term> = Vec::with_capacity(list.len());
    let mut i = 0;
    while i < list.len() {
        // Constants that would be too long together stay separate.
        let mut length = 0;
        let fits = |&&a: &&Term| {
            let Some(w) = word(pool, a) else { return false };
            length += w.len();
            length <= MAX_LEN
        };
        let run = list[i..].iter().take_while(fits).count();
        if run < 2 {
            out.push(list[i]);
            i += 1;
            continue;
        }
        let whole: Vec<u32> =
            list[i..i + run].iter().flat_map(|&a| word(pool, a).unwrap_or(&[])).copied().collect();
        out.push(pool.string(&whole));
        i += run;
    }
    concat(pool, &out)
}

/// match: `(str.++ … (str.substr s n m) (str.substr s (+ n m) k) …)` with n, m >= 0, and k >= 0 or k
/// at least the rest of `s`
/// result: `(str.++ … (str.substr s n (+ m k)) …)`
fn join_cuts(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let list: Terms = parts(cx.pool, t);
    for i in 1..list.len() {
        if let Some(joined) = join_two(cx, list[i - 1], list[i]) {
            let mut out: Vec<Term> = list[..i - 1].to_vec();
            out.push(joined);
            out.extend_from_slice(&list[i + 1..]);
            return Some(concat(cx.pool, &out));
        }
    }
    None
}

fn join_two(cx: &mut Cx<'_>, a: Term, b: Term) -> Option<Term> {
    let (s, n, m) = three_of(cx.pool, a, Op::StrSubstr)?;
    let (s2, n2, k) = three_of(cx.pool, b, Op::StrSubstr)?;
    if s != s2 {
        return None;
    }
    let [n, m, n2, k] = [n, m, n2, k].map(|p| Poly::of(cx.pool, p));
    if n.add(&m) != n2 || !entail::nonneg(cx.pool, &n) || !entail::nonneg(cx.pool, &m) {
        return None;
    }
    let rest = entail::length(cx.pool, s).sub(&n2);
    let fits = entail::nonneg(cx.pool, &k) || entail::nonneg(cx.pool, &k.sub(&rest));
    fits.then(|| substr(cx.pool, s, &n, &m.add(&k)))
}

/// match: `(str.len s)` that equals a sum of other lengths
/// result: the sum
fn len_rule(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let s = cx.pool.args(t)[0];
    Some(entail::length(cx.pool, s).to_term(cx.pool))
}
