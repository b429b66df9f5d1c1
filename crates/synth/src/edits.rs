//! Edits: insertions, removals and replacements of one character, and the shortest lists of them from one word to another.
//!
//! The distance (Levenshtein, 1965) comes from the usual table of the distances of all prefixes. Walking back through the table
//! from the end gives an optimal [`alignment`]; among several optimal steps the choice is random. The edits of an alignment
//! touch different places, so they can be applied in any order with their indices adjusted: [`script`] puts them into a random one.
//! The generator of formulas is [`crate::generators::Edits`].

pub mod words;

use crate::dice::Dice;

/// The kinds of edits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Inserts a character before an index, or at the end.
    Insert,
    /// Removes the character at an index.
    Remove,
    /// Replaces the character at an index.
    Replace,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 3] = [Kind::Insert, Kind::Remove, Kind::Replace];
}

/// An edit. An index that is out of range changes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Edit {
    /// The kind.
    pub kind: Kind,
    /// The position.
    pub index: i64,
    /// The new character; ignored by a removal.
    pub character: u32,
}

impl Edit {
    /// Applies it to a word.
    pub fn apply(self, word: &mut Vec<u32>) {
        let Ok(at) = usize::try_from(self.index) else { return };
        match self.kind {
            Kind::Insert if at <= word.len() => word.insert(at, self.character),
            Kind::Remove if at < word.len() => {
                word.remove(at);
            }
            Kind::Replace if at < word.len() => word[at] = self.character,
            _ => {}
        }
    }
}

/// The distances of all beginnings of two words.
struct Table {
    cells: Vec<u32>,
    width: usize,
}

impl Table {
    fn new(from: &[u32], to: &[u32]) -> Table {
        let width = to.len() + 1;
        let mut cells = Vec::with_capacity(width * (from.len() + 1));
        cells.extend(0..width as u32);
        for (i, a) in from.iter().enumerate() {
            let mut left = i as u32 + 1;
            cells.push(left);
            for (j, b) in to.iter().enumerate() {
                let above = &cells[i * width + j..];
                left = (above[0] + u32::from(a != b)).min(above[1] + 1).min(left + 1);
                cells.push(left);
            }
        }
        Table { cells, width }
    }

    /// The distance of the first `i` characters from the first `j`.
    fn at(&self, i: usize, j: usize) -> u32 {
        self.cells[i * self.width + j]
    }
}

/// The number of edits from one word to the other.
pub fn distance(from: &[u32], to: &[u32]) -> usize {
    Table::new(from, to).at(from.len(), to.len()) as usize
}

/// A column of an alignment: the character stays, or there is an edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// It stays.
    Keep,
    /// An edit; for an insertion or a replacement with its character.
    Edit(Kind, u32),
}

/// A step back through the table.
#[derive(Clone, Copy)]
enum Step {
    Diagonal,
    Up,
    Left,
}

/// The places of both words side by side, with as few edits as possible; of all ways to do that, a random one.
pub fn alignment(from: &[u32], to: &[u32], dice: &mut Dice) -> Vec<Place> {
    let table = Table::new(from, to);
    let (mut i, mut j) = (from.len(), to.len());
    let mut out = Vec::with_capacity(i.max(j));
    while i + j > 0 {
        let here = table.at(i, j);
        let same = i > 0 && j > 0 && from[i - 1] == to[j - 1];
        let diagonal = i > 0 && j > 0 && table.at(i - 1, j - 1) + u32::from(!same) == here;
        let up = i > 0 && table.at(i - 1, j) + 1 == here;
        let left = j > 0 && table.at(i, j - 1) + 1 == here;
        let open = [(diagonal, Step::Diagonal), (up, Step::Up), (left, Step::Left)];
        let ways = open.iter().filter(|(open, _)| *open);
        let count = ways.clone().count() as u64;
        let chosen = if count > 1 { dice.below(count) } else { 0 };
        match ways.map(|(_, step)| *step).nth(chosen as usize).expect("a distance comes from somewhere") {
            Step::Diagonal => {
                (i, j) = (i - 1, j - 1);
                out.push(if same { Place::Keep } else { Place::Edit(Kind::Replace, to[j]) });
            }
            Step::Up => {
                i -= 1;
                out.push(Place::Edit(Kind::Remove, 0));
            }
            Step::Left => {
                j -= 1;
                out.push(Place::Edit(Kind::Insert, to[j]));
            }
        }
    }
    out.reverse();
    out
}

/// A shortest list of edits that leads from one word to the other, applied in its order; a random one.
pub fn script(from: &[u32], to: &[u32], dice: &mut Dice) -> Vec<Edit> {
    let mut places = alignment(from, to, dice);
    let edited = |(at, place): (usize, &Place)| matches!(place, Place::Edit(..)).then_some(at);
    let mut order: Vec<usize> = places.iter().enumerate().filter_map(edited).collect();
    dice.shuffle(&mut order);
    // Whether there is a character at each place now.
    let mut full: Vec<bool> = places.iter().map(|p| !matches!(p, Place::Edit(Kind::Insert, _))).collect();
    let mut out = Vec::with_capacity(order.len());
    for at in order {
        let Place::Edit(kind, character) = std::mem::replace(&mut places[at], Place::Keep) else { continue };
        let index = full[..at].iter().filter(|f| **f).count() as i64;
        full[at] = kind != Kind::Remove;
        out.push(Edit { kind, index, character });
    }
    out
}
