//! What must agree in stores that are merged.

use super::{Answer, Copied, Input, MergeError, Place};
use crate::outcome::{CoreCheck, Kind, ModelCheck, Verdict};
use crate::selection::Shard;
use crate::settings::{Settings, reading_name};
use crate::store::{Campaign, RunRow, SolverRow, StoreError};
use std::collections::BTreeMap;
use std::path::Path;

/// The settings by which runs are limited and judged. Others, such as the number of jobs, may differ.
pub(super) fn settings(inputs: &[Input]) -> Result<(), MergeError> {
    let (first, rest) = inputs.split_first().expect("at least one store");
    let one = compared(&first.campaign.settings);
    for input in rest {
        let other = compared(&input.campaign.settings);
        if let Some((a, b)) = one.iter().zip(other).find(|(a, b)| *a != b) {
            return Err(differs(a.0.to_owned(), (&a.1, &first.path), (&b.1, &input.path)));
        }
    }
    Ok(())
}

/// The campaigns: parts of one, or on the same instances.
pub(super) fn campaigns(inputs: &[Input]) -> Result<(), MergeError> {
    let (first, rest) = inputs.split_first().expect("at least one store");
    for input in rest {
        let pairs = described(&first.campaign).into_iter().zip(described(&input.campaign));
        let Some((a, b)) = pairs.into_iter().find(|(a, b)| a != b) else { continue };
        if identities(first)? != identities(input)? {
            return Err(differs(a.0.to_owned(), (&a.1, &first.path), (&b.1, &input.path)));
        }
    }
    shard_counts(inputs)
}

/// The instances of a campaign in words, without the shard.
fn described(campaign: &Campaign) -> [(&'static str, String); 3] {
    let Settings { selection, instances, .. } = &campaign.settings;
    let limit = selection.limit.map_or_else(|| "not given".into(), |n| n.to_string());
    [
        ("--seed", campaign.seed.to_string()),
        ("--limit", limit),
        ("the origin of the instances", format!("`{instances}`")),
    ]
}

/// The names and formulas of all instances.
fn identities(input: &Input) -> Result<BTreeMap<String, u64>, StoreError> {
    let marks = input.store.instance_facts()?;
    let names = input.store.instances(false)?;
    Ok(names.into_iter().zip(marks).map(|(instance, (_, facts))| (instance.name, facts.mark)).collect())
}

/// All shards are of the same number.
fn shard_counts(inputs: &[Input]) -> Result<(), MergeError> {
    let count = |i: &Input| {
        let Settings { selection, shards, .. } = &i.campaign.settings;
        shards.first().copied().or(selection.shard).map(Shard::count)
    };
    let mut counts = inputs.iter().filter_map(|i| Some((count(i)?, i)));
    let Some((one, first)) = counts.next() else { return Ok(()) };
    match counts.find(|(other, _)| *other != one) {
        None => Ok(()),
        Some((other, input)) => {
            let what = "the number of shards".into();
            Err(differs(what, (&one.to_string(), &first.path), (&other.to_string(), &input.path)))
        }
    }
}

/// The settings that must agree, by name.
fn compared(settings: &Settings) -> [(&'static str, String); 8] {
    let limits = &settings.limits;
    let wants = settings.rules.wants;
    let given = |yes: bool| if yes { "given".to_owned() } else { "not given".into() };
    let or_none = |value: Option<String>| value.unwrap_or_else(|| "none".into());
    [
        ("the time limit", format!("{} s", limits.wall.as_secs_f64())),
        ("the CPU limit", or_none(limits.cpu.map(|d| format!("{} s", d.as_secs_f64())))),
        ("the memory limit", or_none(limits.memory.map(|bytes| format!("{} MiB", bytes >> 20)))),
        ("--semantics", reading_name(settings.rules.reading).into()),
        ("the semantics of the known answers", reading_name(settings.rules.made_for).into()),
        ("the request for models", given(wants.model)),
        ("the request for unsat cores", given(wants.core)),
        ("--unnamed", given(!wants.named)),
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
