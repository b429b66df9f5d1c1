//! Code of string methods on a few short inputs, as in Java: pieces, concatenations, replacements and lower case, with branches on the results.
//!
//! Unsatisfiable: one branch asks for an upper-case letter in lower case (of a piece, or of a concatenation), for another length of it, or for lower case that changes
//! when it is taken again. `lower` replaces each upper-case letter, and writes none.

use super::sheet::{lit, word};
use super::{Row, Sheet};
use crate::dice::Dice;

pub(super) const ROW: Row = Row {
    name: "java",
    about: "Methods of strings with lower case, and branches on the results",
    property: "statements",
    default: 4,
    limits: [1, 1000],
    example: "--size 20",
    make,
};

const LETTERS: &str = "abcdXYZW01";

/// A variable with its value.
type Named = (String, String);

fn make(dice: &mut Dice, sat: bool, size: usize, s: &mut Sheet) {
    s.function("lower", &lower());
    let mut known: Vec<Named> = (0..3).map(|i| input(dice, i, s)).collect();
    for i in 0..size {
        let (text, value) = statement(dice, &known);
        let name = s.string(format!("v{i}"), &value);
        s.assert(format!("(= {name} {text})"));
        known.push((name, value));
        if dice.below(2) == 0 {
            branch(dice, &known, s);
        }
    }
    branch(dice, &known, s);
    if !sat {
        let x = dice.pick(&known).0.clone();
        let y = dice.pick(&known).0.clone();
        s.assert(impossible(dice, &x, &y));
    }
}

/// Replaces the letters from A to Z one after the other.
fn lower() -> String {
    ('A'..='Z').fold("v".to_owned(), |t, c| {
        format!("(str.replace_all {t} {} {})", lit(&c.to_string()), lit(&c.to_ascii_lowercase().to_string()))
    })
}

fn input(dice: &mut Dice, i: usize, s: &mut Sheet) -> Named {
    let length = 4 + dice.index(8);
    let value = word(dice, LETTERS, length);
    let name = s.string(format!("x{i}"), &value);
    s.assert(format!("(<= (str.len {name}) 11)"));
    s.assert(format!(
        "(str.in_re {name} (re.* (re.union (re.range \"a\" \"z\") (re.range \"A\" \"Z\") (re.range \"0\" \"9\"))))"
    ));
    (name, value)
}

/// A call of a method, with its value.
fn statement(dice: &mut Dice, known: &[Named]) -> Named {
    let (x, v) = dice.pick(known).clone();
    match dice.index(5) {
        0 | 1 => (format!("(lower {x})"), v.to_ascii_lowercase()),
        2 => {
            let from = dice.index(v.len() / 2 + 1);
            let count = dice.index(v.len() + 1);
            let piece = v[from..(from + count).min(v.len())].to_owned();
            (format!("(str.substr {x} {from} {count})"), piece)
        }
        3 if v.len() < 30 => {
            let (y, w) = dice.pick(known).clone();
            (format!("(str.++ {x} {y})"), format!("{v}{w}"))
        }
        _ => {
            let (from, to) = (word(dice, LETTERS, 1), word(dice, LETTERS, 1));
            (format!("(str.replace_all {x} {} {})", lit(&from), lit(&to)), v.replace(&from, &to))
        }
    }
}

/// Asserts the side of a branch that the values take.
fn branch(dice: &mut Dice, known: &[Named], s: &mut Sheet) {
    let (x, v) = dice.pick(known).clone();
    let from = dice.index(v.len() + 1);
    let piece = &v[from..(from + 1 + dice.index(2)).min(v.len())];
    let piece = if dice.one_in(3) { word(dice, LETTERS, 2) } else { piece.to_owned() };
    let p = lit(&piece);
    let (test, holds) = match dice.index(5) {
        0 => (format!("(str.contains {x} {p})"), v.contains(&piece)),
        1 => (format!("(str.prefixof {p} {x})"), v.starts_with(&piece)),
        2 => (format!("(str.suffixof {p} {x})"), v.ends_with(&piece)),
        3 => (format!("(= (str.at {x} {from}) {p})"), piece == v.get(from..=from).unwrap_or("")),
        _ => {
            let at = v.find(&piece).map_or(-1, |at| at as i64);
            (format!("(>= (str.indexof {x} {p} 0) 1)"), at >= 1)
        }
    };
    s.assert(if holds { test } else { format!("(not {test})") });
}

/// A branch that no input takes.
fn impossible(dice: &mut Dice, x: &str, y: &str) -> String {
    let capital = lit(&format!("{}Q", word(dice, "ab", 1)));
    match dice.index(5) {
        0 => format!("(str.contains (lower {x}) {capital})"),
        1 => format!("(str.contains (str.++ (lower {x}) \"a\" (lower (str.substr {y} 1 5))) {capital})"),
        2 => format!("(not (= (str.len (lower {x})) (str.len {x})))"),
        3 => format!("(not (= (lower (lower {x})) (lower {x})))"),
        _ => format!("(not (= (lower (str.++ {x} {y})) (str.++ (lower {x}) (lower {y}))))"),
    }
}
