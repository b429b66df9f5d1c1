//! The operators that a solver supports, found by queries before the comparison starts.

use super::case::{Case, Ops, Uses};
use super::generate::Subject;
use super::query::{Answer, Querier};
use anyhow::bail;
use campaign::process::Cancel;
use campaign::profile::Solver;
use semantics::{Evaluator, Model};
use smt::op::{S, Shape};
use smt::print::term_text;
use smt::{Int, Op, Pool, Term};
use std::collections::BTreeMap;
use std::time::Duration;

/// Time for one small query.
const PROBE: Duration = Duration::from_millis(2000);

/// A solver that dies on this many queries in a row is rejected.
const MAX_DEATHS: usize = 5;
const DIES: &str = "the solver dies of it";

/// A solver, and the operators it supports.
pub(super) struct Support {
    /// The solver.
    pub(super) solver: Solver,
    /// What it does not support, and why.
    pub(super) missing: BTreeMap<String, String>,
    ops: Ops,
    chains: Ops,
    /// Operators that it names differently.
    spellings: Vec<(String, String)>,
}

impl Support {
    /// Starts the solver and tests all operators on it.
    pub(super) fn of(solver: Solver, cancel: &Cancel) -> anyhow::Result<Support> {
        let target = solver.clone();
        let mut querier = Querier::new(&target, cancel)?;
        let name = &target.name;
        // A solver that answers `unsat` to everything would seem to agree with everything.
        match querier.check("(not (= 1 2))", PROBE) {
            Answer::Sat => {}
            Answer::Died => bail!("{name}: it ends without an answer; it should read SMT-LIB commands"),
            Answer::Error(message) => bail!("{name}: `(not (= 1 2))` is an error: {message}"),
            Answer::Unsat | Answer::Unknown => bail!("{name} does not find `(not (= 1 2))` satisfiable"),
        }
        let (ops, chains) = (Ops::default(), Ops::default());
        let mut support = Support { solver, missing: BTreeMap::new(), ops, chains, spellings: Vec::new() };
        let mut deaths = 0;
        for op in Op::all() {
            deaths = if support.probe(&mut querier, op) { 0 } else { deaths + 1 };
            if deaths == MAX_DEATHS {
                bail!("{name} dies on every operator");
            }
        }
        Ok(support)
    }

    /// The program and its arguments.
    pub(super) fn command(&self) -> Vec<String> {
        let program = self.solver.program.display().to_string();
        std::iter::once(program).chain(self.solver.profile.args.iter().cloned()).collect()
    }

    /// Asks about one operator; false if the solver dies of it.
    fn probe(&mut self, querier: &mut Querier<'_>, op: Op) -> bool {
        if let Some(reason) = self.refusal(querier, op, op.row().params.len()) {
            let alive = reason != DIES;
            self.ops.insert(op);
            self.missing.insert(Subject::Op(op).label().into(), reason);
            return alive;
        }
        if op.row().shape == Shape::Chainable
            && let Some(reason) = self.refusal(querier, op, 3)
        {
            self.chains.insert(op);
            self.missing.insert(format!("{} with 3 arguments", op.name()), reason);
        }
        true
    }

    /// Why it does not support `op` with `arity` arguments, under any of its names.
    fn refusal(&mut self, querier: &mut Querier<'_>, op: Op, arity: usize) -> Option<String> {
        let claim = simple_claim(op, arity);
        let standard = reason(&querier.check(&format!("(not {claim})"), PROBE))?;
        for alias in op.row().aliases.iter().filter(|a| !a.swapped) {
            let (ours, theirs) = (format!("({} ", op.name()), format!("({} ", alias.name));
            let respelled = claim.replace(&ours, &theirs);
            if reason(&querier.check(&format!("(not {respelled})"), PROBE)).is_none() {
                self.spellings.push((ours, theirs));
                return None;
            }
        }
        Some(standard)
    }

    /// The formula that states that the term of a case has our value, with the names of this solver.
    pub(super) fn claim(&self, case: &Case) -> String {
        self.respell(case.claim())
    }

    /// A text with the names of this solver.
    pub(super) fn respell(&self, text: String) -> String {
        self.spellings.iter().fold(text, |text, (ours, theirs)| text.replace(ours, theirs))
    }

    /// It supports all operators in use.
    pub(super) fn supports(&self, uses: Uses) -> bool {
        !uses.ops.meets(self.ops) && !uses.chains.meets(self.chains)
    }
}

/// Why this is not an answer; none if it is `sat` or `unsat`.
fn reason(answer: &Answer) -> Option<String> {
    match answer {
        Answer::Sat | Answer::Unsat => None,
        Answer::Unknown => Some("the answer is `unknown`, or does not come in time".into()),
        Answer::Error(message) => Some(essence(message).into()),
        Answer::Died => Some(DIES.into()),
    }
}

/// An error message without the position in our own input.
pub(super) fn essence(message: &str) -> &str {
    let line = message.lines().next().unwrap_or_default().trim();
    let is_place = |part: &str| part.starts_with("line ") || part.starts_with("Parse Error");
    match line.split_once(": ") {
        Some((place, rest)) if is_place(place) => match rest.split_once(": ") {
            Some((file, rest)) if file.starts_with('<') => rest,
            _ => rest,
        },
        _ => line,
    }
}

/// The formula that states the value of `op` on simple arguments.
fn simple_claim(op: Op, arity: usize) -> String {
    let mut pool = Pool::new();
    let mut t = simple(&mut pool, op, arity);
    if op.row().ret == S::Re {
        let w = pool.string(&[0x61]);
        t = pool.op(Op::StrInRe, &[w, t]).expect("a word and a language");
    }
    let model = Model::new();
    let mut e = Evaluator::new(&pool, &model);
    let value = e.eval(t).map_or_else(|_| "false".into(), |v| v.to_smtlib(e.store()));
    format!("(= {} {value})", term_text(&pool, t))
}

fn simple(pool: &mut Pool, op: Op, arity: usize) -> Term {
    let row = op.row();
    let args: Vec<Term> = (0..arity).map(|i| plain(pool, row.params[i.min(row.params.len() - 1)])).collect();
    let indices = vec![Int::ONE; row.indices];
    let made = if indices.is_empty() { pool.op(op, &args) } else { pool.indexed(op, &indices, &args) };
    made.expect("arguments fit the operator table")
}

fn plain(pool: &mut Pool, sort: S) -> Term {
    match sort {
        S::Bool => pool.bool(true),
        S::Int | S::Num => pool.int(1),
        S::Real => pool.real(Int::ONE.into()),
        S::Str | S::Any => pool.string(&[0x61]),
        S::Re => {
            let w = pool.string(&[0x61]);
            pool.op(Op::StrToRe, &[w]).expect("a word")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_cut_from_messages() {
        assert_eq!(essence("line 2 column 34: unknown constant f (Int) "), "unknown constant f (Int)");
        assert_eq!(essence("Parse Error: <stdin>:7: Symbol 'f' not declared"), "Symbol 'f' not declared");
        assert_eq!(essence("out of memory"), "out of memory");
    }

    #[test]
    fn simple_claims_are_true_ones() {
        for op in Op::all() {
            let script = format!("(assert {})", simple_claim(op, op.row().params.len()));
            let mut pool = Pool::new();
            let parsed = smt::parse(script.as_bytes(), None, &mut pool);
            let t = parsed.script.assertions().next().expect("one");
            let model = Model::new();
            assert_eq!(Evaluator::new(&pool, &model).truth(t), semantics::Satisfaction::Holds, "{script}");
        }
    }
}
