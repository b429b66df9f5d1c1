//! Quantifiers over the positions, prefixes and parts of words: bounded, so that the evaluator decides them.

use super::grow::Grower;
use super::{Made, Material, Source, spot};
use crate::dice::Dice;
use smt::{Head, Op, Sort, Term};

pub(super) static QUANTIFIED: Source = Source {
    name: "quantified",
    about: "forall and exists over positions, prefixes, parts and splits of words",
    truth: "sat by the model drawn first, all instances evaluated; unsat where all constants are determined and a formula is false",
    needs_corpus: false,
    make,
};

fn make(dice: &mut Dice, material: &Material) -> Option<Made> {
    spot::instance(Grower::with_constants(dice, &material.shape), formula)
}

fn formula(g: &mut Grower<'_>) -> Option<Term> {
    let x = g.pick(Sort::STRING);
    let forall = g.dice.one_in(2);
    match g.dice.index(5) {
        0 | 1 => positions(g, x, forall),
        2 | 3 => parts(g, x, forall),
        _ => splits(g, x, forall),
    }
}

pub(super) fn variable(g: &mut Grower<'_>, name: &str, sort: Sort) -> Term {
    let name = g.pool.names.intern(name);
    g.pool.var(name, sort)
}

/// `∀v. guard ⇒ body`, or `∃v. guard ∧ body`.
pub(super) fn bound(g: &mut Grower<'_>, forall: bool, vars: &[Term], guard: Term, body: Term) -> Term {
    let body = if forall { g.op(Op::Implies, &[guard, body]) } else { g.op(Op::And, &[guard, body]) };
    let args: Vec<Term> = vars.iter().copied().chain([body]).collect();
    let head = if forall { Head::Forall } else { Head::Exists };
    g.pool.mk(head, Sort::BOOL, &args)
}

/// Over the positions of a word.
fn positions(g: &mut Grower<'_>, x: Term, forall: bool) -> Option<Term> {
    let k = variable(g, "k", Sort::INT);
    let (zero, length) = (g.num(0), g.len(x));
    let bounds = [g.op(Op::Le, &[zero, k]), g.op(Op::Lt, &[k, length])];
    let guard = g.all(&bounds);
    let at = g.op(Op::StrAt, &[x, k]);
    let body = match g.dice.index(5) {
        0 => {
            let r = g.letters();
            g.op(Op::StrInRe, &[at, r])
        }
        1 => {
            let code = g.op(Op::StrToCode, &[at]);
            let border = *g.dice.pick(&[48, 57, 97, 98, 99]);
            let border = g.num(border);
            let op = *g.dice.pick(&[Op::Le, Op::Ge, Op::Lt]);
            g.op(op, &[code, border])
        }
        2 => {
            let y = g.pick(Sort::STRING);
            let other = g.op(Op::StrAt, &[y, k]);
            let op = *g.dice.pick(&[Op::Eq, Op::StrLe, Op::Distinct]);
            g.op(op, &[at, other])
        }
        3 => {
            let one = g.num(1);
            let next = g.op(Op::Add, &[k, one]);
            let next = g.op(Op::StrAt, &[x, next]);
            let op = *g.dice.pick(&[Op::StrLe, Op::Distinct]);
            g.op(op, &[at, next])
        }
        _ => {
            let y = g.leaf(Sort::STRING);
            g.op(Op::StrContains, &[y, at])
        }
    };
    Some(bound(g, forall, &[k], guard, body))
}

/// Over the prefixes, suffixes or parts of a word.
fn parts(g: &mut Grower<'_>, x: Term, forall: bool) -> Option<Term> {
    let u = variable(g, "u", Sort::STRING);
    let guard = match g.dice.index(3) {
        0 => g.op(Op::StrPrefixof, &[u, x]),
        1 => g.op(Op::StrSuffixof, &[u, x]),
        _ => g.op(Op::StrContains, &[x, u]),
    };
    let body = property(g, u);
    Some(bound(g, forall, &[u], guard, body))
}

/// A property of a part.
fn property(g: &mut Grower<'_>, u: Term) -> Term {
    match g.dice.index(5) {
        0 => {
            let n = g.dice.int(0, 3);
            let args = [g.len(u), g.num(n)];
            let op = *g.dice.pick(&[Op::Le, Op::Ge, Op::Eq]);
            g.op(op, &args)
        }
        1 => {
            let y = g.leaf(Sort::STRING);
            g.op(Op::StrContains, &[y, u])
        }
        2 => {
            let y = g.leaf(Sort::STRING);
            let op = *g.dice.pick(&[Op::StrLe, Op::StrLt]);
            g.op(op, &[u, y])
        }
        3 => {
            let r = g.letters();
            let r = g.op(Op::ReStar, &[r]);
            g.op(Op::StrInRe, &[u, r])
        }
        _ => {
            let (old, new, y) = (g.leaf(Sort::STRING), g.leaf(Sort::STRING), g.leaf(Sort::STRING));
            let op = *g.dice.pick(&[Op::StrReplace, Op::StrReplaceAll]);
            let t = g.op(op, &[u, old, new]);
            g.op(Op::Distinct, &[t, y])
        }
    }
}

/// Over the ways to split a word.
fn splits(g: &mut Grower<'_>, x: Term, forall: bool) -> Option<Term> {
    let (u, v) = (variable(g, "u", Sort::STRING), variable(g, "v", Sort::STRING));
    let whole = if g.dice.one_in(3) {
        let letter = g.lit("a");
        g.concat(&[u, letter, v])
    } else {
        g.concat(&[u, v])
    };
    let guard = g.eq(x, whole);
    let body = match g.dice.index(3) {
        0 => {
            let (a, b) = (g.len(u), g.len(v));
            let op = *g.dice.pick(&[Op::Eq, Op::Lt, Op::Distinct]);
            g.op(op, &[a, b])
        }
        1 => {
            let op = *g.dice.pick(&[Op::StrContains, Op::StrPrefixof, Op::StrLe, Op::Distinct]);
            g.op(op, &[u, v])
        }
        _ => property(g, v),
    };
    Some(bound(g, forall, &[u, v], guard, body))
}
