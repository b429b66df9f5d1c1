//! Sets of characters, and partitions of the alphabet.

use rustc_hash::FxHashMap;

pub(super) use crate::strings::MAX_CHAR;

/// A set of characters: its maximal intervals (both ends included) in ascending order.
///
/// Intervals neither overlap nor touch, so equal sets have equal representations.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct CharSet(Box<[(u32, u32)]>);

impl CharSet {
    /// The characters from `first` to `last`: none if `first > last`.
    pub(super) fn range(first: u32, last: u32) -> CharSet {
        let last = last.min(MAX_CHAR);
        if first > last {
            return CharSet(Box::default());
        }
        CharSet(Box::new([(first, last)]))
    }

    /// The full alphabet.
    pub(super) fn full() -> CharSet {
        CharSet::range(0, MAX_CHAR)
    }

    /// The maximal intervals of the set, ascending.
    pub(super) fn intervals(&self) -> &[(u32, u32)] {
        &self.0
    }

    /// Whether there is no character in the set.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether `c` is in the set.
    #[inline]
    pub(super) fn contains(&self, c: u32) -> bool {
        match &*self.0 {
            [(first, last)] => (*first..=*last).contains(&c),
            intervals => {
                let at = intervals.partition_point(|&(_, last)| last < c);
                intervals.get(at).is_some_and(|&(first, _)| first <= c)
            }
        }
    }

    /// The union of many sets, in the time it takes to sort their intervals.
    pub(super) fn union<'a>(sets: impl Iterator<Item = &'a CharSet>) -> CharSet {
        let mut all: Vec<(u32, u32)> = sets.flat_map(|set| set.0.iter().copied()).collect();
        all.sort_unstable();
        all.dedup_by(|next, kept| {
            let touches = next.0 <= kept.1.saturating_add(1);
            if touches {
                kept.1 = kept.1.max(next.1);
            }
            touches
        });
        CharSet(all.into())
    }

    /// The intersection with another set, in linear time.
    pub(super) fn intersection(&self, other: &CharSet) -> CharSet {
        let (mut ours, mut theirs) = (self.0.iter().peekable(), other.0.iter().peekable());
        let mut common = Vec::new();
        while let (Some(&&(a, b)), Some(&&(c, d))) = (ours.peek(), theirs.peek()) {
            if a.max(c) <= b.min(d) {
                common.push((a.max(c), b.min(d)));
            }
            if b < d {
                ours.next();
            } else {
                theirs.next();
            }
        }
        CharSet(common.into())
    }
}

/// A partition of the alphabet into intervals, given by where they start.
///
/// If none of the sets of an expression divides any interval of a partition, then neither does any
/// set of its derivatives, and characters of one interval have the same derivatives. So it is
/// enough to derive by one of each interval, its first.
#[derive(Debug)]
pub(super) struct Alphabet(Vec<u32>);

impl Alphabet {
    /// The first characters of all intervals.
    pub(super) fn starts(&self) -> &[u32] {
        &self.0
    }

    /// The first character of the interval of `c`.
    #[inline]
    pub(super) fn representative(&self, c: u32) -> u32 {
        self.0[self.0.partition_point(|&start| start <= c) - 1]
    }
}

/// Collects the sets that an [`Alphabet`] must not divide: the starts of intervals, with repetitions that are removed as soon as there are
/// many, so any number of sets takes little memory.
pub(super) struct AlphabetBuilder {
    starts: Vec<u32>,
    /// Repetitions are removed at this length.
    full: usize,
}

impl AlphabetBuilder {
    /// No sets: a single interval.
    pub(super) fn new() -> AlphabetBuilder {
        AlphabetBuilder { starts: vec![0], full: 1 << 10 }
    }

    /// Takes account of the interval from `first` to `last`.
    #[inline]
    pub(super) fn add(&mut self, first: u32, last: u32) {
        self.starts.extend([first, last + 1]);
        if self.starts.len() >= self.full {
            self.tidy();
            self.full = 2 * self.starts.len() + (1 << 10);
        }
    }

    fn tidy(&mut self) {
        self.starts.sort_unstable();
        self.starts.dedup();
    }

    /// The coarsest partition into intervals that divides none of the sets.
    pub(super) fn build(mut self) -> Alphabet {
        self.tidy();
        self.starts.retain(|&start| start <= MAX_CHAR);
        Alphabet(self.starts)
    }
}

/// One character of each class of characters that the sets treat alike.
///
/// The alphabet is cut at all ends of intervals; then pieces with the same memberships are put
/// together, set by set (partition refinement). That takes the product of the numbers of sets and
/// pieces; if it is large, the pieces stay separate, which is as correct, with more
/// representatives. Representatives are letters where possible, for readable examples.
pub(super) fn representatives(sets: &[&[(u32, u32)]]) -> Vec<u32> {
    const AFFORDABLE: usize = 1 << 16;
    let mut starts = vec![0];
    for &(first, last) in sets.iter().copied().flatten() {
        starts.extend([first, last + 1]);
    }
    starts.sort_unstable();
    starts.dedup();
    starts.retain(|&start| start <= MAX_CHAR);

    let mut class: Vec<usize> = (0..starts.len()).collect();
    if starts.len().saturating_mul(sets.len()) <= AFFORDABLE {
        class.fill(0);
        let mut refined = FxHashMap::default();
        for set in sets {
            refined.clear();
            let mut intervals = set.iter().peekable();
            for (class, &start) in class.iter_mut().zip(&starts) {
                while intervals.next_if(|&&(_, last)| last < start).is_some() {}
                let inside = intervals.peek().is_some_and(|&&(first, _)| first <= start);
                let next = refined.len();
                *class = *refined.entry((*class, inside)).or_insert(next);
            }
        }
    }

    let ends = starts.iter().skip(1).map(|&next| next - 1);
    let pieces = starts.iter().copied().zip(ends.chain([MAX_CHAR]));
    let mut best: Vec<Option<(usize, u32)>> = vec![None; starts.len()];
    for (class, (first, last)) in class.into_iter().zip(pieces) {
        let candidate = pleasant(first, last);
        if best[class].is_none_or(|best| candidate.0 < best.0) {
            best[class] = Some(candidate);
        }
    }
    best.into_iter().flatten().map(|(_, c)| c).collect()
}

/// The most readable character from `first` to `last`, after the rank of its kind.
fn pleasant(first: u32, last: u32) -> (usize, u32) {
    const KINDS: [(u32, u32); 4] = [(0x61, 0x7A), (0x30, 0x39), (0x41, 0x5A), (0x20, 0x7E)];
    let kinds = KINDS.iter().enumerate();
    kinds
        .filter(|&(_, &(from, to))| first <= to && from <= last)
        .map(|(rank, &(from, _))| (rank, first.max(from)))
        .next()
        .unwrap_or((KINDS.len(), first))
}
