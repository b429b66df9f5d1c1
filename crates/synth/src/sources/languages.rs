//! Regular expressions with chosen operators, and words that most of them have.

use super::grow::Grower;
use smt::{Head, Int, Op, Term};

/// What regular expressions are built from.
pub(super) struct Kit {
    /// The operators, each as often as it is listed.
    pub(super) ops: &'static [Op],
    /// Draws a leaf.
    pub(super) leaf: fn(&mut Grower<'_>) -> Term,
    /// The largest counter, in most cases.
    pub(super) counter: u64,
}

/// The longest words that are drawn.
const LONGEST: usize = 300;

/// A closed leaf.
pub(super) fn letters(g: &mut Grower<'_>) -> Term {
    g.letters()
}

impl Grower<'_> {
    /// A regular expression of at most this depth.
    pub(super) fn language(&mut self, kit: &Kit, depth: usize) -> Term {
        if depth == 0 || self.dice.one_in(7) {
            return (kit.leaf)(self);
        }
        let op = *self.dice.pick(kit.ops);
        let count = op.row().params.len();
        let args: Vec<Term> = (0..count).map(|_| self.language(kit, depth - 1)).collect();
        match op {
            Op::RePower => {
                let n = self.dice.below(kit.counter + 1);
                self.indexed(op, &[n], &args)
            }
            Op::ReLoop => {
                let low = self.dice.below(kit.counter + 1);
                let high = self.bound(low, kit.counter);
                self.indexed(op, &[low, high], &args)
            }
            Op::ReAll | Op::ReNone | Op::ReAllchar => self.op(op, &[]),
            _ => self.op(op, &args),
        }
    }

    /// An upper bound: close to the lower one, far from it, or below it.
    fn bound(&mut self, low: u64, most: u64) -> u64 {
        match self.dice.index(6) {
            0 => self.dice.below(most + 1),
            1 => low,
            2 => low.saturating_sub(1),
            _ => low + self.dice.below(4),
        }
    }

    /// A closed leaf: a short literal, a range, or any character.
    pub fn letters(&mut self) -> Term {
        match self.dice.index(8) {
            0 => self.op(Op::ReAllchar, &[]),
            1 | 2 => {
                let (low, high) = *self.dice.pick(&[(97, 98), (97, 99), (48, 57), (98, 122), (97, 97)]);
                let ends = [self.pool.string(&[low]), self.pool.string(&[high])];
                self.op(Op::ReRange, &ends)
            }
            3 => {
                let word = self.word(2);
                let word = self.pool.string(&word);
                self.op(Op::StrToRe, &[word])
            }
            _ => {
                let text = *self.dice.pick(&["a", "b", "ab", "ba", "aa", "c", "", "aba"]);
                let word = self.lit(text);
                self.op(Op::StrToRe, &[word])
            }
        }
    }

    /// A word that the language has, in most cases.
    pub fn member(&mut self, r: Term) -> Vec<u32> {
        let args = self.pool.args(r).to_vec();
        match self.pool.head(r) {
            Head::Op(Op::StrToRe) => self.word_of(args[0]).unwrap_or_default(),
            Head::Op(Op::ReRange) => self.within(&args),
            Head::Op(Op::ReAllchar) => vec![97],
            Head::Op(Op::ReAll | Op::ReComp) => self.word(3),
            Head::Op(Op::ReConcat) => args.iter().flat_map(|&a| self.member(a)).collect(),
            Head::Op(Op::ReUnion | Op::ReInter) => {
                let one = *self.dice.pick(&args);
                self.member(one)
            }
            Head::Op(Op::ReDiff) => self.member(args[0]),
            Head::Op(Op::ReStar | Op::ReOpt) => {
                let most = if self.pool.head(r) == Head::Op(Op::ReOpt) { 1 } else { 3 };
                let times = self.dice.below(most + 1);
                self.repeated(args[0], times)
            }
            Head::Op(Op::RePlus) => {
                let times = 1 + self.dice.below(3);
                self.repeated(args[0], times)
            }
            Head::Op(Op::Ite) => {
                let one = args[1 + self.dice.index(2)];
                self.member(one)
            }
            Head::Indexed(_, id) => {
                let bounds: Vec<u64> = self.pool.index_values(id).iter().map(counter).collect();
                let (low, high) = (bounds[0], bounds[bounds.len() - 1]);
                let times = low + self.dice.below(high.saturating_sub(low).min(3) + 1);
                self.repeated(args[0], times)
            }
            _ => Vec::new(),
        }
    }

    fn repeated(&mut self, r: Term, times: u64) -> Vec<u32> {
        let mut word = Vec::new();
        for _ in 0..times {
            word.extend(self.member(r));
            if word.is_empty() || word.len() > LONGEST {
                break;
            }
        }
        word
    }

    fn within(&mut self, ends: &[Term]) -> Vec<u32> {
        let ends: Vec<Vec<u32>> = ends.iter().filter_map(|&t| self.word_of(t)).collect();
        match &ends[..] {
            [low, high] if low.len() == 1 && high.len() == 1 && low[0] <= high[0] => {
                vec![*self.dice.pick(&[low[0], high[0], low[0] + (high[0] - low[0]) / 2])]
            }
            _ => Vec::new(),
        }
    }

    /// A member with a change now and then.
    pub fn candidate(&mut self, r: Term) -> Vec<u32> {
        let mut word = self.member(r);
        if self.dice.one_in(4) {
            let at = self.dice.index(word.len() + 1);
            word.insert(at, 97 + self.dice.below(3) as u32);
        } else if !word.is_empty() && self.dice.one_in(6) {
            let at = self.dice.index(word.len());
            word.remove(at);
        }
        word
    }
}

fn counter(n: &Int) -> u64 {
    n.to_i64().map_or(0, |n| n.max(0) as u64)
}
