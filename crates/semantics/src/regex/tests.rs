//! Shared by the tests: expressions as trees, and their meaning as defined by the
//! standard.

mod agreement;
mod languages;
mod laws;
mod parts;
mod rendering;
mod replacing;
mod stress;

use super::{Re, RegexStore};

/// An expression as rendered.
#[derive(Clone, Debug)]
enum Tree {
    None,
    All,
    AllChar,
    Word(Vec<u32>),
    Range(Vec<u32>, Vec<u32>),
    Concat(Vec<Tree>),
    Union(Vec<Tree>),
    Inter(Vec<Tree>),
    Diff(Vec<Tree>),
    Comp(Box<Tree>),
    Star(Box<Tree>),
    Plus(Box<Tree>),
    Opt(Box<Tree>),
    Power(Box<Tree>, u32),
    Loop(Box<Tree>, u32, u32),
}

fn word(text: &str) -> Vec<u32> {
    text.chars().map(u32::from).collect()
}

fn lit(text: &str) -> Tree {
    Tree::Word(word(text))
}

/// All words over the first characters of the alphabet up to some length.
fn words(letters: &str, length: usize) -> Vec<Vec<u32>> {
    let mut all = vec![vec![]];
    let mut from = 0;
    for _ in 0..length {
        let to = all.len();
        for at in from..to {
            for c in word(letters) {
                let mut longer = all[at].clone();
                longer.push(c);
                all.push(longer);
            }
        }
        from = to;
    }
    all
}

impl Tree {
    /// The expression in a store.
    fn build(&self, store: &mut RegexStore) -> Re {
        let all = |store: &mut RegexStore, trees: &[Tree]| -> Vec<Re> {
            trees.iter().map(|tree| tree.build(store)).collect()
        };
        match self {
            Tree::None => store.none(),
            Tree::All => store.all(),
            Tree::AllChar => store.allchar(),
            Tree::Word(w) => store.word(w),
            Tree::Range(a, b) => store.range(a, b),
            Tree::Concat(trees) => {
                let parts = all(store, trees);
                store.concat(&parts)
            }
            Tree::Union(trees) => {
                let parts = all(store, trees);
                store.union(&parts)
            }
            Tree::Inter(trees) => {
                let parts = all(store, trees);
                store.inter(&parts)
            }
            Tree::Diff(trees) => {
                let parts = all(store, trees);
                store.diff(&parts)
            }
            Tree::Comp(tree) => {
                let body = tree.build(store);
                store.comp(body)
            }
            Tree::Star(tree) => {
                let body = tree.build(store);
                store.star(body)
            }
            Tree::Plus(tree) => {
                let body = tree.build(store);
                store.plus(body)
            }
            Tree::Opt(tree) => {
                let body = tree.build(store);
                store.opt(body)
            }
            Tree::Power(tree, n) => {
                let body = tree.build(store);
                store.power(body, u64::from(*n))
            }
            Tree::Loop(tree, lo, hi) => {
                let body = tree.build(store);
                store.loop_(body, u64::from(*lo), u64::from(*hi))
            }
        }
    }

    /// Which factors of a word are in the language, straight from the definitions.
    fn factors(&self, w: &[u32]) -> Factors {
        let n = w.len();
        let all = |trees: &[Tree]| trees.iter().map(|tree| tree.factors(w)).collect::<Vec<_>>();
        match self {
            Tree::None => Factors::new(n, |_, _| false),
            Tree::All => Factors::new(n, |_, _| true),
            Tree::AllChar => Factors::new(n, |i, j| j - i == 1),
            Tree::Word(v) => Factors::new(n, |i, j| w[i..j] == **v),
            Tree::Range(a, b) => Factors::new(n, |i, j| {
                a.len() == 1 && b.len() == 1 && j - i == 1 && **a <= w[i..j] && w[i..j] <= **b
            }),
            Tree::Concat(trees) => {
                let unit = Factors::new(n, |i, j| i == j);
                all(trees).iter().fold(unit, |a, b| a.then(b))
            }
            Tree::Union(trees) => {
                let all = all(trees);
                Factors::new(n, |i, j| all.iter().any(|l| l.has(i, j)))
            }
            Tree::Inter(trees) => {
                let all = all(trees);
                Factors::new(n, |i, j| all.iter().all(|l| l.has(i, j)))
            }
            Tree::Diff(trees) => {
                let all = all(trees);
                let others = &all[1..];
                Factors::new(n, |i, j| all[0].has(i, j) && !others.iter().any(|l| l.has(i, j)))
            }
            Tree::Comp(tree) => {
                let body = tree.factors(w);
                Factors::new(n, |i, j| !body.has(i, j))
            }
            Tree::Star(tree) => {
                // No more than n factors are not empty.
                tree.factors(w).powers(0, n as u32)
            }
            Tree::Plus(tree) => {
                let body = tree.factors(w);
                body.then(&body.powers(0, n as u32))
            }
            Tree::Opt(tree) => tree.factors(w).powers(0, 1),
            Tree::Power(tree, k) => tree.factors(w).powers(*k, *k),
            Tree::Loop(tree, lo, hi) => tree.factors(w).powers(*lo, *hi),
        }
    }

    /// Whether a word is in the language, straight from the definitions.
    fn accepts(&self, w: &[u32]) -> bool {
        self.factors(w).has(0, w.len())
    }
}

/// A set of factors of a word, by their ends.
struct Factors(Vec<Vec<bool>>);

impl Factors {
    fn new(n: usize, has: impl Fn(usize, usize) -> bool) -> Factors {
        let row = |i: usize| (0..=n).map(|j| i <= j && has(i, j)).collect();
        Factors((0..=n).map(row).collect())
    }

    fn has(&self, i: usize, j: usize) -> bool {
        self.0[i][j]
    }

    fn then(&self, other: &Factors) -> Factors {
        let n = self.0.len() - 1;
        Factors::new(n, |i, j| (i..=j).any(|k| self.has(i, k) && other.has(k, j)))
    }

    /// The union of the powers from `lo` to `hi`.
    fn powers(&self, lo: u32, hi: u32) -> Factors {
        let n = self.0.len() - 1;
        let mut power = Factors::new(n, |i, j| i == j);
        let mut union = Factors::new(n, |_, _| false);
        for k in 0..=hi {
            if k >= lo {
                union = Factors::new(n, |i, j| union.has(i, j) || power.has(i, j));
            }
            power = self.then(&power);
        }
        union
    }
}

/// A generator of pseudorandom numbers (xorshift64*).
struct Random(u64);

impl Random {
    fn below(&mut self, n: u32) -> u32 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let mixed = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 32;
        ((mixed * u64::from(n)) >> 32) as u32
    }

    fn word(&mut self, letters: &str, length: u32) -> Vec<u32> {
        let letters = word(letters);
        let count = letters.len() as u32;
        (0..length).map(|_| letters[self.below(count) as usize]).collect()
    }

    /// A short word over a few letters.
    fn short_word(&mut self) -> Vec<u32> {
        let length = self.below(4);
        self.word("ab", length)
    }

    /// An expression of at most the given depth.
    fn tree(&mut self, depth: u32) -> Tree {
        self.tree_with_loops(depth, 4)
    }

    /// An expression of at most the given depth, with loops of less than `most` to twice that.
    fn tree_with_loops(&mut self, depth: u32, most: u32) -> Tree {
        let kind = if depth == 0 { self.below(7) } else { self.below(24) };
        let some = |this: &mut Random| {
            let count = 2 + u32::from(this.below(4) == 0);
            (0..count).map(|_| this.tree_with_loops(depth - 1, most)).collect()
        };
        match kind {
            0 => match self.below(3) {
                0 => Tree::None,
                1 => Tree::All,
                _ => Tree::AllChar,
            },
            1 if self.below(4) == 0 => {
                let count = 6 + self.below(8);
                let some = (0..count).map(|_| {
                    let length = self.below(6);
                    Tree::Word(self.word("ab", length))
                });
                Tree::Union(some.collect())
            }
            1..=4 => Tree::Word(self.short_word()),
            5 => lit(["a", "b"][self.below(2) as usize]),
            6 => match self.below(4) {
                0 => Tree::Range(self.short_word(), self.short_word()),
                1 => Tree::Range(word("b"), word("a")),
                2 => Tree::Range(word("a"), word("b")),
                _ => Tree::Range(word("b"), word("z")),
            },
            7..=10 => Tree::Concat(some(self)),
            11..=13 => Tree::Union(some(self)),
            14 => Tree::Inter(some(self)),
            15 => Tree::Diff(some(self)),
            kind => {
                let body = Box::new(self.tree_with_loops(depth - 1, most));
                match kind {
                    16 | 17 => Tree::Comp(body),
                    18 => Tree::Star(body),
                    19 => Tree::Plus(body),
                    20 => Tree::Opt(body),
                    21 => Tree::Power(body, self.below(most)),
                    _ => {
                        let lo = self.below(most);
                        let hi = lo + self.below(most);
                        match self.below(8) {
                            0 => Tree::Loop(body, hi + 1, lo),
                            _ => Tree::Loop(body, lo, hi),
                        }
                    }
                }
            }
        }
    }
}
