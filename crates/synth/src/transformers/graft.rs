//! *Graft*: subtrees and leaves of the same sort are swapped.
//!
//! Some of the applications, one in ten and at least one, change places with a constant or literal of their sort
//! anywhere in the script where the symbols of both are known. What is in `re.range` stays, and what is in `str.to_re`
//! unless `str_to_re`: solvers want literals there.

use super::occurrences::{Occurrence, Survey};
use super::{Effect, Info, Job, Transformer};
use rustc_hash::FxHashMap;
use smt::{Pool, Sort};
use std::collections::BTreeMap;

/// Its parameters.
#[derive(Clone, Copy, Debug)]
pub struct Graft {
    /// What is in `str.to_re` takes part.
    pub str_to_re: bool,
}

/// What a user is told.
pub static INFO: Info = Info {
    name: "graft",
    about: "swap subtrees with leaves of their sort",
    flags: &["str-to-re"],
    keeps: "sat, if the model happens to hold",
};

/// Pairs that are tried before one is given up.
const TRIES: usize = 16;

impl Transformer for Graft {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn apply(&self, job: &mut Job<'_>) -> Effect {
        let survey = Survey::new(job.pool, job.script, u32::MAX);
        let movable = |o: &&Occurrence| survey.is_movable(job.pool, o, self.str_to_re);
        let (leaves, trees): (Vec<&Occurrence>, Vec<&Occurrence>) =
            survey.all.iter().filter(movable).partition(|o| job.pool.args(o.term).is_empty());
        let mut by_sort: BTreeMap<Sort, Vec<&Occurrence>> = BTreeMap::new();
        for leaf in leaves {
            by_sort.entry(job.pool.sort_of(leaf.term)).or_default().push(leaf);
        }
        let mut chosen = Chosen::default();
        for _ in 0..trees.len().div_ceil(10) {
            for _ in 0..TRIES {
                let tree = trees[job.dice.below(trees.len() as u64) as usize];
                let Some(leaves) = by_sort.get(&job.pool.sort_of(tree.term)) else { continue };
                let leaf = leaves[job.dice.below(leaves.len() as u64) as usize];
                if chosen.swap(job.pool, &survey, tree, leaf) {
                    break;
                }
            }
        }
        let changed = !chosen.new.is_empty();
        survey.replace(job.pool, job.script, &chosen.new);
        Effect::of(changed, false, None)
    }
}

/// What is to be replaced.
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
