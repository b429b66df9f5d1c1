//! Sanitizers: two chains of `str.replace_all` are asked to differ on some string, or at some index of their results.
//!
//! Unsatisfiable, because the two are the same function. Replacements of letters act on each letter by itself, unless a replacement contains a letter that
//! a later one replaces.
//! - *Idempotent*: no replacement contains a letter that is replaced; so the result has none of them, and the chain keeps it.
//! - *Commuting*: neither chain reads or writes a letter that the other one replaces; so on each letter one of them is the identity, and the other one acts alone.
//! - *Inverse*: percent-encoding replaces `%` first, so that each `%` of the result starts a code, and no `%` is inside one.
//!   Decoding replaces codes other than that of `%`: all their occurrences are codes, since they start with `%`, and what it writes is neither `%` nor starts a code. At last
//!   only codes of `%` have a `%`, and these become `%`.

use super::sheet::{lit, some, word};
use super::{Row, Sheet};
use crate::dice::Dice;

pub(super) const ROW: Row = Row {
    name: "sanitizers",
    about: "Chains of replace_all that must differ: idempotence, commutativity, inverses",
    property: "replacements",
    default: 3,
    limits: [2, 26],
    example: "--size 8 --mode unsat",
    make,
};

type Chain = Vec<(String, String)>;

const SPECIAL: &str = "<>&;/%=()[]{}!@#$^*+-_.:,?";
const PLAIN: &str = "abcdefgh";

fn make(dice: &mut Dice, sat: bool, size: usize, s: &mut Sheet) {
    let (left, right, witness) = match dice.index(3) {
        0 => idempotent(dice, sat, size),
        1 => commuting(dice, sat, size),
        _ => inverse(dice, sat, size),
    };
    let (a, b) = (apply(&left, &witness), apply(&right, &witness));
    let x = s.string("x", &witness);
    s.function("left", &nested(&left));
    s.function("right", &nested(&right));
    let at = a.chars().zip(b.chars()).position(|(a, b)| a != b).unwrap_or(a.len().min(b.len()));
    if dice.below(2) == 0 {
        s.assert(format!("(not (= (left {x}) (right {x})))"));
    } else {
        let i = s.int("i", at as i64);
        s.assert(format!("(not (= (str.at (left {x}) {i}) (str.at (right {x}) {i})))"));
    }
}

/// The replacements of letters by words.
fn replacements(letters: &[char], dice: &mut Dice) -> Chain {
    let plain = |dice: &mut Dice| {
        let length = dice.index(4);
        word(dice, PLAIN, length)
    };
    letters.iter().map(|c| (c.to_string(), plain(dice))).collect()
}

/// A chain twice, and once. They differ if the last replacement writes the first letter.
fn idempotent(dice: &mut Dice, sat: bool, size: usize) -> (Chain, Chain, String) {
    let letters = some(dice, SPECIAL, size);
    let mut once = replacements(&letters, dice);
    once[0].1.push('x');
    if sat {
        once[size - 1].1.push(letters[0]);
    }
    let twice = [once.clone(), once.clone()].concat();
    (twice, once, letters[size - 1].to_string())
}

/// Two chains in both orders. They differ if the second one writes a letter that the first one replaces.
fn commuting(dice: &mut Dice, sat: bool, size: usize) -> (Chain, Chain, String) {
    let letters = some(dice, SPECIAL, size);
    let (mut f, mut g) = (replacements(&letters[..size / 2], dice), replacements(&letters[size / 2..], dice));
    f[0].1.push('x');
    if sat {
        g[size - size / 2 - 1].1.push(letters[0]);
    }
    let both = [f.clone(), g.clone()].concat();
    (both, [g, f].concat(), letters[size - 1].to_string())
}

/// Decoding after encoding, and a chain that changes nothing. They differ if decoding starts with the code of `%`.
fn inverse(dice: &mut Dice, sat: bool, size: usize) -> (Chain, Chain, String) {
    let others = some(dice, &SPECIAL.replace('%', ""), size - 1);
    let code = |c: char| (c.to_string(), format!("%{:02X}", c as u32));
    let encode: Chain = std::iter::once('%').chain(others.iter().copied()).map(code).collect();
    let mut decode: Chain = encode.iter().rev().map(|(c, code)| (code.clone(), c.clone())).collect();
    if sat {
        decode.rotate_right(1);
    }
    let witness = encode[1].1.clone();
    ([encode, decode].concat(), Chain::new(), witness)
}

fn apply(chain: &Chain, word: &str) -> String {
    chain.iter().fold(word.to_owned(), |w, (from, to)| w.replace(from, to))
}

/// The chain applied to `v`.
fn nested(chain: &Chain) -> String {
    chain
        .iter()
        .fold("v".to_owned(), |t, (from, to)| format!("(str.replace_all {t} {} {})", lit(from), lit(to)))
}
