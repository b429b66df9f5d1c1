//! Functions of one string against brute force: no `unsat` where small words are a model, and no false inference.

#![allow(clippy::print_stdout, reason = "the number of problems that were decided")]

mod common;
#[allow(dead_code, reason = "one generator for all tests")]
#[path = "../src/dice.rs"]
mod dice;

use common::{run, settings};
use dice::Dice;
use semantics::{Evaluator, Model, Satisfaction, Str, Value};
use smt::{Dialect, Head, Pool, Term};
use stringent_solver::options::Strategy;

/// Functions, with the argument to be put in.
const FUNCTIONS: [&str; 14] = [
    "(str.replace_all % \"a\" \"b\")",
    "(str.replace_all % \"a\" \"\")",
    "(str.replace_all % \"a\" \"ba\")",
    "(str.replace_all % \"ab\" \"a\")",
    "(str.replace_all % \"aba\" \"c\")",
    "(str.replace % \"ab\" \"\")",
    "(str.replace % \"\" \"a\")",
    "(str.replace_re % (re.++ (str.to_re \"a\") (re.* (str.to_re \"b\")) (str.to_re \"c\")) \"b\")",
    "(str.replace_re_all % (re.+ (re.range \"a\" \"b\")) \"c\")",
    "(str.replace_re_all % (re.union (str.to_re \"abc\") (str.to_re \"b\")) \"a\")",
    "(str.replace_re_all % (re.comp (str.to_re \"a\")) \"\")",
    "(str.to_upper %)",
    "(str.to_lower %)",
    "(str.rev %)",
];

/// Languages, as facts of `%`.
const FACTS: [&str; 14] = [
    "(= % \"ab\")",
    "(= % \"\")",
    "(not (= % \"b\"))",
    "(str.in_re % (re.* (re.union (str.to_re \"ab\") (str.to_re \"c\"))))",
    "(str.in_re % (re.++ re.all (str.to_re \"ab\") re.all))",
    "(not (str.in_re % (re.++ re.all (str.to_re \"a\") re.all)))",
    "(str.contains % \"ba\")",
    "(not (str.contains % \"b\"))",
    "(= (str.len %) 2)",
    "(>= (str.len %) 3)",
    "(str.in_re % (re.++ (re.range \"a\" \"z\") (re.range \"A\" \"c\")))",
    "(str.prefixof \"c\" %)",
    "(= (str.at % 1) \"a\")",
    "(distinct % x)",
];

/// Relations of two strings.
const RELATIONS: [&str; 5] = [
    "(distinct % @)",
    "(= % @)",
    "(> (str.len %) (str.len @))",
    "(= (str.at % 0) \"b\" (str.at @ 1))",
    "(str.in_re (str.++ % \"b\" @) (re.* (re.union (str.to_re \"ab\") (str.to_re \"ca\"))))",
];

fn pick<'a>(dice: &mut Dice, list: &[&'a str]) -> &'a str {
    list[dice.below(list.len())]
}

fn problem(dice: &mut Dice) -> String {
    let mut text = String::from("(declare-const x String)\n");
    let names = ["x", "y", "z", "w"];
    for k in 1..names.len() {
        let argument = names[dice.below(k)];
        let function = pick(dice, &FUNCTIONS).replace('%', argument);
        text += &format!("(declare-const {0} String)\n(assert (= {0} {function}))\n", names[k]);
    }
    for _ in 0..1 + dice.below(3) {
        let fact = pick(dice, &FACTS).replace('%', pick(dice, &names));
        text += &format!("(assert {fact})\n");
    }
    if dice.below(2) == 0 {
        let relation = pick(dice, &RELATIONS).replace('%', pick(dice, &names));
        text += &format!("(assert {})\n", relation.replace('@', pick(dice, &names)));
    }
    text + "(check-sat)\n"
}

/// Whether a value of `x` of at most four characters makes the assertions true, the others being defined by it.
fn has_small_model(text: &str) -> bool {
    let mut pool = Pool::new();
    let parsed = smt::parse::parse(text.as_bytes(), Some(Dialect::Smt26), &mut pool);
    assert!(parsed.is_ok(), "{text}");
    let assertions: Vec<Term> = parsed.script.assertions().collect();
    let mut words: Vec<Vec<u32>> = vec![Vec::new()];
    let mut at = 0;
    while at < words.len() {
        if holds(&pool, &assertions, &words[at]) {
            return true;
        }
        if words[at].len() < 4 {
            for c in "abcA".chars() {
                let longer = [&words[at][..], &[u32::from(c)]].concat();
                words.push(longer);
            }
        }
        at += 1;
    }
    false
}

/// Whether the assertions hold for this value of `x`; the first ones define the other constants.
fn holds(pool: &Pool, assertions: &[Term], word: &[u32]) -> bool {
    let mut model = Model::new();
    for &t in &assertions[..3] {
        let &[name, body] = pool.args(t) else { unreachable!("a definition is an equation") };
        let Head::Fun(f) = pool.head(name) else { unreachable!("of a constant") };
        model.set_term(pool.fun_name(f), body);
    }
    let x = pool.subterms(assertions.iter().copied()).find_map(|t| match pool.head(t) {
        Head::Fun(f) if pool.fun_name(f) == "x" => Some(f),
        _ => None,
    });
    model.assign(x.expect("y is defined by x"), Value::Str(Str::concat(&[word])));
    let mut e = Evaluator::new(pool, &model);
    assertions.iter().all(|&t| e.truth(t) == Satisfaction::Holds)
}

/// Solves random problems: the number that were decided.
fn decided(seeds: std::ops::Range<u64>, engines: &str) -> usize {
    let mut decided = 0;
    for seed in seeds {
        let text = problem(&mut Dice::new(seed));
        let mut settings = settings(Strategy::Auto, 3_000);
        settings.options.engines = engines.parse().expect("names");
        settings.options.audit = true;
        let output = run(&text, settings);
        assert_eq!(output.audit_failure(), None, "{text}");
        if output.verdict() == "unsat" {
            assert!(!has_small_model(&text), "{text}");
        }
        decided += usize::from(output.verdict() != "unknown");
    }
    decided
}

/// `STRINGENT_PROBLEMS=20000 cargo test -p stringent-solver --test functions` solves that many.
fn problems() -> u64 {
    std::env::var("STRINGENT_PROBLEMS").ok().and_then(|n| n.parse().ok()).unwrap_or(120)
}

#[test]
fn answers_are_those_of_brute_force() {
    let count = problems();
    let decided = decided(0..count, "all") as u64;
    println!("{decided} of {count} decided");
    assert!(decided * 10 >= count * 9);
}

#[test]
fn engines_off_give_no_other_answers() {
    for engines in ["none", "-twin", "-image", "-probe"] {
        decided(200..215, engines);
    }
}
