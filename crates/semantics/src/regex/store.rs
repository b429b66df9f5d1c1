//! Hash-consed expressions.

use std::hash::{Hash, Hasher};
use std::slice;
use std::sync::Arc;

use hashbrown::HashTable;
use rustc_hash::{FxHashMap, FxHasher};

use super::automaton::Automaton;
use super::charset::{Alphabet, CharSet};
use super::node::{Lexicon, Node, Re};
use super::span::Span;

/// Facts about the language of an expression.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facts {
    /// No word is shorter than this.
    pub(super) min: u64,
    /// No word is longer than this; `u64::MAX` is no limit.
    pub(super) max: u64,
    /// The lengths that the bounds of all members of a union allow; for other
    /// expressions their own bounds.
    pub(super) common: (u64, u64),
    /// Whether the empty word is in the language.
    pub(super) nullable: bool,
    /// Whether it is certain that some word is in the language.
    pub(super) inhabited: bool,
    /// Whether the language is free of clamped numerals, see [`Span`].
    pub(super) exact: bool,
    /// Whether the caller has the handle.
    pinned: bool,
    /// The hash of the node.
    hash: u64,
}

/// An expression ready to be derived.
#[derive(Clone, Debug)]
pub(super) struct Prepared {
    /// An expression of the same language whose unions and products are all flat.
    pub(super) start: Re,
    /// The classes of characters that the expression treats alike.
    pub(super) alphabet: Arc<Alphabet>,
}

/// A collection of regular expressions, with cached facts about them.
///
/// Expressions that a caller has built stay valid as long as the store does, so a store should not
/// outlive the script or the test case they are from. Intermediate results,
/// such as their derivatives, are cached and dropped when they take
/// more than a certain amount of memory ([`RegexStore::with_cache_limit`]).
#[derive(Debug)]
pub struct RegexStore {
    nodes: Vec<Node>,
    facts: Vec<Facts>,
    table: HashTable<Re>,
    free: Vec<Re>,
    texts: Vec<Arc<[u32]>>,
    text_numbers: FxHashMap<Arc<[u32]>, u32>,
    lists: Vec<Arc<[u32]>>,
    list_numbers: FxHashMap<Arc<[u32]>, u32>,
    automata: Vec<Arc<Automaton>>,
    automaton_numbers: FxHashMap<Arc<Automaton>, u32>,
    pub(super) derivatives: FxHashMap<(Re, u32), Re>,
    pub(super) prepared: FxHashMap<Re, Prepared>,
    pub(super) searches: FxHashMap<Re, Prepared>,
    /// The approximate number of bytes in use.
    load: usize,
    /// The load at which to look for what may be thrown away.
    threshold: usize,
    limit: usize,
    /// The number of unsuccessful steps per character before a search reads the word backwards.
    pub(super) patience: usize,
}

impl Default for RegexStore {
    fn default() -> RegexStore {
        RegexStore::new()
    }
}

impl RegexStore {
    /// A store with only the constants.
    pub fn new() -> RegexStore {
        RegexStore::with_cache_limit(256 << 20)
    }

    /// A store with a cache of about `bytes` bytes.
    pub fn with_cache_limit(bytes: usize) -> RegexStore {
        let mut store = RegexStore {
            nodes: Vec::new(),
            facts: Vec::new(),
            table: HashTable::new(),
            free: Vec::new(),
            texts: Vec::new(),
            text_numbers: FxHashMap::default(),
            lists: Vec::new(),
            list_numbers: FxHashMap::default(),
            automata: Vec::new(),
            automaton_numbers: FxHashMap::default(),
            derivatives: FxHashMap::default(),
            prepared: FxHashMap::default(),
            searches: FxHashMap::default(),
            load: 0,
            threshold: bytes,
            limit: bytes,
            patience: 4,
        };
        let constants = [
            (Node::None, Re::NONE),
            (Node::Epsilon, Re::EPSILON),
            (Node::Class(CharSet::full()), Re::ALLCHAR),
            (Node::Loop(Re::ALLCHAR, Span::STAR), Re::ALL),
            (Node::Loop(Re::ALLCHAR, Span::PLUS), Re::NONEMPTY),
        ];
        for (node, re) in constants {
            let made = store.intern(node);
            debug_assert_eq!(made, re);
            store.pin(made);
        }
        store
    }

    #[inline]
    pub(super) fn node(&self, r: Re) -> &Node {
        &self.nodes[r.index()]
    }

    #[inline]
    pub(super) fn facts(&self, r: Re) -> &Facts {
        &self.facts[r.index()]
    }

    /// No word is shorter than the first number, none longer than the second (`u64::MAX` is no limit); in constant time.
    pub fn lengths(&self, r: Re) -> (u64, u64) {
        let facts = self.facts(r);
        (facts.min, facts.max)
    }

    /// Whether the empty word is in the language, in constant time.
    #[inline]
    pub fn nullable(&self, r: Re) -> bool {
        self.facts(r).nullable
    }

    /// The members of a union, or the expression itself if it is none.
    pub(super) fn members<'a>(&'a self, r: &'a Re) -> &'a [Re] {
        match self.node(*r) {
            Node::Union(members) => members,
            _ => slice::from_ref(r),
        }
    }

    /// The first part of a concatenation, and what follows it: ε if the expression is none.
    #[inline]
    pub(super) fn split(&self, r: Re) -> (Re, Re) {
        match *self.node(r) {
            Node::Concat([head, tail]) => (head, tail),
            _ => (r, Re::EPSILON),
        }
    }

    /// The number of a text of at least two characters.
    pub(super) fn text(&mut self, text: &[u32]) -> u32 {
        number(&mut self.texts, &mut self.text_numbers, text)
    }

    /// The number of a list of numbers of texts.
    pub(super) fn word_list(&mut self, texts: &[u32]) -> u32 {
        number(&mut self.lists, &mut self.list_numbers, texts)
    }

    /// The number of an automaton; equal ones have one.
    pub(super) fn automaton_number(&mut self, automaton: Arc<Automaton>) -> u32 {
        if let Some(&number) = self.automaton_numbers.get(&automaton) {
            return number;
        }
        let number = u32::try_from(self.automata.len()).expect("fewer than 2³² automata");
        self.automata.push(Arc::clone(&automaton));
        self.automaton_numbers.insert(automaton, number);
        number
    }

    /// The automaton with a number.
    pub(super) fn automaton_of(&self, number: u32) -> &Arc<Automaton> {
        &self.automata[number as usize]
    }

    /// The numbers of texts in a list.
    pub(super) fn listed(&self, list: u32) -> &[u32] {
        &self.lists[list as usize]
    }

    /// The words of a lexicon, in order, without the characters that have been read.
    pub(super) fn entries(&self, lexicon: Lexicon) -> impl Iterator<Item = &[u32]> {
        let texts = &self.listed(lexicon.list)[lexicon.from as usize..lexicon.to as usize];
        texts.iter().map(move |&text| self.suffix(text, lexicon.depth))
    }

    /// The characters of a text from `start` on.
    #[inline]
    pub(super) fn suffix(&self, text: u32, start: usize) -> &[u32] {
        &self.texts[text as usize][start..]
    }

    /// Records that the caller has this handle, which must stay valid.
    pub(super) fn pin(&mut self, r: Re) -> Re {
        self.facts[r.index()].pinned = true;
        r
    }

    /// The handle of a node, which is new only if there is no equal one.
    ///
    /// A word is identified by the text it is a suffix of, not by its characters: to compare those, for
    /// each suffix of a text, would take quadratic time. But short ones are compared, so that in
    /// unions of words common endings are recognised.
    pub(super) fn intern(&mut self, node: Node) -> Re {
        smt::work::spend(1 + node.children().len());
        let hash = self.hash(&node);
        let same = |&r: &Re| self.same(self.node(r), &node);
        if let Some(&r) = self.table.find(hash, same) {
            return r;
        }
        let facts = self.infer(&node, hash);
        self.charge(NODE_BYTES + 4 * node.children().len());
        let r = match self.free.pop() {
            Some(r) => {
                self.nodes[r.index()] = node;
                self.facts[r.index()] = facts;
                r
            }
            None => {
                let index = u32::try_from(self.nodes.len()).expect("fewer than 2³² expressions");
                self.nodes.push(node);
                self.facts.push(facts);
                Re(index)
            }
        };
        let facts = &self.facts;
        self.table.insert_unique(hash, r, |r| facts[r.index()].hash);
        r
    }

    fn hash(&self, node: &Node) -> u64 {
        let mut hasher = FxHasher::default();
        match *node {
            Node::Word { text, start } if self.is_short(text, start) => {
                self.suffix(text, start).hash(&mut hasher);
            }
            _ => node.hash(&mut hasher),
        }
        hasher.finish()
    }

    fn same(&self, a: &Node, b: &Node) -> bool {
        match (a, b) {
            (&Node::Word { text, start }, &Node::Word { text: t, start: s })
                if self.is_short(text, start) =>
            {
                self.suffix(text, start) == self.suffix(t, s)
            }
            _ => a == b,
        }
    }

    fn is_short(&self, text: u32, start: usize) -> bool {
        self.suffix(text, start).len() <= 32
    }

    /// The facts that follow from those of the children.
    ///
    /// The lengths are bounds, no more: `min` may be less than that of the shortest word, and the
    /// two may contradict each other, in which case there is no word.
    fn infer(&self, node: &Node, hash: u64) -> Facts {
        let children = || node.children().iter().map(|&r| self.facts(r));
        let (min, max, nullable, inhabited) = match node {
            Node::Free | Node::None => (u64::MAX, 0, false, false),
            Node::Epsilon => (0, 0, true, true),
            Node::Class(_) => (1, 1, false, true),
            &Node::Word { text, start } => {
                let length = self.suffix(text, start).len() as u64;
                (length, length, false, true)
            }
            &Node::Lexicon(lexicon) => {
                let lengths = || self.entries(lexicon).map(|word| word.len() as u64);
                let min = lengths().min().unwrap_or(u64::MAX);
                (min, lengths().max().unwrap_or(0), min == 0, true)
            }
            &Node::State { automaton, state } => {
                let automaton = self.automaton_of(automaton);
                let (min, max) = automaton.lengths(state);
                (min, max, automaton.accepts(state), true)
            }
            Node::Concat(_) => (
                children().fold(0, |sum: u64, f| sum.saturating_add(f.min)),
                children().fold(0, |sum: u64, f| sum.saturating_add(f.max)),
                children().all(|f| f.nullable),
                children().all(|f| f.inhabited),
            ),
            Node::Union(_) => (
                children().fold(u64::MAX, |min, f| min.min(f.min)),
                children().fold(0, |max, f| max.max(f.max)),
                children().any(|f| f.nullable),
                children().any(|f| f.inhabited),
            ),
            Node::Inter(_) => {
                let nullable = children().all(|f| f.nullable);
                (
                    children().fold(0, |min, f| min.max(f.min)),
                    children().fold(u64::MAX, |max, f| max.min(f.max)),
                    nullable,
                    nullable,
                )
            }
            &Node::Comp(body) => {
                let body = self.facts(body);
                let nullable = !body.nullable;
                let min = u64::from(!nullable);
                (min, u64::MAX, nullable, nullable || body.max < u64::MAX)
            }
            &Node::Loop(body, span) => {
                let body = self.facts(body);
                (
                    span.lo.saturating_mul(body.min),
                    span.hi.saturating_mul(body.max),
                    span.lo == 0 || body.nullable,
                    span.lo == 0 || body.inhabited,
                )
            }
        };
        let common = match node {
            Node::Union(_) => (
                children().fold(0, |min, f| min.max(f.min)),
                children().fold(u64::MAX, |max, f| max.min(f.max)),
            ),
            _ => (min, max),
        };
        let clamped = matches!(node, Node::Loop(_, span) if span.clamped);
        Facts {
            min,
            max,
            common,
            nullable,
            inhabited,
            exact: !clamped && children().all(|f| f.exact),
            pinned: false,
            hash,
        }
    }

    /// Takes note of memory that was taken.
    #[inline]
    pub(super) fn charge(&mut self, bytes: usize) {
        self.load += bytes;
    }

    /// Throws away whatever is reachable neither from handles the caller has got nor from `keep`,
    /// if there may be too much of it. Other handles, `keep` excepted, become invalid.
    #[inline]
    pub(super) fn relieve(&mut self, keep: &[Re]) {
        if self.load > self.threshold {
            self.sweep(keep);
        }
    }

    /// The number of slots for expressions.
    #[cfg(test)]
    pub(super) fn size(&self) -> usize {
        self.nodes.len()
    }

    /// Mark and sweep. It takes time linear in the size of the store, and is not repeated
    /// until the size has doubled or the limit is reached again, so its amortised cost is
    /// small. All memoised results are dropped.
    fn sweep(&mut self, keep: &[Re]) {
        self.derivatives = FxHashMap::default();
        self.prepared = FxHashMap::default();
        self.searches = FxHashMap::default();

        let mut live = vec![false; self.nodes.len()];
        let pinned = (0..).map(Re).zip(&self.facts);
        let pinned = pinned.filter(|(_, facts)| facts.pinned).map(|(r, _)| r);
        let mut reached: Vec<Re> = pinned.chain(keep.iter().copied()).collect();
        while let Some(r) = reached.pop() {
            if !live[r.index()] {
                live[r.index()] = true;
                reached.extend(self.node(r).children());
            }
        }

        self.table.retain(|r| live[r.index()]);
        self.free.clear();
        self.load = 0;
        for (r, live) in (0..).map(Re).zip(live) {
            if live {
                self.load += NODE_BYTES + 4 * self.node(r).children().len();
            } else {
                self.nodes[r.index()] = Node::Free;
                self.free.push(r);
            }
        }
        self.threshold = self.limit.max(2 * self.load);
    }
}

/// The number of a sequence among those in a list, to the end of which it is added if it is new.
fn number(all: &mut Vec<Arc<[u32]>>, numbers: &mut FxHashMap<Arc<[u32]>, u32>, sequence: &[u32]) -> u32 {
    if let Some(&number) = numbers.get(sequence) {
        return number;
    }
    let number = u32::try_from(all.len()).expect("fewer than 2³² texts");
    let sequence: Arc<[u32]> = sequence.into();
    all.push(Arc::clone(&sequence));
    numbers.insert(sequence, number);
    number
}

/// About how much memory a node takes, without its list of members.
const NODE_BYTES: usize = 112;
/// About how much memory it takes to remember a derivative.
pub(super) const DERIVATIVE_BYTES: usize = 24;
