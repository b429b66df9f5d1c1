//! Answers that differ by seed.

use crate::outcome::{Answer, Verdict};
use crate::settings::Settings;
use crate::store::{RunRow, Store, StoreError};
use std::fmt::Write as _;

/// Marks the runs of one instance on one solver that differ by seed; returns the number of flaky runs in the store.
pub(super) fn mark(store: &mut Store, settings: &Settings) -> Result<u64, StoreError> {
    if settings.seeds.len() > 1 {
        let reader = Store::open_read_only(store.path())?;
        for page in reader.run_pages()? {
            mark_page(store, &page?)?;
        }
    }
    store.flaky_count()
}

fn mark_page(store: &mut Store, runs: &[RunRow]) -> Result<(), StoreError> {
    let mut marked = Vec::new();
    for same in runs.chunk_by(|a, b| (a.instance, a.solver) == (b.instance, b.solver)) {
        if differ(same) {
            let note = in_short(same);
            for run in same.iter().filter(|run| !run.flaky) {
                marked.extend(store.run(run.instance, run.solver, run.seed)?.map(|full| noted(full, &note)));
            }
        }
    }
    if marked.is_empty() { Ok(()) } else { store.add_runs(&marked, true) }
}

/// The runs differ in more than timeouts, which depend on the machine.
fn differ(runs: &[RunRow]) -> bool {
    let mut results = runs.iter().filter(|run| run.verdict() != Verdict::Timeout).map(result);
    let first = results.next();
    results.any(|other| Some(other) != first)
}

/// The result that is compared: the answer, and for a missing answer whether it was an error.
fn result(run: &RunRow) -> (Answer, bool) {
    (run.answer, run.answer == Answer::None && run.verdict() == Verdict::Error)
}

fn in_short(runs: &[RunRow]) -> String {
    let mut text = String::from("flaky: the answer differs by seed:");
    for run in runs {
        let _ = write!(text, " seed {}: `{}`, {};", run.seed, run.answer, run.verdict());
    }
    text.pop();
    text
}

fn noted(mut run: RunRow, note: &str) -> RunRow {
    run.flaky = true;
    run.note(note);
    run
}
