//! Expressions and words that take long in naive implementations. These tests pass if they terminate.

use super::{Random, Tree, lit, word};
use crate::regex::{Re, RegexStore};

const LONG: usize = 100_000;
const MILLION: usize = 1_000_000;

fn boxed(tree: Tree) -> Box<Tree> {
    Box::new(tree)
}

/// (a|b)*a(a|b){n}
fn nth_from_last(store: &mut RegexStore, n: u64) -> Re {
    let letter = store.range(&word("a"), &word("b"));
    let any = store.star(letter);
    let a = store.word(&word("a"));
    let rest = store.power(letter, n);
    store.concat(&[any, a, rest])
}

#[test]
fn a_letter_near_the_end() {
    let mut store = RegexStore::new();
    let mut random = Random(1);
    let re = nth_from_last(&mut store, 20);
    let not = store.comp(re);
    for _ in 0..2 {
        let w = random.word("ab", LONG as u32);
        let expected = w[LONG - 21] == 0x61;
        assert_eq!(store.matches(re, &w), expected);
        assert_eq!(store.matches(not, &w), !expected);
    }
    let far = nth_from_last(&mut store, 1000);
    let w = random.word("ab", LONG as u32);
    assert_eq!(store.matches(far, &w), w[LONG - 1001] == 0x61);
    // Here the length of the word is no help.
    let end = Tree::Star(boxed(lit("c"))).build(&mut store);
    let re = store.concat(&[re, end]);
    let not = store.comp(re);
    assert_eq!(store.matches(re, &w), w[LONG - 21] == 0x61);
    assert_eq!(store.matches(not, &w), w[LONG - 21] != 0x61);
    let far = store.concat(&[far, end]);
    assert_eq!(store.matches(far, &w[..3000]), w[3000 - 1001] == 0x61);
}

#[test]
fn large_loops() {
    let mut store = RegexStore::new();
    let a = store.word(&word("a"));
    let million = store.loop_(a, 0, 1_000_000);
    assert!(store.matches(million, &vec![0x61; 1_000_000]));
    assert!(!store.matches(million, &vec![0x61; 1_000_001]));
    let aa = store.word(&word("aa"));
    let either = store.union(&[a, aa]);
    let inner = store.loop_(either, 2, 5000);
    let outer = store.loop_(inner, 1, 3000);
    assert!(store.matches(outer, &vec![0x61; LONG]));
    // These loops cannot be put together.
    let b = store.word(&word("b"));
    let maybe = store.opt(b);
    let inner = store.concat(&[inner, maybe]);
    let outer = store.loop_(inner, 1, 3000);
    let w: Vec<u32> = (0..LONG as u32).map(|n| 0x61 + u32::from(n % 97 == 96)).collect();
    assert!(store.matches(outer, &w));
    assert!(!store.matches(outer, &vec![0x62; 3001]));
    assert!(!store.matches(outer, &word("ababa")));
}

#[test]
fn three_nested_loops() {
    let mut store = RegexStore::new();
    let mut re = Tree::Union(vec![lit("a"), lit("aab")]).build(&mut store);
    for letter in ["b", "c", "d"] {
        let maybe = Tree::Opt(boxed(lit(letter))).build(&mut store);
        re = store.loop_(re, 3, 70);
        re = store.concat(&[re, maybe]);
    }
    let w = Random(3).word("aaaaaaaab", 2000);
    let not = store.comp(re);
    assert_ne!(store.matches(re, &w), store.matches(not, &w));
}

#[test]
fn stars_of_stars() {
    let mut store = RegexStore::new();
    let star = Tree::Star(boxed(Tree::Star(boxed(lit("a")))));
    let re = Tree::Concat(vec![star, lit("b")]).build(&mut store);
    assert!(!store.matches(re, &vec![0x61; LONG]));
    let (a, b) = (Tree::Star(boxed(lit("a"))), Tree::Star(boxed(lit("b"))));
    let re = Tree::Star(boxed(Tree::Concat(vec![a, b])));
    let re = Tree::Concat(vec![re, lit("c")]).build(&mut store);
    assert!(!store.matches(re, &Random(2).word("ab", LONG as u32)));
}

#[test]
fn optional_parts() {
    let mut store = RegexStore::new();
    let n = 10_000;
    let a = store.word(&word("a"));
    let opt = store.opt(a);
    let (optional, required) = (store.power(opt, n as u64), store.power(a, n as u64));
    let re = store.concat(&[optional, required]);
    assert!(store.matches(re, &vec![0x61; n]));
    assert!(!store.matches(re, &vec![0x61; n - 1]));
    // Parts that are no loop: a?b?a?b?…
    let b = store.word(&word("b"));
    let other = store.opt(b);
    let optional = [opt, other].repeat(500);
    let re = store.concat(&[&*optional, &[a; 1000]].concat());
    assert!(store.matches(re, &vec![0x61; 1500]));
    assert!(!store.matches(re, &vec![0x61; 1501]));
}

#[test]
fn complements_of_complements() {
    let mut store = RegexStore::new();
    let mut random = Random(4);
    let mut re = nth_from_last(&mut store, 12);
    for text in ["ab", "ba", "a"] {
        re = store.comp(re);
        let next = Tree::Star(boxed(lit(text))).build(&mut store);
        re = store.concat(&[re, next]);
    }
    let not = store.comp(re);
    for _ in 0..2 {
        let w = random.word("ab", LONG as u32);
        assert_ne!(store.matches(re, &w), store.matches(not, &w));
    }
    // A complement that may start anywhere.
    let factor = Tree::Concat(vec![Tree::All, lit("aaaa"), Tree::All]);
    let without = Tree::Comp(boxed(factor));
    let re = Tree::Concat(vec![Tree::All, lit("b"), without, lit("b")]).build(&mut store);
    let mut w = random.word("ab", LONG as u32);
    w.extend(word("bab"));
    assert!(store.matches(re, &w));
    w.extend(word("aaaab"));
    assert!(!store.matches(re, &w));
}

#[test]
fn intersections() {
    let mut store = RegexStore::new();
    let members: Vec<Re> = [2, 3, 5, 7, 11, 13]
        .map(|n| Tree::Star(boxed(Tree::Power(boxed(Tree::AllChar), n))).build(&mut store))
        .into();
    let both = store.inter(&members);
    assert!(store.matches(both, &vec![0x61; 30_030]));
    assert!(!store.matches(both, &vec![0x61; 30_031]));
    let all = store.all();
    let anywhere = store.concat(&[all, both]);
    assert!(store.matches(anywhere, &[0x61; 1000]));
    let last: Vec<Re> = (5..15).map(|n| nth_from_last(&mut store, n)).collect();
    let both = store.inter(&last);
    let mut w = Random(5).word("ab", LONG as u32);
    w.extend([0x61; 10]);
    w.extend([0x62; 5]);
    assert!(store.matches(both, &w));
}

#[test]
fn ten_thousand_words() {
    let mut store = RegexStore::new();
    let mut random = Random(6);
    let texts: Vec<Vec<u32>> = (0..10_000).map(|n| random.word("abcdefgh", 5 + n % 20)).collect();
    let words: Vec<Re> = texts.iter().map(|text| store.word(text)).collect();
    let union = store.union(&words);
    for text in &texts {
        assert!(store.matches(union, text));
    }
    let star = store.star(union);
    let w = texts.concat();
    assert!(store.matches(star, &w));
    let all = store.all();
    let found = store.concat(&[all, union, all]);
    let long = random.word("abcxyz", LONG as u32);
    let expected = texts.iter().any(|text| long.windows(text.len()).any(|w| w == text));
    assert_eq!(store.matches(found, &long), expected);
    assert!(store.replace_re_all(&w, union, &[]).len() < w.len() / 2);
}

#[test]
fn long_words() {
    let mut store = RegexStore::new();
    let n = 1_000_000;
    let text = Random(7).word("ab", n);
    let (re, again) = (store.word(&text), store.word(&text));
    assert_eq!(re, again);
    assert!(store.matches(re, &text));
    let twice = store.concat(&[re, again]);
    assert!(store.matches(twice, &text.repeat(2)));
    let longer = store.word(&[&*text, &[0x61]].concat());
    let either = store.union(&[longer, re]);
    assert!(store.matches(either, &text));
    assert_eq!(store.replace_re(&text.repeat(2), re, &[]), text);
    assert_eq!(store.replace_re_all(&text.repeat(3), either, &[]), []);
    let periodic = store.word(&[vec![0x61; LONG / 2], word("b")].concat());
    assert_eq!(store.indexof_re(&vec![0x61; LONG], periodic, 0), None);
}

#[test]
fn searches_without_a_match() {
    let mut store = RegexStore::new();
    let star = Tree::Star(boxed(lit("a")));
    let re = Tree::Concat(vec![star, lit("b")]).build(&mut store);
    let w = vec![0x61; LONG];
    assert_eq!(store.replace_re_all(&w, re, &[]), w);
    assert_eq!(store.replace_re(&w, re, &[]), w);
    let odd = Tree::Star(boxed(lit("aa")));
    let odd = Tree::Concat(vec![lit("b"), odd, lit("ab")]).build(&mut store);
    let w = [vec![0x62], vec![0x61; LONG]].concat();
    assert_eq!(store.indexof_re(&w, odd, 0), None);
    let both = nth_from_last(&mut store, 10);
    let w = Random(8).word("ab", LONG as u32);
    assert!(store.replace_re_all(&w, both, &[]).len() < 12);
}

/// Makes an expression a level deeper.
type Tower = fn(&mut RegexStore, Re, Re) -> Re;

/// Builds an expression of many levels, and does all that might descend into it.
fn deep(tower: Tower, levels: usize, length: usize) {
    let mut store = RegexStore::new();
    let letters = ["a", "b", "ab"].map(|text| store.word(&word(text)));
    let mut re = letters[2];
    for n in 0..levels {
        re = tower(&mut store, re, letters[n * n % 7 % 3]);
    }
    let w = Random(9).word("ab", 10);
    store.matches(re, &w[..length]);
    store.replace_re(&w[..length - 1], re, &[]);
    store.try_matches(re, &w, 1000);
    store.is_empty_language(re, 1000);
    store.equivalent(re, letters[0], 1000);
    assert!(!store.to_smtlib(re).is_empty());
}

#[test]
fn deep_products() {
    deep(|store, r, x| store.concat(&[r, x]), MILLION, 10);
    deep(|store, r, x| store.concat(&[x, r]), MILLION, 10);
}

#[test]
fn deep_unions() {
    deep(|store, r, x| store.union(&[r, x]), MILLION, 10);
    let tower: Tower = |store, r, x| {
        let longer = store.concat(&[x, r]);
        store.union(&[longer, x])
    };
    deep(tower, MILLION / 4, 10);
}

#[test]
fn deep_complements() {
    let tower: Tower = |store, r, x| {
        let not = store.comp(r);
        store.concat(&[not, x])
    };
    deep(tower, MILLION / 4, 1);
}

#[test]
fn deep_loops() {
    let tower: Tower = |store, r, x| {
        let star = store.star(r);
        store.concat(&[x, star])
    };
    deep(tower, MILLION / 4, 10);
    let tower: Tower = |store, r, x| {
        let both = store.concat(&[x, r]);
        store.loop_(both, 2, 3)
    };
    deep(tower, MILLION / 4, 10);
}

#[test]
fn deep_intersections() {
    let tower: Tower = |store, r, x| {
        let r = store.concat(&[r, x]);
        let not = store.comp(x);
        store.inter(&[r, not])
    };
    deep(tower, MILLION / 4, 1);
}

#[test]
fn long_products_of_either_shape() {
    let mut store = RegexStore::new();
    let text = Random(10).word("ab", 300_000);
    let letters: Vec<Re> = text.iter().map(|&c| store.word(&[c])).collect();
    let mut left = letters[0];
    for &letter in &letters[1..] {
        left = store.concat(&[left, letter]);
    }
    let right = store.concat(&letters);
    for re in [left, right] {
        assert!(store.matches(re, &text));
        assert!(!store.matches(re, &text[1..]));
        assert_eq!(store.replace_re(&text, re, &[]), []);
    }
}

#[test]
fn shared_parts() {
    let mut store = RegexStore::new();
    let mut re = store.word(&word("ab"));
    for _ in 0..50 {
        re = store.concat(&[re, re]);
    }
    assert!(!store.matches(re, &word("ab").repeat(1000)));
    assert_eq!(store.replace_re_all(&word("ab").repeat(100), re, &[]).len(), 200);
    assert!(store.to_smtlib(re).len() < 10_000);
    let star = store.star(re);
    assert!(store.matches(star, &[]));
    let mut union = store.word(&word("ab"));
    let c = store.word(&word("c"));
    for _ in 0..30 {
        let more = store.concat(&[union, c]);
        union = store.union(&[more, union]);
    }
    assert!(store.matches(union, &word("abccc")));
}

#[test]
fn memory_is_given_back() {
    let mut store = RegexStore::with_cache_limit(1 << 20);
    let re = nth_from_last(&mut store, 16);
    let end = Tree::Star(boxed(lit("c"))).build(&mut store);
    let re = store.concat(&[re, end]);
    let w = Random(11).word("ab", LONG as u32);
    assert_eq!(store.matches(re, &w), w[LONG - 17] == 0x61);
    let before = store.size();
    for _ in 0..5 {
        store.matches(re, &w);
        assert!(store.size() < 2 * before);
    }
}
