//! Solutions in which every variable is a power of one letter.
//!
//! The other letters of an equation must then be the same on both sides, and between them the lengths agree: with all
//! variables in `a*`, `x "a" x "b" y = "a" y y "b" "aa"` states `2|x| + 1 = 1 + 2|y|` and `|y| = 2`. Such solutions exist where
//! the shortest one is exponentially long.

use super::linear::{self, Row};
use super::{Equation, Symbol, System};
use smt::Int;
use std::collections::{BTreeMap, BTreeSet};

/// Letters that are tried, at most.
const MAX_LETTERS: usize = 16;

/// Lengths of a solution in powers of one letter.
pub(super) fn lengths(system: &System, rows: &[Row]) -> Option<Vec<u64>> {
    let sides = system.equations.iter().flat_map(|(l, r)| [l, r]);
    let letters: BTreeSet<u32> =
        sides.flatten().filter_map(|s| if let Symbol::Letter(a) = s { Some(*a) } else { None }).collect();
    letters.into_iter().take(MAX_LETTERS).find_map(|a| {
        let mut all: Vec<Row> = rows.to_vec();
        for equation in &system.equations {
            all.extend(equal_runs(equation, a)?);
        }
        let values = linear::solve(system.variables, &all)?;
        values.iter().map(|n| n.to_i64().and_then(|n| u64::try_from(n).ok())).collect()
    })
}

/// The rows for the runs of a letter in both sides; none if the other letters differ.
fn equal_runs(equation: &Equation, a: u32) -> Option<Vec<Row>> {
    let (left, right) = (runs(&equation.0, a), runs(&equation.1, a));
    if left.len() != right.len() || left.iter().zip(&right).any(|(l, r)| l.0 != r.0) {
        return None;
    }
    let mut out = Vec::new();
    for ((_, counts, letters), (_, other_counts, other_letters)) in left.into_iter().zip(right) {
        let mut difference: BTreeMap<u32, i64> = counts;
        for (x, n) in other_counts {
            *difference.entry(x).or_default() -= n;
        }
        let constant = letters - other_letters;
        for sign in [1, -1] {
            let terms = difference.iter().map(|(&x, &n)| (x, Int::from(sign * n))).collect();
            out.push(Row { terms, constant: Int::from(sign * constant) });
        }
    }
    Some(out)
}

/// A run: the other letter that ends it, how often it has each variable, and its own letters.
type Run = (Option<u32>, BTreeMap<u32, i64>, i64);

fn runs(side: &[Symbol], a: u32) -> Vec<Run> {
    let mut out: Vec<Run> = Vec::new();
    let mut run: Run = (None, BTreeMap::new(), 0);
    for &s in side {
        match s {
            Symbol::Variable(x) => *run.1.entry(x).or_default() += 1,
            Symbol::Letter(b) if b == a => run.2 += 1,
            Symbol::Letter(b) => {
                run.0 = Some(b);
                out.push(std::mem::take(&mut run));
            }
        }
    }
    out.push(run);
    out
}
