//! Flat forms and normal forms (F-Form, N-Form), with what each part of them depends on.
//!
//! The flat form of a concatenation is the sequence of the normal forms of its arguments. All flat forms of a class
//! must agree; then one of them is the class' normal form. Every premise is kept with the range of components that it
//! touches, so that a disagreement at one place cites only what is needed up to there, from either end.

use super::align::Found;
use super::classes::Classes;
use crate::egraph::{Node, Premise};
use crate::infer::Rule;
use crate::theory::{Stop, Theory};
use rustc_hash::{FxHashMap, FxHashSet};
use sat::Context;

/// A sequence of components that a term is equal to. Components are roots of classes without concatenations, or
/// constants.
#[derive(Clone, Debug)]
pub(crate) struct Normal {
    /// The term.
    pub(crate) term: Node,
    /// Its components.
    pub(crate) parts: Vec<Node>,
    /// What is used, and for which components.
    pub(crate) deps: Vec<(Premise, usize, usize)>,
}

impl Normal {
    /// All premises.
    pub(crate) fn premises(&self) -> impl Iterator<Item = Premise> + '_ {
        self.deps.iter().map(|(p, _, _)| *p)
    }

    /// The premises for the first `count` components from one end.
    pub(crate) fn premises_to(&self, count: usize, reverse: bool) -> impl Iterator<Item = Premise> + '_ {
        let len = self.parts.len();
        self.deps
            .iter()
            .filter(move |(_, lo, hi)| if reverse { *hi + count >= len } else { *lo <= count })
            .map(|(p, _, _)| *p)
    }
}

/// An edge of the containment graph: a concatenation and one of its arguments.
type Edge = (Node, Node);

/// A class on the path, its edges not yet followed, and the edge by which the next class was entered.
type Visit = (Node, Vec<Edge>, Option<Edge>);

impl Theory<'_> {
    /// A concatenation of which at most one argument is not empty is that argument.
    pub(crate) fn collapse(&mut self, classes: &Classes) -> bool {
        let mut news = false;
        for root in &classes.roots {
            let Some(concats) = classes.concats.get(root) else { continue };
            for &t in concats {
                let args = self.eg.args(t).to_vec();
                let (empty, rest): (Vec<Node>, Vec<Node>) =
                    args.into_iter().partition(|&a| self.eg.same(a, self.empty));
                if rest.len() > 1 {
                    continue;
                }
                let premises: Vec<Premise> =
                    empty.iter().filter_map(|&a| Self::because(a, self.empty)).collect();
                let target = rest.first().copied().unwrap_or(self.empty);
                news |= self.fact(Rule::EndEmpty, t, target, &premises);
            }
        }
        news
    }

    /// Computes normal forms as far as flat forms agree. True if equalities were found on the way.
    pub(crate) fn normal_forms(
        &mut self,
        ctx: &mut Context<'_>,
        classes: &mut Classes,
    ) -> Result<bool, Stop> {
        classes.normal.clear();
        classes.splits.clear();
        let Some(order) = self.containment_order(classes) else { return Ok(true) };
        let mut news = false;
        for &root in &order {
            match self.normal_form(ctx, classes, root)? {
                Some(normal) => {
                    classes.normal.insert(root, normal);
                }
                // What was found will change this class; the others may have something to say all the same.
                None => news = true,
            }
        }
        classes.roots = order;
        Ok(news)
    }

    /// Roots with contained classes first. None if a cycle led to new equalities.
    fn containment_order(&mut self, classes: &Classes) -> Option<Vec<Node>> {
        let mut order = Vec::new();
        let mut done: FxHashSet<Node> = FxHashSet::default();
        let mut on_path: FxHashMap<Node, usize> = FxHashMap::default();
        for &start in &classes.roots {
            let mut path: Vec<Visit> = Vec::new();
            if !done.contains(&start) {
                on_path.insert(start, 0);
                path.push((start, self.edges(classes, start), None));
            }
            while let Some((class, edges, taken)) = path.last_mut() {
                let class = *class;
                let Some((concat, arg)) = edges.pop() else {
                    on_path.remove(&class);
                    done.insert(class);
                    order.push(class);
                    path.pop();
                    continue;
                };
                *taken = Some((concat, arg));
                let child = self.eg.root(arg);
                if let Some(&at) = on_path.get(&child) {
                    let cycle: Vec<(Node, Node)> = path[at..].iter().filter_map(|p| p.2).collect();
                    if self.break_cycle(&cycle) {
                        return None;
                    }
                    continue;
                }
                if !done.contains(&child) {
                    on_path.insert(child, path.len());
                    let edges = self.edges(classes, child);
                    path.push((child, edges, None));
                }
            }
        }
        Some(order)
    }

    /// The concatenations of a class with each of their arguments, the first to be followed last in the list.
    fn edges(&self, classes: &Classes, class: Node) -> Vec<(Node, Node)> {
        let mut out = Vec::new();
        for &t in classes.concats.get(&class).into_iter().flatten() {
            if self.is_trivial(t) {
                continue;
            }
            out.extend(self.eg.args(t).iter().map(|&a| (t, a)));
        }
        out.reverse();
        out
    }

    /// At most one argument is not empty: the concatenation was collapsed.
    fn is_trivial(&self, t: Node) -> bool {
        self.eg.args(t).iter().filter(|&&a| !self.eg.same(a, self.empty)).count() <= 1
    }

    /// x = ..y.. and y = ..x..: everything else in them is empty.
    fn break_cycle(&mut self, cycle: &[(Node, Node)]) -> bool {
        let mut premises = Vec::new();
        for (i, &(_, arg)) in cycle.iter().enumerate() {
            let (next, _) = cycle[(i + 1) % cycle.len()];
            premises.extend(Self::because(arg, next));
        }
        let mut news = false;
        for &(concat, arg) in cycle {
            let mut spared = false;
            for other in self.eg.args(concat).to_vec() {
                if other == arg && !spared {
                    spared = true;
                    continue;
                }
                news |= self.fact(Rule::Cycle, other, self.empty, &premises);
            }
        }
        news
    }

    /// The normal form of a class whose contained classes have theirs; None if equalities were found. Splits that would
    /// make flat forms agree are noted.
    fn normal_form(
        &mut self,
        ctx: &mut Context<'_>,
        classes: &mut Classes,
        root: Node,
    ) -> Result<Option<Normal>, Stop> {
        let mut forms: Vec<Normal> = Vec::new();
        if let Some(value) = self.eg.value(root) {
            let parts = if self.eg.same(value, self.empty) { Vec::new() } else { vec![value] };
            forms.push(Normal { term: value, parts, deps: Vec::new() });
        }
        for &t in classes.concats.get(&root).into_iter().flatten() {
            if !self.is_trivial(t) {
                forms.push(self.flat_form(classes, t));
            }
        }
        if forms.is_empty() {
            return Ok(Some(Normal { term: root, parts: vec![root], deps: Vec::new() }));
        }
        ctx.tick(forms.len() as u64);
        for i in 1..forms.len() {
            for j in 0..i {
                for reverse in [false, true] {
                    match self.align(ctx, &forms[j], &forms[i], reverse)? {
                        Found::Equal => break,
                        Found::Facts => return Ok(None),
                        Found::Open(split) => classes.splits.push(split),
                    }
                }
                if self.parikh(ctx, &forms[j], &forms[i])? {
                    return Ok(None);
                }
            }
        }
        let shortest = forms.into_iter().min_by_key(|f| f.deps.len()).expect("not empty");
        Ok(Some(shortest))
    }

    /// The flat form of a concatenation.
    fn flat_form(&self, classes: &Classes, t: Node) -> Normal {
        let mut out = Normal { term: t, parts: Vec::new(), deps: Vec::new() };
        for &arg in self.eg.args(t) {
            let root = self.eg.root(arg);
            let start = out.parts.len();
            match classes.normal.get(&root) {
                Some(n) => {
                    out.deps.extend(n.deps.iter().map(|(p, lo, hi)| (*p, lo + start, hi + start)));
                    out.parts.extend(&n.parts);
                    if let Some(p) = Self::because(arg, n.term) {
                        out.deps.push((p, start, start + n.parts.len()));
                    }
                }
                None => {
                    // A cycle that could not be broken yet.
                    out.parts.push(root);
                    if let Some(p) = Self::because(arg, root) {
                        out.deps.push((p, start, start + 1));
                    }
                }
            }
        }
        out
    }

    /// Classes with one normal form are equal.
    pub(crate) fn equal_normal_forms(&mut self, classes: &Classes) -> bool {
        let mut seen: FxHashMap<Vec<Piece>, Node> = FxHashMap::default();
        let mut news = false;
        for &root in &classes.roots {
            let Some(n) = classes.normal.get(&root) else { continue };
            let key = self.pieces(n);
            match seen.get(&key) {
                None => {
                    seen.insert(key, root);
                }
                Some(&other) => {
                    let m = &classes.normal[&other];
                    let premises: Vec<Premise> = n.premises().chain(m.premises()).collect();
                    news |= self.fact(Rule::NormalEqual, n.term, m.term, &premises);
                }
            }
        }
        news
    }

    /// A normal form with adjacent constants put together.
    pub(crate) fn pieces(&self, n: &Normal) -> Vec<Piece> {
        let mut out: Vec<Piece> = Vec::new();
        for &p in &n.parts {
            match self.word_of(p) {
                Some(w) => match out.last_mut() {
                    Some(Piece::Word(last)) => last.extend_from_slice(w),
                    _ => out.push(Piece::Word(w.to_vec())),
                },
                None => out.push(Piece::Class(p)),
            }
        }
        out
    }

    /// The word of a constant node.
    pub(crate) fn word_of(&self, n: Node) -> Option<&[u32]> {
        match self.pool.head(self.eg.term(n)) {
            smt::Head::Str(id) => Some(self.pool.word(id)),
            _ => None,
        }
    }
}

/// A part of a normal form.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Piece {
    Word(Vec<u32>),
    Class(Node),
}
