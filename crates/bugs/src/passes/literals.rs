//! Smaller literals.
//!
//! Strings get shorter: `"abcd"` becomes `""`, `"ab"`, `"cd"`, `"bcd"`, `"abc"`, …, and their characters simpler: `"\u{1f600}"` becomes `"a"`. Integers move towards 0. A
//! literal is replaced wherever it occurs, since equal literals often depend on each other, and then at each place of its own; characters
//! are replaced in all literals at once as well.

use super::Pass;
use super::edit::{Change, Edit, New, largest};
use super::order::Order;
use super::survey::{Occurrence, Survey, Tree};
use crate::doc::{Doc, Effect};
use rustc_hash::FxHashMap;
use smt::{Head, Int, Pool, Term};
use std::collections::BTreeMap;

/// Smaller literals, wherever they occur.
pub(super) struct Literals;

impl Pass for Literals {
    fn name(&self) -> &'static str {
        "literals"
    }

    fn edits(&self, doc: &Doc) -> Vec<Edit> {
        let all = doc.pool.subterms(doc.all_roots());
        largest(all.flat_map(|t| {
            let (pool, edit) = (&doc.pool, |(new, gain)| Edit::everywhere(Effect::Any, gain, t, new));
            smaller(pool, t).into_iter().map(edit).collect::<Vec<_>>()
        }))
    }
}

/// Smaller literals, one place at a time.
pub(super) struct LiteralsAt;

impl Pass for LiteralsAt {
    fn name(&self) -> &'static str {
        "literals-at"
    }

    fn edits(&self, doc: &Doc) -> Vec<Edit> {
        let survey = Survey::new(doc);
        let mut memo: FxHashMap<Term, Vec<(New, u32)>> = FxHashMap::default();
        largest(survey.trees().flat_map(|tree| {
            let of_site = |(at, o): (u32, Occurrence)| {
                let new = memo.entry(o.term).or_insert_with(|| smaller(&doc.pool, o.term));
                at_site(&doc.pool, &tree, at, new)
            };
            largest(tree.sites().flat_map(of_site))
        }))
    }
}

fn at_site(pool: &Pool, tree: &Tree, at: u32, new: &[(New, u32)]) -> Vec<Edit> {
    let o = tree.all[at as usize];
    let edit = |(new, gain): &(New, u32)| {
        let order = match new {
            New::Int(n) => Order::of_int(pool, o.term, n),
            _ => Order::Unknown,
        };
        let change = Change::At(tree.site(at), new.clone());
        Edit { effect: o.polarity.effect(order), gain: *gain, change }
    };
    new.iter().map(edit).collect()
}

/// Simpler characters in all literals.
pub(super) struct Characters;

impl Pass for Characters {
    fn name(&self) -> &'static str {
        "characters"
    }

    fn edits(&self, doc: &Doc) -> Vec<Edit> {
        let mut words: BTreeMap<u32, Vec<(Term, Vec<u32>)>> = BTreeMap::new();
        for t in doc.pool.subterms(doc.all_roots()) {
            let Head::Str(id) = doc.pool.head(t) else { continue };
            let word = doc.pool.word(id);
            let mut own: Vec<u32> = word.to_vec();
            own.sort_unstable();
            own.dedup();
            own.into_iter().take(LETTERS).for_each(|c| words.entry(c).or_default().push((t, word.to_vec())));
        }
        largest(words.into_iter().flat_map(|(c, words)| simpler(c).map(move |to| exchange(&words, c, to))))
    }
}

/// The characters of one literal that are replaced.
const LETTERS: usize = 64;

/// Simpler characters.
fn simpler(c: u32) -> impl Iterator<Item = u32> {
    "ab0".chars().map(u32::from).filter(move |&to| rank(to) < rank(c))
}

/// Letters first, then digits, then other characters of ASCII.
fn rank(c: u32) -> (u32, u32) {
    let class = match char::from_u32(c) {
        Some('a'..='z') => 0,
        Some('0'..='9') => 1,
        Some(' '..='~') => 2,
        _ => 3,
    };
    (class, c)
}

/// A character by another one in all literals.
fn exchange(words: &[(Term, Vec<u32>)], c: u32, to: u32) -> Edit {
    let new = |word: &[u32]| word.iter().map(|&d| if d == c { to } else { d }).collect();
    let pairs = words.iter().map(|(t, word)| (*t, New::Str(new(word)))).collect();
    Edit { effect: Effect::Any, gain: rank(c).0, change: Change::Everywhere(pairs, None) }
}

/// The smaller literals of the same sort, with what they save.
fn smaller(pool: &Pool, t: Term) -> Vec<(New, u32)> {
    match pool.head(t) {
        Head::Str(id) => {
            let word = pool.word(id);
            let gain = |w: &[u32]| (word.len() - w.len()) as u32;
            shorter(word).into_iter().map(|w| (New::Str(w.clone()), gain(&w))).collect()
        }
        Head::Int(id) => {
            let n = pool.int_value(id);
            let gain = |m: &Int| n.bits().saturating_sub(m.bits()) as u32;
            nearer(n).into_iter().map(|m| (New::Int(m.clone()), gain(&m))).collect()
        }
        _ => Vec::new(),
    }
}

/// Characters that are dropped one at a time, at each end of a long word.
const ENDS: usize = 16;

/// Shorter words, the shortest first, and words of simpler characters.
fn shorter(word: &[u32]) -> Vec<Vec<u32>> {
    let (n, mut out) = (word.len(), Vec::new());
    let mut add = |w: Vec<u32>| {
        if w != word && !out.contains(&w) {
            out.push(w);
        }
    };
    add(Vec::new());
    if n > 1 {
        add(word[..1].to_vec());
        add(word[..n / 2].to_vec());
        add(word[n / 2..].to_vec());
        let near = |i: &usize| *i < ENDS || i + ENDS >= n;
        (0..n).filter(near).for_each(|i| add([&word[..i], &word[i + 1..]].concat()));
    }
    if word.iter().any(|&c| c != 0x61) {
        add(vec![0x61; n]);
    }
    (0..n.min(ENDS)).filter(|&i| rank(word[i]) > rank(0x61)).for_each(|i| {
        let mut w = word.to_vec();
        w[i] = 0x61;
        add(w);
    });
    out
}

/// Integers nearer to 0, the nearest first.
pub(super) fn nearer(n: &Int) -> Vec<Int> {
    let (zero, one) = (Int::from(0), Int::from(1));
    let size = n.abs();
    let half = size.div_euclid_smt(&Int::from(2)).unwrap_or_default();
    let sign = |m: Int| if n.is_negative() { -m } else { m };
    let mut out = vec![zero, one];
    if n.is_negative() {
        out.push(size.clone());
    }
    out.extend([Int::from(2), half.clone(), &half + &Int::from(1), &size - &Int::from(1)].map(sign));
    let mut seen: Vec<Int> = Vec::new();
    for m in out {
        let nearer = m.abs() < size || (m.abs() == size && n.is_negative() && !m.is_negative());
        if nearer && !seen.contains(&m) {
            seen.push(m);
        }
    }
    seen
}
