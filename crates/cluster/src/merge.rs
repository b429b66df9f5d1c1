//! Shards into the store, each once.
//!
//! A shard that is torn, of another plan, or has runs of another chunk is refused: moved to the folder `refused`, and named. One that
//! cannot be read gets a second look, since a shared file system may show its name first. When all jobs of a chunk are recorded, its
//! shards are removed.

use crate::error::{Error, io_error};
use crate::files;
use crate::plan::Frozen;
use crate::shard::{self, Name, Shard};
use campaign::drive::Observer;
use campaign::process::Cancel;
use campaign::store::{Merged, RunRow, Store};
use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Looks at a shard that cannot be read before it is refused.
const LOOKS: u32 = 2;

/// Merges the shards in a folder.
#[derive(Debug)]
pub struct Merger {
    out: PathBuf,
    refused: PathBuf,
    /// Where results that disagree are noted.
    log: PathBuf,
    /// The shards in the folder that were merged, or looked at.
    known: BTreeMap<Name, Look>,
    /// What was merged.
    pub tally: Tally,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Look {
    Merged,
    Unreadable(u32),
}

/// What was merged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Shards.
    pub shards: u64,
    /// Runs that were recorded.
    pub runs: u64,
    /// Runs that were recorded before: a task ran twice.
    pub twins: u64,
    /// Twins with another verdict.
    pub disagree: u64,
    /// Shards that were refused.
    pub refused: u64,
}

/// The caller: sees runs and messages, and may stop the work.
pub struct Caller<'a> {
    /// Sees the runs.
    pub observer: &'a mut dyn Observer,
    /// Gets messages.
    pub say: &'a mut dyn FnMut(&str),
    /// Stops the work.
    pub cancel: &'a Cancel,
}

impl Merger {
    /// For the shards of a plan.
    pub fn new(plan: &Path) -> Result<Merger, Error> {
        let (out, refused, log) = (plan.join("shards"), plan.join("refused"), plan.join("disagree.log"));
        files::create_folder(&out)?;
        Ok(Merger { out, refused, log, known: BTreeMap::new(), tally: Tally::default() })
    }

    /// The folder of the shards.
    pub fn out(&self) -> &Path {
        &self.out
    }

    /// Merges the shards that are new in the folder.
    pub fn collect(
        &mut self,
        store: &mut Store,
        frozen: &mut Frozen,
        caller: &mut Caller<'_>,
    ) -> Result<(), Error> {
        let names = shard::list(&self.out)?;
        self.known.retain(|name, _| names.binary_search(name).is_ok());
        for name in &names {
            if caller.cancel.is_cancelled() {
                return Ok(());
            }
            if self.known.get(name) != Some(&Look::Merged) {
                self.one(name, store, frozen, caller)?;
            }
        }
        let complete =
            |name: &&Name| frozen.plan.range(name.chunk).is_ok_and(|r| frozen.done.open_in(r) == 0);
        names.iter().filter(complete).for_each(|name| self.remove(name));
        Ok(())
    }

    fn one(
        &mut self,
        name: &Name,
        store: &mut Store,
        frozen: &mut Frozen,
        caller: &mut Caller<'_>,
    ) -> Result<(), Error> {
        match self.read(name, frozen) {
            Ok(shard) => {
                let merged = store.merge_shard(&name.to_string(), &shard.runs)?;
                self.known.insert(name.clone(), Look::Merged);
                self.record(name, &shard.runs, &merged, frozen, caller);
                Ok(())
            }
            Err(why) => self.refuse(name, &why, caller),
        }
    }

    fn read(&self, name: &Name, frozen: &Frozen) -> Result<Shard, String> {
        let bytes = fs::read(self.out.join(name.to_string())).map_err(|e| e.to_string())?;
        let shard = shard::decode(&bytes, &frozen.plan.digest, name)?;
        let range = frozen.plan.range(name.chunk).map_err(|e| e.to_string())?;
        let own = |run: &RunRow| frozen.job(run.key()).is_some_and(|job| range.contains(&job));
        if shard.runs.iter().all(own) { Ok(shard) } else { Err("it has runs of another chunk".into()) }
    }

    fn record(
        &mut self,
        name: &Name,
        runs: &[RunRow],
        merged: &Merged,
        frozen: &mut Frozen,
        caller: &mut Caller<'_>,
    ) {
        self.tally.shards += u64::from(!merged.before);
        for run in runs {
            frozen.job(run.key()).map(|job| frozen.done.add(job));
        }
        for (run, &new) in runs.iter().zip(&merged.new) {
            if new {
                self.tally.runs += 1;
                caller.observer.finished(run);
            } else {
                self.tally.twins += 1;
            }
        }
        for (key, kept, other) in &merged.disagree {
            self.tally.disagree += 1;
            let text = format!(
                "instance {}, solver {}, seed {}: {kept} is kept, {name} has {other}",
                key.0, key.1, key.2
            );
            let file = OpenOptions::new().create(true).append(true).open(&self.log);
            let _ = file.and_then(|mut f| writeln!(f, "{text}"));
            (caller.say)(&format!("a task ran twice, and its results disagree: {text}"));
        }
    }

    /// Moves a shard away that was not readable again.
    fn refuse(&mut self, name: &Name, why: &str, caller: &mut Caller<'_>) -> Result<(), Error> {
        let path = self.out.join(name.to_string());
        let looks = match self.known.get(name) {
            Some(Look::Unreadable(n)) => n + 1,
            _ => 1,
        };
        if looks < LOOKS {
            self.known.insert(name.clone(), Look::Unreadable(looks));
            return Ok(());
        }
        self.known.remove(name);
        files::create_folder(&self.refused)?;
        let place = self.refused.join(name.to_string());
        match fs::rename(&path, &place) {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(()),
            other => other.map_err(io_error(&path))?,
        }
        self.tally.refused += 1;
        (caller.say)(&format!("shard refused: {why}; it is now {}", place.display()));
        Ok(())
    }

    fn remove(&mut self, name: &Name) {
        if self.known.get(name) == Some(&Look::Merged) {
            self.known.remove(name);
            let _ = fs::remove_file(self.out.join(name.to_string()));
        }
    }
}
