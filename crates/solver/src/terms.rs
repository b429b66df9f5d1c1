//! The term builder: the pool, the rewriter in a mode, and the skolems.

use crate::builder::Builder;
use crate::rewrite::{Mode, Rewriter};
use crate::skolem::Skolems;
use smt::{Pool, Term};

/// Owns the builders of terms during a check.
pub(crate) struct TermStore<'a> {
    pub(crate) pool: &'a mut Pool,
    rewriter: &'a mut Rewriter,
    pub(crate) skolems: Skolems,
}

impl<'a> TermStore<'a> {
    /// A store over a pool, with the skolems that it has.
    pub(crate) fn new(pool: &'a mut Pool, rewriter: &'a mut Rewriter, skolems: Skolems) -> Self {
        TermStore { pool, rewriter, skolems }
    }

    /// The builder, in mode [`Mode::Full`].
    pub(crate) fn builder(&mut self) -> Terms<'_> {
        Terms { pool: self.pool, rewriter: self.rewriter, mode: Mode::Full, skolems: &mut self.skolems }
    }
}

/// Builds terms.
pub(crate) struct Terms<'c> {
    pub(crate) pool: &'c mut Pool,
    rewriter: &'c mut Rewriter,
    pub(crate) mode: Mode,
    pub(crate) skolems: &'c mut Skolems,
}

impl Terms<'_> {
    /// The normal form of a term in the current mode.
    pub(crate) fn rewrite(&mut self, t: Term) -> Term {
        self.rewriter.rewrite(self.pool, self.mode, t)
    }

    /// `(= s t)` of two strings, rewritten with rules that decide equalities.
    pub(crate) fn rewrite_eq(&mut self, s: Term, t: Term) -> Term {
        self.rewriter.rewrite_eq(self.pool, s, t)
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
