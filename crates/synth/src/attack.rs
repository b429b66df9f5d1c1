//! Attacks on unsatisfiable formulas: a search for a model that must not exist.

use crate::search::{Found, Values, search};
use crate::substitute::{name_of, substitute_without_patterns};
use rustc_hash::{FxHashMap, FxHashSet};
use semantics::Value;
use smt::{Dialect, Fun, Head, Pool, Term};

/// The alphabets of the search.
pub const ALPHABETS: [&str; 2] = ["ab", "a1"];

/// Searches for a model of a script among all words up to a length over two alphabets of two characters, and small integers, in at
/// most `steps` steps. The error is a model; `true` if the search was exhaustive.
pub fn attack(source: &str, length: usize, steps: u64) -> Result<bool, String> {
    let mut pool = Pool::new();
    let parsed = smt::parse(source.as_bytes(), Some(Dialect::Smt26), &mut pool);
    let assertions: Vec<Term> = parsed.script.assertions().collect();
    let Some(open) = Open::of(&mut pool, &assertions) else { return Ok(false) };
    match open.attack(&pool, length, steps) {
        Attacked::Model(model) => {
            let store = semantics::regex::RegexStore::new();
            let pair =
                |(f, value): &(Fun, Value)| format!("{} = {}", pool.fun_name(*f), value.to_smtlib(&store));
            Err(model.iter().map(pair).collect::<Vec<_>>().join(", "))
        }
        Attacked::Exhausted => Ok(true),
        Attacked::GaveUp => Ok(false),
    }
}

/// The result of an attack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Attacked {
    /// A model.
    Model(Vec<(Fun, Value)>),
    /// There is none among the values.
    Exhausted,
    /// None was found, but not all values were tried.
    GaveUp,
}

/// Assertions with their constants as variables: the input of the search.
#[derive(Clone, Debug)]
pub struct Open {
    /// The constants, in the order of their declarations.
    constants: Vec<Fun>,
    vars: Vec<Term>,
    goals: Vec<Term>,
}

impl Open {
    /// Opens assertions; definitions are expanded. None if they have functions without a definition, or recursive ones.
    pub fn of(pool: &mut Pool, assertions: &[Term]) -> Option<Open> {
        let expanded = expand(pool, assertions)?;
        let constants = undefined(pool, &expanded)?;
        let bound: FxHashSet<Term> =
            pool.subterms(expanded.iter().copied()).flat_map(|t| pool.bound_vars(t)).copied().collect();
        let mut map = FxHashMap::default();
        let vars: Vec<Term> = constants.iter().map(|&f| variable(pool, f, &bound)).collect();
        for (&f, &v) in constants.iter().zip(&vars) {
            map.insert(pool.apply(f, &[]), v);
        }
        let goals = expanded.into_iter().map(|t| substitute_without_patterns(pool, t, &map)).collect();
        Some(Open { constants, vars, goals })
    }

    /// Searches among all words up to a length over each alphabet, and small integers, in at most `steps` steps for each.
    pub fn attack(&self, pool: &Pool, length: usize, steps: u64) -> Attacked {
        let mut exhausted = true;
        for letters in ALPHABETS {
            let letters: Vec<u32> = letters.chars().map(u32::from).collect();
            let values = Values::exhaustive(pool, &letters, length, &self.goals);
            match self.search(pool, &values, steps) {
                Attacked::Exhausted => {}
                Attacked::GaveUp => exhausted = false,
                model => return model,
            }
        }
        if exhausted { Attacked::Exhausted } else { Attacked::GaveUp }
    }

    /// Searches among given values.
    pub fn search(&self, pool: &Pool, values: &Values, steps: u64) -> Attacked {
        match search(pool, &self.vars, &self.goals, values, steps) {
            Found::Model(model) => {
                let constant = |v: Term| self.vars.iter().position(|&w| w == v).map(|i| self.constants[i]);
                Attacked::Model(model.into_iter().filter_map(|(v, x)| Some((constant(v)?, x))).collect())
            }
            Found::None => Attacked::Exhausted,
            Found::GaveUp => Attacked::GaveUp,
        }
    }

    /// The assertions over variables.
    pub fn goals(&self) -> &[Term] {
        &self.goals
    }
}

/// A variable for a constant, other than all bound ones.
fn variable(pool: &mut Pool, f: Fun, bound: &FxHashSet<Term>) -> Term {
    let (mut name, sort) = (pool.fun(f).name, pool.fun(f).ret);
    loop {
        let v = pool.var(name, sort);
        if !bound.contains(&v) {
            return v;
        }
        let longer = format!("{}!", name_of(pool, v));
        name = pool.names.intern(&longer);
    }
}

/// The constants of terms, sorted; none if there is a function.
fn undefined(pool: &Pool, terms: &[Term]) -> Option<Vec<Fun>> {
    let mut found = Vec::new();
    for t in pool.subterms(terms.iter().copied()) {
        match pool.head(t) {
            Head::Fun(f) if pool.fun(f).params.is_empty() => found.push(f),
            Head::Fun(_) => return None,
            _ => {}
        }
    }
    found.sort_unstable_by_key(|f| f.0);
    found.dedup();
    Some(found)
}

/// Terms with definitions expanded; none if one of them is recursive, or a name would be captured.
fn expand(pool: &mut Pool, terms: &[Term]) -> Option<Vec<Term>> {
    let mut bodies = FxHashMap::default();
    for f in defined(pool, terms) {
        let body = pool.fun(f).def.as_ref()?.body;
        let expanded = replace(pool, body, &bodies)?;
        bodies.insert(f, expanded);
    }
    terms.iter().map(|&t| replace(pool, t, &bodies)).collect()
}

/// The defined functions that terms use, directly or not; a definition refers to those before it.
fn defined(pool: &Pool, terms: &[Term]) -> Vec<Fun> {
    let (mut found, mut todo) = (FxHashSet::default(), terms.to_vec());
    while let Some(t) = todo.pop() {
        for t in pool.subterms([t]) {
            if let Head::Fun(f) = pool.head(t)
                && let Some(def) = &pool.fun(f).def
                && found.insert(f)
            {
                todo.push(def.body);
            }
        }
    }
    let mut found: Vec<Fun> = found.into_iter().collect();
    found.sort_unstable_by_key(|f| f.0);
    found
}

/// `t` with calls of defined functions replaced by their bodies, which are expanded already.
fn replace(pool: &mut Pool, t: Term, bodies: &FxHashMap<Fun, Term>) -> Option<Term> {
    let mut sound = true;
    let expanded = pool.rebuild(t, &mut FxHashMap::default(), |pool, t, children| {
        let Head::Fun(f) = pool.head(t) else { return pool.with_children(t, children) };
        let Some(def) = &pool.fun(f).def else { return pool.with_children(t, children) };
        let vars = def.vars.clone();
        let Some(&body) = bodies.get(&f) else {
            sound = false;
            return t;
        };
        if pool.has_binder(body) && children.iter().any(|&c| pool.has_var(c))
            || binds_again(pool, body, &vars)
        {
            sound = false;
        }
        let map = vars.iter().copied().zip(children.iter().copied()).collect();
        substitute_without_patterns(pool, body, &map)
    });
    sound.then_some(expanded)
}

/// A quantifier of `body` binds one of `vars`.
fn binds_again(pool: &Pool, body: Term, vars: &[Term]) -> bool {
    pool.has_binder(body)
        && pool.subterms([body]).any(|t| pool.bound_vars(t).iter().any(|v| vars.contains(v)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_are_expanded() {
        let source = "(define-fun twice ((s String)) String (str.++ s s))(declare-fun x () String)\
            (define-fun y () String (twice x))(assert (= y \"abab\"))(assert (! (= (str.len x) 2) :named n))(assert n)";
        assert_eq!(attack(source, 2, 1000), Err("x = \"ab\"".into()));
        assert_eq!(attack(&source.replace("abab", "aba"), 2, 1000), Ok(true));
    }

    #[test]
    fn bound_variables_of_the_same_name_are_others() {
        let source = "(declare-const x Int)(assert (> x 0))(assert (forall ((x Int)) (=> (and (<= 0 x) (< x 1)) (= x 0))))";
        assert_eq!(attack(source, 1, 1000), Err("x = 1".into()));
    }

    #[test]
    fn functions_are_not_searched() {
        let source = "(declare-fun f (Int) Int)(assert (= (f 0) 1))(assert (= (f 0) 2))";
        assert_eq!(attack(source, 1, 1000), Ok(false));
        let source = "(define-fun-rec f ((n Int)) Int (ite (= n 0) 0 (f (- n 1))))(assert (= (f 2) 1))";
        assert_eq!(attack(source, 1, 1000), Ok(false));
    }
}
