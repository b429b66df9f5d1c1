//! Unbounded integers ([`Int`]) and rationals ([`Rat`]).
//!
//! SMT-LIB integers have no bound: a script may contain `(str.substr x 0 1000000000000000000000)`, and
//! `str.to_int` of a long string is a long number. Almost every integer in practice is small, so an [`Int`] keeps a value that fits an `i64` inline (16 bytes, no allocation) and boxes a big
//! integer only beyond that. The representation is canonical – a value that fits an `i64` is never
//! boxed – which is why equality and hashing can be derived.
//!
//! Every operation is total and exact: nothing here wraps, saturates or panics on overflow.

mod rat;

pub use rat::Rat;

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;
use std::mem;
use std::ops::{Add, AddAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use crate::work::spend;
use dashu_int::IBig;
use dashu_int::ops::{Abs as _, DivEuclid as _, Gcd as _, RemEuclid as _};

/// The number of decimal digits that surely fit an `i64`.
const SMALL_DIGITS: usize = 18;

/// An unbounded integer.
///
/// The default is zero. `Display` and `Debug` print decimal digits with a leading `-` where
/// needed; writing a negative number as an SMT-LIB term, `(- 5)`, is left to the printer.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Int(Repr);

/// The canonical representation: `Big` holds only values outside the range of `i64`.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    Small(i64),
    Big(Box<IBig>),
}

use Repr::{Big, Small};

impl Int {
    /// The integer 0.
    pub const ZERO: Int = Int(Small(0));
    /// The integer 1.
    pub const ONE: Int = Int(Small(1));
    /// The integer -1, the error value of many string operators.
    pub const MINUS_ONE: Int = Int(Small(-1));

    /// Reads a non-empty run of ASCII decimal digits, leading zeros allowed; anything else
    /// (a sign, an underscore, nothing at all) gives `None`.
    ///
    /// The time is subquadratic in the number of digits.
    pub fn from_decimal(digits: &[u8]) -> Option<Int> {
        if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
            return None;
        }
        let zeros = digits.iter().take_while(|&&d| d == b'0').count();
        let digits = &digits[zeros..];
        if digits.len() <= SMALL_DIGITS {
            let value = digits.iter().fold(0, |n, d| 10 * n + i64::from(d - b'0'));
            return Some(Int(Small(value)));
        }
        let text = str::from_utf8(digits).ok()?;
        IBig::from_str_radix(text, 10).ok().map(Int::from_big)
    }

    /// The value as an `i64`, if it fits.
    #[inline]
    pub fn to_i64(&self) -> Option<i64> {
        match self.0 {
            Small(n) => Some(n),
            Big(_) => None,
        }
    }

    /// The value as a `usize`, if it fits (so it is `None` for negative values).
    #[inline]
    pub fn to_usize(&self) -> Option<usize> {
        match &self.0 {
            Small(n) => usize::try_from(*n).ok(),
            Big(n) => usize::try_from(&**n).ok(),
        }
    }

    /// Whether the value is below zero.
    #[inline]
    pub fn is_negative(&self) -> bool {
        self.signum() < 0
    }

    /// Whether the value is zero.
    #[inline]
    pub fn is_zero(&self) -> bool {
        *self == Int::ZERO
    }

    /// The sign of the value: -1, 0 or 1.
    #[inline]
    pub fn signum(&self) -> i32 {
        match &self.0 {
            Small(n) => n.cmp(&0) as i32,
            // A boxed value is never zero.
            Big(n) if n.sign() == dashu_int::Sign::Negative => -1,
            Big(_) => 1,
        }
    }

    /// The number of bits of the absolute value.
    pub fn bits(&self) -> u64 {
        match &self.0 {
            Small(n) => u64::from(64 - n.unsigned_abs().leading_zeros()),
            Big(n) => dashu_int::ops::BitTest::bit_len(&**n) as u64,
        }
    }

    /// The absolute value.
    pub fn abs(&self) -> Int {
        match &self.0 {
            Small(n) => Int::from(n.unsigned_abs()),
            Big(n) => Int::from_big((**n).clone().abs()),
        }
    }

    /// SMT-LIB `div`: the `q` with `self = n*q + r` and `0 <= r < |n|`; `None` if `n` is zero.
    pub fn div_euclid_smt(&self, n: &Int) -> Option<Int> {
        if n.is_zero() {
            return None;
        }
        if let (Small(a), Small(b)) = (&self.0, &n.0)
            && let Some(q) = a.checked_div_euclid(*b)
        {
            return Some(Int(Small(q)));
        }
        spend_product(self, n);
        let quotient = (&*self.to_big()).div_euclid(&*n.to_big());
        Some(Int::from_big(quotient))
    }

    /// SMT-LIB `mod`: the `r` with `self = n*q + r` and `0 <= r < |n|`; `None` if `n` is zero.
    pub fn mod_euclid_smt(&self, n: &Int) -> Option<Int> {
        if n.is_zero() {
            return None;
        }
        if let (Small(a), Small(b)) = (&self.0, &n.0)
            && let Some(r) = a.checked_rem_euclid(*b)
        {
            return Some(Int(Small(r)));
        }
        spend_product(self, n);
        let remainder = (&*self.to_big()).rem_euclid(&*n.to_big());
        Some(Int::from_big(remainder.into()))
    }

    /// The greatest common divisor, never negative; that of 0 and 0 is 0.
    pub fn gcd(&self, other: &Int) -> Int {
        if let (Small(a), Small(b)) = (&self.0, &other.0) {
            return Int::from(gcd_u64(a.unsigned_abs(), b.unsigned_abs()));
        }
        spend_product(self, other);
        let divisor = (&*self.to_big()).gcd(&*other.to_big());
        Int::from_big(divisor.into())
    }

    /// Whether `self` is a multiple of `n`. Only zero is a multiple of zero.
    pub fn divisible_by(&self, n: &Int) -> bool {
        self.mod_euclid_smt(n).map_or_else(|| self.is_zero(), |r| r.is_zero())
    }

    /// The value to the power `exponent`; to the power 0 it is 1, even for 0.
    ///
    /// The result has about `exponent` times as many digits: bound the exponent before calling.
    pub fn pow(&self, exponent: u32) -> Int {
        if let Small(n) = self.0
            && let Some(power) = n.checked_pow(exponent)
        {
            return Int(Small(power));
        }
        // A `usize` has at least 32 bits wherever this tool can run.
        Int::from_big(self.to_big().pow(exponent as usize))
    }

    /// The canonical integer of this value.
    fn from_big(value: IBig) -> Int {
        i64::try_from(&value).map_or_else(|_| Int(Big(Box::new(value))), |n| Int(Small(n)))
    }

    /// The canonical integer of this value, keeping the box if one is needed.
    fn from_box(value: Box<IBig>) -> Int {
        i64::try_from(&*value).map_or_else(|_| Int(Big(value)), |n| Int(Small(n)))
    }

    /// The value as a big integer (which does not allocate for a small one).
    fn to_big(&self) -> Cow<'_, IBig> {
        match &self.0 {
            Small(n) => Cow::Owned(IBig::from(*n)),
            Big(n) => Cow::Borrowed(n),
        }
    }

    /// The value as a boxed big integer, reusing the box if there is one.
    fn into_box(self) -> Box<IBig> {
        match self.0 {
            Small(n) => Box::new(IBig::from(n)),
            Big(n) => n,
        }
    }
}

/// Counts the work of adding big integers.
fn spend_sum(a: &Int, b: &Int) {
    spend(1 + (a.bits() + b.bits()) as usize / 1024);
}

/// Counts the work of multiplying or dividing big integers, by the method of schoolbooks: an upper bound.
fn spend_product(a: &Int, b: &Int) {
    spend(1 + (a.bits() as usize / 512 + 1).saturating_mul(b.bits() as usize / 512 + 1));
}

/// The greatest common divisor by Stein's binary method.
fn gcd_u64(mut a: u64, mut b: u64) -> u64 {
    if a == 0 || b == 0 {
        return a | b;
    }
    let twos = (a | b).trailing_zeros();
    a >>= a.trailing_zeros();
    while b != 0 {
        b >>= b.trailing_zeros();
        if a > b {
            mem::swap(&mut a, &mut b);
        }
        b -= a;
    }
    a << twos
}

/// Implements a binary operator and its assigning form for owned and borrowed operands.
macro_rules! int_operator {
    ($op:ident::$method:ident, $assign:ident::$assign_method:ident, $checked:ident, $spend:ident) => {
        impl $assign<&Int> for Int {
            #[inline]
            fn $assign_method(&mut self, rhs: &Int) {
                if let (Small(a), Small(b)) = (&self.0, &rhs.0)
                    && let Some(n) = a.$checked(*b)
                {
                    self.0 = Small(n);
                    return;
                }
                $spend(self, rhs);
                let mut value = mem::take(self).into_box();
                match &rhs.0 {
                    Small(n) => $assign::$assign_method(&mut *value, *n),
                    Big(n) => $assign::$assign_method(&mut *value, &**n),
                }
                *self = Int::from_box(value);
            }
        }

        impl $op<&Int> for &Int {
            type Output = Int;

            #[inline]
            fn $method(self, rhs: &Int) -> Int {
                if let (Small(a), Small(b)) = (&self.0, &rhs.0)
                    && let Some(n) = a.$checked(*b)
                {
                    return Int(Small(n));
                }
                $spend(self, rhs);
                Int::from_big($op::$method(&*self.to_big(), &*rhs.to_big()))
            }
        }

        impl $op<&Int> for Int {
            type Output = Int;

            #[inline]
            fn $method(mut self, rhs: &Int) -> Int {
                $assign::$assign_method(&mut self, rhs);
                self
            }
        }

        impl $op for Int {
            type Output = Int;

            #[inline]
            fn $method(self, rhs: Int) -> Int {
                $op::$method(self, &rhs)
            }
        }

        impl $op<Int> for &Int {
            type Output = Int;

            #[inline]
            fn $method(self, rhs: Int) -> Int {
                $op::$method(self, &rhs)
            }
        }
    };
}

int_operator!(Add::add, AddAssign::add_assign, checked_add, spend_sum);
int_operator!(Sub::sub, SubAssign::sub_assign, checked_sub, spend_sum);
int_operator!(Mul::mul, MulAssign::mul_assign, checked_mul, spend_product);

impl Neg for Int {
    type Output = Int;

    #[inline]
    fn neg(self) -> Int {
        match self.0 {
            Small(n) => n.checked_neg().map_or_else(|| Int::from_big(-IBig::from(n)), |n| Int(Small(n))),
            Big(n) => Int::from_big(-*n),
        }
    }
}

impl Neg for &Int {
    type Output = Int;

    #[inline]
    fn neg(self) -> Int {
        -self.clone()
    }
}

impl Ord for Int {
    #[inline]
    fn cmp(&self, other: &Int) -> Ordering {
        match (&self.0, &other.0) {
            (Small(a), Small(b)) => a.cmp(b),
            (Big(a), Big(b)) => a.cmp(b),
            // A boxed value is outside the range of `i64`: its sign decides.
            (Small(_), Big(_)) => 0.cmp(&other.signum()),
            (Big(_), Small(_)) => self.signum().cmp(&0),
        }
    }
}

impl PartialOrd for Int {
    #[inline]
    fn partial_cmp(&self, other: &Int) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Default for Int {
    #[inline]
    fn default() -> Int {
        Int::ZERO
    }
}

impl fmt::Display for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Small(n) => fmt::Display::fmt(n, f),
            Big(n) => fmt::Display::fmt(n, f),
        }
    }
}

impl fmt::Debug for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Implements `From` for a primitive integer type.
macro_rules! int_from {
    ($($primitive:ty),*) => {$(
        impl From<$primitive> for Int {
            #[inline]
            fn from(value: $primitive) -> Int {
                i64::try_from(value)
                    .map_or_else(|_| Int(Big(Box::new(IBig::from(value)))), |n| Int(Small(n)))
            }
        }
    )*};
}

int_from!(u64, usize);

impl From<i64> for Int {
    #[inline]
    fn from(value: i64) -> Int {
        Int(Small(value))
    }
}

impl From<i32> for Int {
    #[inline]
    fn from(value: i32) -> Int {
        Int(Small(value.into()))
    }
}

impl From<u32> for Int {
    #[inline]
    fn from(value: u32) -> Int {
        Int(Small(value.into()))
    }
}

#[cfg(test)]
mod tests;
