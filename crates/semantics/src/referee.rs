//! Judging a model on a whole script.

use crate::eval::Evaluator;
use crate::value::Truth;
use smt::script::Plain;
use smt::{Command, Script, Term};

/// What was asserted when a `check-sat` was asked.
#[derive(Clone, Debug, Default)]
pub struct Check {
    /// The assertions in force, with the index of their command.
    pub assertions: Vec<(usize, Term)>,
    /// The assumptions of `check-sat-assuming`.
    pub assumptions: Vec<Term>,
    /// The index of the `check-sat` command; none if the script has none and this is its end.
    pub command: Option<usize>,
}

/// All checks of a script, in order; for a script without any, its end counts as one.
pub fn checks(script: &Script) -> Vec<Check> {
    let mut stack: Vec<(usize, Term)> = Vec::new();
    let mut levels: Vec<usize> = Vec::new();
    let mut out = Vec::new();
    for (i, command) in script.commands().enumerate() {
        match command {
            Command::Assert(t) => stack.push((i, *t)),
            Command::Push(n) => levels.extend((0..*n).map(|_| stack.len())),
            Command::Pop(n) => {
                for _ in 0..*n {
                    stack.truncate(levels.pop().unwrap_or(0));
                }
            }
            Command::Plain(Plain::Reset | Plain::ResetAssertions) => {
                stack.clear();
                levels.clear();
            }
            Command::CheckSat => {
                out.push(Check { assertions: stack.clone(), assumptions: Vec::new(), command: Some(i) });
            }
            Command::CheckSatAssuming(ts) => {
                out.push(Check { assertions: stack.clone(), assumptions: ts.to_vec(), command: Some(i) });
            }
            Command::Plain(Plain::Exit) => break,
            _ => {}
        }
    }
    if out.is_empty() {
        out.push(Check { assertions: stack, ..Check::default() });
    }
    out
}

/// The truth of each assertion and assumption of a check.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// Of the assertions, in order.
    pub assertions: Vec<Truth>,
    /// Of the assumptions, in order.
    pub assumptions: Vec<Truth>,
}

impl Judgement {
    /// Judges `check` by `e`'s model.
    pub fn of(check: &Check, e: &mut Evaluator<'_>) -> Judgement {
        Judgement {
            assertions: check.assertions.iter().map(|&(_, t)| e.truth(t)).collect(),
            assumptions: check.assumptions.iter().map(|&t| e.truth(t)).collect(),
        }
    }

    /// The verdict on all of it together.
    pub fn overall(&self) -> Truth {
        let all = || self.assertions.iter().chain(&self.assumptions);
        all()
            .find(|t| **t == Truth::Fails)
            .or_else(|| all().find(|t| **t != Truth::Holds))
            .copied()
            .unwrap_or(Truth::Holds)
    }
}
