//! The minimal form of a deterministic transducer.
//!
//! What is written on all ways from a state is written before the state (M. Mohri, "Minimization algorithms for sequential transducers",
//! TCS 234, 2000), except for copies, which are bound to their step. Then states with the same ends and steps are merged.

use crate::transducer::{Edge, Sym, Transducer};
use rustc_hash::FxHashMap;

/// The same function with as few states as the two steps give; unchanged if it is not subsequential.
pub fn minimal(t: &Transducer) -> Transducer {
    if !t.is_subsequential() {
        return t.clone();
    }
    merged(&onward(t))
}

/// Longest common prefixes of what is written from each state, without copies.
fn prefixes(t: &Transducer) -> Vec<Vec<u32>> {
    let mut known: Vec<Option<Vec<u32>>> = vec![None; t.len()];
    loop {
        let mut changed = false;
        for s in (0..t.len()).rev() {
            let mut best = t.ends[s].as_ref().map_or(Vec::new(), |w| w.to_vec());
            for e in t.edges[s].iter().flatten() {
                let (mut word, whole) = constants(&e.out);
                let later = known[e.to as usize].as_ref().filter(|_| whole);
                word.extend(later.into_iter().flatten());
                // Before the prefix of the next state is known, any word may follow.
                shorten(&mut best, &word, whole && later.is_none());
            }
            if known[s].as_ref() != Some(&best) {
                known[s] = Some(best);
                changed = true;
            }
        }
        if !changed {
            return known.into_iter().map(Option::unwrap_or_default).collect();
        }
    }
}

/// The letters before the first copy, and whether there is none.
fn constants(out: &[Sym]) -> (Vec<u32>, bool) {
    let letter = |s: &Sym| match *s {
        Sym::Letter(c) => Some(c),
        Sym::Copy => None,
    };
    let word: Vec<u32> = out.iter().map_while(letter).collect();
    let whole = word.len() == out.len();
    (word, whole)
}

/// The common prefix with a word; with anything that starts with it, if it is open.
fn shorten(best: &mut Vec<u32>, word: &[u32], open: bool) {
    let common = best.iter().zip(word).take_while(|(a, b)| a == b).count();
    if !open || common < word.len() {
        best.truncate(common);
    }
}

fn onward(t: &Transducer) -> Transducer {
    let prefix = prefixes(t);
    let mut out = t.clone();
    out.lead = t.lead.iter().chain(&prefix[t.start as usize]).copied().collect();
    for s in 0..t.len() {
        let own = prefix[s].len();
        for e in out.edges[s].iter_mut().flatten() {
            let later = prefix[e.to as usize].iter().map(|&c| Sym::Letter(c));
            e.out = e.out.iter().copied().chain(later).skip(own).collect();
        }
        out.ends[s] = t.ends[s].as_ref().map(|w| w[own..].into());
    }
    out
}

/// Merges states with the same ends and steps, by refinement of a partition.
fn merged(t: &Transducer) -> Transducer {
    let mut block: Vec<u32> = vec![0; t.len()];
    let mut count = 1;
    loop {
        let mut numbers = FxHashMap::default();
        let signature = |s: usize| {
            let steps: Vec<(&[Sym], u32)> =
                t.edges[s].iter().flatten().map(|e| (&e.out[..], block[e.to as usize])).collect();
            (block[s], &t.ends[s], steps)
        };
        let next: Vec<u32> = (0..t.len())
            .map(|s| {
                let fresh = u32::try_from(numbers.len()).expect("few states");
                *numbers.entry(signature(s)).or_insert(fresh)
            })
            .collect();
        let found = numbers.len();
        drop(numbers);
        block = next;
        if found == count {
            break;
        }
        count = found;
    }
    let mut out =
        Transducer { edges: Vec::new(), ends: Vec::new(), start: block[t.start as usize], ..t.clone() };
    for b in (0..).take(count) {
        let s = block.iter().position(|&x| x == b).expect("a block has a state");
        out.ends.push(t.ends[s].clone());
        let to = |e: &Edge| Edge { out: e.out.clone(), to: block[e.to as usize] };
        out.edges.push(t.edges[s].iter().map(|list| list.iter().map(to).collect()).collect());
    }
    out
}
