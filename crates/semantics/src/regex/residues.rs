//! The lengths of words modulo a number.
//!
//! The words of `(ab)*` have even lengths, those of `(aaaa|aaaaaa)*` lengths 0 or 2 modulo 4. Read from the structure of the
//! expression: sums for concatenations, unions for unions, intersections for intersections, all for complements. So it is a
//! superset of the residues of the words.

use super::node::{Node, Re};
use super::store::RegexStore;
use rustc_hash::FxHashMap;

impl RegexStore {
    /// The residues modulo `p` (from 1 to 64) that lengths of words may have, as bits.
    ///
    /// # Panics
    /// If `p` is not from 1 to 64.
    pub fn residues(&self, r: Re, p: u32) -> u64 {
        assert!((1..=64).contains(&p), "a modulus from 1 to 64");
        let mut known: FxHashMap<Re, u64> = FxHashMap::default();
        let mut pending = vec![r];
        while let Some(&r) = pending.last() {
            smt::work::spend(1);
            let open: Vec<Re> =
                self.node(r).children().iter().copied().filter(|c| !known.contains_key(c)).collect();
            if open.is_empty() {
                let mask = self.residues_of(r, p, &known);
                known.insert(r, mask);
                pending.pop();
            } else {
                pending.extend(open);
            }
        }
        known[&r]
    }

    /// The residues of an expression from those of its children.
    fn residues_of(&self, r: Re, p: u32, known: &FxHashMap<Re, u64>) -> u64 {
        let all = u64::MAX >> (64 - p);
        let one = |n: usize| 1_u64 << (n % p as usize);
        let children = || self.node(r).children().iter().map(|c| known[c]);
        match *self.node(r) {
            Node::Free | Node::None => 0,
            Node::Epsilon => 1,
            Node::Class(_) => one(1),
            Node::Word { text, start } => one(self.suffix(text, start).len()),
            Node::Lexicon(lexicon) => self.entries(lexicon).fold(0, |m, word| m | one(word.len())),
            Node::Concat(_) => children().fold(1, |a, b| sum(a, b, p)),
            Node::Union(_) => children().fold(0, |a, b| a | b),
            Node::Inter(_) => children().fold(all, |a, b| a & b),
            Node::Loop(_, span) if span.clamped => all,
            Node::Loop(body, span) => {
                // Each round adds one summand; after p rounds nothing is new.
                let mut out = power(known[&body], span.lo, p);
                for _ in 0..span.hi.saturating_sub(span.lo).min(u64::from(p)) {
                    out |= sum(out, known[&body], p);
                }
                out
            }
            _ => all,
        }
    }
}

/// The residues of sums.
fn sum(a: u64, b: u64, p: u32) -> u64 {
    let all = u64::MAX >> (64 - p);
    let rotated = |n: u32| if n == 0 { b } else { (b << n | b >> (p - n)) & all };
    (0..p).filter(|n| a >> n & 1 == 1).fold(0, |m, n| m | rotated(n))
}

/// The residues of `n` summands.
fn power(mut base: u64, mut n: u64, p: u32) -> u64 {
    let mut out = 1;
    while n > 0 {
        if n & 1 == 1 {
            out = sum(out, base, p);
        }
        base = sum(base, base, p);
        n >>= 1;
    }
    out
}
