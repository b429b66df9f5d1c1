//! Linear arithmetic over terms: integer terms as sums of simplex variables, and the reasons of bounds.
//!
//! A term that is not a sum is a variable of the simplex; a sum is a row. The reason of a bound is a literal, or an
//! equality of the e-graph (A-Prop of the paper), which is explained only if the bound takes part in a conflict.

use crate::egraph::{Node, Premise};
use crate::lia::{LVar, Simplex, Tag};
use crate::operators;
use crate::poly::Poly;
use crate::terms::Terms;
use rustc_hash::FxHashMap;
use sat::Lit;
use smt::work::spend;
use smt::{Int, Pool, Rat, Term};

/// The bit of a tag that marks an equality of the e-graph.
const EQUALITY: u32 = 1 << 31;

/// A sum over simplex variables.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sum {
    pub(crate) terms: Vec<(Int, LVar)>,
    pub(crate) constant: Int,
}

/// The arithmetic part of the theory.
#[derive(Default)]
pub(crate) struct Arith {
    pub(crate) lia: Simplex,
    vars: FxHashMap<Term, LVar>,
    terms: Vec<Option<Term>>,
    rows: FxHashMap<LVar, Vec<(Int, LVar)>>,
    sums: FxHashMap<Term, Sum>,
    /// Equalities of the e-graph that are reasons of bounds, by tag.
    equalities: Vec<(Node, Node)>,
    /// New monomials.
    fresh: Vec<Term>,
    /// Atoms `v >= c` by variable.
    atoms: FxHashMap<LVar, Vec<(Int, Lit)>>,
    /// The bound of an atom: variable, constant, and whether the positive literal is a lower bound.
    bounds: FxHashMap<Lit, (LVar, Int, bool)>,
}

impl Arith {
    /// The tag of a literal.
    pub(crate) fn tag(l: Lit) -> Tag {
        Tag(u32::try_from(l.index()).expect("fewer than 2^31 literals"))
    }

    fn equality_tag(&mut self, a: Node, b: Node) -> Tag {
        self.equalities.push((a, b));
        Tag(EQUALITY | u32::try_from(self.equalities.len() - 1).expect("fewer than 2^31 equalities"))
    }

    /// The premises of tags.
    pub(crate) fn premises(&self, tags: &[Tag]) -> Vec<Premise> {
        let premise = |tag: &Tag| match tag.0 {
            t if t & EQUALITY != 0 => {
                let (a, b) = self.equalities[(t & !EQUALITY) as usize];
                Premise::Eq(a, b)
            }
            t => Premise::Lit(sat::Var(t / 2).lit(t.is_multiple_of(2))),
        };
        tags.iter().filter(|&&t| t != Tag::NONE).map(premise).collect()
    }

    /// The number of equalities, for backtracking.
    pub(crate) fn mark(&self) -> usize {
        self.equalities.len()
    }

    pub(crate) fn push(&mut self) {
        self.lia.push();
    }

    pub(crate) fn pop(&mut self, levels: usize, mark: usize) {
        self.lia.pop(levels);
        self.equalities.truncate(mark);
    }

    /// The monomials that are new since the last call.
    pub(crate) fn take_fresh(&mut self) -> Vec<Term> {
        std::mem::take(&mut self.fresh)
    }

    /// The variable of a monomial, with the lower bound that its operator gives.
    fn var(&mut self, pool: &Pool, t: Term) -> LVar {
        if let Some(&v) = self.vars.get(&t) {
            return v;
        }
        let v = match operators::constant_bounds(pool, t) {
            (Some(low), _) => self.lia.new_var_from(&low),
            (None, _) => self.lia.new_var(),
        };
        self.vars.insert(t, v);
        let i = v.0 as usize;
        if self.terms.len() <= i {
            self.terms.resize(i + 1, None);
        }
        self.terms[i] = Some(t);
        self.fresh.push(t);
        v
    }

    /// An integer term as a sum; the length of a concatenation is the sum of lengths (L-Eq).
    pub(crate) fn sum(&mut self, terms: &mut Terms<'_>, t: Term) -> Sum {
        if let Some(s) = self.sums.get(&t) {
            return s.clone();
        }
        let rewritten = terms.rewrite(t);
        let poly = Poly::of(terms.pool, rewritten);
        let s = self.sum_of(terms.pool, &poly);
        self.sums.insert(t, s.clone());
        s
    }

    /// A linear form as a sum.
    fn sum_of(&mut self, pool: &Pool, poly: &Poly) -> Sum {
        let terms = poly.terms.iter().map(|(m, k)| (k.clone(), self.var(pool, *m))).collect();
        Sum { terms, constant: poly.constant.clone() }
    }

    fn row(&mut self, terms: &[(Int, LVar)]) -> (LVar, Int) {
        let (v, factor) = self.lia.row(terms);
        if terms.len() > 1 && !self.rows.contains_key(&v) {
            let row = terms.iter().map(|(k, x)| (k.div_euclid_smt(&factor).expect("not zero"), *x)).collect();
            self.rows.insert(v, row);
        }
        (v, factor)
    }

    /// A variable of the simplex as a linear form.
    pub(crate) fn poly_of(&self, v: LVar) -> Poly {
        let single = [(Int::from(1), v)];
        let row = self.rows.get(&v).map_or(&single[..], |r| &r[..]);
        let mut terms: Vec<(Term, Int)> = row.iter().map(|(k, x)| (self.term(*x), k.clone())).collect();
        terms.sort_by_key(|(t, _)| *t);
        Poly { terms, constant: Int::ZERO }
    }

    /// The monomial of a variable.
    pub(crate) fn term(&self, v: LVar) -> Term {
        self.terms[v.0 as usize].expect("a variable of a sum is a monomial")
    }

    /// Adds the atom `(>= sum c)` with its positive literal.
    pub(crate) fn add_atom(&mut self, terms: &mut Terms<'_>, atom: Term, l: Lit) {
        if self.bounds.contains_key(&l) {
            return;
        }
        let &[left, right] = terms.pool.args(atom) else { return };
        let mut left = self.sum(terms, left);
        let right = self.sum(terms, right);
        debug_assert!(right.terms.is_empty(), "a rewritten comparison has a constant on its right");
        let bound = &right.constant - &left.constant;
        left.constant = Int::ZERO;
        if left.terms.is_empty() {
            return;
        }
        let (v, factor) = self.row(&left.terms);
        // sum = factor * v >= bound
        let positive = !factor.is_negative();
        let quotient = if positive {
            // v >= ceil(bound / factor)
            -(&(-&bound).div_euclid_smt(&factor).expect("not zero"))
        } else {
            // v <= floor(bound / factor)
            (-&bound).div_euclid_smt(&factor.abs()).expect("not zero")
        };
        self.bounds.insert(l, (v, quotient.clone(), positive));
        self.atoms.entry(v).or_default().push((quotient, if positive { l } else { !l }));
    }

    /// Whether the atom of the literal is a comparison of integers.
    pub(crate) fn knows(&self, l: Lit) -> bool {
        self.bounds.contains_key(&l.var().lit(true))
    }

    /// Asserts a comparison atom's literal.
    pub(crate) fn assert_atom(&mut self, l: Lit) -> Result<(), Vec<Tag>> {
        let positive = l.var().lit(true);
        let Some((v, c, lower)) = self.bounds.get(&positive).cloned() else { return Ok(()) };
        let tag = Arith::tag(l);
        match (lower, l.is_positive()) {
            (true, true) => self.lia.assert_lower(v, &c, tag),
            (true, false) => self.lia.assert_upper(v, &(&c - &Int::from(1)), tag),
            (false, true) => self.lia.assert_upper(v, &c, tag),
            (false, false) => self.lia.assert_lower(v, &(&c + &Int::from(1)), tag),
        }
    }

    /// The variable of an atom that bounds one.
    pub(crate) fn bounded_variable(&self, l: Lit) -> Option<LVar> {
        self.bounds.get(&l.var().lit(true)).map(|&(v, _, _)| v)
    }

    /// The comparison literals over this variable that its bounds imply.
    pub(crate) fn implied_by_bounds(&self, v: LVar, out: &mut Vec<(Lit, Tag)>) {
        let Some(atoms) = self.atoms.get(&v) else { return };
        spend(atoms.len());
        let (lower, upper) = (self.lia.lower(v), self.lia.upper(v));
        for (c, l) in atoms {
            // For a positive bound, l is v >= c; otherwise it is the negation of v <= c.
            let (_, _, is_lower) = &self.bounds[&l.var().lit(true)];
            let threshold = if *is_lower { c.clone() } else { c + &Int::from(1) };
            if let Some((b, tag)) = &lower
                && *b >= threshold
            {
                out.push((*l, *tag));
            }
            if let Some((b, tag)) = &upper
                && *b < threshold
            {
                out.push((!*l, *tag));
            }
        }
    }

    /// Asserts that a sum is zero.
    pub(crate) fn assert_zero(&mut self, s: &Sum, tag: Tag) -> Result<(), Vec<Tag>> {
        if s.terms.is_empty() {
            return if s.constant.is_zero() { Ok(()) } else { Err(vec![tag]) };
        }
        let (v, factor) = self.row(&s.terms);
        let value = -&s.constant;
        if !value.divisible_by(&factor) {
            return Err(vec![tag]);
        }
        let q = value.div_euclid_smt(&factor).expect("not zero");
        self.lia.assert_lower(v, &q, tag)?;
        self.lia.assert_upper(v, &q, tag)
    }

    /// Asserts that two integer terms are equal, by their class in the e-graph.
    pub(crate) fn assert_merged(&mut self, difference: &Sum, a: Node, b: Node) -> Result<(), Vec<Tag>> {
        let tag = self.equality_tag(a, b);
        self.assert_zero(difference, tag)
    }

    /// The value of a term in the current assignment.
    pub(crate) fn value(&mut self, terms: &mut Terms<'_>, t: Term) -> Rat {
        let s = self.sum(terms, t);
        self.value_of(&s)
    }

    /// The value of a sum.
    pub(crate) fn value_of(&self, s: &Sum) -> Rat {
        let mut value = Rat::from(s.constant.clone());
        for (k, v) in &s.terms {
            value = &value + &(&Rat::from(k.clone()) * &self.lia.value(*v));
        }
        value
    }

    /// The only value of a sum within its bounds, with the reasons.
    pub(crate) fn fixed(&mut self, s: &Sum) -> Option<(Int, Vec<Tag>)> {
        if s.terms.is_empty() {
            return Some((s.constant.clone(), Vec::new()));
        }
        let (Some((lo, mut why)), Some((hi, more))) = self.lia.bounds_of(&s.terms) else { return None };
        (lo == hi).then(|| {
            why.extend(more);
            why.sort_unstable_by_key(|t| t.0);
            why.dedup();
            (&lo + &s.constant, why)
        })
    }

    /// The reasons of `s >= 0`, if it follows from the bounds.
    pub(crate) fn entails_nonneg(&mut self, s: &Sum, budget: u64) -> Option<Vec<Tag>> {
        if s.terms.is_empty() {
            return (!s.constant.is_negative()).then(Vec::new);
        }
        if self.value_of(s).is_negative() {
            return None;
        }
        self.lia.entails_ge(&s.terms, &-&s.constant, budget)
    }
}

/// `a - b`.
pub(crate) fn difference(a: &Sum, b: &Sum) -> Sum {
    let mut out: FxHashMap<LVar, Int> = FxHashMap::default();
    for (k, v) in &a.terms {
        *out.entry(*v).or_insert(Int::ZERO) += k;
    }
    for (k, v) in &b.terms {
        *out.entry(*v).or_insert(Int::ZERO) += &-k;
    }
    let mut terms: Vec<(Int, LVar)> =
        out.into_iter().map(|(v, k)| (k, v)).filter(|(k, _)| !k.is_zero()).collect();
    terms.sort_by_key(|(_, v)| *v);
    Sum { terms, constant: &a.constant - &b.constant }
}
