//! A failure that is not there in every run: kept if it is there in most of several.

use super::{Attempt, Property, Test};
use crate::doc::Doc;
use crate::truth::Label;
use campaign::process::Cancel;

/// A property that holds if it holds in most of some tests. If it holds in somewhat less than half of them, which may be bad luck, in most of twice as many.
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
    fn test(&self, doc: &Doc, label: &Label, attempt: Attempt, cancel: &Cancel) -> Test {
        let (mut held, mut failed, mut tests) = (0, 0, self.tests);
        loop {
            let test = self.of.test(doc, label, attempt, cancel);
            match &test {
                Test::Holds(_) => held += 1,
                Test::Fails(_) => failed += 1,
                Test::Stopped(_) => return test,
            }
            if held * 2 > tests {
                return test;
            }
            if failed * 2 >= tests {
                let is_close = tests == self.tests && held * 3 >= self.tests;
                if !is_close {
                    return test;
                }
                tests *= 2;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::property::Test;
    use crate::reduce::tests::observed;
    use std::sync::{Arc, Mutex};

    /// Holds (`+`) and fails (`-`) as in a text, from its end to its start.
    struct Told(Arc<Mutex<String>>);

    impl Property for Told {
        fn describe(&self) -> String {
            "told".into()
        }

        fn needs_truth(&self) -> bool {
            false
        }

        fn test(&self, _: &Doc, _: &Label, _: Attempt, _: &Cancel) -> Test {
            match self.0.lock().expect("a text").pop() {
                Some('+') => Test::Holds(Box::new(observed())),
                _ => Test::Fails(Box::new(observed())),
            }
        }
    }

    #[test]
    fn a_close_result_is_decided_by_twice_as_many_tests() {
        let doc = Doc::from_text(b"(check-sat)").expect("a script");
        let cancel = Cancel::new().expect("a request");
        // In the order of the tests: the result, and how many of them were not needed.
        let cases = [
            ("+++++++", true, 3),
            ("-+-+-++", true, 0),
            ("----+++", false, 3),
            ("--+--++", false, 2),
            ("-+-+-+-+++++++", true, 2),
            ("-+-+-+---++++-", false, 0),
        ];
        for (told, holds, left) in cases {
            let text = Arc::new(Mutex::new(told.chars().rev().collect()));
            let majority = Majority { of: Box::new(Told(Arc::clone(&text))), tests: 7 };
            let test = majority.test(&doc, &Label::not_needed(&doc), Attempt::from(0), &cancel);
            let rest = text.lock().expect("a text").len();
            assert_eq!((matches!(test, Test::Holds(_)), rest), (holds, left), "{told}");
        }
    }
}
