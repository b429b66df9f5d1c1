//! Membership in ground regular expressions.

use super::{Cx, Rule};
use crate::build::{and, eq, is, op, or, three, two, word};
use rustc_hash::FxHashMap;
use semantics::regex::{Count, Re, RegexStore};
use smt::{Head, Int, Op, Pool, PostOrder, Term};

pub(super) static RULES: &[Rule] = &[
    Rule::new("in-re-ground", &[Op::StrInRe], ground),
    Rule::new("in-re-simple", &[Op::StrInRe], simple),
    Rule::new("in-re-words", &[Op::StrInRe], finite),
    Rule::new("in-re-letters", &[Op::StrInRe], of_letters),
    Rule::new("re-fold", SEARCHING, fold),
    Rule::new("re-word", SEARCHING, one_word),
];

/// The operators that search for a match.
const SEARCHING: &[Op] = &[Op::StrReplaceRe, Op::StrReplaceReAll, Op::StrIndexofRe];

/// The work of one membership test, at most.
const BUDGET: u64 = 2_000_000;

/// The languages of ground regular expressions, by term.
#[derive(Default)]
pub(crate) struct Regexes {
    store: RegexStore,
    known: FxHashMap<Term, Option<Re>>,
}

impl Regexes {
    /// The language of `t`, if it is ground.
    pub(crate) fn language(&mut self, pool: &Pool, t: Term) -> Option<Re> {
        let mut walk = PostOrder::new([t]);
        while let Some(u) = walk.next(|u| (!self.known.contains_key(&u)).then(|| below(pool, u))) {
            let re = self.make(pool, u);
            self.known.insert(u, re);
        }
        self.known[&t]
    }

    /// Whether `t` is ground and its language is syntactically empty.
    pub(crate) fn is_none(&mut self, pool: &Pool, t: Term) -> bool {
        self.language(pool, t).is_some_and(|r| r == self.store.none())
    }

    fn make(&mut self, pool: &Pool, t: Term) -> Option<Re> {
        let args = pool.args(t);
        let (op, indices): (Op, &[Int]) = match pool.head(t) {
            Head::Op(op) => (op, &[]),
            Head::Indexed(op, id) => (op, pool.index_values(id)),
            _ => return None,
        };
        match op {
            Op::StrToRe => return Some(self.store.word(word(pool, args[0])?)),
            Op::ReRange => return Some(self.store.range(word(pool, args[0])?, word(pool, args[1])?)),
            _ => {}
        }
        let below: Vec<Re> = args.iter().map(|a| self.known[a]).collect::<Option<_>>()?;
        let count = |n: &Int| n.to_usize().map_or(Count::Beyond, |n| Count::Exactly(n as u64));
        let store = &mut self.store;
        Some(match op {
            Op::ReNone => store.none(),
            Op::ReAll => store.all(),
            Op::ReAllchar => store.allchar(),
            Op::ReConcat => store.concat(&below),
            Op::ReUnion => store.union(&below),
            Op::ReInter => store.inter(&below),
            Op::ReStar => store.star(below[0]),
            Op::ReComp => store.comp(below[0]),
            Op::ReDiff => store.diff(&below),
            Op::RePlus => store.plus(below[0]),
            Op::ReOpt => store.opt(below[0]),
            Op::RePower => store.power(below[0], count(&indices[0])),
            Op::ReLoop if indices[0] > indices[1] => store.none(),
            Op::ReLoop => store.loop_(below[0], count(&indices[0]), count(&indices[1])),
            _ => return None,
        })
    }
}

/// The expressions in an expression, the last one first.
pub(super) fn below(pool: &Pool, t: Term) -> impl DoubleEndedIterator<Item = Term> + use<'_> {
    let args = match pool.head(t) {
        Head::Op(Op::StrToRe | Op::ReRange) => &[],
        _ => pool.args(t),
    };
    args.iter().rev().copied()
}

/// match: `(str.in_re w r)` of a constant and a ground expression
/// result: its value
fn ground(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (s, r) = two(cx.pool, t)?;
    word(cx.pool, s)?;
    let re = cx.regexes.language(cx.pool, r)?;
    let b = cx.regexes.store.try_matches(re, word(cx.pool, s)?, BUDGET)?;
    Some(cx.pool.bool(b))
}

/// match: `(str.in_re s re.all)`, `(str.in_re s (re.* re.allchar))`, `(str.in_re s re.none)`, `(str.in_re s (str.to_re
/// t))`
/// result: `true`, `true`, `false`, `(= s t)`
fn simple(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (s, r) = two(cx.pool, t)?;
    match cx.pool.head(r) {
        Head::Op(Op::ReAll) => Some(cx.pool.bool(true)),
        Head::Op(Op::ReStar) if is(cx.pool, cx.pool.args(r)[0], Op::ReAllchar) => Some(cx.pool.bool(true)),
        Head::Op(Op::ReNone) => Some(cx.pool.bool(false)),
        Head::Op(Op::StrToRe) => {
            let w = cx.pool.args(r)[0];
            Some(eq(cx.pool, s, w))
        }
        _ => None,
    }
}

/// match: `(str.in_re s (re.union (str.to_re a) …))` of at most ten members
/// result: `(or (= s a) …)`
fn finite(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (s, r) = two(cx.pool, t)?;
    let mut stack = vec![r];
    let mut words = Vec::new();
    while let Some(u) = stack.pop() {
        match cx.pool.head(u) {
            Head::Op(Op::ReUnion) if stack.len() < 20 => stack.extend(cx.pool.args(u).iter().rev().take(20)),
            Head::Op(Op::StrToRe) if words.len() < 10 => words.push(cx.pool.args(u)[0]),
            _ => return None,
        }
        if is(cx.pool, u, Op::ReUnion) && cx.pool.args(u).len() > 10 {
            return None;
        }
    }
    let any: Vec<Term> = words.into_iter().map(|w| eq(cx.pool, s, w)).collect();
    Some(or(cx.pool, &any))
}

/// match: `(str.in_re (str.++ s …) (re.* r))` where all words of `r` have one character
/// result: `(and (str.in_re s (re.* r)) …)`
fn of_letters(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (s, r) = two(cx.pool, t)?;
    if !is(cx.pool, s, Op::StrConcat) || !is(cx.pool, r, Op::ReStar) {
        return None;
    }
    let body = cx.regexes.language(cx.pool, cx.pool.args(r)[0])?;
    if cx.regexes.store.lengths(body) != (1, 1) {
        return None;
    }
    let parts = cx.pool.args(s).to_vec();
    let all: Vec<Term> = parts.into_iter().map(|part| op(cx.pool, Op::StrInRe, &[part, r])).collect();
    Some(and(cx.pool, &all))
}

/// match: `str.replace_re`, `str.replace_re_all`, `str.indexof_re` of constants and a ground expression
/// result: the value
fn fold(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (s, r, z) = three(cx.pool, t);
    word(cx.pool, s)?;
    let position = crate::build::int(cx.pool, z).cloned();
    if position.is_none() {
        word(cx.pool, z)?;
    }
    let re = cx.regexes.language(cx.pool, r)?;
    let w = word(cx.pool, s)?;
    let store = &mut cx.regexes.store;
    if let Some(i) = position {
        let found = match i.to_usize().filter(|&i| i <= w.len()) {
            Some(i) => store.try_indexof_re(w, re, i, BUDGET)?,
            None => None,
        };
        return Some(cx.pool.int(found.map_or(Int::MINUS_ONE, Int::from)));
    }
    let z = word(cx.pool, z)?;
    if (w.len() + 1).checked_mul(z.len() + 1)? > 1 << 24 {
        return None;
    }
    let out = if is(cx.pool, t, Op::StrReplaceRe) {
        store.try_replace_re(w, re, z, BUDGET)?
    } else {
        store.try_replace_re_all(w, re, z, BUDGET)?
    };
    Some(cx.pool.string(&out))
}

/// match: `str.replace_re`, `str.replace_re_all`, `str.indexof_re` of `(str.to_re t)`
/// result: `str.replace`, `str.replace_all`, `str.indexof` of `t`
fn one_word(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (s, r, z) = three(cx.pool, t);
    if !is(cx.pool, r, Op::StrToRe) {
        return None;
    }
    let w = cx.pool.args(r)[0];
    let f = match cx.pool.head(t) {
        Head::Op(Op::StrReplaceRe) => Op::StrReplace,
        Head::Op(Op::StrReplaceReAll) => Op::StrReplaceAll,
        _ => Op::StrIndexof,
    };
    Some(op(cx.pool, f, &[s, w, z]))
}
