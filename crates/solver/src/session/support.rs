//! Unsupported terms: arrays, sequences, functions as values, bit-vectors that depend on bound variables.

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
        Head::Opaque(_) if pool.set_op(t).is_some() => {
            return pool.has_var(t).then(|| "a set that depends on a bound variable is not supported".into());
        }
        Head::Opaque(_) if pool.bit_op(t).is_some() => {}
        Head::Forall | Head::Exists if pool.has_bit_vectors() && quantifies_bits(pool, t) => {
            return Some("a bit-vector that depends on a bound variable is not supported".into());
        }
        Head::Opaque(name) => return Some(format!("`{}` is not supported", pool.names.name(name))),
        Head::Lambda => return Some("lambda is not supported".into()),
        _ => {}
    }
    (!is_known(pool, sort, &mut Vec::new()))
        .then(|| format!("sort {} is not supported", pool.sort_text(sort)))
}

/// Whether there is a bit-vector with variables in a term, or in a definition that it uses.
fn quantifies_bits(pool: &Pool, t: Term) -> bool {
    let (mut todo, mut seen) = (vec![t], FxHashSet::default());
    while let Some(t) = todo.pop() {
        if !seen.insert(t) {
            continue;
        }
        let bits = pool.bit_width(pool.sort_of(t)).is_some() || pool.bit_op(t).is_some();
        if bits && pool.has_var(t) {
            return true;
        }
        todo.extend_from_slice(pool.args(t));
        if let Head::Fun(f) = pool.head(t)
            && let Some(def) = &pool.fun(f).def
        {
            todo.push(def.body);
        }
    }
    false
}

/// Whether the values of a sort are known: those of its elements or fields are. `around` are the datatypes that it is in.
fn is_known(pool: &Pool, sort: Sort, around: &mut Vec<Sort>) -> bool {
    let data = pool.sort_data(sort);
    if sort == Sort::OPAQUE {
        return false;
    }
    if pool.bit_width(sort).is_some() {
        return true;
    }
    if let Some(element) = pool.set_element(sort) {
        return element != Sort::REGLAN && is_known(pool, element, around);
    }
    if let Some(datatype) = pool.datatype(sort) {
        if around.contains(&sort) {
            return true;
        }
        // A datatype may be within itself with larger and larger parameters.
        if around.len() > 50 {
            return false;
        }
        around.push(sort);
        let mut fields = datatype.constructors.iter().flat_map(|k| pool.fun(k.fun).params.iter());
        let known = fields.all(|&s| is_known(pool, s, around));
        around.pop();
        return known;
    }
    // An instance of a datatype that was not made.
    let template = pool.templates().iter().any(|t| t.name == data.name);
    !template && !matches!(data.kind, SortKind::Foreign | SortKind::Sequence)
}
