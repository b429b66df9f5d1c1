//! Lengths: the length of each variable, and of concatenations of two, is compared with a number.
//!
//! The answer is always known: each comparison leaves an interval for a length, pairs share no variable, and any sum of
//! lengths from two intervals is possible, so the intervals decide. A core is the comparison that nothing satisfies, or
//! the one of a concatenation with those of its two variables.

use super::build::{MAX_MODEL, Values};
use super::{Builder, Generator, Info};
use crate::dice::Dice;
use crate::parameters::parameters;
use semantics::instance::Truth;
use smt::{Op, Sort, Term};

parameters! {
    /// Parameters of `lengths`.
    pub struct Lengths {
        /// Variables
        num_vars: u64 = 5, "num-vars" "N";
        /// The shortest length to compare with
        min_length: u64 = 0, "min-length" "N";
        /// The longest length to compare with
        max_length: u64 = 10, "max-length" "N";
        /// Number of concatenations of two variables with a length constraint; at most half of the variables
        num_concats: u64 = 0, "num-concats" "N";
        /// Compare by =, > or < at random, not by = only
        random_relations: bool = false, "random-relations" "";
    }
}

/// Lengths from `low` to `high`.
#[derive(Clone, Copy)]
struct Interval {
    low: u64,
    high: u64,
}

impl Interval {
    /// The lengths with `n op length`; none if there are none.
    fn of(n: u64, op: Op) -> Option<Interval> {
        match op {
            Op::Gt => Some(Interval { low: 0, high: n.checked_sub(1)? }),
            Op::Lt => Some(Interval { low: n + 1, high: u64::MAX }),
            _ => Some(Interval { low: n, high: n }),
        }
    }
}

impl Generator for Lengths {
    fn info(&self) -> Info {
        Info {
            name: "lengths",
            about: "Many variables, and concatenations of them, with constraints on their lengths",
            truth: "always known",
            example: "--num-vars 100 --max-length 1000 --num-concats 50",
        }
    }

    fn check(&self) -> Result<(), String> {
        if self.max_length < self.min_length {
            return Err(format!(
                "--max-length {} is below --min-length {}",
                self.max_length, self.min_length
            ));
        }
        if self.max_length > u64::from(u32::MAX) {
            return Err("--max-length: at most 4294967295".into());
        }
        if self.num_concats > self.num_vars / 2 {
            let most = self.num_vars / 2;
            return Err(format!("--num-concats: at most half as many as variables, here {most}"));
        }
        Ok(())
    }

    fn make(&self, dice: &mut Dice, b: &mut Builder) -> Result<Truth, String> {
        let n = self.num_vars as usize;
        let vars: Vec<Term> = (0..n).map(|i| b.declare("x", i, Sort::STRING)).collect();
        let mut lengths = Vec::with_capacity(n);
        let mut intervals = Vec::with_capacity(n);
        let mut core = None;
        for (i, &v) in vars.iter().enumerate() {
            let length = dice.between(self.min_length, self.max_length);
            let op = self.relation(dice);
            compare(b, op, length, v);
            lengths.push(length);
            match Interval::of(length, op) {
                Some(interval) => intervals.push(interval),
                None => {
                    core = core.or(Some(vec![i]));
                    intervals.push(Interval { low: 0, high: 0 });
                }
            }
        }
        let mut order: Vec<usize> = (0..n).collect();
        if self.num_concats > 0 {
            dice.shuffle(&mut order);
        }
        // The length of each variable that the model gives it.
        let mut chosen: Vec<u64> = intervals.iter().map(|i| i.low).collect();
        for pair in order.chunks_exact(2).take(self.num_concats as usize) {
            let (x, y) = (pair[0], pair[1]);
            let both = b.concat(vars[x], vars[y]);
            let op = self.relation(dice);
            let at = compare(b, op, lengths[x] + lengths[y], both);
            let fits = Interval::of(lengths[x] + lengths[y], op);
            match fits.map(|want| meet(want, intervals[x], intervals[y])) {
                Some(Some(ab)) => (chosen[x], chosen[y]) = ab,
                Some(None) => core = core.or(Some(sorted([x, y, at]))),
                None => core = core.or(Some(vec![at])),
            }
        }
        Ok(match core {
            Some(core) => Truth::Unsat(core),
            None => model(b, &vars, &chosen),
        })
    }
}

impl Lengths {
    fn relation(&self, dice: &mut Dice) -> Op {
        if self.random_relations { *dice.pick(&[Op::Eq, Op::Gt, Op::Lt]) } else { Op::Eq }
    }
}

fn compare(b: &mut Builder, op: Op, length: u64, word: Term) -> usize {
    let (n, len) = (b.int(length), b.len(word));
    let t = b.mk(op, Sort::BOOL, &[n, len]);
    b.assert(t)
}

fn sorted(mut core: [usize; 3]) -> Vec<usize> {
    core.sort_unstable();
    core.to_vec()
}

/// Lengths from the two intervals whose sum is in `want`; the smallest sum that is.
fn meet(want: Interval, x: Interval, y: Interval) -> Option<(u64, u64)> {
    let sum = want.low.max(x.low + y.low);
    if sum > want.high || sum > x.high.saturating_add(y.high) {
        return None;
    }
    let first = x.low.max(sum.saturating_sub(y.high));
    Some((first, sum - first))
}

fn model(b: &Builder, vars: &[Term], lengths: &[u64]) -> Truth {
    if lengths.iter().sum::<u64>() > MAX_MODEL {
        return Truth::Unknown;
    }
    let longest = lengths.iter().copied().max().unwrap_or(0);
    let letters = vec![u32::from(b'a'); longest as usize];
    let mut values = Values::new(b);
    for (&v, &n) in vars.iter().zip(lengths) {
        values.word(v, &letters[..n as usize]);
    }
    values.sat()
}
