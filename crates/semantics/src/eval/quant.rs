//! Quantifiers, as far as they can be decided.
//!
//! A quantifier over strings or integers has infinitely many instances, but a guard may leave only finitely many
//! that matter: in `∀i. 0 ≤ i < n ⇒ φ` every `i` outside the bounds makes the body true, and in
//! `∀x,y. s = x·y ⇒ φ` all but the splits of `s` do. Where guards bound every variable, the instances are
//! enumerated and the verdict is exact. Where they do not, some likely instances are tried: a counterexample
//! refutes `∀`, a witness proves `∃`, and otherwise the value is undetermined.
//!
//! Real variables in linear comparisons are decided exactly as well (`linear.rs`).
//!
//! The plan (`plan.rs`) lists candidates for the variables; the machine evaluates the body for each combination.

mod linear;
mod plan;

use super::{Act, Evaluator, PLAN_COST, Task};
use crate::value::{Val, Value, Why};
use smt::{Pool, Term, Walk};

/// Subterms visited when a term is searched.
const MAX_SEARCHED: usize = 300;

type Env = Vec<(Term, Val)>;

/// The instances of one quantifier, evaluated one after the other.
pub(super) struct Instances {
    term: Term,
    act: u32,
    body: Term,
    /// The activation of the current instance.
    current: u32,
    forall: bool,
    /// Every instance that could decide is among the candidates.
    exact: bool,
    /// Groups of variables with their joint candidates; instances are the product.
    groups: Vec<Group>,
    /// Position in each group; the first group changes fastest.
    at: Vec<usize>,
    done: bool,
    tried: u64,
    unknown: Option<Why>,
}

struct Group {
    vars: Vec<Term>,
    rows: Vec<Vec<Value>>,
}

impl Evaluator<'_> {
    pub(super) fn quantifier(&mut self, t: Term, act: Act) {
        self.fuel = self.fuel.saturating_sub(PLAN_COST);
        match plan::plan(self, t, act) {
            Some(state) => {
                self.fuel = self.fuel.saturating_sub(state.candidates());
                self.next_instance(Box::new(state));
            }
            None => self.put(t, act, Err(Why::Quantifier(t))),
        }
    }

    fn next_instance(&mut self, mut state: Box<Instances>) {
        match state.next(self.config.instances) {
            Some(env) => {
                state.current = self.activate(env, Some(state.act));
                let (body, inner) = (state.body, state.current);
                self.tasks.push(Task::Instance(state));
                self.tasks.push(Task::Visit(body, inner));
            }
            None => {
                let val = state.value();
                self.put(state.term, state.act, val);
            }
        }
    }

    pub(super) fn instance(&mut self, mut state: Box<Instances>) {
        let val = self.get(state.body, state.current).cloned().unwrap_or(Err(Why::Budget(state.body)));
        let decides = state.decided_by(&val);
        if decides {
            self.decided.insert(state.term, self.acts[state.current as usize].env.clone());
        }
        self.release(state.current);
        if decides {
            return self.put(state.term, state.act, val);
        }
        self.next_instance(state);
    }
}

impl Instances {
    /// The variables of the next instance, until all are done or `limit` have been evaluated.
    fn next(&mut self, limit: u64) -> Option<Env> {
        if self.done {
            return None;
        }
        if self.tried == limit {
            self.exact = false;
            return None;
        }
        self.tried += 1;
        let mut env = Env::new();
        for (group, &i) in self.groups.iter().zip(&self.at) {
            env.extend(group.vars.iter().copied().zip(group.rows[i].iter().cloned().map(Ok)));
        }
        self.done = !self.advance();
        Some(env)
    }

    fn advance(&mut self) -> bool {
        for (i, group) in self.at.iter_mut().zip(&self.groups) {
            *i += 1;
            if *i < group.rows.len() {
                return true;
            }
            *i = 0;
        }
        false
    }

    /// The number of candidate values, a measure of the work of planning.
    fn candidates(&self) -> u64 {
        self.groups.iter().map(|g| g.rows.len() as u64).sum()
    }

    /// An instance with this value decides the quantifier.
    fn decided_by(&mut self, val: &Val) -> bool {
        match val {
            Ok(Value::Bool(b)) => *b != self.forall,
            Ok(_) => false,
            Err(why) => {
                self.unknown = self.unknown.or(Some(*why));
                false
            }
        }
    }

    /// The value when no instance decided it.
    fn value(&self) -> Val {
        match self.unknown {
            _ if !self.exact => Err(Why::Quantifier(self.term)),
            Some(why) => Err(why),
            None => Ok(Value::Bool(self.forall)),
        }
    }
}

/// One of `vars` occurs in `t`, or `t` is too large to search: it may be a nest of a million quantifiers.
fn any_occurs(pool: &Pool, vars: &[Term], t: Term) -> bool {
    if !pool.has_var(t) {
        return false;
    }
    let mut walk = Walk::new([t]);
    while let Some(u) = walk.next() {
        if vars.contains(&u) || walk.seen().len() > MAX_SEARCHED {
            return true;
        }
        walk.extend(pool.args(u).iter().copied().filter(|&a| pool.has_var(a)));
    }
    false
}
