//! `stringent report --confirm` with the real solvers, and with fake solvers.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The program of a solver, from the environment. Without it there is nothing to test, and a test that tests
/// nothing must not pass.
fn solver(variable: &str) -> String {
    std::env::var(variable).ok().filter(|path| !path.is_empty()).unwrap_or_else(|| {
        panic!("{variable} is not set: run the tests with tools/test, which fetches the solvers and sets it")
    })
}

fn stringent(dir: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_stringent"))
        .current_dir(dir)
        .args(arguments)
        .output()
        .expect("stringent runs")
}

fn shown(output: &Output) -> String {
    let stdout = String::from_utf8_lossy(&output.stdout);
    format!("{stdout}\n{}\n{}", String::from_utf8_lossy(&output.stderr), output.status)
}

/// An empty directory for a test.
fn directory(test: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("confirm").join(test);
    // There is none if it did not run before.
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(&dir).expect("a directory");
    dir
}

/// A shell script that takes the part of a solver.
fn fake(dir: &Path, name: &str, script: &str) {
    use std::os::unix::fs::PermissionsExt as _;
    let path = dir.join(name);
    std::fs::write(&path, format!("#!/bin/sh\ncat > /dev/null\n{script}\n")).expect("written");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("executable");
}

/// A campaign in which `liar` is wrong about everything: a model, a `sat`, an `unsat` and a core.
fn campaign(dir: &Path) {
    let file = |name: &str, text: &str| std::fs::write(dir.join(name), text).expect("written");
    file(
        "model.smt2",
        "(set-logic QF_SLIA)(set-info :status sat)(set-info :stringent-model ((s \"ab\")))(declare-const s String)
         (assert (= (str.at s 1) \"b\"))(check-sat)",
    );
    file(
        "unsat.smt2",
        "(set-logic QF_SLIA)(set-info :status unsat)(set-info :stringent-core (n1 n2))
         (set-info :stringent-drop (n1 ((s \"\"))))(set-info :stringent-drop (n2 ((s \"xa\"))))
         (declare-const s String)(assert (! (= (str.indexof s \"a\" 0) 1) :named n1))
         (assert (! (= (str.len s) 0) :named n2))(check-sat)",
    );
    let says = |name: &str, text: &str| fake(dir, name, &format!("echo '{text}'"));
    says("sat", "sat\n((define-fun s () String \"\\u{e9}b \"))");
    says("bad", "sat\n((define-fun s () String \"ba\"))");
    says("unsat", "unsat\n(n2)");
    let output = stringent(
        dir,
        &[
            "run",
            "model.smt2",
            "unsat.smt2",
            "--store",
            "a.store",
            "--no-html",
            "--quiet",
            "--solver",
            "sat=./sat",
            "--solver",
            "bad=./bad",
            "--solver",
            "unsat=./unsat",
        ],
    );
    assert_eq!(output.status.code(), Some(10), "{}", shown(&output));
}

#[test]
fn z3_and_cvc5_confirm_wrong_results() {
    let dir = directory("real");
    campaign(&dir);
    let (z3, cvc5) =
        (format!("z3='{}'", solver("STRINGENT_Z3")), format!("cvc5='{}'", solver("STRINGENT_CVC5")));
    let arguments = ["report", "a.store", "--confirm", &z3, "--confirm", &cvc5, "--confirm-time-limit", "60"];
    let output = stringent(&dir, &[&arguments[..], &["--format", "json"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let runs = report["runs"].as_array().expect("a list");
    let found: Vec<String> = runs
        .iter()
        .map(|r| {
            assert_eq!(r["opinions"].as_array().map(Vec::len), Some(2));
            assert!(
                r["opinions"].as_array().expect("a list").iter().all(|o| o["outcome"] == "confirmed"),
                "{r}"
            );
            format!("{} {}", r["solver"].as_str().unwrap_or(""), r["kind"].as_str().unwrap_or(""))
        })
        .collect();
    let expected =
        ["bad invalid-model", "unsat wrong-unsat", "sat wrong-sat", "bad wrong-sat", "unsat unsound-core"];
    assert_eq!(found, expected);
}

#[test]
fn exit_codes_reflect_the_result() {
    let dir = directory("codes");
    campaign(&dir);
    fake(&dir, "contrary", "echo sat");
    fake(&dir, "silent", "true");
    let code = |spec: &str, more: &[&str]| {
        let output = stringent(&dir, &[&["report", "a.store", "--confirm", spec], more].concat());
        (output.status.code(), shown(&output))
    };
    let (found, text) = code("contrary=./contrary", &["--solver", "sat"]);
    assert_eq!(found, Some(10), "{text}");
    assert!(text.contains("CONTRADICTED  ") && text.contains("contrary: contradicted"), "{text}");
    let (found, text) = code("silent=./silent", &[]);
    assert_eq!(found, Some(11), "{text}");
    assert!(text.contains("silent: no answer"), "{text}");
    let (found, text) = code("contrary=./contrary", &["--solver", "unsat"]);
    assert_eq!(found, Some(0), "{text}");
    let (found, text) = code("contrary=./contrary", &["--html", "x.html"]);
    assert_eq!(found, Some(2), "{text}");
}
