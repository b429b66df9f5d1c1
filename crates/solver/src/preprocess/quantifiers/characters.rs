//! Quantified positions of a string as a membership or an occurrence.
//!
//! `∃j. s[j] = "b"` states that `s` contains `"b"`, with or without the bounds `0 <= j < |s|`.
//! `∃j. 0 <= j < |s| ∧ s[j] ≠ "a" ∧ s[j] ≠ "b"` states that `s` has a character other than `a` and `b`:
//! `(not (str.in_re s (re.* (re.union (str.to_re "a") (str.to_re "b")))))`. With another lower bound it is about the rest of
//! `s` from there on; a character that is not constant is a language with at most one string of length one.

use super::extremes::bound;
use super::formula::{join, not, occurrences};
use crate::poly::Poly;
use smt::{Head, Op, Pool, Sort, Term};

/// The bounds of a position, and the equalities with its character.
#[derive(Default)]
struct Position {
    least: Vec<Poly>,
    /// The strings whose lengths are upper bounds.
    within: Vec<Term>,
    equal: Vec<(Term, Term)>,
    different: Vec<(Term, Term)>,
}

/// `∃j. ⋀list` as a membership, if the list has the form above.
pub(super) fn outside_characters(pool: &mut Pool, vars: &[Term], list: &[Term]) -> Option<Term> {
    let &[j] = vars else { return None };
    let position = position(pool, j, list)?;
    match position.equal[..] {
        [(a, b)] if position.different.is_empty() => occurrence(pool, j, &position, a, b),
        [] => outside(pool, j, &position),
        _ => None,
    }
}

fn position(pool: &Pool, j: Term, list: &[Term]) -> Option<Position> {
    let mut out = Position::default();
    for &l in list {
        match (bound(pool, j, l), pool.head(l), pool.args(l)) {
            (Some((true, low)), ..) => out.least.push(low),
            (Some((false, high)), ..) => out.within.push(length_of(pool, &high.shift(1))?),
            (None, Head::Op(Op::Eq), &[a, b]) => out.equal.push((a, b)),
            (None, Head::Op(Op::Not), &[e]) => {
                let (Head::Op(Op::Eq), &[a, b]) = (pool.head(e), pool.args(e)) else { return None };
                out.different.push((a, b));
            }
            _ => return None,
        }
    }
    Some(out)
}

/// The string of which a sum is the length.
fn length_of(pool: &Pool, p: &Poly) -> Option<Term> {
    let [(t, k)] = &p.terms[..] else { return None };
    let plain = p.constant.is_zero() && k.to_i64() == Some(1) && pool.head(*t) == Head::Op(Op::StrLen);
    plain.then(|| pool.args(*t)[0])
}

/// The string of which `t` is the character at `j`.
fn string_at(pool: &Pool, j: Term, t: Term) -> Option<Term> {
    let (s, place) = match (pool.head(t), pool.args(t)) {
        (Head::Op(Op::StrAt), &[s, place]) => (s, place),
        (Head::Op(Op::StrSubstr), &[s, place, n]) if Poly::of(pool, n) == Poly::constant(1) => (s, place),
        _ => return None,
    };
    (place == j && occurrences(pool, j, s) == 0).then_some(s)
}

/// The string of a character at `j`, and the term that it is compared with.
fn compared(pool: &Pool, j: Term, (a, b): (Term, Term)) -> Option<(Term, Term)> {
    let side = |a: Term, b: Term| Some((string_at(pool, j, a)?, b)).filter(|_| occurrences(pool, j, b) == 0);
    side(a, b).or_else(|| side(b, a))
}

/// `∃j. low <= j < |s| ∧ s[j] ≠ c ∧ …`: the string from `low` on is not in `(c | …)*`. A negative position has no character.
fn outside(pool: &mut Pool, j: Term, position: &Position) -> Option<Term> {
    let ([low], [word, others @ ..]) = (&position.least[..], &position.within[..]) else { return None };
    let mut same = others.iter().all(|w| w == word);
    let mut languages = Vec::new();
    let mut constants = true;
    for &pair in &position.different {
        let (s, c) = compared(pool, j, pair)?;
        same &= s == *word;
        match pool.head(c) {
            Head::Str(id) if pool.word(id).len() == 1 => {
                languages.push(pool.mk(Head::Op(Op::StrToRe), Sort::REGLAN, &[c]));
            }
            Head::Str(id) => constants &= !pool.word(id).is_empty(),
            _ => {
                constants = false;
                let any = pool.mk(Head::Op(Op::ReAllchar), Sort::REGLAN, &[]);
                let only = pool.mk(Head::Op(Op::StrToRe), Sort::REGLAN, &[c]);
                languages.push(pool.mk(Head::Op(Op::ReInter), Sort::REGLAN, &[any, only]));
            }
        }
    }
    let first = *low == Poly::default();
    if !same || !(first || constants) {
        return None;
    }
    let any = match languages[..] {
        [] => pool.mk(Head::Op(Op::ReNone), Sort::REGLAN, &[]),
        [only] => only,
        _ => pool.mk(Head::Op(Op::ReUnion), Sort::REGLAN, &languages),
    };
    let star = pool.mk(Head::Op(Op::ReStar), Sort::REGLAN, &[any]);
    let rest = if first { *word } else { rest_of(pool, *word, low) };
    let within = pool.mk(Head::Op(Op::StrInRe), Sort::BOOL, &[rest, star]);
    let outside = not(pool, within);
    if first {
        return Some(outside);
    }
    let (low, zero) = (low.to_term(pool), pool.int(0));
    let negative = pool.mk(Head::Op(Op::Lt), Sort::BOOL, &[low, zero]);
    Some(join(pool, Op::Or, &[negative, outside]))
}

/// The string from a position on.
fn rest_of(pool: &mut Pool, s: Term, low: &Poly) -> Term {
    let (low, len) = (low.to_term(pool), pool.mk(Head::Op(Op::StrLen), Sort::INT, &[s]));
    pool.mk(Head::Op(Op::StrSubstr), Sort::STRING, &[s, low, len])
}

/// `∃j. a = b` as a `contains`, where one side is the character of a string at `j` and the other a constant character; bounds,
/// if there are any, must be those of the string.
fn occurrence(pool: &mut Pool, j: Term, position: &Position, a: Term, b: Term) -> Option<Term> {
    let (s, c) = compared(pool, j, (a, b))?;
    let one = matches!(pool.head(c), Head::Str(id) if pool.word(id).len() == 1);
    let fits =
        position.within.iter().all(|&w| w == s) && position.least.iter().all(|l| *l == Poly::default());
    (one && fits).then(|| pool.mk(Head::Op(Op::StrContains), Sort::BOOL, &[s, c]))
}
