//! Random choices and random words.

use crate::suite::Dice;

/// The letters of random words: what can be typed, without space, quote and backslash, which dialects write differently.
pub const LETTERS: &[u8] =
    b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ!#$%&'()*+,-./:;<=>?@[]^_`{|}~";

/// More ways to throw dice.
pub trait Roll {
    /// A number from `low` to `high`, both included; `low` if they are the wrong way round.
    fn between(&mut self, low: u64, high: u64) -> u64;
    /// True with this probability.
    fn chance(&mut self, p: f64) -> bool;
    /// One of them; there is one.
    fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T;
    /// A letter.
    fn letter(&mut self) -> u32;
    /// A word of this length.
    fn word(&mut self, length: u64) -> Vec<u32>;
    /// Puts a list into random order.
    fn shuffle<T>(&mut self, list: &mut [T]);
}

impl Roll for Dice {
    fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.below((high.saturating_sub(low)).saturating_add(1))
    }

    fn chance(&mut self, p: f64) -> bool {
        (self.below(1 << 53) as f64) < p * (1u64 << 53) as f64
    }

    fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len() as u64) as usize]
    }

    fn letter(&mut self) -> u32 {
        u32::from(*self.pick(LETTERS))
    }

    fn word(&mut self, length: u64) -> Vec<u32> {
        (0..length).map(|_| self.letter()).collect()
    }

    fn shuffle<T>(&mut self, list: &mut [T]) {
        for i in (1..list.len()).rev() {
            list.swap(i, self.below(i as u64 + 1) as usize);
        }
    }
}
