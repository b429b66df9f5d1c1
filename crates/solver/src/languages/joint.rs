//! Words that several languages read together.
//!
//! A tape is a language and what is read from it: constants, and words that tapes share, such as `x "z" y` and `"b" x "z" y "b"`. The words are numbered so
//! that every tape has them in ascending order. They are read letter by letter, each by all its tapes at once: a state is the number of the word being read
//! and the derivatives of all languages. The search is breadth first, so that the words found are short in all.

use rustc_hash::FxHashMap;
use semantics::regex::{Re, RegexStore};
use smt::work::spend;

/// States of one search, at most.
const MAX_STATES: usize = 4_000;
/// Derivatives of one search, at most.
const MAX_STEPS: usize = 200_000;
/// The work of one derivative, at most.
const BUDGET: u64 = 20_000;
/// The character after the last one.
const END: u32 = 0x30000;

/// A language, and what is read from it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Tape {
    pub(crate) language: Re,
    /// The characters before the first word.
    pub(crate) before: Vec<u32>,
    /// The words by their numbers, ascending, each with the characters after it.
    pub(crate) words: Vec<(usize, Vec<u32>)>,
}

/// Tapes, and the languages of the words that they share.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Tapes {
    pub(crate) words: Vec<Re>,
    pub(crate) tapes: Vec<Tape>,
}

/// A place in the search.
#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    /// The word being read; after the last one, their number.
    word: usize,
    /// What may follow in it.
    own: Re,
    /// What may follow on each tape.
    rest: Vec<Re>,
}

struct Search<'a> {
    store: &'a mut RegexStore,
    tapes: &'a Tapes,
    /// One character of each class.
    letters: Vec<u32>,
    states: Vec<State>,
    numbers: FxHashMap<State, usize>,
    /// The state before, and the character read; none where the next word begins.
    parents: Vec<Option<(usize, Option<u32>)>>,
    steps: usize,
}

/// The words; none of them if there are none. None if the search is too large.
pub(super) fn read(store: &mut RegexStore, tapes: &Tapes) -> Option<Option<Vec<Vec<u32>>>> {
    let languages = tapes.tapes.iter().map(|t| t.language).chain(tapes.words.iter().copied());
    let languages: Vec<Re> = languages.collect();
    if !languages.iter().all(|&r| store.is_exact(r)) {
        return None;
    }
    let letters = letters(store, &languages);
    let (states, numbers, parents) = (Vec::new(), FxHashMap::default(), Vec::new());
    let mut search = Search { store, tapes, letters, states, numbers, parents, steps: 0 };
    search.run()
}

/// A character of each class of characters that no language tells apart, a letter if it has one.
fn letters(store: &mut RegexStore, languages: &[Re]) -> Vec<u32> {
    let mut starts: Vec<u32> = languages.iter().flat_map(|&r| store.explore(r).1).collect();
    starts.push(0);
    starts.retain(|&start| start < END);
    starts.sort_unstable();
    starts.dedup();
    let ends = starts[1..].iter().copied().chain([END]);
    let inside = |(&start, end): (&u32, u32)| 0x61.clamp(start, end - 1);
    starts.iter().zip(ends).map(inside).collect()
}

impl Search<'_> {
    fn run(&mut self) -> Option<Option<Vec<Vec<u32>>>> {
        self.begin()?;
        let mut at = 0;
        while at < self.states.len() {
            if self.states[at].word == self.tapes.words.len() {
                return Some(Some(self.words(at)));
            }
            self.next_word(at)?;
            self.next_letters(at)?;
            at += 1;
        }
        Some(None)
    }

    /// The state before the first word, with the languages in the form that has derivatives.
    fn begin(&mut self) -> Option<()> {
        let mut rest = Vec::new();
        for tape in &self.tapes.tapes {
            let start = self.store.explore(tape.language).0;
            rest.push(self.derive(start, &tape.before)?);
        }
        let own = self.own(0);
        self.add(State { word: 0, own, rest }, None)
    }

    /// The language of a word; after the last one, all.
    fn own(&mut self, word: usize) -> Re {
        match self.tapes.words.get(word) {
            Some(&r) => self.store.explore(r).0,
            None => self.store.all(),
        }
    }

    fn derive(&mut self, r: Re, text: &[u32]) -> Option<Re> {
        self.steps += text.len();
        spend(text.len());
        text.iter().try_fold(r, |r, &c| self.store.derivative_by(r, c, BUDGET))
    }

    /// Ends the word being read.
    fn next_word(&mut self, at: usize) -> Option<()> {
        let mut state = self.states[at].clone();
        if !self.store.nullable(state.own) {
            return Some(());
        }
        let tapes = self.tapes;
        for (k, tape) in tapes.tapes.iter().enumerate() {
            if let Some((_, after)) = tape.words.iter().find(|(w, _)| *w == state.word) {
                state.rest[k] = self.derive(state.rest[k], after)?;
            }
        }
        state.word += 1;
        state.own = self.own(state.word);
        self.add(state, Some((at, None)))
    }

    /// Reads each character.
    fn next_letters(&mut self, at: usize) -> Option<()> {
        for k in 0..self.letters.len() {
            let c = self.letters[k];
            let mut state = self.states[at].clone();
            state.own = self.derive(state.own, &[c])?;
            if self.store.is_visibly_empty(state.own) {
                continue;
            }
            for (k, tape) in self.tapes.tapes.iter().enumerate() {
                if tape.words.iter().any(|(w, _)| *w == state.word) {
                    state.rest[k] = self.derive(state.rest[k], &[c])?;
                }
            }
            self.add(state, Some((at, Some(c))))?;
        }
        (self.steps <= MAX_STEPS).then_some(())
    }

    /// Adds a state from which something may be accepted. None if there are too many.
    fn add(&mut self, state: State, parent: Option<(usize, Option<u32>)>) -> Option<()> {
        let ended = state.word == self.tapes.words.len();
        let dead = state.rest.iter().any(|&r| self.store.is_visibly_empty(r));
        if dead
            || ended && !state.rest.iter().all(|&r| self.store.nullable(r))
            || self.numbers.contains_key(&state)
        {
            return Some(());
        }
        self.numbers.insert(state.clone(), self.states.len());
        self.states.push(state);
        self.parents.push(parent);
        (self.states.len() <= MAX_STATES).then_some(())
    }

    /// The words on the way to a state.
    fn words(&self, mut at: usize) -> Vec<Vec<u32>> {
        let mut words = vec![Vec::new(); self.tapes.words.len()];
        while let Some((before, letter)) = self.parents[at] {
            if let Some(c) = letter {
                words[self.states[at].word].insert(0, c);
            }
            at = before;
        }
        words
    }
}
