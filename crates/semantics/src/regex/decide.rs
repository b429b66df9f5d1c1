//! Questions about whole languages: emptiness, equivalence, shortest words.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};

use super::charset::representatives;
use super::derive::{Fuel, Spent};
use super::matching::limited;
use super::store::{Node, Re, RegexStore};

/// Questions about whole languages.
///
/// They are decidable, but at a cost that has no elementary bound (L. Stockmeyer and A. Meyer, "Word
/// problems requiring exponential time", STOC 1973, on expressions with complement). So each is given a
/// `budget`, in units of about one expression looked at, and the answer is `None` if it is used up.
/// Memory use is proportional to the budget at worst.
///
/// It also is `None` if the verdict would be about words of more than 2⁶³ characters, because a loop
/// has a [`Count::Beyond`](super::Count::Beyond).
impl RegexStore {
    /// Whether there is no word in the language.
    pub fn is_empty_language(&mut self, r: Re, budget: u64) -> Option<bool> {
        limited(budget, |fuel| self.search(r, true, fuel)).and_then(|found| match found {
            Found::Nothing => self.facts(r).exact.then_some(true),
            Found::Something | Found::Word(_) => Some(false),
        })
    }

    /// One of the shortest words of the language; `Some(None)` if it is empty.
    pub fn shortest_member(&mut self, r: Re, budget: u64) -> Option<Option<Vec<u32>>> {
        limited(budget, |fuel| self.search(r, false, fuel)).and_then(|found| match found {
            Found::Word(word) => Some(Some(word)),
            _ => self.facts(r).exact.then_some(None),
        })
    }

    /// Whether two expressions are the same language.
    pub fn equivalent(&mut self, a: Re, b: Re, budget: u64) -> Option<bool> {
        self.distinguish(a, b, budget).map(|word| word.is_none())
    }

    /// A word that is in one of two languages, but not in the other; `Some(None)` if there is none.
    pub fn distinguish(&mut self, a: Re, b: Re, budget: u64) -> Option<Option<Vec<u32>>> {
        let exact = self.facts(a).exact && self.facts(b).exact;
        match limited(budget, |fuel| self.compare(a, b, fuel))? {
            None => exact.then_some(None),
            word => Some(word),
        }
    }
}

/// The outcome of a search for a word.
enum Found {
    /// There is none.
    Nothing,
    /// There is one, but which one is not known.
    Something,
    /// This one.
    Word(Vec<u32>),
}

/// What has been reached, and from where: by index, with the character that leads from there.
struct Trail<T> {
    reached: Vec<(T, usize, u32)>,
}

impl<T> Trail<T> {
    /// The word that leads to the entry `at`.
    fn word(&self, mut at: usize) -> Vec<u32> {
        let mut word = Vec::new();
        while let (_, from, Some(c)) = self.entry(at) {
            word.push(c);
            at = from;
        }
        word.reverse();
        word
    }

    fn entry(&self, at: usize) -> (&T, usize, Option<u32>) {
        let (state, from, c) = &self.reached[at];
        // Only the first entry leads to itself.
        (state, *from, (*from != at).then_some(*c))
    }
}
