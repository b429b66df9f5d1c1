//! Values that a selected rule must survive, beyond the domain on which it was mined.
//!
//! Bounds are where false rules hide: `(str.len (str.from_int (str.len x))) = 1` holds for all words below length 10, and
//! `(str.to_code (str.from_code (str.len x))) = (str.len x)` below 196,608. So each round has random words over few characters, which are
//! often parts of each other, with characters of all planes and surrogates, longer words and numerals around the bounds. All numerals, codes
//! and lengths up to 60 are tried too, and rules on codes on words as long as there are codes.

use super::matching::occurrences;
use crate::dice::{Dice, LETTERS};
use semantics::Config;
use semantics::rule::{Domain, Rule};
use smt::{Head, Op, Pool};

const WORDS: u64 = 40;
const BOUNDS: [i64; 16] = [0, 1, -1, 9, 10, 11, 47, 48, 57, 58, 99, 100, 101, 196_607, 196_608, -100];
/// Characters at borders: of digits, letters, the planes, surrogates, the last one.
const CORNERS: [u32; 16] =
    [0, 5, 9, 0x2F, 0x30, 0x39, 0x3A, 0x41, 0x61, 0x7F, 0xE9, 0xD800, 0xDFFF, 0xFFFF, 0x1_0000, 0x2_FFFF];

/// Values of several kinds.
#[derive(Debug)]
pub struct Attack {
    rounds: Vec<Domain>,
    numbers: Domain,
    codes: Domain,
}

impl Attack {
    /// The values of a seed: the number of rounds, and the largest number of cases in each.
    pub fn new(pool: &mut Pool, seed: u64, rounds: u64, cases: usize) -> Attack {
        let rounds = (0..rounds).map(|n| round(pool, &mut Dice::new(seed, 1 + n), cases)).collect();
        let long = [48, 58, 1_000, 196_607, 196_608].map(|n| vec![u32::from(b'a'); n]);
        let short = ["", "a", "0", "10", "\u{2FFFF}"].map(|w| w.chars().map(u32::from).collect());
        let mut codes = Domain::of_words(pool, &[&long[..], &short[..]].concat(), &BOUNDS);
        codes.add_large_ints(pool);
        codes.max_cases = 400;
        Attack { rounds, numbers: numbers(pool), codes }
    }

    /// A case that refutes a rule. A case without a value does not.
    pub fn refutes(&self, pool: &mut Pool, rule: &Rule) -> Option<String> {
        let mut domains: Vec<&Domain> = self.rounds.iter().collect();
        let numeric = [Op::StrFromCode, Op::StrToCode, Op::StrFromInt, Op::StrToInt, Op::StrIsDigit];
        if numeric.iter().any(|&op| uses(pool, rule, op)) {
            domains.push(&self.numbers);
        }
        if uses(pool, rule, Op::StrFromCode) && !uses(pool, rule, Op::StrInRe) {
            domains.push(&self.codes);
        }
        domains.into_iter().find_map(|d| rule.verify(pool, d, Config::default()).counterexample)
    }
}

fn uses(pool: &Pool, rule: &Rule, op: Op) -> bool {
    [rule.lhs, rule.rhs].iter().any(|&t| occurrences(pool, t).iter().any(|&t| pool.head(t) == Head::Op(op)))
}

/// Numerals, characters by their codes, and words by their lengths.
fn numbers(pool: &mut Pool) -> Domain {
    let mut words = vec![Vec::new()];
    words.extend((0..12).map(|c| vec![c]));
    words.extend(
        (0..=60).chain(95..=101).chain([196_606, 196_607, 196_608, 196_609, 200_000, 393_216]).map(numeral),
    );
    let mixed = [
        "a",
        "b",
        "/",
        ":",
        "\u{2FFFF}",
        "00",
        "01",
        "02",
        "001",
        "010",
        "012",
        "049",
        "0a",
        "a0",
        "1a",
        "2a",
        "3ab",
        "ab",
    ];
    words.extend(mixed.map(|w| w.chars().map(u32::from).collect::<Vec<u32>>()));
    words.extend((2..=12).chain(46..=59).chain(95..=101).map(|n| vec![u32::from(b'a'); n]));
    let ints: Vec<i64> = (-3..=60).chain(95..=101).chain(196_606..=196_609).collect();
    let mut domain = Domain::of_words(pool, &words, &ints);
    domain.add_large_ints(pool);
    domain.max_cases = 40_000;
    domain
}

/// Two or three characters, words over them, and numbers.
fn round(pool: &mut Pool, dice: &mut Dice, cases: usize) -> Domain {
    let letters: Vec<u32> = (0..dice.between(2, 3)).map(|_| letter(dice)).collect();
    let mut words: Vec<Vec<u32>> = (0..WORDS).map(|n| word(dice, &letters, n)).collect();
    words.extend(BOUNDS.iter().filter(|&&n| n > 9).map(|n| numeral(*n)));
    let ints: Vec<i64> =
        (0..24).map(|n| if n % 2 == 0 { *dice.pick(&BOUNDS) } else { dice.int(-3, 12) }).collect();
    dice.shuffle(&mut words);
    let mut domain = Domain::of_words(pool, &words, &ints);
    domain.add_large_ints(pool);
    domain.max_cases = cases;
    domain
}

fn letter(dice: &mut Dice) -> u32 {
    if dice.one_in(2) { *dice.pick(&CORNERS) } else { u32::from(*dice.pick(LETTERS)) }
}

fn word(dice: &mut Dice, letters: &[u32], n: u64) -> Vec<u32> {
    let most = match n % 8 {
        0 => 14,
        1 => 7,
        _ => 3,
    };
    (0..dice.between(0, most)).map(|_| *dice.pick(letters)).collect()
}

fn numeral(n: i64) -> Vec<u32> {
    n.to_string().bytes().map(u32::from).collect()
}
