//! Instances of which nothing was known: what all runs together say of them.
//!
//! One model that the referee accepts proves `sat`, and then every `unsat` is wrong. Nothing else proves anything:
//! solvers that agree on `unsat` may all be wrong, so agreement of two different programs is `ok`, but never makes
//! a wrong answer of the third; where `sat` without an accepted model stands against `unsat`, both are `?`.
//!
//! Closing starts from what the runs said, not from what an earlier closing made of it, so that it can be done again
//! when more runs have come.

use crate::case::Case;
use crate::outcome::{Answer, CoreCheck, Kind, ModelCheck, Status, Verdict};
use crate::store::{InstanceRow, RunRow, SolverRow, Store, StoreError};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// What closing did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Closed {
    /// Instances of status open.
    pub open: usize,
    /// Those that a model proves satisfiable.
    pub proved: usize,
    /// Those that two different programs or more say are unsatisfiable, and none says otherwise.
    pub agreed: usize,
    /// Those on which solvers disagree, and nothing decides.
    pub disputed: usize,
    /// Runs whose verdict was changed.
    pub changed: usize,
}

/// Closes all open instances of a campaign.
pub fn close(store: &mut Store) -> Result<Closed, StoreError> {
    let open: BTreeMap<i64, InstanceRow> = (store.instances(false)?.into_iter())
        .filter(|i| i.status == Status::Open)
        .map(|i| (i.id, i))
        .collect();
    let mut closed = Closed { open: open.len(), ..Closed::default() };
    if open.is_empty() {
        return Ok(closed);
    }
    let solvers: BTreeMap<i64, SolverRow> = store.solvers()?.into_iter().map(|s| (s.id, s)).collect();
    let mut by_instance: BTreeMap<i64, Vec<RunRow>> = BTreeMap::new();
    for run in store.runs(false)?.into_iter().filter(|r| open.contains_key(&r.instance)) {
        by_instance.entry(run.instance).or_default().push(run);
    }
    for (id, runs) in by_instance {
        // Each of several questions would have to be closed by itself; such runs stay as they were judged.
        let once = |row: &InstanceRow| Case::read(row).is_ok_and(|c| c.questions.len() == 1);
        if !store.instance(id)?.as_ref().is_some_and(once) {
            continue;
        }
        let changed = close_one(store, &runs, &solvers, &mut closed)?;
        closed.changed += changed.len();
        store.add_runs(&changed, true)?;
    }
    Ok(closed)
}

/// What the runs of one instance say together.
struct Tally<'a> {
    /// The runs whose model the referee accepts.
    proof: Option<&'a RunRow>,
    /// Names of solvers that say `sat` without such a model, but not with a bad one.
    sat: BTreeSet<&'a str>,
    /// Names of solvers that say `unsat`.
    unsat: BTreeSet<&'a str>,
    /// The different programs among these.
    programs: BTreeSet<String>,
}

impl<'a> Tally<'a> {
    fn of(runs: &'a [RunRow], solvers: &'a BTreeMap<i64, SolverRow>) -> Tally<'a> {
        let (sat, unsat, programs) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        let mut tally = Tally { proof: None, sat, unsat, programs };
        for run in runs {
            let Some(solver) = solvers.get(&run.solver) else { continue };
            match (run.answer, run.model) {
                (Answer::Sat, ModelCheck::Holds) => tally.proof = tally.proof.or(Some(run)),
                (Answer::Sat, ModelCheck::Fails) => {}
                (Answer::Sat, _) if speaks(run) => drop(tally.sat.insert(&solver.name)),
                (Answer::Unsat, _) if speaks(run) => {
                    tally.unsat.insert(&solver.name);
                    tally.programs.insert(program(solver));
                }
                _ => {}
            }
        }
        tally
    }
}

/// The program of a solver without its directory: two versions of one program are not two opinions.
fn program(solver: &SolverRow) -> String {
    let name = Path::new(&solver.program).file_name().map(|n| n.to_string_lossy().into_owned());
    name.unwrap_or_else(|| solver.program.clone())
}

/// Its answer counts: it is one of those that only other runs can decide on.
fn speaks(run: &RunRow) -> bool {
    matches!(
        run.kind,
        Kind::Open
            | Kind::Disagreement
            | Kind::RightSat
            | Kind::RightUnsat
            | Kind::ModelUntold
            | Kind::WrongUnsat
    )
}

fn close_one(
    store: &Store,
    runs: &[RunRow],
    solvers: &BTreeMap<i64, SolverRow>,
    closed: &mut Closed,
) -> Result<Vec<RunRow>, StoreError> {
    let tally = Tally::of(runs, solvers);
    let agreed = tally.proof.is_none() && tally.sat.is_empty() && tally.programs.len() > 1;
    let disputed = tally.proof.is_none() && !tally.sat.is_empty() && !tally.unsat.is_empty();
    closed.proved += usize::from(tally.proof.is_some());
    closed.agreed += usize::from(agreed);
    closed.disputed += usize::from(disputed);
    let list = |names: &BTreeSet<&str>| names.iter().copied().collect::<Vec<_>>().join(", ");
    let mut changed = Vec::new();
    for run in runs.iter().filter(|r| speaks(r) && r.model != ModelCheck::Holds) {
        let (verdict, kind, evidence) = match (run.answer, tally.proof) {
            (Answer::Unsat, Some(proof)) => {
                (Verdict::WrongUnsat, Kind::WrongUnsat, proof_text(store, proof, solvers)?)
            }
            (Answer::Sat, Some(_)) if run.model == ModelCheck::Absent => {
                (Verdict::Ok, Kind::RightSat, "another solver's model proves it".to_owned())
            }
            (Answer::Sat, Some(_)) => {
                (Verdict::Untold, Kind::ModelUntold, "it is satisfiable by another solver's model".to_owned())
            }
            (Answer::Unsat, None) if agreed => {
                let text = format!("by agreement of {}, not by proof", list(&tally.unsat));
                (Verdict::Ok, Kind::RightUnsat, text)
            }
            (Answer::Sat | Answer::Unsat, None) if disputed => {
                let text = format!("sat: {}; unsat: {}", list(&tally.sat), list(&tally.unsat));
                (Verdict::Untold, Kind::Disagreement, text)
            }
            (Answer::Sat | Answer::Unsat, None) => {
                (Verdict::Untold, Kind::Open, "nothing is known of the formula".to_owned())
            }
            _ => continue,
        };
        if (run.verdict, run.kind) == (verdict, kind) {
            continue;
        }
        let Some(mut whole) = store.run(run.instance, run.solver, run.seed)? else { continue };
        (whole.verdict, whole.kind) = (verdict, kind);
        // What was found about the model stays readable below.
        let before = if run.kind == Kind::Open && run.answer == Answer::Sat { &*whole.evidence } else { "" };
        whole.evidence = format!("{evidence}\n{before}").trim_end().to_owned();
        if whole.answer == Answer::Unsat && whole.core == CoreCheck::Foreign && kind == Kind::RightUnsat {
            (whole.verdict, whole.kind) = (Verdict::InvalidCore, Kind::ForeignCore);
        }
        changed.push(whole);
    }
    Ok(changed)
}

/// The model that proves an instance satisfiable, as its solver printed it.
fn proof_text(
    store: &Store,
    proof: &RunRow,
    solvers: &BTreeMap<i64, SolverRow>,
) -> Result<String, StoreError> {
    let name = solvers.get(&proof.solver).map_or("another solver", |s| s.name.as_str());
    let whole = store.run(proof.instance, proof.solver, proof.seed)?;
    let output = whole.map(|run| String::from_utf8_lossy(&run.output).into_owned()).unwrap_or_default();
    let output: String = output.chars().take(2000).collect();
    Ok(format!("the model of {name} satisfies every assertion; it answered:\n{}", output.trim_end()))
}

#[cfg(test)]
mod tests;
