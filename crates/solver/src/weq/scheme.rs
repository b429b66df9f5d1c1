//! Lengths of the solutions along one path of a Nielsen graph, as linear forms.
//!
//! Read backwards from the solution, a substitution changes one length: `x := "a" x` adds 1 to that of `x`, `x := y x` adds
//! that of `y`. Variables that are left at the end have any length, and a loop at a node of the path may be taken any number
//! of times. If a loop adds constants, its number is one more unknown: `x "ab" = "ba" x` has `|x| = 1 + 2k`.

use super::graph::{Graph, Step};
use super::linear::{self, Row};
use rustc_hash::FxHashSet;
use smt::Int;
use smt::work::spend;
use std::collections::{BTreeMap, VecDeque};

/// Solutions of a graph that are used, at most.
const MAX_SOLUTIONS: usize = 8;
/// Loops of a path that are used, at most.
const MAX_LOOPS: usize = 24;
/// Nodes that are visited in the search for a loop, at most.
const MAX_VISITED: usize = 300;

/// A linear form over unknowns; the last one is the constant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Form {
    terms: BTreeMap<u32, Int>,
    constant: Int,
}

impl Form {
    fn unknown(k: u32) -> Form {
        Form { terms: BTreeMap::from([(k, Int::ONE)]), constant: Int::ZERO }
    }

    fn add(&mut self, other: &Form, factor: &Int) {
        for (&k, n) in &other.terms {
            let entry = self.terms.entry(k).or_insert(Int::ZERO);
            *entry = &*entry + &(n * factor);
        }
        self.constant = &self.constant + &(&other.constant * factor);
    }
}

/// The lengths of the variables as forms over natural numbers.
#[derive(Debug)]
pub(super) struct Scheme {
    unknowns: u32,
    lengths: Vec<Form>,
}

impl Scheme {
    /// Lengths that satisfy the rows.
    pub(super) fn lengths(&self, rows: &[Row]) -> Option<Vec<u64>> {
        let rows: Vec<Row> = rows.iter().map(|row| self.row(row)).collect();
        let values = linear::solve(self.unknowns, &rows)?;
        let value = |form: &Form| {
            let sum = form
                .terms
                .iter()
                .fold(form.constant.clone(), |sum, (&k, n)| &sum + &(n * &values[k as usize]));
            sum.to_i64().and_then(|n| u64::try_from(n).ok())
        };
        self.lengths.iter().map(value).collect()
    }

    /// A row over variables as one over the unknowns.
    fn row(&self, row: &Row) -> Row {
        let mut sum = Form { terms: BTreeMap::new(), constant: row.constant.clone() };
        for (x, n) in &row.terms {
            sum.add(&self.lengths[*x as usize], n);
        }
        Row { terms: sum.terms.into_iter().collect(), constant: sum.constant }
    }
}

/// The schemes of the solutions that were found first.
pub(super) fn schemes(graph: &Graph, variables: u32) -> Vec<Scheme> {
    graph.solutions.iter().take(MAX_SOLUTIONS).map(|&end| scheme(graph, variables, end)).collect()
}

fn scheme(graph: &Graph, variables: u32, end: usize) -> Scheme {
    let mut out = Scheme { unknowns: variables, lengths: (0..variables).map(Form::unknown).collect() };
    let (mut node, mut loops) = (end, 0);
    while let Some((from, edge)) = graph.parents[node] {
        undo(&mut out.lengths, &graph.edges[from][edge].steps);
        node = from;
        for steps in cycles(graph, node) {
            if loops < MAX_LOOPS && take(&mut out, &steps) {
                loops += 1;
            }
        }
    }
    undo(&mut out.lengths, &graph.start);
    out
}

/// The lengths before substitutions, from those after them.
fn undo(lengths: &mut [Form], steps: &[Step]) {
    for &step in steps.iter().rev() {
        match step {
            Step::Empty(x) => lengths[x as usize] = Form::default(),
            Step::Letter(x, _) => {
                let form = &mut lengths[x as usize];
                form.constant = &form.constant + &Int::ONE;
            }
            Step::Before(x, y) => {
                let other = lengths[y as usize].clone();
                lengths[x as usize].add(&other, &Int::ONE);
            }
        }
    }
}

/// Takes a loop any number of times, if it adds constants only.
fn take(scheme: &mut Scheme, steps: &[Step]) -> bool {
    let mut after = scheme.lengths.clone();
    undo(&mut after, steps);
    let mut added: Vec<(usize, Int)> = Vec::new();
    let mut changed: FxHashSet<u32> = FxHashSet::default();
    for (x, (new, old)) in after.iter().zip(&scheme.lengths).enumerate() {
        if new == old {
            continue;
        }
        if new.terms.iter().any(|(k, n)| old.terms.get(k).unwrap_or(&Int::ZERO) != n) {
            return false;
        }
        changed.insert(x as u32);
        added.push((x, &new.constant - &old.constant));
    }
    // Each time adds the same only if what is added is not changed itself.
    if added.is_empty() || steps.iter().any(|s| matches!(s, Step::Before(_, y) if changed.contains(y))) {
        return false;
    }
    let k = scheme.unknowns;
    scheme.unknowns += 1;
    for (x, n) in added {
        scheme.lengths[x].add(&Form::unknown(k), &n);
    }
    true
}

/// The shortest loops through a node, one for each edge that leaves it.
fn cycles(graph: &Graph, node: usize) -> Vec<Vec<Step>> {
    let mut out = Vec::new();
    for first in &graph.edges[node] {
        if let Some(path) = path(graph, first.to, node) {
            let mut steps = first.steps.clone();
            steps.extend(path);
            if !steps.iter().any(|s| matches!(s, Step::Empty(_))) {
                out.push(steps);
            }
        }
    }
    out
}

/// The substitutions on a shortest path.
fn path(graph: &Graph, from: usize, to: usize) -> Option<Vec<Step>> {
    let mut parents: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
    let mut queue = VecDeque::from([from]);
    while from != to && !parents.contains_key(&to) {
        let node = queue.pop_front()?;
        for (k, edge) in graph.edges[node].iter().enumerate() {
            spend(1);
            if edge.to != from && parents.len() < MAX_VISITED && !parents.contains_key(&edge.to) {
                parents.insert(edge.to, (node, k));
                queue.push_back(edge.to);
            }
        }
    }
    let mut steps: Vec<Step> = Vec::new();
    let mut node = to;
    while node != from {
        let (parent, edge) = parents[&node];
        let mut part = graph.edges[parent][edge].steps.clone();
        part.extend(steps);
        steps = part;
        node = parent;
    }
    Some(steps)
}
