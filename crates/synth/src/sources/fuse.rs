//! Semantic fusion, after Winterer, Zhang and Su, "Validating SMT Solvers via Semantic Fusion", PLDI 2020.
//!
//! Two instances are joined by a constant `x` of one and `y` of the other: a new constant `z = f(x, y)`, and inversions with `x = r(y, z)` that take
//! the place of some occurrences of `x`, and of `y` likewise. Satisfiable instances stay so in conjunction: `z` gets the value of `f(x, y)`. If one is unsatisfiable,
//! so is the conjunction with `x = r(y, z)`, which says that nothing was replaced; if both are, so is the disjunction.
//!
//! The functions and inversions are the rules of `rules/fusion.smt2`.

use super::adopt::{Adopter, constant_value};
use super::base::{Base, draw_if};
use super::{Made, Material, Source};
use crate::dice::Dice;
use rustc_hash::FxHashMap;
use semantics::instance::{Instance, Truth};
use semantics::regex::RegexStore;
use semantics::rule::{self, Rule};
use semantics::{Evaluator, Model};
use smt::{Fun, Head, Op, Pool, Sort, Term};
use std::sync::OnceLock;

pub(super) static FUSE: Source = Source {
    name: "fuse",
    about: "two instances joined by a fusion function of two of their constants",
    truth: "sat if both are, unsat if one is (in conjunction) or both are (in disjunction)",
    needs_corpus: false,
    make,
};

/// The fusion functions and their inversions.
pub(super) const RULES: &str = include_str!("../../rules/fusion.smt2");

/// A fusion function with terms that give its arguments back.
struct Fusion {
    /// The function, defined in the pool of the rules.
    fun: Fun,
    sort: Sort,
    /// Rules for its first and its second argument.
    back: [Vec<Rule>; 2],
}

struct Fusions {
    pool: Pool,
    list: Vec<Fusion>,
}

fn fusions() -> &'static Fusions {
    static FUSIONS: OnceLock<Fusions> = OnceLock::new();
    FUSIONS.get_or_init(|| {
        let mut pool = Pool::new();
        let rules = rule::load(RULES.as_bytes(), &mut pool).expect("shipped rules are valid");
        let mut list: Vec<Fusion> = Vec::new();
        for rule in rules {
            let call = call(&pool, rule.lhs).expect("an inversion applies its function");
            let Head::Fun(fun) = pool.head(call) else { continue };
            let which = usize::from(pool.args(call)[1] == rule.rhs);
            let sort = pool.sort_of(call);
            if !list.iter().any(|f| f.fun == fun) {
                list.push(Fusion { fun, sort, back: [Vec::new(), Vec::new()] });
            }
            list.iter_mut().filter(|f| f.fun == fun).for_each(|f| f.back[which].push(rule.clone()));
        }
        Fusions { pool, list }
    })
}

/// The application of the fusion function in an inversion.
fn call(pool: &Pool, t: Term) -> Option<Term> {
    pool.subterms([t]).find(|&t| matches!(pool.head(t), Head::Fun(_)))
}

fn make(dice: &mut Dice, material: &Material) -> Option<Made> {
    let (mut first, mut second) = (known(dice, material)?, known(dice, material)?);
    if matches!(first.truth, Truth::Sat(_)) {
        // The first one is unsatisfiable, if one is.
        std::mem::swap(&mut first, &mut second);
    }
    let recipe = format!("{} and {}", first.from, second.from);
    let made = Fuser::new(dice, first, second)?.fused()?;
    Some(made.with_recipe(recipe))
}

/// An instance with a known answer, without quantifiers: their variables might capture constants.
fn known(dice: &mut Dice, material: &Material) -> Option<Base> {
    // What cannot fit is not made.
    let file_fits = |file: &Instance| !matches!(file.truth, Truth::Unknown);
    let source_fits = |source: &Source| source.name != "quantified";
    for _ in 0..20 {
        let Some(base) = draw_if(dice, material, &file_fits, &source_fits) else { continue };
        let plain = base.assertions.iter().all(|&t| !base.pool.has_binder(t));
        if plain && !matches!(base.truth, Truth::Unknown) {
            return Some(base);
        }
    }
    None
}

struct Fuser<'a> {
    dice: &'a mut Dice,
    pool: Pool,
    /// The assertions of the two instances.
    parts: [Vec<Term>; 2],
    truths: [Truth; 2],
    model: Model,
    x: Term,
    y: Term,
    z: Term,
    fusion: &'static Fusion,
}

impl<'a> Fuser<'a> {
    fn new(dice: &'a mut Dice, first: Base, second: Base) -> Option<Fuser<'a>> {
        let Base { mut pool, assertions, truth, .. } = first;
        let mut adopter = Adopter::new(&second.pool);
        let mut choose =
            |pool: &mut Pool, f: Fun| Adopter::declare(&second.pool, pool, f, second.pool.fun_name(f));
        let other: Option<Vec<Term>> =
            second.assertions.iter().map(|&t| adopter.copy(&mut pool, t, &mut choose)).collect();
        let other = other?;
        let mut model = if let Truth::Sat(model) = &truth { (**model).clone() } else { Model::new() };
        if let Truth::Sat(theirs) = &second.truth {
            for &(f, ours) in &adopter.funs {
                if let Some(value) = constant_value(&second.pool, theirs, f) {
                    model.assign(ours, value);
                }
            }
        }
        let xs = constants(&pool, &assertions);
        let mut ys = constants(&pool, &other);
        let sort = |t: &Term| pool.sort_of(*t);
        let xs: Vec<Term> = xs.into_iter().filter(|x| ys.iter().any(|y| sort(y) == sort(x))).collect();
        let x = *pick(dice, &xs)?;
        ys.retain(|y| sort(y) == sort(&x));
        let y = *pick(dice, &ys)?;
        let fitting: Vec<&Fusion> = fusions().list.iter().filter(|f| f.sort == pool.sort_of(x)).collect();
        let fusion = *pick(dice, &fitting)?;
        let z = fresh(&mut pool, x);
        let (parts, truths) = ([assertions, other], [truth, second.truth]);
        Some(Fuser { dice, pool, parts, truths, model, x, y, z, fusion })
    }

    fn fused(mut self) -> Option<Made> {
        let backs = [self.inversion(0)?, self.inversion(1)?];
        for (i, &back) in backs.iter().enumerate() {
            let of = if i == 0 { self.x } else { self.y };
            self.parts[i] = self.parts[i].clone().into_iter().map(|t| self.scatter(t, of, back)).collect();
        }
        let function = self.function()?;
        let defined = self.eq(self.z, function)?;
        let (x, y) = (self.eq(self.x, backs[0])?, self.eq(self.y, backs[1])?);
        match (&self.truths[0], &self.truths[1]) {
            (Truth::Sat(_), _) => self.satisfiable(function, defined),
            (_, Truth::Unsat(_)) if !self.dice.one_in(3) => self.disjunction([x, y], defined),
            _ => self.conjunction([x, y], defined),
        }
    }

    /// `f(x, y)`, its definition expanded.
    fn function(&mut self) -> Option<Term> {
        let fusions = fusions();
        let def = fusions.pool.fun(self.fusion.fun).def.as_ref()?;
        let mut adopter = Adopter::new(&fusions.pool);
        adopter.done = FxHashMap::from_iter([(def.vars[0], self.x), (def.vars[1], self.y)]);
        adopter.copy(&mut self.pool, def.body, &mut |_, f| f)
    }

    /// A term over `z` that is `x` or `y`.
    fn inversion(&mut self, which: usize) -> Option<Term> {
        let fusions = fusions();
        let rule = pick(self.dice, &self.fusion.back[which])?;
        let call = call(&fusions.pool, rule.lhs)?;
        let args = fusions.pool.args(call);
        let mut adopter = Adopter::new(&fusions.pool);
        adopter.done = FxHashMap::from_iter([(args[0], self.x), (args[1], self.y), (call, self.z)]);
        adopter.copy(&mut self.pool, rule.lhs, &mut |_, f| f)
    }

    fn eq(&mut self, a: Term, b: Term) -> Option<Term> {
        self.pool.op(Op::Eq, &[a, b]).ok()
    }

    /// Replaces some occurrences of a constant. Most of those in regular expressions stay: solvers expect literals there.
    fn scatter(&mut self, t: Term, of: Term, by: Term) -> Term {
        let dice = &mut *self.dice;
        self.pool.rebuild(t, &mut FxHashMap::default(), |pool, t, children| {
            let closed = matches!(pool.head(t), Head::Op(Op::StrToRe | Op::ReRange));
            let mut new = |c: Term| {
                let moves = c == of && dice.one_in(2) && (!closed || dice.one_in(4));
                if moves { by } else { c }
            };
            let children: Vec<Term> = children.iter().map(|&c| new(c)).collect();
            pool.with_children(t, &children)
        })
    }

    fn satisfiable(mut self, function: Term, defined: Term) -> Option<Made> {
        let config = super::config();
        let value =
            Evaluator::with(&self.pool, &self.model, config, RegexStore::new()).eval(function).ok()?;
        let Head::Fun(z) = self.pool.head(self.z) else { return None };
        self.model.assign(z, value);
        let [mut all, other] = self.parts;
        all.extend(other);
        if self.dice.one_in(2) {
            all.push(defined);
        }
        self.dice.shuffle(&mut all);
        Made::sat(self.pool, &all, self.model)
    }

    fn disjunction(mut self, inverse: [Term; 2], defined: Term) -> Option<Made> {
        let sides = self.parts.clone().map(|part| conjunction(&mut self.pool, &part));
        let or = self.pool.op(Op::Or, &[sides[0]?, sides[1]?]).ok()?;
        let mut all = vec![or, inverse[0], inverse[1]];
        if self.dice.one_in(2) {
            all.push(defined);
        }
        Some(Made::new(self.pool, &all, Truth::Unsat(vec![0, 1, 2])))
    }

    fn conjunction(self, inverse: [Term; 2], defined: Term) -> Option<Made> {
        let [mut all, other] = self.parts;
        // The inversion of the first instance, and the first instance.
        let core = (0..=all.len()).collect();
        all.push(inverse[0]);
        all.extend(other);
        if self.dice.one_in(2) {
            all.extend([inverse[1], defined]);
        }
        Some(Made::new(self.pool, &all, Truth::Unsat(core)))
    }
}

fn conjunction(pool: &mut Pool, terms: &[Term]) -> Option<Term> {
    match terms {
        [one] => Some(*one),
        _ => pool.op(Op::And, terms).ok(),
    }
}

fn pick<'t, T>(dice: &mut Dice, list: &'t [T]) -> Option<&'t T> {
    (!list.is_empty()).then(|| dice.pick(list))
}

/// The string and integer constants of terms.
fn constants(pool: &Pool, terms: &[Term]) -> Vec<Term> {
    let is = |t: &Term| {
        matches!(pool.head(*t), Head::Fun(_))
            && pool.args(*t).is_empty()
            && matches!(pool.sort_of(*t), Sort::STRING | Sort::INT)
    };
    pool.subterms(terms.iter().copied()).filter(is).collect()
}

/// A new constant of the sort of another.
fn fresh(pool: &mut Pool, like: Term) -> Term {
    let mut name = "z".to_owned();
    while pool.names.lookup(&name).is_some() {
        name.push('_');
    }
    let name = pool.names.intern(&name);
    let f = pool.declare(name, Box::new([]), pool.sort_of(like));
    pool.apply(f, &[])
}
