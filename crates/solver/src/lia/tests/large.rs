//! Numbers that do not fit a machine word.

use super::*;
use crate::lia::quotient::Q;

/// Numbers at the edges of words, and ordinary ones.
fn edge(dice: &mut Dice) -> i64 {
    let edges = [i64::MIN, i64::MIN + 1, -(1 << 62), -(1 << 32), 1 << 31, 1 << 62, i64::MAX - 1, i64::MAX];
    match dice.range(0, 2) {
        0 => edges[dice.range(0, 7) as usize],
        1 => dice.range(-9, 9),
        _ => dice.next() as i64,
    }
}

#[test]
fn fractions_agree_with_rationals() {
    let mut dice = Dice::new(8);
    let fraction = |dice: &mut Dice| {
        let (num, den) = (Int::from(edge(dice)), Int::from(edge(dice)));
        let den = if den.is_zero() { Int::ONE } else { den };
        (Q::ratio(&num, &den), Rat::new(num, den).unwrap())
    };
    for _ in 0..20_000 {
        let ((p, x), (q, y)) = (fraction(&mut dice), fraction(&mut dice));
        assert_eq!(p.add(&q).to_rat(), &x + &y);
        assert_eq!(p.sub(&q).to_rat(), &x - &y);
        assert_eq!(p.mul(&q).to_rat(), &x * &y);
        assert_eq!(p.neg().to_rat(), -&x);
        if !y.is_zero() {
            assert_eq!(p.div(&q).to_rat(), x.checked_div(&y).unwrap());
        }
        assert_eq!(p.cmp(&q), x.cmp(&y));
        assert_eq!(p == q, x == y);
        assert_eq!((p.floor(), p.is_int(), p.signum()), (x.floor(), x.is_integer(), x.numer().signum()));
        assert_eq!((p.numer(), p.denom()), (x.numer().clone(), x.denom().clone()));
        let n = Int::from(edge(&mut dice));
        assert_eq!(p.cmp_int(&n), x.cmp(&Rat::from(n)));
        // Results of computations with large numbers are canonical.
        assert_eq!(p.add(&q).sub(&q), p);
    }
}

#[test]
fn systems_of_large_numbers_are_exact() {
    let mut dice = Dice::new(9);
    let (mut fine, mut conflicts) = (0, 0);
    for _ in 0..300 {
        let facts: Vec<Fact> = (0..6)
            .map(|_| {
                let sum = (0..3).map(|_| edge(&mut dice)).collect();
                Fact { sum, is_lower: dice.range(0, 1) == 0, bound: edge(&mut dice) }
            })
            .collect();
        let facts: Vec<_> = facts.into_iter().zip((0..).map(Tag)).collect();
        let mut s = Simplex::default();
        let vars: Vec<LVar> = (0..3).map(|_| s.new_var()).collect();
        let mut answer = facts.iter().try_for_each(|(fact, tag)| fact.assert(&mut s, &vars, *tag));
        answer = answer.and_then(|()| s.check());
        compare_with_fresh(
            &s,
            &vars,
            &facts.iter().rev().cloned().collect::<Vec<_>>(),
            answer.as_ref().err(),
        );
        if answer.is_ok() {
            fine += 1;
            // The bounds hold in any case.
            s.check_int();
            compare_with_fresh(&s, &vars, &facts, None);
        } else {
            conflicts += 1;
        }
    }
    assert!(fine > 30 && conflicts > 30, "{fine} {conflicts}");
}
