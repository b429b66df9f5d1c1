//! Membership, compared with the definitions and with another implementation.

use aws_smt_strings::regular_expressions::RegLan;
use aws_smt_strings::smt_regular_expressions as other;
use aws_smt_strings::smt_strings::SmtString;

use super::{Random, Tree, lit, words};
use crate::regex::RegexStore;

/// Compares a store with the definitions on all given words.
fn check(store: &mut RegexStore, tree: &Tree, words: &[Vec<u32>]) {
    let re = tree.build(store);
    for w in words {
        let expected = tree.accepts(w);
        assert_eq!(store.matches(re, w), expected, "{w:?} in {tree:?}");
        if expected {
            let (facts, length) = (store.facts(re), w.len() as u64);
            assert!(facts.min <= length && length <= facts.max, "{tree:?}");
            assert!(facts.inhabited || !matches!(tree, Tree::Word(_)));
        }
    }
    assert_eq!(store.nullable(re), tree.accepts(&[]), "{tree:?}");
}

/// All expressions made of some by one operator.
fn above(trees: &[Tree], partners: &[Tree]) -> Vec<Tree> {
    let mut all = Vec::new();
    for tree in trees {
        let body = || Box::new(tree.clone());
        all.extend([Tree::Comp(body()), Tree::Star(body()), Tree::Plus(body()), Tree::Opt(body())]);
        all.extend([0, 1, 2, 3].map(|n| Tree::Power(body(), n)));
        let spans = [(0, 1), (0, 2), (1, 2), (2, 3), (1, 0), (2, 5)];
        all.extend(spans.map(|(lo, hi)| Tree::Loop(body(), lo, hi)));
        for other in partners {
            for pair in [[tree, other], [other, tree]] {
                let pair = || pair.map(Clone::clone).to_vec();
                all.extend([Tree::Concat(pair()), Tree::Diff(pair())]);
                all.extend([Tree::Union(pair()), Tree::Inter(pair())]);
            }
        }
    }
    all
}

fn leaves() -> Vec<Tree> {
    vec![Tree::None, Tree::All, Tree::AllChar, lit(""), lit("a"), lit("b"), lit("ab")]
}

#[test]
fn all_small_expressions() {
    let leaves = leaves();
    let first = above(&leaves, &leaves);
    let second = above(&first, &leaves);
    let words = words("ab", 3);
    let mut store = RegexStore::new();
    for tree in leaves.iter().chain(&first).chain(&second) {
        check(&mut store, tree, &words);
    }
}

#[test]
fn random_expressions() {
    let words = words("ab", 5);
    let mut random = Random(0x5EED);
    let mut store = RegexStore::new();
    for _ in 0..6000 {
        let tree = random.tree(4);
        check(&mut store, &tree, &words);
    }
}

#[test]
fn random_expressions_without_memory() {
    let words = words("ab", 4);
    let mut random = Random(0xF00D);
    let mut store = RegexStore::with_cache_limit(0);
    for round in 0..2000 {
        if round % 100 == 0 {
            store = RegexStore::with_cache_limit(round);
        }
        let tree = random.tree(4);
        check(&mut store, &tree, &words);
    }
}

#[test]
fn random_expressions_on_longer_words() {
    let mut random = Random(0xBEEF);
    let mut store = RegexStore::with_cache_limit(1 << 20);
    for _ in 0..1500 {
        let tree = random.tree(5);
        let words: Vec<Vec<u32>> = (6..14).map(|n| random.word("abc", n)).collect();
        check(&mut store, &tree, &words);
    }
}

#[test]
fn larger_loops() {
    let mut random = Random(0x100B);
    let mut store = RegexStore::new();
    for round in 0..1200 {
        let tree = random.tree_with_loops(3 + round % 2, 12);
        let words: Vec<Vec<u32>> =
            (0..8).map(|n| random.word(["a", "ab", "aaaab"][n % 3], 10 + round % 25)).collect();
        check(&mut store, &tree, &words);
    }
}

/// The expression in the other implementation.
fn build_other(tree: &Tree) -> RegLan {
    let smt = |w: &[u32]| SmtString::from(w);
    let all = |trees: &[Tree]| trees.iter().map(build_other).collect::<Vec<_>>();
    match tree {
        Tree::None => other::re_none(),
        Tree::All => other::re_all(),
        Tree::AllChar => other::re_allchar(),
        Tree::Word(w) => other::str_to_re(&smt(w)),
        Tree::Range(a, b) => other::re_range(&smt(a), &smt(b)),
        Tree::Concat(trees) => other::re_concat_list(all(trees)),
        Tree::Union(trees) => other::re_union_list(all(trees)),
        Tree::Inter(trees) => other::re_inter_list(all(trees)),
        Tree::Diff(trees) => other::re_diff_list(build_other(&trees[0]), all(&trees[1..])),
        Tree::Comp(tree) => other::re_comp(build_other(tree)),
        Tree::Star(tree) => other::re_star(build_other(tree)),
        Tree::Plus(tree) => other::re_plus(build_other(tree)),
        Tree::Opt(tree) => other::re_opt(build_other(tree)),
        Tree::Power(tree, n) => other::re_power(build_other(tree), *n),
        Tree::Loop(tree, lo, hi) => other::re_loop(build_other(tree), *lo, *hi),
    }
}

#[test]
fn another_implementation() {
    let mut random = Random(0xAB5);
    let mut store = RegexStore::new();
    for _ in 0..10_000 {
        let tree = random.tree(4);
        let (re, their) = (tree.build(&mut store), build_other(&tree));
        for length in 0..20 {
            let w = random.word("aabbc", length);
            let t = random.word("cd", 2);
            let (smt, replacement) = (SmtString::from(&*w), SmtString::from(&*t));
            let matched = other::str_in_re(&smt, their);
            assert_eq!(store.matches(re, &w), matched, "{w:?} in {tree:?}");
            let replaced = other::str_replace_re(&smt, their, &replacement);
            assert_eq!(store.replace_re(&w, re, &t), replaced.as_ref());
            let replaced = other::str_replace_re_all(&smt, their, &replacement);
            assert_eq!(store.replace_re_all(&w, re, &t), replaced.as_ref());
        }
    }
}
