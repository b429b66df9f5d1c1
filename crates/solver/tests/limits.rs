//! Tick limits are reached at the same point in each run, and the same seed gives the same trace.

mod common;

use common::{Output, STRATEGIES, run, settings};
use stringent_solver::options::Strategy;

/// Nine distinct strings out of eight.
fn pigeons() -> String {
    let mut text = String::new();
    for n in 0..9 {
        text += &format!("(declare-const x{n} String)");
        let holes: String = ('a'..='h').map(|c| format!("(= x{n} \"{c}\")")).collect();
        text += &format!("(assert (or {holes}))");
    }
    text + "(assert (distinct x0 x1 x2 x3 x4 x5 x6 x7 x8))(check-sat)(get-info :reason-unknown)"
}

const HARDER: &str = "(declare-const x String)(declare-const y String)(declare-const i Int)
(assert (or (= (str.++ x \"ab\") (str.++ \"ab\" x)) (= (str.replace x \"a\" y) \"bb\")))
(assert (not (= (str.at x i) (str.at y i))))
(assert (>= (str.indexof x \"b\" 1) 1))
(assert (= (str.len y) (+ 1 i)))
(check-sat)";

fn traced(text: &str, strategy: Strategy, seed: u64, ticks: u64) -> Output {
    let mut settings = settings(strategy, ticks);
    settings.options.trace = true;
    settings.options.seed = seed;
    run(text, settings)
}

#[test]
fn a_limit_of_ticks_ends_the_check() {
    for ticks in [0, 1, 10, 100, 1_000] {
        let output = run(&pigeons(), settings(Strategy::Auto, ticks));
        assert_eq!(output.verdict(), "unknown", "{ticks} ticks");
        assert_eq!(output.responses[1], "(:reason-unknown resourceout)", "{ticks} ticks");
    }
}

#[test]
fn more_ticks_do_not_change_an_answer() {
    let mut known: Option<String> = None;
    for ticks in [1, 10, 100, 1_000, 3_000, 10_000, 100_000] {
        let output = run(HARDER, settings(Strategy::Auto, ticks));
        let verdict = output.verdict().to_owned();
        match &known {
            Some(v) => assert_eq!(verdict, *v, "{ticks} ticks"),
            None if verdict != "unknown" => known = Some(verdict),
            None => {}
        }
    }
    assert_eq!(known.as_deref(), Some("sat"));
}

#[test]
fn the_same_seed_gives_the_same_trace() {
    for strategy in STRATEGIES {
        for (text, seed) in [(pigeons().as_str(), 0), (HARDER, 0), (HARDER, 7)] {
            let (a, b) = (traced(text, strategy, seed, 3_000), traced(text, strategy, seed, 3_000));
            assert_eq!(a.verdicts, b.verdicts, "{strategy:?}");
            let (a, b) = (&a.outcomes[0], &b.outcomes[0]);
            assert_eq!(a.trace, b.trace, "{strategy:?}");
            assert_eq!(a.statistics, b.statistics, "{strategy:?}");
            assert!(!a.trace.is_empty(), "{strategy:?}");
        }
    }
}

#[test]
fn a_limit_set_by_a_command_applies_to_each_check() {
    let text = format!(
        "(set-option :reproducible-resource-limit 50){}(check-sat)(get-info :reason-unknown)",
        pigeons()
    );
    let mut given = settings(Strategy::Auto, 1);
    given.options.ticks = None;
    let output = run(&text, given);
    assert_eq!(output.verdicts, ["unknown", "unknown"]);
    let spent =
        |n: usize| output.outcomes[n].statistics.iter().find(|(name, _)| *name == "ticks").map(|s| s.1);
    assert_eq!(spent(0), spent(1));
}

/// Constants of 2^64, 2^40 and 10^9 characters are not built.
#[test]
fn huge_constants_are_not_built() {
    let mut doubled = String::from("(declare-const x String)(assert (let ((a0 \"ab\")) ");
    (1..=64).for_each(|i| doubled += &format!("(let ((a{i} (str.++ a{0} a{0}))) ", i - 1));
    doubled += &format!("(= x a64){}))(check-sat)", ")".repeat(64));
    let mut replaced = String::from("\"aa\"");
    (0..40).for_each(|_| replaced = format!("(str.replace_all {replaced} \"a\" \"aa\")"));
    let replaced = format!("(declare-const x String)(assert (= x {replaced}))(check-sat)");
    let mut by_itself = String::from("x");
    (0..8).for_each(|_| by_itself = format!("(str.replace_all {by_itself} \"a\" x)"));
    let by_itself = format!(
        "(declare-const x String)(declare-const y String)(assert (= x \"aaaaaaaaaa\"))(assert (= y {by_itself}))(check-sat)"
    );
    for text in [doubled, replaced, by_itself] {
        let output = run(&text, settings(Strategy::Auto, 1_000));
        assert_eq!(output.verdict(), "unknown", "{}", &text[..80]);
    }
}

/// 80,000 disequalities are asserted at once; visiting a class for each of them would take minutes.
#[test]
fn many_disequalities() {
    let terms: String = (0..400).map(|k| format!("(str.at x {k})")).collect::<Vec<_>>().join(" ");
    let text = format!("(declare-const x String)(assert (distinct {terms}))(check-sat)");
    assert_eq!(run(&text, settings(Strategy::Auto, 100)).verdict(), "unknown");
}

/// Repeated squares of a constant, and of a variable, are exponentially large.
#[test]
fn huge_products_are_not_built() {
    for start in ["7777777777", "x"] {
        let mut text = format!("(declare-const x Int)(declare-const y Int)(assert (let ((a0 {start})) ");
        (1..40).for_each(|i| text += &format!("(let ((a{i} (* a{0} a{0}))) ", i - 1));
        text += &format!("(= y a39){}))(assert (> x 1))(check-sat)", ")".repeat(39));
        let output = run(&text, settings(Strategy::Auto, 1_000));
        assert_eq!(output.verdict(), "unknown", "{start}");
    }
}
