//! The proof forest: explanations of equalities.
//!
//! Each merge adds one edge between the two nodes that caused it. The path between two nodes of one tree never changes
//! while they are connected, and all edges on it are older than the consequences of their equality, so premises can be
//! expanded on demand and never in a cycle. While one set of premises is explained, paths that were visited are skipped
//! (section 5 of the paper).

use super::{Egraph, FALSE, NONE, Node, Premise, TRUE, Why};
use smt::work::spend;

/// Memory for explanations, reused.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// The number of the explanation.
    epoch: u32,
    /// The number of the path.
    walk: u64,
    /// The epoch in which the path from each node up to another one was explained, and that node.
    jump: Vec<(u32, u32)>,
    /// The last path on which each node was visited.
    visited: Vec<u64>,
    /// The epoch in which each fact was last explained.
    facts: Vec<u32>,
    /// The epoch in which each literal was last reported.
    lits: Vec<u32>,
    work: Vec<Premise>,
}

impl Egraph {
    /// Appends the literals that imply all the premises to `out`, each once.
    pub(crate) fn explain(&mut self, premises: &[Premise], out: &mut Vec<sat::Lit>) {
        let mut s = std::mem::take(&mut self.scratch);
        s.prepare(self.nodes.len(), self.fact_ends.len());
        s.work.extend_from_slice(premises);
        while let Some(premise) = s.work.pop() {
            spend(1);
            match premise {
                Premise::Lit(l) => s.report(l, out),
                Premise::Eq(a, b) => self.explain_path(a.0, b.0, &mut s),
            }
        }
        self.scratch = s;
    }

    /// Queues the reasons of the edges between `a` and `b` that are not explained yet.
    fn explain_path(&self, a: u32, b: u32, s: &mut Scratch) {
        let (a, b) = (s.top(a), s.top(b));
        if a == b {
            return;
        }
        let common = self.common_ancestor(a, b, s);
        for start in [a, b] {
            let mut n = start;
            while n != common {
                let d = &self.nodes[n as usize];
                spend(1);
                s.jump[n as usize] = (s.epoch, common);
                self.reasons(n, d.up, d.why, s);
                n = s.top(d.up);
            }
        }
    }

    /// The first common node of the paths up from `a` and `b`.
    fn common_ancestor(&self, a: u32, b: u32, s: &mut Scratch) -> u32 {
        s.walk += 1;
        let mut ends = [a, b];
        loop {
            spend(1);
            debug_assert!(ends != [NONE; 2], "only equal nodes are explained");
            for end in &mut ends {
                if *end == NONE {
                    continue;
                }
                if s.visited[*end as usize] == s.walk {
                    return *end;
                }
                s.visited[*end as usize] = s.walk;
                let up = self.nodes[*end as usize].up;
                *end = if up == NONE { NONE } else { s.top(up) };
            }
        }
    }

    fn reasons(&self, n: u32, up: u32, why: Why, s: &mut Scratch) {
        if let Why::Fact(f) = why {
            if s.facts[f.0 as usize] == s.epoch {
                return;
            }
            s.facts[f.0 as usize] = s.epoch;
        }
        self.premises_of(n, up, why, &mut s.work);
    }

    /// Appends the premises of the equality of `n` and `m` by `why`.
    pub(super) fn premises_of(&self, n: u32, m: u32, why: Why, out: &mut Vec<Premise>) {
        match why {
            Why::Lit(l) => out.push(Premise::Lit(l)),
            Why::Fact(f) => {
                let start = if f.0 == 0 { 0 } else { self.fact_ends[f.0 as usize - 1] };
                let end = self.fact_ends[f.0 as usize];
                out.extend_from_slice(&self.fact_premises[start as usize..end as usize]);
            }
            Why::Congruent { swapped: false } => {
                let pairs = self.args(Node(n)).iter().zip(self.args(Node(m)));
                out.extend(pairs.filter(|(a, b)| a != b).map(|(&a, &b)| Premise::Eq(a, b)));
            }
            Why::Congruent { swapped: true } => {
                let ((a, b), (c, d)) = (self.sides(n), self.sides(m));
                out.extend([Premise::Eq(Node(a), Node(d)), Premise::Eq(Node(b), Node(c))]);
            }
            Why::Equal(e) => {
                let (a, b) = self.sides(e);
                out.push(Premise::Eq(Node(a), Node(b)));
            }
            Why::Unequal(e) => {
                let (a, b) = self.sides(e);
                let constant = |x| Premise::Eq(Node(x), Node(self.value_of(x)));
                out.extend([constant(a), constant(b)]);
            }
            Why::Holds(e) => out.push(Premise::Eq(Node(e), Node(TRUE))),
        }
    }

    /// Makes `n` the root of its tree and adds an edge from it to `to`.
    pub(super) fn link(&mut self, n: u32, to: u32, why: Why) {
        debug_assert!(!matches!(why, Why::Unequal(_)) || n == FALSE || to == FALSE);
        let (mut at, mut up, mut edge) = (n, to, why);
        while at != NONE {
            let d = &mut self.nodes[at as usize];
            let next = std::mem::replace(&mut d.up, up);
            let next_edge = std::mem::replace(&mut d.why, edge);
            (up, at, edge) = (at, next, next_edge);
        }
    }

    /// Removes the edge between `a` and `b`, which may have been reversed.
    pub(super) fn cut(&mut self, a: u32, b: u32) {
        let from = if self.nodes[a as usize].up == b { a } else { b };
        debug_assert!(self.nodes[from as usize].up == a ^ b ^ from, "there is an edge");
        self.nodes[from as usize].up = NONE;
    }
}

impl Scratch {
    fn prepare(&mut self, nodes: usize, facts: usize) {
        if self.epoch == u32::MAX {
            *self =
                Scratch { walk: self.walk, visited: std::mem::take(&mut self.visited), ..Scratch::default() };
        }
        self.epoch += 1;
        self.jump.resize(nodes, (0, 0));
        self.visited.resize(nodes, 0);
        if self.facts.len() < facts {
            self.facts.resize(facts, 0);
        }
    }

    /// The end of the explained path that begins at `n`.
    fn top(&mut self, mut n: u32) -> u32 {
        loop {
            let (epoch, to) = self.jump[n as usize];
            if epoch != self.epoch {
                return n;
            }
            let (epoch, further) = self.jump[to as usize];
            if epoch == self.epoch {
                self.jump[n as usize].1 = further;
            }
            n = to;
        }
    }

    fn report(&mut self, l: sat::Lit, out: &mut Vec<sat::Lit>) {
        let i = l.index();
        if self.lits.len() <= i {
            self.lits.resize(i + 1, 0);
        }
        if self.lits[i] != self.epoch {
            self.lits[i] = self.epoch;
            out.push(l);
        }
    }
}
