//! *Insert-operator*: applies an operator to a term near the root.
//!
//! In each assertion a term of the operator's sort, at most `depth` below the root, becomes an application of the
//! operator to itself, where it fits, and to leaves of the same assertion or fresh literals for the other arguments.

use super::occurrences::{Occurrence, Survey};
use super::{Effect, Flags, Job, Transformer};
use crate::dice::Dice;
use rustc_hash::FxHashMap;
use smt::op::{S, TABLE};
use smt::typing::builtin_sort;
use smt::{Int, Op, Pool, Rat, Sort, Term};

/// The transformer.
pub static INSERT_OPERATOR: Transformer = Transformer {
    name: "insert-operator",
    about: "apply an operator to a term of each assertion",
    flags: &["operator", "depth"],
    keeps: "sat, if the model still holds",
    apply,
};

/// Random operators to try for each assertion.
const MAX_TRIES: usize = 32;

fn apply(flags: &Flags, job: &mut Job<'_>) -> Effect {
    let survey = Survey::new(job.pool, job.script, flags.depth);
    let mut by_place: Vec<Vec<&Occurrence>> = vec![Vec::new(); survey.places.len()];
    for o in survey.all.iter().filter(|o| survey.is_movable(job.pool, o, false)) {
        by_place[o.place].push(o);
    }
    let random: Vec<Op> = TABLE.iter().map(|r| r.op).filter(|&op| is_choice(op, job)).collect();
    let mut new = FxHashMap::default();
    for here in by_place.iter().filter(|here| !here.is_empty()) {
        let tries = if flags.operator.is_some() { 1 } else { MAX_TRIES };
        for _ in 0..tries {
            let op = flags.operator.unwrap_or_else(|| random[job.dice.index(random.len())]);
            if let Some((at, term)) = insert(job.pool, job.dice, &survey, here, op) {
                new.insert((at.place, at.index), (term, at.end));
                break;
            }
        }
    }
    let changed = !new.is_empty();
    survey.replace(job.pool, job.script, &new);
    Effect::of(changed, false, None)
}

/// An operator that may be chosen at random.
fn is_choice(op: Op, job: &Job<'_>) -> bool {
    let divides = matches!(op, Op::Mul | Op::IntDiv | Op::Mod | Op::RealDiv);
    !op.row().params.is_empty() && !op.is_extension() && !divides && op.is_in(job.dialect)
}

/// A place for `op` and its new term.
fn insert<'o>(
    pool: &mut Pool,
    dice: &mut Dice,
    survey: &Survey,
    here: &[&'o Occurrence],
    op: Op,
) -> Option<(&'o Occurrence, Term)> {
    let row = op.row();
    let fits = |o: &&&Occurrence| match row.ret {
        S::Any => true,
        S::Num => matches!(pool.sort_of(o.term), Sort::INT | Sort::REAL),
        ret => builtin_sort(ret) == Some(pool.sort_of(o.term)),
    };
    let fitting: Vec<&Occurrence> = here.iter().filter(fits).copied().collect();
    if fitting.is_empty() {
        return None;
    }
    let at = fitting[dice.index(fitting.len())];
    let own = pool.sort_of(at.term);
    // The sort for `Any` and `Num`: the sort of the term if the operator gives that, else strings and integers.
    let flexible = match row.ret {
        S::Any | S::Num => own,
        _ if row.params.contains(&S::Num) => Sort::INT,
        _ => Sort::STRING,
    };
    let sorts: Vec<Sort> = row.params.iter().map(|&p| builtin_sort(p).unwrap_or(flexible)).collect();
    let literals = matches!(op, Op::StrToRe | Op::ReRange);
    let itself = (!literals).then(|| sorts.iter().rposition(|&s| s == own)).flatten();
    let mut args = Vec::new();
    for (i, &s) in sorts.iter().enumerate() {
        args.push(match itself {
            Some(j) if i == j => at.term,
            _ => other(pool, dice, survey, here, at, s, op)?,
        });
    }
    let indices: Vec<Int> = (0..row.indices).map(|i| Int::from(1 + i as i64 * 2)).collect();
    let made = if row.indices == 0 { pool.op(op, &args) } else { pool.indexed(op, &indices, &args) };
    made.ok().filter(|&t| pool.sort_of(t) == own).map(|t| (at, t))
}

/// An argument of sort `s`: a leaf of the assertion, or a literal.
fn other(
    pool: &mut Pool,
    dice: &mut Dice,
    survey: &Survey,
    here: &[&Occurrence],
    at: &Occurrence,
    s: Sort,
    op: Op,
) -> Option<Term> {
    let literals = matches!(op, Op::StrToRe | Op::ReRange | Op::Mul | Op::IntDiv | Op::Mod | Op::RealDiv);
    let leaf = |o: &&&Occurrence| {
        pool.sort_of(o.term) == s && pool.args(o.term).is_empty() && survey.fits(pool, o, at)
    };
    let leaves: Vec<Term> = here.iter().filter(leaf).map(|o| o.term).collect();
    if !literals && !leaves.is_empty() && dice.below(4) > 0 {
        return Some(leaves[dice.index(leaves.len())]);
    }
    let letter = 0x61 + dice.below(26) as u32;
    Some(match s {
        Sort::BOOL => pool.bool(dice.below(2) == 0),
        Sort::INT => pool.int(1 + dice.below(4) as i64),
        Sort::REAL => pool.real(Rat::from(Int::from(1 + dice.below(4) as i64))),
        Sort::STRING => pool.string(&[letter]),
        Sort::REGLAN => {
            let word = pool.string(&[letter]);
            pool.op(Op::StrToRe, &[word]).ok()?
        }
        _ => return leaves.first().copied(),
    })
}
