//! Verification of rules by evaluation: each step on random terms is evaluated before and after, by the referee, on many
//! small assignments.

mod corpus;
mod deep;
mod forms;
pub(crate) mod generate;
mod shapes;

use super::*;
use generate::{Dice, Gen};
use rustc_hash::FxHashSet;
use semantics::{Evaluator, Model, Why};
use std::collections::BTreeMap;

/// The number of applications of each rule.
type Seen = BTreeMap<&'static str, u64>;

/// All rules.
fn rules() -> impl Iterator<Item = &'static Rule> {
    RULES.iter().copied().flatten().chain(extended::RULES)
}

/// Rewrites random terms of one pool and checks every step.
fn batch(seed: u64, terms: usize, models: usize, seen: &mut Seen) {
    let mut g = Gen::new(seed);
    let mut rw = Rewriter::new();
    let mut whole = Vec::new();
    for _ in 0..terms {
        let t = g.term();
        let sides = if g.dice.chance(1, 2) { equality::strings(&g.pool, t) } else { None };
        let u = match sides {
            Some((s, v)) if is(&g.pool, t, Op::Eq) => rw.rewrite_eq(&mut g.pool, s, v),
            _ => rw.rewrite(&mut g.pool, Mode::Full, t),
        };
        whole.push((t, u));
    }
    assert_eq!(rw.exhausted(), 0, "seed {seed}: a cycle of rules");
    let mut steps = std::mem::take(&mut rw.trace);
    for (rule, ..) in &steps {
        *seen.entry(rule).or_default() += 1;
    }
    steps.extend(whole.iter().map(|&(t, u)| ("all together", t, u)));
    check(&g, &steps, models, seed);
    idempotent(&mut g.pool, &whole);
}

fn check(g: &Gen, steps: &[(&'static str, Term, Term)], models: usize, seed: u64) {
    let mut dice = Dice::new(seed ^ 0xabcd);
    for _ in 0..models {
        let model = g.model(&mut dice);
        let mut e = Evaluator::new(&g.pool, &model);
        for &(rule, before, after) in steps {
            let (a, b) = (e.eval(before), e.eval(after));
            // A division by zero can have any value, and may be evaluated in another order.
            let (Ok(a), false) = (a, matches!(b, Err(Why::DivisionByZero(_)))) else { continue };
            if b.as_ref() != Ok(&a) {
                panic!(
                    "seed {seed}, rule {rule}:\n  {}\n= {}\nbut {a:?} became {b:?} in\n{}",
                    g.text(before),
                    g.text(after),
                    g.describe(&model)
                );
            }
        }
    }
}

fn idempotent(pool: &mut Pool, whole: &[(Term, Term)]) {
    let mut fresh = Rewriter::new();
    for &(t, u) in whole {
        let v = fresh.rewrite(pool, Mode::Full, u);
        if v != u && fresh.rewrite(pool, Mode::Full, t) == u {
            panic!(
                "not idempotent:\n  {}\n-> {}\n-> {}",
                generate::text(pool, t),
                generate::text(pool, u),
                generate::text(pool, v)
            );
        }
    }
}

#[test]
fn every_step_of_every_rule_is_an_equivalence() {
    let mut seen = Seen::new();
    let batches = std::env::var("REWRITE_BATCHES").ok().and_then(|n| n.parse().ok()).unwrap_or(220);
    for seed in 0..batches {
        batch(seed, 200, 100, &mut seen);
    }
    let least = 20;
    let rare: Vec<_> = rules()
        .map(|r| (r.name, seen.get(r.name).copied().unwrap_or(0)))
        .filter(|&(_, n)| n < least)
        .collect();
    assert!(
        rare.is_empty(),
        "applied fewer than {least} times: {rare:?}; add a shape to rewrite/tests/shapes.rs\nall: {seen:?}"
    );
}

/// The variables of `t`.
fn variables(pool: &Pool, t: Term) -> Vec<smt::Fun> {
    let symbol = |u| if let Head::Fun(f) = pool.head(u) { Some(f) } else { None };
    pool.subterms([t]).filter_map(symbol).collect()
}

/// Evaluates a step on all strings over two characters up to length 3 and all integers from -2 to 4. Returns false if
/// these are too many.
fn exhaust(g: &Gen, (rule, before, after): (&'static str, Term, Term)) -> bool {
    let mut models = vec![Model::new()];
    for f in variables(&g.pool, before) {
        let values = generate::all_values(g.pool.fun(f).ret);
        if models.len() * values.len() > 2_000 {
            return false;
        }
        let extended = |m: Model| {
            let with = move |v: &semantics::Value| {
                let mut m = m.clone();
                m.assign(f, v.clone());
                m
            };
            values.iter().map(with).collect::<Vec<_>>()
        };
        models = models.into_iter().flat_map(extended).collect();
    }
    for model in &models {
        let mut e = Evaluator::new(&g.pool, model);
        let (a, b) = (e.eval(before), e.eval(after));
        if let (Ok(a), Ok(b)) = (a, b) {
            assert_eq!(a, b, "{rule}: {} {}\n{}", g.text(before), g.text(after), g.describe(model));
        }
    }
    true
}

#[test]
fn steps_of_every_rule_are_equivalences_on_a_full_domain() {
    const STEPS: u32 = 30;
    let mut done: BTreeMap<&'static str, u32> = BTreeMap::new();
    for seed in 1_000.. {
        let mut g = Gen::new(seed);
        let mut rw = Rewriter::new();
        for _ in 0..60 {
            let t = g.term();
            match equality::strings(&g.pool, t) {
                Some((s, v)) if is(&g.pool, t, Op::Eq) => rw.rewrite_eq(&mut g.pool, s, v),
                _ => rw.rewrite(&mut g.pool, Mode::Full, t),
            };
        }
        for step in std::mem::take(&mut rw.trace) {
            let n = done.entry(step.0).or_default();
            if *n < STEPS && exhaust(&g, step) {
                *n += 1;
            }
        }
        let few = |name: &str| done.get(name).is_none_or(|&n| n < STEPS);
        let rare: Vec<_> = rules().map(|r| r.name).filter(|name| few(name)).collect();
        if rare.is_empty() {
            return;
        }
        assert!(seed < 5_000, "few steps of {rare:?}; add a shape to rewrite/tests/shapes.rs");
    }
}

#[test]
fn names_are_unique() {
    let names: FxHashSet<_> = rules().map(|r| r.name).collect();
    assert_eq!(names.len(), rules().count());
}

#[test]
fn models_give_all_variables_a_value() {
    let g = Gen::new(1);
    let model: Model = g.model(&mut Dice::new(2));
    assert!(!model.is_empty());
}
