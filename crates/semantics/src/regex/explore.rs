//! Expressions as automata: derivatives for callers, and explicit automata as expressions.
//!
//! A state of an explicit automaton is an expression, the language of the words that are accepted from it. Its derivative is the union of
//! the states that follow. So languages that have no short expression take part in all operations. The evaluator makes none.

use super::matching::limited;
use super::node::{Node, Re};
use super::store::RegexStore;
use std::sync::Arc;

/// An automaton: by state, whether it accepts, and its edges, each with the first and the last character and the state after it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Automaton {
    edges: Vec<Vec<(u32, u32, u32)>>,
    accepting: Vec<bool>,
    /// The least and the greatest length of the words from each state; the former is greater if there are none.
    lengths: Vec<(u64, u64)>,
}

impl Automaton {
    /// From accepting states and edges. All states must be below the number of both lists.
    pub fn new(edges: Vec<Vec<(u32, u32, u32)>>, accepting: Vec<bool>) -> Automaton {
        let mut automaton = Automaton { lengths: vec![(u64::MAX, 0); accepting.len()], edges, accepting };
        automaton.measure();
        automaton
    }

    /// The least lengths by breadth-first search from the ends; the greatest once all that follow are known, which on cycles is never.
    fn measure(&mut self) {
        let n = self.accepting.len();
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); n];
        for (from, edges) in self.edges.iter().enumerate() {
            smt::work::spend(1 + edges.len());
            edges.iter().for_each(|&(_, _, to)| before[to as usize].push(from));
        }
        let mut queue: Vec<usize> = (0..n).filter(|&s| self.accepting[s]).collect();
        queue.iter().for_each(|&s| self.lengths[s] = (0, u64::MAX));
        let mut at = 0;
        while let Some(&s) = queue.get(at) {
            for &b in &before[s] {
                if self.lengths[b].0 == u64::MAX {
                    self.lengths[b] = (self.lengths[s].0 + 1, u64::MAX);
                    queue.push(b);
                }
            }
            at += 1;
        }
        let live = |lengths: &[(u64, u64)], s: usize| lengths[s].0 < u64::MAX;
        let follows =
            |s: &Vec<(u32, u32, u32)>| s.iter().filter(|e| live(&self.lengths, e.2 as usize)).count();
        let mut open: Vec<usize> = self.edges.iter().map(follows).collect();
        let mut most: Vec<u64> = vec![0; n];
        let mut known: Vec<usize> = queue.iter().copied().filter(|&s| open[s] == 0).collect();
        while let Some(s) = known.pop() {
            self.lengths[s].1 = most[s];
            for &b in &before[s] {
                most[b] = most[b].max(most[s] + 1);
                open[b] -= 1;
                if open[b] == 0 {
                    known.push(b);
                }
            }
        }
    }

    pub(super) fn edges(&self, state: u32) -> &[(u32, u32, u32)] {
        &self.edges[state as usize]
    }

    pub(super) fn all_edges(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.edges.iter().flatten().map(|&(first, last, _)| (first, last))
    }

    pub(super) fn accepts(&self, state: u32) -> bool {
        self.accepting[state as usize]
    }

    pub(super) fn lengths(&self, state: u32) -> (u64, u64) {
        self.lengths[state as usize]
    }

    /// The automaton of the words read backwards, and the states where these start if words start in `state`.
    pub(super) fn reversed(&self, state: u32) -> (Automaton, Vec<u32>) {
        let mut edges = vec![Vec::new(); self.edges.len()];
        for (from, list) in (0..).zip(&self.edges) {
            for &(first, last, to) in list {
                edges[to as usize].push((first, last, from));
            }
        }
        let accepting = (0..).take(self.edges.len()).map(|s: u32| s == state).collect();
        let ends = (0..).zip(&self.accepting).filter(|&(_, &end)| end).map(|(s, _)| s).collect();
        (Automaton::new(edges, accepting), ends)
    }
}

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

    /// The expression in a form that is ready for [`RegexStore::derivative`], and the characters at which classes start: characters of one
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
