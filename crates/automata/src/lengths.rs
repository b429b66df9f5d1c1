//! Bounds of the length of a value by that of its argument.
//!
//! `|f(s)| - a·|s|` is a sum of weights along a run; its least value is a shortest path (Bellman and Ford), and unbounded if there is a
//! cycle of negative weight on the way from the start to an end.

use crate::transducer::Transducer;
use rustc_hash::FxHashMap;

/// Steps of one computation, at most.
const MAX_STEPS: usize = 2_000_000;

impl Transducer {
    /// The least value of `|f(s)| - a·|s|`, if there is one.
    pub fn least_output(&self, a: i64) -> Option<i64> {
        self.extreme(a, 1)
    }

    /// The greatest value of `|f(s)| - a·|s|`, if there is one.
    pub fn greatest_output(&self, a: i64) -> Option<i64> {
        self.extreme(a, -1).map(|n| -n)
    }

    /// The number of symbols that one step writes, at most.
    pub fn longest_output(&self) -> i64 {
        self.edges.iter().flatten().flatten().map(|e| length(e.out.len())).max().unwrap_or(0)
    }

    fn extreme(&self, a: i64, sign: i64) -> Option<i64> {
        let mut weights: FxHashMap<(usize, usize), i64> = FxHashMap::default();
        let useful = self.useful();
        for (from, edges) in self.edges.iter().enumerate() {
            for e in edges.iter().flatten().filter(|e| useful[e.to as usize]) {
                let weight = sign * (length(e.out.len()) - a);
                let known = weights.entry((from, e.to as usize)).or_insert(weight);
                *known = weight.min(*known);
            }
        }
        let mut best: Vec<Option<i64>> = vec![None; self.len()];
        best[self.start as usize] = Some(sign * length(self.lead.len()));
        let mut steps = 0;
        for _ in 0..=self.len() {
            let mut changed = false;
            for (&(from, to), &weight) in &weights {
                let Some(now) = best[from] else { continue };
                if best[to].is_none_or(|old| now + weight < old) {
                    best[to] = Some(now + weight);
                    changed = true;
                }
            }
            if !changed {
                let end = |(b, end): (&Option<i64>, &Option<Box<[u32]>>)| {
                    Some((*b)? + sign * length(end.as_ref()?.len()))
                };
                return best.iter().zip(&self.ends).filter_map(end).min();
            }
            steps += weights.len();
            if steps > MAX_STEPS {
                return None;
            }
        }
        None
    }

    /// The states from which the input can end.
    fn useful(&self) -> Vec<bool> {
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); self.len()];
        for (from, edges) in self.edges.iter().enumerate() {
            edges.iter().flatten().for_each(|e| before[e.to as usize].push(from));
        }
        let mut useful = vec![false; self.len()];
        let mut stack: Vec<usize> = (0..self.len()).filter(|&s| self.ends[s].is_some()).collect();
        while let Some(s) = stack.pop() {
            if !std::mem::replace(&mut useful[s], true) {
                stack.extend(&before[s]);
            }
        }
        useful
    }
}

fn length(n: usize) -> i64 {
    i64::try_from(n).expect("a length of a word in memory")
}
