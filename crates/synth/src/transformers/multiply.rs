//! *Multiply*: multiplies numbers by N, and repeats each character of a literal N times.
//!
//! Not every string has each character N times, so that an unsatisfiable script may become satisfiable: only a model is
//! kept, multiplied as well, if the referee accepts it. It does as long as strings are concatenated, compared and
//! measured, and numbers are added and compared.

use super::walk::map;
use super::{Effect, Flags, Job, Transformer};
use semantics::{Str, Value};
use smt::{Head, Int, Op, Rat};

/// The transformer.
pub static MULTIPLY: Transformer = Transformer {
    name: "multiply",
    about: "multiply numbers, and repeat each character of literals",
    flags: &["factor", "re-range"],
    keeps: "sat, if the multiplied model holds",
    apply,
};

fn apply(flags: &Flags, job: &mut Job<'_>) -> Effect {
    let (n, re_range) = (flags.factor, flags.re_range);
    let changed = map(job.pool, job.script, &mut |pool, t, _| match pool.head(t) {
        Head::Str(id) => {
            let word = repeated(pool.word(id), n);
            Some(pool.string(&word))
        }
        Head::Int(id) => {
            let product = pool.int_value(id) * &Int::from(n);
            Some(pool.int(product))
        }
        Head::Real(id) => {
            let product = pool.real_value(id) * &Rat::from(Int::from(n));
            Some(pool.real(product))
        }
        Head::Op(Op::ReRange) if !re_range => Some(t),
        _ => None,
    });
    Effect::of(changed, false, Some(Box::new(move |v| value(v, n))))
}

fn repeated(w: &[u32], n: u32) -> Vec<u32> {
    w.iter().flat_map(|&c| std::iter::repeat_n(c, n as usize)).collect()
}

fn value(v: &Value, n: u32) -> Option<Value> {
    match v {
        Value::Str(w) => Some(Value::Str(Str::from(&repeated(w, n)[..]))),
        Value::Int(i) => Some(Value::Int(i * &Int::from(n))),
        Value::Real(q) => Some(Value::Real(q * &Rat::from(Int::from(n)))),
        Value::Re(_) => None,
        _ => Some(v.clone()),
    }
}
