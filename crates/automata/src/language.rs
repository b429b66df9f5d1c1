//! Languages as deterministic automata that are explored state by state.

use crate::nfa::Nfa;
use rustc_hash::FxHashMap;

/// The work that is left.
#[derive(Debug)]
pub struct Fuel {
    left: u64,
    all: u64,
}

impl Fuel {
    /// A budget: a unit is about one edge.
    pub fn new(units: u64) -> Fuel {
        Fuel { left: units, all: units }
    }

    /// Uses units; none if there are not so many.
    pub fn spend(&mut self, units: usize) -> Option<()> {
        let left = self.left.checked_sub(units as u64);
        self.left = left.unwrap_or(0);
        left.map(|_| ())
    }

    /// The units used so far.
    pub fn used(&self) -> u64 {
        self.all - self.left
    }
}

/// A language as a deterministic automaton.
pub trait Language {
    /// The start; none if it takes too much work.
    fn start(&mut self) -> Option<u32>;
    /// The state after a character; none if it takes too much work.
    fn step(&mut self, state: u32, letter: u32) -> Option<u32>;
    /// Whether the empty word is accepted from a state.
    fn accepts(&self, state: u32) -> bool;
    /// Whether it is known that no word is accepted from a state.
    fn is_dead(&self, state: u32) -> bool;
    /// Where classes of characters start that every state treats alike.
    fn cuts(&self) -> Vec<u32>;
}

/// All words.
#[derive(Clone, Copy, Debug)]
pub struct Everything;

impl Language for Everything {
    fn start(&mut self) -> Option<u32> {
        Some(0)
    }

    fn step(&mut self, _: u32, _: u32) -> Option<u32> {
        Some(0)
    }

    fn accepts(&self, _: u32) -> bool {
        true
    }

    fn is_dead(&self, _: u32) -> bool {
        false
    }

    fn cuts(&self) -> Vec<u32> {
        Vec::new()
    }
}

/// The explicit automaton of a language, trimmed.
pub fn determinise(language: &mut dyn Language, fuel: &mut Fuel) -> Option<Nfa> {
    let alphabet = crate::Alphabet::new(language.cuts());
    let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
    let mut nfa = Nfa::new();
    let start = language.start()?;
    let mut states = vec![start];
    numbers.insert(start, nfa.add(language.accepts(start)));
    nfa.initial.push(0);
    let mut at = 0;
    while let Some(&state) = states.get(at) {
        for class in 0..alphabet.len() {
            fuel.spend(1)?;
            let next = language.step(state, alphabet.representative(class))?;
            if language.is_dead(next) {
                continue;
            }
            let to = *numbers.entry(next).or_insert_with(|| {
                states.push(next);
                nfa.add(language.accepts(next))
            });
            let (first, last) = alphabet.interval(class);
            nfa.edges[at].push((first, last, to));
        }
        at += 1;
    }
    Some(nfa.trimmed())
}
