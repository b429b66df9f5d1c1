//! Which of the kept rules are interesting.
//!
//! A rule is left out if it has no operator on strings on its left, if it is an instance of another one, or if it follows from smaller
//! ones and from those written by hand: rewriting with them makes both sides the same ([`follow`](super::follow)).
//!
//! Of the others, the best one is taken again and again. What counts most is what the rules taken so far lack: *pairs*, an operator
//! directly under another one or on the other side, and operators that occur in few rules. Then many different operators on strings,
//! variables, and a right side that is neither a variable nor a constant. A rule without a new pair is not taken. A rule
//! is also left out if more values refute it ([`attack`](super::attack)), or if its right side has been taken often enough. One rule in three
//! may equate languages: they have the most operators, and would displace the others.

use super::conjecture::Law;
use super::follow::Known;
use super::matching::{occurrences, size, unify};
use super::{Options, Tally};
use rustc_hash::FxHashMap;
use semantics::rule::Rule;
use smt::op::Origin;
use smt::{Head, Op, Pool, Sort, Term};
use std::collections::{BTreeMap, BTreeSet};

/// The most rules with the same right side.
const SAME_RIGHT: usize = 2;
/// An operator that occurs in fewer rules is rare.
const RARE: usize = 5;

/// Two operators, the second one below the first, or on the other side.
type Pair = (Op, Op, bool);

struct Candidate {
    law: Law,
    pairs: BTreeSet<Pair>,
    strings: BTreeSet<Op>,
    language: bool,
    score: i64,
}

/// The most interesting rules that `accept` accepts, by operator.
pub fn select<R>(
    pool: &mut Pool,
    kept: &[Law],
    known: &[Rule],
    options: &Options,
    tally: &mut Tally,
    mut accept: impl FnMut(&mut Pool, Law) -> Option<R>,
) -> Vec<(Law, R)> {
    let mut candidates: Vec<Candidate> =
        independent(pool, kept, known, tally).into_iter().map(|law| candidate(pool, law)).collect();
    let (mut pairs, mut counts, mut languages) = (BTreeSet::new(), BTreeMap::new(), 0);
    let mut rights: FxHashMap<Term, usize> = FxHashMap::default();
    let mut chosen = Vec::new();
    while chosen.len() < options.rules
        && let Some(best) = best(&candidates, &pairs, &counts, 3 * languages <= chosen.len())
    {
        let c = candidates.remove(best);
        let same = rights.entry(c.law.right).or_default();
        if *same >= SAME_RIGHT && !pool.args(c.law.right).is_empty() {
            continue;
        }
        let Some(rule) = accept(pool, c.law) else {
            tally.late += 1;
            continue;
        };
        *same += 1;
        languages += usize::from(c.language);
        pairs.extend(c.pairs);
        c.strings.iter().for_each(|&op| *counts.entry(op).or_insert(0) += 1);
        chosen.push((c.law, rule));
    }
    chosen.sort_by_key(|&(law, _)| head(pool, law));
    chosen
}

/// The rules on strings that do not follow from others, in the order of their sizes.
fn independent(pool: &mut Pool, kept: &[Law], known: &[Rule], tally: &mut Tally) -> Vec<Law> {
    let mut laws: Vec<Law> = kept.to_vec();
    laws.retain(|law| operators(pool, law.left).iter().any(|&op| is_string(op)));
    laws.sort_by_key(|law| size(pool, law.left));
    let laws = most_general(pool, &laws);
    let mut so_far = Known::new(pool, known);
    let mut found = Vec::new();
    for law in laws {
        if so_far.imply(pool, law) {
            tally.known += 1;
        } else {
            found.push(law);
        }
        so_far.add(pool, law);
    }
    found
}

/// Those that are no instances of others.
fn most_general(pool: &Pool, laws: &[Law]) -> Vec<Law> {
    let mut by_head: FxHashMap<Head, Vec<usize>> = FxHashMap::default();
    for (i, law) in laws.iter().enumerate() {
        by_head.entry(pool.head(law.left)).or_default().push(i);
    }
    let instance = |general: Law, special: Law| {
        unify(pool, &[(general.left, special.left), (general.right, special.right)]).is_some()
    };
    let is_general = |&i: &usize| {
        let others = &by_head[&pool.head(laws[i].left)];
        !others
            .iter()
            .any(|&k| k != i && instance(laws[k], laws[i]) && (k < i || !instance(laws[i], laws[k])))
    };
    (0..laws.len()).filter(is_general).map(|i| laws[i]).collect()
}

fn best(
    candidates: &[Candidate],
    pairs: &BTreeSet<Pair>,
    counts: &BTreeMap<Op, usize>,
    languages: bool,
) -> Option<usize> {
    let value = |c: &Candidate| {
        let new = c.pairs.difference(pairs).count() as i64;
        let rare = c.strings.iter().filter(|op| counts.get(op).is_none_or(|&n| n < RARE)).count() as i64;
        (new > 0 && (languages || !c.language)).then_some(6 * new.min(4) + 5 * rare.min(3) + c.score)
    };
    let valued =
        candidates.iter().enumerate().filter_map(|(i, c)| value(c).map(|v| (v, std::cmp::Reverse(i))));
    valued.max().map(|(_, i)| i.0)
}

fn candidate(pool: &mut Pool, law: Law) -> Candidate {
    let mut pairs = BTreeSet::new();
    for t in [law.left, law.right].iter().flat_map(|&t| occurrences(pool, t)) {
        let Some(op) = operator(pool, t) else { continue };
        pairs.extend(pool.args(t).iter().filter_map(|&a| operator(pool, a)).map(|below| (op, below, true)));
    }
    if let (Some(left), Some(right)) = (operator(pool, law.left), operator(pool, law.right)) {
        pairs.insert((left.min(right), left.max(right), false));
    }
    pairs.retain(|&(a, b, _)| is_string(a) || is_string(b));
    let both = [law.left, law.right].iter().flat_map(|&t| operators(pool, t)).collect::<Vec<_>>();
    let strings: BTreeSet<Op> = both.iter().copied().filter(|&op| is_string(op)).collect();
    let score = score(pool, law, &both, strings.len());
    let language = pool.sort_of(law.left) == Sort::REGLAN;
    Candidate { law, pairs, strings, language, score }
}

fn score(pool: &mut Pool, law: Law, both: &[Op], strings: usize) -> i64 {
    let logic = both
        .iter()
        .filter(|op| matches!(op, Op::Not | Op::And | Op::Or | Op::Ite | Op::Add | Op::Sub))
        .count();
    let shown = i64::from(!pool.args(law.right).is_empty());
    let sizes = size(pool, law.left) as i64 - size(pool, law.right) as i64;
    let variables = law.variables(pool).len() as i64;
    let conditions = law.conditions(pool).len() as i64;
    4 * strings.min(4) as i64 + 4 * variables.min(4) + 6 * shown + sizes.min(2)
        - 5 * logic as i64
        - conditions
}

/// The name of the operator on the left.
pub fn head(pool: &Pool, law: Law) -> &'static str {
    operator(pool, law.left).map_or("other", Op::name)
}

/// The operator of a term with arguments, or of a constant language.
fn operator(pool: &Pool, t: Term) -> Option<Op> {
    match pool.head(t) {
        Head::Op(op) | Head::Indexed(op, _)
            if !pool.args(t).is_empty() || pool.sort_of(t) == Sort::REGLAN =>
        {
            Some(op)
        }
        _ => None,
    }
}

fn operators(pool: &Pool, t: Term) -> Vec<Op> {
    occurrences(pool, t).into_iter().filter_map(|t| operator(pool, t)).collect()
}

fn is_string(op: Op) -> bool {
    op.row().origin == Origin::Strings
}
