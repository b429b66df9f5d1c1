use super::*;
use crate::store::Campaign;
use crate::store::InstanceRow;
use std::time::Duration;

/// A store with one open instance and runs of solvers: name, program, answer, model, verdict, kind.
fn closed(source: &str, runs: &[(&str, &str, Answer, ModelCheck, Kind)]) -> Result4 {
    closed_with(Status::Unknown, source, runs)
}

type Result4 = (Closed, Vec<(Verdict, Kind, String)>, Store, tempfile::TempDir);

fn closed_with(status: Status, source: &str, runs: &[(&str, &str, Answer, ModelCheck, Kind)]) -> Result4 {
    let dir = tempfile::tempdir().expect("a directory");
    let mut store = Store::create(&dir.path().join("s"), &Campaign::default()).expect("a store");
    let instance = InstanceRow {
        id: 1,
        name: "i".into(),
        category: String::new(),
        operation: String::new(),
        status,
        source: source.into(),
    };
    store.add_instances(&[instance]).expect("added");
    let mut rows = Vec::new();
    for (name, program, answer, model, kind) in runs {
        let (id, name, program) = (0, (*name).to_owned(), (*program).to_owned());
        let profile = "name = 'p'\nabout = ''\nprogram = 'p'".to_owned();
        let row = SolverRow { id, name, program, version: String::new(), profile };
        let solver = store.add_solver(&row).expect("added");
        rows.push(run(solver, *answer, *model, *kind));
    }
    store.add_runs(&rows, false).expect("added");
    let closed = close(&mut store).expect("closed");
    let after = store.runs(true).expect("runs");
    (closed, after.into_iter().map(|r| (r.verdict(), r.kind, r.evidence)).collect(), store, dir)
}

fn run(solver: i64, answer: Answer, model: ModelCheck, kind: Kind) -> RunRow {
    RunRow {
        instance: 1,
        solver,
        seed: 0,
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
            ("a", "/x/a", SAT, ModelCheck::Holds, Kind::ValidModel),
            ("b", "/x/b", UNSAT, NONE, Kind::Unlabelled),
            ("c", "/x/c", SAT, ModelCheck::Undetermined, Kind::Unlabelled),
            ("d", "/x/d", SAT, NONE, Kind::Unlabelled),
            ("e", "/x/e", UNSAT, NONE, Kind::CrashAfterAnswer),
        ],
    );
    assert_eq!((c.looked, c.proved, c.disputed, c.changed), (1, 1, 0, 3));
    assert_eq!((after[0].0, after[0].1), (Verdict::Ok, Kind::ValidModel));
    assert_eq!((after[1].0, after[1].1), (Verdict::WrongUnsat, Kind::WrongUnsat));
    assert!(
        after[1].2.contains("the model of a satisfies") && after[1].2.contains("((x 1))"),
        "{}",
        after[1].2
    );
    assert_eq!((after[2].0, after[2].1), (Verdict::Undetermined, Kind::ModelUndetermined));
    assert_eq!((after[3].0, after[3].1), (Verdict::Ok, Kind::CorrectSat));
    assert_eq!((after[4].0, after[4].1), (Verdict::Error, Kind::CrashAfterAnswer));
}

#[test]
fn agreement_needs_two_programs() {
    let (c, after, ..) = closed(
        ONE,
        &[("z3-1", "/1/z3", UNSAT, NONE, Kind::Unlabelled), ("z3-2", "/2/z3", UNSAT, NONE, Kind::Unlabelled)],
    );
    assert_eq!((c.agreed, c.changed), (0, 0));
    assert!(after.iter().all(|r| r.1 == Kind::Unlabelled && r.2 == "before"));
    let (c, after, ..) = closed(
        ONE,
        &[("z3", "/1/z3", UNSAT, NONE, Kind::Unlabelled), ("cvc5", "/2/cvc5", UNSAT, NONE, Kind::Unlabelled)],
    );
    assert_eq!((c.agreed, c.changed), (1, 2));
    assert!(after.iter().all(|r| r.0 == Verdict::Ok && r.2.contains("by agreement of cvc5 and z3")));
}

#[test]
fn no_alarm_by_majority() {
    let (c, after, ..) = closed(
        ONE,
        &[
            ("a", "a", UNSAT, NONE, Kind::Unlabelled),
            ("b", "b", UNSAT, NONE, Kind::Unlabelled),
            ("c", "c", SAT, NONE, Kind::Unlabelled),
        ],
    );
    assert_eq!((c.disputed, c.agreed), (1, 0));
    assert!(after.iter().all(|r| (r.0, r.1) == (Verdict::Undetermined, Kind::Disagreement)));
    assert!(after[0].2.contains("sat: c; unsat: a and b"), "{}", after[0].2);
}

#[test]
fn an_invalid_model_gives_no_opinion() {
    let (c, after, ..) = closed(
        ONE,
        &[
            ("a", "a", UNSAT, NONE, Kind::Unlabelled),
            ("b", "b", UNSAT, NONE, Kind::Unlabelled),
            ("c", "c", SAT, ModelCheck::Fails, Kind::InvalidModel),
        ],
    );
    assert_eq!((c.disputed, c.agreed), (0, 1));
    assert_eq!((after[2].0, after[2].1), (Verdict::InvalidModel, Kind::InvalidModel));
}

#[test]
fn closing_again_takes_new_runs_into_account() {
    let two = [("a", "a", UNSAT, NONE, Kind::Unlabelled), ("b", "b", UNSAT, NONE, Kind::Unlabelled)];
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
    store.add_runs(&[run(c, SAT, ModelCheck::Holds, Kind::ValidModel)], false).expect("added");
    assert_eq!(close(&mut store).expect("closed").changed, 2);
    let wrong = store.runs(false).expect("runs").iter().filter(|r| r.kind == Kind::WrongUnsat).count();
    assert_eq!(wrong, 2);
}

#[test]
fn a_file_that_every_program_contradicts_may_be_wrong() {
    let wrong = |name| (name, name, UNSAT, NONE, Kind::WrongUnsat);
    let (c, after, ..) = closed_with(Status::Sat, ONE, &[wrong("a"), wrong("b")]);
    assert_eq!((c.disputed, c.changed), (1, 2));
    assert_eq!((after[0].0, after[0].1), (Verdict::Undetermined, Kind::Disagreement));
    assert_eq!(after[0].2, "the file states sat, and a and b contradict it");
    // One program alone against the file, or one that agrees with the file: the status of the file counts.
    let (c, after, ..) = closed_with(Status::Sat, ONE, &[wrong("a")]);
    assert_eq!((c.changed, after[0].1), (0, Kind::WrongUnsat));
    let agrees = ("c", "c", SAT, NONE, Kind::CorrectSat);
    let (c, after, ..) = closed_with(Status::Sat, ONE, &[wrong("a"), wrong("b"), agrees]);
    assert_eq!((c.changed, after[0].1), (0, Kind::WrongUnsat));
    // A certificate is more than a word.
    let certified = format!("(set-info :stringent-model ((x 1))){ONE}");
    let (c, ..) = closed_with(Status::Sat, &certified, &[wrong("a"), wrong("b")]);
    assert_eq!((c.looked, c.changed), (0, 0));
}

#[test]
fn a_model_proves_a_file_wrong() {
    let (c, after, ..) = closed_with(
        Status::Unsat,
        ONE,
        &[
            ("a", "a", SAT, ModelCheck::Holds, Kind::ValidModel),
            ("b", "b", UNSAT, NONE, Kind::CorrectUnsat),
            ("c", "c", SAT, ModelCheck::Fails, Kind::WrongSat),
        ],
    );
    assert_eq!((c.proved, c.changed), (1, 2));
    assert_eq!((after[1].0, after[1].1), (Verdict::WrongUnsat, Kind::WrongUnsat));
    assert_eq!((after[2].0, after[2].1), (Verdict::InvalidModel, Kind::InvalidModel));
    assert!(after[2].2.contains("before"), "{}", after[2].2);
}

/// A store with one script with several checks, and the outputs of solvers for it.
fn closed_outputs(source: &str, outputs: &[(&str, &str, Kind)]) -> (Closed, Vec<RunRow>) {
    let runs: Vec<_> = outputs.iter().map(|(name, _, kind)| (*name, *name, UNSAT, NONE, *kind)).collect();
    let (_, _, mut store, _dir) = closed("(assert true)", &runs);
    let mut rows = store.runs(true).expect("runs");
    let instance = InstanceRow {
        id: 2,
        name: "several".into(),
        category: String::new(),
        operation: String::new(),
        status: Status::Unknown,
        source: source.into(),
    };
    store.add_instances(&[instance]).expect("added");
    for (row, (_, output, kind)) in rows.iter_mut().zip(outputs) {
        (row.instance, row.output, row.kind) = (2, output.as_bytes().to_vec(), *kind);
    }
    store.add_runs(&rows, false).expect("added");
    let closed = close(&mut store).expect("closed");
    (closed, store.runs(true).expect("runs").into_iter().filter(|r| r.instance == 2).collect())
}

const TWICE: &str = "(declare-const x Int)(assert (> x 0))(check-sat)(assert (< x 0))(check-sat)";

#[test]
fn scripts_with_two_checks_are_closed_by_check() {
    let good = "sat\n((x 1))\nunsat\n(error \"no model\")\n";
    let (c, after) = closed_outputs(TWICE, &[("a", good, Kind::Unlabelled), ("b", good, Kind::Unlabelled)]);
    assert_eq!((c.proved, c.agreed), (1, 2), "the single check, and the second check of the other");
    assert!(after.iter().all(|r| r.kind == Kind::CorrectUnsat), "{after:?}");
    assert!(
        after[0].evidence.starts_with("check-sat 2 of 2: unsat by agreement of a and b"),
        "{}",
        after[0].evidence
    );
}

#[test]
fn one_wrong_answer_of_two() {
    let (good, bad) = ("sat\n((x 1))\nunsat\n", "unsat\nunsat\n");
    let (_, after) = closed_outputs(TWICE, &[("a", good, Kind::Unlabelled), ("b", bad, Kind::Unlabelled)]);
    assert_eq!(after[1].kind, Kind::WrongUnsat);
    assert!(after[1].evidence.starts_with("check-sat 1 of 2: the model of a"), "{}", after[1].evidence);
    // An earlier failure stays.
    let (_, after) = closed_outputs(TWICE, &[("a", good, Kind::WrongSat), ("b", good, Kind::Unlabelled)]);
    assert_eq!(after[0].kind, Kind::WrongSat);
}
