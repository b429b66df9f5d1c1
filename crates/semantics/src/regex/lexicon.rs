//! Finite sets of words.

use super::charset::CharSet;
use super::node::{Lexicon, Node, Re};
use super::store::RegexStore;

/// Sets of words, built from unions of many words before words are read.
///
/// A union of ten thousand words would have to be visited completely for each character, and each of
/// its derivatives might be a separate member of the union around it. So the words are kept in a
/// sorted list. The remainders after some characters are a range of the list, and the derivative is
/// a narrower range, found by binary search, as in a trie. However many words there
/// are, their derivative is a single expression.
impl RegexStore {
    /// The smallest number of words that become a list.
    const MIN_WORDS: usize = 8;

    /// Replaces all the words in a list of members of a union by one expression, if there are many.
    pub(super) fn collect_words(&mut self, members: &mut Vec<Re>) {
        let as_text = |store: &RegexStore, r: Re| match *store.node(r) {
            Node::Word { text, start: 0 } => Some(text),
            _ => None,
        };
        let texts = members.iter().filter_map(|&r| as_text(self, r));
        let mut texts: Vec<u32> = texts.collect();
        if texts.len() < Self::MIN_WORDS {
            return;
        }
        members.retain(|&r| as_text(self, r).is_none());
        texts.sort_unstable_by(|&a, &b| self.suffix(a, 0).cmp(self.suffix(b, 0)));
        texts.dedup();
        let to = u32::try_from(texts.len()).expect("fewer than 2³² words");
        let list = self.word_list(&texts);
        members.push(self.lexicon(list, 0, to, 0));
    }

    /// The set of the words of a range of a list without their first `depth` characters.
    fn lexicon(&mut self, list: u32, from: u32, to: u32, depth: usize) -> Re {
        if from == to {
            return Re::NONE;
        }
        if from + 1 < to {
            return self.intern(Node::Lexicon(Lexicon { list, from, to, depth }));
        }
        let text = self.listed(list)[from as usize];
        match *self.suffix(text, depth) {
            [] => Re::EPSILON,
            [last] => self.intern(Node::Class(CharSet::range(last, last))),
            _ => self.intern(Node::Word { text, start: depth }),
        }
    }

    /// The derivative of a set of words.
    pub(super) fn look_up(&mut self, lexicon: Lexicon, c: u32) -> Re {
        let Lexicon { list, from, to, depth } = lexicon;
        let texts = &self.listed(list)[from as usize..to as usize];
        // A word that has been read completely comes first and has no next character.
        let next = |&text: &u32| self.suffix(text, depth).first().copied();
        let start = texts.partition_point(|text| next(text) < Some(c));
        let length = texts[start..].partition_point(|text| next(text) == Some(c));
        let (start, length) = (start as u32, length as u32);
        self.lexicon(list, from + start, from + start + length, depth + 1)
    }
}
