//! The campaigns that are served, by their names in addresses.
//!
//! A campaign is named after its file, or as on its server. Two of the same name get a part of the hash of their places too, so that a link
//! leads to the same campaign whatever else is served.

use crate::Options;
use crate::feed::Feed;
use crate::versus::Comparisons;
use crate::watch::{Watched, locked};
use campaign::store::{StoreError, beside, places};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// The list of campaigns is kept up to date for this long after the last request for it.
const INTEREST: Duration = Duration::from_secs(15);

/// The most streams of events at a time.
const MAX_STREAMS: usize = 800;

/// What is served.
pub(crate) struct Site {
    places: Vec<PathBuf>,
    campaigns: Mutex<Vec<Arc<Watched>>>,
    is_closed: AtomicBool,
    asked: Mutex<Option<Instant>>,
    /// Counts the snapshots of all campaigns.
    any: Arc<watch::Sender<u64>>,
    /// Streams of events that are open.
    streams: watch::Sender<()>,
    /// The parts of pages, by page.
    feeds: Mutex<BTreeMap<String, Arc<Feed>>>,
    pub(crate) comparisons: Arc<Comparisons>,
}

impl Site {
    /// Looks for the stores of all places.
    pub(crate) fn open(options: &Options) -> Result<Site, StoreError> {
        let site = Site {
            places: options.places.clone(),
            campaigns: Mutex::default(),
            is_closed: AtomicBool::new(false),
            asked: Mutex::default(),
            any: Arc::new(watch::Sender::new(1)),
            streams: watch::Sender::new(()),
            feeds: Mutex::default(),
            comparisons: Arc::default(),
        };
        let paths = site.paths()?;
        site.set(paths);
        Ok(site)
    }

    fn paths(&self) -> Result<Vec<PathBuf>, StoreError> {
        let mut all = Vec::new();
        for place in &self.places {
            for path in places::paths(place)? {
                if !all.contains(&path) {
                    all.push(path);
                }
            }
        }
        Ok(all)
    }

    /// Looks for new stores. A place that cannot be read now keeps its campaigns.
    pub(crate) fn look(&self) {
        if let Ok(paths) = self.paths() {
            self.set(paths);
        }
    }

    fn set(&self, paths: Vec<PathBuf>) {
        let mut campaigns = locked(&self.campaigns);
        let named = named(&paths);
        let kept = |path: &PathBuf, name: &String| {
            campaigns.iter().find(|c| c.path == *path && c.name == *name).cloned()
        };
        let all = paths.iter().zip(named);
        let all = all.map(|(path, name)| {
            kept(path, &name).unwrap_or_else(|| Arc::new(Watched::new(name, path, &self.any)))
        });
        let all: Vec<Arc<Watched>> = all.collect();
        *campaigns = all;
    }

    /// The campaigns, in the order of their places.
    pub(crate) fn campaigns(&self) -> Vec<Arc<Watched>> {
        locked(&self.campaigns).clone()
    }

    /// The campaign with this name.
    pub(crate) fn campaign(&self, name: &str) -> Option<Arc<Watched>> {
        locked(&self.campaigns).iter().find(|c| c.name == name).cloned()
    }

    /// Someone looks at the list of campaigns, and so at all of them.
    pub(crate) fn ask(&self) {
        *locked(&self.asked) = Some(Instant::now());
        self.campaigns().iter().for_each(|c| c.ask());
    }

    /// The number of snapshots of all campaigns, as they are made.
    pub(crate) fn numbers(&self) -> watch::Receiver<u64> {
        self.any.subscribe()
    }

    /// Whether someone looks at the list.
    pub(crate) fn is_list_asked(&self) -> bool {
        self.any.receiver_count() > 0 || locked(&self.asked).is_some_and(|at| at.elapsed() < INTEREST)
    }

    /// The parts of a page.
    pub(crate) fn feed(&self, page: &str) -> Arc<Feed> {
        locked(&self.feeds).entry(page.to_owned()).or_default().clone()
    }

    /// Counts a stream of events until it is dropped; none if there are too many.
    pub(crate) fn stream(&self) -> Option<watch::Receiver<()>> {
        (self.streams.receiver_count() < MAX_STREAMS).then(|| self.streams.subscribe())
    }

    /// Ends everything.
    pub(crate) fn close(&self) {
        self.is_closed.store(true, Ordering::SeqCst);
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.is_closed.load(Ordering::SeqCst)
    }
}

/// The names of stores, each once.
fn named(paths: &[PathBuf]) -> Vec<String> {
    let short: Vec<String> = paths.iter().map(|path| short_name(path)).collect();
    let is_taken = |name: &String| short.iter().filter(|other| *other == name).count() > 1;
    let name = |(path, short): (&PathBuf, &String)| match is_taken(short) {
        true => format!("{short}-{}", digest(path)),
        false => short.clone(),
    };
    paths.iter().zip(&short).map(name).collect()
}

fn short_name(path: &Path) -> String {
    let file = beside(path);
    let stem = file.file_stem().map_or_else(|| "store".into(), |stem| stem.to_string_lossy().into_owned());
    let plain = |c: char| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '-' };
    let name: String = stem.chars().map(plain).collect();
    // Not a step in a path.
    if name.chars().all(|c| c == '.') { "store".into() } else { name }
}

fn digest(path: &Path) -> String {
    let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let digest = Sha256::digest(path.as_os_str().as_encoded_bytes());
    digest[..3].iter().map(|b| format!("{b:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique() {
        let paths =
            ["a/x.store", "b/x.store", "b/<script>.store", "..", "postgres://h/db/x%20y"].map(PathBuf::from);
        let names = named(&paths);
        assert!(
            names[0].starts_with("x-") && names[1].starts_with("x-") && names[0] != names[1],
            "{names:?}"
        );
        assert_eq!(names[2..], ["-script-", "store", "x-y"]);
        assert_eq!(named(&paths[1..2]), ["x"]);
    }
}
