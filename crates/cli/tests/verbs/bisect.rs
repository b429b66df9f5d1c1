//! `stringent bisect` on a family of scripts that pose as versions of a solver.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Output};

const SAT: &str = "(set-info :status sat)\n(set-info :stringent-model \"((x \"\"a\"\"))\")\n\
                   (declare-const x String)\n(assert (= x \"a\"))\n(check-sat)\n";

/// Version `1.N` prints the N-th answer.
fn family(dir: &Path, answers: &[&str]) {
    let profile = "name = \"fake\"\nprogram = \"fake\"\nmodel = \"none\"\n";
    std::fs::write(dir.join("fake.toml"), profile).expect("a profile");
    std::fs::write(dir.join("a.smt2"), SAT).expect("a script");
    for (i, answer) in answers.iter().enumerate() {
        let program = dir.join(format!("cache/fake-1.{i}/bin/fake"));
        std::fs::create_dir_all(program.parent().expect("a folder")).expect("a folder");
        std::fs::write(&program, format!("#!/bin/sh\ncat > /dev/null\necho {answer}\n")).expect("a program");
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).expect("a program");
    }
}

fn bisect(dir: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_stringent"));
    command.arg("bisect").args(args).arg("--offline").current_dir(dir);
    command.env("STRINGENT_CACHE", dir.join("cache")).output().expect("it starts")
}

fn text(output: &Output) -> (Option<i32>, String) {
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn the_verdict_comes_first_and_exit_codes_follow_the_newest_version() {
    let dir = tempfile::tempdir().expect("a folder");
    family(dir.path(), &["sat", "sat", "unsat", "unsat"]);
    let (code, out) = text(&bisect(dir.path(), &["a.smt2", "--solver", "./fake.toml@1.3"]));
    let first = "a.smt2: first bad 1.2, last good 1.1; newest 1.3 fails (4 of 4 versions run)\n";
    assert!(code == Some(10) && out.starts_with(first), "{code:?} {out}");
    let (code, _) = text(&bisect(dir.path(), &["a.smt2", "--solver", "./fake.toml", "--versions", "..1.1"]));
    assert_eq!(code, Some(0));
    family(dir.path(), &["sat", "sat", "unsat", "unknown"]);
    let (code, out) = text(&bisect(dir.path(), &["a.smt2", "--solver", "./fake.toml", "--format", "json"]));
    assert_eq!(code, Some(11));
    assert!(out.contains("\"first_bad\": \"1.2\""), "{out}");
}

#[test]
fn bad_input_is_named() {
    let dir = tempfile::tempdir().expect("a folder");
    family(dir.path(), &["sat"]);
    std::fs::write(dir.path().join("bad.smt2"), "(assert (= x))").expect("a file");
    std::fs::write(dir.path().join("bad.json"), "{}").expect("a file");
    let cases: [(&[&str], &str); 5] = [
        (&["a.smt2"], "name the solver"),
        (&["a.smt2", "--solver", "mine=./prog"], "has no versions"),
        (&["bad.smt2", "--solver", "./fake.toml"], "is not a script"),
        (&["bad.json", "--solver", "./fake.toml"], "is not a bug.json"),
        (&["a.smt2", "--solver", "./fake.toml", "--only", "9.9"], "fake 9.9 is not installed"),
    ];
    for (args, message) in cases {
        let output = bisect(dir.path(), args);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && errors.contains(message), "{args:?}: {errors}");
    }
}
