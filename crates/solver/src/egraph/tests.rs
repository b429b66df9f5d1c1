//! The e-graph against brute force, and on known cases.

use super::*;
use crate::dice::Dice;
use std::collections::BTreeSet;

impl Egraph {
    fn head(&self, n: Node) -> Head {
        self.nodes[n.0 as usize].head
    }

    fn sort(&self, n: Node) -> Sort {
        self.nodes[n.0 as usize].sort
    }
}

fn lit(i: usize) -> sat::Lit {
    sat::Var(i as u32).lit(true)
}

/// The premises imply that `a` and `b` are equal.
#[derive(Clone)]
struct Rule {
    premises: Vec<Premise>,
    a: Node,
    b: Node,
}

/// Closure by brute force: the class of each node, or none if two constants are equal.
struct Naive<'a> {
    g: &'a Egraph,
    class: Vec<usize>,
}

impl<'a> Naive<'a> {
    fn new(g: &'a Egraph, rules: &[Rule], lits: &BTreeSet<sat::Lit>) -> Option<Self> {
        let mut n = Naive { g, class: (0..g.len()).collect() };
        while n.round(rules, lits) {}
        let constants: Vec<usize> = (0..g.len()).filter(|&i| n.is_constant(i)).collect();
        let clash = |&i: &usize| constants.iter().any(|&j| i != j && n.class[i] == n.class[j]);
        (!constants.iter().any(clash)).then_some(n)
    }

    fn is_constant(&self, i: usize) -> bool {
        matches!(self.g.head(Node(i as u32)), Head::Str(_) | Head::Int(_) | Head::Op(Op::True | Op::False))
    }

    fn same(&self, a: Node, b: Node) -> bool {
        self.class[a.0 as usize] == self.class[b.0 as usize]
    }

    fn join(&mut self, a: Node, b: Node) -> bool {
        let (x, y) = (self.class[a.0 as usize], self.class[b.0 as usize]);
        self.class.iter_mut().filter(|c| **c == x).for_each(|c| *c = y);
        x != y
    }

    fn value(&self, a: Node) -> Option<usize> {
        (0..self.class.len()).find(|&i| self.is_constant(i) && self.same(Node(i as u32), a))
    }

    fn round(&mut self, rules: &[Rule], lits: &BTreeSet<sat::Lit>) -> bool {
        let mut changed = false;
        for r in rules {
            let holds = r.premises.iter().all(|p| match *p {
                Premise::Lit(l) => lits.contains(&l),
                Premise::Eq(a, b) => self.same(a, b),
            });
            changed |= holds && self.join(r.a, r.b);
        }
        let nodes: Vec<Node> = (0..self.g.len() as u32).map(Node).collect();
        for &p in &nodes {
            changed |= self.equality(p);
            for &q in &nodes[..p.0 as usize] {
                changed |= self.congruent(p, q) && self.join(p, q);
            }
        }
        changed
    }

    fn equality(&mut self, p: Node) -> bool {
        if self.g.head(p) != Head::Op(Op::Eq) {
            return false;
        }
        let (a, b) = (self.g.args(p)[0], self.g.args(p)[1]);
        let differ = matches!((self.value(a), self.value(b)), (Some(x), Some(y)) if x != y);
        let mut changed = differ && self.join(p, Egraph::FALSE);
        if self.same(a, b) {
            changed |= self.join(p, Egraph::TRUE);
        }
        changed | (self.same(p, Egraph::TRUE) && self.join(a, b))
    }

    fn congruent(&self, p: Node, q: Node) -> bool {
        let (x, y) = (self.g.args(p), self.g.args(q));
        let pairs = |y: &mut dyn Iterator<Item = &Node>| x.iter().zip(y).all(|(&a, &b)| self.same(a, b));
        self.g.head(p) == self.g.head(q)
            && !x.is_empty()
            && x.len() == y.len()
            && (pairs(&mut y.iter()) || self.g.head(p) == Head::Op(Op::Eq) && pairs(&mut y.iter().rev()))
    }

    fn disequal(&self, a: Node, b: Node) -> bool {
        if self.same(a, b) {
            return false;
        }
        let differ = matches!((self.value(a), self.value(b)), (Some(x), Some(y)) if x != y);
        differ
            || (0..self.g.len() as u32).map(Node).any(|p| {
                self.g.head(p) == Head::Op(Op::Eq) && self.same(p, Egraph::FALSE) && {
                    let (x, y) = (self.g.args(p)[0], self.g.args(p)[1]);
                    self.same(x, a) && self.same(y, b) || self.same(x, b) && self.same(y, a)
                }
            })
    }

    fn ready(&self, p: Node) -> bool {
        matches!(self.g.head(p), Head::Op(o) if o != Op::Eq)
            && !self.g.args(p).is_empty()
            && self.value(p).is_none()
            && self.g.args(p).iter().all(|&a| self.value(a).is_some())
    }
}

fn universe(pool: &mut Pool, dice: &mut Dice) -> Vec<Term> {
    let mut declare = |name: &str, arity: usize| {
        let name = pool.names.intern(name);
        pool.declare(name, vec![Sort::STRING; arity].into(), Sort::STRING)
    };
    let (f, h) = (declare("f", 1), declare("h", 2));
    let consts: Vec<_> = (0..4).map(|i| declare(&format!("x{i}"), 0)).collect();
    let mut strings: Vec<Term> = consts.iter().map(|&c| pool.apply(c, &[])).collect();
    strings.extend([pool.string(&[97]), pool.string(&[98])]);
    let mut all = strings.clone();
    for _ in 0..22 {
        let (a, b) = (strings[dice.below(strings.len())], strings[dice.below(strings.len())]);
        let t = match dice.below(5) {
            0 | 1 => pool.apply(f, &[a]),
            2 => pool.apply(h, &[a, b]),
            3 => pool.mk(Head::Op(Op::StrConcat), Sort::STRING, &[a, b]),
            _ => pool.mk(Head::Op(Op::Eq), Sort::BOOL, &[a, b]),
        };
        if pool.sort_of(t) == Sort::STRING {
            strings.push(t);
        }
        all.push(t);
    }
    all
}

/// A client of the e-graph under test, with its own record of each level.
struct Client {
    g: Egraph,
    rules: Vec<Rule>,
    ready: Vec<Node>,
    /// The equalities reported by events.
    reported: Vec<(Node, Node)>,
    marks: Vec<(usize, usize, usize)>,
    lits: usize,
    events: Vec<Event>,
}

impl Client {
    fn explained(&mut self, premises: &[Premise]) -> BTreeSet<sat::Lit> {
        let mut out = Vec::new();
        self.g.explain(premises, &mut out);
        let set: BTreeSet<_> = out.iter().copied().collect();
        assert_eq!(set.len(), out.len(), "no literal twice");
        let asserted: BTreeSet<_> = self.asserted();
        assert!(set.is_subset(&asserted));
        set
    }

    fn asserted(&self) -> BTreeSet<sat::Lit> {
        let premises = self.rules.iter().flat_map(|r| &r.premises);
        premises.filter_map(|p| if let Premise::Lit(l) = p { Some(*l) } else { None }).collect()
    }

    fn pop(&mut self, levels: usize) {
        self.g.pop(levels);
        let at = self.marks.len() - levels;
        let (rules, ready, reported) = self.marks[at];
        self.marks.truncate(at);
        self.rules.truncate(rules);
        self.ready.truncate(ready);
        self.reported.truncate(reported);
    }

    fn push(&mut self) {
        self.g.push();
        self.marks.push((self.rules.len(), self.ready.len(), self.reported.len()));
    }

    fn merge(&mut self, dice: &mut Dice) {
        let n = self.g.len();
        let a = Node(dice.below(n) as u32);
        let b = if self.g.sort(a) == Sort::BOOL {
            Node(dice.below(2) as u32)
        } else {
            Node(dice.below(n) as u32)
        };
        if self.g.sort(a) != self.g.sort(b) {
            return;
        }
        let mut premises = vec![Premise::Lit(lit(self.lits))];
        self.lits += 1;
        if dice.below(2) == 0 {
            self.g.merge(a, b, Reason::Lit(lit(self.lits - 1)));
        } else {
            for _ in 0..dice.below(3) {
                let x = Node(dice.below(n) as u32);
                let members: Vec<Node> = self.g.members(x).collect();
                premises.push(Premise::Eq(x, members[dice.below(members.len())]));
            }
            let fact = self.g.add_fact(&premises);
            self.g.merge(a, b, Reason::Fact(fact));
        }
        self.rules.push(Rule { premises, a, b });
    }

    /// Propagates and compares; false if the root level is in conflict.
    fn settle(&mut self, dice: &mut Dice) -> bool {
        while let Err(conflict) = self.g.propagate() {
            let set = self.explained(&conflict);
            assert!(Naive::new(&self.g, &self.rules, &set).is_none(), "the explained literals conflict");
            assert!(self.g.propagate().is_err(), "the conflict stays");
            if self.marks.is_empty() {
                return false;
            }
            self.pop(1 + dice.below(self.marks.len()));
        }
        self.events.clear();
        self.g.take_events(&mut self.events);
        for e in &self.events {
            match *e {
                Event::Ready(n) => self.ready.push(n),
                Event::Merged { a, b, .. } => self.reported.push((a, b)),
                Event::Unequal(n) => assert!(self.g.same(n, Egraph::FALSE)),
            }
        }
        self.compare(dice);
        true
    }

    fn compare(&mut self, dice: &mut Dice) {
        let nodes: Vec<Node> = (0..self.g.len() as u32).map(Node).collect();
        let naive = Naive::new(&self.g, &self.rules, &self.asserted()).expect("no conflict was found");
        let reported: Vec<Rule> =
            self.reported.iter().map(|&(a, b)| Rule { premises: Vec::new(), a, b }).collect();
        let mut pairs = Vec::new();
        for &a in &nodes {
            let members: BTreeSet<Node> = self.g.members(a).collect();
            assert_eq!(members.len(), self.g.nodes[self.g.root(a).0 as usize].size as usize);
            assert_eq!(self.g.value(a), naive.value(a).map(|v| Node(v as u32)));
            assert!(!naive.ready(a) || self.ready.contains(&a), "a ready node is reported");
            for &b in &nodes {
                assert_eq!(self.g.same(a, b), naive.same(a, b), "{a:?} {b:?}");
                assert_eq!(self.g.same(a, b), members.contains(&b));
                let disequal = self.g.disequal(a, b);
                assert_eq!(disequal.is_some(), naive.disequal(a, b));
                pairs.push((a, b, disequal));
            }
        }
        let by_events = Naive::new(&self.g, &reported, &BTreeSet::new()).expect("no conflict");
        assert!(nodes.iter().all(|&a| nodes.iter().all(|&b| by_events.same(a, b) == naive.same(a, b))));
        for _ in 0..6 {
            let (a, b, disequal) = pairs[dice.below(pairs.len())].clone();
            if let Some(premises) = disequal {
                let set = self.explained(&premises);
                let n = Naive::new(&self.g, &self.rules, &set).expect("a subset of consistent premises");
                assert!(n.disequal(a, b));
            } else if self.g.same(a, b) {
                let set = self.explained(&[Premise::Eq(a, b)]);
                let n = Naive::new(&self.g, &self.rules, &set).expect("a subset of consistent premises");
                assert!(n.same(a, b));
            }
        }
    }
}

#[test]
fn agrees_with_brute_force() {
    for seed in 1..400 {
        let mut dice = Dice::new(0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(seed));
        let mut pool = Pool::new();
        let terms = universe(&mut pool, &mut dice);
        let mut c = Client {
            g: Egraph::new(),
            rules: Vec::new(),
            ready: Vec::new(),
            reported: Vec::new(),
            marks: Vec::new(),
            lits: 0,
            events: Vec::new(),
        };
        for _ in 0..60 {
            match dice.below(8) {
                0..=1 => {
                    let t = terms[dice.below(terms.len())];
                    let n = c.g.add(&pool, t);
                    assert_eq!((c.g.term(n), c.g.node(t)), (t, Some(n)));
                }
                2..=4 => {
                    for _ in 0..=dice.below(3) {
                        c.merge(&mut dice);
                    }
                }
                5..=6 => {
                    if c.marks.len() < 6 {
                        c.push();
                    }
                }
                _ => {
                    if !c.marks.is_empty() {
                        let levels = 1 + dice.below(c.marks.len());
                        c.pop(levels);
                    }
                    if dice.below(2) == 0 {
                        continue;
                    }
                }
            }
            if dice.below(4) == 0 && c.g.pending.is_empty() {
                continue;
            }
            if !c.settle(&mut dice) {
                break;
            }
        }
    }
}

fn constants(pool: &mut Pool, n: usize, sort: Sort) -> Vec<Term> {
    (0..n)
        .map(|i| {
            let name = pool.names.intern(&format!("c{i}"));
            let f = pool.declare(name, Box::new([]), sort);
            pool.apply(f, &[])
        })
        .collect()
}

#[test]
fn a_node_from_a_deep_level_is_congruent_after_the_pop() {
    let mut pool = Pool::new();
    let c = constants(&mut pool, 2, Sort::STRING);
    let len = |pool: &mut Pool, t| pool.mk(Head::Op(Op::StrLen), Sort::INT, &[t]);
    let (la, lb) = (len(&mut pool, c[0]), len(&mut pool, c[1]));
    let mut g = Egraph::new();
    let (a, b, la) = (g.add(&pool, c[0]), g.add(&pool, c[1]), g.add(&pool, la));
    g.push();
    g.merge(a, b, Reason::Lit(lit(0)));
    g.propagate().unwrap();
    g.push();
    g.push();
    let lb = g.add(&pool, lb);
    g.propagate().unwrap();
    assert!(g.same(la, lb));
    g.pop(2);
    g.propagate().unwrap();
    assert!(g.same(la, lb));
    let mut out = Vec::new();
    g.explain(&[Premise::Eq(la, lb)], &mut out);
    assert_eq!(out, [lit(0)]);
    g.pop(1);
    g.propagate().unwrap();
    assert!(!g.same(la, lb) && !g.same(a, b));
}

#[test]
fn a_closed_language_is_a_constant_leaf() {
    let mut pool = Pool::new();
    let c = constants(&mut pool, 1, Sort::STRING);
    let word = pool.string(&[97]);
    let re = |pool: &mut Pool, t| pool.mk(Head::Op(Op::StrToRe), Sort::REGLAN, &[t]);
    let (r, s) = (re(&mut pool, word), re(&mut pool, c[0]));
    let star = pool.mk(Head::Op(Op::ReStar), Sort::REGLAN, &[r]);
    let mut member = |r| pool.mk(Head::Op(Op::StrInRe), Sort::BOOL, &[c[0], r]);
    let (in_star, in_s) = (member(star), member(s));
    let mut g = Egraph::new();
    let (in_star, in_s) = (g.add(&pool, in_star), g.add(&pool, in_s));
    assert!(g.node(word).is_none(), "a closed language is a leaf");
    let (x, word, s) = (g.add(&pool, c[0]), g.add(&pool, word), g.node(s).unwrap());
    g.merge(x, word, Reason::Lit(lit(0)));
    g.propagate().unwrap();
    let mut events = Vec::new();
    g.take_events(&mut events);
    assert!(events.contains(&Event::Ready(in_star)) && events.contains(&Event::Ready(s)));
    assert!(!events.contains(&Event::Ready(in_s)), "`s` has no value yet");
    let r = g.add(&pool, r);
    let star = g.node(star).unwrap();
    assert_eq!(g.disequal(r, star), None, "languages of different terms may be equal");
    g.merge(s, r, Reason::Lit(lit(1)));
    g.merge(s, star, Reason::Lit(lit(2)));
    g.propagate().unwrap();
    events.clear();
    g.take_events(&mut events);
    assert!(events.contains(&Event::Ready(in_s)));
}

#[test]
fn long_chains() {
    const N: usize = 100_000;
    let mut pool = Pool::new();
    let c = constants(&mut pool, N, Sort::STRING);
    let mut g = Egraph::new();
    let n: Vec<Node> = c.iter().map(|&t| g.add(&pool, t)).collect();
    let name = pool.names.intern("f");
    let f = pool.declare(name, Box::new([Sort::STRING]), Sort::STRING);
    let mut tower = (c[0], c[1]);
    for _ in 0..N {
        tower = (pool.apply(f, &[tower.0]), pool.apply(f, &[tower.1]));
    }
    let tower = (g.add(&pool, tower.0), g.add(&pool, tower.1));
    for round in 0..2 {
        g.push();
        for i in 1..N {
            g.merge(n[i - 1], n[i], Reason::Lit(lit(i)));
        }
        g.propagate().unwrap();
        assert!(g.same(tower.0, tower.1), "round {round}");
        let mut out = Vec::new();
        g.explain(&[Premise::Eq(tower.0, tower.1), Premise::Eq(n[0], n[N - 1])], &mut out);
        out.sort();
        assert!(out.iter().copied().eq((1..N).map(lit)));
        g.pop(1);
        assert!(!g.same(n[0], n[1]) && !g.same(tower.0, tower.1));
    }
}

#[test]
fn many_equal_facts_are_explained_once() {
    const N: usize = 3_000;
    let mut pool = Pool::new();
    let c = constants(&mut pool, N, Sort::STRING);
    let mut g = Egraph::new();
    let n: Vec<Node> = c.iter().map(|&t| g.add(&pool, t)).collect();
    g.push();
    for i in 1..N {
        let fact = if i == 1 {
            g.add_fact(&[Premise::Lit(lit(0))])
        } else {
            g.add_fact(&[Premise::Eq(n[0], n[i - 1]), Premise::Lit(lit(i % 7))])
        };
        g.merge(n[i - 1], n[i], Reason::Fact(fact));
        g.propagate().unwrap();
    }
    let mut out = Vec::new();
    g.explain(&[Premise::Eq(n[0], n[N - 1])], &mut out);
    out.sort();
    assert!(out.iter().copied().eq((0..7).map(lit)));
}
