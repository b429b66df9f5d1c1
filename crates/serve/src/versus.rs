//! Two campaigns compared run by run, in the background: one comparison at a time, each kept until one of its campaigns changes.

use crate::watch::{Watched, locked};
use campaign::report::{Data, compare, html};
use campaign::store::{Store, StoreError};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// A comparison of a running campaign is kept for this long.
const FRESH: Duration = Duration::from_secs(60);
/// The most comparisons that are kept.
const KEPT: usize = 32;

/// The state of a comparison.
#[derive(Clone, Debug)]
pub(crate) enum State {
    /// It is being made, or waits for another one.
    Busy,
    /// The differences, as HTML.
    Done(Arc<String>),
    /// Why there is none.
    Failed(String),
}

/// The comparisons that were asked for.
#[derive(Default)]
pub(crate) struct Comparisons {
    /// By the names of the older and the newer campaign, with the numbers of their snapshots.
    all: Mutex<BTreeMap<(String, String), Entry>>,
    /// Held by the one that is made.
    turn: Mutex<()>,
}

struct Entry {
    numbers: (u64, u64),
    made: Instant,
    state: State,
}

/// The comparison of two campaigns, which is begun if there is none of their last snapshots.
pub(crate) fn comparison(comparisons: &Arc<Comparisons>, old: &Arc<Watched>, new: &Arc<Watched>) -> State {
    let key = (old.name.clone(), new.name.clone());
    let numbers = (old.snapshot().number, new.snapshot().number);
    let mut all = locked(&comparisons.all);
    match all.get(&key) {
        Some(Entry { state: State::Busy, .. }) => return State::Busy,
        Some(entry) if entry.numbers == numbers || entry.made.elapsed() < FRESH => {
            return entry.state.clone();
        }
        _ => {}
    }
    if all.len() >= KEPT {
        all.retain(|_, entry| matches!(entry.state, State::Busy));
    }
    all.insert(key.clone(), Entry { numbers, made: Instant::now(), state: State::Busy });
    drop(all);
    let (comparisons, old, new) = (comparisons.clone(), old.clone(), new.clone());
    std::thread::spawn(move || {
        let turn = locked(&comparisons.turn);
        let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| made(&old, &new)));
        drop(turn);
        let state = match done {
            Ok(Ok(Ok(page))) => State::Done(Arc::new(page)),
            Ok(Ok(Err(why))) => State::Failed(why),
            Ok(Err(e)) => State::Failed(e.to_string()),
            Err(_) => State::Failed("an error of stringent".into()),
        };
        locked(&comparisons.all).insert(key, Entry { numbers, made: Instant::now(), state });
    });
    State::Busy
}

fn made(old: &Watched, new: &Watched) -> Result<Result<String, String>, StoreError> {
    let open = |watched: &Watched| Store::open_read_only(&watched.path);
    let (old, new) = (open(old)?, open(new)?);
    let (then, now) = (Data::read(&old, &[])?, Data::read(&new, &[])?);
    let compared = compare::compare_stores((&old, &then), (&new, &now), &[])?;
    Ok(compared.map(|c| html::comparison(&c).into_string()).map_err(|e| e.to_string()))
}
