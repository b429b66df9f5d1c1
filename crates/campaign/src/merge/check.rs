//! What must agree in stores that are merged.

use super::{Answer, Copied, Input, MergeError, Place};
use crate::outcome::{CoreCheck, Kind, ModelCheck, Verdict};
use crate::settings::Settings;
use crate::store::{RunRow, SolverRow};
use std::path::Path;

/// The settings by which runs are limited and judged. Others, such as the number of jobs, may differ.
pub(super) fn settings(inputs: &[Input]) -> Result<(), MergeError> {
    let (first, rest) = inputs.split_first().expect("at least one store");
    let one = compared(&first.campaign.settings);
    for input in rest {
        let other = compared(&input.campaign.settings);
        if let Some((a, b)) = one.iter().zip(other).find(|(a, b)| *a != b) {
            return Err(differs(format!("the {}", a.0), (&a.1, &first.path), (&b.1, &input.path)));
        }
    }
    Ok(())
}

/// The settings that must agree, by name.
fn compared(settings: &Settings) -> [(&'static str, String); 8] {
    let limits = &settings.limits;
    let wants = settings.rules.wants;
    let or_none = |value: Option<String>| value.unwrap_or_else(|| "none".into());
    [
        ("time limit", format!("{} s", limits.wall.as_secs_f64())),
        ("CPU limit", or_none(limits.cpu.map(|d| format!("{} s", d.as_secs_f64())))),
        ("memory limit", or_none(limits.memory.map(|bytes| format!("{} MiB", bytes >> 20)))),
        ("semantics", format!("{:?}", settings.rules.reading)),
        ("semantics of the known answers", format!("{:?}", settings.rules.made_for)),
        ("request for models", wants.model.to_string()),
        ("request for cores", wants.core.to_string()),
        ("naming of assertions", wants.named.to_string()),
    ]
}

/// Two solvers of one name. Their programs may be in different folders.
pub(super) fn solver(one: (&SolverRow, &Input), other: (&SolverRow, &Input)) -> Result<(), MergeError> {
    let file = |row: &SolverRow| {
        Path::new(&row.program).file_name().map(|f| f.to_string_lossy().into_owned()).unwrap_or_default()
    };
    let parts = |row: &SolverRow| {
        let version = if row.version.is_empty() { "unknown".into() } else { row.version.clone() };
        [("version", version), ("program", file(row)), ("profile", row.profile.clone())]
    };
    let pairs = parts(one.0).into_iter().zip(parts(other.0));
    match pairs.into_iter().find(|(a, b)| a != b) {
        None => Ok(()),
        Some((a, b)) => {
            let what = format!("the {} of {}", a.0, one.0.name);
            let (a, b) = if a.0 == "profile" { ("one".into(), "another one".into()) } else { (a.1, b.1) };
            Err(differs(what, (&a, &one.1.path), (&b, &other.1.path)))
        }
    }
}

/// Two instances of one name.
pub(super) fn instance(
    name: &str,
    (one, inputs): (&Place, &[Input]),
    other: &Place,
) -> Result<(), MergeError> {
    let (one_in, other_in) = (&inputs[one.input].path, &inputs[other.input].path);
    if one.mark != other.mark {
        let what = format!("the instance {name}");
        return Err(differs(what, ("one formula", one_in), ("another one", other_in)));
    }
    if one.status != other.status {
        let what = format!("the known answer of {name}");
        return Err(differs(what, (one.status.code(), one_in), (other.status.code(), other_in)));
    }
    Ok(())
}

/// The result of a run, as far as it depends on the solver alone.
pub(super) struct Finding {
    answer: Answer,
    model: ModelCheck,
    core: CoreCheck,
    /// Why there is no answer.
    without: Option<Kind>,
    verdict: Verdict,
}

impl Finding {
    pub(super) fn of(row: &RunRow) -> Finding {
        let without = (row.answer == Answer::None).then_some(row.kind);
        Finding { answer: row.answer, model: row.model, core: row.core, without, verdict: row.verdict() }
    }

    /// Verdicts with an answer may differ: they can depend on the other runs of the instance.
    fn agrees(&self, other: &Finding) -> bool {
        (self.answer, self.model, self.core, self.without)
            == (other.answer, other.model, other.core, other.without)
    }

    fn text(&self) -> String {
        match self.without {
            Some(kind) => format!("{} ({kind})", self.verdict),
            None => format!("{} ({}, model {}, core {})", self.verdict, self.answer, self.model, self.core),
        }
    }
}

/// Two runs with one key.
pub(super) fn run(
    what: &str,
    (one, inputs): (&Copied, &[Input]),
    (other, other_in): (&Finding, &Input),
) -> Result<(), MergeError> {
    if one.result.agrees(other) {
        return Ok(());
    }
    let (a, b) = (one.result.text(), other.text());
    Err(differs(what.to_owned(), (&a, &inputs[one.input].path), (&b, &other_in.path)))
}

fn differs(what: String, one: (&str, &Path), other: (&str, &Path)) -> MergeError {
    MergeError::Differs {
        what,
        one: one.0.to_owned(),
        one_in: one.1.to_owned(),
        other: other.0.to_owned(),
        other_in: other.1.to_owned(),
    }
}
