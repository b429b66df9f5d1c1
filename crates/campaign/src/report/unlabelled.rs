//! Instances without a known answer: what their runs and the second opinions say about them.

use super::data::{Data, Run};
use crate::clean::{counted, listed, one_line};
use crate::outcome::{Answer, Kind, ModelCheck, Status};
use crate::store::SECOND_OPINION;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

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
    /// Counts.
    pub fn of(data: &Data) -> Unlabelled {
        let mut runs: BTreeMap<usize, Vec<(&str, &Run)>> = BTreeMap::new();
        let tested = data.runs.iter().map(|r| (data.solvers[r.solver].name.as_str(), r));
        let second = data.second.iter().flat_map(|s| &s.runs).map(|r| (SECOND_OPINION, r));
        for (name, run) in tested.chain(second) {
            if data.instances[run.instance].status == Status::Unknown {
                runs.entry(run.instance).or_default().push((name, run));
            }
        }
        let mut counts = Unlabelled::default();
        runs.values().for_each(|runs| counts.add(runs));
        counts
    }

    fn add(&mut self, runs: &[(&str, &Run)]) {
        let any = |kind| runs.iter().any(|(_, r)| r.kind == kind);
        self.all += 1;
        self.asked += usize::from(runs.iter().any(|(name, _)| *name == SECOND_OPINION));
        if runs.iter().any(|(_, r)| r.answer == Answer::Sat && r.model == ModelCheck::Holds) {
            self.sat += 1;
        } else if any(Kind::CorrectUnsat) {
            let agree = runs.iter().filter(|(_, r)| r.kind == Kind::CorrectUnsat).map(|(name, _)| *name);
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

    /// As JSON.
    pub fn json(&self, data: &Data) -> Value {
        json!({
            "instances": self.all, "sat": self.sat, "disputed": self.disputed, "undetermined": self.open(),
            "unsat": self.unsat.iter().map(|(by, n)| json!({"by": by, "instances": n})).collect::<Vec<_>>(),
            "second_opinion": data.second.as_ref().map(|s| json!({
                "solver": SECOND_OPINION, "version": s.version, "program": s.program, "asked": self.asked,
            })),
        })
    }
}
