//! Pairs of words: from an alphabet, from a list, or given; and at a given distance.

use super::{Edit, Kind, distance};
use crate::dice::Dice;
use crate::parameters::{Setting, choice, shell};
use std::sync::Arc;

/// The last character of the theory.
pub const LAST: u32 = 0x2FFFF;

/// The maximal length of a word: the table of distances has a cell for each pair of characters.
pub const MAX_LENGTH: usize = 2000;

/// Converts text to a word of the theory, or returns the error message.
pub fn word(text: &str) -> Result<Vec<u32>, String> {
    let word: Vec<u32> = text.chars().map(u32::from).collect();
    if let Some(c) = word.iter().find(|c| **c > LAST) {
        return Err(format!("the character U+{c:X} is above U+2FFFF, the largest in SMT-LIB strings"));
    }
    if word.len() > MAX_LENGTH {
        return Err(format!("a word of {} characters; at most {MAX_LENGTH}", word.len()));
    }
    Ok(word)
}

/// A number, or numbers from one to another: `3` or `2..4`, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The least.
    pub low: u64,
    /// The greatest.
    pub high: u64,
}

impl Span {
    /// One of the numbers.
    pub fn draw(self, dice: &mut Dice) -> u64 {
        dice.between(self.low, self.high)
    }
}

impl Setting for Span {
    fn take(&mut self, text: &str) -> Result<(), String> {
        let number = |t: &str| {
            t.parse::<u64>().map_err(|_| format!("`{text}` is neither a number nor two, as in 2..4"))
        };
        let (low, high) = match text.split_once("..") {
            Some((low, high)) => (number(low)?, number(high.trim_start_matches('='))?),
            None => (number(text)?, number(text)?),
        };
        if high < low {
            return Err(format!("`{text}`: {high} is below {low}"));
        }
        if high > MAX_LENGTH as u64 {
            return Err(format!("`{text}`: at most {MAX_LENGTH}"));
        }
        *self = Span { low, high };
        Ok(())
    }

    fn show(&self) -> Option<String> {
        Some(if self.low == self.high {
            self.low.to_string()
        } else {
            format!("{}..{}", self.low, self.high)
        })
    }
}

impl Setting for Option<Span> {
    fn take(&mut self, text: &str) -> Result<(), String> {
        let mut span = Span { low: 0, high: 0 };
        span.take(text)?;
        *self = Some(span);
        Ok(())
    }

    fn show(&self) -> Option<String> {
        self.and_then(|span| span.show())
    }
}

/// A word that is given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Given(pub Option<Arc<[u32]>>);

impl Setting for Given {
    fn take(&mut self, text: &str) -> Result<(), String> {
        self.0 = Some(word(text)?.into());
        Ok(())
    }

    fn show(&self) -> Option<String> {
        self.0.as_deref().map(|w| shell(&text(w)))
    }
}

/// Words to draw from, in order and each once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct List(Arc<[Box<[u32]>]>);

impl List {
    /// A list of these words.
    pub fn new(mut words: Vec<Vec<u32>>) -> List {
        words.sort_unstable();
        words.dedup();
        List(words.into_iter().map(Vec::into_boxed_slice).collect())
    }

    /// The words.
    pub fn words(&self) -> &[Box<[u32]>] {
        &self.0
    }
}

impl Setting for List {
    fn take(&mut self, text: &str) -> Result<(), String> {
        let words: Vec<Vec<u32>> = text.split_whitespace().map(word).collect::<Result<_, _>>()?;
        if words.is_empty() {
            return Err("there are no words".into());
        }
        *self = List::new(words);
        Ok(())
    }

    fn show(&self) -> Option<String> {
        let words: Vec<String> = self.0.iter().map(|w| text(w)).collect();
        (!words.is_empty()).then(|| shell(&words.join(" ")))
    }
}

/// Characters to draw from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Characters(Vec<u32>);

impl Setting for Characters {
    fn take(&mut self, text: &str) -> Result<(), String> {
        self.0 = word(text)?;
        if self.0.is_empty() { Err("there are no characters".into()) } else { Ok(()) }
    }

    fn show(&self) -> Option<String> {
        (!self.0.is_empty()).then(|| shell(&text(&self.0)))
    }
}

/// A word as text.
fn text(word: &[u32]) -> String {
    word.iter().filter_map(|c| char::from_u32(*c)).collect()
}

choice! {
    /// Alphabets.
    pub enum Alphabet {
        /// The letters from a to z.
        Lower = "lower",
        /// What can be typed on an English keyboard, quotes and backslash included.
        Ascii = "ascii",
        /// Half of the characters are often handled incorrectly, the others are arbitrary.
        Unicode = "unicode",
    }
}

/// Characters with a meaning in some notation, or at a boundary of an encoding.
pub const NOTABLE: [u32; 40] = [
    0x22, 0x5C, 0x75, 0x7B, 0x7D, 0x78, 0x00, 0x2FFFF, 0x10000, 0xFFFF, 0x27, 0x28, 0x3B, 0x7C, 0x20, 0x09,
    0x0A, 0x0D, 0x1F, 0x7F, 0x80, 0xA0, 0xE9, 0xFF, 0x100, 0x17F, 0x300, 0x3B1, 0x5D0, 0x200B, 0x2028,
    0xD7FF, 0xD800, 0xDFFF, 0xE000, 0xFEFF, 0xFFFD, 0x1F600, 0x1FFFF, 0x20000,
];

/// Where words come from.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The alphabet.
    pub alphabet: Alphabet,
    /// Only this many characters of it, the first ones; all if 0.
    pub size: u64,
    /// Other characters instead.
    pub characters: &'a Characters,
    /// Words to draw from instead.
    pub list: &'a List,
    /// The length of words that are not drawn from a list.
    pub length: Span,
}

impl Source<'_> {
    /// The number of characters to draw from.
    pub fn characters(&self) -> u64 {
        let all = match self.alphabet {
            _ if !self.characters.0.is_empty() => self.characters.0.len(),
            Alphabet::Lower => 26,
            Alphabet::Ascii => 95,
            Alphabet::Unicode => NOTABLE.len(),
        } as u64;
        if self.size == 0 { all } else { all.min(self.size) }
    }

    /// A character.
    pub fn character(&self, dice: &mut Dice) -> u32 {
        let any = self.alphabet == Alphabet::Unicode && self.characters.0.is_empty() && self.size == 0;
        if any && dice.below(2) == 0 {
            return dice.below(u64::from(LAST) + 1) as u32;
        }
        let n = dice.below(self.characters());
        match self.alphabet {
            _ if !self.characters.0.is_empty() => self.characters.0[n as usize],
            Alphabet::Lower => 0x61 + n as u32,
            Alphabet::Ascii => 0x20 + n as u32,
            Alphabet::Unicode => NOTABLE[n as usize],
        }
    }

    /// A word.
    pub fn word(&self, dice: &mut Dice) -> Vec<u32> {
        if !self.list.words().is_empty() {
            return dice.pick(self.list.words()).to_vec();
        }
        let length = self.length.draw(dice);
        (0..length).map(|_| self.character(dice)).collect()
    }

    /// There are at least two different words to draw.
    pub fn has_two_words(&self) -> bool {
        if !self.list.words().is_empty() {
            return self.list.words().len() > 1;
        }
        let Span { low, high } = self.length;
        let given = &self.characters.0[..self.characters.0.len().min(self.characters() as usize)];
        let letters =
            if given.is_empty() { self.characters() > 1 } else { given.iter().any(|c| *c != given[0]) };
        high > low || high > 0 && letters
    }

    /// A word at this distance from `from`.
    pub fn at_distance(&self, from: &[u32], wanted: usize, dice: &mut Dice) -> Vec<u32> {
        for _ in 0..100 {
            let mut to = from.to_vec();
            (0..wanted).for_each(|_| self.edit(&to, dice).apply(&mut to));
            if distance(from, &to) == wanted {
                return to;
            }
        }
        // A word with that many more characters has that distance.
        let mut to = from.to_vec();
        to.extend((0..wanted).map(|_| self.character(dice)));
        to
    }

    /// A word other than `from`.
    pub fn other(&self, from: &[u32], dice: &mut Dice) -> Vec<u32> {
        let drawn = (0..1000).map(|_| self.word(dice)).find(|w| w != from);
        drawn.unwrap_or_else(|| self.at_distance(from, 1, dice))
    }

    /// An edit that changes the word in most cases.
    fn edit(&self, word: &[u32], dice: &mut Dice) -> Edit {
        let kind = if word.is_empty() { Kind::Insert } else { *dice.pick(&Kind::ALL) };
        let places = word.len() as u64 + u64::from(kind == Kind::Insert);
        Edit { kind, index: dice.below(places) as i64, character: self.character(dice) }
    }
}
