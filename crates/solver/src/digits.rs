//! Numerals of languages whose values and lengths satisfy linear constraints: a search digit by digit.
//!
//! All numerals are read at once, the most significant digit first, so that they end together; a shorter one starts later.
//! A state has the derivative of each language (none before the numeral starts), and a number for each row: the sum so
//! far, for values multiplied by ten at each step. The digits of the constant of a row are read in the same way. A sum of values that
//! cannot become zero any more is dropped, so there are finitely many states, however long the numerals are.
//!
//! Example: `2·x = y + 1` with `x ∈ 1*` and `y ∈ 2*1`. After `1` and `2` the sum is 0, after the last digits `1` and `1` it is 1, and the
//! constant -1 makes it 0: `x = 11`, `y = 21`.

use rustc_hash::{FxHashMap, FxHashSet};
use semantics::regex::{Re, RegexStore};
use smt::Int;
use smt::work::spend;
use std::cell::Cell;
use std::rc::Rc;

/// States, at most.
const MAX_STATES: usize = 100_000;
/// Sums of lengths with coefficients of both signs, at most.
const MAX_SUM: i64 = 5_000;
/// Coefficients, at most.
const MAX_COEFFICIENT: i64 = 1_000_000;
/// The parent of the first states.
const START: usize = usize::MAX;
/// Steps of the regular expression engine for one query.
const BUDGET: u64 = 100_000;

/// Systems that were searched.
pub(crate) type Searched = FxHashMap<System, Rc<Known>>;

/// What is known of a system.
#[derive(Debug)]
pub(crate) struct Known {
    pub(crate) outcome: Outcome,
    /// Solutions that were decided.
    pub(crate) suggested: Cell<u32>,
}

/// A linear constraint over values, or over lengths: the sum is zero, or at least zero.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Row {
    pub(crate) terms: Vec<(usize, i64)>,
    pub(crate) constant: Int,
    pub(crate) equal: bool,
    pub(crate) lengths: bool,
}

/// Languages of numerals, none of which has the empty word, and constraints.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct System {
    pub(crate) languages: Vec<Re>,
    pub(crate) rows: Vec<Row>,
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// There are no such numerals.
    Impossible,
    Words(Vec<Vec<u32>>),
    /// A limit was reached.
    Open,
}

/// A state between two choices.
#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    /// Digits of the constants that were read.
    read: usize,
    /// The next language whose digit is chosen in this step.
    next: usize,
    sums: Vec<i64>,
    languages: Vec<Option<Re>>,
}

struct Search<'a> {
    store: &'a mut RegexStore,
    system: &'a System,
    /// The digits of the constants of value rows with their signs, the most significant first, all of one length.
    constants: Vec<Vec<i64>>,
    digits: usize,
    states: Vec<State>,
    /// The state before and the digit that was chosen.
    parents: Vec<(usize, Option<u32>)>,
    known: FxHashSet<State>,
    moves: FxHashMap<(Re, u32), Option<Re>>,
    complete: bool,
}

/// Whether a search is possible: coefficients and constants of lengths are small.
pub(crate) fn fits(row: &Row) -> bool {
    row.terms.iter().all(|&(_, k)| k.abs() <= MAX_COEFFICIENT)
        && (!row.lengths || row.constant.to_i64().is_some_and(|n| n.abs() <= MAX_COEFFICIENT))
}

impl System {
    /// Searches for numerals. Returns also the number of states.
    pub(crate) fn solve(&self, store: &mut RegexStore) -> (Outcome, usize) {
        let mut constants: Vec<Vec<i64>> = self.rows.iter().map(digits).collect();
        let digits = constants.iter().map(Vec::len).max().unwrap_or(0);
        for c in &mut constants {
            let zeros = vec![0; digits - c.len()];
            c.splice(0..0, zeros);
        }
        let mut search = Search {
            store,
            system: self,
            constants,
            digits,
            states: Vec::new(),
            parents: Vec::new(),
            known: FxHashSet::default(),
            moves: FxHashMap::default(),
            complete: true,
        };
        let outcome = search.run();
        (outcome, search.states.len())
    }
}

/// The digits of the constant of a row of values, with its sign.
fn digits(row: &Row) -> Vec<i64> {
    if row.lengths || row.constant.is_zero() {
        return Vec::new();
    }
    let sign = if row.constant.is_negative() { -1 } else { 1 };
    let text = row.constant.to_string();
    text.bytes().filter(u8::is_ascii_digit).map(|b| sign * i64::from(b - b'0')).collect()
}

impl Search<'_> {
    fn run(&mut self) -> Outcome {
        let start = |row: &Row| if row.lengths { row.constant.to_i64().unwrap_or(0) } else { 0 };
        let first = State {
            read: 0,
            next: 0,
            sums: self.system.rows.iter().map(start).collect(),
            languages: vec![None; self.system.languages.len()],
        };
        self.begin_step(&first, START);
        let mut k = 0;
        while k < self.states.len() {
            if self.states.len() > MAX_STATES {
                return Outcome::Open;
            }
            spend(4);
            let state = self.states[k].clone();
            if state.next == state.languages.len() {
                if let Some(state) = self.end_step(state) {
                    if self.accepts(&state) {
                        return Outcome::Words(self.words(k));
                    }
                    self.begin_step(&state, k);
                }
            } else {
                self.choose(&state, k);
            }
            k += 1;
        }
        if self.complete { Outcome::Impossible } else { Outcome::Open }
    }

    fn add(&mut self, state: State, parent: usize, digit: Option<u32>) {
        if self.known.insert(state.clone()) {
            self.states.push(state);
            self.parents.push((parent, digit));
        }
    }

    /// Reads the next digit of the constants, or none before the first one. After the last one the numerals have ended.
    fn begin_step(&mut self, state: &State, from: usize) {
        if state.read == 0 {
            self.multiply(state, 0, from);
        }
        if state.read < self.digits {
            self.multiply(state, state.read + 1, from);
        }
    }

    fn multiply(&mut self, state: &State, read: usize, from: usize) {
        let mut next = State { read, next: 0, ..state.clone() };
        for (k, row) in self.system.rows.iter().enumerate() {
            if !row.lengths {
                let constant = if read > state.read { self.constants[k][read - 1] } else { 0 };
                next.sums[k] = next.sums[k] * 10 + constant;
            }
        }
        self.add(next, from, None);
    }

    /// Chooses a digit for the next language, or that its numeral has not started.
    fn choose(&mut self, state: &State, from: usize) {
        let x = state.next;
        if state.languages[x].is_none() {
            let waiting = State { next: x + 1, ..state.clone() };
            self.add(waiting, from, None);
        }
        let language = state.languages[x].unwrap_or(self.system.languages[x]);
        for digit in 0..10 {
            let Some(rest) = self.derivative(language, digit) else { continue };
            let mut next = State { next: x + 1, ..state.clone() };
            next.languages[x] = Some(rest);
            for (sum, row) in next.sums.iter_mut().zip(&self.system.rows) {
                let unit = if row.lengths { 1 } else { i64::from(digit) };
                for &(y, k) in &row.terms {
                    *sum += if x == y { k * unit } else { 0 };
                }
            }
            self.add(next, from, Some(digit));
        }
    }

    /// What may follow a digit; none if nothing.
    fn derivative(&mut self, language: Re, digit: u32) -> Option<Re> {
        if let Some(&known) = self.moves.get(&(language, digit)) {
            return known;
        }
        let next = match self.store.derivative_by(language, u32::from('0') + digit, BUDGET) {
            Some(next) => (self.store.is_empty_language(next, BUDGET) != Some(true)).then_some(next),
            None => {
                self.complete = false;
                None
            }
        };
        self.moves.insert((language, digit), next);
        next
    }

    /// The state with sums in bounds; none if a row cannot hold any more.
    fn end_step(&mut self, mut state: State) -> Option<State> {
        for (k, row) in self.system.rows.iter().enumerate() {
            let total = |sign: i64| row.terms.iter().map(|&(_, k)| (k * sign).max(0)).sum::<i64>();
            let (mut up, mut down) = (total(1), total(-1));
            let sum = &mut state.sums[k];
            if row.lengths {
                if *sum < 0 && up == 0 || *sum > 0 && down == 0 && row.equal {
                    return None;
                }
                if *sum > 0 && down == 0 {
                    *sum = 0;
                }
                if sum.abs() > MAX_SUM && up > 0 && down > 0 {
                    self.complete = false;
                    return None;
                }
                continue;
            }
            up += i64::from(!row.constant.is_zero() && !row.constant.is_negative());
            down += i64::from(row.constant.is_negative());
            // With n more digits the sum becomes at most sum·10ⁿ + up·(10ⁿ - 1), and at least sum·10ⁿ - down·(10ⁿ - 1).
            if *sum < 0 && *sum <= -up || row.equal && *sum > 0 && *sum >= down {
                return None;
            }
            if !row.equal {
                *sum = (*sum).min(down);
            }
        }
        Some(state)
    }

    /// Whether the numerals may end here.
    fn accepts(&self, state: &State) -> bool {
        let ends = |l: &Option<Re>| l.is_some_and(|l| self.store.nullable(l));
        let holds = |(sum, row): (&i64, &Row)| if row.equal { *sum == 0 } else { *sum >= 0 };
        state.read == self.digits
            && state.languages.iter().all(ends)
            && state.sums.iter().zip(&self.system.rows).all(holds)
    }

    /// The numerals that lead to a state.
    fn words(&self, mut k: usize) -> Vec<Vec<u32>> {
        let mut words = vec![Vec::new(); self.system.languages.len()];
        while k != START {
            let (parent, digit) = self.parents[k];
            if let Some(digit) = digit {
                words[self.states[k].next - 1].push(u32::from('0') + digit);
            }
            k = parent;
        }
        for w in &mut words {
            w.reverse();
        }
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(terms: &[(usize, i64)], constant: i64, equal: bool, lengths: bool) -> Row {
        Row { terms: terms.to_vec(), constant: Int::from(constant), equal, lengths }
    }

    fn value(word: &[u32]) -> i64 {
        word.iter().fold(0, |v, d| 10 * v + i64::from(d - u32::from('0')))
    }

    fn holds(row: &Row, words: &[&[u32]]) -> bool {
        let of = |w: &[u32]| if row.lengths { w.len() as i64 } else { value(w) };
        let constant = row.constant.to_i64().expect("small");
        let sum = row.terms.iter().fold(constant, |s, &(x, k)| s + k * of(words[x]));
        if row.equal { sum == 0 } else { sum >= 0 }
    }

    /// A language of numerals, from a number: unions, repetitions and words of the digits 0, 1 and 9.
    fn language(store: &mut RegexStore, mut seed: u64) -> Re {
        let mut next = |n: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % n
        };
        let mut word = |store: &mut RegexStore| {
            let w: Vec<u32> = (0..1 + next(2)).map(|_| [48, 49, 57][next(3) as usize]).collect();
            store.word(&w)
        };
        let (a, b, c) = (word(store), word(store), word(store));
        let star = store.star(b);
        let or = store.union(&[star, c]);
        store.concat(&[a, or])
    }

    #[test]
    fn a_search_finds_numerals_if_and_only_if_there_are_some() {
        let digits = [48, 49, 57];
        let mut all: Vec<Vec<u32>> = vec![Vec::new()];
        for n in 0..4 {
            let longer: Vec<Vec<u32>> = all.iter().filter(|w| w.len() == n).cloned().collect();
            all.extend(longer.iter().flat_map(|w| digits.iter().map(move |&d| [&w[..], &[d]].concat())));
        }
        let (mut found, mut none) = (0, 0);
        for seed in 0..400_u64 {
            let mut store = RegexStore::new();
            let languages: Vec<Re> = (0..2).map(|k| language(&mut store, 2 * seed + k)).collect();
            let k = |n: u64| [1, -1, 2, -3, 10][((seed / 7 + n) % 5) as usize];
            let constant = [0, 1, -90, 118, -12][(seed % 5) as usize];
            let mut rows = vec![row(&[(0, k(0)), (1, k(seed % 3 + 1))], constant, seed % 3 != 0, false)];
            if seed % 2 == 1 {
                rows.push(row(&[(0, 1), (1, k(seed % 4))], -((seed % 7) as i64), seed % 8 < 5, true));
            }
            let system = System { languages: languages.clone(), rows };
            let members = |store: &mut RegexStore, l: Re| -> Vec<Vec<u32>> {
                all.iter().filter(|w| store.matches(l, w)).cloned().collect()
            };
            let (xs, ys) = (members(&mut store, languages[0]), members(&mut store, languages[1]));
            let small =
                xs.iter().any(|x| ys.iter().any(|y| system.rows.iter().all(|r| holds(r, &[&x[..], &y[..]]))));
            match system.solve(&mut store).0 {
                Outcome::Impossible => {
                    assert!(!small, "{seed}: there is a solution");
                    none += 1;
                }
                Outcome::Words(words) => {
                    let words: Vec<&[u32]> = words.iter().map(Vec::as_slice).collect();
                    assert!(system.rows.iter().all(|r| holds(r, &words)), "{seed}: {words:?}");
                    for (w, &l) in words.iter().zip(&languages) {
                        assert!(store.matches(l, w), "{seed}");
                    }
                    found += 1;
                }
                Outcome::Open => assert!(system.rows.len() > 1, "{seed}"),
            }
        }
        assert!(found > 60 && none > 60, "{found} found, {none} impossible");
    }
}
