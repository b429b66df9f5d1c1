//! `t = (str.<= s u)`: the lexicographic order by code points.

use super::Site;
use smt::{Op, Term};

/// The order is total and antisymmetric. Only if the converse comparison is a term as well.
pub(super) fn axioms(b: &mut dyn Site, t: Term, args: &[Term]) -> Vec<Term> {
    let &[s, u] = args else { return Vec::new() };
    let converse = b.mk(Op::StrLe, &[u, s]);
    if !b.is_node(converse) || converse == t {
        return Vec::new();
    }
    let (same, not, not_converse) = (b.eq(s, u), b.not(t), b.not(converse));
    vec![b.or(&[t, converse]), b.or(&[not, not_converse, same])]
}

/// If `s != u`: they first differ at `k`, and the codes of the characters there are ordered as `t` states (the code of
/// the end of a string is -1). If `s = u`: `t`.
pub(super) fn expansion(b: &mut dyn Site, t: Term, args: &[Term]) -> Vec<Term> {
    let &[s, u] = args else { return Vec::new() };
    let equal = b.eq(s, u);
    let (zero, one) = (b.int(0), b.int(1));
    let f = b.first_difference();
    let witness = b.pool().apply(f, &[s, u, zero]);
    let k = b.skolem(witness);
    let (ls, lu) = (b.len(s), b.len(u));
    let mut parts = vec![b.ge(k, zero), b.ge(ls, k), b.ge(lu, k)];
    let (ps, pu) = (b.substr(s, zero, k), b.substr(u, zero, k));
    parts.push(b.eq(ps, pu));
    let (cs, cu) = (b.substr(s, k, one), b.substr(u, k, one));
    let (cs, cu) = (b.code(cs), b.code(cu));
    let (less, more) = (b.greater(cu, cs), b.greater(cs, cu));
    parts.push(b.implies(t, less));
    parts.push(b.or(&[t, more]));
    let differ = b.and(&parts);
    vec![b.implies(equal, t), b.or(&[equal, differ])]
}
