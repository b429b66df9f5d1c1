//! Grows random well-sorted terms over constants whose values are known.
//!
//! Operators are drawn from the operator table, so that every legal pair of operators can occur. [`Grower::any`] draws a term of a sort;
//! [`Grower::worth`] (in `value.rs`) one that has a given value; [`Grower::fact`] one that is true.

use super::{Made, Shape};
use crate::dice::Dice;
use rustc_hash::FxHashSet;
use semantics::instance::Truth;
use semantics::regex::RegexStore;
use semantics::{Evaluator, Model, Satisfaction, Str, Value};
use smt::op::{S, TABLE};
use smt::{Fun, Head, Int, Op, Pool, Sort, Term};
use std::cell::{Cell, RefCell};

/// Builds terms in a pool of its own.
pub struct Grower<'a> {
    /// The terms.
    pub pool: Pool,
    /// Random numbers.
    pub dice: &'a mut Dice,
    /// The values of constants.
    pub model: Model,
    /// The constants, with their values.
    pub constants: Vec<(Term, Value)>,
    /// The shape of terms.
    pub shape: &'a Shape,
    /// How languages are drawn.
    pub languages: Languages,
    /// Operators by result sort, with weights; filled on demand.
    choices: [Vec<(Op, u32)>; 4],
    /// The languages of terms that were evaluated.
    store: Cell<Option<RegexStore>>,
    /// Terms that hold under the model.
    held: RefCell<FxHashSet<Term>>,
}

/// How regular expressions are drawn.
#[derive(Clone, Copy, Debug)]
pub struct Languages {
    /// One in so many literals is a string term.
    pub open: u64,
    /// The largest counter of `re.^` and `re.loop`.
    pub counter: u64,
}

/// The characters of most words: few, so that words overlap.
const LETTERS: &[u32] = &[97, 98, 97, 98, 97, 98, 99, 48, 49, 57, 65, 45];
/// Characters at the borders of classes and encodings.
const CORNERS: &[u32] =
    &[0, 0x2F, 0x3A, 0x5C, 0x22, 0x7F, 0x80, 0xFF, 0x100, 0xD800, 0xFFFF, 0x1_0000, 0x2_FFFF, 32, 117];
/// Integers at the borders of operators and machine words.
const INTS: &[i64] = &[
    -1,
    0,
    1,
    2,
    3,
    4,
    5,
    9,
    10,
    -2,
    47,
    48,
    57,
    58,
    97,
    100,
    196_607,
    196_608,
    i64::MAX,
    1 << 32,
    -(1 << 31),
];

impl<'a> Grower<'a> {
    /// A grower without constants.
    pub fn new(dice: &'a mut Dice, shape: &'a Shape) -> Grower<'a> {
        Grower {
            pool: Pool::new(),
            dice,
            model: Model::new(),
            constants: Vec::new(),
            shape,
            languages: Languages { open: 12, counter: 4 },
            choices: Default::default(),
            store: Cell::new(None),
            held: RefCell::default(),
        }
    }

    /// A grower with some constants of each sort.
    pub fn with_constants(dice: &'a mut Dice, shape: &'a Shape) -> Grower<'a> {
        let mut grower = Grower::new(dice, shape);
        let most = shape.constants.max(1);
        let (strings, ints, bools) =
            (1 + grower.dice.index(most), grower.dice.index(most), usize::from(grower.dice.one_in(4)));
        for (count, sort) in [(strings, Sort::STRING), (ints, Sort::INT), (bools, Sort::BOOL)] {
            for _ in 0..count {
                let value = grower.value(sort);
                grower.constant(value);
            }
        }
        grower
    }

    /// A new constant with a value.
    pub fn constant(&mut self, value: Value) -> Term {
        let (letter, sort) = match value {
            Value::Bool(_) => ('p', Sort::BOOL),
            Value::Int(_) => ('i', Sort::INT),
            _ => ('x', Sort::STRING),
        };
        self.constant_named(&format!("{letter}{}", self.constants.len()), sort, value)
    }

    /// The same with a name.
    pub fn constant_named(&mut self, name: &str, sort: Sort, value: Value) -> Term {
        let name = self.pool.names.intern(name);
        let f = self.pool.declare(name, Box::new([]), sort);
        let t = self.pool.apply(f, &[]);
        self.model.assign(f, value.clone());
        self.constants.push((t, value));
        t
    }

    /// Gives the constant at a place another value.
    pub fn reassign(&mut self, at: usize, value: Value) {
        let Some(f) = self.fun(self.constants[at].0) else { return };
        self.model.assign(f, value.clone());
        self.constants[at].1 = value;
        self.held.get_mut().clear();
    }

    /// A random value.
    pub fn value(&mut self, sort: Sort) -> Value {
        match sort {
            Sort::BOOL => Value::Bool(self.dice.one_in(2)),
            Sort::INT => Value::Int(self.int()),
            _ => Value::Str(Str::from(&self.word(4)[..])),
        }
    }

    /// A random integer, most of them small.
    pub fn int(&mut self) -> Int {
        match self.dice.index(12) {
            0 | 1 => Int::from(*self.dice.pick(INTS)),
            2 => Int::from(self.dice.int(6, 40)),
            _ => Int::from(self.dice.int(-2, 6)),
        }
    }

    /// A length of parts: most are small, others are more than most words have.
    pub fn extent(&mut self) -> i64 {
        if self.dice.one_in(4) { self.dice.int(5, 30) } else { self.dice.int(-1, 4) }
    }

    /// A random word, most over few letters.
    pub fn word(&mut self, longest: usize) -> Vec<u32> {
        let n = if self.dice.one_in(40) { 4 * longest } else { longest };
        let n = self.dice.index(n + 1);
        let digits = self.dice.one_in(6);
        (0..n)
            .map(|_| match () {
                () if digits => 48 + self.dice.below(10) as u32,
                () if self.dice.one_in(30) => *self.dice.pick(CORNERS),
                () => *self.dice.pick(LETTERS),
            })
            .collect()
    }

    /// A random literal of a sort, possibly one of the values of the constants.
    pub fn literal(&mut self, sort: Sort) -> Term {
        let known: Vec<usize> =
            (0..self.constants.len()).filter(|&at| self.pool.sort_of(self.constants[at].0) == sort).collect();
        let value = if !known.is_empty() && self.dice.one_in(3) {
            self.constants[*self.dice.pick(&known)].1.clone()
        } else {
            self.value(sort)
        };
        self.spell(&value)
    }

    /// The literal of a value.
    pub fn spell(&mut self, value: &Value) -> Term {
        match value {
            Value::Bool(b) => self.pool.bool(*b),
            Value::Int(n) if n.is_negative() => {
                let t = self.pool.int(n.abs());
                self.op(Op::Neg, &[t])
            }
            Value::Int(n) => self.pool.int(n.clone()),
            Value::Str(w) => self.pool.string(w),
            _ => self.pool.bool(true),
        }
    }

    /// An application of an operator to terms that fit.
    pub fn op(&mut self, op: Op, args: &[Term]) -> Term {
        self.pool.op(op, args).unwrap_or_else(|e| panic!("{op:?} on terms of other sorts: {}", e.message))
    }

    /// An application of an indexed operator.
    pub fn indexed(&mut self, op: Op, indices: &[u64], args: &[Term]) -> Term {
        let indices: Vec<Int> = indices.iter().map(|&n| Int::from(n)).collect();
        self.pool.indexed(op, &indices, args).unwrap_or_else(|e| panic!("{op:?}: {}", e.message))
    }

    /// A constant or a literal.
    pub fn leaf(&mut self, sort: Sort) -> Term {
        let fitting: Vec<Term> =
            self.constants.iter().map(|&(t, _)| t).filter(|&t| self.pool.sort_of(t) == sort).collect();
        if sort == Sort::REGLAN {
            return self.language_leaf();
        }
        if fitting.is_empty() || self.dice.one_in(4) { self.literal(sort) } else { *self.dice.pick(&fitting) }
    }

    /// A random term.
    pub fn any(&mut self, sort: Sort, depth: usize) -> Term {
        if depth == 0 || self.dice.one_in(5) {
            return self.leaf(sort);
        }
        let op = self.operator(sort);
        self.application(op, sort, depth - 1)
    }

    /// A random operator with results of a sort, by weight.
    fn operator(&mut self, sort: Sort) -> Op {
        let place = match sort {
            Sort::BOOL => 0,
            Sort::INT => 1,
            Sort::STRING => 2,
            _ => 3,
        };
        if self.choices[place].is_empty() {
            self.choices[place] = choices(sort, self.shape);
        }
        drawn(self.dice, &self.choices[place])
    }

    /// The same with other weights; operators that the shape excludes stay excluded.
    pub fn operator_by(&mut self, sort: Sort, weight: fn(Op) -> u32) -> Op {
        let list: Vec<_> = choices(sort, self.shape).into_iter().map(|(op, _)| (op, weight(op))).collect();
        drawn(self.dice, &list)
    }

    /// An application of `op`, with arguments of at most this depth.
    pub fn application(&mut self, op: Op, sort: Sort, depth: usize) -> Term {
        let row = op.row();
        if row.params.is_empty() {
            return self.op(op, &[]);
        }
        match op {
            Op::Mul => return self.product(depth),
            Op::IntDiv | Op::Mod if !self.dice.one_in(12) => return self.division(op, depth),
            Op::RePower | Op::ReLoop | Op::Divisible => return self.counted(op, depth),
            Op::StrToRe | Op::ReRange => return self.language_leaf_of(op, depth),
            _ => {}
        }
        let any = if op == Op::Ite { sort } else { self.some_sort() };
        let more = usize::from(row.shape != smt::op::Shape::Fixed && self.dice.one_in(6));
        let mut args: Vec<Term> = row.params.iter().map(|&s| self.argument(s, any, depth)).collect();
        let last = row.params[row.params.len() - 1];
        args.extend((0..more).map(|_| self.argument(last, any, depth)).collect::<Vec<_>>());
        self.op(op, &args)
    }

    fn argument(&mut self, s: S, any: Sort, depth: usize) -> Term {
        let sort = match s {
            S::Bool => Sort::BOOL,
            S::Int | S::Num | S::Real => Sort::INT,
            S::Str => Sort::STRING,
            S::Re => Sort::REGLAN,
            S::Any => any,
        };
        self.any(sort, depth)
    }

    fn some_sort(&mut self) -> Sort {
        *self.dice.pick(&[Sort::STRING, Sort::STRING, Sort::STRING, Sort::INT, Sort::INT, Sort::BOOL])
    }

    /// A product with a constant.
    fn product(&mut self, depth: usize) -> Term {
        let n = self.dice.int(-2, 4);
        let n = self.spell(&Value::Int(Int::from(n)));
        let t = self.any(Sort::INT, depth);
        let args = if self.dice.one_in(3) { [t, n] } else { [n, t] };
        self.op(Op::Mul, &args)
    }

    /// A division by a constant that is not zero.
    fn division(&mut self, op: Op, depth: usize) -> Term {
        let by = *self.dice.pick(&[1, 2, 3, 10, -1, -2]);
        let by = self.spell(&Value::Int(Int::from(by)));
        let t = self.any(Sort::INT, depth);
        self.op(op, &[t, by])
    }

    fn counted(&mut self, op: Op, depth: usize) -> Term {
        let most = if self.dice.one_in(20) { self.languages.counter * 5 } else { self.languages.counter };
        let n = self.dice.below(most + 1);
        match op {
            Op::Divisible => {
                let t = self.any(Sort::INT, depth);
                self.indexed(op, &[n.max(1)], &[t])
            }
            Op::RePower => {
                let r = self.any(Sort::REGLAN, depth);
                self.indexed(op, &[n], &[r])
            }
            _ => {
                let high =
                    if self.dice.one_in(8) { self.dice.below(most + 1) } else { n + self.dice.below(3) };
                let r = self.any(Sort::REGLAN, depth);
                self.indexed(op, &[n, high], &[r])
            }
        }
    }

    fn language_leaf(&mut self) -> Term {
        match self.dice.index(10) {
            0 => self.op(Op::ReAllchar, &[]),
            1 => self.op(Op::ReAll, &[]),
            2 if self.dice.one_in(3) => self.op(Op::ReNone, &[]),
            3 | 4 => self.language_leaf_of(Op::ReRange, 0),
            _ => self.language_leaf_of(Op::StrToRe, 0),
        }
    }

    /// A literal language, of string terms now and then.
    fn language_leaf_of(&mut self, op: Op, depth: usize) -> Term {
        if self.dice.one_in(self.languages.open.max(1)) {
            let args: Vec<Term> =
                op.row().params.iter().map(|_| self.any(Sort::STRING, depth.min(2))).collect();
            return self.op(op, &args);
        }
        if op == Op::ReRange {
            let ends = *self.dice.pick(&[
                (97, 98),
                (97, 122),
                (48, 57),
                (48, 49),
                (65, 90),
                (0, 0x2_FFFF),
                (98, 97),
            ]);
            let args = [self.pool.string(&[ends.0]), self.pool.string(&[ends.1])];
            return self.op(op, &args);
        }
        let word = self.word(2);
        let word = self.pool.string(&word);
        self.op(op, &[word])
    }

    /// The truth of a term under the model.
    pub fn truth(&self, t: Term) -> Satisfaction {
        let truth = self.evaluated(|e| e.truth(t));
        if truth == Satisfaction::Holds {
            self.held.borrow_mut().insert(t);
        }
        truth
    }

    /// The value of a term under the model, if it is determined.
    pub fn value_of(&self, t: Term) -> Option<Value> {
        self.evaluated(|e| e.eval(t).ok())
    }

    /// All these terms hold. A term that held before holds: [`Grower::reassign`] forgets them.
    pub fn hold(&self, terms: &[Term]) -> bool {
        let held = |t: &Term| self.held.borrow().contains(t);
        terms.iter().all(|t| held(t) || self.truth(*t) == Satisfaction::Holds)
    }

    /// A script with one check that the model satisfies; none if the evaluator does not accept it.
    pub fn satisfiable(self, assertions: &[Term]) -> Option<Made> {
        let holds = !assertions.is_empty() && self.hold(assertions);
        holds.then(|| Made::new(self.pool, assertions, Truth::Sat(Box::new(self.model))))
    }

    /// Evaluates under the model; what is known of languages is kept.
    fn evaluated<T>(&self, work: impl FnOnce(&mut Evaluator<'_>) -> T) -> T {
        let store = self.store.take().unwrap_or_default();
        let mut e = Evaluator::with(&self.pool, &self.model, super::config(), store);
        let result = work(&mut e);
        self.store.set(Some(e.into_store()));
        result
    }

    /// `t` or its negation, whichever is true; none if that is undetermined.
    pub fn made_true(&mut self, t: Term) -> Option<Term> {
        match self.truth(t) {
            Satisfaction::Holds => Some(t),
            Satisfaction::Fails => Some(self.op(Op::Not, &[t])),
            Satisfaction::Undetermined(_) => None,
        }
    }

    /// A random true formula.
    pub fn fact(&mut self, depth: usize) -> Option<Term> {
        let op = self.operator(Sort::BOOL);
        let t = self.application(op, Sort::BOOL, depth.saturating_sub(1));
        self.made_true(t)
    }

    /// The declaration of a constant.
    pub fn fun(&self, t: Term) -> Option<Fun> {
        match self.pool.head(t) {
            Head::Fun(f) => Some(f),
            _ => None,
        }
    }
}

/// One of these operators, by weight.
fn drawn(dice: &mut Dice, list: &[(Op, u32)]) -> Op {
    let total: u32 = list.iter().map(|(_, w)| w).sum();
    let mut at = dice.below(u64::from(total.max(1))) as u32;
    for &(op, weight) in list {
        if at < weight {
            return op;
        }
        at -= weight;
    }
    list[0].0
}

/// The operators with results of a sort, with weights: the standard's, without reals.
fn choices(sort: Sort, shape: &Shape) -> Vec<(Op, u32)> {
    let fits = |s: S| match s {
        S::Bool => sort == Sort::BOOL,
        S::Int => sort == Sort::INT,
        S::Num => sort == Sort::INT,
        S::Str => sort == Sort::STRING,
        S::Re => sort == Sort::REGLAN,
        S::Any => sort != Sort::REGLAN,
        S::Real => false,
    };
    let usable = |op: Op| {
        !op.is_extension() && !op.row().params.contains(&S::Real) && !matches!(op, Op::True | Op::False)
    };
    let weight = |op: Op| {
        let named = shape.weights.iter().find(|(name, _)| name == op.name());
        named.map_or_else(|| default_weight(op), |&(_, w)| w)
    };
    let rows = TABLE.iter().filter(|row| fits(row.ret) && usable(row.op));
    rows.map(|row| (row.op, weight(row.op))).filter(|&(_, w)| w > 0).collect()
}

/// Operators of strings count more than connectives and arithmetic.
fn default_weight(op: Op) -> u32 {
    match op {
        Op::Divisible | Op::ReNone | Op::ReAll | Op::Xor | Op::Abs => 3,
        Op::Eq | Op::StrInRe | Op::StrToRe => 25,
        op if op.row().origin == smt::op::Origin::Strings => 15,
        _ => 8,
    }
}
