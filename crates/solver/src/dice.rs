//! Random numbers that are the same on every machine: of the audit, and of the tests.

/// A small generator (splitmix64); nothing here needs a better one.
#[derive(Clone, Debug)]
pub(crate) struct Dice(u64);

impl Dice {
    /// The numbers of a seed.
    pub(crate) fn new(seed: u64) -> Self {
        Dice(seed)
    }

    /// A number below `n`, which is not zero.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((z ^ (z >> 31)) % n as u64).expect("below n")
    }

    /// True `of` times in `all`.
    #[cfg(test)]
    pub(crate) fn chance(&mut self, of: usize, all: usize) -> bool {
        self.below(all) < of
    }

    /// One of a list.
    #[cfg(test)]
    pub(crate) fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
}
