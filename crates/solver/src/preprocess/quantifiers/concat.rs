//! Equalities of a string with a concatenation of quantified variables.
//!
//! If `x` and `y` occur nowhere else, then `∃x y. s = x t y` is `(str.contains s t)`, `∃x. s = x t` is
//! `(str.suffixof t s)`, `∃x. s = t x` is `(str.prefixof t s)`, and `∃x. s = t x u` is a prefix and a suffix that do not
//! overlap.

use super::formula::{join, occurrences};
use smt::{Head, Op, Pool, Sort, Term};

/// A part of a concatenation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Piece {
    /// Any string.
    Any,
    /// The value of a term.
    Given(Term),
}

/// An equality of a string with a concatenation of variables that occur nowhere else and terms without variables: its
/// index, and an equivalent formula without the variables.
pub(super) fn match_concat(pool: &mut Pool, vars: &[Term], list: &[Term]) -> Option<(usize, Term)> {
    let free = |pool: &Pool, t: Term| vars.iter().all(|&v| occurrences(pool, v, t) == 0);
    for (at, &l) in list.iter().enumerate() {
        let (Head::Op(Op::Eq), &[a, b]) = (pool.head(l), pool.args(l)) else { continue };
        let (whole, concat) = if free(pool, a) { (a, b) } else { (b, a) };
        if !free(pool, whole) || pool.head(concat) != Head::Op(Op::StrConcat) {
            continue;
        }
        let mut pieces: Vec<Piece> = Vec::new();
        let mut stack = vec![concat];
        let mut linear = true;
        // Parts without variables stay whole: a term that shares parts may have very many.
        while let Some(t) = stack.pop().filter(|_| linear) {
            if pool.head(t) == Head::Op(Op::StrConcat) && pool.has_var(t) {
                stack.extend(pool.args(t).iter().rev());
            } else if vars.contains(&t) {
                linear &= list.iter().map(|&l| occurrences(pool, t, l)).sum::<usize>() == 1;
                if pieces.last() != Some(&Piece::Any) {
                    pieces.push(Piece::Any);
                }
            } else if !matches!(pool.head(t), Head::Str(id) if pool.word(id).is_empty()) {
                linear &= free(pool, t);
                pieces.push(Piece::Given(t));
            }
        }
        if linear && let Some(plain) = shape(pool, whole, &pieces) {
            return Some((at, plain));
        }
    }
    None
}

/// A formula equivalent to `whole` being a concatenation of these pieces.
fn shape(pool: &mut Pool, whole: Term, pieces: &[Piece]) -> Option<Term> {
    let concat = |pool: &mut Pool, given: &[Piece]| -> Option<Term> {
        let list: Vec<Term> = given
            .iter()
            .map(|p| if let Piece::Given(t) = p { Some(*t) } else { None })
            .collect::<Option<_>>()?;
        Some(match list[..] {
            [] => pool.string(&[]),
            [only] => only,
            _ => pool.mk(Head::Op(Op::StrConcat), Sort::STRING, &list),
        })
    };
    let test = |pool: &mut Pool, op: Op, a: Term, b: Term| pool.mk(Head::Op(op), Sort::BOOL, &[a, b]);
    match pieces {
        [Piece::Any, middle @ .., Piece::Any] => {
            let t = concat(pool, middle)?;
            Some(test(pool, Op::StrContains, whole, t))
        }
        [Piece::Any] => Some(pool.bool(true)),
        [Piece::Any, end @ ..] => {
            let t = concat(pool, end)?;
            Some(test(pool, Op::StrSuffixof, t, whole))
        }
        [start @ .., Piece::Any] => {
            let t = concat(pool, start)?;
            Some(test(pool, Op::StrPrefixof, t, whole))
        }
        _ => {
            let at = pieces.iter().position(|p| *p == Piece::Any)?;
            let (start, end) = (concat(pool, &pieces[..at])?, concat(pool, &pieces[at + 1..])?);
            let first = test(pool, Op::StrPrefixof, start, whole);
            let last = test(pool, Op::StrSuffixof, end, whole);
            let lengths = [whole, start, end].map(|t| pool.mk(Head::Op(Op::StrLen), Sort::INT, &[t]));
            let both = pool.mk(Head::Op(Op::Add), Sort::INT, &lengths[1..]);
            let room = test(pool, Op::Ge, lengths[0], both);
            Some(join(pool, Op::And, &[first, last, room]))
        }
    }
}
