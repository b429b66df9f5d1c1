//! Verdicts under the other reading of the standard.
//!
//! Two operators had another meaning before SMT-LIB 2.6 ([`Reading`]). A wrong result on a formula with one of them may be an intended
//! deviation, so the model that proves it is judged under the other reading too, and the evidence has a line on it.

use super::{Bench, evidence};
use crate::case::Case;
use semantics::referee::Check;
use semantics::{Config, Model, Reading, Satisfaction};
use smt::{Op, Pool, Term};

/// How the line in the evidence begins.
const LINE: &str = "under another semantics, ";
/// How it ends if the verdict is proved there too.
const TOO: &str = " too";
/// How it ends if nothing is known.
const OPEN: &str = " undetermined";

/// Whether a verdict is proved under the other reading too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// It is proved under both.
    Both,
    /// It is proved only under the reading of the campaign.
    One,
    /// Nothing is known about the other reading.
    Open,
}

impl Scope {
    /// Its text form.
    pub fn code(self) -> &'static str {
        match self {
            Scope::Both => "both",
            Scope::One => "one",
            Scope::Open => "undetermined",
        }
    }

    /// The scope of the verdict with this evidence; none if readings do not differ on the formula.
    pub fn of(evidence: &str) -> Option<Scope> {
        let line = evidence.lines().rfind(|line| line.starts_with(LINE))?;
        Some(match line {
            line if line.ends_with(TOO) => Scope::Both,
            line if line.ends_with(OPEN) => Scope::Open,
            _ => Scope::One,
        })
    }
}

/// The case has an operator on which readings differ.
pub(crate) fn matters(case: &Case) -> bool {
    let pool = &case.pool;
    let differs = [Op::StrReplace, Op::StrIndexof];
    (0..pool.len()).any(|i| differs.iter().any(|&op| pool.head(Term(i as u32)) == smt::Head::Op(op)))
}

/// The reading that a campaign did not use.
pub(crate) fn other(reading: Reading) -> Reading {
    match reading {
        Reading::Standard => Reading::Pre26,
        Reading::Pre26 => Reading::Standard,
    }
}

/// The line of the evidence: a model that is true under the other reading, or false, or neither is known; it proves the verdict there
/// if that is `needed`.
pub(crate) fn line(reading: Reading, truth: Option<bool>, needed: bool) -> String {
    let found = match (truth, needed) {
        (Some(true), true) => "the model satisfies it too",
        (Some(true), false) => "the model satisfies it",
        (Some(false), false) => "the model fails too",
        (Some(false), true) => "the model does not satisfy it",
        (None, _) => "the model is undetermined",
    };
    format!("{LINE}{}, {found}\n", name(other(reading)))
}

fn name(reading: Reading) -> &'static str {
    match reading {
        Reading::Pre26 => "that of CVC4 before SMT-LIB 2.6",
        Reading::Standard => "the standard one",
    }
}

impl Bench<'_> {
    /// The line on `model`, which proves the verdict where its truth is `needed`; empty if readings do not differ.
    pub(super) fn other_reading(&self, pool: &Pool, model: &Model, check: &Check, needed: bool) -> String {
        if !matters(self.case) {
            return String::new();
        }
        let config = Config { reading: other(self.rules.reading), ..self.rules.config() };
        let truth = match evidence::truth(pool, model, check, config) {
            Satisfaction::Holds => Some(true),
            Satisfaction::Fails => Some(false),
            Satisfaction::Undetermined(_) => None,
        };
        line(self.rules.reading, truth, needed)
    }

    /// The line of a verdict that no model proves.
    pub(super) fn not_checked(&self) -> String {
        if !matters(self.case) {
            return String::new();
        }
        format!("\n{LINE}{}, the answer is{OPEN}\n", name(other(self.rules.reading)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_back() {
        let scope = |truth, needed| Scope::of(&format!("x\n{}", line(Reading::Standard, truth, needed)));
        assert_eq!(scope(Some(true), true), Some(Scope::Both));
        assert_eq!(scope(Some(false), false), Some(Scope::Both));
        assert_eq!(scope(Some(false), true), Some(Scope::One));
        assert_eq!(scope(Some(true), false), Some(Scope::One));
        assert_eq!(scope(None, true), Some(Scope::Open));
        assert_eq!(Scope::of("the model fails too"), None);
        let old = "under another semantics, that of CVC4 before SMT-LIB 2.6, the model satisfies it";
        assert_eq!(Scope::of(old), Some(Scope::One), "stores written before");
    }
}
