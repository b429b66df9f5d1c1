//! The terms that are enumerated: operators over variables and constants, by size.
//!
//! Left out are terms that differ from another one only in the order of a commutative operator or in the brackets of an
//! associative one, and terms without variables, whose rules would be evaluations. `div`, `mod` and `*` are not part of it.
//!
//! All operators together are enumerated to the wanted size; the operators of a [`Theme`] alone to larger ones.

use smt::op::S as Kind;
use smt::{Head, Int, Op, Pool, Sort, Term};
use std::collections::BTreeMap;

const S: Sort = Sort::STRING;
const I: Sort = Sort::INT;
const B: Sort = Sort::BOOL;
const R: Sort = Sort::REGLAN;

/// An operator of the grammar.
#[derive(Clone, Copy, Debug)]
pub struct Operator {
    /// The operator.
    pub op: Op,
    /// Its indices.
    pub indices: &'static [i64],
    /// The sorts of its arguments.
    pub args: &'static [Sort],
}

impl Operator {
    /// The sort of its applications.
    pub fn result(&self) -> Sort {
        match self.op.row().ret {
            Kind::Bool => B,
            Kind::Int | Kind::Num | Kind::Real => I,
            Kind::Str => S,
            Kind::Re => R,
            Kind::Any => self.args[self.args.len() - 1],
        }
    }
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
    plain(Op::ReRange, &[S, S]),
    plain(Op::StrSubstr, &[S, I, I]),
    plain(Op::StrIndexof, &[S, S, I]),
    plain(Op::StrReplace, &[S, S, S]),
    plain(Op::StrReplaceAll, &[S, S, S]),
    plain(Op::StrReplaceRe, &[S, R, S]),
    plain(Op::StrReplaceReAll, &[S, R, S]),
    plain(Op::Ite, &[B, S, S]),
    plain(Op::Ite, &[B, I, I]),
];

/// Operators that are mined together.
#[derive(Clone, Copy, Debug)]
pub struct Theme {
    /// Its name.
    pub name: &'static str,
    /// By how much its terms may be larger than the wanted size.
    pub further: usize,
    /// The operators; all if there are none.
    ops: &'static [Op],
}

/// All themes.
pub const THEMES: &[Theme] = &[
    Theme { name: "everything", further: 0, ops: &[] },
    Theme {
        name: "parts",
        further: 1,
        ops: &[
            Op::StrConcat,
            Op::StrLen,
            Op::StrAt,
            Op::StrSubstr,
            Op::StrIndexof,
            Op::StrPrefixof,
            Op::StrContains,
            Op::Add,
        ],
    },
    Theme {
        name: "replacing",
        further: 1,
        ops: &[
            Op::StrConcat,
            Op::StrLen,
            Op::StrContains,
            Op::StrReplace,
            Op::StrReplaceAll,
            Op::StrIndexof,
            Op::StrSuffixof,
        ],
    },
    Theme {
        name: "numbers",
        further: 1,
        ops: &[
            Op::StrToInt,
            Op::StrFromInt,
            Op::StrToCode,
            Op::StrFromCode,
            Op::StrIsDigit,
            Op::StrConcat,
            Op::StrLen,
            Op::StrAt,
            Op::Le,
            Op::Add,
        ],
    },
    Theme {
        name: "order",
        further: 1,
        ops: &[
            Op::StrLt,
            Op::StrLe,
            Op::StrConcat,
            Op::StrPrefixof,
            Op::StrReplace,
            Op::StrAt,
            Op::Eq,
            Op::Not,
            Op::And,
            Op::Or,
        ],
    },
    Theme {
        name: "languages",
        further: 1,
        ops: &[
            Op::StrToRe,
            Op::ReStar,
            Op::RePlus,
            Op::ReOpt,
            Op::ReComp,
            Op::RePower,
            Op::ReLoop,
            Op::ReConcat,
            Op::ReUnion,
            Op::ReInter,
            Op::ReDiff,
        ],
    },
    Theme {
        name: "memberships",
        further: 1,
        ops: &[
            Op::StrInRe,
            Op::StrToRe,
            Op::ReStar,
            Op::ReComp,
            Op::ReConcat,
            Op::ReRange,
            Op::StrConcat,
            Op::StrAt,
            Op::StrLt,
        ],
    },
    Theme {
        name: "replacing-matches",
        further: 1,
        ops: &[
            Op::StrReplaceRe,
            Op::StrReplaceReAll,
            Op::StrReplaceAll,
            Op::StrInRe,
            Op::StrToRe,
            Op::ReStar,
            Op::RePlus,
            Op::ReConcat,
            Op::ReComp,
            Op::StrConcat,
            Op::StrLen,
        ],
    },
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
    operators: Vec<Operator>,
}

impl Grammar {
    /// The grammar of a theme.
    pub fn new(pool: &mut Pool, theme: &Theme) -> Grammar {
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
        let used = |o: &Operator| theme.ops.is_empty() || theme.ops.contains(&o.op);
        let operators = OPERATORS.iter().copied().filter(used).collect();
        Grammar { variables, leaves, operators }
    }

    /// All applications of a size.
    pub fn applications(&self, layers: &Layers, size: usize) -> Vec<Application> {
        let mut found = Vec::new();
        for &operator in &self.operators {
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
