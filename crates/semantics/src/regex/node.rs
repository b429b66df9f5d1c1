//! Expressions: handles and nodes.

use std::slice;

use super::charset::CharSet;
use super::span::Span;

/// A regular expression: a handle into the [`RegexStore`](super::RegexStore) that created it, valid only there.
///
/// Equal handles are equal languages. The converse holds for expressions built alike, but not in
/// general; see [`RegexStore::equivalent`](super::RegexStore::equivalent).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Re(pub(super) u32);

impl Re {
    /// The empty language.
    pub(super) const NONE: Re = Re(0);
    /// The language of the empty word alone. No union has a member less than this.
    pub(super) const EPSILON: Re = Re(1);
    /// The words of length one.
    pub(super) const ALLCHAR: Re = Re(2);
    /// All words.
    pub(super) const ALL: Re = Re(3);
    /// All words but the empty one.
    pub(super) const NONEMPTY: Re = Re(4);

    #[inline]
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The structure of an expression.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Node {
    /// Not in use.
    Free,
    /// No word.
    None,
    /// The empty word.
    Epsilon,
    /// The words of one character from a set that is not empty.
    Class(CharSet),
    /// One word of at least two characters: text number `text` from position `start` on. To drop
    /// its first character is to increment `start`.
    Word { text: u32, start: usize },
    /// Two or more words.
    Lexicon(Lexicon),
    /// The words that an automaton accepts from a state, of which there are some.
    State { automaton: u32, state: u32 },
    /// Words of the first followed by words of the second.
    Concat([Re; 2]),
    /// Words in any of the members, of which there are at least two, ascending.
    Union(Box<[Re]>),
    /// Words in all of the members, of which there are at least two, ascending.
    Inter(Box<[Re]>),
    /// All other words.
    Comp(Re),
    /// Repetitions.
    Loop(Re, Span),
}

impl Node {
    /// The direct subexpressions.
    pub(super) fn children(&self) -> &[Re] {
        match self {
            Node::Concat(parts) => parts,
            Node::Union(members) | Node::Inter(members) => members,
            Node::Comp(body) | Node::Loop(body, _) => slice::from_ref(body),
            _ => &[],
        }
    }
}

/// A range of a sorted list of words that start with the same `depth` characters: the set of their remainders.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Lexicon {
    /// The number of the list.
    pub(super) list: u32,
    /// The words from here …
    pub(super) from: u32,
    /// … to before this one. There are at least two.
    pub(super) to: u32,
    /// The number of characters that have been read.
    pub(super) depth: usize,
}
