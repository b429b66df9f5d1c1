//! The state of one round of the strategy: classes of relevant strings, their normal forms, and open alignments.
//!
//! For `(= (str.++ x "b") y)` and `(str.contains y x)` asserted, the classes are those of `x`, `"b"` and `y`; the class
//! of `y` has the concatenation; `(str.contains y x)` is an extended term. Normal forms are `x`, `"b"` and `x "b"`.

use super::form::{Alignment, Form};
use super::unfold::is_call;
use crate::build::is_product;
use crate::calculus::Calculus;
use crate::egraph::{Node, Premise};
use crate::infer::Rule;
use crate::operators::is_extended;
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Head, Op, Sort, Term};
use std::rc::Rc;

/// Strings that are impossible: one of the conclusions holds, by the premises.
#[derive(Debug)]
pub(super) struct Excluded {
    pub(super) rule: Rule,
    pub(super) premises: Vec<Premise>,
    pub(super) conclusion: Vec<Term>,
}

/// The data that the steps of a round share.
#[derive(Debug, Default)]
pub(crate) struct Round {
    /// Roots of string classes, in the order of the relevant terms; after normal forms, contained classes first.
    pub(super) roots: Vec<Node>,
    /// The concatenations of a class.
    pub(super) concats: FxHashMap<Node, Vec<Node>>,
    /// Applications of extended operators.
    pub(super) extended: Vec<Node>,
    /// Products of terms that are not constants.
    pub(super) products: Vec<Term>,
    /// The known normal forms, by root.
    pub(super) normal: FxHashMap<Node, Rc<Form>>,
    /// Strings for free classes that are in languages.
    pub(super) chosen: FxHashMap<Node, Vec<u32>>,
    /// Strings for concatenations that are in languages, from which those of their components were taken.
    pub(super) divided: Vec<(Node, Vec<u32>)>,
    /// Sent if the candidate model is rejected, since strings that were chosen do not do.
    pub(super) excluded: Vec<Excluded>,
    /// Places where forms of one class differ.
    pub(super) splits: Vec<Alignment>,
    /// Pairs of forms of one class that differ.
    pub(super) differing: Vec<(Rc<Form>, Rc<Form>)>,
}

impl Round {
    /// Sorts the relevant terms into classes.
    pub(super) fn new(c: &mut Calculus<'_>, terms: &[Term]) -> Round {
        let mut out = Round::default();
        let mut seen: FxHashSet<Node> = FxHashSet::default();
        for &t in terms {
            let head = c.head(t);
            let (string, extended) =
                (c.sort(t) == Sort::STRING, is_extended(head) || is_call(c.terms.pool, t));
            if is_product(c.terms.pool, t) {
                out.products.push(t);
            }
            if !string && !extended {
                continue;
            }
            let n = c.node(t);
            if extended {
                out.extended.push(n);
            }
            if !string {
                continue;
            }
            let root = c.state.egraph.root(n);
            if seen.insert(root) {
                out.roots.push(root);
            }
            if matches!(head, Head::Op(Op::StrConcat)) {
                out.concats.entry(root).or_default().push(n);
            }
        }
        out
    }

    /// Whether a class is its own normal form: neither a constant nor a concatenation.
    pub(super) fn is_free(&self, root: Node) -> bool {
        self.normal.get(&root).is_some_and(|n| n.parts == [root])
    }
}
