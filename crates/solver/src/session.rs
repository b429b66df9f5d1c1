//! An SMT-LIB session: executes commands and sends their responses.
//!
//! The session keeps the assertion stack, the options and the last answer, and passes each check to
//! [`engine::check`]. It uses no clock and no files: a [`Host`] receives the responses and stops a check when its time is
//! up.
//!
//! A command that cannot be read or executed is answered by `(error "…")`, has no effect, and the next command is read
//! (`:error-behavior continued-execution`).
//!
//! Memory does not grow with the number of checks: the terms of a check are removed from the pool at its end, those of a
//! level when it is popped ([`smt::Pool::cut_back`]). If a model refers to terms of its check, they are kept as long as
//! the model is available.

mod answers;
mod check;
mod extensions;
mod functions;
mod memory;
mod options;
mod refused;
mod standby;
mod style;
mod support;
#[cfg(test)]
mod tests;
mod time;

pub use options::{Settings, option_names, takes_value};
pub use style::Style;
pub use support::unsupported;

use crate::engine;
use crate::options::Options;
use refused::Refused;
use semantics::Model;
use semantics::certificate::changes_meaning;
use smt::diag::{Position, position};
use smt::elaborate::Elaborator;
use smt::script::Plain;
use smt::sexpr::{Kind, Reader, Tree};
use smt::term::Mark;
use smt::work::Stop;
use smt::{Command, Dialect, Fun, Pool, Severity, Span, Term};
use support::Support;

/// The function that runs checks: [`engine::check`], or a replacement in tests.
pub type Engine = fn(&mut Pool, &[Term], &Options, &Stop) -> engine::Outcome;

/// The environment of a session.
pub trait Host {
    /// Receives a response: one or more lines, without the last line end. Returns false to end the session.
    fn respond(&mut self, text: &str) -> bool;

    /// Called at the start of a check or a query, with the time limit in milliseconds if a command set one. Returns
    /// the condition that its time is up.
    fn start(&mut self, limit: Option<u64>) -> Stop;

    /// The reason of `unknown` if the condition of the last start was reached.
    fn reached(&self) -> &'static str {
        "timeout"
    }

    /// The explanation of an answer, if the settings ask for it.
    fn explain(&mut self, lines: &[String]) {
        let _ = lines;
    }

    /// Called at the end of a check.
    fn done(&mut self, verdict: &str, outcome: &engine::Outcome) {
        let _ = (verdict, outcome);
    }
}

/// The state of a session after a sequence of commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// All commands were executed.
    Continue,
    /// `(exit)`, or the host ended the session.
    Exit,
}

/// An assertion in force.
#[derive(Debug)]
struct Asserted {
    term: Term,
    /// Its `:named` name.
    name: Option<Box<str>>,
    /// Why the solver does not support it.
    unsupported: Option<Box<str>>,
    /// Its text, for comparison with assertions of other checks.
    key: memory::Key,
    /// Its place in the engine that stays between checks.
    placed: standby::Placed,
}

/// Levels opened by one `push`.
#[derive(Debug)]
struct Level {
    assertions: usize,
    declared: usize,
    labels: usize,
    refused: usize,
    /// The pool before the `push`; none if declarations are global.
    mark: Option<Mark>,
    /// The declarations in force before it.
    scope: u64,
    count: u32,
}

/// The mode of the session, as in the standard: the answer of the last check, until a command changes the assertions.
#[derive(Debug)]
enum Mode {
    /// No check yet, or the assertions have changed since.
    Assert,
    Sat(Box<Model>),
    /// The core as indices of assertions, followed by assumptions; and the assumptions.
    Unsat(Vec<usize>, Box<[Term]>),
    Unknown,
}

/// The response to a command.
enum Response {
    /// Sent if `:print-success` is set.
    Success,
    Unsupported,
    Text(String),
    /// Nothing: the answer was printed with that of the check.
    Shown,
    /// The command is malformed.
    Error(String),
    /// The command is well-formed, but not available now, e.g. because there is no model.
    Refused(String),
    Exit,
}

/// A session over a pool.
pub struct Session<'p> {
    elaborator: Elaborator<'p>,
    engine: Engine,
    /// The pool as it was before the first command.
    start: Mark,
    /// The settings of the caller, restored by `reset`.
    initial: Settings,
    settings: Settings,
    logic: Option<String>,
    assertions: Vec<Asserted>,
    levels: Vec<Level>,
    declared: Vec<Fun>,
    /// Changes with the declarations in force.
    scope: u64,
    /// Whether a name has two declarations, in a scope.
    shadowed: Option<(u64, bool)>,
    /// Constants declared by `:named`.
    labels: Vec<Fun>,
    /// Commands in force that were refused.
    refused: Vec<Refused>,
    mode: Mode,
    /// Whether the model or core of the last check was printed with its answer.
    shown: bool,
    /// The pool before the last check, while its answer may refer to later terms.
    kept: Option<Mark>,
    reason: Option<String>,
    statistics: engine::Statistics,
    support: Support,
    /// What earlier checks leave for later ones.
    memory: memory::Memory,
    /// The engine that stays between checks.
    standby: standby::Standby,
    errors: usize,
    broken: bool,
}

impl<'p> Session<'p> {
    /// A session with an empty pool.
    pub fn new(pool: &'p mut Pool, dialect: Dialect, settings: Settings) -> Self {
        pool.read_datatypes();
        let mut elaborator = Elaborator::new(pool, dialect);
        elaborator.like_z3 = settings.style == Style::Z3;
        elaborator.signed = settings.style != Style::Own || settings.file;
        let start = elaborator.pool.mark();
        Session {
            elaborator,
            engine: engine::check,
            start,
            initial: settings.clone(),
            settings,
            logic: None,
            assertions: Vec::new(),
            levels: Vec::new(),
            declared: Vec::new(),
            scope: 0,
            shadowed: None,
            labels: Vec::new(),
            refused: Vec::new(),
            mode: Mode::Assert,
            shown: false,
            kept: None,
            reason: None,
            statistics: Vec::new(),
            support: Support::default(),
            memory: memory::Memory::default(),
            standby: standby::Standby::default(),
            errors: 0,
            broken: false,
        }
    }

    /// Replaces the engine.
    #[must_use]
    pub fn with_engine(mut self, engine: Engine) -> Self {
        self.engine = engine;
        self.standby.disable();
        self
    }

    /// The number of malformed commands.
    pub fn errors(&self) -> usize {
        self.errors
    }

    /// Whether the solver panicked in a check, which is a bug.
    pub fn is_broken(&self) -> bool {
        self.broken
    }

    /// The pool.
    pub fn pool(&self) -> &Pool {
        self.elaborator.pool
    }

    /// Executes the commands in `src`, which starts at position `at` of the input.
    pub fn run(&mut self, src: &[u8], dialect: Dialect, at: Position, host: &mut dyn Host) -> Flow {
        let mut reader = Reader::new(src, dialect.quoting());
        let mut tree = Tree::default();
        let mut was_stray = false;
        loop {
            match self.timed(host, |_| reader.read(&mut tree)) {
                Some(true) => {}
                Some(false) => return Flow::Continue,
                None => return self.abandon(src, at, host),
            }
            let stray = tree.node(0).kind != Kind::List;
            if stray && was_stray {
                reader.diagnostics.clear();
                continue;
            }
            was_stray = stray;
            let response = match reader.diagnostics.drain(..).next() {
                Some(d) => {
                    let message = with_hint(&d.message, d.hint.as_deref());
                    let message = self.located(src, at, d.span, &message);
                    self.refuse(src, &tree, &message);
                    Response::Error(message)
                }
                None => match self.execute(src, &tree, at, host) {
                    Some(response) => response,
                    None => return self.abandon(src, at, host),
                },
            };
            if !self.respond(response, host) {
                return Flow::Exit;
            }
        }
    }

    fn respond(&mut self, response: Response, host: &mut dyn Host) -> bool {
        match response {
            Response::Success => !self.settings.print_success || host.respond("success"),
            Response::Unsupported => host.respond("unsupported"),
            Response::Text(text) => host.respond(&text),
            Response::Shown => true,
            Response::Error(message) => {
                self.errors += 1;
                host.respond(&error_text(&message))
            }
            Response::Refused(message) => {
                // In the place of a solver every error is in the exit code.
                self.errors += usize::from(self.settings.style != Style::Own);
                host.respond(&error_text(&message))
            }
            Response::Exit => {
                if self.settings.print_success {
                    host.respond("success");
                }
                false
            }
        }
    }

    /// Executes the command in `tree`. A query or a malformed command leaves the pool unchanged.
    /// None if there was no time to read it.
    fn execute(&mut self, src: &[u8], tree: &Tree, at: Position, host: &mut dyn Host) -> Option<Response> {
        let query = is_query(src, tree);
        if !query {
            self.leave_check();
        }
        let (mark, scope) = (self.elaborator.pool.mark(), self.elaborator.mark());
        self.elaborator.forget_diagnostics();
        let request = self.timed(host, |session| session.read(src, tree))?;
        if let Some((span, message)) = self.command_error() {
            self.undo(&mark, scope);
            let message = self.located(src, at, span, &message);
            self.refuse(src, tree, &message);
            return Some(Response::Error(message));
        }
        let response = match request {
            Some(request) => self.perform(request, query, &mark, host),
            None => Err("malformed command".to_owned()),
        };
        if query {
            self.undo(&mark, scope);
        }
        let response = response.map(|r| match r {
            Response::Text(text) if query => Response::Text(self.settings.style.elements(text)),
            other => other,
        });
        let text = || String::from_utf8_lossy(tree.node(0).span.of(src));
        if matches!(response, Ok(Response::Unsupported)) && changes_meaning(&text()) {
            let message = self.located(src, at, tree.node(0).span, "unknown command");
            self.refuse(src, tree, &message);
        }
        let refused = |message: String| {
            let place = self.place(src, at, tree.node(0).span);
            Response::Refused(self.settings.style.refusal(place, &message))
        };
        Some(response.unwrap_or_else(refused))
    }

    /// The error in the command that was just read. Declaring a name twice is one.
    fn command_error(&self) -> Option<(Span, String)> {
        let diagnostics = &self.elaborator.diagnostics;
        let error = diagnostics.iter().find(|d| d.severity == Severity::Error);
        let twice = || diagnostics.iter().find(|d| d.code == smt::Code::Redeclared);
        error.or_else(twice).map(|d| (d.span, with_hint(&d.message, d.hint.as_deref())))
    }

    fn dispatch(&mut self, command: Command, mark: &Mark, host: &mut dyn Host) -> Result<Response, String> {
        match command {
            Command::Assert(t) => self.assert(t, mark),
            Command::DeclareFun(f) | Command::DeclareConst(f) => {
                self.scope += 1;
                self.declared.push(f);
            }
            Command::Push(n) => self.push(n),
            Command::Pop(n) => self.pop(n),
            Command::SetLogic(l) => self.logic = Some(self.elaborator.pool.names.name(l).to_owned()),
            Command::CheckSat => return Ok(self.check(&[], *mark, host)),
            Command::CheckSatAssuming(terms) => return Ok(self.check(&terms, *mark, host)),
            Command::SetOption(key, value) => return self.set_option(key, &value),
            Command::GetOption(key) => return Ok(self.get_option(key)),
            Command::GetInfo(key) => return self.get_info(key),
            Command::GetValue(terms) => return self.get_value(&terms).map(Response::Text),
            Command::Echo(text) => return Ok(Response::Text(self.echo(&text))),
            Command::Plain(p) => return self.plain(p),
            Command::Other(text) if !text.starts_with("(declare-") => return Ok(Response::Unsupported),
            Command::SetInfo(..) => {}
            Command::DeclareSort(..)
            | Command::DefineSort(..)
            | Command::DefineFun(_)
            | Command::DefineConst(_)
            | Command::DefineFunRec(_)
            | Command::DefineFunsRec(_)
            | Command::Other(_) => self.scope += 1,
        }
        Ok(Response::Success)
    }

    /// The text of `echo`: with quotes in the standard and cvc5, without in z3, which its clients expect.
    fn echo(&self, literal: &str) -> String {
        if self.settings.compliant || self.settings.style == Style::Cvc5 {
            return literal.to_owned();
        }
        let inner = literal.strip_prefix('"').and_then(|t| t.strip_suffix('"')).unwrap_or(literal);
        inner.replace("\"\"", "\"")
    }

    /// Whether the answer to a query was printed with the answer of the check, and not requested since.
    fn take_shown(&mut self, query: Plain) -> bool {
        let asked = match self.mode {
            Mode::Sat(_) => query == Plain::GetModel,
            Mode::Unsat(..) => query == Plain::GetUnsatCore,
            Mode::Assert | Mode::Unknown => false,
        };
        asked && std::mem::take(&mut self.shown)
    }

    fn plain(&mut self, p: Plain) -> Result<Response, String> {
        match p {
            Plain::Exit => return Ok(Response::Exit),
            Plain::Reset => self.reset(),
            Plain::ResetAssertions => self.reset_assertions(),
            Plain::GetProof => return Ok(Response::Unsupported),
            Plain::GetModel if self.take_shown(p) => return Ok(Response::Shown),
            Plain::GetUnsatCore if self.take_shown(p) => return Ok(Response::Shown),
            Plain::GetModel => return self.get_model().map(Response::Text),
            Plain::GetAssertions => return Ok(Response::Text(self.get_assertions())),
            Plain::GetAssignment => return self.get_assignment().map(Response::Text),
            Plain::GetUnsatAssumptions => return self.get_unsat_assumptions().map(Response::Text),
            Plain::GetUnsatCore => return self.get_unsat_core().map(Response::Text),
        }
        Ok(Response::Success)
    }

    fn assert(&mut self, t: Term, mark: &Mark) {
        let pool = &*self.elaborator.pool;
        let name = pool.given_name(t).map(|s| pool.names.name(s).into());
        let unsupported = self.support.unsupported(pool, t).map(String::into_boxed_str);
        let (key, placed) = (memory::Key::default(), standby::Placed::default());
        self.assertions.push(Asserted { term: t, name, unsupported, key, placed });
        for f in mark.funs()..pool.fun_count() {
            let f = Fun(f as u32);
            if pool.fun(f).def.is_some() && self.elaborator.lookup(pool.fun_name(f)) == Some(f) {
                self.labels.push(f);
            }
        }
    }

    fn push(&mut self, count: u32) {
        if count == 0 {
            return;
        }
        let mark = (!self.settings.global_declarations).then(|| self.elaborator.pool.mark());
        self.levels.push(Level {
            assertions: self.assertions.len(),
            declared: self.declared.len(),
            labels: self.labels.len(),
            refused: self.refused.len(),
            mark,
            scope: self.scope,
            count,
        });
    }

    /// Closes levels. The elaborator has checked that there are as many.
    fn pop(&mut self, mut count: u32) {
        let (mut cut, mut before) = (None, self.refused.len());
        while count > 0
            && let Some(level) = self.levels.last_mut()
        {
            self.assertions.truncate(level.assertions);
            before = level.refused;
            if let Some(mark) = level.mark {
                self.scope += u64::from(self.scope != level.scope);
                self.declared.truncate(level.declared);
                self.labels.truncate(level.labels);
                cut = Some(mark);
            }
            let closed = count.min(level.count);
            level.count -= closed;
            count -= closed;
            if level.count == 0 {
                self.levels.pop();
            }
        }
        self.pop_refused(before);
        if let Some(mark) = cut {
            self.cut_back(&mark);
        }
    }

    fn reset(&mut self) {
        // As in z3: a client that waits for `success` goes on doing so.
        let print_success = self.settings.print_success;
        self.settings = Settings { print_success, ..self.initial.clone() };
        self.logic = None;
        self.forget_all();
    }

    /// Removes all assertions and levels, and all declarations unless they are global. In the place of z3 levels stay open and
    /// declarations in force.
    fn reset_assertions(&mut self) {
        let z3 = self.elaborator.like_z3;
        if !self.settings.global_declarations && !z3 {
            return self.forget_all();
        }
        self.assertions.clear();
        self.refused.clear();
        if !z3 {
            self.levels.clear();
        }
        for level in &mut self.levels {
            (level.assertions, level.refused) = (0, 0);
        }
    }

    fn forget_all(&mut self) {
        self.assertions.clear();
        self.refused.clear();
        self.levels.clear();
        self.scope += 1;
        self.declared.clear();
        self.labels.clear();
        self.reason = None;
        self.statistics.clear();
        self.standby.forget();
        self.elaborator.leave(0);
        let start = self.start;
        self.cut_back(&start);
    }

    /// Discards the last answer, and the terms that its model refers to.
    fn leave_check(&mut self) {
        self.mode = Mode::Assert;
        self.shown = false;
        if let Some(mark) = self.kept.take() {
            self.cut_back(&mark);
        }
    }

    /// A message with its position in the input, in the form of the session.
    fn located(&self, src: &[u8], at: Position, span: Span, message: &str) -> String {
        self.settings.style.located(self.place(src, at, span), message)
    }

    fn place(&self, src: &[u8], at: Position, span: Span) -> Position {
        let mut place = position(src, span.start as usize);
        if place.line == 1 {
            place.column += at.column - 1;
        }
        place.line += at.line - 1;
        place
    }

    fn undo(&mut self, mark: &Mark, scope: usize) {
        self.elaborator.leave(scope);
        self.cut_back(mark);
    }

    fn cut_back(&mut self, mark: &Mark) {
        self.elaborator.cut_back(mark);
        self.support.cut_back(mark);
    }
}

/// The name of a command.
fn head<'s>(src: &'s [u8], tree: &Tree) -> &'s [u8] {
    tree.children(0).next().map_or(&b""[..], |c| tree.node(c).span.of(src))
}

/// Whether the command neither changes assertions nor declares anything: a query of the last check, or an option.
fn is_query(src: &[u8], tree: &Tree) -> bool {
    let head = head(src, tree);
    head.starts_with(b"get-")
        || matches!(head, b"echo" | b"set-info" | b"set-option" | b"exit")
        || extensions::is_query(head)
}

fn error_text(message: &str) -> String {
    format!("(error \"{}\")", message.replace('"', "\"\""))
}

fn with_hint(message: &str, hint: Option<&str>) -> String {
    hint.map_or_else(|| message.to_owned(), |hint| format!("{message}; {hint}"))
}
