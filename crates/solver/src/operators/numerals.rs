//! `str.to_int` and `str.from_int`: decimal numerals.
//!
//! Expansions are for one length, that of the arithmetic model: for `|s| = 2` in the model,
//!
//! ```text
//! |s| = 2  =>  (both characters are digits, t = 10*(code(s0)-48) + code(s1)-48)  or  (not, and t = -1)
//! ```
//!
//! Zeros in front make a string as long as one likes. Long ones are defined by a small value of the model as well: `t = 42  =>  s in 0*42`.

use super::{Site, bounds_as_formulas};
use smt::{Int, Op, Term};

/// The longest numeral that is expanded.
const MAX_DIGITS: i64 = 24;

/// Longer strings are also defined by their value, if it is below `MAX_VALUE`.
const SHORT: i64 = 4;
const MAX_VALUE: i64 = 1_000;

/// The longest numeral whose length is compared with its value.
const MAX_RANGE: i64 = 2_000;

/// The codes of the digits 0 and 9.
const DIGITS: (i64, i64) = (48, 57);

/// `t = (str.to_int s)` is at least -1; if it is at least 0, `s` is not empty.
pub(super) fn to_int_axioms(b: &mut dyn Site, t: Term, args: &[Term]) -> Vec<Term> {
    let &[s] = args else { return Vec::new() };
    let (zero, one) = (b.int(0), b.int(1));
    let len = b.len(s);
    let mut out = bounds_as_formulas(b, Op::StrToInt, t);
    let nonneg = b.ge(t, zero);
    let longer = b.ge(len, one);
    out.push(b.implies(nonneg, longer));
    out
}

/// `t = (str.from_int n)` is empty if and only if `n < 0`; otherwise `(str.to_int t) = n`, `t` starts with a digit, and
/// the number of digits is bounded by the value.
pub(super) fn from_int_axioms(b: &mut dyn Site, t: Term, args: &[Term]) -> Vec<Term> {
    let &[n] = args else { return Vec::new() };
    let (zero, empty) = (b.int(0), b.empty());
    let (nonneg, is_empty) = (b.ge(n, zero), b.eq(t, empty));
    let not_empty = b.not(is_empty);
    let negative = b.not(nonneg);
    let back = b.mk(Op::StrToInt, &[t]);
    let same = b.eq(back, n);
    let mut out = vec![b.or(&[nonneg, is_empty]), b.or(&[negative, not_empty]), b.or(&[negative, same])];
    out.extend(digit_counts(b, t, n));
    let one = b.int(1);
    let (first, last) = (b.int(DIGITS.0), b.int(DIGITS.1));
    let start = b.substr(t, zero, one);
    let code = b.code(start);
    let (low, high) = (b.ge(code, first), b.ge(last, code));
    let digit = b.and(&[low, high]);
    out.push(b.or(&[negative, digit]));
    out
}

/// `n >= 10^(k-1)` if and only if `|t| >= k`, for numerals of up to six digits.
fn digit_counts(b: &mut dyn Site, t: Term, n: Term) -> Vec<Term> {
    let len = b.len(t);
    let mut out = Vec::new();
    let mut power = Int::from(10);
    for digits in 2..=6_i64 {
        let (least, count) = (b.pool().int(power.clone()), b.int(digits));
        let (large, long) = (b.ge(n, least), b.ge(len, count));
        out.push(b.eq(large, long));
        power = &power * &Int::from(10);
    }
    out
}

/// The length of a string in the arithmetic model, if a numeral of that length is expanded.
fn numeral_length(b: &mut dyn Site, s: Term) -> Option<i64> {
    b.model_length(s).filter(|&n| n != 0 && n <= MAX_DIGITS)
}

/// For the length of `s` in the arithmetic model: the value digit by digit, or -1.
pub(super) fn to_int_expansion(b: &mut dyn Site, t: Term, args: &[Term]) -> Vec<Term> {
    let &[s] = args else { return Vec::new() };
    let len = b.len(s);
    let long = b.model_length(s).is_some_and(|n| n > SHORT);
    let mut out = if long { by_value(b, t, s) } else { Vec::new() };
    let Some(n) = numeral_length(b, s) else { return out };
    let (zero, one, minus_one) = (b.int(0), b.int(1), b.int(-1));
    let count = b.int(n);
    let has_length = b.eq(len, count);
    let (last, first) = (b.int(DIGITS.1), b.int(DIGITS.0));
    let mut digits = Vec::new();
    let mut sum = zero;
    let mut power = Int::from(1);
    for j in (0..n).rev() {
        let at = b.int(j);
        let c = b.substr(s, at, one);
        let code = b.code(c);
        digits.push(b.ge(code, first));
        digits.push(b.ge(last, code));
        let digit = b.minus(code, first);
        let factor = b.pool().int(power.clone());
        let weighted = b.mk(Op::Mul, &[factor, digit]);
        sum = b.plus(sum, weighted);
        power = &power * &Int::from(10);
    }
    let all = b.and(&digits);
    let (number, none, is) = (b.ge(t, zero), b.eq(t, minus_one), b.eq(t, sum));
    let numeral = b.and(&[all, is, number]);
    let other = {
        let not = b.not(all);
        b.and(&[not, none])
    };
    let either = b.or(&[numeral, other]);
    out.push(b.implies(has_length, either));
    out
}

/// For the value of `t` in the arithmetic model: `s` is its numeral after zeros.
fn by_value(b: &mut dyn Site, t: Term, s: Term) -> Vec<Term> {
    let Some(n) = b.integer_value(t).filter(|n| (0..MAX_VALUE).contains(n)) else { return Vec::new() };
    let digits: Vec<u32> = n.to_string().chars().map(u32::from).collect();
    let [zero, numeral] = [&[u32::from('0')], &digits[..]].map(|word| {
        let word = b.pool().string(word);
        b.mk(Op::StrToRe, &[word])
    });
    let zeros = b.mk(Op::ReStar, &[zero]);
    let language = b.mk(Op::ReConcat, &[zeros, numeral]);
    let value = b.int(n);
    let (is, member) = (b.eq(t, value), b.mk(Op::StrInRe, &[s, language]));
    vec![b.implies(is, member)]
}

/// For the length `k` of `t` in the arithmetic model: `|t| = k` if and only if `n` has `k` digits; and the digits.
pub(super) fn from_int_expansion(b: &mut dyn Site, t: Term, args: &[Term]) -> Vec<Term> {
    let &[n] = args else { return Vec::new() };
    let len = b.len(t);
    let Some(k) = b.model_length(t).filter(|&k| k != 0 && k <= MAX_RANGE) else { return Vec::new() };
    let power = |k: i64| Int::from(10).pow(u32::try_from(k).expect("at most MAX_RANGE"));
    let low = if k == 1 { Int::ZERO } else { power(k - 1) };
    let (low, high, count) = (b.pool().int(low), b.pool().int(power(k)), b.int(k));
    let (above, below, is) = (b.ge(n, low), b.greater(high, n), b.eq(len, count));
    let range = b.and(&[above, below]);
    let mut out = vec![b.eq(is, range)];
    out.extend(last_digit(b, t, n));
    let back = b.mk(Op::StrToInt, &[t]);
    out.extend(to_int_expansion(b, back, &[t]));
    out
}

/// `from_int(n) = from_int(n div 10) from_int(n mod 10)` for `n > 9`; one character for `0 <= n <= 9`.
pub(super) fn last_digit(b: &mut dyn Site, t: Term, n: Term) -> Vec<Term> {
    let (zero, ten, first) = (b.int(0), b.int(10), b.int(DIGITS.0));
    let (q, r) = (b.mk(Op::IntDiv, &[n, ten]), b.mk(Op::Mod, &[n, ten]));
    let (front, last) = (b.mk(Op::StrFromInt, &[q]), b.mk(Op::StrFromInt, &[r]));
    let both = b.concat(&[front, last]);
    let (large, nonneg, is) = (b.ge(n, ten), b.ge(n, zero), b.eq(t, both));
    let code = b.plus(n, first);
    let digit = b.mk(Op::StrFromCode, &[code]);
    let single = b.eq(t, digit);
    let negative = b.not(nonneg);
    vec![b.implies(large, is), b.or(&[large, negative, single])]
}
