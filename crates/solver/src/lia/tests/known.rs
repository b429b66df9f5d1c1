//! Known hard systems.

use super::*;

fn int(n: i64) -> Int {
    Int::from(n)
}

/// Asserts `sum = bound`.
fn equal(s: &mut Simplex, sum: &[(i64, LVar)], bound: i64, tag: u32) -> Result<(), Vec<Tag>> {
    let sum: Vec<_> = sum.iter().map(|(c, v)| (int(*c), *v)).collect();
    assert_sum(s, &sum, true, &int(bound), Tag(tag))?;
    assert_sum(s, &sum, false, &int(bound), Tag(tag))
}

#[test]
fn unbounded_parity_is_a_conflict() {
    // 3x - 3y = 1 has no bound to round: the row is x - y.
    let mut s = Simplex::default();
    let (x, y) = (s.new_var(), s.new_var());
    assert_eq!(equal(&mut s, &[(3, x), (-3, y)], 1, 7), Err(vec![Tag(7)]));

    // x = y + z, y = 2u, z = 2v, x = 2w + 1.
    let mut s = Simplex::default();
    let v: Vec<LVar> = (0..6).map(|_| s.new_var()).collect();
    equal(&mut s, &[(1, v[0]), (-1, v[1]), (-1, v[2])], 0, 0).unwrap();
    equal(&mut s, &[(1, v[1]), (-2, v[3])], 0, 1).unwrap();
    equal(&mut s, &[(1, v[2]), (-2, v[4])], 0, 2).unwrap();
    equal(&mut s, &[(1, v[0]), (-2, v[5])], 1, 3).unwrap();
    s.check().unwrap();
    assert_eq!(s.check_int(), IntResult::Conflict(vec![Tag(0), Tag(1), Tag(2), Tag(3)]));
}

#[test]
fn multiples_within_unbounded_ranges_are_a_conflict() {
    // x = 3a, y = 3b + 3c, 1 <= y - x <= 2.
    let mut s = Simplex::default();
    let v: Vec<LVar> = (0..5).map(|_| s.new_var()).collect();
    equal(&mut s, &[(1, v[0]), (-3, v[2])], 0, 0).unwrap();
    equal(&mut s, &[(1, v[1]), (-3, v[3]), (-3, v[4])], 0, 1).unwrap();
    let (d, f) = s.row(&[(int(1), v[1]), (int(-1), v[0])]);
    assert_eq!(f, Int::MINUS_ONE);
    s.assert_lower(d, &int(-2), Tag(2)).unwrap();
    s.push();
    s.assert_upper(d, &int(-1), Tag(3)).unwrap();
    assert_eq!(search(&mut s, &v, &|_, _, _| ()), Err((0..4).map(Tag).collect()));
    s.pop(1);
    assert!(search(&mut s, &v, &|_, _, _| ()).is_ok());
}

#[test]
fn long_chains_of_parity_are_a_conflict() {
    // x0 = 2 y0, x(i+1) + x(i) = 2 y(i+1), xn = 2 z + 1: even numbers all along.
    let mut s = Simplex::default();
    let n = 40;
    let x: Vec<LVar> = (0..n).map(|_| s.new_var()).collect();
    let y: Vec<LVar> = (0..=n).map(|_| s.new_var()).collect();
    equal(&mut s, &[(1, x[0]), (-2, y[0])], 0, 0).unwrap();
    for i in 1..n {
        equal(&mut s, &[(1, x[i]), (1, x[i - 1]), (-2, y[i])], 0, i as u32).unwrap();
    }
    equal(&mut s, &[(1, x[n - 1]), (-2, y[n])], 1, n as u32).unwrap();
    let answer = search(&mut s, &x, &|_, _, _| ());
    assert_eq!(answer, Err((0..=n as u32).map(Tag).collect()));
}

#[test]
fn rows_are_shared_and_normalised() {
    let mut s = Simplex::default();
    let (x, y) = (s.new_var(), s.new_var());
    let (row, factor) = s.row(&[(int(-4), x), (int(6), y)]);
    assert_eq!(factor, int(-2));
    assert_eq!(s.row(&[(int(6), x), (int(-9), y)]), (row, int(3)));
    assert_eq!(s.row(&[(int(5), y)]), (y, int(5)));
    // Slack variables are expanded: row - 2x = -3y.
    assert_eq!(s.row(&[(int(1), row), (int(-2), x)]), (y, int(-3)));
    let (zero, _) = s.row(&[(int(1), x), (int(-1), x)]);
    assert_eq!(s.lower(zero), Some((Int::ZERO, Tag::NONE)));
    assert_eq!(s.upper(zero), Some((Int::ZERO, Tag::NONE)));
    assert_eq!(s.assert_lower(zero, &Int::ONE, Tag(3)), Err(vec![Tag(3)]));
}

#[test]
fn the_tag_none_is_not_reported() {
    let mut s = Simplex::default();
    let (x, y) = (s.new_var(), s.new_var());
    let (sum, _) = s.row(&[(int(1), x), (int(1), y)]);
    s.assert_lower(x, &int(0), Tag::NONE).unwrap();
    s.assert_lower(y, &int(0), Tag::NONE).unwrap();
    s.push();
    s.assert_upper(sum, &int(-1), Tag(5)).unwrap();
    assert_eq!(s.check(), Err(vec![Tag(5)]));
    s.pop(1);
    assert_eq!(s.check(), Ok(()));
    assert_eq!(s.entails_ge(&[(int(2), x), (int(3), y)], &int(0), 100), Some(vec![]));
    assert_eq!(s.entails_ge(&[(int(2), x), (int(-3), y)], &int(0), 100), None);
}

#[test]
fn rows_survive_their_level() {
    let mut s = Simplex::default();
    let (x, y, z) = (s.new_var(), s.new_var(), s.new_var());
    s.push();
    let (a, _) = s.row(&[(int(1), x), (int(1), y)]);
    s.assert_lower(a, &int(10), Tag(0)).unwrap();
    s.assert_upper(x, &int(3), Tag(1)).unwrap();
    s.check().unwrap();
    s.push();
    let (b, _) = s.row(&[(int(1), y), (int(-2), z)]);
    s.assert_upper(b, &int(0), Tag(2)).unwrap();
    s.check().unwrap();
    s.assert_upper(z, &int(3), Tag(3)).unwrap();
    assert_eq!(s.check(), Err(vec![Tag(0), Tag(1), Tag(2), Tag(3)]));
    s.pop(2);
    s.assert_upper(z, &int(3), Tag(4)).unwrap();
    s.assert_upper(b, &int(0), Tag(5)).unwrap();
    s.check().unwrap();
    assert_eq!(s.check_int(), IntResult::Model);
    assert_eq!(s.value(b), s.value(y) - s.value(z) - s.value(z));
}

#[test]
fn huge_numbers_are_exact() {
    let big = int(1 << 62);
    let mut s = Simplex::default();
    let v: Vec<LVar> = (0..4).map(|_| s.new_var()).collect();
    // v1 = big * v0, v2 = big * v1, v3 = big * v2 + v0, with v0 >= big.
    for i in 0..3 {
        let mut sum = vec![(Int::MINUS_ONE, v[i + 1]), (big.clone(), v[i])];
        if i == 2 {
            sum.push((Int::ONE, v[0]));
        }
        assert_sum(&mut s, &sum, true, &Int::ZERO, Tag(i as u32)).unwrap();
        assert_sum(&mut s, &sum, false, &Int::ZERO, Tag(i as u32)).unwrap();
    }
    s.assert_lower(v[0], &big, Tag(3)).unwrap();
    s.check().unwrap();
    assert_eq!(s.check_int(), IntResult::Model);
    let cube = &(&big * &big) * &big;
    let least = &(&cube * &big) + &big;
    assert_eq!(s.value(v[3]), Rat::from(least.clone()));
    s.push();
    assert_eq!(s.entails_ge(&[(Int::ONE, v[3])], &least, 100), Some((0..4).map(Tag).collect()));
    s.assert_upper(v[3], &(&least - &Int::ONE), Tag(9)).unwrap();
    assert_eq!(s.check(), Err(vec![Tag(0), Tag(1), Tag(2), Tag(3), Tag(9)]));
    s.pop(1);
    assert_eq!(s.check(), Ok(()));
}

#[test]
fn models_are_small() {
    let mut s = Simplex::default();
    let (x, y) = (s.new_var(), s.new_var());
    s.push();
    s.assert_lower(x, &int(100), Tag(0)).unwrap();
    s.check().unwrap();
    s.pop(1);
    let (sum, _) = s.row(&[(int(1), x), (int(1), y)]);
    s.assert_lower(x, &int(2), Tag(1)).unwrap();
    s.assert_lower(y, &int(0), Tag(2)).unwrap();
    s.assert_lower(sum, &int(2), Tag(3)).unwrap();
    s.check().unwrap();
    assert_eq!(s.check_int(), IntResult::Model);
    assert_eq!((s.value(x), s.value(y)), (Rat::from(int(2)), Rat::ZERO));
}
