//! The end of a reduction: further support for the answer, and the last script once more, read back from disk.
//!
//! If the failure cannot be repeated, or its answer is in doubt after all, earlier scripts are tried, down to the original.

use super::engine::Engine;
use super::trial::Lab;
use super::{Ended, State};
use crate::deadline::{unless, until};
use crate::doc::Doc;
use crate::property::{Stop, Test};
use crate::truth::Label;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Time for further support of the answer after a limit.
const AFTER: Duration = Duration::from_secs(10);

/// The end of a reduction.
pub(super) struct End {
    /// The last script failed again.
    pub(super) verified: bool,
    /// Why it ended early.
    pub(super) stopped: Option<Ended>,
}

/// Verifies the state of a reduction that ended; replaces it by an earlier one if necessary.
pub(super) fn verify(engine: &mut Engine<'_>, stopped: Option<Ended>) -> anyhow::Result<End> {
    if engine.output.is_ahead() && stopped.is_none() {
        // It is of a reduction with other passes.
        engine.output.replace(&engine.state)?;
    }
    let is_original = engine.trail.is_empty() && stopped.is_some();
    if matches!(stopped, Some(Ended::Stop(_))) || engine.output.is_ahead() || is_original {
        return Ok(End { verified: false, stopped });
    }
    let mut stopped = stopped;
    loop {
        match verified(engine, stopped.is_some())? {
            Ok(Some(state)) => {
                engine.state = state;
                engine.output.write(&engine.state)?;
                return Ok(End { verified: true, stopped });
            }
            Ok(None) => {}
            Err(stop) => return Ok(End { verified: false, stopped: Some(Ended::Stop(stop)) }),
        }
        stopped = Some(Ended::Unrepeatable);
        let Some(earlier) = engine.trail.pop() else { return Ok(End { verified: false, stopped }) };
        engine.state = earlier;
        engine.output.write(&engine.state)?;
    }
}

/// The state with its last label and failure, if it fails again.
fn verified(engine: &Engine<'_>, late: bool) -> anyhow::Result<Result<Option<State>, Stop>> {
    let (lab, state) = (engine.lab, &engine.state);
    let text = engine.output.read(state)?;
    let Ok(doc) = Doc::from_text(&text) else { return Ok(Ok(None)) };
    if doc.text() != state.doc.text() {
        return Ok(Ok(None));
    }
    let label = if lab.property.needs_truth() {
        supported(lab, state.label.clone(), &doc, late)?
    } else {
        Some(state.label.clone())
    };
    let Some(label) = label else { return Ok(Ok(None)) };
    Ok(failure(engine, &State { doc, label, ..state.clone() }))
}

/// The label with further support, for which there is little time after a limit.
fn supported(lab: &Lab<'_>, label: Label, doc: &Doc, late: bool) -> std::io::Result<Option<Label>> {
    let deadline = late.then(|| Instant::now() + AFTER);
    until(deadline, lab.host, |host| {
        let concluded = unless(host.cancel, || lab.keeper.conclude(label.clone(), doc, host.cancel));
        // Solvers that were stopped tell nothing.
        if host.cancel.is_cancelled() { Some(label) } else { concluded.flatten() }
    })
}

/// The failure again: at once, or in two more runs.
fn failure(engine: &Engine<'_>, state: &State) -> Result<Option<State>, Stop> {
    let lab = engine.lab;
    for attempt in 0..3 {
        lab.runs.fetch_add(1, Ordering::Relaxed);
        match lab.property.test(&state.doc, &state.label, state.observed.seed.into(), lab.host.cancel) {
            Test::Holds(_) if attempt == 1 => {}
            Test::Holds(observed) => return Ok(Some(State { observed: *observed, ..state.clone() })),
            Test::Fails(_) if attempt == 0 => {}
            Test::Fails(_) => return Ok(None),
            Test::Stopped(stop) => return Err(stop),
        }
    }
    Ok(None)
}
