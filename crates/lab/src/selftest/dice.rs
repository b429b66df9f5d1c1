//! Random choices that are the same on every machine and with every version of every library.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore as _, SeedableRng as _};

/// Which application is meant: everything random about it follows from this.
#[derive(Clone, Copy, Debug)]
pub(super) struct Key<'a> {
    /// The seed of the run.
    pub(super) seed: u64,
    /// The operator, see [`super::generate::label`].
    pub(super) operator: &'a str,
    /// Its number among the applications of this operator.
    pub(super) index: u64,
    /// How many attempts at it were discarded before.
    pub(super) attempt: u64,
}

/// A source of random choices.
pub(super) struct Dice(ChaCha8Rng);

impl Dice {
    /// The dice of this application.
    pub(super) fn new(key: Key<'_>) -> Dice {
        let mut seed = [0; 32];
        let parts = [key.seed, fnv1a(key.operator), key.index, key.attempt];
        for (bytes, part) in seed.chunks_exact_mut(8).zip(parts) {
            bytes.copy_from_slice(&part.to_le_bytes());
        }
        Dice(ChaCha8Rng::from_seed(seed))
    }

    /// A number from 0 to `n - 1`; the bias is below n/2³².
    pub(super) fn below(&mut self, n: usize) -> usize {
        debug_assert!(n > 0, "nothing to choose from");
        let wide = u64::from(self.0.next_u32()) * n as u64;
        (wide >> 32) as usize
    }

    /// A number from `lo` to `hi`, both included.
    pub(super) fn between(&mut self, lo: i64, hi: i64) -> i64 {
        lo + self.below((hi - lo + 1) as usize) as i64
    }

    /// True once in `n` times.
    pub(super) fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// True in `percent` of all cases.
    pub(super) fn percent(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of them.
    pub(super) fn pick<'t, T>(&mut self, from: &'t [T]) -> &'t T {
        &from[self.below(from.len())]
    }
}

/// The hash function FNV-1a, so that an operator's applications do not hang on its place in the table.
fn fnv1a(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_are_reproducible_and_differ_by_every_part_of_the_key() {
        let key = Key { seed: 1, operator: "str.at", index: 2, attempt: 0 };
        let draw = |key| {
            let mut dice = Dice::new(key);
            (0..8).map(|_| dice.below(1000)).collect::<Vec<_>>()
        };
        assert_eq!(draw(key), draw(key));
        let others = [
            Key { seed: 2, ..key },
            Key { operator: "str.++", ..key },
            Key { index: 3, ..key },
            Key { attempt: 1, ..key },
        ];
        for other in others {
            assert_ne!(draw(key), draw(other), "{other:?}");
        }
        // The values themselves are a promise: a case is known by its key.
        assert_eq!(fnv1a("a"), 0xaf63_dc4c_8601_ec8c);
    }
}
