//! Which of the kept rules are interesting.
//!
//! A rule is left out if it has no operator on strings on its left, or is an instance of a known rule or of another kept
//! one. The others are ranked: many different operators on strings, variables, a right side that is neither a
//! variable nor a constant and that is smaller than the left one. They are taken in turn by the operator on the
//! left, so that all operators are represented.

use super::conjecture::Law;
use super::matching::{occurrences, unify};
use super::{Options, Tally};
use semantics::rule::{Rule, RuleKind};
use smt::op::Origin;
use smt::{Head, Op, Pool, Sort, Term};
use std::collections::BTreeMap;

/// The most interesting rules, by operator.
pub fn select(
    pool: &mut Pool,
    kept: &[Law],
    known: &[Rule],
    options: &Options,
    tally: &mut Tally,
) -> Vec<Law> {
    let about_strings = kept.iter().filter(|law| operators(pool, law.left).iter().any(|&op| is_string(op)));
    let candidates: Vec<Law> = about_strings.copied().collect();
    let mut ranked: BTreeMap<&'static str, Vec<(i64, usize, Law)>> = BTreeMap::new();
    for (i, &law) in candidates.iter().enumerate() {
        if known.iter().any(|rule| is_known(pool, rule, law)) {
            tally.known += 1;
        } else if !is_instance_of_another(pool, &candidates, i) {
            ranked.entry(head(pool, law)).or_default().push((-score(pool, law), i, law));
        }
    }
    in_turn(ranked, options.rules)
}

/// The best of each operator, the second best of each, and so on; sorted by operator.
fn in_turn(ranked: BTreeMap<&'static str, Vec<(i64, usize, Law)>>, most: usize) -> Vec<Law> {
    let mut chosen = Vec::new();
    for (name, mut list) in ranked {
        list.sort_by_key(|&(score, i, _)| (score, i));
        chosen
            .extend(list.into_iter().enumerate().map(|(turn, (score, i, law))| (turn, name, score, i, law)));
    }
    chosen.sort_by_key(|&(turn, name, score, i, _)| (turn, score, name, i));
    chosen.truncate(most);
    chosen.sort_by_key(|&(turn, name, ..)| (name, turn));
    chosen.into_iter().map(|(.., law)| law).collect()
}

/// The name of the operator on the left.
pub fn head(pool: &Pool, law: Law) -> &'static str {
    match pool.head(law.left) {
        Head::Op(op) | Head::Indexed(op, _) => op.name(),
        _ => "other",
    }
}

fn operators(pool: &Pool, t: Term) -> Vec<Op> {
    let heads = occurrences(pool, t).into_iter().filter_map(|t| match pool.head(t) {
        Head::Op(op) | Head::Indexed(op, _) if !pool.args(t).is_empty() => Some(op),
        _ => None,
    });
    heads.collect()
}

fn is_string(op: Op) -> bool {
    op.row().origin == Origin::Strings
}

fn score(pool: &Pool, law: Law) -> i64 {
    let both: Vec<Op> = [law.left, law.right].iter().flat_map(|&t| operators(pool, t)).collect();
    let mut strings: Vec<Op> = both.iter().copied().filter(|&op| is_string(op)).collect();
    let logic = both
        .iter()
        .filter(|op| matches!(op, Op::Not | Op::And | Op::Or | Op::Ite | Op::Add | Op::Sub))
        .count();
    strings.sort_by_key(|&op| op as u32);
    strings.dedup();
    let shown = i64::from(!pool.args(law.right).is_empty());
    let sizes = occurrences(pool, law.left).len() as i64 - occurrences(pool, law.right).len() as i64;
    8 * strings.len() as i64 + 3 * law.variables(pool).len() as i64 + 4 * shown + sizes.min(3)
        - 3 * logic as i64
}

/// Whether a rule is an instance of a known one, read in either direction.
fn is_known(pool: &Pool, rule: &Rule, law: Law) -> bool {
    let plain = rule.when.is_none() && rule.exists.is_empty() && rule.kind != RuleKind::Implication;
    let found = |a, b| unify(pool, &[(rule.lhs, a), (rule.rhs, b)]).is_some();
    let (a, b) = (law.left, law.right);
    let languages = || known_language(pool, rule, law);
    plain && (found(a, b) || found(b, a) || pool.sort_of(a) == Sort::REGLAN && languages())
}

/// Known equivalences of languages are memberships.
fn known_language(pool: &Pool, rule: &Rule, law: Law) -> bool {
    let member = Head::Op(Op::StrInRe);
    if pool.head(rule.lhs) != member || pool.head(rule.rhs) != member {
        return false;
    }
    let (a, b) = (pool.args(rule.lhs), pool.args(rule.rhs));
    let found = |l, r| unify(pool, &[(a[1], l), (b[1], r)]).is_some();
    a[0] == b[0] && (found(law.left, law.right) || found(law.right, law.left))
}

fn is_instance_of_another(pool: &Pool, laws: &[Law], i: usize) -> bool {
    let instance = |general: Law, special: Law| {
        unify(pool, &[(general.left, special.left), (general.right, special.right)]).is_some()
    };
    laws.iter()
        .enumerate()
        .any(|(k, &other)| k != i && instance(other, laws[i]) && (k < i || !instance(laws[i], other)))
}
