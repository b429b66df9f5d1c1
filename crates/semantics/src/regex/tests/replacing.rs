//! Search and replacement, compared with the definitions.

use super::{Random, Tree, lit, word, words};
use crate::regex::RegexStore;

/// The shortest leftmost match, by trying all.
fn find(tree: &Tree, w: &[u32], from: usize, nonempty: bool) -> Option<(usize, usize)> {
    let factors = tree.factors(w);
    (from..=w.len())
        .flat_map(|i| (i..=w.len()).map(move |j| (i, j)))
        .find(|&(i, j)| factors.has(i, j) && !(nonempty && i == j))
}

fn replace(w: &[u32], tree: &Tree, w2: &[u32]) -> Vec<u32> {
    match find(tree, w, 0, false) {
        None => w.to_vec(),
        Some((i, j)) => [&w[..i], w2, &w[j..]].concat(),
    }
}

fn replace_all(w: &[u32], tree: &Tree, w2: &[u32]) -> Vec<u32> {
    match find(tree, w, 0, true) {
        None => w.to_vec(),
        Some((i, j)) => [&w[..i], w2, &replace_all(&w[j..], tree, w2)].concat(),
    }
}

fn check(store: &mut RegexStore, tree: &Tree, w: &[u32]) {
    let (re, t) = (tree.build(store), word("cd"));
    let context = || format!("{w:?}, {tree:?}");
    assert_eq!(store.replace_re(w, re, &t), replace(w, tree, &t), "{}", context());
    assert_eq!(store.replace_re_all(w, re, &t), replace_all(w, tree, &t), "{}", context());
    for from in 0..=w.len() {
        for nonempty in [false, true] {
            let found = store.find_shortest_leftmost(re, w, from, nonempty);
            assert_eq!(found, find(tree, w, from, nonempty), "{}", context());
        }
        let index = find(tree, w, from, false).map(|(i, _)| i);
        assert_eq!(store.indexof_re(w, re, from), index, "{}", context());
    }
    assert_eq!(store.indexof_re(w, re, w.len() + 1), None);
}

#[test]
fn random_searches() {
    let words = words("ab", 4);
    let mut random = Random(0xD06);
    for limit in [0, 1 << 30] {
        let mut store = RegexStore::with_cache_limit(limit);
        for _ in 0..1000 {
            let tree = random.tree(3);
            for w in &words {
                check(&mut store, &tree, w);
            }
        }
    }
}

#[test]
fn searches_by_reading_backwards() {
    let mut random = Random(0xCA7);
    let mut store = RegexStore::new();
    store.patience = 0;
    for round in 0..2500 {
        if round == 1500 {
            store = RegexStore::with_cache_limit(0);
            store.patience = 0;
        }
        let tree = match round % 8 {
            0 => Tree::Word(random.word("ab", 2 + round % 3)),
            _ => random.tree(4),
        };
        for length in [0, 1, 3, 6, 9] {
            let w = random.word("ab", length);
            check(&mut store, &tree, &w);
        }
    }
}

#[test]
fn examples() {
    let mut store = RegexStore::new();
    let mut replaced = |tree: &Tree, w: &str| {
        let re = tree.build(&mut store);
        let show = |w: Vec<u32>| w.into_iter().filter_map(char::from_u32).collect::<String>();
        (
            show(store.replace_re(&word(w), re, &word("Z"))),
            show(store.replace_re_all(&word(w), re, &word("Z"))),
        )
    };
    let star = |text| Tree::Star(Box::new(lit(text)));
    let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
    // The empty word is a match for the one, but not for the other.
    assert_eq!(replaced(&star("a"), "baab"), pair("Zbaab", "bZZb"));
    assert_eq!(replaced(&lit(""), "ab"), pair("Zab", "ab"));
    assert_eq!(replaced(&Tree::All, ""), pair("Z", ""));
    // The leftmost match comes first, then the shortest.
    let both = Tree::Union(vec![lit("abc"), lit("b")]);
    assert_eq!(replaced(&both, "abcb"), pair("Zb", "ZZ"));
    let plus = Tree::Plus(Box::new(lit("ab")));
    assert_eq!(replaced(&plus, "ababab"), pair("Zabab", "ZZZ"));
    assert_eq!(replaced(&Tree::None, "ab"), pair("ab", "ab"));
    // What was inserted is not searched again, and nothing spans it.
    assert_eq!(replaced(&lit("ZZ"), "ZZZ"), pair("ZZ", "ZZ"));
}
