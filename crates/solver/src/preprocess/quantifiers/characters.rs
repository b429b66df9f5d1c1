//! Quantified positions of a string as a membership or an occurrence.
//!
//! `∃j. s[j] = "b"` states that `s` contains `"b"`, with or without the bounds `0 <= j < |s|`.
//! `∃j. 0 <= j < |s| ∧ s[j] ≠ "a" ∧ s[j] ≠ "b"` states that `s` has a character other than `a` and `b`:
//! `(not (str.in_re s (re.* (re.union (str.to_re "a") (str.to_re "b")))))`.

use super::formula::{not, occurrences};
use smt::{Head, Op, Pool, Sort, Term};

/// `∃j. ⋀list` as a membership, if the list has the form above.
pub(super) fn outside_characters(pool: &mut Pool, vars: &[Term], list: &[Term]) -> Option<Term> {
    let &[j] = vars else { return None };
    let zero = pool.int(0);
    let (mut low, mut word, mut rest, mut found) = (false, None, Vec::new(), None);
    for &l in list {
        match (pool.head(l), pool.args(l)) {
            (Head::Op(Op::Ge), &[a, b]) if a == j && b == zero => low = true,
            (Head::Op(Op::Le), &[a, b]) if a == zero && b == j => low = true,
            (Head::Op(Op::Lt), &[a, n]) | (Head::Op(Op::Gt), &[n, a])
                if a == j && pool.head(n) == Head::Op(Op::StrLen) =>
            {
                let w = pool.args(n)[0];
                if word.replace(w).is_some_and(|other| other != w) {
                    return None;
                }
            }
            (Head::Op(Op::Not), &[e]) if pool.head(e) == Head::Op(Op::Eq) => rest.push(e),
            (Head::Op(Op::Eq), &[a, b]) if found.is_none() => found = Some((a, b)),
            _ => return None,
        }
    }
    if let Some((a, b)) = found {
        return if rest.is_empty() { occurrence(pool, j, word, a, b) } else { None };
    }
    let word = word.filter(|&w| low && occurrences(pool, j, w) == 0)?;
    let at = pool.mk(Head::Op(Op::StrAt), Sort::STRING, &[word, j]);
    let mut languages = Vec::new();
    for e in rest {
        let &[a, b] = pool.args(e) else { return None };
        let c = if a == at {
            b
        } else if b == at {
            a
        } else {
            return None;
        };
        let Head::Str(id) = pool.head(c) else { return None };
        if pool.word(id).len() == 1 {
            languages.push(pool.mk(Head::Op(Op::StrToRe), Sort::REGLAN, &[c]));
        }
    }
    let any = match languages[..] {
        [] => pool.mk(Head::Op(Op::ReNone), Sort::REGLAN, &[]),
        [only] => only,
        _ => pool.mk(Head::Op(Op::ReUnion), Sort::REGLAN, &languages),
    };
    let star = pool.mk(Head::Op(Op::ReStar), Sort::REGLAN, &[any]);
    let within = pool.mk(Head::Op(Op::StrInRe), Sort::BOOL, &[word, star]);
    Some(not(pool, within))
}

/// `∃j. a = b` as a `contains`, where one side is the character of a string at `j` and the other a constant character;
/// if `j` is bounded by the length of a string, that must be this one.
fn occurrence(pool: &mut Pool, j: Term, bounded: Option<Term>, a: Term, b: Term) -> Option<Term> {
    let one = |t: Term| matches!(pool.head(t), Head::Str(id) if pool.word(id).len() == 1);
    let (at, character) = if one(b) { (a, b) } else { (b, a) };
    let (Head::Op(Op::StrAt), &[s, place]) = (pool.head(at), pool.args(at)) else { return None };
    let fits = one(character) && place == j && occurrences(pool, j, s) == 0 && bounded.is_none_or(|w| w == s);
    fits.then(|| pool.mk(Head::Op(Op::StrContains), Sort::BOOL, &[s, character]))
}
