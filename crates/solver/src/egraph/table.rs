//! The table of signatures: a head over the roots of its arguments.

use super::{Egraph, Node};
use rustc_hash::FxHasher;
use smt::{Head, Op, Sort};
use std::hash::{Hash as _, Hasher as _};

type Nodes = [super::Data];

fn root(nodes: &Nodes, n: Node) -> u32 {
    nodes[n.0 as usize].root
}

fn args<'a>(nodes: &Nodes, args: &'a [Node], n: u32) -> &'a [Node] {
    let d = &nodes[n as usize];
    &args[d.start as usize..(d.start + d.len) as usize]
}

fn hash_equality(a: u32, b: u32) -> u64 {
    let mut h = FxHasher::default();
    Head::Op(Op::Eq).hash(&mut h);
    h.write_u32(a.min(b));
    h.write_u32(a.max(b));
    h.finish()
}

fn is_equality(head: Head, arity: usize) -> bool {
    head == Head::Op(Op::Eq) && arity == 2
}

fn hash(nodes: &Nodes, all: &[Node], n: u32) -> u64 {
    let (d, list) = (&nodes[n as usize], args(nodes, all, n));
    if is_equality(d.head, list.len()) {
        return hash_equality(root(nodes, list[0]), root(nodes, list[1]));
    }
    let mut h = FxHasher::default();
    d.head.hash(&mut h);
    for &a in list {
        h.write_u32(root(nodes, a));
    }
    h.finish()
}

/// Whether two nodes have the same signature; the arguments of an equality may be swapped.
fn congruent(nodes: &Nodes, all: &[Node], n: u32, m: u32) -> bool {
    let (d, e) = (&nodes[n as usize], &nodes[m as usize]);
    if d.head != e.head || d.len != e.len || d.sort != e.sort {
        return false;
    }
    let (x, y) = (args(nodes, all, n), args(nodes, all, m));
    let same = |a: Node, b: Node| root(nodes, a) == root(nodes, b);
    x.iter().zip(y).all(|(&a, &b)| same(a, b))
        || is_equality(d.head, x.len()) && same(x[0], y[1]) && same(x[1], y[0])
}

impl Egraph {
    /// Enters an application into the table. Returns the node with its signature if there is one already.
    pub(super) fn enter(&mut self, n: u32) -> Option<u32> {
        let (nodes, all) = (&self.nodes, &self.args);
        let h = hash(nodes, all, n);
        if let Some(&other) = self.table.find(h, |&m| congruent(nodes, all, n, m)) {
            return Some(other);
        }
        self.table.insert_unique(h, n, |&m| hash(nodes, all, m));
        self.nodes[n as usize].in_table = true;
        None
    }

    /// Removes an application from the table.
    pub(super) fn leave(&mut self, n: u32) {
        let h = hash(&self.nodes, &self.args, n);
        let entry = self.table.find_entry(h, |&m| m == n);
        debug_assert!(entry.is_ok(), "the node is in the table");
        if let Ok(entry) = entry {
            entry.remove();
        }
        self.nodes[n as usize].in_table = false;
    }

    /// An equality between the classes of these roots.
    pub(super) fn find_equality(&self, a: u32, b: u32) -> Option<u32> {
        let (nodes, all) = (&self.nodes, &self.args);
        let found = self.table.find(hash_equality(a, b), |&m| {
            let list = args(nodes, all, m);
            is_equality(nodes[m as usize].head, list.len()) && nodes[m as usize].sort == Sort::BOOL && {
                let (x, y) = (root(nodes, list[0]), root(nodes, list[1]));
                (x, y) == (a, b) || (y, x) == (a, b)
            }
        });
        found.copied()
    }
}
