//! The term builder: the pool, the rewriter in a mode, and the skolems.

use crate::builder::Builder;
use crate::rewrite::Rewriter;
use crate::skolem::Skolems;
use smt::{Pool, Term};

/// How terms are rewritten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// By all rules.
    Full,
    /// Without entailment rules, which would rewrite axioms to true: arithmetic has to be told what they state.
    Axioms,
}

/// Owns what builds terms, for the time of a check.
pub(crate) struct TermStore<'a> {
    pub(crate) pool: &'a mut Pool,
    full: &'a mut Rewriter,
    plain: Rewriter,
    pub(crate) skolems: Skolems,
}

impl<'a> TermStore<'a> {
    /// Without skolems.
    pub(crate) fn new(pool: &'a mut Pool, rewriter: &'a mut Rewriter) -> Self {
        TermStore { pool, full: rewriter, plain: plain_rewriter(), skolems: Skolems::default() }
    }

    /// The builder, in mode [`Mode::Full`].
    pub(crate) fn builder(&mut self) -> Terms<'_> {
        Terms {
            pool: self.pool,
            full: self.full,
            plain: &mut self.plain,
            mode: Mode::Full,
            skolems: &mut self.skolems,
        }
    }
}

/// Builds terms.
pub(crate) struct Terms<'c> {
    pub(crate) pool: &'c mut Pool,
    pub(crate) full: &'c mut Rewriter,
    pub(crate) plain: &'c mut Rewriter,
    pub(crate) mode: Mode,
    pub(crate) skolems: &'c mut Skolems,
}

impl Terms<'_> {
    /// The normal form of a term in the current mode.
    pub(crate) fn rewrite(&mut self, t: Term) -> Term {
        match self.mode {
            Mode::Full => self.full.rewrite(self.pool, t),
            Mode::Axioms => self.plain.rewrite(self.pool, t),
        }
    }

    /// `(= s t)` of two strings, rewritten with rules that decide equalities.
    pub(crate) fn rewrite_eq(&mut self, s: Term, t: Term) -> Term {
        self.full.rewrite_eq(self.pool, s, t)
    }

    /// A term as text, for traces.
    pub(crate) fn text(&self, t: Term) -> String {
        smt::print::term_text(self.pool, t)
    }
}

impl Builder for Terms<'_> {
    fn pool(&mut self) -> &mut Pool {
        self.pool
    }

    fn rewrite(&mut self, t: Term) -> Term {
        Terms::rewrite(self, t)
    }

    fn skolem(&mut self, witness: Term) -> Term {
        self.skolems.get(self.pool, witness)
    }
}

/// A rewriter without entailment rules.
fn plain_rewriter() -> Rewriter {
    const NOT_IN_AXIOMS: &[&str] = &[
        "int-ge-entailed",
        "int-eq-entailed",
        "eq-ite",
        "int-ge-ite",
        "code-eq",
        "code-ge",
        "to-code-from-code",
        "from-code-to-code",
        "to-int-from-int",
        "indexof-ge",
        "indexof-found",
    ];
    let mut plain = Rewriter::new();
    for rule in NOT_IN_AXIOMS {
        let known = plain.disable(rule);
        debug_assert!(known, "{rule} is a rule");
    }
    plain
}
