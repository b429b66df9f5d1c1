//! Sequences: `(Seq Int)`, of truth values, of strings and of sequences.
//!
//! Most operators of strings have a twin on sequences, and an injective map from characters to elements commutes with all of them. So formulas of other
//! sources are read letter by letter, if they have only such operators:
//!
//! ```text
//! (str.prefixof "ab" (str.at x i))   ─▶   (seq.prefixof (seq.++ (seq.unit 7) (seq.unit 0)) (seq.at x i))
//! ```
//!
//! A model is read in the same way, and evaluated. An unsatisfiable formula stays so: a model of the new one, read back, would be one of the old, as long as it has no more
//! different elements than there are characters. Elements are terms now and then, and formulas with `seq.nth` within bounds are added.
//!
//! One in five is of such formulas only, in three of four cases true under a model, otherwise one of them false and all constants equated with their
//! values, so that no other model is possible.

use super::adopt::constant_value;
use super::grow::Grower;
use super::{
    Made, Material, Shape, Source, chains, clauses, cuts, fixpoints, model_first, needles, refute, units,
};
use crate::dice::Dice;
use rustc_hash::FxHashMap;
use semantics::instance::Truth;
use semantics::value::Seq;
use semantics::{Str, Value};
use smt::op::{S, TABLE};
use smt::{Fun, Head, Int, Op, Pool, PostOrder, Sort, Term};
use std::collections::BTreeMap;
use std::sync::Arc;

pub(super) static SEQUENCES: Source = Source {
    name: "sequences",
    about: "sequences of integers, truth values, strings and sequences: formulas of other sources read letter by letter, and seq.nth",
    truth: "that of the formula that is read; sat by a model drawn first; unsat where all constants are determined and a formula is false",
    needs_corpus: false,
    make,
};

/// The sources of the formulas that are read, each as often as it is listed.
static SOURCES: &[&Source] = &[
    &model_first::MODEL_FIRST,
    &model_first::MODEL_FIRST,
    &refute::REFUTE,
    &refute::REFUTE,
    &chains::CHAINS,
    &clauses::CLAUSES,
    &cuts::CUTS,
    &needles::NEEDLES,
    &units::UNITS,
    &fixpoints::FIXPOINTS,
];

/// Many formulas have operators without a twin.
const ATTEMPTS: usize = 6;

fn make(dice: &mut Dice, material: &Material) -> Option<Made> {
    if lacks(&material.shape, Op::SeqUnit) {
        return None;
    }
    if dice.one_in(5) {
        return own(dice, &material.shape);
    }
    let inner = Material {
        rules: Arc::clone(&material.rules),
        shape: with_twins(&material.shape),
        ..Material::default()
    };
    (0..ATTEMPTS).find_map(|_| {
        let source = *dice.pick(SOURCES);
        let made = (source.make)(dice, &inner)?;
        let recipe = source.name;
        read(dice, &material.shape, &made).map(|m| m.with_recipe(recipe))
    })
}

/// The solver does not have the operator.
fn lacks(shape: &Shape, op: Op) -> bool {
    shape.weights.iter().any(|(name, weight)| *weight == 0 && name == op.name())
}

/// The shape without operators of strings that have no twin.
fn with_twins(shape: &Shape) -> Shape {
    let about_strings = |s: &S| matches!(s, S::Str | S::Re);
    let rows = TABLE.iter().filter(|row| row.params.iter().chain([&row.ret]).any(about_strings));
    let alone = rows.filter(|row| row.op.on_sequences().is_none_or(|op| lacks(shape, op)));
    let mut shape = shape.clone();
    shape.weights.splice(0..0, alone.map(|row| (row.name.to_owned(), 0)));
    shape
}

/// The elements of sequences.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Elements {
    Ints,
    Bools,
    Strings,
    Sequences,
}

impl Elements {
    fn draw(dice: &mut Dice, different: usize) -> Elements {
        match dice.index(8) {
            0 | 1 if different <= 2 => Elements::Bools,
            2 => Elements::Strings,
            3 => Elements::Sequences,
            _ => Elements::Ints,
        }
    }

    fn sort(self, pool: &mut Pool) -> Sort {
        match self {
            Elements::Ints => Sort::INT,
            Elements::Bools => Sort::BOOL,
            Elements::Strings => Sort::STRING,
            Elements::Sequences => pool.sequence_of(Sort::INT).expect("integers are elements"),
        }
    }

    /// Element number `n`: different numbers, different elements.
    fn number(self, n: usize) -> Value {
        match self {
            Elements::Ints => Value::Int(Int::from([0, 1, 2, -1, 7].get(n).copied().unwrap_or(3 + n as i64))),
            Elements::Bools => Value::Bool(n % 2 == 1),
            Elements::Strings => Value::Str(Str::from(&binary(n)[..])),
            Elements::Sequences => {
                let items = binary(n).iter().map(|&c| Value::Int(Int::from(c - 97))).collect();
                Value::Seq(Seq::new("(Seq Int)", items).expect("a few integers"))
            }
        }
    }
}

/// Words over two letters: ε, a, b, aa, ab, …
fn binary(n: usize) -> Vec<u32> {
    let (mut n, mut word) = (n + 1, Vec::new());
    while n > 1 {
        word.push(97 + (n % 2) as u32);
        n /= 2;
    }
    word
}

/// Reads formulas over strings as formulas over sequences.
struct Reader<'a> {
    from: &'a Pool,
    sort: Sort,
    letters: BTreeMap<u32, Value>,
    done: FxHashMap<Term, Term>,
    /// Terms for elements.
    elements: Vec<(Value, Term)>,
}

fn read(dice: &mut Dice, shape: &Shape, made: &Made) -> Option<Made> {
    let from = &made.instance.pool;
    let assertions: Vec<Term> = made.instance.script.assertions().collect();
    let model = match &made.instance.truth {
        Truth::Sat(model) => Some(&**model),
        _ => None,
    };
    let (mut funs, mut letters) = (BTreeMap::new(), BTreeMap::new());
    let mut add = |word: &[u32]| word.iter().for_each(|&c| drop(letters.insert(c, Value::Bool(false))));
    for t in from.subterms(assertions.iter().copied()) {
        match from.head(t) {
            Head::Str(id) => add(from.word(id)),
            Head::Fun(f) => {
                let value = model.and_then(|m| constant_value(from, m, f));
                if let Some(Value::Str(word)) = &value {
                    add(word);
                }
                funs.insert(f, (t, value));
            }
            _ => {}
        }
    }
    if funs.keys().any(|&f| !from.fun(f).params.is_empty()) {
        return None;
    }
    let kind = Elements::draw(dice, letters.len());
    let mut g = Grower::new(dice, shape);
    let element = kind.sort(&mut g.pool);
    let mut numbers: Vec<usize> = (0..letters.len().max(2)).collect();
    g.dice.shuffle(&mut numbers);
    letters.values_mut().zip(numbers).for_each(|(v, n)| *v = kind.number(n));
    let sort = g.pool.sequence_of(element)?;
    let mut reader = Reader { from, sort, letters, done: FxHashMap::default(), elements: Vec::new() };
    for (f, (t, value)) in funs {
        let constant = reader.constant(&mut g, f, value)?;
        reader.done.insert(t, constant);
    }
    if model.is_some() && g.dice.one_in(3) {
        reader.name_elements(&mut g, element);
    }
    let mut all: Vec<Term> = assertions.iter().map(|&t| reader.term(&mut g, t)).collect::<Option<_>>()?;
    if model.is_none() {
        return Some(Made::new(g.pool, &all, made.instance.truth.clone()));
    }
    if g.dice.one_in(2) {
        let t = formula(&mut g, sort);
        all.extend(t.and_then(|t| g.made_true(t)));
    }
    g.satisfiable(&all)
}

impl Reader<'_> {
    /// Declares a constant of theirs.
    fn constant(&self, g: &mut Grower<'_>, f: Fun, value: Option<Value>) -> Option<Term> {
        let (name, theirs) = (self.from.fun_name(f), self.from.fun(f).ret);
        let sort = match theirs {
            Sort::STRING => self.sort,
            Sort::INT | Sort::BOOL => theirs,
            _ => return None,
        };
        Some(match value {
            Some(Value::Str(word)) => {
                let value = self.value(g, &word);
                g.constant_named(name, sort, value)
            }
            Some(value) => g.constant_named(name, sort, value),
            None => {
                let name = g.pool.names.intern(name);
                let f = g.pool.declare(name, Box::new([]), sort);
                g.pool.apply(f, &[])
            }
        })
    }

    fn value(&self, g: &Grower<'_>, word: &[u32]) -> Value {
        let items = word.iter().map(|c| self.letters[c].clone()).collect();
        Value::Seq(Seq::new(g.pool.sort_text(self.sort), items).expect("a few elements"))
    }

    /// Terms for some elements: constants, lengths of sequences, and conditionals.
    fn name_elements(&mut self, g: &mut Grower<'_>, sort: Sort) {
        let values: Vec<Value> = self.letters.values().cloned().collect();
        for (i, value) in values.into_iter().enumerate() {
            let long = |(_, v): &&(Term, Value)| matches!((v, &value), (Value::Seq(s), Value::Int(n)) if Int::from(s.len()) == *n);
            let holder = g.constants.iter().find(long).map(|&(t, _)| t);
            let name = format!("e{i}");
            if g.dice.one_in(2) || g.pool.names.lookup(&name).is_some() {
                continue;
            }
            let t = match (g.dice.index(3), holder) {
                (0, Some(x)) => g.op(Op::SeqLen, &[x]),
                (1, _) => {
                    let other = self.letters.values().next().expect("there is one").clone();
                    let (test, args) = (g.dice.one_in(2), [spell(g, &value), spell(g, &other)]);
                    let condition = g.constant_named(&name, Sort::BOOL, Value::Bool(test));
                    let (yes, no) = if test { (args[0], args[1]) } else { (args[1], args[0]) };
                    g.op(Op::Ite, &[condition, yes, no])
                }
                _ => g.constant_named(&name, sort, value.clone()),
            };
            self.elements.push((value, t));
        }
    }

    fn word(&self, g: &mut Grower<'_>, word: &[u32]) -> Term {
        let units: Vec<Term> = word.iter().map(|c| self.unit(g, &self.letters[c])).collect();
        joined(g, self.sort, &units)
    }

    fn unit(&self, g: &mut Grower<'_>, value: &Value) -> Term {
        let named = self.elements.iter().find(|(v, _)| v == value).map(|&(_, t)| t);
        let t = named.filter(|_| !g.dice.one_in(3)).unwrap_or_else(|| spell(g, value));
        g.op(Op::SeqUnit, &[t])
    }

    /// The term on sequences; none if it has operators without a twin.
    fn term(&mut self, g: &mut Grower<'_>, t: Term) -> Option<Term> {
        let (mut walk, from) = (PostOrder::new([t]), self.from);
        while let Some(t) = walk.next(|t| (!self.done.contains_key(&t)).then(|| from.args(t).iter().copied()))
        {
            let args: Vec<Term> = from.args(t).iter().map(|a| self.done[a]).collect();
            let new = match from.head(t) {
                Head::Str(id) => self.word(g, from.word(id)),
                Head::Int(id) => g.pool.int(from.int_value(id).clone()),
                Head::Op(op) => {
                    let about_strings = |s: &S| matches!(s, S::Str | S::Re);
                    let row = op.row();
                    let twin = match op.on_sequences() {
                        None if row.params.iter().chain([&row.ret]).any(about_strings) => return None,
                        Some(twin) if lacks(g.shape, twin) => return None,
                        twin => twin.unwrap_or(op),
                    };
                    g.pool.op(twin, &args).ok()?
                }
                Head::Indexed(Op::Divisible, id) => {
                    let indices = from.index_values(id).to_vec();
                    g.pool.indexed(Op::Divisible, &indices, &args).ok()?
                }
                Head::Annot(_) => args[0],
                _ => return None,
            };
            self.done.insert(t, new);
        }
        self.done.get(&t).copied()
    }
}

/// The concatenation of terms of a sort.
fn joined(g: &mut Grower<'_>, sort: Sort, parts: &[Term]) -> Term {
    match parts {
        [] => g.pool.empty_sequence(sort),
        [one] => *one,
        _ => g.op(Op::SeqConcat, parts),
    }
}

/// The term of a value. The recursion is as deep as its sort.
fn spell(g: &mut Grower<'_>, value: &Value) -> Term {
    let Value::Seq(items) = value else { return g.spell(value) };
    let element = match items.first() {
        Some(Value::Bool(_)) => Sort::BOOL,
        Some(Value::Str(_)) => Sort::STRING,
        Some(Value::Seq(_)) => g.pool.sequence_of(Sort::INT).expect("integers are elements"),
        _ => Sort::INT,
    };
    let sort = g.pool.sequence_of(element).expect("known elements");
    spell_as(g, sort, items)
}

fn spell_as(g: &mut Grower<'_>, sort: Sort, items: &[Value]) -> Term {
    let units: Vec<Term> = items
        .iter()
        .map(|v| {
            let t = spell(g, v);
            g.op(Op::SeqUnit, &[t])
        })
        .collect();
    joined(g, sort, &units)
}

/// Formulas with `seq.nth` and `seq.unit` only.
fn own(dice: &mut Dice, shape: &Shape) -> Option<Made> {
    let kind = Elements::draw(dice, 2);
    let mut g = Grower::new(dice, shape);
    let element = kind.sort(&mut g.pool);
    let sort = g.pool.sequence_of(element)?;
    let text = g.pool.sort_text(sort);
    for i in 0..2 + g.dice.index(shape.constants.max(1)) {
        let length = g.dice.index(4);
        let items = (0..length).map(|_| kind.number(g.dice.index(3))).collect();
        g.constant_named(&format!("x{i}"), sort, Value::Seq(Seq::new(text.clone(), items)?));
    }
    let (value, n) = (kind.number(g.dice.index(3)), Value::Int(Int::from(g.dice.int(-1, 4))));
    g.constant_named("e", element, value);
    g.constant_named("i", Sort::INT, n);
    let count = 1 + g.dice.index(shape.assertions.max(1)).min(4);
    let facts = (0..count).filter_map(|_| {
        let t = formula(&mut g, sort)?;
        g.made_true(t)
    });
    let facts: Vec<Term> = facts.collect();
    if facts.is_empty() || !g.dice.one_in(4) {
        return g.satisfiable(&facts);
    }
    let mut all = facts;
    let last = all.len() - 1;
    all[last] = g.not(all[last]);
    let places = last..last + 1 + pins(&mut g, sort, &mut all);
    Some(Made::new(g.pool, &all, Truth::Unsat(places.collect())).with_recipe("no other values"))
}

/// Equates the constants of the last term with their values; returns how many there are.
fn pins(g: &mut Grower<'_>, sort: Sort, all: &mut Vec<Term>) -> usize {
    let last = all[all.len() - 1];
    let used: Vec<Term> = g.pool.subterms([last]).collect();
    let constants: Vec<(Term, Value)> =
        g.constants.iter().filter(|(t, _)| used.contains(t)).cloned().collect();
    for (x, value) in &constants {
        let v = match value {
            Value::Seq(items) if g.pool.sort_of(*x) == sort => spell_as(g, sort, items),
            value => spell(g, value),
        };
        let t = g.eq(*x, v);
        all.push(t);
    }
    constants.len()
}

/// A formula about elements at positions of constants. `seq.nth` is within bounds under the model; otherwise the value of the formula is open.
fn formula(g: &mut Grower<'_>, sort: Sort) -> Option<Term> {
    let element = g.pool.element_of(sort)?;
    let of_sort = |g: &Grower<'_>, s: Sort| -> Vec<(Term, Value)> {
        g.constants.iter().filter(|(t, _)| g.pool.sort_of(*t) == s).cloned().collect()
    };
    let all = of_sort(g, sort);
    if all.is_empty() {
        return None;
    }
    let (x, Value::Seq(items)) = g.dice.pick(&all).clone() else { return None };
    let (y, _) = g.dice.pick(&all).clone();
    let len = g.op(Op::SeqLen, &[x]);
    let at = g.dice.index(items.len().max(1));
    let position = match g.dice.index(3) {
        0 => {
            let back = g.num((items.len() - at.min(items.len())) as i64);
            g.op(Op::Sub, &[len, back])
        }
        1 => {
            let ints = of_sort(g, Sort::INT);
            if ints.is_empty() { g.num(at as i64) } else { g.dice.pick(&ints).0 }
        }
        _ => g.num(at as i64),
    };
    let nth = g.op(Op::SeqNth, &[x, position]);
    let known = of_sort(g, element);
    let e = match g.dice.index(3) {
        0 if !known.is_empty() => g.dice.pick(&known).0,
        1 => nth,
        _ => match items.get(at) {
            Some(v) => spell(g, v),
            None => return Some(g.eq(x, y)),
        },
    };
    let unit = g.op(Op::SeqUnit, &[e]);
    let at = g.op(Op::SeqAt, &[x, position]);
    Some(match g.dice.index(9) {
        0 => g.eq(nth, e),
        1 => g.eq(at, unit),
        2 => {
            // The element of a concatenation.
            let whole = g.op(Op::SeqConcat, &[y, x]);
            let before = g.op(Op::SeqLen, &[y]);
            let position = g.op(Op::Add, &[before, position]);
            let there = g.op(Op::SeqNth, &[whole, position]);
            g.eq(there, nth)
        }
        3 => g.op(Op::SeqContains, &[y, unit]),
        4 => {
            let zero = g.num(0);
            let found = g.op(Op::SeqIndexof, &[x, unit, zero]);
            g.op(Op::Le, &[found, position])
        }
        5 => {
            // Around a position.
            let (zero, one) = (g.num(0), g.num(1));
            let next = g.op(Op::Add, &[position, one]);
            let parts =
                [g.op(Op::SeqExtract, &[x, zero, position]), unit, g.op(Op::SeqExtract, &[x, next, len])];
            let whole = g.op(Op::SeqConcat, &parts);
            g.eq(whole, x)
        }
        6 => {
            let parts = if g.dice.one_in(2) { [unit, y] } else { [y, unit] };
            let whole = g.op(Op::SeqConcat, &parts);
            let op = *g.dice.pick(&[Op::Eq, Op::SeqPrefixof, Op::SeqSuffixof]);
            g.op(op, &[x, whole])
        }
        7 => {
            let op = *g.dice.pick(&[Op::SeqReplace, Op::SeqReplaceAll]);
            let op = if lacks(g.shape, op) { Op::SeqReplace } else { op };
            let with = if g.dice.one_in(2) { y } else { at };
            let replaced = g.op(op, &[x, unit, with]);
            g.eq(replaced, y)
        }
        _ => {
            let (n, m) = (g.dice.int(-1, 2), g.dice.int(0, 3));
            let (n, m) = (g.num(n), g.num(m));
            let parts = [g.op(Op::SeqExtract, &[x, n, m]), g.op(Op::SeqExtract, &[y, position, m])];
            g.eq(parts[0], parts[1])
        }
    })
}
