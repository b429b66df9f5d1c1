//! *Reverse*: reverses every string.
//!
//! Literals are reversed, the arguments of `str.++` and `re.++` are reversed, and `str.prefixof` and
//! `str.suffixof` are swapped. (StringFuzz leaves the latter, and so loses the answer.) Other operators
//! stay; [`super::commute`] lists those that keep the answer.

use super::walk::{live, map};
use super::{Effect, Flags, Job, Transformer, commute};
use semantics::{Str, Value};
use smt::{Head, Op, Pool, Sort, Term};

/// The transformer.
pub static REVERSE: Transformer = Transformer {
    name: "reverse",
    about: "reverse literals and the arguments of concatenations, exchange str.prefixof and str.suffixof",
    flags: &[],
    keeps: "unless an operator treats the two ends of a string differently (str.at, str.substr, str.indexof, str.replace, str.<, str.to_int, …)",
    apply,
};

fn apply(_: &Flags, job: &mut Job<'_>) -> Effect {
    let before = live(job.pool, job.script);
    let keeps = commute::all_commute(job.pool, job.script, &before, &commute::commutes_with_reverse);
    let changed = map(job.pool, job.script, &mut node);
    Effect::of(changed, keeps, Some(Box::new(value)))
}

fn node(pool: &mut Pool, t: Term, args: &[Term]) -> Option<Term> {
    let op = match pool.head(t) {
        Head::Str(id) => {
            let word: Vec<u32> = pool.word(id).iter().rev().copied().collect();
            return Some(pool.string(&word));
        }
        Head::Op(op) => op,
        _ => return None,
    };
    let reversed = |args: &[Term]| args.iter().rev().copied().collect::<Vec<_>>();
    Some(match op {
        Op::StrConcat => pool.mk(Head::Op(op), Sort::STRING, &reversed(args)),
        Op::ReConcat => pool.mk(Head::Op(op), Sort::REGLAN, &reversed(args)),
        Op::StrPrefixof => pool.mk(Head::Op(Op::StrSuffixof), Sort::BOOL, args),
        Op::StrSuffixof => pool.mk(Head::Op(Op::StrPrefixof), Sort::BOOL, args),
        _ => return None,
    })
}

fn value(v: &Value) -> Option<Value> {
    match v {
        Value::Str(w) => Some(Value::Str(Str::from(&w.iter().rev().copied().collect::<Vec<_>>()[..]))),
        Value::Re(_) => None,
        _ => Some(v.clone()),
    }
}
