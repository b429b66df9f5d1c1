//! The lemma audit: what the solver claims is evaluated on many assignments.
//!
//! Every lemma, conflict, fact and propagation is a formula that holds always, its skolems being what their witnesses
//! say. Here it is evaluated with values for the input that are drawn from the problem's own constants and small
//! words. One false instance proves that an inference is wrong, whether or not the answer would have been.

use crate::dice::Dice;
use crate::infer::Rule;
use semantics::{Evaluator, Model, Str, Truth, Value};
use smt::{Fun, Head, Int, Pool, Sort, Term};

/// How many assignments each claim is evaluated on.
const TRIES: usize = 60;

/// The audit of one check.
pub(crate) struct Audit {
    inputs: Vec<(Fun, Sort)>,
    /// Constants that preprocessing made, with their witnesses.
    fresh: Vec<(Fun, Term)>,
    words: Vec<Vec<u32>>,
    numbers: Vec<Int>,
    dice: Dice,
    pub(crate) claims: u64,
    /// The first claim that was false.
    pub(crate) failure: Option<String>,
}

impl Audit {
    pub(crate) fn new(pool: &Pool, originals: &[Term], fresh: &[(Fun, Term)], seed: u64) -> Audit {
        let mut audit = Audit {
            inputs: Vec::new(),
            fresh: fresh.to_vec(),
            words: vec![
                vec![],
                vec![97],
                vec![98],
                vec![97, 98],
                vec![98, 97],
                vec![97, 97],
                vec![48],
                vec![49, 50],
            ],
            numbers: (-2..6).map(Int::from).collect(),
            dice: Dice::new(seed),
            claims: 0,
            failure: None,
        };
        let mut seen = rustc_hash::FxHashSet::default();
        let mut stack = originals.to_vec();
        while let Some(t) = stack.pop() {
            if !seen.insert(t) {
                continue;
            }
            match pool.head(t) {
                Head::Fun(f) if pool.args(t).is_empty() && pool.fun(f).def.is_none() => {
                    audit.inputs.push((f, pool.sort_of(t)));
                }
                Head::Fun(f) => stack.extend(pool.fun(f).def.as_ref().map(|d| d.body)),
                Head::Str(id) => audit.words.push(pool.word(id).to_vec()),
                Head::Int(id) => audit.numbers.push(pool.int_value(id).clone()),
                _ => {}
            }
            stack.extend(pool.children(t));
        }
        audit.inputs.sort_unstable();
        audit.inputs.dedup();
        audit
    }

    fn value(&mut self, sort: Sort) -> Option<Value> {
        Some(match sort {
            Sort::STRING => {
                let mut word = Vec::new();
                for _ in 0..self.dice.below(3) + 1 {
                    let i = self.dice.below(self.words.len());
                    word.extend_from_slice(&self.words[i]);
                }
                word.truncate(200);
                Value::Str(Str::concat(&[&word]))
            }
            Sort::INT => {
                let i = self.dice.below(self.numbers.len());
                Value::Int(self.numbers[i].clone())
            }
            Sort::BOOL => Value::Bool(self.dice.below(2) == 0),
            _ => return None,
        })
    }

    /// Evaluates a clause: formulas, each with the truth that the clause wants of one of them.
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
        for _ in 0..TRIES {
            let mut model = Model::new();
            for (f, sort) in self.inputs.clone() {
                if let Some(v) = self.value(sort) {
                    model.assign(f, v);
                }
            }
            for &(f, witness) in self.fresh.iter().chain(skolems) {
                let value = Evaluator::new(pool, &model).eval(witness);
                if let Ok(v) = value {
                    model.assign(f, v);
                }
            }
            let mut e = Evaluator::new(pool, &model);
            let wanted = |want: bool| if want { Truth::Holds } else { Truth::Fails };
            let all_fail = clause.iter().all(|&(t, want)| e.truth(t) == wanted(!want));
            if all_fail {
                let lits: Vec<String> = clause
                    .iter()
                    .map(|&(t, want)| {
                        let text = smt::print::term_text(pool, t);
                        if want { text } else { format!("(not {text})") }
                    })
                    .collect();
                let store = semantics::regex::RegexStore::new();
                let values: Vec<String> = self
                    .inputs
                    .iter()
                    .filter_map(|&(f, _)| match model.lookup(pool, f) {
                        Some(semantics::model::Meaning::Value(v)) => {
                            Some(format!("{} = {}", pool.fun_name(f), v.to_smtlib(&store)))
                        }
                        _ => None,
                    })
                    .collect();
                self.failure = Some(format!(
                    "{}: (or {}) is false for {}",
                    rule.name(),
                    lits.join(" "),
                    values.join(", ")
                ));
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests;
