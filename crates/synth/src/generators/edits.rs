//! Edits: as many insertions, removals and replacements of a character as lead from one word to another, or fewer, after
//! MADAMASTRA (Strebel and Schmidiger).
//!
//! The operations are defined functions that are applied inside out to the first word, and the result is asserted to be the second.
//! The answer is always known. Satisfiable: the operations are those of a shortest list of edits, and its operands, as far
//! as they are unknown, are the model. Unsatisfiable: there are fewer operations than the distance `d` of the words. An operation
//! gives a word whose distance from its argument is 1, or 0 if the index is out of range or the character was there before; for
//! every unknown character has length 1 by an assertion. Distances add up (it is a metric), so that after `n < d` of
//! them no word at distance `d` is reached, whatever the operands are. More constraints change nothing about that. No core is
//! stated: which of the lengths are needed depends on the words.

mod formula;

use super::{Builder, Generator, Info};
use crate::dice::Dice;
use crate::edits::words::{Alphabet, Characters, Given, List, Source, Span};
use crate::edits::{Edit, Kind, distance, script};
use crate::parameters::{choice, parameters};
use formula::{Formula, Operand};
use semantics::instance::Truth;

choice! {
    /// Which answers.
    pub enum Mode {
        /// Satisfiable.
        Sat = "sat",
        /// Unsatisfiable.
        Unsat = "unsat",
        /// Either, at random.
        Both = "both",
    }
}

parameters! {
    /// Parameters of `edits`.
    pub struct Edits {
        /// Satisfiable formulas, unsatisfiable ones, or either at random
        mode: Mode = Mode::Both, "mode" "MODE";
        /// The length of random words, as 3 or 2..4
        length: Span = Span { low: 2, high: 4 }, "length" "N";
        /// The distance of the words, as 3 or 1..6; the second word is then derived from the first
        distance: Option<Span> = None, "distance" "N";
        /// The alphabet of random characters
        alphabet: Alphabet = Alphabet::Lower, "alphabet" "NAME";
        /// Only the first N characters of the alphabet; 0 for all
        alphabet_size: u64 = 0, "alphabet-size" "N";
        /// Draw characters from these instead
        characters: Characters = Characters::default(), "characters" "CHARACTERS";
        /// Draw words from these instead, separated by spaces
        words: List = List::default(), "words" "WORDS";
        /// The first word
        from: Given = Given::default(), "from" "WORD";
        /// The second word
        to: Given = Given::default(), "to" "WORD";
        /// Probability that an operand is unknown in a satisfiable formula; in an unsatisfiable one all are
        unknown: f64 = 1.0, "unknown" "P";
        /// Number of operations by which an unsatisfiable formula falls short of the distance, at most the distance
        missing: u64 = 1, "missing" "N";
        /// N additional operations in a satisfiable formula, which change nothing or undo each other
        extra: u64 = 0, "extra" "N";
        /// Constrain each unknown character to a range, with a regular expression
        regex: bool = false, "regex" "";
        /// Assert the sum of the unknown indices
        index_sum: bool = false, "index-sum" "";
    }
}

/// The maximal number of additional operations.
const MAX_EXTRA: u64 = 10_000;

impl Generator for Edits {
    fn info(&self) -> Info {
        Info {
            name: "edits",
            about: "Insertions, removals and replacements of characters from one word to another",
            truth: "always known; no core",
            example: "--from host --to wops --unknown 0.5",
        }
    }

    fn check(&self) -> Result<(), String> {
        if self.missing < 1 {
            return Err("--missing: at least 1".into());
        }
        if self.extra > MAX_EXTRA {
            return Err(format!("--extra: at most {MAX_EXTRA}"));
        }
        if self.to.0.is_some() && self.distance.is_some() {
            return Err("--distance: the second word is given".into());
        }
        if self.mode == Mode::Sat {
            return Ok(());
        }
        let why = "equal words have only satisfiable formulas; use --mode sat";
        match (&self.from.0, &self.to.0, self.distance) {
            (Some(a), Some(b), _) if a == b => Err(format!("--from and --to: {why}")),
            (Some(_), Some(_), _) => Ok(()),
            (_, _, Some(d)) if d.high == 0 => Err(format!("--distance: {why}")),
            (_, _, Some(_)) => Ok(()),
            _ if !self.source().has_two_words() => Err(format!("there is only one word to draw: {why}")),
            _ => Ok(()),
        }
    }

    fn make(&self, dice: &mut Dice, b: &mut Builder) -> Result<Truth, String> {
        let sat = match self.mode {
            Mode::Both => dice.below(2) == 0,
            mode => mode == Mode::Sat,
        };
        let (from, to) = self.pair(sat, dice);
        let formula = if sat { self.sat(&from, &to, dice) } else { self.unsat(&from, &to, dice) };
        b.grows("distance", formula.distance as u64);
        Ok(formula.write(&from, &to, b))
    }
}

impl Edits {
    fn source(&self) -> Source<'_> {
        Source {
            alphabet: self.alphabet,
            size: self.alphabet_size,
            characters: &self.characters,
            list: &self.words,
            length: self.length,
        }
    }

    /// Two words; different ones unless the formula must be satisfiable.
    fn pair(&self, sat: bool, dice: &mut Dice) -> (Vec<u32>, Vec<u32>) {
        let source = self.source();
        match (&self.from.0, &self.to.0, self.distance) {
            (Some(from), Some(to), _) => (from.to_vec(), to.to_vec()),
            (None, Some(to), _) => {
                (if sat { source.word(dice) } else { source.other(to, dice) }, to.to_vec())
            }
            (given, None, far) => {
                let from = given.as_ref().map_or_else(|| source.word(dice), |w| w.to_vec());
                let to = match far {
                    Some(span) => {
                        source.at_distance(&from, span.draw(dice).max(u64::from(!sat)) as usize, dice)
                    }
                    None if sat => source.word(dice),
                    None => source.other(&from, dice),
                };
                (from, to)
            }
        }
    }

    fn sat(&self, from: &[u32], to: &[u32], dice: &mut Dice) -> Formula {
        let mut edits = script(from, to, dice);
        let distance = edits.len();
        self.lengthen(&mut edits, from, dice);
        let operand =
            |dice: &mut Dice| if dice.chance(self.unknown) { Operand::Unknown } else { Operand::Known };
        let steps = edits.into_iter().map(|e| (e, operand(dice), operand(dice))).collect();
        let mut formula = Formula { distance, steps, ranges: Vec::new(), sum: None, sat: true };
        if self.regex {
            let around =
                |e: &Edit, dice: &mut Dice| formula::around(e.character, dice.below(30), dice.below(30));
            formula.ranges = formula.steps.iter().map(|(e, _, _)| around(e, dice)).collect();
        }
        if self.index_sum {
            formula.sum = Some(formula.unknown_indices().map(|e| e.index).sum());
        }
        formula
    }

    fn unsat(&self, from: &[u32], to: &[u32], dice: &mut Dice) -> Formula {
        let distance = distance(from, to);
        let count = distance - (self.missing as usize).min(distance);
        let source = self.source();
        let longest = from.len().max(to.len()) as u64;
        let mut steps = Vec::with_capacity(count);
        for _ in 0..count {
            let kind = *dice.pick(&Kind::ALL);
            steps.push((Edit { kind, index: 0, character: 0 }, Operand::Unknown, Operand::Unknown));
        }
        let mut formula = Formula { distance, steps, ranges: Vec::new(), sum: None, sat: false };
        if self.regex {
            // Around characters of the second word, or any.
            let centre = |dice: &mut Dice| match to {
                [] => source.character(dice),
                _ => *dice.pick(to),
            };
            let around = |dice: &mut Dice| formula::around(centre(dice), dice.below(30), dice.below(30));
            formula.ranges = (0..count).map(|_| around(dice)).collect();
        }
        if self.index_sum {
            formula.sum = Some(dice.below(longest * count as u64 + 1) as i64);
        }
        formula
    }

    /// Puts in edits that change nothing, or pairs of which the second undoes the first.
    fn lengthen(&self, edits: &mut Vec<Edit>, from: &[u32], dice: &mut Dice) {
        let mut left = self.extra;
        while left > 0 {
            let at = dice.below(edits.len() as u64 + 1) as usize;
            let mut word = from.to_vec();
            edits[..at].iter().for_each(|e| e.apply(&mut word));
            let character = self.source().character(dice);
            let index = dice.below(word.len() as u64 + 1) as i64;
            if left > 1 && dice.below(2) == 0 {
                let pair = [Kind::Insert, Kind::Remove].map(|kind| Edit { kind, index, character });
                edits.splice(at..at, pair);
                left -= 2;
            } else {
                edits.insert(at, idle(&word, index, character, dice));
                left -= 1;
            }
        }
    }
}

/// An edit that changes nothing in `word`; `index` is at most its length.
fn idle(word: &[u32], index: i64, character: u32, dice: &mut Dice) -> Edit {
    let kind = *dice.pick(&Kind::ALL);
    if kind == Kind::Replace
        && let Some(&character) = word.get(index as usize)
    {
        return Edit { kind, index, character };
    }
    let past = word.len() as i64 + i64::from(kind == Kind::Insert);
    let index = if dice.below(2) == 0 { -1 - dice.below(3) as i64 } else { past + dice.below(3) as i64 };
    Edit { kind, index, character }
}
