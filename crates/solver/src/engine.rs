//! One check: from assertions to an answer.

use crate::options::Options;
use crate::preprocess;
use crate::rewrite::{Mode, Rewriter};
use crate::theory::Theory;
use rustc_hash::FxHashSet;
use sat::Lit;
use semantics::Model;
use smt::{Head, Op, Pool, Sort, Term};

/// The answer to a check.
#[derive(Clone, Debug)]
pub enum Answer {
    /// Satisfiable, by this model, which the referee accepted on the assertions as they were given.
    Sat(Box<Model>),
    /// Unsatisfiable; these assertions (by index, sorted) are enough for it. All of them if cores were not asked for.
    Unsat(Vec<usize>),
    /// Not known, and why, in words for `:reason-unknown`.
    Unknown(String),
}

/// What a check cost, and what was done; in the order to be shown.
pub type Statistics = Vec<(&'static str, u64)>;

/// An answer with its account.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The answer.
    pub answer: Answer,
    /// Counters.
    pub statistics: Statistics,
    /// One line per inference, if asked for.
    pub trace: Vec<String>,
    /// The first claim that the audit found false, if it was asked for. The answer is unknown then.
    pub audit_failure: Option<String>,
}

/// Checks the assertions together. `stop` is asked now and then; when it says true, the answer is unknown.
/// The pool is left with the terms that were made on the way; the caller may cut it back.
pub fn check(pool: &mut Pool, assertions: &[Term], options: &Options, stop: &dyn Fn() -> bool) -> Outcome {
    let mut out = attempt(pool, assertions, options, stop);
    if options.minimise_cores
        && let Answer::Unsat(core) = &out.answer
    {
        let core = minimise(pool, assertions, core.clone(), options, stop);
        out.answer = Answer::Unsat(core);
    }
    out
}

/// Leaves out of a core what is not needed, as far as the solver can tell.
fn minimise(
    pool: &mut Pool,
    assertions: &[Term],
    mut core: Vec<usize>,
    options: &Options,
    stop: &dyn Fn() -> bool,
) -> Vec<usize> {
    let mut k = 0;
    while k < core.len() && !stop() {
        let mut fewer = core.clone();
        fewer.remove(k);
        let terms: Vec<Term> = fewer.iter().map(|&i| assertions[i]).collect();
        match attempt(pool, &terms, options, stop).answer {
            Answer::Unsat(found) => {
                core = found.into_iter().map(|i| fewer[i]).collect();
                k = k.min(core.len());
            }
            _ => k += 1,
        }
    }
    core
}

fn attempt(pool: &mut Pool, assertions: &[Term], options: &Options, stop: &dyn Fn() -> bool) -> Outcome {
    let mut rw = Rewriter::new();
    let prepared = {
        let mut rewrite = |pool: &mut Pool, t: Term| rw.rewrite(pool, Mode::Full, t);
        preprocess::run(pool, assertions, &mut rewrite, options.cores)
    };
    let inputs = input_strings(pool, &prepared.assertions);
    let mut sat = sat::Solver::new(options.seed);
    sat.set_tick_limit(options.ticks);
    let mut theory = Theory::new(pool, &mut rw, options, stop, assertions, &prepared);
    let mut assumptions: Vec<Lit> = Vec::new();
    for &t in &prepared.assertions {
        let t = theory.rw.rewrite(theory.pool, Mode::Full, t);
        let l = theory.cnf.literal(theory.pool, t, &mut sat);
        if options.cores {
            let a = sat.new_var().lit(true);
            sat.add_clause(&[!a, l]);
            theory.cnf.add_lemma(&[a], &[l]);
            assumptions.push(a);
        } else {
            sat.add_clause(&[l]);
            theory.cnf.add_root(l);
        }
    }
    theory.meet_atoms();
    theory.set_length_sum(&inputs);
    let result = sat.solve(&mut theory, &assumptions);
    let audit_failure = theory.audit.as_ref().and_then(|a| a.failure.clone());
    let answer =
        match result {
            _ if audit_failure.is_some() => {
                Answer::Unknown(format!("audit: {}", audit_failure.as_deref().unwrap_or_default()))
            }
            sat::Answer::Sat => match theory.found.take() {
                Some(model) => Answer::Sat(Box::new(model)),
                None => Answer::Unknown("incomplete".to_owned()),
            },
            sat::Answer::Unsat if options.cores => {
                let failed: FxHashSet<Lit> = sat.failed().iter().copied().collect();
                Answer::Unsat((0..assumptions.len()).filter(|&i| failed.contains(&assumptions[i])).collect())
            }
            sat::Answer::Unsat => Answer::Unsat((0..assertions.len()).collect()),
            sat::Answer::Unknown => {
                let reason = theory.incomplete.take().or(prepared.incomplete.clone());
                Answer::Unknown(
                    reason.unwrap_or_else(|| {
                        if stop() { "timeout".to_owned() } else { "resourceout".to_owned() }
                    }),
                )
            }
        };
    let mut statistics: Statistics = vec![
        ("ticks", sat.ticks()),
        ("decisions", sat.stats().decisions),
        ("conflicts", sat.stats().conflicts),
    ];
    statistics.extend(theory.log.counts());
    statistics.extend(theory.audit.as_ref().map(|a| ("audited claims", a.claims)));
    Outcome { answer, statistics, trace: std::mem::take(&mut theory.log.lines), audit_failure }
}

/// The declared string constants in the assertions.
fn input_strings(pool: &Pool, assertions: &[Term]) -> Vec<Term> {
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    let mut out = Vec::new();
    let mut stack: Vec<Term> = assertions.iter().rev().copied().collect();
    while let Some(t) = stack.pop() {
        if !seen.insert(t) {
            continue;
        }
        if matches!(pool.head(t), Head::Fun(_)) && pool.args(t).is_empty() && pool.sort_of(t) == Sort::STRING
        {
            out.push(t);
        }
        stack.extend(pool.args(t).iter().rev());
    }
    out
}

impl Theory<'_> {
    fn set_length_sum(&mut self, inputs: &[Term]) {
        if inputs.is_empty() {
            return;
        }
        let lengths: Vec<Term> = inputs.iter().map(|&t| self.len(t)).collect();
        let sum = self.mk(Op::Add, Sort::INT, &lengths);
        self.strings.lengths.set(sum);
    }
}
