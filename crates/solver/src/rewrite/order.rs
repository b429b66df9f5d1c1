//! The lexicographic order.

use super::{Cx, Rule};
use crate::build::{Terms, concat, eq, is_empty, not, op, parts, two, word};
use smt::{Op, Term};

pub(super) static RULES: &[Rule] = &[
    Rule::new("str-lt", &[Op::StrLt], less),
    Rule::new("str-le-known", &[Op::StrLe], known),
    Rule::new("str-le-prefix", &[Op::StrLe], prefix),
];

/// match: `(str.< s t)`
/// result: `(not (str.<= t s))`
fn less(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (s, u) = two(cx.pool, t)?;
    let le = op(cx.pool, Op::StrLe, &[u, s]);
    Some(not(cx.pool, le))
}

/// match: `(str.<= s s)`, `(str.<= "" s)`, `(str.<= s "")`
/// result: `true`, `true`, `(= s "")`
fn known(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (s, u) = two(cx.pool, t)?;
    if s == u || is_empty(cx.pool, s) {
        return Some(cx.pool.bool(true));
    }
    is_empty(cx.pool, u).then(|| eq(cx.pool, s, u))
}

/// match: `(str.<= (str.++ p s) (str.++ p t))`; constants at the front that differ
/// result: `(str.<= s t)`; their order
fn prefix(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (s, u) = two(cx.pool, t)?;
    let (mut a, mut b) = (parts(cx.pool, s), parts(cx.pool, u));
    let same = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    a.drain(..same);
    b.drain(..same);
    let front = |list: &Terms| list.first().and_then(|&x| word(cx.pool, x)).map(<[u32]>::to_vec);
    if let (Some(x), Some(y)) = (front(&a), front(&b)) {
        let k = x.iter().zip(&y).take_while(|(c, d)| c == d).count();
        if k < x.len() && k < y.len() {
            return Some(cx.pool.bool(x[k] < y[k]));
        }
        for (list, w) in [(&mut a, &x), (&mut b, &y)] {
            list.remove(0);
            if k < w.len() {
                list.insert(0, cx.pool.string(&w[k..]));
            }
        }
    } else if same == 0 {
        return None;
    }
    let (s, u) = (concat(cx.pool, &a), concat(cx.pool, &b));
    Some(op(cx.pool, Op::StrLe, &[s, u]))
}
