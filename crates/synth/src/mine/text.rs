//! Mined rules as the text of a rule file.
//!
//! Variables are named in the order in which they occur. Languages are compared by membership, since no solver has
//! variables for them.

use super::conjecture::{Law, conjunction};
use super::grammar::variable;
use super::guard::Guard;
use super::select;
use rustc_hash::FxHashMap;
use semantics::Config;
use semantics::rule::{Domain, Rule, RuleKind};
use smt::print::term_text;
use smt::{Op, Pool, Sort, Term};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The text of a rule file.
pub(super) fn write(pool: &Pool, rules: Vec<(Law, Rule)>) -> String {
    let mut out = String::new();
    let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
    for (law, mut rule) in rules {
        let base = base_name(select::head(pool, law));
        let number = numbers.entry(base.clone()).or_default();
        *number += 1;
        rule.name = format!("mined-{base}-{number}");
        print(pool, &rule, &mut out);
    }
    out
}

/// Verifies a rule; one that holds but never fires as an equivalence becomes an equality.
pub(super) fn accept(pool: &mut Pool, rule: &mut Rule, domains: &[Domain]) -> bool {
    let mut kinds = vec![RuleKind::Equality];
    if pool.sort_of(rule.lhs) == Sort::BOOL && !pool.args(rule.rhs).is_empty() {
        kinds.insert(0, RuleKind::Equivalence);
    }
    kinds.into_iter().any(|kind| {
        rule.kind = kind;
        domains.iter().all(|domain| rule.verify(pool, domain, Config::default()).ok())
    })
}

/// The rule with the usual names.
pub(super) fn named(pool: &mut Pool, law: Law) -> Rule {
    let law = without_languages(pool, law);
    let mut counts: BTreeMap<char, usize> = BTreeMap::new();
    let mut map: FxHashMap<Term, Term> = FxHashMap::default();
    let mut conditions = Vec::new();
    for v in law.variables(pool) {
        let guard = Guard::of(pool, v);
        conditions.extend(guard.map(|g| (g, v)));
        let (first, names) = match pool.sort_of(v) {
            Sort::STRING if matches!(guard, Some(Guard::Short | Guard::Char | Guard::Digit)) => {
                ('c', ["c", "d", "e", "f"])
            }
            Sort::STRING => ('x', ["x", "y", "z", "w"]),
            Sort::INT => ('i', ["i", "j", "k", "m"]),
            _ => ('p', ["p", "q", "p1", "p2"]),
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
    let conditions: Vec<Term> =
        conditions.into_iter().map(|(guard, v)| guard.formula(pool, map[&v])).collect();
    let mut rule = Law::new(left, right).rule(pool);
    rule.when = conjunction(pool, &conditions);
    rule
}

/// The rule with `x|[a-b]`, `y.` or the complement of a word for its variables of languages.
fn without_languages(pool: &mut Pool, law: Law) -> Law {
    let mut map = FxHashMap::default();
    for (n, v) in law.variables(pool).into_iter().enumerate() {
        if pool.sort_of(v) == Sort::REGLAN {
            let word = variable(pool, &format!("w{n}"), Sort::STRING);
            let language = language(pool, map.len(), word);
            map.insert(v, language);
        }
    }
    let [left, right] = [law.left, law.right].map(|t| pool.replace(t, &mut map.clone()));
    Law::new(left, right)
}

/// A language with a word in it.
fn language(pool: &mut Pool, number: usize, word: Term) -> Term {
    let ends = [b'a', b'b'].map(|c| pool.string(&[u32::from(c)]));
    let mut op = |op: Op, args: &[Term]| pool.op(op, args).expect("well sorted");
    let word = op(Op::StrToRe, &[word]);
    match number {
        0 => {
            let range = op(Op::ReRange, &ends);
            op(Op::ReUnion, &[word, range])
        }
        1 => {
            let any = op(Op::ReAllchar, &[]);
            op(Op::ReConcat, &[word, any])
        }
        _ => op(Op::ReComp, &[word]),
    }
}

fn print(pool: &Pool, rule: &Rule, out: &mut String) {
    let vars =
        rule.vars.iter().map(|&v| format!("({} {})", term_text(pool, v), pool.sort_text(pool.sort_of(v))));
    let vars = vars.collect::<Vec<_>>().join(" ");
    let kind = if rule.kind == RuleKind::Equivalence { " :kind equivalence" } else { "" };
    let (lhs, rhs) = (term_text(pool, rule.lhs), term_text(pool, rule.rhs));
    let when = rule.when.map_or(String::new(), |t| format!(" :when {}", term_text(pool, t)));
    let _ =
        writeln!(out, "(define-rule {}{kind} :vars ({vars}){when}\n  :lhs {lhs}\n  :rhs {rhs})", rule.name);
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
