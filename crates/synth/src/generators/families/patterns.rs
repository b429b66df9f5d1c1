//! Regular expressions with variables.
//!
//! - *powers*: c is in (v)*, and v is shorter. Satisfiable: c = vᵏ. Unsatisfiable: c is no proper power of a word.
//! - *borders*: c is in v·R·v, where R is all words. Unsatisfiable: no beginning of c is an end of it without an overlap, and v is not empty.
//! - *factors*: c is in A*·v·B*·v, with words A and B. Satisfiable by construction; unsatisfiable since v must have a letter that c does not have.
//! - *equal languages*: the stars of two words of which one is fixed and none a power of a shorter one are equal exactly if the words are (or both are empty);
//!   unsatisfiable if v must have another length.

use super::sheet::{lit, to_re, word};
use super::{Row, Sheet};
use crate::dice::Dice;

pub(super) const ROW: Row = Row {
    name: "patterns",
    about: "Regular expressions that contain variables, and equal languages",
    property: "length",
    default: 6,
    limits: [2, 500],
    example: "--size 20",
    make,
};

fn make(dice: &mut Dice, sat: bool, size: usize, s: &mut Sheet) {
    let v = format!("{}a", word(dice, "ab", size - 1));
    match dice.index(4) {
        0 => powers(dice, sat, &v, s),
        1 => borders(dice, sat, &v, s),
        2 => factors(dice, sat, &v, s),
        _ => equal(sat, &v, s),
    }
}

fn powers(dice: &mut Dice, sat: bool, v: &str, s: &mut Sheet) {
    let mut c = v.repeat(2 + dice.index(3));
    if !sat {
        // A power has each letter at least twice.
        c.insert(dice.index(c.len()), 'c');
    }
    let name = s.string("v", v);
    s.assert(format!("(str.in_re {} (re.* (str.to_re {name})))", lit(&c)));
    s.assert(format!("(< (str.len {name}) {})", c.len()));
}

fn borders(dice: &mut Dice, sat: bool, v: &str, s: &mut Sheet) {
    let length = 1 + dice.index(v.len());
    let middle = word(dice, "ab", length);
    // No beginning has the last letter, except the whole word.
    let c = if sat { format!("{v}{middle}{v}") } else { format!("{v}{middle}{v}c") };
    let name = s.string("v", v);
    let v = format!("(str.to_re {name})");
    s.assert(format!("(str.in_re {} (re.++ {v} re.all {v}))", lit(&c)));
    s.assert(format!("(>= (str.len {name}) {})", if sat { length.min(3) } else { 1 }));
}

fn factors(dice: &mut Dice, sat: bool, v: &str, s: &mut Sheet) {
    let [a, b] = [word(dice, "ab", 2), word(dice, "abc", 3)];
    let c = format!("{}{v}{}{v}", a.repeat(dice.index(5)), b.repeat(dice.index(5)));
    let name = s.string("v", v);
    let language =
        format!("(re.++ (re.* {}) (str.to_re {name}) (re.* {}) (str.to_re {name}))", to_re(&a), to_re(&b));
    s.assert(format!("(str.in_re {} {language})", lit(&c)));
    s.assert(format!("(str.contains {name} {})", if sat { lit(&v[v.len() / 2..]) } else { lit("d") }));
}

fn equal(sat: bool, v: &str, s: &mut Sheet) {
    // The only c makes it no power of a shorter word.
    let w = format!("{v}c");
    let name = s.string("v", &w);
    s.assert(format!("(= (re.* (str.to_re {name})) (re.* {}))", to_re(&w)));
    s.assert(format!("({} (str.len {name}) {})", if sat { "<=" } else { "<" }, w.len()));
}
