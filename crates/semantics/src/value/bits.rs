//! Values of bit-vectors: constructors without fields, named by the literal, `#x0f` if the width allows and `#b01` otherwise, so that
//! vectors are equal exactly if their values are.
//!
//! The meaning of each operator is that of the theory FixedSizeBitVectors: by bits, or by the numbers that the bits are.

use super::{Data, Value};
use smt::Int;
use smt::term::{BitOp, bits_of_text, literal_text};

/// The vector with these bits, the lowest first.
pub fn value(bits: &[bool]) -> Option<Value> {
    Data::value(&literal_text(bits), Vec::new())
}

/// The bits of a vector, the lowest first.
pub fn bits(value: &Value) -> Option<Vec<bool>> {
    match value {
        Value::Data(d) if d.constructor().starts_with('#') => bits_of_text(d.constructor()),
        _ => None,
    }
}

/// The value of an operator other than a literal; none if the arguments are not of its sorts.
pub(crate) fn apply(op: BitOp, args: &[Value]) -> Option<Value> {
    if let (BitOp::FromInt(n), [Value::Int(i)]) = (op, args) {
        return value(&of_number(i, n));
    }
    let args: Vec<Vec<bool>> = args.iter().map(bits).collect::<Option<_>>()?;
    let (first, rest) = args.split_first()?;
    match (op, rest) {
        (BitOp::Concat, _) => value(&args.iter().rev().flatten().copied().collect::<Vec<bool>>()),
        (BitOp::Bit(i), []) => Some(Value::Bool(*first.get(i)?)),
        (BitOp::ToNat, []) => Some(Value::Int(number(first))),
        (BitOp::ToInt, []) => Some(Value::Int(signed(first))),
        (BitOp::NegOverflow, []) => Some(Value::Bool(first == &of_number(&half(first.len()), first.len()))),
        (_, []) => value(&unary(op, first)?),
        (_, [b]) if relation(op, first, b).is_some() => relation(op, first, b).map(Value::Bool),
        _ => value(&rest.iter().try_fold(first.clone(), |a, b| binary(op, &a, b))?),
    }
}

fn unary(op: BitOp, a: &[bool]) -> Option<Vec<bool>> {
    let n = a.len();
    let sign = *a.last()?;
    Some(match op {
        BitOp::Extract(i, j) => a.get(j..=i)?.to_vec(),
        BitOp::Repeat(k) => a.repeat(k),
        BitOp::ZeroExtend(k) => a.iter().copied().chain(std::iter::repeat_n(false, k)).collect(),
        BitOp::SignExtend(k) => a.iter().copied().chain(std::iter::repeat_n(sign, k)).collect(),
        // Bit i moves to i + k.
        BitOp::RotateLeft(k) => (0..n).map(|i| a[(i + n - k % n) % n]).collect(),
        BitOp::RotateRight(k) => (0..n).map(|i| a[(i + k) % n]).collect(),
        BitOp::Not => a.iter().map(|b| !b).collect(),
        BitOp::Neg => of_number(&-number(a), n),
        _ => return None,
    })
}

fn binary(op: BitOp, a: &[bool], b: &[bool]) -> Option<Vec<bool>> {
    let n = a.len();
    let by_bit = |f: fn(bool, bool) -> bool| a.iter().zip(b).map(|(&x, &y)| f(x, y)).collect();
    let (x, y) = (number(a), number(b));
    Some(match op {
        BitOp::And => by_bit(|x, y| x && y),
        BitOp::Or => by_bit(|x, y| x || y),
        BitOp::Xor => by_bit(|x, y| x != y),
        BitOp::Nand => by_bit(|x, y| !(x && y)),
        BitOp::Nor => by_bit(|x, y| !(x || y)),
        BitOp::Xnor => by_bit(|x, y| x == y),
        BitOp::Add => of_number(&(x + y), n),
        BitOp::Sub => of_number(&(x - y), n),
        BitOp::Mul => of_number(&(x * y), n),
        BitOp::Udiv => udiv(a, b),
        BitOp::Urem => urem(a, b),
        BitOp::Sdiv => with_sign(a[n - 1] != b[n - 1], udiv(&absolute(a), &absolute(b))),
        BitOp::Srem => with_sign(a[n - 1], urem(&absolute(a), &absolute(b))),
        BitOp::Smod => smod(a, b),
        BitOp::Shl => (0..n).map(|i| shifted(i, &y, usize::checked_sub).is_some_and(|i| a[i])).collect(),
        BitOp::Lshr | BitOp::Ashr => {
            let fill = op == BitOp::Ashr && a[n - 1];
            let bit = |i| shifted(i, &y, |i, k| Some(i + k)).and_then(|i| a.get(i).copied());
            (0..n).map(|i| bit(i).unwrap_or(fill)).collect()
        }
        BitOp::Comp => vec![a == b],
        _ => return None,
    })
}

fn relation(op: BitOp, a: &[bool], b: &[bool]) -> Option<bool> {
    let n = a.len();
    let (x, y, s, t) = (number(a), number(b), signed(a), signed(b));
    let outside = |sum: Int| sum < -half(n) || sum >= half(n);
    Some(match op {
        BitOp::Ult => x < y,
        BitOp::Ule => x <= y,
        BitOp::Ugt => x > y,
        BitOp::Uge => x >= y,
        BitOp::Slt => s < t,
        BitOp::Sle => s <= t,
        BitOp::Sgt => s > t,
        BitOp::Sge => s >= t,
        BitOp::UaddOverflow => x + y >= power(n),
        BitOp::SaddOverflow => outside(s + t),
        BitOp::UmulOverflow => x * y >= power(n),
        BitOp::SmulOverflow => outside(s * t),
        BitOp::UsubOverflow => x < y,
        BitOp::SsubOverflow => outside(s - t),
        BitOp::SdivOverflow => s == -half(n) && t == Int::from(-1),
        _ => return None,
    })
}

/// `2^n`
fn power(n: usize) -> Int {
    Int::from(2).pow(u32::try_from(n).unwrap_or(u32::MAX))
}

/// `2^(n-1)`, one more than the largest signed number.
fn half(n: usize) -> Int {
    power(n - 1)
}

/// The number that the bits are.
fn number(bits: &[bool]) -> Int {
    let mut n = Int::from(0);
    for &b in bits.iter().rev() {
        n = n * Int::from(2) + Int::from(i64::from(b));
    }
    n
}

/// The number in two's complement.
fn signed(bits: &[bool]) -> Int {
    let n = number(bits);
    if bits.last() == Some(&true) { n - power(bits.len()) } else { n }
}

/// The bits of a number, modulo `2^n`.
fn of_number(i: &Int, n: usize) -> Vec<bool> {
    let two = Int::from(2);
    let mut rest = i.clone();
    let mut bit = || {
        let odd = rest.mod_euclid_smt(&two).is_some_and(|b| !b.is_zero());
        rest = rest.div_euclid_smt(&two).unwrap_or_default();
        odd
    };
    (0..n).map(|_| bit()).collect()
}

/// By zero, all bits are set.
fn udiv(a: &[bool], b: &[bool]) -> Vec<bool> {
    let quotient = number(a).div_euclid_smt(&number(b));
    quotient.map_or_else(|| vec![true; a.len()], |q| of_number(&q, a.len()))
}

/// By zero, the first argument.
fn urem(a: &[bool], b: &[bool]) -> Vec<bool> {
    let rest = number(a).mod_euclid_smt(&number(b));
    rest.map_or_else(|| a.to_vec(), |r| of_number(&r, a.len()))
}

fn with_sign(negative: bool, a: Vec<bool>) -> Vec<bool> {
    if negative { of_number(&-number(&a), a.len()) } else { a }
}

fn absolute(a: &[bool]) -> Vec<bool> {
    with_sign(a.last() == Some(&true), a.to_vec())
}

/// The remainder with the sign of the divisor.
fn smod(a: &[bool], b: &[bool]) -> Vec<bool> {
    let n = a.len();
    let rest = urem(&absolute(a), &absolute(b));
    if !rest.contains(&true) {
        return rest;
    }
    let (u, t) = (number(&rest), number(b));
    match (a[n - 1], b[n - 1]) {
        (false, false) => rest,
        (true, false) => of_number(&(-u + t), n),
        (false, true) => of_number(&(u + t), n),
        (true, true) => of_number(&-u, n),
    }
}

/// The place that bit `i` of a shift comes from; none if it is outside.
fn shifted(i: usize, by: &Int, from: impl Fn(usize, usize) -> Option<usize>) -> Option<usize> {
    by.to_usize().filter(|&k| k <= 1 << 20).and_then(|k| from(i, k))
}
