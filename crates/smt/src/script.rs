//! Scripts: sequences of commands over a [`Pool`](crate::term::Pool).

use crate::diag::Span;
use crate::dialect::Dialect;
use crate::symbol::{Interner, Symbol};
use crate::term::{Fun, Sort, Term};

/// A command of SMT-LIB 2.7, or another one, kept as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `(set-logic L)`
    SetLogic(Symbol),
    /// `(set-info :k v)`: the keyword and the value as written (empty if none).
    SetInfo(Symbol, Box<str>),
    /// `(set-option :k v)`
    SetOption(Symbol, Box<str>),
    /// `(declare-sort S n)`
    DeclareSort(Symbol, u32),
    /// `(define-sort S (P …) T)`: name, parameters, sort.
    DefineSort(Symbol, Box<[Symbol]>, Sort),
    /// `(declare-fun f (S …) T)`
    DeclareFun(Fun),
    /// `(declare-const c T)`
    DeclareConst(Fun),
    /// `(define-fun f ((x S) …) T t)`
    DefineFun(Fun),
    /// `(define-const c T t)`, an extension of z3 and cvc5.
    DefineConst(Fun),
    /// `(define-fun-rec …)`
    DefineFunRec(Fun),
    /// `(define-funs-rec …)`
    DefineFunsRec(Box<[Fun]>),
    /// `(assert t)`
    Assert(Term),
    /// `(check-sat)`
    CheckSat,
    /// `(check-sat-assuming (t …))`
    CheckSatAssuming(Box<[Term]>),
    /// `(push n)`
    Push(u32),
    /// `(pop n)`
    Pop(u32),
    /// `(get-value (t …))`
    GetValue(Box<[Term]>),
    /// `(get-info :k)`
    GetInfo(Symbol),
    /// `(get-option :k)`
    GetOption(Symbol),
    /// `(echo "…")`: the literal as written, with its quotes.
    Echo(Box<str>),
    /// A command without arguments.
    Plain(Plain),
    /// Any other command, as written: `declare-datatypes`, a solver's own, an unknown one.
    Other(Box<str>),
}

/// Commands without arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "each is the SMT-LIB command of the same name")]
pub enum Plain {
    Exit,
    GetAssertions,
    GetAssignment,
    GetModel,
    GetProof,
    GetUnsatAssumptions,
    GetUnsatCore,
    Reset,
    ResetAssertions,
}

impl Plain {
    /// All of them.
    pub const ALL: [Plain; 9] = [
        Plain::Exit,
        Plain::GetAssertions,
        Plain::GetAssignment,
        Plain::GetModel,
        Plain::GetProof,
        Plain::GetUnsatAssumptions,
        Plain::GetUnsatCore,
        Plain::Reset,
        Plain::ResetAssertions,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Plain::Exit => "exit",
            Plain::GetAssertions => "get-assertions",
            Plain::GetAssignment => "get-assignment",
            Plain::GetModel => "get-model",
            Plain::GetProof => "get-proof",
            Plain::GetUnsatAssumptions => "get-unsat-assumptions",
            Plain::GetUnsatCore => "get-unsat-core",
            Plain::Reset => "reset",
            Plain::ResetAssertions => "reset-assertions",
        }
    }
}

/// A command and its place in the source.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The command.
    pub command: Command,
    /// Its span; empty for commands built by a program.
    pub span: Span,
    /// White space and comments before it.
    pub trivia: Span,
    /// Its text used `let`, so it is printed with `let`.
    pub lets: bool,
}

/// A script.
#[derive(Clone, Debug, Default)]
pub struct Script {
    /// Its commands.
    pub entries: Vec<Entry>,
    /// The dialect it was read in.
    pub dialect: Dialect,
}

impl Script {
    /// The commands.
    pub fn commands(&self) -> impl Iterator<Item = &Command> {
        self.entries.iter().map(|e| &e.command)
    }

    /// Appends a command built by a program.
    pub fn push(&mut self, command: Command) {
        self.entries.push(Entry { command, span: Span::default(), trivia: Span::default(), lets: false });
    }

    /// The values that `set-info` gives to an attribute such as `:status`, without their quotes.
    pub fn infos<'s>(&'s self, names: &'s Interner, key: &'s str) -> impl Iterator<Item = String> + 's {
        self.commands().filter_map(move |c| match c {
            Command::SetInfo(k, value) if names.name(*k) == key => Some(bare(value)),
            _ => None,
        })
    }

    /// The constants and functions that it declares.
    pub fn declared(&self) -> impl Iterator<Item = Fun> + '_ {
        self.commands().filter_map(|c| match c {
            Command::DeclareFun(f) | Command::DeclareConst(f) => Some(*f),
            _ => None,
        })
    }

    /// All asserted terms, of all levels.
    pub fn assertions(&self) -> impl Iterator<Item = Term> + '_ {
        self.commands().filter_map(|c| match c {
            Command::Assert(t) => Some(*t),
            _ => None,
        })
    }
}

/// The value of an attribute without its quotes or bars.
pub fn bare(value: &str) -> String {
    let within = |q: char| value.strip_prefix(q).and_then(|v| v.strip_suffix(q));
    within('"').map(|v| v.replace("\"\"", "\"")).or(within('|').map(str::to_owned)).unwrap_or(value.into())
}
