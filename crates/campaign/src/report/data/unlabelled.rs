//! Instances without a known answer: what their runs and the second opinions say about them.

use crate::clean::{counted, listed, one_line};
use crate::outcome::{Answer, Kind, ModelCheck};
use crate::store::SECOND_OPINION;
use std::collections::{BTreeMap, BTreeSet};

/// The result of a solver on an instance.
pub(super) struct Opinion {
    pub(super) solver: String,
    pub(super) kind: Kind,
    pub(super) answer: Answer,
    pub(super) model: ModelCheck,
}

/// The instances without a known answer, counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unlabelled {
    /// All of them, with at least one run.
    pub all: usize,
    /// Satisfiable, by a model that the referee accepts.
    pub sat: usize,
    /// Unsatisfiable by agreement of different programs, by their names.
    pub unsat: BTreeMap<Vec<String>, usize>,
    /// Those on which solvers contradict each other, and nothing decides.
    pub disputed: usize,
    /// Those about which the second solver was asked.
    pub asked: usize,
}

impl Unlabelled {
    /// Adds an instance with these results.
    pub(super) fn add(&mut self, results: &[Opinion]) {
        let any = |kind| results.iter().any(|r| r.kind == kind);
        self.all += 1;
        self.asked += usize::from(results.iter().any(|r| r.solver == SECOND_OPINION));
        if results.iter().any(|r| r.answer == Answer::Sat && r.model == ModelCheck::Holds) {
            self.sat += 1;
        } else if any(Kind::CorrectUnsat) {
            let agree = results.iter().filter(|r| r.kind == Kind::CorrectUnsat).map(|r| r.solver.as_str());
            let agree: BTreeSet<(bool, &str)> = agree.map(|n| (n == SECOND_OPINION, n)).collect();
            *self.unsat.entry(agree.into_iter().map(|(_, n)| n.to_owned()).collect()).or_default() += 1;
        } else if any(Kind::Disagreement) {
            self.disputed += 1;
        }
    }

    /// Those about which nothing is known.
    pub fn open(&self) -> usize {
        self.all - self.sat - self.disputed - self.unsat.values().sum::<usize>()
    }

    /// The counts as phrases with their punctuation, the first with the total; empty if all answers are known.
    pub fn phrases(&self) -> Vec<String> {
        let by = |names: &Vec<String>| listed(names.iter().map(|n| one_line(n)));
        let agreed = |(names, &n)| (n, format!("unsat by {} (agreement, no proof)", by(names)));
        let mut parts = vec![(self.sat, "sat by a checked model".to_owned())];
        parts.extend(self.unsat.iter().map(agreed));
        parts.extend([(self.disputed, "disputed".into()), (self.open(), "undetermined".into())]);
        parts.retain(|(n, _)| *n > 0);
        let last = parts.len().saturating_sub(1);
        let phrase = |(at, (n, text)): (usize, (usize, String))| {
            let total = counted(self.all as u64, "instance");
            let before = if at == 0 { format!("{total} without a known answer: ") } else { String::new() };
            format!("{before}{n} {text}{}", if at == last { '.' } else { ',' })
        };
        parts.into_iter().enumerate().map(phrase).collect()
    }
}
