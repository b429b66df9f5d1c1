//! Boundaries of the constructors, and the identities they apply.

use super::word;
use crate::regex::charset::{CharSet, representatives};
use crate::regex::span::Span;
use crate::regex::{Re, RegexStore};

#[test]
fn stores_can_be_sent() {
    fn sendable<T: Send + Sync>(_: T) {}
    sendable(RegexStore::new());
}

#[test]
fn boundaries() {
    let mut store = RegexStore::new();
    let all = store.range(&[0], &[0x2FFFF]);
    assert_eq!(all, store.allchar());
    for c in [0, 1, 0xD800, 0xFFFF, 0x10000, 0x2FFFE, 0x2FFFF] {
        assert!(store.matches(all, &[c]));
        let one = store.word(&[c]);
        assert!(store.matches(one, &[c]) && !store.matches(one, &[c ^ 1]));
        let same = store.range(&[c], &[c]);
        assert_eq!(one, same);
        let others = store.comp(one);
        assert!(!store.matches(others, &[c]) && store.matches(others, &[c ^ 1]));
    }
    let none = store.none();
    assert_eq!(store.range(&[1], &[0]), none);
    assert_eq!(store.range(&[], &[0]), none);
    assert_eq!(store.range(&[0], &[]), none);
    assert_eq!(store.range(&word("ab"), &word("c")), none);
    assert_eq!(store.range(&word("a"), &word("bc")), none);
    assert_eq!(store.concat(&[]), store.word(&[]));
    assert_eq!(store.union(&[]), none);
    assert_eq!(store.inter(&[]), store.all());
}

#[test]
fn identities() {
    let mut store = RegexStore::new();
    let (none, all, epsilon) = (store.none(), store.all(), Re::EPSILON);
    let [a, b] = ["a", "b"].map(|text| store.word(&word(text)));
    let ab = store.concat(&[a, b]);
    let not = store.comp(ab);
    assert_eq!(store.comp(not), ab);
    assert_eq!(store.union(&[ab, not]), all);
    assert_eq!(store.inter(&[ab, not]), none);
    assert_eq!(store.comp(none), all);
    assert_eq!(store.comp(all), none);
    assert_eq!(store.concat(&[ab, none, a]), none);
    assert_eq!(store.concat(&[epsilon, ab, epsilon]), ab);
    assert_eq!(store.union(&[ab, none, ab]), ab);
    assert_eq!(store.inter(&[ab, all]), ab);
    assert_eq!(store.inter(&[a, b]), none);
    assert_eq!(store.inter(&[a, ab]), none);
    let star = store.star(ab);
    assert_eq!(store.star(star), star);
    assert_eq!(store.concat(&[star, star]), star);
    assert_eq!(store.plus(star), star);
    assert_eq!(store.opt(star), star);
    assert_eq!(store.union(&[epsilon, star, ab]), star);
    let plus = store.plus(ab);
    assert_eq!(store.concat(&[ab, star]), plus);
    assert_eq!(store.union(&[epsilon, plus]), star);
    assert_eq!(store.star(plus), star);
    let opt = store.opt(ab);
    assert_eq!(store.concat(&[opt, opt]), store.loop_(ab, 0, 2));
    assert_eq!(store.power(opt, 7), store.loop_(ab, 0, 7));
    assert_eq!(store.star(opt), star);
    let (two, three) = (store.power(ab, 2), store.power(ab, 3));
    assert_eq!(store.union(&[two, three]), store.loop_(ab, 2, 3));
    assert_eq!(store.union(&[ab, two]), store.loop_(ab, 1, 2));
    assert_eq!(store.concat(&[two, three]), store.power(ab, 5));
    assert_eq!(store.power(ab, 0), epsilon);
    assert_eq!(store.power(none, 0), epsilon);
    assert_eq!(store.power(none, 2), none);
    assert_eq!(store.star(none), epsilon);
    assert_eq!(store.loop_(ab, 3, 2), none);
    assert_eq!(store.diff(&[ab, none]), ab);
    assert_eq!(store.diff(&[ab, ab]), none);
    let char = store.allchar();
    assert_eq!(store.star(char), all);
    let repeated = store.loop_(ab, 2, 5000);
    assert_eq!(store.loop_(repeated, 1, 3000), store.loop_(ab, 2, 15_000_000));
    // 2, 4, 6 is not 2 to 6.
    assert_ne!(store.loop_(two, 1, 3), store.loop_(ab, 2, 6));
    assert_ne!(store.star(two), star);
}

#[test]
fn spans() {
    let powers = |span: Span, limit: u64| -> Vec<u64> {
        (0..limit).filter(|k| (span.lo..=span.hi).contains(k)).collect()
    };
    let all: Vec<Span> =
        (0..6).flat_map(|lo| (lo..6).chain([Span::INF]).map(move |hi| Span::new(lo, hi))).collect();
    for &a in &all {
        for &b in &all {
            let (first, second) = (powers(a, 40), powers(b, 40));
            let mut either = [&*first, &second].concat();
            either.sort_unstable();
            either.dedup();
            match a.or(b) {
                Some(union) => assert_eq!(powers(union, 40), either),
                None => assert!(either.windows(2).any(|pair| pair[1] > pair[0] + 1)),
            }
            let mut both: Vec<u64> = (first.iter())
                .flat_map(|x| second.iter().map(move |y| x + y))
                .filter(|&sum| sum < 40)
                .collect();
            both.sort_unstable();
            both.dedup();
            assert_eq!(powers(a.then(b).unwrap(), 40), both);
            // (L{b}){a}
            let mut nested = [false; 40];
            for &k in &first {
                let (lo, hi) = (k * b.lo, if k == 0 { 0 } else { k.saturating_mul(b.hi) });
                for n in lo..=hi.min(39) {
                    nested[n as usize] = true;
                }
            }
            let nested: Vec<u64> = (0..40).filter(|&n| nested[n as usize]).collect();
            match a.around(b) {
                Some(span) => assert_eq!(powers(span, 40), nested, "{a:?} {b:?}"),
                None => assert!(nested.windows(2).any(|pair| pair[1] > pair[0] + 1)),
            }
        }
    }
}

#[test]
fn character_sets() {
    let set = |bits: u32| {
        let singles: Vec<CharSet> =
            (0..8).filter(|c| bits >> c & 1 == 1).map(|c| CharSet::range(c, c)).collect();
        CharSet::union(singles.iter())
    };
    for a in 0..256 {
        let first = set(a);
        for c in 0..8 {
            assert_eq!(first.contains(c), a >> c & 1 == 1);
        }
        for b in 0..256 {
            let second = set(b);
            assert_eq!(first.intersection(&second), set(a & b));
            assert_eq!(CharSet::union([&first, &second].into_iter()), set(a | b));
        }
        let representatives = representatives(&[first.intervals()]);
        assert_eq!(representatives.len(), if a == 0 { 1 } else { 2 });
    }
    assert_eq!(representatives(&[CharSet::full().intervals()]).len(), 1);
    let last = CharSet::range(0x2FFFF, 0x2FFFF);
    assert_eq!(representatives(&[last.intervals()]), [0x61, 0x2FFFF]);
}

#[test]
fn handles_survive_sweeping() {
    let mut store = RegexStore::with_cache_limit(0);
    let mut made = Vec::new();
    for n in 0..50u32 {
        let text = store.word(&[n, n + 1, n + 2]);
        let star = store.star(text);
        let not = store.comp(star);
        assert!(store.matches(star, &[n, n + 1, n + 2, n, n + 1, n + 2]));
        made.push((n, star, not));
    }
    for &(n, star, not) in &made {
        assert_eq!(store.comp(star), not);
        let text = store.word(&[n, n + 1, n + 2]);
        assert_eq!(store.star(text), star);
        assert!(!store.matches(not, &[n, n + 1, n + 2]));
        assert!(store.matches(not, &[n, n + 1]));
    }
}
