//! The state of a hunt, kept in its store after each round, so that it can be stopped, even killed, and resumed.

use crate::arms::Arms;
use crate::coverage::Coverage;
use crate::ledger::Ledger;
use crate::unit::Done;
use campaign::outcome::Kind;
use campaign::store::Store;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// False statements whose text is kept.
const MAX_REMARKS: usize = 100;

/// The state.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct State {
    /// The arms with their yields.
    pub arms: Arms,
    /// The number of the next unit.
    pub units: u64,
    /// The number of the next instance of each source.
    pub next: BTreeMap<String, u64>,
    /// Runs by solver and verdict.
    pub kinds: BTreeMap<String, BTreeMap<Kind, u64>>,
    /// Pairs of operators.
    pub coverage: Coverage,
    /// Failures that were examined, or are to be.
    pub kept: u64,
    /// Failures of instances after others in one process, and not alone.
    pub session_only: u64,
    /// Failures that were not there again, by what was seen first and then; the first of them are kept as flaky.
    #[serde(default)]
    pub unrepeated: BTreeMap<String, u64>,
    /// Those that are kept.
    #[serde(default)]
    pub flaky: u64,
    /// The first error of each solver, in words.
    #[serde(default)]
    pub errors: BTreeMap<String, String>,
    /// `unsat` answers without a label.
    pub unlabelled: u64,
    /// Seconds of wall-clock time of earlier sessions and this one.
    pub seconds: f64,
    /// Seconds for which solvers were waited for, and of our own work in units, over all threads.
    pub asked: f64,
    /// Our own work.
    pub own: f64,
    /// Seconds of triage.
    pub triage: f64,
    /// CPU seconds of this program.
    #[serde(default)]
    pub cpu_own: f64,
    /// CPU seconds of processes of solvers, triage included.
    #[serde(default)]
    pub cpu_solvers: f64,
    /// Labels of sources that a model refuted, with their texts.
    pub mislabelled: Vec<String>,
    /// Statements of solvers besides answers that are false, in words; the first of them.
    #[serde(default)]
    pub remarks: Vec<String>,
    /// Statements that are false.
    #[serde(default)]
    pub false_statements: u64,
    /// Instances with a solver's own model asserted back.
    #[serde(default)]
    pub backed: u64,
    /// The hunts that were united to this one; their seconds are added up.
    #[serde(default)]
    pub parts: u64,
    pub(crate) ledger: Ledger,
}

impl State {
    /// Reads the state of a store; none if it is not that of a hunt.
    pub fn read(store: &Store) -> anyhow::Result<Option<State>> {
        let Some(text) = store.hunt_state()? else { return Ok(None) };
        Ok(Some(serde_json::from_str(&text).map_err(|e| {
            anyhow::anyhow!("{}: the state of the hunt cannot be read: {e}", store.path().display())
        })?))
    }

    /// Records it.
    pub fn write(&self, store: &Store) -> anyhow::Result<()> {
        Ok(store.set_hunt_state(&serde_json::to_string(self)?)?)
    }

    /// Adds another hunt with the same solvers and sources, but another seed. Findings are not added: those of both are grouped anew.
    pub fn absorb(&mut self, other: &State) {
        self.arms.absorb(&other.arms);
        self.units = self.units.max(other.units);
        for (source, &next) in &other.next {
            let mine = self.next.entry(source.clone()).or_default();
            *mine = next.max(*mine);
        }
        for (solver, kinds) in &other.kinds {
            let mine = self.kinds.entry(solver.clone()).or_default();
            kinds.iter().for_each(|(&kind, n)| *mine.entry(kind).or_default() += n);
        }
        self.coverage.merge(&other.coverage);
        self.ledger.absorb(&other.ledger);
        self.mislabelled.extend(other.mislabelled.iter().cloned());
        self.remarks.extend(other.remarks.iter().cloned());
        self.remarks.truncate(MAX_REMARKS);
        self.unrepeated(&other.unrepeated);
        for (solver, error) in &other.errors {
            self.errors.entry(solver.clone()).or_insert_with(|| error.clone());
        }
        self.parts += 1;
        for (mine, n) in [
            (&mut self.kept, other.kept),
            (&mut self.session_only, other.session_only),
            (&mut self.flaky, other.flaky),
            (&mut self.unlabelled, other.unlabelled),
            (&mut self.false_statements, other.false_statements),
            (&mut self.backed, other.backed),
        ] {
            *mine += n;
        }
        for (mine, seconds) in [
            (&mut self.seconds, other.seconds),
            (&mut self.asked, other.asked),
            (&mut self.own, other.own),
            (&mut self.triage, other.triage),
            (&mut self.cpu_own, other.cpu_own),
            (&mut self.cpu_solvers, other.cpu_solvers),
        ] {
            *mine += seconds;
        }
    }

    /// Counts the instances and verdicts of a unit.
    pub(crate) fn tally(&mut self, arm: usize, done: &Done) {
        let arm = &mut self.arms.list[arm];
        arm.instances += done.made;
        arm.failures += done.failures.len() as u64;
        if let Some(error) = &done.error {
            self.errors.entry(arm.solver.clone()).or_insert_with(|| error.clone());
        }
        let kinds = self.kinds.entry(arm.solver.clone()).or_default();
        for (&kind, &n) in &done.kinds {
            *kinds.entry(kind).or_default() += n;
        }
    }

    /// Counts failures that were not there again.
    pub(crate) fn unrepeated(&mut self, reasons: &BTreeMap<String, u64>) {
        for (reason, n) in reasons {
            *self.unrepeated.entry(reason.clone()).or_default() += n;
        }
    }

    /// Records a false statement of a solver.
    pub(crate) fn remark(&mut self, solver: &str, words: &str) {
        self.false_statements += 1;
        if self.remarks.len() < MAX_REMARKS {
            self.remarks.push(format!("{solver}: {words}"));
        }
    }

    /// Instances that were run.
    pub fn instances(&self) -> u64 {
        self.arms.list.iter().map(|a| a.instances).sum()
    }

    /// Failures that were not examined, since they are like known findings.
    pub fn skipped(&self) -> u64 {
        self.ledger.skipped.values().sum()
    }
}
