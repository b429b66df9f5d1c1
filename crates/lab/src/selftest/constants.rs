//! Constants for corner cases: empty words, quotes, texts like escapes, the ends of ranges.

use smt::{Int, Op, Rat};
use synth::Dice;

/// The purpose of a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flavor {
    /// No purpose.
    Plain,
    /// Words of one character mostly.
    Single,
    /// Words of digits mostly.
    Digits,
    /// Code points mostly.
    Code,
    /// Words that occur in others.
    Needle,
}

impl Flavor {
    /// The purpose of argument `i` of `op`.
    pub(super) fn of(op: Op, i: usize) -> Flavor {
        let needle_at = |place: usize| if i == place { Flavor::Needle } else { Flavor::Plain };
        match op {
            Op::StrToCode | Op::StrIsDigit | Op::ReRange => Flavor::Single,
            Op::StrToInt => Flavor::Digits,
            Op::StrFromCode => Flavor::Code,
            Op::StrPrefixof | Op::StrSuffixof => needle_at(0),
            Op::StrContains | Op::StrIndexof | Op::StrLastIndexof => needle_at(1),
            Op::StrReplace | Op::StrReplaceAll => needle_at(1),
            Op::True | Op::False | Op::Not | Op::And | Op::Or | Op::Xor | Op::Implies => Flavor::Plain,
            Op::Eq | Op::Distinct | Op::Ite => Flavor::Plain,
            Op::Neg | Op::Add | Op::Sub | Op::Mul | Op::RealDiv | Op::IntDiv | Op::Mod => Flavor::Plain,
            Op::Abs | Op::Le | Op::Lt | Op::Ge | Op::Gt | Op::Divisible => Flavor::Plain,
            Op::ToReal | Op::ToInt | Op::IsInt => Flavor::Plain,
            Op::StrConcat | Op::StrLen | Op::StrLt | Op::StrLe | Op::StrAt | Op::StrSubstr => Flavor::Plain,
            Op::StrReplaceRe | Op::StrReplaceReAll | Op::StrFromInt | Op::StrInRe => Flavor::Plain,
            Op::StrRev | Op::StrToLower | Op::StrToUpper | Op::StrUpdate => Flavor::Plain,
            Op::StrIndexofRe => Flavor::Plain,
            Op::StrToRe | Op::ReNone | Op::ReAll | Op::ReAllchar | Op::ReConcat => Flavor::Plain,
            Op::ReUnion | Op::ReInter | Op::ReStar | Op::ReComp | Op::ReDiff => Flavor::Plain,
            Op::RePlus | Op::ReOpt | Op::RePower | Op::ReLoop => Flavor::Plain,
            Op::SeqEmpty
            | Op::SeqUnit
            | Op::SeqNth
            | Op::SeqConcat
            | Op::SeqLen
            | Op::SeqAt
            | Op::SeqExtract => Flavor::Plain,
            Op::SeqPrefixof
            | Op::SeqSuffixof
            | Op::SeqContains
            | Op::SeqIndexof
            | Op::SeqReplace
            | Op::SeqReplaceAll => Flavor::Plain,
        }
    }
}

/// The parts of words.
const FRAGMENTS: &[&str] = &[
    "\"",
    "\"\"",
    "\\",
    "\\\\",
    "\\u{41}",
    "\\u0041",
    "\\x41",
    "\\n",
    "\\u{",
    "u{41}",
    "}",
    "\\u{110000}",
    "\\u{d800}",
    ";",
    "|",
    "(",
    ")",
    " ",
    "\t",
    "\n",
    "\r",
    "\0",
    "\u{1}",
    "\u{7f}",
    "\u{80}",
    "\u{ff}",
    "é",
    "ß",
    "\u{ffff}",
    "\u{10000}",
    "\u{2ffff}",
    "a",
    "b",
    "A",
    "0",
    "-1",
    "//",
    "'",
    "@",
    "[",
    "`",
    "{",
    "z",
    "Z",
];

/// Code points at boundaries, surrogates, and numbers that are not code points.
const CODES: &[i64] = &[
    -1, 0, 1, 0x1f, 0x20, 0x22, 0x2f, 0x30, 0x39, 0x3a, 0x41, 0x5a, 0x5c, 0x61, 0x62, 0x7a, 0x7e, 0x7f, 0x80,
    0xff, 0x100, 0xd7ff, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xe000, 0xfffd, 0xffff, 0x10000, 0x1ffff, 0x20000,
    0x2fffe, 0x2ffff, 0x30000, 0x10ffff, 0x110000,
];

/// The parts of literals, as written.
const RAW: &[&str] = &[
    "\\",
    "\\u",
    "\\u{",
    "\\u{}",
    "\\u{41}",
    "\\u{041}",
    "\\u{00041}",
    "\\u{000041}",
    "\\u{5c}",
    "\\u{5C}",
    "\\u{2ffff}",
    "\\u{2FFFF}",
    "\\u{30000}",
    "\\u{10ffff}",
    "\\u{110000}",
    "\\u{d800}",
    "\\u{g}",
    "\\u{4 1}",
    "\\u{41",
    "\\u0041",
    "\\u004",
    "\\u00G1",
    "\\ud800",
    "\\uDFFF",
    "\\u005c",
    "\\U0041",
    "\\x41",
    "\\x",
    "\\n",
    "\\t",
    "\\0",
    "\\101",
    "\\a",
    "\\\\",
    "u",
    "{",
    "}",
    "4",
    "41",
    "0041",
    "a",
    "G",
    " ",
    "\"\"",
    "|",
    ";",
    "(",
    "u{41}",
];

/// The longest random word.
const MAX_LENGTH: i64 = 6;

/// A word, sometimes a part of one of the `earlier` ones.
pub(super) fn word(dice: &mut Dice, flavor: Flavor, earlier: &[Vec<u32>]) -> Vec<u32> {
    match flavor {
        Flavor::Single if dice.percent(60) => return vec![character(dice)],
        Flavor::Digits if dice.percent(60) => return digits(dice),
        Flavor::Needle if dice.percent(25) => return letters(dice, b"ab", 2),
        _ => {}
    }
    let again = if flavor == Flavor::Needle { 60 } else { 30 };
    if !earlier.is_empty() && dice.percent(again) {
        return part(dice, earlier);
    }
    match dice.index(100) {
        0..14 => Vec::new(),
        14..56 => letters(dice, b"ab", MAX_LENGTH),
        56..64 => letters(dice, b"abAB@Zz[`{", MAX_LENGTH),
        64..74 => digits(dice),
        74..82 => vec![character(dice)],
        _ => fragments(dice),
    }
}

/// A part of one of them, or all of it.
fn part(dice: &mut Dice, words: &[Vec<u32>]) -> Vec<u32> {
    let whole = dice.pick(words);
    if dice.one_in(3) {
        return whole.clone();
    }
    let from = dice.index(whole.len() + 1);
    let to = from + dice.index(whole.len() - from + 1);
    whole[from..to].to_vec()
}

fn letters(dice: &mut Dice, alphabet: &[u8], most: i64) -> Vec<u32> {
    (0..dice.int(1, most)).map(|_| u32::from(*dice.pick(alphabet))).collect()
}

fn fragments(dice: &mut Dice) -> Vec<u32> {
    (0..dice.int(1, 3))
        .flat_map(|_| dice.pick(FRAGMENTS).chars().map(u32::from).collect::<Vec<_>>())
        .collect()
}

/// A string literal of printable ASCII characters, as written.
pub(super) fn literal(dice: &mut Dice) -> String {
    let parts = (0..dice.int(1, 5)).map(|_| *dice.pick(RAW));
    format!("\"{}\"", parts.collect::<String>())
}

/// One character, surrogates included.
pub(super) fn character(dice: &mut Dice) -> u32 {
    match dice.index(10) {
        0..5 => u32::from(*dice.pick(b"abcABC019")),
        5..9 => {
            let code = *dice.pick(CODES);
            u32::try_from(code).ok().filter(|&c| c <= 0x2ffff).unwrap_or(0x61)
        }
        _ => dice.index(0x30000) as u32,
    }
}

fn digits(dice: &mut Dice) -> Vec<u32> {
    let text = match dice.index(10) {
        0 => "007".into(),
        1 => "-1".into(),
        2 => "0".into(),
        3 => (*dice.pick(&["00", "+1", "1.0", " 1", "1 ", "0x1", "1e3", "٣", "１"])).into(),
        4 => numeral(dice, 40),
        _ => {
            let length = dice.int(1, 4) as usize;
            numeral(dice, length)
        }
    };
    text.chars().map(u32::from).collect()
}

/// `length` random digits.
fn numeral(dice: &mut Dice, length: usize) -> String {
    (0..length).map(|_| char::from(*dice.pick(b"0123456789"))).collect()
}

/// An integer: small, as an index, or very large.
pub(super) fn int(dice: &mut Dice, flavor: Flavor) -> Int {
    if flavor == Flavor::Code && dice.percent(60) {
        return Int::from(*dice.pick(CODES));
    }
    match dice.index(100) {
        0..72 => Int::from(dice.int(-2, 7)),
        72..84 => Int::from(dice.int(-40, 120)),
        84..88 => Int::from(*dice.pick(CODES)),
        88..94 => power_of_two(dice),
        _ => {
            let digits = numeral(dice, 40);
            sign(dice, Int::from_decimal(digits.as_bytes()).unwrap_or(Int::ZERO))
        }
    }
}

fn sign(dice: &mut Dice, n: Int) -> Int {
    if dice.one_in(2) { -n } else { n }
}

/// Near the limits of machine integers.
fn power_of_two(dice: &mut Dice) -> Int {
    let bits = *dice.pick(&[7, 8, 15, 16, 31, 32, 63, 64, 128]);
    let n = Int::from(2).pow(bits) + Int::from(dice.int(-1, 1));
    sign(dice, n)
}

/// A rational.
pub(super) fn rational(dice: &mut Dice) -> Rat {
    let whole = int(dice, Flavor::Plain);
    let denominator = Int::from(*dice.pick(&[1i64, 1, 2, 3, 4, 7, 10, 100]));
    Rat::new(whole, denominator).unwrap_or(Rat::ZERO)
}

/// A word that is almost `word`.
pub(super) fn mutate(dice: &mut Dice, mut word: Vec<u32>) -> Vec<u32> {
    let at = dice.index(word.len() + 1);
    match dice.index(4) {
        0 => word.insert(at, character(dice)),
        1 if at < word.len() => {
            word.remove(at);
        }
        2 if at < word.len() => word[at] = character(dice),
        _ => {
            let tail = word[at..].to_vec();
            word.extend(tail);
        }
    }
    word
}
