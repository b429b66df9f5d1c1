//! Permutations of the characters that move finitely many of them.

use crate::dice::Dice;
use rustc_hash::FxHashMap;
use smt::{Head, Pool, Term};
use std::collections::BTreeSet;

/// A permutation of the characters.
#[derive(Clone, Debug, Default)]
pub struct Permutation {
    /// The characters that move, with their images.
    moved: FxHashMap<u32, u32>,
}

impl Permutation {
    /// Maps `from[i]` to `to[i]`; `to` has the same characters in another order.
    pub fn new(from: &[u32], to: &[u32]) -> Permutation {
        let moved = from.iter().copied().zip(to.iter().copied()).filter(|(a, b)| a != b);
        Permutation { moved: moved.collect() }
    }

    /// Each class of characters permuted at random within itself.
    pub fn random(classes: &[Vec<u32>], dice: &mut Dice) -> Permutation {
        let mut moved = FxHashMap::default();
        for class in classes {
            let mut to = class.clone();
            dice.shuffle(&mut to);
            moved.extend(class.iter().copied().zip(to).filter(|(a, b)| a != b));
        }
        Permutation { moved }
    }

    /// Nothing moves.
    pub fn is_identity(&self) -> bool {
        self.moved.is_empty()
    }

    /// The image of `c`.
    pub fn image(&self, c: u32) -> u32 {
        self.moved.get(&c).copied().unwrap_or(c)
    }

    /// The image of a string, character by character.
    pub fn word(&self, w: &[u32]) -> Vec<u32> {
        w.iter().map(|&c| self.image(c)).collect()
    }

    /// It commutes with `f`, which moves only letters.
    pub(super) fn commutes_with_function(&self, f: impl Fn(u32) -> u32) -> bool {
        let letters = (0x41..=0x5A).chain(0x61..=0x7A);
        self.moved.keys().copied().chain(letters).all(|c| self.image(f(c)) == f(self.image(c)))
    }

    /// It maps one range onto the other.
    pub(super) fn maps_range(&self, lo: u32, hi: u32, new_lo: u32, new_hi: u32) -> bool {
        if lo > hi || new_lo > new_hi {
            return lo > hi && new_lo > new_hi;
        }
        let within = |c: u32| (new_lo..=new_hi).contains(&self.image(c));
        let moved_stay = || self.moved.keys().filter(|c| (lo..=hi).contains(*c)).all(|&c| within(c));
        // The ranges have the same size, so a map into is onto. Characters that stay are in it if the ranges are equal.
        hi - lo == new_hi - new_lo && moved_stay() && ((lo, hi) == (new_lo, new_hi) || (lo..=hi).all(within))
    }
}

/// The characters of the script's string literals.
pub(super) fn characters(pool: &Pool, live: &[bool]) -> BTreeSet<u32> {
    let word = |i: usize| match pool.head(Term(i as u32)) {
        Head::Str(id) => pool.word(id),
        _ => &[],
    };
    (0..live.len()).filter(|&i| live[i]).flat_map(word).copied().collect()
}
