//! Unsupported terms: bit-vectors, arrays, functions as values.

use rustc_hash::FxHashSet;
use smt::term::{Mark, SortKind};
use smt::{Head, Pool, Sort, Term};

/// The terms known to be supported, so that terms shared by assertions are visited once.
#[derive(Debug, Default)]
pub(super) struct Support {
    supported: Vec<bool>,
}

/// The reason why the solver does not support one of these terms, if so.
pub fn unsupported(pool: &Pool, terms: &[Term]) -> Option<String> {
    let mut support = Support::default();
    terms.iter().find_map(|&t| support.unsupported(pool, t))
}

impl Support {
    /// The reason why the solver does not support `t`, if so. Bodies of definitions are included.
    pub(super) fn unsupported(&mut self, pool: &Pool, t: Term) -> Option<String> {
        self.supported.resize(pool.len(), false);
        let mut seen = Vec::new();
        let mut stack = vec![t];
        let mut bodies = FxHashSet::default();
        while let Some(t) = stack.pop() {
            if std::mem::replace(&mut self.supported[t.0 as usize], true) {
                continue;
            }
            seen.push(t);
            if let Some(why) = reason(pool, t) {
                for t in seen {
                    self.supported[t.0 as usize] = false;
                }
                return Some(why);
            }
            stack.extend_from_slice(pool.args(t));
            if let Head::Fun(f) = pool.head(t)
                && let Some(def) = &pool.fun(f).def
                && bodies.insert(f)
            {
                stack.push(def.body);
            }
        }
        None
    }

    /// Removes the terms that are no longer in the pool.
    pub(super) fn cut_back(&mut self, mark: &Mark) {
        self.supported.truncate(mark.terms());
    }
}

/// The reason why `t` itself, without its subterms, is not supported.
fn reason(pool: &Pool, t: Term) -> Option<String> {
    let sort = pool.sort_of(t);
    match pool.head(t) {
        Head::Opaque(name) => return Some(format!("`{}` is not supported", pool.names.name(name))),
        Head::Lambda => return Some("lambda is not supported".into()),
        _ => {}
    }
    let data = pool.sort_data(sort);
    let known = match sort {
        Sort::OPAQUE => false,
        _ if pool.datatype(sort).is_some() => true,
        // An instance of a datatype is known as such.
        _ if pool.templates().iter().any(|t| t.name == data.name) => false,
        _ => data.kind != SortKind::Foreign,
    };
    (!known).then(|| format!("sort {} is not supported", pool.sort_text(sort)))
}
