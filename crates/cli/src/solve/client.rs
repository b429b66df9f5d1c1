//! The end of a session from outside: the client is gone, or the time of the process is over.
//!
//! Both are seen by a thread of their own, since the solver may be in the middle of a check.

use crate::personality::Personality;
use anyhow::Context as _;
use rustix::event::{PollFd, PollFlags, poll};
use std::io::Write as _;
use std::time::Duration;

/// Ends the process when nobody can read its responses any more. A script that is piped in is solved to its end: its pipe is closed
/// at once, but that of the responses is not.
pub(super) fn end_with_client() -> anyhow::Result<()> {
    let watch = || {
        let stdout = std::io::stdout();
        loop {
            let mut responses = [PollFd::new(&stdout, PollFlags::empty())];
            match poll(&mut responses, None) {
                Ok(_) if !responses[0].revents().is_empty() => std::process::exit(0),
                Ok(_) | Err(rustix::io::Errno::INTR) => {}
                Err(_) => return,
            }
        }
    };
    std::thread::Builder::new().spawn(watch).context("cannot start a thread").map(drop)
}

/// Ends the process after a time, as the solver does: z3 prints `timeout`, cvc5 a message on stderr.
#[allow(clippy::print_stderr, reason = "the output of the solver whose place is taken")]
pub(super) fn end_after(time: Duration, personality: Personality) {
    let end = move || {
        std::thread::sleep(time);
        match personality {
            Personality::Z3 => {
                let mut out = std::io::stdout().lock();
                let _ = out.write_all(b"timeout\n").and_then(|()| out.flush());
                std::process::exit(0);
            }
            Personality::Cvc5 | Personality::Cvc4 => {
                eprintln!("{} interrupted by timeout.", personality.name());
                std::process::exit(134);
            }
        }
    };
    // Without the thread the process has no limit, which is what a missing flag means; checks end by their own limits.
    let _ = std::thread::Builder::new().spawn(end);
}
