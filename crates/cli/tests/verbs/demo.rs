//! `stringent demo`: with planted bugs, and with real programs.

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

/// The program in a new folder, with an empty home.
fn demo(dir: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_stringent"));
    command.current_dir(dir).env("HOME", dir).env_remove("XDG_CACHE_HOME").env_remove("STRINGENT_CACHE");
    command.arg("demo").args(args).output().expect("stringent")
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {output:?}"))
}

/// The output up to the names of files, which have the time in them.
fn story(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stdout);
    text.split("The formula:").next().unwrap_or("").to_owned()
}

/// It fits on a screen of 80 columns and 40 lines.
fn assert_fits(text: &str) {
    assert!(text.lines().count() <= 40, "{} lines: {text}", text.lines().count());
    assert!(text.lines().all(|l| l.chars().count() <= 80), "{text}");
}

#[test]
fn planted_bugs_are_found_offline() {
    let dir = tempfile::tempdir().expect("a folder");
    let output = demo(dir.path(), &["--offline"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(text.contains("three planted bugs"), "{text}");
    assert!(text.contains("faulty answers unsat"), "{text}");
    assert!(text.contains("200 correct"), "the built-in solver has no wrong answer: {text}");
    assert!(text.ends_with("stringent test --solver mine='./mysolver {file}'\n"), "{text}");
    assert_fits(&text);
    assert_eq!(story(&output), story(&demo(dir.path(), &["--offline", "--store", "again.store"])));
}

#[test]
fn the_formula_and_its_model_agree() {
    let dir = tempfile::tempdir().expect("a folder");
    let output = demo(dir.path(), &["--offline", "--format", "json", "--store", "demo.store"]);
    let value = json(&output);
    assert_eq!(value["wrong"]["confirmed-by"][0], "evaluation", "{value}");
    let model = value["wrong"]["model"][0].as_str().expect("a model");
    let (name, text) = model.split_once(" = ").expect("a value");
    let mut check = Command::new(env!("CARGO_BIN_EXE_stringent"));
    std::fs::write(dir.path().join("answer"), format!("sat\n(({name} {text}))\n")).expect("a file");
    check.current_dir(dir.path()).args(["eval", "demo.smt2", "--model", "answer", "--semantics", "pre-2.6"]);
    let judged = check.output().expect("stringent");
    assert_eq!(judged.status.code(), Some(0), "{judged:?}");
}

/// A program that answers `unsat` to everything stands in for the old solver; the new one is z3, if the tests have it.
#[test]
fn other_solvers_can_be_named() {
    let dir = tempfile::tempdir().expect("a folder");
    let new = std::env::var("STRINGENT_Z3").map_or_else(|_| "builtin".into(), |z3| format!("z3={z3}"));
    let output = demo(dir.path(), &["--old", "old=/bin/echo unsat", "--new", &new, "--format", "json"]);
    let value = json(&output);
    assert_eq!(output.status.code(), Some(0), "{value}");
    assert_eq!(value["planted"], false);
    assert_eq!(value["solvers"][0]["wrong-answer"], 200, "{value}");
    assert_eq!(value["wrong"]["solver"], "old");
    // Two right solvers: nothing to show.
    let output = demo(dir.path(), &["--old", "builtin", "--new", "b=/bin/echo unknown", "--format", "json"]);
    assert_eq!(output.status.code(), Some(11), "{output:?}");
    assert!(json(&output)["wrong"].is_null());
    assert!(json(&output)["solvers"][1]["unknown-or-time-limit"] == 200, "{output:?}");
    // The wrong answer may be one of the other solver.
    let output = demo(dir.path(), &["--old", &new, "--new", "old=/bin/echo unsat", "--format", "json"]);
    assert_eq!((output.status.code(), &json(&output)["wrong"]["solver"]), (Some(0), &"old".into()));
    // Solvers that are there are used without a network, too.
    let both = ["--old", "old=/bin/echo unsat", "--new", "builtin"];
    let output = demo(dir.path(), &[&["--offline", "--format", "json"][..], &both].concat());
    assert_eq!(
        (&json(&output)["planted"], &json(&output)["wrong"]["solver"]),
        (&false.into(), &"old".into())
    );
    for named in [&["--old", "z3@99.9"][..], &["--offline", "--new", "z3@4.8.99"]] {
        let output = demo(dir.path(), named);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{output:?}");
    }
    let output = demo(dir.path(), &["--old", "nothing"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}

#[test]
fn without_python_the_bugs_are_planted() {
    let dir = tempfile::tempdir().expect("a folder");
    let mut command = Command::new(env!("CARGO_BIN_EXE_stringent"));
    command.current_dir(dir.path()).env("HOME", dir.path()).env("PATH", "/nowhere");
    command.env_remove("XDG_CACHE_HOME").env_remove("STRINGENT_CACHE");
    let output = command.args(["demo", "-q"]).output().expect("stringent");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(text.contains("could be fetched") && text.contains("planted bugs"), "{text}");
    assert_fits(&text);
}
