//! Every operation on all small cases, with the evaluator as the judge.

use semantics::regex::{Automaton, Re, RegexStore};
use semantics::{Str, strings};
use std::collections::BTreeMap;
use stringent_automata::{
    Agreement, Everything, Fuel, Language, Nfa, Part, Transducer, Twin, agree, compare, compose, determinise,
    image, inverse, letters, minimal, part, replace, replace_all, replace_re, replace_re_all,
};

/// A language of the evaluator.
struct Judge<'a> {
    store: &'a mut RegexStore,
    states: Vec<Re>,
    starts: Vec<u32>,
}

impl<'a> Judge<'a> {
    fn new(store: &'a mut RegexStore, r: Re) -> Judge<'a> {
        let (start, starts) = store.explore(r);
        Judge { store, states: vec![start], starts }
    }
}

impl Language for Judge<'_> {
    fn start(&mut self) -> Option<u32> {
        Some(0)
    }

    fn step(&mut self, state: u32, letter: u32) -> Option<u32> {
        let next = self.store.derivative_by(self.states[state as usize], letter, 10_000)?;
        let known = self.states.iter().position(|&s| s == next);
        let number = known.unwrap_or_else(|| {
            self.states.push(next);
            self.states.len() - 1
        });
        u32::try_from(number).ok()
    }

    fn accepts(&self, state: u32) -> bool {
        self.store.nullable(self.states[state as usize])
    }

    fn is_dead(&self, state: u32) -> bool {
        self.store.is_visibly_empty(self.states[state as usize])
    }

    fn cuts(&self) -> Vec<u32> {
        self.starts.clone()
    }
}

const A: u32 = 0;
const B: u32 = 0x2FFFF;
const C: u32 = 0x63;

/// All words over the letters, up to a length.
fn words(letters: &[u32], most: usize) -> Vec<Vec<u32>> {
    let mut all = vec![Vec::new()];
    let mut at = 0;
    while at < all.len() {
        if all[at].len() < most {
            for &c in letters {
                let longer = [&all[at][..], &[c]].concat();
                all.push(longer);
            }
        }
        at += 1;
    }
    all
}

fn fuel() -> Fuel {
    Fuel::new(1_000_000)
}

/// Languages with all kinds of operators, over the first and the last character, `c`, and a class of several letters.
fn languages(s: &mut RegexStore) -> Vec<Re> {
    let (a, b, c) = (s.word(&[A]), s.word(&[B]), s.word(&[C]));
    let (ab, aab, bab) = (s.word(&[A, B]), s.word(&[A, A, B]), s.word(&[B, A, B]));
    let several = s.range(&[0x62], &[0x7A]);
    let any = s.allchar();
    let leaves = vec![a, b, c, ab, aab, bab, several, any, s.word(&[]), s.none()];
    let mut all = leaves.clone();
    for &x in &leaves {
        all.push(s.star(x));
        all.push(s.comp(x));
        all.push(s.opt(x));
        for &y in &leaves[..7] {
            let both = s.concat(&[x, y]);
            let either = s.union(&[x, y]);
            let (loops, not) = (s.plus(either), s.comp(either));
            let late = s.concat(&[loops, x]);
            let all_words = s.all();
            let inside = s.concat(&[all_words, y, all_words]);
            let without = s.diff(&[loops, inside]);
            all.extend([both, either, loops, not, late, without]);
            all.push(s.loop_(either, 2_u64, 3_u64));
        }
    }
    all.sort_unstable();
    all.dedup();
    all
}

fn transducers() -> Vec<Transducer> {
    let mut all = Vec::new();
    for u in words(&[A, B], 3) {
        for w in [vec![], vec![A], vec![C, A]] {
            all.push(replace_all(&u, &w));
            all.push(replace(&u, &w));
        }
    }
    all.push(letters(&[(A, vec![B]), (B, vec![A])]));
    all.push(letters(&[(A, vec![]), (C, vec![C, C])]));
    all
}

#[test]
fn constant_patterns_are_replaced_as_defined() {
    for u in words(&[A, B], 4) {
        for w in words(&[A, C], 2) {
            let (all, first) = (replace_all(&u, &w), replace(&u, &w));
            assert!(all.is_subsequential() && first.is_subsequential());
            for s in words(&[A, B, C], 5) {
                let text = Str::concat(&[&s]);
                assert_eq!(
                    all.values(&s),
                    [strings::replace_all(&text, &u, &w).to_vec()],
                    "{u:?} {w:?} {s:?}"
                );
                let expected = strings::replace(&text, &u, &w, strings::Reading::Standard).to_vec();
                assert_eq!(first.values(&s), [expected], "{u:?} {w:?} {s:?}");
            }
        }
    }
}

#[test]
fn languages_are_replaced_as_defined() {
    let mut store = RegexStore::new();
    for r in languages(&mut store) {
        for w in [vec![], vec![A], vec![C, B]] {
            let all = replace_re_all(&mut Judge::new(&mut store, r), &w, &mut fuel()).expect("small");
            let first = replace_re(&mut Judge::new(&mut store, r), &w, &mut fuel()).expect("small");
            for s in words(&[A, B, C], 4) {
                let text = store.to_smtlib(r);
                assert_eq!(all.values(&s), [store.replace_re_all(&s, r, &w)], "{text} {w:?} {s:?}");
                assert_eq!(first.values(&s), [store.replace_re(&s, r, &w)], "{text} {w:?} {s:?}");
            }
        }
    }
}

#[test]
fn composition_applies_one_after_the_other_and_minimal_forms_are_the_same_function() {
    let all = transducers();
    let inputs = words(&[A, B, C], 4);
    for f in &all {
        let small = minimal(f);
        assert!(small.len() <= f.len());
        for s in &inputs {
            assert_eq!(small.values(s), f.values(s));
        }
        for g in &all {
            let both = compose(f, g, 1000, &mut fuel()).expect("small");
            let small = minimal(&both);
            for s in &inputs {
                let expected = g.values(&f.values(s)[0]);
                assert_eq!(both.values(s), expected, "{f:?} {g:?} {s:?}");
                assert_eq!(small.values(s), expected, "{f:?} {g:?} {s:?}");
            }
        }
    }
}

#[test]
fn composition_with_guesses() {
    let mut store = RegexStore::new();
    let inputs = words(&[A, B, C], 4);
    for r in languages(&mut store).into_iter().step_by(7) {
        let f = replace_re_all(&mut Judge::new(&mut store, r), &[A, C], &mut fuel()).expect("small");
        for g in transducers().iter().step_by(3) {
            for (first, second) in [(&f, g), (g, &f)] {
                let Some(both) = compose(first, second, 1000, &mut fuel()) else { continue };
                for s in &inputs {
                    assert_eq!(both.values(s), second.values(&first.values(s)[0]));
                }
            }
        }
    }
}

/// Transducers and languages: all of the first kind with some of the second, then the other way round.
fn pairs(store: &mut RegexStore) -> Vec<(Transducer, Re)> {
    let all = languages(store);
    let mut out = Vec::new();
    for (k, t) in transducers().into_iter().enumerate() {
        out.extend(all.iter().skip(k % 11).step_by(11).map(|&r| (t.clone(), r)));
    }
    for (k, &r) in all.iter().enumerate().step_by(5) {
        let t = replace_re_all(&mut Judge::new(store, r), &[B, C], &mut fuel()).expect("small");
        out.extend(all.iter().skip(k % 17).step_by(17).map(|&r| (t.clone(), r)));
    }
    out
}

#[test]
fn inverse_images_are_exact() {
    let mut store = RegexStore::new();
    let inputs = words(&[A, B, C], 4);
    for (t, r) in pairs(&mut store) {
        let nfa = inverse(&t, &mut Judge::new(&mut store, r), 10_000, &mut fuel()).expect("small");
        let again = as_language(&mut store, &nfa);
        for s in &inputs {
            let expected = store.matches(r, &t.values(s)[0]);
            assert_eq!(nfa.accepts(s), expected, "{t:?} {} {s:?}", store.to_smtlib(r));
            assert_eq!(store.matches(again, s), expected);
        }
    }
}

#[test]
fn images_are_exact_up_to_a_length() {
    let mut store = RegexStore::new();
    let inputs = words(&[A, B, C], 4);
    for (t, r) in pairs(&mut store) {
        let Some(nfa) = image(&t, &mut Judge::new(&mut store, r), 10_000, &mut fuel()) else { continue };
        for s in inputs.iter().filter(|s| store.matches(r, s)) {
            assert!(nfa.accepts(&t.values(s)[0]), "{t:?} {} {s:?}", store.to_smtlib(r));
        }
        // A value of the image is the value of some word: the inverse image of it alone is not empty.
        for w in words(&[A, C], 3).iter().filter(|w| nfa.accepts(w)) {
            let only = store.word(w);
            let back = inverse(&t, &mut Judge::new(&mut store, only), 10_000, &mut fuel()).expect("small");
            let back = as_language(&mut store, &back);
            let both = store.inter(&[back, r]);
            assert_eq!(store.is_empty_language(both, 100_000), Some(false), "{t:?} {w:?}");
        }
    }
}

fn as_language(store: &mut RegexStore, nfa: &Nfa) -> Re {
    store.automaton(Automaton::new(nfa.edges.clone(), nfa.accepting.clone()), &nfa.initial)
}

#[test]
fn explicit_automata_take_part_in_all_operations() {
    let mut store = RegexStore::new();
    let inputs = words(&[A, B, C], 4);
    let all = languages(&mut store);
    for (k, &r) in all.iter().enumerate() {
        let nfa = determinise(&mut Judge::new(&mut store, r), &mut fuel()).expect("small");
        let copy = as_language(&mut store, &nfa);
        assert_eq!(store.equivalent(copy, r, 100_000), Some(true), "{}", store.to_smtlib(r));
        let (least, most) = store.lengths(copy);
        let other = all[(k * 7 + 1) % all.len()];
        let (mixed, plain) = (store.concat(&[copy, other]), store.concat(&[r, other]));
        let (mixed, plain) = (store.comp(mixed), store.comp(plain));
        let back = as_language(&mut store, &nfa.reversed());
        for s in &inputs {
            assert_eq!(nfa.accepts(s), store.matches(r, s));
            assert_eq!(store.matches(mixed, s), store.matches(plain, s));
            let mirrored: Vec<u32> = s.iter().rev().copied().collect();
            assert_eq!(store.matches(back, &mirrored), store.matches(r, s));
            assert_eq!(store.indexof_re(s, copy, 0), store.indexof_re(s, r, 0));
            let length = s.len() as u64;
            assert!(!store.matches(copy, s) || least <= length && length <= most);
        }
        // The least length is that of a shortest word.
        let shortest = store.shortest_member(r, 100_000).expect("small");
        assert_eq!(shortest.map(|w| w.len() as u64), Some(least).filter(|_| least <= most));
    }
}

#[test]
fn functions_are_the_same_if_and_only_if_their_values_are() {
    let mut all = transducers();
    let mut store = RegexStore::new();
    for r in languages(&mut store).into_iter().step_by(9) {
        all.push(replace_re_all(&mut Judge::new(&mut store, r), &[A], &mut fuel()).expect("small"));
    }
    let some: Vec<Transducer> = all.iter().step_by(8).cloned().collect();
    for f in &some {
        for g in &some {
            all.extend(compose(f, g, 1000, &mut fuel()).filter(|t| t.len() < 40));
        }
    }
    let inputs = words(&[A, B, C, C + 1], 4);
    let mut by_values: BTreeMap<Vec<Vec<Vec<u32>>>, usize> = BTreeMap::new();
    let class: Vec<usize> = all
        .iter()
        .map(|t| {
            let fresh = by_values.len();
            *by_values.entry(inputs.iter().map(|s| t.values(s)).collect()).or_insert(fresh)
        })
        .collect();
    for (i, f) in all.iter().enumerate() {
        for (j, g) in all.iter().enumerate().skip(i % 4).step_by(4) {
            let verdict = compare(f, g, &mut Everything, 10_000, &mut fuel()).expect("small");
            match verdict {
                Twin::Equal => assert_eq!(class[i], class[j], "{f:?} {g:?}"),
                Twin::Differ(witnesses) => {
                    let shown = witnesses.iter().any(|s| f.values(s) != g.values(s));
                    assert!(shown || class[i] != class[j], "{f:?} {g:?} {witnesses:?}");
                }
            }
        }
    }
}

#[test]
fn functions_on_a_language() {
    let mut store = RegexStore::new();
    let inputs = words(&[A, B, C], 4);
    let all = transducers();
    for (k, r) in languages(&mut store).into_iter().enumerate().step_by(3) {
        for (f, g) in all.iter().zip(all.iter().skip(1 + k % 5)) {
            let verdict = compare(f, g, &mut Judge::new(&mut store, r), 10_000, &mut fuel()).expect("small");
            if verdict == Twin::Equal {
                let same = inputs.iter().all(|s| !store.matches(r, s) || f.values(s) == g.values(s));
                assert!(same, "{f:?} {g:?} {}", store.to_smtlib(r));
            } else if let Twin::Differ(witnesses) = verdict {
                let shown = witnesses.iter().any(|s| store.matches(r, s) && f.values(s) != g.values(s));
                assert!(shown || witnesses.is_empty(), "{f:?} {g:?} {} {witnesses:?}", store.to_smtlib(r));
            }
        }
    }
}

#[test]
fn functions_agree_on_a_word_if_and_only_if_one_is_found() {
    let mut store = RegexStore::new();
    let inputs = words(&[A, B, C], 5);
    let all = transducers();
    let (mut found, mut never) = (0, 0);
    for (k, r) in languages(&mut store).into_iter().enumerate().step_by(5) {
        for (f, g) in all.iter().zip(all.iter().skip(1 + k % 7)) {
            match agree(f, g, &mut Judge::new(&mut store, r), 10_000, &mut Fuel::new(100_000)) {
                Some(Agreement::Word(s)) => {
                    assert!(store.matches(r, &s) && f.values(&s) == g.values(&s), "{f:?} {g:?} {s:?}");
                    found += 1;
                }
                Some(Agreement::Never) => {
                    let none = inputs.iter().all(|s| !store.matches(r, s) || f.values(s) != g.values(s));
                    assert!(none, "{f:?} {g:?} {}", store.to_smtlib(r));
                    never += 1;
                }
                None => {}
            }
        }
    }
    assert!(found > 100 && never > 100, "{found} {never}");
}

#[test]
fn lengths_are_bounded() {
    let mut all = transducers();
    let mut store = RegexStore::new();
    for r in languages(&mut store) {
        all.push(replace_re_all(&mut Judge::new(&mut store, r), &[A, C, C], &mut fuel()).expect("small"));
        all.push(replace_re(&mut Judge::new(&mut store, r), &[], &mut fuel()).expect("small"));
    }
    let inputs = words(&[A, B, C], 5);
    for t in &all {
        for a in 0..4 {
            let difference = |s: &Vec<u32>| t.values(s)[0].len() as i64 - a * s.len() as i64;
            let (least, greatest) =
                (inputs.iter().map(difference).min(), inputs.iter().map(difference).max());
            assert!(t.least_output(a).is_none_or(|n| least >= Some(n)), "{t:?} {a}");
            assert!(t.greatest_output(a).is_none_or(|n| greatest <= Some(n)), "{t:?} {a}");
        }
        assert!(t.least_output(0).is_some() && t.greatest_output(t.longest_output()).is_some());
    }
    let f = replace_all(&[A, B], &[C]);
    assert_eq!((f.least_output(1), f.greatest_output(1), f.greatest_output(0)), (None, Some(0), None));
    let g = letters(&[(A, vec![B])]);
    assert_eq!((g.least_output(1), g.greatest_output(1)), (Some(0), Some(0)));
}

#[test]
fn parts_that_occur_again_are_one_word() {
    let mut store = RegexStore::new();
    let short = words(&[A, B], 2);
    let (a, b) = (store.word(&[A]), store.word(&[B]));
    let either = store.union(&[a, b]);
    let few = store.loop_(either, 0_u64, 2_u64);
    let few = determinise(&mut Judge::new(&mut store, few), &mut fuel()).expect("a small automaton");
    let one = determinise(&mut Judge::new(&mut store, b), &mut fuel()).expect("a small automaton");
    let w = || Part::Wanted;
    let shapes = [
        vec![w(), w()],
        vec![w(), Part::Word(vec![A]), w()],
        vec![w(), Part::Some(few.clone()), w()],
        vec![Part::Some(few.clone()), w(), w(), Part::Some(one)],
        vec![w(), Part::Word(vec![B, A]), w(), w()],
        vec![Part::Some(few.clone()), w(), Part::Some(few)],
    ];
    let (mut some, mut none) = (0, 0);
    for r in languages(&mut store) {
        for shape in &shapes {
            let found =
                part(shape, &mut Judge::new(&mut store, r), 1_000, &mut fuel()).expect("a small automaton");
            for w in words(&[A, B, C], 2) {
                let wholes = shape.iter().fold(vec![Vec::new()], |wholes: Vec<Vec<u32>>, p| {
                    let ends: Vec<Vec<u32>> = match p {
                        Part::Word(u) => vec![u.clone()],
                        Part::Wanted => vec![w.clone()],
                        Part::Some(nfa) => short.iter().filter(|u| nfa.accepts(u)).cloned().collect(),
                    };
                    wholes.iter().flat_map(|a| ends.iter().map(move |b| [&a[..], b].concat())).collect()
                });
                let expected = wholes.iter().any(|whole| store.matches(r, whole));
                assert_eq!(found.accepts(&w), expected, "{w:?} in {shape:?} of {}", store.to_smtlib(r));
                if expected { some += 1 } else { none += 1 }
            }
        }
    }
    assert!(some > 1_000 && none > 1_000, "{some}, {none}");
}

#[test]
fn work_is_limited() {
    let mut store = RegexStore::new();
    let any = store.allchar();
    let (a, tail, start) = (store.word(&[A]), store.power(any, 30_u64), store.all());
    let wide = store.concat(&[start, a, tail]);
    assert!(determinise(&mut Judge::new(&mut store, wide), &mut Fuel::new(2000)).is_none());
    let t = replace_re_all(&mut Judge::new(&mut store, wide), &[], &mut Fuel::new(2000));
    assert!(t.is_none());
    let f = replace_all(&[A, A, B], &[B]);
    assert!(inverse(&f, &mut Judge::new(&mut store, wide), 500, &mut Fuel::new(20_000)).is_none());
}
