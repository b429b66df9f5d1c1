//! Assertions by content, so that they are recognised in another script.
//!
//! The key of a term is its text without names of assertions, with the declarations of the symbols in it: two terms with the same key have the
//! same meaning.

use super::model::reachable;
use crate::doc::Doc;
use smt::print::term_text;
use smt::{Fun, Head, Pool, Term};
use std::fmt::Write as _;

/// The keys of some terms of a script, in order.
pub(super) fn of(doc: &Doc, terms: &[Term]) -> Vec<String> {
    terms.iter().map(|&t| key(&doc.pool, t)).collect()
}

fn key(pool: &Pool, t: Term) -> String {
    let t = pool.strip(t);
    let mut funs: Vec<Fun> = reachable(pool, &[t])
        .into_iter()
        .filter_map(|t| if let Head::Fun(f) = pool.head(t) { Some(f) } else { None })
        .collect();
    funs.sort_by(|a, b| (pool.fun_name(*a), a.0).cmp(&(pool.fun_name(*b), b.0)));
    funs.dedup();
    let mut out = term_text(pool, t);
    for f in funs {
        let data = pool.fun(f);
        let _ = write!(out, "\n{} {}", pool.fun_name(f), pool.sort_text(data.ret));
        data.params.iter().for_each(|&s| out.extend([" ", &pool.sort_text(s)]));
        if let Some(def) = &data.def {
            def.vars.iter().for_each(|&v| out.extend([" ", &term_text(pool, v)]));
            out.extend([" := ", &term_text(pool, def.body)]);
        }
    }
    out
}
