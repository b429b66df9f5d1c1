//! Further rules for equalities of strings, for context-dependent simplification.
//!
//! The core rewriter does not use them: it must not rewrite an equality that is a premise of an explanation to a formula
//! over other terms. For example `(= x (str.replace x y z))` becomes `(or (not (str.contains x y)) (= y z))`.

use super::equality::strings;
use super::{Cx, Rule};
use crate::build::{Terms, and, concat, contains, empty, eq, ge0, is, is_empty, is_value, not, op, or};
use crate::build::{parts, three, three_of, word};
use crate::entail;
use crate::poly::Poly;
use semantics::strings::MAX_CHAR;
use smt::{Head, Int, Op, Pool, Term};

pub(super) static RULES: &[Rule] = &[
    Rule::new("ext-lacks", &[Op::Eq], lacks),
    Rule::new("ext-empty", &[Op::Eq], nothing),
    Rule::new("ext-number", &[Op::Eq], number),
    Rule::new("ext-image", &[Op::Eq], image),
    Rule::new("ext-replace-self", &[Op::Eq], replace_self),
    Rule::new("ext-substr-self", &[Op::Eq], substr_self),
    Rule::new("ext-rest-empty", &[Op::Eq], rest_empty),
    Rule::new("ext-unify", &[Op::Eq], unify),
];

/// match: `(= s t)` where one side never contains the other
/// result: `false`
fn lacks(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (a, b) = strings(cx.pool, t)?;
    let never =
        entail::contains(cx.pool, a, b) == Some(false) || entail::contains(cx.pool, b, a) == Some(false);
    never.then(|| cx.pool.bool(false))
}

/// The other side of an equality with this constant.
fn beside(pool: &Pool, t: Term, constant: impl Fn(&Pool, Term) -> bool) -> Option<(Term, Term)> {
    let (a, b) = strings(pool, t)?;
    if constant(pool, b) {
        return Some((a, b));
    }
    constant(pool, a).then_some((b, a))
}

fn negative(pool: &mut Pool, p: &Poly) -> Term {
    ge0(pool, &p.scale(&Int::MINUS_ONE).shift(-1))
}

/// match: `(= f "")` of a function `f`
/// result: the condition under which it is empty
fn nothing(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (s, none) = beside(cx.pool, t, is_empty)?;
    let Head::Op(f) = cx.pool.head(s) else { return None };
    let pool = &mut *cx.pool;
    match f {
        Op::StrSubstr => {
            let (u, n, m) = three(pool, s);
            let (n, m) = (Poly::of(pool, n), Poly::of(pool, m));
            let rest = entail::length(pool, u).sub(&n);
            let cases = [
                negative(pool, &n),
                ge0(pool, &m.scale(&Int::MINUS_ONE)),
                ge0(pool, &rest.scale(&Int::MINUS_ONE)),
            ];
            Some(or(pool, &cases))
        }
        Op::StrReplace => {
            let (x, y, z) = three(pool, s);
            let (nil, gone) = (eq(pool, x, none), eq(pool, y, none));
            let kept = not(pool, gone);
            let untouched = and(pool, &[nil, kept]);
            let (whole, to) = (eq(pool, x, y), eq(pool, z, none));
            let replaced = and(pool, &[whole, to]);
            Some(or(pool, &[untouched, replaced]))
        }
        Op::StrReplaceAll => {
            let (x, _, z) = three(pool, s);
            entail::nonempty(pool, z).then(|| eq(pool, x, none))
        }
        Op::StrFromInt => {
            let n = Poly::of(pool, pool.args(s)[0]);
            Some(negative(pool, &n))
        }
        Op::StrFromCode => {
            let n = Poly::of(pool, pool.args(s)[0]);
            let cases = [negative(pool, &n), ge0(pool, &n.shift(-i64::from(MAX_CHAR) - 1))];
            Some(or(pool, &cases))
        }
        _ => None,
    }
}

/// match: `(= (str.from_int n) c)`, `(= (str.from_code n) c)` of a constant that is not empty
/// result: `(= n k)`, `false`
fn number(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (s, c) = beside(cx.pool, t, |p, u| word(p, u).is_some_and(|w| !w.is_empty()))?;
    let w = semantics::Str::from(word(cx.pool, c)?);
    let value = match cx.pool.head(s) {
        Head::Op(Op::StrFromInt) => {
            let n = semantics::strings::to_int(&w);
            (semantics::strings::from_int(&n) == w).then_some(n)
        }
        Head::Op(Op::StrFromCode) => Some(semantics::strings::to_code(&w)).filter(|n| !n.is_negative()),
        _ => return None,
    };
    let n = cx.pool.args(s)[0];
    Some(match value {
        Some(k) => {
            let k = cx.pool.int(k);
            eq(cx.pool, n, k)
        }
        None => cx.pool.bool(false),
    })
}

/// match: `(= (f s) (f t))`, `(= (f s) c)` of `str.rev`; `(= (f s) "")` of it, `str.to_lower` and `str.to_upper`;
/// `(= (str.from_int n) (str.from_int m))` with n, m >= 0
/// result: the equality of the arguments
fn image(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (a, b) = strings(cx.pool, t)?;
    let Head::Op(f) = cx.pool.head(a) else { return None };
    let s = *cx.pool.args(a).first()?;
    match f {
        Op::StrRev if is_value(cx.pool, b) => {
            let c = op(cx.pool, Op::StrRev, &[b]);
            Some(eq(cx.pool, s, c))
        }
        Op::StrToLower | Op::StrToUpper if is_empty(cx.pool, b) => Some(eq(cx.pool, s, b)),
        Op::StrRev if is(cx.pool, b, f) => {
            let u = cx.pool.args(b)[0];
            Some(eq(cx.pool, s, u))
        }
        Op::StrFromInt if is(cx.pool, b, f) => {
            let u = cx.pool.args(b)[0];
            let [p, q] = [s, u].map(|n| Poly::of(cx.pool, n));
            let both = entail::nonneg(cx.pool, &p) && entail::nonneg(cx.pool, &q);
            both.then(|| eq(cx.pool, s, u))
        }
        _ => None,
    }
}

/// match: `(= x (str.replace x y z))`
/// result: `(or (not (str.contains x y)) (= y z))`
fn replace_self(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (a, b) = strings(cx.pool, t)?;
    for (x, s) in [(a, b), (b, a)] {
        if let Some((u, y, z)) = three_of(cx.pool, s, Op::StrReplace)
            && u == x
        {
            let there = contains(cx.pool, x, y);
            let cases = [not(cx.pool, there), eq(cx.pool, y, z)];
            return Some(or(cx.pool, &cases));
        }
    }
    None
}

/// match: `(= x (str.substr x n m))`
/// result: `(or (= x "") (and (= n 0) (>= m |x|)))`
fn substr_self(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (a, b) = strings(cx.pool, t)?;
    for (x, s) in [(a, b), (b, a)] {
        if let Some((u, n, m)) = three_of(cx.pool, s, Op::StrSubstr)
            && u == x
        {
            let (none, zero) = (empty(cx.pool), cx.pool.int(0));
            let spare = Poly::of(cx.pool, m).sub(&entail::length(cx.pool, x));
            let whole = [eq(cx.pool, n, zero), ge0(cx.pool, &spare)];
            let cases = [eq(cx.pool, x, none), and(cx.pool, &whole)];
            return Some(or(cx.pool, &cases));
        }
    }
    None
}

/// match: `(= s t)` with |s| = |t| + |u| + … for parts `u`, … of `s`
/// result: `u`, … are empty, and the rest is equal
fn rest_empty(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (a, b) = strings(cx.pool, t)?;
    let p = entail::length(cx.pool, a).sub(&entail::length(cx.pool, b));
    let (long, short, p) = match p.terms.first() {
        Some((_, k)) if k.is_negative() => (b, a, p.scale(&Int::MINUS_ONE)),
        _ => (a, b, p),
    };
    if p.terms.is_empty() || p.terms.iter().any(|(_, k)| k.is_negative()) || !p.constant.is_zero() {
        return None;
    }
    let part = |&(m, _): &(Term, Int)| is(cx.pool, m, Op::StrLen).then(|| cx.pool.args(m)[0]);
    let gone: Terms = p.terms.iter().map(part).collect::<Option<_>>()?;
    let list = parts(cx.pool, long);
    if list.len() < 2 || !gone.iter().all(|u| list.contains(u)) {
        return None;
    }
    let none = empty(cx.pool);
    let mut all: Terms = gone.iter().map(|&u| eq(cx.pool, u, none)).collect();
    let [long, short] = [long, short].map(|s| {
        let kept: Terms = parts(cx.pool, s).into_iter().filter(|u| !gone.contains(u)).collect();
        // Constants may be adjacent now.
        match kept.len() {
            0 | 1 => concat(cx.pool, &kept),
            _ => op(cx.pool, Op::StrConcat, &kept),
        }
    });
    all.push(eq(cx.pool, long, short));
    Some(and(cx.pool, &all))
}

/// match: `(= (str.++ a r) (str.++ b q))` with |a| = |b|
/// result: `(and (= a b) (= r q))`
fn unify(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (s, u) = strings(cx.pool, t)?;
    let (a, b) = (parts(cx.pool, s), parts(cx.pool, u));
    if a.len() + b.len() < 3 || a.len() + b.len() > 200 {
        return None;
    }
    let (mut i, mut j) = (0, 0);
    let (mut here, mut there) = (Poly::default(), Poly::default());
    // Extends the side that is known to be shorter.
    while i < a.len() && j < b.len() {
        let ahead = here.sub(&there);
        let step = if entail::nonneg(cx.pool, &ahead) { (false, true) } else { (true, false) };
        if step.0 {
            here = here.add(&entail::length(cx.pool, a[i]));
            i += 1;
        } else {
            there = there.add(&entail::length(cx.pool, b[j]));
            j += 1;
        }
        if i == a.len() && j == b.len() {
            return None;
        }
        if i > 0 && j > 0 && here == there {
            let sides = [&a[..i], &b[..j], &a[i..], &b[j..]].map(|p| concat(cx.pool, p));
            let both = [eq(cx.pool, sides[0], sides[1]), eq(cx.pool, sides[2], sides[3])];
            return Some(and(cx.pool, &both));
        }
        if let Some(whole) = split_constant(cx, [&a, &b], [i, j], &here.sub(&there)) {
            return Some(whole);
        }
    }
    None
}

/// Splits a constant at the position where the other side ends. `ahead` is the difference of the lengths.
fn split_constant(cx: &mut Cx<'_>, sides: [&Terms; 2], at: [usize; 2], ahead: &Poly) -> Option<Term> {
    let n = ahead.value()?.to_i64()?;
    let long = usize::from(n < 0);
    let extra = usize::try_from(n.unsigned_abs()).ok().filter(|&n| n > 0)?;
    let short = 1 - long;
    if at[long] == 0 || at[short] == 0 {
        return None;
    }
    let w = word(cx.pool, sides[long][at[long] - 1]).filter(|w| w.len() > extra)?;
    let (w, v) = w.split_at(w.len() - extra);
    let (w, v) = (w.to_vec(), v.to_vec());
    let (w, v) = (cx.pool.string(&w), cx.pool.string(&v));
    let mut front: Terms = sides[long][..at[long] - 1].into();
    front.push(w);
    let mut back: Terms = [v].into_iter().collect();
    back.extend_from_slice(&sides[long][at[long]..]);
    let (front, back) = (concat(cx.pool, &front), concat(cx.pool, &back));
    let (p, q) = (concat(cx.pool, &sides[short][..at[short]]), concat(cx.pool, &sides[short][at[short]..]));
    let both = [eq(cx.pool, front, p), eq(cx.pool, back, q)];
    Some(and(cx.pool, &both))
}
