//! Languages of the store as automata: the states are derivatives.

use automata::Language;
use rustc_hash::FxHashMap;
use semantics::regex::{Re, RegexStore};

/// The work of one derivative, at most.
const BUDGET: u64 = 20_000;

/// A language, explored state by state.
pub(super) struct States<'a> {
    store: &'a mut RegexStore,
    list: Vec<Re>,
    numbers: FxHashMap<Re, u32>,
    starts: Vec<u32>,
}

impl<'a> States<'a> {
    pub(super) fn new(store: &'a mut RegexStore, language: Re) -> States<'a> {
        let (start, starts) = store.explore(language);
        let numbers = [(start, 0)].into_iter().collect();
        States { store, list: vec![start], numbers, starts }
    }
}

impl Language for States<'_> {
    fn start(&mut self) -> Option<u32> {
        Some(0)
    }

    fn step(&mut self, state: u32, letter: u32) -> Option<u32> {
        let class = self.starts.partition_point(|&start| start <= letter) - 1;
        let next = self.store.derivative_by(self.list[state as usize], self.starts[class], BUDGET)?;
        let fresh = u32::try_from(self.list.len()).ok()?;
        let number = *self.numbers.entry(next).or_insert(fresh);
        if number == fresh {
            self.list.push(next);
        }
        Some(number)
    }

    fn accepts(&self, state: u32) -> bool {
        self.store.nullable(self.list[state as usize])
    }

    fn is_dead(&self, state: u32) -> bool {
        self.store.is_visibly_empty(self.list[state as usize])
    }

    fn cuts(&self) -> Vec<u32> {
        self.starts.clone()
    }
}
