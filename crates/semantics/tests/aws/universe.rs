//! All small arguments.

use crate::languages::Languages;
use smt::op::{S, Shape};
use smt::{Int, Op, Pool, Rat, Term};

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum V {
    Bool(bool),
    Int(i128),
    /// In lowest terms, the second positive.
    Ratio(i128, i128),
    Word(Vec<u32>),
    /// By its place in the pool of languages.
    Language(usize),
}

impl V {
    pub(crate) fn bool(&self) -> bool {
        if let V::Bool(b) = self { *b } else { panic!("{self:?} is no Bool") }
    }

    pub(crate) fn int(&self) -> i128 {
        if let V::Int(n) = self { *n } else { panic!("{self:?} is no Int") }
    }

    pub(crate) fn word(&self) -> &[u32] {
        if let V::Word(w) = self { w } else { panic!("{self:?} is no String") }
    }
}

/// An operator with arguments.
#[derive(Clone, Debug)]
pub(crate) struct Application {
    pub(crate) op: Op,
    pub(crate) indices: Vec<i128>,
    pub(crate) args: Vec<V>,
}

impl Application {
    /// The term.
    pub(crate) fn term(&self, pool: &mut Pool, languages: &Languages) -> Term {
        let args: Vec<Term> = self
            .args
            .iter()
            .map(|v| match v {
                V::Bool(b) => pool.bool(*b),
                V::Int(n) => pool.int(int(*n)),
                V::Ratio(n, d) => pool.real(Rat::new(int(*n), int(*d)).expect("not zero")),
                V::Word(w) => pool.string(w),
                V::Language(_) => languages.term(v),
            })
            .collect();
        let indices: Vec<Int> = self.indices.iter().map(|&n| int(n)).collect();
        let made =
            if indices.is_empty() { pool.op(self.op, &args) } else { pool.indexed(self.op, &indices, &args) };
        made.unwrap_or_else(|e| panic!("{self:?}: {e}"))
    }
}

fn int(n: i128) -> Int {
    let digits = Int::from_decimal(n.unsigned_abs().to_string().as_bytes()).expect("digits");
    if n < 0 { -digits } else { digits }
}

/// All words over `alphabet` of up to `length` characters.
pub(crate) fn words(alphabet: &str, length: usize) -> Vec<Vec<u32>> {
    let mut words: Vec<Vec<u32>> = vec![Vec::new()];
    let mut from = 0;
    for _ in 0..length {
        let to = words.len();
        for i in from..to {
            for c in alphabet.chars() {
                let longer = words[i].iter().copied().chain([u32::from(c)]).collect();
                words.push(longer);
            }
        }
        from = to;
    }
    words
}

/// All applications of `op` to be compared.
pub(crate) fn applications(op: Op, languages: &Languages) -> impl Iterator<Item = Application> {
    let mut all = Vec::new();
    for sort in instances(op) {
        for arity in arities(op) {
            let choices: Vec<Vec<V>> = (0..arity)
                .map(|i| {
                    let param = op.row().params[i.min(op.row().params.len() - 1)];
                    let param = if matches!(param, S::Any | S::Num) { sort } else { param };
                    universe(op, param, arity > op.row().params.len(), languages)
                })
                .collect();
            all.push(choices);
        }
    }
    let indices = indices(op);
    all.into_iter().flat_map(move |choices| {
        let indices = indices.clone();
        product(choices).flat_map(move |args| {
            let with = move |indices: Vec<i128>| Application { op, indices, args: args.clone() };
            indices.clone().into_iter().map(with)
        })
    })
}

/// The sorts for `Any` and `Num` in a signature.
fn instances(op: Op) -> Vec<S> {
    let params = op.row().params;
    if params.contains(&S::Any) {
        vec![S::Bool, S::Int, S::Real, S::Str, S::Re]
    } else if params.contains(&S::Num) {
        vec![S::Int, S::Real]
    } else {
        vec![op.row().ret]
    }
}

fn arities(op: Op) -> Vec<usize> {
    match op.row().shape {
        Shape::Fixed => vec![op.row().params.len()],
        _ => vec![2, 3],
    }
}

fn indices(op: Op) -> Vec<Vec<i128>> {
    match op {
        Op::Divisible => (1..=6).map(|n| vec![n]).collect(),
        Op::RePower => (0..=5).map(|n| vec![n]).collect(),
        Op::ReLoop => (0..=4).flat_map(|lo| (0..=5).map(move |hi| vec![lo, hi])).collect(),
        _ => vec![Vec::new()],
    }
}

/// The values of `sort` as arguments of `op`; fewer if it has `many` arguments.
fn universe(op: Op, sort: S, many: bool, languages: &Languages) -> Vec<V> {
    let short = many || op == Op::Ite;
    match sort {
        S::Bool => vec![V::Bool(false), V::Bool(true)],
        S::Int => ints(op, short),
        S::Real => ratios(short),
        S::Str => strings(op, short),
        S::Re => languages.some(op, short),
        S::Any | S::Num => unreachable!("instances have no such sort"),
    }
}

fn strings(op: Op, short: bool) -> Vec<V> {
    let words = match op {
        Op::StrIsDigit | Op::StrToInt | Op::StrToCode => {
            let mut words = words("019/:a", 3);
            words.extend([0, 0x7f, 0xd800, 0xffff, 0x10000, 0x2ffff, 0x660, 0xff11].map(|c| vec![c]));
            words
        }
        Op::StrToLower | Op::StrToUpper => {
            let mut words = words("azAZ@[`{", 3);
            words.extend([0xe0, 0xc0, 0x130, 0x131, 0x212a, 0x2ffff].map(|c| vec![c]));
            words
        }
        _ => words("ab", if short { 2 } else { 4 }),
    };
    words.into_iter().map(V::Word).collect()
}

fn ints(op: Op, short: bool) -> Vec<V> {
    let mut all: Vec<i128> = (-2..=6).collect();
    match op {
        Op::StrFromCode => all.extend([0x7f, 0xd800, 0xdfff, 0xffff, 0x10000, 0x2ffff, 0x30000, 0x10ffff]),
        Op::StrFromInt => all.extend([9, 10, 11, 99, 100, 12345, -10, 2_147_483_647]),
        _ if crate::judge_of(op) == crate::Judge::Arithmetic && !short => {
            let ends = [i128::from(i64::MAX), i128::from(i64::MIN), 1 << 62, 1_000_000_007];
            all.extend(ends.iter().flat_map(|&n| [n - 1, n, n + 1, -n]));
        }
        _ => {}
    }
    all.into_iter().map(V::Int).collect()
}

fn ratios(short: bool) -> Vec<V> {
    let most = if short { 2 } else { 7 };
    let mut all: Vec<V> = Vec::new();
    for n in -most..=most {
        for d in [1, 2, 3] {
            let v = crate::arithmetic::ratio(n, d);
            if !all.contains(&v) {
                all.push(v);
            }
        }
    }
    all
}

/// The Cartesian product.
fn product(choices: Vec<Vec<V>>) -> impl Iterator<Item = Vec<V>> {
    let total: usize = choices.iter().map(Vec::len).product();
    (0..total).map(move |mut n| {
        choices
            .iter()
            .map(|choice| {
                let v = choice[n % choice.len()].clone();
                n /= choice.len();
                v
            })
            .collect()
    })
}
