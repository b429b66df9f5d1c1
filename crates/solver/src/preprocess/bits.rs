//! Bit-vectors by their bits.
//!
//! `((_ bit2bool i) t)` is an uninterpreted predicate on the term `t`, so that congruence carries bits between equal terms, and operators are functions without a meaning. What they mean is stated
//! for every bit (`bits/meaning.rs`), and equality by
//!
//! - `a = b ∨ (a₀ ⊕ b₀) ∨ (a₁ ⊕ b₁) ∨ …`
//!
//! for the equalities that are mentioned, and for pairs of vectors that are arguments of functions, elements of sets or fields of datatypes, if they are few: those may
//! have to differ without an equality that says so.
//!
//! Example: `(bvult a b)` is `(not (bit n of (@bv_borrow a b)))`, where bit `i + 1` of the carries of `a + (bvnot b) + 1` is the majority of `aᵢ`, `¬bᵢ` and bit `i`.

mod formula;
mod meaning;

use formula::Bits;
use smt::{Fun, Head, Op, Pool, Sort, Term};
use std::collections::{BTreeMap, BTreeSet};

/// Axioms, at most.
const MAX_AXIOMS: usize = 150_000;
/// Vectors of one sort that are compared with each other, at most.
const MAX_PAIRED: usize = 12;

/// Pairs of vectors whose equality is stated.
type Pairs = BTreeSet<(Term, Term)>;

/// The axioms of the bit-vectors in each assertion, with equalities between vectors of any of them; none if they are too many.
pub(super) fn axioms(pool: &mut Pool, assertions: &[Term], separate: bool) -> Option<Vec<Vec<Term>>> {
    let shared = shared(pool, assertions);
    if !separate {
        return Some(vec![of(pool, assertions, shared)?]);
    }
    let mut out = Vec::new();
    for &t in assertions {
        out.push(of(pool, &[t], shared.clone())?);
    }
    Some(out)
}

/// The axioms of the vectors in some formulas, and for these pairs.
fn of(pool: &mut Pool, formulas: &[Term], pairs: Pairs) -> Option<Vec<Term>> {
    let mut bits = Bits::new(pool, pairs);
    let terms: Vec<Term> = bits.pool.subterms(formulas.iter().copied()).collect();
    for t in terms {
        bits.visit(t);
    }
    while let Some(t) = bits.todo.pop() {
        smt::work::spend(1);
        bits.state(t);
        if bits.axioms.len() > MAX_AXIOMS {
            return None;
        }
    }
    let pairs = std::mem::take(&mut bits.pairs);
    for (a, b) in pairs {
        bits.state_equality(a, b);
    }
    Some(bits.axioms)
}

/// All pairs of the vectors of each sort that are arguments of functions, elements of sets or fields.
fn shared(pool: &mut Pool, assertions: &[Term]) -> Pairs {
    let mut by_sort: BTreeMap<Sort, BTreeSet<Term>> = BTreeMap::new();
    let terms: Vec<Term> = pool.subterms(assertions.iter().copied()).filter(|&t| !pool.has_var(t)).collect();
    for t in terms {
        let function = matches!(pool.head(t), Head::Fun(_)) || pool.set_op(t).is_some();
        let args = if function { pool.args(t).to_vec() } else { Vec::new() };
        for vector in args.into_iter().chain(fields(pool, t)) {
            if pool.bit_width(pool.sort_of(vector)).is_some() {
                by_sort.entry(pool.sort_of(vector)).or_default().insert(vector);
            }
        }
    }
    let few = by_sort.into_values().filter(|vectors| vectors.len() <= MAX_PAIRED);
    few.flat_map(|vectors| pairs(&vectors.into_iter().collect::<Vec<Term>>())).collect()
}

/// The fields of a term, as selectors applied to it.
fn fields(pool: &mut Pool, t: Term) -> Vec<Term> {
    let Some(datatype) = pool.datatype(pool.sort_of(t)) else { return Vec::new() };
    let selectors: Vec<Fun> =
        datatype.constructors.iter().flat_map(|k| k.selectors.iter().copied()).collect();
    let vectors = selectors.into_iter().filter(|&s| pool.bit_width(pool.fun(s).ret).is_some());
    let vectors: Vec<Fun> = vectors.collect();
    vectors.into_iter().map(|s| pool.apply(s, &[t])).collect()
}

/// All pairs of a list.
fn pairs(terms: &[Term]) -> Vec<(Term, Term)> {
    let below = |(i, &b)| terms[..i].iter().map(move |&a| (a, b));
    terms.iter().enumerate().flat_map(below).collect()
}

impl Bits<'_> {
    /// Notes a term whose meaning is to be stated: a vector, an operator on vectors, or an equality between them.
    fn visit(&mut self, t: Term) {
        if self.pool.has_var(t) || !self.seen.insert(t) {
            return;
        }
        let args = self.pool.args(t).to_vec();
        let compares = matches!(self.pool.head(t), Head::Op(Op::Eq | Op::Distinct))
            && args.first().is_some_and(|&a| self.pool.bit_width(self.pool.sort_of(a)).is_some());
        if compares {
            self.pairs.extend(pairs(&args));
        }
        if self.pool.bit_width(self.pool.sort_of(t)).is_some() || self.pool.bit_op(t).is_some() {
            self.todo.push(t);
        }
    }

    /// Equal vectors have equal bits, by congruence; others differ in one.
    fn state_equality(&mut self, a: Term, b: Term) {
        let width = self.width(a);
        let mut cases = vec![self.equal(a, b)];
        for i in 0..width {
            let (x, y) = (self.bit(a, i), self.bit(b, i));
            cases.push(self.xor(x, y));
        }
        let any = self.or(&cases);
        self.axiom(any);
    }
}
