//! The frozen list of jobs, in a folder that all machines see.
//!
//! A job is an instance, a solver and a seed. Jobs have numbers: those of one instance follow each other, by solver, then by seed. So
//! the list is never written: 10⁸ jobs are a million instances, ten solvers and ten seeds. A chunk is a range of numbers, all of one
//! size, so that the number of a chunk is enough to know its jobs.
//!
//! ```text
//! plan.json        settings, solvers with profile and digest of the program, seeds, sizes, the digests of all other files
//! instances.bin    the instances, in compressed blocks
//! done.bin         jobs that are not to be run: recorded before, or not planned for a solver
//! ```
//!
//! The digest of the plan is that of `plan.json`. The folder gets its name when it is complete.

mod blocks;
mod freeze;

pub use blocks::Block;
pub use freeze::{Frozen, freeze, planned};

use crate::done::Done;
use crate::error::Error;
use crate::files;
use crate::pack::unpack;
use campaign::settings::Settings;
use campaign::store::{InstanceRow, RunKey, SolverRow};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The format of a plan.
const FORMAT: u32 = 1;
const HEADER: &str = "plan.json";
const INSTANCES: &str = "instances.bin";
const DONE: &str = "done.bin";

/// A solver of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Planned {
    /// Its key in the store.
    pub id: i64,
    /// Its name in tables.
    pub name: String,
    /// The program on the machine that froze the plan.
    pub program: String,
    /// The version that it reported.
    pub version: String,
    /// Its profile, as TOML.
    pub profile: String,
    /// The digest of its program, if it could be read.
    pub fingerprint: Option<String>,
}

impl Planned {
    /// The row of the store.
    pub fn row(&self) -> SolverRow {
        SolverRow {
            id: self.id,
            name: self.name.clone(),
            program: self.program.clone(),
            version: self.version.clone(),
            profile: self.profile.clone(),
        }
    }
}

/// Where solvers are on the machines that run them: where they are here, unless stated otherwise.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Nodes {
    /// Programs by the names of solvers in tables.
    pub programs: BTreeMap<String, PathBuf>,
    /// Solvers are installed on each machine, as by `stringent solvers install`.
    pub install: bool,
}

/// The contents of `plan.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    format: u32,
    /// The version of stringent.
    pub version: String,
    /// When the campaign was created.
    pub created: String,
    /// Its store: two campaigns that are the same otherwise have plans of their own.
    #[serde(default)]
    pub store: PathBuf,
    /// The settings of the campaign.
    pub settings: Settings,
    /// The seeds of the solvers, in order.
    pub seeds: Vec<u64>,
    /// The solvers.
    pub solvers: Vec<Planned>,
    /// The number of instances.
    pub instances: u64,
    /// The number of jobs in a chunk.
    pub chunk: u64,
    /// The runs to do.
    pub runs: u64,
    /// The estimated time of a chunk on one core, in seconds.
    pub estimate: f64,
    /// Where solvers are on the machines that run them.
    pub nodes: Nodes,
    blocks: Vec<Block>,
    /// The digest of the jobs that are not to be run.
    done: String,
}

/// A plan.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// Its folder.
    pub folder: PathBuf,
    /// Its digest.
    pub digest: String,
    /// Its contents.
    pub header: Header,
}

impl Plan {
    /// Opens a plan. With `digest`, it must have that one.
    pub fn open(folder: &Path, digest: Option<&str>) -> Result<Plan, Error> {
        let path = folder.join(HEADER);
        let bytes = files::read(&path)?;
        let found = files::digest(&bytes);
        if digest.is_some_and(|wanted| wanted != found) {
            return Err(Error::plan(&path, "its digest is another one: the plan was changed, or is cut off"));
        }
        let header: Header = serde_json::from_slice(&bytes)
            .map_err(|e| Error::plan(&path, format!("not a plan of this version: {e}")))?;
        if header.format != FORMAT {
            let why = format!("a plan of format {}; this version reads {FORMAT}", header.format);
            return Err(Error::plan(&path, why));
        }
        Ok(Plan { folder: folder.to_owned(), digest: found, header })
    }

    /// The number of all jobs.
    pub fn jobs(&self) -> u64 {
        self.header.instances * self.per_instance()
    }

    /// The number of chunks.
    pub fn chunks(&self) -> u64 {
        self.jobs().div_ceil(self.header.chunk)
    }

    /// The numbers of the jobs of a chunk.
    pub fn range(&self, chunk: u64) -> Result<Range<u64>, Error> {
        if chunk >= self.chunks() {
            return Err(Error::NoChunk(chunk, self.chunks()));
        }
        let from = chunk * self.header.chunk;
        Ok(from..(from + self.header.chunk).min(self.jobs()))
    }

    /// The chunk that a job belongs to.
    pub fn chunk_of(&self, job: u64) -> u64 {
        job / self.header.chunk
    }

    fn per_instance(&self) -> u64 {
        self.header.per_instance()
    }

    /// The number of a run; `place` is that of its instance.
    pub fn job(&self, place: u64, (_, solver, seed): RunKey) -> Option<u64> {
        let solver = self.header.solvers.iter().position(|s| s.id == solver)? as u64;
        let seed = self.header.seeds.binary_search(&seed).ok()? as u64;
        Some((place * self.header.solvers.len() as u64 + solver) * self.header.seeds.len() as u64 + seed)
    }

    /// The instances of a range of jobs, each with its place.
    pub fn instances(&self, jobs: Range<u64>) -> Result<Vec<(u64, InstanceRow)>, Error> {
        let per = self.per_instance();
        let places = jobs.start / per..jobs.end.div_ceil(per);
        blocks::read(&self.folder.join(INSTANCES), &self.header.blocks, places)
    }

    /// The jobs that are not to be run.
    pub fn done(&self) -> Result<Done, Error> {
        let path = self.folder.join(DONE);
        let bytes = files::read(&path)?;
        if files::digest(&bytes) != self.header.done {
            return Err(Error::plan(&path, "it differs from the one that was planned"));
        }
        let bits = unpack(&bytes).map_err(|e| Error::plan(&path, e.to_string()))?;
        Done::from_bytes(self.jobs(), &bits).ok_or_else(|| Error::plan(&path, "it has the wrong size"))
    }
}

impl Header {
    fn per_instance(&self) -> u64 {
        self.solvers.len() as u64 * self.seeds.len() as u64
    }
}

#[cfg(test)]
mod tests;
