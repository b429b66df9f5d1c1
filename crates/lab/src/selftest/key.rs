//! The key of a ground term: it determines all random choices.

use synth::Dice;

/// Identifies an application of an operator.
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

impl Key<'_> {
    /// The random choices of this application.
    pub(super) fn dice(self) -> Dice {
        Dice::keyed([self.seed, fnv1a(self.operator), self.index, self.attempt])
    }
}

/// The hash function FNV-1a, so that the applications of an operator do not depend on its place in the table.
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
        let draw = |key: Key<'_>| {
            let mut dice = key.dice();
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
