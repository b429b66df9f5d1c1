//! Regular expressions that blow up: a letter at a distance from the end, `Σ*aΣ{n}`, intersected and complemented; and counters.
//!
//! Unsatisfiable:
//! - two letters are demanded at one distance from the end;
//! - every letter of Σ is excluded at a distance, in a word of Σ* that is longer;
//! - blocks of two lengths are repeated n and m times, and the products differ.

use super::sheet::{many, to_re, word};
use super::{Row, Sheet};
use crate::dice::Dice;

pub(super) const ROW: Row = Row {
    name: "blowup",
    about: "Letters at distances from the end, complements, and counters",
    property: "distance",
    default: 6,
    limits: [1, 1000],
    example: "--size 100",
    make,
};

const SIGMA: &str = "ab";

/// The greatest counter is five times as large.
const MOST_BLOCKS: usize = 40_000;

fn sigma() -> String {
    many("re.union", &SIGMA.chars().map(|c| to_re(&c.to_string())).collect::<Vec<_>>())
}

/// `Σ*cΣ{n}`
fn at_distance(c: char, n: usize) -> String {
    format!("(re.++ (re.* {0}) {1} ((_ re.^ {n}) {0}))", sigma(), to_re(&c.to_string()))
}

fn make(dice: &mut Dice, sat: bool, size: usize, s: &mut Sheet) {
    if dice.one_in(4) { counters(dice, sat, size, s) } else { distances(dice, sat, size, s) }
}

fn distances(dice: &mut Dice, sat: bool, size: usize, s: &mut Sheet) {
    let extra = dice.index(size + 1);
    let w = word(dice, SIGMA, size + 1 + extra);
    let x = s.string("x", &w);
    s.assert(format!("(str.in_re {x} (re.* {}))", sigma()));
    let letter = |n: usize| w.as_bytes()[w.len() - 1 - n] as char;
    let other = |c: char| if c == 'a' { 'b' } else { 'a' };
    for _ in 0..3 {
        let n = size - dice.index(size / 4 + 1);
        if dice.one_in(2) {
            s.assert(format!("(str.in_re {x} {})", at_distance(letter(n), n)));
        } else {
            s.assert(format!("(str.in_re {x} (re.comp {}))", at_distance(other(letter(n)), n)));
        }
    }
    if sat {
        return;
    }
    match dice.index(2) {
        0 => SIGMA.chars().for_each(|c| s.assert(format!("(str.in_re {x} {})", at_distance(c, size)))),
        _ => {
            SIGMA.chars().for_each(|c| s.assert(format!("(not (str.in_re {x} {}))", at_distance(c, size))));
            s.assert(format!("(> (str.len {x}) {size})"));
        }
    }
}

/// Two languages of repeated blocks: a word of 2·3·m blocks, or none.
fn counters(dice: &mut Dice, sat: bool, size: usize, s: &mut Sheet) {
    let n = (size * (1 + dice.index(500))).min(MOST_BLOCKS);
    let [p, q] = *dice.pick(&[[2, 3], [3, 4], [2, 5]]);
    let x = s.string("x", &"a".repeat(p * q * n));
    let block = |k: usize| format!("(re.union {} {})", to_re(&"a".repeat(k)), to_re(&"b".repeat(k)));
    let more = if sat { n } else { n + 1 + dice.index(5) };
    s.assert(format!("(str.in_re {x} ((_ re.^ {}) {}))", q * n, block(p)));
    s.assert(format!("(str.in_re {x} ((_ re.loop {0} {0}) {1}))", p * more, block(q)));
}
