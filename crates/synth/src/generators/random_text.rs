//! Random text: no script at all, for what reads scripts.

use super::parameters::parameters;
use super::roll::Roll as _;
use super::{Builder, Generator, Info};
use crate::suite::Dice;
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
            about: "Random ASCII text, which is no script: for testing what reads scripts",
            truth: "it has none",
            example: "--length 1000",
        }
    }

    fn make(&self, _dice: &mut Dice, _b: &mut Builder) -> Result<Truth, String> {
        Err("random-text makes no scripts".into())
    }

    fn text(&self, dice: &mut Dice) -> Option<String> {
        // What is printed, and line ends: those matter to readers (comments).
        let letter = |dice: &mut Dice| match dice.between(0x1f, 0x7e) as u8 {
            0x1f => '\n',
            c => char::from(c),
        };
        Some((0..self.length).map(|_| letter(dice)).collect())
    }
}
