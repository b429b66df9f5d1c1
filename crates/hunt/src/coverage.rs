//! Pairs of operators: which operator was directly inside which, at which argument.
//!
//! A pair is legal if the sorts fit. Arguments past the last of a signature count as the last. Only operators of the standard are counted,
//! without those on reals.

use serde::{Deserialize, Serialize};
use smt::op::{S, TABLE};
use smt::{Head, Op, Pool, Term};

/// The largest number of arguments in a signature.
const PLACES: usize = 3;

/// A set of pairs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Coverage {
    bits: Vec<u64>,
}

impl Coverage {
    /// Adds the pairs of some terms.
    pub fn add(&mut self, pool: &Pool, terms: impl IntoIterator<Item = Term>) {
        for t in pool.subterms(terms) {
            let Some(outer) = operator(pool, t) else { continue };
            for (i, &argument) in pool.args(t).iter().enumerate() {
                if let Some(inner) = operator(pool, argument) {
                    self.set(index(outer, i, inner));
                }
            }
        }
    }

    fn set(&mut self, at: usize) {
        if self.bits.is_empty() {
            self.bits = vec![0; words()];
        }
        self.bits[at / 64] |= 1 << (at % 64);
    }

    fn has(&self, at: usize) -> bool {
        self.bits.get(at / 64).is_some_and(|w| w >> (at % 64) & 1 == 1)
    }

    /// Adds the pairs of another set; returns the number of new ones.
    pub fn merge(&mut self, other: &Coverage) -> u64 {
        if self.bits.is_empty() {
            self.bits = vec![0; words()];
        }
        let mut new = 0;
        for (mine, theirs) in self.bits.iter_mut().zip(&other.bits) {
            new += u64::from((theirs & !*mine).count_ones());
            *mine |= theirs;
        }
        new
    }

    /// The number of legal pairs that were seen, and of all.
    pub fn count(&self, usable: &dyn Fn(Op) -> bool) -> (u64, u64) {
        let (mut seen, mut all) = (0, 0);
        for (outer, place, inner) in legal(usable) {
            all += 1;
            seen += u64::from(self.has(index(outer, place, inner)));
        }
        (seen, all)
    }

    /// The legal pairs that were not seen.
    pub fn missing(&self, usable: &dyn Fn(Op) -> bool) -> Vec<(Op, usize, Op)> {
        legal(usable).filter(|&(outer, place, inner)| !self.has(index(outer, place, inner))).collect()
    }
}

fn words() -> usize {
    (TABLE.len() * PLACES * TABLE.len()).div_ceil(64)
}

fn index(outer: Op, place: usize, inner: Op) -> usize {
    let place = place.min(outer.row().params.len().saturating_sub(1)).min(PLACES - 1);
    (outer as usize * PLACES + place) * TABLE.len() + inner as usize
}

fn operator(pool: &Pool, t: Term) -> Option<Op> {
    match pool.head(pool.strip(t)) {
        Head::Op(op) | Head::Indexed(op, _) => Some(op).filter(|op| !op.is_sequence()),
        _ => None,
    }
}

/// All pairs of usable operators whose sorts fit.
fn legal(usable: &dyn Fn(Op) -> bool) -> impl Iterator<Item = (Op, usize, Op)> {
    let counted = |op: &Op| !op.is_extension() && !has_reals(*op) && usable(*op);
    let ops: Vec<Op> = Op::all().filter(counted).collect();
    let inner = ops.clone();
    ops.into_iter().flat_map(move |outer| {
        let inner = inner.clone();
        let params = outer.row().params.iter().enumerate();
        params.flat_map(move |(place, &sort)| {
            let fitting: Vec<Op> = inner.iter().copied().filter(|i| fits(sort, i.row().ret)).collect();
            fitting.into_iter().map(move |i| (outer, place, i))
        })
    })
}

fn has_reals(op: Op) -> bool {
    op.row().ret == S::Real || op.row().params.contains(&S::Real)
}

/// A result of sort `ret` can be an argument of sort `param`.
fn fits(param: S, ret: S) -> bool {
    match (param, ret) {
        (S::Any, _) | (_, S::Any) => true,
        (S::Num | S::Int, S::Num | S::Int) => true,
        (a, b) => a == b,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Coverage {
        let mut pool = Pool::new();
        let script = smt::parse(text.as_bytes(), None, &mut pool).script;
        let mut coverage = Coverage::default();
        coverage.add(&pool, script.assertions());
        coverage
    }

    #[test]
    fn a_pair_has_a_place() {
        let one = of("(declare-const x String)(assert (= (str.len (str.++ x x)) 2))");
        let all = |_: Op| true;
        assert_eq!(one.count(&all).0, 2);
        let mut both = one.clone();
        assert_eq!(both.merge(&one), 0);
        assert_eq!(both.merge(&of("(declare-const x String)(assert (= 2 (str.len (str.++ x x))))")), 1);
        assert_eq!(both.count(&all).0 + both.missing(&all).len() as u64, both.count(&all).1);
    }

    #[test]
    fn later_arguments_count_as_the_last() {
        let two = of("(declare-const x String)(assert (= x (str.++ x (str.++ x x))))");
        let three = of("(declare-const x String)(assert (= x (str.++ x x (str.++ x x))))");
        assert_eq!(two, three);
    }

    #[test]
    fn sorts_decide_which_pairs_are_legal() {
        let pairs: Vec<_> = legal(&|_| true).collect();
        assert!(pairs.contains(&(Op::StrLen, 0, Op::StrAt)));
        assert!(pairs.contains(&(Op::Ite, 1, Op::ReNone)));
        assert!(!pairs.contains(&(Op::StrLen, 0, Op::StrLen)));
        assert!(!pairs.iter().any(|(a, _, b)| has_reals(*a) || has_reals(*b) || b.is_extension()));
    }
}
