//! A search for a model among small values.
//!
//! Backtracking over the variables with the referee as judge: after each assignment every assertion is evaluated as far
//! as possible, a false one ends the branch, and an equation that has only one unknown left gives its value; one whose
//! left side is known gives the few ways to split it. The referee accepts every model that is
//! found. If none is found, there is none among these values.

use crate::substitute::{free_vars, literals};
use rustc_hash::FxHashSet;
use semantics::regex::RegexStore;
use semantics::value::Seq;
use semantics::{Config, Evaluator, Model, Satisfaction, Str, Value};
use smt::{Head, Int, Op, Pool, Sort, Term};

/// The values to try, by sort, simplest first.
#[derive(Clone, Debug, Default)]
pub struct Values {
    /// Strings.
    pub words: Vec<Str>,
    /// Integers.
    pub ints: Vec<Int>,
}

impl Values {
    /// A few distinctive values, and the constants of the formulas with their neighbours.
    pub fn distinctive(pool: &Pool, terms: &[Term]) -> Values {
        let words = ["", "a", "b", "aa", "ab", "ba", "0", "1", "12", "01", "abc"];
        let mut values = Values {
            words: words.iter().filter_map(|w| Str::from_text(w)).collect(),
            ints: [0, 1, -1, 2, 3, 12, 48, 97].iter().map(|&n: &i64| Int::from(n)).collect(),
        };
        values.add_literals(pool, terms);
        values
    }

    /// All words over `letters` up to a length, small integers, and the constants of the formulas.
    pub fn exhaustive(pool: &Pool, letters: &[u32], length: usize, terms: &[Term]) -> Values {
        let mut words = vec![Vec::new()];
        let mut from = 0;
        for _ in 0..length {
            let end = words.len();
            for i in from..end {
                for &c in letters {
                    let mut word: Vec<u32> = words[i].clone();
                    word.push(c);
                    words.push(word);
                }
            }
            from = end;
        }
        let words = words.iter().map(|w| Str::from(&w[..])).collect();
        let ints = [0, 1, -1, 2, 3, 4, -2, 5].iter().map(|&n: &i64| Int::from(n)).collect();
        let mut values = Values { words, ints };
        values.add_literals(pool, terms);
        values
    }

    fn add_literals(&mut self, pool: &Pool, terms: &[Term]) {
        for t in terms.iter().flat_map(|&t| literals(pool, t)) {
            match pool.head(t) {
                Head::Str(id) => {
                    let word = Str::from(pool.word(id));
                    if !self.words.contains(&word) {
                        self.words.push(word);
                    }
                }
                Head::Int(id) => {
                    let n = pool.int_value(id);
                    for n in [n.clone(), n + Int::from(1), n - Int::from(1)] {
                        let digits = semantics::strings::from_int(&n);
                        if !self.words.contains(&digits) {
                            self.words.push(digits);
                        }
                        if !self.ints.contains(&n) {
                            self.ints.push(n);
                        }
                    }
                }
                _ => {}
            }
        }
    }

    fn of(&self, pool: &Pool, sort: Sort) -> Vec<Value> {
        if let Some(element) = pool.element_of(sort) {
            return self.sequences(pool, sort, element);
        }
        match sort {
            Sort::BOOL => vec![Value::Bool(true), Value::Bool(false)],
            Sort::INT => self.ints.iter().cloned().map(Value::Int).collect(),
            Sort::STRING => self.words.iter().cloned().map(Value::Str).collect(),
            _ => Vec::new(),
        }
    }
}

impl Values {
    /// Sequences of up to two elements: the first and the last of their values. The recursion is as deep as the sort.
    fn sequences(&self, pool: &Pool, sort: Sort, element: Sort) -> Vec<Value> {
        let mut elements = self.of(pool, element);
        let last = elements.split_off(elements.len().min(2));
        elements.extend(last.into_iter().rev().take(2));
        let one = elements.iter().map(|v| vec![v.clone()]);
        let two = elements.iter().flat_map(|v| elements.iter().map(|w| vec![v.clone(), w.clone()]));
        let text: std::sync::Arc<str> = pool.sort_text(sort).into();
        let all = std::iter::once(Vec::new()).chain(one).chain(two);
        all.filter_map(|items| Seq::new(text.clone(), items)).map(Value::Seq).collect()
    }
}

/// An assignment of values to variables.
pub type Assignment = Vec<(Term, Value)>;

/// The result of a search.
#[derive(Clone, Debug)]
pub enum Found {
    /// A model of all terms.
    Model(Assignment),
    /// None among these values.
    None,
    /// None, but some branches could not be judged, or the budget was exhausted.
    GaveUp,
}

/// Looks for a model of `goals` over `vars`, in at most `steps` steps.
pub fn search(pool: &Pool, vars: &[Term], goals: &[Term], values: &Values, steps: u64) -> Found {
    let model = Model::new();
    let config = Config { steps: 200_000, ..Config::default() };
    let e = Evaluator::with(pool, &model, config, RegexStore::new());
    let goals = goals.iter().map(|&g| (g, free_vars(pool, g))).collect();
    let mut search = Search { e, vars, goals, values, left: steps, undetermined: false, bound: Vec::new() };
    if search.descend() {
        return Found::Model(search.bound);
    }
    if search.undetermined || search.left == 0 { Found::GaveUp } else { Found::None }
}

struct Search<'a> {
    e: Evaluator<'a>,
    vars: &'a [Term],
    /// With their variables.
    goals: Vec<(Term, Vec<Term>)>,
    values: &'a Values,
    left: u64,
    /// A branch could not be judged.
    undetermined: bool,
    bound: Assignment,
}

impl Search<'_> {
    /// Extends the assignment to a model; false if there is none below.
    fn descend(&mut self) -> bool {
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        self.e.unbind();
        for (v, value) in &self.bound {
            self.e.bind(*v, value.clone());
        }
        let mut undecided = Vec::new();
        for (i, (g, _)) in self.goals.iter().enumerate() {
            match self.e.truth(*g) {
                Satisfaction::Holds => {}
                Satisfaction::Fails => return false,
                Satisfaction::Undetermined(_) => undecided.push(i),
            }
        }
        if undecided.is_empty() {
            self.complete();
            return true;
        }
        let Some((v, candidates)) = self.choose(&undecided) else {
            self.undetermined = true;
            return false;
        };
        for value in candidates {
            self.bound.push((v, value));
            if self.descend() {
                return true;
            }
            self.bound.pop();
        }
        false
    }

    /// Gives values to variables without influence.
    fn complete(&mut self) {
        let missing: Vec<Term> = self.vars.iter().copied().filter(|&v| self.is_missing(v)).collect();
        for v in missing {
            let sort = self.e.pool().sort_of(v);
            let value = self.values.of(self.e.pool(), sort).into_iter().next().expect("a sort with values");
            self.bound.push((v, value));
        }
        let order = |v: &Term| self.vars.iter().position(|w| w == v);
        self.bound.sort_by_key(|(v, _)| order(v));
    }

    fn is_missing(&self, v: Term) -> bool {
        self.vars.contains(&v) && !self.bound.iter().any(|(b, _)| *b == v)
    }

    /// The next variable, and its candidate values: one that an equation gives, one that a split gives, else one of
    /// the assertion that has the fewest left.
    fn choose(&mut self, undecided: &[usize]) -> Option<(Term, Vec<Value>)> {
        let terms: Vec<Term> = undecided.iter().map(|&i| self.goals[i].0).collect();
        let equations = self.equations(&terms);
        let mut split = None;
        for &(l, r) in &equations {
            for (x, t) in [(l, r), (r, l)] {
                let Ok(value) = self.e.eval(t) else { continue };
                if self.is_missing(x) {
                    return Some((x, vec![value]));
                }
                if let Value::Str(word) = value
                    && split.is_none()
                {
                    split = self.split(x, &word);
                }
            }
        }
        split.or_else(|| {
            let missing = |i: usize| self.goals[i].1.iter().copied().filter(|&v| self.is_missing(v));
            let smallest = undecided.iter().copied().filter(|&i| missing(i).count() > 0);
            let v = missing(smallest.min_by_key(|&i| missing(i).count())?).next()?;
            let pool = self.e.pool();
            Some((v, self.values.of(pool, pool.sort_of(v))))
        })
    }

    /// The equations that must hold, as far as the guards around them are decided.
    fn equations(&mut self, undecided: &[Term]) -> Vec<(Term, Term)> {
        let pool = self.e.pool();
        let (mut out, mut stack) = (Vec::new(), undecided.to_vec());
        let mut seen = FxHashSet::default();
        while let Some(t) = stack.pop() {
            let t = pool.strip(t);
            if !seen.insert(t) {
                continue;
            }
            let args = pool.args(t);
            match pool.head(t) {
                Head::Op(Op::And) => stack.extend(args.iter().rev()),
                Head::Op(Op::Eq) if args.len() == 2 => out.push((args[0], args[1])),
                Head::Op(Op::Ite) => match self.e.truth(args[0]) {
                    Satisfaction::Holds => stack.push(args[1]),
                    Satisfaction::Fails => stack.push(args[2]),
                    Satisfaction::Undetermined(_) => {}
                },
                Head::Op(Op::Implies) if args.len() == 2 && self.e.truth(args[0]) == Satisfaction::Holds => {
                    stack.push(args[1]);
                }
                _ => {}
            }
        }
        out
    }

    /// `word = t`, a concatenation: the candidates for the first unknown part.
    fn split(&mut self, t: Term, word: &Str) -> Option<(Term, Vec<Value>)> {
        let pool = self.e.pool();
        if pool.head(t) != Head::Op(Op::StrConcat) {
            return None;
        }
        let mut rest: &[u32] = word;
        for (i, &part) in pool.args(t).iter().enumerate() {
            if let Ok(Value::Str(known)) = self.e.eval(part) {
                rest = rest.strip_prefix(&known[..])?;
                continue;
            }
            if !self.is_missing(part) {
                return None;
            }
            let last = i + 1 == pool.args(t).len();
            let from = if last { rest.len() } else { 0 };
            let prefixes = (from..=rest.len()).map(|n| Value::Str(Str::from(&rest[..n])));
            return Some((part, prefixes.collect()));
        }
        None
    }
}
