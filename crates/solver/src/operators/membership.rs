//! `t = (str.in_re s r)`: properties that all strings of `r` share.
//!
//! All of it follows from the language of `r` as well (`strings/regex.rs`), but too late where equations can be split
//! without end. For `r = (re.++ (str.to_re "ab") (re.* …))` the strings start with `"ab"` and have at least two
//! characters.

use super::Site;
use crate::build::is_value;
use smt::{Head, Int, Op, Term};

/// Greatest lengths from this on are not sent.
const MAX_LENGTH_BOUND: u64 = 1 << 16;

/// Constants at both ends, the codes of a range, the least and the greatest length.
pub(super) fn axioms(b: &mut dyn Site, t: Term, args: &[Term]) -> Vec<Term> {
    let &[s, r] = args else { return Vec::new() };
    let outside = b.not(t);
    let mut implied = common_ends(b, s, r);
    implied.extend(codes_of_range(b, s, r));
    implied.extend(lengths(b, s, r));
    implied.into_iter().map(|f| b.or(&[outside, f])).collect()
}

/// The constant prefix and suffix of a concatenation.
fn common_ends(b: &mut dyn Site, s: Term, r: Term) -> Vec<Term> {
    let Some(list) = b.regex_factors(r) else { return Vec::new() };
    let constants: Vec<Option<Term>> = list.iter().map(|&f| constant_factor(b, f)).collect();
    let first: Vec<Term> = constants.iter().map_while(|&w| w).collect();
    let mut last: Vec<Term> = constants.iter().rev().map_while(|&w| w).collect();
    last.reverse();
    let mut out = Vec::new();
    for (op, strings) in [(Op::StrPrefixof, first), (Op::StrSuffixof, last)] {
        if strings.is_empty() || strings.len() == list.len() {
            continue;
        }
        let w = b.concat(&strings);
        out.push(b.mk(op, &[w, s]));
    }
    out
}

/// The string of a factor `(str.to_re "…")`.
fn constant_factor(b: &mut dyn Site, f: Term) -> Option<Term> {
    let pool = b.pool();
    match (pool.head(f), pool.args(f)) {
        (Head::Op(Op::StrToRe), &[w]) if is_value(pool, w) => Some(w),
        _ => None,
    }
}

/// The code of a character in `(re.range low high)`.
fn codes_of_range(b: &mut dyn Site, s: Term, r: Term) -> Option<Term> {
    let pool = b.pool();
    let (Head::Op(Op::ReRange), &[low, high]) = (pool.head(r), pool.args(r)) else { return None };
    let code = b.code(s);
    let (low, high) = (b.code(low), b.code(high));
    let (from, to) = (b.ge(code, low), b.ge(high, code));
    Some(b.and(&[from, to]))
}

fn lengths(b: &mut dyn Site, s: Term, r: Term) -> Vec<Term> {
    let Some((least, most)) = b.word_lengths(r) else { return Vec::new() };
    let len = b.len(s);
    let mut out = Vec::new();
    if least > 0 {
        let n = b.pool().int(Int::from(least));
        out.push(b.ge(len, n));
    }
    if most < MAX_LENGTH_BOUND {
        let n = b.pool().int(Int::from(most));
        out.push(b.ge(n, len));
    }
    out
}
