//! Against 128-bit and big arithmetic, near the boundaries.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use proptest::prelude::*;

use super::*;

/// Where the representation changes, and a few other places worth probing.
const CENTRES: [i128; 10] = [
    0,
    i64::MIN as i128,
    i64::MAX as i128,
    -(i64::MAX as i128),
    u64::MAX as i128,
    -(u64::MAX as i128),
    1 << 32,
    -(1 << 32),
    3_037_000_499, // the square root of `i64::MAX`
    -3_037_000_500,
];

/// Integers near the places above, and integers of every size.
fn value() -> impl Strategy<Value = i128> {
    prop_oneof![
        3 => (prop::sample::select(&CENTRES[..]), -3i128..=3).prop_map(|(c, d)| c + d),
        1 => -40i128..=40,
        1 => any::<i64>().prop_map(i128::from),
        1 => (any::<i128>(), 1u32..127).prop_map(|(n, shift)| n >> shift),
    ]
}

/// The integer of a value, built without any of the operators under test but negation.
fn int(n: i128) -> Int {
    let magnitude = Int::from_decimal(n.unsigned_abs().to_string().as_bytes()).unwrap();
    if n < 0 { -magnitude } else { magnitude }
}

/// Checks a result against the expected value: its digits, its canonical form and its hash.
#[track_caller]
fn check(found: &Int, expected: &IBig) {
    assert_eq!(found.to_string(), expected.to_string());
    assert_eq!(found.to_i64(), i64::try_from(expected).ok(), "canonical");
    assert_eq!(found.to_usize(), usize::try_from(expected).ok());
    let rebuilt = Int::from_big(expected.clone());
    assert_eq!(*found, rebuilt);
    assert_eq!(hash(found), hash(&rebuilt));
}

fn hash<T: Hash>(value: &T) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// The rational of a fraction whose denominator is not zero.
fn rat(num: i128, den: i128) -> Rat {
    Rat::new(int(num), int(den)).unwrap()
}

/// Checks that the fraction is the expected one and in lowest terms.
#[track_caller]
fn check_rat(found: &Rat, num: &IBig, den: &IBig) {
    let (n, d) = (found.numer().to_big(), found.denom().to_big());
    assert_eq!(&*n * den, num * &*d);
    assert!(*found.denom() > Int::ZERO);
    assert_eq!(found.numer().gcd(found.denom()), Int::ONE);
}

#[test]
fn an_int_is_two_words() {
    assert_eq!(size_of::<Int>(), 16);
    assert_eq!(size_of::<Option<Int>>(), 16);
}

#[test]
fn conversions() {
    assert_eq!(Int::from(-7i32), Int::from(-7i64));
    assert_eq!(Int::from(7u32), Int::from(7usize));
    assert_eq!(Int::default(), Int::ZERO);
    check(&Int::from(i64::MIN), &IBig::from(i64::MIN));
    check(&Int::from(u64::MAX), &IBig::from(u64::MAX));
    check(&Int::from(usize::MAX), &IBig::from(usize::MAX));
    assert_eq!(Int::from(1u64 << 63), -Int::from(i64::MIN));
}

#[test]
fn decimals_are_digits_only() {
    for bad in ["", "+1", "-1", "1_0", " 1", "1.", "a", "٣"] {
        assert_eq!(Int::from_decimal(bad.as_bytes()), None, "{bad:?}");
        let padded = format!("{bad}x{}", "1".repeat(30));
        assert_eq!(Int::from_decimal(padded.as_bytes()), None);
    }
    assert_eq!(Int::from_decimal(b"0000"), Some(Int::ZERO));
    let padded = format!("{}{}", "0".repeat(100), i64::MAX);
    assert_eq!(Int::from_decimal(padded.as_bytes()), Some(i64::MAX.into()));
}

#[test]
fn bits_of_the_absolute_value() {
    for (n, want) in [(0, 0), (1, 1), (-1, 1), (255, 8), (i64::MIN, 64), (i64::MAX, 63)] {
        assert_eq!(Int::from(n).bits(), want, "{n}");
    }
    assert_eq!(Int::from(2i64).pow(200).bits(), 201);
}

#[test]
fn a_million_digits_there_and_back() {
    let text = "1234567890".repeat(100_000);
    let number = Int::from_decimal(text.as_bytes()).unwrap();
    assert!(number.to_string() == text);
}

#[test]
fn division_follows_the_standard() {
    let div = |a: i32, b: i32| Int::from(a).div_euclid_smt(&b.into());
    let rem = |a: i32, b: i32| Int::from(a).mod_euclid_smt(&b.into());
    for (a, b, q, r) in [(7, 2, 3, 1), (7, -2, -3, 1), (-7, 2, -4, 1), (-7, -2, 4, 1)] {
        assert_eq!(div(a, b), Some(q.into()));
        assert_eq!(rem(a, b), Some(r.into()));
    }
    assert_eq!((div(7, 0), rem(7, 0)), (None, None));
    assert!(Int::ZERO.divisible_by(&Int::ZERO));
    assert!(!Int::ONE.divisible_by(&Int::ZERO));
    assert_eq!(Int::ZERO.gcd(&Int::ZERO), Int::ZERO);
    assert_eq!(Int::ZERO.pow(0), Int::ONE);
}

#[test]
fn rationals_print_as_terms() {
    let shown = |n, d| rat(n, d).to_string();
    assert_eq!(shown(6, 2), "3.0");
    assert_eq!(shown(6, -2), "(- 3.0)");
    assert_eq!(shown(-2, -6), "(/ 1.0 3.0)");
    assert_eq!(shown(2, -6), "(- (/ 1.0 3.0))");
    assert_eq!(shown(0, -6), "0.0");
    assert_eq!(shown(i64::MIN.into(), 3), "(- (/ 9223372036854775808.0 3.0))");
    assert_eq!(Rat::default(), Rat::from(Int::ZERO));
    assert_eq!(Rat::new(Int::ONE, Int::ZERO), None);
    assert_eq!(rat(1, 3).checked_div(&Rat::ZERO), None);
}

#[test]
fn decimal_literals() {
    let read = |text: &str| Rat::from_decimal_literal(text.as_bytes());
    assert_eq!(read("12.50"), Some(rat(25, 2)));
    assert_eq!(read("0.0"), Some(Rat::ZERO));
    assert_eq!(read("3.000"), Some(rat(3, 1)));
    assert_eq!(read("0.00000000000000000001"), Some(rat(1, 100_000_000_000_000_000_000)));
    for bad in ["", ".", "1", "1.", ".5", "-1.0", "1.0.0", "1.-5", "1.5e3"] {
        assert_eq!(read(bad), None, "{bad:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn unary_operations(n in value()) {
        let (i, b) = (int(n), IBig::from(n));
        check(&i, &b);
        check(&-&i, &-&b);
        check(&-i.clone(), &-&b);
        check(&i.abs(), &b.clone().abs());
        prop_assert_eq!(i128::from(i.signum()), n.signum());
        prop_assert_eq!(i.is_negative(), n < 0);
        prop_assert_eq!(i.is_zero(), n == 0);
        prop_assert_eq!(format!("{i:?}"), n.to_string());
    }

    #[test]
    fn ring_operations(m in value(), n in value()) {
        let (x, y) = (int(m), int(n));
        let (a, b) = (IBig::from(m), IBig::from(n));
        for (expected, found) in [
            (&a + &b, [&x + &y, x.clone() + &y, &x + y.clone(), x.clone() + y.clone()]),
            (&a - &b, [&x - &y, x.clone() - &y, &x - y.clone(), x.clone() - y.clone()]),
            (&a * &b, [&x * &y, x.clone() * &y, &x * y.clone(), x.clone() * y.clone()]),
        ] {
            found.iter().for_each(|f| check(f, &expected));
        }
        // There and back again, across the boundary of the representation.
        let mut z = x.clone();
        z += &y;
        z -= &y;
        check(&z, &a);
        z *= &y;
        check(&z, &(&a * &b));
    }

    #[test]
    fn division(m in value(), n in value()) {
        let (x, y) = (int(m), int(n));
        prop_assume!(n != 0);
        let (q, r) = (x.div_euclid_smt(&y).unwrap(), x.mod_euclid_smt(&y).unwrap());
        check(&q, &IBig::from(m.div_euclid(n)));
        check(&r, &IBig::from(m.rem_euclid(n)));
        prop_assert!(&y * &q + &r == x && !r.is_negative() && r < y.abs());
        prop_assert_eq!(x.divisible_by(&y), m % n == 0);
        prop_assert!((&x * &y).divisible_by(&y));
    }

    #[test]
    fn greatest_common_divisors(m in value(), n in value(), k in value()) {
        let euclid = |mut a: u128, mut b: u128| {
            while b != 0 {
                (a, b) = (b, a % b);
            }
            a
        };
        let expected = euclid(m.unsigned_abs(), n.unsigned_abs());
        check(&int(m).gcd(&int(n)), &IBig::from(expected));
        let scaled = (int(m) * int(k)).gcd(&(int(n) * int(k)));
        check(&scaled, &(IBig::from(expected) * IBig::from(k).abs()));
    }

    #[test]
    fn order(m in value(), n in value()) {
        prop_assert_eq!(int(m).cmp(&int(n)), m.cmp(&n));
        prop_assert_eq!(int(m) == int(n), m == n);
    }

    #[test]
    fn powers(n in value(), exponent in 0u32..9) {
        check(&int(n).pow(exponent), &IBig::from(n).pow(exponent as usize));
    }

    #[test]
    fn rationals(p in value(), q in value(), r in value(), s in value()) {
        prop_assume!(q != 0 && s != 0);
        let (x, y) = (rat(p, q), rat(r, s));
        let [p, q, r, s] = [p, q, r, s].map(IBig::from);
        check_rat(&(&x + &y), &(&p * &s + &r * &q), &(&q * &s));
        check_rat(&(&x - &y), &(&p * &s - &r * &q), &(&q * &s));
        check_rat(&(&x * &y), &(&p * &r), &(&q * &s));
        check_rat(&-&x, &-&p, &q);
        if let Some(z) = x.checked_div(&y) {
            check_rat(&z, &(&p * &s), &(&q * &r));
            prop_assert_eq!(z * &y, x.clone());
        }
        let sign = (&q * &s).signum();
        prop_assert_eq!(x.cmp(&y), (&p * &s * &sign).cmp(&(&r * &q * &sign)));
        prop_assert_eq!(x == y, x.cmp(&y) == Ordering::Equal);
        let floor = Rat::from(x.floor());
        prop_assert!(floor <= x && x < &floor + Rat::from(Int::ONE));
        prop_assert_eq!(x.is_integer(), floor == x);
    }
}
