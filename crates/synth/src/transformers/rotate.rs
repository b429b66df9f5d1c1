//! *Rotate*: rotates arguments of the same sort.
//!
//! Half of the applications, chosen at random, are rotated: of each sort, the arguments are shifted by a random number of places. The
//! answer is kept if only commutative operators were rotated. The two ends of `re.range`, and
//! the operands of divisions stay.

use super::walk::{Rewrite, rewrite, with_args};
use super::{Effect, Flags, Job, Transformer};
use crate::dice::Dice;
use smt::{Head, Op, Pool, Sort, Term};

/// The transformer.
pub static ROTATE: Transformer = Transformer {
    name: "rotate",
    about: "rotate arguments of the same sort",
    flags: &[],
    keeps: "if only arguments of commutative operators were rotated (and, or, =, +, re.union, …)",
    apply,
};

fn apply(_: &Flags, job: &mut Job<'_>) -> Effect {
    let mut how = Rotating { dice: &mut *job.dice, symmetric: true };
    let changed = rewrite(job.pool, job.script, &mut how);
    Effect::of(changed, how.symmetric, None)
}

struct Rotating<'a> {
    dice: &'a mut Dice,
    /// Only arguments of commutative operators were rotated.
    symmetric: bool,
}

impl Rewrite for Rotating<'_> {
    fn enters(&self, _: &Pool, _: Term) -> bool {
        true
    }

    fn node(&mut self, pool: &mut Pool, t: Term, args: &[Term]) -> Term {
        let fixed = matches!(pool.head(t), Head::Op(Op::ReRange | Op::IntDiv | Op::Mod | Op::RealDiv));
        if fixed || args.len() < 2 || self.dice.below(2) == 0 {
            return with_args(pool, t, args);
        }
        let rotated = self.rotated(pool, args);
        if rotated != args && !matches!(pool.head(t), Head::Op(op) if is_symmetric(op)) {
            self.symmetric = false;
        }
        with_args(pool, t, &rotated)
    }
}

impl Rotating<'_> {
    fn rotated(&mut self, pool: &Pool, args: &[Term]) -> Vec<Term> {
        let mut out = args.to_vec();
        let mut sorts: Vec<Sort> = args.iter().map(|&a| pool.sort_of(a)).collect();
        sorts.sort_unstable();
        sorts.dedup();
        for sort in sorts.into_iter().filter(|&s| s != Sort::OPAQUE) {
            let places: Vec<usize> = (0..args.len()).filter(|&i| pool.sort_of(args[i]) == sort).collect();
            if places.len() < 2 {
                continue;
            }
            let by = 1 + self.dice.below(places.len() as u64 - 1) as usize;
            for (i, &from) in places.iter().enumerate() {
                out[places[(i + by) % places.len()]] = args[from];
            }
        }
        out
    }
}

/// The order of its arguments does not matter, however many there are.
fn is_symmetric(op: Op) -> bool {
    matches!(
        op,
        Op::And | Op::Or | Op::Xor | Op::Eq | Op::Distinct | Op::Add | Op::Mul | Op::ReUnion | Op::ReInter
    )
}
