//! The subsets of a list of edits that delta debugging tries, in order.
//!
//! Of eight edits: two halves, four quarters, eight edits one by one. After a success the list is another one, since edits are about one
//! script; the level goes on at the same place, where the edits behind those that were made are now.

use std::ops::Range;

/// The subsets that are tried as long as none is accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Subsets {
    len: usize,
    size: usize,
    from: usize,
}

impl Subsets {
    /// Of `len` edits, at most `size` at a time.
    pub(super) fn new(len: usize, size: usize) -> Subsets {
        Subsets { len, size: size.clamp(1, len.max(1)), from: 0 }
    }

    /// The subsets after `accepted` was, which left `len` edits.
    pub(super) fn after(accepted: &Range<usize>, len: usize) -> Subsets {
        let size = accepted.len().clamp(1, len.max(1));
        Subsets { len, size, from: accepted.start }
    }
}

impl Iterator for Subsets {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        while self.from >= self.len {
            if self.size <= 1 || self.len == 0 {
                return None;
            }
            (self.size, self.from) = (self.size / 2, 0);
        }
        let range = self.from..self.len.min(self.from + self.size);
        self.from = range.end;
        Some(range)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subsets_are_halved_down_to_single_edits() {
        let all: Vec<_> = Subsets::new(5, 2).collect();
        assert_eq!(all, [0..2, 2..4, 4..5, 0..1, 1..2, 2..3, 3..4, 4..5]);
        assert_eq!(Subsets::new(0, 4).next(), None);
        assert_eq!(Subsets::new(3, 100).next(), Some(0..3));
    }

    #[test]
    fn a_level_goes_on_where_it_was() {
        let all: Vec<_> = Subsets::after(&(2..4), 6).collect();
        assert_eq!(all, [2..4, 4..6, 0..1, 1..2, 2..3, 3..4, 4..5, 5..6]);
        assert_eq!(Subsets::after(&(4..6), 4).next(), Some(0..1));
        assert_eq!(Subsets::after(&(0..1), 0).next(), None);
    }
}
