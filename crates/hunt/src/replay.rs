//! Sessions as scripts: what a process got before an instance, and the instance.
//!
//! A failure that is not there with the instance alone may need what came before it. Then it is a failure of an incremental script, which is
//! kept and reduced like others.
//!
//! ```text
//! (push 1) a (check-sat) (pop 1)   (reset)   (push 1) b (check-sat) (pop 1)   (push 1) c (check-sat)      c fails
//!                                            └────────── first script ──────────────────────────────┘
//! └───────────────────────────── second script ─────────────────────────────────────────────────────┘
//! ```

use campaign::case::Case;
use campaign::compose::has_global_declarations;
use campaign::session::Reply;
use smt::print::Printer;
use smt::script::Plain;
use smt::{Command, Dialect};
use std::fmt::Write as _;

/// Instances of a script at most: those before matter less and less.
const LONGEST: usize = 200;

/// What the sessions of a unit got.
#[derive(Default)]
pub(crate) struct Log(Vec<Vec<Entry>>);

/// An instance in a session.
pub(crate) struct Entry {
    case: Case,
    /// It is the first one after a `(reset)`.
    reset: bool,
    /// It has a level of its own.
    level: bool,
    output: Vec<u8>,
}

/// The place of an instance: its session, and its number there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place(usize, usize);

/// A session up to an instance.
pub(crate) struct Replay {
    /// The script.
    pub(crate) text: String,
    /// The instances before.
    pub(crate) before: usize,
    /// What the solver printed.
    pub(crate) output: Vec<u8>,
}

impl Entry {
    pub(crate) fn new(case: &Case, reset: bool, level: bool) -> Entry {
        Entry { case: case.clone(), reset, level, output: Vec::new() }
    }
}

impl Log {
    /// A session begins.
    pub(crate) fn begin(&mut self) {
        self.0.push(Vec::new());
    }

    pub(crate) fn sent(&mut self, entry: Entry) {
        self.0.last_mut().expect("a session has begun").push(entry);
    }

    /// The reply to an instance of the last session.
    pub(crate) fn answered(&mut self, number: usize, reply: &Reply) -> Place {
        let session = self.0.len() - 1;
        self.0[session][number].output.clone_from(&reply.output);
        Place(session, number)
    }

    /// The sessions up to an instance: since the last `(reset)`, and all. `last` is the instance, with its answer if that is known now.
    pub(crate) fn replays(&self, Place(session, number): Place, last: &Case) -> Vec<Replay> {
        let all = &self.0[session][..=number];
        let reset = all.iter().rposition(|e| e.reset).unwrap_or(0);
        let long = all.len().saturating_sub(LONGEST);
        let mut begins = vec![reset.max(long), long];
        begins.dedup();
        begins.into_iter().filter(|&begin| begin < number).filter_map(|b| replay(&all[b..], last)).collect()
    }
}

/// A session as one script; none if its instances have options that do not go together.
fn replay(entries: &[Entry], last: &Case) -> Option<Replay> {
    let (_, before) = entries.split_last()?;
    let mut text = "(set-logic ALL)\n".to_owned();
    for (n, entry) in entries.iter().enumerate() {
        if n > 0 && entry.reset {
            text.push_str("(reset)\n(set-logic ALL)\n");
        }
        let level = if entry.level { ("(push 1)\n", "(pop 1)\n") } else { ("", "") };
        text.push_str(level.0);
        if n == before.len() {
            commands(last, &mut text)?;
        } else {
            commands(&entry.case, &mut text)?;
            text.push_str(level.1);
        }
    }
    let output = entries.iter().flat_map(|e| e.output.iter().chain(b"\n")).copied().collect();
    Some(Replay { text, before: before.len(), output })
}

/// The commands of an instance that are sent, with the answers that are known.
fn commands(case: &Case, out: &mut String) -> Option<()> {
    if has_global_declarations(case) {
        return None;
    }
    let mut printer = Printer::new(&case.pool, Dialect::Smt26);
    let mut check = 0;
    for command in case.script.commands() {
        match command {
            Command::SetLogic(_) | Command::SetInfo(..) | Command::SetOption(..) => continue,
            Command::Plain(plain) if !matches!(plain, Plain::Reset | Plain::ResetAssertions) => continue,
            Command::CheckSat | Command::CheckSatAssuming(_) => {
                let _ = writeln!(out, "(set-info :status {})", case.status(check));
                check += 1;
            }
            _ => {}
        }
        printer.command(command, out).ok()?;
        out.push('\n');
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use campaign::outcome::Ending;
    use std::time::Duration;

    fn case(text: &str) -> Case {
        Case::from_text("c", text.as_bytes()).expect("a script")
    }

    fn reply(text: &str) -> Reply {
        let (output, stderr) = (text.as_bytes().to_vec(), Vec::new());
        Reply { output, stderr, wall: Duration::ZERO, ending: Ending::Running }
    }

    #[test]
    fn a_session_is_a_script_that_can_be_read() {
        let mut log = Log::default();
        log.begin();
        for (reset, constant) in [(true, "x"), (true, "y"), (false, "x"), (false, "x")] {
            let text = format!(
                "(set-info :status sat)(declare-const {constant} Int)(assert (! (< 0 {constant}) :named a))(check-sat)"
            );
            log.sent(Entry::new(&case(&text), reset, true));
        }
        let place = (0..3).map(|n| log.answered(n, &reply("sat"))).last().expect("three");
        let last = case("(set-info :status unsat)(assert false)(check-sat)");
        let replays = log.replays(place, &last);
        let checks: Vec<usize> = replays.iter().map(|r| case(&r.text).checks()).collect();
        assert_eq!(checks, [2, 3]);
        let read = case(&replays[1].text);
        assert_eq!(read.doubt, None);
        assert_eq!(read.check(2).assertions.len(), 1, "{}", replays[1].text);
        let statuses: Vec<String> = (0..3).map(|n| read.status(n).to_string()).collect();
        assert_eq!(statuses, ["sat", "sat", "unsat"]);
        assert_eq!(replays[0].output, b"sat\nsat\n");
        assert!(log.replays(Place(0, 0), &last).is_empty());
    }
}
