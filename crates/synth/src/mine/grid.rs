//! The grid of inputs, and the values of terms on it.
//!
//! A signature is a hash of 128 bits of all values. The value of a language is which of some words are in it. A
//! collision, or a grid that is too coarse, costs a refuted conjecture; it never makes a wrong rule.

use super::Options;
use crate::dice::Dice;
use rayon::prelude::*;
use rustc_hash::FxHasher;
use semantics::regex::RegexStore;
use semantics::{Config, Evaluator, Model, Value};
use smt::{Op, Pool, Sort, Term};
use std::hash::{Hash as _, Hasher as _};

/// The words of the grid; the first of them also probe languages.
const WORDS: [&str; 16] =
    ["", "a", "b", "0", "aa", "ab", "ba", "a0", "aba", "00", "10", "b0", "aaa", "0a", "\u{2FFFF}", "abab"];
const PROBES: usize = 13;
const NUMBERS: [i64; 8] = [-1, 0, 1, 2, 3, 5, 48, 97];
/// The terms that one task evaluates.
const CHUNK: usize = 256;

/// The values of a term, as a hash.
pub type Signature = (u64, u64);

/// Inputs.
#[derive(Debug)]
pub struct Grid {
    variables: Vec<Term>,
    points: Vec<Vec<Value>>,
    probes: Vec<Term>,
}

fn word(text: &str) -> Vec<u32> {
    text.chars().map(u32::from).collect()
}

impl Grid {
    /// Random inputs, with relations between the words.
    pub fn new(pool: &mut Pool, variables: &[Term], options: &Options) -> Grid {
        let mut dice = Dice::new(options.seed, 0);
        let sorts: Vec<Sort> = variables.iter().map(|&v| pool.sort_of(v)).collect();
        let points =
            (0..options.points).map(|_| sorts.iter().map(|&s| value(&mut dice, s)).collect()).collect();
        let probes = WORDS[..PROBES].iter().map(|w| pool.string(&word(w))).collect();
        Grid { variables: variables.to_vec(), points, probes }
    }

    /// The signatures of terms; none for a term without a value. None at all if it was stopped.
    pub fn signatures(
        &self,
        pool: &mut Pool,
        terms: &[Term],
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Vec<Option<Signature>>> {
        let observed: Vec<Vec<Term>> = terms.iter().map(|&t| self.observe(pool, t)).collect();
        let pool = &*pool;
        let chunks: Option<Vec<_>> =
            observed.par_chunks(CHUNK).map(|chunk| (!stop()).then(|| self.chunk(pool, chunk))).collect();
        Some(chunks?.into_iter().flatten().collect())
    }

    /// The terms whose values are hashed for `t`.
    fn observe(&self, pool: &mut Pool, t: Term) -> Vec<Term> {
        if pool.sort_of(t) != Sort::REGLAN {
            return vec![t];
        }
        self.probes.iter().map(|&w| pool.op(Op::StrInRe, &[w, t]).expect("well sorted")).collect()
    }

    fn chunk(&self, pool: &Pool, chunk: &[Vec<Term>]) -> Vec<Option<Signature>> {
        let model = Model::new();
        let config = Config { steps: 100_000, regex_budget: 100_000, ..Config::default() };
        let mut e = Evaluator::with(pool, &model, config, RegexStore::new());
        let mut found = vec![Some((0, 1)); chunk.len()];
        for point in &self.points {
            e.unbind();
            for (&v, value) in self.variables.iter().zip(point) {
                e.bind(v, value.clone());
            }
            for (signature, terms) in found.iter_mut().zip(chunk) {
                *signature = signature.and_then(|s| terms.iter().try_fold(s, |s, &t| add(&mut e, s, t)));
            }
        }
        found
    }
}

fn value(dice: &mut Dice, sort: Sort) -> Value {
    if sort == Sort::INT {
        return Value::Int((*dice.pick(&NUMBERS[..])).into());
    }
    let text: &str = WORDS[dice.index(WORDS.len())];
    Value::Str(semantics::Str::from(&word(text)[..]))
}

/// The signature with one more value.
fn add(e: &mut Evaluator<'_>, (first, second): Signature, t: Term) -> Option<Signature> {
    let value = e.eval(t).ok()?;
    let hash = |seed: u64| {
        let mut hasher = FxHasher::default();
        (seed, &value).hash(&mut hasher);
        hasher.finish()
    };
    Some((hash(first), hash(second.rotate_left(17) ^ 0x9e37_79b9_7f4a_7c15)))
}
