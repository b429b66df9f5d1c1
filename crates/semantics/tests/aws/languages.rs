//! A pool of small languages, each as a term of ours and as an expression of `aws-smt-strings`.

use crate::universe::{V, words};
use aws_smt_strings::regular_expressions::RegLan;
use aws_smt_strings::smt_regular_expressions as re;
use aws_smt_strings::smt_strings::SmtString;
use smt::{Head, Int, Op, Pool, Term};

/// The pool.
pub(crate) struct Languages {
    all: Vec<(Term, RegLan)>,
    /// The number of languages without a language argument.
    simple: usize,
    /// The number of languages used for two arguments.
    base: usize,
    /// For each the words of up to eight characters of {a, b} and four of {a, b, c} in it: enough to distinguish
    /// these small languages.
    members: Vec<Vec<bool>>,
    used: Vec<Op>,
}

type Make = (Op, &'static [u32], fn(RegLan, &[u32]) -> RegLan);

const UNARY: &[Make] = &[
    (Op::ReStar, &[], |r, _| re::re_star(r)),
    (Op::RePlus, &[], |r, _| re::re_plus(r)),
    (Op::ReOpt, &[], |r, _| re::re_opt(r)),
    (Op::ReComp, &[], |r, _| re::re_comp(r)),
    (Op::RePower, &[0], |r, n| re::re_power(r, n[0])),
    (Op::RePower, &[2], |r, n| re::re_power(r, n[0])),
    (Op::ReLoop, &[1, 2], |r, n| re::re_loop(r, n[0], n[1])),
    (Op::ReLoop, &[0, 3], |r, n| re::re_loop(r, n[0], n[1])),
    (Op::ReLoop, &[2, 1], |r, n| re::re_loop(r, n[0], n[1])),
];

type MakeOfTwo = (Op, fn(RegLan, RegLan) -> RegLan);

const BINARY: &[MakeOfTwo] = &[
    (Op::ReConcat, re::re_concat),
    (Op::ReUnion, re::re_union),
    (Op::ReInter, re::re_inter),
    (Op::ReDiff, re::re_diff),
];

impl Languages {
    pub(crate) fn new(pool: &mut Pool) -> Languages {
        let mut languages =
            Languages { all: Vec::new(), simple: 0, base: 0, members: Vec::new(), used: Vec::new() };
        languages.add_simple(pool);
        languages.simple = languages.all.len();
        // Unary operators over the first few, then binary ones, then unary ones over all.
        languages.add_unary(pool, 3..7);
        languages.base = languages.all.len();
        languages.add_binary(pool);
        languages.add_unary(pool, languages.base..languages.base + 12);
        let words: Vec<SmtString> =
            words("ab", 8).iter().chain(&words("abc", 4)).map(|w| w.as_slice().into()).collect();
        languages.members =
            languages.all.iter().map(|(_, r)| words.iter().map(|w| re::str_in_re(w, r)).collect()).collect();
        languages.used = languages.all.iter().filter_map(|&(t, _)| operator(pool, t)).collect();
        languages
    }

    fn add_simple(&mut self, pool: &mut Pool) {
        for (op, r) in
            [(Op::ReNone, re::re_none()), (Op::ReAll, re::re_all()), (Op::ReAllchar, re::re_allchar())]
        {
            self.all.push((pool.op(op, &[]).expect("a constant"), r));
        }
        for w in ["a", "ab", "", "b", "ba", "aab"] {
            let word: Vec<u32> = w.chars().map(u32::from).collect();
            let t = pool.string(&word);
            let t = pool.op(Op::StrToRe, &[t]).expect("a word");
            self.all.push((t, re::str_to_re(&w.into())));
        }
        for (lo, hi) in [("a", "b"), ("a", "a"), ("b", "a"), ("", "b"), ("a", "ab"), ("aa", "b"), ("", "")] {
            let [from, to] = [lo, hi].map(|w| w.chars().map(u32::from).collect::<Vec<_>>());
            let args = [pool.string(&from), pool.string(&to)];
            let t = pool.op(Op::ReRange, &args).expect("two words");
            self.all.push((t, re::re_range(&lo.into(), &hi.into())));
        }
    }

    fn add_unary(&mut self, pool: &mut Pool, over: std::ops::Range<usize>) {
        for i in over {
            let (t, r) = self.all[i];
            for &(op, indices, make) in UNARY {
                let numerals: Vec<Int> = indices.iter().map(|&n| Int::from(n)).collect();
                let made =
                    if numerals.is_empty() { pool.op(op, &[t]) } else { pool.indexed(op, &numerals, &[t]) };
                self.all.push((made.expect("a language"), make(r, indices)));
            }
        }
    }

    fn add_binary(&mut self, pool: &mut Pool) {
        for i in (1..self.base).step_by(4) {
            for j in (2..self.base).step_by(5) {
                let ((s, q), (t, r)) = (self.all[i], self.all[j]);
                let (op, make) = BINARY[(i + j) % BINARY.len()];
                self.all.push((pool.op(op, &[s, t]).expect("two languages"), make(q, r)));
            }
        }
    }

    /// The arguments for `op`: only the basic languages if there are several arguments.
    pub(crate) fn some(&self, op: Op, short: bool) -> Vec<V> {
        let two = op.row().params.len() > 1 && !matches!(op.row().params[0], smt::op::S::Str);
        let count = match (two, short) {
            (_, true) => self.simple.min(9),
            (true, false) => self.base,
            (false, false) => self.all.len(),
        };
        (0..count).map(V::Language).collect()
    }

    pub(crate) fn term(&self, v: &V) -> Term {
        self.all[place(v)].0
    }

    pub(crate) fn aws(&self, v: &V) -> RegLan {
        self.all[place(v)].1
    }

    /// Whether two values are the same.
    pub(crate) fn equal(&self, x: &V, y: &V) -> bool {
        match (x, y) {
            (V::Language(i), V::Language(j)) => self.members[*i] == self.members[*j],
            _ => x == y,
        }
    }

    /// Some language of the pool is built with `op`.
    pub(crate) fn uses(&self, op: Op) -> bool {
        self.used.contains(&op)
    }
}

fn place(v: &V) -> usize {
    if let V::Language(i) = v { *i } else { panic!("{v:?} is no RegLan") }
}

fn operator(pool: &Pool, t: Term) -> Option<Op> {
    match pool.head(t) {
        Head::Op(op) | Head::Indexed(op, _) => Some(op),
        _ => None,
    }
}
