//! Bit-vectors by their bits.
//!
//! Each vector becomes a list of wires of a circuit (`bits/circuit.rs`, `bits/meaning.rs`), whose clauses are valid: they go to the SAT solver as they are, and its variables
//! are decided there, by activity; other theories do not see them. They meet in
//!
//! - formulas: comparisons, equalities of vectors, conditions of `ite`: a literal that the other theories have as well;
//! - *shared* vectors, those that are arguments or values of functions, elements of sets or fields of datatypes. Their bits are also atoms `((_ bit2bool i) t)`,
//!   which congruence carries between equal terms. Shared vectors are compared in pairs, if they are few: they may have to differ without an equality that says so.
//!
//! Example: `(bvult a b)` is the last carry of a chain of majorities of `¬aᵢ`, `bᵢ` and the carry before.

mod circuit;
mod meaning;
#[cfg(test)]
mod tests;

pub(crate) use circuit::{Circuit, Source, Wire};

use meaning::Meaning;
use smt::{Fun, Head, Op, Pool, Sort, Term};
use std::collections::{BTreeMap, BTreeSet};

/// Shared vectors of one sort that are compared with each other, at most.
const MAX_PAIRED: usize = 12;

/// Pairs of vectors whose equality is stated.
type Pairs = BTreeSet<(Term, Term)>;

/// What the vectors in some assertions mean.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bits {
    pub(crate) circuit: Circuit,
    /// The bits of each vector, the lowest first.
    pub(crate) vectors: Vec<(Term, Vec<Wire>)>,
    /// Formulas that choose between vectors: they need a value.
    pub(crate) conditions: Vec<Term>,
    /// Formulas that hold in every model, on the integers of vectors.
    pub(crate) statements: Vec<Term>,
}

/// The meaning of the vectors in these formulas; none if it is too long.
pub(super) fn meaning(pool: &mut Pool, formulas: &[Term]) -> Option<Bits> {
    let mut pairs = shared(pool, formulas);
    let mut meaning = Meaning::new(pool);
    // The arguments of a term are older than it.
    let mut terms: Vec<Term> = meaning.pool.subterms(formulas.iter().copied()).collect();
    terms.sort_unstable();
    for t in terms {
        if meaning.pool.has_var(t) {
            continue;
        }
        let args = meaning.pool.args(t).to_vec();
        let compares = matches!(meaning.pool.head(t), Head::Op(Op::Eq | Op::Distinct));
        if compares && args.first().is_some_and(|&a| meaning.is_vector(a)) {
            pairs.extend(all_pairs(&args));
        } else if meaning.is_vector(t) || meaning.pool.bit_op(t).is_some() {
            meaning.state(t);
        }
        if shares(meaning.pool, t) {
            for a in args {
                if meaning.is_vector(a) {
                    meaning.share(a);
                }
            }
        }
        if meaning.is_full() {
            return None;
        }
    }
    for (a, b) in pairs {
        meaning.state_equality(a, b);
    }
    meaning.finish()
}

/// Whether the arguments of a term are shared with other theories.
fn shares(pool: &Pool, t: Term) -> bool {
    matches!(pool.head(t), Head::Fun(_)) || pool.set_op(t).is_some()
}

/// All pairs of the vectors of each sort that are arguments of functions, elements of sets or fields.
fn shared(pool: &mut Pool, assertions: &[Term]) -> Pairs {
    let mut by_sort: BTreeMap<Sort, BTreeSet<Term>> = BTreeMap::new();
    let terms: Vec<Term> = pool.subterms(assertions.iter().copied()).filter(|&t| !pool.has_var(t)).collect();
    for t in terms {
        let args = if shares(pool, t) { pool.args(t).to_vec() } else { Vec::new() };
        for vector in args.into_iter().chain(fields(pool, t)) {
            if pool.bit_width(pool.sort_of(vector)).is_some() {
                by_sort.entry(pool.sort_of(vector)).or_default().insert(vector);
            }
        }
    }
    let few = by_sort.into_values().filter(|vectors| vectors.len() <= MAX_PAIRED);
    few.flat_map(|vectors| all_pairs(&vectors.into_iter().collect::<Vec<Term>>())).collect()
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
fn all_pairs(terms: &[Term]) -> Vec<(Term, Term)> {
    let below = |(i, &b)| terms[..i].iter().map(move |&a| (a, b));
    terms.iter().enumerate().flat_map(below).collect()
}
