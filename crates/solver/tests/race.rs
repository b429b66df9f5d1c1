//! Two strategies on two threads: the answers and counters of one run are those of every run. Explanations of answers.

mod common;

use common::{run_into, settings};
use smt::work::Stop;
use stringent_solver::engine::Outcome;
use stringent_solver::options::Strategy;
use stringent_solver::session::{Host, Settings};

const HEADER: &str = "(declare-const x String)(declare-const y String)(declare-const i Int)";

const PROBLEMS: &[(&str, &str)] = &[
    ("sat", "(assert (= (str.++ x \"b\" y) \"aabab\"))(assert (> (str.len x) 2))"),
    ("unsat", "(assert (= (str.++ x \"a\") (str.++ \"b\" x)))"),
    ("unsat", "(assert (str.contains x \"ab\"))(assert (= (str.replace x \"b\" \"c\") x))"),
    ("sat", "(assert (= (str.indexof x y 1) i))(assert (> i 3))(assert (= (str.len y) 2))"),
];

fn racing() -> Settings {
    let mut settings = settings(Strategy::Auto, 100_000);
    settings.options.threads = 2;
    settings
}

#[test]
fn a_race_ends_the_same_way_every_time() {
    for (answer, text) in PROBLEMS {
        let script = format!("{HEADER}{text}(check-sat)");
        let outcome = || {
            let mut output = common::Output::default();
            run_into(&script, racing(), &mut output);
            assert_eq!(output.verdict(), *answer, "{text}");
            output.outcomes.remove(0).statistics
        };
        assert_eq!(outcome(), outcome(), "{text}");
    }
}

/// Records explanations.
#[derive(Default)]
struct Explained(Vec<Vec<String>>);

impl Host for Explained {
    fn respond(&mut self, _text: &str) -> bool {
        true
    }

    fn start(&mut self, _limit: Option<u64>) -> Stop {
        std::rc::Rc::new(|| false)
    }

    fn explain(&mut self, lines: &[String]) {
        self.0.push(lines.to_vec());
    }

    fn done(&mut self, _verdict: &str, _outcome: &Outcome) {}
}

#[test]
fn answers_are_explained() {
    let text = format!(
        "{HEADER}(push 1)(assert (= x \"ab\"))(assert (= y (str.++ x \"c\")))(check-sat)(pop 1)
         (assert (= (str.len y) 7))(assert (= (str.++ x \"a\") (str.++ \"b\" x)))(check-sat)"
    );
    let mut pool = smt::Pool::new();
    let settings = Settings { explain: true, ..settings(Strategy::Auto, 100_000) };
    let mut session = stringent_solver::session::Session::new(&mut pool, smt::Dialect::Smt26, settings);
    let mut host = Explained::default();
    session.run(text.as_bytes(), smt::Dialect::Smt26, smt::diag::Position { line: 1, column: 1 }, &mut host);
    let [sat, unsat] = &host.0[..] else { panic!("two explanations") };
    assert!(sat.iter().any(|l| l.contains("y = \"abc\"")), "{sat:?}");
    assert!(unsat[0].starts_with("1 of 2 assertions"), "{unsat:?}");
    assert!(unsat.iter().any(|l| l.contains("(str.++ x \"a\")")), "{unsat:?}");
}
