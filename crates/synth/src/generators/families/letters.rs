//! Letter chains: letters of a long word are replaced one after the other; the result is known, and the word has a known factor.
//!
//! Unsatisfiable: `str.replace_all` of a letter by a letter acts on each letter by itself, and so does a chain `h` of them. If `y` contains `z` then `h(y)`
//! contains `h(z)`; here `h(z)` is no factor of the given `h(y)`.

use super::sheet::{lit, word};
use super::{Row, Sheet};
use crate::dice::Dice;

pub(super) const ROW: Row = Row {
    name: "letters",
    about: "Chains of replacements of letters in a long word",
    property: "length",
    default: 20,
    limits: [1, 100_000],
    example: "--size 200",
    make,
};

const SOURCE: &str = "acgu";

fn make(dice: &mut Dice, sat: bool, size: usize, s: &mut Sheet) {
    let steps = chain(dice);
    let y = word(dice, SOURCE, size);
    let mut last = s.string("y0", &y);
    let mut image = y.clone();
    for (i, (from, to)) in steps.iter().enumerate() {
        image = image.replace(*from, to);
        let next = s.string(format!("y{}", i + 1), &image);
        s.assert(format!("(= {next} (str.replace_all {last} {} {}))", lit(from), lit(to)));
        last = next;
    }
    let from = dice.index(size);
    let factor = &y[from..size.min(from + 12 + dice.index(12))];
    let h = |w: &str| steps.iter().fold(w.to_owned(), |w, (from, to)| w.replace(*from, to));
    let z = if sat { factor.to_owned() } else { misfit(dice, factor, |w| !image.contains(&h(w))) };
    s.assert(format!("(= {last} {})", lit(&image)));
    s.assert(format!("(str.contains y0 {})", lit(&z)));
}

/// Replacements of letters, of which some apply to the result of others.
fn chain(dice: &mut Dice) -> Vec<(&'static str, &'static str)> {
    let pairs =
        [("a", "T"), ("c", "G"), ("g", "C"), ("u", "A"), ("a", "c"), ("u", "g"), ("T", "u"), ("G", "a")];
    let mut steps: Vec<_> = pairs[..4].to_vec();
    steps.extend((0..dice.index(4)).map(|_| *dice.pick(&pairs[4..])));
    dice.shuffle(&mut steps);
    steps
}

/// The word with one letter changed so that it does not fit.
fn misfit(dice: &mut Dice, factor: &str, fits_not: impl Fn(&str) -> bool) -> String {
    for _ in 0..50 {
        let at = dice.index(factor.len());
        let changed = format!("{}{}{}", &factor[..at], word(dice, SOURCE, 1), &factor[at + 1..]);
        if fits_not(&changed) {
            return changed;
        }
    }
    format!("{factor}n")
}
