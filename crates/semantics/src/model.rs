//! Models: what declared constants and functions denote.

use crate::value::Value;
use rustc_hash::FxHashMap;
use smt::answer::Item;
use smt::{Fun, Pool, Term};
use std::collections::BTreeMap;

/// An interpretation of constants and functions. What it leaves out is completed with defaults when
/// it is used.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// By declaration: exact, made by programs.
    values: FxHashMap<Fun, Value>,
    /// By name, as solvers print them: a defined function of the pool.
    definitions: BTreeMap<String, Fun>,
    /// By name, for constants given as terms (`get-value`).
    terms: BTreeMap<String, Term>,
}

/// What a model says of a function.
#[derive(Clone, Copy, Debug)]
pub enum Meaning<'m> {
    /// This constant's value.
    Value(&'m Value),
    /// The function is the one defined here.
    Definition(Fun),
    /// The constant is the value of this closed term.
    Term(Term),
}

impl Model {
    /// A model that says nothing.
    pub fn new() -> Self {
        Model::default()
    }

    /// Gives constant `f` a value.
    pub fn assign(&mut self, f: Fun, value: Value) {
        self.values.insert(f, value);
    }

    /// Takes over the definitions of a solver's model.
    pub fn define(&mut self, pool: &Pool, funs: &[Fun]) {
        for &f in funs {
            self.definitions.insert(pool.fun_name(f).to_owned(), f);
        }
    }

    /// Gives the constant called `name` the value of a closed term.
    pub fn set_term(&mut self, name: &str, t: Term) {
        self.terms.insert(name.to_owned(), t);
    }

    /// Takes over an item of a solver's answer; false if it is no model and no list of values.
    pub fn add(&mut self, pool: &Pool, item: &Item) -> bool {
        match item {
            Item::Model(funs) => self.define(pool, funs),
            Item::Values(values) => {
                for (text, t) in values {
                    let name = text.strip_prefix('|').and_then(|n| n.strip_suffix('|')).unwrap_or(text);
                    self.set_term(name, *t);
                }
            }
            _ => return false,
        }
        true
    }

    /// What it says of `f`.
    pub fn lookup(&self, pool: &Pool, f: Fun) -> Option<Meaning<'_>> {
        if let Some(v) = self.values.get(&f) {
            return Some(Meaning::Value(v));
        }
        if self.definitions.is_empty() && self.terms.is_empty() {
            return None;
        }
        self.by_name(pool.fun_name(f))
    }

    /// What it says of the function called `name`.
    pub fn by_name(&self, name: &str) -> Option<Meaning<'_>> {
        if let Some(&d) = self.definitions.get(name) {
            return Some(Meaning::Definition(d));
        }
        self.terms.get(name).map(|&t| Meaning::Term(t))
    }

    /// It says nothing.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty() && self.definitions.is_empty() && self.terms.is_empty()
    }
}

/// Names that solvers give to the elements of declared sorts: `U!val!0`, `@U_0`, `(as @U_0 U)`.
pub(crate) fn is_element_name(name: &str) -> bool {
    name.contains("!val!") || name.starts_with('@') || name.starts_with("(as @") || name.starts_with("(as |@")
}
