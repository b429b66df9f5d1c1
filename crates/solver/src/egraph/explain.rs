//! The proof forest: why two nodes are equal.
//!
//! Each merge adds one edge between the two nodes that caused it. The path between two nodes of one tree never changes
//! while they are connected, and all edges on it are older than anything that was concluded from their equality, so
//! premises can be expanded when they are asked for and never in a circle. While one set of premises is explained,
//! paths that have been walked are jumped over (section 5 of the paper).

use super::{Egraph, FALSE, NONE, Node, Premise, TRUE, Why};

/// Memory of explanations, kept to be used again.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// One per explanation.
    epoch: u32,
    /// One per path.
    walk: u64,
    /// In this epoch, the path from this node up to that one is explained.
    jump: Vec<(u32, u32)>,
    /// This node was met on this walk.
    met: Vec<u64>,
    /// In this epoch, this fact is explained.
    facts: Vec<u32>,
    /// In this epoch, this literal was given out.
    lits: Vec<u32>,
    work: Vec<Premise>,
}

impl Egraph {
    /// Adds to `out` the literals that imply all the premises, each once.
    pub fn explain(&mut self, premises: &[Premise], out: &mut Vec<sat::Lit>) {
        let mut s = std::mem::take(&mut self.scratch);
        s.prepare(self.nodes.len(), self.fact_ends.len());
        s.work.extend_from_slice(premises);
        while let Some(premise) = s.work.pop() {
            match premise {
                Premise::Lit(l) => s.give(l, out),
                Premise::Eq(a, b) => self.explain_path(a.0, b.0, &mut s),
            }
        }
        self.scratch = s;
    }

    /// Puts the reasons of the edges between `a` and `b` that are not explained yet on the list of work.
    fn explain_path(&self, a: u32, b: u32, s: &mut Scratch) {
        let (a, b) = (s.top(a), s.top(b));
        if a == b {
            return;
        }
        let meet = self.meet(a, b, s);
        for start in [a, b] {
            let mut n = start;
            while n != meet {
                let d = &self.nodes[n as usize];
                s.jump[n as usize] = (s.epoch, meet);
                self.reasons(n, d.up, d.why, s);
                n = s.top(d.up);
            }
        }
    }

    /// Where the paths up from `a` and `b` meet.
    fn meet(&self, a: u32, b: u32, s: &mut Scratch) -> u32 {
        s.walk += 1;
        let mut ends = [a, b];
        loop {
            debug_assert!(ends != [NONE; 2], "only equal nodes are explained");
            for end in &mut ends {
                if *end == NONE {
                    continue;
                }
                if s.met[*end as usize] == s.walk {
                    return *end;
                }
                s.met[*end as usize] = s.walk;
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

    /// What the equality of `n` and `m` by `why` rests on.
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

    /// Adds an edge from `n`, whose tree is turned so that `n` is on top, to `to`.
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

    /// Takes the edge between `a` and `b` away; it may have been turned since.
    pub(super) fn cut(&mut self, a: u32, b: u32) {
        let from = if self.nodes[a as usize].up == b { a } else { b };
        debug_assert!(self.nodes[from as usize].up == a ^ b ^ from, "there is an edge");
        self.nodes[from as usize].up = NONE;
    }
}

impl Scratch {
    fn prepare(&mut self, nodes: usize, facts: usize) {
        if self.epoch == u32::MAX {
            *self = Scratch { walk: self.walk, met: std::mem::take(&mut self.met), ..Scratch::default() };
        }
        self.epoch += 1;
        self.jump.resize(nodes, (0, 0));
        self.met.resize(nodes, 0);
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

    fn give(&mut self, l: sat::Lit, out: &mut Vec<sat::Lit>) {
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
