//! Where results are kept: names for new ones, locks, and the record that resuming needs.
//!
//! Results are either one file (the store of a campaign) or a folder with a record, `VERB.json`, which states how the run was
//! started. While a process works on a result, it holds a lock on the store or the record; the lock is released when the process ends,
//! even if it is killed.

use crate::provenance::{VERSION, command_line, now};
use crate::store::{self, Held, Store, StoreError};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// The default place of results.
pub const RESULTS: &str = "stringent-results";

/// Names that are tried before giving up.
const MAX_NAMES: u32 = 1000;

/// Errors of results on disk.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// It cannot be read or written.
    #[error("{path}: {source}", path = path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// Another process works on it.
    #[error("{}: in use by another process", _0.display())]
    Busy(PathBuf),
    /// A new run was to be started in it, and it has one.
    #[error("{}: already holds a run; resume it with --resume, or choose another folder", _0.display())]
    Exists(PathBuf),
    /// There is no run to resume.
    #[error("{}: no run to resume", _0.display())]
    Missing(PathBuf),
    /// The server cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Its record cannot be read.
    #[error("{path}: not a record of a run: {source}", path = path.display())]
    Record {
        /// The record.
        path: PathBuf,
        /// The problem.
        source: serde_json::Error,
    },
}

fn io_error(path: &Path) -> impl FnOnce(io::Error) -> FolderError {
    let path = path.to_owned();
    move |source| FolderError::Io { path, source }
}

/// A name for a new result in [`RESULTS`], by time and verb, that `claim` accepts: `stringent-results/TIME-VERB.EXTENSION`, with
/// a number if that is taken. `claim` returns false for a name that is taken.
pub fn new_name(
    verb: &str,
    extension: &str,
    mut claim: impl FnMut(&Path) -> Result<bool, FolderError>,
) -> Result<PathBuf, FolderError> {
    let results = Path::new(RESULTS);
    fs::create_dir_all(results).map_err(io_error(results))?;
    let (time, verb) = (now().replace([':', 'Z'], ""), verb.replace(' ', "-"));
    let mut last = results.to_owned();
    for n in 1..=MAX_NAMES {
        let number = if n == 1 { String::new() } else { format!("-{n}") };
        last = results.join(format!("{time}-{verb}{number}{extension}"));
        if claim(&last)? {
            return Ok(last);
        }
    }
    Err(FolderError::Exists(last))
}

/// The newest result in [`RESULTS`] with this extension.
pub fn newest(extension: &str) -> Option<PathBuf> {
    let entries = fs::read_dir(RESULTS).ok()?.flatten().map(|e| e.path());
    entries.filter(|p| p.extension().is_some_and(|e| e == extension)).max()
}

/// The exclusive use of a result, until it is dropped or the process ends.
#[derive(Debug)]
#[allow(dead_code, reason = "the file or the session is held open")]
pub enum Lock {
    /// A file.
    File(File),
    /// A session on a server.
    Session(Box<Held>),
}

impl Lock {
    /// Locks a file, or a campaign on a server.
    pub fn acquire(path: &Path) -> Result<Lock, FolderError> {
        if store::is_server(path) {
            let held = Store::hold(path)?.map(|held| Lock::Session(Box::new(held)));
            return held.ok_or_else(|| FolderError::Busy(path.to_owned()));
        }
        let file = File::open(path).map_err(io_error(path))?;
        match file.try_lock() {
            Ok(()) => Ok(Lock::File(file)),
            Err(TryLockError::WouldBlock) => Err(FolderError::Busy(path.to_owned())),
            Err(TryLockError::Error(source)) => Err(io_error(path)(source)),
        }
    }
}

impl Drop for Lock {
    /// Releases a file at once. Closing alone would not while a process that another thread is starting still has a copy of its descriptor.
    fn drop(&mut self) {
        if let Lock::File(file) = self {
            let _ = file.unlock();
        }
    }
}

/// How a run with options `O` was started.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record<O> {
    /// The version of stringent.
    pub version: String,
    /// The command line, quoted for a shell.
    pub command: String,
    /// When it was started.
    pub created: String,
    /// Its options, with which it is resumed.
    pub options: O,
}

impl<O> Record<O> {
    /// The record of this process.
    pub fn of_this_process(options: O) -> Record<O> {
        Record { version: VERSION.into(), command: command_line(), created: now(), options }
    }
}

/// A folder with the results of one run, locked by this process.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    record: PathBuf,
    _lock: Lock,
}

impl RunFolder {
    /// Creates the folder `given`, or one with a new name in [`RESULTS`], for a run of `verb`. Of several processes that try,
    /// one gets it. The run cannot be resumed before [`RunFolder::write_record`].
    pub fn create(given: Option<&Path>, verb: &str) -> Result<RunFolder, FolderError> {
        let path = match given {
            Some(path) if claim(path, verb)? => path.to_owned(),
            Some(path) => return Err(FolderError::Exists(path.to_owned())),
            None => new_name(verb, "", |path| claim(path, verb))?,
        };
        RunFolder::locked(path, verb)
    }

    /// Opens the folder of a run of `verb` that was stopped.
    pub fn resume<O: DeserializeOwned>(
        path: &Path,
        verb: &str,
    ) -> Result<(RunFolder, Record<O>), FolderError> {
        let text = match fs::read(record_of(path, verb)) {
            Ok(text) => text,
            Err(e) if e.kind() == ErrorKind::NotFound => return Err(FolderError::Missing(path.to_owned())),
            Err(e) => return Err(io_error(path)(e)),
        };
        let record = serde_json::from_slice(&text)
            .map_err(|source| FolderError::Record { path: record_of(path, verb), source })?;
        Ok((RunFolder::locked(path.to_owned(), verb)?, record))
    }

    fn locked(path: PathBuf, verb: &str) -> Result<RunFolder, FolderError> {
        let record = record_of(&path, verb);
        let lock = Lock::acquire(&record)?;
        Ok(RunFolder { path, record, _lock: lock })
    }

    /// Writes how the run was started, once everything that resuming needs is in the folder.
    pub fn write_record<O: Serialize>(&self, record: &Record<O>) -> Result<(), FolderError> {
        let text = serde_json::to_string_pretty(record)
            .map_err(|source| FolderError::Record { path: self.record.clone(), source })?;
        fs::write(&self.record, text + "\n").map_err(io_error(&self.record))
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

fn record_of(folder: &Path, verb: &str) -> PathBuf {
    folder.join(format!("{verb}.json"))
}

/// Creates the folder and its record; false if another run has it.
fn claim(folder: &Path, verb: &str) -> Result<bool, FolderError> {
    fs::create_dir_all(folder).map_err(io_error(folder))?;
    match File::create_new(record_of(folder, verb)) {
        Ok(_) => Ok(true),
        Err(e) if e.kind() == ErrorKind::AlreadyExists => Ok(false),
        Err(e) => Err(io_error(folder)(e)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_has_one_run_and_one_user() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("a/b");
        let folder = RunFolder::create(Some(&path), "break").expect("created");
        assert!(matches!(RunFolder::create(Some(&path), "break"), Err(FolderError::Exists(_))));
        assert!(matches!(RunFolder::resume::<String>(&path, "break"), Err(FolderError::Record { .. })));
        let record = Record::of_this_process("--quiet".to_owned());
        folder.write_record(&record).expect("written");
        assert!(matches!(RunFolder::resume::<String>(&path, "break"), Err(FolderError::Busy(_))));
        drop(folder);
        let (folder, read) = RunFolder::resume::<String>(&path, "break").expect("resumed");
        assert_eq!((folder.path(), read), (&*path, record));
        assert!(matches!(RunFolder::resume::<String>(dir.path(), "break"), Err(FolderError::Missing(_))));
    }

    #[test]
    fn a_lock_is_released_although_its_descriptor_was_copied() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        let lock = Lock::acquire(file.path()).expect("locked");
        let Lock::File(locked) = &lock else { panic!("a file") };
        // As in a process that was forked and has not yet started its program.
        let copy = locked.try_clone().expect("a copy");
        assert!(matches!(Lock::acquire(file.path()), Err(FolderError::Busy(_))));
        drop(lock);
        assert!(Lock::acquire(file.path()).is_ok());
        drop(copy);
    }

    #[test]
    fn errors_name_the_path() {
        assert_eq!(
            FolderError::Busy("x/break.json".into()).to_string(),
            "x/break.json: in use by another process"
        );
    }
}
