//! Congruence closure over terms: backtrackable, with explanations.
//!
//! Classes are union-find trees of height one (every node knows its root) with circular lists of members; equality
//! between two nodes is explained by a proof forest, one edge per merge, after Nieuwenhuis and Oliveras, *Fast
//! congruence closure and extensions* (Information and Computation 205, 2007).
//!
//! Nodes are permanent, merges are not. Every node has its own list of parents, never changed by merges; the parents
//! of a class are those of its members. The table of signatures holds one node per signature; what a merge moves in it
//! is put on a trail and put back exactly when the merge is undone. A node is *checked* (looked up in the table, and
//! found ready or not) at the level where [`Egraph::propagate`] first meets it; when that level is popped it is to be
//! checked again.
//!
//! Equalities are interpreted: `(= a b)` is congruent to `(= b a)`, is true when its arguments are in one class, false
//! when they have different constants, and makes its arguments equal when it is true. So every conflict is one between
//! two constants in one class. `true` and `false` are nodes from the beginning. Terms with binders and variables are
//! leaves; so are regular expressions without free symbols, which count as constants that may equal each other.

mod create;
mod explain;
mod merge;
mod table;
#[cfg(test)]
mod tests;

use hashbrown::HashTable;
use rustc_hash::FxHashMap;
use smt::{Head, Op, Pool, Sort, Term};
use std::collections::VecDeque;

/// A node: a term in the e-graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Node(pub u32);

/// What a consequence rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Premise {
    /// A literal that is true now.
    Lit(sat::Lit),
    /// Two nodes that are equal now.
    Eq(Node, Node),
}

/// A list of premises under one name, from [`Egraph::add_fact`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FactId(pub u32);

/// Why a client merges two nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// The literal says so.
    Lit(sat::Lit),
    /// It follows from the premises of a fact.
    Fact(FactId),
}

/// Premises that cannot hold together.
pub type Conflict = Vec<Premise>;

/// What happened in the e-graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// Two classes became one. A predicate becomes known by a merge with the class of [`Egraph::TRUE`] or
    /// [`Egraph::FALSE`].
    Merged {
        /// The root of the class now.
        kept: Node,
        /// The root of the class that was merged into it.
        gone: Node,
        /// One of the two nodes whose equality caused it.
        a: Node,
        /// The other one.
        b: Node,
    },
    /// An application of an operator (other than `=`) all of whose arguments have values, and which had none itself.
    Ready(Node),
    /// An equality whose arguments have different constants; it is merged with `false`.
    Unequal(Node),
}

/// Why an edge is in the proof forest.
#[derive(Clone, Copy, Debug)]
enum Why {
    Lit(sat::Lit),
    Fact(FactId),
    /// The same head over equal arguments; of equalities perhaps in the other order.
    Congruent {
        swapped: bool,
    },
    /// One end is an equality with equal arguments, the other is `true`.
    Equal(u32),
    /// One end is an equality with different constants for arguments, the other is `false`.
    Unequal(u32),
    /// The ends are the arguments of this equality, which is true.
    Holds(u32),
}

const NONE: u32 = u32::MAX;
const TRUE: u32 = 0;
const FALSE: u32 = 1;

#[derive(Debug)]
struct Data {
    term: Term,
    head: Head,
    sort: Sort,
    start: u32,
    len: u32,
    parents: Vec<Node>,
    root: u32,
    /// The next member of the class, in a circle.
    next: u32,
    /// Of a root: how many members.
    size: u32,
    /// Of a root: the constant in the class.
    value: u32,
    /// The other end of this node's edge in the proof forest.
    up: u32,
    why: Why,
    /// The table maps this node's signature to it.
    in_table: bool,
}

#[derive(Clone, Copy, Debug)]
struct Pending {
    a: u32,
    b: u32,
    why: Why,
}

#[derive(Debug)]
enum Undo {
    /// A node was checked, and perhaps put into the table.
    Checked { node: u32, entered: bool },
    /// Two classes were merged; `moved` starts at this length.
    Merged { kept: u32, gone: u32, a: u32, b: u32, value: u32, moved: u32 },
}

#[derive(Clone, Copy, Debug)]
struct Mark {
    trail: usize,
    facts: usize,
}

/// Congruence closure. See the module.
#[derive(Debug)]
pub struct Egraph {
    nodes: Vec<Data>,
    args: Vec<Node>,
    by_term: Vec<u32>,
    /// Whether a regular expression is without free symbols.
    closed: FxHashMap<Term, bool>,
    table: HashTable<u32>,
    /// Nodes to be checked.
    fresh: Vec<u32>,
    pending: VecDeque<Pending>,
    trail: Vec<Undo>,
    /// The nodes that merges on the trail took out of the table, and whether they went back under a new signature.
    moved: Vec<(u32, bool)>,
    marks: Vec<Mark>,
    /// Where the premises of each fact end.
    fact_ends: Vec<u32>,
    fact_premises: Vec<Premise>,
    /// With the level at which they happened.
    events: Vec<(u32, Event)>,
    scratch: explain::Scratch,
}

impl Default for Egraph {
    fn default() -> Self {
        Egraph::new()
    }
}

impl Egraph {
    /// The node of `true`. Its term is known once `true` has been added.
    pub const TRUE: Node = Node(TRUE);
    /// The node of `false`. Its term is known once `false` has been added.
    pub const FALSE: Node = Node(FALSE);

    /// An e-graph with `true` and `false` only.
    pub fn new() -> Self {
        let mut g = Egraph {
            nodes: Vec::new(),
            args: Vec::new(),
            by_term: Vec::new(),
            closed: FxHashMap::default(),
            table: HashTable::new(),
            fresh: Vec::new(),
            pending: VecDeque::new(),
            trail: Vec::new(),
            moved: Vec::new(),
            marks: Vec::new(),
            fact_ends: Vec::new(),
            fact_premises: Vec::new(),
            events: Vec::new(),
            scratch: explain::Scratch::default(),
        };
        g.new_node(Term(NONE), Head::Op(Op::True), Sort::BOOL, 0, true);
        g.new_node(Term(NONE), Head::Op(Op::False), Sort::BOOL, 0, true);
        g
    }

    // Nodes

    /// The node of `t`; if it is new, made with those of its arguments. It stays when levels are popped.
    pub fn add(&mut self, pool: &Pool, t: Term) -> Node {
        if let Some(n) = self.node(t) {
            return n;
        }
        let mut stack = vec![t];
        while let Some(&t) = stack.last() {
            if self.node(t).is_some() {
                stack.pop();
                continue;
            }
            let before = stack.len();
            let leaf = self.is_leaf(pool, t);
            if !leaf {
                stack.extend(pool.args(t).iter().rev().filter(|&&a| self.node(a).is_none()));
            }
            if stack.len() == before {
                stack.pop();
                self.create(pool, t, leaf);
            }
        }
        self.node(t).expect("it was just made")
    }

    /// The node of `t`, if it has been added.
    pub fn node(&self, t: Term) -> Option<Node> {
        self.by_term.get(t.0 as usize).filter(|&&n| n != NONE).map(|&n| Node(n))
    }

    /// The term of a node.
    pub fn term(&self, n: Node) -> Term {
        let t = self.nodes[n.0 as usize].term;
        debug_assert!(t.0 != NONE, "`true` and `false` have to be added to have terms");
        t
    }

    /// How many nodes there are; ids are below it.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// There are always `true` and `false`.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The arguments of a node; none if it is treated as a leaf.
    pub fn args(&self, n: Node) -> &[Node] {
        let d = &self.nodes[n.0 as usize];
        &self.args[d.start as usize..(d.start + d.len) as usize]
    }

    /// The head of a node's term.
    pub fn head(&self, n: Node) -> Head {
        self.nodes[n.0 as usize].head
    }

    /// The sort of a node's term.
    pub fn sort(&self, n: Node) -> Sort {
        self.nodes[n.0 as usize].sort
    }

    /// The applications that have exactly this node as an argument.
    pub fn parents(&self, n: Node) -> &[Node] {
        &self.nodes[n.0 as usize].parents
    }

    // Classes

    /// The representative of the class of `n`.
    pub fn root(&self, n: Node) -> Node {
        Node(self.nodes[n.0 as usize].root)
    }

    /// `a` and `b` are in one class.
    pub fn same(&self, a: Node, b: Node) -> bool {
        self.root(a) == self.root(b)
    }

    /// The constant in the class of `n`: a literal, or a regular expression without free symbols.
    pub fn value(&self, n: Node) -> Option<Node> {
        let v = self.value_of(n.0);
        (v != NONE).then_some(Node(v))
    }

    /// The nodes in the class of `n`, beginning with `n`.
    pub fn members(&self, n: Node) -> impl Iterator<Item = Node> + '_ {
        let mut at = Some(n);
        std::iter::from_fn(move || {
            let m = at?;
            let next = Node(self.nodes[m.0 as usize].next);
            at = (next != n).then_some(next);
            Some(m)
        })
    }

    /// The nodes of the class that was merged into that of `kept`, its root `gone` last; and perhaps those of classes that were
    /// merged later.
    pub fn absorbed(&self, kept: Node, gone: Node) -> impl Iterator<Item = Node> + '_ {
        let mut at = Some(kept);
        std::iter::from_fn(move || {
            let next = Node(self.nodes[at?.0 as usize].next);
            at = (next != gone).then_some(next);
            Some(next)
        })
    }

    /// Why `a` and `b` are known to differ, if they are: they have different constants, or an equality between them
    /// is false.
    pub fn disequal(&self, a: Node, b: Node) -> Option<Vec<Premise>> {
        let (ra, rb) = (self.root(a), self.root(b));
        if ra == rb {
            return None;
        }
        let (va, vb) = (self.value_of(a.0), self.value_of(b.0));
        if self.clash(va, vb) {
            return Some(vec![Premise::Eq(a, Node(va)), Premise::Eq(b, Node(vb))]);
        }
        let p = Node(self.find_equality(ra.0, rb.0)?);
        if !self.same(p, Egraph::FALSE) {
            return None;
        }
        let (x, y) = (self.args(p)[0], self.args(p)[1]);
        let (x, y) = if self.root(x) == ra { (x, y) } else { (y, x) };
        Some(vec![Premise::Eq(p, Egraph::FALSE), Premise::Eq(a, x), Premise::Eq(b, y)])
    }

    // Merging

    /// Keeps premises, which hold now, as the reason of a merge. Forgotten when the level is popped.
    pub fn add_fact(&mut self, premises: &[Premise]) -> FactId {
        debug_assert!(premises.iter().all(|p| match *p {
            Premise::Lit(_) => true,
            Premise::Eq(a, b) => self.same(a, b),
        }));
        self.fact_premises.extend_from_slice(premises);
        self.fact_ends.push(self.fact_premises.len() as u32);
        FactId(self.fact_ends.len() as u32 - 1)
    }

    /// Queues the merge of the classes of `a` and `b`.
    pub fn merge(&mut self, a: Node, b: Node, why: Reason) {
        let why = match why {
            Reason::Lit(l) => Why::Lit(l),
            Reason::Fact(f) => Why::Fact(f),
        };
        self.pending.push_back(Pending { a: a.0, b: b.0, why });
    }

    /// Works off what is queued and all that follows from it. After a conflict a level has to be popped; until then
    /// the answer stays.
    pub fn propagate(&mut self) -> Result<(), Conflict> {
        loop {
            if let Some(n) = self.fresh.pop() {
                self.check(n);
            } else if let Some(&m) = self.pending.front() {
                self.unite(m)?;
                self.pending.pop_front();
            } else {
                return Ok(());
            }
        }
    }

    /// Opens a level. What is queued has to be propagated first.
    pub fn push(&mut self) {
        debug_assert!(self.pending.is_empty(), "merges are queued");
        self.marks.push(Mark { trail: self.trail.len(), facts: self.fact_ends.len() });
    }

    /// Undoes all merges since the last `levels` calls of [`Egraph::push`]. Nodes stay.
    pub fn pop(&mut self, levels: usize) {
        if levels == 0 {
            return;
        }
        let level = self.marks.len() - levels;
        let mark = self.marks[level];
        self.marks.truncate(level);
        self.pending.clear();
        while self.trail.len() > mark.trail {
            match self.trail.pop() {
                Some(Undo::Checked { node, entered }) => {
                    if entered {
                        self.leave(node);
                    }
                    self.fresh.push(node);
                }
                Some(Undo::Merged { kept, gone, a, b, value, moved }) => {
                    self.separate(kept, gone, value, moved as usize);
                    self.cut(a, b);
                }
                None => break,
            }
        }
        self.fact_ends.truncate(mark.facts);
        self.fact_premises.truncate(self.fact_ends.last().map_or(0, |&e| e as usize));
        while self.events.last().is_some_and(|e| e.0 as usize > level) {
            self.events.pop();
        }
    }

    /// How many levels are open.
    pub fn level(&self) -> usize {
        self.marks.len()
    }

    /// Moves what happened since the last call into `out`. To be called at the level where it happened.
    pub fn take_events(&mut self, out: &mut Vec<Event>) {
        out.extend(self.events.drain(..).map(|e| e.1));
    }
}

impl Egraph {
    fn value_of(&self, n: u32) -> u32 {
        self.nodes[self.nodes[n as usize].root as usize].value
    }

    /// Constants that cannot be equal. Each constant has one node, so different nodes will do, except of languages.
    fn clash(&self, v: u32, w: u32) -> bool {
        v != w && v != NONE && w != NONE && self.nodes[v as usize].sort != Sort::REGLAN
    }

    fn is_equality(&self, n: u32) -> bool {
        let d = &self.nodes[n as usize];
        d.head == Head::Op(Op::Eq) && d.len == 2
    }

    /// The two arguments of an equality.
    fn sides(&self, n: u32) -> (u32, u32) {
        let start = self.nodes[n as usize].start as usize;
        (self.args[start].0, self.args[start + 1].0)
    }

    fn event(&mut self, e: Event) {
        self.events.push((self.marks.len() as u32, e));
    }
}
