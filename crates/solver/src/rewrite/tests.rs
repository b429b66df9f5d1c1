//! Rules are verified by evaluation: whatever a rule did to a random term is evaluated before and after, by the
//! referee, on many small assignments.

mod corpus;
mod deep;
mod forms;
pub(crate) mod generate;
mod shapes;

use super::*;
use generate::{Dice, Gen};
use semantics::{Evaluator, Model, Why};
use std::collections::BTreeMap;

/// Rule applications that were seen, by rule: how many, and how many were evaluated.
type Seen = BTreeMap<&'static str, u64>;

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
            _ => rw.rewrite(&mut g.pool, t),
        };
        whole.push((t, u));
    }
    assert_eq!(rw.exhausted(), 0, "seed {seed}: rules go in circles");
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
            // A division by zero can have any value, so it may be met in another order.
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
        let v = fresh.rewrite(pool, u);
        if v != u && fresh.rewrite(pool, t) == u {
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
fn every_step_of_every_rule_is_right() {
    let mut seen = Seen::new();
    let batches = std::env::var("REWRITE_BATCHES").ok().and_then(|n| n.parse().ok()).unwrap_or(220);
    for seed in 0..batches {
        batch(seed, 200, 100, &mut seen);
    }
    let rw = Rewriter::new();
    let least = 20;
    let rare: Vec<_> = rw
        .rules
        .iter()
        .map(|r| (r.name, seen.get(r.name).copied().unwrap_or(0)))
        .filter(|&(_, n)| n < least)
        .collect();
    assert!(rare.is_empty(), "applied fewer than {least} times: {rare:?}\nall: {seen:?}");
}

#[test]
fn names_are_unique() {
    let rw = Rewriter::new();
    let names: FxHashSet<_> = rw.rules.iter().map(|r| r.name).collect();
    assert_eq!(names.len(), rw.rules.len());
}

#[test]
fn models_give_all_variables_a_value() {
    let g = Gen::new(1);
    let model: Model = g.model(&mut Dice::new(2));
    assert!(!model.is_empty());
}

#[test]
#[ignore = "a measurement"]
fn throughput() {
    let mut g = Gen::new(99);
    let terms: Vec<Term> = (0..100_000).map(|_| g.term()).collect();
    let mut rw = Rewriter::new();
    let (before, start) = (g.pool.len(), std::time::Instant::now());
    for &t in &terms {
        rw.rewrite(&mut g.pool, t);
    }
    let steps: u64 = rw.counts.iter().sum();
    panic!("{} terms became {}, {steps} steps, {:?}", before, g.pool.len(), start.elapsed());
}

#[test]
#[ignore = "a measurement"]
fn time_by_rule() {
    let mut g = Gen::new(99);
    let terms: Vec<Term> = (0..30_000).map(|_| g.term()).collect();
    let mut rw = Rewriter::new();
    let normal: Vec<Term> = terms.iter().map(|&t| rw.rewrite(&mut g.pool, t)).collect();
    let mut seen = FxHashSet::default();
    let mut stack = normal;
    let mut all = Vec::new();
    while let Some(t) = stack.pop() {
        if seen.insert(t) {
            all.push(t);
            stack.extend_from_slice(g.pool.args(t));
        }
    }
    let mut lines = Vec::new();
    for (i, rule) in rw.rules.clone().iter().enumerate() {
        let (start, mut n) = (std::time::Instant::now(), 0);
        for &t in &all {
            if let Head::Op(op) = g.pool.head(t)
                && rule.ops.contains(&op)
            {
                n += 1;
                rw.try_rule(&mut g.pool, i, t);
            }
        }
        lines.push((start.elapsed(), rule.name, n));
    }
    lines.sort();
    panic!("{lines:#?}");
}
