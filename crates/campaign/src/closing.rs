//! Verdicts that need all runs of an instance.
//!
//! An instance with a certificate needs none. Others have the status stated by their file, or none. A model that the referee
//! accepts proves `sat`, whatever the file states, and then every `unsat` is wrong. Nothing else proves anything: if two
//! different programs agree on `unsat` they are `ok`, but a third one is not wrong for that; where `sat` without an accepted model
//! contradicts `unsat`, all are `?`; and where two or more programs contradict a file and none agrees with it, the file may be
//! wrong. The built-in solver, asked for a second opinion, is one program among these.
//!
//! Closing starts from the answers of the runs, not from the verdicts of an earlier closing, so that it can be repeated
//! when there are more runs.

use crate::case::Case;
use crate::clean::listed;
use crate::judge::{UNLABELLED, opinions, reading};
use crate::outcome::{Answer, CoreCheck, Kind, ModelCheck, Status, Verdict};
use crate::profile::Profile;
use crate::settings::Rules;
use crate::store::{RunRow, SECOND_OPINION, SolverRow, Store, StoreError};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The result of closing. An instance with several `check-sat` counts for each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Closed {
    /// Queries that were examined.
    pub looked: usize,
    /// Those that a model proves satisfiable.
    pub proved: usize,
    /// Those with `unsat` of two or more different programs, and no other answer.
    pub agreed: usize,
    /// Those on which solvers disagree with each other or with the file, and nothing decides.
    pub disputed: usize,
    /// Runs whose verdict was changed.
    pub changed: usize,
}

/// Closes all instances of a campaign that need it.
pub fn close(store: &mut Store) -> Result<Closed, StoreError> {
    let rows = store.solvers()?.into_iter().chain(store.second_solver()?);
    let solvers: BTreeMap<i64, SolverRow> = rows.map(|s| (s.id, s)).collect();
    let statuses: BTreeMap<i64, Status> =
        store.instances(false)?.into_iter().map(|i| (i.id, i.status)).collect();
    let rules = store.campaign()?.settings.rules();
    let mut closed = Closed::default();
    let reader = Store::open_read_only(store.path())?;
    for page in reader.run_pages()? {
        for runs in page?.chunk_by(|a, b| a.instance == b.instance) {
            let id = runs[0].instance;
            let status = statuses.get(&id).copied().unwrap_or(Status::Unknown);
            if status != Status::Unknown && !runs.iter().any(|r| is_contrary(r, status)) {
                continue;
            }
            let Some(Ok(case)) = store.instance(id)?.map(|row| Case::read(&row)) else { continue };
            if case.certificate.is_proved() {
                continue;
            }
            let answers = answers(store, &case, runs, &solvers, &rules)?;
            let changed = close_one(store, &case, runs, &answers, &solvers, &mut closed)?;
            closed.changed += changed.len();
            store.add_runs(&changed, true)?;
        }
    }
    Ok(closed)
}

/// The run contradicts the status of the file, or did when it was last closed.
fn is_contrary(run: &RunRow, status: Status) -> bool {
    matches!(run.kind, Kind::WrongSat | Kind::WrongUnsat | Kind::Disagreement)
        || (status == Status::Unsat && run.model == ModelCheck::Holds)
}

/// The answer of a run to a query, and the referee's finding on its model.
type Opinion = (Answer, ModelCheck);

/// The answers of each run. For one query they are in the store; for several the output is read again.
fn answers(
    store: &Store,
    case: &Case,
    runs: &[RunRow],
    solvers: &BTreeMap<i64, SolverRow>,
    rules: &Rules,
) -> Result<Vec<Vec<Opinion>>, StoreError> {
    let mut all = Vec::new();
    for run in runs {
        if case.checks() == 1 {
            all.push(vec![(run.answer, run.model)]);
            continue;
        }
        let profile = solvers.get(&run.solver).and_then(SolverRow::profile);
        let full = store.run(run.instance, run.solver, run.seed)?;
        all.push(match (profile, full) {
            (Some(profile), Some(full)) => opinions(case, &profile, full.stdout(), rules),
            _ => Vec::new(),
        });
    }
    Ok(all)
}

/// The answers of all runs to one query.
#[derive(Default)]
struct Tally<'a> {
    /// A run whose model the referee accepts.
    proof: Option<&'a RunRow>,
    /// Solvers with `sat` and a model that is neither accepted nor refuted.
    sat: BTreeSet<Who<'a>>,
    /// Solvers with `unsat`.
    unsat: BTreeSet<Who<'a>>,
}

/// A solver with an answer, in the order of texts: that of a second opinion comes last.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Who<'a> {
    second: bool,
    name: &'a str,
    program: String,
}

impl Who<'_> {
    fn of(solver: &SolverRow) -> Who<'_> {
        let name = solver.name.as_str();
        Who { second: name == SECOND_OPINION, name, program: program(solver) }
    }
}

impl<'a> Tally<'a> {
    fn of(
        n: usize,
        runs: &'a [RunRow],
        answers: &[Vec<Opinion>],
        solvers: &'a BTreeMap<i64, SolverRow>,
    ) -> Tally<'a> {
        let mut tally = Tally::default();
        for (run, given) in runs.iter().zip(answers) {
            let (Some(solver), Some(&opinion)) = (solvers.get(&run.solver), given.get(n)) else { continue };
            let who = Who::of(solver);
            match opinion {
                (Answer::Sat, ModelCheck::Holds) => tally.proof = tally.proof.or(Some(run)),
                (Answer::Sat, ModelCheck::Fails) => {}
                (Answer::Sat, _) if counts(run) => drop(tally.sat.insert(who)),
                (Answer::Unsat, _) if counts(run) => drop(tally.unsat.insert(who)),
                _ => {}
            }
        }
        tally
    }

    /// The verdict on an opinion, if it depends on the other runs.
    fn settle(&self, (answer, model): Opinion, word: Status) -> Option<(Kind, String)> {
        let names = |who: &BTreeSet<Who<'_>>| listed(who.iter().map(|w| w.name));
        let several =
            |who: &BTreeSet<Who<'_>>| who.iter().map(|w| &w.program).collect::<BTreeSet<_>>().len() > 1;
        let disputed = || format!("sat: {}; unsat: {}", names(&self.sat), names(&self.unsat));
        let file = |who| format!("the file states {word}, and {} contradict it", names(who));
        match (answer, self.proof.is_some(), word) {
            (Answer::Sat, _, _) if model == ModelCheck::Holds => None,
            (Answer::Unsat, true, _) => Some((Kind::WrongUnsat, String::new())),
            (Answer::Sat, true, _) if model == ModelCheck::Fails => {
                Some((Kind::InvalidModel, "another solver's model proves it".into()))
            }
            (Answer::Sat, true, _) if model == ModelCheck::Absent => {
                Some((Kind::CorrectSat, "another solver's model proves it".into()))
            }
            (Answer::Sat, true, _) => {
                Some((Kind::ModelUndetermined, "it is satisfiable by another solver's model".into()))
            }
            (Answer::Unsat, false, Status::Sat) if several(&self.unsat) && self.sat.is_empty() => {
                Some((Kind::Disagreement, file(&self.unsat)))
            }
            (Answer::Sat, false, Status::Unsat) if several(&self.sat) && self.unsat.is_empty() => {
                Some((Kind::Disagreement, file(&self.sat)))
            }
            (Answer::Sat | Answer::Unsat, false, Status::Unknown) if model == ModelCheck::Fails => None,
            (Answer::Sat | Answer::Unsat, false, Status::Unknown) => match (self.sat.len(), self.unsat.len())
            {
                (1.., 1..) => Some((Kind::Disagreement, disputed())),
                (0, _) if several(&self.unsat) => {
                    let text = format!("unsat by agreement of {}, not by proof", names(&self.unsat));
                    Some((Kind::CorrectUnsat, text))
                }
                _ => Some((Kind::Unlabelled, UNLABELLED.into())),
            },
            _ => None,
        }
    }
}

/// The program of a solver without its directory, and its profile: two versions of one program are not two opinions.
fn program(solver: &SolverRow) -> String {
    let name = Path::new(&solver.program).file_name().map(|n| n.to_string_lossy().into_owned());
    let name = name.unwrap_or_else(|| solver.program.clone());
    let profile = solver.profile().map(|p| p.name).unwrap_or_default();
    format!("{name} {profile}")
}

/// Its answer counts: it did not crash or run out of time.
fn counts(run: &RunRow) -> bool {
    !matches!(run.verdict(), Verdict::Error | Verdict::Timeout)
}

fn close_one(
    store: &Store,
    case: &Case,
    runs: &[RunRow],
    answers: &[Vec<Opinion>],
    solvers: &BTreeMap<i64, SolverRow>,
    closed: &mut Closed,
) -> Result<Vec<RunRow>, StoreError> {
    let tallies: Vec<Tally<'_>> = (0..case.checks()).map(|n| Tally::of(n, runs, answers, solvers)).collect();
    let mut kinds = vec![BTreeSet::new(); tallies.len()];
    let mut changed = Vec::new();
    for (run, given) in runs.iter().zip(answers).filter(|(run, _)| counts(run)) {
        let mut worst: Option<(u8, Kind, String)> = None;
        for (n, &opinion) in given.iter().enumerate() {
            let status = case.status(n);
            let Some((kind, mut text)) = tallies[n].settle(opinion, status) else { continue };
            kinds[n].insert(kind);
            if let (Kind::WrongUnsat, Some(proof)) = (kind, tallies[n].proof) {
                text = proof_text(store, proof, (case, n), solvers)?;
            }
            if tallies.len() > 1 {
                text = format!("check-sat {} of {}: {text}", n + 1, tallies.len());
            }
            let badness = u8::from(kind.verdict() != Verdict::Ok) + u8::from(kind.is_unsound());
            if worst.as_ref().is_none_or(|w| w.0 < badness) {
                worst = Some((badness, kind, text));
            }
        }
        let Some((badness, kind, text)) = worst else { continue };
        // With several queries, the worse verdict may be on another one.
        let worse = tallies.len() > 1 && badness < 2 && run.kind.is_unsound();
        if worse || run.kind == kind {
            continue;
        }
        changed.extend(store.run(run.instance, run.solver, run.seed)?.map(|r| with(r, kind, text)));
    }
    closed.looked += tallies.len();
    closed.proved += tallies.iter().filter(|t| t.proof.is_some()).count();
    closed.agreed += kinds.iter().filter(|k| k.contains(&Kind::CorrectUnsat)).count();
    closed.disputed += kinds.iter().filter(|k| k.contains(&Kind::Disagreement)).count();
    Ok(changed)
}

/// The run with another verdict. The finding on its own model stays below.
fn with(mut run: RunRow, kind: Kind, text: String) -> RunRow {
    let own = matches!(run.kind, Kind::Unlabelled | Kind::WrongSat) && run.answer == Answer::Sat;
    let before = if own { run.evidence.as_str() } else { "" };
    run.evidence = format!("{text}\n{before}").trim_end().to_owned();
    let foreign = run.core == CoreCheck::Foreign && kind == Kind::CorrectUnsat;
    run.kind = if foreign { Kind::ForeignCore } else { kind };
    run
}

/// The model that proves the `n`th query of a case satisfiable, as its solver printed it.
fn proof_text(
    store: &Store,
    proof: &RunRow,
    (case, n): (&Case, usize),
    solvers: &BTreeMap<i64, SolverRow>,
) -> Result<String, StoreError> {
    let solver = solvers.get(&proof.solver);
    let name = solver.map_or("another solver", |s| s.name.as_str());
    let Some(full) = store.run(proof.instance, proof.solver, proof.seed)? else { return Ok(String::new()) };
    let output: String = String::from_utf8_lossy(&full.output).chars().take(2000).collect();
    let text = format!("the model of {name} satisfies every assertion; its output:\n{}", output.trim_end());
    let rules = store.campaign()?.settings.rules();
    let reading = solver.and_then(SolverRow::profile).map(|p| other_reading(case, n, &p, &full, &rules));
    Ok(format!("{text}\n{}", reading.unwrap_or_default()).trim_end().to_owned())
}

/// The line on the model under the other reading of the standard; empty if readings do not differ.
fn other_reading(case: &Case, n: usize, profile: &Profile, proof: &RunRow, rules: &Rules) -> String {
    if !reading::matters(case) {
        return String::new();
    }
    let other = Rules { reading: reading::other(rules.reading), ..*rules };
    let found = opinions(case, profile, proof.stdout(), &other);
    let truth = match found.get(n) {
        Some((Answer::Sat, ModelCheck::Holds)) => Some(true),
        Some((Answer::Sat, ModelCheck::Fails)) => Some(false),
        _ => None,
    };
    reading::line(rules.reading, truth, true)
}

#[cfg(test)]
mod tests;
