//! Random numbers for the audit and the tests: splitmix64, the same on every machine.

/// A random number generator.
#[derive(Clone, Debug)]
pub(crate) struct Dice(u64);

impl Dice {
    /// The generator of a seed.
    pub(crate) fn new(seed: u64) -> Self {
        Dice(seed)
    }

    /// A number of 64 bits.
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `n`, which is not zero.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.next() % n as u64).expect("below n")
    }
}

#[cfg(test)]
impl Dice {
    /// True with probability `of / all`.
    pub(crate) fn chance(&mut self, of: usize, all: usize) -> bool {
        self.below(all) < of
    }

    /// An element of a list.
    pub(crate) fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    /// A number in `low..=high`.
    pub(crate) fn range(&mut self, low: i64, high: i64) -> i64 {
        low + (self.next() % (high - low + 1) as u64) as i64
    }
}
