//! The composition of two transducers.
//!
//! What the first writes in a step is fed through the second: a copy is read as the character of the step, so a copy of it is a copy again.

use crate::language::Fuel;
use crate::transducer::{Sym, Transducer};
use rustc_hash::FxHashMap;

/// The function that applies `first`, then `second`. None if it takes too much work, or more than `most` states.
pub fn compose(first: &Transducer, second: &Transducer, most: usize, fuel: &mut Fuel) -> Option<Transducer> {
    let alphabet = first.alphabet.join(&second.alphabet);
    let (first, second) = (first.refined(&alphabet), second.refined(&alphabet));
    let lead: Vec<Sym> = first.lead.iter().map(|&c| Sym::Letter(c)).collect();
    let [(lead, start)] = &feed(&second, second.start, &lead, 0)[..] else { return None };
    let mut out = Transducer::new(alphabet);
    out.lead = second.lead.iter().copied().chain(constants(lead)?).collect();
    let mut pairs = vec![(first.start, *start)];
    let mut numbers: FxHashMap<(u32, u32), u32> = pairs.iter().map(|&p| (p, 0)).collect();
    let mut at = 0;
    while let Some(&(p, q)) = pairs.get(at) {
        let from = u32::try_from(at).expect("few states");
        out.ends[at] = end(&first, &second, p, q);
        for class in 0..out.alphabet.len() {
            for e in &first.edges[p as usize][class] {
                fuel.spend(1 + e.out.len())?;
                for (word, to) in feed(&second, q, &e.out, class) {
                    let pair = (e.to, to);
                    let to = *numbers.entry(pair).or_insert_with(|| {
                        pairs.push(pair);
                        out.add(None)
                    });
                    out.edge(from, class, word, to);
                }
            }
        }
        if pairs.len() > most {
            return None;
        }
        at += 1;
    }
    Some(out)
}

/// The words that the second writes for a word of the first, and the states after it. Copies are of characters of `class`.
fn feed(second: &Transducer, from: u32, word: &[Sym], class: usize) -> Vec<(Vec<Sym>, u32)> {
    let mut now = vec![(Vec::new(), from)];
    for &s in word {
        let read = match s {
            Sym::Letter(c) => second.alphabet.class(c),
            Sym::Copy => class,
        };
        let written = |x: &Sym| if *x == Sym::Copy { s } else { *x };
        let mut next = Vec::new();
        for (w, q) in &now {
            for e in &second.edges[*q as usize][read] {
                next.push((w.iter().copied().chain(e.out.iter().map(written)).collect(), e.to));
            }
        }
        now = next;
    }
    now
}

/// What is written at the end of the input.
fn end(first: &Transducer, second: &Transducer, p: u32, q: u32) -> Option<Box<[u32]>> {
    let word: Vec<Sym> = first.ends[p as usize].as_ref()?.iter().map(|&c| Sym::Letter(c)).collect();
    feed(second, q, &word, 0).into_iter().find_map(|(w, q)| {
        let last = second.ends[q as usize].as_ref()?;
        Some(constants(&w)?.into_iter().chain(last.iter().copied()).collect())
    })
}

/// A word without copies.
fn constants(word: &[Sym]) -> Option<Vec<u32>> {
    let letter = |s: &Sym| match *s {
        Sym::Letter(c) => Some(c),
        Sym::Copy => None,
    };
    word.iter().map(letter).collect()
}
