//! Rules found by search: small terms with the same value on many inputs, verified on more.
//!
//! Terms are enumerated by size, bottom-up, from the smallest term of each class found so far ([`grammar`]). A term is
//! evaluated on a grid of inputs ([`grid`]); terms with the same values are in one cluster, and the conjecture is that the
//! later one equals the first. It is verified on a larger domain ([`conjecture`]): if it is refuted, the term starts a class of its own,
//! otherwise it is generalised, by variables for its subterms where it still holds, and kept. A term
//! that is an instance of a kept rule is not evaluated, and only the first term of a class is part of larger ones
//! ([`matching`]). The most interesting rules are selected at the end ([`select`]).
//!
//! For example, `(str.replace_all x "a" "a")` has the values of `x` on the grid; the conjecture holds on the larger
//! domain, and with a variable for `"a"` too. The rule `(str.replace_all x y y) = x` is kept, and no other instance of it
//! is ever evaluated.
//!
//! The result is a function of [`Options`] alone, unless it is stopped.

pub mod conjecture;
pub mod grammar;
pub mod grid;
pub mod matching;
pub mod select;
mod text;

use crate::rules::Rules;
use conjecture::{Judge, Law};
use grammar::{Grammar, Layers};
use grid::{Grid, Signature};
use matching::Laws;
use rustc_hash::FxHashMap;
use smt::{Pool, Sort, Term};

/// What to mine.
#[derive(Clone, Debug)]
pub struct Options {
    /// The largest size of a left side: its operators, variables and constants.
    pub size: usize,
    /// The seed of the grid.
    pub seed: u64,
    /// The points of the grid.
    pub points: usize,
    /// The most terms to evaluate.
    pub terms: usize,
    /// The most cases in which a kept rule is verified.
    pub cases: usize,
    /// The most rules to select.
    pub rules: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options { size: 5, seed: 0, points: 256, terms: 1_000_000, cases: 100_000, rules: 120 }
    }
}

/// What was counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Terms evaluated on the grid.
    pub terms: usize,
    /// Terms that were instances of kept rules, and not evaluated.
    pub instances: usize,
    /// Classes of terms.
    pub classes: usize,
    /// Conjectures.
    pub conjectures: usize,
    /// Conjectures that the larger domain refuted.
    pub refuted: usize,
    /// Rules that were kept.
    pub kept: usize,
    /// Kept rules that follow from known ones.
    pub known: usize,
    /// Selected rules that random values refuted.
    pub late: usize,
    /// Rules that were selected.
    pub selected: usize,
    /// The size of the largest terms; below the wanted one if a limit was reached.
    pub size: usize,
}

/// The rules that were found.
#[derive(Clone, Debug)]
pub struct Mined {
    /// The selected rules as the text of a rule file, without a header.
    pub text: String,
    /// What was counted.
    pub tally: Tally,
}

/// Mines rules. `stop` is asked often; when it says so, the rules found up to the last complete size are selected.
pub fn mine(options: &Options, stop: &(dyn Fn() -> bool + Sync)) -> Mined {
    let mut pool = Pool::new();
    let mut miner = Miner::new(&mut pool, options, stop);
    for size in 2..=options.size {
        if !miner.layer(size) {
            break;
        }
        miner.tally.size = size;
    }
    let (kept, mut tally) = (miner.laws.all().to_vec(), miner.tally);
    tally.kept = kept.len();
    let known = Rules::written(&mut pool).all;
    let chosen = select::select(&mut pool, &kept, &known, options, &mut tally);
    let text = text::write(&mut pool, &chosen, options, &mut tally);
    Mined { text, tally }
}

struct Miner<'a> {
    pool: &'a mut Pool,
    options: &'a Options,
    stop: &'a (dyn Fn() -> bool + Sync),
    grammar: Grammar,
    layers: Layers,
    grid: Grid,
    judge: Judge,
    laws: Laws,
    /// The classes with a signature, by their first terms. More than one if the grid does not tell them apart.
    classes: FxHashMap<(Sort, Signature), Vec<Term>>,
    tally: Tally,
}

impl<'a> Miner<'a> {
    fn new(pool: &'a mut Pool, options: &'a Options, stop: &'a (dyn Fn() -> bool + Sync)) -> Miner<'a> {
        let grammar = Grammar::new(pool);
        let grid = Grid::new(pool, &grammar.variables, options);
        let judge = Judge::new(pool, options.cases);
        let layers = Layers::default();
        let (laws, classes) = (Laws::default(), FxHashMap::default());
        let mut miner = Miner {
            pool,
            options,
            stop,
            grammar,
            layers,
            grid,
            judge,
            laws,
            classes,
            tally: Tally::default(),
        };
        let leaves = miner.grammar.leaves.clone();
        miner.grow(1, &leaves);
        miner.tally.size = 1;
        miner
    }

    /// Enumerates the terms of a size. False if a limit was reached; then nothing of this size is kept.
    fn layer(&mut self, size: usize) -> bool {
        let mut terms = Vec::new();
        if (self.stop)() {
            return false;
        }
        let room = self.options.terms.saturating_sub(self.tally.terms);
        for tuple in self.grammar.applications(&self.layers, size) {
            if terms.len() > room || (self.stop)() {
                return false;
            }
            let Some(t) = self.grammar.build(self.pool, tuple) else { continue };
            self.laws.see(t);
            if self.laws.imply(self.pool, t) {
                self.tally.instances += 1;
            } else {
                terms.push(t);
            }
        }
        self.grow(size, &terms)
    }

    /// Sorts terms into classes. False if it was stopped.
    fn grow(&mut self, size: usize, terms: &[Term]) -> bool {
        let Some(signatures) = self.grid.signatures(self.pool, terms, self.stop) else { return false };
        let (before, classes) = (self.laws.clone(), self.classes.clone());
        let tally = self.tally;
        for (&t, signature) in terms.iter().zip(signatures) {
            if (self.stop)() {
                (self.laws, self.classes, self.tally) = (before, classes, tally);
                return false;
            }
            self.tally.terms += 1;
            if let Some(signature) = signature {
                self.place(size, t, signature);
            }
        }
        true
    }

    /// Puts a term into its class, with a new rule, or into a new class.
    fn place(&mut self, size: usize, t: Term, signature: Signature) {
        let key = (self.pool.sort_of(t), signature);
        for first in self.classes.get(&key).cloned().unwrap_or_default() {
            if self.laws.imply(self.pool, t) {
                self.tally.instances += 1;
                return;
            }
            self.tally.conjectures += 1;
            if let Some(law) = self.judge.law(self.pool, Law::new(t, first)) {
                self.laws.keep(self.pool, law);
                return;
            }
            self.tally.refuted += 1;
        }
        self.classes.entry(key).or_default().push(t);
        self.tally.classes += 1;
        self.layers.add(self.pool, size, t);
    }
}

#[cfg(test)]
mod tests;
