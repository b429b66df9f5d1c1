//! Files of a corpus with a few changes: operators of the same signature, other subterms, constants at the corners, assertions dropped, negated or
//! repeated.
//!
//! A model of the file is kept with its constants; if it still holds the instance is satisfiable, otherwise it is unlabelled.

use super::base::grown;
use super::grow::Grower;
use super::{Made, Material, Source, spot};
use crate::dice::Dice;
use rustc_hash::FxHashMap;
use semantics::{Str, Value};
use smt::op::TABLE;
use smt::{Head, Int, Op, Pool, Sort, Term};

pub(super) static MUTATE: Source = Source {
    name: "mutate",
    about: "files of the corpus with a few operators, subterms, constants and assertions changed",
    truth: "sat if the model of the file still holds, otherwise unknown",
    needs_corpus: true,
    make,
};

/// Words at the corners.
const WORDS: &[&[u32]] =
    &[&[], &[0], &[0x2_FFFF], &[97], &[97, 97], &[34], &[92, 117, 123, 125], &[48, 48, 49], &[45, 49]];
/// Integers at the corners.
const INTS: &[i64] = &[-1, 0, 1, 2, 10, 255, 196_607, 196_608, 1 << 31, i64::MAX, i64::MIN + 1];

fn make(dice: &mut Dice, material: &Material) -> Option<Made> {
    if material.corpus.is_empty() {
        return None;
    }
    let file = dice.pick(&material.corpus);
    let (mut g, mut assertions) = grown(dice, material, file)?;
    for _ in 0..1 + g.dice.index(3) {
        let at = g.dice.index(assertions.len());
        match g.dice.index(10) {
            0 if assertions.len() > 1 => {
                assertions.remove(at);
            }
            1 => assertions[at] = g.not(assertions[at]),
            2 => {
                let other = assertions[g.dice.index(assertions.len())];
                let op = *g.dice.pick(&[Op::Or, Op::Implies, Op::Eq]);
                let t = g.op(op, &[assertions[at], other]);
                assertions.push(t);
            }
            _ => assertions[at] = changed(&mut g, &assertions, at),
        }
    }
    Some(spot::labelled(g, &assertions))
}

/// An assertion with one of its subterms replaced.
fn changed(g: &mut Grower<'_>, assertions: &[Term], at: usize) -> Term {
    let root = assertions[at];
    let parts: Vec<Term> =
        g.pool.subterms([root]).filter(|&t| !matches!(g.pool.head(t), Head::Var(_))).collect();
    if parts.is_empty() {
        return root;
    }
    let part = *g.dice.pick(&parts);
    let new = match g.pool.head(part) {
        Head::Str(_) | Head::Int(_) if !g.dice.one_in(4) => Some(corner(g, part)),
        Head::Op(op) if has_position(op) && g.dice.one_in(2) => Some(moved(g, part, op)),
        Head::Op(op) if !g.dice.one_in(3) => similar(g, part, op),
        Head::Indexed(op, _) => reindexed(g, part, op),
        _ => None,
    };
    let new = new.unwrap_or_else(|| other(g, assertions, part, root));
    g.pool.replace(root, &mut FxHashMap::from_iter([(part, new)]))
}

/// A literal at a corner.
fn corner(g: &mut Grower<'_>, t: Term) -> Term {
    let value = match g.pool.head(t) {
        Head::Str(id) => {
            let word = g.pool.word(id).to_vec();
            let word = match g.dice.index(6) {
                0 => word.repeat(2 + g.dice.index(20)).into_iter().take(300).collect(),
                1 => word.iter().rev().copied().collect(),
                2 => word[..g.dice.index(word.len() + 1)].to_vec(),
                3 => g.word(4),
                _ => g.dice.pick(WORDS).to_vec(),
            };
            Value::Str(Str::from(&word[..]))
        }
        Head::Int(id) => {
            let n = g.pool.int_value(id).clone();
            Value::Int(match g.dice.index(4) {
                0 => n + Int::from(1),
                1 => n - Int::from(1),
                2 => -n,
                _ => int(g),
            })
        }
        _ => return t,
    };
    g.spell(&value)
}

/// An integer at a corner.
fn int(g: &mut Grower<'_>) -> Int {
    if g.dice.one_in(INTS.len() as u64 + 1) {
        return Int::from(1_u64 << 63);
    }
    Int::from(*g.dice.pick(INTS))
}

/// The operator has a position in its first argument.
fn has_position(op: Op) -> bool {
    matches!(op, Op::StrAt | Op::StrSubstr | Op::StrIndexof)
}

/// The same with a position before the start, at the end, past it, or far away.
fn moved(g: &mut Grower<'_>, t: Term, op: Op) -> Term {
    let mut args = g.pool.args(t).to_vec();
    if args.len() != op.row().params.len() {
        return t;
    }
    let length = g.len(args[0]);
    let at = match op {
        Op::StrIndexof => 2,
        Op::StrSubstr => 1 + g.dice.index(2),
        _ => 1,
    };
    args[at] = match g.dice.index(4) {
        0 => g.num(-1),
        1 => length,
        2 => {
            let one = g.num(1);
            g.op(Op::Add, &[length, one])
        }
        _ => {
            let n = int(g);
            g.spell(&Value::Int(n))
        }
    };
    g.op(op, &args)
}

/// Another operator with the same signature, applied to the same arguments.
fn similar(g: &mut Grower<'_>, t: Term, op: Op) -> Option<Term> {
    let row = op.row();
    let fits = |o: Op| o != op && !o.is_extension() && o.row().params == row.params && o.row().ret == row.ret;
    let others: Vec<Op> =
        TABLE.iter().map(|r| r.op).filter(|&o| o.row().indices == row.indices && fits(o)).collect();
    if others.is_empty() || nonlinear(&g.pool, t) {
        return None;
    }
    let args = g.pool.args(t).to_vec();
    let op = *g.dice.pick(&others);
    g.pool.op(op, &args).ok().filter(|&new| g.pool.sort_of(new) == g.pool.sort_of(t))
}

/// A product of these arguments would not be linear.
fn nonlinear(pool: &Pool, t: Term) -> bool {
    let literal = |t: Term| matches!(pool.head(t), Head::Int(_) | Head::Real(_));
    let number = matches!(pool.sort_of(t), Sort::INT | Sort::REAL);
    number
        && pool.args(t).len() > 1
        && !pool.args(t).iter().any(|&a| literal(a))
        && matches!(pool.sort_of(pool.args(t)[0]), Sort::INT | Sort::REAL)
}

/// Other counters.
fn reindexed(g: &mut Grower<'_>, t: Term, op: Op) -> Option<Term> {
    let args = g.pool.args(t).to_vec();
    let count = op.row().indices;
    let least = u64::from(op == Op::Divisible);
    let indices: Vec<Int> = (0..count)
        .map(|_| {
            let far = op != Op::Divisible && g.dice.one_in(8);
            Int::from(if far {
                *g.dice.pick(&[1 << 31, 1 << 32, 1 << 63])
            } else {
                g.dice.below(6).max(least)
            })
        })
        .collect();
    g.pool.indexed(op, &indices, &args).ok()
}

/// A subterm of the file with the same sort, or a new one.
fn other(g: &mut Grower<'_>, assertions: &[Term], t: Term, root: Term) -> Term {
    let sort = g.pool.sort_of(t);
    let closed = |u: &Term| *u != t && g.pool.sort_of(*u) == sort && !g.pool.has_var(*u);
    // A quantifier might capture constants of a new term.
    let from: &[Term] = if g.pool.has_binder(root) { &[root] } else { assertions };
    let fitting: Vec<Term> = g.pool.subterms(from.iter().copied()).filter(closed).collect();
    let grows = matches!(sort, Sort::BOOL | Sort::INT | Sort::STRING | Sort::REGLAN);
    if grows && !g.pool.has_binder(root) && (fitting.is_empty() || g.dice.one_in(3)) {
        return g.any(sort, 2);
    }
    if fitting.is_empty() { t } else { *g.dice.pick(&fitting) }
}
