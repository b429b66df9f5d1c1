//! Commands of z3 that clients send: `eval`, `simplify`, `check-sat-using`; and those of optimisation, which are refused.

use super::{Host, Response, Session, head};
use crate::rewrite::{Mode, Rewriter};
use smt::print::term_text;
use smt::sexpr::Tree;
use smt::term::Mark;
use smt::work::within;
use smt::{Command, Term};

/// A command as it was read.
pub(super) enum Request {
    /// One of the standard.
    Standard(Command),
    /// `(eval t)`: the value of a term in the model.
    Eval(Term),
    /// `(simplify t)`: an equal term in normal form.
    Simplify(Term),
    /// A command that is known and not supported, with the reason.
    Never(&'static str),
}

/// Whether the command leaves assertions and declarations as they are.
pub(super) fn is_query(head: &[u8]) -> bool {
    matches!(head, b"eval" | b"simplify")
}

impl Session<'_> {
    /// Reads a command; none if it is malformed.
    pub(super) fn read(&mut self, src: &[u8], tree: &Tree) -> Option<Request> {
        let argument = tree.children(0).nth(1);
        match head(src, tree) {
            b"eval" => self.elaborator.read_term(src, tree, argument?).map(Request::Eval),
            b"simplify" => self.elaborator.read_term(src, tree, argument?).map(Request::Simplify),
            b"check-sat-using" => argument.map(|_| Request::Standard(Command::CheckSat)),
            b"minimize" | b"maximize" | b"assert-soft" | b"get-objectives" => {
                Some(Request::Never("optimisation is not supported"))
            }
            _ => self.elaborator.command(src, tree).map(Request::Standard),
        }
    }

    /// Executes a command that was read; `query` if it neither declares nor asserts.
    pub(super) fn perform(
        &mut self,
        request: Request,
        query: bool,
        mark: &Mark,
        host: &mut dyn Host,
    ) -> Result<Response, String> {
        match request {
            Request::Standard(command) if query => self.answer(command, mark, host),
            Request::Standard(command) => self.dispatch(command, mark, host),
            Request::Eval(t) => self.within_time(host, |s| s.value_of(t)),
            Request::Simplify(t) => self.within_time(host, |s| Ok(s.simplified(t))),
            Request::Never(why) => Err(why.to_owned()),
        }
    }

    fn within_time(
        &mut self,
        host: &mut dyn Host,
        work: impl FnOnce(&mut Self) -> Result<String, String>,
    ) -> Result<Response, String> {
        let stop = host.start(self.settings.time_limit);
        let text = within(&stop, || work(self)).unwrap_or_else(|| Err("the time limit was reached".into()));
        text.map(Response::Text)
    }

    fn simplified(&mut self, t: Term) -> String {
        let pool = &mut *self.elaborator.pool;
        let u = Rewriter::new().rewrite(pool, Mode::Full, t);
        term_text(pool, u)
    }
}
