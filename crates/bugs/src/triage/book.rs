//! The failures that are known already, with which others are recognised before they are reduced.

use super::item::Item;
use campaign::finding::{Examination, Finding, Member};
use campaign::outcome::Kind;
use std::collections::{BTreeMap, BTreeSet};

/// The features of the failures that were reduced.
#[derive(Clone, Debug, Default)]
pub(super) struct Book {
    /// Operators that are evaluated wrongly on constants, by solver: another version may be wrong in another way.
    evaluations: BTreeSet<(String, String)>,
    /// Messages of crashes and errors, and a failure with each.
    messages: BTreeMap<(String, String, String, String), Member>,
    /// Shapes by profile and kind; only those of complete reductions.
    shapes: BTreeMap<(String, String), BTreeSet<String>>,
}

impl Book {
    pub(super) fn of(items: &[Item]) -> Book {
        let mut book = Book::default();
        items.iter().for_each(|item| book.add(&item.examination));
        book
    }

    /// Adds a failure, if it was reduced.
    pub(super) fn add(&mut self, examination: &Examination) {
        if let Examination::Reduced(finding) = examination
            && let Some(member) = finding.members.first()
        {
            self.add_finding(member, finding);
        }
    }

    fn add_finding(&mut self, member: &Member, finding: &Finding) {
        let f = &finding.fingerprint;
        if let Some(operator) = &f.evaluation {
            self.evaluations.insert((member.solver.clone(), operator.clone()));
        }
        if let Some(message) = &f.message {
            let key = (f.solver.clone(), member.solver.clone(), f.kind.clone(), message.clone());
            self.messages.entry(key).or_insert_with(|| member.clone());
        }
        if finding.reduced.complete {
            self.shapes.entry((f.solver.clone(), f.kind.clone())).or_default().insert(f.shape.clone());
        }
    }

    /// A finding is about the evaluation of this operator by this solver.
    pub(super) fn has_evaluation(&self, solver: &str, operator: &str) -> bool {
        self.evaluations.contains(&(solver.to_owned(), operator.to_owned()))
    }

    /// A failure that is explained by an evaluation that no finding is about.
    pub(super) fn lacks(&self, item: &Item) -> bool {
        match &item.examination {
            Examination::Explained { operator, .. } => !self.has_evaluation(&item.member.solver, operator),
            _ => false,
        }
    }

    /// A failure of the same solver with this message.
    pub(super) fn with_message(
        &self,
        profile: &str,
        solver: &str,
        kind: Kind,
        message: &str,
    ) -> Option<&Member> {
        let key = (profile.to_owned(), solver.to_owned(), kind.code().to_owned(), message.to_owned());
        self.messages.get(&key)
    }

    /// The shapes of reduced failures of this kind.
    pub(super) fn shapes(&self, profile: &str, kind: Kind) -> Option<&BTreeSet<String>> {
        self.shapes.get(&(profile.to_owned(), kind.code().to_owned()))
    }
}
