//! Constants that stand for terms.
//!
//! A skolem is a constant with a *witness*: a term over the input (and earlier skolems) that it is equal to. Two
//! requests with the same witness give the same constant, so that all parts of the solver share the pieces they cut
//! from a string. Since every skolem has a witness, every lemma can be evaluated on any assignment of the input.

use rustc_hash::FxHashMap;
use smt::{Fun, Head, Pool, Term};

/// All skolems of a check.
#[derive(Debug, Default)]
pub(crate) struct Skolems {
    by_witness: FxHashMap<Term, Term>,
    list: Vec<(Fun, Term)>,
}

impl Skolems {
    /// The constant that is equal to this (rewritten) term; the term itself if it is a constant already.
    pub(crate) fn get(&mut self, pool: &mut Pool, witness: Term) -> Term {
        let simple = pool.args(witness).is_empty();
        if simple && !matches!(pool.head(witness), Head::Var(_)) {
            return witness;
        }
        if let Some(&k) = self.by_witness.get(&witness) {
            return k;
        }
        let name = pool.names.intern(&format!("stringent!{}", self.list.len()));
        let sort = pool.sort_of(witness);
        let f = pool.declare(name, Box::new([]), sort);
        let k = pool.apply(f, &[]);
        self.by_witness.insert(witness, k);
        self.list.push((f, witness));
        k
    }

    /// The skolems with their witnesses, in the order in which they were made.
    pub(crate) fn all(&self) -> &[(Fun, Term)] {
        &self.list
    }
}
