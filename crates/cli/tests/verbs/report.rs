//! `stringent report` on generated stores: output files and exit codes.

use campaign::outcome::{Answer, CoreCheck, Kind, ModelCheck, Status};
use campaign::store::{Campaign, InstanceRow, RunRow, SolverRow, Store};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

const TEXT: &str = "(set-info :status sat)\n(declare-const s String)\n(assert (= s \"a\"))\n(check-sat)\n";

/// A finished store of one run.
fn store(dir: &Path, name: &str, solver: &str, kind: Kind) -> PathBuf {
    let path = dir.join(name);
    let mut store = Store::create(&path, &Campaign::default()).expect("a store");
    let profile = "name = \"x\"\nabout = \"\"\nprogram = \"x\"\n".to_owned();
    let solver = SolverRow { id: 0, name: solver.into(), program: "x".into(), version: "1".into(), profile };
    let solver = store.add_solver(&solver).expect("a solver");
    let instance = InstanceRow {
        id: 1,
        name: "t/one".into(),
        category: "term".into(),
        operation: "str.at".into(),
        status: Status::Sat,
        source: TEXT.into(),
    };
    store.add_instances(&[instance]).expect("an instance");
    let run = RunRow {
        instance: 1,
        solver,
        seed: 0,
        kind,
        answer: Answer::Sat,
        model: ModelCheck::Absent,
        core: CoreCheck::Absent,
        ending: "exit 0".into(),
        wall: Duration::from_millis(3),
        cpu: Duration::ZERO,
        memory_kib: 0,
        batched: false,
        flaky: false,
        output: b"sat\n".to_vec(),
        evidence: "why".into(),
        command: "x".into(),
    };
    store.add_runs(&[run], false).expect("a run");
    store.set_finished("then").expect("it writes");
    path
}

fn report(dir: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_stringent"));
    command.arg("report").args(args).current_dir(dir).output().expect("it starts")
}

fn code(dir: &Path, args: &[&str]) -> Option<i32> {
    report(dir, args).status.code()
}

#[test]
fn exit_codes() {
    let dir = tempfile::tempdir().expect("a directory");
    let dir = dir.path();
    store(dir, "ok.store", "z3-1", Kind::ValidModel);
    store(dir, "bad.store", "z3-2", Kind::InvalidModel);
    store(dir, "undetermined.store", "z3-1", Kind::ModelUndetermined);
    assert_eq!(code(dir, &["ok.store"]), Some(0));
    assert_eq!(code(dir, &["bad.store"]), Some(10));
    assert_eq!(code(dir, &["undetermined.store"]), Some(11));
    assert_eq!(code(dir, &["bad.store", "--against", "ok.store"]), Some(10));
    assert_eq!(code(dir, &["ok.store", "--against", "bad.store"]), Some(0));
    assert_eq!(code(dir, &["ok.store", "--against", "bad.store", "--map", "a=b"]), Some(2));
    assert_eq!(code(dir, &["none.store"]), Some(2));
    assert_eq!(code(dir, &["ok.store", "--solver", "cvc5"]), Some(2));
    assert_eq!(code(dir, &["ok.store", "--show", "nothing"]), Some(2));
    let missing = report(dir, &["none.store"]);
    assert_eq!(String::from_utf8_lossy(&missing.stderr), "error: there is no store `none.store`\n");
    assert!(!dir.join("none.store").exists(), "reporting makes no store");
}

#[test]
fn reports_go_to_the_given_files() {
    let dir = tempfile::tempdir().expect("a directory");
    let dir = dir.path();
    store(dir, "x.store", "z3-1", Kind::InvalidModel);
    let all = report(dir, &["x.store", "--html", "x.html", "--junit", "x.xml", "--csv", "-"]);
    let out = String::from_utf8_lossy(&all.stdout);
    assert_eq!(out.lines().count(), 2, "only the CSV: {out}");
    let page = std::fs::read_to_string(dir.join("x.html")).expect("a page");
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>"));
    let xml = std::fs::read_to_string(dir.join("x.xml")).expect("a document");
    assert!(xml.contains("<failure message=\"IM invalid-model (known sat, answered sat)\""));
    let json = report(dir, &["x.store", "--format", "json"]).stdout;
    let json: serde_json::Value = serde_json::from_slice(&json).expect("a document");
    assert_eq!(json["failures"][0]["instance"], "t/one");
    let line = report(dir, &["x.store", "--runs"]).stdout;
    let run: serde_json::Value = serde_json::from_slice(&line).expect("one object");
    assert_eq!(run["verdict"], "IM");
}

#[test]
fn one_instance() {
    let dir = tempfile::tempdir().expect("a directory");
    let dir = dir.path();
    store(dir, "x.store", "z3-1", Kind::InvalidModel);
    let shown = report(dir, &["x.store", "--show", "t/one"]);
    assert_eq!(shown.status.code(), Some(0));
    assert!(
        String::from_utf8_lossy(&shown.stdout).contains("verdict   IM invalid-model: `sat`, but its model")
    );
    let script = report(dir, &["x.store", "--extract", "t/one", "--solver", "z3-1"]);
    let text = String::from_utf8_lossy(&script.stdout);
    assert!(text.contains("(assert (= s \"a\"))") && text.contains("(get-model)"), "{text}");
    let shown = report(dir, &["x.store", "--show", "t/one", "--format", "json"]);
    let value: serde_json::Value = serde_json::from_slice(&shown.stdout).expect("JSON");
    assert_eq!((&value["runs"][0]["verdict"], &value["runs"][0]["evidence"]), (&"IM".into(), &"why".into()));
    assert_eq!(code(dir, &["x.store", "--extract", "t/one", "--format", "json"]), Some(2));
    let similar = report(dir, &["x.store", "--show", "one"]);
    assert!(String::from_utf8_lossy(&similar.stderr).contains("did you mean `t/one`?"));
}
