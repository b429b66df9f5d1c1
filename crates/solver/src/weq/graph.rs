//! The Nielsen graph: the solutions of a system by the first letter in which its sides differ.
//!
//! A node is a simplified system. The first symbols of its first equation decide the edges: for `x … = "a" …` either `x`
//! is empty or `x = "a" x'`; for `x … = y …` one of them is empty, or one starts with the other. The rest of a variable
//! keeps its name. A node without equations is a solution: its variables may be anything.
//!
//! Example: `x "ab" = "ba" x` has one node with a loop, `x := "ba" x`, and one edge that leaves it, `x := "b" x`, then `x := ""`.
//!
//! No edge makes a quadratic system longer, so its graph is finite: if no node is a solution, there is none. Other systems
//! are explored up to a limit.

use super::simplify::simplify;
use super::{Equation, Symbol, System};
use rustc_hash::FxHashMap;
use smt::work::spend;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Nodes of a graph, at most.
const MAX_NODES: usize = 20_000;
/// Nodes that are explored after the first solution, to find loops and other solutions.
const MAX_MORE: usize = 2_000;
/// Symbols of all nodes, at most.
const MAX_SYMBOLS: usize = 2_000_000;

/// A substitution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// The variable is empty.
    Empty(u32),
    /// The variable starts with a letter.
    Letter(u32, u32),
    /// The first variable starts with the second.
    Before(u32, u32),
}

/// An edge: substitutions in order, and the node that they lead to.
#[derive(Clone, Debug)]
pub(super) struct Edge {
    pub(super) steps: Vec<Step>,
    pub(super) to: usize,
}

/// The explored part of a graph. Node 0 is the start, unless the system has no solution at once.
#[derive(Debug, Default)]
pub(super) struct Graph {
    /// The substitutions before node 0.
    pub(super) start: Vec<Step>,
    pub(super) edges: Vec<Vec<Edge>>,
    /// The node and edge by which a node was found.
    pub(super) parents: Vec<Option<(usize, usize)>>,
    pub(super) solutions: Vec<usize>,
    /// All nodes were explored.
    complete: bool,
}

impl Graph {
    /// Whether there is no solution.
    pub(super) fn is_unsolvable(&self) -> bool {
        self.complete && self.solutions.is_empty()
    }

    /// Explores the graph of a system, short nodes first.
    pub(super) fn explore(system: &System) -> Graph {
        let mut graph = Graph { complete: true, ..Graph::default() };
        let Some((first, empty)) = simplify(system.equations.clone()) else { return graph };
        graph.start = empty.into_iter().map(Step::Empty).collect();
        let longest = longest(system, &first);
        let mut search = Search {
            graph,
            known: FxHashMap::default(),
            queue: BinaryHeap::new(),
            systems: Vec::new(),
            symbols: 0,
        };
        search.add(first, None);
        while let Some(Reverse((_, k))) = search.queue.pop() {
            let limit = if search.graph.solutions.is_empty() { MAX_NODES } else { MAX_MORE };
            if search.graph.edges.len() > limit || search.symbols > MAX_SYMBOLS {
                search.graph.complete = false;
                break;
            }
            search.expand(k, longest);
        }
        search.graph
    }
}

/// Systems that are longer than this are not explored.
fn longest(system: &System, first: &[Equation]) -> usize {
    let size = length(first);
    if system.is_quadratic() { usize::MAX } else { 2 * size + 10 }
}

fn length(system: &[Equation]) -> usize {
    system.iter().map(|(l, r)| l.len() + r.len()).sum()
}

struct Search {
    graph: Graph,
    known: FxHashMap<Vec<Equation>, usize>,
    queue: BinaryHeap<Reverse<(usize, usize)>>,
    systems: Vec<Vec<Equation>>,
    symbols: usize,
}

impl Search {
    /// The node of a system.
    fn add(&mut self, system: Vec<Equation>, parent: Option<(usize, usize)>) -> usize {
        if let Some(&k) = self.known.get(&system) {
            return k;
        }
        let k = self.systems.len();
        let size = length(&system);
        self.symbols += size;
        spend(1 + size);
        self.known.insert(system.clone(), k);
        self.graph.edges.push(Vec::new());
        self.graph.parents.push(parent);
        if system.is_empty() {
            self.graph.solutions.push(k);
        } else {
            self.queue.push(Reverse((size, k)));
        }
        self.systems.push(system);
        k
    }

    /// Adds the edges of a node.
    fn expand(&mut self, k: usize, longest: usize) {
        for step in choices(&self.systems[k]) {
            let substituted = self.systems[k].iter().map(|(l, r)| (apply(l, step), apply(r, step))).collect();
            let Some((system, empty)) = simplify(substituted) else { continue };
            if length(&system) > longest {
                self.graph.complete = false;
                continue;
            }
            let place = self.graph.edges[k].len();
            let to = self.add(system, Some((k, place)));
            let steps = std::iter::once(step).chain(empty.into_iter().map(Step::Empty)).collect();
            self.graph.edges[k].push(Edge { steps, to });
        }
    }
}

/// The cases of the first symbols of the first equation.
fn choices(system: &[Equation]) -> Vec<Step> {
    let Some((left, right)) = system.first() else { return Vec::new() };
    match (left[0], right[0]) {
        (Symbol::Letter(_), Symbol::Letter(_)) => Vec::new(),
        (Symbol::Variable(x), Symbol::Letter(a)) | (Symbol::Letter(a), Symbol::Variable(x)) => {
            vec![Step::Empty(x), Step::Letter(x, a)]
        }
        (Symbol::Variable(x), Symbol::Variable(y)) => {
            vec![Step::Empty(x), Step::Empty(y), Step::Before(x, y), Step::Before(y, x)]
        }
    }
}

/// A side after a substitution.
fn apply(side: &[Symbol], step: Step) -> Vec<Symbol> {
    let mut out = Vec::with_capacity(side.len() + 2);
    for &s in side {
        match (step, s) {
            (Step::Empty(x), Symbol::Variable(y)) if x == y => {}
            (Step::Letter(x, a), Symbol::Variable(y)) if x == y => out.extend([Symbol::Letter(a), s]),
            (Step::Before(x, z), Symbol::Variable(y)) if x == y => out.extend([Symbol::Variable(z), s]),
            _ => out.push(s),
        }
    }
    out
}
