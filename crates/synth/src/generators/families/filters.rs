//! Web filters: an input passes filters, which replace all matches of a regular expression, and lands in a constant context; an attack is asked for.
//!
//! Unsatisfiable: a filter removes `<`, and neither it nor a later one writes `<`. So each `<` of the page is one of the context, where it is followed by
//! another letter than in the attack.

use super::sheet::{lit, many, some, to_re, word};
use super::{Row, Sheet};
use crate::dice::Dice;

pub(super) const ROW: Row = Row {
    name: "filters",
    about: "Chains of replace_re_all on an input, and an attack in the page it lands in",
    property: "filters",
    default: 2,
    limits: [1, 100],
    example: "--size 4",
    make,
};

const ATTACK: &str = "<script>";
/// Characters that neither attack nor contexts have.
const OTHERS: &str = "%#;&(){}[]+*0123456789ABCDEFGH";

/// What a filter replaces.
enum Pattern {
    Class(Vec<char>),
    /// A class, at least once: the shortest match is one letter.
    Run(Vec<char>),
    Phrase(String),
}

struct Filter {
    pattern: Pattern,
    by: String,
}

impl Filter {
    fn apply(&self, text: &str) -> String {
        match &self.pattern {
            Pattern::Class(cs) | Pattern::Run(cs) => text.replace(&cs[..], &self.by),
            Pattern::Phrase(p) => text.replace(p, &self.by),
        }
    }

    fn language(&self) -> String {
        let class =
            |cs: &[char]| many("re.union", &cs.iter().map(|c| to_re(&c.to_string())).collect::<Vec<_>>());
        match &self.pattern {
            Pattern::Class(cs) => class(cs),
            Pattern::Run(cs) => format!("(re.+ {})", class(cs)),
            Pattern::Phrase(p) => to_re(p),
        }
    }
}

fn make(dice: &mut Dice, sat: bool, size: usize, s: &mut Sheet) {
    let mut filters: Vec<Filter> = (0..size).map(|_| harmless(dice)).collect();
    let mut input = ATTACK.to_owned();
    if sat {
        weave(dice, &mut filters, &mut input);
    } else {
        let mut class = some(dice, OTHERS, 3);
        class.push('<');
        filters[dice.index(size)] = Filter { pattern: Pattern::Class(class), by: word(dice, "xyz", 1) };
    }
    let noise = dice.index(10);
    input = format!("{}{input}", word(dice, OTHERS, noise));
    let mut last = s.string("x0", &input);
    for (i, f) in filters.iter().enumerate() {
        input = f.apply(&input);
        let next = s.string(format!("x{}", i + 1), &input);
        s.assert(format!("(= {next} (str.replace_re_all {last} {} {}))", f.language(), lit(&f.by)));
        last = next;
    }
    let (before, after) = *dice.pick(&[
        ("<p id='", "'>"),
        ("<b><i>", "</i></b>"),
        ("<a href='", "'>more</a>"),
        ("<td>", "</td>"),
    ]);
    let page = format!("(str.++ {} {last} {})", lit(before), lit(after));
    s.assert(format!("(str.in_re {page} (re.++ re.all {} re.all))", to_re(ATTACK)));
}

/// A filter that does not touch an attack.
fn harmless(dice: &mut Dice) -> Filter {
    let count = 1 + dice.index(6);
    let class = some(dice, OTHERS, count);
    let pattern = match dice.index(3) {
        0 => Pattern::Class(class),
        1 => Pattern::Run(class),
        _ => Pattern::Phrase(class.into_iter().collect()),
    };
    let length = dice.index(3);
    Filter { pattern, by: word(dice, "xyz", length) }
}

/// Lets up to three filters delete words of the attack, which the input has once more inside itself.
fn weave(dice: &mut Dice, filters: &mut [Filter], input: &mut String) {
    let mut at: Vec<usize> = (0..1 + dice.index(3)).map(|_| dice.index(filters.len())).collect();
    at.sort_unstable();
    at.dedup();
    for i in at.into_iter().rev() {
        let phrase = dice.pick(&["script", "<script", "<script>"]).to_string();
        let mut woven = input.clone();
        woven.insert_str(input.find(&phrase).unwrap_or(0) + 1 + dice.index(phrase.len() - 1), &phrase);
        let filter = Filter { pattern: Pattern::Phrase(phrase), by: String::new() };
        if filter.apply(&woven) == *input {
            *input = woven;
            filters[i] = filter;
        }
    }
}
