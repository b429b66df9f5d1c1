//! The *Transformed* recipe of the thesis (its Section 3.5.2): from seed files to a suite.
//!
//! Each seed is transformed by every chain of transformers up to a length; a text that was already generated from the same seed is
//! omitted. Names record the chain: `z3-regex-1-fuzz-graft` is `z3-regex-1` after *fuzz* and *graft*, byte for byte
//! the output of `stringent transform fuzz,graft` with the same seed, apart from the provenance.

use super::text::{Form, Original, TextError, status};
use super::{Chain, Flags, UnknownTransformer};
use rayon::prelude::*;
use rustc_hash::{FxHashSet, FxHasher};
use semantics::{Instance, Status};
use smt::Dialect;
use smt::print::script_text;
use std::hash::{Hash as _, Hasher as _};

/// A file to start from.
#[derive(Clone, Debug)]
pub struct Seed {
    /// Its name, a path without extension.
    pub name: String,
    /// Its text.
    pub source: Vec<u8>,
}

/// The parameters of the suite.
#[derive(Clone, Debug)]
pub struct Recipe {
    /// The names of the transformers.
    pub transformers: Vec<String>,
    /// The maximal length of a chain.
    pub length: usize,
    /// Texts from one seed, at most; the shortest chains first.
    pub per_seed: usize,
    /// Parameters of the transformers.
    pub flags: Flags,
    /// The seed of random choices.
    pub seed: u64,
    /// How seeds are read and written; by default in 2.6.
    pub form: Form,
}

impl Default for Recipe {
    fn default() -> Self {
        let names = ["fuzz", "graft", "multiply", "reverse", "rotate", "translate", "unprintable"];
        Recipe {
            transformers: names.map(str::to_owned).to_vec(),
            length: 2,
            per_seed: usize::MAX,
            flags: Flags::default(),
            seed: 0,
            form: Form::default(),
        }
    }
}

/// One text of the suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// Its name, a path without extension.
    pub name: String,
    /// The name of its seed.
    pub seed: String,
    /// The script.
    pub source: String,
    /// Its known answer.
    pub status: Status,
}

/// The size of the suite.
#[derive(Debug, Default)]
pub struct Tally {
    /// The number of texts.
    pub made: usize,
    /// Texts that were the same as another one from their seed.
    pub duplicates: usize,
    /// Seeds that could not be read, and texts that the dialect cannot express.
    pub skipped: Vec<(String, TextError)>,
}

/// Transforms seeds, in parallel; `sink` gets the texts in order, until it returns false. Made by the same seeds
/// and recipe, they are the same for any number of threads.
pub fn transformed_suite(
    seeds: &[Seed],
    recipe: &Recipe,
    sink: &mut dyn FnMut(Made) -> bool,
) -> Result<Tally, UnknownTransformer> {
    let steps: Vec<Chain> = recipe
        .transformers
        .iter()
        .map(|name| Chain::new([name.as_str()], &recipe.flags))
        .collect::<Result<_, _>>()?;
    let mut tally = Tally::default();
    for window in seeds.chunks(rayon::current_num_threads().max(1) * 4) {
        let batches: Vec<(Vec<Made>, Tally)> = window.par_iter().map(|s| expand(s, &steps, recipe)).collect();
        for (batch, part) in batches {
            tally.duplicates += part.duplicates;
            tally.skipped.extend(part.skipped);
            for made in batch {
                tally.made += 1;
                if !sink(made) {
                    return Ok(tally);
                }
            }
        }
    }
    Ok(tally)
}

/// The texts of one seed.
fn expand(seed: &Seed, steps: &[Chain], recipe: &Recipe) -> (Vec<Made>, Tally) {
    let (mut out, mut tally) = (Vec::new(), Tally::default());
    let original = match Original::read(&seed.source, recipe.form.from) {
        Ok(original) => original,
        Err(e) => {
            tally.skipped.push((seed.name.clone(), e));
            return (out, tally);
        }
    };
    let dialect = recipe.form.to.unwrap_or(Dialect::Smt26);
    let mut seen = FxHashSet::default();
    seen.insert(fingerprint(&original.instance));
    let mut generation: Vec<(String, Instance)> = vec![(String::new(), original.instance.clone())];
    for done in 0..recipe.length {
        let mut next = Vec::new();
        for (chain, parent) in &generation {
            for step in steps {
                if out.len() >= recipe.per_seed {
                    return (out, tally);
                }
                let mut child = parent.clone();
                step.apply_from(done, &mut child, recipe.seed, dialect);
                if !seen.insert(fingerprint(&child)) {
                    tally.duplicates += 1;
                    continue;
                }
                let chain: String =
                    step.steps().iter().fold(chain.clone(), |chain, t| format!("{chain}-{}", t.name));
                let name = format!("{}{chain}", seed.name);
                let provenance = format!("{}, {name}", recipe.form.provenance);
                let form = Form { to: Some(dialect), provenance, ..recipe.form.clone() };
                let known = status(&child);
                match original.write(&mut child, &form) {
                    Ok(source) => out.push(Made { name, seed: seed.name.clone(), source, status: known }),
                    Err(e) => tally.skipped.push((name, e.into())),
                }
                next.push((chain, child));
            }
        }
        generation = next;
    }
    (out, tally)
}

/// Of the script alone.
fn fingerprint(instance: &Instance) -> u64 {
    let text = script_text(&instance.pool, &instance.script, Dialect::Smt26, None, None);
    let mut h = FxHasher::default();
    text.expect("2.6 expresses every script").hash(&mut h);
    h.finish()
}
