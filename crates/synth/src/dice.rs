//! Random choices that are the same on every machine and with every version of every library.
//!
//! The generator is ChaCha8; the distributions of the crate `rand` may change between its versions, so they are defined
//! here. A stream is selected in one of two ways, and its numbers are a promise: the same seed gives the same formulas.
//! [`Dice::new`] takes a seed and a stream number and uses 64 random bits for each number. [`Dice::keyed`] takes four
//! numbers as the key and uses 32 bits for each number.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore as _, SeedableRng as _};

/// The letters of random strings: printable ASCII without space, quote and backslash, which dialects write differently.
pub const LETTERS: &[u8] =
    b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ!#$%&'()*+,-./:;<=>?@[]^_`{|}~";

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub struct Dice {
    rng: ChaCha8Rng,
    /// The random bits that a number is made from.
    bits: Bits,
    /// The first two numbers of the key.
    key: [u64; 2],
}

#[derive(Clone, Copy, Debug)]
enum Bits {
    Half,
    Full,
}

impl Dice {
    /// Stream `stream` of a seed.
    pub fn new(seed: u64, stream: u64) -> Dice {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(stream);
        Dice { rng, bits: Bits::Full, key: [seed, stream] }
    }

    /// The stream of a key.
    pub fn keyed(key: [u64; 4]) -> Dice {
        let mut seed = [0; 32];
        for (bytes, part) in seed.chunks_exact_mut(8).zip(key) {
            bytes.copy_from_slice(&part.to_le_bytes());
        }
        Dice { rng: ChaCha8Rng::from_seed(seed), bits: Bits::Half, key: [key[0], key[1]] }
    }

    /// The first two numbers of the key, or the seed and the stream: for what is enumerated, not drawn.
    pub fn key(&self) -> [u64; 2] {
        self.key
    }

    /// A number below `n`, which is not zero. (The bias is below 2⁻³² for all `n` in use, below n/2³² for a keyed stream.)
    pub fn below(&mut self, n: u64) -> u64 {
        debug_assert!(n > 0, "nothing to choose from");
        match self.bits {
            Bits::Half => ((u128::from(self.rng.next_u32()) * u128::from(n)) >> 32) as u64,
            Bits::Full => ((u128::from(self.rng.next_u64()) * u128::from(n)) >> 64) as u64,
        }
    }

    /// An index into a list of `n` elements.
    pub fn index(&mut self, n: usize) -> usize {
        self.below(n as u64) as usize
    }

    /// A number from `low` to `high`, both included; `low` if there is none.
    pub fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.below((high.saturating_sub(low)).saturating_add(1))
    }

    /// An integer from `low` to `high`, both included.
    pub fn int(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1) as u64) as i64
    }

    /// True once in `n` times.
    pub fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    /// True in `percent` of 100 cases.
    pub fn percent(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    /// True with this probability.
    pub fn chance(&mut self, p: f64) -> bool {
        (self.below(1 << 53) as f64) < p * (1u64 << 53) as f64
    }

    /// An element of a list that is not empty.
    pub fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.index(list.len())]
    }

    /// One of [`LETTERS`].
    pub fn letter(&mut self) -> u32 {
        u32::from(*self.pick(LETTERS))
    }

    /// A string of this length.
    pub fn word(&mut self, length: u64) -> Vec<u32> {
        (0..length).map(|_| self.letter()).collect()
    }

    /// Puts a list into random order.
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for i in (1..list.len()).rev() {
            list.swap(i, self.index(i + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draw(mut dice: Dice) -> Vec<u64> {
        (0..4).map(|_| dice.below(1000)).collect()
    }

    #[test]
    fn the_random_numbers_are_stable() {
        assert_eq!(draw(Dice::new(0, 7)), PROMISE[0]);
        assert_eq!(draw(Dice::keyed([1, 2, 3, 4])), PROMISE[1]);
    }

    const PROMISE: [[u64; 4]; 2] = [[553, 62, 613, 39], [680, 66, 658, 345]];

    #[test]
    fn every_part_of_a_key_counts() {
        let key = [1, 2, 3, 4];
        for i in 0..4 {
            let mut other = key;
            other[i] += 1;
            assert_ne!(draw(Dice::keyed(key)), draw(Dice::keyed(other)));
        }
        assert_ne!(draw(Dice::new(1, 7)), draw(Dice::new(1, 8)));
    }
}
