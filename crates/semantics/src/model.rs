//! Models: the values of declared constants and functions.

use crate::value::Value;
use rustc_hash::FxHashMap;
use smt::answer::{Item, Verdict};
use smt::{Fun, Pool, Term};
use std::collections::BTreeMap;

/// An interpretation of constants and functions. The evaluator completes it with defaults.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// By declaration: exact, built by programs.
    values: FxHashMap<Fun, Value>,
    /// Functions by declaration: defined functions of the pool.
    functions: FxHashMap<Fun, Fun>,
    /// By name and number of parameters, as solvers print them: a defined function of the pool.
    definitions: BTreeMap<(String, usize), Fun>,
    /// By name, for constants given as terms (`get-value`).
    terms: BTreeMap<String, Term>,
    /// It is from `get-value`: constants that were not requested may have any value.
    partial: bool,
}

/// The interpretation of a function in a model.
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
    /// An empty model.
    pub fn new() -> Self {
        Model::default()
    }

    /// A model as a solver prints it, or `()`.
    pub fn read(text: &str, pool: &mut Pool) -> Option<Model> {
        let item = smt::answer::read(text.as_bytes(), smt::Dialect::Smt26, pool).pop()?;
        let mut model = Model::new();
        (item == Item::Empty || model.add(pool, &item)).then_some(model)
    }

    /// Gives constant `f` a value.
    pub fn assign(&mut self, f: Fun, value: Value) {
        self.values.insert(f, value);
    }

    /// Adds the definitions of a solver's model. The error is the name of a constant or function that has two different
    /// definitions.
    pub fn define(&mut self, pool: &Pool, funs: &[Fun]) -> Result<(), String> {
        for &f in funs {
            let name = pool.fun_name(f).to_owned();
            let body = |f: Fun| pool.fun(f).def.as_ref().map(|d| d.body);
            match self.definitions.insert((name.clone(), pool.fun(f).params.len()), f) {
                Some(old) if body(old) != body(f) => return Err(name),
                _ => {}
            }
        }
        Ok(())
    }

    /// Gives function `f` the definition of `d`.
    pub fn define_as(&mut self, f: Fun, d: Fun) {
        self.functions.insert(f, d);
    }

    /// Sets whether constants and functions without a value may have any value, and are not completed.
    pub fn set_partial(&mut self, partial: bool) {
        self.partial = partial;
    }

    /// Constants and functions without a value may have any value.
    pub fn is_partial(&self) -> bool {
        self.partial
    }

    /// Gives the constant called `name` the value of a closed term.
    pub fn set_term(&mut self, name: &str, t: Term) {
        self.terms.insert(name.to_owned(), t);
    }

    /// Adds an item of a solver's answer; false if it is neither a model nor a list of values.
    pub fn add(&mut self, pool: &Pool, item: &Item) -> bool {
        match item {
            Item::Model(funs) => return self.define(pool, funs).is_ok(),
            Item::Values(values) => {
                for (text, t) in values {
                    let name = unquoted(text);
                    self.set_term(name, *t);
                }
            }
            _ => return false,
        }
        true
    }

    /// The interpretation of `f`.
    pub fn lookup(&self, pool: &Pool, f: Fun) -> Option<Meaning<'_>> {
        if let Some(v) = self.values.get(&f) {
            return Some(Meaning::Value(v));
        }
        if let Some(&d) = self.functions.get(&f) {
            return Some(Meaning::Definition(d));
        }
        if self.definitions.is_empty() && self.terms.is_empty() {
            return None;
        }
        self.by_name(pool.fun_name(f), pool.fun(f).params.len())
    }

    /// The interpretation of the function `name` with `params` parameters. It may be a constant whose value is a
    /// `lambda`, or a definition with another number of parameters, which the evaluator reports.
    pub fn by_name(&self, name: &str, params: usize) -> Option<Meaning<'_>> {
        let exact = self.definitions.get(&(name.to_owned(), params));
        let any = || {
            self.definitions
                .range((name.to_owned(), 0)..=(name.to_owned(), usize::MAX))
                .next()
                .map(|(_, f)| f)
        };
        if let Some(&d) = exact.or_else(any) {
            return Some(Meaning::Definition(d));
        }
        self.terms.get(name).map(|&t| Meaning::Term(t))
    }

    /// A constant of the declared sort with this text that it gives a value to.
    pub(crate) fn constant_of(&self, pool: &Pool, sort: &str) -> Option<Fun> {
        let fits = |f: &&Fun| {
            pool.fun(**f).params.is_empty()
                && pool.fun(**f).def.is_some()
                && pool.sort_text(pool.fun(**f).ret) == sort
        };
        self.definitions.values().find(fits).copied()
    }

    /// It refers to definitions or terms of the pool, which must stay there.
    pub fn holds_terms(&self) -> bool {
        !self.definitions.is_empty() || !self.terms.is_empty() || !self.functions.is_empty()
    }

    /// Forgets the values of functions whose ids are `funs` or more: they are about to be removed from the pool.
    pub fn forget_past(&mut self, funs: usize) {
        self.values.retain(|f, _| (f.0 as usize) < funs);
    }

    /// It is empty.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty() && !self.holds_terms()
    }
}

/// The answer to one `check-sat`: the verdict and the output after it.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// The verdict; none if the text starts with a model.
    pub verdict: Option<Verdict>,
    /// The model and values.
    pub model: Option<Model>,
    /// Why the printed model cannot be used.
    pub trouble: Option<String>,
}

/// Splits a solver's output into its answers. `constants` are the names that a list of values may define; other
/// lists of pairs (of `get-assignment`, `get-assertions`) are not values.
pub fn answers(pool: &Pool, items: &[Item], constants: &dyn Fn(&str) -> bool) -> Vec<Answer> {
    let mut out = vec![Answer::default()];
    for item in items {
        let last = out.last_mut().expect("there is always one");
        match item {
            Item::Verdict(_) | Item::Timeout => {
                let verdict = if let Item::Verdict(v) = item { *v } else { Verdict::Unknown };
                out.push(Answer { verdict: Some(verdict), ..Answer::default() });
            }
            Item::Model(funs) => {
                let model = last.model.get_or_insert_default();
                model.set_partial(false);
                if let Err(name) = model.define(pool, funs) {
                    last.trouble = Some(format!("it defines `{name}` twice"));
                }
            }
            Item::Values(values) => {
                let of_constants = values.iter().filter_map(|(text, t)| {
                    let name = unquoted(text);
                    constants(name).then_some((name, *t))
                });
                let of_constants: Vec<_> = of_constants.collect();
                if !of_constants.is_empty() {
                    let new = last.model.is_none();
                    let model = last.model.get_or_insert_default();
                    model.partial |= new;
                    for (name, t) in of_constants {
                        model.set_term(name, t);
                    }
                }
            }
            Item::Empty if last.verdict != Some(Verdict::Unsat) => {
                last.model.get_or_insert_default();
            }
            Item::Unreadable(why) => last.trouble = Some(format!("it cannot be read: {why}")),
            Item::Truncated(_) => last.trouble = Some("it is truncated".into()),
            _ => {}
        }
    }
    if out.len() > 1 && out[0].model.is_none() && out[0].trouble.is_none() {
        out.remove(0);
    }
    out
}

/// A symbol without its bars.
fn unquoted(text: &str) -> &str {
    text.strip_prefix('|').and_then(|n| n.strip_suffix('|')).unwrap_or(text)
}

/// An element's name without its sort: `(as @U_0 U)` is `@U_0`, and `(as |@(P Int)_0| (P Int))` is `@(P Int)_0`.
pub(crate) fn element(name: &str) -> &str {
    let Some(inner) = name.strip_prefix("(as").map(str::trim_start) else { return name.trim_matches('|') };
    let quoted = inner.strip_prefix('|').and_then(|rest| rest.split('|').next());
    quoted.or_else(|| inner.split_whitespace().next()).unwrap_or(name)
}

/// Names that solvers give to the elements of declared sorts: `U!val!0`, `@U_0`, `(as @U_0 U)`.
pub(crate) fn is_element_name(name: &str) -> bool {
    name.contains("!val!") || name.starts_with('@') || name.starts_with("(as @") || name.starts_with("(as |@")
}
