//! Integer elimination on the equations that hold under the present bounds.
//!
//! Each row is an equation, and fixed variables are constants in it. The system is solved over
//! the integers as in Pugh's Omega test: an equation with a unit coefficient eliminates a
//! variable; one without gets such a coefficient by an integer change of variables, as in
//! Euclid's algorithm. An equation whose coefficients have a divisor that its constant lacks is a
//! conflict, which branching would never find where variables are unbounded.

use std::collections::BTreeMap;

use smt::Int;

use super::quotient::{exact_div, floor_div, is_unit};
use super::{Side, Simplex, Tag, report};

/// How many entries may be touched in one run.
const EFFORT: u64 = 200_000;
/// Coefficients may have so many bits.
const MAX_BITS: u64 = 256;

/// `sum terms + constant = 0`.
#[derive(Clone, Debug, Default)]
struct Equation {
    terms: BTreeMap<u32, Int>,
    constant: Int,
    tags: Vec<Tag>,
}

/// What an equation is like after division by what divides its coefficients.
enum Kind {
    Trivial,
    Impossible,
    /// The variable with the least coefficient.
    Least(u32),
}

impl Simplex {
    /// The reasons why the equations have no integer solution, if that is found.
    pub(super) fn solve_equalities(&mut self) -> Option<Vec<Tag>> {
        let mut open: Vec<Equation> =
            (0..self.tableau.row_count()).filter_map(|row| self.equation(row)).collect();
        let mut fresh = self.values.len() as u32;
        let mut effort = 0;
        // The shortest equations first, from the end.
        open.sort_by_key(|equation| std::cmp::Reverse(equation.terms.len()));
        while let Some(mut equation) = open.pop() {
            let least = match equation.normalise() {
                Kind::Trivial => continue,
                Kind::Impossible => {
                    self.ticks += effort;
                    return Some(equation.tags);
                }
                Kind::Least(var) => var,
            };
            let solved = is_unit(&equation.terms[&least]);
            let replacement = if solved { equation.solve(least) } else { equation.reduce(least, fresh) };
            fresh += 1;
            if !solved {
                open.push(equation);
            }
            for other in &mut open {
                effort += other.substitute(least, &replacement);
            }
            let too_big = open.last().is_some_and(|e| e.terms.values().any(|coef| coef.bits() > MAX_BITS));
            if effort > EFFORT || too_big {
                break;
            }
        }
        self.ticks += effort;
        None
    }

    /// The equation of a row, unless its basic variable makes it solvable whatever the others are.
    fn equation(&self, row: u32) -> Option<Equation> {
        let entries = self.tableau.entries(row);
        if entries.is_empty() {
            return None;
        }
        let base = self.tableau.base(row);
        if self.fixed(base).is_none() && is_unit(self.tableau.base_coef(row)) {
            return None;
        }
        let mut equation = Equation::default();
        for entry in entries {
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
        Some(equation)
    }
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

    /// What `var`, of coefficient 1 or -1, equals.
    fn solve(&self, var: u32) -> Equation {
        let sign = -&self.terms[&var];
        let others = self.terms.iter().filter(|(x, _)| **x != var);
        Equation {
            terms: others.map(|(x, coef)| (*x, coef * &sign)).collect(),
            constant: &self.constant * &sign,
            tags: self.tags.clone(),
        }
    }

    /// What `var` equals by the definition of `fresh`: that variable minus the sum of the others,
    /// each as often as the coefficient of `var` goes into its own.
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

    /// Replaces `var`; gives the number of entries touched.
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
