//! Applications of string functions whose other arguments are constants: classes as functions of classes.
//!
//! With `y = (str.replace_all x "a" "b")` and `z = (str.to_lower y)`, the class of `y` is defined by that of `x`, and the class of `z` by that of `y`;
//! its *source* is `x`, from which the composition of both computes it. Machines for such functions are in `languages/machines.rs`.

use super::round::Round;
use crate::calculus::{Calculus, equality};
use crate::egraph::{Node, Premise};
use crate::languages::{Function, Id};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Head, Op};

/// Functions that are composed, at most.
const MAX_CHAIN: usize = 1_000;

/// A class as a function of another.
#[derive(Clone, Debug)]
pub(super) struct Definition {
    /// The application.
    pub(super) node: Node,
    pub(super) function: Function,
    /// The class of the argument.
    pub(super) source: Node,
    /// The argument is in that class, and the other arguments are constants.
    pub(super) premises: Vec<Premise>,
}

/// An application as a composition of functions of its source.
#[derive(Clone, Debug)]
pub(super) struct Composition {
    pub(super) node: Node,
    pub(super) source: Node,
    pub(super) function: Id,
    pub(super) premises: Vec<Premise>,
}

/// All applications of a round.
#[derive(Debug, Default)]
pub(super) struct Functions {
    pub(super) all: Vec<Definition>,
    /// The definitions of a class, by number.
    by_class: FxHashMap<Node, Vec<usize>>,
}

impl Functions {
    pub(super) fn new(c: &mut Calculus<'_>, round: &Round) -> Functions {
        let mut out = Functions::default();
        for &node in &round.extended {
            if let Some(d) = definition(c, node) {
                out.by_class.entry(c.state.egraph.root(node)).or_default().push(out.all.len());
                out.all.push(d);
            }
        }
        out
    }

    /// The definitions of a class.
    pub(super) fn of(&self, root: Node) -> impl Iterator<Item = &Definition> + '_ {
        self.by_class.get(&root).into_iter().flatten().map(|&k| &self.all[k])
    }

    /// Whether a value of a function of the class has a string already, or other definitions.
    pub(super) fn is_shared(&self, c: &Calculus<'_>, round: &Round, source: Node) -> bool {
        let mut values = self.all.iter().filter(|d| d.source == source).map(|d| c.state.egraph.root(d.node));
        values.any(|root| round.chosen.contains_key(&root) || self.of(root).count() > 1)
    }

    /// Classes that are defined by others, those before the classes that define them, as far as there is no cycle.
    pub(super) fn outer_first(&self, c: &Calculus<'_>) -> Vec<Node> {
        let mut order: Vec<Node> = Vec::new();
        let mut seen: FxHashSet<Node> = FxHashSet::default();
        // A depth-first search along the definitions, in reverse.
        for d in &self.all {
            let mut stack = vec![(c.state.egraph.root(d.node), false)];
            while let Some((root, leaving)) = stack.pop() {
                if leaving {
                    order.push(root);
                } else if seen.insert(root) {
                    stack.push((root, true));
                    stack.extend(self.of(root).map(|d| (d.source, false)));
                }
            }
        }
        order.reverse();
        order
    }

    /// An application as a function of its source: through the first definition of each class on the way that has no constant.
    pub(super) fn composition(&self, c: &mut Calculus<'_>, d: &Definition) -> Option<Composition> {
        let mut chain = vec![d];
        let mut seen: FxHashSet<Node> = FxHashSet::default();
        while let Some(inner) = chain.last().and_then(|d| self.of(d.source).next()) {
            if c.state.egraph.value(inner.node).is_some()
                || !seen.insert(inner.node)
                || chain.len() > MAX_CHAIN
            {
                break;
            }
            chain.push(inner);
        }
        let (machines, store) = c.languages.machines();
        let mut function: Option<Id> = None;
        for d in chain.iter().rev() {
            let own = machines.of(store, &d.function)?;
            function = Some(match function {
                None => own,
                Some(before) => machines.compose(before, own)?,
            });
        }
        let mut premises = Vec::new();
        for (outer, inner) in chain.iter().zip(chain.iter().skip(1)) {
            premises.extend(equality(outer.source, inner.node));
        }
        premises.extend(chain.iter().flat_map(|d| d.premises.iter().copied()));
        let source = chain.last().expect("the chain starts with the application").source;
        Some(Composition { node: d.node, source, function: function?, premises })
    }
}

/// The function that an application applies, if all arguments but the first are constants and that is none.
fn definition(c: &mut Calculus<'_>, node: Node) -> Option<Definition> {
    let Head::Op(op) = c.head(c.term(node)) else { return None };
    let args = c.state.egraph.args(node).to_vec();
    let &first = args.first()?;
    let mut premises = Vec::new();
    let mut word = |c: &Calculus<'_>, k: usize| -> Option<Vec<u32>> {
        let value = c.state.egraph.value(args[k])?;
        premises.extend(equality(args[k], value));
        c.word_of(value).map(<[u32]>::to_vec)
    };
    let function = match op {
        Op::StrToLower => Function::Lower,
        Op::StrToUpper => Function::Upper,
        Op::StrRev => Function::Reverse,
        Op::StrReplace => Function::Replace(word(c, 1)?, word(c, 2)?),
        Op::StrReplaceAll => Function::ReplaceAll(word(c, 1)?, word(c, 2)?),
        Op::StrReplaceRe | Op::StrReplaceReAll => {
            let by = word(c, 2)?;
            let language = c.languages.of(c.terms.pool, c.terms.pool.args(c.term(node))[1])?;
            if op == Op::StrReplaceRe {
                Function::ReplaceRe(language, by)
            } else {
                Function::ReplaceReAll(language, by)
            }
        }
        _ => return None,
    };
    if c.state.egraph.value(first).is_some() {
        return None;
    }
    let source = c.state.egraph.root(first);
    premises.extend(equality(first, source));
    Some(Definition { node, function, source, premises })
}
