//! Partitions of the characters into intervals.

/// The greatest character.
pub const MAX_LETTER: u32 = 0x2FFFF;

/// A partition of the characters into intervals, the classes, given by where they start.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Alphabet(Vec<u32>);

impl Alphabet {
    /// The partition that starts a class at each of the given characters.
    pub fn new(starts: impl IntoIterator<Item = u32>) -> Alphabet {
        let mut all = vec![0];
        all.extend(starts.into_iter().filter(|&c| c <= MAX_LETTER));
        all.sort_unstable();
        all.dedup();
        Alphabet(all)
    }

    /// The partition in which each of the given letters is a class.
    pub fn of_letters(letters: impl IntoIterator<Item = u32>) -> Alphabet {
        Alphabet::new(letters.into_iter().flat_map(|c| [c, c + 1]))
    }

    /// The coarsest partition that is finer than both.
    pub fn join(&self, other: &Alphabet) -> Alphabet {
        Alphabet::new(self.0.iter().chain(&other.0).copied())
    }

    /// The number of classes.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Never: there is at least one class.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Where classes start.
    pub fn starts(&self) -> &[u32] {
        &self.0
    }

    /// The class of a character.
    pub fn class(&self, c: u32) -> usize {
        self.0.partition_point(|&start| start <= c) - 1
    }

    /// The first and the last character of a class.
    pub fn interval(&self, class: usize) -> (u32, u32) {
        let last = self.0.get(class + 1).map_or(MAX_LETTER, |&next| next - 1);
        (self.0[class], last)
    }

    /// The character of a class, if it has only one.
    pub fn single(&self, class: usize) -> Option<u32> {
        let (first, last) = self.interval(class);
        (first == last).then_some(first)
    }

    /// A readable character of a class: a letter or digit if there is one.
    pub fn representative(&self, class: usize) -> u32 {
        let (first, last) = self.interval(class);
        let pleasant = [(0x61, 0x7A), (0x30, 0x39), (0x41, 0x5A), (0x21, 0x7E)];
        let meets = pleasant.iter().find(|&&(a, b)| first <= b && a <= last);
        meets.map_or(first, |&(a, _)| first.max(a))
    }
}
