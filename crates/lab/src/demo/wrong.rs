//! The wrong answer to show: `unsat` on a formula with a model.
//!
//! Conditions, so that nobody can dispute it: the model satisfies every assertion under each reading of the standard; the other
//! solver answers `sat` with a model that the referee accepts; both solvers repeat their answers in a new process. Of those, the
//! smallest formula that has a constant.

use super::LIMIT;
use crate::Host;
use campaign::case::Case;
use campaign::measure::{Meter, measure};
use campaign::outcome::{Answer, Kind};
use campaign::profile::Solver;
use campaign::store::{RunRow, Store};
use semantics::regex::RegexStore;
use semantics::{Config, Evaluator, Model, Reading, Satisfaction, explain};
use smt::Pool;
use smt::sexpr::{Quoting, Reader, Tree};

/// A wrong answer.
pub(super) struct Wrong {
    /// The name of the instance.
    pub(super) instance: String,
    /// The formula.
    pub(super) script: String,
    /// The values of its constants: `x = "aa"`.
    pub(super) model: Vec<String>,
    /// The evaluation of the assertions under the model.
    pub(super) evaluation: String,
    /// The solver with the wrong answer.
    pub(super) old: String,
    /// The solver with the right one.
    pub(super) new: String,
}

/// Lines of the evaluation of an assertion.
const LINES: usize = 6;

/// The wrong answer of `old` to show, if there is one that `new` does not give.
pub(super) fn find(
    store: &Store,
    (old, new): (&Solver, &Solver),
    runs: &[RunRow],
    host: &Host<'_>,
) -> anyhow::Result<Option<Wrong>> {
    let solvers = store.solvers()?;
    let id = |solver: &Solver| solvers.iter().find(|row| row.name == solver.name).map(|row| row.id);
    let (old_id, new_id) = (id(old), id(new));
    let has = |instance, solver, kind| {
        runs.iter().any(|r| r.instance == instance && Some(r.solver) == solver && r.kind == kind && !r.flaky)
    };
    let mut rows = store.instances(true)?;
    rows.retain(|i| has(i.id, old_id, Kind::WrongUnsat) && has(i.id, new_id, Kind::ValidModel));
    let cases: Result<Vec<Case>, _> = rows.iter().map(Case::read).collect();
    let mut cases: Vec<(Case, String)> =
        cases?.into_iter().zip(rows.iter().map(|row| script(&row.source))).collect();
    cases.sort_by_key(|(case, script)| (case.declared().next().is_none(), script.len(), case.name.clone()));
    for (case, script) in cases {
        let again = |solver, answer| repeats(&case, solver, answer, host);
        if let Some((model, evaluation)) = evaluated(&case)
            && again(old, Answer::Unsat)
            && again(new, Answer::Sat)
        {
            let (old, new) = (old.name.clone(), new.name.clone());
            return Ok(Some(Wrong { instance: case.name, script, model, evaluation, old, new }));
        }
    }
    Ok(None)
}

/// The script without its attributes.
fn script(source: &[u8]) -> String {
    let text = String::from_utf8_lossy(source);
    let mut lines: Vec<&str> = text.lines().filter(|l| !l.starts_with("(set-info")).collect();
    if lines.iter().any(|l| l.starts_with("(declare")) {
        lines.push("(get-model)");
    }
    lines.iter().map(|l| format!("{l}\n")).collect()
}

/// A new process answers the same.
fn repeats(case: &Case, solver: &Solver, answer: Answer, host: &Host<'_>) -> bool {
    let Ok(folder) = tempfile::tempdir() else { return false };
    let meter = Meter { limit: LIMIT, wall: true, memory: None, statistic: None, seed: 0 };
    measure(case, solver, &meter, &folder.path().join("script.smt2"), host.cancel)
        .is_some_and(|measured| measured.answer == answer)
}

/// The model and the evaluation under it; none if the formula is not satisfied under some reading of the standard.
fn evaluated(case: &Case) -> Option<(Vec<String>, String)> {
    let mut pool = case.pool.clone();
    let model = case.certificate.model(&mut pool)?;
    let holds = |reading| {
        let mut e = evaluator(&pool, &model, reading);
        case.check(0).assertions.iter().all(|(_, t)| e.truth(*t) == Satisfaction::Holds)
    };
    if ![Reading::Standard, Reading::Pre26].into_iter().all(holds) {
        return None;
    }
    let mut e = evaluator(&pool, &model, Reading::Standard);
    let evaluation = case.check(0).assertions.iter().map(|(_, t)| explain::text(&mut e, *t, LINES)).collect();
    Some((values(&case.attribute(":stringent-model")?), evaluation))
}

fn evaluator<'p>(pool: &'p Pool, model: &'p Model, reading: Reading) -> Evaluator<'p> {
    Evaluator::with(pool, model, Config { reading, ..Config::default() }, RegexStore::new())
}

/// `((x "aa") (n 2))` as `x = "aa"`, `n = 2`.
fn values(model: &str) -> Vec<String> {
    let mut tree = Tree::default();
    Reader::new(model.as_bytes(), Quoting::Doubled).read(&mut tree);
    let text = |i: u32| &model[tree.node(i).span.start as usize..tree.node(i).span.end as usize];
    let pair = |i: u32| {
        let parts: Vec<&str> = tree.children(i).map(text).collect();
        parts.join(" = ")
    };
    tree.children(0).map(pair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(assertion: &str, model: &str) -> Case {
        let text = format!(
            "(set-info :status sat)\n(set-info :stringent-model \"{}\")\n(declare-const x String)\n\
             (assert {assertion})\n(check-sat)\n",
            model.replace('"', "\"\"")
        );
        Case::from_text("case", text.as_bytes()).unwrap()
    }

    #[test]
    fn a_model_must_hold_under_every_reading() {
        let (model, evaluation) =
            evaluated(&case("(= (str.replace_all \"aba\" \"a\" x) \"aabaa\")", "((x \"aa\"))")).unwrap();
        assert_eq!(model, ["x = \"aa\""]);
        assert!(evaluation.contains("(str.replace_all \"aba\" \"a\" x)  →  \"aabaa\""), "{evaluation}");
        // True in SMT-LIB 2.6 only.
        assert!(evaluated(&case("(= (str.replace \"a\" \"\" x) \"ba\")", "((x \"b\"))")).is_none());
        assert!(evaluated(&case("(= x \"b\")", "((x \"a\"))")).is_none());
    }

    #[test]
    fn the_script_has_no_attributes() {
        let text = b"(set-logic QF_S)\n(set-info :status sat)\n(declare-const x Int)\n(assert (> x 0))\n(check-sat)\n";
        assert_eq!(
            script(text),
            "(set-logic QF_S)\n(declare-const x Int)\n(assert (> x 0))\n(check-sat)\n(get-model)\n"
        );
        assert_eq!(script(b"(assert true)\n(check-sat)\n"), "(assert true)\n(check-sat)\n");
    }
}
