//! The stores of a place: a folder, a file, or a database.

use super::location::{Location, campaign_of, prefix};
use super::{Store, StoreError, postgres};
use std::path::{Path, PathBuf};

/// The extension of stores in folders.
const EXTENSION: &str = "store";

/// A store in short.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Where it is.
    pub path: PathBuf,
    /// Its content, or why it cannot be read.
    pub content: Result<Content, String>,
}

/// The content of a store in short.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Content {
    /// When the campaign was started.
    pub created: String,
    /// When it was finished; none if it was not.
    pub finished: Option<String>,
    /// Its solvers.
    pub solvers: u64,
    /// Its instances.
    pub instances: u64,
    /// Its runs.
    pub runs: u64,
    /// Its size on disk, in bytes.
    pub bytes: u64,
}

/// The stores in a folder or database, or the one that is named, in short.
pub fn list(place: &Path) -> Result<Vec<Listed>, StoreError> {
    Ok(paths(place)?
        .into_iter()
        .map(|path| Listed { content: content(&path).map_err(|e| e.to_string()), path })
        .collect())
}

/// The stores in a folder or database, or the one that is named; they are not opened.
pub fn paths(place: &Path) -> Result<Vec<PathBuf>, StoreError> {
    Ok(match Location::parse(place)? {
        Location::Postgres { schema: Some(_), .. } => vec![place.to_owned()],
        Location::Postgres { server, schema: None } => {
            let wrap = |source| StoreError::Database { path: place.to_owned(), source };
            let schemas = postgres::schemas(&server, prefix()).map_err(wrap)?;
            schemas.iter().map(|schema| campaign_of(place, schema)).collect()
        }
        Location::File(folder) if folder.is_dir() => in_folder(&folder),
        Location::File(file) => vec![file],
    })
}

fn in_folder(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path());
    let is_store = |p: &PathBuf| p.extension().is_some_and(|e| e == EXTENSION) && !p.is_dir();
    let mut files: Vec<PathBuf> = entries.filter(is_store).collect();
    files.sort();
    files
}

fn content(path: &Path) -> Result<Content, StoreError> {
    let store = Store::open_read_only(path)?;
    let campaign = store.campaign()?;
    Ok(Content {
        created: campaign.created,
        finished: campaign.finished,
        solvers: store.solvers()?.len() as u64,
        instances: store.instance_count()?,
        runs: store.run_count()?,
        bytes: store.size()?,
    })
}
