//! Uninterpreted functions over strings, with a meaning that was drawn first.
//!
//! The model defines a function by a few cases and a default. Two applications to equal words that differ are a contradiction in every
//! model: that is the unsatisfiable half, with the words equal by a determined value.

use super::grow::Grower;
use super::{Made, Material, Source, model_first, quantified};
use crate::dice::Dice;
use semantics::Value;
use semantics::instance::Truth;
use smt::{Fun, Op, Sort, Term};

pub(super) static FUNCTIONS: Source = Source {
    name: "functions",
    about: "uninterpreted functions into strings, integers, Booleans and languages, applied to string terms",
    truth: "sat by functions drawn first; unsat by congruence",
    needs_corpus: false,
    make,
};

/// The signatures: parameter and result.
const SIGNATURES: &[(Sort, Sort)] = &[
    (Sort::STRING, Sort::STRING),
    (Sort::STRING, Sort::STRING),
    (Sort::STRING, Sort::INT),
    (Sort::STRING, Sort::BOOL),
    (Sort::INT, Sort::STRING),
    (Sort::STRING, Sort::REGLAN),
    (Sort::INT, Sort::REGLAN),
];

fn make(dice: &mut Dice, material: &Material) -> Option<Made> {
    let mut g = Grower::with_constants(dice, &material.shape);
    let count = 1 + g.dice.index(2);
    let funs: Vec<(Fun, Sort, Sort)> = (0..count).map(|i| function(&mut g, i)).collect::<Option<_>>()?;
    if g.dice.one_in(4) {
        return clash(g, &funs);
    }
    let count = 1 + g.dice.index(material.shape.assertions.max(1));
    let mut assertions = Vec::new();
    for _ in 0..count {
        let t = formula(&mut g, &funs);
        assertions.extend(g.made_true(t));
    }
    g.satisfiable(&assertions)
}

/// A function and its meaning.
fn function(g: &mut Grower<'_>, number: usize) -> Option<(Fun, Sort, Sort)> {
    let (param, ret) = *g.dice.pick(SIGNATURES);
    let name = g.pool.names.intern(&format!("f{number}"));
    let f = g.pool.declare(name, Box::new([param]), ret);
    let meaning = g.pool.declare(name, Box::new([param]), ret);
    let v = g.pool.names.intern("v");
    let v = g.pool.var(v, param);
    let mut body = default(g, v, ret);
    for _ in 0..g.dice.index(3) {
        let key = g.literal(param);
        let test = g.eq(v, key);
        let result = if ret == Sort::REGLAN { g.letters() } else { g.literal(ret) };
        body = g.op(Op::Ite, &[test, result, body]);
    }
    g.pool.define(meaning, Box::new([v]), body);
    g.model.define(&g.pool, &[meaning]).ok()?;
    Some((f, param, ret))
}

/// The result for all other arguments.
fn default(g: &mut Grower<'_>, v: Term, ret: Sort) -> Term {
    let param = g.pool.sort_of(v);
    match (param, ret) {
        (_, Sort::REGLAN) => g.letters(),
        (Sort::STRING, Sort::STRING) if g.dice.one_in(2) => v,
        (Sort::STRING, Sort::INT) if g.dice.one_in(2) => g.len(v),
        (Sort::INT, Sort::STRING) if g.dice.one_in(2) => g.op(Op::StrFromInt, &[v]),
        _ => g.literal(ret),
    }
}

/// A function applied to a term.
fn application(g: &mut Grower<'_>, funs: &[(Fun, Sort, Sort)]) -> (Term, Sort) {
    let (f, param, ret) = *g.dice.pick(funs);
    let mut arg = g.any(param, 1);
    if param == ret && g.dice.one_in(4) {
        arg = g.pool.apply(f, &[arg]);
    }
    (g.pool.apply(f, &[arg]), ret)
}

fn formula(g: &mut Grower<'_>, funs: &[(Fun, Sort, Sort)]) -> Term {
    if g.dice.one_in(8) {
        return everywhere(g, funs);
    }
    let (t, ret) = application(g, funs);
    about(g, funs, t, ret)
}

/// A function at all, or at some, prefixes or parts of a word, some of them replaced.
fn everywhere(g: &mut Grower<'_>, funs: &[(Fun, Sort, Sort)]) -> Term {
    let (f, param, ret) = *g.dice.pick(funs);
    let (x, u) = (g.pick(Sort::STRING), quantified::variable(g, "u", Sort::STRING));
    let guard =
        if g.dice.one_in(2) { g.op(Op::StrPrefixof, &[u, x]) } else { g.op(Op::StrContains, &[x, u]) };
    let changed = if g.dice.one_in(3) {
        u
    } else {
        let (r, new) = (g.letters(), g.leaf(Sort::STRING));
        g.op(Op::StrReplaceReAll, &[u, r, new])
    };
    let arg = if param == Sort::INT { g.len(changed) } else { changed };
    let t = g.pool.apply(f, &[arg]);
    let body = about(g, funs, t, ret);
    let forall = g.dice.one_in(2);
    quantified::bound(g, forall, &[u], guard, body)
}

/// A formula about an application.
fn about(g: &mut Grower<'_>, funs: &[(Fun, Sort, Sort)], t: Term, ret: Sort) -> Term {
    match ret {
        Sort::BOOL => t,
        Sort::REGLAN => {
            let x = g.any(Sort::STRING, 1);
            g.op(Op::StrInRe, &[x, t])
        }
        Sort::STRING if g.dice.one_in(2) => within(g, t),
        _ => {
            let (other, sort) = application(g, funs);
            let other = if sort == ret { other } else { g.any(ret, 2) };
            g.eq(t, other)
        }
    }
}

/// The application inside a string operator.
fn within(g: &mut Grower<'_>, t: Term) -> Term {
    match g.dice.index(4) {
        0 => {
            let other = g.any(Sort::STRING, 1);
            g.op(Op::StrContains, &[t, other])
        }
        1 => {
            let (r, new) = (g.letters(), g.leaf(Sort::STRING));
            let r = g.op(Op::RePlus, &[r]);
            let replaced = g.op(Op::StrReplaceReAll, &[t, r, new]);
            let other = g.any(Sort::STRING, 1);
            g.eq(replaced, other)
        }
        2 => {
            let (length, n) = (g.len(t), g.any(Sort::INT, 1));
            g.op(Op::Le, &[length, n])
        }
        _ => {
            let x = g.pick(Sort::STRING);
            let whole = g.concat(&[t, x]);
            let other = g.any(Sort::STRING, 1);
            g.op(Op::StrPrefixof, &[whole, other])
        }
    }
}

/// Different values of a function at the same place.
fn clash(mut g: Grower<'_>, funs: &[(Fun, Sort, Sort)]) -> Option<Made> {
    let (f, param, ret) = *g.dice.pick(funs);
    if ret == Sort::REGLAN {
        return None;
    }
    let x = g.pick(param);
    let value: Value = g.value_at(x)?.clone();
    let place = g.spell(&value);
    let pin = g.pin(x, &value);
    let sides = [g.pool.apply(f, &[x]), g.pool.apply(f, &[place])];
    let differ = g.op(Op::Distinct, &sides);
    let mut assertions = vec![differ, pin];
    for _ in 0..g.dice.index(3) {
        assertions.extend(model_first::assertion(&mut g, 2));
    }
    Some(Made::new(g.pool, &assertions, Truth::Unsat(vec![0, 1])).with_recipe("congruence"))
}
