//! Values of datatypes: `(cons 1 nil)`.
//!
//! A value knows its constructor by the text that denotes it in a term, so that values of one sort are equal exactly if
//! their texts are. Values are trees of bounded depth and size; terms beyond that have no value.

use super::{Seq, Value};
use crate::regex::RegexStore;
use smt::{Pool, Sort};
use std::sync::Arc;

/// The depth of a value, at most: comparing, printing and dropping recurse.
const MAX_DEPTH: u32 = 1_000;
/// The nodes of a value as a tree, at most.
const MAX_SIZE: u64 = 100_000;
/// Datatypes within datatypes in the search for a default value, at most.
const MAX_NESTING: usize = 12;

/// An application of a constructor to values.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Data {
    constructor: Arc<str>,
    args: Box<[Value]>,
    depth: u32,
    size: u64,
}

impl Data {
    /// The value `(constructor args)`; none if it would be too large, or an argument is a language.
    pub fn value(constructor: &str, args: Vec<Value>) -> Option<Value> {
        let (mut depth, mut size) = (1, 1u64);
        for a in &args {
            match a {
                Value::Re(_) => return None,
                Value::Data(d) => {
                    depth = depth.max(d.depth + 1);
                    size = size.saturating_add(d.size);
                }
                Value::Seq(s) => size = size.saturating_add(1 + s.size() as u64),
                _ => size += 1,
            }
        }
        let data = Data { constructor: constructor.into(), args: args.into(), depth, size };
        (depth <= MAX_DEPTH && size <= MAX_SIZE).then(|| Value::Data(Arc::new(data)))
    }

    /// The text of the constructor.
    pub fn constructor(&self) -> &str {
        &self.constructor
    }

    /// The values of the fields.
    pub fn args(&self) -> &[Value] {
        &self.args
    }

    /// As SMT-LIB text.
    pub(crate) fn to_smtlib(&self, store: &RegexStore) -> String {
        if self.args.is_empty() {
            return self.constructor.to_string();
        }
        let args: Vec<String> = self.args.iter().map(|v| v.to_smtlib(store)).collect();
        format!("({} {})", self.constructor, args.join(" "))
    }
}

/// A value of any sort, datatypes included, for a constant that a model does not mention.
pub fn default_value(pool: &Pool, sort: Sort, store: &RegexStore) -> Option<Value> {
    default_within(pool, sort, store, &mut Vec::new())
}

fn default_within(pool: &Pool, sort: Sort, store: &RegexStore, around: &mut Vec<Sort>) -> Option<Value> {
    smt::work::spend(1);
    if pool.set_element(sort).is_some() {
        return Data::value(&format!("(as set.empty {})", pool.sort_text(sort)), Vec::new());
    }
    if let Some(width) = pool.bit_width(sort) {
        return Data::value(&smt::term::literal_text(&vec![false; width]), Vec::new());
    }
    let Some(datatype) = pool.datatype(sort) else {
        if pool.element_of(sort).is_some() {
            return Some(Value::Seq(Seq::empty(pool.sort_text(sort))));
        }
        return Value::default_of(sort, || format!("@default {}", pool.sort_text(sort)), store);
    };
    if around.contains(&sort) || around.len() >= MAX_NESTING {
        return None;
    }
    around.push(sort);
    let value = datatype.constructors.iter().find_map(|c| {
        let fields = &pool.fun(c.fun).params;
        let args: Option<Vec<Value>> =
            fields.iter().map(|&s| default_within(pool, s, store, around)).collect();
        Data::value(&pool.constructor_text(c.fun), args?)
    });
    around.pop();
    value
}
