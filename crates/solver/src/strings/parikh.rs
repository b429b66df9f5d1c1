//! Counting characters: two forms of one class have each character the same number of times (their Parikh images are
//! equal).
//!
//! Variables that occur on both sides cancel out. The remaining characters of one side must then be in the variables
//! of the other; if there are none, the forms differ. In `"a" x = x "b"` the variable `x` cancels out, and `"a"` remains
//! with no variable to contain it: a conflict, where splitting `x` would not terminate.
//!
//! The variables contribute multiples of the greatest common divisor of their counts: in `x x "a" = "b" y y` the numbers
//! of `a` in `x` and `y` would have to differ by one half.

use super::form::{Form, Piece, compared, pieces};
use crate::calculus::{Calculus, Step};
use crate::egraph::Node;
use crate::engines::Engine;
use crate::infer::Rule;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Sends a conflict if the characters of two forms of one class cannot agree.
pub(super) fn compare_counts(c: &mut Calculus<'_>, a: &Form, b: &Form) -> Step {
    if !c.has(Engine::Count) {
        return Ok(());
    }
    let mut variables: FxHashMap<Node, i64> = FxHashMap::default();
    let mut characters: BTreeMap<u32, i64> = BTreeMap::new();
    for (form, sign) in [(a, 1), (b, -1)] {
        for piece in pieces(c, form) {
            match piece {
                Piece::Class(n) => *variables.entry(n).or_default() += sign,
                Piece::Word(w) => w.iter().for_each(|&k| *characters.entry(k).or_default() += sign),
            }
        }
    }
    let left = variables.values().any(|&n| n > 0);
    let right = variables.values().any(|&n| n < 0);
    let step = variables.values().fold(0, |g, &n| gcd(g, n.abs()));
    let fits = |n: i64| step != 0 && n % step == 0;
    if characters.values().any(|&n| n != 0 && ((n > 0 && !right) || (n < 0 && !left) || !fits(n))) {
        return Err(c.conflict(Rule::ConstClash, &compared(a, b)));
    }
    Ok(())
}

/// The greatest common divisor of two natural numbers.
fn gcd(mut a: i64, mut b: i64) -> i64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
