//! Prepares an expression for reading words, once for each expression.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::charset::{Alphabet, AlphabetBuilder};
use super::node::{Node, Re};
use super::store::{Prepared, RegexStore};

/// How an expression is rebuilt.
#[derive(Clone, Copy, PartialEq)]
enum Rebuild {
    /// The same language.
    Forwards,
    /// The language of its words read backwards.
    Backwards,
}

/// A step of rebuilding an expression.
enum Step {
    Enter(Re),
    /// All pieces have been rebuilt.
    Leave(Re, Vec<Re>),
}

impl RegexStore {
    /// Prepares an expression, or remembers that it was.
    pub(super) fn prepare(&mut self, root: Re) -> Prepared {
        if let Some(known) = self.prepared.get(&root) {
            return known.clone();
        }
        let start = self.rebuild(root, Rebuild::Forwards);
        let alphabet = Arc::new(self.alphabet(start));
        let prepared = Prepared { start, alphabet };
        self.prepared.insert(root, prepared.clone());
        prepared
    }

    /// The expression Σ*rev(L), prepared: by it, reading a word backwards, those positions are
    /// found where words of L start.
    pub(super) fn prepare_search(&mut self, root: Re) -> Prepared {
        if let Some(known) = self.searches.get(&root) {
            return known.clone();
        }
        let reverse = self.reverse(root);
        let start = self.append(Re::ALL, reverse);
        let alphabet = Arc::new(self.alphabet(start));
        let prepared = Prepared { start, alphabet };
        self.searches.insert(root, prepared.clone());
        prepared
    }

    /// The language of the reversed words.
    pub(super) fn reverse(&mut self, root: Re) -> Re {
        self.rebuild(root, Rebuild::Backwards)
    }

    /// Rebuilds an expression bottom-up, with unions, intersections and products flat.
    ///
    /// Callers may build them one argument at a time, a million levels deep; here the members of
    /// such a tower are collected at once, which would take quadratic time if it were done on each
    /// level. If parts are shared, a tower of products may have exponentially many members (if r is
    /// ss, s is tt, …); so each product is flattened at most once, and is a member of the others
    /// after that. A union has no more members than there are expressions below it. This takes
    /// linear time in total (in the number of different expressions), unless the unions in a tower
    /// are also used elsewhere.
    fn rebuild(&mut self, root: Re, how: Rebuild) -> Re {
        let mut rebuilt: FxHashMap<Re, Re> = FxHashMap::default();
        let mut flattened: FxHashSet<Re> = FxHashSet::default();
        let mut steps = vec![Step::Enter(root)];
        while let Some(step) = steps.pop() {
            match step {
                Step::Enter(r) if rebuilt.contains_key(&r) => {}
                Step::Enter(r) => {
                    let pieces = self.pieces(r, &mut flattened);
                    let enter: Vec<Step> = pieces
                        .iter()
                        .filter(|piece| !rebuilt.contains_key(piece))
                        .map(|&piece| Step::Enter(piece))
                        .collect();
                    steps.push(Step::Leave(r, pieces));
                    steps.extend(enter);
                }
                Step::Leave(r, pieces) => {
                    let pieces = pieces.iter().map(|piece| rebuilt[piece]).collect();
                    rebuilt.insert(r, self.assemble(r, pieces, how));
                }
            }
        }
        rebuilt[&root]
    }

    /// The pieces from which an expression is rebuilt.
    fn pieces(&self, root: Re, flattened: &mut FxHashSet<Re>) -> Vec<Re> {
        let mut pieces = Vec::new();
        let mut pending = vec![root];
        match self.node(root) {
            Node::Concat(_) => {
                while let Some(r) = pending.pop() {
                    match *self.node(r) {
                        Node::Concat([head, tail]) if flattened.insert(r) || r == root => {
                            pending.extend([tail, head]);
                        }
                        _ => pieces.push(r),
                    }
                }
            }
            Node::Union(_) | Node::Inter(_) => {
                let is_union = |node: &Node| matches!(node, Node::Union(_));
                let is_inter = |node: &Node| matches!(node, Node::Inter(_));
                let (union, mut seen) = (is_union(self.node(root)), FxHashSet::default());
                while let Some(r) = pending.pop() {
                    let node = self.node(r);
                    if if union { is_union(node) } else { is_inter(node) } {
                        if seen.insert(r) {
                            pending.extend_from_slice(node.children());
                        }
                    } else if seen.insert(r) {
                        pieces.push(r);
                    }
                }
            }
            node => pieces.extend_from_slice(node.children()),
        }
        pieces
    }

    /// Builds an expression like `r` from its rebuilt pieces.
    fn assemble(&mut self, r: Re, mut pieces: Vec<Re>, how: Rebuild) -> Re {
        match *self.node(r) {
            Node::Concat(_) => {
                if how == Rebuild::Forwards {
                    pieces.reverse();
                }
                let mut product = Re::EPSILON;
                for piece in pieces {
                    product = self.append(piece, product);
                }
                product
            }
            Node::Union(_) => {
                self.collect_words(&mut pieces);
                self.unite(pieces, usize::MAX)
            }
            Node::Inter(_) => self.intersect(pieces, usize::MAX),
            Node::Comp(_) => self.complement(pieces[0]),
            Node::Loop(_, span) => self.repeat(pieces[0], span),
            Node::Word { text, start } if how == Rebuild::Backwards => {
                let word = self.suffix(text, start).to_vec();
                self.backwards(word)
            }
            Node::Lexicon(lexicon) if how == Rebuild::Backwards => {
                let words: Vec<Vec<u32>> = self.entries(lexicon).map(<[u32]>::to_vec).collect();
                let mut members: Vec<Re> = words.into_iter().map(|w| self.backwards(w)).collect();
                self.collect_words(&mut members);
                self.unite(members, usize::MAX)
            }
            Node::State { automaton, state } if how == Rebuild::Backwards => {
                let (reversed, ends) = self.automaton_of(automaton).reversed(state);
                let states = self.states_of(reversed, &ends);
                self.unite(states, usize::MAX)
            }
            Node::Free | Node::None | Node::Epsilon => r,
            Node::Class(_) | Node::Word { .. } | Node::Lexicon(_) | Node::State { .. } => r,
        }
    }

    /// A word read backwards.
    fn backwards(&mut self, mut word: Vec<u32>) -> Re {
        word.reverse();
        self.text_of(&word)
    }

    /// The coarsest partition of the alphabet into intervals that no set of an expression divides.
    fn alphabet(&self, root: Re) -> Alphabet {
        let mut builder = AlphabetBuilder::new();
        let mut automata: FxHashSet<u32> = FxHashSet::default();
        let mut seen: FxHashSet<Re> = FxHashSet::default();
        let mut pending = vec![root];
        while let Some(r) = pending.pop() {
            if !seen.insert(r) {
                continue;
            }
            match *self.node(r) {
                Node::Class(ref set) => {
                    for &(first, last) in set.intervals() {
                        builder.add(first, last);
                    }
                }
                Node::Word { text, start } => {
                    for &c in self.suffix(text, start) {
                        builder.add(c, c);
                    }
                }
                Node::Lexicon(lexicon) => {
                    for &c in self.entries(lexicon).flatten() {
                        builder.add(c, c);
                    }
                }
                Node::State { automaton, .. } => {
                    if automata.insert(automaton) {
                        self.automaton_of(automaton).all_edges().for_each(|(a, b)| builder.add(a, b));
                    }
                }
                ref node => pending.extend_from_slice(node.children()),
            }
        }
        builder.build()
    }
}
