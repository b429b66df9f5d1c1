//! The script that is sent to a solver: the instance in its dialect, with its options, and requests for models and cores.
//!
//! Only declarations, definitions, assertions and `check-sat` are sent, then the request for the model or the core. Other
//! commands of a file (`set-info`, its own `get-model`, `echo`) would only have to be separated from the answers again.
//!
//! Which of the two requests fits depends on the answer, which is not known when the script is sent. Where the answer is
//! known in advance, the fitting request comes first; the other follows only if evidence against a wrong answer is requested
//! ([`Wants::both`]), since some solvers stop at the error.

mod spelling;

use crate::case::Case;
use crate::outcome::Status;
use crate::profile::{ModelRequest, Profile};
use crate::settings::Wants;
use smt::print::{Inexpressible, Printer, Sharing};
use smt::script::{Entry, Plain};
use smt::{Command, Dialect, Fun, Head, Sort, Term};
use std::borrow::Cow;

/// A script in two parts: a session that separates instances with `push` and `pop` sends the first part once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parts {
    /// Options and logic.
    pub setup: String,
    /// Declarations, assertions, queries.
    pub body: String,
}

/// The requests after a `check-sat`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Requests {
    /// The model.
    pub model: bool,
    /// The core; it comes first where `unsat` is expected.
    pub core: bool,
}

impl Requests {
    /// The number of requests.
    pub fn count(self) -> usize {
        usize::from(self.model) + usize::from(self.core)
    }
}

/// The script of `case` for a solver with this profile and seed.
pub fn compose(case: &Case, profile: &Profile, seed: u64, wants: &Wants) -> Result<Vec<u8>, Inexpressible> {
    let parts = compose_parts(case, profile, seed, wants)?;
    Ok((parts.setup + &parts.body).into_bytes())
}

/// The same in two parts.
pub fn compose_parts(
    case: &Case,
    profile: &Profile,
    seed: u64,
    wants: &Wants,
) -> Result<Parts, Inexpressible> {
    let mut composer = Composer::new(case, profile, seed, wants);
    let setup = composer.setup();
    composer.body()?;
    Ok(Parts { setup, body: spelling::respelled(composer.out, &profile.spellings) })
}

/// The requests after the `n`th `check-sat`.
pub fn requests(case: &Case, n: usize, profile: &Profile, wants: &Wants) -> Requests {
    let status = case.status(n);
    let model = wants.model && profile.model != ModelRequest::None && (status != Status::Unsat || wants.both);
    let core = wants.core && profile.cores && wants.named && status != Status::Sat && case.has_names();
    Requests { model, core }
}

/// Replaces `{seed}`, `{time-ms}`, `{time-s}` and `{memory-mib}` in `text`.
pub fn fill<'t>(text: &'t str, seed: u64, wants: &Wants) -> Cow<'t, str> {
    if !text.contains('{') {
        return text.into();
    }
    let seconds = wants.time.as_millis().div_ceil(1000);
    text.replace("{seed}", &seed.to_string())
        .replace("{time-ms}", &wants.time.as_millis().to_string())
        .replace("{time-s}", &seconds.to_string())
        .replace("{memory-mib}", &wants.memory_mib.to_string())
        .into()
}

struct Composer<'a> {
    case: &'a Case,
    profile: &'a Profile,
    dialect: Dialect,
    seed: u64,
    wants: &'a Wants,
    requests: Vec<Requests>,
    /// Declared constants, and how many there were when each level was opened.
    constants: Vec<Fun>,
    levels: Vec<usize>,
    /// Declarations survive the level that they are in.
    global: bool,
    out: String,
}

impl<'a> Composer<'a> {
    fn new(case: &'a Case, profile: &'a Profile, seed: u64, wants: &'a Wants) -> Self {
        let requests = (0..case.checks()).map(|n| requests(case, n, profile, wants)).collect();
        Composer {
            case,
            profile,
            dialect: profile.dialect,
            seed,
            wants,
            requests,
            constants: Vec::new(),
            levels: Vec::new(),
            global: has_global_declarations(case),
            out: String::with_capacity(512),
        }
    }

    /// Options and logic.
    fn setup(&self) -> String {
        let mut out = String::with_capacity(256);
        let mut lines = |list: &[String], otherwise: &str| {
            for line in list {
                out.push_str(&fill(line, self.seed, self.wants));
                out.push('\n');
            }
            if list.is_empty() {
                out.push_str(otherwise);
            }
        };
        lines(&self.profile.prelude, "");
        if self.requests.iter().any(|a| a.model) {
            lines(&self.profile.model_prelude, "(set-option :produce-models true)\n");
        }
        if self.requests.iter().any(|a| a.core) {
            lines(&self.profile.core_prelude, "(set-option :produce-unsat-cores true)\n");
        }
        if !self.case.is_plain() {
            lines(&self.profile.incremental_prelude, "");
        }
        if self.global {
            out.push_str("(set-option :global-declarations true)\n");
        }
        self.logic(&mut out);
        out
    }

    fn logic(&self, out: &mut String) {
        let own = self.case.script.commands().find_map(|c| match c {
            Command::SetLogic(l) => Some(self.case.pool.names.name(*l)),
            _ => None,
        });
        if let Some(logic) = self.profile.logic.choose(own) {
            out.push_str("(set-logic ");
            out.push_str(&smt::symbol::quote(logic));
            out.push_str(")\n");
        }
    }

    fn body(&mut self) -> Result<(), Inexpressible> {
        let case = self.case;
        let mut check = 0;
        for (i, entry) in case.script.entries.iter().enumerate() {
            if entry.command == Command::Plain(Plain::Exit) {
                break;
            }
            if let Command::Assert(t) = entry.command
                && !self.wants.named
                && !self.is_used_by_name(t)
            {
                let bare = Command::Assert(case.pool.strip(t));
                self.entry(&Entry { command: bare, ..entry.clone() })?;
            } else if is_sent(&entry.command) {
                self.scope(&entry.command);
                self.entry(entry)?;
            }
            if case.certificate.queries.get(check).is_some_and(|q| q.command == Some(i)) {
                self.requests(check);
                check += 1;
            }
        }
        if case.certificate.queries[0].command.is_none() {
            self.out.push_str("(check-sat)\n");
            self.requests(0);
        }
        Ok(())
    }

    fn entry(&mut self, entry: &Entry) -> Result<(), Inexpressible> {
        let sharing = if entry.lets { Sharing::Always } else { Sharing::Auto };
        let mut printer = Printer::new(&self.case.pool, self.dialect).sharing(sharing);
        printer.command(&entry.command, &mut self.out)?;
        self.out.push('\n');
        if entry.command == Command::Plain(Plain::Reset) {
            let setup = self.setup();
            self.out.push_str(&setup);
        }
        Ok(())
    }

    /// Tracks the constants whose values can be requested.
    fn scope(&mut self, command: &Command) {
        match command {
            Command::DeclareFun(f) | Command::DeclareConst(f) if self.case.pool.fun(*f).params.is_empty() => {
                self.constants.push(*f);
            }
            Command::Push(n) => self.levels.extend((0..*n).map(|_| self.constants.len())),
            Command::Pop(n) => {
                for _ in 0..*n {
                    let open = self.levels.pop().unwrap_or(0);
                    if !self.global {
                        self.constants.truncate(open);
                    }
                }
            }
            Command::Plain(Plain::Reset | Plain::ResetAssertions) => {
                self.levels.clear();
                self.constants.clear();
            }
            _ => {}
        }
    }

    /// Adds the requests after a `check-sat`.
    fn requests(&mut self, n: usize) {
        let requested = self.requests[n];
        let core_first = self.case.status(n) == Status::Unsat;
        if requested.core && core_first {
            self.out.push_str("(get-unsat-core)\n");
        }
        if requested.model {
            self.model();
        }
        if requested.core && !core_first {
            self.out.push_str("(get-unsat-core)\n");
        }
    }

    fn model(&mut self) {
        let pool = &self.case.pool;
        let values: Vec<_> = (self.constants.iter())
            .filter(|&&f| pool.fun(f).ret != Sort::REGLAN)
            .map(|&f| smt::symbol::quote(pool.fun_name(f)))
            .collect();
        if self.profile.model == ModelRequest::GetValue && !values.is_empty() {
            self.out.push_str("(get-value (");
            self.out.push_str(&values.join(" "));
            self.out.push_str("))\n");
        } else {
            self.out.push_str("(get-model)\n");
        }
    }

    /// The name of assertion `t` is used in another assertion.
    fn is_used_by_name(&self, t: Term) -> bool {
        let pool = &self.case.pool;
        let Some(name) = pool.given_name(t) else { return false };
        (0..pool.len()).any(|i| match pool.head(Term(i as u32)) {
            Head::Fun(f) => pool.fun(f).name == name && pool.fun(f).params.is_empty(),
            _ => false,
        })
    }
}

/// The script sets the one option that changes its meaning.
pub fn has_global_declarations(case: &Case) -> bool {
    case.script.commands().any(|c| match c {
        Command::SetOption(key, value) => {
            case.pool.names.name(*key) == ":global-declarations" && &**value == "true"
        }
        _ => false,
    })
}

/// The command may change the answer.
fn is_sent(command: &Command) -> bool {
    match command {
        Command::SetLogic(_) | Command::SetInfo(..) | Command::SetOption(..) => false,
        Command::GetValue(_) | Command::GetInfo(_) | Command::GetOption(_) | Command::Echo(_) => false,
        Command::Plain(p) => matches!(p, Plain::Reset | Plain::ResetAssertions),
        Command::Other(text) => {
            let head = semantics::certificate::head(text);
            head.starts_with("declare-") || head.starts_with("define-")
        }
        _ => true,
    }
}

#[cfg(test)]
mod tests;
