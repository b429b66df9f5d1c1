//! The report as JUnit XML, which build servers read: a suite per solver and category, a test case per run.
//!
//! After a triage a bug is one failure, not one for each of its runs: a suite `bugs` has a test case for each finding, and its runs are skipped with
//! a message that names it.

mod bugs;

use super::data::{Data, Run};
use super::failure::{failures, show_command, solver_command};
use super::format::{Format, View};
use super::options::Options;
use crate::clean::printable;
use crate::outcome::Severity;
use crate::store::UnreadableRow;
use quick_junit::{NonSuccessKind, Report, SerializeError, TestCase, TestCaseStatus, TestSuite};
use std::collections::BTreeMap;
use std::io;

/// Maximum number of bytes of a text of a test case.
const MAX_TEXT: usize = 16 << 10;

/// The report as JUnit XML.
pub struct Junit;

impl Format for Junit {
    fn name(&self) -> &'static str {
        "junit"
    }

    fn lists_runs(&self) -> bool {
        true
    }

    fn about(&self) -> &'static str {
        "Write JUnit XML to this file (`-`: stdout): wrong results and errors fail, unknowns and time limits are skipped"
    }

    fn details(&self, data: &Data, _: &Options) -> Vec<usize> {
        let shown = |at: &usize| matches!(data.runs[*at].severity(), Severity::Unsound | Severity::Error);
        failures(data).into_iter().filter(shown).collect()
    }

    fn write(&self, view: &View<'_>, out: &mut dyn io::Write) -> io::Result<()> {
        let text = render(view.data, view.options.strict).map_err(io::Error::other)?;
        out.write_all(text.as_bytes())
    }
}

/// The document.
///
/// Wrong results are failures and errors are errors. Imprecise results pass with a note. Unknowns, time limits and
/// undetermined verdicts are skipped with a message; with `strict` they are failures. Runs that were not asked are always skipped.
pub fn render(data: &Data, strict: bool) -> Result<String, SerializeError> {
    let mut suites: BTreeMap<(usize, &str), Vec<usize>> = BTreeMap::new();
    for (at, run) in data.runs.iter().enumerate() {
        suites.entry((run.solver, &data.instances[run.instance].category)).or_default().push(at);
    }
    let mut report = Report::new(format!("stringent: {}", data.campaign.command));
    report.set_time(data.runs.iter().map(|r| r.wall).sum());
    report.add_test_suites(bugs::suite(data));
    for ((solver, category), runs) in suites {
        let name = &data.solvers[solver].name;
        let mut suite = TestSuite::new(format!("{name}/{category}"));
        suite.set_time(runs.iter().map(|&at| data.runs[at].wall).sum());
        suite.add_property(("solver.version", data.solvers[solver].version.as_str()));
        suite.add_property(("solver.program", data.solvers[solver].program.as_str()));
        suite.add_test_cases(runs.into_iter().map(|at| case(data, at, strict)));
        report.add_test_suite(suite);
    }
    report.add_test_suites(unreadable(data));
    report.to_string()
}

/// A suite of the files that could not be read, each an error.
fn unreadable(data: &Data) -> Option<TestSuite> {
    let case = |file: &UnreadableRow| {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
        status.set_message(format!("cannot be read: {file}"));
        status.set_type("unreadable");
        TestCase::new(file.file.as_str(), status)
    };
    let mut suite = TestSuite::new("unreadable files");
    suite.add_test_cases(data.unreadable.iter().map(case));
    (!data.unreadable.is_empty()).then_some(suite)
}

fn case(data: &Data, at: usize, strict: bool) -> TestCase {
    let run = &data.runs[at];
    let instance = &data.instances[run.instance];
    let seed = if data.seeds.len() > 1 { format!(" (seed {})", run.seed) } else { String::new() };
    let mut case = TestCase::new(format!("{}{seed}", instance.name), status(data, at, strict));
    case.set_classname(format!("{}.{}", data.solvers[run.solver].name, instance.category));
    case.set_time(run.wall);
    match run.severity() {
        Severity::Imprecise => {
            case.set_system_out(format!("{} {}", run.verdict(), run.kind));
        }
        Severity::Unsound | Severity::Error => {
            if let Some(detail) = data.details.get(&at) {
                case.set_system_out(printable(&detail.output, MAX_TEXT));
            }
        }
        _ => {}
    }
    case
}

fn status(data: &Data, at: usize, strict: bool) -> TestCaseStatus {
    let run = &data.runs[at];
    let mut status = match run.severity() {
        Severity::Fine | Severity::Imprecise => return TestCaseStatus::success(),
        _ if data.known.contains_key(&at) => TestCaseStatus::skipped(),
        _ if data.finding_of(run).is_some() => TestCaseStatus::skipped(),
        Severity::Unsound => TestCaseStatus::non_success(NonSuccessKind::Failure),
        Severity::Error => TestCaseStatus::non_success(NonSuccessKind::Error),
        Severity::NotApplicable => TestCaseStatus::skipped(),
        _ if strict => TestCaseStatus::non_success(NonSuccessKind::Failure),
        _ => TestCaseStatus::skipped(),
    };
    let flaky = if run.flaky { ", flaky" } else { "" };
    let note = data.known.get(&at).map_or_else(String::new, |note| format!(", known failure {note}"));
    let bug = data.finding_of(run).map_or_else(String::new, |f| format!(", bug {}", f.number));
    status.set_message(format!(
        "{} {} (known {}, answered {}){flaky}{bug}{}",
        run.verdict(),
        run.kind,
        known_answer(data, run),
        run.answer,
        note.trim_end()
    ));
    status.set_type(format!("{}.{}", run.verdict(), run.kind));
    if let Some(detail) = data.details.get(&at) {
        status.set_description(format!(
            "{}\n\n{}\n{}\n",
            printable(detail.evidence.as_bytes(), MAX_TEXT),
            show_command(data, run),
            solver_command(data, run, &detail.command).unwrap_or_default()
        ));
    }
    status
}

fn known_answer(data: &Data, run: &Run) -> &'static str {
    data.instances[run.instance].status.code()
}
