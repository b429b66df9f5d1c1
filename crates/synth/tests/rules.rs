//! The shipped rules: each holds and fires on the small values and on more, survives random words of all planes, and no name is
//! used twice. Every operator of the theory has at least two.

use rayon::prelude::*;
use semantics::Config;
use semantics::rule::{Domain, Rule, RuleKind, load};
use smt::op::{Origin, TABLE};
use smt::{Head, Op, Pool};
use std::collections::{BTreeMap, BTreeSet};
use stringent_synth::mine::attack::Attack;
use stringent_synth::rules::{ALL, Rules};

/// What is wrong with a rule.
type Test = dyn Fn(&mut Pool, &Rule) -> Option<String>;

/// Asserts that nothing is wrong with any rule.
fn all_pass(test_of: impl Fn(&mut Pool) -> Box<Test> + Sync) {
    let names: Vec<(&str, usize)> =
        ALL.iter().flat_map(|(name, text)| (0..count(text)).map(move |i| (*name, i))).collect();
    let failures: Vec<String> =
        names.par_chunks(16).flat_map_iter(|chunk| failures(chunk, &test_of)).collect();
    assert!(failures.is_empty(), "{failures:#?}");
}

fn verify(domain_of: fn(&mut Pool) -> Domain, cases: usize) {
    all_pass(|pool| {
        let mut domain = domain_of(pool);
        domain.max_cases = cases;
        Box::new(move |pool, rule| {
            let v = rule.verify(pool, &domain, Config::default());
            (!v.ok()).then(|| v.summary())
        })
    });
}

fn count(text: &str) -> usize {
    text.matches("(define-rule ").count()
}

/// The rules of a part of the files that do not pass.
fn failures(chunk: &[(&str, usize)], test_of: &impl Fn(&mut Pool) -> Box<Test>) -> Vec<String> {
    let mut found = Vec::new();
    for (name, text) in ALL {
        let wanted: Vec<usize> = chunk.iter().filter(|(file, _)| file == name).map(|&(_, i)| i).collect();
        if wanted.is_empty() {
            continue;
        }
        let mut pool = Pool::new();
        let rules = load(text.as_bytes(), &mut pool).expect("the file loads");
        let test = test_of(&mut pool);
        for i in wanted {
            found.extend(test(&mut pool, &rules[i]).map(|why| format!("{name}: {}: {why}", rules[i].name)));
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

#[test]
fn random_words_do_not_refute_them() {
    all_pass(|pool| {
        let attack = Attack::new(pool, 20, 4, 2_000);
        Box::new(move |pool, rule| attack.refutes(pool, rule))
    });
}

/// Equivalences and equalities with each operator of the theory. A new operator without rules fails.
#[test]
fn every_operator_has_rules() {
    let mut pool = Pool::new();
    let rules = Rules::everything(&mut pool).all;
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for rule in rules.iter().filter(|r| r.kind != RuleKind::Implication) {
        for op in operators(&pool, rule) {
            *counts.entry(op.name()).or_default() += 1;
        }
    }
    for row in TABLE.iter().filter(|row| row.origin == Origin::Strings) {
        assert!(
            counts.get(row.name).is_some_and(|&n| n >= 2),
            "{}: {:?} rules",
            row.name,
            counts.get(row.name)
        );
    }
    for op in [Op::Ite, Op::Not, Op::And, Op::Or, Op::Distinct, Op::Add, Op::Le] {
        assert!(counts[op.name()] >= 2, "{}", op.name());
    }
}

fn operators(pool: &Pool, rule: &Rule) -> BTreeSet<Op> {
    let parts = pool.subterms([rule.lhs, rule.rhs]);
    parts
        .filter_map(|t| if let Head::Op(op) | Head::Indexed(op, _) = pool.head(t) { Some(op) } else { None })
        .collect()
}
