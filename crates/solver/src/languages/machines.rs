//! Functions with constant arguments as transducers, with the images of languages under them.
//!
//! Everything here depends on constants only, so it is computed once in a check and kept. `(str.replace_all x "ab" "c")` and
//! `(str.to_lower x)` are functions of `x`; nested ones are composed, and equal compositions have one number.

use super::joint::{self, Tapes};
use super::states::States;
use automata::{Agreement, Everything, Fuel, Nfa, Part, Transducer, Twin};
use rustc_hash::FxHashMap;
use semantics::regex::{Automaton, Re, RegexStore};
use smt::work::spend;
use std::rc::Rc;

/// A function of one string.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Function {
    /// `str.replace` of a word by another.
    Replace(Vec<u32>, Vec<u32>),
    /// `str.replace_all` of a word by another.
    ReplaceAll(Vec<u32>, Vec<u32>),
    /// `str.replace_re` of a language by a word.
    ReplaceRe(Re, Vec<u32>),
    /// `str.replace_re_all` of a language by a word.
    ReplaceReAll(Re, Vec<u32>),
    /// `str.to_lower`
    Lower,
    /// `str.to_upper`
    Upper,
    /// `str.rev`
    Reverse,
}

/// A part of a concatenation; see [`Machines::part`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Slot {
    /// A constant.
    Word(Vec<u32>),
    /// The part in question.
    Wanted,
    /// A word of a language.
    Some(Re),
}

/// The number of a transducer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Id(u32);

/// States of one machine, at most.
const MAX_STATES: usize = 20_000;
/// States of a composition, at most.
const MAX_COMPOSED: usize = 2_000;
/// Work for one machine, in edges.
const WORK: u64 = 2_000_000;
/// Work for what a part may be: lengths change with every model, so there are many.
const PART_WORK: u64 = 200_000;
/// Ways in which the words of a part act on the states of the whole, at most.
const MAX_ACTIONS: usize = 2_000;

/// The machines of a check.
#[derive(Debug, Default)]
pub(crate) struct Machines {
    all: Vec<Rc<Transducer>>,
    numbers: FxHashMap<Rc<Transducer>, Id>,
    single: FxHashMap<Function, Option<Id>>,
    composed: FxHashMap<(Id, Id), Option<Id>>,
    inverse: FxHashMap<(Function, Re), Option<Re>>,
    image: FxHashMap<(Function, Re), Option<Re>>,
    twins: FxHashMap<(Id, Id), Option<Twin>>,
    agreements: FxHashMap<(Id, Id, Re), Option<Agreement>>,
    parts: FxHashMap<(Re, Vec<Slot>), Option<Re>>,
    factors: FxHashMap<Re, Option<Re>>,
    joint: FxHashMap<Tapes, Option<Option<Vec<Vec<u32>>>>>,
}

impl Machines {
    /// The transducer with a number.
    pub(crate) fn transducer(&self, id: Id) -> &Rc<Transducer> {
        &self.all[id.0 as usize]
    }

    /// The function that changes nothing.
    pub(crate) fn identity(&mut self) -> Id {
        self.number(automata::letters(&[]))
    }

    fn number(&mut self, t: Transducer) -> Id {
        let t = Rc::new(t);
        let fresh = Id(u32::try_from(self.all.len()).expect("few transducers"));
        let id = *self.numbers.entry(Rc::clone(&t)).or_insert(fresh);
        if id == fresh {
            self.all.push(t);
        }
        id
    }

    /// The transducer of a function; none if it has none, or a large one.
    pub(crate) fn of(&mut self, store: &mut RegexStore, f: &Function) -> Option<Id> {
        if let Some(&known) = self.single.get(f) {
            return known;
        }
        let made = limited(|fuel| build(store, f, fuel));
        let id = made.map(|t| self.number(automata::minimal(&t)));
        self.single.insert(f.clone(), id);
        id
    }

    /// The function that applies the first, then the second.
    pub(crate) fn compose(&mut self, first: Id, second: Id) -> Option<Id> {
        if let Some(&known) = self.composed.get(&(first, second)) {
            return known;
        }
        let (f, g) = (Rc::clone(self.transducer(first)), Rc::clone(self.transducer(second)));
        let made = limited(|fuel| automata::compose(&f, &g, MAX_COMPOSED, fuel));
        let id = made.map(|t| self.number(automata::minimal(&t)));
        self.composed.insert((first, second), id);
        id
    }

    /// The value of a word; none if the transducer is too large.
    pub(crate) fn apply(&mut self, store: &mut RegexStore, f: &Function, word: &[u32]) -> Option<Vec<u32>> {
        if *f == Function::Reverse {
            return Some(word.iter().rev().copied().collect());
        }
        let id = self.of(store, f)?;
        self.transducer(id).values(word).into_iter().next()
    }

    /// The words whose value is in a language.
    pub(crate) fn inverse(&mut self, store: &mut RegexStore, f: &Function, language: Re) -> Option<Re> {
        let key = (f.clone(), language);
        if let Some(&known) = self.inverse.get(&key) {
            return known;
        }
        let id = self.of(store, f);
        let nfa = match (f, id) {
            _ if !store.is_exact(language) => None,
            (Function::Reverse, _) => reversed(store, language),
            (_, Some(id)) => {
                let t = Rc::clone(self.transducer(id));
                limited(|fuel| automata::inverse(&t, &mut States::new(store, language), MAX_STATES, fuel))
            }
            (_, None) => None,
        };
        let re = nfa.map(|nfa| expression(store, nfa));
        self.inverse.insert(key, re);
        re
    }

    /// The values of the words of a language.
    pub(crate) fn image(&mut self, store: &mut RegexStore, f: &Function, language: Re) -> Option<Re> {
        let key = (f.clone(), language);
        if let Some(&known) = self.image.get(&key) {
            return known;
        }
        let id = self.of(store, f);
        let nfa = match (f, id) {
            _ if !store.is_exact(language) => None,
            (Function::Reverse, _) => reversed(store, language),
            (_, Some(id)) => {
                let t = Rc::clone(self.transducer(id));
                limited(|fuel| automata::image(&t, &mut States::new(store, language), MAX_STATES, fuel))
            }
            (_, None) => None,
        };
        let re = nfa.map(|nfa| expression(store, nfa));
        self.image.insert(key, re);
        re
    }

    /// The words of the wanted slot with which a concatenation is in a language, or more.
    pub(crate) fn part(&mut self, store: &mut RegexStore, whole: Re, slots: Vec<Slot>) -> Option<Re> {
        let key = (whole, slots);
        if let Some(&known) = self.parts.get(&key) {
            return known;
        }
        let nfa = within(PART_WORK, |fuel| {
            let slots: Option<Vec<Part>> = key.1.iter().map(|s| part_of(store, s, fuel)).collect();
            let exact = store.is_exact(whole);
            let mut states = States::new(store, whole);
            automata::part(&slots?, &mut states, MAX_ACTIONS, fuel).filter(|_| exact)
        });
        let re = nfa.map(|nfa| expression(store, nfa));
        self.parts.insert(key, re);
        re
    }

    /// The factors of the words of a language.
    pub(crate) fn factors(&mut self, store: &mut RegexStore, language: Re) -> Option<Re> {
        if let Some(&known) = self.factors.get(&language) {
            return known;
        }
        let exact = store.is_exact(language);
        let nfa = within(PART_WORK, |fuel| automata::determinise(&mut States::new(store, language), fuel));
        let re = nfa.filter(|_| exact).map(|nfa| expression(store, factors_of(nfa)));
        self.factors.insert(language, re);
        re
    }

    /// The words that tapes share; none of them if there are none. None if that took too much work.
    pub(crate) fn joint(&mut self, store: &mut RegexStore, tapes: Tapes) -> Option<Option<Vec<Vec<u32>>>> {
        if let Some(known) = self.joint.get(&tapes) {
            return known.clone();
        }
        let words = joint::read(store, &tapes);
        self.joint.insert(tapes, words.clone());
        words
    }

    /// A word of a language on which two functions have one value; none if none was found.
    pub(crate) fn agree(&mut self, store: &mut RegexStore, f: Id, g: Id, language: Re) -> Option<&Agreement> {
        let key = (f.min(g), f.max(g), language);
        if !self.agreements.contains_key(&key) {
            let (s, t) = (Rc::clone(self.transducer(f)), Rc::clone(self.transducer(g)));
            let exact = store.is_exact(language);
            let found = limited(|fuel| {
                automata::agree(&s, &t, &mut States::new(store, language), MAX_STATES, fuel).filter(|_| exact)
            });
            self.agreements.insert(key, found);
        }
        self.agreements[&key].as_ref()
    }

    /// Whether two functions have the same values on all words; none if that took too much work.
    pub(crate) fn compare(&mut self, f: Id, g: Id) -> Option<&Twin> {
        let key = (f.min(g), f.max(g));
        if !self.twins.contains_key(&key) {
            let (s, t) = (Rc::clone(self.transducer(f)), Rc::clone(self.transducer(g)));
            let equal = || Some(Twin::Equal);
            let compare = |fuel: &mut Fuel| automata::compare(&s, &t, &mut Everything, MAX_STATES, fuel);
            let verdict = if f == g { equal() } else { limited(compare) };
            self.twins.insert(key, verdict);
        }
        self.twins[&key].as_ref()
    }
}

/// Runs an operation with the usual budget, and counts its work.
fn limited<T>(work: impl FnOnce(&mut Fuel) -> Option<T>) -> Option<T> {
    within(WORK, work)
}

fn within<T>(units: u64, work: impl FnOnce(&mut Fuel) -> Option<T>) -> Option<T> {
    let mut fuel = Fuel::new(units);
    let result = work(&mut fuel);
    spend(usize::try_from(fuel.used()).unwrap_or(usize::MAX));
    result
}

fn build(store: &mut RegexStore, f: &Function, fuel: &mut Fuel) -> Option<Transducer> {
    let shifted = |first: u32, by: i64| {
        let to = |c: u32| u32::try_from(i64::from(c) + by).expect("a letter");
        automata::letters(&(first..first + 26).map(|c| (c, vec![to(c)])).collect::<Vec<_>>())
    };
    match f {
        Function::Replace(u, w) => Some(automata::replace(u, w)),
        Function::ReplaceAll(u, w) => Some(automata::replace_all(u, w)),
        Function::ReplaceRe(r, w) if store.is_exact(*r) => {
            automata::replace_re(&mut States::new(store, *r), w, fuel)
        }
        Function::ReplaceReAll(r, w) if store.is_exact(*r) => {
            automata::replace_re_all(&mut States::new(store, *r), w, fuel)
        }
        Function::ReplaceRe(..) | Function::ReplaceReAll(..) | Function::Reverse => None,
        Function::Lower => Some(shifted(0x41, 0x20)),
        Function::Upper => Some(shifted(0x61, -0x20)),
    }
}

/// A slot, if its language is exact.
fn part_of(store: &mut RegexStore, slot: &Slot, fuel: &mut Fuel) -> Option<Part> {
    Some(match slot {
        Slot::Word(w) => Part::Word(w.clone()),
        Slot::Wanted => Part::Wanted,
        Slot::Some(r) if store.is_exact(*r) => {
            Part::Some(automata::determinise(&mut States::new(store, *r), fuel)?)
        }
        Slot::Some(_) => return None,
    })
}

/// The automaton with all states that lead to an accepting one as first and last states.
fn factors_of(mut nfa: Nfa) -> Nfa {
    let mut live = nfa.accepting.clone();
    let mut changed = true;
    while changed {
        changed = false;
        for state in 0..live.len() {
            spend(nfa.edges[state].len());
            if !live[state] && nfa.edges[state].iter().any(|&(_, _, to)| live[to as usize]) {
                live[state] = true;
                changed = true;
            }
        }
    }
    nfa.initial = (0..).zip(&live).filter(|(_, live)| **live).map(|(state, _)| state).collect();
    nfa.accepting = live;
    nfa
}

/// The words of a language read backwards.
fn reversed(store: &mut RegexStore, language: Re) -> Option<Nfa> {
    let nfa = limited(|fuel| automata::determinise(&mut States::new(store, language), fuel))?;
    Some(nfa.reversed())
}

fn expression(store: &mut RegexStore, nfa: Nfa) -> Re {
    store.automaton(Automaton::new(nfa.edges, nfa.accepting), &nfa.initial)
}
