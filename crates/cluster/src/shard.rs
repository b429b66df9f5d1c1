//! Results of a task: one file, complete or refused.
//!
//! A shard is a magic line, the digest of the rest, and a compressed list of runs with a head that names the plan, the chunk and the
//! task. Its name, `chunk.job.restart.part`, is in the head too. So a shard that is torn, of another plan, or renamed is noticed.

use crate::error::Error;
use crate::files;
use crate::pack::{pack, unpack};
use campaign::outcome::{Answer, CoreCheck, Kind, ModelCheck};
use campaign::store::RunRow;
use serde::{Deserialize, Serialize, Serializer};
use sha2::{Digest as _, Sha256};
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

const MAGIC: &[u8] = b"stringent shard 1\n";
/// Bytes of the digest.
const DIGEST: usize = 32;

/// The name of a shard.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Name {
    /// The chunk.
    pub chunk: u64,
    /// The task: the id that the scheduler gives it.
    pub job: String,
    /// How often the scheduler started it again.
    pub restart: u32,
    /// The number of the shard, among those of this task.
    pub part: u32,
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Name { chunk, job, restart, part } = self;
        write!(f, "{chunk}.{job}.{restart}.{part}")
    }
}

impl FromStr for Name {
    type Err = ();

    fn from_str(text: &str) -> Result<Name, ()> {
        let mut parts = text.split('.');
        let mut next = || parts.next().filter(|p| !p.is_empty()).ok_or(());
        let name = Name {
            chunk: next()?.parse().map_err(drop)?,
            job: next()?.to_owned(),
            restart: next()?.parse().map_err(drop)?,
            part: next()?.parse().map_err(drop)?,
        };
        if parts.next().is_none() && name.to_string() == text { Ok(name) } else { Err(()) }
    }
}

/// A shard as it was read.
#[derive(Debug)]
pub struct Shard {
    /// Its name.
    pub name: Name,
    /// The machine that made it.
    pub host: String,
    /// The runs.
    pub runs: Vec<RunRow>,
}

#[derive(Serialize, Deserialize)]
struct Body<'a> {
    plan: &'a str,
    name: Name,
    host: String,
    runs: Vec<Row<'a>>,
}

/// A run in a shard.
#[derive(Serialize, Deserialize)]
struct Row<'a> {
    key: (i64, i64, u64),
    codes: (&'a str, &'a str, &'a str, &'a str),
    ending: &'a str,
    wall_us: u64,
    cpu_us: u64,
    memory_kib: u64,
    batched: bool,
    flaky: bool,
    #[serde(serialize_with = "as_bytes")]
    output: &'a [u8],
    evidence: &'a str,
    command: &'a str,
}

/// At once instead of byte by byte; the format is the same.
fn as_bytes<S: Serializer>(bytes: &&[u8], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_bytes(bytes)
}

impl<'a> From<&'a RunRow> for Row<'a> {
    fn from(r: &'a RunRow) -> Row<'a> {
        Row {
            key: r.key(),
            codes: (r.kind.code(), r.answer.code(), r.model.code(), r.core.code()),
            ending: &r.ending,
            wall_us: micros(r.wall),
            cpu_us: micros(r.cpu),
            memory_kib: r.memory_kib,
            batched: r.batched,
            flaky: r.flaky,
            output: &r.output,
            evidence: &r.evidence,
            command: &r.command,
        }
    }
}

impl Row<'_> {
    fn run(self) -> Option<RunRow> {
        let (instance, solver, seed) = self.key;
        Some(RunRow {
            instance,
            solver,
            seed,
            kind: Kind::from_code(self.codes.0)?,
            answer: Answer::from_code(self.codes.1)?,
            model: ModelCheck::from_code(self.codes.2)?,
            core: CoreCheck::from_code(self.codes.3)?,
            ending: self.ending.to_owned(),
            wall: Duration::from_micros(self.wall_us),
            cpu: Duration::from_micros(self.cpu_us),
            memory_kib: self.memory_kib,
            batched: self.batched,
            flaky: self.flaky,
            output: self.output.to_owned(),
            evidence: self.evidence.to_owned(),
            command: self.command.to_owned(),
        })
    }
}

fn micros(d: Duration) -> u64 {
    u64::try_from(d.as_micros()).unwrap_or(u64::MAX)
}

/// The bytes of a shard.
pub fn encode(plan: &str, name: &Name, host: &str, runs: &[RunRow]) -> Result<Vec<u8>, Error> {
    let runs = runs.iter().map(Row::from).collect();
    let body = Body { plan, name: name.clone(), host: host.into(), runs };
    let wrong = |why: String| Error::plan(Path::new(&name.to_string()), why);
    let raw = postcard::to_stdvec(&body).map_err(|e| wrong(e.to_string()))?;
    let packed = pack(&raw).map_err(|e| wrong(e.to_string()))?;
    Ok([MAGIC, &Sha256::digest(&packed)[..], &packed].concat())
}

/// Writes a shard into a folder.
pub fn write(folder: &Path, plan: &str, name: &Name, host: &str, runs: &[RunRow]) -> Result<PathBuf, Error> {
    let path = folder.join(name.to_string());
    files::write(&path, &encode(plan, name, host, runs)?)?;
    Ok(path)
}

/// Reads a shard of this name and plan; the reason if it is not one.
pub fn decode(bytes: &[u8], plan: &str, name: &Name) -> Result<Shard, String> {
    let rest = bytes.strip_prefix(MAGIC).ok_or("not a shard")?;
    let (digest, packed) = rest.split_at_checked(DIGEST).ok_or("torn: it ends too early")?;
    if Sha256::digest(packed)[..] != *digest {
        return Err("torn: its digest is wrong".into());
    }
    let raw = unpack(packed).map_err(|e| e.to_string())?;
    let body: Body<'_> = postcard::from_bytes(&raw).map_err(|e| e.to_string())?;
    if body.plan != plan {
        return Err("of another plan".into());
    }
    if body.name != *name {
        return Err(format!("its name was {}", body.name));
    }
    let runs = body.runs.into_iter().map(Row::run).collect::<Option<Vec<RunRow>>>();
    let runs = runs.ok_or("it has a verdict that this version does not know")?;
    Ok(Shard { name: body.name, host: body.host, runs })
}

/// The names of the shards in a folder, sorted.
pub fn list(folder: &Path) -> Result<Vec<Name>, Error> {
    let entries = std::fs::read_dir(folder).map_err(crate::error::io_error(folder))?;
    let mut names: Vec<Name> =
        entries.flatten().filter_map(|e| e.file_name().to_str()?.parse().ok()).collect();
    names.sort();
    Ok(names)
}

#[cfg(test)]
mod tests;
