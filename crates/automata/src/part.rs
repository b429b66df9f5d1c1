//! What a part of a concatenation may be, if the whole is in a language.
//!
//! A word acts on the states of the language: from each state it leads to another. Words that act alike can replace each other at all places at once, so the
//! actions are the states of an automaton, which accepts where the concatenation leads from the start to the end. Example: `ww` is in `a*b` for no `w`, and
//! in `(ab)*` for the `w` in `(ab)*`. Parts that occur once are words of a language; places of other parts that occur again are words by themselves, so that
//! the result may have words too many, and never lacks one.

use crate::alphabet::Alphabet;
use crate::language::{Fuel, Language, determinise};
use crate::nfa::Nfa;
use rustc_hash::FxHashMap;

/// States of the language that are explored, at most.
const MAX_STATES: usize = 200;
/// No state: a word leads out of the language.
const NOWHERE: u32 = u32::MAX;

/// A part of a concatenation.
#[derive(Clone, Debug)]
pub enum Part {
    /// A constant.
    Word(Vec<u32>),
    /// The part in question, the same word at all its places.
    Wanted,
    /// Some word of this language.
    Some(Nfa),
}

/// The words of the wanted part with which the parts, for some words of the others, are in the language. None if there are more than `most` actions, or
/// work is used up.
pub fn part(parts: &[Part], whole: &mut dyn Language, most: usize, fuel: &mut Fuel) -> Option<Nfa> {
    let mut few = Fuel::new((MAX_STATES * Alphabet::new(whole.cuts()).len()) as u64);
    let whole = determinise(whole, &mut few)?;
    let Some(&start) = whole.initial.first() else { return Some(Nfa::new()) };
    let states: Vec<u32> = (0..).take(whole.len()).collect();
    let moves = parts.iter().map(|p| Move::new(p, &whole, fuel)).collect::<Option<Vec<Move>>>()?;
    let classes = classes(&whole);
    let mut out = Nfa::new();
    let mut numbers: FxHashMap<Vec<u32>, u32> = FxHashMap::default();
    let mut list: Vec<Vec<u32>> = vec![states.clone()];
    numbers.insert(states, 0);
    let first = out.add(false);
    out.initial.push(first);
    let mut at = 0;
    while let Some(action) = list.get(at).cloned() {
        fuel.spend(1 + action.len() * (moves.len() + classes.len()))?;
        out.accepting[at] = leads_to_an_end(&moves, &whole, start, &action, fuel)?;
        for &(first, last) in &classes {
            let next: Vec<u32> = action.iter().map(|&s| step(&whole, s, first)).collect();
            if next.iter().all(|&s| s == NOWHERE) {
                continue;
            }
            let to = *numbers.entry(next).or_insert_with_key(|next| {
                list.push(next.clone());
                out.add(false)
            });
            out.edges[at].push((first, last, to));
        }
        if list.len() > most {
            return None;
        }
        at += 1;
    }
    Some(out.trimmed())
}

/// How a part changes the state.
enum Move {
    /// By the action.
    Wanted,
    /// To one of these states, by the state before.
    Fixed(Vec<Vec<u32>>),
}

impl Move {
    fn new(part: &Part, whole: &Nfa, fuel: &mut Fuel) -> Option<Move> {
        let states = (0..).take(whole.len());
        Some(match part {
            Part::Wanted => Move::Wanted,
            Part::Word(w) => {
                fuel.spend(1 + whole.len() * w.len())?;
                let after = |s: u32| w.iter().fold(s, |s, &c| step(whole, s, c));
                Move::Fixed(
                    states.map(|s| Some(after(s)).filter(|&s| s != NOWHERE).into_iter().collect()).collect(),
                )
            }
            Part::Some(words) => {
                Move::Fixed(states.map(|s| ends(whole, s, words, fuel)).collect::<Option<_>>()?)
            }
        })
    }
}

/// The states that the words of a language lead to.
fn ends(whole: &Nfa, from: u32, words: &Nfa, fuel: &mut Fuel) -> Option<Vec<u32>> {
    let mut seen: Vec<bool> = vec![false; whole.len() * words.len()];
    let mut stack: Vec<(u32, u32)> = Vec::new();
    let mut out: Vec<u32> = Vec::new();
    let mut visit = |s: u32, w: u32, stack: &mut Vec<(u32, u32)>| {
        if !std::mem::replace(&mut seen[s as usize * words.len() + w as usize], true) {
            stack.push((s, w));
            if words.accepting[w as usize] {
                out.push(s);
            }
        }
    };
    words.initial.iter().for_each(|&w| visit(from, w, &mut stack));
    while let Some((s, w)) = stack.pop() {
        for &(a, b, next) in &whole.edges[s as usize] {
            fuel.spend(1 + words.edges[w as usize].len())?;
            for &(c, d, after) in &words.edges[w as usize] {
                if a.max(c) <= b.min(d) {
                    visit(next, after, &mut stack);
                }
            }
        }
    }
    out.sort_unstable();
    out.dedup();
    Some(out)
}

/// Whether the parts lead from the start to an end, the wanted one by this action.
fn leads_to_an_end(moves: &[Move], whole: &Nfa, start: u32, action: &[u32], fuel: &mut Fuel) -> Option<bool> {
    let mut now = vec![start];
    for m in moves {
        let mut next: Vec<u32> = match m {
            Move::Wanted => now.iter().map(|&s| action[s as usize]).filter(|&s| s != NOWHERE).collect(),
            Move::Fixed(to) => now.iter().flat_map(|&s| &to[s as usize]).copied().collect(),
        };
        fuel.spend(1 + next.len())?;
        next.sort_unstable();
        next.dedup();
        now = next;
    }
    Some(now.iter().any(|&s| whole.accepting[s as usize]))
}

/// The state after a character, of an automaton that is deterministic.
fn step(whole: &Nfa, s: u32, c: u32) -> u32 {
    if s == NOWHERE {
        return NOWHERE;
    }
    let edges = &whole.edges[s as usize];
    edges.iter().find(|&&(a, b, _)| a <= c && c <= b).map_or(NOWHERE, |&(_, _, to)| to)
}

/// The intervals that no edge divides, as far as edges have them.
fn classes(whole: &Nfa) -> Vec<(u32, u32)> {
    let mut cuts: Vec<u32> = whole.edges.iter().flatten().flat_map(|&(a, b, _)| [a, b + 1]).collect();
    cuts.sort_unstable();
    cuts.dedup();
    cuts.windows(2).map(|w| (w[0], w[1] - 1)).collect()
}
