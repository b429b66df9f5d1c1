//! The operators against their definitions.
//!
//! The oracles below transcribe the `:definition` section of the theory literally: "for some words
//! w₁, w₃" becomes a search over all ways to split the word. They are slow, share
//! no code with the functions they test, and are compared with it on *all* short words.

use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::Reading::{Pre26, Standard};
use super::*;

type Word = Vec<u32>;

/// All words over the alphabet of at most the given length, shortest first.
fn words(alphabet: &str, length: usize) -> Vec<Str> {
    let mut all = vec![Word::new()];
    let mut shorter = 0;
    for _ in 0..length {
        let end = all.len();
        for n in shorter..end {
            for c in alphabet.chars() {
                let mut word = all[n].clone();
                word.push(c.into());
                all.push(word);
            }
        }
        shorter = end;
    }
    all.into_iter().map(Str::from).collect()
}

fn short_words() -> Vec<Str> {
    let all = words("ab", 4);
    assert_eq!(all.len(), 31);
    all
}

/// The indices and lengths to try: all that matter for short words, and some that are huge.
fn indices() -> Vec<(i64, Int)> {
    let huge = Int::from(10).pow(40);
    let mut all: Vec<_> = (-2..=6).map(|n| (n, Int::from(n))).collect();
    // To a word of length four, a huge number is as good as 1000.
    all.push((1000, huge.clone()));
    all.push((-1000, -huge));
    all.push((1000, Int::from(u64::MAX)));
    all.push((1000, Int::from(u64::MAX) + Int::ONE));
    all.push((-1000, Int::from(i64::MIN)));
    all
}

fn text(text: &str) -> Str {
    Str::from_text(text).unwrap()
}

fn decimal(digits: &str) -> Int {
    Int::from_decimal(digits.as_bytes()).unwrap()
}

/// The definitions, transcribed.
mod definition {
    use super::Word;

    fn length(w: &[u32]) -> i64 {
        w.len().try_into().unwrap()
    }

    /// All (w₁, w₂) with w = w₁w₂, shortest w₁ first.
    fn splits2(w: &[u32]) -> Vec<(Word, Word)> {
        (0..=w.len()).map(|i| (w[..i].to_vec(), w[i..].to_vec())).collect()
    }

    /// All (w₁, w₂, w₃) with w = w₁w₂w₃, shortest w₁ first.
    fn splits3(w: &[u32]) -> Vec<(Word, Word, Word)> {
        let mut all = Vec::new();
        for (w1, rest) in splits2(w) {
            for (w2, w3) in splits2(&rest) {
                all.push((w1.clone(), w2, w3));
            }
        }
        all
    }

    pub(super) fn concat(w1: &[u32], w2: &[u32]) -> Word {
        w1.iter().chain(w2).copied().collect()
    }

    pub(super) fn lt(w1: &[u32], w2: &[u32]) -> bool {
        // After a common prefix, w₁ ends before w₂ or continues with a smaller character.
        splits2(w1).iter().any(|(p1, r1)| {
            splits2(w2).iter().any(|(p2, r2)| {
                p1 == p2
                    && match (r1.first(), r2.first()) {
                        (None, Some(_)) => true,
                        (Some(c1), Some(c2)) => c1 < c2,
                        _ => false,
                    }
            })
        })
    }

    pub(super) fn le(w1: &[u32], w2: &[u32]) -> bool {
        lt(w1, w2) || w1 == w2
    }

    pub(super) fn substr(w: &[u32], m: i64, n: i64) -> Word {
        if !(0 <= m && m < length(w) && 0 < n) {
            return Word::new();
        }
        let wanted = n.min(length(w) - m);
        let found: Vec<_> =
            splits3(w).into_iter().filter(|(w1, w2, _)| length(w1) == m && length(w2) == wanted).collect();
        assert_eq!(found.len(), 1, "the unique word");
        found[0].1.clone()
    }

    pub(super) fn at(w: &[u32], n: i64) -> Word {
        substr(w, n, 1)
    }

    pub(super) fn prefixof(w1: &[u32], w: &[u32]) -> bool {
        splits2(w).iter().any(|(start, _)| start == w1)
    }

    pub(super) fn suffixof(w2: &[u32], w: &[u32]) -> bool {
        splits2(w).iter().any(|(_, end)| end == w2)
    }

    pub(super) fn contains(w: &[u32], w2: &[u32]) -> bool {
        splits3(w).iter().any(|(_, middle, _)| middle == w2)
    }

    pub(super) fn indexof(w: &[u32], w2: &[u32], i: i64) -> i64 {
        if !(contains(w, w2) && i >= 0) {
            return -1;
        }
        splits3(w)
            .iter()
            .filter(|(w1, middle, _)| middle == w2 && i <= length(w1))
            .map(|(w1, _, _)| length(w1))
            .min()
            .unwrap_or(-1)
    }

    /// The u₁ and u₂ with w = u₁w₁u₂ and u₁ shortest.
    fn around(w: &[u32], w1: &[u32]) -> (Word, Word) {
        let found = splits3(w).into_iter().find(|(_, middle, _)| middle == w1);
        let (u1, _, u2) = found.expect("w contains w1");
        (u1, u2)
    }

    pub(super) fn replace(w: &[u32], w1: &[u32], w2: &[u32]) -> Word {
        if !contains(w, w1) {
            return w.to_vec();
        }
        let (u1, u2) = around(w, w1);
        [&u1, w2, &u2].concat()
    }

    pub(super) fn replace_all(w: &[u32], w1: &[u32], w2: &[u32]) -> Word {
        if !contains(w, w1) || w1.is_empty() {
            return w.to_vec();
        }
        let (u1, u2) = around(w, w1);
        [&u1, w2, &replace_all(&u2, w1, w2)].concat()
    }

    pub(super) fn is_digit(w: &[u32]) -> bool {
        w.len() == 1 && 0x30 <= w[0] && w[0] <= 0x39
    }

    pub(super) fn to_code(w: &[u32]) -> i64 {
        if w.len() == 1 { w[0].into() } else { -1 }
    }

    pub(super) fn to_int(w: &[u32]) -> i64 {
        if w.is_empty() || w.iter().any(|&c| !is_digit(&[c])) {
            return -1;
        }
        if w.len() == 1 {
            return i64::from(w[0]) - 0x30;
        }
        let (w1, w2) = w.split_at(w.len() - 1);
        10 * to_int(w1) + to_int(w2)
    }

    // The extensions, character by character.

    pub(super) fn update(w: &[u32], i: i64, t: &[u32]) -> Word {
        if i < 0 || length(w) <= i {
            return w.to_vec();
        }
        (0..length(w))
            .zip(w)
            .map(|(n, &c)| {
                let overwritten = i <= n && n < i + length(t);
                if overwritten { t[usize::try_from(n - i).unwrap()] } else { c }
            })
            .collect()
    }

    pub(super) fn last_indexof(w: &[u32], t: &[u32]) -> i64 {
        splits3(w)
            .iter()
            .filter(|(_, middle, _)| middle == t)
            .map(|(w1, _, _)| length(w1))
            .max()
            .unwrap_or(-1)
    }
}

#[test]
fn one_word() {
    for w in short_words() {
        assert_eq!(len(&w), Int::from(w.iter().count()));
        assert_eq!(to_code(&w), definition::to_code(&w).into());
        assert_eq!(to_int(&w), Int::MINUS_ONE);
        assert!(!is_digit(&w));
        let backwards: Word = (0..w.len()).map(|n| w[w.len() - 1 - n]).collect();
        assert_eq!(*rev(&w), *backwards);
    }
}

#[test]
fn two_words() {
    let all = short_words();
    for w1 in &all {
        for w2 in &all {
            let case = (w1, w2);
            assert_eq!(*concat([w1, w2]), *definition::concat(w1, w2), "{case:?}");
            assert_eq!(lt(w1, w2), definition::lt(w1, w2), "{case:?}");
            assert_eq!(w1 < w2, definition::lt(w1, w2), "{case:?}");
            assert_eq!(le(w1, w2), definition::le(w1, w2), "{case:?}");
            assert_eq!(prefixof(w1, w2), definition::prefixof(w1, w2), "{case:?}");
            assert_eq!(suffixof(w1, w2), definition::suffixof(w1, w2), "{case:?}");
            assert_eq!(contains(w1, w2), definition::contains(w1, w2), "{case:?}");
            let last = definition::last_indexof(w1, w2);
            assert_eq!(last_indexof(w1, w2), last.into(), "{case:?}");
        }
    }
}

#[test]
fn three_words() {
    let all = short_words();
    for w in &all {
        for w1 in &all {
            for w2 in &all {
                let case = (w, w1, w2);
                let once = definition::replace(w, w1, w2);
                assert_eq!(*replace(w, w1, w2, Standard), *once, "{case:?}");
                let once = if w1.is_empty() { w.to_vec() } else { once };
                assert_eq!(*replace(w, w1, w2, Pre26), *once, "{case:?}");
                let every = definition::replace_all(w, w1, w2);
                assert_eq!(*replace_all(w, w1, w2), *every, "{case:?}");
                assert_eq!(*concat([w, w1, w2]), [&**w, &**w1, &**w2].concat());
            }
        }
    }
}

#[test]
fn a_word_and_integers() {
    for w in short_words() {
        for (m, big_m) in indices() {
            assert_eq!(*at(&w, &big_m), *definition::at(&w, m), "{w:?} {m}");
            for (n, big_n) in indices() {
                let expected = definition::substr(&w, m, n);
                assert_eq!(*substr(&w, &big_m, &big_n), *expected, "{w:?} {m} {n}");
            }
        }
    }
}

#[test]
fn two_words_and_an_integer() {
    let all = short_words();
    for w in &all {
        for w2 in &all {
            for (i, big_i) in indices() {
                let case = (w, w2, i);
                let expected = definition::indexof(w, w2, i);
                let found = indexof(w, w2, &big_i, Standard);
                assert_eq!(found, expected.into(), "{case:?}");
                let expected = if w2.is_empty() { -1 } else { expected };
                let found = indexof(w, w2, &big_i, Pre26);
                assert_eq!(found, expected.into(), "{case:?}");
                let expected = definition::update(w, i, w2);
                assert_eq!(*update(w, &big_i, w2), *expected, "{case:?}");
            }
        }
    }
}

#[test]
fn numerals() {
    for w in words("07/a", 4) {
        assert_eq!(to_int(&w), definition::to_int(&w).into(), "{w:?}");
        assert_eq!(is_digit(&w), definition::is_digit(&w), "{w:?}");
    }
    // Shortest first, so the first word that denotes n is the one that `str.from_int` gives.
    let numerals = words("0123456789", 3);
    for n in -2..=120 {
        let shortest = numerals.iter().find(|w| definition::to_int(w) == n);
        let expected = if n < 0 { Str::empty() } else { shortest.unwrap().clone() };
        assert_eq!(from_int(&n.into()), expected, "{n}");
    }
}

#[test]
fn every_character() {
    for c in 0..=MAX_CHAR {
        let w = from_code(&Int::from(c));
        assert_eq!(*w, [c]);
        assert_eq!(to_code(&w), Int::from(c));
        assert_eq!(is_digit(&w), definition::is_digit(&[c]));
        let lower = if (65..=90).contains(&c) { c + 32 } else { c };
        let upper = if (97..=122).contains(&c) { c - 32 } else { c };
        assert_eq!(*to_lower(&w), [lower]);
        assert_eq!(*to_upper(&w), [upper]);
    }
}

#[test]
fn codes_out_of_range() {
    assert_eq!(from_code(&Int::from(0x30000)), Str::empty());
    assert_eq!(from_code(&Int::MINUS_ONE), Str::empty());
    assert_eq!(from_code(&Int::from(1u64 << 32)), Str::empty());
    assert_eq!(from_code(&Int::from(10).pow(40)), Str::empty());
    assert_eq!(to_code(&text("")), Int::MINUS_ONE);
    assert_eq!(to_code(&text("ab")), Int::MINUS_ONE);
}

#[test]
fn integers_at_the_boundaries() {
    assert_eq!(to_int(&text("00123")), Int::from(123));
    assert_eq!(to_int(&text("-1")), Int::MINUS_ONE);
    assert_eq!(to_int(&text("+1")), Int::MINUS_ONE);
    assert_eq!(to_int(&text("1_0")), Int::MINUS_ONE);
    assert_eq!(to_int(&text(" 1")), Int::MINUS_ONE);
    assert_eq!(to_int(&text("")), Int::MINUS_ONE);
    // Digits of other scripts are not digits, nor is what looks like one modulo 256.
    assert_eq!(to_int(&text("٣")), Int::MINUS_ONE);
    assert_eq!(to_int(&Str::from(vec![0x130])), Int::MINUS_ONE);
    let forty = "1234567890".repeat(4);
    assert_eq!(to_int(&text(&forty)), decimal(&forty));
    assert_eq!(from_int(&decimal(&forty)), text(&forty));
    assert_eq!(from_int(&decimal("00123")), text("123"));
    assert_eq!(from_int(&-decimal(&forty)), Str::empty());
    assert_eq!(from_int(&Int::from(u64::MAX)), text("18446744073709551615"));
}

#[test]
fn case_changes_ascii_letters_only() {
    assert_eq!(to_lower(&text("@AZ[ÄaZ09")), text("@az[Äaz09"));
    assert_eq!(to_upper(&text("`az{äAz09")), text("`AZ{äAZ09"));
}

#[test]
fn words_from_text() {
    assert_eq!(*text("a\u{2FFFF}"), [0x61, 0x2FFFF]);
    assert_eq!(Str::from_text("a\u{30000}"), None);
    assert_eq!(Str::from_text(""), Some(Str::empty()));
    assert_eq!(text("ab"), Str::from(&[0x61, 0x62][..]));
    assert_eq!(Str::default(), Str::from(Vec::new()));
    assert_eq!(Str::concat(&[]), Str::empty());
    assert_eq!(concat(&[] as &[Str]), Str::empty());
}

#[test]
fn words_print_as_literals() {
    assert_eq!(format!("{:?}", text("a \"~")), r#""a ""~""#);
    assert_eq!(format!("{:?}", text(r"\u{61}")), r#""\u{5c}u{61}""#);
    let odd = Str::from(vec![0, 0x1F, 0x7F, 0xE4, 0xD800, MAX_CHAR]);
    let literal = r#""\u{0}\u{1f}\u{7f}\u{e4}\u{d800}\u{2ffff}""#;
    assert_eq!(format!("{odd:?}"), literal);
}

#[test]
fn unchanged_words_are_shared() {
    let same = |a: &Str, b: &Str| Arc::ptr_eq(&a.0, &b.0);
    let (w, x) = (text("abc"), text("x"));
    assert!(same(&replace(&w, &x, &x, Standard), &w));
    assert!(same(&replace(&w, &[], &x, Pre26), &w));
    assert!(same(&replace_all(&w, &x, &x), &w));
    assert!(same(&replace_all(&w, &[], &x), &w));
    assert!(same(&substr(&w, &Int::ZERO, &Int::from(3)), &w));
    assert!(same(&at(&x, &Int::ZERO), &x));
    assert!(same(&to_lower(&w), &w));
    assert!(same(&update(&w, &Int::MINUS_ONE, &x), &w));
    assert!(same(&concat([&Str::empty(), &w, &Str::empty()]), &w));
    assert!(same(&Str::empty(), &at(&w, &Int::from(3))));
}

/// The search by borders, which the words above are too short to need.
#[test]
fn search_by_borders_is_search_by_trial() {
    let needles = words("ab", 5);
    for hay in words("ab", 9) {
        for needle in needles.iter().filter(|w| !w.is_empty()) {
            let finder = Finder { needle, borders: borders(needle) };
            for from in 0..=hay.len() + 1 {
                let expected = (from..hay.len()).find(|&n| hay[n..].starts_with(needle));
                assert_eq!(finder.find_by_borders(&hay, from), expected);
                assert_eq!(finder.find_by_trial(&hay, from), expected);
            }
        }
    }
}

/// A million characters and adverse needles: quadratic time would take minutes.
#[test]
fn long_words_take_linear_time() {
    let start = Instant::now();
    let hay = Str::from(vec![0x61; 1_000_000]);
    let mut needle = vec![0x61; 500_000];
    assert_eq!(last_indexof(&hay, &needle), Int::from(500_000));
    needle.push(0x62);
    assert!(!contains(&hay, &needle));
    assert_eq!(replace_all(&hay, &needle, &[]), hay);
    needle.insert(0, 0x62);
    needle.pop();
    assert_eq!(last_indexof(&hay, &needle), Int::MINUS_ONE);
    // The tenth and last match ends the word.
    let short = &hay[..100_000];
    assert_eq!(*replace_all(&hay, short, &[0x62]), [0x62; 10]);
    assert_eq!(replace_all(&hay, &[0x61], &[0x62, 0x63]).len(), 2_000_000);
    assert!(start.elapsed() < Duration::from_secs(20));
}

#[test]
fn a_million_digits() {
    let digits = Str::from(vec![0x37; 1_000_000]);
    assert!(from_int(&to_int(&digits)) == digits);
}

/// Words that repeat themselves, so that needles are found, and found to overlap.
fn repetitive() -> impl Strategy<Value = Word> {
    let piece = prop::collection::vec(0x61u32..=0x62, 1..6);
    (piece, 1usize..40, 0x61u32..=0x63).prop_map(|(piece, times, last)| {
        let mut word = piece.repeat(times);
        word.push(last);
        word
    })
}

proptest! {
    #[test]
    fn long_searches(hay in repetitive(), needle in repetitive(), cut in 0usize..40, i in 0usize..99) {
        let hay = Str::from(hay.repeat(2));
        for needle in [&needle[..], &hay[cut.min(hay.len())..(2 * cut).min(hay.len())]] {
            let found = |from: usize| (from..=hay.len()).find(|&n| hay[n..].starts_with(needle));
            let expected = found(i).map_or(Int::MINUS_ONE, Int::from);
            prop_assert_eq!(indexof(&hay, needle, &i.into(), Standard), expected);
            prop_assert_eq!(contains(&hay, needle), found(0).is_some());
            let last = (0..=hay.len()).rfind(|&n| hay[n..].starts_with(needle));
            prop_assert_eq!(last_indexof(&hay, needle), last.map_or(Int::MINUS_ONE, Int::from));
            if !needle.is_empty() {
                let mut expected = Word::new();
                let mut done = 0;
                while let Some(n) = found(done) {
                    expected.extend_from_slice(&hay[done..n]);
                    expected.push(0x64);
                    done = n + needle.len();
                }
                expected.extend_from_slice(&hay[done..]);
                prop_assert_eq!(&*replace_all(&hay, needle, &[0x64]), &*expected);
            }
        }
    }
}
