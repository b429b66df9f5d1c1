//! Word equations with lengths.
//!
//! - *permuted*: both sides have the same variables once each, in another order, with constants between them, as in the Kepler set. Satisfiable: the variables are
//!   powers of one word. Unsatisfiable: the constants of the sides have different numbers of one letter; but both sides have the variables' letters equally often.
//! - *rotated*: `x·u = v·x` with words u and v. It has a solution exactly if v is a rotation of u (Lyndon and Schützenberger): u = q·p, v = p·q, x = (pq)ⁱp.
//! - *doubling*: `xₙ a xₙ b xₙ₋₁ b … b x₁ = a xₙ xₙ₋₁ xₙ₋₁ b … b x₁ x₁ b a a`, after Woorpje. Satisfiable by xᵢ = a^(2ⁱ). Unsatisfiable:
//!   the variables are in a*, so that the pieces between the b's are equal one by one, which determines all lengths: |x₁| = 2, |xᵢ₊₁| = 2|xᵢ|; the length of one is asserted to be another one.

use super::sheet::{concat, lit, word};
use super::{Row, Sheet};
use crate::dice::Dice;

pub(super) const ROW: Row = Row {
    name: "equations",
    about: "Word equations with lengths: permuted variables, conjugates, doubling",
    property: "variables",
    default: 3,
    limits: [2, 16],
    example: "--size 8",
    make,
};

fn make(dice: &mut Dice, sat: bool, size: usize, s: &mut Sheet) {
    match dice.index(4) {
        0 => doubling(dice, sat, size, s),
        1 => rotated(dice, sat, size, s),
        _ => permuted(dice, sat, size, s),
    }
}

/// An order of the variables other than the given one.
fn order(dice: &mut Dice, n: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..n).collect();
    dice.shuffle(&mut order);
    if order.is_sorted() {
        order.rotate_left(1);
    }
    order
}

fn permuted(dice: &mut Dice, sat: bool, n: usize, s: &mut Sheet) {
    let root = format!("ab{}", word(dice, "abc", 2));
    let powers: Vec<usize> = (0..n).map(|_| 1 + dice.index(20)).collect();
    let names: Vec<String> =
        powers.iter().enumerate().map(|(i, &k)| s.string(format!("x{i}"), &root.repeat(k))).collect();
    // In an unsatisfiable instance a letter of one constant is another one on the right.
    let constants: Vec<String> = (0..n)
        .map(|_| {
            let (k, length) = (dice.index(3), 1 + dice.index(3));
            if sat { root.repeat(k) } else { word(dice, "abcd", length) }
        })
        .collect();
    let mut changed = constants.clone();
    if !sat {
        let last = changed[n - 1].pop();
        changed[n - 1].push(if last == Some('a') { 'b' } else { 'a' });
    }
    let side = |order: &[usize], constants: &[String]| {
        let parts: Vec<String> = order.iter().flat_map(|&i| [names[i].clone(), lit(&constants[i])]).collect();
        concat(&parts)
    };
    let (left, right) = (order(dice, n), order(dice, n));
    s.assert(format!("(= {} {})", side(&left, &constants), side(&right, &changed)));
    s.assert(format!("(str.prefixof \"ab\" {})", names[left[0]]));
    let length = |i: usize| 4 * powers[i];
    s.assert(format!("(> (str.len {}) {})", names[0], length(0) - 1));
    s.assert(format!(
        "(= (str.len {}) (+ (str.len {}) {}))",
        names[0],
        names[1],
        difference(length(0), length(1))
    ));
}

fn difference(a: usize, b: usize) -> String {
    super::sheet::num(a as i64 - b as i64)
}

fn rotated(dice: &mut Dice, sat: bool, n: usize, s: &mut Sheet) {
    let u = format!("{}ab", word(dice, "ab", n));
    let cut = 1 + dice.index(u.len() - 1);
    let (q, p) = u.split_at(cut);
    let mut v = format!("{p}{q}");
    while !sat && format!("{u}{u}").contains(&v) {
        v = word(dice, "ab", u.len());
    }
    let x = s.string("x", &format!("{}{p}", format!("{p}{q}").repeat(1000 + n)));
    let y = s.string("y", "");
    let (u, v) = (lit(&u), lit(&v));
    // The second variable hides that the equation is about one string.
    s.assert(format!("(= (str.++ {x} {y} {u}) (str.++ {v} {x} {y}))"));
    s.assert(format!("(> (str.len {x}) {})", 1000 * n));
    s.assert(format!("(<= (str.len {y}) {n})"));
}

fn doubling(dice: &mut Dice, sat: bool, n: usize, s: &mut Sheet) {
    let x: Vec<String> = (1..=n).map(|i| s.string(format!("x{i}"), &"a".repeat(1 << i))).collect();
    let (a, b) = (lit("a"), lit("b"));
    let (mut left, mut right) = (vec![x[n - 1].as_str(), &a, &x[n - 1]], vec![a.as_str(), &x[n - 1]]);
    for y in x[..n - 1].iter().rev() {
        left.extend([&b, y.as_str()]);
        right.extend([y.as_str(), y, &b]);
    }
    right.extend([a.as_str(), &a]);
    s.assert(format!("(= {} {})", concat(&left), concat(&right)));
    if !sat {
        x.iter().for_each(|y| s.assert(format!("(str.in_re {y} (re.* (str.to_re \"a\")))")));
        let i = dice.index(n);
        s.assert(format!("(not (= (str.len {}) {}))", x[i], 1 << (i + 1)));
    }
}
