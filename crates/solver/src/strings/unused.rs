//! A string of a language that was not chosen for another class.
//!
//! The strings that are taken form a tree by their prefixes. A node of it with a character that no taken string has next leads
//! to a string at once; otherwise the search goes on below the character with the fewest taken strings. With `"00"` and
//! `"01"` taken, `[01]{2}` gives `"10"`.

use super::membership::{BUDGET, store};
use super::round::Round;
use crate::calculus::Calculus;
use rustc_hash::FxHashMap;
use semantics::regex::Re;

/// A string of the language that was not chosen for another class; `first`, of the language, if none is found.
pub(super) fn unused_word(c: &mut Calculus<'_>, round: &Round, language: Re, first: Vec<u32>) -> Vec<u32> {
    let taken: Vec<&[u32]> =
        round.chosen.values().filter(|w| w.len() == first.len()).map(Vec::as_slice).collect();
    if !taken.contains(&&first[..]) {
        return first;
    }
    other_word(c, language, taken).unwrap_or(first)
}

/// A string of the language that is none of these, which have one length.
pub(super) fn other_word(c: &mut Calculus<'_>, language: Re, mut taken: Vec<&[u32]>) -> Option<Vec<u32>> {
    let (mut word, mut rest) = (Vec::new(), language);
    loop {
        let mut next: FxHashMap<u32, usize> = FxHashMap::default();
        for w in &taken {
            *next.entry(*w.get(word.len())?).or_default() += 1;
        }
        smt::work::spend(taken.len());
        let mut used: Vec<u32> = next.keys().copied().collect();
        used.sort_unstable();
        if let Some(tail) = starting_otherwise(c, rest, &used) {
            word.extend(tail);
            return Some(word);
        }
        let least = used.into_iter().min_by_key(|k| (next[k], *k))?;
        taken.retain(|w| w[word.len()] == least);
        rest = store(c).derivative_by(rest, least, BUDGET)?;
        word.push(least);
    }
}

/// A string of the language with another first character than these.
fn starting_otherwise(c: &mut Calculus<'_>, language: Re, characters: &[u32]) -> Option<Vec<u32>> {
    let store = store(c);
    let words: Vec<Re> = characters.iter().map(|&k| store.word(&[k])).collect();
    let (any, all, used) = (store.allchar(), store.all(), store.union(&words));
    let other = store.diff(&[any, used]);
    let starts = store.concat(&[other, all]);
    let left = store.inter(&[language, starts]);
    store.shortest_member(left, BUDGET)?
}
