//! Operators that are not in the standard, transcribed from the documentation of the solvers that have them.

use crate::languages::Languages;
use crate::universe::V;
use aws_smt_strings::smt_regular_expressions::str_in_re;
use aws_smt_strings::smt_strings::SmtString;
use smt::Op;

pub(crate) fn verdict(op: Op, args: &[V], languages: &Languages) -> V {
    let w = args[0].word();
    match op {
        // cvc5, STRING_REV: "String reverse."
        Op::StrRev => {
            let mut reversed = w.to_vec();
            reversed.reverse();
            V::Word(reversed)
        }
        // cvc5, STRING_TO_LOWER and STRING_TO_UPPER: "String to lower case", "… upper case"; of ASCII letters.
        Op::StrToLower => V::Word(w.iter().map(|&c| case(c, char::to_ascii_lowercase)).collect()),
        Op::StrToUpper => V::Word(w.iter().map(|&c| case(c, char::to_ascii_uppercase)).collect()),
        Op::StrUpdate => V::Word(update(w, args[1].int(), args[2].word())),
        Op::StrIndexofRe => V::Int(indexof_re(w, &args[1], args[2].int(), languages)),
        Op::StrLastIndexof => V::Int(last_indexof(w, args[1].word())),
        op => unreachable!("{op:?} has `Judge::Documentation`, but no arm in `documented::verdict`"),
    }
}

fn case(c: u32, convert: fn(&char) -> char) -> u32 {
    char::from_u32(c).map_or(c, |c| u32::from(convert(&c)))
}

/// cvc5, STRING_UPDATE: "Updates a string by replacing its context starting at an index with string t. If the
/// start index is negative, the start index is greater than the length of the string, the result is s.
/// Otherwise, the length of the original string is preserved."
fn update(w: &[u32], i: i128, t: &[u32]) -> Vec<u32> {
    let mut updated = w.to_vec();
    for (k, &c) in t.iter().enumerate() {
        let position = usize::try_from(i).ok().map(|i| i + k);
        if let Some(place) = position.and_then(|p| updated.get_mut(p)) {
            *place = c;
        }
    }
    updated
}

/// cvc5, STRING_INDEXOF_RE: "Returns the first match of a regular expression r in a string s. If the index is
/// negative or greater than the length of string s1, or r does not match a substring in s after index i, the
/// result is -1." (The formulas of its theory reference forget to add i; the solver does not.)
fn indexof_re(w: &[u32], r: &V, i: i128, languages: &Languages) -> i128 {
    let Ok(i) = usize::try_from(i) else {
        return -1;
    };
    let matches = |from: usize, to: usize| str_in_re(&SmtString::from(&w[from..to]), languages.aws(r));
    let found = (i..=w.len()).find(|&from| (from..=w.len()).any(|to| matches(from, to)));
    found.map_or(-1, |n| n as i128)
}

/// z3, seq.last_indexof: the last position at which the second word occurs in the first, -1 if it does not.
fn last_indexof(w: &[u32], t: &[u32]) -> i128 {
    let found = (0..=w.len()).rev().find(|&n| w[n..].starts_with(t));
    found.map_or(-1, |n| n as i128)
}
