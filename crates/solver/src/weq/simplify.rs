//! Consequences of equations that need no case distinction.
//!
//! Common ends are removed; `"a" … = "b" …` has no solution; in `x y = ""` both are empty; a system whose characters cannot
//! agree has no solution; equations are cut where their prefixes have equal length (as in `strings/balance.rs`).

use super::{Equation, Side, Symbol};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Simplifies equations. Returns those that are left, in a canonical order, and the variables that are empty; none if there
/// is no solution.
pub(super) fn simplify(mut open: Vec<Equation>) -> Option<(Vec<Equation>, Vec<u32>)> {
    let mut empty: Vec<u32> = Vec::new();
    let mut done: Vec<Equation> = Vec::new();
    while let Some((mut left, mut right)) = open.pop() {
        trim(&mut left, &mut right)?;
        if left.is_empty() || right.is_empty() {
            let rest = if left.is_empty() { right } else { left };
            for s in rest {
                let Symbol::Variable(x) = s else { return None };
                empty.push(x);
                open.append(&mut done);
                for (l, r) in &mut open {
                    l.retain(|&s| s != Symbol::Variable(x));
                    r.retain(|&s| s != Symbol::Variable(x));
                }
            }
            continue;
        }
        if !counts_agree(&left, &right) {
            return None;
        }
        match cut(&left, &right) {
            Some((i, j)) => {
                let (rest_left, rest_right) = (left.split_off(i), right.split_off(j));
                open.extend([(left, right), (rest_left, rest_right)]);
            }
            None if left < right => done.push((left, right)),
            None => done.push((right, left)),
        }
    }
    done.sort_by(|a, b| (size(a), a).cmp(&(size(b), b)));
    done.dedup();
    empty.sort_unstable();
    empty.dedup();
    Some((done, empty))
}

fn size(e: &Equation) -> usize {
    e.0.len() + e.1.len()
}

/// Removes common ends. None if two letters differ there.
fn trim(left: &mut Side, right: &mut Side) -> Option<()> {
    let common = left.iter().zip(right.iter()).take_while(|(a, b)| a == b).count();
    left.drain(..common);
    right.drain(..common);
    while let (Some(a), Some(b)) = (left.last(), right.last()) {
        if a != b {
            break;
        }
        left.pop();
        right.pop();
    }
    let clash = |a: Option<&Symbol>, b: Option<&Symbol>| matches!((a, b), (Some(Symbol::Letter(a)), Some(Symbol::Letter(b))) if a != b);
    (!clash(left.first(), right.first()) && !clash(left.last(), right.last())).then_some(())
}

/// Whether each letter can occur equally often on both sides.
fn counts_agree(left: &[Symbol], right: &[Symbol]) -> bool {
    let mut variables: FxHashMap<u32, i64> = FxHashMap::default();
    let mut letters: BTreeMap<u32, i64> = BTreeMap::new();
    for (side, sign) in [(left, 1), (right, -1)] {
        for s in side {
            match *s {
                Symbol::Letter(a) => *letters.entry(a).or_default() += sign,
                Symbol::Variable(x) => *variables.entry(x).or_default() += sign,
            }
        }
    }
    let positive = variables.values().any(|&n| n > 0);
    let negative = variables.values().any(|&n| n < 0);
    let step = variables.values().fold(0, |g, &n| gcd(g, n.abs()));
    let fits = |n: i64| n == 0 || step != 0 && n % step == 0 && if n > 0 { negative } else { positive };
    letters.values().all(|&n| fits(n))
}

fn gcd(mut a: i64, mut b: i64) -> i64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// A place inside both sides before which they have the same variables and as many letters.
fn cut(left: &[Symbol], right: &[Symbol]) -> Option<(usize, usize)> {
    let (mut i, mut j) = (0, 0);
    let mut difference: FxHashMap<u32, i64> = FxHashMap::default();
    let (mut open, mut letters) = (0_usize, 0_i64);
    // Advances the side with fewer variables, then letters, so that every balanced place is met.
    let mut variables = (0_usize, 0_usize);
    loop {
        if i + j > 0 && open == 0 && letters == 0 && variables.0 == variables.1 {
            let ends = i == left.len() && j == right.len();
            return (!ends && i > 0 && j > 0).then_some((i, j));
        }
        let from_left = match (left.get(i), right.get(j)) {
            (None, None) => return None,
            (None, Some(_)) => false,
            (Some(_), None) => true,
            (Some(Symbol::Letter(_)), Some(Symbol::Variable(_))) => letters < 0 || variables.0 < variables.1,
            (Some(Symbol::Variable(_)), Some(Symbol::Letter(_))) => {
                letters <= 0 && variables.0 <= variables.1
            }
            (Some(Symbol::Letter(_)), Some(Symbol::Letter(_))) => letters <= 0,
            (Some(Symbol::Variable(_)), Some(Symbol::Variable(_))) => variables.0 <= variables.1,
        };
        let (s, sign) = if from_left { (left[i], 1) } else { (right[j], -1) };
        match s {
            Symbol::Letter(_) => letters += sign,
            Symbol::Variable(x) => {
                let n = difference.entry(x).or_default();
                open -= usize::from(*n != 0);
                *n += sign;
                open += usize::from(*n != 0);
                if from_left { variables.0 += 1 } else { variables.1 += 1 }
            }
        }
        if from_left { i += 1 } else { j += 1 }
    }
}
