//! *Graft*: swaps subterms with leaves of the same sort.
//!
//! Some of the applications, one in ten and at least one, change places with a constant or literal of their sort
//! anywhere in the script where the symbols of both are known. The arguments of `re.range` stay, and those of `str.to_re`
//! unless `str_to_re`: solvers expect literals there.

use super::occurrences::{Occurrence, Survey};
use super::{Effect, Flags, Job, Transformer};
use rustc_hash::FxHashMap;
use smt::{Pool, Sort};
use std::collections::BTreeMap;

/// The transformer.
pub static GRAFT: Transformer = Transformer {
    name: "graft",
    about: "swap subterms with leaves of their sort",
    flags: &["str-to-re"],
    keeps: "sat, if the model still holds",
    apply,
};

/// Attempts at a swap.
const MAX_TRIES: usize = 16;

fn apply(flags: &Flags, job: &mut Job<'_>) -> Effect {
    let survey = Survey::new(job.pool, job.script, u32::MAX);
    let movable = |o: &&Occurrence| survey.is_movable(job.pool, o, flags.str_to_re);
    let (leaves, trees): (Vec<&Occurrence>, Vec<&Occurrence>) =
        survey.all.iter().filter(movable).partition(|o| job.pool.args(o.term).is_empty());
    let mut by_sort: BTreeMap<Sort, Vec<&Occurrence>> = BTreeMap::new();
    for leaf in leaves {
        by_sort.entry(job.pool.sort_of(leaf.term)).or_default().push(leaf);
    }
    let mut chosen = Chosen::default();
    for _ in 0..trees.len().div_ceil(10) {
        for _ in 0..MAX_TRIES {
            let tree = trees[job.dice.index(trees.len())];
            let Some(leaves) = by_sort.get(&job.pool.sort_of(tree.term)) else { continue };
            let leaf = leaves[job.dice.index(leaves.len())];
            if chosen.swap(job.pool, &survey, tree, leaf) {
                break;
            }
        }
    }
    let changed = !chosen.new.is_empty();
    survey.replace(job.pool, job.script, &chosen.new);
    Effect::of(changed, false, None)
}

/// The replacements.
#[derive(Default)]
struct Chosen {
    new: FxHashMap<(usize, u32), (smt::Term, u32)>,
    /// By place, the numbers that are taken, as disjoint ranges by their start.
    taken: FxHashMap<usize, BTreeMap<u32, u32>>,
}

impl Chosen {
    fn swap(&mut self, pool: &Pool, survey: &Survey, a: &Occurrence, b: &Occurrence) -> bool {
        let apart = a.place != b.place || a.end <= b.index || b.end <= a.index;
        let fits = survey.fits(pool, a, b) && survey.fits(pool, b, a);
        if !apart || !fits || self.is_taken(a) || self.is_taken(b) {
            return false;
        }
        for (here, there) in [(a, b), (b, a)] {
            self.new.insert((here.place, here.index), (there.term, here.end));
            self.taken.entry(here.place).or_default().insert(here.index, here.end);
        }
        true
    }

    fn is_taken(&self, o: &Occurrence) -> bool {
        let Some(taken) = self.taken.get(&o.place) else { return false };
        taken.range(..o.end).next_back().is_some_and(|(_, &end)| end > o.index)
    }
}
