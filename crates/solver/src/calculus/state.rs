//! Congruence closure, arithmetic, and all other state that is undone on backtracking.

use super::guesses::Guesses;
use crate::arith::Arith;
use crate::digits::Searched;
use crate::egraph::{Egraph, Event, Node};
use crate::lra::Reals;
use crate::terms::Terms;
use crate::weq::Analyses;
use rustc_hash::FxHashSet;
use sat::Lit;
use smt::{Head, Op, Pool, Sort, Term};

/// The state of the theories.
pub(crate) struct State {
    pub(crate) egraph: Egraph,
    pub(crate) arith: Arith,
    /// Reals, if the problem has any.
    pub(crate) reals: Option<Box<Reals>>,
    /// The literals of atoms that are processed.
    pub(crate) asserted: Vec<Lit>,
    /// Terms that only facts mention, as long as those hold.
    pub(crate) derived: Vec<Term>,
    /// Terms whose axioms were sent. Never undone.
    pub(crate) registered: FxHashSet<Term>,
    /// Systems of word equations that were analysed. Never undone.
    pub(crate) analyses: Analyses,
    /// Systems of numerals that were searched. Never undone.
    pub(crate) searched: Searched,
    /// When to guess a model. Never undone.
    pub(crate) guesses: Guesses,
    marks: Vec<Mark>,
    events: Vec<Event>,
    pub(crate) truth: Node,
    pub(crate) falsity: Node,
    pub(crate) empty: Node,
}

/// The sizes to which lists are cut on backtracking.
struct Mark {
    asserted: usize,
    equalities: usize,
    derived: usize,
}

impl State {
    /// The state without literals.
    pub(crate) fn new(pool: &mut Pool) -> State {
        let mut egraph = Egraph::new();
        let (t, f, e) = (pool.bool(true), pool.bool(false), pool.string(&[]));
        let (truth, falsity, empty) = (egraph.add(pool, t), egraph.add(pool, f), egraph.add(pool, e));
        State {
            egraph,
            arith: Arith::default(),
            reals: None,
            asserted: Vec::new(),
            derived: Vec::new(),
            registered: FxHashSet::default(),
            analyses: Analyses::default(),
            searched: Searched::default(),
            guesses: Guesses::default(),
            marks: Vec::new(),
            events: Vec::new(),
            truth,
            falsity,
            empty,
        }
    }

    /// Opens a decision level.
    pub(crate) fn push(&mut self) {
        self.marks.push(Mark {
            asserted: self.asserted.len(),
            equalities: self.arith.mark(),
            derived: self.derived.len(),
        });
        self.egraph.push();
        self.arith.push();
        if let Some(reals) = &mut self.reals {
            reals.push();
        }
    }

    /// Returns to a decision level below the current one.
    pub(crate) fn backtrack(&mut self, level: usize) {
        let levels = self.marks.len() - level;
        let mark = &self.marks[level];
        self.asserted.truncate(mark.asserted);
        self.derived.truncate(mark.derived);
        self.egraph.pop(levels);
        self.arith.pop(levels, mark.equalities);
        if let Some(reals) = &mut self.reals {
            reals.pop(levels);
        }
        self.marks.truncate(level);
        self.events.clear();
    }

    /// The current decision level.
    pub(crate) fn level(&self) -> usize {
        self.marks.len()
    }

    /// The events of the e-graph since the last call, in the buffer that [`State::return_events`] gives back.
    pub(crate) fn take_events(&mut self) -> Vec<Event> {
        let mut events = std::mem::take(&mut self.events);
        events.clear();
        self.egraph.take_events(&mut events);
        events
    }

    /// Gives a buffer of events back.
    pub(crate) fn return_events(&mut self, events: Vec<Event>) {
        self.events = events;
    }

    /// Adds an atom to arithmetic or to the e-graph.
    pub(crate) fn register_atom(&mut self, terms: &mut Terms<'_>, atom: Term, l: Lit) {
        match terms.pool.head(atom) {
            Head::Op(Op::Ge) if terms.pool.sort_of(terms.pool.args(atom)[0]) == Sort::INT => {
                self.arith.add_atom(terms, atom, l);
            }
            // Compared class by class (`strings/distinct.rs`).
            Head::Op(Op::Distinct) => {
                for &a in terms.pool.args(atom) {
                    self.egraph.add(terms.pool, a);
                }
            }
            _ => {
                self.egraph.add(terms.pool, atom);
            }
        }
    }

    /// Adds every new monomial of arithmetic to the e-graph.
    pub(crate) fn register_monomials(&mut self, pool: &Pool) {
        for t in self.arith.take_fresh() {
            self.egraph.add(pool, t);
        }
    }
}
