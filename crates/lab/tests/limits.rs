//! Every long loop of the solver looks at the clock: tested on the scripts that are hardest to stop, without a clock.
//!
//! The condition that ends a check is a counter of its own polls, so the same poll ends it on every machine. For each
//! script the check is ended at the first poll, and at some later ones, which lie in different parts of the solver. Then
//!
//! - the answer is `unknown` for the reason `timeout`, or the check was done before;
//! - the session is intact: the next check is answered;
//! - no more than a few polls follow the one that ended the check, so nothing continues after it;
//! - no two polls are far apart. Here a clock is needed, but it is the CPU time of this thread, which does not
//!   depend on other programs, and the bound is fifty times what is allowed: a loop that never polls takes
//!   minutes on these scripts.
//!
//! `stringent bench limits` measures the overrun of complete processes.

use smt::diag::Position;
use smt::work::Stop;
use smt::{Dialect, Pool};
use solver::session::{Host, Session, Settings};
use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;
use stringent_lab::bench::limits::inputs::INPUTS;

/// The longest CPU time between two polls, in a build without optimisation and on a slow machine.
const MAX_GAP: Duration = Duration::from_secs(5);

/// Polls after which checks are ended.
const ENDS: [u64; 4] = [0, 20, 300, 2_000];

/// The polls of one command.
#[derive(Default)]
struct Polls {
    count: Cell<u64>,
    last: Cell<Duration>,
    gap: Cell<Duration>,
}

impl Polls {
    fn poll(&self, end: u64) -> bool {
        let now = cpu_time();
        self.gap.set(self.gap.get().max(now.saturating_sub(self.last.get())));
        self.last.set(now);
        self.count.set(self.count.get() + 1);
        self.count.get() > end
    }
}

/// The CPU time of this thread; zero where the system does not tell.
fn cpu_time() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text.split(' ').next().and_then(|n| n.parse().ok());
    Duration::from_nanos(nanoseconds.unwrap_or(0))
}

/// Records responses, and ends each check at a given poll.
struct Counter {
    end: u64,
    polls: Rc<Polls>,
    responses: Vec<String>,
}

impl Host for Counter {
    fn respond(&mut self, text: &str) -> bool {
        self.responses.push(text.to_owned());
        true
    }

    fn start(&mut self, _: Option<u64>) -> Stop {
        let (polls, end) = (Rc::new(Polls::default()), self.end);
        polls.last.set(cpu_time());
        self.polls = Rc::clone(&polls);
        Rc::new(move || polls.poll(end))
    }
}

/// Runs a script, then a small check in the same session.
fn run(name: &str, text: &str, end: u64) {
    let mut pool = Pool::new();
    let mut session = Session::new(&mut pool, Dialect::Smt26, Settings::default());
    let mut host = Counter { end, polls: Rc::default(), responses: Vec::new() };
    let start = Position { line: 1, column: 1 };
    let (check, queries) = text.split_at(text.find("(check-sat)").expect("there is a check") + 11);
    session.run(check.as_bytes(), Dialect::Smt26, start, &mut host);
    let gap = host.polls.gap.get().max(cpu_time().saturating_sub(host.polls.last.get()));
    assert!(gap < MAX_GAP, "{name}, ended at poll {end}: {gap:?} between two polls");
    assert!(host.polls.count.get() <= end + 8, "{name}: {} polls, ended at {end}", host.polls.count.get());
    let answer = host.responses.last().expect("there is an answer").clone();
    assert!(["sat", "unsat", "unknown"].contains(&answer.as_str()), "{name}: {answer}");
    if answer == "unknown" && host.polls.count.get() > end {
        session.run(b"(get-info :reason-unknown)", Dialect::Smt26, start, &mut host);
        assert_eq!(host.responses.last().map(String::as_str), Some("(:reason-unknown timeout)"), "{name}");
    }
    session.run(queries.as_bytes(), Dialect::Smt26, start, &mut host);
    host.end = u64::MAX;
    let next =
        b"(reset)(declare-const x String)(assert (= (str.++ x \"b\") \"ab\"))(check-sat)(get-value (x))";
    session.run(next, Dialect::Smt26, start, &mut host);
    assert!(host.responses.ends_with(&["sat".into(), "((x \"a\"))".into()]), "{name}: {:?}", host.responses);
    assert!(!session.is_broken(), "{name}");
    assert_eq!(session.errors(), 0, "{name}: {:?}", host.responses);
}

/// The scripts whose number is `part` modulo four: four tests, so that they run in parallel.
fn part(part: usize) {
    for (_, &(name, text)) in INPUTS.iter().enumerate().filter(|(i, _)| i % 4 == part) {
        let text = text();
        assert!(text.len() < 4_000_000, "{name}: {} bytes", text.len());
        ENDS.iter().for_each(|&end| run(name, &text, end));
    }
}

#[test]
fn checks_end_when_told_1() {
    part(0);
}

#[test]
fn checks_end_when_told_2() {
    part(1);
}

#[test]
fn checks_end_when_told_3() {
    part(2);
}

#[test]
fn checks_end_when_told_4() {
    part(3);
}

#[test]
fn there_are_thirty_or_more() {
    assert!(INPUTS.len() >= 30);
    let mut names: Vec<&str> = INPUTS.iter().map(|i| i.0).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), INPUTS.len());
}
