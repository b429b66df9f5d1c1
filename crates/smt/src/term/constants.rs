//! Constants, indices and attributes: each kept once, by number.

use super::{Attribute, Head, Pool, Sort, Term};
use crate::num::{Int, Rat};
use crate::op::Op;
use crate::symbol::hash_bytes;
use crate::work::spend;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::Hasher as _;

macro_rules! id {
    ($($(#[$m:meta])* $name:ident),*) => {$(
        $(#[$m])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);
    )*};
}
id!(
    /// An interned string constant.
    StrId,
    /// An interned integer constant.
    IntId,
    /// An interned rational constant.
    RatId,
    /// An interned list of numeral indices.
    IndexId,
    /// An interned list of attributes.
    AttrId
);

impl Pool {
    /// The string constant `word`.
    pub fn string(&mut self, word: &[u32]) -> Term {
        let id = self.intern_string(word);
        self.mk(Head::Str(id), Sort::STRING, &[])
    }

    fn intern_string(&mut self, word: &[u32]) -> StrId {
        spend(word.len() / 8);
        let hash = hash_word(word);
        let (chars, ends) = (&self.chars, &self.str_ends);
        if let Some(&i) = self.str_table.find(hash, |&i| word_at(chars, ends, i) == word) {
            return StrId(i);
        }
        let id = self.str_ends.len() as u32;
        self.chars.extend_from_slice(word);
        self.str_ends.push(u32::try_from(self.chars.len()).expect("more than 2^32 characters of literals"));
        let (chars, ends) = (&self.chars, &self.str_ends);
        self.str_table.insert_unique(hash, id, |&i| hash_word(word_at(chars, ends, i)));
        StrId(id)
    }

    /// The code points of a string constant.
    pub fn word(&self, id: StrId) -> &[u32] {
        word_at(&self.chars, &self.str_ends, id.0)
    }

    /// The integer constant `n`.
    pub fn int(&mut self, n: impl Into<Int>) -> Term {
        let id = intern(&mut self.ints, &mut self.int_table, n.into(), IntId);
        self.mk(Head::Int(id), Sort::INT, &[])
    }

    /// The value of an integer constant.
    pub fn int_value(&self, id: IntId) -> &Int {
        &self.ints[id.0 as usize]
    }

    /// The rational constant `q`.
    pub fn real(&mut self, q: Rat) -> Term {
        let id = intern(&mut self.rats, &mut self.rat_table, q, RatId);
        self.mk(Head::Real(id), Sort::REAL, &[])
    }

    /// The value of a rational constant.
    pub fn real_value(&self, id: RatId) -> &Rat {
        &self.rats[id.0 as usize]
    }

    /// `true` or `false`.
    pub fn bool(&mut self, b: bool) -> Term {
        self.mk(Head::Op(if b { Op::True } else { Op::False }), Sort::BOOL, &[])
    }

    /// Interned indices.
    pub fn index(&mut self, list: &[Int]) -> IndexId {
        intern(&mut self.indices, &mut self.index_table, list.into(), IndexId)
    }

    /// The numerals of an index list.
    pub fn index_values(&self, id: IndexId) -> &[Int] {
        &self.indices[id.0 as usize]
    }

    /// `(! t attrs)`
    pub fn annotate(&mut self, t: Term, attrs: Box<[Attribute]>) -> Term {
        let id = intern(&mut self.attrs, &mut self.attr_table, attrs, AttrId);
        let sort = self.sort_of(t);
        self.mk(Head::Annot(id), sort, &[t])
    }

    /// The attributes of an annotation.
    pub fn attributes(&self, id: AttrId) -> &[Attribute] {
        &self.attrs[id.0 as usize]
    }
}

fn intern<T, I>(list: &mut Vec<T>, table: &mut FxHashMap<T, I>, value: T, id: fn(u32) -> I) -> I
where
    T: Clone + Eq + std::hash::Hash,
    I: Copy,
{
    *table.entry(value).or_insert_with_key(|value| {
        list.push(value.clone());
        id(list.len() as u32 - 1)
    })
}

pub(super) fn word_at<'a>(chars: &'a [u32], ends: &[u32], i: u32) -> &'a [u32] {
    let start = if i == 0 { 0 } else { ends[i as usize - 1] as usize };
    &chars[start..ends[i as usize] as usize]
}

pub(super) fn hash_word(word: &[u32]) -> u64 {
    if word.len() < 64 {
        let mut h = FxHasher::default();
        for &c in word {
            h.write_u32(c);
        }
        h.write_usize(word.len());
        return h.finish();
    }
    let bytes: Vec<u8> = word.iter().flat_map(|c| c.to_le_bytes()).collect();
    hash_bytes(&bytes)
}
