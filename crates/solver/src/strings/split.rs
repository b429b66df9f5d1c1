//! Continuing where forms of one class differ (F-Split, L-Split).
//!
//! A variable aligned with a constant, or with a shorter variable, is split without a case distinction:
//!
//! | forms from here on | if arithmetic entails | fact |
//! |---|---|---|
//! | `x "b" …` and `"aab" …` | `x` is not empty | `x = "aa" k`: the first split after which `"b"` fits |
//! | `x …` and `y …` | `x` is longer than `y` | `x = y k` |
//! | `x …` and `y …` | they are of equal length | `x = y` |
//!
//! where `k` is a skolem. Otherwise only the comparison of lengths is decided, as in the arithmetic model first.

use super::expand::expand_all;
use super::form::{Alignment, Cursor, Direction};
use super::round::Round;
use super::{disjoint, loops, nielsen, powers};
use crate::arith::{self, Sum};
use crate::builder::Builder;
use crate::calculus::{Calculus, Step, Stop, stop_if};
use crate::egraph::{Node, Premise};
use crate::engines::Engine;
use crate::infer::Rule;
use rustc_hash::FxHashSet;
use smt::{Int, Term};

/// Continues at the places where forms differ. True if equalities were derived.
pub(super) fn split(c: &mut Calculus<'_>, round: &mut Round) -> Result<bool, Stop> {
    if c.has(Engine::Disjoint) {
        disjoint::refute(c, round)?;
    }
    let splits = std::mem::take(&mut round.splits);
    let (loops, plain): (Vec<Alignment>, Vec<Alignment>) = splits.into_iter().partition(is_loop);
    if split_each(c, &plain)? {
        return Ok(true);
    }
    // Loops may be split without end: all other inferences come first.
    if !loops.is_empty() {
        for alignment in &loops {
            loops::check(c, alignment)?;
        }
        let alone = c.has(Engine::Equation);
        if alone {
            nielsen::refute(c, round)?;
        }
        if alone {
            powers::commute(c, round)?;
        }
        expand_all(c, round)?;
        if alone {
            nielsen::suggest(c, round)?;
        }
    }
    split_each(c, &loops)
}

/// Splits that follow, at most one for each component; if there is none, a decision on lengths.
fn split_each(c: &mut Calculus<'_>, splits: &[Alignment]) -> Result<bool, Stop> {
    let mut done: FxHashSet<Node> = FxHashSet::default();
    for alignment in splits {
        let (x, y) = alignment.components();
        if !done.contains(&x) && !done.contains(&y) && split_without_choice(c, alignment)? {
            done.extend([x, y]);
        }
    }
    if !done.is_empty() {
        return Ok(true);
    }
    for alignment in splits {
        decide_lengths(c, alignment)?;
    }
    Ok(false)
}

/// A split that arithmetic entails. True if there is one.
fn split_without_choice(c: &mut Calculus<'_>, alignment: &Alignment) -> Result<bool, Stop> {
    let (x, y) = alignment.components();
    match (c.word_of(x).is_some(), c.word_of(y).is_some()) {
        (false, true) => split_by_constant(c, alignment),
        (true, false) => split_by_constant(c, &alignment.flipped()),
        _ => Ok(split_by_length(c, alignment)),
    }
}

/// A variable on the left that is not empty, aligned with a constant on the right: it starts with as many characters of
/// the constant as its length and the constant after it require.
fn split_by_constant(c: &mut Calculus<'_>, alignment: &Alignment) -> Result<bool, Stop> {
    let Alignment { left, right } = alignment;
    let direction = alignment.direction();
    let x = left.component();
    let (word, _) = right.constant(c);
    let Some((known, reasons)) = least_length(c, alignment, x, word.len())? else { return Ok(false) };
    let next = left.at(left.part + 1);
    let (after, _) = next.constant(c);
    let n = first_fit(&word, &after, known, direction);
    // The constant after the variable is cited only if it excluded a split after `known` characters.
    let (seen, touched) = if n == known {
        (left.part, n)
    } else {
        let last = left.form.parts.len() - 1;
        (next.last_touched(c, after.len().min(word.len())).min(last), word.len())
    };
    let mut premises = alignment.premises_to(seen, right.last_touched(c, touched));
    premises.extend(reasons);
    let w = c.terms.pool.string(direction.first(&word, n));
    let t = c.term(x);
    let joined = with_rest(c, t, w, direction);
    Ok(c.fact(Rule::ConstSplit, x, joined, &premises))
}

/// A lower bound, at least 1, of the length of a variable, with its premises: if possible, its length in the arithmetic
/// model, up to `max`. None if the variable may be empty.
fn least_length(
    c: &mut Calculus<'_>,
    alignment: &Alignment,
    x: Node,
    max: usize,
) -> Result<Option<(usize, Vec<Premise>)>, Stop> {
    let t = c.term(x);
    let Some(nonempty) = c.entails_length(x, 1) else {
        let empty = c.empty();
        let atom = c.eq(t, empty);
        stop_if(c.split(Rule::LenGeq, &[], atom, false))?;
        return Ok(None);
    };
    let wanted = c.model_length_of(x).min(max);
    if wanted <= 1 {
        return Ok(Some((1, nonempty)));
    }
    let n = i64::try_from(wanted).expect("the length of a string");
    if let Some(reasons) = c.entails_length(x, n) {
        return Ok(Some((wanted, reasons)));
    }
    // One decision for all characters, instead of one for each.
    let (len, least) = (c.len(t), c.int(n));
    let atom = c.ge(len, least);
    stop_if(c.split(Rule::LenSplit, &alignment.premises(), atom, true))?;
    Ok(Some((1, nonempty)))
}

/// Two variables whose lengths compare: equal ones are equal, the longer one starts with the shorter one.
fn split_by_length(c: &mut Calculus<'_>, alignment: &Alignment) -> bool {
    let (x, y) = alignment.components();
    let d = c.length_difference(x, y);
    let value = c.state.arith.value_of(&d);
    if value.is_zero() {
        return unify(c, alignment, &d);
    }
    let (long, short, mut d) = if value.is_negative() { (y, x, negated(&d)) } else { (x, y, d) };
    d.constant = &d.constant - &Int::ONE;
    let Some(reasons) = c.entails_nonneg(&d) else { return false };
    let mut premises = alignment.premises();
    premises.extend(reasons);
    let (t, u) = (c.term(long), c.term(short));
    let joined = with_rest(c, t, u, alignment.direction());
    c.fact(Rule::VarSplitProp, long, joined, &premises)
}

/// F-Unify by entailed lengths; `d` is the difference of the lengths.
fn unify(c: &mut Calculus<'_>, alignment: &Alignment, d: &Sum) -> bool {
    let Some(above) = c.entails_nonneg(d) else { return false };
    let Some(below) = c.entails_nonneg(&negated(d)) else { return false };
    let (x, y) = alignment.components();
    let premises: Vec<Premise> = alignment.premises().into_iter().chain(above).chain(below).collect();
    c.fact(Rule::Unify, x, y, &premises)
}

/// L-Split: decides which of two variables is longer, or neither.
fn decide_lengths(c: &mut Calculus<'_>, alignment: &Alignment) -> Step {
    let (x, y) = alignment.components();
    if c.word_of(x).is_some() || c.word_of(y).is_some() {
        return Ok(());
    }
    let (t, u) = (c.term(x), c.term(y));
    let (lt, lu) = (c.len(t), c.len(u));
    let d = c.length_difference(x, y);
    let value = c.state.arith.value_of(&d);
    let atoms = if value.is_zero() {
        [c.eq(lt, lu), c.greater(lt, lu), c.greater(lu, lt)]
    } else if value.is_negative() {
        [c.greater(lu, lt), c.eq(lt, lu), c.greater(lt, lu)]
    } else {
        [c.greater(lt, lu), c.eq(lt, lu), c.greater(lu, lt)]
    };
    let premises = alignment.premises();
    for atom in atoms {
        stop_if(c.split(Rule::LenSplit, &premises, atom, true))?;
    }
    Ok(())
}

/// The node of `start` joined with the skolem for the rest of `t` after it (before it, if read backward).
fn with_rest(c: &mut Calculus<'_>, t: Term, start: Term, direction: Direction) -> Node {
    let (len, used) = (c.len(t), c.len(start));
    let count = c.minus(len, used);
    let from = match direction {
        Direction::Forward => c.rewrite(used),
        Direction::Backward => c.int(0),
    };
    let witness = c.substr(t, from, count);
    let rest = c.skolem(witness);
    let joined = c.concat(&direction.ordered(start, rest));
    c.derived_node(joined)
}

fn negated(s: &Sum) -> Sum {
    arith::difference(&Sum::default(), s)
}

/// The least n, from `least` on, such that a constant split after n characters agrees with the constant that must
/// follow there.
fn first_fit(word: &[u32], after: &[u32], least: usize, direction: Direction) -> usize {
    let fits = |&n: &usize| {
        let rest = direction.rest(word, n);
        smt::work::spend(1 + rest.len().min(after.len()) / 8);
        direction.common(rest, after) == rest.len().min(after.len())
    };
    (least..word.len()).find(fits).unwrap_or(word.len())
}

/// Whether a component at the place occurs again on the other side, after it.
fn is_loop(alignment: &Alignment) -> bool {
    let occurs_after = |side: &Cursor, x| (side.part + 1..).map_while(|k| side.part_at(k)).any(|p| p == x);
    let (x, y) = alignment.components();
    occurs_after(&alignment.right, x) || occurs_after(&alignment.left, y)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_split_fits_the_constant_after_the_variable() {
        let fit = |word: &str, after: &str, least, direction| {
            let codes = |s: &str| s.chars().map(u32::from).collect::<Vec<u32>>();
            first_fit(&codes(word), &codes(after), least, direction)
        };
        assert_eq!(fit("aabab", "b", 1, Direction::Forward), 2);
        assert_eq!(fit("aabab", "b", 3, Direction::Forward), 4);
        assert_eq!(fit("aab", "c", 1, Direction::Forward), 3, "the variable has all of the constant");
        assert_eq!(fit("aab", "", 1, Direction::Forward), 1, "nothing is required");
        assert_eq!(fit("aab", "bc", 1, Direction::Forward), 2, "what follows may be longer");
        assert_eq!(fit("babaa", "b", 1, Direction::Backward), 2);
    }
}
