//! Entailment on random terms, evaluated on many small assignments.

use super::*;
use crate::build::{contains as contains_term, ge0};
use crate::rewrite::tests::generate::{Dice, Gen};
use crate::rewrite::{Mode, Rewriter};
use semantics::{Evaluator, Satisfaction};
use smt::Int;

fn holds_everywhere(g: &Gen, claims: &[Term], seed: u64) {
    let mut dice = Dice::new(seed ^ 0x7777);
    for _ in 0..80 {
        let model = g.model(&mut dice);
        let mut e = Evaluator::new(&g.pool, &model);
        for &t in claims {
            let fails = e.truth(t) == Satisfaction::Fails;
            assert!(!fails, "seed {seed}: {} fails in\n{}", g.text(t), g.describe(&model));
        }
    }
}

#[test]
fn entailed_properties_hold() {
    let mut found = [0; 3];
    for seed in 0..120 {
        let mut g = Gen::new(seed + 10_000);
        let mut rw = Rewriter::new();
        let mut claims = Vec::new();
        for _ in 0..150 {
            let (a, b) = (g.int(3), g.int(2));
            let [a, b] = [a, b].map(|t| rw.rewrite(&mut g.pool, Mode::Full, t));
            let p = Poly::of(&g.pool, a).plus(&Poly::of(&g.pool, b), &Int::from(g.dice.below(3) as i64 - 1));
            let p = p.shift(g.dice.below(4) as i64 - 1);
            if nonneg(&mut g.pool, &p) && !p.is_constant() {
                claims.push(ge0(&mut g.pool, &p));
                found[0] += 1;
            }
            let (s, t) = (g.string(2), g.string(2));
            let [s, t] = [s, t].map(|t| rw.rewrite(&mut g.pool, Mode::Full, t));
            let claim = contains_term(&mut g.pool, s, t);
            match contains(&mut g.pool, s, t) {
                Some(true) => claims.push(claim),
                Some(false) => claims.push(crate::build::not(&mut g.pool, claim)),
                None => continue,
            }
            found[1] += 1;
            if nonempty(&mut g.pool, s) {
                let nothing = g.pool.string(&[]);
                let same = crate::build::eq(&mut g.pool, s, nothing);
                claims.push(crate::build::not(&mut g.pool, same));
                found[2] += 1;
            }
        }
        holds_everywhere(&g, &claims, seed);
    }
    assert!(found.iter().all(|&n| n > 500), "too little was entailed: {found:?}");
}
