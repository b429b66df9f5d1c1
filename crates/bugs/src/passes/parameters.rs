//! Fewer parameters of functions.
//!
//! `(declare-fun f (Int Int) Int)` becomes `(declare-fun f (Int) Int)`, and in the end a constant. The script becomes stronger: a function with fewer parameters is one that
//! ignores the others. Of a defined function, a parameter that its body does not use is dropped without effect; one that is used
//! becomes a constant.

use super::Pass;
use super::edit::{Change, Edit, largest};
use super::facts;
use crate::doc::{Doc, Effect, defined};
use smt::{Command, Fun, Term};

/// Drops parameters.
pub(super) struct Parameters;

impl Pass for Parameters {
    fn name(&self) -> &'static str {
        "parameters"
    }

    fn edits(&self, doc: &Doc) -> Vec<Edit> {
        let funs = doc.script.commands().flat_map(|c| match c {
            Command::DeclareFun(f) => std::slice::from_ref(f),
            c => defined(c),
        });
        largest(funs.flat_map(|&f| of_function(doc, f)))
    }
}

fn of_function(doc: &Doc, f: Fun) -> Vec<Edit> {
    let count = doc.pool.fun(f).params.len();
    let edit = |these: Vec<usize>| Edit {
        effect: these.iter().fold(Effect::Equivalent, |e, &i| e.then(effect(doc, f, i))),
        gain: these.len() as u32,
        change: Change::Parameters(f, these),
    };
    let mut out: Vec<Edit> = (0..count).map(|i| edit(vec![i])).collect();
    if count > 1 {
        out.push(edit((0..count).collect()));
    }
    out
}

fn effect(doc: &Doc, f: Fun, i: usize) -> Effect {
    let Some(def) = &doc.pool.fun(f).def else { return facts::global(doc, Effect::Stronger) };
    let used = |v: &Term| doc.pool.subterms([def.body]).any(|t| t == *v);
    if def.vars.get(i).is_none_or(used) { Effect::Any } else { facts::global(doc, Effect::Equivalent) }
}
