//! Random ground applications of an operator.
//!
//! Arguments nest up to a depth, over all operators of the required sort. Operators that some solver does not support (extensions,
//! comparisons of languages) occur only inside one of [`WIDE_EVERY`] applications, so that most can be sent to every solver.

use super::constants::{self, Flavor};
use super::key::Key;
use smt::op::{Origin, S, Shape};
use smt::print::term_text;
use smt::{Dialect, Head, Int, Op, Pool, Sort, Term};
use std::sync::LazyLock;
use synth::Dice;

/// One in this many applications uses all operators inside.
const WIDE_EVERY: u64 = 8;

/// The longest sample of a regular expression.
const MAX_SAMPLE: usize = 40;

/// The subject of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Subject {
    /// The value of an operator.
    Op(Op),
    /// The meaning of a string literal, as written.
    Literal,
}

impl Subject {
    /// All subjects.
    pub(super) fn all() -> impl Iterator<Item = Subject> {
        Op::all().map(Subject::Op).chain([Subject::Literal])
    }

    /// Its name on the command line and in reports: the name of an operator, with the arity if two operators share it.
    pub(super) fn label(self) -> &'static str {
        match self {
            Subject::Op(Op::Neg) => "-/1",
            Subject::Op(Op::Sub) => "-/2",
            Subject::Op(op) => op.name(),
            Subject::Literal => "literal",
        }
    }

    /// `name` denotes it.
    pub(super) fn is_called(self, name: &str) -> bool {
        let by_operator = matches!(self, Subject::Op(op) if op.name() == name);
        by_operator || self.label() == name
    }
}

/// The operators whose result has a sort.
struct Makers {
    bool_: Vec<Op>,
    int: Vec<Op>,
    real: Vec<Op>,
    str_: Vec<Op>,
    re: Vec<Op>,
}

static MAKERS: LazyLock<Makers> = LazyLock::new(|| {
    let of = |sort: S| {
        let fits = |ret| match ret {
            S::Any => true,
            S::Num => matches!(sort, S::Int | S::Real),
            ret => ret == sort,
        };
        smt::op::TABLE
            .iter()
            .filter(|row| fits(row.ret) && !row.params.is_empty())
            .map(|row| row.op)
            .collect()
    };
    Makers { bool_: of(S::Bool), int: of(S::Int), real: of(S::Real), str_: of(S::Str), re: of(S::Re) }
});

fn makers(sort: S) -> &'static [Op] {
    match sort {
        S::Bool => &MAKERS.bool_,
        S::Int => &MAKERS.int,
        S::Real => &MAKERS.real,
        S::Re => &MAKERS.re,
        S::Str | S::Any | S::Num => &MAKERS.str_,
    }
}

/// The term of a key, nested at most `depth` deep, as text and as parsed.
pub(super) fn question(
    pool: &mut Pool,
    subject: Subject,
    key: Key<'_>,
    depth: usize,
) -> Option<(Term, String)> {
    let op = match subject {
        Subject::Op(op) => op,
        Subject::Literal => return literal(pool, key),
    };
    let t = application(pool, op, key, depth);
    let text = term_text(pool, t);
    Some((t, text))
}

/// A literal with something like an escape in it, as written and as parsed.
fn literal(pool: &mut Pool, key: Key<'_>) -> Option<(Term, String)> {
    let text = constants::literal(&mut key.dice());
    let script = format!("(assert (= {text} {text}))");
    let parsed = smt::parse(script.as_bytes(), Some(Dialect::Smt26), pool);
    let assertion = parsed.script.assertions().next().filter(|_| parsed.is_ok())?;
    Some((pool.args(assertion)[0], text))
}

/// An application of `op`. A language is wrapped in a membership: `(str.in_re w …)`.
fn application(pool: &mut Pool, op: Op, key: Key<'_>, depth: usize) -> Term {
    let mut dice = key.dice();
    // Deep terms are slow to evaluate and find little more than shallow ones; but there are few applications to a
    // single constant.
    let shallow = if op.row().params.len() > 1 { 20 } else { 5 };
    let depth = match dice.index(100) {
        roll if roll < shallow => 1,
        0..45 => 2,
        45..75 => 3,
        _ => 4,
    }
    .min(depth);
    let owner = match op.row().origin {
        Origin::Extension(owner) => owner,
        _ => dice.pick(&["cvc5", "z3"]),
    };
    let mut maker =
        Maker { pool, dice, wide: key.index % WIDE_EVERY == WIDE_EVERY - 1, owner, words: Vec::new() };
    let t = maker.root(op, depth);
    if maker.pool.sort_of(t) != Sort::REGLAN {
        return t;
    }
    let w = maker.word_about(t);
    let w = maker.pool.string(&w);
    maker.made(Op::StrInRe, &[], &[w, t])
}

struct Maker<'p> {
    pool: &'p mut Pool,
    dice: Dice,
    /// All operators may be used.
    wide: bool,
    /// The solver whose extensions may be used.
    owner: &'static str,
    /// The words so far.
    words: Vec<Vec<u32>>,
}

impl Maker<'_> {
    fn root(&mut self, op: Op, depth: usize) -> Term {
        let row = op.row();
        let sort = match row.ret {
            S::Num => self.number(),
            S::Any => self.any(),
            ret => ret,
        };
        let t = self.apply(op, sort, depth.max(1) - 1);
        if !row.params.is_empty() || sort != S::Bool {
            return t;
        }
        // `true` alone tests nothing.
        let other = self.term(S::Bool, Flavor::Plain, depth);
        self.made(Op::Eq, &[], &[t, other])
    }

    fn number(&mut self) -> S {
        if self.dice.one_in(4) { S::Real } else { S::Int }
    }

    fn any(&mut self) -> S {
        // Solvers rarely decide comparisons of languages.
        if self.wide && self.dice.one_in(12) {
            return S::Re;
        }
        *self.dice.pick(&[S::Str, S::Str, S::Int, S::Bool, S::Real])
    }

    /// A term of this sort.
    fn term(&mut self, sort: S, flavor: Flavor, depth: usize) -> Term {
        if depth == 0 || self.dice.percent(30) {
            return self.constant(sort, flavor, depth);
        }
        let op = loop {
            let op = *self.dice.pick(makers(sort));
            if self.usable(op, sort) {
                break op;
            }
        };
        self.apply(op, sort, depth - 1)
    }

    fn usable(&self, op: Op, sort: S) -> bool {
        match op.row().origin {
            Origin::Extension(owner) => self.wide && owner == self.owner,
            _ => {
                let rare = matches!(op, Op::Divisible | Op::StrReplaceRe | Op::StrReplaceReAll)
                    || (op == Op::Ite && sort == S::Re);
                self.wide || !rare
            }
        }
    }

    /// An application of `op` of sort `sort`, with arguments that are `depth` deep.
    fn apply(&mut self, op: Op, sort: S, depth: usize) -> Term {
        let row = op.row();
        let generic = match row.params.last() {
            Some(S::Any) if row.ret != S::Any => self.any(),
            Some(S::Num) if row.ret != S::Num => self.number(),
            _ => sort,
        };
        let params: Vec<S> = (0..self.arity(op))
            .map(|i| match row.params[i.min(row.params.len() - 1)] {
                S::Any | S::Num => generic,
                param => param,
            })
            .collect();
        let indices = self.indices(op);
        let args = self.arguments(op, &params, depth);
        self.made(op, &indices, &args)
    }

    fn made(&mut self, op: Op, indices: &[Int], args: &[Term]) -> Term {
        let made =
            if indices.is_empty() { self.pool.op(op, args) } else { self.pool.indexed(op, indices, args) };
        made.expect("arguments fit the operator table")
    }

    fn arity(&mut self, op: Op) -> usize {
        let row = op.row();
        let pairs_only = matches!(op, Op::StrLt | Op::StrLe) && !self.wide;
        if row.shape == Shape::Fixed || pairs_only {
            return row.params.len();
        }
        match self.dice.index(10) {
            0..7 => 2,
            7..9 => 3,
            _ => 4,
        }
    }

    fn indices(&mut self, op: Op) -> Vec<Int> {
        let bound =
            |dice: &mut Dice| Int::from(if dice.one_in(8) { dice.int(5, 12) } else { dice.int(0, 4) });
        match op {
            Op::RePower => vec![bound(&mut self.dice)],
            Op::ReLoop => {
                let (a, b) = (bound(&mut self.dice), bound(&mut self.dice));
                let upside_down = self.dice.one_in(6);
                let (low, high) = if a <= b { (a, b) } else { (b, a) };
                if upside_down { vec![high, low] } else { vec![low, high] }
            }
            Op::Divisible => vec![Int::from(self.dice.int(1, 12))],
            _ => Vec::new(),
        }
    }

    fn arguments(&mut self, op: Op, params: &[S], depth: usize) -> Vec<Term> {
        if let [S::Str, S::Re, rest @ ..] = params {
            // The word should be close to the language.
            let language = self.term(S::Re, Flavor::Plain, depth);
            let word = if self.dice.one_in(2) {
                let word = self.word_about(language);
                self.string(word)
            } else {
                self.term(S::Str, Flavor::Plain, depth)
            };
            let mut args = vec![word, language];
            args.extend(rest.iter().map(|&sort| self.term(sort, Flavor::Plain, depth)));
            return args;
        }
        // The last argument first: a prefix is drawn from the word after it.
        let last_first = matches!(op, Op::StrPrefixof | Op::StrSuffixof);
        let mut args: Vec<Term> = (0..params.len())
            .map(|i| if last_first { params.len() - 1 - i } else { i })
            .map(|i| self.term(params[i], Flavor::of(op, i), depth))
            .collect();
        if last_first {
            args.reverse();
        }
        args
    }

    fn constant(&mut self, sort: S, flavor: Flavor, depth: usize) -> Term {
        match sort {
            S::Bool => {
                let b = self.dice.one_in(2);
                self.pool.bool(b)
            }
            S::Int => {
                let n = constants::int(&mut self.dice, flavor);
                self.pool.int(n)
            }
            S::Real => {
                let q = constants::rational(&mut self.dice);
                self.pool.real(q)
            }
            S::Re => self.language(depth),
            S::Str | S::Any | S::Num => {
                let word = constants::word(&mut self.dice, flavor, &self.words);
                self.string(word)
            }
        }
    }

    fn string(&mut self, word: Vec<u32>) -> Term {
        let t = self.pool.string(&word);
        if !word.is_empty() {
            self.words.push(word);
        }
        t
    }

    /// A language without languages as arguments.
    fn language(&mut self, depth: usize) -> Term {
        let depth = depth.saturating_sub(1);
        match self.dice.index(10) {
            0 => {
                let op = *self.dice.pick(&[Op::ReNone, Op::ReAll]);
                self.made(op, &[], &[])
            }
            1 => self.made(Op::ReAllchar, &[], &[]),
            2..4 => self.apply(Op::ReRange, S::Re, depth.min(1)),
            _ => self.apply(Op::StrToRe, S::Re, depth.min(1)),
        }
    }

    /// A word that is in the language `t`, or almost, or not at all.
    fn word_about(&mut self, t: Term) -> Vec<u32> {
        if self.dice.percent(25) {
            return constants::word(&mut self.dice, Flavor::Plain, &self.words);
        }
        let mut word = self.sample(t);
        if self.dice.percent(30) {
            word = constants::mutate(&mut self.dice, word);
        }
        word
    }

    /// A guess at a word of the language `t`. Recursion is bounded by the depth of generated terms.
    fn sample(&mut self, t: Term) -> Vec<u32> {
        let args = self.pool.args(t).to_vec();
        let any = self.dice.index(args.len().max(1));
        let mut word = match self.pool.head(t) {
            Head::Op(Op::StrToRe | Op::ReRange) => self.constant_in(args[any]),
            Head::Op(Op::ReAllchar) => vec![constants::character(&mut self.dice)],
            Head::Op(Op::ReConcat) => args.iter().flat_map(|&a| self.sample(a)).collect(),
            Head::Op(Op::ReUnion | Op::ReInter) => self.sample(args[any]),
            Head::Op(Op::ReDiff) => self.sample(args[0]),
            Head::Op(Op::Ite) => self.sample(args[any.max(1)]),
            Head::Op(Op::ReStar) => self.repeated(args[0], 0, 3),
            Head::Op(Op::RePlus) => self.repeated(args[0], 1, 3),
            Head::Op(Op::ReOpt) => self.repeated(args[0], 0, 1),
            Head::Indexed(_, id) => {
                let bounds: Vec<i64> = self.pool.index_values(id).iter().filter_map(Int::to_i64).collect();
                let (low, high) = (bounds.iter().copied().min(), bounds.iter().copied().max());
                self.repeated(args[0], low.unwrap_or(0), high.unwrap_or(0))
            }
            _ => constants::word(&mut self.dice, Flavor::Plain, &self.words),
        };
        word.truncate(MAX_SAMPLE);
        word
    }

    fn repeated(&mut self, t: Term, low: i64, high: i64) -> Vec<u32> {
        let times = self.dice.int(low, high);
        (0..times).flat_map(|_| self.sample(t)).collect()
    }

    /// The word of a constant; otherwise a random one.
    fn constant_in(&mut self, t: Term) -> Vec<u32> {
        match self.pool.head(t) {
            Head::Str(id) => self.pool.word(id).to_vec(),
            _ => constants::word(&mut self.dice, Flavor::Plain, &self.words),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(subject: Subject, index: u64) -> Key<'static> {
        Key { seed: 0, operator: subject.label(), index, attempt: 0 }
    }

    #[test]
    fn every_operator_is_at_the_root_of_its_applications() {
        for op in Op::all() {
            let mut pool = Pool::new();
            let (t, _) = question(&mut pool, Subject::Op(op), key(Subject::Op(op), 1), 4).expect("made");
            let wrapped = pool.args(t).iter().any(|&a| is_made_by(&pool, a, op));
            assert!(is_made_by(&pool, t, op) || wrapped, "{op:?}: {}", term_text(&pool, t));
        }
    }

    fn is_made_by(pool: &Pool, t: Term, op: Op) -> bool {
        matches!(pool.head(t), Head::Op(o) | Head::Indexed(o, _) if o == op)
    }

    #[test]
    fn written_terms_read_back_unchanged() {
        for subject in Subject::all() {
            for index in 0..60 {
                let mut pool = Pool::new();
                let (t, text) = question(&mut pool, subject, key(subject, index), 4).expect("made");
                let script = format!("(assert (= {text} {text}))");
                let parsed = smt::parse(script.as_bytes(), Some(Dialect::Smt26), &mut pool);
                assert!(parsed.is_ok(), "{text}: {:?}", parsed.diagnostics);
                let assertion = parsed.script.assertions().next().expect("one");
                let again = term_text(&pool, pool.args(assertion)[0]);
                assert_eq!(again, term_text(&pool, t));
            }
        }
    }

    #[test]
    fn all_operators_occur_inside() {
        let mut seen = std::collections::BTreeSet::new();
        for subject in Subject::all() {
            for index in 0..200 {
                let mut pool = Pool::new();
                let (t, _) = question(&mut pool, subject, key(subject, index), 4).expect("made");
                let inside = super::super::case::parts(&pool, t).into_iter().filter(|&part| part != t);
                seen.extend(inside.filter_map(|part| match pool.head(part) {
                    Head::Op(op) | Head::Indexed(op, _) => Some(op),
                    _ => None,
                }));
            }
        }
        let missing: Vec<Op> = Op::all().filter(|op| !seen.contains(op)).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }
}
