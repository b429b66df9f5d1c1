//! Failures that were not reduced: each goes to the group of the failure that it was found equal to.

use super::item::{Item, Joined, Refused, finding};
use campaign::finding::Examination;
use std::collections::BTreeMap;

/// The key of a run, by name: instance, solver, seed.
type Name<'i> = (&'i str, &'i str, u64);

/// The groups by the runs and evaluated operators that lead to them.
pub(super) struct Places<'i> {
    by_run: BTreeMap<Name<'i>, usize>,
    /// By solver and operator.
    by_evaluation: BTreeMap<(&'i str, &'i str), usize>,
}

impl<'i> Places<'i> {
    pub(super) fn new(items: &'i [Item], built: &[Joined]) -> Places<'i> {
        let mut places = Places { by_run: BTreeMap::new(), by_evaluation: BTreeMap::new() };
        for (g, joined) in built.iter().enumerate() {
            for (at, _) in joined {
                places.add(&items[*at], g);
            }
        }
        places
    }

    fn add(&mut self, item: &'i Item, group: usize) {
        self.by_run.insert(item.member.key(), group);
        let Some(finding) = finding(item) else { return };
        if let Some(operator) = &finding.fingerprint.evaluation {
            self.by_evaluation.entry((&item.member.solver, operator)).or_insert(group);
        }
    }

    /// Adds the failures that were not reduced to groups; returns those that are in none. Links between them are followed.
    pub(super) fn place(mut self, items: &'i [Item], built: &mut [Joined]) -> Refused {
        let mut open: Vec<usize> = (0..items.len()).filter(|&at| finding(&items[at]).is_none()).collect();
        loop {
            let before = open.len();
            open.retain(|&at| match self.group(&items[at]) {
                Some((group, reason)) => {
                    built[group].push((at, reason));
                    self.by_run.insert(items[at].member.key(), group);
                    false
                }
                None => true,
            });
            if open.len() == before {
                return open.into_iter().map(|at| (items[at].member.clone(), why(&items[at]))).collect();
            }
        }
    }

    fn group(&self, item: &'i Item) -> Option<(usize, String)> {
        let solver = item.member.solver.as_str();
        let of = |instance: &str, seed: u64| self.by_run.get(&(instance, solver, seed)).copied();
        match &item.examination {
            Examination::Reduced(_) | Examination::Refused { .. } => None,
            Examination::Same { instance, seed } => {
                Some((of(instance, *seed)?, format!("same formula as {instance}, up to names")))
            }
            Examination::Alike { instance, seed, why } => Some((of(instance, *seed)?, why.clone())),
            Examination::Explained { operator, experiment, .. } => {
                let group = self.by_evaluation.get(&(solver, operator.as_str()))?;
                Some((*group, format!("the solver evaluates {experiment} wrongly, which is in the formula")))
            }
        }
    }
}

/// Why a failure is in no group.
fn why(item: &Item) -> String {
    match &item.examination {
        Examination::Refused { why } => why.clone(),
        Examination::Reduced(_) => String::new(),
        Examination::Same { instance, .. } | Examination::Alike { instance, .. } => {
            format!("it belongs to {instance}, which is in no group")
        }
        Examination::Explained { operator, .. } => {
            format!("no finding is about the evaluation of {operator}")
        }
    }
}
