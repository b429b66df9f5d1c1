//! Where generators put together a script.

use rustc_hash::FxHashMap;
use semantics::instance::{Instance, Truth};
use semantics::{Model, Str, Value};
use smt::symbol::Symbol;
use smt::{Command, Fun, Head, Op, Pool, Sort, Term};
use std::fmt::Write as _;

/// At most so many characters in all values of a certificate together: a model that is larger than that helps nobody,
/// and the instance is left open.
pub const MAX_MODEL: u64 = 1 << 22;

/// A script in the making. It can be used again and again: terms stay in the pool for the next one until they are many, so
/// that what scripts have in common is made once. Texts do not depend on what else is in a pool.
#[derive(Debug)]
pub struct Builder {
    made: Instance,
    /// The constants that were declared, by name and sort.
    declared: FxHashMap<(Symbol, Sort), Fun>,
    /// The functions that were defined, by name.
    functions: FxHashMap<&'static str, Fun>,
    assertions: usize,
    logic: &'static str,
    /// The property in which instances grow, and its value.
    scale: Option<(&'static str, u64)>,
    name: String,
}

/// A pool with more terms than this is not used again.
const MANY: usize = 8192;

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
    /// Goes on with what was made before.
    pub fn over(made: Instance) -> Builder {
        let assertions = made.script.assertions().count();
        Builder { made, assertions, ..Builder::default() }
    }

    /// Starts anew.
    pub fn clear(&mut self) {
        if self.made.pool.len() > MANY {
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

    /// Says the value of a property in which instances of the generator differ, so that reports can show times against it.
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

    /// Declares the constant called by the letters `stem` and a number.
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

    /// The function of this name, which `make` defines if it is not there from an earlier script. The caller
    /// puts the definition into the script.
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

    /// An application of an operator whose result has this sort; the caller answers for the arguments.
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

    /// A concatenation of terms as a chain to the right; the empty word if there are none.
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

    /// The terms, to look at.
    pub fn terms(&self) -> &Pool {
        &self.made.pool
    }

    /// What is made so far.
    pub fn made(&mut self) -> &mut Instance {
        &mut self.made
    }

    /// Takes the instance out.
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

    /// A constant is a word.
    pub(super) fn word(&mut self, constant: Term, word: &[u32]) {
        self.characters += word.len() as u64;
        if self.characters <= MAX_MODEL {
            self.value(constant, Value::Str(Str::from(word)));
        }
    }

    /// A constant has a value.
    pub(super) fn value(&mut self, constant: Term, value: Value) {
        if let Head::Fun(f) = self.pool.head(constant) {
            self.model.assign(f, value);
        }
    }

    /// The instance is satisfiable by these, or open if they are too long to be written down.
    pub(super) fn sat(self) -> Truth {
        if self.characters > MAX_MODEL { Truth::Unknown } else { Truth::Sat(self.model) }
    }
}
