//! The shipped rules: each holds and fires on the small values and on more, and no name is used twice.

use rayon::prelude::*;
use semantics::Config;
use semantics::rule::{Domain, load};
use smt::Pool;
use std::collections::BTreeSet;
use stringent_synth::rules::{ALL, Rules};

fn verify(domain_of: fn(&mut Pool) -> Domain, cases: usize) {
    let names: Vec<(&str, usize)> =
        ALL.iter().flat_map(|(name, text)| (0..count(text)).map(move |i| (*name, i))).collect();
    let failures: Vec<String> =
        names.par_chunks(16).flat_map_iter(|chunk| failures(chunk, domain_of, cases)).collect();
    assert!(failures.is_empty(), "{failures:#?}");
}

fn count(text: &str) -> usize {
    text.matches("(define-rule ").count()
}

/// The rules of a part of the files that do not hold.
fn failures(chunk: &[(&str, usize)], domain_of: fn(&mut Pool) -> Domain, cases: usize) -> Vec<String> {
    let mut found = Vec::new();
    for (name, text) in ALL {
        let wanted: Vec<usize> = chunk.iter().filter(|(file, _)| file == name).map(|&(_, i)| i).collect();
        if wanted.is_empty() {
            continue;
        }
        let mut pool = Pool::new();
        let rules = load(text.as_bytes(), &mut pool).expect("the file loads");
        let mut domain = domain_of(&mut pool);
        domain.max_cases = cases;
        for i in wanted {
            let v = rules[i].verify(&mut pool, &domain, Config::default());
            if !v.ok() {
                found.push(format!("{name}: {}: {}", rules[i].name, v.summary()));
            }
        }
    }
    found
}

#[test]
fn they_hold_on_small_values() {
    verify(Domain::small, 200_000);
}

#[test]
fn they_hold_on_more_values() {
    verify(Domain::large, 50_000);
}

#[test]
fn names_are_unique_and_there_are_many() {
    let mut pool = Pool::new();
    let rules = Rules::everything(&mut pool);
    let names: BTreeSet<&str> = rules.all.iter().map(|r| r.name.as_str()).collect();
    assert_eq!(names.len(), rules.all.len());
    assert_eq!(rules.all.len(), ALL.iter().map(|(_, text)| count(text)).sum::<usize>());
    assert_eq!(rules.all.len(), rules.equivalences.len() + rules.equalities.len() + rules.unused.len());
    let mined = rules.all.iter().filter(|r| r.name.starts_with("mined-")).count();
    assert!(rules.all.len() - mined >= 150 && mined >= 60, "{} {mined}", rules.all.len());
}
