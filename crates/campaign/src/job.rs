//! The life of a campaign: created or resumed, planned, run, closed.
//!
//! ```text
//! Job::create ─┐
//!              ├─ plan (unless planned) ─ run ─ report
//! Job::resume ─┘
//! ```
//!
//! A job holds the lock on its store. It may be stopped, even killed, at any point, and resumed.

use crate::closing;
use crate::drive::{self, DriveError, Observer, Summary};
use crate::folder::{self, FolderError, Lock};
use crate::outcome::Status;
use crate::process::Cancel;
use crate::profile::{self, Solver};
use crate::provenance;
use crate::selection::{self, Shard};
use crate::settings::Settings;
use crate::store::{Campaign, InstanceRow, NewSolver, SECOND_OPINION, SolverRow, Store, StoreError};
use std::path::{Path, PathBuf};

/// The extension of stores with default names.
const EXTENSION: &str = "store";

/// The number of instances in one transaction.
const CHUNK: usize = 1000;

/// Errors that stop a job.
#[derive(Debug, thiserror::Error)]
pub enum JobError {
    /// The store cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The store is locked, or has no free name.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// Solvers cannot be run.
    #[error(transparent)]
    Drive(#[from] DriveError),
    /// There is nothing to resume in the default place.
    #[error("no campaign in {}/; name one with --store", folder::RESULTS)]
    NothingToResume,
    /// A solver differs from the one of that name in the store.
    #[error("`{0}`: its program or profile differs from when the campaign was started")]
    OtherSolver(String),
    /// The campaign has no solvers.
    #[error(
        "{}: the campaign has no solvers: it was stopped while it was created; name them with --solver, or start it again",
        _0.display()
    )]
    NoSolvers(PathBuf),
    /// The campaign was merged from some of its shards.
    #[error("{}: {}", store.display(), how_to_complete(missing))]
    MissingShards {
        /// The store.
        store: PathBuf,
        /// The shards it does not hold.
        missing: Vec<Shard>,
    },
    /// The plan is empty.
    #[error("there are no instances")]
    NoInstances,
    /// There are fewer instances than shards.
    #[error("shard {0} has no instances: there are fewer instances than shards")]
    EmptyShard(Shard),
}

/// The parts of a new campaign.
#[derive(Clone, Debug)]
pub struct New<'a> {
    /// The verb that starts it, for the name of the store.
    pub verb: &'a str,
    /// The store; a new one in the default place if there is none.
    pub store: Option<&'a Path>,
    /// The seed of the instances.
    pub seed: u64,
    /// Its settings.
    pub settings: Settings,
    /// Its solvers.
    pub solvers: &'a [Solver],
}

/// A campaign that this process works on.
pub struct Job {
    /// The store.
    pub store: Store,
    /// The settings.
    pub settings: Settings,
    /// Gives second opinions.
    second: Option<(i64, Solver)>,
    _lock: Lock,
}

impl Job {
    /// Creates a campaign.
    pub fn create(new: &New<'_>) -> Result<Job, JobError> {
        let path = match new.store {
            Some(path) => path.to_owned(),
            None => folder::new_name(new.verb, &format!(".{EXTENSION}"), |path| Ok(!path.exists()))?,
        };
        let campaign = Campaign {
            created: provenance::now(),
            version: provenance::VERSION.into(),
            command: provenance::command_line(),
            host: provenance::host(),
            seed: new.seed,
            settings: new.settings.clone(),
            finished: None,
        };
        let solvers: Vec<NewSolver> = new.solvers.iter().map(joining).collect();
        let lock = |path: &Path| Ok::<_, JobError>(Lock::acquire(path)?);
        let (store, lock) = Store::create_locked(&path, (&campaign, &solvers), lock)?;
        Ok(Job { store, settings: new.settings.clone(), second: None, _lock: lock })
    }

    /// Opens the campaign in `store`, or the newest one in the default place; `solvers` join it.
    pub fn resume(store: Option<&Path>, solvers: &[Solver]) -> Result<Job, JobError> {
        let path = match store {
            Some(path) => path.to_owned(),
            None => newest().ok_or(JobError::NothingToResume)?,
        };
        let store = Store::open(&path)?;
        let settings = store.campaign()?.settings;
        let missing = settings.missing_shards();
        if !missing.is_empty() {
            return Err(JobError::MissingShards { store: path, missing });
        }
        let lock = Lock::acquire(&path)?;
        join(&store, solvers)?;
        if store.solvers()?.is_empty() {
            return Err(JobError::NoSolvers(path));
        }
        Ok(Job { store, settings, second: None, _lock: lock })
    }

    /// Records the instances.
    pub fn plan(&mut self, instances: &[InstanceRow]) -> Result<(), JobError> {
        self.store.clear_plan()?;
        if instances.is_empty() {
            return Err(self.settings.selection.shard.map_or(JobError::NoInstances, JobError::EmptyShard));
        }
        for chunk in instances.chunks(CHUNK) {
            self.store.add_instances(chunk)?;
        }
        Ok(self.store.set_planned()?)
    }

    /// There are instances without a known answer, and second opinions on them are wanted.
    pub fn needs_second_opinion(&self) -> Result<bool, JobError> {
        let open = || Ok(self.store.instances(false)?.iter().any(|i| i.status == Status::Unknown));
        if self.settings.second_opinion { open() } else { Ok(false) }
    }

    /// Has `solver` asked about the instances without a known answer, unless it is itself one of the solvers of the campaign.
    pub fn set_second_opinion(&mut self, solver: &Solver) -> Result<(), JobError> {
        let is_it = |row: &SolverRow| row.profile().is_some_and(|p| p.name == solver.profile.name);
        if self.store.solvers()?.iter().any(is_it) {
            return Ok(());
        }
        let second = Solver { name: SECOND_OPINION.into(), ..solver.clone() };
        let id = self.store.add_solver(&SolverRow::new(&second))?;
        self.second = Some((id, second));
        Ok(())
    }

    /// All solvers that are run, with their keys; the one that gives second opinions is the last.
    pub fn solvers(&self) -> Result<Vec<(i64, Solver)>, JobError> {
        let (rows, origin) = (self.store.solvers()?, &self.settings.origin);
        let solvers: Result<Vec<(i64, Solver)>, StoreError> =
            rows.iter().map(|row| Ok((row.id, origin.locate(row.solver(self.store.path())?)))).collect();
        Ok(solvers?.into_iter().chain(self.second.clone()).collect())
    }

    /// The solvers whose program is another build than when they joined the campaign, with its path.
    pub fn changed_solvers(&self) -> Result<Vec<(String, PathBuf)>, JobError> {
        let mut changed = Vec::new();
        for (id, solver) in self.solvers()? {
            let (then, now) = (self.store.fingerprint(id)?, profile::fingerprint(&solver));
            if then.is_some() && now.is_some() && then != now {
                changed.push((solver.name, solver.program));
            }
        }
        Ok(changed)
    }

    /// Executes the runs that are not recorded yet, then closes the campaign.
    pub fn run(&mut self, observer: &mut dyn Observer, cancel: &Cancel) -> Result<Summary, JobError> {
        let solvers = self.solvers()?;
        let summary = drive::drive(&mut self.store, &solvers, &self.settings, observer, cancel)?;
        closing::close(&mut self.store)?;
        if !summary.cancelled {
            self.store.set_finished(&provenance::now())?;
        }
        Ok(summary)
    }

    /// Removes the store.
    pub fn discard(self) {
        let path = self.store.path().to_owned();
        drop(self);
        Store::remove(&path);
    }
}

/// What is missing, and how to add it.
fn how_to_complete(missing: &[Shard]) -> String {
    let all: Vec<String> = missing.iter().map(|shard| format!("--shard {shard}")).collect();
    format!(
        "{}; run it with {}, then unite the stores with `stringent store merge`",
        selection::missing_text(missing),
        all.join(" and ")
    )
}

/// The newest store in the default place.
pub fn newest() -> Option<PathBuf> {
    folder::newest(EXTENSION)
}

/// This store is the newest one in the default place.
pub fn is_newest(store: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().ok();
    newest().is_some_and(|path| real(&path).is_some() && real(&path) == real(store))
}

/// Adds solvers to a campaign. One of a name that it has must be the same.
fn join(store: &Store, solvers: &[Solver]) -> Result<(), JobError> {
    let known = store.solvers()?;
    let mut new = Vec::new();
    for solver in solvers {
        match known.iter().find(|row| row.name == solver.name) {
            Some(row) if row.solver(store.path())? != *solver => {
                return Err(JobError::OtherSolver(solver.name.clone()));
            }
            Some(_) => {}
            None => new.push(joining(solver)),
        }
    }
    Ok(store.add_solvers(&new)?)
}

fn joining(solver: &Solver) -> NewSolver {
    NewSolver { row: SolverRow::new(solver), fingerprint: profile::fingerprint(solver) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(id: i64) -> InstanceRow {
        InstanceRow {
            id,
            name: id.to_string(),
            category: String::new(),
            operation: String::new(),
            status: Status::Unknown,
            source: Vec::new(),
        }
    }

    fn shell() -> Solver {
        profile::resolve("shell=/bin/sh").expect("a program")
    }

    #[test]
    fn a_campaign_is_created_with_all_its_solvers_or_not_at_all() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("a.store");
        let other = Solver { name: "other".into(), ..shell() };
        let solvers = [shell(), other];
        let new = New {
            verb: "test",
            store: Some(&path),
            seed: 7,
            settings: Settings::default(),
            solvers: &solvers,
        };
        // Killed before the transaction: the file is there, without a campaign.
        let stopped: Result<(Store, ()), StoreError> =
            Store::create_locked(&path, (&Campaign::default(), &[joining(&shell())]), |path| {
                Err(StoreError::Missing(path.to_owned()))
            });
        assert!(stopped.is_err());
        assert!(matches!(Job::resume(Some(&path), &[]), Err(JobError::Store(StoreError::Missing(_)))));
        drop(Job::create(&new).expect("created"));
        let job = Job::resume(Some(&path), &[]).expect("resumed");
        let names: Vec<String> = job.store.solvers().expect("readable").into_iter().map(|s| s.name).collect();
        assert_eq!(names, ["shell", "other"]);
        assert!(job.store.fingerprint(2).expect("readable").is_some());
    }

    #[test]
    fn another_build_of_a_solver_is_noticed() {
        let dir = tempfile::tempdir().expect("a folder");
        let (path, program) = (dir.path().join("a.store"), dir.path().join("solver"));
        std::fs::copy("/bin/sh", &program).expect("copied");
        let solver = profile::resolve(&format!("mine={}", program.display())).expect("a program");
        let settings = Settings::default();
        let new = New { verb: "test", store: Some(&path), seed: 7, settings, solvers: &[shell(), solver] };
        let job = Job::create(&new).expect("created");
        assert_eq!(job.changed_solvers().expect("readable"), []);
        let mut bytes = std::fs::read(&program).expect("readable");
        bytes.push(0);
        std::fs::write(&program, bytes).expect("written");
        assert_eq!(job.changed_solvers().expect("readable"), [("mine".to_owned(), program.clone())]);
        std::fs::remove_file(&program).expect("removed");
        assert_eq!(job.changed_solvers().expect("readable"), [], "the runs say that it is gone");
    }

    #[test]
    fn a_campaign_without_solvers_is_not_resumed() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("a.store");
        drop(Store::create(&path, &Campaign::default()).expect("created"));
        assert!(matches!(Job::resume(Some(&path), &[]), Err(JobError::NoSolvers(_))));
        let job = Job::resume(Some(&path), &[shell()]).expect("completed");
        assert_eq!(job.store.solvers().expect("readable").len(), 1);
    }

    #[test]
    fn resumed_with_the_settings_it_was_created_with() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("a.store");
        let settings = Settings { seeds: vec![3, 4], jobs: 1, ..Settings::default() };
        let new = New {
            verb: "test",
            store: Some(&path),
            seed: 7,
            settings: settings.clone(),
            solvers: &[shell()],
        };
        let mut job = Job::create(&new).expect("created");
        assert!(matches!(job.plan(&[]), Err(JobError::NoInstances)));
        job.plan(&[row(0)]).expect("planned");
        assert!(matches!(Job::resume(Some(&path), &[]), Err(JobError::Folder(FolderError::Busy(_)))));
        drop(job);
        let job = Job::resume(Some(&path), &[]).expect("resumed");
        assert_eq!(job.settings, settings);
        assert!(job.store.is_planned().expect("readable"));
        job.discard();
        assert!(!path.exists());
    }
}
