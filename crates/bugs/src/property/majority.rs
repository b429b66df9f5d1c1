//! A failure that is not there in every run: kept if it is there in most of several.

use super::{Property, Test};
use crate::doc::Doc;
use crate::truth::Label;
use campaign::process::Cancel;

/// A property that holds if it holds in most of some tests.
pub(super) struct Majority {
    pub(super) of: Box<dyn Property>,
    /// The number of tests.
    pub(super) tests: u32,
}

impl Property for Majority {
    fn describe(&self) -> String {
        format!("{}, in most of {} runs", self.of.describe(), self.tests)
    }

    fn needs_truth(&self) -> bool {
        self.of.needs_truth()
    }

    /// Ends as soon as the rest cannot change the result.
    fn test(&self, doc: &Doc, label: &Label, seed: u64, cancel: &Cancel) -> Test {
        let (mut held, mut failed) = (0, 0);
        loop {
            let test = self.of.test(doc, label, seed, cancel);
            match &test {
                Test::Holds(_) => held += 1,
                Test::Fails(_) => failed += 1,
                Test::Stopped(_) => return test,
            }
            if held * 2 > self.tests || failed * 2 >= self.tests {
                return test;
            }
        }
    }

    fn sent(&self, doc: &Doc, label: &Label, seed: u64) -> Option<String> {
        self.of.sent(doc, label, seed)
    }

    fn seed(&self) -> u64 {
        self.of.seed()
    }

    fn is_seeded(&self) -> bool {
        self.of.is_seeded()
    }
}
