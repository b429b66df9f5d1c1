//! Rational numbers with a fast path for machine words.
//!
//! The values of a simplex tableau are rational, and nearly all of them are small integers. A
//! [`Q`] keeps a fraction of two `i64` inline and computes with 128 bits; larger numbers are boxed as
//! an [`smt::Rat`]. The representation is canonical (lowest terms, a positive denominator, boxed only
//! if necessary), so equality is structural.

use std::cmp::Ordering;

use smt::{Int, Rat};

/// A rational number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Q {
    /// A numerator and a positive denominator in lowest terms.
    Small(i64, i64),
    /// A fraction of which one side does not fit an `i64`.
    Big(Box<Rat>),
}

use Q::{Big, Small};

impl Q {
    /// The number 0.
    pub(super) const ZERO: Q = Small(0, 1);

    /// The integer `n`.
    pub(super) fn int(n: &Int) -> Q {
        n.to_i64().map_or_else(|| Big(Box::new(Rat::from(n.clone()))), |n| Small(n, 1))
    }

    /// The fraction `num / den` for a `den` other than zero.
    pub(super) fn ratio(num: &Int, den: &Int) -> Q {
        if let (Some(n), Some(d)) = (num.to_i64(), den.to_i64()) {
            return Q::reduced(i128::from(n), i128::from(d));
        }
        Q::from_rat(Rat::new(num.clone(), den.clone()).expect("a denominator is not zero"))
    }

    /// The canonical form of a rational.
    fn from_rat(value: Rat) -> Q {
        match (value.numer().to_i64(), value.denom().to_i64()) {
            (Some(n), Some(d)) => Small(n, d),
            _ => Big(Box::new(value)),
        }
    }

    /// The value as an [`smt::Rat`].
    pub(super) fn to_rat(&self) -> Rat {
        match self {
            Small(n, 1) => Rat::from(Int::from(*n)),
            Small(n, d) => Rat::new(Int::from(*n), Int::from(*d)).expect("a denominator is not zero"),
            Big(value) => (**value).clone(),
        }
    }

    /// `num / den` in lowest terms, for sides of at most 127 bits and a `den` other than zero.
    fn reduced(num: i128, den: i128) -> Q {
        let (num, den) = if den < 0 { (-num, -den) } else { (num, den) };
        let divisor = if den == 1 { 1 } else { gcd(num.unsigned_abs(), den.unsigned_abs()) as i128 };
        let (num, den) = if divisor == 1 { (num, den) } else { (num / divisor, den / divisor) };
        match (i64::try_from(num), i64::try_from(den)) {
            (Ok(n), Ok(d)) => Small(n, d),
            _ => Big(Box::new(Rat::new(wide(num), wide(den)).expect("a denominator is not zero"))),
        }
    }

    /// The sum.
    pub(super) fn add(&self, other: &Q) -> Q {
        match (self, other) {
            (Small(a, 1), Small(b, 1)) if a.checked_add(*b).is_some() => Small(a + b, 1),
            (&Small(a, b), &Small(c, d)) => {
                let (a, b, c, d) = (i128::from(a), i128::from(b), i128::from(c), i128::from(d));
                Q::reduced(a * d + c * b, b * d)
            }
            _ => Q::from_rat(self.to_rat() + other.to_rat()),
        }
    }

    /// The difference.
    pub(super) fn sub(&self, other: &Q) -> Q {
        self.add(&other.neg())
    }

    /// The negation.
    pub(super) fn neg(&self) -> Q {
        match self {
            Small(n, d) if *n != i64::MIN => Small(-n, *d),
            _ => Q::from_rat(-self.to_rat()),
        }
    }

    /// The product.
    pub(super) fn mul(&self, other: &Q) -> Q {
        match (self, other) {
            (Small(a, 1), Small(b, 1)) if a.checked_mul(*b).is_some() => Small(a * b, 1),
            (&Small(a, b), &Small(c, d)) => {
                Q::reduced(i128::from(a) * i128::from(c), i128::from(b) * i128::from(d))
            }
            _ => Q::from_rat(self.to_rat() * other.to_rat()),
        }
    }

    /// The quotient by a number other than zero.
    pub(super) fn div(&self, other: &Q) -> Q {
        match (self, other) {
            (Small(a, b), Small(1, 1)) => Small(*a, *b),
            (&Small(a, b), &Small(c, d)) => {
                Q::reduced(i128::from(a) * i128::from(d), i128::from(b) * i128::from(c))
            }
            _ => Q::from_rat(self.to_rat().checked_div(&other.to_rat()).expect("a divisor is not zero")),
        }
    }

    /// Whether the number is an integer.
    pub(super) fn is_int(&self) -> bool {
        match self {
            Small(_, d) => *d == 1,
            Big(value) => value.is_integer(),
        }
    }

    /// The sign: -1, 0 or 1.
    pub(super) fn signum(&self) -> i32 {
        match self {
            Small(n, _) => n.cmp(&0) as i32,
            Big(value) => value.numer().signum(),
        }
    }

    /// The greatest integer not above the number.
    pub(super) fn floor(&self) -> Int {
        match self {
            Small(n, d) => Int::from(n.div_euclid(*d)),
            Big(value) => value.floor(),
        }
    }

    /// The distance to the greatest integer not above the number: in [0, 1).
    pub(super) fn frac(&self) -> Q {
        self.sub(&Q::int(&self.floor()))
    }

    /// The numerator in lowest terms.
    pub(super) fn numer(&self) -> Int {
        match self {
            Small(n, _) => Int::from(*n),
            Big(value) => value.numer().clone(),
        }
    }

    /// The denominator in lowest terms, always positive.
    pub(super) fn denom(&self) -> Int {
        match self {
            Small(_, d) => Int::from(*d),
            Big(value) => value.denom().clone(),
        }
    }

    /// Compares the number with an integer.
    pub(super) fn cmp_int(&self, n: &Int) -> Ordering {
        if let (Small(a, b), Some(n)) = (self, n.to_i64()) {
            return if *b == 1 { a.cmp(&n) } else { i128::from(*a).cmp(&(i128::from(n) * i128::from(*b))) };
        }
        self.to_rat().cmp(&Rat::from(n.clone()))
    }
}

impl Ord for Q {
    fn cmp(&self, other: &Q) -> Ordering {
        match (self, other) {
            (Small(a, b), Small(c, d)) if b == d => a.cmp(c),
            (&Small(a, b), &Small(c, d)) => {
                (i128::from(a) * i128::from(d)).cmp(&(i128::from(c) * i128::from(b)))
            }
            _ => self.to_rat().cmp(&other.to_rat()),
        }
    }
}

impl PartialOrd for Q {
    fn partial_cmp(&self, other: &Q) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The greatest common divisor, computed in words as soon as both sides fit.
fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        if let (Ok(x), Ok(y)) = (u64::try_from(a), u64::try_from(b)) {
            return u128::from(gcd_word(x, y));
        }
        (a, b) = (b, a % b);
    }
    a
}

fn gcd_word(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// A 128-bit integer as an unbounded one.
fn wide(n: i128) -> Int {
    let high = Int::from((n >> 64) as i64);
    let word = Int::from(1_i64 << 32);
    high * &word * &word + Int::from(n as u64)
}

/// The greatest integer not above `num / den`, for a `den` other than zero.
pub(super) fn floor_div(num: &Int, den: &Int) -> Int {
    let (num, den) = if den.is_negative() { (-num, -den) } else { (num.clone(), den.clone()) };
    num.div_euclid_smt(&den).expect("a divisor is not zero")
}

/// The least integer not below `num / den`, for a `den` other than zero.
pub(super) fn ceil_div(num: &Int, den: &Int) -> Int {
    -floor_div(&-num, den)
}

/// `num / den` where the division leaves no rest.
pub(super) fn exact_div(num: &Int, den: &Int) -> Int {
    if *den == Int::ONE {
        return num.clone();
    }
    num.div_euclid_smt(den).expect("a divisor is not zero")
}

/// Whether the integer is 1 or -1.
pub(super) fn is_unit(n: &Int) -> bool {
    matches!(n.to_i64(), Some(1 | -1))
}
