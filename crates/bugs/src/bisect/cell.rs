//! One version on one script: run, judged, and put into a cell.
//!
//! A failure counts only if it is proved: by the certificate of the script, by the referee, or for a core, by a model of it. An answer that
//! is neither proved wrong nor right is no cell that bisection relies on.

use crate::doc::Doc;
use crate::property::signature;
use crate::truth::Keeper;
use campaign::case::Case;
use campaign::clean::one_line;
use campaign::compose::{compose, fill};
use campaign::confirm::single_check;
use campaign::drive::invocation;
use campaign::finding::Cell;
use campaign::judge::{Judged, Raw, findings, responses};
use campaign::outcome::{CoreCheck, Ending, Kind, Verdict};
use campaign::process::{self, Cancel, Ended, Limits};
use campaign::profile::Solver;
use campaign::settings::{Rules, Wants};
use rayon::prelude::*;
use semantics::Status;
use smt::Dialect;
use std::fmt;
use std::time::Duration;

/// Maximum number of characters of a detail.
const MAX_DETAIL: usize = 100;

/// The failure that versions are searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Failure {
    /// Any wrong result, or a crash.
    Any,
    /// A wrong answer.
    Wrong,
    /// A model that the referee rejects.
    Model,
    /// A core that has a model, or names something that was not asserted.
    Core,
    /// A crash.
    Crash,
    /// An error message, or no answer that can be read.
    Error,
    /// `unknown`
    Unknown,
    /// A time limit.
    Slow,
}

impl Failure {
    /// All of them.
    pub const ALL: [Failure; 8] = [
        Failure::Any,
        Failure::Wrong,
        Failure::Model,
        Failure::Core,
        Failure::Crash,
        Failure::Error,
        Failure::Unknown,
        Failure::Slow,
    ];

    /// Its name: `wrong`.
    pub fn name(self) -> &'static str {
        match self {
            Failure::Any => "any",
            Failure::Wrong => "wrong",
            Failure::Model => "model",
            Failure::Core => "core",
            Failure::Crash => "crash",
            Failure::Error => "error",
            Failure::Unknown => "unknown",
            Failure::Slow => "slow",
        }
    }

    /// The failure of this name.
    pub fn named(name: &str) -> Option<Failure> {
        Failure::ALL.into_iter().find(|f| f.name() == name)
    }

    /// The failure of a verdict; none if that is no failure.
    pub fn of(kind: Kind) -> Option<Failure> {
        match kind {
            Kind::WrongSat | Kind::WrongUnsat => Some(Failure::Wrong),
            Kind::InvalidModel => Some(Failure::Model),
            Kind::UnsoundCore | Kind::ForeignCore => Some(Failure::Core),
            Kind::Crash | Kind::CrashAfterAnswer => Some(Failure::Crash),
            Kind::OutOfMemory
            | Kind::Rejected
            | Kind::Message
            | Kind::Garbage
            | Kind::Silent
            | Kind::Flood => Some(Failure::Error),
            Kind::Unknown => Some(Failure::Unknown),
            Kind::WallTime | Kind::CpuTime | Kind::OwnLimit => Some(Failure::Slow),
            Kind::ValidModel
            | Kind::CorrectSat
            | Kind::MinimalCore
            | Kind::CorrectUnsat
            | Kind::ImpreciseCore
            | Kind::OverApproximation
            | Kind::NotStarted
            | Kind::NotAsked
            | Kind::Unsupported
            | Kind::NotSent
            | Kind::ModelUndetermined
            | Kind::CoreUndetermined
            | Kind::Unlabelled
            | Kind::Disagreement => None,
        }
    }

    /// A verdict has this failure.
    pub fn is(self, kind: Kind) -> bool {
        match Failure::of(kind) {
            None => false,
            Some(found) => {
                found == self
                    || (self == Failure::Any
                        && matches!(found, Failure::Wrong | Failure::Model | Failure::Core | Failure::Crash))
            }
        }
    }

    /// It depends on the known answer of the script.
    pub fn needs_truth(self) -> bool {
        match self {
            Failure::Any | Failure::Wrong | Failure::Model | Failure::Core => true,
            Failure::Crash | Failure::Error | Failure::Unknown | Failure::Slow => false,
        }
    }

    /// It is proved where it is seen: it cannot be due to the load of the machine.
    fn is_proof(self) -> bool {
        !matches!(self, Failure::Slow | Failure::Unknown)
    }

    /// The cell of a verdict.
    fn cell(self, kind: Kind) -> Cell {
        match kind.verdict() {
            _ if self.is(kind) => Cell::Fails,
            Verdict::Ok => Cell::Right,
            // Sound, though not minimal.
            Verdict::InvalidCore if kind == Kind::ImpreciseCore => Cell::Right,
            Verdict::InvalidModel | Verdict::InvalidCore | Verdict::WrongUnsat => Cell::Other,
            Verdict::WrongSat if kind == Kind::OverApproximation => Cell::Unknown,
            Verdict::WrongSat => Cell::Other,
            Verdict::Unknown => Cell::Unknown,
            Verdict::Timeout => Cell::Slow,
            Verdict::Error => match kind {
                Kind::Rejected => Cell::CannotRead,
                Kind::NotStarted => Cell::Missing,
                _ => Cell::Other,
            },
            Verdict::NotApplicable => Cell::CannotRead,
            Verdict::Undetermined => self.undetermined(kind),
        }
    }

    /// The cell of an answer that is not decided in full.
    fn undetermined(self, kind: Kind) -> Cell {
        let answer_is_right = matches!(kind, Kind::ModelUndetermined | Kind::CoreUndetermined);
        match self {
            Failure::Wrong if answer_is_right => Cell::Right,
            Failure::Crash | Failure::Error | Failure::Unknown | Failure::Slow if kind != Kind::NotSent => {
                Cell::Right
            }
            _ => Cell::Unknown,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A cell in one word.
pub fn word(cell: Cell) -> &'static str {
    match cell {
        Cell::Fails => "FAILS",
        Cell::Right => "right",
        Cell::Other => "other",
        Cell::Slow => "slow",
        Cell::Unknown => "unknown",
        Cell::CannotRead => "-",
        Cell::Missing => "x",
    }
}

/// A script, the failure, and how solvers are asked.
#[derive(Clone, Debug)]
pub struct Question {
    /// The script with its certificate.
    pub case: Case,
    /// The failure.
    pub failure: Failure,
    /// The requests.
    pub wants: Wants,
    /// The seeds; one, unless the failure is flaky.
    pub seeds: Vec<u64>,
    /// Wall-clock time of a run.
    pub time: Duration,
    /// Memory of a run, in bytes.
    pub memory: Option<u64>,
    /// The message of the crash or error of the given version; another one is another failure. None if it is not known.
    pub message: Option<String>,
}

/// The requests under which a failure is looked for, in this order: all, none but the answer, and both without names.
pub(super) fn modes(case: &Case, wants: Wants) -> Vec<Wants> {
    let bare = Wants { model: false, core: false, both: false, ..wants };
    let mut modes = vec![wants, bare];
    if case.has_names() {
        modes.push(Wants { named: false, core: false, ..wants });
        modes.push(Wants { named: false, ..bare });
    }
    modes
}

/// The result of one run.
pub(super) struct Seen {
    pub(super) kind: Kind,
    pub(super) detail: String,
    /// The message of a crash or an error, without numbers and names.
    pub(super) message: Option<String>,
}

impl Question {
    /// The cell of a solver, and more about it for people. None if it was cancelled.
    pub fn cell(&self, solver: &Solver, keeper: &Keeper, cancel: &Cancel) -> Option<(Cell, String)> {
        let run = |&seed: &u64| {
            let one = self.run(solver, seed, keeper, cancel)?;
            Some((self.cell_of(&one), one.detail))
        };
        let seen = self.seeds.par_iter().map(run).collect::<Option<Vec<_>>>()?;
        Some(self.together(seen))
    }

    /// The cell of one run. A crash or an error with another message than that of the given version is another failure.
    fn cell_of(&self, seen: &Seen) -> Cell {
        let cell = self.failure.cell(seen.kind);
        let compared = matches!(self.failure, Failure::Crash | Failure::Error) && cell == Cell::Fails;
        if !compared || self.message.is_none() || self.message == seen.message {
            return cell;
        }
        if seen.kind == Kind::Rejected { Cell::CannotRead } else { Cell::Other }
    }

    /// The cell of several runs. A failure that is proved once is there; of others, the majority counts.
    fn together(&self, seen: Vec<(Cell, String)>) -> (Cell, String) {
        let runs = seen.len();
        let count = |cell: Cell| seen.iter().filter(|(c, _)| *c == cell).count();
        let failed = count(Cell::Fails);
        let fails = failed * 2 > runs || (failed > 0 && self.failure.is_proof());
        let others = seen.iter().map(|(c, _)| *c).filter(|c| *c != Cell::Fails);
        let most = others.rev().max_by_key(|c| count(*c)).unwrap_or(Cell::Fails);
        let cell = if fails { Cell::Fails } else { most };
        let share = count(cell);
        let detail = seen.into_iter().find(|(c, _)| *c == cell).map_or_else(String::new, |(_, d)| d);
        if runs == 1 || share == runs {
            return (cell, detail);
        }
        (cell, format!("{detail}, with {share} of {runs} seeds"))
    }

    /// One run.
    pub(super) fn run(&self, solver: &Solver, seed: u64, keeper: &Keeper, cancel: &Cancel) -> Option<Seen> {
        let text = match compose(&self.case, &solver.profile, seed, &self.wants) {
            Ok(text) => text,
            Err(why) => {
                return Some(Seen { kind: Kind::NotAsked, detail: clip(&why.to_string()), message: None });
            }
        };
        let ended = self.process(solver, seed, text, cancel);
        if ended.ending == Ending::Cancelled {
            return None;
        }
        let rules = Rules { wants: self.wants, ..Rules::default() };
        let raw = Raw { stdout: &ended.stdout, stderr: &ended.stderr, ending: &ended.ending };
        let all = findings(&self.case, solver, &raw, &rules).into_iter();
        let decided: Vec<Judged> =
            all.map(|found| self.with_core(found, solver, &ended.stdout, keeper, cancel)).collect();
        // A session may fail in several ways.
        let found = decided.iter().find(|f| self.failure.is(f.kind));
        let judged = found.or_else(|| decided.iter().min_by_key(|f| f.kind.severity()))?;
        let message = signature::message(&self.case, &ended, judged);
        Some(Seen { kind: judged.kind, detail: detail(judged), message })
    }

    fn process(&self, solver: &Solver, seed: u64, text: Vec<u8>, cancel: &Cancel) -> Ended {
        let args = solver.profile.args.iter().map(|a| fill(a, seed, &self.wants).into_owned()).collect();
        let folder = match tempfile::tempdir() {
            Ok(folder) => folder,
            Err(e) => return Ended::not_started(e.to_string()),
        };
        let limits = Limits::of_work(self.time, self.memory, solver.profile.memory, 4 << 20);
        match invocation(solver, args, &folder.path().join("script.smt2"), text) {
            Ok(what) => process::run(&what, &limits, cancel),
            Err(why) => Ended::not_started(why),
        }
    }

    /// The verdict with a decision on its core, if that matters and is open.
    fn with_core(
        &self,
        mut judged: Judged,
        solver: &Solver,
        stdout: &[u8],
        keeper: &Keeper,
        cancel: &Cancel,
    ) -> Judged {
        let matters = matches!(self.failure, Failure::Any | Failure::Core);
        let open = judged.core == CoreCheck::Undetermined
            || matches!(judged.kind, Kind::CoreUndetermined | Kind::Unlabelled);
        if !matters || !open || judged.is_unsound() {
            return judged;
        }
        let n = judged.check.saturating_sub(1);
        let mut pool = self.case.pool.clone();
        let replies = responses(&self.case, &solver.profile, stdout, &mut pool).unwrap_or_default();
        if let Some(names) = replies.into_iter().nth(n).and_then(|r| r.core) {
            judged.kind = self.core(judged.kind, n, &names, keeper, cancel);
        }
        judged
    }

    /// The verdict on a core that the certificate does not decide: the answer of its assertions alone.
    fn core(&self, open: Kind, n: usize, names: &[String], keeper: &Keeper, cancel: &Cancel) -> Kind {
        let keep = |t: smt::Term| {
            let pool = &self.case.pool;
            pool.given_name(t).is_none_or(|name| names.iter().any(|c| c == pool.names.name(name)))
        };
        let alone = single_check(&self.case, n, keep);
        let text = smt::print::script_text(&alone.pool, &alone.script, Dialect::Smt26, None, None);
        let doc = text.ok().and_then(|text| Doc::from_text(text.as_bytes()).ok());
        let label = doc.and_then(|doc| keeper.start(&doc, None, cancel).ok());
        match label.map_or(Status::Unknown, |l| l.check(0).status) {
            Status::Sat => Kind::UnsoundCore,
            Status::Unsat => Kind::ImpreciseCore,
            Status::Unknown => open,
        }
    }
}

/// The answer and the first line of the evidence.
fn detail(judged: &Judged) -> String {
    let first = judged.evidence.lines().find(|l| !l.trim().is_empty()).unwrap_or("");
    match (judged.kind, first) {
        (_, "") => judged.answer.to_string(),
        (Kind::WallTime | Kind::CpuTime, _) => "time limit".into(),
        (_, first) => clip(&format!("{}: {first}", judged.answer)),
    }
}

fn clip(text: &str) -> String {
    let line = one_line(text);
    if line.chars().count() <= MAX_DETAIL {
        return line;
    }
    line.chars().take(MAX_DETAIL - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_become_cells() {
        let cases = [
            (Failure::Wrong, Kind::WrongUnsat, Cell::Fails),
            (Failure::Wrong, Kind::InvalidModel, Cell::Other),
            (Failure::Wrong, Kind::ModelUndetermined, Cell::Right),
            (Failure::Model, Kind::ModelUndetermined, Cell::Unknown),
            (Failure::Any, Kind::InvalidModel, Cell::Fails),
            (Failure::Any, Kind::Rejected, Cell::CannotRead),
            (Failure::Any, Kind::Unlabelled, Cell::Unknown),
            (Failure::Core, Kind::ImpreciseCore, Cell::Right),
            (Failure::Core, Kind::CoreUndetermined, Cell::Unknown),
            (Failure::Crash, Kind::Unlabelled, Cell::Right),
            (Failure::Crash, Kind::Message, Cell::Other),
            (Failure::Slow, Kind::WallTime, Cell::Fails),
            (Failure::Wrong, Kind::WallTime, Cell::Slow),
            (Failure::Wrong, Kind::Unsupported, Cell::CannotRead),
            (Failure::Wrong, Kind::NotAsked, Cell::CannotRead),
            (Failure::Wrong, Kind::NotStarted, Cell::Missing),
        ];
        for (failure, kind, cell) in cases {
            assert_eq!(failure.cell(kind), cell, "{failure} {kind}");
        }
    }

    #[test]
    fn a_proved_failure_counts_once_and_others_by_majority() {
        let case = Case::from_text("a", b"(check-sat)").expect("a script");
        let question = |failure| Question {
            case: case.clone(),
            failure,
            wants: Wants::default(),
            seeds: vec![0, 1, 2],
            time: Duration::from_secs(1),
            memory: None,
            message: None,
        };
        let seen = |cells: [Cell; 3]| cells.map(|c| (c, format!("{c:?}"))).into();
        use Cell::{Fails, Right, Slow};
        let wrong = question(Failure::Wrong);
        assert_eq!(wrong.together(seen([Right, Right, Fails])), (Fails, "Fails, with 1 of 3 seeds".into()));
        assert_eq!(wrong.together(seen([Slow, Right, Slow])), (Slow, "Slow, with 2 of 3 seeds".into()));
        assert_eq!(wrong.together(seen([Right; 3])), (Right, "Right".into()));
        let slow = question(Failure::Slow);
        assert_eq!(slow.together(seen([Right, Right, Fails])).0, Right);
        assert_eq!(slow.together(seen([Fails, Right, Fails])).0, Fails);
    }
}
