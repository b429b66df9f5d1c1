//! Exact candidates for real variables in linear comparisons.
//!
//! In `∃x. x > a ∧ x < b` the truth of the body, as a function of `x`, changes only at `a` and `b`: one value between them and one on either side, with `a`
//! and `b`, decide. With more variables the last one is projected first: the order of its roots, such as `a` and `y + 1`, changes only
//! where two of them are equal, which is a comparison of the others. Variables of quantifiers inside are projected before (after Collins' cylindrical
//! decomposition, 1975, for polynomials of degree 1).
//!
//! A term that is neither linear in these variables nor free of them ends the attempt.

use super::any_occurs;
use crate::eval::{Act, Evaluator};
use crate::value::Value;
use smt::{Head, Int, Op, Rat, Sort, Term};
use std::collections::{BTreeMap, BTreeSet};

/// Terms of the body as a tree, comparisons of one level, samples, and bits of a number, at most.
const MAX_BODY: usize = 2_000;
const MAX_ATOMS: usize = 200;
const MAX_ROWS: usize = 4_000;
const MAX_BITS: u64 = 2_000;

/// A linear function of the variables, by number.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Linear {
    terms: BTreeMap<usize, Rat>,
    constant: Rat,
}

impl Linear {
    fn add(&mut self, v: usize, k: &Rat) {
        let c = self.terms.entry(v).or_default();
        *c = &*c + k;
        if c.is_zero() {
            self.terms.remove(&v);
        }
    }

    /// This plus `k` times another.
    fn plus(&self, k: &Rat, other: &Linear) -> Linear {
        let mut out = self.clone();
        out.constant = &out.constant + &(k * &other.constant);
        for (&v, c) in &other.terms {
            out.add(v, &(k * c));
        }
        out
    }

    /// The function with the same zeros whose first coefficient is 1; none if it has no variables, or long numbers.
    fn normal(self) -> Option<Result<Linear, ()>> {
        let first = self.terms.values().next()?.clone();
        let inverse = Rat::from(Int::ONE).checked_div(&first)?;
        let out = Linear::default().plus(&inverse, &self);
        let long = |q: &Rat| q.numer().bits() + q.denom().bits() > MAX_BITS;
        Some(if out.terms.values().chain([&out.constant]).any(long) { Err(()) } else { Ok(out) })
    }
}

/// The real variables among `vars`, and values for them of which one decides; none if the body is not linear in them.
pub(super) fn samples(
    e: &mut Evaluator<'_>,
    act: Act,
    vars: &[Term],
    body: Term,
) -> Option<(Vec<Term>, Vec<Vec<Value>>)> {
    let pool = e.pool();
    let own: Vec<Term> = vars.iter().copied().filter(|&v| pool.sort_of(v) == Sort::REAL).collect();
    if own.is_empty() {
        return None;
    }
    let mut reader =
        Reader { e, act, reals: own.clone(), own: vars, bound: vars.to_vec(), atoms: BTreeSet::new() };
    reader.read(body)?;
    let (count, mut atoms) = (reader.reals.len(), reader.atoms);
    // The comparisons that remain when all variables from a number on are projected.
    let mut levels = Vec::new();
    for v in (0..count).rev() {
        if v < own.len() {
            levels.push(atoms.clone());
        }
        atoms = project(&atoms, v)?;
    }
    levels.reverse();
    let mut rows: Vec<Vec<Rat>> = vec![Vec::new()];
    for (v, level) in levels.iter().enumerate() {
        let mut next = Vec::new();
        for row in rows {
            for value in around(&roots(level, v, &row)) {
                smt::work::spend(1);
                next.push([&row[..], &[value]].concat());
            }
            if next.len() > MAX_ROWS {
                return None;
            }
        }
        rows = next;
    }
    Some((own, rows.into_iter().map(|row| row.into_iter().map(Value::Real).collect()).collect()))
}

/// The differences of the roots of variable `v`, and the comparisons without it.
fn project(atoms: &BTreeSet<Linear>, v: usize) -> Option<BTreeSet<Linear>> {
    let (with, without): (Vec<&Linear>, Vec<&Linear>) = atoms.iter().partition(|a| a.terms.contains_key(&v));
    let mut out: BTreeSet<Linear> = without.into_iter().cloned().collect();
    for (i, a) in with.iter().enumerate() {
        for b in &with[..i] {
            smt::work::spend(1);
            let k = -a.terms[&v].checked_div(&b.terms[&v])?;
            if let Some(normal) = a.plus(&k, b).normal() {
                out.insert(normal.ok()?);
            }
            if out.len() > MAX_ATOMS {
                return None;
            }
        }
    }
    Some(out)
}

/// The zeros of comparisons in variable `v`, where the variables before it have these values.
fn roots(atoms: &BTreeSet<Linear>, v: usize, row: &[Rat]) -> BTreeSet<Rat> {
    let root = |a: &Linear| {
        let k = a.terms.get(&v)?;
        let rest = a.terms.iter().filter(|&(&w, _)| w != v);
        let rest = rest.fold(a.constant.clone(), |sum, (&w, c)| &sum + &(c * &row[w]));
        (-rest).checked_div(k)
    };
    atoms.iter().filter_map(root).collect()
}

/// The numbers, and one in each interval between and beside them.
fn around(numbers: &BTreeSet<Rat>) -> Vec<Rat> {
    let one = Rat::from(Int::ONE);
    let (Some(first), Some(last)) = (numbers.first(), numbers.last()) else { return vec![Rat::default()] };
    let mut out = vec![first - &one, last + &one];
    out.extend(numbers.iter().cloned());
    let between = |(a, b): (&Rat, &Rat)| (a + b).checked_div(&Rat::from(Int::from(2)));
    out.extend(numbers.iter().zip(numbers.iter().skip(1)).filter_map(between));
    out
}

/// Collects the comparisons of a body.
struct Reader<'a, 'p> {
    e: &'a mut Evaluator<'p>,
    act: Act,
    /// Variables that are projected: the quantifier's own first.
    reals: Vec<Term>,
    /// The quantifier's own variables of all sorts.
    own: &'a [Term],
    /// These, and all that the body binds.
    bound: Vec<Term>,
    atoms: BTreeSet<Linear>,
}

impl Reader<'_, '_> {
    fn read(&mut self, body: Term) -> Option<()> {
        let pool = self.e.pool();
        let (mut stack, mut steps) = (vec![body], 0);
        while let Some(t) = stack.pop() {
            steps += 1;
            if steps > MAX_BODY {
                return None;
            }
            let args = pool.args(t);
            let sort = |t: Term| pool.sort_of(t);
            match pool.head(t) {
                Head::Forall | Head::Exists => {
                    let (&inner, vars) = args.split_last()?;
                    for &v in vars {
                        // A variable that has two meanings in the body.
                        if self.own.contains(&v) || self.e.get(v, self.act).is_some() {
                            return None;
                        }
                        self.bound.push(v);
                        if sort(v) == Sort::REAL && !self.reals.contains(&v) {
                            self.reals.push(v);
                        }
                    }
                    stack.push(inner);
                }
                Head::Annot(_) | Head::Op(Op::Not | Op::And | Op::Or | Op::Xor | Op::Implies) => {
                    stack.extend(args);
                }
                Head::Op(Op::Eq | Op::Distinct) if sort(args[0]) == Sort::BOOL => stack.extend(args),
                Head::Op(Op::Ite) if sort(t) == Sort::BOOL => stack.extend(args),
                Head::Op(Op::Le | Op::Lt | Op::Ge | Op::Gt | Op::Eq | Op::Distinct)
                    if sort(args[0]) == Sort::REAL =>
                {
                    for (i, &a) in args.iter().enumerate() {
                        for &b in &args[..i] {
                            self.atom(a, b)?;
                        }
                    }
                }
                _ if any_occurs(pool, &self.reals, t) => return None,
                _ => {}
            }
        }
        Some(())
    }

    fn atom(&mut self, a: Term, b: Term) -> Option<()> {
        let (a, b) = (self.linear(a)?, self.linear(b)?);
        if let Some(normal) = a.plus(&-Rat::from(Int::ONE), &b).normal() {
            self.atoms.insert(normal.ok()?);
        }
        (self.atoms.len() <= MAX_ATOMS).then_some(())
    }

    /// The linear function that a term is.
    fn linear(&mut self, t: Term) -> Option<Linear> {
        let pool = self.e.pool();
        let mut out = Linear::default();
        let (mut stack, mut steps) = (vec![(t, Rat::from(Int::ONE))], 0);
        while let Some((t, k)) = stack.pop() {
            steps += 1;
            if steps > MAX_BODY {
                return None;
            }
            if let Some(v) = self.reals.iter().position(|&v| v == t) {
                out.add(v, &k);
                continue;
            }
            if !any_occurs(pool, &self.bound, t) {
                out.constant = &out.constant + &(&k * &self.number(t)?);
                continue;
            }
            let args = pool.args(t);
            match pool.head(t) {
                Head::Annot(_) => stack.push((args[0], k)),
                Head::Op(Op::Add) => stack.extend(args.iter().map(|&a| (a, k.clone()))),
                Head::Op(Op::Neg) => stack.push((args[0], -k)),
                Head::Op(Op::Sub) => {
                    let signed = |(i, &a)| (a, if i == 0 { k.clone() } else { -&k });
                    stack.extend(args.iter().enumerate().map(signed));
                }
                Head::Op(Op::Mul) => {
                    let (mut factor, mut rest) = (k, None);
                    for &a in args {
                        if !any_occurs(pool, &self.bound, a) {
                            factor = &factor * &self.number(a)?;
                        } else if rest.replace(a).is_some() {
                            return None;
                        }
                    }
                    stack.push((rest?, factor));
                }
                Head::Op(Op::RealDiv) => {
                    let (&first, divisors) = args.split_first()?;
                    let mut factor = k;
                    for &d in divisors {
                        if any_occurs(pool, &self.bound, d) {
                            return None;
                        }
                        factor = factor.checked_div(&self.number(d)?)?;
                    }
                    stack.push((first, factor));
                }
                _ => return None,
            }
        }
        Some(out)
    }

    fn number(&mut self, t: Term) -> Option<Rat> {
        match self.e.peek(t, self.act)? {
            Value::Real(q) => Some(q),
            Value::Int(n) => Some(Rat::from(n)),
            _ => None,
        }
    }
}
