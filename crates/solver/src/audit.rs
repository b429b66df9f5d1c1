//! The audit: conclusions are evaluated on many assignments.
//!
//! Every lemma, conflict, fact and propagation is a valid formula, its skolems being equal to their witnesses. It is
//! evaluated with values for the input that are drawn from the constants of the problem and small values. One false
//! instance proves that an inference is unsound, whether or not the answer would have been wrong. Half of the assignments are changed so that
//! premises hold (`directed.rs`).

mod directed;

use crate::dice::Dice;
use crate::infer::Rule;
use rustc_hash::FxHashSet;
use semantics::model::Meaning;
use semantics::regex::RegexStore;
use semantics::{Config, Evaluator, Model, Satisfaction, Str, Value};
use smt::{Fun, Head, Int, Pool, Rat, Sort, Term, Walk};

/// The number of assignments on which a claim is evaluated.
const ASSIGNMENTS: usize = 60;
/// The number of claims that are all evaluated.
const MAX_COMPLETE: u64 = 1000;
/// After that, one claim in this number is evaluated.
const SAMPLING: usize = 32;
/// The longest string that is drawn.
const MAX_STRING: usize = 200;

/// The audit of one check.
pub(crate) struct Audit {
    inputs: Vec<(Fun, Sort)>,
    /// The constants of preprocessing, with their witnesses.
    fresh: Vec<(Fun, Term)>,
    words: Vec<Vec<u32>>,
    numbers: Vec<Int>,
    dice: Dice,
    pub(crate) claims: u64,
    /// The first false claim.
    pub(crate) failure: Option<String>,
}

impl Audit {
    pub(crate) fn new(pool: &Pool, originals: &[Term], fresh: &[(Fun, Term)], seed: u64) -> Audit {
        let words = ["", "a", "b", "ab", "ba", "aa", "0", "12"];
        let mut audit = Audit {
            inputs: Vec::new(),
            fresh: fresh.to_vec(),
            words: words.map(|w| w.chars().map(u32::from).collect()).into(),
            numbers: (-2..6).map(Int::from).collect(),
            dice: Dice::new(seed),
            claims: 0,
            failure: None,
        };
        audit.collect(pool, originals);
        audit
    }

    /// Collects the inputs and constants of the problem.
    fn collect(&mut self, pool: &Pool, originals: &[Term]) {
        let mut walk = Walk::new(originals.iter().rev().copied());
        while let Some(t) = walk.next() {
            match pool.head(t) {
                Head::Fun(f) if pool.args(t).is_empty() && pool.fun(f).def.is_none() => {
                    self.inputs.push((f, pool.sort_of(t)));
                }
                Head::Fun(f) => walk.extend(pool.fun(f).def.as_ref().map(|d| d.body)),
                Head::Str(id) => self.words.push(pool.word(id).to_vec()),
                Head::Int(id) => self.numbers.push(pool.int_value(id).clone()),
                Head::Real(id) => self.numbers.push(pool.real_value(id).floor()),
                _ => {}
            }
            walk.extend(pool.children(t));
        }
        self.inputs.sort_unstable();
        self.inputs.dedup();
    }

    fn value(&mut self, sort: Sort) -> Option<Value> {
        Some(match sort {
            Sort::STRING => {
                let mut word = Vec::new();
                for _ in 0..self.dice.below(3) + 1 {
                    let i = self.dice.below(self.words.len());
                    word.extend_from_slice(&self.words[i]);
                }
                word.truncate(MAX_STRING);
                Value::Str(Str::concat(&[&word]))
            }
            Sort::INT => {
                let i = self.dice.below(self.numbers.len());
                Value::Int(self.numbers[i].clone())
            }
            Sort::BOOL => Value::Bool(self.dice.below(2) == 0),
            Sort::REAL => {
                let i = self.dice.below(self.numbers.len());
                let parts = Int::from(self.dice.below(3) as i64 + 1);
                Value::Real(Rat::new(self.numbers[i].clone(), parts)?)
            }
            _ => return None,
        })
    }

    /// The constants with witnesses that the value of a clause depends on, in the order of their creation: there may be
    /// thousands of others.
    fn needed(&self, pool: &Pool, skolems: &[(Fun, Term)], clause: &[(Term, bool)]) -> Vec<(Fun, Term)> {
        let mut walk = Walk::new(clause.iter().map(|&(t, _)| t));
        let mut funs: FxHashSet<Fun> = FxHashSet::default();
        let mut needed = Vec::new();
        visit(pool, &mut walk, &mut funs);
        // A witness depends on earlier constants only.
        for &(f, witness) in skolems.iter().rev().chain(self.fresh.iter().rev()) {
            if funs.contains(&f) {
                walk.push(witness);
                visit(pool, &mut walk, &mut funs);
                needed.push((f, witness));
            }
        }
        needed.reverse();
        needed
    }

    /// Evaluates a clause: formulas with truth values, at least one of which must hold.
    pub(crate) fn clause(
        &mut self,
        pool: &Pool,
        skolems: &[(Fun, Term)],
        rule: Rule,
        clause: &[(Term, bool)],
    ) {
        if self.failure.is_some() {
            return;
        }
        self.claims += 1;
        if self.claims > MAX_COMPLETE && self.dice.below(SAMPLING) != 0 {
            return;
        }
        let needed = self.needed(pool, skolems, clause);
        let free = |f: Fun| !needed.iter().any(|&(k, _)| k == f);
        let inputs: FxHashSet<Fun> = self.inputs.iter().map(|&(f, _)| f).filter(|&f| free(f)).collect();
        for k in 0..ASSIGNMENTS {
            let mut model = self.assignment(pool, &needed);
            if k % 2 == 1 {
                directed::direct(pool, &mut self.dice, &inputs, clause, &mut model);
            }
            let mut e = Evaluator::with(pool, &model, config(), RegexStore::new());
            let fails = |want: bool| if want { Satisfaction::Fails } else { Satisfaction::Holds };
            if clause.iter().all(|&(t, want)| e.truth(t) == fails(want)) {
                self.failure = Some(self.report(pool, rule, clause, &model));
                return;
            }
        }
    }

    /// Random values for the input; constants with witnesses are defined by them.
    fn assignment(&mut self, pool: &Pool, needed: &[(Fun, Term)]) -> Model {
        let mut model = Model::new();
        for (f, sort) in self.inputs.clone() {
            match self.value(sort) {
                Some(v) if !needed.iter().any(|&(k, _)| k == f) => model.assign(f, v),
                _ => {}
            }
        }
        for &(f, witness) in needed {
            model.set_term(pool.fun_name(f), witness);
        }
        model
    }

    /// The rule, the clause, and the assignment under which it is false.
    fn report(&self, pool: &Pool, rule: Rule, clause: &[(Term, bool)], model: &Model) -> String {
        let literal = |&(t, want): &(Term, bool)| {
            let text = smt::print::term_text(pool, t);
            if want { text } else { format!("(not {text})") }
        };
        let store = RegexStore::new();
        let value = |&(f, _): &(Fun, Sort)| match model.lookup(pool, f) {
            Some(Meaning::Value(v)) => Some(format!("{} = {}", pool.fun_name(f), v.to_smtlib(&store))),
            _ => None,
        };
        let literals: Vec<String> = clause.iter().map(literal).collect();
        let values: Vec<String> = self.inputs.iter().filter_map(value).collect();
        format!("{}: (or {}) is false for {}", rule.name(), literals.join(" "), values.join(", "))
    }
}

/// Finishes a walk, and adds the functions on the way.
fn visit(pool: &Pool, walk: &mut Walk, funs: &mut FxHashSet<Fun>) {
    while let Some(t) = walk.next() {
        if let Head::Fun(f) = pool.head(t) {
            funs.insert(f);
        }
        walk.enter(pool, t);
    }
}

/// The limits of one evaluation.
fn config() -> Config {
    Config { steps: 100_000, regex_budget: 100_000, instances: 1000, ..Config::default() }
}

#[cfg(test)]
mod tests;
