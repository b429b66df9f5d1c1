//! Letter maps, and the replacement of constant words.

use crate::alphabet::Alphabet;
use crate::transducer::{Sym, Transducer};

fn written(word: &[u32]) -> Vec<Sym> {
    word.iter().map(|&c| Sym::Letter(c)).collect()
}

/// The map of letters to words; letters that are not in the table are kept.
pub fn letters(table: &[(u32, Vec<u32>)]) -> Transducer {
    let mut t = Transducer::new(Alphabet::of_letters(table.iter().map(|&(c, _)| c)));
    t.ends[0] = Some(Box::default());
    for class in 0..t.alphabet.len() {
        let entry = t.alphabet.single(class).and_then(|c| table.iter().find(|(a, _)| *a == c));
        t.edge(0, class, entry.map_or(vec![Sym::Copy], |(_, w)| written(w)), 0);
    }
    t
}

/// All words, with a word in front.
fn prepend(word: &[u32]) -> Transducer {
    Transducer { lead: word.into(), ..letters(&[]) }
}

/// `str.replace_all` of `u` by `w`.
///
/// State `k` holds back the first `k` characters of `u`. With a character that does not go on, what can no longer be the start of a
/// match is written; the rest, the longest suffix that is a prefix of `u`, is held back.
pub fn replace_all(u: &[u32], w: &[u32]) -> Transducer {
    if u.is_empty() { letters(&[]) } else { search(u, w, true) }
}

/// `str.replace` of `u` by `w`: the first match only.
pub fn replace(u: &[u32], w: &[u32]) -> Transducer {
    if u.is_empty() { prepend(w) } else { search(u, w, false) }
}

fn search(u: &[u32], w: &[u32], all: bool) -> Transducer {
    let mut t = Transducer::new(Alphabet::of_letters(u.iter().copied()));
    t.ends[0] = Some(Box::default());
    for k in 1..u.len() {
        t.add(Some(u[..k].into()));
    }
    let after = if all { 0 } else { t.add(Some(Box::default())) };
    for class in 0..t.alphabet.len() {
        if !all {
            t.edge(after, class, vec![Sym::Copy], after);
        }
        let letter = t.alphabet.single(class).filter(|c| u.contains(c));
        for (k, from) in (0..u.len()).zip(0..) {
            if letter == Some(u[k]) && k + 1 == u.len() {
                t.edge(from, class, written(w), after);
                continue;
            }
            let kept = letter.map_or(0, |c| border(u, k, c));
            let mut out = written(&u[..k]);
            out.push(letter.map_or(Sym::Copy, Sym::Letter));
            out.truncate(k + 1 - kept);
            t.edge(from, class, out, u32::try_from(kept).expect("a position in a pattern"));
        }
    }
    t
}

/// The length of the longest suffix of `u[..k]·c` that is a prefix of `u`.
fn border(u: &[u32], k: usize, c: u32) -> usize {
    let is_prefix = |n: &usize| n == &0 || u[n - 1] == c && u[..n - 1] == u[k + 1 - n..k];
    (0..=k + 1).rev().find(is_prefix).unwrap_or(0)
}
