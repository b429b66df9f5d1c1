//! Time limits of everything but checks: reading a file, and queries.

use super::{Flow, Host, Response, Session};
use smt::diag::Position;
use smt::term::Mark;
use smt::work::{test, within};
use smt::{Command, Span};

impl Session<'_> {
    /// Reads a part of a file within the time of the next check; none if that is up. In a session, which continues,
    /// reading has no limit.
    pub(super) fn timed<R>(&mut self, host: &mut dyn Host, read: impl FnOnce(&mut Self) -> R) -> Option<R> {
        if !self.settings.file {
            return Some(read(self));
        }
        let stop = host.start(self.settings.time_limit);
        within(&stop, || {
            test();
            read(self)
        })
    }

    /// Ends a file whose time was up before its next check was read.
    pub(super) fn abandon(&mut self, src: &[u8], at: Position, host: &mut dyn Host) -> Flow {
        host.respond("unknown");
        let end = Span { start: src.len() as u32, end: src.len() as u32 };
        let message = "the time limit was reached before all commands were read";
        let message = self.located(src, at, end, message);
        self.respond(Response::Error(message), host);
        Flow::Exit
    }

    /// Answers a query within the time of a check.
    pub(super) fn answer(
        &mut self,
        command: Command,
        mark: &Mark,
        host: &mut dyn Host,
    ) -> Result<Response, String> {
        let stop = host.start(self.settings.time_limit);
        let answer = within(&stop, || self.dispatch(command, mark, host));
        answer.unwrap_or_else(|| Err("the time limit was reached".into()))
    }
}
