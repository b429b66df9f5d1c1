//! The thread that brings campaigns up to date: all that someone looks at, a block of each in turn.
//!
//! A round over a campaign may cost a twentieth of the time: after it the campaign rests for twenty times as long as the round took, and for
//! at least a second and a half. So the reader takes at most 5 % of a processor once everything was read.

use crate::site::Site;
use crate::watch::{Snapshot, Watched};
use campaign::report::live::{Live, Step};
use campaign::store::{Store, StoreError};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The shortest rest between two rounds.
const REST: Duration = Duration::from_millis(1500);
/// A rest is at least this many times as long as the round before it.
const SHARE: u32 = 20;
/// The rest after an error.
const AFTER_ERROR: Duration = Duration::from_secs(5);
/// Time between snapshots of a campaign that is read for the first time.
const PARTIAL: Duration = Duration::from_millis(700);
/// The time over which the rate is measured.
const WINDOW: Duration = Duration::from_secs(60);
/// How often the folders and databases are looked at.
const PLACES: Duration = Duration::from_secs(3);
/// Sleep when there is nothing to do.
const IDLE: Duration = Duration::from_millis(50);

/// Reads until the site is closed.
pub(crate) fn run(site: &Site) {
    let mut all: BTreeMap<String, Reading> = BTreeMap::new();
    let mut looked = Instant::now();
    while !site.is_closed() {
        if looked.elapsed() >= PLACES && site.is_list_asked() {
            site.look();
            looked = Instant::now();
        }
        let campaigns = site.campaigns();
        all.retain(|name, reading| {
            campaigns.iter().any(|c| c.name == *name && Arc::ptr_eq(c, &reading.watched))
        });
        let mut is_busy = false;
        for watched in campaigns {
            let reading = all.entry(watched.name.clone()).or_insert_with(|| Reading::new(watched));
            is_busy |= reading.work();
        }
        if !is_busy {
            std::thread::sleep(IDLE);
        }
    }
}

/// A campaign that is read.
struct Reading {
    watched: Arc<Watched>,
    live: Option<Live>,
    /// When the next round begins.
    due: Instant,
    /// What this round has taken.
    cost: Duration,
    /// All of it was read once.
    is_whole: bool,
    /// When the last snapshot was made.
    shown: Option<Instant>,
    /// The number of runs at times of the last minute.
    history: VecDeque<(Instant, u64)>,
}

impl Reading {
    fn new(watched: Arc<Watched>) -> Reading {
        Reading {
            watched,
            live: None,
            due: Instant::now(),
            cost: Duration::ZERO,
            is_whole: false,
            shown: None,
            history: VecDeque::new(),
        }
    }

    /// Does a step if there is one to do.
    fn work(&mut self) -> bool {
        if Instant::now() < self.due || !self.watched.is_asked() {
            return false;
        }
        let start = Instant::now();
        let done = self.step();
        self.cost += start.elapsed();
        match done {
            Ok(Step::More) => return true,
            Ok(Step::Changed | Step::Same) => self.due = Instant::now() + REST.max(self.cost * SHARE),
            Err(e) => self.fail(&e),
        }
        self.cost = Duration::ZERO;
        true
    }

    fn step(&mut self) -> Result<Step, StoreError> {
        let live = match &mut self.live {
            Some(live) => live,
            none => none.insert(Live::open(&self.watched.path)?),
        };
        let step = live.step()?;
        match step {
            Step::More if !self.is_whole && self.shown.is_none_or(|at| at.elapsed() >= PARTIAL) => {
                self.show()?;
            }
            Step::More => {}
            Step::Changed => {
                self.is_whole = true;
                self.show()?;
            }
            Step::Same => self.rest()?,
        }
        Ok(step)
    }

    /// Nothing has changed; the rate has.
    fn rest(&mut self) -> Result<(), StoreError> {
        let last = self.watched.snapshot();
        let was_moving = last.is_moving == Some(true) || last.error.is_some();
        if was_moving { self.show() } else { Ok(()) }
    }

    /// Makes a snapshot.
    fn show(&mut self) -> Result<(), StoreError> {
        let Some(live) = &self.live else { return Ok(()) };
        let data = live.data()?;
        let now = Instant::now();
        self.shown = Some(now);
        if self.is_whole {
            self.history.push_back((now, data.totals.runs));
        }
        while self.history.get(1).is_some_and(|(at, _)| now.duration_since(*at) >= WINDOW) {
            self.history.pop_front();
        }
        let (rate, is_moving) = rate(&self.history);
        self.watched.publish(Snapshot {
            ranges: if self.is_whole { live.ranges() } else { Vec::new() },
            read: if self.is_whole { 1.0 } else { live.progress().min(0.99) },
            bytes: self.watched.with_store(Store::size)?,
            data: Some(data),
            rate,
            is_moving,
            error: None,
            number: 0,
        });
        Ok(())
    }

    /// Shows an error, and tries again later with a new connection.
    fn fail(&mut self, error: &StoreError) {
        let (watched, due) = (self.watched.clone(), Instant::now() + AFTER_ERROR);
        *self = Reading { due, ..Reading::new(watched) };
        let error = Some(error.to_string());
        if self.watched.snapshot().error != error {
            self.watched.publish(Snapshot { error, ..Snapshot::default() });
        }
    }
}

/// Runs per second, and whether there were any.
fn rate(history: &VecDeque<(Instant, u64)>) -> (Option<f64>, Option<bool>) {
    let (Some((from, before)), Some((to, after))) = (history.front(), history.back()) else {
        return (None, None);
    };
    let seconds = to.duration_since(*from).as_secs_f64();
    if seconds < 1.0 {
        return (None, None);
    }
    let is_moving = after > before;
    let is_known = is_moving || seconds >= WINDOW.as_secs_f64() / 2.0;
    let rate = after.saturating_sub(*before) as f64 / seconds;
    (is_moving.then_some(rate), is_known.then_some(is_moving))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates() {
        let start = Instant::now();
        let at = |list: &[(u64, u64)]| -> VecDeque<(Instant, u64)> {
            list.iter().map(|(s, runs)| (start + Duration::from_secs(*s), *runs)).collect()
        };
        assert_eq!(rate(&at(&[])), (None, None));
        assert_eq!(rate(&at(&[(0, 5)])), (None, None));
        assert_eq!(rate(&at(&[(0, 5), (2, 25), (10, 105)])), (Some(10.0), Some(true)));
        assert_eq!(rate(&at(&[(0, 5), (10, 5)])), (None, None));
        assert_eq!(rate(&at(&[(0, 5), (40, 5)])), (None, Some(false)));
    }
}
