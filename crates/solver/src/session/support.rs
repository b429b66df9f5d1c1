//! What the solver has no theory for: bit-vectors, arrays, reals, datatypes, functions as values.

use rustc_hash::FxHashSet;
use smt::term::{Mark, SortKind};
use smt::{Head, Pool, Sort, Term};

/// Which terms have been looked through and found to be of known theories; so each is looked at once, however many
/// assertions share it.
#[derive(Debug, Default)]
pub(super) struct Support {
    fine: Vec<bool>,
}

impl Support {
    /// Why the solver has nothing to say about `t`, if so. Definitions are looked into.
    pub(super) fn trouble(&mut self, pool: &Pool, t: Term) -> Option<String> {
        self.fine.resize(pool.len(), false);
        let mut seen = Vec::new();
        let mut stack = vec![t];
        let mut bodies = FxHashSet::default();
        while let Some(t) = stack.pop() {
            if std::mem::replace(&mut self.fine[t.0 as usize], true) {
                continue;
            }
            seen.push(t);
            if let Some(why) = of_one(pool, t) {
                for t in seen {
                    self.fine[t.0 as usize] = false;
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

    /// Forgets the terms that are gone.
    pub(super) fn cut_back(&mut self, mark: &Mark) {
        self.fine.truncate(mark.terms());
    }
}

fn of_one(pool: &Pool, t: Term) -> Option<String> {
    let sort = pool.sort_of(t);
    match pool.head(t) {
        Head::Opaque(name) => return Some(format!("`{}` is not supported", pool.names.name(name))),
        Head::Lambda => return Some("lambda is not supported".into()),
        _ => {}
    }
    let data = pool.sort_data(sort);
    let known = match sort {
        Sort::OPAQUE | Sort::REAL => false,
        _ => data.kind != SortKind::Foreign && data.args.is_empty(),
    };
    (!known).then(|| format!("sort {} is not supported", pool.sort_text(sort)))
}
