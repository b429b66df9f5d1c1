//! Values of finite sets: the constructor `(as set.empty (Set T))` with the elements, sorted and without repetition, so that sets are equal
//! exactly if their values are.

use super::{Data, Value};
use smt::term::SetOp;
use smt::{Pool, Sort};

const EMPTY: &str = "(as set.empty ";

/// The set of these elements; none if it would be too large.
pub(crate) fn value(pool: &Pool, sort: Sort, mut elements: Vec<Value>) -> Option<Value> {
    elements.sort_by_cached_key(|e| format!("{e:?}"));
    elements.dedup();
    Data::value(&format!("{EMPTY}{})", pool.sort_text(sort)), elements)
}

/// The elements of a set.
pub fn elements(value: &Value) -> Option<&[Value]> {
    match value {
        Value::Data(d) if d.constructor().starts_with(EMPTY) => Some(d.args()),
        _ => None,
    }
}

/// The union of singletons, from their texts; `empty` without any.
pub fn union_text(empty: &str, elements: impl IntoIterator<Item = String>) -> String {
    let singletons = elements.into_iter().map(|e| format!("(set.singleton {e})"));
    singletons.reduce(|all, e| format!("(set.union {all} {e})")).unwrap_or_else(|| empty.to_owned())
}

/// The value of an application whose sort is `sort`; none if the arguments are not of the sorts of the operator.
pub(crate) fn apply(pool: &Pool, op: SetOp, sort: Sort, args: &[Value]) -> Option<Value> {
    let make = |elements: Vec<Value>| value(pool, sort, elements);
    match (op, args) {
        (SetOp::Empty, []) => make(Vec::new()),
        (SetOp::Singleton, [e]) => make(vec![e.clone()]),
        (SetOp::Insert, [new @ .., s]) => make([new, elements(s)?].concat()),
        (SetOp::Member, [e, s]) => Some(Value::Bool(elements(s)?.contains(e))),
        (_, [s, t]) => {
            let (s, t) = (elements(s)?, elements(t)?);
            let common = |wanted: bool| s.iter().filter(|e| t.contains(e) == wanted).cloned().collect();
            match op {
                SetOp::Union => make([s, t].concat()),
                SetOp::Inter => make(common(true)),
                SetOp::Minus => make(common(false)),
                SetOp::Subset => Some(Value::Bool(s.iter().all(|e| t.contains(e)))),
                _ => None,
            }
        }
        _ => None,
    }
}
