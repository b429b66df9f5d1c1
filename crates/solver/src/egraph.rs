//! Congruence closure over terms: backtrackable, with explanations.
//!
//! Classes are union-find trees of height one (every node knows its root) with circular lists of members; equality
//! between two nodes is explained by a proof forest, one edge per merge, after Nieuwenhuis and Oliveras, *Fast
//! congruence closure and extensions* (Information and Computation 205, 2007).
//!
//! Nodes are permanent, merges are not. Every node has its own list of parents, never changed by merges; the parents
//! of a class are those of its members. The table of signatures holds one node per signature; its changes by a merge are
//! recorded on a trail and undone with the merge. A node is *checked* (looked up in the table, and found ready or not)
//! by the first [`Egraph::propagate`] after it was added; when the level of that call is popped, it is checked again.
//!
//! Equalities are interpreted: `(= a b)` is congruent to `(= b a)`, is true when its arguments are in one class, false
//! when they have different constants, and merges its arguments when it is true. So every conflict is between two
//! constants in one class. `true` and `false` are always nodes. Terms with binders and variables are leaves; so are
//! regular expressions without free symbols, which are constants that may equal each other.

mod create;
mod explain;
mod merge;
mod table;
#[cfg(test)]
mod tests;

use hashbrown::HashTable;
use rustc_hash::FxHashMap;
use smt::{Head, Op, Pool, PostOrder, Sort, Term};
use std::collections::VecDeque;

/// A node: a term in the e-graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Node(pub(crate) u32);

/// A premise of a consequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Premise {
    /// A literal that is currently true.
    Lit(sat::Lit),
    /// Two nodes that are currently equal.
    Eq(Node, Node),
}

/// The identifier of a list of premises, from [`Egraph::add_fact`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct FactId(pub(crate) u32);

/// The reason of a merge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Reason {
    /// A literal.
    Lit(sat::Lit),
    /// The premises of a fact.
    Fact(FactId),
}

/// Inconsistent premises.
pub(crate) type Conflict = Vec<Premise>;

/// A change of the e-graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// Two classes were merged. A predicate gets a value by a merge with the class of [`Egraph::TRUE`] or
    /// [`Egraph::FALSE`].
    Merged {
        /// The root of the merged class.
        kept: Node,
        /// The former root of the other class.
        gone: Node,
        /// One of the two nodes whose equality caused the merge.
        a: Node,
        /// The other one.
        b: Node,
    },
    /// An application of an operator (other than `=`) without value, all of whose arguments have values.
    Ready(Node),
    /// An equality whose arguments have different constants; it is merged with `false`.
    Unequal(Node),
}

/// The reason of an edge of the proof forest.
#[derive(Clone, Copy, Debug)]
enum Why {
    Lit(sat::Lit),
    Fact(FactId),
    /// Congruence: the same head over equal arguments, which may be swapped in equalities.
    Congruent {
        swapped: bool,
    },
    /// One end is an equality with equal arguments, the other is `true`.
    Equal(u32),
    /// One end is an equality with different constants for arguments, the other is `false`.
    Unequal(u32),
    /// The ends are the arguments of this true equality.
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
    /// The next member of the class, in a circular list.
    next: u32,
    /// The number of members, for a root.
    size: u32,
    /// The constant in the class, for a root.
    value: u32,
    /// The other end of this node's edge in the proof forest.
    up: u32,
    why: Why,
    /// Whether the table has this node for its signature.
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
    /// A node was checked, and perhaps entered into the table.
    Checked { node: u32, entered: bool },
    /// Two classes were merged; `moved` starts at this length.
    Merged { kept: u32, gone: u32, a: u32, b: u32, value: u32, moved: u32 },
}

#[derive(Clone, Copy, Debug)]
struct Mark {
    trail: usize,
    facts: usize,
}

/// Congruence closure. See the module documentation.
#[derive(Debug)]
pub(crate) struct Egraph {
    nodes: Vec<Data>,
    args: Vec<Node>,
    by_term: Vec<u32>,
    /// Whether a regular expression has no free symbols.
    closed: FxHashMap<Term, bool>,
    table: HashTable<u32>,
    /// Nodes to be checked.
    fresh: Vec<u32>,
    pending: VecDeque<Pending>,
    trail: Vec<Undo>,
    /// The nodes that merges on the trail removed from the table, and whether they were entered under a new signature.
    moved: Vec<(u32, bool)>,
    marks: Vec<Mark>,
    /// The end of the premises of each fact.
    fact_ends: Vec<u32>,
    fact_premises: Vec<Premise>,
    /// The events, each with its level.
    events: Vec<(u32, Event)>,
    scratch: explain::Scratch,
}

impl Egraph {
    /// The node of `true`. It has a term once `true` has been added.
    pub(crate) const TRUE: Node = Node(TRUE);
    /// The node of `false`. It has a term once `false` has been added.
    pub(crate) const FALSE: Node = Node(FALSE);

    /// An e-graph with `true` and `false` only.
    pub(crate) fn new() -> Self {
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

    /// The node of `t`, created with those of its arguments if it is new. Nodes survive [`Egraph::pop`].
    pub(crate) fn add(&mut self, pool: &Pool, t: Term) -> Node {
        if let Some(n) = self.node(t) {
            return n;
        }
        let mut walk = PostOrder::new([t]);
        while let Some(t) = walk.next(|t| self.node(t).is_none().then(|| self.below(pool, t))) {
            self.create(pool, t);
        }
        self.node(t).expect("the node was just created")
    }

    /// The node of `t`, if it has been added.
    pub(crate) fn node(&self, t: Term) -> Option<Node> {
        self.by_term.get(t.0 as usize).filter(|&&n| n != NONE).map(|&n| Node(n))
    }

    /// The term of a node.
    pub(crate) fn term(&self, n: Node) -> Term {
        let t = self.nodes[n.0 as usize].term;
        debug_assert!(t.0 != NONE, "`true` and `false` have terms once they are added");
        t
    }

    /// The number of nodes; ids are below it.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The arguments of a node; none if it is a leaf.
    pub(crate) fn args(&self, n: Node) -> &[Node] {
        let d = &self.nodes[n.0 as usize];
        &self.args[d.start as usize..(d.start + d.len) as usize]
    }

    // Classes

    /// The representative of the class of `n`.
    pub(crate) fn root(&self, n: Node) -> Node {
        Node(self.nodes[n.0 as usize].root)
    }

    /// Whether `a` and `b` are in one class.
    pub(crate) fn same(&self, a: Node, b: Node) -> bool {
        self.root(a) == self.root(b)
    }

    /// The constant in the class of `n`: a literal, or a regular expression without free symbols.
    pub(crate) fn value(&self, n: Node) -> Option<Node> {
        let v = self.value_of(n.0);
        (v != NONE).then_some(Node(v))
    }

    /// The nodes in the class of `n`, beginning with `n`.
    pub(crate) fn members(&self, n: Node) -> impl Iterator<Item = Node> + '_ {
        let mut at = Some(n);
        std::iter::from_fn(move || {
            let m = at?;
            let next = Node(self.nodes[m.0 as usize].next);
            at = (next != n).then_some(next);
            Some(m)
        })
    }

    /// The nodes of the class that was merged into that of `kept`, its former root `gone` last, and perhaps those of
    /// classes that were merged later.
    pub(crate) fn absorbed(&self, kept: Node, gone: Node) -> impl Iterator<Item = Node> + '_ {
        let mut at = Some(kept);
        std::iter::from_fn(move || {
            let next = Node(self.nodes[at?.0 as usize].next);
            at = (next != gone).then_some(next);
            Some(next)
        })
    }

    /// The premises of a disequality of `a` and `b`, if it is known: they have different constants, or an equality
    /// between them is false.
    pub(crate) fn disequal(&self, a: Node, b: Node) -> Option<Vec<Premise>> {
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

    /// Stores premises, which hold now, as the reason of a merge, until the level is popped.
    pub(crate) fn add_fact(&mut self, premises: &[Premise]) -> FactId {
        debug_assert!(premises.iter().all(|p| match *p {
            Premise::Lit(_) => true,
            Premise::Eq(a, b) => self.same(a, b),
        }));
        self.fact_premises.extend_from_slice(premises);
        self.fact_ends.push(self.fact_premises.len() as u32);
        FactId(self.fact_ends.len() as u32 - 1)
    }

    /// Queues the merge of the classes of `a` and `b`.
    pub(crate) fn merge(&mut self, a: Node, b: Node, why: Reason) {
        let why = match why {
            Reason::Lit(l) => Why::Lit(l),
            Reason::Fact(f) => Why::Fact(f),
        };
        self.pending.push_back(Pending { a: a.0, b: b.0, why });
    }

    /// Processes the queued merges and their consequences. After a conflict the result stays the same until a level is
    /// popped.
    pub(crate) fn propagate(&mut self) -> Result<(), Conflict> {
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

    /// Opens a level. The queue must be empty.
    pub(crate) fn push(&mut self) {
        debug_assert!(self.pending.is_empty(), "the queue is empty");
        self.marks.push(Mark { trail: self.trail.len(), facts: self.fact_ends.len() });
    }

    /// Undoes all merges since the last `levels` calls of [`Egraph::push`]. Nodes stay.
    pub(crate) fn pop(&mut self, levels: usize) {
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

    /// Moves the events since the last call to `out`. To be called at the level of the events.
    pub(crate) fn take_events(&mut self, out: &mut Vec<Event>) {
        out.extend(self.events.drain(..).map(|e| e.1));
    }
}

impl Egraph {
    fn value_of(&self, n: u32) -> u32 {
        self.nodes[self.nodes[n as usize].root as usize].value
    }

    /// Whether two constants differ. Each constant has one node, so different nodes differ, except for languages.
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
