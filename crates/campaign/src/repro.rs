//! A run of a campaign, done again: the same script, solver and limits.

use crate::case::Case;
use crate::clean::shell;
use crate::compose::{compose, fill};
use crate::drive::invocation;
use crate::judge::{Judged, Raw, judge};
use crate::outcome::{Answer, Ending, Kind, Verdict};
use crate::process::{self, Cancel, Ended, Limits};
use crate::profile::{Input, Solver};
use crate::store::{self, RunRow, Store, StoreError};
use std::path::{Path, PathBuf};

/// Why a run cannot be done again.
#[derive(Debug, thiserror::Error)]
pub enum ReproError {
    /// The store cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The run is not in the store.
    #[error("the run is not in the store any more")]
    Gone,
    /// There is no script.
    #[error("{instance} was not sent to {solver}: {why}")]
    NotSent {
        /// The instance.
        instance: String,
        /// The solver.
        solver: String,
        /// The reason.
        why: String,
    },
    /// The solver cannot be started.
    #[error("{solver}: {why}")]
    NotStarted {
        /// The solver.
        solver: String,
        /// The reason.
        why: String,
    },
    /// The script cannot be written.
    #[error("cannot write `{path}`: {source}", path = path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: std::io::Error,
    },
}

/// The result of a run that was done again.
#[derive(Debug)]
pub struct Again {
    /// The run in the store.
    pub before: RunRow,
    /// The command, quoted for a shell.
    pub command: String,
    /// The end of the process.
    pub ended: Ended,
    /// The verdict.
    pub judged: Judged,
    /// Whether it is the same as before.
    pub reproduced: bool,
}

/// Does the run with this key (instance, solver, seed) again; its script is written to `file`.
pub fn repro(store: &Store, key: (i64, i64, u64), file: &Path, cancel: &Cancel) -> Result<Again, ReproError> {
    let before = store.run(key.0, key.1, key.2)?.ok_or(ReproError::Gone)?;
    let instance = store.instance(key.0)?.ok_or(ReproError::Gone)?;
    let row = store.solvers()?.into_iter().find(|s| s.id == key.1).ok_or(ReproError::Gone)?;
    let settings = store.campaign()?.settings;
    let solver = settings.origin.locate(row.solver(store.path())?);
    let rules = settings.rules();
    let not_sent =
        |why: String| ReproError::NotSent { instance: instance.name.clone(), solver: row.name.clone(), why };
    let case = Case::read(&instance).map_err(|e| not_sent(e.to_string()))?;
    let text = compose(&case, &solver.profile, key.2, &rules.wants).map_err(|e| not_sent(e.to_string()))?;
    std::fs::write(file, &text).map_err(|source| ReproError::Write { path: file.to_owned(), source })?;
    let args = solver.profile.args.iter().map(|a| fill(a, key.2, &rules.wants).into_owned()).collect();
    let what = invocation(&solver, args, file, text).map_err(not_sent)?;
    let limits = Limits { memory_how: solver.profile.memory, ..settings.limits };
    let ended = process::run(&what, &limits, cancel);
    if let (Ending::NotStarted(why), true) = (&ended.ending, before.kind != Kind::NotStarted) {
        return Err(ReproError::NotStarted { solver: row.name, why: why.clone() });
    }
    let raw = Raw { stdout: &ended.stdout, stderr: &ended.stderr, ending: &ended.ending };
    let judged = judge(&case, &solver, &raw, &rules);
    let reproduced = is_same(&case, &before, &judged);
    let command = command(&solver, &what.args, file);
    Ok(Again { before, command, ended, judged, reproduced })
}

/// The same result. Verdicts without a proof depend on other solvers, so there the answer and its evidence count.
fn is_same(case: &Case, before: &RunRow, now: &Judged) -> bool {
    if before.verdict() == Verdict::Timeout {
        return now.verdict() == Verdict::Timeout;
    }
    let same_answer = (before.answer, before.model, before.core) == (now.answer, now.model, now.core);
    let unproved = !case.certificate.is_proved() && now.answer != Answer::None;
    before.kind == now.kind || (unproved && same_answer && before.verdict() != Verdict::Error)
}

fn command(solver: &Solver, args: &[String], file: &Path) -> String {
    let program = solver.program.to_string_lossy();
    let words = std::iter::once(&*program).chain(args.iter().map(String::as_str));
    let line = words.map(shell).collect::<Vec<_>>().join(" ");
    match solver.profile.input {
        Input::Stdin => format!("{line} < {}", shell(&file.to_string_lossy())),
        Input::File => line,
    }
}

/// A name for the script of a run beside its store: `FOLDER/STORE-NAME.smt2`.
pub fn script_file(store: &Path, name: &str) -> PathBuf {
    let store = store::beside(store);
    let stem = store.file_stem().unwrap_or_default().to_string_lossy();
    let name: String =
        name.chars().map(|c| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '-' }).collect();
    store.with_file_name(format!("{stem}-{name}.smt2"))
}
