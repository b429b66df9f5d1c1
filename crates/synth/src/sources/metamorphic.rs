//! Instances of other sources in another form that keeps the answer: other orders, names and sharing, double negations, neutral elements,
//! conjunctions split and joined, subterms defined by new constants, words reversed, characters permuted.
//!
//! Each step is an equivalence, or a definition of a new constant, which every model extends to: so satisfiable, unsatisfiable and unlabelled
//! instances stay what they are. Reversed and permuted instances keep their label only if the transformer proves it.

use super::adopt::{Adopter, constant_value};
use super::base::{Base, draw};
use super::{Made, Material, Source};
use crate::dice::Dice;
use crate::transformers::{Chain, Flags};
use rustc_hash::FxHashMap;
use semantics::instance::Truth;
use semantics::regex::RegexStore;
use semantics::{Evaluator, Model};
use smt::{Command, Dialect, Fun, Head, Op, Pool, Sort, Term};

pub(super) static METAMORPHIC: Source = Source {
    name: "metamorphic",
    about: "instances of other sources in equivalent forms, with other names, orders and definitions",
    truth: "that of the instance, which every step keeps",
    needs_corpus: false,
    make,
};

fn make(dice: &mut Dice, material: &Material) -> Option<Made> {
    let base = draw(dice, material)?;
    let from = base.from;
    let mut form = Form::of(dice, base);
    let steps: Vec<&'static str> = (0..1 + form.dice.index(4)).filter_map(|_| form.step()).collect();
    let seed = form.dice.below(1 << 32);
    let (lets, moves) = (form.dice.one_in(3), form.dice.index(8));
    let mut made = form.finish()?;
    if lets {
        made.instance
            .script
            .entries
            .iter_mut()
            .for_each(|e| e.lets = matches!(e.command, Command::Assert(_)));
    }
    let transformer = ["reverse", "translate"].get(moves);
    if let Some(name) = transformer {
        let flags = Flags { within_ranges: true, ..Flags::default() };
        Chain::new([*name], &flags).ok()?.apply(&mut made.instance, seed, Dialect::Smt26);
    }
    let recipe = format!("{from}: {} {}", steps.join(" "), transformer.unwrap_or(&""));
    Some(made.with_recipe(recipe.trim_end()))
}

/// An instance that is being rewritten.
struct Form<'a> {
    dice: &'a mut Dice,
    pool: Pool,
    /// The assertions, and whether they are in the core.
    all: Vec<(Term, bool)>,
    truth: Truth,
}

impl<'a> Form<'a> {
    fn of(dice: &'a mut Dice, base: Base) -> Form<'a> {
        let core: &[usize] = if let Truth::Unsat(core) = &base.truth { core } else { &[] };
        let all = base.assertions.iter().enumerate().map(|(i, &t)| (t, core.contains(&i))).collect();
        Form { dice, pool: base.pool, all, truth: base.truth }
    }

    fn step(&mut self) -> Option<&'static str> {
        match self.dice.index(9) {
            0 => {
                self.dice.shuffle(&mut self.all);
                Some("shuffle")
            }
            1 | 2 => self.each("commute", commuted),
            3 => self.each("not-not", doubled),
            4 => self.each("neutral", neutral),
            5 => self.split(),
            6 => self.join(),
            7 => self.define(),
            _ => self.rename(),
        }
    }

    /// Rewrites every subterm.
    fn each(
        &mut self,
        name: &'static str,
        node: fn(&mut Pool, &mut Dice, Term) -> Option<Term>,
    ) -> Option<&'static str> {
        let mut done = FxHashMap::default();
        let (pool, dice) = (&mut self.pool, &mut *self.dice);
        for (t, _) in &mut self.all {
            *t = pool.rebuild(*t, &mut done, |pool, t, children| {
                let t = pool.with_children(t, children);
                node(pool, dice, t).unwrap_or(t)
            });
        }
        Some(name)
    }

    /// The parts of conjunctions as assertions of their own.
    fn split(&mut self) -> Option<&'static str> {
        let mut parts = Vec::new();
        for &(t, core) in &self.all {
            if self.pool.head(t) == Head::Op(Op::And) {
                parts.extend(self.pool.args(t).iter().map(|&a| (a, core)));
            } else {
                parts.push((t, core));
            }
        }
        let changed = parts.len() > self.all.len();
        self.all = parts;
        changed.then_some("split")
    }

    /// Two assertions as one.
    fn join(&mut self) -> Option<&'static str> {
        if self.all.len() < 2 {
            return None;
        }
        let (a, b) = (self.all.pop()?, self.all.pop()?);
        let both = self.pool.op(Op::And, &[b.0, a.0]).ok()?;
        self.all.push((both, a.1 || b.1));
        Some("join")
    }

    /// A new constant for a subterm.
    fn define(&mut self) -> Option<&'static str> {
        let closed = |t: &Term| {
            let sort = self.pool.sort_of(*t);
            !self.pool.has_var(*t)
                && !self.pool.args(*t).is_empty()
                && matches!(sort, Sort::STRING | Sort::INT | Sort::BOOL)
        };
        let parts: Vec<Term> = self.pool.subterms(self.all.iter().map(|a| a.0)).filter(closed).collect();
        if parts.is_empty() || self.all.iter().any(|&(t, _)| self.pool.has_binder(t)) {
            return None;
        }
        let part = *self.dice.pick(&parts);
        let value = match &self.truth {
            Truth::Sat(model) => {
                let store = RegexStore::new();
                Some(Evaluator::with(&self.pool, model, super::config(), store).eval(part).ok()?)
            }
            _ => None,
        };
        let sort = self.pool.sort_of(part);
        let f = fresh(&mut self.pool, "d", sort);
        let c = self.pool.apply(f, &[]);
        if let (Truth::Sat(model), Some(value)) = (&mut self.truth, value) {
            model.assign(f, value);
        }
        let mut map = FxHashMap::from_iter([(part, c)]);
        for (t, _) in &mut self.all {
            *t = self.pool.replace(*t, &mut map);
        }
        let body = padded(&mut self.pool, self.dice, part);
        let equation = self.pool.op(Op::Eq, &[c, body]).ok()?;
        self.all.push((equation, true));
        Some("define")
    }

    /// All constants with other names.
    fn rename(&mut self) -> Option<&'static str> {
        let from = std::mem::take(&mut self.pool);
        let renamed = renamed(&from, self.dice, &self.all, &self.truth);
        match renamed {
            Some((pool, all, model)) => {
                (self.pool, self.all) = (pool, all);
                if let (Truth::Sat(old), Some(model)) = (&mut self.truth, model) {
                    **old = model;
                }
                Some("rename")
            }
            None => {
                self.pool = from;
                None
            }
        }
    }

    fn finish(self) -> Option<Made> {
        let assertions: Vec<Term> = self.all.iter().map(|a| a.0).collect();
        match self.truth {
            Truth::Sat(model) => Made::sat(self.pool, &assertions, *model),
            Truth::Unsat(core) => {
                let places = (0..self.all.len()).filter(|&i| self.all[i].1);
                let core = if core.is_empty() { Vec::new() } else { places.collect() };
                Some(Made::new(self.pool, &assertions, Truth::Unsat(core)))
            }
            Truth::Unknown => Some(Made::new(self.pool, &assertions, Truth::Unknown)),
        }
    }
}

/// The same in a new pool; none if there are functions or quantifiers, whose variables might capture names.
#[allow(clippy::type_complexity, reason = "used once")]
fn renamed(
    from: &Pool,
    dice: &mut Dice,
    all: &[(Term, bool)],
    truth: &Truth,
) -> Option<(Pool, Vec<(Term, bool)>, Option<Model>)> {
    if all.iter().any(|&(t, _)| from.has_binder(t)) {
        return None;
    }
    let style = *dice.pick(&["v", "str", "x!", "A B", "_"]);
    let mut pool = Pool::new();
    let mut adopter = Adopter::new(from);
    let mut choose = |pool: &mut Pool, f: Fun| {
        let name = format!("{style}{}", pool.fun_count());
        Adopter::declare(from, pool, f, &name)
    };
    let mut terms = Vec::with_capacity(all.len());
    for &(t, core) in all {
        terms.push((adopter.copy(&mut pool, t, &mut choose)?, core));
    }
    if adopter.funs.iter().any(|&(f, _)| !from.fun(f).params.is_empty()) {
        return None;
    }
    let Truth::Sat(old) = truth else { return Some((pool, terms, None)) };
    let mut model = Model::new();
    for &(theirs, ours) in &adopter.funs {
        if let Some(value) = constant_value(from, old, theirs) {
            model.assign(ours, value);
        }
    }
    Some((pool, terms, Some(model)))
}

fn fresh(pool: &mut Pool, base: &str, sort: Sort) -> Fun {
    let mut name = base.to_owned();
    while pool.names.lookup(&name).is_some() {
        name.push('!');
    }
    let name = pool.names.intern(&name);
    pool.declare(name, Box::new([]), sort)
}

/// The arguments of commutative operators in another order, comparisons turned around.
fn commuted(pool: &mut Pool, dice: &mut Dice, t: Term) -> Option<Term> {
    let Head::Op(op) = pool.head(t) else { return None };
    let mut args = pool.args(t).to_vec();
    let op = match op {
        Op::And
        | Op::Or
        | Op::Xor
        | Op::Add
        | Op::Mul
        | Op::Eq
        | Op::Distinct
        | Op::ReUnion
        | Op::ReInter => {
            dice.shuffle(&mut args);
            op
        }
        Op::Le | Op::Lt | Op::Ge | Op::Gt if dice.one_in(2) => {
            args.reverse();
            turned(op)
        }
        _ => return None,
    };
    pool.op(op, &args).ok()
}

fn turned(op: Op) -> Op {
    match op {
        Op::Le => Op::Ge,
        Op::Lt => Op::Gt,
        Op::Ge => Op::Le,
        Op::Gt => Op::Lt,
        other => other,
    }
}

fn doubled(pool: &mut Pool, dice: &mut Dice, t: Term) -> Option<Term> {
    if pool.sort_of(t) != Sort::BOOL || is_leaf(pool, t) || !dice.one_in(4) {
        return None;
    }
    let not = pool.op(Op::Not, &[t]).ok()?;
    pool.op(Op::Not, &[not]).ok()
}

/// `t` with a neutral element.
fn neutral(pool: &mut Pool, dice: &mut Dice, t: Term) -> Option<Term> {
    if is_leaf(pool, t) || !dice.one_in(5) {
        return None;
    }
    Some(padded(pool, dice, t))
}

fn padded(pool: &mut Pool, dice: &mut Dice, t: Term) -> Term {
    let (op, other) = match pool.sort_of(t) {
        Sort::STRING => (Op::StrConcat, pool.string(&[])),
        Sort::INT => (Op::Add, pool.int(0)),
        Sort::BOOL => (Op::And, pool.bool(true)),
        Sort::REGLAN => match pool.op(Op::ReNone, &[]) {
            Ok(none) => (Op::ReUnion, none),
            Err(_) => return t,
        },
        _ => return t,
    };
    let args = if dice.one_in(2) { [t, other] } else { [other, t] };
    pool.op(op, &args).unwrap_or(t)
}

/// A literal or a variable; binders list variables, which must stay.
fn is_leaf(pool: &Pool, t: Term) -> bool {
    matches!(
        pool.head(t),
        Head::Var(_) | Head::Str(_) | Head::Int(_) | Head::Real(_) | Head::Op(Op::True | Op::False)
    )
}
