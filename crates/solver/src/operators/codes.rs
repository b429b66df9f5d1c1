//! `str.to_code` and `str.from_code`: characters and their code points.

use super::{Site, bounds_as_formulas};
use semantics::strings::MAX_CHAR;
use smt::{Op, Term};

/// `t = (str.to_code s)` is at least 0 if and only if `|s| = 1`, and -1 otherwise.
pub(super) fn to_code_axioms(b: &mut dyn Site, t: Term, args: &[Term]) -> Vec<Term> {
    let &[s] = args else { return Vec::new() };
    let (zero, one, minus_one) = (b.int(0), b.int(1), b.int(-1));
    let mut out = bounds_as_formulas(b, Op::StrToCode, t);
    let (single, len) = (b.ge(t, zero), b.len(s));
    let (is_one, none) = (b.eq(len, one), b.eq(t, minus_one));
    let not_one = b.not(is_one);
    let not_single = b.not(single);
    out.extend([b.or(&[not_one, single]), b.or(&[not_single, is_one]), b.or(&[single, none])]);
    out
}

/// `t = (str.from_code n)` is the character with code `n`, empty if there is none.
pub(super) fn from_code_axioms(b: &mut dyn Site, t: Term, args: &[Term]) -> Vec<Term> {
    let &[n] = args else { return Vec::new() };
    let (zero, max) = (b.int(0), b.int(i64::from(MAX_CHAR)));
    let (low, high) = (b.ge(n, zero), b.ge(max, n));
    let inside = b.and(&[low, high]);
    let empty = b.empty();
    let is_empty = b.eq(t, empty);
    let code = b.code(t);
    let same = b.eq(code, n);
    let outside = b.not(inside);
    vec![b.or(&[inside, is_empty]), b.or(&[outside, same])]
}
