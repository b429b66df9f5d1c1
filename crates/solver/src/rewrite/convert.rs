//! Conversions between strings, numbers and code points.

use super::arith::between;
use super::{Cx, Rule};
use crate::build::{contains, eq, int, is, not, op, parts, three_of, two, word};
use crate::entail;
use crate::poly::Poly;
use semantics::strings::MAX_CHAR;
use smt::{Int, Op, Term};

pub(super) static RULES: &[Rule] = &[
    Rule::new("is-digit", &[Op::StrIsDigit], is_digit),
    Rule::new("to-code-none", &[Op::StrToCode], to_code_none),
    Rule::entailment("to-code-from-code", &[Op::StrToCode], to_code_from_code),
    Rule::new("from-code-none", &[Op::StrFromCode], from_code_none),
    Rule::entailment("from-code-to-code", &[Op::StrFromCode], from_code_to_code),
    Rule::new("to-int-none", &[Op::StrToInt], to_int_none),
    Rule::new("to-int-zeros", &[Op::StrToInt], to_int_zeros),
    Rule::entailment("to-int-from-int", &[Op::StrToInt], to_int_from_int),
    Rule::entailment("code-eq", &[Op::Eq], code_eq),
    Rule::entailment("code-ge", &[Op::Ge], code_ge),
    Rule::entailment("indexof-ge", &[Op::Ge], indexof_ge),
    Rule::entailment("indexof-found", &[Op::Eq, Op::Ge], indexof_found),
    Rule::new("from-int-none", &[Op::StrFromInt], from_int_none),
];

/// match: `(str.is_digit s)`
/// result: `(<= 48 (str.to_code s) 57)`
fn is_digit(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let s = cx.pool.args(t)[0];
    let code = op(cx.pool, Op::StrToCode, &[s]);
    Some(between(cx.pool, &Poly::monomial(code), 0x30, 0x39))
}

/// match: `(str.to_code s)` with |s| other than 1
/// result: `-1`
fn to_code_none(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let s = cx.pool.args(t)[0];
    let size = entail::length(cx.pool, s);
    let never = entail::nonneg(cx.pool, &size.clone().shift(-2))
        || entail::nonneg(cx.pool, &size.scale(&Int::MINUS_ONE));
    never.then(|| cx.pool.int(-1))
}

/// match: `(str.to_code (str.from_code n))` with -1 <= n <= 196607
/// result: `n`
fn to_code_from_code(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let s = cx.pool.args(t)[0];
    if !is(cx.pool, s, Op::StrFromCode) {
        return None;
    }
    let n = cx.pool.args(s)[0];
    let p = Poly::of(cx.pool, n);
    let code = entail::nonneg(cx.pool, &p.clone().shift(1))
        && entail::nonneg(cx.pool, &p.scale(&Int::MINUS_ONE).shift(MAX_CHAR));
    code.then_some(n)
}

/// match: `(str.from_code n)` with n < 0 or n > 196607
/// result: `""`
fn from_code_none(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let p = Poly::of(cx.pool, cx.pool.args(t)[0]);
    let never = entail::nonneg(cx.pool, &p.scale(&Int::MINUS_ONE).shift(-1))
        || entail::nonneg(cx.pool, &p.shift(-i64::from(MAX_CHAR) - 1));
    never.then(|| cx.pool.string(&[]))
}

/// match: `(str.from_code (str.to_code s))` with |s| <= 1
/// result: `s`
fn from_code_to_code(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let n = cx.pool.args(t)[0];
    if !is(cx.pool, n, Op::StrToCode) {
        return None;
    }
    let s = cx.pool.args(n)[0];
    let size = entail::length(cx.pool, s);
    entail::nonneg(cx.pool, &size.scale(&Int::MINUS_ONE).shift(1)).then_some(s)
}

/// match: `(str.to_int s)` with a constant part that is not all digits
/// result: `-1`
fn to_int_none(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let list = parts(cx.pool, cx.pool.args(t)[0]);
    let digits = |w: &[u32]| w.iter().all(|c| (0x30..=0x39).contains(c));
    let never = list.iter().filter_map(|&a| word(cx.pool, a)).any(|w| !digits(w));
    never.then(|| cx.pool.int(-1))
}

/// match: `(str.to_int (str.++ "00…" d s))` with more digits after the zeros
/// result: the same without the zeros
fn to_int_zeros(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let mut list = parts(cx.pool, cx.pool.args(t)[0]);
    let w = word(cx.pool, *list.first()?)?;
    let zeros = w.iter().take_while(|&&c| c == 0x30).count().min(w.len() - 1);
    if zeros == 0 {
        return None;
    }
    let w = w[zeros..].to_vec();
    list[0] = cx.pool.string(&w);
    let s = crate::build::concat(cx.pool, &list);
    Some(op(cx.pool, Op::StrToInt, &[s]))
}

/// match: `(str.to_int (str.from_int n))` with n >= -1
/// result: `n`
fn to_int_from_int(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let s = cx.pool.args(t)[0];
    if !is(cx.pool, s, Op::StrFromInt) {
        return None;
    }
    let n = cx.pool.args(s)[0];
    let p = Poly::of(cx.pool, n).shift(1);
    entail::nonneg(cx.pool, &p).then_some(n)
}

/// match: `(str.from_int n)` with n < 0
/// result: `""`
fn from_int_none(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let p = Poly::of(cx.pool, cx.pool.args(t)[0]);
    entail::nonneg(cx.pool, &p.scale(&Int::MINUS_ONE).shift(-1)).then(|| cx.pool.string(&[]))
}

/// match: `(= (str.to_code s) k)` of a constant `k`
/// result: `(= s c)` with the character `c` of code `k`; `(not (= |s| 1))` if `k` is -1
fn code_eq(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (a, b) = two(cx.pool, t)?;
    if !is(cx.pool, a, Op::StrToCode) {
        return None;
    }
    let k = int(cx.pool, b)?.to_i64()?;
    let s = cx.pool.args(a)[0];
    if k == -1 {
        let (size, one) = (entail::length(cx.pool, s).to_term(cx.pool), cx.pool.int(1));
        let single = eq(cx.pool, size, one);
        return Some(not(cx.pool, single));
    }
    let k = u32::try_from(k).ok().filter(|&k| k <= MAX_CHAR)?;
    let c = cx.pool.string(&[k]);
    Some(eq(cx.pool, s, c))
}

/// match: `(>= (str.to_code s) 0)`
/// result: `(= |s| 1)`
fn code_ge(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (a, b) = two(cx.pool, t)?;
    if !is(cx.pool, a, Op::StrToCode) || !int(cx.pool, b)?.is_zero() {
        return None;
    }
    let size = entail::length(cx.pool, cx.pool.args(a)[0]).to_term(cx.pool);
    let one = cx.pool.int(1);
    Some(eq(cx.pool, size, one))
}

/// match: `(= (str.indexof s t 0) -1)`, `(>= (str.indexof s t 0) 0)`
/// result: `(not (str.contains s t))`, `(str.contains s t)`
fn indexof_found(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (a, b) = two(cx.pool, t)?;
    let (s, u, n) = three_of(cx.pool, a, Op::StrIndexof)?;
    let equal = is(cx.pool, t, Op::Eq);
    let wanted = Int::from(if equal { -1 } else { 0 });
    if int(cx.pool, b) != Some(&wanted) || !int(cx.pool, n)?.is_zero() {
        return None;
    }
    let there = contains(cx.pool, s, u);
    Some(if equal { not(cx.pool, there) } else { there })
}

/// match: `(>= (str.indexof s t n) k)` of constants 0 < k <= n
/// result: `(>= (str.indexof s t n) 0)`
fn indexof_ge(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (a, b) = two(cx.pool, t)?;
    let (_, _, n) = three_of(cx.pool, a, Op::StrIndexof)?;
    let (n, k) = (int(cx.pool, n)?, int(cx.pool, b)?);
    if k.signum() <= 0 || k > n {
        return None;
    }
    let zero = cx.pool.int(0);
    Some(op(cx.pool, Op::Ge, &[a, zero]))
}
