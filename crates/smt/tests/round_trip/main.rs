//! Reading, printing and reading again gives the same script.

use proptest::prelude::*;
use std::collections::HashSet;
use stringent_smt::op::{S, Shape, TABLE};
use stringent_smt::print::{Printer, Sharing, script_text, term_text};
use stringent_smt::script::Command;
use stringent_smt::sexpr::{Kind, Quoting, Reader, Tree};
use stringent_smt::symbol::Symbol;
use stringent_smt::term::{AttrValue, Attribute};
use stringent_smt::{Dialect, Fun, Head, Int, Op, Parsed, Pool, Rat, Script, Sort, Term};

mod deep;
mod lossless;
mod scopes;
mod sharing;
mod terms;

/// Reads `text`, which is well formed.
#[track_caller]
fn parse(text: &str, dialect: Dialect, pool: &mut Pool) -> Script {
    let Parsed { script, diagnostics, .. } = stringent_smt::parse(text.as_bytes(), Some(dialect), pool);
    let shown: String = text.chars().take(2_000).collect();
    let errors: Vec<_> =
        diagnostics.iter().filter(|d| d.severity == stringent_smt::Severity::Error).take(5).collect();
    assert!(errors.is_empty(), "{errors:?} in {dialect}: {shown}");
    script
}

fn standard(pool: &Pool, script: &Script) -> String {
    script_text(pool, script, Dialect::Smt26, None, None).expect("2.6 can express every script")
}

/// The script in 2.6 after one trip.
#[track_caller]
fn trip(text: &str) -> String {
    let mut pool = Pool::new();
    let script = parse(text, Dialect::Smt26, &mut pool);
    let written = standard(&pool, &script);
    let mut pool = Pool::new();
    let script = parse(&written, Dialect::Smt26, &mut pool);
    assert_eq!(standard(&pool, &script), written);
    written
}

/// The number of errors of a text.
fn errors(text: &str) -> usize {
    stringent_smt::parse(text.as_bytes(), Some(Dialect::Smt26), &mut Pool::new()).errors()
}

// Equal terms of two pools.

/// The value of a numeric constant, also as it is written: `(- 5)`, `(/ 1.0 3.0)`.
fn number(pool: &Pool, t: Term) -> Option<Rat> {
    let args = pool.args(t);
    match pool.head(t) {
        Head::Int(id) => Some(Rat::from(pool.int_value(id).clone())),
        Head::Real(id) => Some(pool.real_value(id).clone()),
        Head::Op(Op::Neg) if matches!(pool.head(args[0]), Head::Int(_) | Head::Real(_)) => {
            number(pool, args[0]).map(|q| -q)
        }
        Head::Op(Op::Neg) if pool.head(args[0]) == Head::Op(Op::RealDiv) => number(pool, args[0]).map(|q| -q),
        Head::Op(Op::RealDiv)
            if args.len() == 2 && args.iter().all(|&a| matches!(pool.head(a), Head::Real(_))) =>
        {
            number(pool, args[0])?.checked_div(&number(pool, args[1])?)
        }
        _ => None,
    }
}

fn is_number(pool: &Pool, t: Term) -> bool {
    matches!(pool.head(t), Head::Int(_) | Head::Real(_))
}

/// Checks that two terms are the same; functions are compared by name.
fn same(p: &Pool, a: Term, q: &Pool, b: Term) -> Result<(), String> {
    let mut seen = HashSet::new();
    let mut stack = vec![(a, b)];
    while let Some((a, b)) = stack.pop() {
        if !seen.insert((a, b)) {
            continue;
        }
        let differ = || Err(format!("`{}` is not `{}`", term_text(p, a), term_text(q, b)));
        if p.sort_text(p.sort_of(a)) != q.sort_text(q.sort_of(b)) {
            return differ();
        }
        if (is_number(p, a) || is_number(q, b)) && number(p, a).is_some() && number(p, a) == number(q, b) {
            continue;
        }
        let name = |p: &Pool, s: Symbol| p.names.name(s).to_owned();
        let equal = match (p.head(a), q.head(b)) {
            (Head::Op(x), Head::Op(y)) => x == y,
            (Head::Indexed(x, i), Head::Indexed(y, j)) => x == y && p.index_values(i) == q.index_values(j),
            (Head::Str(x), Head::Str(y)) => p.word(x) == q.word(y),
            (Head::Fun(f), Head::Fun(g)) => p.fun_name(f) == q.fun_name(g),
            (Head::Var(x), Head::Var(y)) | (Head::Opaque(x), Head::Opaque(y)) => name(p, x) == name(q, y),
            (Head::Annot(x), Head::Annot(y)) => {
                let (x, y) = (p.attributes(x), q.attributes(y));
                x.len() == y.len()
                    && x.iter().zip(y).all(|(x, y)| {
                        name(p, x.key) == name(q, y.key)
                            && match (&x.value, &y.value) {
                                (AttrValue::Symbol(x), AttrValue::Symbol(y)) => name(p, *x) == name(q, *y),
                                (AttrValue::Terms(x), AttrValue::Terms(y)) => x.len() == y.len(),
                                (x, y) => x == y,
                            }
                    })
            }
            (x, y) => std::mem::discriminant(&x) == std::mem::discriminant(&y) && !is_number(p, a),
        };
        let (x, y): (Vec<_>, Vec<_>) = (p.children(a).collect(), q.children(b).collect());
        if !equal || x.len() != y.len() {
            return differ();
        }
        stack.extend(x.into_iter().zip(y));
    }
    Ok(())
}
