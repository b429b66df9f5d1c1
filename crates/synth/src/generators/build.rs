//! The builder of scripts that all generators use.

use rustc_hash::FxHashMap;
use semantics::instance::{Instance, Truth};
use semantics::{Model, Str, Value};
use smt::symbol::Symbol;
use smt::{Command, Fun, Head, Op, Pool, Sort, Term};
use std::fmt::Write as _;

/// The maximal number of characters in all values of a model. A larger model is of no use, and the instance is
/// unlabelled.
pub const MAX_MODEL: u64 = 1 << 22;

/// Builds a script. It can be reused: terms stay in the pool for the next script, up to a limit, so that common terms are
/// built once. Texts do not depend on other terms in the pool.
#[derive(Debug)]
pub struct Builder {
    made: Instance,
    /// The constants that were declared, by name and sort.
    declared: FxHashMap<(Symbol, Sort), Fun>,
    /// The functions that were defined, by name.
    functions: FxHashMap<&'static str, Fun>,
    assertions: usize,
    logic: &'static str,
    /// The property that scales, and its value.
    scale: Option<(&'static str, u64)>,
    name: String,
}

/// A pool with more terms is not reused.
const MAX_POOL: usize = 8192;

impl Default for Builder {
    fn default() -> Self {
        Builder {
            made: Instance::default(),
            declared: FxHashMap::default(),
            functions: FxHashMap::default(),
            assertions: 0,
            logic: "QF_SLIA",
            scale: None,
            name: String::new(),
        }
    }
}

impl Builder {
    /// Continues an instance.
    pub fn over(made: Instance) -> Builder {
        let assertions = made.script.assertions().count();
        Builder { made, assertions, ..Builder::default() }
    }

    /// Starts the next script.
    pub fn clear(&mut self) {
        if self.made.pool.len() > MAX_POOL {
            self.made.pool = Pool::new();
            self.declared.clear();
            self.functions.clear();
        }
        self.made.script.entries.clear();
        self.made.truth = Truth::Unknown;
        self.assertions = 0;
        self.logic = "QF_SLIA";
        self.scale = None;
    }

    /// Sets the value of the property that scales, against which reports plot times.
    pub fn grows(&mut self, property: &'static str, value: u64) {
        self.scale = Some((property, value));
    }

    /// That property and its value.
    pub fn scale(&self) -> Option<(&'static str, u64)> {
        self.scale
    }

    /// Sets the logic; it is QF_SLIA otherwise.
    pub fn logic(&mut self, logic: &'static str) {
        self.logic = logic;
    }

    /// The logic.
    pub fn logic_name(&self) -> &'static str {
        self.logic
    }

    /// Declares the constant with the name `stem` and a number.
    pub fn declare(&mut self, stem: &str, number: usize, sort: Sort) -> Term {
        self.name.clear();
        self.name.push_str(stem);
        let _ = write!(self.name, "{number}");
        let name = self.made.pool.names.intern(&self.name);
        let pool = &mut self.made.pool;
        let f = *self.declared.entry((name, sort)).or_insert_with(|| pool.declare(name, Box::new([]), sort));
        self.made.script.push(Command::DeclareConst(f));
        self.made.pool.apply(f, &[])
    }

    /// The function of this name, which `make` defines unless an earlier script did. The caller pushes the
    /// definition.
    pub fn defined(&mut self, name: &'static str, make: impl FnOnce(&mut Builder) -> Fun) -> Fun {
        if let Some(&f) = self.functions.get(name) {
            return f;
        }
        let f = make(self);
        self.functions.insert(name, f);
        f
    }

    /// Asserts a term; its index among assertions.
    pub fn assert(&mut self, t: Term) -> usize {
        self.made.script.push(Command::Assert(t));
        self.assertions += 1;
        self.assertions - 1
    }

    /// Appends a command.
    pub fn push(&mut self, command: Command) {
        self.made.script.push(command);
    }

    /// An application of an operator whose result has this sort; the caller guarantees well-sorted arguments.
    pub fn mk(&mut self, op: Op, sort: Sort, args: &[Term]) -> Term {
        self.made.pool.mk(Head::Op(op), sort, args)
    }

    /// `(= a b)`
    pub fn eq(&mut self, a: Term, b: Term) -> Term {
        self.mk(Op::Eq, Sort::BOOL, &[a, b])
    }

    /// `(not a)`
    pub fn not(&mut self, a: Term) -> Term {
        self.mk(Op::Not, Sort::BOOL, &[a])
    }

    /// `(str.len a)`
    pub fn len(&mut self, a: Term) -> Term {
        self.mk(Op::StrLen, Sort::INT, &[a])
    }

    /// `(str.++ a b)`
    pub fn concat(&mut self, a: Term, b: Term) -> Term {
        self.mk(Op::StrConcat, Sort::STRING, &[a, b])
    }

    /// A concatenation of terms as a chain to the right; the empty string if there are none.
    pub fn chain(&mut self, op: Op, sort: Sort, terms: &[Term]) -> Term {
        let Some((&last, rest)) = terms.split_last() else {
            return self.made.pool.string(&[]);
        };
        rest.iter().rev().fold(last, |right, &left| self.mk(op, sort, &[left, right]))
    }

    /// The integer constant `n`.
    pub fn int(&mut self, n: u64) -> Term {
        self.made.pool.int(smt::Int::from(n))
    }

    /// The string constant `word`.
    pub fn string(&mut self, word: &[u32]) -> Term {
        self.made.pool.string(word)
    }

    /// The terms.
    pub fn pool(&mut self) -> &mut Pool {
        &mut self.made.pool
    }

    /// The terms, read-only.
    pub fn terms(&self) -> &Pool {
        &self.made.pool
    }

    /// The instance so far.
    pub fn made(&mut self) -> &mut Instance {
        &mut self.made
    }

    /// The instance.
    pub fn into_instance(self) -> Instance {
        self.made
    }
}

/// Values for constants.
pub(super) struct Values<'b> {
    pool: &'b Pool,
    model: Box<Model>,
    characters: u64,
}

impl<'b> Values<'b> {
    /// For the constants of a builder.
    pub(super) fn new(b: &'b Builder) -> Self {
        Values { pool: &b.made.pool, model: Box::default(), characters: 0 }
    }

    /// Gives a constant a string.
    pub(super) fn word(&mut self, constant: Term, word: &[u32]) {
        self.characters += word.len() as u64;
        if self.characters <= MAX_MODEL {
            self.value(constant, Value::Str(Str::from(word)));
        }
    }

    /// Gives a constant a value.
    pub(super) fn value(&mut self, constant: Term, value: Value) {
        if let Head::Fun(f) = self.pool.head(constant) {
            self.model.assign(f, value);
        }
    }

    /// Satisfiable with these values, or unknown if they are too long to be written.
    pub(super) fn sat(self) -> Truth {
        if self.characters > MAX_MODEL { Truth::Unknown } else { Truth::Sat(self.model) }
    }
}
