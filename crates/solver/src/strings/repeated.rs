//! A part that occurs several times in a concatenation is one string.
//!
//! With `y = x "-" x` and `y ∈ L`, `x` is in the language of the words `w` with `w "-" w ∈ L` ([`automata::part`]). That is a membership of `x` like any other:
//! it may be refuted, gives lengths, and strings. Other parts that occur again are taken as different strings at each place, so the language may be too large.
//!
//! For the candidate model, the parts that occur again get their strings one after the other: each is one with which the whole is in the language for
//! some strings of the others, of the lengths in the arithmetic model. If there is none for the first one, the lengths are excluded. Where automata are too large,
//! a word is searched for in which each occurrence is read by itself, and one of the strings found is fixed at all places; a failure of that proves nothing.

use super::form::Form;
use super::membership::{BUDGET, Membership, Memberships, form_premises, store};
use super::round::Round;
use crate::calculus::Calculus;
use crate::egraph::Node;
use crate::languages::Slot;
use rustc_hash::FxHashMap;
use semantics::regex::Re;

/// Searches for one concatenation whose automaton is too large, at most.
const MAX_SEARCHES: usize = 40;

/// Adds the languages of parts that occur again.
pub(super) fn add(c: &mut Calculus<'_>, round: &Round, all: &mut Memberships) {
    for &root in &round.roots {
        let (Some(form), Some(items)) = (round.normal.get(&root), all.by_class.get(&root).cloned()) else {
            continue;
        };
        let wanted = repeated(c, &form.parts);
        if wanted.is_empty() || items.iter().all(|m| m.weak) {
            continue;
        }
        let parts: Vec<(Re, Vec<_>)> = form.parts.iter().map(|&p| all.of_component(c, p)).collect();
        let form_premises = form_premises(c, form);
        for part in wanted {
            for item in items.iter().filter(|m| !m.weak) {
                let others = form.parts.iter().zip(&parts).filter(|&(&p, _)| p != part);
                let premises = others.flat_map(|(_, (_, premises))| premises);
                let premises = item.premises.iter().chain(&form_premises).chain(premises).copied().collect();
                let languages: Vec<Re> = parts.iter().map(|&(r, _)| r).collect();
                let slots = slots(c, &form.parts, &languages, part);
                let Some(language) = language(c, item.language, slots) else { continue };
                let derived = Membership { language, premises, weak: false, derived: item.derived };
                all.by_class.entry(part).or_default().push(derived);
            }
        }
    }
}

/// The parts without a constant value that occur more than once.
pub(super) fn repeated(c: &Calculus<'_>, parts: &[Node]) -> Vec<Node> {
    let mut out: Vec<Node> = Vec::new();
    for (k, &p) in parts.iter().enumerate() {
        if c.word_of(p).is_none() && !out.contains(&p) && parts[k + 1..].contains(&p) {
            out.push(p);
        }
    }
    out
}

fn slots(c: &Calculus<'_>, parts: &[Node], languages: &[Re], wanted: Node) -> Vec<Slot> {
    let slot = |(&p, &r): (&Node, &Re)| match c.word_of(p) {
        Some(w) => Slot::Word(w.to_vec()),
        None if p == wanted => Slot::Wanted,
        None => Slot::Some(r),
    };
    parts.iter().zip(languages).map(slot).collect()
}

fn language(c: &mut Calculus<'_>, whole: Re, slots: Vec<Slot>) -> Option<Re> {
    let (machines, store) = c.languages.machines();
    machines.part(store, whole, slots)
}

/// Strings for the parts that occur again.
pub(super) enum Choice {
    /// The string of each of them.
    Strings(FxHashMap<Node, Vec<u32>>),
    /// The languages of the parts have no such strings.
    Impossible,
    /// None were found.
    Open,
}

/// Strings for parts that occur again, with which the concatenation is in `whole`; `languages` are those of the parts, with their lengths.
pub(super) fn choose(c: &mut Calculus<'_>, form: &Form, mut languages: Vec<Re>, whole: Re) -> Choice {
    let mut found: FxHashMap<Node, Vec<u32>> = FxHashMap::default();
    for part in repeated(c, &form.parts) {
        let slots = slots(c, &form.parts, &languages, part);
        let Some(fits) = language(c, whole, slots) else { return Choice::Open };
        let own = form.parts.iter().position(|&p| p == part).map(|k| languages[k]);
        let own = own.expect("a part of the form");
        let both = store(c).inter(&[fits, own]);
        match store(c).shortest_member(both, BUDGET) {
            Some(Some(word)) => {
                let only = store(c).word(&word);
                for (k, _) in form.parts.iter().enumerate().filter(|&(_, &p)| p == part) {
                    languages[k] = only;
                }
                found.insert(part, word);
            }
            Some(None) if found.is_empty() => return Choice::Impossible,
            _ => return Choice::Open,
        }
    }
    Choice::Strings(found)
}

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
