//! The string classes that matter, and what is in them.

use super::normal::Normal;
use super::split::Split;
use crate::egraph::Node;
use crate::theory::Theory;
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Head, Op, Sort, Term};

/// What the steps of a round share.
#[derive(Debug, Default)]
pub(crate) struct Classes {
    /// Roots of string classes, in the order in which they were met; after normal forms, contained ones first.
    pub(crate) roots: Vec<Node>,
    /// The concatenations of a class.
    pub(crate) concats: FxHashMap<Node, Vec<Node>>,
    /// Extended terms, and predicates of strings.
    pub(crate) extended: Vec<Node>,
    /// Normal forms by root, as far as they are made.
    pub(crate) normal: FxHashMap<Node, Normal>,
    /// Words for free classes that are in languages.
    pub(crate) chosen: FxHashMap<Node, Vec<u32>>,
    /// Splits that would lead on.
    pub(crate) splits: Vec<Split>,
}

impl Theory<'_> {
    /// Sorts the terms that matter into classes.
    pub(crate) fn classes(&mut self, terms: &[Term]) -> Classes {
        let mut out = Classes::default();
        let mut seen: FxHashSet<Node> = FxHashSet::default();
        for &t in terms {
            let head = self.pool.head(t);
            let string = self.pool.sort_of(t) == Sort::STRING;
            if !string && !is_extended(head) {
                continue;
            }
            let n = self.node(t);
            if is_extended(head) {
                out.extended.push(n);
            }
            if !string {
                continue;
            }
            let root = self.eg.root(n);
            if seen.insert(root) {
                out.roots.push(root);
            }
            if matches!(head, Head::Op(Op::StrConcat)) {
                out.concats.entry(root).or_default().push(n);
            }
        }
        out
    }
}

/// Whether an application belongs to the extended signature.
pub(crate) fn is_extended(head: Head) -> bool {
    use Op::*;
    match head {
        Head::Op(op) | Head::Indexed(op, _) => matches!(
            op,
            StrLt
                | StrLe
                | StrAt
                | StrSubstr
                | StrPrefixof
                | StrSuffixof
                | StrContains
                | StrIndexof
                | StrReplace
                | StrReplaceAll
                | StrReplaceRe
                | StrReplaceReAll
                | StrIsDigit
                | StrToCode
                | StrFromCode
                | StrToInt
                | StrFromInt
                | StrInRe
                | StrRev
                | StrToLower
                | StrToUpper
                | StrUpdate
                | StrIndexofRe
                | StrLastIndexof
        ),
        _ => false,
    }
}
