//! Finite sets by their members.
//!
//! `(set.member e s)` is an uninterpreted predicate, and the other operators are functions without a meaning, so that congruence decides equalities.
//! What they mean is stated for every *element*: a term whose membership is asked, that is inserted, or a witness.
//!
//! | term | for every element `e` |
//! |---|---|
//! | `u = (set.insert a s)` | `e ∈ u = (e = a ∨ e ∈ s)` |
//! | `u = (set.union s t)`, `set.inter`, `set.minus` | `e ∈ u = (e ∈ s ∨ e ∈ t)`, … |
//! | `(as set.empty (Set T))` | `¬ e ∈ u` |
//! | `(set.subset s t)` | `s ⊆ t ⇒ (e ∈ s ⇒ e ∈ t)`, and `s ⊆ t ∨ (k ∈ s ∧ ¬ k ∈ t)` for a witness `k` |
//! | `(= s t)` | `s = t ∨ (k ∈ s ⊕ k ∈ t)` for a witness `k` |
//!
//! Without cardinalities, the elements that are mentioned suffice (Ferro, Omodeo and Schwartz, 1980). Sets that are fields of datatypes or arguments of functions
//! may have to differ without an equality that says so: then all pairs of a sort have a witness, if they are few.

use super::quantifiers::not;
use smt::term::SetOp;
use smt::{Fun, Head, Op, Pool, Sort, Term};
use std::collections::{BTreeMap, BTreeSet};

/// Axioms, at most.
const MAX_AXIOMS: usize = 20_000;
/// Sets of one sort that get a witness for each pair, at most.
const MAX_PAIRED: usize = 12;

/// The sets of one sort.
#[derive(Default)]
struct Sets {
    elements: BTreeSet<Term>,
    sets: BTreeSet<Term>,
    subsets: BTreeSet<(Term, Term, Term)>,
    pairs: BTreeSet<(Term, Term)>,
}

/// The axioms of the sets in some formulas; none if they are too many.
pub(super) fn axioms(pool: &mut Pool, assertions: &[Term]) -> Option<Vec<Term>> {
    let mut sorts: BTreeMap<Sort, Sets> = BTreeMap::new();
    let mut nested: BTreeSet<Sort> = BTreeSet::new();
    let terms: Vec<Term> = pool.subterms(assertions.iter().copied()).filter(|&t| !pool.has_var(t)).collect();
    for &t in &terms {
        for field in set_fields(pool, t) {
            let sort = pool.sort_of(field);
            sorts.entry(sort).or_default().sets.insert(field);
            nested.insert(sort);
        }
    }
    for t in terms {
        let args = pool.args(t).to_vec();
        if pool.set_element(pool.sort_of(t)).is_some() {
            sorts.entry(pool.sort_of(t)).or_default().sets.insert(t);
        }
        match (pool.set_op(t), &args[..]) {
            (Some(SetOp::Member), &[e, s]) => {
                sorts.entry(pool.sort_of(s)).or_default().elements.insert(e);
            }
            (Some(SetOp::Subset), &[a, b]) => {
                sorts.entry(pool.sort_of(a)).or_default().subsets.insert((t, a, b));
            }
            (Some(SetOp::Singleton), &[e]) => {
                sorts.entry(pool.sort_of(t)).or_default().elements.insert(e);
            }
            (Some(SetOp::Insert), [elements @ .., _]) => {
                sorts.entry(pool.sort_of(t)).or_default().elements.extend(elements);
            }
            (None, &[first, ..])
                if matches!(pool.head(t), Head::Op(Op::Eq | Op::Distinct))
                    && pool.set_element(pool.sort_of(first)).is_some() =>
            {
                sorts.entry(pool.sort_of(first)).or_default().pairs.extend(pairs(&args));
            }
            (None, _) if matches!(pool.head(t), Head::Fun(_)) => {
                nested.extend(args.iter().map(|&a| pool.sort_of(a)));
            }
            _ => {}
        }
    }
    let mut out = Vec::new();
    // Sets of sets first: their elements are sets that may have to differ.
    while let Some(sort) = sorts.keys().copied().max_by_key(|&s| depth(pool, s)) {
        let mut sets = sorts.remove(&sort).unwrap_or_default();
        if nested.contains(&sort) && sets.sets.len() <= MAX_PAIRED {
            let all: Vec<Term> = sets.sets.iter().copied().collect();
            sets.pairs.extend(pairs(&all));
        }
        let elements = of_sort(pool, sort, sets, &mut out)?;
        let element = pool.set_element(sort)?;
        if pool.set_element(element).is_some() {
            sorts.entry(element).or_default().sets.extend(elements);
            nested.insert(element);
        }
    }
    Some(out)
}

/// The fields of a term that are sets, as selectors applied to it.
fn set_fields(pool: &mut Pool, t: Term) -> Vec<Term> {
    let Some(datatype) = pool.datatype(pool.sort_of(t)) else { return Vec::new() };
    let selectors: Vec<Fun> =
        datatype.constructors.iter().flat_map(|k| k.selectors.iter().copied()).collect();
    let sets = selectors.into_iter().filter(|&s| pool.set_element(pool.fun(s).ret).is_some());
    let sets: Vec<Fun> = sets.collect();
    sets.into_iter().map(|s| pool.apply(s, &[t])).collect()
}

fn depth(pool: &Pool, mut sort: Sort) -> usize {
    let mut depth = 0;
    while let Some(element) = pool.set_element(sort) {
        (sort, depth) = (element, depth + 1);
    }
    depth
}

/// Adds the axioms of the sets of a sort; the elements, witnesses included.
fn of_sort(pool: &mut Pool, sort: Sort, mut sets: Sets, out: &mut Vec<Term>) -> Option<BTreeSet<Term>> {
    let element = pool.set_element(sort)?;
    let mut witnesses = Vec::new();
    for (t, a, b) in sets.subsets.iter().copied() {
        witnesses.push((t, a, b, true));
    }
    for (a, b) in sets.pairs.iter().copied().filter(|(a, b)| a != b) {
        let t = pool.mk(Head::Op(Op::Eq), Sort::BOOL, &[a, b]);
        witnesses.push((t, a, b, false));
    }
    for (t, a, b, subset) in witnesses {
        let name = pool.names.intern(&format!("witness!{}", pool.fun_count()));
        let k = pool.declare(name, Box::new([]), element);
        let k = pool.apply(k, &[]);
        sets.elements.insert(k);
        let (in_a, in_b) = (member(pool, k, a), member(pool, k, b));
        let differs = if subset {
            let outside = not(pool, in_b);
            formula(pool, Op::And, &[in_a, outside])
        } else {
            formula(pool, Op::Xor, &[in_a, in_b])
        };
        out.push(formula(pool, Op::Or, &[t, differs]));
    }
    let per_element = sets.sets.len() + sets.subsets.len();
    if out.len() + per_element.saturating_mul(sets.elements.len()) > MAX_AXIOMS {
        return None;
    }
    for &e in &sets.elements {
        for &u in &sets.sets {
            let Some(op) = pool.set_op(u) else { continue };
            let args = pool.args(u).to_vec();
            let inside = member(pool, e, u);
            let meaning = match (op, &args[..]) {
                (SetOp::Empty, _) => pool.bool(false),
                (SetOp::Singleton, &[a]) => equal(pool, e, a),
                (SetOp::Insert, [new @ .., s]) => {
                    let mut cases: Vec<Term> = new.iter().map(|&a| equal(pool, e, a)).collect();
                    cases.push(member(pool, e, *s));
                    formula(pool, Op::Or, &cases)
                }
                (_, &[s, t]) => {
                    let (in_s, in_t) = (member(pool, e, s), member(pool, e, t));
                    match op {
                        SetOp::Union => formula(pool, Op::Or, &[in_s, in_t]),
                        SetOp::Inter => formula(pool, Op::And, &[in_s, in_t]),
                        _ => {
                            let outside = not(pool, in_t);
                            formula(pool, Op::And, &[in_s, outside])
                        }
                    }
                }
                _ => continue,
            };
            out.push(equal(pool, inside, meaning));
        }
        for &(t, a, b) in &sets.subsets {
            let (in_a, in_b) = (member(pool, e, a), member(pool, e, b));
            let (is_not, outside) = (not(pool, t), not(pool, in_a));
            out.push(formula(pool, Op::Or, &[is_not, outside, in_b]));
        }
    }
    Some(sets.elements)
}

fn pairs(terms: &[Term]) -> impl Iterator<Item = (Term, Term)> {
    terms.iter().enumerate().flat_map(move |(i, &b)| terms[..i].iter().map(move |&a| (a, b)))
}

fn formula(pool: &mut Pool, op: Op, args: &[Term]) -> Term {
    pool.mk(Head::Op(op), Sort::BOOL, args)
}

fn equal(pool: &mut Pool, a: Term, b: Term) -> Term {
    if a == b { pool.bool(true) } else { formula(pool, Op::Eq, &[a, b]) }
}

fn member(pool: &mut Pool, e: Term, s: Term) -> Term {
    let name = pool.names.intern("set.member");
    pool.mk(Head::Opaque(name), Sort::BOOL, &[e, s])
}
