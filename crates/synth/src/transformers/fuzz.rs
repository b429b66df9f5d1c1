//! *Fuzz*: replaces literals and operators by similar ones.
//!
//! Each character of a string literal is kept, replaced, followed by another, or deleted; a number `x` becomes one between
//! 0 and `2x`; an operator becomes one with the same sorts. Each occurrence is changed separately.
//! Linear terms stay linear: no product or quotient of two terms that are not literals is built.

use super::walk::{Rewrite, rewrite, with_args};
use super::{Effect, Flags, Job, Transformer};
use crate::dice::Dice;
use rustc_hash::FxHashMap;
use smt::op::{Shape, TABLE};
use smt::{Dialect, Head, Int, Op, Pool, Rat, Sort, Term};

/// The transformer.
pub static FUZZ: Transformer = Transformer {
    name: "fuzz",
    about: "replace literals and operators by similar ones",
    flags: &["re-range"],
    keeps: "sat, if the model still holds",
    apply,
};

fn apply(flags: &Flags, job: &mut Job<'_>) -> Effect {
    let mut how = Fuzzing {
        re_range: flags.re_range,
        dice: &mut *job.dice,
        dialect: job.dialect,
        similar: FxHashMap::default(),
    };
    let changed = rewrite(job.pool, job.script, &mut how);
    Effect::of(changed, false, None)
}

struct Fuzzing<'a> {
    re_range: bool,
    dice: &'a mut Dice,
    dialect: Dialect,
    /// The operators that an application may become, by operator, number of arguments and first sort.
    similar: FxHashMap<(Op, usize, Option<Sort>, bool), Vec<Op>>,
}

impl Rewrite for Fuzzing<'_> {
    fn enters(&self, pool: &Pool, t: Term) -> bool {
        pool.head(t) != Head::Op(Op::ReRange)
    }

    fn node(&mut self, pool: &mut Pool, t: Term, args: &[Term]) -> Term {
        match pool.head(t) {
            Head::Str(id) => {
                let word = self.word(pool.word(id));
                pool.string(&word)
            }
            Head::Int(id) => {
                let n = self.number(pool.int_value(id));
                pool.int(n)
            }
            Head::Real(id) => {
                let quarters =
                    Rat::new(Int::from(self.dice.below(9) as i64), Int::from(4)).expect("not by zero");
                let q = pool.real_value(id) * &quarters;
                pool.real(q)
            }
            Head::Op(op) => self.operator(pool, t, op, args),
            Head::Indexed(Op::ReLoop | Op::RePower, id) => {
                let mut list: Vec<Int> = pool.index_values(id).iter().map(|n| self.number(n)).collect();
                list.sort();
                let id = pool.index(&list);
                let Head::Indexed(op, _) = pool.head(t) else { return t };
                pool.mk(Head::Indexed(op, id), Sort::REGLAN, args)
            }
            _ => with_args(pool, t, args),
        }
    }
}

impl Fuzzing<'_> {
    fn character(&mut self) -> u32 {
        0x20 + self.dice.below(0x5F) as u32
    }

    fn word(&mut self, w: &[u32]) -> Vec<u32> {
        let mut out = Vec::with_capacity(w.len() + 4);
        for &c in w {
            match self.dice.below(4) {
                0 => out.push(c),
                1 => out.push(self.character()),
                2 => out.extend([c, self.character()]),
                _ => {}
            }
        }
        if w.is_empty() && self.dice.below(4) == 0 {
            out.push(self.character());
        }
        out
    }

    /// A number between 0 and `2n`; not every one if `n` is large.
    fn number(&mut self, n: &Int) -> Int {
        match n.to_i64() {
            Some(small @ 0..0x2000_0000_0000_0000) => Int::from(self.dice.below(2 * small as u64 + 1) as i64),
            _ => {
                let thousandths = Int::from(self.dice.below(2001) as i64);
                (n * &thousandths).div_euclid_smt(&Int::from(1000)).unwrap_or_default()
            }
        }
    }

    fn operator(&mut self, pool: &mut Pool, t: Term, op: Op, args: &[Term]) -> Term {
        if op == Op::ReRange {
            return if self.re_range { self.range(pool, args) } else { t };
        }
        let literal = args.get(1).is_some_and(|&a| matches!(pool.head(a), Head::Int(_)));
        let key = (op, args.len(), args.first().map(|&a| pool.sort_of(a)), literal);
        let dialect = self.dialect;
        let similar = self.similar.entry(key).or_insert_with(|| similar(pool, t, op, args, literal, dialect));
        // Operators of sequences have none.
        if similar.is_empty() {
            return with_args(pool, t, args);
        }
        let new = similar[self.dice.index(similar.len())];
        if new == op {
            return with_args(pool, t, args);
        }
        // Not every argument list of this key need fit: opaque terms agree with every sort.
        match pool.op(new, args) {
            Ok(made) if pool.sort_of(made) == pool.sort_of(t) => made,
            _ => with_args(pool, t, args),
        }
    }

    /// Single characters stay single characters.
    fn range(&mut self, pool: &mut Pool, args: &[Term]) -> Term {
        let args: Vec<Term> = args
            .iter()
            .map(|&a| match pool.head(a) {
                Head::Str(id) if pool.word(id).len() == 1 && self.dice.below(2) == 0 => {
                    let c = self.character();
                    pool.string(&[c])
                }
                _ => a,
            })
            .collect();
        pool.mk(Head::Op(Op::ReRange), Sort::REGLAN, &args)
    }
}

/// The operators that take these arguments and give the sort of `t`; `op` itself is always one.
fn similar(pool: &mut Pool, t: Term, op: Op, args: &[Term], literal: bool, dialect: Dialect) -> Vec<Op> {
    let divides = |o: Op| matches!(o, Op::Mul | Op::IntDiv | Op::Mod | Op::RealDiv);
    let fits = |pool: &mut Pool, o: Op| {
        o == op
            || o.row().indices == 0
                && o.is_in(dialect)
                && (!o.is_extension() || op.is_extension())
                && (!divides(o) || literal && args.len() == 2)
                && !matches!(o, Op::ReRange | Op::StrToRe | Op::Ite)
                && takes(o, args.len())
                && same_kind(op, o)
                && pool.op(o, args).is_ok_and(|made| pool.sort_of(made) == pool.sort_of(t))
    };
    TABLE.iter().map(|r| r.op).filter(|&o| fits(pool, o)).collect()
}

/// Applications of an associative operator to a single argument are accepted, but not built.
fn takes(op: Op, args: usize) -> bool {
    let (min, max) = op.arity();
    let min = if op.row().shape == Shape::Fixed { min } else { min.max(2) };
    (min..=max).contains(&args)
}

/// Nullary operators are replaced by nullary operators only.
fn same_kind(a: Op, b: Op) -> bool {
    let nullary = |o: Op| o.row().params.is_empty();
    nullary(a) == nullary(b)
}
