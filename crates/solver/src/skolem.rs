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

#[cfg(test)]
mod tests {
    use super::*;
    use smt::{Op, Sort};

    #[test]
    fn one_meaning_is_one_constant() {
        let mut pool = Pool::new();
        let name = pool.names.intern("x");
        let f = pool.declare(name, Box::new([]), Sort::STRING);
        let x = pool.apply(f, &[]);
        let (zero, one, word) = (pool.int(0), pool.int(1), pool.string(&[97]));
        let first = pool.mk(Head::Op(Op::StrSubstr), Sort::STRING, &[x, zero, one]);
        let second = pool.mk(Head::Op(Op::StrSubstr), Sort::STRING, &[x, one, one]);
        let mut skolems = Skolems::default();
        // Constants stand for themselves.
        assert_eq!((skolems.get(&mut pool, x), skolems.get(&mut pool, word)), (x, word));
        let (k, l) = (skolems.get(&mut pool, first), skolems.get(&mut pool, second));
        assert_ne!(k, l);
        assert_eq!(skolems.get(&mut pool, first), k);
        assert_eq!(skolems.get(&mut pool, k), k);
        assert_eq!(pool.sort_of(k), Sort::STRING);
        let witnesses: Vec<Term> = skolems.all().iter().map(|&(_, w)| w).collect();
        assert_eq!(witnesses, [first, second]);
    }
}
