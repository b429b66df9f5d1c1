//! B-Val: the sum of the lengths of the input strings is decided to be small, and less small, until there is a model.
//!
//! A decision, never an assumption: refuting a bound leaves the search where it was, and cores are not touched by it.

use super::classes::Classes;
use crate::theory::Theory;
use sat::{Context, Lit};
use smt::{Op, Sort, Term};

/// The sum, and what the last round left for the model.
#[derive(Debug, Default)]
pub(crate) struct Lengths {
    sum: Option<Term>,
    /// Words of a model were too long: bound them.
    wanted: bool,
    pub(crate) classes: Classes,
}

impl Lengths {
    /// The classes of a round that found nothing more to say.
    pub(crate) fn saturated(&mut self, classes: Classes) {
        self.classes = classes;
    }

    /// The strings whose lengths are added up.
    pub(crate) fn set(&mut self, sum: Term) {
        self.sum = Some(sum);
    }
}

impl Theory<'_> {
    /// The least bound that is not refuted, to be decided first.
    pub(crate) fn bound_lengths(&mut self, ctx: &mut Context<'_>) -> Option<Lit> {
        let wanted = self.strings.lengths.wanted;
        let sum = self.strings.lengths.sum.filter(|_| self.strings.bound || wanted)?;
        let mut n: i64 = if self.strings.bound { 0 } else { 64 };
        loop {
            let limit = self.pool.int(n);
            let atom = self.mk(Op::Ge, Sort::BOOL, &[limit, sum]);
            let l = self.literal(ctx, atom);
            match ctx.value(l) {
                None => {
                    self.log.count(crate::infer::Rule::BoundLengths);
                    return Some(l);
                }
                Some(true) => return None,
                Some(false) if self.strings.bound => n = next_bound(n)?,
                Some(false) => n = Some(16 * n).filter(|&n| n <= 1 << 15)?,
            }
        }
    }
}

impl Theory<'_> {
    /// The arithmetic model asks for a word that is too long: from now on, shorter ones are tried first. True the first
    /// time; the search then starts again.
    pub(crate) fn bound_on_demand(&mut self, ctx: &mut Context<'_>) -> bool {
        if self.strings.lengths.wanted || self.strings.lengths.sum.is_none() {
            return false;
        }
        self.strings.lengths.wanted = true;
        // A clause of one literal takes the search back to level 0.
        let truth = self.cnf.truth(ctx);
        ctx.lemma(&[truth]);
        true
    }
}

fn next_bound(n: i64) -> Option<i64> {
    (n < 1 << 40).then(|| n + 1 + n / 4)
}
