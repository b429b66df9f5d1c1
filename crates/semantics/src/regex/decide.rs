//! Properties of languages: emptiness, equivalence, shortest words.

use rustc_hash::{FxHashMap, FxHashSet};

use super::charset::representatives;
use super::derive::{Fuel, Spent};
use super::matching::limited;
use super::node::{Node, Re};
use super::store::RegexStore;

/// Properties of languages.
///
/// They are decidable, but at a cost that has no elementary bound if there are complements (L.
/// Stockmeyer and A. Meyer, "Word problems requiring exponential time", STOC 1973). So each is
/// given a `budget`, in units of about one visited expression, and the answer is `None` if it
/// is exhausted. Memory use is at worst proportional to the budget.
///
/// The answer is also `None` if it might depend on words of 2⁶⁴ - 1 characters or more, because a
/// loop has a [`Count::Beyond`](super::Count::Beyond).
impl RegexStore {
    /// Whether there is no word in the language.
    pub fn is_empty_language(&mut self, r: Re, budget: u64) -> Option<bool> {
        let found = self.search_within(r, true, budget);
        self.relieve(&[]);
        match found? {
            Found::Nothing => self.facts(r).exact.then_some(true),
            Found::Something | Found::Word(_) => Some(false),
        }
    }

    /// One of the shortest words of the language; `Some(None)` if it is empty.
    pub fn shortest_member(&mut self, r: Re, budget: u64) -> Option<Option<Vec<u32>>> {
        let found = self.search_within(r, false, budget);
        self.relieve(&[]);
        match found? {
            Found::Word(word) => Some(Some(word)),
            Found::Nothing | Found::Something => self.facts(r).exact.then_some(None),
        }
    }

    /// Whether two expressions are the same language.
    pub fn equivalent(&mut self, a: Re, b: Re, budget: u64) -> Option<bool> {
        self.distinguish(a, b, budget).map(|word| word.is_none())
    }

    /// A word that is in one of two languages, but not in the other; `Some(None)` if they are the
    /// same.
    pub fn distinguish(&mut self, a: Re, b: Re, budget: u64) -> Option<Option<Vec<u32>>> {
        let word = limited(budget, |fuel| self.compare(a, b, fuel));
        self.relieve(&[]);
        match word? {
            None if self.facts(a).exact && self.facts(b).exact => Some(None),
            None => None,
            word => Some(word),
        }
    }
}

/// The intersections that one is split into, at most.
const MAX_ALTERNATIVES: usize = 256;

/// The outcome of a search for a word.
enum Found {
    /// There is none.
    Nothing,
    /// There is one, but which one is not known.
    Something,
    /// This one.
    Word(Vec<u32>),
}

impl Found {
    /// The outcome for the language of which the reversed words were searched.
    fn reversed(mut self) -> Found {
        if let Found::Word(word) = &mut self {
            word.reverse();
        }
        self
    }
}

/// What has been reached, and how: from what other entry, by what character.
type Reached<T> = Vec<(T, Option<(usize, u32)>)>;

/// The word that leads to an entry and on by a step from there.
fn word_to<T>(reached: &Reached<T>, mut step: Option<(usize, u32)>) -> Vec<u32> {
    let mut word = Vec::new();
    while let Some((from, c)) = step {
        word.push(c);
        step = reached[from].1;
    }
    word.reverse();
    word
}

impl RegexStore {
    /// Searches in four ways, each with a part of the budget: through the words of the language, through them read
    /// backwards, and both with intersections split at their unions.
    ///
    /// `Σ*aΣ{n}` has 2ⁿ derivatives, and its complement has as many single states. Read backwards it is `Σ{n}aΣ*`, which has n + 2.
    fn search_within(&mut self, r: Re, any: bool, budget: u64) -> Option<Found> {
        if !self.has(r, |node| matches!(node, Node::Inter(_) | Node::Comp(_))) {
            return limited(budget, |fuel| self.search(r, any, false, fuel));
        }
        let part = budget / 4;
        let found = limited(part, |fuel| self.search(r, any, false, fuel));
        if found.is_some() {
            return found;
        }
        let reverse = self.reverse(r);
        let backwards = |store: &mut RegexStore, split: bool| {
            limited(part, |fuel| store.search(reverse, any, split, fuel)).map(Found::reversed)
        };
        let found = backwards(self, false);
        if found.is_some() || !self.has(r, |node| matches!(node, Node::Inter(_))) {
            return found;
        }
        limited(part, |fuel| self.search(r, any, true, fuel)).or_else(|| backwards(self, true))
    }

    /// Whether a part of an expression has a property.
    fn has(&self, r: Re, property: impl Fn(&Node) -> bool) -> bool {
        let mut seen: FxHashSet<Re> = FxHashSet::default();
        let mut pending = vec![r];
        while let Some(r) = pending.pop() {
            if property(self.node(r)) {
                return true;
            }
            if seen.insert(r) {
                smt::work::spend(1);
                pending.extend_from_slice(self.node(r).children());
            }
        }
        false
    }

    /// The intersections whose union an intersection is, with one member of each union in it; itself if they are too many.
    ///
    /// A derivative of an intersection of products is an intersection of unions, one for each set of states in which the
    /// products may be: exponentially many for `Σ*aΣ{n} ∩ Σ*bΣ{n}`. Split, each state is a tuple of single products,
    /// of which there are (n + 2)².
    fn alternatives(&mut self, state: Re, fuel: &mut Fuel) -> Result<Vec<Re>, Spent> {
        let Node::Inter(members) = self.node(state) else { return Ok(vec![state]) };
        let members = members.clone();
        let choices: Vec<Vec<Re>> = members.iter().map(|m| self.members(m).to_vec()).collect();
        let count = choices.iter().fold(1, |n: usize, c| n.saturating_mul(c.len()));
        if count == 1 || count > MAX_ALTERNATIVES {
            return Ok(vec![state]);
        }
        let mut tuples: Vec<Vec<Re>> = vec![Vec::new()];
        for choice in choices {
            fuel.spend(tuples.len() * choice.len())?;
            let longer =
                |t: Vec<Re>| choice.iter().map(move |&r| [t.as_slice(), &[r]].concat()).collect::<Vec<_>>();
            tuples = tuples.into_iter().flat_map(longer).collect();
        }
        Ok(tuples.into_iter().map(|t| self.intersect(t, usize::MAX)).collect())
    }

    /// Searches for a shortest word or, if `any` is set, for evidence of any word.
    ///
    /// This is a breadth-first search through derivatives. A union has a word iff one of its
    /// members does, so members are visited one by one. So there is no exponential growth
    /// without complements and intersections: the search is through the states of a
    /// nondeterministic automaton. With `split`, the same holds for intersections.
    fn search(&mut self, r: Re, any: bool, split: bool, fuel: &mut Fuel) -> Result<Found, Spent> {
        let mut reached: Reached<Re> = Vec::new();
        let mut seen: FxHashSet<Re> = FxHashSet::default();
        let mut arrivals = vec![(self.prepare(r).start, None)];
        let mut at = 0;
        loop {
            for (states, step) in arrivals.drain(..) {
                let mut members = self.members(&states).to_vec();
                if split {
                    let mut parts = Vec::new();
                    for state in members {
                        parts.extend(self.alternatives(state, fuel)?);
                    }
                    members = parts;
                }
                for state in members {
                    let facts = self.facts(state);
                    if facts.nullable {
                        return Ok(Found::Word(word_to(&reached, step)));
                    }
                    if any && facts.inhabited {
                        return Ok(Found::Something);
                    }
                    if state != Re::NONE && seen.insert(state) {
                        reached.push((state, step));
                    }
                }
            }
            let Some(&(state, _)) = reached.get(at) else {
                return Ok(Found::Nothing);
            };
            for c in self.first_characters(&[state], fuel)? {
                arrivals.push((self.derive(state, c, fuel)?, Some((at, c))));
            }
            at += 1;
        }
    }

    /// A word in one language but not in the other, if there is one.
    ///
    /// By the method of J. Hopcroft and R. Karp ("A linear algorithm for testing equivalence of
    /// finite automata", 1971): if the languages are the same, so are their derivatives by any
    /// character, recursively. All pairs of derivatives that must then be the same are put into
    /// the same class, and the search ends when the classes of all pairs are merged. So
    /// there are fewer steps than different derivatives. If in a pair only one language contains
    /// the empty word, the languages differ, and the characters that led to the pair are the
    /// result.
    fn compare(&mut self, a: Re, b: Re, fuel: &mut Fuel) -> Result<Option<Vec<u32>>, Spent> {
        let mut reached: Reached<[Re; 2]> = Vec::new();
        let mut classes = Classes::default();
        let mut arrivals = vec![([self.prepare(a).start, self.prepare(b).start], None)];
        let mut at = 0;
        loop {
            for (pair, step) in arrivals.drain(..) {
                if self.nullable(pair[0]) != self.nullable(pair[1]) {
                    return Ok(Some(word_to(&reached, step)));
                }
                if classes.merge(pair[0], pair[1]) {
                    reached.push((pair, step));
                }
            }
            let Some(&(pair, _)) = reached.get(at) else {
                return Ok(None);
            };
            for c in self.first_characters(&pair, fuel)? {
                let derived = [self.derive(pair[0], c, fuel)?, self.derive(pair[1], c, fuel)?];
                arrivals.push((derived, Some((at, c))));
            }
            at += 1;
        }
    }

    /// Characters such that for each other character one of them has the same derivatives of all
    /// the given expressions.
    ///
    /// Only those sets matter that the first character of a word may be tested against (S. Owens,
    /// J. Reppy and A. Turon, "Regular-expression derivatives re-examined", JFP 19, 2009).
    fn first_characters(&self, states: &[Re], fuel: &mut Fuel) -> Result<Vec<u32>, Spent> {
        let mut sets: Vec<&[(u32, u32)]> = Vec::new();
        let mut chars: Vec<(u32, u32)> = Vec::new();
        let mut seen: FxHashSet<Re> = FxHashSet::default();
        let mut pending = states.to_vec();
        while let Some(r) = pending.pop() {
            if !seen.insert(r) {
                continue;
            }
            fuel.spend(1)?;
            match *self.node(r) {
                Node::Class(ref set) => sets.push(set.intervals()),
                Node::Word { text, start } => {
                    let first = self.suffix(text, start)[0];
                    chars.push((first, first));
                }
                Node::Lexicon(lexicon) => {
                    let first = self.entries(lexicon).filter_map(|word| word.first());
                    chars.extend(first.map(|&c| (c, c)));
                }
                Node::State { automaton, state } => {
                    let edges = self.automaton_of(automaton).edges(state);
                    chars.extend(edges.iter().map(|&(first, last, _)| (first, last)));
                }
                Node::Concat([head, tail]) => {
                    pending.push(head);
                    if self.nullable(head) {
                        pending.push(tail);
                    }
                }
                ref node => pending.extend_from_slice(node.children()),
            }
        }
        chars.sort_unstable();
        chars.dedup();
        sets.extend(chars.chunks(1));
        Ok(representatives(&sets))
    }
}

/// Disjoint classes of expressions, which can be merged.
#[derive(Default)]
struct Classes(FxHashMap<Re, Re>);

impl Classes {
    /// The representative of a class.
    fn find(&mut self, mut r: Re) -> Re {
        while let Some(&next) = self.0.get(&r) {
            if let Some(&after) = self.0.get(&next) {
                self.0.insert(r, after);
            }
            r = next;
        }
        r
    }

    /// Merges the classes of two expressions, unless they are the same.
    fn merge(&mut self, a: Re, b: Re) -> bool {
        let (a, b) = (self.find(a), self.find(b));
        if a != b {
            self.0.insert(a, b);
        }
        a != b
    }
}
