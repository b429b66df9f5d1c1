//! Values of sequences: `(seq.++ (seq.unit 1) (seq.unit 2))`.
//!
//! The operators are those of strings on words of values: `strings.rs` has both. Values of datatypes are left out as elements, so that values
//! nest only as deep as sorts; sequences beyond a size have no value.

use super::Value;
use crate::regex::RegexStore;
use std::ops::Deref;
use std::sync::Arc;

/// The elements of a sequence at most, counted within elements too.
const MAX_SIZE: usize = 1 << 20;

/// A finite sequence, with its sort.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Seq {
    sort: Arc<str>,
    items: Arc<[Value]>,
    size: usize,
}

impl Seq {
    /// The sequence of a sort, `(Seq T)`, with these elements of T; none if it is too large, or if they are no elements.
    pub fn new(sort: impl Into<Arc<str>>, items: Vec<Value>) -> Option<Seq> {
        let mut size = items.len();
        for v in &items {
            match v {
                Value::Seq(s) => size += s.size,
                Value::Data(_) | Value::Re(_) => return None,
                _ => {}
            }
        }
        (size <= MAX_SIZE).then(|| Seq { sort: sort.into(), items: items.into(), size })
    }

    /// The empty sequence of a sort.
    pub fn empty(sort: impl Into<Arc<str>>) -> Seq {
        Seq { sort: sort.into(), items: Arc::new([]), size: 0 }
    }

    /// The parts one after the other, as a sequence of the same sort.
    pub(crate) fn concat(&self, parts: &[&[Value]]) -> Option<Seq> {
        if parts.iter().map(|p| p.len()).sum::<usize>() > MAX_SIZE {
            return None;
        }
        smt::work::spend(parts.iter().map(|p| p.len()).sum());
        Seq::new(self.sort.clone(), parts.concat())
    }

    /// The elements, counted within elements too.
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// As SMT-LIB text.
    pub(crate) fn to_smtlib(&self, store: &RegexStore) -> String {
        let units: Vec<String> = self.iter().map(|v| format!("(seq.unit {})", v.to_smtlib(store))).collect();
        match &units[..] {
            [] => format!("(as seq.empty {})", self.sort),
            [one] => one.clone(),
            _ => format!("(seq.++ {})", units.join(" ")),
        }
    }
}

impl Deref for Seq {
    type Target = [Value];

    fn deref(&self) -> &[Value] {
        &self.items
    }
}
