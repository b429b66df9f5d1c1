//! Integer elimination on the equations under the current bounds.
//!
//! Each row is an equation, and fixed variables are constants in it. The system is solved over
//! the integers as in Pugh's Omega test: an equation with a unit coefficient eliminates a
//! variable; one without gets such a coefficient by an integer change of variables, as in
//! Euclid's algorithm. An equation whose coefficients have a divisor that its constant lacks is a
//! conflict, which branching would never find if variables are unbounded.
//!
//! The solution has more uses. A variable that is a constant plus multiples of `g >= 2` has no other
//! values, so its bounds can be tightened to these; they may then exclude each other or the current
//! value. And any integers for the remaining variables give a solution of the equations: those nearest
//! to the current values may be within all bounds.
//!
//! For example `2x + 4y = 7` has no solution, and with `x = 3z + 1` the bounds `2 <= x <= 3` conflict.

use std::collections::BTreeMap;

use smt::Int;

use super::quotient::{Q, exact_div, floor_div, is_unit};
use super::tableau::NO_ROW;
use super::{Bound, IntResult, LVar, Side, Simplex, Tag, report};

/// Entries visited in one run, at most.
const MAX_EFFORT: u64 = 200_000;
/// Bits of a coefficient, at most.
const MAX_BITS: u64 = 256;

/// `sum terms + constant = 0`.
#[derive(Clone, Debug, Default)]
struct Equation {
    terms: BTreeMap<u32, Int>,
    constant: Int,
    tags: Vec<Tag>,
}

/// The kind of an equation after division by the greatest common divisor of its coefficients.
enum Kind {
    Trivial,
    Impossible,
    /// The variable with the least coefficient.
    Least(u32),
}

/// A system of equations being solved.
#[derive(Default)]
struct System {
    open: Vec<Equation>,
    /// The eliminated variables, with their values over those not yet eliminated at that time.
    solved: Vec<(u32, Equation)>,
    /// The values of the introduced variables.
    extra: Vec<Q>,
    effort: u64,
}

impl Simplex {
    /// Solves the equations over the integers: a conflict, a cut, a model or nothing.
    pub(super) fn solve_equalities(&mut self) -> Option<IntResult> {
        let open = (0..self.tableau.row_count()).filter_map(|row| self.equation(row)).collect();
        let mut system = System { open, ..System::default() };
        // The shortest equations first, from the end.
        system.open.sort_by_key(|equation| std::cmp::Reverse(equation.terms.len()));
        match system.solve(&self.values) {
            Solved::Impossible(tags) => Some(IntResult::Conflict(report(tags))),
            Solved::All => self.tighten(&mut system).or_else(|| self.jump(&mut system)),
            Solved::TooMuch => None,
        }
    }

    /// A conflict of bounds with the values that the equations allow for a variable, or a bound that
    /// excludes the current value.
    fn tighten(&self, system: &mut System) -> Option<IntResult> {
        let mut cut = None;
        for var in 0..self.values.len() as u32 {
            if system.effort > MAX_EFFORT {
                break;
            }
            let [lower, upper] = &self.bounds[var as usize];
            let broken = !self.values[var as usize].is_int();
            if self.fixed(var).is_some() || !(broken || lower.is_some() && upper.is_some()) {
                continue;
            }
            let form = system.expand(self.form(var));
            let step = form.terms.values().fold(Int::ZERO, |step, coef| step.gcd(coef));
            if step <= Int::ONE {
                continue;
            }
            let up = |bound: &Bound| &bound.value + &modulo(&(&form.constant - &bound.value), &step);
            let down = |bound: &Bound| &bound.value - &modulo(&(&bound.value - &form.constant), &step);
            if let (Some(l), Some(u)) = (lower, upper)
                && up(l) > down(u)
            {
                return Some(IntResult::Conflict(report([&form.tags[..], &[l.tag, u.tag]].concat())));
            }
            let value = &self.values[var as usize];
            if let Some(l) = lower.as_ref().filter(|l| value.cmp_int(&up(l)).is_lt()) {
                cut = cut.or_else(|| Some(self.bound_cut(var, -up(l), true, &form.tags, l.tag)));
            }
            if let Some(u) = upper.as_ref().filter(|u| value.cmp_int(&down(u)).is_gt()) {
                cut = cut.or_else(|| Some(self.bound_cut(var, down(u), false, &form.tags, u.tag)));
            }
        }
        cut
    }

    /// Moves to the solution of the equations nearest to the current values, if it is within all bounds.
    fn jump(&mut self, system: &mut System) -> Option<IntResult> {
        let goals = self.nearest(system);
        self.journal = Some(Vec::new());
        for (&var, goal) in goals.range(..self.values.len() as u32) {
            if !self.tableau.is_basic(var) && self.values[var as usize].cmp_int(goal).is_ne() {
                system.effort += self.tableau.column(var).len() as u64;
                self.move_to(var, Q::int(goal));
            }
        }
        let changed = self.journal.as_deref().unwrap_or_default();
        let is_solution = changed.iter().all(|(var, _)| self.violated(*var).is_none())
            && (0..self.tableau.row_count()).all(|row| !self.is_broken(row));
        if !is_solution {
            self.restore();
            return None;
        }
        for (var, _) in self.journal.take().unwrap_or_default() {
            self.journalled[var as usize] = false;
        }
        Some(IntResult::Model)
    }

    /// An integer solution of the equations, near the current values.
    fn nearest(&self, system: &System) -> BTreeMap<u32, Int> {
        let half = Q::ratio(&Int::ONE, &Int::from(2));
        let mut goals: BTreeMap<u32, Int> = BTreeMap::new();
        for (var, form) in system.solved.iter().rev() {
            let mut total = form.constant.clone();
            for (x, coef) in &form.terms {
                let round = || self.current(system, *x).add(&half).floor();
                total += &(coef * &*goals.entry(*x).or_insert_with(round));
            }
            goals.insert(*var, total);
        }
        goals
    }

    /// The value of a variable, perhaps an introduced one.
    fn current<'a>(&'a self, system: &'a System, var: u32) -> &'a Q {
        let count = self.values.len();
        if (var as usize) < count { &self.values[var as usize] } else { &system.extra[var as usize - count] }
    }

    /// The cut `var <= bound`, or `-var <= bound` if negated.
    fn bound_cut(&self, var: u32, bound: Int, negated: bool, tags: &[Tag], tag: Tag) -> IntResult {
        let sum = self.expand([(var, if negated { Int::MINUS_ONE } else { Int::ONE })]);
        let sum = sum.into_iter().map(|(x, coef)| (coef, LVar(x))).collect();
        IntResult::Cut(sum, bound, report([tags, &[tag]].concat()))
    }

    /// The variable as a sum of others by its row, if it has a unit coefficient in it; otherwise itself.
    fn form(&self, var: u32) -> Equation {
        let row = self.tableau.row_of(var);
        if row != NO_ROW && is_unit(self.tableau.base_coef(row)) {
            return self.row_equation(row).solve(var);
        }
        Equation { terms: BTreeMap::from([(var, Int::ONE)]), ..Equation::default() }
    }

    /// The equation of a row, unless it is solvable for its basic variable for all values of the others.
    fn equation(&self, row: u32) -> Option<Equation> {
        let entries = self.tableau.entries(row);
        if entries.is_empty() {
            return None;
        }
        let base = self.tableau.base(row);
        if self.fixed(base).is_none() && is_unit(self.tableau.base_coef(row)) {
            return None;
        }
        Some(self.row_equation(row))
    }

    /// The equation of a row, with fixed variables as constants.
    fn row_equation(&self, row: u32) -> Equation {
        let mut equation = Equation::default();
        for entry in self.tableau.entries(row) {
            match self.fixed(entry.var) {
                Some(value) => {
                    equation.constant += &(&entry.coef * value);
                    equation
                        .tags
                        .extend([self.tag(entry.var, Side::Lower), self.tag(entry.var, Side::Upper)]);
                }
                None => {
                    equation.terms.insert(entry.var, entry.coef.clone());
                }
            }
        }
        equation.tags = report(equation.tags);
        equation
    }
}

/// The result of solving a system.
enum Solved {
    All,
    Impossible(Vec<Tag>),
    TooMuch,
}

impl System {
    /// Eliminates variables. New variables are numbered after those of `values`.
    fn solve(&mut self, values: &[Q]) -> Solved {
        while let Some(mut equation) = self.open.pop() {
            let least = match equation.normalise() {
                Kind::Trivial => continue,
                Kind::Impossible => return Solved::Impossible(equation.tags),
                Kind::Least(var) => var,
            };
            let solved = is_unit(&equation.terms[&least]);
            let replacement = if solved {
                equation.solve(least)
            } else {
                let replacement = equation.reduce(least, (values.len() + self.extra.len()) as u32);
                self.introduce(least, &replacement, values);
                self.open.push(equation);
                replacement
            };
            for other in &mut self.open {
                self.effort += other.substitute(least, &replacement);
            }
            let too_big = replacement.terms.values().any(|coef| coef.bits() > MAX_BITS);
            self.solved.push((least, replacement));
            if self.effort > MAX_EFFORT || too_big {
                return Solved::TooMuch;
            }
        }
        Solved::All
    }

    /// Computes the value of the variable introduced by a replacement of `var`.
    fn introduce(&mut self, var: u32, replacement: &Equation, values: &[Q]) {
        let value = |x: u32| values.get(x as usize).unwrap_or_else(|| &self.extra[x as usize - values.len()]);
        let fresh = (values.len() + self.extra.len()) as u32;
        let others = replacement.terms.iter().filter(|(x, _)| **x != fresh);
        let total = others.fold(value(var).clone(), |sum, (x, coef)| sum.sub(&value(*x).mul(&Q::int(coef))));
        self.extra.push(total);
    }

    /// The form over variables that were not eliminated.
    fn expand(&mut self, mut form: Equation) -> Equation {
        for (var, replacement) in &self.solved {
            self.effort += form.substitute(*var, replacement);
        }
        form
    }
}

fn modulo(n: &Int, m: &Int) -> Int {
    n.mod_euclid_smt(m).expect("a modulus is not zero")
}

impl Equation {
    fn normalise(&mut self) -> Kind {
        let divisor = self.terms.values().fold(Int::ZERO, |divisor, coef| divisor.gcd(coef));
        if !self.constant.divisible_by(&divisor) {
            return Kind::Impossible;
        }
        if divisor.is_zero() {
            return Kind::Trivial;
        }
        if divisor != Int::ONE {
            self.constant = exact_div(&self.constant, &divisor);
            for coef in self.terms.values_mut() {
                *coef = exact_div(coef, &divisor);
            }
        }
        let least = self.terms.iter().min_by(|a, b| a.1.abs().cmp(&b.1.abs()));
        Kind::Least(*least.expect("an equation with a divisor has terms").0)
    }

    /// The value of `var`, of coefficient 1 or -1.
    fn solve(&self, var: u32) -> Equation {
        let sign = -&self.terms[&var];
        let others = self.terms.iter().filter(|(x, _)| **x != var);
        Equation {
            terms: others.map(|(x, coef)| (*x, coef * &sign)).collect(),
            constant: &self.constant * &sign,
            tags: self.tags.clone(),
        }
    }

    /// The value of `var` over the new variable `fresh`: `fresh` minus the other variables, each multiplied by
    /// the quotient of its coefficient by that of `var`.
    fn reduce(&self, var: u32, fresh: u32) -> Equation {
        let least = &self.terms[&var];
        let others = self.terms.iter().filter(|(x, _)| **x != var);
        let mut terms: BTreeMap<u32, Int> = others
            .map(|(x, coef)| (*x, -floor_div(coef, least)))
            .filter(|(_, coef)| !coef.is_zero())
            .collect();
        terms.insert(fresh, Int::ONE);
        Equation { terms, constant: Int::ZERO, tags: Vec::new() }
    }

    /// Replaces `var`. Returns the number of entries visited.
    fn substitute(&mut self, var: u32, replacement: &Equation) -> u64 {
        let Some(factor) = self.terms.remove(&var) else { return 1 };
        for (x, coef) in &replacement.terms {
            let sum = self.terms.entry(*x).or_default();
            *sum += &(coef * &factor);
            if sum.is_zero() {
                self.terms.remove(x);
            }
        }
        self.constant += &(&replacement.constant * &factor);
        if !replacement.tags.is_empty() {
            self.tags.extend_from_slice(&replacement.tags);
            self.tags.sort_unstable();
            self.tags.dedup();
        }
        (replacement.terms.len() + replacement.tags.len() + 1) as u64
    }
}
