//! Parts: independent searches, one task each.
//!
//! A hunt, or a run of `break`, is no list of jobs: what it does next depends on what it found. So it is not divided. A part is a whole
//! search with a seed of its own, on the files of the node; parts know nothing of each other. Every few minutes, and at its end, a task
//! writes a copy of these files to the shared folder: one file, complete or not there, which has a number. A task that starts goes on from the newest
//! copy, so that one that is killed loses what it did since then. Of two tasks that do the same part, since the scheduler lost sight of
//! one, the one that finds a newer copy than its own ends. When all parts are done, the caller unites them.
//!
//! ```text
//! parts.json    the verb and its arguments, solvers with profile and digest of the program, the number of parts
//! nodes.json    where solvers are on the nodes
//! copies/N      the newest copy of part N
//! ```

mod copy;
mod drive;
mod work;

pub use copy::{Counts, Files, Head};
pub use drive::{Ended, Host, Progress, drive};
pub use work::{Order, Search, Worked, work};

use crate::drive::Work;
use crate::error::{Error, io_error};
use crate::files;
use crate::plan::{Nodes, Planned};
use campaign::provenance::{build, now};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The format of a description.
const FORMAT: u32 = 1;
const HEADER: &str = "parts.json";
const NODES: &str = "nodes.json";
/// Looks at a copy that cannot be read before it is refused.
const LOOKS: u32 = 2;

/// The contents of `parts.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    format: u32,
    /// The version of stringent.
    pub version: String,
    /// When it was written.
    pub created: String,
    /// The result that the parts are for.
    pub result: PathBuf,
    /// The verb.
    pub verb: String,
    /// What the verb needs to know.
    pub task: Value,
    /// The number of parts.
    pub parts: u64,
    /// The solvers.
    pub solvers: Vec<Planned>,
    /// Seconds between copies.
    pub every: f64,
}

/// The digest of files that a search reads.
pub fn digest(bytes: &[u8]) -> String {
    files::digest(bytes)
}

/// A search to be done in parts.
#[derive(Debug)]
pub struct New<'a> {
    /// The result that the parts are for: its path makes the description unique.
    pub result: &'a Path,
    /// The verb.
    pub verb: &'a str,
    /// What the verb needs to know.
    pub task: Value,
    /// The number of parts.
    pub parts: u64,
    /// The solvers.
    pub solvers: Vec<Planned>,
    /// The time between copies.
    pub every: Duration,
}

/// Parts and what is known of their copies.
#[derive(Debug)]
pub struct Parts {
    /// Their folder.
    pub folder: PathBuf,
    /// The digest of the description.
    pub digest: String,
    /// The description.
    pub header: Header,
    /// The heads of the newest copies.
    heads: BTreeMap<u64, Head>,
    /// Looks at copies that cannot be read.
    unreadable: BTreeMap<u64, u32>,
    /// Copies that were refused.
    pub refused: u64,
}

impl Parts {
    /// Writes a description into a new folder in the shared one.
    pub fn freeze(shared: &Path, new: New<'_>) -> Result<Parts, Error> {
        let New { result, verb, task, parts, solvers, every } = new;
        let header = Header {
            format: FORMAT,
            version: build().into(),
            created: now(),
            result: std::path::absolute(result).unwrap_or_else(|_| result.to_owned()),
            verb: verb.into(),
            task,
            parts,
            solvers,
            every: every.as_secs_f64(),
        };
        let parent = shared.join("parts");
        let work = files::work_folder(&parent)?;
        let text = serde_json::to_vec(&header).map_err(|e| Error::plan(&parent, e.to_string()))?;
        files::write(&work.path().join(HEADER), &text)?;
        let digest = files::digest(&text);
        let folder = parent.join(&digest[..16]);
        files::publish(work, &folder, HEADER)?;
        Parts::open(&folder, Some(&digest))
    }

    /// Opens a description. With `digest`, it must have that one.
    pub fn open(folder: &Path, digest: Option<&str>) -> Result<Parts, Error> {
        let path = folder.join(HEADER);
        let bytes = files::read(&path)?;
        let found = files::digest(&bytes);
        if digest.is_some_and(|wanted| wanted != found) {
            return Err(Error::plan(&path, "its digest is another one: it was changed"));
        }
        let header: Header = serde_json::from_slice(&bytes)
            .map_err(|e| Error::plan(&path, format!("not of this version: {e}")))?;
        if header.format != FORMAT || header.version != build() {
            let why = format!("written by stringent {}; this one is {}", header.version, build());
            return Err(Error::plan(&path, why));
        }
        files::create_folder(&folder.join("copies"))?;
        let (heads, unreadable) = (BTreeMap::new(), BTreeMap::new());
        Ok(Parts { folder: folder.to_owned(), digest: found, header, heads, unreadable, refused: 0 })
    }

    /// Where solvers are on the machines that run them, as the driver that was started last has it.
    pub fn nodes(&self) -> Result<Nodes, Error> {
        let path = self.folder.join(NODES);
        if !path.exists() {
            return Ok(Nodes::default());
        }
        serde_json::from_slice(&files::read(&path)?).map_err(|e| Error::plan(&path, e.to_string()))
    }

    fn set_nodes(&self, nodes: &Nodes) -> Result<(), Error> {
        let path = self.folder.join(NODES);
        let text = serde_json::to_vec(nodes).map_err(|e| Error::plan(&path, e.to_string()))?;
        files::write(&path, &text)
    }

    /// The folder describes parts, not a plan.
    pub fn is_at(folder: &Path) -> bool {
        folder.join(HEADER).is_file()
    }

    /// The folder of the copies.
    pub fn copies(&self) -> PathBuf {
        self.folder.join("copies")
    }

    /// Reads the heads of the copies that may be new. A copy of a part that is done is read as a whole; one that is torn is refused, and the
    /// part is done again.
    pub fn look(&mut self, say: &mut dyn FnMut(&str)) -> Result<(), Error> {
        for part in 0..self.header.parts {
            if self.heads.get(&part).is_some_and(|head| head.done) {
                continue;
            }
            let path = self.copies().join(part.to_string());
            let whole = |head: &Head| {
                if head.done { copy::read(&path, &self.digest, part).map(drop) } else { Ok(()) }
            };
            match copy::head(&path, &self.digest, part) {
                Ok(None) => {}
                Ok(Some(head)) => match whole(&head) {
                    Ok(()) => drop(self.heads.insert(part, head)),
                    Err(why) => self.refuse(part, &why, say)?,
                },
                Err(why) => self.refuse(part, &why, say)?,
            }
        }
        Ok(())
    }

    /// Moves a copy away that was not readable again: a shared file system may show its name first.
    fn refuse(&mut self, part: u64, why: &str, say: &mut dyn FnMut(&str)) -> Result<(), Error> {
        let looks = self.unreadable.entry(part).or_default();
        *looks += 1;
        if *looks < LOOKS {
            return Ok(());
        }
        self.unreadable.remove(&part);
        self.heads.remove(&part);
        let refused = self.folder.join("refused");
        files::create_folder(&refused)?;
        let (from, to) =
            (self.copies().join(part.to_string()), refused.join(format!("{part}.{}", self.refused)));
        match fs::rename(&from, &to) {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(()),
            other => other.map_err(io_error(&from))?,
        }
        self.refused += 1;
        say(&format!("the copy of part {part} is refused: {why}; it is now {}", to.display()));
        Ok(())
    }

    /// Parts that are done.
    pub fn done(&self) -> u64 {
        self.heads.values().filter(|head| head.done).count() as u64
    }

    /// What the parts have counted so far, in sum.
    pub fn counts(&self) -> Counts {
        let mut sums = Counts::new();
        for (name, n) in self.heads.values().flat_map(|head| &head.counts) {
            *sums.entry(name.clone()).or_default() += n;
        }
        sums
    }

    /// Writes the files of the newest copy of a part into a folder; false if there is none.
    pub fn unpack(&self, part: u64, folder: &Path) -> Result<bool, Error> {
        let path = self.copies().join(part.to_string());
        if !path.exists() {
            return Ok(false);
        }
        let (_, files) = copy::read(&path, &self.digest, part).map_err(|why| Error::plan(&path, why))?;
        copy::unpack(&files, folder)?;
        Ok(true)
    }

    /// Removes the folder, unless it has copies that were refused.
    pub fn remove(self) {
        if !self.folder.join("refused").exists() && fs::remove_dir_all(&self.folder).is_ok() {
            files::sync_folder(self.folder.parent().unwrap_or(Path::new(".")));
        }
    }
}

impl Work for Parts {
    fn folder(&self) -> &Path {
        &self.folder
    }

    fn chunks(&self) -> u64 {
        self.header.parts
    }

    /// Each copy is progress.
    fn open(&self, part: u64) -> u64 {
        match self.heads.get(&part) {
            Some(head) if head.done => 0,
            Some(head) => u64::MAX - head.number,
            None => u64::MAX,
        }
    }

    fn word(&self) -> &'static str {
        "part"
    }
}
