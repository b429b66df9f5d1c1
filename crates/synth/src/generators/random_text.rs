//! Random text that is not a script, for testing parsers.

use super::{Builder, Generator, Info};
use crate::dice::Dice;
use crate::parameters::parameters;
use semantics::instance::Truth;

parameters! {
    /// Parameters of `random-text`.
    pub struct RandomText {
        /// Characters
        length: u64 = 10, "length" "N";
    }
}

impl Generator for RandomText {
    fn info(&self) -> Info {
        Info {
            name: "random-text",
            about: "Random ASCII text, not a script: for testing parsers",
            truth: "none",
            example: "--length 1000",
        }
    }

    fn make(&self, _dice: &mut Dice, _b: &mut Builder) -> Result<Truth, String> {
        Err("random-text generates no scripts".into())
    }

    fn text(&self, dice: &mut Dice) -> Option<String> {
        // Printable characters and line ends, which matter to comments.
        let letter = |dice: &mut Dice| match dice.between(0x1f, 0x7e) as u8 {
            0x1f => '\n',
            c => char::from(c),
        };
        Some((0..self.length).map(|_| letter(dice)).collect())
    }
}
