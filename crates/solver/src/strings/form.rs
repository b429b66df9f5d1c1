//! Forms of string terms, and two forms of one class read side by side.
//!
//! A form is a sequence of components whose concatenation a term is equal to. With `x = (str.++ "ab" y)` and
//! `x = (str.++ z "c")`, the class of `x` has the forms `"ab" y` and `z "c"`. Reading both from one end is an
//! [`Alignment`]: forward, `"ab"` is aligned with `z`; backward, `y` with `"c"`. Each dependency of a form is kept with
//! the range of components that depend on it, so that a conclusion at one place cites only the premises up to there.

use crate::calculus::{Calculus, equality};
use crate::egraph::{Node, Premise};
use smt::work;
use std::rc::Rc;

/// A sequence of components that a term is equal to. Components are roots of classes without concatenations, or
/// constants.
#[derive(Debug)]
pub(crate) struct Form {
    pub(crate) term: Node,
    pub(crate) parts: Vec<Node>,
    pub(crate) dependencies: Vec<Dependency>,
}

/// A premise of a form, and the range of components that depend on it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dependency {
    pub(crate) premise: Premise,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl Form {
    /// All premises.
    pub(crate) fn premises(&self) -> impl Iterator<Item = Premise> + '_ {
        self.dependencies.iter().map(|d| d.premise)
    }
}

/// The end from which forms are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Forward,
    Backward,
}

impl Direction {
    /// The rest of a string after `used` characters.
    pub(super) fn rest(self, w: &[u32], used: usize) -> &[u32] {
        match self {
            Direction::Forward => &w[used..],
            Direction::Backward => &w[..w.len() - used],
        }
    }

    /// The first `n` characters that are read.
    pub(super) fn first(self, w: &[u32], n: usize) -> &[u32] {
        match self {
            Direction::Forward => &w[..n],
            Direction::Backward => &w[w.len() - n..],
        }
    }

    /// The number of characters that agree.
    pub(super) fn common(self, v: &[u32], w: &[u32]) -> usize {
        match self {
            Direction::Forward => v.iter().zip(w).take_while(|(a, b)| a == b).count(),
            Direction::Backward => v.iter().rev().zip(w.iter().rev()).take_while(|(a, b)| a == b).count(),
        }
    }

    /// Two items in the order of the text, of which `first` is read first.
    pub(super) fn ordered<T>(self, first: T, second: T) -> [T; 2] {
        match self {
            Direction::Forward => [first, second],
            Direction::Backward => [second, first],
        }
    }
}

/// A place in a form: a component, counted from the end where reading starts, and how many characters of it are used.
#[derive(Clone, Debug)]
pub(crate) struct Cursor {
    pub(super) form: Rc<Form>,
    pub(super) direction: Direction,
    pub(super) part: usize,
    pub(super) used: usize,
}

impl Cursor {
    pub(super) fn new(form: &Rc<Form>, direction: Direction) -> Cursor {
        Cursor { form: Rc::clone(form), direction, part: 0, used: 0 }
    }

    /// A cursor at the start of another component.
    pub(super) fn at(&self, part: usize) -> Cursor {
        Cursor { part, used: 0, ..self.clone() }
    }

    /// The component at an index.
    pub(super) fn part_at(&self, k: usize) -> Option<Node> {
        let parts = &self.form.parts;
        match self.direction {
            Direction::Forward => parts.get(k).copied(),
            Direction::Backward => parts.get(parts.len().checked_sub(k + 1)?).copied(),
        }
    }

    /// The component here.
    pub(super) fn component(&self) -> Node {
        self.part_at(self.part).expect("the cursor is not at the end of the form")
    }

    pub(super) fn is_last(&self) -> bool {
        self.part + 1 == self.form.parts.len()
    }

    /// Moves by `n` characters of a constant, of which `left` are left.
    pub(super) fn advance(&mut self, n: usize, left: usize) {
        if n == left {
            (self.part, self.used) = (self.part + 1, 0);
        } else {
            self.used += n;
        }
    }

    /// The constant characters that follow, and the index of the component after them.
    pub(super) fn constant(&self, c: &Calculus<'_>) -> (Vec<u32>, usize) {
        let mut word = Vec::new();
        let mut k = self.part;
        while let Some(w) = self.part_at(k).and_then(|p| c.word_of(p)) {
            let rest = if k == self.part { self.direction.rest(w, self.used) } else { w };
            match self.direction {
                Direction::Forward => word.extend_from_slice(rest),
                Direction::Backward => drop(word.splice(0..0, rest.iter().copied())),
            }
            k += 1;
        }
        (word, k)
    }

    /// The index of the last component that the next `count` constant characters touch.
    pub(super) fn last_touched(&self, c: &Calculus<'_>, count: usize) -> usize {
        let mut k = self.part;
        let mut covered = 0;
        while let Some(w) = self.part_at(k).and_then(|p| c.word_of(p)) {
            covered += if k == self.part { w.len() - self.used } else { w.len() };
            if covered >= count {
                break;
            }
            k += 1;
        }
        k
    }

    /// The premises of the components up to an index.
    fn premises_to(&self, k: usize) -> impl Iterator<Item = Premise> + '_ {
        let len = self.form.parts.len();
        let needed = move |d: &&Dependency| match self.direction {
            Direction::Forward => d.start <= k,
            Direction::Backward => d.end + k >= len,
        };
        self.form.dependencies.iter().filter(needed).map(|d| d.premise)
    }
}

/// Two forms of one class, read from the same end, that agree up to the cursors.
#[derive(Clone, Debug)]
pub(crate) struct Alignment {
    pub(super) left: Cursor,
    pub(super) right: Cursor,
}

impl Alignment {
    pub(super) fn new(a: &Rc<Form>, b: &Rc<Form>, direction: Direction) -> Alignment {
        Alignment { left: Cursor::new(a, direction), right: Cursor::new(b, direction) }
    }

    pub(super) fn direction(&self) -> Direction {
        self.left.direction
    }

    /// The alignment with its sides exchanged.
    pub(super) fn flipped(&self) -> Alignment {
        Alignment { left: self.right.clone(), right: self.left.clone() }
    }

    /// The two components at the cursors.
    pub(super) fn components(&self) -> (Node, Node) {
        (self.left.component(), self.right.component())
    }

    /// The premises for comparing the forms up to the cursors.
    pub(super) fn premises(&self) -> Vec<Premise> {
        self.premises_to(self.left.part, self.right.part)
    }

    /// The premises for comparing the forms up to these components.
    pub(super) fn premises_to(&self, left: usize, right: usize) -> Vec<Premise> {
        let mut premises: Vec<Premise> = self.left.premises_to(left).collect();
        premises.extend(self.right.premises_to(right));
        premises.extend(equality(self.left.form.term, self.right.form.term));
        premises
    }

    /// The premises for comparing the complete forms.
    pub(super) fn all_premises(&self) -> Vec<Premise> {
        compared(&self.left.form, &self.right.form)
    }
}

/// The premises for comparing two complete forms of one class.
pub(super) fn compared(a: &Form, b: &Form) -> Vec<Premise> {
    a.premises().chain(b.premises()).chain(equality(a.term, b.term)).collect()
}

/// A part of a form in which adjacent constants are joined.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Piece {
    Word(Vec<u32>),
    Class(Node),
}

/// A form with adjacent constants joined.
pub(super) fn pieces(c: &Calculus<'_>, form: &Form) -> Vec<Piece> {
    let mut out: Vec<Piece> = Vec::new();
    for &p in &form.parts {
        work::spend(1 + c.word_of(p).map_or(0, <[u32]>::len));
        match c.word_of(p) {
            Some(w) => match out.last_mut() {
                Some(Piece::Word(last)) => last.extend_from_slice(w),
                _ => out.push(Piece::Word(w.to_vec())),
            },
            None => out.push(Piece::Class(p)),
        }
    }
    out
}
