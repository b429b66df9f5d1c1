//! `str.to_lower` and `str.to_upper`, character by character.
//!
//! For the length of `s` in the arithmetic model: for `|s| = 2` in the model,
//!
//! ```text
//! |s| = 2  =>  t = from_code(m(to_code(s0))) from_code(m(to_code(s1)))
//! ```
//!
//! where `m` moves the codes of the letters.

use super::Site;
use smt::{Op, Term};

/// The longest string that is expanded.
const MAX_LENGTH: i64 = 100;

pub(super) fn lower_expansion(b: &mut dyn Site, t: Term, args: &[Term]) -> Vec<Term> {
    expansion(b, t, args, 0x41, 0x20)
}

pub(super) fn upper_expansion(b: &mut dyn Site, t: Term, args: &[Term]) -> Vec<Term> {
    expansion(b, t, args, 0x61, -0x20)
}

/// The 26 letters from `first` on move by `by`.
fn expansion(b: &mut dyn Site, t: Term, args: &[Term], first: i64, by: i64) -> Vec<Term> {
    let &[s] = args else { return Vec::new() };
    let Some(n) = b.model_length(s).filter(|&n| n <= MAX_LENGTH) else { return Vec::new() };
    let (len, count, one) = (b.len(s), b.int(n), b.int(1));
    let has_length = b.eq(len, count);
    let (low, high, distance) = (b.int(first), b.int(first + 25), b.int(by));
    let mut images = Vec::new();
    for j in 0..n {
        let at = b.int(j);
        let c = b.substr(s, at, one);
        let code = b.code(c);
        let (above, below) = (b.ge(code, low), b.ge(high, code));
        let inside = b.and(&[above, below]);
        let moved = b.plus(code, distance);
        let moved = b.mk(Op::Ite, &[inside, moved, code]);
        images.push(b.mk(Op::StrFromCode, &[moved]));
    }
    let whole = if images.is_empty() { b.empty() } else { b.concat(&images) };
    let is = b.eq(t, whole);
    vec![b.implies(has_length, is)]
}
