//! Expressions as automata: derivatives for callers, and explicit automata as expressions.
//!
//! A state of an explicit automaton is an expression, the language of the words that are accepted from it. Its derivative is the union of
//! the states that follow. So languages that have no short expression take part in all operations. The evaluator makes none.

use super::automaton::Automaton;
use super::matching::limited;
use super::node::{Node, Re};
use super::store::RegexStore;
use std::sync::Arc;

impl RegexStore {
    /// The language of the words that an automaton accepts from one of the states.
    pub fn automaton(&mut self, automaton: Automaton, from: &[u32]) -> Re {
        let states = self.states_of(automaton, from);
        let union = self.unite(states, usize::MAX);
        self.pin(union)
    }

    pub(super) fn states_of(&mut self, automaton: Automaton, from: &[u32]) -> Vec<Re> {
        let number = self.automaton_number(Arc::new(automaton));
        from.iter().map(|&s| self.state(number, s)).collect()
    }

    /// The expression of a state.
    fn state(&mut self, automaton: u32, state: u32) -> Re {
        let lengths = self.automaton_of(automaton).lengths(state);
        if lengths.0 == u64::MAX { Re::NONE } else { self.intern(Node::State { automaton, state }) }
    }

    /// The derivative of a state.
    pub(super) fn move_state(&mut self, automaton: u32, state: u32, c: u32) -> Re {
        let table = Arc::clone(self.automaton_of(automaton));
        let read = table.edges(state).iter().filter(|&&(first, last, _)| first <= c && c <= last);
        let next = read.map(|&(_, _, to)| self.state(automaton, to)).collect();
        self.unite(next, usize::MAX)
    }

    /// The expression in a form that is ready for `RegexStore::derivative`, and the characters at which classes start: characters of one
    /// class have the same derivatives.
    pub fn explore(&mut self, r: Re) -> (Re, Vec<u32>) {
        let prepared = self.prepare(r);
        let starts = prepared.alphabet.starts().to_vec();
        (self.pin(prepared.start), starts)
    }

    /// The words that follow `c` in the language; none if the budget does not suffice.
    pub fn derivative_by(&mut self, r: Re, c: u32, budget: u64) -> Option<Re> {
        let next = limited(budget, |fuel| self.derive(r, c, fuel))?;
        Some(self.pin(next))
    }

    /// Whether the expression is seen to have no words.
    pub fn is_visibly_empty(&self, r: Re) -> bool {
        let facts = self.facts(r);
        facts.min > facts.max
    }

    /// Whether no numeral of the expression was too great to be exact.
    pub fn is_exact(&self, r: Re) -> bool {
        self.facts(r).exact
    }
}
