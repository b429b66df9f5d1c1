//! Skolem constants: names for terms.
//!
//! A skolem is a constant with a *witness*: a term over the input (and earlier skolems) that it is equal to. Two
//! requests with the same witness return the same constant, so that all parts of the solver share the pieces into which
//! they split a string. Since every skolem has a witness, every lemma can be evaluated on any assignment of the input.

use crate::build::op;
use rustc_hash::FxHashMap;
use smt::{Fun, Head, Op, Pool, Sort, Term};

/// All skolems of a check.
#[derive(Debug, Default)]
pub(crate) struct Skolems {
    by_witness: FxHashMap<Term, Term>,
    list: Vec<(Fun, Term)>,
    first_difference: Option<Fun>,
    div0: Option<Fun>,
    mod0: Option<Fun>,
    real0: Option<Fun>,
}

impl Skolems {
    /// The constant that is equal to this term; the term itself if it is a constant.
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

    /// The skolems with their witnesses, in the order of their creation.
    pub(crate) fn all(&self) -> &[(Fun, Term)] {
        &self.list
    }

    /// The recursive function of two strings and a place that returns the place from there on where they first differ.
    /// Witnesses of the lexicographic order use it.
    pub(crate) fn first_difference(&mut self, pool: &mut Pool) -> Fun {
        *self.first_difference.get_or_insert_with(|| define_first_difference(pool))
    }

    /// The function of a model for quotients or remainders by zero, under the name that z3 gives it.
    pub(crate) fn division_by_zero(&mut self, pool: &mut Pool, op: Op) -> Fun {
        let (slot, name, sort) = match op {
            Op::Mod => (&mut self.mod0, "mod0", Sort::INT),
            Op::RealDiv => (&mut self.real0, "/0", Sort::REAL),
            _ => (&mut self.div0, "div0", Sort::INT),
        };
        *slot.get_or_insert_with(|| {
            let name = pool.names.intern(name);
            pool.declare(name, Box::new([sort]), sort)
        })
    }
}

/// `d(s, t, i) = (ite (or (>= i |s|) (not (= s[i] t[i]))) i (d s t (+ i 1)))`
fn define_first_difference(pool: &mut Pool) -> Fun {
    let name = pool.names.intern("stringent!first-difference");
    let sorts = [Sort::STRING, Sort::STRING, Sort::INT];
    let f = pool.declare(name, Box::new(sorts), Sort::INT);
    let vars: Vec<Term> = ["s", "t", "i"]
        .iter()
        .zip(sorts)
        .map(|(name, sort)| {
            let name = pool.names.intern(name);
            pool.var(name, sort)
        })
        .collect();
    let (s, t, i) = (vars[0], vars[1], vars[2]);
    let len = op(pool, Op::StrLen, &[s]);
    let done = op(pool, Op::Ge, &[i, len]);
    let (cs, ct) = (op(pool, Op::StrAt, &[s, i]), op(pool, Op::StrAt, &[t, i]));
    let same = op(pool, Op::Eq, &[cs, ct]);
    let differ = op(pool, Op::Not, &[same]);
    let stop = op(pool, Op::Or, &[done, differ]);
    let one = pool.int(1);
    let next = op(pool, Op::Add, &[i, one]);
    let again = pool.apply(f, &[s, t, next]);
    let body = op(pool, Op::Ite, &[stop, i, again]);
    pool.define(f, vars.into(), body);
    f
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_witnesses_share_a_constant() {
        let mut pool = Pool::new();
        let name = pool.names.intern("x");
        let f = pool.declare(name, Box::new([]), Sort::STRING);
        let x = pool.apply(f, &[]);
        let (zero, one, word) = (pool.int(0), pool.int(1), pool.string(&[97]));
        let first = pool.mk(Head::Op(Op::StrSubstr), Sort::STRING, &[x, zero, one]);
        let second = pool.mk(Head::Op(Op::StrSubstr), Sort::STRING, &[x, one, one]);
        let mut skolems = Skolems::default();
        // A constant needs no skolem.
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
