//! Transducers: they read a character a step, and write words.
//!
//! A transducer is *functional* if all its accepting runs on a word write the same; those of this crate are. It is *deterministic*
//! if there is one run only. Example: `str.replace_all` of `"ab"` by `"c"` has two states, of which the second holds back an `a`.

use crate::alphabet::Alphabet;
use rustc_hash::FxHashSet;

/// A symbol that is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sym {
    /// This letter.
    Letter(u32),
    /// The character that was read in this step.
    Copy,
}

/// A step: what is written, and the state after it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Edge {
    /// The word that is written.
    pub out: Box<[Sym]>,
    /// The state after it.
    pub to: u32,
}

/// A transducer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Transducer {
    pub(crate) alphabet: Alphabet,
    /// What is written before anything is read.
    pub(crate) lead: Box<[u32]>,
    pub(crate) start: u32,
    /// By state, then by class.
    pub(crate) edges: Vec<Vec<Vec<Edge>>>,
    /// What is written at the end, if the input may end in the state.
    pub(crate) ends: Vec<Option<Box<[u32]>>>,
}

impl Transducer {
    /// With state 0 only, which is the start and has no edges.
    pub(crate) fn new(alphabet: Alphabet) -> Transducer {
        let mut t =
            Transducer { alphabet, lead: Box::default(), start: 0, edges: Vec::new(), ends: Vec::new() };
        t.add(None);
        t
    }

    /// Adds a state.
    pub(crate) fn add(&mut self, end: Option<Box<[u32]>>) -> u32 {
        self.edges.push(vec![Vec::new(); self.alphabet.len()]);
        self.ends.push(end);
        u32::try_from(self.ends.len() - 1).expect("fewer than 2^32 states")
    }

    /// Adds an edge. The copy of the only character of a class is that letter.
    pub(crate) fn edge(&mut self, from: u32, class: usize, out: Vec<Sym>, to: u32) {
        let single = self.alphabet.single(class);
        let plain = |s: Sym| match (s, single) {
            (Sym::Copy, Some(c)) => Sym::Letter(c),
            _ => s,
        };
        let edge = Edge { out: out.into_iter().map(plain).collect(), to };
        self.edges[from as usize][class].push(edge);
    }

    /// The classes of characters.
    pub fn alphabet(&self) -> &Alphabet {
        &self.alphabet
    }

    /// The number of states.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Never: there is a start.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Whether there is exactly one run on each word, and it is accepted.
    pub fn is_subsequential(&self) -> bool {
        let one = |edges: &Vec<Vec<Edge>>| edges.iter().all(|e| e.len() == 1);
        self.ends.iter().all(Option::is_some) && self.edges.iter().all(one)
    }

    /// The same function, with the classes of a finer partition.
    pub(crate) fn refined(&self, alphabet: &Alphabet) -> Transducer {
        let mut out =
            Transducer { alphabet: alphabet.clone(), edges: Vec::new(), ends: Vec::new(), ..self.clone() };
        for (edges, end) in self.edges.iter().zip(&self.ends) {
            let from = out.add(end.clone());
            for class in 0..alphabet.len() {
                let old = self.alphabet.class(alphabet.interval(class).0);
                for e in &edges[old] {
                    out.edge(from, class, e.out.to_vec(), e.to);
                }
            }
        }
        out
    }

    /// The values of a word: one if the transducer is a total function.
    pub fn values(&self, word: &[u32]) -> Vec<Vec<u32>> {
        let mut now: Vec<(u32, Vec<u32>)> = vec![(self.start, self.lead.to_vec())];
        for &c in word {
            let class = self.alphabet.class(c);
            let mut next = Vec::new();
            for (s, written) in &now {
                for e in &self.edges[*s as usize][class] {
                    next.push((e.to, [&written[..], &letters_of(&e.out, c)].concat()));
                }
            }
            next.sort_unstable();
            next.dedup();
            now = next;
        }
        let end = |(s, w): (u32, Vec<u32>)| self.ends[s as usize].as_ref().map(|e| [&w[..], e].concat());
        now.into_iter().filter_map(end).collect()
    }

    /// Whether an edge writes only the character that it reads.
    fn keeps(&self, e: &Edge, class: usize) -> bool {
        let letter = self.alphabet.single(class).map_or(Sym::Copy, Sym::Letter);
        *e.out == [letter]
    }

    /// Words that use every edge, the shortest first, at most this many; of the edges between two states that only copy, one.
    pub fn cover(&self, most: usize) -> Vec<Vec<u32>> {
        let mut out = vec![Vec::new()];
        let mut seen: FxHashSet<u32> = FxHashSet::default();
        let mut queue = vec![(self.start, Vec::new())];
        seen.insert(self.start);
        let mut at = 0;
        while at < queue.len() && out.len() < most {
            let (s, word): (u32, Vec<u32>) = queue[at].clone();
            at += 1;
            let mut plain: FxHashSet<u32> = FxHashSet::default();
            for class in 0..self.alphabet.len() {
                let longer = [&word[..], &[self.alphabet.representative(class)]].concat();
                if let [e] = &self.edges[s as usize][class][..]
                    && self.keeps(e, class)
                    && !plain.insert(e.to)
                {
                    continue;
                }
                for e in &self.edges[s as usize][class] {
                    if seen.insert(e.to) {
                        queue.push((e.to, longer.clone()));
                    }
                }
                if !self.edges[s as usize][class].is_empty() && out.len() < most {
                    out.push(longer);
                }
            }
        }
        out.dedup();
        out
    }
}

/// What is written when `c` is read.
pub(crate) fn letters_of(out: &[Sym], c: u32) -> Vec<u32> {
    let letter = |s: &Sym| match *s {
        Sym::Letter(a) => a,
        Sym::Copy => c,
    };
    out.iter().map(letter).collect()
}
