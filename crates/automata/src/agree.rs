//! A word of a language on which two functions have the same value.
//!
//! Both transducers and the language read the input side by side, as in `twin.rs`; here every delay of a state is followed, the
//! shortest input first. This is Post's correspondence problem: with the functions `0 ↦ a, 1 ↦ bb` and `0 ↦ ab, 1 ↦ b` the delay after `0` is
//! `b`, after `01` nothing is left. So the search may have no end; it has one if all delays stay short or clash.

use crate::alphabet::Alphabet;
use crate::language::{Fuel, Language};
use crate::transducer::{Edge, Sym, Transducer, letters_of};
use crate::twin::Product;
use rustc_hash::FxHashSet;

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// The values of this word are the same.
    Word(Vec<u32>),
    /// No word of the language has one value.
    Never,
}

/// The longest delay.
const MAX_DELAY: usize = 200;

/// What one output is ahead of the other, and whether that is the second.
type Delay = (bool, Vec<u32>);

/// Searches for a word on which two functions agree. None if it takes too much work, or more than `most` states of the machines.
pub fn agree(
    f: &Transducer,
    g: &Transducer,
    language: &mut dyn Language,
    most: usize,
    fuel: &mut Fuel,
) -> Option<Agreement> {
    let alphabet = f.alphabet.join(&g.alphabet).join(&Alphabet::new(language.cuts()));
    let (f, g) = (f.refined(&alphabet), g.refined(&alphabet));
    let product = Product::new(&f, &g, language, most, fuel)?;
    if product.distance[0].is_none() {
        return Some(Agreement::Never);
    }
    let mut complete = true;
    let mut seen: FxHashSet<(usize, Delay)> = FxHashSet::default();
    let mut queue: Vec<(usize, Delay, usize, u32)> = Vec::new();
    if let Some(first) = after(&(false, Vec::new()), &f.lead, &g.lead) {
        seen.insert((0, first.clone()));
        queue.push((0, first, 0, 0));
    }
    let mut at = 0;
    while at < queue.len() {
        let (s, delay, ..) = queue[at].clone();
        let (q, r, _) = product.states[s];
        let (x, y) = (&f.ends[q as usize], &g.ends[r as usize]);
        if product.ends[s]
            && let (Some(x), Some(y)) = (x, y)
            && after(&delay, x, y).is_some_and(|(_, rest)| rest.is_empty())
        {
            return Some(Agreement::Word(path(&queue, at)));
        }
        for step in product.steps[s].iter().filter(|step| product.distance[step.to].is_some()) {
            let x = &f.edges[q as usize][step.class][step.edges.0];
            let y = &g.edges[r as usize][step.class][step.edges.1];
            fuel.spend(1 + x.out.len() + y.out.len() + delay.1.len())?;
            // Of a class with several letters only one is tried.
            let copies = |e: &Edge| e.out.contains(&Sym::Copy);
            if product.alphabet.single(step.class).is_none() && (copies(x) || copies(y)) {
                complete = false;
            }
            let letter = product.alphabet.representative(step.class);
            let Some(next) = after(&delay, &letters_of(&x.out, letter), &letters_of(&y.out, letter)) else {
                continue;
            };
            if next.1.len() > MAX_DELAY {
                complete = false;
            } else if seen.insert((step.to, next.clone())) {
                queue.push((step.to, next, at, letter));
            }
        }
        at += 1;
    }
    complete.then_some(Agreement::Never)
}

/// The delay after both have written more; none if the outputs differ.
fn after(delay: &Delay, x: &[u32], y: &[u32]) -> Option<Delay> {
    let (second, ahead) = delay;
    let (x, y) =
        if *second { (x.to_vec(), [&ahead[..], y].concat()) } else { ([&ahead[..], x].concat(), y.to_vec()) };
    let common = x.iter().zip(&y).take_while(|(a, b)| a == b).count();
    match (common == x.len(), common == y.len()) {
        (_, true) => Some((false, x[common..].to_vec())),
        (true, _) => Some((true, y[common..].to_vec())),
        _ => None,
    }
}

/// The input that leads to a place in the queue.
fn path(queue: &[(usize, Delay, usize, u32)], mut at: usize) -> Vec<u32> {
    let mut word = Vec::new();
    while at > 0 {
        word.push(queue[at].3);
        at = queue[at].2;
    }
    word.reverse();
    word
}
