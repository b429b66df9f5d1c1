//! Small problems with known answers, among them bugs of other solvers, under every strategy and with the audit on:
//! no wrong answer, no false inference, and answers that auto must find.

mod common;

use common::{STRATEGIES, run, settings};
use smt::sexpr::{Reader, Tree};
use stringent_solver::options::Strategy;

const TICKS: u64 = 10_000;

const HEADER: &str = "
(declare-const x String) (declare-const y String) (declare-const z String) (declare-const w String)
(declare-const i Int) (declare-const j Int) (declare-const k Int)
(declare-const p Bool) (declare-const q Bool)
(declare-fun f (String) Int) (declare-fun g (Int) String) (declare-fun h (Int Int) Int) (declare-fun r (String) Bool)
(define-fun twice ((s String) (t String)) Bool (= (str.++ s s) t))
";

struct Problem {
    answer: &'static str,
    /// Whether auto must find the answer.
    due: bool,
    formulas: Vec<&'static str>,
}

impl Problem {
    fn read(line: &'static str) -> Problem {
        let (answer, rest) = line.split_once(' ').expect("an answer and formulas");
        let due = !answer.ends_with('?');
        let answer = answer.trim_end_matches('?');
        assert!(matches!(answer, "sat" | "unsat"), "{line}");
        Problem { answer, due, formulas: formulas(rest) }
    }

    fn script(&self) -> String {
        let mut text = HEADER.to_owned();
        for formula in &self.formulas {
            text += &format!("(assert {formula})\n");
        }
        text + "(check-sat)\n"
    }

    fn opposite(&self) -> &'static str {
        if self.answer == "sat" { "unsat" } else { "sat" }
    }
}

/// The s-expressions in a line.
fn formulas(text: &'static str) -> Vec<&'static str> {
    let mut reader = Reader::new(text.as_bytes(), smt::Dialect::Smt26.quoting());
    let mut tree = Tree::default();
    let mut out = Vec::new();
    while reader.read(&mut tree) {
        let span = tree.node(0).span;
        out.push(&text[span.start as usize..span.end as usize]);
    }
    out
}

fn problems() -> Vec<Problem> {
    [include_str!("small.txt"), include_str!("regressions.txt")]
        .into_iter()
        .flat_map(str::lines)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(Problem::read)
        .collect()
}

fn all_under(strategy: Strategy) {
    let problems = problems();
    assert!(problems.len() > 200);
    let mut trouble = Vec::new();
    let mut solved = 0;
    for problem in &problems {
        let mut settings = settings(strategy, TICKS);
        settings.options.audit = true;
        let output = run(&problem.script(), settings);
        let what = problem.formulas.join(" ");
        if let Some(failure) = output.audit_failure() {
            trouble.push(format!("audit: {what}\n    {failure}"));
        } else if output.verdict() == problem.opposite() {
            trouble.push(format!("WRONG {}: {what}", output.verdict()));
        } else if output.verdict() == problem.answer {
            solved += 1;
        } else if problem.due && strategy == Strategy::Auto {
            trouble.push(format!("not solved: {what}\n    {:?}", output.outcomes.last().map(|o| &o.answer)));
        }
    }
    assert!(trouble.is_empty(), "{strategy:?}:\n{}", trouble.join("\n"));
    // The weakest strategy solves most of them, too.
    assert!(solved * 10 > problems.len() * 7, "{strategy:?}: only {solved} of {}", problems.len());
}

#[test]
fn base() {
    all_under(STRATEGIES[0]);
}

#[test]
fn s() {
    all_under(STRATEGIES[1]);
}

#[test]
fn f() {
    all_under(STRATEGIES[2]);
}

#[test]
fn fs() {
    all_under(STRATEGIES[3]);
}

#[test]
fn auto() {
    all_under(STRATEGIES[4]);
}

#[test]
fn auto_with_cores_and_other_seeds() {
    for (n, problem) in problems().iter().enumerate() {
        let mut settings = settings(Strategy::Auto, TICKS);
        settings.cores = true;
        settings.options.seed = n as u64 + 1;
        let output = run(&problem.script(), settings);
        assert_ne!(output.verdict(), problem.opposite(), "{}", problem.formulas.join(" "));
    }
}
