//! Membership in regular expressions that contain string terms, expressed by other operators.
//!
//! For example `(str.in_re s (re.++ re.all (str.to_re t) re.all))` is `(str.contains s t)`.

use super::{Cx, Rule};
use crate::build::{and, eq, is, op, or, two, word};
use smt::{Head, Int, Op, Pool, Term};

pub(super) static RULES: &[Rule] = &[
    Rule::new("in-re-connective", &[Op::StrInRe], connective),
    Rule::new("in-re-none", &[Op::StrInRe], nothing),
    Rule::new("in-re-between", &[Op::StrInRe], between),
    Rule::new("in-re-ends", &[Op::StrInRe], ends),
];

/// Factors of an expression that is decomposed, at most.
const MAX_FACTORS: usize = 20;
/// The depth to which an expression is searched for the length of its words.
const MAX_DEPTH: usize = 6;

/// The string and the expression, if the expression is not ground.
fn unknown(cx: &mut Cx<'_>, t: Term) -> Option<(Term, Term)> {
    let (s, r) = two(cx.pool, t)?;
    cx.regexes.language(cx.pool, r).is_none().then_some((s, r))
}

fn member(pool: &mut Pool, s: Term, r: Term) -> Term {
    op(pool, Op::StrInRe, &[s, r])
}

/// match: `(str.in_re s (re.union a b))`, `re.inter`, `re.comp`, `re.diff`, `re.opt`
/// result: the connectives of memberships
fn connective(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (s, r) = unknown(cx, t)?;
    let pool = &mut *cx.pool;
    let Head::Op(f) = pool.head(r) else { return None };
    let args = pool.args(r).to_vec();
    if args.len() > MAX_FACTORS {
        return None;
    }
    let each = |pool: &mut Pool| -> Vec<Term> { args.iter().map(|&a| member(pool, s, a)).collect() };
    Some(match f {
        Op::ReUnion => {
            let list = each(pool);
            or(pool, &list)
        }
        Op::ReInter => {
            let list = each(pool);
            and(pool, &list)
        }
        Op::ReComp => {
            let inside = member(pool, s, args[0]);
            op(pool, Op::Not, &[inside])
        }
        Op::ReDiff => {
            let mut list = each(pool);
            for t in &mut list[1..] {
                *t = op(pool, Op::Not, &[*t]);
            }
            and(pool, &list)
        }
        Op::ReOpt => {
            let (inside, empty) = (member(pool, s, args[0]), pool.string(&[]));
            let none = eq(pool, s, empty);
            or(pool, &[none, inside])
        }
        _ => return None,
    })
}

/// The factors of a concatenation of expressions; none if there is only one, or more than [`MAX_FACTORS`].
pub(crate) fn factors(pool: &Pool, r: Term) -> Option<Vec<Term>> {
    let mut out = Vec::new();
    let mut stack = vec![r];
    while let Some(u) = stack.pop() {
        if is(pool, u, Op::ReConcat) {
            stack.extend(pool.args(u).iter().rev());
        } else {
            out.push(u);
        }
        if out.len() + stack.len() > MAX_FACTORS {
            return None;
        }
    }
    (out.len() > 1).then_some(out)
}

/// match: `(str.in_re s (re.++ … r …))` with an `r` that has no words
/// result: `false`
fn nothing(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (_, r) = unknown(cx, t)?;
    let list = factors(cx.pool, r)?;
    let none = list.iter().any(|&f| cx.regexes.is_none(cx.pool, f));
    none.then(|| cx.pool.bool(false))
}

/// match: `(str.in_re s (re.++ re.all (str.to_re t) re.all))`
/// result: `(str.contains s t)`
fn between(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (s, r) = unknown(cx, t)?;
    let list = factors(cx.pool, r)?;
    let all = |f: Term| {
        is(cx.pool, f, Op::ReAll)
            || is(cx.pool, f, Op::ReStar) && is(cx.pool, cx.pool.args(f)[0], Op::ReAllchar)
    };
    match list[..] {
        [a, m, b] if all(a) && all(b) && is(cx.pool, m, Op::StrToRe) => {
            let w = cx.pool.args(m)[0];
            Some(op(cx.pool, Op::StrContains, &[s, w]))
        }
        _ => None,
    }
}

/// match: `(str.in_re s (re.++ a r))` where `a` is `(str.to_re t)`, or all its words have one length `n`; or the mirror image
/// result: `(and (str.prefixof t s) (str.in_re (str.substr s |t| (- |s| |t|)) r))`, or the same with `n` for |t| and
/// `(>= |s| n)` and `(str.in_re (str.substr s 0 n) a)` for the first part
fn ends(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (s, r) = unknown(cx, t)?;
    let list = factors(cx.pool, r)?;
    let pool = &mut *cx.pool;
    for front in [true, false] {
        let (end, rest) =
            if front { (list[0], &list[1..]) } else { (list[list.len() - 1], &list[..list.len() - 1]) };
        let whole = op(pool, Op::StrLen, &[s]);
        let zero = pool.int(0);
        let rest = if let [only] = rest { *only } else { op(pool, Op::ReConcat, rest) };
        let (length, mut parts) = if is(pool, end, Op::StrToRe) {
            let w = pool.args(end)[0];
            let f = if front { Op::StrPrefixof } else { Op::StrSuffixof };
            (op(pool, Op::StrLen, &[w]), vec![op(pool, f, &[w, s])])
        } else {
            let Some(n) = fixed(pool, end, MAX_DEPTH) else { continue };
            let n = pool.int(n);
            let long = op(pool, Op::Ge, &[whole, n]);
            let from = if front { zero } else { op(pool, Op::Sub, &[whole, n]) };
            let piece = op(pool, Op::StrSubstr, &[s, from, n]);
            (n, vec![long, member(pool, piece, end)])
        };
        let count = op(pool, Op::Sub, &[whole, length]);
        let from = if front { length } else { zero };
        let piece = op(pool, Op::StrSubstr, &[s, from, count]);
        parts.push(member(pool, piece, rest));
        return Some(and(pool, &parts));
    }
    None
}

/// The length of all words of an expression, if they have the same; an empty language may have any.
fn fixed(pool: &Pool, r: Term, depth: usize) -> Option<Int> {
    let depth = depth.checked_sub(1)?;
    let args = pool.args(r);
    match pool.head(r) {
        Head::Op(Op::StrToRe) => word(pool, args[0]).map(|w| Int::from(w.len() as u64)),
        Head::Op(Op::ReAllchar | Op::ReRange) => Some(Int::from(1u64)),
        Head::Op(Op::ReConcat) => {
            args.iter().map(|&a| fixed(pool, a, depth)).try_fold(Int::from(0u64), |n, a| Some(&n + &a?))
        }
        Head::Op(Op::ReUnion) => {
            let first = fixed(pool, *args.first()?, depth)?;
            args[1..].iter().all(|&a| fixed(pool, a, depth).as_ref() == Some(&first)).then_some(first)
        }
        Head::Indexed(Op::RePower, id) => {
            let n = fixed(pool, args[0], depth)?;
            Some(&n * &pool.index_values(id)[0])
        }
        _ => None,
    }
}
