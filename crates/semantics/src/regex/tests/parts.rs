//! Quotients, remainders of values, and the search backwards.

use super::{Random, word, words};
use crate::regex::{Re, RegexStore};

const BUDGET: u64 = 1_000_000;

/// Languages over some letters, each built from earlier ones.
fn languages(random: &mut Random, store: &mut RegexStore, letters: &str, count: usize) -> Vec<Re> {
    let mut all: Vec<Re> = word(letters).chunks(1).map(|w| store.word(w)).collect();
    let long = store.word(&word(letters));
    all.push(long);
    while all.len() < count {
        let mut some = || all[random.below(all.len() as u32) as usize];
        let (a, b) = (some(), some());
        let n = u64::from(random.below(4));
        all.push(match random.below(8) {
            0..3 => store.concat(&[a, b]),
            3..5 => store.union(&[a, b]),
            5 => store.star(a),
            6 => store.loop_(a, n, n + 1),
            _ => {
                let not = store.comp(b);
                if n == 0 { not } else { store.inter(&[a, not]) }
            }
        });
    }
    all
}

#[test]
fn remainders_contain_all_values() {
    let numerals = words("079", 5);
    let mut random = Random(0x4E3);
    let mut excluded = 0;
    for _ in 0..40 {
        let mut store = RegexStore::new();
        for re in languages(&mut random, &mut store, "079", 40) {
            let masks: Vec<(u32, Vec<u32>)> = (2..=16).map(|m| (m, store.remainders(re, m))).collect();
            excluded += masks.iter().filter(|(m, values)| values.len() < *m as usize).count();
            for w in numerals.iter().filter(|w| !w.is_empty()) {
                if !store.matches(re, w) {
                    continue;
                }
                let value = w.iter().fold(0, |v, c| 10 * v + (c - 0x30));
                for (m, values) in &masks {
                    assert!(values.contains(&(value % m)), "{value} modulo {m}: {}", store.to_smtlib(re));
                }
            }
        }
    }
    assert!(excluded > 1000, "{excluded}");
}

#[test]
fn quotients_by_brute_force() {
    let words = words("ab", 4);
    let mut random = Random(0x90);
    for _ in 0..40 {
        let mut store = RegexStore::new();
        for re in languages(&mut random, &mut store, "ab", 20) {
            let mut short = || &words[random.below(15) as usize];
            let (u, v) = (short(), short());
            let middle = store.quotient(re, u, v, BUDGET).expect("cheap");
            for w in &words {
                let whole = [&u[..], w, v].concat();
                assert_eq!(store.matches(middle, w), store.matches(re, &whole), "{u:?} {w:?} {v:?}");
            }
        }
    }
}

#[test]
fn a_letter_far_from_the_end() {
    let mut store = RegexStore::new();
    let all = store.all();
    let any = store.allchar();
    let at = |store: &mut RegexStore, letter: &str, n: u64| {
        let (letter, tail) = (store.word(&word(letter)), store.power(any, n));
        store.concat(&[all, letter, tail])
    };
    let [a, b] = ["a", "b"].map(|letter| at(&mut store, letter, 100));
    let both = store.union(&[a, b]);
    let (neither, letters) = (store.comp(both), store.word(&word("a")));
    let letters = [letters, store.word(&word("b"))];
    let letter = store.union(&letters);
    let long = store.loop_(letter, 101, 300);
    let none = store.inter(&[neither, long]);
    assert_eq!(store.is_empty_language(none, BUDGET), Some(true));
    let not_a = store.comp(a);
    let some = store.inter(&[not_a, long]);
    let found = store.shortest_member(some, BUDGET).flatten().expect("a word");
    assert!(found.len() == 101 && found[0] == word("b")[0]);
}
