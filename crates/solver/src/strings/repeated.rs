//! A part that occurs several times in a concatenation is one string.
//!
//! A search for the strings of `x "-" x` in a language reads both occurrences of `x` by themselves: `"aa-ab"` may be the word it finds. Then one of these
//! strings, `"aa"` or `"ab"`, is fixed at all places, and the search is repeated. It serves candidate models only: a failure proves nothing.

use super::membership::{BUDGET, store};
use crate::calculus::Calculus;
use crate::egraph::Node;
use semantics::regex::Re;

/// Searches for one concatenation, at most.
const MAX_SEARCHES: usize = 40;

/// A word of the concatenation in which equal parts are equal strings, found from one in which they need not be; that one if there is none.
/// `languages` and `lengths` are those of the parts, and the whole is in `whole`.
pub(super) fn agree(
    c: &mut Calculus<'_>,
    lengths: &[(Node, usize)],
    mut languages: Vec<Re>,
    whole: Re,
    found: Vec<u32>,
) -> Vec<u32> {
    let mut word = found.clone();
    let mut searches = 0;
    while let Some((part, pieces)) = differing(lengths, &word) {
        let mut fixed = None;
        for piece in pieces {
            searches += 1;
            if searches > MAX_SEARCHES {
                return found;
            }
            let only = store(c).word(&piece);
            let mut tried = languages.clone();
            for k in (0..lengths.len()).filter(|&k| lengths[k].0 == part) {
                tried[k] = store(c).inter(&[languages[k], only]);
            }
            let concatenation = store(c).concat(&tried);
            let both = store(c).inter(&[concatenation, whole]);
            if let Some(Some(word)) = store(c).shortest_member(both, BUDGET) {
                fixed = Some((tried, word));
                break;
            }
        }
        let Some(next) = fixed else { return found };
        (languages, word) = next;
    }
    word
}

/// A part with different strings at its places, and these strings.
fn differing(lengths: &[(Node, usize)], word: &[u32]) -> Option<(Node, Vec<Vec<u32>>)> {
    let mut pieces: Vec<(Node, &[u32])> = Vec::new();
    let mut rest = word;
    for &(part, length) in lengths {
        let (piece, after) = rest.split_at(length);
        rest = after;
        pieces.push((part, piece));
    }
    let other = |&(p, w): &(Node, &[u32])| pieces.iter().any(|&(q, v)| p == q && w != v);
    let &(part, _) = pieces.iter().find(|&piece| other(piece))?;
    let mut strings: Vec<Vec<u32>> =
        pieces.iter().filter(|(p, _)| *p == part).map(|(_, w)| w.to_vec()).collect();
    strings.sort_unstable();
    strings.dedup();
    Some((part, strings))
}
