//! Shrinks the best script while its fitness stays the same.

use super::fitness::{Found, Score};
use super::judge::Judging;
use rayon::prelude::*;
use semantics::Instance;
use synth::evolve::{self, Step};

/// Scripts that are tried in parallel; the same for any number of threads, so that the result is the same.
const WIDE: usize = 4;

/// Tries at most `budget` smaller scripts. Returns the smallest that is as fit; none if there is none or it was stopped.
pub(super) fn shrink(
    start: &Instance,
    score: Score,
    judge: &dyn Judging,
    mut budget: usize,
    tell: &mut dyn FnMut(usize, usize),
) -> Option<(Instance, Found)> {
    let mut best: Option<(Instance, Found)> = None;
    let mut at = 0;
    let mut failed = 0;
    let mut steps = evolve::steps(start);
    while failed < steps.len() && budget > 0 {
        let current = best.as_ref().map_or(start, |(i, _)| i);
        let size = evolve::body(current).len();
        let wide = WIDE.min(budget);
        let (tried, candidates) = candidates(current, &steps, at, failed, size, wide);
        let number = |k: usize| (1 << 40) + (budget - k) as u64;
        let judged: Vec<Option<Found>> = candidates
            .par_iter()
            .enumerate()
            .map(|(k, c)| judge.judge(&c.to_text(""), number(k), None))
            .collect();
        budget -= candidates.len();
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
        tell(budget, size);
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
