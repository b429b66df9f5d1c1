//! The values of numerals modulo a number.
//!
//! In `9(0|9)*` all values are multiples of 9; in `(0|…|9)*7` they are 7 modulo 10. Read from the structure of the expression, as lengths are in
//! `residues.rs`: a word counts as its value modulo m together with 10 to its length, by which the value of a word before it is multiplied. Words with other
//! characters than digits have no value, and are left out. So it is a superset of the remainders of the values.

use super::node::{Node, Re};
use super::store::RegexStore;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Values modulo m, and powers of ten modulo m.
type Pairs = BTreeSet<(u32, u32)>;

impl RegexStore {
    /// The values modulo `m` (from 2 to 16) that words of digits in the language may have.
    ///
    /// # Panics
    /// If `m` is not from 2 to 16.
    pub fn remainders(&self, r: Re, m: u32) -> Vec<u32> {
        assert!((2..=16).contains(&m), "a modulus from 2 to 16");
        let mut known: FxHashMap<Re, Pairs> = FxHashMap::default();
        let mut pending = vec![r];
        while let Some(&r) = pending.last() {
            smt::work::spend(1);
            let open: Vec<Re> =
                self.node(r).children().iter().copied().filter(|c| !known.contains_key(c)).collect();
            if open.is_empty() {
                let pairs = self.pairs(r, m, &known);
                known.insert(r, pairs);
                pending.pop();
            } else {
                pending.extend(open);
            }
        }
        let values: BTreeSet<u32> = known[&r].iter().map(|&(v, _)| v).collect();
        values.into_iter().collect()
    }

    /// The pairs of an expression from those of its children.
    fn pairs(&self, r: Re, m: u32, known: &FxHashMap<Re, Pairs>) -> Pairs {
        let empty = || Pairs::from([(0, 1 % m)]);
        let mut children = self.node(r).children().iter().map(|c| &known[c]);
        match *self.node(r) {
            Node::Free | Node::None => Pairs::new(),
            Node::Epsilon => empty(),
            Node::Class(ref set) => {
                (0..10).filter(|d| set.contains(0x30 + d)).map(|d| (d % m, 10 % m)).collect()
            }
            Node::Word { text, start } => of_word(self.suffix(text, start), m).into_iter().collect(),
            Node::Lexicon(lexicon) => self.entries(lexicon).filter_map(|w| of_word(w, m)).collect(),
            Node::Concat(_) => children.fold(empty(), |a, b| product(&a, b, m)),
            Node::Union(_) => children.flatten().copied().collect(),
            Node::Inter(_) => {
                let first = children.next().cloned().unwrap_or_default();
                children.fold(first, |a, b| a.intersection(b).copied().collect())
            }
            Node::Loop(body, span) => {
                let mut power = empty();
                let some = &known[&body];
                // Without a limit that is known, any number of rounds.
                let least = if span.clamped { 0 } else { span.lo };
                for _ in 0..least.min(ROUNDS) {
                    power = product(&power, some, m);
                }
                if least > ROUNDS || span.clamped || span.lo < span.hi {
                    close(&mut power, some, m);
                }
                power
            }
            _ => (0..m).flat_map(|v| (0..m).map(move |p| (v, p))).collect(),
        }
    }
}

/// Rounds of a loop that are counted; more are any number.
const ROUNDS: u64 = 64;

/// The pair of a word of digits.
fn of_word(word: &[u32], m: u32) -> Option<(u32, u32)> {
    word.iter().try_fold((0, 1 % m), |(v, p), &c| {
        let digit = c.checked_sub(0x30).filter(|&d| d < 10)?;
        Some(((10 * v + digit) % m, 10 * p % m))
    })
}

/// The pairs of words followed by words.
fn product(a: &Pairs, b: &Pairs, m: u32) -> Pairs {
    let both = |&(v, p): &(u32, u32)| b.iter().map(move |&(w, q)| ((v * q + w) % m, p * q % m));
    a.iter().flat_map(both).collect()
}

/// Adds what follows by more rounds.
fn close(pairs: &mut Pairs, by: &Pairs, m: u32) {
    loop {
        let before = pairs.len();
        pairs.extend(product(pairs, by, m));
        if pairs.len() == before {
            return;
        }
    }
}
