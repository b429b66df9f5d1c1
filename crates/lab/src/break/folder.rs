//! The folder of a search: its options, its start, the logs of its runs and the best scripts.

use super::Options;
use anyhow::{Context as _, anyhow, bail};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::path::{Path, PathBuf};
use synth::instance::Instance;

/// The file with the options of a search. The process that has it locked works in the folder.
const SETTINGS: &str = "break.json";
/// The script that runs start from, if one was given.
const START: &str = "start.smt2";

/// A search in a folder, locked.
pub struct Folder {
    /// The folder.
    pub dir: PathBuf,
    /// The options that the search was started with.
    pub options: Options,
    /// The command that started it.
    pub(super) command: String,
    /// The script that runs start from.
    pub(super) start: Option<Instance>,
    _lock: File,
}

/// The file [`SETTINGS`].
#[derive(Serialize, Deserialize)]
struct Settings {
    version: String,
    command: String,
    created: String,
    options: Options,
}

impl Folder {
    /// A new search in `dir`, or in a new folder named by the time `created` (RFC 3339).
    pub fn create(
        options: Options,
        start: Option<Instance>,
        dir: Option<&Path>,
        command: String,
        created: String,
    ) -> anyhow::Result<Folder> {
        options.solvers()?;
        let dir = new_folder(dir, &created)?;
        if let Some(start) = &start {
            write(&dir.join(START), &start.to_text(""))?;
        }
        let version = env!("CARGO_PKG_VERSION").to_owned();
        let settings = Settings { version, command: command.clone(), created, options: options.clone() };
        write(&dir.join(SETTINGS), &format!("{:#}\n", serde_json::to_value(&settings)?))?;
        let _lock = lock(&dir)?;
        Ok(Folder { dir, options, command, start, _lock })
    }

    /// The search in `dir`, which was stopped.
    pub fn reopen(dir: &Path) -> anyhow::Result<Folder> {
        let path = dir.join(SETTINGS);
        let text = std::fs::read_to_string(&path)
            .with_context(|| format!("{}: there is no search in it", dir.display()))?;
        let settings: Settings = serde_json::from_str(&text).with_context(|| path.display().to_string())?;
        let start = dir.join(START);
        let start = start.exists().then(|| read(&start)).transpose()?;
        let _lock = lock(dir)?;
        let Settings { command, options, .. } = settings;
        Ok(Folder { dir: dir.to_owned(), options, command, start, _lock })
    }
}

fn read(path: &Path) -> anyhow::Result<Instance> {
    let bytes = std::fs::read(path).with_context(|| path.display().to_string())?;
    Instance::from_text(&bytes, None).map_err(|_| anyhow!("{}: not a script", path.display()))
}

/// Creates a folder for a search, and the file of its options: of several processes that try, one gets it.
fn new_folder(given: Option<&Path>, created: &str) -> anyhow::Result<PathBuf> {
    let usual = Path::new("stringent-results").join(format!("{}-break", created.replace([':', 'Z'], "")));
    for n in 1..1000 {
        let dir = match given {
            Some(dir) => dir.to_owned(),
            None if n == 1 => usual.clone(),
            None => usual.with_file_name(format!("{}-{n}", usual.file_name().unwrap_or_default().display())),
        };
        std::fs::create_dir_all(&dir)
            .with_context(|| format!("cannot create the folder `{}`", dir.display()))?;
        match File::create_new(dir.join(SETTINGS)) {
            Ok(_) => return Ok(dir),
            Err(e) if e.kind() != std::io::ErrorKind::AlreadyExists => {
                return Err(e).with_context(|| format!("cannot write in `{}`", dir.display()));
            }
            Err(_) if given.is_some() => {
                bail!("{}: there is a search in it already; continue it with --resume", dir.display())
            }
            Err(_) => {}
        }
    }
    bail!("no free name for the folder")
}

/// Keeps other processes off the folder until it is dropped or this process ends.
fn lock(dir: &Path) -> anyhow::Result<File> {
    let path = dir.join(SETTINGS);
    let file = File::open(&path).with_context(|| path.display().to_string())?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(std::fs::TryLockError::WouldBlock) => bail!("{}: another search is using it", dir.display()),
        Err(std::fs::TryLockError::Error(e)) => Err(e).with_context(|| path.display().to_string()),
    }
}

pub(super) fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    std::fs::write(path, text).with_context(|| format!("cannot write `{}`", path.display()))
}
