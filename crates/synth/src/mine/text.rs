//! Mined rules as the text of a rule file.
//!
//! Variables are named in the order in which they occur. Languages are compared by membership, since no solver has
//! variables for them.

use super::conjecture::Law;
use super::grammar::variable;
use super::{Options, Tally, select};
use crate::dice::{Dice, LETTERS};
use rustc_hash::FxHashMap;
use semantics::Config;
use semantics::rule::{Domain, Rule, RuleKind};
use smt::print::term_text;
use smt::{Op, Pool, Sort, Term};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The rules that the usual verification accepts too.
pub(super) fn write(pool: &mut Pool, laws: &[Law], options: &Options, tally: &mut Tally) -> String {
    let mut out = String::new();
    let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
    let mut domains = [Domain::small(pool), Domain::large(pool), random(pool, options.seed)];
    domains.iter_mut().for_each(|domain| domain.max_cases = options.cases.max(200_000));
    for &law in laws {
        let base = base_name(select::head(pool, law));
        let mut rule = named(pool, law);
        if !accept(pool, &mut rule, &domains) {
            tally.late += 1;
            continue;
        }
        let number = numbers.entry(base.clone()).or_default();
        *number += 1;
        rule.name = format!("mined-{base}-{number}");
        tally.selected += 1;
        print(pool, &rule, &mut out);
    }
    out
}

/// All printable characters, random words, many integers.
fn random(pool: &mut Pool, seed: u64) -> Domain {
    let mut dice = Dice::new(seed, 1);
    let mut words: Vec<String> = (0..160).map(|n| random_word(&mut dice, n % 2 == 0)).collect();
    words.extend(LETTERS.iter().map(|&c| char::from(c).to_string()));
    let ints: Vec<i64> = (-12..64).chain((0..24).map(|_| dice.int(-300, 300))).collect();
    Domain::of_values(pool, &words, &ints)
}

fn random_word(dice: &mut Dice, few: bool) -> String {
    let letters: &[u8] = if few { b"ab01" } else { LETTERS };
    let length = dice.between(0, 5);
    (0..length).map(|_| char::from(*dice.pick(letters))).collect()
}

/// Verifies a rule; one that holds but never fires as an equivalence becomes an equality. It need not fire on random
/// values.
fn accept(pool: &mut Pool, rule: &mut Rule, domains: &[Domain]) -> bool {
    let mut kinds = vec![RuleKind::Equality];
    if pool.sort_of(rule.lhs) == Sort::BOOL && !pool.args(rule.rhs).is_empty() {
        kinds.insert(0, RuleKind::Equivalence);
    }
    kinds.into_iter().any(|kind| {
        rule.kind = kind;
        domains.iter().enumerate().all(|(i, domain)| {
            let found = rule.verify(pool, domain, Config::default());
            found.ok() || i == 2 && found.counterexample.is_none()
        })
    })
}

/// The rule with the usual names.
fn named(pool: &mut Pool, law: Law) -> Rule {
    let law = without_languages(pool, law);
    let mut counts: BTreeMap<char, usize> = BTreeMap::new();
    let mut map: FxHashMap<Term, Term> = FxHashMap::default();
    for v in law.variables(pool) {
        let (first, names) = match pool.sort_of(v) {
            Sort::STRING => ('x', ["x", "y", "z", "w"]),
            Sort::INT => ('i', ["i", "j", "k", "m"]),
            _ => ('b', ["b", "c", "d", "e"]),
        };
        let n = counts.entry(first).or_default();
        let name = names.get(*n).map_or_else(|| format!("{first}{n}"), |name| (*name).to_owned());
        *n += 1;
        let new = variable(pool, &name, pool.sort_of(v));
        map.insert(v, new);
    }
    let [mut left, mut right] = [law.left, law.right].map(|t| pool.replace(t, &mut map.clone()));
    if pool.sort_of(left) == Sort::REGLAN {
        let s = variable(pool, "s", Sort::STRING);
        [left, right] = [left, right].map(|t| pool.op(Op::StrInRe, &[s, t]).expect("well sorted"));
    }
    Law::new(left, right).rule(pool)
}

/// The rule with `x*`, `y+`, … for its variables of languages.
fn without_languages(pool: &mut Pool, law: Law) -> Law {
    let mut map = FxHashMap::default();
    for (n, v) in law.variables(pool).into_iter().enumerate() {
        if pool.sort_of(v) == Sort::REGLAN {
            let word = variable(pool, &format!("w{n}"), Sort::STRING);
            let word = pool.op(Op::StrToRe, &[word]).expect("well sorted");
            let repeat = if map.is_empty() { Op::ReStar } else { Op::RePlus };
            map.insert(v, pool.op(repeat, &[word]).expect("well sorted"));
        }
    }
    let [left, right] = [law.left, law.right].map(|t| pool.replace(t, &mut map.clone()));
    Law::new(left, right)
}

fn print(pool: &Pool, rule: &Rule, out: &mut String) {
    let vars =
        rule.vars.iter().map(|&v| format!("({} {})", term_text(pool, v), pool.sort_text(pool.sort_of(v))));
    let vars = vars.collect::<Vec<_>>().join(" ");
    let kind = if rule.kind == RuleKind::Equivalence { " :kind equivalence" } else { "" };
    let (lhs, rhs) = (term_text(pool, rule.lhs), term_text(pool, rule.rhs));
    let _ = writeln!(out, "(define-rule {}{kind} :vars ({vars})\n  :lhs {lhs}\n  :rhs {rhs})", rule.name);
}

/// The name of an operator as part of the name of a rule.
fn base_name(operator: &str) -> String {
    let symbols =
        [("++", "concat"), ("<=", "le"), ("<", "lt"), ("=", "equal"), ("^", "power"), ("*", "star")];
    if operator == "-" {
        return "minus".into();
    }
    let mut name = operator.trim_start_matches("str.").to_owned();
    for (symbol, word) in symbols.into_iter().chain([("+", "plus"), (".", "-"), ("_", "-")]) {
        name = name.replace(symbol, word);
    }
    name
}
