//! Re-runs of the candidates of a comparison: the old and the new solver in turn, one process at a time, by CPU time.
//!
//! Both get the same script under the limits of the newer campaign. What the times say is decided in
//! [`speed`](crate::report::compare::speed).

use crate::case::Case;
use crate::compose::{compose, fill};
use crate::drive::invocation;
use crate::judge::{Raw, judge};
use crate::outcome::{Answer, Ending, Verdict};
use crate::process::{self, Cancel, Limits, Watchdog};
use crate::profile::{Solver, check_unchanged};
use crate::report::Data;
use crate::report::compare::speed::{Finding, Reason, Speed, Took, decide};
use crate::report::compare::{Comparison, Pair};
use crate::settings::Rules;
use crate::store::{Store, StoreError};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// How candidates are re-run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The time for all of them.
    pub time: Duration,
    /// The command of the helper that ends solvers if this process is killed, as for a campaign.
    pub watchdog: Option<Vec<OsString>>,
}

/// Why nothing can be re-run.
#[derive(Debug, thiserror::Error)]
pub enum RerunError {
    /// A store.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A folder for the files that solvers read, or the watchdog.
    #[error("cannot re-run solvers: {0}")]
    Start(#[from] std::io::Error),
}

/// The two campaigns of a comparison.
#[derive(Clone, Copy)]
pub struct Campaigns<'a> {
    /// The store of the older one.
    pub old: &'a Store,
    /// The store of the newer one.
    pub new: &'a Store,
    /// The newer one, as it was compared.
    pub data: &'a Data,
}

/// Re-runs the candidates of a comparison, those that differ most first. `done` is called after each. Stopped, or at the end of its
/// time, it keeps what it found.
pub fn rerun(
    campaigns: Campaigns<'_>,
    comparison: &mut Comparison,
    settings: &Settings,
    done: &dyn Fn(),
    cancel: &Cancel,
) -> Result<(), RerunError> {
    let _watchdog = settings.watchdog.as_deref().map(Watchdog::start).transpose()?;
    let folder = tempfile::tempdir()?;
    let campaign = &campaigns.data.campaign.settings;
    let bench = Bench {
        limits: campaign.limits.clone(),
        rules: campaign.rules(),
        file: folder.path().join("x.smt2"),
        until: Instant::now() + settings.time,
        cancel,
    };
    let solvers =
        comparison.pairs.iter().map(|pair| campaigns.solvers(pair)).collect::<Result<Vec<_>, _>>()?;
    for speed in comparison.speeds_by_size() {
        speed.finding = match &solvers[speed.change.pair] {
            Err(why) => Finding::NotRun(Reason::CannotRun(why.clone())),
            Ok(both) => match campaigns.case(speed)? {
                Ok(case) => bench.examine(&case, speed, both),
                Err(why) => Finding::NotRun(Reason::CannotRun(why)),
            },
        };
        done();
    }
    process::sweep();
    Ok(())
}

/// The old and the new solver.
type Both = (Solver, Solver);

impl Campaigns<'_> {
    /// The solvers of a pair, or the reason why one cannot be run as it was.
    fn solvers(&self, pair: &Pair) -> Result<Result<Both, String>, StoreError> {
        let (old, new) = (solver(self.old, &pair.old)?, solver(self.new, &pair.new)?);
        Ok(old.and_then(|old| Ok((old, new?))))
    }

    /// The formula of a candidate.
    fn case(&self, speed: &Speed) -> Result<Result<Case, String>, StoreError> {
        let instance = &self.data.instances[speed.change.at];
        let Some(row) = self.new.instance(instance.id)? else { return Ok(Err("it is not stored".into())) };
        Ok(Case::read(&row).map_err(|e| e.to_string()))
    }
}

fn solver(store: &Store, name: &str) -> Result<Result<Solver, String>, StoreError> {
    let Some(row) = store.solvers()?.into_iter().find(|row| row.name == name) else {
        return Ok(Err(format!("{name} is not stored")));
    };
    let Ok(solver) = row.solver(store.path()) else {
        return Ok(Err(format!("the stored profile of {name} cannot be read")));
    };
    let recorded = store.fingerprint(row.id)?;
    let unchanged = check_unchanged(&solver, recorded.as_deref());
    Ok(unchanged
        .map(|()| solver)
        .map_err(|why| format!("{name} of {} cannot be run: {why}", store.path().display())))
}

/// Where re-runs take place.
struct Bench<'a> {
    limits: Limits,
    rules: Rules,
    /// For solvers that read a file.
    file: PathBuf,
    until: Instant,
    cancel: &'a Cancel,
}

impl Bench<'_> {
    /// Runs pairs until they decide.
    fn examine(&self, case: &Case, speed: &Speed, (old, new): &Both) -> Finding {
        let mut pairs = Vec::new();
        loop {
            let once = |solver| self.once(case, solver, speed.change.seed, speed.change.answer());
            match once(old).and_then(|then| Ok((then, once(new)?))) {
                Ok(pair) => pairs.push(pair),
                Err(reason) => return Finding::NotRun(reason),
            }
            if let Some(finding) = decide(speed.direction, &pairs) {
                return finding;
            }
        }
    }

    /// The CPU time of one run with the expected answer; at least the time limit for one that reaches it.
    fn once(&self, case: &Case, solver: &Solver, seed: u64, expected: Answer) -> Result<Took, Reason> {
        let left = self.until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(Reason::TimeUp);
        }
        let (profile, wants) = (&solver.profile, &self.rules.wants);
        let text = compose(case, profile, seed, wants).map_err(|e| Reason::CannotRun(e.to_string()))?;
        let args = profile.args.iter().map(|arg| fill(arg, seed, wants).into_owned()).collect();
        let what = invocation(solver, args, &self.file, text).map_err(Reason::CannotRun)?;
        let wall = self.limits.wall.min(left);
        let limits = Limits { wall, memory_how: profile.memory, ..self.limits.clone() };
        let ended = process::run(&what, &limits, self.cancel);
        match &ended.ending {
            Ending::Cancelled => return Err(Reason::Stopped),
            Ending::WallLimit if wall < self.limits.wall => return Err(Reason::TimeUp),
            Ending::NotStarted(why) => return Err(Reason::CannotRun(why.clone())),
            _ => {}
        }
        let raw = Raw { stdout: &ended.stdout, stderr: &ended.stderr, ending: &ended.ending };
        let judged = judge(case, solver, &raw, &self.rules);
        if judged.verdict() == Verdict::Timeout {
            return Ok(Took { time: ended.cpu.max(self.limits.wall), past: true });
        }
        let answer = judged.answer;
        if answer == expected && matches!(ended.ending, Ending::Exited(_)) {
            return Ok(Took { time: ended.cpu, past: false });
        }
        let now = format!("{} gives another result when re-run: {answer}, {}", solver.name, ended.ending);
        Err(Reason::OtherAnswer(now))
    }
}
