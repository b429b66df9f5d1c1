use super::*;
use crate::store::Campaign;
use std::time::Duration;

/// A store with one open instance and runs of solvers: name, program, answer, model, verdict, kind.
fn closed(
    source: &str,
    runs: &[(&str, &str, Answer, ModelCheck, Kind)],
) -> (Closed, Vec<(Verdict, Kind, String)>, Store, tempfile::TempDir) {
    let dir = tempfile::tempdir().expect("a directory");
    let mut store = Store::create(&dir.path().join("s"), &Campaign::default()).expect("a store");
    let instance = InstanceRow {
        id: 1,
        name: "i".into(),
        category: String::new(),
        operation: String::new(),
        status: Status::Open,
        source: source.into(),
    };
    store.add_instances(&[instance]).expect("added");
    let mut rows = Vec::new();
    for (name, program, answer, model, kind) in runs {
        let (id, name, program) = (0, (*name).to_owned(), (*program).to_owned());
        let row = SolverRow { id, name, program, version: String::new(), profile: String::new() };
        let solver = store.add_solver(&row).expect("added");
        rows.push(run(solver, *answer, *model, *kind));
    }
    store.add_runs(&rows, false).expect("added");
    let closed = close(&mut store).expect("closed");
    let after = store.runs(true).expect("runs");
    (closed, after.into_iter().map(|r| (r.verdict, r.kind, r.evidence)).collect(), store, dir)
}

fn run(solver: i64, answer: Answer, model: ModelCheck, kind: Kind) -> RunRow {
    let verdict = match kind {
        Kind::GoodModel => Verdict::Ok,
        Kind::BadModel => Verdict::InvalidModel,
        Kind::CrashAfterAnswer => Verdict::Error,
        _ => Verdict::Untold,
    };
    RunRow {
        instance: 1,
        solver,
        seed: 0,
        verdict,
        kind,
        answer,
        model,
        core: CoreCheck::Absent,
        ending: "exit 0".into(),
        wall: Duration::ZERO,
        cpu: Duration::ZERO,
        memory_kib: 0,
        batched: false,
        flaky: false,
        output: b"sat\n((x 1))".to_vec(),
        evidence: "before".into(),
        command: String::new(),
    }
}

const ONE: &str = "(declare-const x Int)(assert (> x 0))(check-sat)";
const SAT: Answer = Answer::Sat;
const UNSAT: Answer = Answer::Unsat;
const NONE: ModelCheck = ModelCheck::Absent;

#[test]
fn a_model_proves_and_refutes() {
    let (c, after, ..) = closed(
        ONE,
        &[
            ("a", "/x/a", SAT, ModelCheck::Holds, Kind::GoodModel),
            ("b", "/x/b", UNSAT, NONE, Kind::Open),
            ("c", "/x/c", SAT, ModelCheck::Untold, Kind::Open),
            ("d", "/x/d", SAT, NONE, Kind::Open),
            ("e", "/x/e", UNSAT, NONE, Kind::CrashAfterAnswer),
        ],
    );
    assert_eq!((c.open, c.proved, c.disputed, c.changed), (1, 1, 0, 3));
    assert_eq!((after[0].0, after[0].1), (Verdict::Ok, Kind::GoodModel));
    assert_eq!((after[1].0, after[1].1), (Verdict::WrongUnsat, Kind::WrongUnsat));
    assert!(
        after[1].2.contains("the model of a satisfies") && after[1].2.contains("((x 1))"),
        "{}",
        after[1].2
    );
    assert_eq!((after[2].0, after[2].1), (Verdict::Untold, Kind::ModelUntold));
    assert_eq!((after[3].0, after[3].1), (Verdict::Ok, Kind::RightSat));
    assert_eq!((after[4].0, after[4].1), (Verdict::Error, Kind::CrashAfterAnswer));
}

#[test]
fn agreement_needs_two_programs() {
    let (c, after, ..) = closed(
        ONE,
        &[("z3-1", "/1/z3", UNSAT, NONE, Kind::Open), ("z3-2", "/2/z3", UNSAT, NONE, Kind::Open)],
    );
    assert_eq!((c.agreed, c.changed), (0, 0));
    assert!(after.iter().all(|r| r.1 == Kind::Open && r.2 == "before"));
    let (c, after, ..) = closed(
        ONE,
        &[("z3", "/1/z3", UNSAT, NONE, Kind::Open), ("cvc5", "/2/cvc5", UNSAT, NONE, Kind::Open)],
    );
    assert_eq!((c.agreed, c.changed), (1, 2));
    assert!(after.iter().all(|r| r.0 == Verdict::Ok && r.2.contains("by agreement of cvc5, z3")));
}

#[test]
fn no_alarm_by_majority() {
    let (c, after, ..) = closed(
        ONE,
        &[
            ("a", "a", UNSAT, NONE, Kind::Open),
            ("b", "b", UNSAT, NONE, Kind::Open),
            ("c", "c", SAT, NONE, Kind::Open),
        ],
    );
    assert_eq!((c.disputed, c.agreed), (1, 0));
    assert!(after.iter().all(|r| (r.0, r.1) == (Verdict::Untold, Kind::Disagreement)));
    assert!(after[0].2.contains("sat: c; unsat: a, b"), "{}", after[0].2);
}

#[test]
fn a_bad_model_is_no_opinion() {
    let (c, after, ..) = closed(
        ONE,
        &[
            ("a", "a", UNSAT, NONE, Kind::Open),
            ("b", "b", UNSAT, NONE, Kind::Open),
            ("c", "c", SAT, ModelCheck::Fails, Kind::BadModel),
        ],
    );
    assert_eq!((c.disputed, c.agreed), (0, 1));
    assert_eq!((after[2].0, after[2].1), (Verdict::InvalidModel, Kind::BadModel));
}

#[test]
fn closing_again_with_more_runs_thinks_again() {
    let two = [("a", "a", UNSAT, NONE, Kind::Open), ("b", "b", UNSAT, NONE, Kind::Open)];
    let (_, _, mut store, _dir) = closed(ONE, &two);
    assert_eq!(close(&mut store).expect("closed").changed, 0);
    let row = SolverRow {
        id: 0,
        name: "c".into(),
        program: "c".into(),
        version: String::new(),
        profile: String::new(),
    };
    let c = store.add_solver(&row).expect("added");
    store.add_runs(&[run(c, SAT, ModelCheck::Holds, Kind::GoodModel)], false).expect("added");
    assert_eq!(close(&mut store).expect("closed").changed, 2);
    let wrong = store.runs(false).expect("runs").iter().filter(|r| r.kind == Kind::WrongUnsat).count();
    assert_eq!(wrong, 2);
}

#[test]
fn scripts_that_ask_twice_stay_as_judged() {
    let twice = "(assert true)(check-sat)(assert false)(check-sat)";
    let (c, after, ..) =
        closed(twice, &[("a", "a", UNSAT, NONE, Kind::Open), ("b", "b", UNSAT, NONE, Kind::Open)]);
    assert_eq!((c.open, c.changed), (1, 0));
    assert!(after.iter().all(|r| r.1 == Kind::Open));
}
