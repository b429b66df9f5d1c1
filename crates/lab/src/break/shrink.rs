//! Shrinks the best script while its fitness stays the same.

use super::fitness::{Found, Score};
use super::judge::Judging;
use rayon::prelude::*;
use semantics::Instance;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use synth::evolve::{self, Step};

/// Scripts that are tried in parallel; the same for any number of threads, so that the result is the same.
const WIDE: usize = 4;

/// Tries at most `budget` smaller scripts. Returns the smallest that is as fit, of those tried before it was stopped; none if there
/// is none. `tell` gets the number of scripts tried and the size of the smallest.
pub(super) fn shrink(
    start: &Instance,
    score: Score,
    judge: &dyn Judging,
    budget: usize,
    tell: &(dyn Fn(usize, usize) + Sync),
) -> Option<(Instance, Found)> {
    let mut best: Option<(Instance, Found)> = None;
    let spent = AtomicUsize::new(0);
    let mut at = 0;
    let mut failed = 0;
    let mut steps = evolve::steps(start);
    while failed < steps.len() && spent.load(Relaxed) < budget {
        let current = best.as_ref().map_or(start, |(i, _)| i);
        let size = evolve::body(current).len();
        let (before, wide) = (spent.load(Relaxed), WIDE.min(budget - spent.load(Relaxed)));
        let (tried, candidates) = candidates(current, &steps, at, failed, size, wide);
        let try_one = |(k, candidate): (usize, &Instance)| {
            let found = judge.judge(&candidate.to_text(""), (1 << 40) + (before + k) as u64, None);
            tell(spent.fetch_add(1, Relaxed) + 1, size);
            found
        };
        let judged: Vec<Option<Found>> = candidates.par_iter().enumerate().map(try_one).collect();
        if judged.iter().any(Option::is_none) {
            break;
        }
        let good =
            |f: &Found| f.unfit.is_none() && f.score.full >= score.full && f.score.rank + 1 >= score.rank;
        let hit = candidates.into_iter().zip(judged.into_iter().flatten()).find(|(_, f)| good(f));
        match hit {
            Some(hit) => {
                steps = evolve::steps(&hit.0);
                best = Some(hit);
                failed = 0;
                at = if steps.is_empty() { 0 } else { at % steps.len() };
            }
            None => {
                failed += tried;
                at = (at + tried) % steps.len();
            }
        }
    }
    best
}

/// The next scripts to try, and the number of steps they take.
fn candidates(
    current: &Instance,
    steps: &[Step],
    at: usize,
    failed: usize,
    size: usize,
    wide: usize,
) -> (usize, Vec<Instance>) {
    let (mut tried, mut out) = (0, Vec::new());
    while out.len() < wide && failed + tried < steps.len() {
        let smaller = steps[(at + tried) % steps.len()].apply(current);
        tried += 1;
        if evolve::asserts(&smaller) > 0 && evolve::body(&smaller).len() < size {
            out.push(smaller);
        }
    }
    (tried, out)
}
