//! Models as text, accepted by the referee.
//!
//! A model goes from one script to the next by the names of its constants: those that the smaller script does not have are ignored, new ones
//! get default values. The text that is kept is complete, and the referee accepts it as it is read back.

use crate::doc::Doc;
use campaign::judge::Scope;
use rustc_hash::FxHashSet;
use semantics::model::Meaning;
use semantics::referee::{self, Check, Judgement};
use semantics::regex::RegexStore;
use semantics::{Config, Evaluator, Model, Reading, Satisfaction, Value};
use smt::print::Printer;
use smt::symbol::quote;
use smt::{Command, Dialect, Fun, Head, Op, Pool, Script, Sort, Term};
use std::fmt::Write as _;

/// A model that the referee accepts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Accepted {
    /// `(define-fun …)`s.
    pub(super) text: String,
    /// Whether it is a model under the other reading too; none if readings do not differ.
    pub(super) scope: Option<Scope>,
}

/// The limits of an evaluation.
fn config(reading: Reading) -> Config {
    Config { reading, steps: 5_000_000, regex_budget: 5_000_000, ..Config::default() }
}

/// The assertions and assumptions of check `n`.
pub(super) fn terms(script: &Script, n: usize) -> Vec<Term> {
    let check = referee::check(script, n).unwrap_or_default();
    check.assertions.iter().map(|&(_, t)| t).chain(check.assumptions).collect()
}

/// The model of this text, if the referee accepts it for these terms of the script.
pub(super) fn accept_text(doc: &Doc, terms: &[Term], text: &str) -> Option<Accepted> {
    let mut pool = doc.pool.clone();
    let model = Model::read(text, &mut pool)?;
    accept(&doc.script, &doc.pool, &pool, terms, &model)
}

/// The same for a model whose terms are in `pool`, which starts with `own`, that of the script.
pub(super) fn accept(
    script: &Script,
    own: &Pool,
    pool: &Pool,
    terms: &[Term],
    model: &Model,
) -> Option<Accepted> {
    if satisfies(pool, terms, model, Reading::Standard) != Satisfaction::Holds {
        return None;
    }
    let text = complete(script, pool, terms, model);
    let mut fresh = own.clone();
    let again = Model::read(&text, &mut fresh)?;
    if satisfies(&fresh, terms, &again, Reading::Standard) != Satisfaction::Holds {
        return None;
    }
    let scope =
        readings_differ(&fresh, terms).then(|| match satisfies(&fresh, terms, &again, Reading::Pre26) {
            Satisfaction::Holds => Scope::Both,
            Satisfaction::Fails => Scope::One,
            Satisfaction::Undetermined(_) => Scope::Open,
        });
    Some(Accepted { text, scope })
}

fn satisfies(pool: &Pool, terms: &[Term], model: &Model, reading: Reading) -> Satisfaction {
    let mut e = Evaluator::with(pool, model, config(reading), RegexStore::new());
    let check = Check { assertions: terms.iter().map(|&t| (0, t)).collect(), ..Check::default() };
    Judgement::of(&check, &mut e).overall()
}

/// The terms have an operator on which readings differ.
pub(super) fn readings_differ(pool: &Pool, terms: &[Term]) -> bool {
    reachable(pool, terms).iter().any(|&t| matches!(pool.head(t), Head::Op(Op::StrReplace | Op::StrIndexof)))
}

/// The subterms of terms, and of the definitions that they use.
pub(super) fn reachable(pool: &Pool, terms: &[Term]) -> Vec<Term> {
    let mut found: Vec<Term> = Vec::new();
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    let mut todo = terms.to_vec();
    while let Some(t) = todo.pop() {
        if !seen.insert(t) {
            continue;
        }
        smt::work::spend(1);
        found.push(t);
        todo.extend(pool.children(t));
        if let Head::Fun(f) = pool.head(t)
            && let Some(def) = &pool.fun(f).def
        {
            todo.push(def.body);
        }
    }
    found
}

/// The values of the constants and functions in the terms, as definitions.
fn complete(script: &Script, pool: &Pool, terms: &[Term], model: &Model) -> String {
    let used: FxHashSet<Fun> = reachable(pool, terms)
        .into_iter()
        .filter_map(|t| if let Head::Fun(f) = pool.head(t) { Some(f) } else { None })
        .collect();
    let mut pool = pool.clone();
    let funs: Vec<Fun> = script.declared().filter(|f| used.contains(f)).collect();
    let constants: Vec<Term> = funs.iter().map(|&f| constant(&mut pool, f)).collect();
    let mut e = Evaluator::with(&pool, model, config(Reading::Standard), RegexStore::new());
    let mut out = String::from("(");
    for (&f, &t) in funs.iter().zip(&constants) {
        let text =
            if pool.fun(f).params.is_empty() { value(&mut e, f, t) } else { function(&pool, model, f) };
        if let Some(text) = text {
            out.push_str(if out.len() > 1 { " " } else { "" });
            out.push_str(&text);
        }
    }
    out.push(')');
    out
}

/// The term of a constant; any term for a function.
fn constant(pool: &mut Pool, f: Fun) -> Term {
    if pool.fun(f).params.is_empty() { pool.apply(f, &[]) } else { pool.bool(true) }
}

fn value(e: &mut Evaluator<'_>, f: Fun, t: Term) -> Option<String> {
    let text = value_text(e, t)?;
    let pool = e.pool();
    Some(format!("(define-fun {} () {} {text})", quote(pool.fun_name(f)), pool.sort_text(pool.fun(f).ret)))
}

/// The value of a term; none if it is not determined, or if no text denotes it.
pub(super) fn value_text(e: &mut Evaluator<'_>, t: Term) -> Option<String> {
    Some(match e.eval(t).ok()? {
        Value::Element(name) if name.starts_with("@default") => return None,
        Value::Element(name) if name.starts_with('@') => {
            format!("(as {name} {})", e.pool().sort_text(e.pool().sort_of(t)))
        }
        value => value.to_smtlib(e.store()),
    })
}

/// The definition of a function in the model, else one with a default value.
fn function(pool: &Pool, model: &Model, f: Fun) -> Option<String> {
    if let Some(Meaning::Definition(d)) = model.lookup(pool, f)
        && pool.fun(d).params.len() == pool.fun(f).params.len()
    {
        let mut out = String::new();
        Printer::new(pool, Dialect::Smt26).command(&Command::DefineFun(d), &mut out).ok()?;
        return Some(out);
    }
    let data = pool.fun(f);
    let default = match data.ret {
        Sort::BOOL => "false".to_owned(),
        Sort::INT => "0".to_owned(),
        Sort::STRING => "\"\"".to_owned(),
        sort if pool.element_of(sort).is_some() => format!("(as seq.empty {})", pool.sort_text(sort)),
        _ => return None,
    };
    let mut out = format!("(define-fun {} (", quote(pool.fun_name(f)));
    for (i, &sort) in data.params.iter().enumerate() {
        let space = if i == 0 { "" } else { " " };
        let _ = write!(out, "{space}(x{i} {})", pool.sort_text(sort));
    }
    let _ = write!(out, ") {} {default})", pool.sort_text(data.ret));
    Some(out)
}
