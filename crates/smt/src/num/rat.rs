//! Rationals.

use super::Int;
use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, Mul, Neg, Sub};

/// An exact rational number in lowest terms.
///
/// The denominator is positive and coprime to the numerator, so equality and hashing are
/// structural. `Display` and `Debug` write the number as an SMT-LIB term of sort `Real`:
/// `3.0`, `(- 3.0)`, `(/ 1.0 3.0)` or `(- (/ 1.0 3.0))`.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Rat {
    num: Int,
    den: Int,
}

impl Rat {
    /// The rational 0.
    pub const ZERO: Rat = Rat { num: Int::ZERO, den: Int::ONE };

    /// The rational `num / den`, or `None` if `den` is zero.
    pub fn new(num: Int, den: Int) -> Option<Rat> {
        match den.signum() {
            0 => None,
            1 => Some(Rat::reduce(num, den)),
            _ => Some(Rat::reduce(-num, -den)),
        }
    }

    /// Reads a decimal such as `12.50`: digits, a dot, digits, with at least one digit on each
    /// side. Whether superfluous leading zeros are well-formed SMT-LIB is left to the lexer.
    pub fn from_decimal_literal(literal: &[u8]) -> Option<Rat> {
        let dot = literal.iter().position(|&c| c == b'.')?;
        let (whole, fraction) = (&literal[..dot], &literal[dot + 1..]);
        let whole = Int::from_decimal(whole)?;
        let numerator = Int::from_decimal(fraction)?;
        let scale = Int::from(10).pow(u32::try_from(fraction.len()).ok()?);
        Some(Rat::reduce(whole * &scale + numerator, scale))
    }

    /// `num / den` in lowest terms, for a positive `den`.
    fn reduce(num: Int, den: Int) -> Rat {
        let divisor = num.gcd(&den);
        if divisor == Int::ONE {
            return Rat { num, den };
        }
        Rat { num: quotient(&num, &divisor), den: quotient(&den, &divisor) }
    }

    /// The quotient, or `None` if `divisor` is zero.
    pub fn checked_div(&self, divisor: &Rat) -> Option<Rat> {
        Rat::new(&self.num * &divisor.den, &self.den * &divisor.num)
    }

    /// The numerator in lowest terms, which carries the sign.
    #[inline]
    pub fn numer(&self) -> &Int {
        &self.num
    }

    /// The denominator in lowest terms, always positive.
    #[inline]
    pub fn denom(&self) -> &Int {
        &self.den
    }

    /// Whether the value is below zero.
    #[inline]
    pub fn is_negative(&self) -> bool {
        self.num.is_negative()
    }

    /// Whether the value is zero.
    #[inline]
    pub fn is_zero(&self) -> bool {
        self.num.is_zero()
    }

    /// Whether the value is an integer (SMT-LIB `is_int`).
    #[inline]
    pub fn is_integer(&self) -> bool {
        self.den == Int::ONE
    }

    /// The greatest integer not above the value (SMT-LIB `to_int`).
    pub fn floor(&self) -> Int {
        quotient(&self.num, &self.den)
    }

    /// The digits of a positive fraction, if there are finitely many; `None` too if there are thousands.
    pub fn to_decimal(&self) -> Option<String> {
        if self.is_negative() || self.is_integer() {
            return None;
        }
        // A denominator of n digits that divides a power of ten divides that with four times as many zeros:
        // it has less than 4n factors two and less than 4n factors five.
        let digits = self.denom().to_string().len();
        let places = u32::try_from(4 * digits).ok().filter(|&p| p <= 4_000)?;
        let scaled = self.numer() * Int::from(10).pow(places);
        let value = scaled.div_euclid_smt(self.denom()).filter(|_| scaled.divisible_by(self.denom()))?;
        let text = value.to_string();
        let places = places as usize;
        let text = format!("{text:0>width$}", width = places + 1);
        let (whole, fraction) = text.split_at(text.len() - places);
        Some(format!("{whole}.{}", fraction.trim_end_matches('0')))
    }

    /// The sum or difference: `combine` is applied to the numerators over a common denominator.
    fn combine(&self, rhs: &Rat, combine: impl FnOnce(&Int, &Int) -> Int) -> Rat {
        if self.den == rhs.den {
            return Rat::reduce(combine(&self.num, &rhs.num), self.den.clone());
        }
        let left = &self.num * &rhs.den;
        let right = &rhs.num * &self.den;
        Rat::reduce(combine(&left, &right), &self.den * &rhs.den)
    }
}

/// The Euclidean quotient by a positive divisor.
fn quotient(value: &Int, divisor: &Int) -> Int {
    value.div_euclid_smt(divisor).expect("denominators and their divisors are positive")
}

impl Default for Rat {
    #[inline]
    fn default() -> Rat {
        Rat::ZERO
    }
}

impl From<Int> for Rat {
    #[inline]
    fn from(value: Int) -> Rat {
        Rat { num: value, den: Int::ONE }
    }
}

impl Add<&Rat> for &Rat {
    type Output = Rat;

    fn add(self, rhs: &Rat) -> Rat {
        self.combine(rhs, |a, b| a + b)
    }
}

impl Sub<&Rat> for &Rat {
    type Output = Rat;

    fn sub(self, rhs: &Rat) -> Rat {
        self.combine(rhs, |a, b| a - b)
    }
}

impl Mul<&Rat> for &Rat {
    type Output = Rat;

    fn mul(self, rhs: &Rat) -> Rat {
        Rat::reduce(&self.num * &rhs.num, &self.den * &rhs.den)
    }
}

/// Implements a binary operator with owned operands by means of the one on borrowed operands.
macro_rules! rat_operator {
    ($op:ident::$method:ident) => {
        impl $op for Rat {
            type Output = Rat;

            #[inline]
            fn $method(self, rhs: Rat) -> Rat {
                $op::$method(&self, &rhs)
            }
        }

        impl $op<&Rat> for Rat {
            type Output = Rat;

            #[inline]
            fn $method(self, rhs: &Rat) -> Rat {
                $op::$method(&self, rhs)
            }
        }

        impl $op<Rat> for &Rat {
            type Output = Rat;

            #[inline]
            fn $method(self, rhs: Rat) -> Rat {
                $op::$method(self, &rhs)
            }
        }
    };
}

rat_operator!(Add::add);
rat_operator!(Sub::sub);
rat_operator!(Mul::mul);

impl Neg for Rat {
    type Output = Rat;

    #[inline]
    fn neg(self) -> Rat {
        Rat { num: -self.num, den: self.den }
    }
}

impl Neg for &Rat {
    type Output = Rat;

    #[inline]
    fn neg(self) -> Rat {
        -self.clone()
    }
}

impl Ord for Rat {
    fn cmp(&self, other: &Rat) -> Ordering {
        if self.den == other.den {
            return self.num.cmp(&other.num);
        }
        (&self.num * &other.den).cmp(&(&other.num * &self.den))
    }
}

impl PartialOrd for Rat {
    fn partial_cmp(&self, other: &Rat) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Rat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let magnitude = self.num.abs();
        match (self.is_negative(), self.is_integer()) {
            (false, true) => write!(f, "{magnitude}.0"),
            (true, true) => write!(f, "(- {magnitude}.0)"),
            (false, false) => write!(f, "(/ {magnitude}.0 {}.0)", self.den),
            (true, false) => write!(f, "(- (/ {magnitude}.0 {}.0))", self.den),
        }
    }
}

impl fmt::Debug for Rat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
