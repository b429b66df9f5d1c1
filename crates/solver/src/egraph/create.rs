//! Creation of nodes.

use super::{Data, Egraph, FALSE, NONE, Node, TRUE, Why};
use smt::{Head, Op, Pool, PostOrder, Sort, Term};

impl Egraph {
    pub(super) fn create(&mut self, pool: &Pool, t: Term) {
        let head = pool.head(t);
        let known = match head {
            Head::Op(Op::True) => Some(TRUE),
            Head::Op(Op::False) => Some(FALSE),
            Head::Annot(_) => self.node(pool.args(t)[0]).map(|n| n.0),
            _ => None,
        };
        if let Some(n) = known {
            self.map_term(t, n);
            if self.nodes[n as usize].term.0 == NONE {
                self.nodes[n as usize].term = t;
            }
            return;
        }
        let start = self.args.len();
        for a in self.below(pool, t) {
            let a = self.node(a).expect("arguments come first");
            self.args.push(a);
        }
        let sort = pool.sort_of(t);
        let constant = matches!(head, Head::Str(_) | Head::Int(_) | Head::Real(_))
            || sort == Sort::REGLAN && self.closed.get(&t) == Some(&true);
        let n = self.new_node(t, head, sort, start, constant);
        self.map_term(t, n);
        for i in start..self.args.len() {
            let parents = &mut self.nodes[self.args[i].0 as usize].parents;
            if parents.last() != Some(&Node(n)) {
                parents.push(Node(n));
            }
        }
        if self.args.len() > start {
            self.fresh.push(n);
        }
    }

    pub(super) fn new_node(
        &mut self,
        term: Term,
        head: Head,
        sort: Sort,
        start: usize,
        constant: bool,
    ) -> u32 {
        let n = u32::try_from(self.nodes.len()).expect("more than 2^32 nodes");
        self.nodes.push(Data {
            term,
            head,
            sort,
            start: start as u32,
            len: (self.args.len() - start) as u32,
            parents: Vec::new(),
            root: n,
            next: n,
            size: 1,
            value: if constant { n } else { NONE },
            up: NONE,
            why: Why::Congruent { swapped: false },
            in_table: false,
        });
        n
    }

    fn map_term(&mut self, t: Term, n: u32) {
        let i = t.0 as usize;
        if self.by_term.len() <= i {
            self.by_term.resize((i + 1).max(2 * self.by_term.len()), NONE);
        }
        self.by_term[i] = n;
    }

    /// The arguments of `t` that become nodes: none if `t` is a leaf.
    pub(super) fn below<'p>(
        &mut self,
        pool: &'p Pool,
        t: Term,
    ) -> impl DoubleEndedIterator<Item = Term> + use<'p> {
        let leaf = match pool.head(t) {
            Head::Forall | Head::Exists | Head::Lambda | Head::Var(_) => true,
            Head::Opaque(_) => pool.has_var(t),
            _ => pool.sort_of(t) == Sort::REGLAN && self.is_closed(pool, t),
        };
        let args: &[Term] = if leaf { &[] } else { pool.args(t) };
        args.iter().copied()
    }

    /// Whether `t` consists of operators and constants only.
    fn is_closed(&mut self, pool: &Pool, t: Term) -> bool {
        let closed = &mut self.closed;
        let mut walk = PostOrder::new([t]);
        while let Some(t) = walk.next(|t| (!closed.contains_key(&t)).then(|| pool.args(t).iter().copied())) {
            let own = matches!(
                pool.head(t),
                Head::Op(_) | Head::Indexed(..) | Head::Str(_) | Head::Int(_) | Head::Annot(_)
            );
            let all = own && pool.args(t).iter().all(|a| closed[a]);
            closed.insert(t, all);
        }
        closed[&t]
    }
}
