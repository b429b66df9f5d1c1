//! What a task does for a part: it goes on from the newest copy, and writes the next ones.
//!
//! The search runs on files of this machine. Another thread writes the copies meanwhile, as [`Search::copy`] finds the files at that moment: they must be such
//! that a search can go on from them, as after `kill -9`.

use super::Parts;
use super::copy::{self, Counts, Files, Head};
use crate::error::{Error, io_error};
use crate::worker::{Task, host};
use campaign::process::Cancel;
use std::path::Path;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// Tries to write the last copy, and the time between them.
const TRIES: u32 = 3;
const RETRY: Duration = Duration::from_secs(1);

/// A search that can be stopped at any moment.
pub trait Search<E>: Sync {
    /// Searches, from what is in the folder on. False if it was stopped before it was done.
    fn run(&self, folder: &Path, cancel: &Cancel) -> Result<bool, E>;

    /// The files of the folder as of one moment, and what they count, while the search runs or after it; none if there is nothing yet.
    fn copy(&self, folder: &Path) -> Result<Option<(Files, Counts)>, E>;
}

/// What a task is to do.
#[derive(Clone, Debug)]
pub struct Order<'a> {
    /// The part.
    pub part: u64,
    /// The folder of the copies.
    pub out: &'a Path,
    /// The time between copies.
    pub every: Duration,
    /// The task, as the scheduler names it.
    pub task: Task,
}

/// What a task did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Worked {
    /// The number of the copy that it went on from; 0 if there was none.
    pub from: u64,
    /// The number of its last copy.
    pub to: u64,
    /// The part is done.
    pub done: bool,
    /// Another task is ahead.
    pub behind: bool,
}

/// Does a part.
pub fn work<E: From<Error> + Send>(
    parts: &Parts,
    order: &Order<'_>,
    search: &dyn Search<E>,
    cancel: &Cancel,
) -> Result<Worked, E> {
    if order.part >= parts.header.parts {
        return Err(Error::NoChunk(order.part, parts.header.parts).into());
    }
    let folder = tempfile::tempdir().map_err(io_error(Path::new("a temporary folder")))?;
    let from = start(parts, order, folder.path())?;
    let from = match from {
        Some(Head { number, done: true, .. }) => {
            return Ok(Worked { from: number, to: number, done: true, behind: false });
        }
        other => other.map_or(0, |head| head.number),
    };
    let mut copier = Copier { parts, order, search, folder: folder.path(), number: from, behind: false };
    let (end, ended) = mpsc::channel::<()>();
    let done = std::thread::scope(|scope| {
        let (copier, thread_cancel) = (&mut copier, cancel.clone());
        scope.spawn(move || copier.now_and_then(&ended, &thread_cancel));
        let done = search.run(folder.path(), cancel);
        drop(end);
        done
    })?;
    if !copier.behind {
        copier.finish(done)?;
    }
    let Copier { number, behind, .. } = copier;
    Ok(Worked { from, to: number, done: done && !behind, behind })
}

/// Writes the files of the newest copy into the folder. One that cannot be read counts for nothing; the driver names it.
fn start(parts: &Parts, order: &Order<'_>, folder: &Path) -> Result<Option<Head>, Error> {
    let path = order.out.join(order.part.to_string());
    let Ok((head, files)) = copy::read(&path, &parts.digest, order.part) else { return Ok(None) };
    copy::unpack(&files, folder)?;
    Ok(Some(head))
}

/// Writes copies.
struct Copier<'a, E> {
    parts: &'a Parts,
    order: &'a Order<'a>,
    search: &'a dyn Search<E>,
    folder: &'a Path,
    /// The number of the last copy.
    number: u64,
    /// Another task is ahead.
    behind: bool,
}

impl<E: From<Error>> Copier<'_, E> {
    /// Writes copies until the search has ended; stops it if another task is ahead.
    fn now_and_then(&mut self, ended: &Receiver<()>, cancel: &Cancel) {
        let mut next = Instant::now() + self.order.every;
        while let Err(RecvTimeoutError::Timeout) =
            ended.recv_timeout(next.saturating_duration_since(Instant::now()))
        {
            // The disk may have room again when the next copy is due.
            let _ = self.copy(false);
            if self.behind {
                return cancel.cancel();
            }
            next = Instant::now() + self.order.every;
        }
    }

    fn copy(&mut self, done: bool) -> Result<(), E> {
        let Order { part, out, task, .. } = self.order;
        let newest = copy::head(&out.join(part.to_string()), &self.parts.digest, *part).ok().flatten();
        if newest.is_some_and(|head| head.number > self.number) {
            self.behind = true;
            return Ok(());
        }
        let Some((files, counts)) = self.search.copy(self.folder)? else { return Ok(()) };
        let head = Head {
            parts: self.parts.digest.clone(),
            part: *part,
            number: self.number + 1,
            done,
            host: host(),
            counts,
            payload: String::new(),
        };
        copy::write(out, &format!(".{}.{}", task.job, task.restart), &head, &files)?;
        self.number += 1;
        Ok(())
    }

    /// Writes the last copy.
    fn finish(&mut self, done: bool) -> Result<(), E> {
        let mut tries = 1;
        while let Err(e) = self.copy(done) {
            if tries == TRIES {
                return Err(e);
            }
            tries += 1;
            std::thread::sleep(RETRY);
        }
        Ok(())
    }
}
