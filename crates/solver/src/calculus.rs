//! The components that the calculus works on.
//!
//! | component | holds |
//! |---|---|
//! | [`Terms`] | the pool, the rewriter in its mode, skolems |
//! | [`Languages`] | the languages of regular expressions |
//! | [`State`] | congruence closure and arithmetic, undone on backtracking |
//! | [`Inferences`] | the SAT solver's context, clauses sent, log, audit: the only exit of conclusions |
//!
//! A [`Workspace`] owns the components during a check. A [`Calculus`] lends them to one callback of the SAT solver;
//! the steps of the calculus (`theory/`, `strings/`) are functions of it. This file has the functions that several steps share: nodes
//! of terms, and lengths in arithmetic.

mod guesses;
mod inferences;
mod state;

pub(crate) use inferences::{Inferences, Record};
pub(crate) use state::State;

use crate::arith::{self, Sum};
use crate::audit::Audit;
use crate::build;
use crate::builder::Builder;
use crate::egraph::{Node, Premise};
use crate::engines::{Engine, Engines};
use crate::languages::Languages;
use crate::operators::Site;
use crate::options::{Options, Strategy};
use crate::rewrite::symbolic::factors;
use crate::rewrite::{Mode, Rewriter};
use crate::skolem::Skolems;
use crate::terms::{TermStore, Terms};
use sat::Context;
use smt::{Fun, Head, Int, Pool, Rat, Sort, Term};

/// A conflict or a lemma was sent, which ends the callback.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stop;

/// The result of a step: continue, or stop.
pub(crate) type Step = Result<(), Stop>;

/// Stops if something was sent.
pub(crate) fn stop_if(sent: bool) -> Step {
    if sent { Err(Stop) } else { Ok(()) }
}

/// The premise that the e-graph has `a` and `b` in one class; none if they are one node.
pub(crate) fn equality(a: Node, b: Node) -> Option<Premise> {
    (a != b).then_some(Premise::Eq(a, b))
}

/// Pivots of the simplex for one entailment query.
const MAX_ENTAILMENT_PIVOTS: u64 = 200;

/// What a workspace leaves for a later check on the same pool, at level 0.
pub(crate) struct Kept {
    skolems: Skolems,
    languages: Languages,
    state: State,
    record: Record,
}

impl Kept {
    /// Prepares for a check of other assertions: requests of the last one are dropped, and the axioms of a term are due
    /// when it becomes relevant again.
    pub(crate) fn begin(&mut self, audit: Option<Audit>) {
        self.record.begin(audit);
        self.state.registered.clear();
        self.state.searched.clear();
    }
}

/// Everything that lives as long as a check.
pub(crate) struct Workspace<'a> {
    pub(crate) terms: TermStore<'a>,
    languages: Languages,
    pub(crate) state: State,
    pub(crate) record: Record,
    strategy: Strategy,
    engines: Engines,
    interrupt: &'a dyn Fn() -> bool,
}

impl<'a> Workspace<'a> {
    /// An empty one.
    pub(crate) fn new(
        pool: &'a mut Pool,
        rewriter: &'a mut Rewriter,
        record: Record,
        options: &Options,
        interrupt: &'a dyn Fn() -> bool,
    ) -> Self {
        let (skolems, languages) = (Skolems::default(), Languages::default());
        let kept = Kept { skolems, languages, state: State::new(pool), record };
        Workspace::resume(pool, rewriter, kept, options, interrupt)
    }

    /// The workspace of an earlier check on the same pool.
    pub(crate) fn resume(
        pool: &'a mut Pool,
        rewriter: &'a mut Rewriter,
        kept: Kept,
        options: &Options,
        interrupt: &'a dyn Fn() -> bool,
    ) -> Self {
        Workspace {
            terms: TermStore::new(pool, rewriter, kept.skolems),
            languages: kept.languages,
            state: kept.state,
            record: kept.record,
            strategy: options.strategy,
            engines: options.engines,
            interrupt,
        }
    }

    /// What a later check can resume.
    pub(crate) fn into_kept(self) -> Kept {
        let Workspace { terms, languages, state, record, .. } = self;
        Kept { skolems: terms.skolems, languages, state, record }
    }

    /// Whether the check should end: by request, or because the audit found a false claim.
    pub(crate) fn interrupted(&self) -> bool {
        (self.interrupt)() || self.record.audit_failed()
    }

    /// The components, for one callback.
    pub(crate) fn calculus<'c>(&'c mut self, ctx: &'c mut Context<'_>) -> Calculus<'c> {
        Calculus {
            terms: self.terms.builder(),
            languages: &mut self.languages,
            state: &mut self.state,
            inferences: Inferences::new(ctx.reborrow(), &mut self.record),
            strategy: self.strategy,
            engines: self.engines,
            interrupt: self.interrupt,
        }
    }
}

/// The components, lent to one callback of the SAT solver.
pub(crate) struct Calculus<'c> {
    pub(crate) terms: Terms<'c>,
    pub(crate) languages: &'c mut Languages,
    pub(crate) state: &'c mut State,
    pub(crate) inferences: Inferences<'c>,
    pub(crate) strategy: Strategy,
    engines: Engines,
    interrupt: &'c dyn Fn() -> bool,
}

impl Calculus<'_> {
    /// Whether the check should end: by request, or because the audit found a false claim.
    pub(crate) fn interrupted(&self) -> bool {
        (self.interrupt)() || self.inferences.audit_failed()
    }

    /// Whether a technique is on.
    pub(crate) fn has(&self, engine: Engine) -> bool {
        self.engines.has(engine)
    }

    /// Runs a step with the rewriter in another mode.
    pub(crate) fn in_mode<R>(&mut self, mode: Mode, step: impl FnOnce(&mut Self) -> R) -> R {
        let before = std::mem::replace(&mut self.terms.mode, mode);
        let result = step(self);
        self.terms.mode = before;
        result
    }

    /// The node of a term.
    pub(crate) fn node(&mut self, t: Term) -> Node {
        self.state.egraph.add(self.terms.pool, t)
    }

    /// The node of a term that only a fact mentions; it is relevant as long as the fact holds.
    pub(crate) fn derived_node(&mut self, t: Term) -> Node {
        self.state.derived.push(t);
        self.node(t)
    }

    /// The term of a node.
    pub(crate) fn term(&self, n: Node) -> Term {
        self.state.egraph.term(n)
    }

    /// The head of a term.
    pub(crate) fn head(&self, t: Term) -> Head {
        self.terms.pool.head(t)
    }

    /// The sort of a term.
    pub(crate) fn sort(&self, t: Term) -> Sort {
        self.terms.pool.sort_of(t)
    }

    /// The string of a constant node.
    pub(crate) fn word_of(&self, n: Node) -> Option<&[u32]> {
        build::word(self.terms.pool, self.term(n))
    }

    /// The node of a constant string.
    pub(crate) fn word_node(&mut self, word: &[u32]) -> Node {
        let t = self.terms.pool.string(word);
        self.node(t)
    }

    /// The value of a constant node that is a natural number.
    pub(crate) fn natural_of(&self, n: Node) -> Option<usize> {
        build::int(self.terms.pool, self.term(n)).and_then(Int::to_usize)
    }

    /// An integer term as a sum; its monomials become nodes.
    pub(crate) fn sum(&mut self, t: Term) -> Sum {
        let sum = self.state.arith.sum(&mut self.terms, t);
        self.state.register_monomials(self.terms.pool);
        sum
    }

    /// `a - b` as a sum.
    pub(crate) fn difference(&mut self, a: Term, b: Term) -> Sum {
        let a = self.state.arith.sum(&mut self.terms, a);
        let b = self.state.arith.sum(&mut self.terms, b);
        arith::difference(&a, &b)
    }

    /// The value of an integer term in the arithmetic model.
    pub(crate) fn model_value(&mut self, t: Term) -> Rat {
        self.state.arith.value(&mut self.terms, t)
    }

    /// The length of a class in the arithmetic model, zero if it is not a natural number.
    pub(crate) fn model_length_of(&mut self, x: Node) -> usize {
        let t = self.term(x);
        let len = self.len(t);
        self.model_value(len).floor().to_usize().unwrap_or(0)
    }

    /// The node of the length of a node.
    pub(crate) fn len_node(&mut self, x: Node) -> Node {
        let t = self.term(x);
        let len = self.len(t);
        let n = self.node(len);
        let _ = self.sum(len);
        n
    }

    /// `|x| - |y|`
    pub(crate) fn length_difference(&mut self, x: Node, y: Node) -> Sum {
        let (t, u) = (self.term(x), self.term(y));
        let (lt, lu) = (self.len(t), self.len(u));
        let d = self.difference(lt, lu);
        self.state.register_monomials(self.terms.pool);
        d
    }

    /// The premises of `s >= 0`, if arithmetic entails it.
    pub(crate) fn entails_nonneg(&mut self, s: &Sum) -> Option<Vec<Premise>> {
        let tags = self.state.arith.entails_nonneg(s, MAX_ENTAILMENT_PIVOTS)?;
        Some(self.state.arith.premises(&tags))
    }

    /// The premises of `|x| >= n`, if arithmetic entails it.
    pub(crate) fn entails_length(&mut self, x: Node, n: i64) -> Option<Vec<Premise>> {
        let t = self.term(x);
        let len = self.len(t);
        let mut s = self.sum(len);
        s.constant = &s.constant - &Int::from(n);
        self.entails_nonneg(&s)
    }
}

impl Builder for Calculus<'_> {
    fn pool(&mut self) -> &mut Pool {
        self.terms.pool
    }

    fn rewrite(&mut self, t: Term) -> Term {
        self.terms.rewrite(t)
    }

    fn skolem(&mut self, witness: Term) -> Term {
        self.terms.skolem(witness)
    }
}

impl Site for Calculus<'_> {
    fn is_node(&self, t: Term) -> bool {
        self.state.egraph.node(t).is_some()
    }

    fn integer_value(&mut self, t: Term) -> Option<i64> {
        let value = self.model_value(t);
        value.is_integer().then(|| value.floor()).and_then(|n| n.to_i64())
    }

    fn word_lengths(&mut self, r: Term) -> Option<(u64, u64)> {
        self.languages.lengths(self.terms.pool, r)
    }

    fn regex_factors(&self, r: Term) -> Option<Vec<Term>> {
        factors(self.terms.pool, r)
    }

    fn first_difference(&mut self) -> Fun {
        self.terms.skolems.first_difference(self.terms.pool)
    }
}
