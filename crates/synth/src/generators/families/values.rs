//! Languages, lengths and values: strings in regular languages whose lengths and values satisfy linear rows.
//!
//! A language is a prefix, a repeated block (one of two words), and a suffix; or a number with a known last digit.
//! Unsatisfiable:
//! - *lengths*: all blocks have lengths that a number g divides, so a row of lengths is one value modulo g whatever the words are; the row asks for another one;
//! - *last digits*: values are known modulo 10, so a row of values is too; the row asks for another value;
//! - *nines*: in numbers of the digits 0 and 9 the value is divisible by 9; the row asks for a value that is not divisible by the common divisor 9 of all its terms;

use super::sheet::{num, sum, to_re, word};
use super::{Row, Sheet};
use crate::dice::Dice;

pub(super) const ROW: Row = Row {
    name: "values",
    about: "Strings in regular languages with linear rows over lengths and values",
    property: "length",
    default: 20,
    limits: [1, 100_000],
    example: "--size 1000",
    make,
};

fn make(dice: &mut Dice, sat: bool, size: usize, s: &mut Sheet) {
    match dice.index(4) {
        0 => last_digits(dice, sat, s),
        1 => nines(dice, sat, size, s),
        _ => lengths(dice, sat, size, s),
    }
}

/// A coefficient of either sign.
fn coefficient(dice: &mut Dice) -> i64 {
    let a = 1 + dice.below(7) as i64;
    if dice.one_in(2) { -a } else { a }
}

/// Words of repeated blocks; the lengths of all blocks are multiples of `g`.
fn lengths(dice: &mut Dice, sat: bool, size: usize, s: &mut Sheet) {
    let g = 2 + dice.index(5);
    let count = 3 + dice.index(2);
    let words: Vec<(String, i64)> = (0..count).map(|i| blocks(dice, i, g, size, s)).collect();
    let row: Vec<(i64, String)> = words.iter().map(|(x, _)| (coefficient(dice), x.clone())).collect();
    let total: i64 = row.iter().zip(&words).map(|((a, _), (_, length))| a * length).sum();
    let miss = if sat { 0 } else { 1 + dice.below(g as u64 - 1) as i64 };
    s.assert(format!("(= {} {})", sum(&row), num(total + miss)));
    s.assert(format!("(> {} {})", row[0].1, size / 2));
    if sat {
        more(dice, &words, s);
    }
}

/// A word of blocks in its language; the term of its length, and the length.
fn blocks(dice: &mut Dice, i: usize, g: usize, size: usize, s: &mut Sheet) -> (String, i64) {
    let sizes = [g * (1 + dice.index(4)), g * (1 + dice.index(4))];
    let [a, b] = sizes.map(|n| word(dice, "ab", n));
    let (before, after) = (1 + dice.index(5), 1 + dice.index(5));
    let (before, after) = (word(dice, "cd", before), word(dice, "de", after));
    let mut w = before.clone();
    while w.len() < size / 2 + size / 4 + dice.index(size / 4 + 1) + 1 {
        w.push_str(if dice.one_in(2) { &a } else { &b });
    }
    w.push_str(&after);
    let name = s.string(format!("x{i}"), &w);
    let star = format!("(re.* (re.union {} {}))", to_re(&a), to_re(&b));
    s.assert(format!("(str.in_re {name} (re.++ {} {star} {}))", to_re(&before), to_re(&after)));
    (format!("(str.len {name})"), w.len() as i64)
}

/// A second row, over the first and the last word, and a bound of a difference.
fn more(dice: &mut Dice, words: &[(String, i64)], s: &mut Sheet) {
    let ((x, m), (y, n)) = (&words[0], &words[words.len() - 1]);
    let a = coefficient(dice);
    s.assert(format!("(= {} {})", sum(&[(a, x.clone()), (1, y.clone())]), num(a * m + n)));
    s.assert(format!("(<= (- {y} {x}) {})", num(n - m + dice.below(9) as i64)));
}

/// Numbers with known last digits.
fn last_digits(dice: &mut Dice, sat: bool, s: &mut Sheet) {
    let (mut row, mut total) = (Vec::new(), 0);
    for i in 0..3 {
        let last = dice.below(10) as i64;
        let value = 10 * (1 + dice.below(99_999) as i64) + last;
        let name = s.string(format!("d{i}"), &value.to_string());
        let digits = "(re.++ (re.range \"1\" \"9\") (re.* (re.range \"0\" \"9\"))";
        s.assert(format!("(str.in_re {name} {digits} {}))", to_re(&last.to_string())));
        let a = coefficient(dice);
        row.push((a, format!("(str.to_int {name})")));
        total += a * value;
    }
    let miss = if sat { 0 } else { 1 + dice.below(9) as i64 };
    s.assert(format!("(= {} {})", sum(&row), num(total + miss)));
}

/// Numbers of the digits 0 and 9, with a row between them and the length of another word.
fn nines(dice: &mut Dice, sat: bool, size: usize, s: &mut Sheet) {
    let (mut row, mut total) = (Vec::new(), 0);
    for i in 0..2 {
        let length = 1 + dice.index(6);
        let w = format!("9{}", word(dice, "09", length));
        let name = s.string(format!("d{i}"), &w);
        s.assert(format!("(str.in_re {name} (re.++ (str.to_re \"9\") (re.* (re.union (str.to_re \"0\") (str.to_re \"9\")))))"));
        let a = coefficient(dice);
        row.push((a, format!("(str.to_int {name})")));
        total += a * w.parse::<i64>().expect("digits");
    }
    let block = word(dice, "ab", 9);
    let times = 1 + size / 9;
    let x = s.string("x", &block.repeat(times));
    s.assert(format!("(str.in_re {x} (re.* {}))", to_re(&block)));
    s.assert(format!("(>= (str.len {x}) {})", 9 * times));
    row.push((1, format!("(str.len {x})")));
    total += 9 * times as i64;
    let miss = if sat { 0 } else { 1 + dice.below(8) as i64 };
    s.assert(format!("(= {} {})", sum(&row), num(total + miss)));
}
