//! Work is counted, not timed: a limit is reached at the same point each time, and the same seed gives the same trace.

mod common;

use common::{Heard, STRATEGIES, run, settings};
use solver::options::Strategy;

/// Nine words, pairwise different, of eight.
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

fn traced(text: &str, strategy: Strategy, seed: u64, ticks: u64) -> Heard {
    let mut settings = settings(strategy, ticks);
    settings.options.trace = true;
    settings.options.seed = seed;
    run(text, settings)
}

#[test]
fn a_limit_of_ticks_ends_the_check() {
    for ticks in [0, 1, 10, 100, 1_000] {
        let heard = run(&pigeons(), settings(Strategy::Auto, ticks));
        assert_eq!(heard.verdict(), "unknown", "{ticks} ticks");
        assert_eq!(heard.responses[1], "(:reason-unknown resourceout)", "{ticks} ticks");
    }
}

#[test]
fn more_ticks_may_say_more_but_nothing_else() {
    let mut known: Option<String> = None;
    for ticks in [1, 10, 100, 1_000, 3_000, 10_000, 100_000] {
        let heard = run(HARDER, settings(Strategy::Auto, ticks));
        let verdict = heard.verdict().to_owned();
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
fn a_limit_set_by_a_command_is_one_for_each_check() {
    let text = format!(
        "(set-option :reproducible-resource-limit 50){}(check-sat)(get-info :reason-unknown)",
        pigeons()
    );
    let mut given = settings(Strategy::Auto, 1);
    given.options.ticks = None;
    let heard = run(&text, given);
    assert_eq!(heard.verdicts, ["unknown", "unknown"]);
    let spent =
        |n: usize| heard.outcomes[n].statistics.iter().find(|(name, _)| *name == "ticks").map(|s| s.1);
    assert_eq!(spent(0), spent(1));
}

/// Words that double and double again are not made: 2^64 characters, 2^40, and 10^9.
#[test]
fn constants_do_not_grow_past_all_bounds() {
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
        let heard = run(&text, settings(Strategy::Auto, 1_000));
        assert_eq!(heard.verdict(), "unknown", "{}", &text[..80]);
    }
}

/// Eighty thousand disequalities are all told in one go; reading a class again for each of them would take minutes.
#[test]
fn many_disequalities() {
    let terms: String = (0..400).map(|k| format!("(str.at x {k})")).collect::<Vec<_>>().join(" ");
    let text = format!("(declare-const x String)(assert (distinct {terms}))(check-sat)");
    assert_eq!(run(&text, settings(Strategy::Auto, 100)).verdict(), "unknown");
}
