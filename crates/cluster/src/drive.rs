//! Submits what is missing until nothing is.
//!
//! The records decide, not the scheduler: a chunk is complete when all its jobs are recorded. A chunk that was submitted, is not in the
//! queue any more and is not complete is submitted again; so is one whose task is held, or runs far longer than it may. A chunk
//! that made no progress in a number of attempts is given up. An array has a list of its chunks in the folder of the plan, written before it is
//! submitted, and a name of its own, so that a driver that was killed finds what is running.

use crate::error::{Error, io_error};
use crate::files;
use campaign::clean::counted;
use campaign::process::Cancel;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Work in numbered chunks; its records say what is open.
pub trait Work {
    /// The folder that describes it, which all machines see.
    fn folder(&self) -> &Path;

    /// The number of chunks.
    fn chunks(&self) -> u64;

    /// What is open of a chunk: less after any progress, 0 if it is complete.
    fn open(&self, chunk: u64) -> u64;

    /// What users call a chunk.
    fn word(&self) -> &'static str {
        "chunk"
    }
}

/// A task that the scheduler knows and that has not ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Live {
    /// The array.
    pub array: u32,
    /// The index in the array.
    pub task: u32,
    /// It is running.
    pub running: bool,
    /// It will not start by itself.
    pub held: bool,
}

/// A scheduler of arrays. Errors are texts for people.
pub trait Scheduler {
    /// Submits an array with this number of tasks.
    fn submit(&mut self, array: u32, tasks: u32) -> Result<(), String>;
    /// The tasks of these arrays that have not ended.
    fn live(&mut self, arrays: &BTreeSet<u32>) -> Result<Vec<Live>, String>;
    /// Ends a task, or a whole array.
    fn cancel(&mut self, array: u32, task: Option<u32>);
    /// The last words of a task, if it left any.
    fn words(&self, array: u32, task: u32) -> Option<String>;
    /// A refusal that does not pass by itself.
    fn is_mistake(&self, _why: &str) -> bool {
        false
    }
    /// The time since some moment.
    fn now(&self) -> Duration;
    /// Waits, but not after a request to stop.
    fn wait(&mut self, time: Duration, cancel: &Cancel);
}

/// How arrays are submitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tuning {
    /// Maximum number of tasks of an array.
    pub array: usize,
    /// Maximum number of tasks in the queue.
    pub queued: usize,
    /// Attempts of a chunk that make no progress.
    pub attempts: u8,
    /// The time between looks at the queue and the shards.
    pub poll: Duration,
    /// The longest time that a task may run; none if the scheduler sees to that.
    pub longest: Option<Duration>,
}

impl Default for Tuning {
    fn default() -> Self {
        let poll = Duration::from_secs(5);
        Tuning { array: 1000, queued: 5000, attempts: 3, poll, longest: None }
    }
}

/// Looks at the queue without a task until it counts as ended: its last shard may be seen later.
const GRACE: u8 = 2;
/// Submissions in a row that may be refused while nothing is running.
const REFUSALS: u32 = 6;
/// The longest time between submissions that are refused.
const MAX_PAUSE: Duration = Duration::from_secs(300);

/// How it ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// All jobs are recorded.
    Complete,
    /// It was stopped; tasks may be running.
    Stopped,
    /// Chunks were given up.
    GivenUp(Vec<u64>),
}

/// Counts for a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Arrays that were submitted.
    pub arrays: u64,
    /// Tasks of those.
    pub tasks: u64,
    /// Chunks that were submitted again.
    pub again: u64,
    /// Submissions that were refused.
    pub refused: u64,
    /// Tasks that were adopted from another driver.
    pub adopted: u64,
}

/// A chunk that was submitted.
#[derive(Clone, Copy, Debug)]
struct Sent {
    array: u32,
    task: u32,
    /// Its open jobs at that time.
    open: u64,
    /// Looks at the queue without it.
    missing: u8,
    running_since: Option<Duration>,
}

/// Has all chunks of some work done.
pub struct Driver<'a> {
    scheduler: &'a mut dyn Scheduler,
    say: &'a mut dyn FnMut(&str),
    tuning: Tuning,
    lists: PathBuf,
    next_array: u32,
    queue: VecDeque<u64>,
    sent: BTreeMap<u64, Sent>,
    attempts: BTreeMap<u64, u8>,
    given_up: Vec<u64>,
    refusals: u32,
    not_before: Duration,
    mute: bool,
    /// Counts for a report.
    pub counts: Counts,
}

/// Merges what has arrived.
pub type Collect<'c, W> = &'c mut dyn FnMut(&mut W, &mut dyn FnMut(&str)) -> Result<(), Error>;

impl<'a> Driver<'a> {
    /// For some work. Arrays of an earlier driver are adopted.
    pub fn new(
        work: &dyn Work,
        scheduler: &'a mut dyn Scheduler,
        say: &'a mut dyn FnMut(&str),
        tuning: Tuning,
        cancel: &Cancel,
    ) -> Result<Driver<'a>, Error> {
        let lists = work.folder().join("arrays");
        files::create_folder(&lists)?;
        let mut driver = Driver {
            scheduler,
            say,
            tuning,
            lists,
            next_array: 0,
            queue: VecDeque::new(),
            sent: BTreeMap::new(),
            attempts: BTreeMap::new(),
            given_up: Vec::new(),
            refusals: 0,
            not_before: Duration::ZERO,
            mute: false,
            counts: Counts::default(),
        };
        driver.adopt(work, cancel)?;
        driver.queue = (0..work.chunks())
            .filter(|chunk| !driver.sent.contains_key(chunk) && work.open(*chunk) > 0)
            .collect();
        Ok(driver)
    }

    /// Works until all chunks are complete, it is stopped, or nothing more can be done.
    pub fn run<W: Work>(
        &mut self,
        work: &mut W,
        collect: Collect<'_, W>,
        cancel: &Cancel,
    ) -> Result<Ended, Error> {
        loop {
            collect(work, self.say)?;
            self.sent.retain(|&chunk, _| work.open(chunk) > 0);
            if self.sent.is_empty() && self.queue.is_empty() {
                let given_up = std::mem::take(&mut self.given_up);
                return Ok(if given_up.is_empty() { Ended::Complete } else { Ended::GivenUp(given_up) });
            }
            if cancel.is_cancelled() {
                return Ok(Ended::Stopped);
            }
            self.look(work);
            self.submit(work)?;
            self.scheduler.wait(self.tuning.poll, cancel);
        }
    }

    /// The arrays with tasks that may be running.
    pub fn arrays(&self) -> BTreeSet<u32> {
        self.sent.values().map(|sent| sent.array).collect()
    }

    /// Ends all tasks.
    pub fn cancel_all(&mut self) {
        for array in self.arrays() {
            self.scheduler.cancel(array, None);
        }
    }

    /// Takes over the arrays of an earlier driver.
    fn adopt(&mut self, work: &dyn Work, cancel: &Cancel) -> Result<(), Error> {
        let lists = read_lists(&self.lists)?;
        self.next_array = lists.keys().next_back().map_or(0, |last| last + 1);
        let open = |chunks: &[u64]| chunks.iter().any(|&chunk| work.open(chunk) > 0);
        let arrays: BTreeSet<u32> = lists.iter().filter(|(_, c)| open(c)).map(|(n, _)| *n).collect();
        if arrays.is_empty() {
            return Ok(());
        }
        let live = loop {
            match self.scheduler.live(&arrays) {
                Ok(live) => break live,
                Err(_) if cancel.is_cancelled() => return Ok(()),
                Err(e) => self.complain(&e),
            }
            self.scheduler.wait(self.tuning.poll, cancel);
        };
        for Live { array, task, .. } in live {
            let chunk = lists.get(&array).and_then(|list| list.get(task as usize)).copied();
            let Some((chunk, open)) = chunk.map(|c| (c, work.open(c))).filter(|(_, open)| *open > 0) else {
                continue;
            };
            self.counts.adopted += 1;
            self.sent.insert(chunk, Sent { array, task, open, missing: 0, running_since: None });
        }
        if self.counts.adopted > 0 {
            (self.say)(&format!("{} still in the queue", counted(self.counts.adopted, "task")));
        }
        Ok(())
    }

    /// Looks at the queue: chunks whose task has ended or does not start go back.
    fn look(&mut self, work: &dyn Work) {
        if self.sent.is_empty() {
            return;
        }
        let live = match self.scheduler.live(&self.arrays()) {
            Ok(live) => live,
            Err(e) => return self.complain(&e),
        };
        if std::mem::take(&mut self.mute) {
            (self.say)("the scheduler answers again");
        }
        let live: BTreeMap<(u32, u32), Live> = live.into_iter().map(|l| ((l.array, l.task), l)).collect();
        let now = self.scheduler.now();
        let longest = self.tuning.longest;
        let mut back = Vec::new();
        for (&chunk, sent) in &mut self.sent {
            match live.get(&(sent.array, sent.task)) {
                Some(task) if task.held => back.push((chunk, *sent, Some("it was held"))),
                Some(task) => {
                    sent.missing = 0;
                    sent.running_since = sent.running_since.filter(|_| task.running);
                    let since = if task.running { *sent.running_since.get_or_insert(now) } else { now };
                    if longest.is_some_and(|longest| now.saturating_sub(since) > longest) {
                        back.push((chunk, *sent, Some("it ran far longer than it may")));
                    }
                }
                None => {
                    sent.missing += 1;
                    if sent.missing >= GRACE {
                        back.push((chunk, *sent, None));
                    }
                }
            }
        }
        for (chunk, sent, stuck) in back {
            self.take_back(chunk, &sent, stuck, work);
        }
    }

    /// A chunk whose task has ended, or is stuck, goes back into the queue unless it was tried too often.
    fn take_back(&mut self, chunk: u64, sent: &Sent, stuck: Option<&str>, work: &dyn Work) {
        self.sent.remove(&chunk);
        if stuck.is_some() {
            self.scheduler.cancel(sent.array, Some(sent.task));
        }
        let attempts = self.attempts.entry(chunk).or_default();
        *attempts = if work.open(chunk) < sent.open { 0 } else { *attempts + 1 };
        if *attempts >= self.tuning.attempts {
            self.given_up.push(chunk);
            let words = self.scheduler.words(sent.array, sent.task);
            let why =
                words.or(stuck.map(ToOwned::to_owned)).unwrap_or_else(|| "its tasks left no message".into());
            (self.say)(&format!(
                "{} {chunk} is given up after {}: {why}",
                work.word(),
                counted((*attempts).into(), "attempt")
            ));
        } else {
            self.counts.again += 1;
            self.queue.push_back(chunk);
        }
    }

    /// Submits arrays while there is room in the queue.
    fn submit(&mut self, work: &dyn Work) -> Result<(), Error> {
        while !self.queue.is_empty() && self.scheduler.now() >= self.not_before {
            let room = self.tuning.queued.saturating_sub(self.sent.len());
            let size = self.tuning.array.min(self.queue.len()).min(room);
            // Few large arrays instead of many small ones.
            let large = self.tuning.array.min(self.tuning.queued) / 2;
            if size == 0 || (size < large && size < self.queue.len()) {
                return Ok(());
            }
            let chunks: Vec<u64> = self.queue.iter().take(size).copied().collect();
            let array = self.next_array;
            let taken = write_list(&self.lists, array, &chunks)
                .and_then(|()| self.scheduler.submit(array, size as u32).map_err(Error::Scheduler));
            match taken {
                Ok(()) => self.submitted(array, &chunks, work),
                Err(why) => return self.refused(array, why),
            }
        }
        Ok(())
    }

    fn submitted(&mut self, array: u32, chunks: &[u64], work: &dyn Work) {
        self.next_array += 1;
        (self.refusals, self.not_before) = (0, Duration::ZERO);
        self.counts.arrays += 1;
        self.counts.tasks += chunks.len() as u64;
        self.queue.drain(..chunks.len());
        for (&chunk, task) in chunks.iter().zip(0..) {
            let open = work.open(chunk);
            self.sent.insert(chunk, Sent { array, task, open, missing: 0, running_since: None });
        }
    }

    /// A submission was refused, or its list cannot be written: later again. An error if that happens too often while nothing is
    /// running, or will not pass.
    fn refused(&mut self, array: u32, why: Error) -> Result<(), Error> {
        let _ = std::fs::remove_file(list_path(&self.lists, array));
        self.counts.refused += 1;
        self.refusals += 1;
        let for_good = match &why {
            Error::Scheduler(why) => self.scheduler.is_mistake(why),
            _ => false,
        };
        if self.sent.is_empty() && (for_good || self.refusals >= REFUSALS) {
            return Err(match why {
                Error::Scheduler(why) if for_good => Error::Scheduler(format!(
                    "nothing can be submitted: {why}; `stringent cluster check` shows what is wrong"
                )),
                Error::Scheduler(why) => Error::Scheduler(format!("nothing can be submitted: {why}")),
                other => other,
            });
        }
        if self.refusals == 1 {
            (self.say)(&format!("a submission was refused, it is tried again: {why}"));
        }
        let pause = self.tuning.poll * 2u32.saturating_pow(self.refusals.min(12));
        self.not_before = self.scheduler.now() + pause.min(MAX_PAUSE);
        Ok(())
    }

    /// Reports once that the scheduler does not answer.
    fn complain(&mut self, why: &str) {
        if !std::mem::replace(&mut self.mute, true) {
            (self.say)(&format!("the scheduler does not answer; waiting: {why}"));
        }
    }
}

/// The file with the chunks of an array, one per line.
pub fn list_path(lists: &Path, array: u32) -> PathBuf {
    lists.join(format!("{array}.list"))
}

fn write_list(lists: &Path, array: u32, chunks: &[u64]) -> Result<(), Error> {
    let text: String = chunks.iter().map(|chunk| format!("{chunk}\n")).collect();
    files::write(&list_path(lists, array), text.as_bytes())
}

/// The chunks of an array.
pub fn read_list(path: &Path) -> Result<Vec<u64>, Error> {
    let text = std::fs::read_to_string(path).map_err(io_error(path))?;
    let chunks = text.lines().map(|line| line.trim().parse::<u64>()).collect::<Result<Vec<u64>, _>>();
    chunks.map_err(|e| Error::plan(path, format!("not a list of chunks: {e}")))
}

/// The lists of all arrays, by their numbers.
fn read_lists(lists: &Path) -> Result<BTreeMap<u32, Vec<u64>>, Error> {
    let mut all = BTreeMap::new();
    for entry in std::fs::read_dir(lists).map_err(io_error(lists))?.flatten() {
        let name = entry.file_name();
        let number = name.to_str().and_then(|n| n.strip_suffix(".list")?.parse::<u32>().ok());
        if let Some(number) = number {
            all.insert(number, read_list(&entry.path())?);
        }
    }
    Ok(all)
}
