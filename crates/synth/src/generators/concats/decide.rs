//! Decides whether a concatenation with known characters has a solution.
//!
//! The value of `x0` is cut into *pieces* at places `p(0) = 0 ≤ p(1) ≤ …`; some variables are *suffixes*, from such a place
//! to the end.
//!
//! If the value is given, take for each `p(j)`, in order, the first place that is far enough for the piece before and at
//! which the known characters of piece and suffix `j` fit. A piece may always be longer, so that taking the first
//! place loses no solution: if no place is left, there is no solution.
//!
//! If the value is free, let each piece be as long as the last known character of it and its suffix requires. Then
//! the known characters of a suffix fall into its first piece, and only those two can contradict each other, which they
//! do whatever the lengths: a character that is known of a piece is also one of the suffix that starts with it.

use crate::generators::Builder;
use crate::generators::build::{MAX_MODEL, Values};
use semantics::instance::Truth;
use smt::Term;

/// A known character.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extract {
    /// Of this variable.
    pub(super) var: usize,
    /// At this place.
    pub(super) index: usize,
    /// The character.
    pub(super) letter: u32,
    /// The assertion that states it.
    pub(super) assertion: usize,
}

/// The division of the value into variables. Assertion `j` states that suffix `j` is piece `j` and the rest (suffix
/// `j + 1` or the last piece); if there is one suffix, that it is all pieces.
#[derive(Clone, Debug, Default)]
pub(super) struct Layout {
    /// From left to right.
    pub(super) pieces: Vec<usize>,
    /// Those that start where the piece of the same number starts.
    pub(super) suffixes: Vec<usize>,
    /// The complete value and the assertion that gives it.
    pub(super) solution: Option<(Vec<u32>, usize)>,
}

/// Known characters by the place where their variable starts.
struct Known {
    /// The extracts that start at a place, in the order of places.
    list: Vec<(usize, Extract)>,
    /// Where those of each place start in the list.
    starts: Vec<usize>,
}

impl Known {
    fn new(layout: &Layout, vars: usize, extracts: &[Extract]) -> Known {
        let mut place = vec![0; vars];
        for (j, &v) in layout.suffixes.iter().enumerate() {
            place[v] = j;
        }
        for (j, &v) in layout.pieces.iter().enumerate() {
            place[v] = j;
        }
        let mut list: Vec<(usize, Extract)> = extracts.iter().map(|e| (place[e.var], *e)).collect();
        list.sort_by_key(|(p, _)| *p);
        let mut starts = vec![0; layout.pieces.len() + 1];
        for (p, _) in &list {
            starts[p + 1] += 1;
        }
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        Known { list, starts }
    }

    fn at(&self, place: usize) -> &[(usize, Extract)] {
        &self.list[self.starts[place]..self.starts[place + 1]]
    }
}

pub(super) fn decide(b: &Builder, vars: &[Term], layout: &Layout, extracts: &[Extract]) -> Truth {
    match &layout.solution {
        Some((word, _)) => match cuts(layout, vars.len(), word, extracts) {
            Ok(cuts) => fixed_model(b, vars, layout, word, &cuts),
            Err(place) => Truth::Unsat(core(layout, vars.len(), word, extracts, place)),
        },
        None => free(b, vars, layout, extracts),
    }
}

/// The start positions of the pieces; the first impossible one if there is no solution.
fn cuts(layout: &Layout, vars: usize, word: &[u32], extracts: &[Extract]) -> Result<Vec<usize>, usize> {
    let known = Known::new(layout, vars, extracts);
    let mut out = Vec::with_capacity(layout.pieces.len());
    let mut from = 0;
    for (j, &piece) in layout.pieces.iter().enumerate() {
        let here = known.at(j);
        let fits = |p: usize| here.iter().all(|(_, e)| word.get(p + e.index) == Some(&e.letter));
        let last = if j == 0 { 0 } else { word.len() };
        let p = (from..=last).find(|&p| fits(p)).ok_or(j)?;
        out.push(p);
        let of_piece = here.iter().filter(|(_, e)| e.var == piece);
        from = p + of_piece.map(|(_, e)| e.index + 1).max().unwrap_or(0);
    }
    Ok(out)
}

fn fixed_model(b: &Builder, vars: &[Term], layout: &Layout, word: &[u32], cuts: &[usize]) -> Truth {
    let mut values = Values::new(b);
    for (j, &v) in layout.suffixes.iter().enumerate() {
        values.word(vars[v], &word[cuts[j]..]);
    }
    for (j, &v) in layout.pieces.iter().enumerate() {
        let end = cuts.get(j + 1).copied().unwrap_or(word.len());
        values.word(vars[v], &word[cuts[j]..end]);
    }
    values.sat()
}

/// The maximal number of extracts that are considered for removal from a core.
const MAX_TRIES: usize = 64;

/// Assertions that have no solution together, when the position `place` is impossible.
fn core(layout: &Layout, vars: usize, word: &[u32], extracts: &[Extract], place: usize) -> Vec<usize> {
    let known = Known::new(layout, vars, extracts);
    let until: Vec<Extract> = (0..=place).flat_map(|j| known.at(j)).map(|(_, e)| *e).collect();
    let refuted = |some: &[Extract]| cuts(layout, vars, word, some).is_err();
    let alone = until.iter().take(MAX_TRIES).find(|e| refuted(&[**e]));
    let kept = match alone {
        Some(e) => vec![*e],
        None => shrink(until, refuted),
    };
    // The equations that connect the variables of those extracts to the value.
    let chained = layout.suffixes.len() > 1;
    let ties = kept.iter().map(|e| match layout.suffixes.iter().position(|&v| v == e.var) {
        Some(j) => j,
        None if chained => {
            let piece = layout.pieces.iter().position(|&v| v == e.var).unwrap_or(0);
            (piece + 1).min(layout.suffixes.len())
        }
        None => layout.suffixes.len(),
    });
    let mut core: Vec<usize> = (0..ties.max().unwrap_or(0)).collect();
    core.extend(layout.solution.iter().map(|(_, assertion)| *assertion));
    core.extend(kept.iter().map(|e| e.assertion));
    core.sort_unstable();
    core
}

/// Removes unneeded extracts, one at a time.
fn shrink(mut extracts: Vec<Extract>, refuted: impl Fn(&[Extract]) -> bool) -> Vec<Extract> {
    if extracts.len() > MAX_TRIES {
        return extracts;
    }
    for i in (0..extracts.len()).rev() {
        let left_out = extracts.remove(i);
        if !refuted(&extracts) {
            extracts.insert(i, left_out);
        }
    }
    extracts
}

/// Decides the case without a given value.
fn free(b: &Builder, vars: &[Term], layout: &Layout, extracts: &[Extract]) -> Truth {
    let known = Known::new(layout, vars.len(), extracts);
    let mut words: Vec<Vec<u32>> = Vec::with_capacity(layout.pieces.len());
    for j in 0..layout.pieces.len() {
        let here = known.at(j);
        let mut word: Vec<u32> = Vec::new();
        for (i, (_, e)) in here.iter().enumerate() {
            let clash = here[..i].iter().find(|(_, f)| f.index == e.index && f.letter != e.letter);
            if let Some((_, f)) = clash {
                return Truth::Unsat(clash_core(layout, j, e, f));
            }
            if word.len() <= e.index {
                word.resize(e.index + 1, u32::from(b'a'));
            }
            word[e.index] = e.letter;
        }
        words.push(word);
    }
    free_model(b, vars, layout, &words)
}

/// The equation that ties a suffix to its first piece, and the two characters.
fn clash_core(layout: &Layout, place: usize, e: &Extract, f: &Extract) -> Vec<usize> {
    let equation = if layout.suffixes.len() > 1 { place } else { 0 };
    let mut core = vec![equation, e.assertion, f.assertion];
    core.sort_unstable();
    core
}

fn free_model(b: &Builder, vars: &[Term], layout: &Layout, words: &[Vec<u32>]) -> Truth {
    let mut values = Values::new(b);
    for (&v, word) in layout.pieces.iter().zip(words) {
        values.word(vars[v], word);
    }
    // Suffixes from the right, each longer than the one before; a total that is too long is given up early.
    let total: u64 = words.iter().map(|w| w.len() as u64).sum();
    if total.saturating_mul(layout.suffixes.len() as u64) > 64 * MAX_MODEL {
        return Truth::Unknown;
    }
    let whole: Vec<u32> = words.iter().flatten().copied().collect();
    let mut start = 0;
    for (j, &v) in layout.suffixes.iter().enumerate() {
        values.word(vars[v], &whole[start..]);
        start += words[j].len();
    }
    values.sat()
}
