//! The terms that are enumerated: operators over variables and constants, by size.
//!
//! Left out are terms that differ from another one only in the order of a commutative operator or in the brackets of an
//! associative one, and terms without variables, whose rules would be evaluations. `div`, `mod` and `*` are not part of it.

use smt::{Head, Int, Op, Pool, Sort, Term};
use std::collections::BTreeMap;

const S: Sort = Sort::STRING;
const I: Sort = Sort::INT;
const B: Sort = Sort::BOOL;
const R: Sort = Sort::REGLAN;

/// An operator of the grammar.
#[derive(Clone, Copy, Debug)]
pub struct Operator {
    op: Op,
    indices: &'static [i64],
    args: &'static [Sort],
}

const fn plain(op: Op, args: &'static [Sort]) -> Operator {
    Operator { op, indices: &[], args }
}

/// All of them.
pub const OPERATORS: &[Operator] = &[
    plain(Op::StrLen, &[S]),
    plain(Op::StrToInt, &[S]),
    plain(Op::StrToCode, &[S]),
    plain(Op::StrIsDigit, &[S]),
    plain(Op::StrFromInt, &[I]),
    plain(Op::StrFromCode, &[I]),
    plain(Op::StrToRe, &[S]),
    plain(Op::Not, &[B]),
    plain(Op::ReStar, &[R]),
    plain(Op::RePlus, &[R]),
    plain(Op::ReOpt, &[R]),
    plain(Op::ReComp, &[R]),
    Operator { op: Op::RePower, indices: &[2], args: &[R] },
    Operator { op: Op::ReLoop, indices: &[1, 2], args: &[R] },
    plain(Op::StrConcat, &[S, S]),
    plain(Op::StrAt, &[S, I]),
    plain(Op::StrPrefixof, &[S, S]),
    plain(Op::StrSuffixof, &[S, S]),
    plain(Op::StrContains, &[S, S]),
    plain(Op::StrLt, &[S, S]),
    plain(Op::StrLe, &[S, S]),
    plain(Op::Eq, &[S, S]),
    plain(Op::StrInRe, &[S, R]),
    plain(Op::Add, &[I, I]),
    plain(Op::Sub, &[I, I]),
    plain(Op::Le, &[I, I]),
    plain(Op::Eq, &[I, I]),
    plain(Op::And, &[B, B]),
    plain(Op::Or, &[B, B]),
    plain(Op::Eq, &[B, B]),
    plain(Op::ReConcat, &[R, R]),
    plain(Op::ReUnion, &[R, R]),
    plain(Op::ReInter, &[R, R]),
    plain(Op::ReDiff, &[R, R]),
    plain(Op::StrSubstr, &[S, I, I]),
    plain(Op::StrIndexof, &[S, S, I]),
    plain(Op::StrReplace, &[S, S, S]),
    plain(Op::StrReplaceAll, &[S, S, S]),
    plain(Op::StrReplaceRe, &[S, R, S]),
    plain(Op::StrReplaceReAll, &[S, R, S]),
    plain(Op::Ite, &[B, S, S]),
    plain(Op::Ite, &[B, I, I]),
];

/// An operator with its arguments.
pub type Application = (Operator, Vec<Term>);

/// Variables, constants and operators.
#[derive(Clone, Debug)]
pub struct Grammar {
    /// The variables: two strings, two integers.
    pub variables: Vec<Term>,
    /// The terms of size 1.
    pub leaves: Vec<Term>,
}

impl Grammar {
    /// The grammar.
    pub fn new(pool: &mut Pool) -> Grammar {
        let variables: Vec<Term> =
            [("x", S), ("y", S), ("i", I), ("j", I)].map(|(name, sort)| variable(pool, name, sort)).into();
        let mut leaves = variables.clone();
        leaves.extend(["", "a", "0"].map(|w| pool.string(&w.chars().map(u32::from).collect::<Vec<_>>())));
        leaves.extend([0, 1, -1].map(|n: i64| pool.int(n)));
        leaves.extend([true, false].map(|b| pool.bool(b)));
        let constants = [Op::ReNone, Op::ReAll, Op::ReAllchar];
        leaves.extend(constants.map(|op| pool.op(op, &[]).expect("a constant")));
        let ends = ["0", "9"].map(|w| pool.string(&[u32::from(w.as_bytes()[0])]));
        leaves.push(pool.op(Op::ReRange, &ends).expect("well sorted"));
        Grammar { variables, leaves }
    }

    /// All applications of a size.
    pub fn applications(&self, layers: &Layers, size: usize) -> Vec<Application> {
        let mut found = Vec::new();
        for &operator in OPERATORS {
            for sizes in splits(size - 1, operator.args.len()) {
                let lists: Vec<&[Term]> =
                    operator.args.iter().zip(&sizes).map(|(&sort, &n)| layers.of(sort, n)).collect();
                product(&lists, &mut |args| found.push((operator, args.to_vec())));
            }
        }
        found
    }

    /// The term of an application, unless it is left out.
    pub fn build(&self, pool: &mut Pool, (operator, args): Application) -> Option<Term> {
        let truth = |&t: &Term| matches!(pool.head(t), Head::Op(Op::True | Op::False));
        let ground = !args.iter().any(|&t| pool.has_var(t));
        if args.iter().any(truth)
            || ground && !args.iter().all(|&t| pool.sort_of(t) == R || operator.op == Op::StrToRe)
        {
            return None;
        }
        if associative(operator.op) && pool.head(args[0]) == Head::Op(operator.op) {
            return None;
        }
        if commutative(operator.op) && args[0].0 > args[1].0 {
            return None;
        }
        if operator.indices.is_empty() {
            return pool.op(operator.op, &args).ok();
        }
        let indices: Vec<Int> = operator.indices.iter().map(|&n| Int::from(n)).collect();
        pool.indexed(operator.op, &indices, &args).ok()
    }
}

/// A variable.
pub fn variable(pool: &mut Pool, name: &str, sort: Sort) -> Term {
    let name = pool.names.intern(name);
    pool.var(name, sort)
}

/// Whether the order of two arguments does not matter.
pub fn commutative(op: Op) -> bool {
    matches!(op, Op::Eq | Op::Add | Op::And | Op::Or | Op::ReUnion | Op::ReInter)
}

fn associative(op: Op) -> bool {
    matches!(op, Op::StrConcat | Op::Add | Op::And | Op::Or | Op::ReConcat | Op::ReUnion | Op::ReInter)
}

/// The first terms of all classes, by sort and size, in the order in which they were found.
#[derive(Clone, Debug, Default)]
pub struct Layers {
    terms: BTreeMap<(u32, usize), Vec<Term>>,
}

impl Layers {
    /// Adds a term.
    pub fn add(&mut self, pool: &Pool, size: usize, t: Term) {
        self.terms.entry((code(pool.sort_of(t)), size)).or_default().push(t);
    }

    /// The terms of a sort and size.
    pub fn of(&self, sort: Sort, size: usize) -> &[Term] {
        self.terms.get(&(code(sort), size)).map_or(&[], Vec::as_slice)
    }
}

fn code(sort: Sort) -> u32 {
    [S, I, B, R].iter().position(|&s| s == sort).map_or(4, |i| i as u32)
}

/// All ways to divide `total` into `parts` sizes of at least one.
fn splits(total: usize, parts: usize) -> Vec<Vec<usize>> {
    let mut found = vec![Vec::new()];
    for part in 0..parts {
        let mut longer = Vec::new();
        for sizes in found {
            let left = total.saturating_sub(sizes.iter().sum());
            let others = parts - part - 1;
            let choices = if others == 0 { left..left + 1 } else { 1..left.saturating_sub(others) + 1 };
            longer.extend(choices.filter(|&n| n > 0).map(|n| [&sizes[..], &[n]].concat()));
        }
        found = longer;
    }
    found
}

/// Calls `each` with every choice of one element of each list.
fn product(lists: &[&[Term]], each: &mut impl FnMut(&[Term])) {
    if lists.iter().any(|l| l.is_empty()) {
        return;
    }
    let mut at = vec![0; lists.len()];
    loop {
        let args: Vec<Term> = lists.iter().zip(&at).map(|(l, &i)| l[i]).collect();
        each(&args);
        let Some(k) = (0..at.len()).rev().find(|&k| at[k] + 1 < lists[k].len()) else { return };
        at[k] += 1;
        at[k + 1..].fill(0);
    }
}
