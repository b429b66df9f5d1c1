//! The string operators of the SMT-LIB theory of Unicode strings, as functions of words.
//!
//! This module is half of the referee (regular languages are the other half): it judges the answers of
//! solvers. It is therefore written from the text of the standard alone (theory `Strings`, version 2.6, section
//! `:definition`), and each function quotes the definition it implements. The built-in solver evaluates constants with
//! it, so the referee does not find errors that they share; the comparison with other solvers does.
//!
//! A word is a sequence of code points from 0 to [`MAX_CHAR`]; surrogates are ordinary
//! characters. Integers are unbounded, so an index may be negative or have forty digits. Every
//! operator takes time linear in the lengths of its arguments, except for the two conversions
//! between words and integers, which are subquadratic.
//!
//! Solvers from before version 2.6 of the standard disagree with it on two operators: [`Reading`].

use std::fmt::{self, Write as _};
use std::iter;
use std::ops::Deref;
use std::sync::{Arc, LazyLock};

use smallvec::SmallVec;
use smt::num::Int;

#[cfg(test)]
mod tests;

/// The greatest character: the end of Unicode plane 2, beyond which the theory does not go.
pub const MAX_CHAR: u32 = 0x2FFFF;

/// An immutable word, cheap to clone.
///
/// Its characters must not exceed [`MAX_CHAR`]; the conversions check that in debug builds only.
/// The derived order is the lexicographic one of `str.<`. `Debug` writes an SMT-LIB string literal.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Str(Arc<[u32]>);

impl Str {
    /// The empty word. All of them share one allocation.
    pub fn empty() -> Str {
        static EMPTY: LazyLock<Str> = LazyLock::new(|| Str(Arc::from([])));
        EMPTY.clone()
    }

    /// The word of the characters of `text`; escape sequences are not interpreted. `None` if one of them is beyond [`MAX_CHAR`].
    pub fn from_text(text: &str) -> Option<Str> {
        let word: Vec<u32> = text.chars().map(u32::from).collect();
        word.iter().all(|&c| c <= MAX_CHAR).then(|| word.into())
    }

    /// The parts one after the other, in a single allocation.
    pub fn concat(parts: &[&[u32]]) -> Str {
        Str::gather(parts.iter().copied())
    }

    /// The parts one after the other, in a single allocation (none if all parts are empty).
    fn gather<'a>(parts: impl Iterator<Item = &'a [u32]> + Clone) -> Str {
        let length = parts.clone().map(<[u32]>::len).sum();
        if length == 0 {
            return Str::empty();
        }
        let mut word: Arc<[u32]> = iter::repeat_n(0, length).collect();
        let mut rest = Arc::get_mut(&mut word).expect("a new word has one owner");
        for part in parts {
            let (here, after) = rest.split_at_mut(part.len());
            here.copy_from_slice(part);
            rest = after;
        }
        Str(word)
    }
}

impl Deref for Str {
    type Target = [u32];

    #[inline]
    fn deref(&self) -> &[u32] {
        &self.0
    }
}

impl From<&[u32]> for Str {
    fn from(word: &[u32]) -> Str {
        debug_assert!(word.iter().all(|&c| c <= MAX_CHAR), "not a word: {word:?}");
        if word.is_empty() {
            return Str::empty();
        }
        Str(word.into())
    }
}

impl From<Vec<u32>> for Str {
    fn from(word: Vec<u32>) -> Str {
        Str::from(word.as_slice())
    }
}

impl Default for Str {
    fn default() -> Str {
        Str::empty()
    }
}

impl fmt::Debug for Str {
    /// Writes an SMT-LIB string literal. A backslash is always escaped, as it might start an
    /// escape sequence together with the next characters.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for &c in self.iter() {
            match char::from_u32(c) {
                Some('"') => f.write_str("\"\"")?,
                Some(c @ ' '..='~') if c != '\\' => f.write_char(c)?,
                _ => write!(f, "\\u{{{c:x}}}")?,
            }
        }
        f.write_char('"')
    }
}

/// The reading of the operators where versions of the theory differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Reading {
    /// The text of the SMT-LIB 2.6 standard.
    #[default]
    Standard,
    /// The reading before the standard, that of CVC4: the empty word occurs nowhere,
    /// so `str.indexof` for it is -1 and `str.replace` of it changes nothing. Everything else is the same.
    Pre26,
}

/// `str.++`, of any number of words: "the word concatenation function".
pub fn concat<'a, I>(parts: I) -> Str
where
    I: IntoIterator<Item = &'a Str>,
    I::IntoIter: Clone,
{
    let parts = parts.into_iter().filter(|part| !part.is_empty());
    let mut ahead = parts.clone();
    match (ahead.next(), ahead.next()) {
        (None, _) => Str::empty(),
        (Some(only), None) => only.clone(),
        _ => Str::gather(parts.map(|part| &**part)),
    }
}

/// `str.len`: "the number of characters (elements of UC) in w".
pub fn len<T>(w: &[T]) -> Int {
    Int::from(w.len())
}

/// `str.<`: "w₁ is smaller than w₂ in the lexicographic extension to UC* of the standard numerical
/// < ordering over UC".
pub fn lt(w1: &[u32], w2: &[u32]) -> bool {
    w1 < w2
}

/// `str.<=`: "either ⟦str.<⟧(w₁, w₂) or w₁ = w₂".
pub fn le(w1: &[u32], w2: &[u32]) -> bool {
    w1 <= w2
}

/// `str.at`: "⟦str.substr⟧(w, n, 1)".
pub fn at(w: &Str, n: &Int) -> Str {
    substr(w, n, &Int::ONE)
}

/// `str.substr`: the w₂ of w = w₁w₂w₃ with |w₁| = m and |w₂| = min(n, |w| - m) "if 0 <= m < |w| and
/// 0 < n", else the empty word.
pub fn substr(w: &Str, m: &Int, n: &Int) -> Str {
    let part = cut(w, m, n);
    if part.len() == w.len() { w.clone() } else { Str::from(part) }
}

/// The w₂ of `str.substr`.
pub(crate) fn cut<'a, T>(w: &'a [T], m: &Int, n: &Int) -> &'a [T] {
    let Some(start) = position(w, m).filter(|_| n.signum() > 0) else {
        return &[];
    };
    let rest = w.len() - start;
    // A length beyond `usize` is beyond the end of the word, too.
    let length = n.to_usize().map_or(rest, |n| n.min(rest));
    &w[start..start + length]
}

/// The position `m` of a character in `w`: 0 <= m < |w|.
pub(crate) fn position<T>(w: &[T], m: &Int) -> Option<usize> {
    m.to_usize().filter(|&m| m < w.len())
}

/// `str.prefixof`: "w = w₁w₂ for some word w₂". The first argument is the prefix.
pub fn prefixof<T: PartialEq>(w1: &[T], w: &[T]) -> bool {
    w.starts_with(w1)
}

/// `str.suffixof`: "w = w₁w₂ for some word w₁". The first argument is the suffix.
pub fn suffixof<T: PartialEq>(w2: &[T], w: &[T]) -> bool {
    w.ends_with(w2)
}

/// `str.contains`: "w = w₁w₂w₃ for some words w₁, w₃".
pub fn contains<T: PartialEq>(w: &[T], w2: &[T]) -> bool {
    find(w, w2, 0).is_some()
}

/// `str.indexof`: "the smallest n such that for some words w₁, w₃: w = w₁w₂w₃, i <= n = |w₁|", else
/// -1. In particular it is -1 if i is negative or beyond |w|.
pub fn indexof<T: PartialEq>(w: &[T], w2: &[T], i: &Int, reading: Reading) -> Int {
    if reading == Reading::Pre26 && w2.is_empty() {
        return Int::MINUS_ONE;
    }
    i.to_usize().and_then(|i| find(w, w2, i)).map_or(Int::MINUS_ONE, Int::from)
}

/// `str.replace`: "u₁w₂u₂ where u₁ is the shortest word such that w = u₁w₁u₂", and w if it does not
/// contain w₁.
pub fn replace(w: &Str, w1: &[u32], w2: &[u32], reading: Reading) -> Str {
    if reading == Reading::Pre26 && w1.is_empty() {
        return w.clone();
    }
    replaced(w, w1, w2).map_or_else(|| w.clone(), |parts| Str::concat(&parts))
}

/// The parts of the result of `str.replace`, if there is an occurrence.
pub(crate) fn replaced<'a, T: PartialEq>(w: &'a [T], w1: &[T], w2: &'a [T]) -> Option<[&'a [T]; 3]> {
    find(w, w1, 0).map(|n| [&w[..n], w2, &w[n + w1.len()..]])
}

/// `str.replace_all`: "u₁w₂⟦str.replace_all⟧(u₂, w₁, w₂) where u₁ is the shortest word such that w =
/// u₁w₁u₂", and w if it does not contain w₁ or w₁ = ε.
pub fn replace_all(w: &Str, w1: &[u32], w2: &[u32]) -> Str {
    all_replaced(w, w1, w2).map_or_else(|| w.clone(), |parts| Str::concat(&parts))
}

/// The parts of the result of `str.replace_all`, if there is an occurrence.
pub(crate) fn all_replaced<'a, T: PartialEq>(w: &'a [T], w1: &[T], w2: &'a [T]) -> Option<Vec<&'a [T]>> {
    if w1.is_empty() {
        return None;
    }
    let finder = Finder::new(w1, w.len());
    let (mut parts, mut done) = (Vec::new(), 0);
    while let Some(n) = finder.find(w, done) {
        parts.extend([&w[done..n], w2]);
        done = n + w1.len();
    }
    parts.push(&w[done..]);
    (done > 0).then_some(parts)
}

/// `str.is_digit`: "|w| = 1 and 0x00030 <= w <= 0x00039".
pub fn is_digit(w: &[u32]) -> bool {
    matches!(w, [0x30..=0x39])
}

/// `str.to_code`: "-1 if |w| ≠ 1; w otherwise (as w consists of a single code point)".
pub fn to_code(w: &[u32]) -> Int {
    match w {
        &[c] => Int::from(c),
        _ => Int::MINUS_ONE,
    }
}

/// `str.from_code`: "n if 0x00000 <= n <= 0x2FFFF; ε otherwise".
pub fn from_code(n: &Int) -> Str {
    n.to_i64()
        .and_then(|n| u32::try_from(n).ok())
        .filter(|&c| c <= MAX_CHAR)
        .map_or_else(Str::empty, |c| Str(Arc::from([c])))
}

/// `str.to_int`: the number w denotes in base 10, "possibly with leading zeros", and "-1 if s is
/// empty or contains non-digits".
pub fn to_int(w: &[u32]) -> Int {
    let digits: Option<SmallVec<[u8; 32]>> = w.iter().map(|&c| ascii_digit(c)).collect();
    digits.and_then(|digits| Int::from_decimal(&digits)).unwrap_or(Int::MINUS_ONE)
}

/// The character as a byte, if it is a digit.
fn ascii_digit(c: u32) -> Option<u8> {
    u8::try_from(c).ok().filter(u8::is_ascii_digit)
}

/// `str.from_int`: "the shortest word such that ⟦str.to_int⟧(w) = n, if n >= 0; ε otherwise".
pub fn from_int(n: &Int) -> Str {
    if n.is_negative() {
        return Str::empty();
    }
    let word: Vec<u32> = n.to_string().bytes().map(u32::from).collect();
    word.into()
}

/// `str.rev`, an extension of cvc5: the word read backwards.
pub fn rev(w: &Str) -> Str {
    if w.len() < 2 {
        return w.clone();
    }
    Str(w.iter().rev().copied().collect())
}

/// `str.to_lower`, an extension of cvc5 (where it was once `str.tolower`): A to Z become a to z; no
/// other character changes.
pub fn to_lower(w: &Str) -> Str {
    map_chars(w, |c| if matches!(c, 0x41..=0x5A) { c + 0x20 } else { c })
}

/// `str.to_upper`, an extension of cvc5 (where it was once `str.toupper`): a to z become A to Z; no
/// other character changes.
pub fn to_upper(w: &Str) -> Str {
    map_chars(w, |c| if matches!(c, 0x61..=0x7A) { c - 0x20 } else { c })
}

/// The word of the images of the characters; the same word if none of them changes.
fn map_chars(w: &Str, image: impl Fn(u32) -> u32) -> Str {
    if w.iter().all(|&c| image(c) == c) {
        return w.clone();
    }
    Str(w.iter().map(|&c| image(c)).collect())
}

/// `str.update`, an extension of cvc5: `w` with the characters from position `i` on overwritten by
/// `t`, as far as there are any – the length does not change; `w` itself unless 0 <= i < |w|.
pub fn update(w: &Str, i: &Int, t: &[u32]) -> Str {
    let Some(start) = position(w, i) else {
        return w.clone();
    };
    let t = &t[..t.len().min(w.len() - start)];
    if t.is_empty() {
        return w.clone();
    }
    Str::concat(&[&w[..start], t, &w[start + t.len()..]])
}

/// `str.last_indexof`, also `seq.last_indexof`, an extension of z3: the greatest position at which
/// `t` occurs in `w` (which is |w| for the empty `t`), and -1 if there is none.
pub fn last_indexof(w: &[u32], t: &[u32]) -> Int {
    let backwards = |w: &[u32]| w.iter().rev().copied().collect::<Vec<u32>>();
    find(&backwards(w), &backwards(t), 0).map_or(Int::MINUS_ONE, |n| Int::from(w.len() - t.len() - n))
}

/// The first position at or after `from` at which `needle` occurs in `hay`.
fn find<T: PartialEq>(hay: &[T], needle: &[T], from: usize) -> Option<usize> {
    let rest = hay.len().checked_sub(from)?;
    if needle.len() > rest {
        return None;
    }
    Finder::new(needle, rest).find(hay, from)
}

/// A search for one word in others, in linear time.
struct Finder<'a, T> {
    needle: &'a [T],
    /// For each non-empty prefix of the needle the length of its longest proper border (a word
    /// both its prefix and its suffix), by which the method of Knuth, Morris and Pratt shifts the
    /// needle. Empty if trying all positions is good enough.
    borders: Vec<usize>,
}

impl<'a, T: PartialEq> Finder<'a, T> {
    /// Needles up to this length are tried at all positions.
    const SHORT_NEEDLE: usize = 8;
    /// In words up to this length any needle is tried at all positions.
    const SHORT_HAY: usize = 64;

    /// A search for `needle` in words of about `hay` characters.
    fn new(needle: &'a [T], hay: usize) -> Finder<'a, T> {
        let short = needle.len() <= Self::SHORT_NEEDLE || hay <= Self::SHORT_HAY;
        let borders = if short { Vec::new() } else { borders(needle) };
        Finder { needle, borders }
    }

    /// The first position at or after `from` at which the needle occurs in `hay`.
    fn find(&self, hay: &[T], from: usize) -> Option<usize> {
        if self.borders.is_empty() { self.find_by_trial(hay, from) } else { self.find_by_borders(hay, from) }
    }

    fn find_by_trial(&self, hay: &[T], from: usize) -> Option<usize> {
        let last = hay.len().checked_sub(self.needle.len())?;
        let Some((first, others)) = self.needle.split_first() else {
            return (from <= last).then_some(from);
        };
        (from..=last).find(|&n| hay[n] == *first && hay[n + 1..].starts_with(others))
    }

    fn find_by_borders(&self, hay: &[T], from: usize) -> Option<usize> {
        let mut matched = 0;
        for (n, c) in hay.iter().enumerate().skip(from) {
            matched = extend(self.needle, &self.borders, matched, c);
            if matched == self.needle.len() {
                return Some(n + 1 - matched);
            }
        }
        None
    }
}

/// The borders of all non-empty prefixes of a non-empty needle.
fn borders<T: PartialEq>(needle: &[T]) -> Vec<usize> {
    let mut borders = Vec::with_capacity(needle.len());
    borders.push(0);
    let mut matched = 0;
    for c in &needle[1..] {
        matched = extend(needle, &borders, matched, c);
        borders.push(matched);
    }
    borders
}

/// The length of the longest prefix of `needle` that ends a text, given that length (`matched`,
/// less than that of the needle) for the text without its last character `c`.
#[inline]
fn extend<T: PartialEq>(needle: &[T], borders: &[usize], mut matched: usize, c: &T) -> usize {
    while needle[matched] != *c {
        if matched == 0 {
            return 0;
        }
        matched = borders[matched - 1];
    }
    matched + 1
}
