//! Small random formulas with a known answer, or one that trying small values may find.
//!
//! Three kinds. *Bounded*: each constant is held to a few values by an assertion (a disjunction of equalities, a
//! constant that it is part of, an interval), so that trying all of them decides the formula both ways. *Model first*: an
//! assignment is drawn, and of each random term either itself or its negation is asserted, so that the formula is
//! satisfiable. *Unbounded*: it is satisfiable if one of some small assignments is a model, and
//! unlabelled otherwise. The referee judges all assignments.
//!
//! Everything follows from the seed and the number of the formula.

mod terms;

use crate::dice::Dice;
use semantics::regex::RegexStore;
use semantics::{Config, Evaluator, Model, Satisfaction, Str, Value};
use smt::{Fun, Int, Op, Pool, Sort, Term};

/// The construction of a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Each constant has few values, and all were tried.
    Bounded,
    /// True under an assignment that came first.
    ModelFirst,
    /// No restriction.
    Unbounded,
}

impl Kind {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Bounded => "bounded",
            Kind::ModelFirst => "model first",
            Kind::Unbounded => "unbounded",
        }
    }
}

/// A formula.
#[derive(Debug)]
pub struct Formula {
    /// Its construction.
    pub kind: Kind,
    /// Its constants.
    pub constants: Vec<Fun>,
    /// The assertions.
    pub assertions: Vec<Term>,
    /// Whether it is satisfiable, if that is known.
    pub truth: Option<bool>,
    /// The assignments that were tried; the first model is at `witness`.
    pub tried: Vec<Model>,
    /// Which of them is a model.
    pub witness: Option<usize>,
}

impl Formula {
    /// One of the assignments that were tried satisfies these assertions, by index.
    pub fn tried_satisfies(&self, pool: &Pool, assertions: &[usize]) -> bool {
        let terms: Vec<Term> = assertions.iter().map(|&i| self.assertions[i]).collect();
        decide(pool, &self.tried, &terms).0.is_some()
    }
}

/// Builds the formula number `index` of `seed` in an empty pool.
pub fn formula(pool: &mut Pool, seed: u64, index: u64) -> Formula {
    let mut maker = Maker::new(pool, seed, index);
    let kind = match maker.dice.index(10) {
        0..=5 => Kind::Bounded,
        6..=8 => Kind::ModelFirst,
        _ => Kind::Unbounded,
    };
    let (assertions, tried) = match kind {
        Kind::Bounded => maker.bounded(),
        Kind::ModelFirst => maker.model_first(),
        Kind::Unbounded => maker.unbounded(),
    };
    let constants = maker.constants.iter().map(|&(f, _)| f).collect();
    let (witness, sure) = decide(pool, &tried, &assertions);
    let truth = match (witness, kind) {
        (Some(_), _) => Some(true),
        (None, Kind::Bounded) if sure => Some(false),
        _ => None,
    };
    Formula { kind, constants, assertions, truth, tried, witness }
}

/// The first of the models that satisfies all terms; and whether each of the others fails one.
fn decide(pool: &Pool, models: &[Model], terms: &[Term]) -> (Option<usize>, bool) {
    let Some(first) = models.first() else { return (None, false) };
    let config = Config { steps: 100_000, regex_budget: 100_000, ..Config::default() };
    let mut e = Evaluator::with(pool, first, config, RegexStore::new());
    let mut sure = true;
    for (i, model) in models.iter().enumerate() {
        e.set_model(model);
        let (mut fails, mut undetermined) = (false, false);
        for &t in terms {
            match e.truth(t) {
                Satisfaction::Holds => {}
                Satisfaction::Fails => {
                    fails = true;
                    break;
                }
                Satisfaction::Undetermined(_) => undetermined = true,
            }
        }
        if !fails && !undetermined {
            return (Some(i), sure);
        }
        sure &= fails;
    }
    (None, sure)
}

/// The characters of most words: few, so that words overlap.
const LETTERS: &[u32] = &[97, 98, 97, 98, 97, 98, 48, 49];

struct Maker<'p> {
    pool: &'p mut Pool,
    dice: Dice,
    constants: Vec<(Fun, Term)>,
    /// Operators that are used in some formulas only: `replace_all` and languages.
    wide: bool,
}

impl<'p> Maker<'p> {
    fn new(pool: &'p mut Pool, seed: u64, index: u64) -> Self {
        let mut dice = Dice::keyed([seed, index, u64::from_le_bytes(*b"random\0\0"), 0]);
        let wide = dice.one_in(16);
        Maker { pool, dice, constants: Vec::new(), wide }
    }

    fn declare(&mut self, name: &str, sort: Sort) -> Term {
        let name = self.pool.names.intern(name);
        let f = self.pool.declare(name, Box::new([]), sort);
        let t = self.pool.apply(f, &[]);
        self.constants.push((f, t));
        t
    }

    /// One to three strings, up to two integers, now and then a Boolean.
    fn declare_some(&mut self) {
        let (strings, ints, bools) =
            (1 + self.dice.index(3), self.dice.index(3), usize::from(self.dice.one_in(4)));
        for (count, names, sort) in [
            (strings, ["x", "y", "z"], Sort::STRING),
            (ints, ["i", "j", "k"], Sort::INT),
            (bools, ["p", "q", "r"], Sort::BOOL),
        ] {
            for name in &names[..count] {
                self.declare(name, sort);
            }
        }
    }

    fn op(&mut self, op: Op, args: &[Term]) -> Term {
        self.pool.op(op, args).unwrap_or_else(|e| panic!("{op:?} on terms of other sorts: {}", e.message))
    }

    fn word(&mut self, longest: usize) -> Vec<u32> {
        let n = self.dice.index(longest + 1);
        (0..n).map(|_| if self.dice.one_in(40) { 0x2FFFF } else { *self.dice.pick(LETTERS) }).collect()
    }

    fn literal(&mut self, longest: usize) -> Term {
        let word = self.word(longest);
        self.pool.string(&word)
    }

    fn value(&mut self, sort: Sort) -> Value {
        match sort {
            Sort::BOOL => Value::Bool(self.dice.one_in(2)),
            Sort::INT => Value::Int(Int::from(self.dice.index(9) as i64 - 2)),
            _ => Value::Str(Str::from(&self.word(4)[..])),
        }
    }

    fn assertions(&mut self, most: usize) -> Vec<Term> {
        let n = 1 + self.dice.index(most);
        (0..n).map(|_| self.bool_term(3)).collect()
    }

    fn bounded(&mut self) -> (Vec<Term>, Vec<Model>) {
        self.declare_some();
        let mut assertions = Vec::new();
        let mut models = vec![Model::new()];
        for (f, t) in self.constants.clone() {
            let room = 100 / models.len().max(1);
            let domain = self.bound(f, t, room.clamp(1, 6), &mut assertions);
            models = models
                .iter()
                .flat_map(|m| {
                    domain.iter().map(|v| {
                        let mut m = m.clone();
                        m.assign(f, v.clone());
                        m
                    })
                })
                .collect();
        }
        let body = self.assertions(3);
        let at = self.dice.index(assertions.len() + 1);
        assertions.splice(at..at, body);
        (assertions, models)
    }

    /// Restricts a constant to a few values, and returns them.
    fn bound(&mut self, f: Fun, t: Term, most: usize, assertions: &mut Vec<Term>) -> Vec<Value> {
        match self.pool.fun(f).ret {
            Sort::BOOL => vec![Value::Bool(false), Value::Bool(true)],
            Sort::INT => {
                let low = self.dice.index(7) as i64 - 2;
                let high = low + self.dice.index(most) as i64;
                let (l, h) = (self.pool.int(low), self.pool.int(high));
                assertions.push(self.op(Op::Le, &[l, t, h]));
                (low..=high).map(|n| Value::Int(Int::from(n))).collect()
            }
            _ => self.bound_word(t, most, assertions),
        }
    }

    fn bound_word(&mut self, t: Term, most: usize, assertions: &mut Vec<Term>) -> Vec<Value> {
        let mut words: Vec<Vec<u32>> = Vec::new();
        let way = if most < 5 { 0 } else { self.dice.index(6) };
        if way < 3 {
            let n = 1 + self.dice.index(most);
            words = (0..n).map(|_| self.word(3)).collect();
            words.sort();
            words.dedup();
            let parts: Vec<Term> = words
                .iter()
                .map(|w| {
                    let w = self.pool.string(w);
                    self.op(Op::Eq, &[t, w])
                })
                .collect();
            assertions.push(if let [one] = parts[..] { one } else { self.op(Op::Or, &parts) });
        } else {
            let word = self.word(if way == 3 { 2 } else { most - 1 });
            let whole = self.pool.string(&word);
            let n = word.len();
            let (op, args) = match way {
                3 => (Op::StrContains, [whole, t]),
                4 => (Op::StrPrefixof, [t, whole]),
                _ => (Op::StrSuffixof, [t, whole]),
            };
            assertions.push(self.op(op, &args));
            for (from, to) in (0..=n).flat_map(|from| (from..=n).map(move |to| (from, to))) {
                let fits = match way {
                    3 => true,
                    4 => from == 0,
                    _ => to == n,
                };
                if fits {
                    words.push(word[from..to].to_vec());
                }
            }
            words.sort();
            words.dedup();
        }
        words.iter().map(|w| Value::Str(Str::from(&w[..]))).collect()
    }

    fn model_first(&mut self) -> (Vec<Term>, Vec<Model>) {
        self.declare_some();
        let mut model = Model::new();
        for (f, _) in self.constants.clone() {
            let value = self.value(self.pool.fun(f).ret);
            model.assign(f, value);
        }
        let terms = self.assertions(6);
        let truths: Vec<Satisfaction> = {
            let mut e = Evaluator::new(self.pool, &model);
            terms.iter().map(|&t| e.truth(t)).collect()
        };
        let mut assertions = Vec::new();
        for (t, truth) in terms.into_iter().zip(truths) {
            match truth {
                Satisfaction::Holds => assertions.push(t),
                Satisfaction::Fails => assertions.push(self.op(Op::Not, &[t])),
                Satisfaction::Undetermined(_) => {}
            }
        }
        (assertions, vec![model])
    }

    fn unbounded(&mut self) -> (Vec<Term>, Vec<Model>) {
        self.declare_some();
        let assertions = self.assertions(4);
        let models = (0..40).map(|_| {
            let mut model = Model::new();
            for (f, _) in self.constants.clone() {
                let value = self.value(self.pool.fun(f).ret);
                model.assign(f, value);
            }
            model
        });
        let models = models.collect();
        (assertions, models)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smt::print::term_text;
    use std::collections::BTreeMap;

    fn text(seed: u64, index: u64) -> (String, Option<bool>) {
        let mut pool = Pool::new();
        let f = formula(&mut pool, seed, index);
        (f.assertions.iter().map(|&t| term_text(&pool, t) + "\n").collect(), f.truth)
    }

    #[test]
    fn formulas_follow_from_their_number() {
        for i in 0..50 {
            assert_eq!(text(7, i), text(7, i));
        }
        assert!((0..50).any(|i| text(7, i) != text(8, i)));
    }

    #[test]
    fn both_answers_and_every_operator_occur() {
        let mut truths: BTreeMap<(Kind, Option<bool>), usize> = BTreeMap::new();
        let mut all = String::new();
        for i in 0..3000 {
            let mut pool = Pool::new();
            let f = formula(&mut pool, 1, i);
            *truths.entry((f.kind, f.truth)).or_default() += 1;
            for &t in &f.assertions {
                all.push_str(&term_text(&pool, t));
            }
        }
        let of = |kind, truth| truths.get(&(kind, truth)).copied().unwrap_or(0);
        assert!(of(Kind::Bounded, Some(true)) > 300 && of(Kind::Bounded, Some(false)) > 300, "{truths:?}");
        assert_eq!(of(Kind::Bounded, None) + of(Kind::ModelFirst, None), 0, "{truths:?}");
        let operators = [
            "str.++",
            "str.len",
            "str.at",
            "str.substr",
            "str.contains",
            "str.prefixof",
            "str.suffixof",
            "str.indexof",
            "str.replace ",
            "str.<",
            "str.<=",
            "str.to_code",
            "str.from_code",
            "str.is_digit",
            "str.to_int",
            "str.from_int",
            "str.replace_all",
            "str.in_re",
            "(ite ",
            "(div ",
            "(mod ",
            "(abs ",
            "(* ",
            "(- ",
            "(+ ",
            "(xor ",
            "(=> ",
            "(distinct ",
        ];
        for op in operators {
            assert!(all.contains(op), "{op}");
        }
    }

    /// The truth of bounded formulas by another way: all words over a larger alphabet up to a length, the bounds
    /// being ordinary assertions.
    #[test]
    fn bounded_formulas_have_no_other_models() {
        for i in 0..150 {
            let mut pool = Pool::new();
            let f = formula(&mut pool, 3, i);
            if f.truth != Some(false) || f.constants.len() > 2 {
                continue;
            }
            let words: Vec<Value> = (0..4u32)
                .flat_map(|n| (0..4u32.pow(n)).map(move |code| (n, code)))
                .map(|(n, code)| {
                    (0..n).map(|k| [97, 98, 48, 49][(code / 4u32.pow(k) % 4) as usize]).collect()
                })
                .map(|w: Vec<u32>| Value::Str(Str::from(&w[..])))
                .collect();
            let mut models = vec![Model::new()];
            for &c in &f.constants {
                let domain: Vec<Value> = match pool.fun(c).ret {
                    Sort::STRING => words.clone(),
                    Sort::INT => (-3..13).map(|n| Value::Int(Int::from(n))).collect(),
                    _ => vec![Value::Bool(true), Value::Bool(false)],
                };
                let with = |m: &Model, v: &Value| {
                    let mut m = m.clone();
                    m.assign(c, v.clone());
                    m
                };
                models = models.iter().flat_map(|m| domain.iter().map(move |v| with(m, v))).collect();
            }
            assert_eq!(decide(&pool, &models, &f.assertions).0, None, "{}", text(3, i).0);
        }
    }
}
