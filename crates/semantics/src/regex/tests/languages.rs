//! Emptiness, equivalence and shortest words.

use super::{Random, Tree, lit, word, words};
use crate::regex::{Count, Re, RegexStore};

const BUDGET: u64 = 1_000_000;

#[test]
fn emptiness_and_shortest_words() {
    let words = words("abc", 4);
    let mut random = Random(0xE117);
    let mut store = RegexStore::new();
    let mut empty = 0;
    for _ in 0..2000 {
        let tree = random.tree(4);
        let re = tree.build(&mut store);
        let shortest = store.shortest_member(re, BUDGET).expect("cheap");
        let brute = words.iter().find(|w| tree.accepts(w));
        match (&shortest, brute) {
            (Some(w), Some(brute)) => {
                assert!(tree.accepts(w), "{w:?} in {tree:?}");
                assert_eq!(w.len(), brute.len(), "{tree:?}");
            }
            (Some(w), None) => assert!(w.len() > 4 && tree.accepts(w), "{w:?} in {tree:?}"),
            (None, brute) => assert!(brute.is_none(), "{brute:?} in {tree:?}"),
        }
        empty += u32::from(shortest.is_none());
        let is_empty = store.is_empty_language(re, BUDGET);
        assert_eq!(is_empty, Some(shortest.is_none()), "{tree:?}");
    }
    assert!(empty > 20);
}

#[test]
fn answers_do_not_depend_on_the_budget() {
    let mut random = Random(0xB0D6);
    let mut store = RegexStore::new();
    let mut answered = 0;
    for _ in 0..1500 {
        let tree = random.tree(4);
        let re = tree.build(&mut store);
        let shortest = store.shortest_member(re, BUDGET).expect("cheap");
        for budget in [20, 80, 300] {
            let mut other = RegexStore::new();
            let copy = tree.build(&mut other);
            if let Some(found) = other.shortest_member(copy, budget) {
                assert_eq!(found.map(|w| w.len()), shortest.as_ref().map(Vec::len));
                answered += 1;
            }
        }
    }
    assert!(answered > 1000, "{answered}");
}

#[test]
fn intersections_of_products_are_not_determinised() {
    let mut store = RegexStore::new();
    let all = store.all();
    let any = store.allchar();
    for n in [10, 40] {
        let tail = store.power(any, n);
        let languages: Vec<Re> = ["a", "b"]
            .iter()
            .map(|letter| {
                let letter = store.word(&word(letter));
                store.concat(&[all, letter, tail])
            })
            .collect();
        let both = store.inter(&languages);
        assert_eq!(store.is_empty_language(both, BUDGET), Some(true));
        let one = store.power(any, n + 3);
        let some = store.inter(&[languages[0], one]);
        assert_eq!(store.shortest_member(some, BUDGET).flatten().map(|w| w.len() as u64), Some(n + 3));
    }
}

#[test]
fn residues_contain_all_lengths() {
    let words = words("ab", 6);
    let mut random = Random(0x5E5);
    let mut store = RegexStore::new();
    let mut excluded = 0;
    for _ in 0..1000 {
        let tree = random.tree(4);
        let re = tree.build(&mut store);
        for p in [1, 2, 3, 4, 6, 64] {
            let mask = store.residues(re, p);
            excluded += u32::from(mask.count_ones() < p);
            for w in words.iter().filter(|w| tree.accepts(w)) {
                assert!(mask >> (w.len() as u32 % p) & 1 == 1, "{} modulo {p}: {tree:?}", w.len());
            }
        }
    }
    assert!(excluded > 500, "{excluded}");
    let four = store.word(&word("aaaa"));
    let six = store.word(&word("aaaaaa"));
    let either = store.union(&[four, six]);
    let star = store.star(either);
    assert_eq!((store.residues(star, 2), store.residues(star, 4)), (0b01, 0b0101));
}

#[test]
fn equivalence_by_brute_force() {
    let words = words("abc", 4);
    let mut random = Random(0xE4);
    let mut store = RegexStore::new();
    let mut equal = 0;
    for round in 0..3000 {
        let depth = 1 + round % 3;
        let (one, other) = (random.tree(depth), random.tree(depth));
        let (a, b) = (one.build(&mut store), other.build(&mut store));
        match store.distinguish(a, b, BUDGET).expect("cheap") {
            Some(w) => assert_ne!(one.accepts(&w), other.accepts(&w), "{one:?} {other:?}"),
            None => {
                equal += 1;
                for w in &words {
                    assert_eq!(one.accepts(w), other.accepts(w), "{one:?} {other:?}");
                }
            }
        }
    }
    assert!(equal > 20);
}

#[test]
fn laws_hold() {
    let mut random = Random(0x1A35);
    let mut store = RegexStore::new();
    let mut decided = 0;
    for round in 0..600 {
        let [r, s, t] = [0; 3].map(|_| random.tree(round % 3));
        let star = |t: &Tree| Tree::Star(Box::new(t.clone()));
        let comp = |t: &Tree| Tree::Comp(Box::new(t.clone()));
        let cat = |a: &Tree, b: &Tree| Tree::Concat(vec![a.clone(), b.clone()]);
        let or = |a: &Tree, b: &Tree| Tree::Union(vec![a.clone(), b.clone()]);
        let and = |a: &Tree, b: &Tree| Tree::Inter(vec![a.clone(), b.clone()]);
        let up_to = |t: &Tree, lo, hi| Tree::Loop(Box::new(t.clone()), lo, hi);
        let laws = [
            (star(&or(&r, &s)), star(&cat(&star(&r), &star(&s)))),
            (cat(&r, &or(&s, &t)), or(&cat(&r, &s), &cat(&r, &t))),
            (cat(&or(&r, &s), &t), or(&cat(&r, &t), &cat(&s, &t))),
            (comp(&or(&r, &s)), and(&comp(&r), &comp(&s))),
            (and(&r, &or(&s, &t)), or(&and(&r, &s), &and(&r, &t))),
            (cat(&r, &star(&cat(&s, &r))), cat(&star(&cat(&r, &s)), &r)),
            (star(&r), or(&up_to(&r, 0, 2), &cat(&up_to(&r, 3, 3), &star(&r)))),
            (up_to(&r, 1, 3), cat(&r, &up_to(&r, 0, 2))),
            (up_to(&up_to(&r, 2, 3), 1, 2), up_to(&r, 2, 6)),
            (Tree::Diff(vec![r.clone(), s.clone()]), and(&r, &comp(&s))),
        ];
        for (left, right) in laws {
            let (a, b) = (left.build(&mut store), right.build(&mut store));
            // Some need a lot of states.
            if let Some(same) = store.equivalent(a, b, 100_000) {
                assert!(same, "{left:?} {right:?}");
                decided += 1;
            }
        }
    }
    assert!(decided > 5900, "{decided}");
}

#[test]
fn alphabets() {
    let mut store = RegexStore::new();
    let low = store.range(&[0], &[0x1FFFF]);
    let high = store.range(&[0x20000], &[0x2FFFF]);
    let both = store.union(&[low, high]);
    assert_eq!(both, store.allchar());
    let neither = store.comp(low);
    let only_high = store.inter(&[neither, both]);
    assert_eq!(store.equivalent(only_high, high, BUDGET), Some(true));
    let member = store.shortest_member(high, BUDGET);
    assert_eq!(member, Some(Some(vec![0x20000])));
    let last = store.word(&[0x2FFFF]);
    let nearly = store.diff(&[both, last]);
    let all_but_last = store.range(&[0], &[0x2FFFE]);
    assert_eq!(store.equivalent(nearly, all_but_last, BUDGET), Some(true));
    assert_eq!(store.distinguish(nearly, both, BUDGET), Some(Some(vec![0x2FFFF])));
}

#[test]
fn numerals_beyond_64_bits() {
    let mut store = RegexStore::new();
    let a = store.word(&word("a"));
    let ab = Tree::Union(vec![lit("a"), lit("aa")]).build(&mut store);
    let opt = store.opt(a);
    let beyond = Count::Beyond;
    for body in [a, ab] {
        let at_least = store.loop_(body, 2, beyond);
        let power = store.power(body, beyond);
        let not_power = store.comp(power);
        for (n, expected) in [(1, false), (2, true), (50, true)] {
            let w = vec![0x61; n];
            assert_eq!(store.matches(at_least, &w), expected || (body == ab && n > 1));
            assert!(!store.matches(power, &w));
            assert!(store.matches(not_power, &w));
        }
        // These look alike, but who knows?
        assert_eq!(store.equivalent(power, power, BUDGET), None);
        assert_eq!(store.is_empty_language(power, BUDGET), Some(false));
        let difference = store.diff(&[power, power]);
        assert_eq!(store.is_empty_language(difference, BUDGET), None);
        let star = store.star(body);
        let up_to = store.loop_(body, 0, beyond);
        assert_ne!(up_to, star);
        assert_eq!(store.equivalent(up_to, star, BUDGET), None);
        assert_eq!(store.equivalent(at_least, star, BUDGET), Some(false));
        assert_eq!(store.equivalent(power, star, BUDGET), Some(false));
    }
    // The empty word makes the lower end irrelevant.
    let power = store.power(opt, beyond);
    assert!(store.matches(power, &[]) && store.matches(power, &[0x61; 9]));
    assert_eq!(store.loop_(a, beyond, 7), store.none());
    assert_eq!(store.loop_(a, Count::from(None), Some(u64::MAX)), store.power(a, u64::MAX));
    // Neither do these overflow anything.
    let mut tower = store.loop_(a, 1 << 40, 1 << 60);
    for _ in 0..5 {
        tower = store.loop_(tower, 3, 1 << 50);
        tower = store.concat(&[tower, tower]);
    }
    assert!(!store.matches(tower, &[0x61; 100]));
}

#[test]
fn budgets_are_kept() {
    let mut store = RegexStore::new();
    let ab = store.range(&word("a"), &word("b"));
    let a = store.word(&word("a"));
    let any = store.star(ab);
    let mut wide = |n: u64| {
        let rest = store.power(ab, n);
        store.concat(&[any, a, rest])
    };
    let (one, other) = (wide(40), wide(41));
    let both = store.inter(&[one, other]);
    let either = store.union(&[one, other]);
    let never = store.diff(&[both, either]);
    assert_eq!(store.is_empty_language(never, 100), None);
    assert_eq!(store.equivalent(either, one, 1000), None);
    let w = vec![0x61; 100_000];
    assert_eq!(store.try_matches(either, &w, 1000), None);
    assert_eq!(store.try_replace_re(&w, never, &[], 1000), None);
    assert_eq!(store.try_replace_re_all(&w, never, &[], 1000), None);
    assert_eq!(store.try_indexof_re(&w, never, 0, 1000), None);
    assert_eq!(store.try_matches(either, &w, 1 << 32), Some(true));
}
