//! The findings of a triage as test cases.

use super::super::data::Data;
use super::super::findings::{commands, formula, output, places};
use super::super::options::Options;
use super::MAX_TEXT;
use crate::clean::{counted, one_line, printable};
use crate::finding::reason::Reason;
use crate::finding::{Finding, words};
use quick_junit::{NonSuccessKind, TestCase, TestCaseStatus, TestSuite};
use std::collections::BTreeMap;

/// A suite with a test case for each finding; none without findings.
pub(super) fn suite(data: &Data) -> Option<TestSuite> {
    let places = places(data);
    let mut suite = TestSuite::new("bugs");
    suite.add_test_cases(data.findings.iter().map(|f| case(data, f, &places)));
    (!data.findings.is_empty()).then_some(suite)
}

fn case(data: &Data, f: &Finding, places: &BTreeMap<(&str, &str, u64), usize>) -> TestCase {
    let mut runs = f.members.iter().filter_map(|m| places.get(&m.key())).peekable();
    let known = runs.peek().is_some() && runs.all(|at| data.known.contains_key(at));
    let mut status = if known {
        TestCaseStatus::skipped()
    } else {
        TestCaseStatus::non_success(if f.kind.is_unsound() {
            NonSuccessKind::Failure
        } else {
            NonSuccessKind::Error
        })
    };
    let title = one_line(&words::title(f));
    let known = if known { ", known failures" } else { "" };
    status.set_message(format!("{title}, {}{known}", counted(f.members.len() as u64, "run")));
    status.set_type(format!("{}.{}", f.kind.verdict(), f.kind));
    let text = [formula(f), one_line(&Reason::of(f).sentence), show(data, f)].join("\n\n");
    status.set_description(printable(text.as_bytes(), MAX_TEXT));
    let mut case = TestCase::new(format!("bug {}: {title}", f.number), status);
    case.set_classname(one_line(&f.solver.name));
    case.set_system_out(output(f));
    case
}

fn show(data: &Data, f: &Finding) -> String {
    let [show, _] = commands(data, f, &Options::default());
    show
}
