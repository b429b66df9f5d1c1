//! The formulas of a task before their texts: which there are, and the number in the name of each.
//!
//! The search for the certificates of unsatisfiable formulas takes nearly all of the time of a suite; it is done for the
//! texts that are wanted.

use crate::certify::{Certified, certify};
use crate::sat::Batch;
use crate::text::{Category, Member, Text};
use crate::unsat::Refutation;
use smt::Pool;
use std::collections::BTreeMap;

/// The formulas of a task.
pub(super) struct Outline {
    pool: Pool,
    formulas: Vec<Formula>,
    /// Its texts, in order.
    pub(super) drafts: Vec<Draft>,
}

/// A formula, complete or with its certificate still to be found.
enum Formula {
    Ready(Box<Member>),
    Open(Box<Refutation>),
    Certified(Box<Certified>),
}

/// A text that is not written yet.
#[derive(Clone, Copy)]
pub(super) struct Draft {
    formula: usize,
    patterns: bool,
    /// The number within category, operation and rule.
    number: usize,
}

/// The texts of an unsatisfiable formula.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Variants {
    /// One, without patterns.
    Plain,
    /// One, with patterns.
    Patterns,
    /// Both, as in the paper.
    Twice,
    /// Both if they differ, that is, if there is a quantifier.
    Distinct,
}

impl Outline {
    /// Formulas that are complete.
    pub(super) fn sat(batch: Batch) -> Outline {
        let mut numbers = Numbers::default();
        let number = |(formula, m): (usize, &Member)| Draft {
            formula,
            patterns: false,
            number: numbers.next(m.category, &m.operation),
        };
        let drafts = batch.members.iter().enumerate().map(number).collect();
        let formulas = batch.members.into_iter().map(|m| Formula::Ready(Box::new(m))).collect();
        Outline { pool: batch.pool, formulas, drafts }
    }

    /// Formulas whose certificates are not searched yet.
    pub(super) fn unsat(pool: Pool, all: Vec<Refutation>, variants: Variants) -> Outline {
        let mut drafts = Vec::new();
        for patterns in [false, true] {
            let skipped = if patterns { Variants::Plain } else { Variants::Patterns };
            if variants == skipped {
                continue;
            }
            let mut numbers = Numbers::default();
            for (formula, r) in all.iter().enumerate() {
                if patterns && variants == Variants::Distinct && !has_binder(&pool, r) {
                    continue;
                }
                let number = numbers.next(r.category(), &r.operation);
                drafts.push(Draft { formula, patterns, number });
            }
        }
        let formulas = all.into_iter().map(|r| Formula::Open(Box::new(r))).collect();
        Outline { pool, formulas, drafts }
    }

    /// Writes a text.
    pub(super) fn text(&mut self, draft: usize, source: &str, suite: &str) -> Text {
        let Draft { formula, patterns, number } = self.drafts[draft];
        let formula = &mut self.formulas[formula];
        if let Formula::Open(r) = formula {
            *formula = Formula::Certified(Box::new(certify(&self.pool, (**r).clone())));
        }
        match formula {
            Formula::Ready(member) => member.text(&self.pool, source, suite, patterns, number),
            Formula::Certified(certified) => {
                let member = certified.member(&mut self.pool, patterns);
                member.text(&self.pool, source, suite, patterns, number)
            }
            Formula::Open(_) => unreachable!("it is certified above"),
        }
    }
}

fn has_binder(pool: &Pool, r: &Refutation) -> bool {
    r.assertions().into_iter().any(|t| pool.has_binder(t))
}

/// Running numbers within category and operation.
#[derive(Default)]
struct Numbers(BTreeMap<(Category, String), usize>);

impl Numbers {
    fn next(&mut self, category: Category, operation: &str) -> usize {
        let number = self.0.entry((category, operation.to_owned())).or_default();
        *number += 1;
        *number
    }
}
