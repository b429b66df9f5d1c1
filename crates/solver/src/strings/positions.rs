//! A guess at a model while equations are open: with the lengths of the arithmetic model, an equation states which positions
//! of its variables have the same character.
//!
//! The positions of all variables in open equations are joined by union–find; a class of positions has at most one constant
//! character, and is filled with a new one if it has none. Example: `x "a" = "a" x` with `|x| = 3` joins every position of `x`
//! with `"a"`, so `x = "aaa"`, where splits would find one character after the other.
//!
//! Nothing is inferred: the strings go to the referee. If it rejects them, the search goes on as without them, and the next
//! guesses are skipped, twice as many each time.

use super::codes::characters;
use super::round::Round;
use crate::calculus::Calculus;
use crate::egraph::Node;
use rustc_hash::FxHashMap;
use smt::work::spend;

/// Positions of all variables, at most.
const MAX_POSITIONS: usize = 200_000;
/// Characters for classes without a constant: from here on.
const FIRST_FREE: u32 = 0x4E00;
/// Characters for classes without a constant, at most; then they are used again.
const MAX_FREE: u32 = 0x2000;

/// Classes of positions.
struct Positions {
    parents: Vec<u32>,
    letters: Vec<Option<u32>>,
}

impl Positions {
    fn root(&mut self, mut k: u32) -> u32 {
        while self.parents[k as usize] != k {
            let above = self.parents[self.parents[k as usize] as usize];
            self.parents[k as usize] = above;
            k = above;
        }
        k
    }

    /// Joins two classes. None if they have different letters.
    fn join(&mut self, a: u32, b: u32) -> Option<()> {
        let (a, b) = (self.root(a), self.root(b));
        if a == b {
            return Some(());
        }
        let (first, other) = (a.min(b), a.max(b));
        self.parents[other as usize] = first;
        match self.letters[other as usize] {
            Some(letter) => self.write(first, letter),
            None => Some(()),
        }
    }

    /// Gives a class a letter. None if it has another one.
    fn write(&mut self, k: u32, letter: u32) -> Option<()> {
        let k = self.root(k);
        let slot = &mut self.letters[k as usize];
        (*slot.get_or_insert(letter) == letter).then_some(())
    }
}

/// A symbol of an equation whose lengths are fixed.
enum Cell {
    Letter(u32),
    Position(u32),
}

/// Strings for the variables of open equations, of the lengths in the arithmetic model; none if there are none.
pub(super) fn words(c: &mut Calculus<'_>, round: &Round) -> Option<FxHashMap<Node, Vec<u32>>> {
    let mut places: FxHashMap<Node, (u32, usize)> = FxHashMap::default();
    let mut order: Vec<Node> = Vec::new();
    let mut total = 0;
    for (a, b) in &round.differing {
        for &p in a.parts.iter().chain(&b.parts) {
            if c.word_of(p).is_some() || places.contains_key(&p) {
                continue;
            }
            let n = c.model_length_of(p);
            places.insert(p, (u32::try_from(total).ok()?, n));
            order.push(p);
            total += n;
            if total > MAX_POSITIONS {
                return None;
            }
        }
    }
    spend(total);
    c.inferences.tick(total as u64 / 16);
    let count = u32::try_from(total).ok()?;
    let mut positions = Positions { parents: (0..count).collect(), letters: vec![None; total] };
    for (p, code) in characters(c, round) {
        if let Some(&(start, 1)) = places.get(&p) {
            positions.write(start, code)?;
        }
    }
    for (a, b) in &round.differing {
        let (left, right) = (cells(c, &places, &a.parts), cells(c, &places, &b.parts));
        if left.len() != right.len() {
            return None;
        }
        for pair in left.into_iter().zip(right) {
            match pair {
                (Cell::Letter(a), Cell::Letter(b)) => (a == b).then_some(())?,
                (Cell::Letter(a), Cell::Position(k)) | (Cell::Position(k), Cell::Letter(a)) => {
                    positions.write(k, a)?;
                }
                (Cell::Position(j), Cell::Position(k)) => positions.join(j, k)?,
            }
        }
    }
    Some(filled(&mut positions, &places, &order))
}

/// The symbols of a form.
fn cells(c: &Calculus<'_>, places: &FxHashMap<Node, (u32, usize)>, parts: &[Node]) -> Vec<Cell> {
    let mut out = Vec::new();
    for p in parts {
        match (c.word_of(*p), places.get(p)) {
            (Some(w), _) => out.extend(w.iter().map(|&a| Cell::Letter(a))),
            (None, Some(&(start, n))) => out.extend((start..).take(n).map(Cell::Position)),
            (None, None) => {}
        }
    }
    out
}

/// The strings of the variables; each class of positions without a letter gets one of its own.
fn filled(
    positions: &mut Positions,
    places: &FxHashMap<Node, (u32, usize)>,
    order: &[Node],
) -> FxHashMap<Node, Vec<u32>> {
    let mut next = 0;
    let mut out = FxHashMap::default();
    for p in order {
        let (start, n) = places[p];
        let mut word = Vec::with_capacity(n);
        for k in (start..).take(n) {
            let root = positions.root(k) as usize;
            let letter = *positions.letters[root].get_or_insert_with(|| {
                next += 1;
                FIRST_FREE + next % MAX_FREE
            });
            word.push(letter);
        }
        out.insert(*p, word);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_positions_share_a_letter() {
        let mut positions = Positions { parents: (0..4).collect(), letters: vec![None; 4] };
        assert_eq!(positions.join(0, 2), Some(()));
        assert_eq!(positions.join(2, 3), Some(()));
        assert_eq!(positions.write(3, 97), Some(()));
        assert_eq!(positions.write(1, 98), Some(()));
        assert_eq!(positions.write(0, 98), None, "it has another letter");
        assert_eq!(positions.join(1, 0), None);
        let root = positions.root(2) as usize;
        assert_eq!(positions.letters[root], Some(97));
    }
}
