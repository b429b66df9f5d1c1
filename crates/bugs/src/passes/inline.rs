//! Calls replaced by definitions.
//!
//! `(define-fun f ((a String)) Bool (= a "x"))` and `(assert (f y))` become `(assert (= y "x"))`; a name given by `:named` is replaced by its term where it is used. A definition
//! without calls disappears.

use super::Pass;
use super::edit::{Change, Edit, largest};
use crate::doc::{Doc, Effect};
use rustc_hash::FxHashSet;
use smt::{Command, Fun, Head};

/// Inlines definitions.
pub(super) struct Inline;

impl Pass for Inline {
    fn name(&self) -> &'static str {
        "inline"
    }

    fn edits(&self, doc: &Doc) -> Vec<Edit> {
        let recursive: FxHashSet<Fun> = doc
            .script
            .commands()
            .flat_map(|c| match c {
                Command::DefineFunRec(f) => std::slice::from_ref(f),
                Command::DefineFunsRec(fs) => fs,
                _ => &[],
            })
            .copied()
            .collect();
        let mut seen = recursive;
        let called = doc.pool.subterms(doc.all_roots()).filter_map(|t| match doc.pool.head(t) {
            Head::Fun(f) if doc.pool.fun(f).def.is_some() && seen.insert(f) => Some(f),
            _ => None,
        });
        largest(called.map(|f| Edit { effect: Effect::Equivalent, gain: 1, change: Change::Inline(f) }))
    }
}
