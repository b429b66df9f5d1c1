//! Judges a model on a script.

use crate::eval::Evaluator;
use crate::value::Satisfaction;
use smt::script::Plain;
use smt::{Command, Script, Term};

/// The assertions of one `check-sat`.
#[derive(Clone, Debug, Default)]
pub struct Check {
    /// The assertions in force, with the index of their command.
    pub assertions: Vec<(usize, Term)>,
    /// The assumptions of `check-sat-assuming`.
    pub assumptions: Vec<Term>,
    /// The index of the `check-sat` command; none if the script has none and this is its end.
    pub command: Option<usize>,
}

/// The number of `check-sat` and `check-sat-assuming` commands of a script; without any, its end counts as one.
pub fn check_count(script: &Script) -> usize {
    let is_check = |c: &&Command| matches!(c, Command::CheckSat | Command::CheckSatAssuming(_));
    executed(script).filter(|(_, c)| is_check(c)).count().max(1)
}

/// The assertions in force at the `n`th check, from 0.
pub fn check(script: &Script, n: usize) -> Option<Check> {
    let mut stack: Vec<(usize, Term)> = Vec::new();
    // The number of assertions at each `push`, and of its levels that are still open.
    let mut levels: Vec<(usize, u32)> = Vec::new();
    let mut left = n;
    let mut seen = false;
    for (i, command) in executed(script) {
        let assumptions: &[Term] = match command {
            Command::Assert(t) => {
                stack.push((i, *t));
                continue;
            }
            Command::Push(0) => continue,
            Command::Push(count) => {
                levels.push((stack.len(), *count));
                continue;
            }
            Command::Pop(count) => {
                pop(&mut stack, &mut levels, *count);
                continue;
            }
            Command::Plain(Plain::Reset | Plain::ResetAssertions) => {
                stack.clear();
                levels.clear();
                continue;
            }
            Command::CheckSat => &[],
            Command::CheckSatAssuming(ts) => ts,
            _ => continue,
        };
        if left == 0 {
            return Some(Check { assertions: stack, assumptions: assumptions.to_vec(), command: Some(i) });
        }
        left -= 1;
        seen = true;
    }
    (n == 0 && !seen).then(|| Check { assertions: stack, ..Check::default() })
}

fn pop(stack: &mut Vec<(usize, Term)>, levels: &mut Vec<(usize, u32)>, mut count: u32) {
    while count > 0 {
        let Some((len, open)) = levels.last_mut() else { return };
        stack.truncate(*len);
        let closed = count.min(*open);
        *open -= closed;
        count -= closed;
        if *open == 0 {
            levels.pop();
        }
    }
}

/// The commands before `exit`, with their indices.
fn executed(script: &Script) -> impl Iterator<Item = (usize, &Command)> {
    script.commands().enumerate().take_while(|(_, c)| !matches!(c, Command::Plain(Plain::Exit)))
}

/// Whether a model satisfies each assertion and assumption of a check.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// Of the assertions, in order.
    pub assertions: Vec<Satisfaction>,
    /// Of the assumptions, in order.
    pub assumptions: Vec<Satisfaction>,
}

impl Judgement {
    /// Judges `check` by the model of `e`.
    pub fn of(check: &Check, e: &mut Evaluator<'_>) -> Judgement {
        Judgement {
            assertions: check.assertions.iter().map(|&(_, t)| e.truth(t)).collect(),
            assumptions: check.assumptions.iter().map(|&t| e.truth(t)).collect(),
        }
    }

    /// Whether the model satisfies all of them.
    pub fn overall(&self) -> Satisfaction {
        let all = || self.assertions.iter().chain(&self.assumptions);
        all()
            .find(|t| **t == Satisfaction::Fails)
            .or_else(|| all().find(|t| **t != Satisfaction::Holds))
            .copied()
            .unwrap_or(Satisfaction::Holds)
    }
}
