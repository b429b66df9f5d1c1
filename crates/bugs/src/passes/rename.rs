//! Renaming: short names for long ones.
//!
//! `(declare-const user_input_0 String)` becomes `(declare-const x String)`. Names are replaced in the text, as symbols, so that sorts,
//! datatypes, bound variables and terms of other theories are renamed in the same way as constants. The new names occur nowhere in the
//! script, so that the answers stay the same.

use super::edit::{Change, Edit, largest};
use super::{Pass, names};
use crate::doc::{Doc, Effect, defined};
use smt::sexpr::{Kind, Quoting, Reader, Tree};
use smt::symbol::{Symbol, quote};
use smt::{Command, Head, Term};
use std::collections::BTreeMap;

/// Short names.
pub(super) struct Rename;

impl Pass for Rename {
    fn name(&self) -> &'static str {
        "rename"
    }

    fn edits(&self, doc: &Doc) -> Vec<Edit> {
        let pairs = own_names(doc).into_iter().zip(names::unused(&doc.pool));
        let rename = |(old, new): (Symbol, String)| Edit {
            effect: Effect::Equivalent,
            gain: doc.pool.names.name(old).len() as u32,
            change: Change::Rename(old, new.into()),
        };
        let simpler = |e: &Edit| match &e.change {
            Change::Rename(old, new) => weight(new) < weight(doc.pool.names.name(*old)),
            _ => false,
        };
        largest(pairs.map(rename).filter(simpler))
    }
}

/// Shorter names are simpler, then those that come first.
fn weight(name: &str) -> (usize, usize) {
    let place = if name.len() > 3 { None } else { names::short().take(126).position(|n| n == name) };
    (name.len(), place.unwrap_or(usize::MAX))
}

/// The names that the script gives, in order.
fn own_names(doc: &Doc) -> Vec<Symbol> {
    let mut out: Vec<Symbol> = Vec::new();
    for c in doc.script.commands() {
        match c {
            Command::DeclareFun(f) | Command::DeclareConst(f) => out.push(doc.pool.fun(*f).name),
            Command::DeclareSort(s, _) => out.push(*s),
            c => out.extend(defined(c).iter().map(|&f| doc.pool.fun(f).name)),
        }
    }
    let variable = |t: Term| match doc.pool.head(t) {
        Head::Var(name) => Some(name),
        _ => doc.pool.given_name(t),
    };
    out.extend(doc.pool.subterms(doc.all_roots()).filter_map(variable));
    let mut seen = rustc_hash::FxHashSet::default();
    out.retain(|s| seen.insert(*s));
    out
}

/// A text with symbols replaced.
pub(super) fn renamed(text: &str, names: &BTreeMap<String, String>) -> String {
    let (mut out, mut from) = (String::with_capacity(text.len()), 0);
    let mut reader = Reader::new(text.as_bytes(), Quoting::Doubled);
    let mut tree = Tree::default();
    while reader.read(&mut tree) {
        for node in &tree.nodes {
            let (start, end) = (node.span.start as usize, node.span.end as usize);
            let name = match node.kind {
                Kind::Symbol => &text[start..end],
                Kind::Quoted => text[start..end].trim_matches('|'),
                _ => continue,
            };
            if let Some(new) = names.get(name) {
                out.push_str(&text[from..start]);
                out.push_str(&quote(new));
                from = end;
            }
        }
    }
    out.push_str(&text[from..]);
    out
}
