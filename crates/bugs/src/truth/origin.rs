//! From a script to the one that edits made of it: which check was which, and the model under the new names.

use super::model::value_text;
use crate::doc::Doc;
use crate::passes::Candidate;
use semantics::model::Meaning;
use semantics::referee::{check, check_count};
use semantics::{Evaluator, Model};
use smt::print::Printer;
use smt::symbol::quote;
use smt::{Command, Dialect, Fun, Pool, Term};
use std::collections::BTreeMap;

/// For each check of the new script, its number in the old one.
pub(super) fn of_checks(old: &Doc, new: &Candidate) -> Vec<Option<usize>> {
    let commands = |doc: &Doc| -> Vec<Option<usize>> {
        (0..check_count(&doc.script)).map(|n| check(&doc.script, n).and_then(|c| c.command)).collect()
    };
    let before = commands(old);
    let number = |command: Option<usize>| match command {
        Some(at) => {
            let origin = new.origin.get(at).copied().flatten();
            before.iter().position(|&b| b.is_some() && b == origin)
        }
        // Its end: only a script that has no check either has the same.
        None => before.iter().position(Option::is_none),
    };
    commands(&new.doc).into_iter().map(number).collect()
}

/// A model of the old script as one of the new script: constants under their new names, new ones with the values of their terms.
pub(super) fn model(text: &str, old: &Doc, new: &Candidate) -> Option<String> {
    if new.renamed.is_empty() && new.fresh.is_empty() {
        return Some(text.to_owned());
    }
    let mut pool = old.pool.clone();
    let model = Model::read(text, &mut pool)?;
    let names: BTreeMap<&str, &str> = new.renamed.iter().map(|(n, o)| (n.as_str(), o.as_str())).collect();
    let fresh: BTreeMap<&str, Term> = new.fresh.iter().map(|(n, t)| (n.as_str(), *t)).collect();
    let mut out = String::from("(");
    for f in new.doc.script.declared() {
        let name = new.doc.pool.fun_name(f);
        let before = names.get(name).copied().unwrap_or(name);
        let term = match fresh.get(name) {
            Some(&t) => Some(t),
            None => {
                old_fun(old, before, new.doc.pool.fun(f).params.len()).and_then(|g| constant(&mut pool, g))
            }
        };
        let definition = match term {
            Some(t) => value(&pool, &model, t).map(|v| {
                let sort = new.doc.pool.sort_text(new.doc.pool.fun(f).ret);
                format!("(define-fun {} () {sort} {v})", quote(name))
            }),
            None => function(&pool, &model, before, name, new.doc.pool.fun(f).params.len()),
        };
        out.extend(definition);
    }
    out.push(')');
    Some(out)
}

fn old_fun(old: &Doc, name: &str, params: usize) -> Option<Fun> {
    old.script.declared().find(|&g| old.pool.fun_name(g) == name && old.pool.fun(g).params.len() == params)
}

fn constant(pool: &mut Pool, f: Fun) -> Option<Term> {
    pool.fun(f).params.is_empty().then(|| pool.apply(f, &[]))
}

fn value(pool: &Pool, model: &Model, t: Term) -> Option<String> {
    let mut e = Evaluator::new(pool, model);
    value_text(&mut e, t)
}

/// The definition of a function in a model, with another name.
fn function(pool: &Pool, model: &Model, old: &str, new: &str, params: usize) -> Option<String> {
    let Meaning::Definition(d) = model.by_name(old, params)? else { return None };
    let mut out = String::new();
    Printer::new(pool, Dialect::Smt26).command(&Command::DefineFun(d), &mut out).ok()?;
    let rest = out.strip_prefix("(define-fun ")?.strip_prefix(&*quote(old))?;
    Some(format!("(define-fun {}{rest}", quote(new)))
}
