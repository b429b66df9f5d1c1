//! A simplex over rationals with strict bounds, for problems with reals.
//!
//! As [`crate::lia`] after Dutertre and de Moura (CAV 2006), without integers: bounds and values are pairs `r + k·δ` with an
//! infinitesimal δ, so that `x > 1` is `x >= 1 + δ`. The pivot is always the smallest variable (Bland), which terminates.
//! Rows are permanent, bounds are undone on backtracking. Conflicts are lists of premises.

use crate::egraph::{Node, Premise};
use rustc_hash::FxHashMap;
use smt::work::spend;
use smt::{Int, Rat};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// A variable.
pub(crate) type Var = u32;

/// `r + k·δ`
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Value {
    pub(crate) standard: Rat,
    pub(crate) delta: Rat,
}

/// An integer as a rational.
pub(crate) fn rat(n: i64) -> Rat {
    Rat::from(Int::from(n))
}

impl Value {
    pub(crate) fn new(standard: Rat, delta: Rat) -> Value {
        Value { standard, delta }
    }

    fn zero() -> Value {
        Value::new(rat(0), rat(0))
    }

    fn plus(&self, k: &Rat, other: &Value) -> Value {
        Value::new(&self.standard + &(k * &other.standard), &self.delta + &(k * &other.delta))
    }

    fn minus(&self, other: &Value) -> Value {
        self.plus(&rat(-1), other)
    }

    fn divided(&self, k: &Rat) -> Value {
        let quotient = |q: &Rat| q.checked_div(k).expect("a coefficient is not zero");
        Value::new(quotient(&self.standard), quotient(&self.delta))
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Value) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Value {
    fn cmp(&self, other: &Value) -> Ordering {
        self.standard.cmp(&other.standard).then_with(|| self.delta.cmp(&other.delta))
    }
}

/// The premise of values that are tried.
const TRIED: Premise = Premise::Eq(Node(u32::MAX), Node(u32::MAX));

/// A sum of multiples of variables, and a constant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sum {
    pub(crate) terms: BTreeMap<Var, Rat>,
    pub(crate) constant: Rat,
}

impl Sum {
    /// `self + k · other`
    pub(crate) fn add(&mut self, k: &Rat, other: &Sum) {
        for (&v, c) in &other.terms {
            self.add_var(&(k * c), v);
        }
        self.constant = &self.constant + &(k * &other.constant);
    }

    /// `self + k · v`
    pub(crate) fn add_var(&mut self, k: &Rat, v: Var) {
        let c = self.terms.entry(v).or_insert_with(|| rat(0));
        *c = &*c + k;
        if c.is_zero() {
            self.terms.remove(&v);
        }
    }
}

#[derive(Clone, Debug)]
struct Bound {
    value: Value,
    why: Option<Premise>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Lower,
    Upper,
}

struct Undo {
    var: Var,
    side: Side,
    old: Option<Bound>,
}

/// A sum that is zero, with its premises.
#[derive(Clone, Debug)]
pub(crate) struct Equation {
    pub(crate) sum: Sum,
    pub(crate) why: Vec<Premise>,
}

/// A sum that is at least this value.
pub(crate) type Inequality = (BTreeMap<Var, Rat>, Value);

/// A contradiction: its premises. A premise may be missing: that of a bound that always holds.
pub(crate) type Conflict = Vec<Premise>;

/// The tableau with bounds and values.
#[derive(Default)]
pub(crate) struct Simplex {
    bounds: Vec<[Option<Bound>; 2]>,
    values: Vec<Value>,
    /// The rows of basic variables over the others.
    rows: BTreeMap<Var, BTreeMap<Var, Rat>>,
    /// Slack variables by their sum, divided by its first coefficient.
    slacks: FxHashMap<Vec<(Var, Rat)>, Var>,
    broken: BTreeSet<Var>,
    trail: Vec<Undo>,
    levels: Vec<usize>,
    /// Variables whose bounds are tried.
    tried: BTreeSet<Var>,
    /// What the other bounds of the last conflict state of the variables that are tried.
    projection: Option<Inequality>,
}

impl Simplex {
    pub(crate) fn new_var(&mut self) -> Var {
        self.bounds.push([None, None]);
        self.values.push(Value::zero());
        self.values.len() as Var - 1
    }

    pub(crate) fn push(&mut self) {
        self.levels.push(self.trail.len());
    }

    pub(crate) fn pop(&mut self, levels: usize) {
        let level = self.levels.len() - levels;
        let mark = self.levels[level];
        self.levels.truncate(level);
        while self.trail.len() > mark {
            let undo = self.trail.pop().expect("the trail is longer");
            self.bounds[undo.var as usize][undo.side as usize] = undo.old;
        }
    }

    /// Tries values of variables. If the bounds contradict them: the premises of a conflict, without those of the values, and an
    /// inequality between the variables that follows from these and does not hold for the values.
    pub(crate) fn try_values(&mut self, values: &[(Var, Rat)]) -> Result<(), (Conflict, Inequality)> {
        self.push();
        self.tried.extend(values.iter().map(|&(v, _)| v));
        let tried = values
            .iter()
            .try_for_each(|(v, n)| {
                let mut sum = Sum { constant: -n, ..Sum::default() };
                sum.add_var(&rat(1), *v);
                self.assert_zero(&sum, Some(TRIED))
            })
            .and_then(|()| self.check());
        self.pop(1);
        self.tried.clear();
        tried.map_err(|mut why| {
            why.retain(|&p| p != TRIED);
            (why, self.projection.take().unwrap_or((BTreeMap::new(), Value::zero())))
        })
    }

    /// The value of a sum.
    pub(crate) fn value(&self, sum: &Sum) -> Value {
        let mut out = Value::new(sum.constant.clone(), rat(0));
        for (&v, k) in &sum.terms {
            out = out.plus(k, &self.values[v as usize]);
        }
        out
    }

    /// Asserts `sum >= 0`, or `sum > 0`.
    pub(crate) fn assert_positive(
        &mut self,
        sum: &Sum,
        strict: bool,
        why: Option<Premise>,
    ) -> Result<(), Conflict> {
        let Some((v, k)) = self.variable(sum) else {
            let holds = if strict { sum.constant > rat(0) } else { !sum.constant.is_negative() };
            return if holds { Ok(()) } else { Err(why.into_iter().collect()) };
        };
        // k·v + constant >= 0
        let bound = Value::new(-&sum.constant, rat(i64::from(strict))).divided(&k);
        self.bound(v, if k.is_negative() { Side::Upper } else { Side::Lower }, bound, why)
    }

    /// Asserts `sum = 0`.
    pub(crate) fn assert_zero(&mut self, sum: &Sum, why: Option<Premise>) -> Result<(), Conflict> {
        self.assert_positive(sum, false, why)?;
        let mut negated = Sum::default();
        negated.add(&rat(-1), sum);
        self.assert_positive(&negated, false, why)
    }

    /// The variable of which the sum, without its constant, is a multiple, and the factor.
    fn variable(&mut self, sum: &Sum) -> Option<(Var, Rat)> {
        let (&first, k) = sum.terms.iter().next()?;
        if sum.terms.len() == 1 {
            return Some((first, k.clone()));
        }
        let key: Vec<(Var, Rat)> =
            sum.terms.iter().map(|(&v, c)| (v, c.checked_div(k).expect("not zero"))).collect();
        if let Some(&v) = self.slacks.get(&key) {
            return Some((v, k.clone()));
        }
        let slack = self.new_var();
        let mut row = BTreeMap::new();
        let mut value = Value::zero();
        for (v, c) in &key {
            value = value.plus(c, &self.values[*v as usize]);
            match self.rows.get(v) {
                Some(other) => other.iter().for_each(|(&u, d)| add(&mut row, u, &(c * d))),
                None => add(&mut row, *v, c),
            }
        }
        self.values[slack as usize] = value;
        self.rows.insert(slack, row);
        self.slacks.insert(key, slack);
        Some((slack, k.clone()))
    }

    fn bound(&mut self, v: Var, side: Side, value: Value, why: Option<Premise>) -> Result<(), Conflict> {
        let stricter = |a: &Value, b: &Value| if side == Side::Lower { a > b } else { a < b };
        let own = &self.bounds[v as usize][side as usize];
        if own.as_ref().is_some_and(|b| !stricter(&value, &b.value)) {
            return Ok(());
        }
        if let Some(b) = &self.bounds[v as usize][1 - side as usize]
            && stricter(&value, &b.value)
        {
            if self.tried.contains(&v) {
                let sign = if side == Side::Lower { -1 } else { 1 };
                let bound = Value::zero().plus(&rat(sign), &b.value);
                self.projection = Some((BTreeMap::from([(v, rat(sign))]), bound));
            }
            return Err(why.into_iter().chain(b.why).collect());
        }
        let old = self.bounds[v as usize][side as usize].replace(Bound { value: value.clone(), why });
        // A bound without a premise always holds.
        if !self.levels.is_empty() && why.is_some() {
            self.trail.push(Undo { var: v, side, old });
        }
        if stricter(&value, &self.values[v as usize]) {
            if self.rows.contains_key(&v) {
                self.broken.insert(v);
            } else {
                self.shift(v, value);
            }
        }
        Ok(())
    }

    /// Sets the value of a variable that is not basic.
    fn shift(&mut self, v: Var, value: Value) {
        let change = value.minus(&self.values[v as usize]);
        self.values[v as usize] = value;
        for (&basic, row) in &self.rows {
            spend(1);
            if let Some(k) = row.get(&v) {
                self.values[basic as usize] = self.values[basic as usize].plus(k, &change);
                self.broken.insert(basic);
            }
        }
    }

    fn violated(&self, v: Var) -> Option<(Side, Value)> {
        let value = &self.values[v as usize];
        match &self.bounds[v as usize] {
            [Some(b), _] if *value < b.value => Some((Side::Lower, b.value.clone())),
            [_, Some(b)] if *value > b.value => Some((Side::Upper, b.value.clone())),
            _ => None,
        }
    }

    /// Finds values within all bounds.
    pub(crate) fn check(&mut self) -> Result<(), Conflict> {
        while let Some(&v) = self.broken.first() {
            let violated = self.violated(v).filter(|_| self.rows.contains_key(&v));
            let Some((side, target)) = violated else {
                self.broken.remove(&v);
                continue;
            };
            let row = &self.rows[&v];
            spend(row.len() + 1);
            let entering = row.iter().find(|&(&u, k)| {
                let up = (side == Side::Lower) != k.is_negative();
                let limit = &self.bounds[u as usize][if up { Side::Upper } else { Side::Lower } as usize];
                let value = &self.values[u as usize];
                limit.as_ref().is_none_or(|b| if up { *value < b.value } else { *value > b.value })
            });
            match entering {
                Some((&u, _)) => self.pivot(v, u, target),
                None => {
                    if !self.tried.is_empty() {
                        self.projection = Some(self.project(v, side));
                    }
                    return Err(self.explain(v, side));
                }
            }
        }
        Ok(())
    }

    fn explain(&self, v: Var, side: Side) -> Conflict {
        let mut out = Vec::new();
        // What follows for variables that are tried holds for all their values.
        if !self.tried.contains(&v) {
            let own = self.bounds[v as usize][side as usize].as_ref();
            out.extend(own.and_then(|b| b.why));
        }
        for (&u, k) in self.rows[&v].iter().filter(|(u, _)| !self.tried.contains(u)) {
            let up = (side == Side::Lower) != k.is_negative();
            let limit = self.bounds[u as usize][if up { Side::Upper } else { Side::Lower } as usize].as_ref();
            out.extend(limit.and_then(|b| b.why));
        }
        out
    }

    /// The row of a violated bound, with the bounds of the variables that are not tried in their place.
    fn project(&self, v: Var, side: Side) -> Inequality {
        let sign = rat(if side == Side::Lower { 1 } else { -1 });
        let (mut sum, mut bound) = (BTreeMap::new(), Value::zero());
        let own = (v, rat(-1));
        let others = self.rows[&v].iter().map(|(&u, k)| (u, k.clone()));
        for (u, k) in others.chain([own]) {
            let k = &sign * &k;
            let limit = if k.is_negative() { Side::Lower } else { Side::Upper };
            match &self.bounds[u as usize][limit as usize] {
                Some(_) if self.tried.contains(&u) => {
                    sum.insert(u, k);
                }
                Some(b) => bound = bound.plus(&-k, &b.value),
                None => {}
            }
        }
        (sum, bound)
    }

    /// Makes `entering` basic in place of `leaving`, which gets the value `target`.
    fn pivot(&mut self, leaving: Var, entering: Var, target: Value) {
        let mut row = self.rows.remove(&leaving).expect("the variable is basic");
        let k = row.remove(&entering).expect("the variable is in the row");
        let change = target.minus(&self.values[leaving as usize]).divided(&k);
        let value = self.values[entering as usize].plus(&rat(1), &change);
        self.values[leaving as usize] = target;
        self.broken.remove(&leaving);
        // entering = leaving / k - rest / k
        let inverse = rat(1).checked_div(&k).expect("a coefficient is not zero");
        let mut solved: BTreeMap<Var, Rat> = row.into_iter().map(|(u, c)| (u, -(c * &inverse))).collect();
        solved.insert(leaving, inverse);
        for (&basic, other) in &mut self.rows {
            let Some(c) = other.remove(&entering) else { continue };
            spend(solved.len());
            self.values[basic as usize] = self.values[basic as usize].plus(&c, &change);
            self.broken.insert(basic);
            for (&u, d) in &solved {
                add(other, u, &(&c * d));
            }
        }
        self.values[entering as usize] = value;
        self.rows.insert(entering, solved);
        self.broken.insert(entering);
    }

    /// The equations between variables that the bounds state, without those for which `gone` holds: these are eliminated.
    pub(crate) fn equations(&self, gone: impl Fn(Var) -> bool) -> Vec<Equation> {
        let mut slacks: FxHashMap<Var, &Vec<(Var, Rat)>> = FxHashMap::default();
        slacks.extend(self.slacks.iter().map(|(key, &v)| (v, key)));
        let mut open: Vec<Equation> = Vec::new();
        for (v, bounds) in self.bounds.iter().enumerate() {
            let [Some(low), Some(high)] = bounds else { continue };
            if low.value != high.value || !low.value.delta.is_zero() {
                continue;
            }
            let mut sum = Sum { constant: -&low.value.standard, ..Sum::default() };
            match slacks.get(&(v as Var)) {
                Some(key) => key.iter().for_each(|(u, k)| sum.add_var(k, *u)),
                None => sum.add_var(&rat(1), v as Var),
            }
            open.push(Equation { sum, why: low.why.into_iter().chain(high.why).collect() });
        }
        let mut done = Vec::new();
        while let Some(equation) = open.pop() {
            smt::work::spend(1 + equation.sum.terms.len());
            let Some((&v, k)) = equation.sum.terms.iter().find(|(v, _)| gone(**v)) else {
                done.push(equation);
                continue;
            };
            for other in &mut open {
                let Some(c) = other.sum.terms.get(&v).cloned() else { continue };
                let factor = -&c.checked_div(k).expect("a coefficient is not zero");
                other.sum.add(&factor, &equation.sum);
                other.why.extend_from_slice(&equation.why);
            }
        }
        done
    }

    /// A positive number for δ under which all bounds hold.
    pub(crate) fn epsilon(&self) -> Rat {
        let mut out = rat(1);
        for (bounds, value) in self.bounds.iter().zip(&self.values) {
            for (i, b) in bounds.iter().enumerate() {
                let Some(b) = b else { continue };
                let (low, high) = if i == 0 { (&b.value, value) } else { (value, &b.value) };
                // low.r + low.k·ε <= high.r + high.k·ε
                let (room, slope) = (&high.standard - &low.standard, &low.delta - &high.delta);
                if slope > rat(0)
                    && let Some(most) = room.checked_div(&slope)
                    && most < out
                {
                    out = most;
                }
            }
        }
        out
    }
}

fn add(row: &mut BTreeMap<Var, Rat>, v: Var, k: &Rat) {
    let c = row.entry(v).or_insert_with(|| rat(0));
    *c = &*c + k;
    if c.is_zero() {
        row.remove(&v);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(terms: &[(i64, Var)], constant: i64) -> Sum {
        let mut out = Sum { constant: rat(constant), ..Sum::default() };
        terms.iter().for_each(|&(k, v)| out.add_var(&rat(k), v));
        out
    }

    fn premise(n: usize) -> Option<Premise> {
        Some(Premise::Eq(Node(n as u32), Node(n as u32)))
    }

    /// All sets of up to three constraints `a·x + b·y + c >= 0` or `> 0` with small numbers, compared with the elimination of
    /// Fourier and Motzkin.
    #[test]
    fn agrees_with_elimination() {
        let mut rows = Vec::new();
        for a in -1..=2 {
            for b in -1..=1 {
                for c in -1..=1 {
                    rows.push((a, b, c, (a + b + c) % 2 == 0));
                }
            }
        }
        let mut state = 7u64;
        for _ in 0..4_000 {
            let mut chosen = Vec::new();
            for _ in 0..4 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                chosen.push(rows[(state >> 33) as usize % rows.len()]);
            }
            let mut s = Simplex::default();
            let (x, y) = (s.new_var(), s.new_var());
            let sums: Vec<(Sum, bool)> =
                chosen.iter().map(|&(a, b, c, strict)| (sum(&[(a, x), (b, y)], c), strict)).collect();
            let result = sums
                .iter()
                .enumerate()
                .try_for_each(|(i, (sum, strict))| s.assert_positive(sum, *strict, premise(i)))
                .and_then(|()| s.check());
            assert_eq!(result.is_ok(), solvable(&chosen), "{chosen:?}");
            if result.is_ok() {
                let epsilon = s.epsilon();
                for (sum, strict) in &sums {
                    let v = s.value(sum);
                    let v = &v.standard + &(&v.delta * &epsilon);
                    assert!(if *strict { v > rat(0) } else { !v.is_negative() }, "{chosen:?}");
                }
            }
        }
    }

    fn solvable(rows: &[(i64, i64, i64, bool)]) -> bool {
        let step = |rows: Vec<Vec<i64>>, i: usize| {
            let (mut out, mut up, mut down) = (Vec::new(), Vec::new(), Vec::new());
            for r in rows {
                match r[i].cmp(&0) {
                    Ordering::Greater => up.push(r),
                    Ordering::Less => down.push(r),
                    Ordering::Equal => out.push(r),
                }
            }
            for u in &up {
                for d in &down {
                    let (p, q) = (u[i], -d[i]);
                    let mut r: Vec<i64> = u.iter().zip(d).map(|(a, b)| q * a + p * b).collect();
                    r[3] = i64::from(u[3] + d[3] > 0);
                    out.push(r);
                }
            }
            out
        };
        let rows = rows.iter().map(|&(a, b, c, s)| vec![a, b, c, i64::from(s)]).collect();
        step(step(rows, 0), 1).iter().all(|r| if r[3] > 0 { r[2] > 0 } else { r[2] >= 0 })
    }

    #[test]
    fn undoes_bounds() {
        let mut s = Simplex::default();
        let (x, y) = (s.new_var(), s.new_var());
        s.assert_positive(&sum(&[(1, x), (1, y)], -1), true, premise(0)).expect("possible");
        s.push();
        s.assert_positive(&sum(&[(-1, x)], 0), false, premise(1)).expect("possible");
        let result = s.assert_positive(&sum(&[(-1, y)], 1), false, premise(2)).and_then(|()| s.check());
        assert_eq!(result.expect_err("1 >= y and x <= 0").len(), 3);
        s.pop(1);
        s.check().expect("possible again");
    }
}
