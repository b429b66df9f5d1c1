//! `reproduce.sh`, run with solvers that fail and solvers that do not.

use crate::fixture::{bare, core, from_code, loop_bug};
use campaign::finding::{Finding, Stability};
use campaign::outcome::{Answer, Kind};
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;
use stringent_bugs::issue::{Context, bundle};

/// The exit code and output of `reproduce.sh` with a solver that does this.
fn run(f: &Finding, solver: &str) -> (Option<i32>, String) {
    let dir = tempfile::tempdir().expect("a folder");
    let bundle = dir.path().join("a bundle");
    bundle::write(f, &Context::default(), &bundle).expect("written");
    let program = dir.path().join("my solver");
    std::fs::write(&program, format!("#!/bin/sh\n{solver}\n")).expect("written");
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).expect("executable");
    let output = Command::new("sh").arg(bundle.join("reproduce.sh")).arg(&program).output().expect("sh");
    let text =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (output.status.code(), text)
}

#[track_caller]
fn expect(f: &Finding, solver: &str, code: i32) {
    let (found, text) = run(f, solver);
    assert_eq!(found, Some(code), "{solver}: {text}");
}

#[test]
fn answers() {
    let f = from_code();
    expect(&f, "[ \"$1\" = -in ] && grep -q from_code && echo unsat", 0);
    expect(&f, "cat > /dev/null; echo sat", 1);
    expect(&f, "exit 3", 1);
    let mut second = f;
    second.observed.check = 2;
    second.observed.stdout = "sat\nunsat\n".into();
    expect(&second, "cat > /dev/null; printf 'sat\\r\\nunsat\\r\\n'", 0);
    expect(&second, "cat > /dev/null; printf 'unsat\\nsat\\n'", 1);
}

#[test]
fn cores_and_models() {
    expect(&core(), "cat > /dev/null; echo unsat; echo '( B )'", 1);
    expect(&core(), "cat > /dev/null; echo unsat; echo; echo '  (B)'", 0);
    let mut quoted = core();
    quoted.observed.stdout = "unsat\nEND_OF_OUTPUT\n$(touch x) `y` '\n".into();
    expect(&quoted, "cat > /dev/null; printf '%s\\n' unsat END_OF_OUTPUT '$(touch x) `y` '\"'\"", 0);
}

#[test]
fn crashes_and_messages() {
    let mut f = bare("z3", Kind::Crash);
    f.observed.ending = "signal 11".into();
    f.observed.answer = Answer::None;
    expect(&f, "kill -SEGV $$", 0);
    expect(&f, "exit 1", 1);
    expect(&f, "echo sat; kill -SEGV $$", 1);
    let mut f = bare("z3", Kind::Message);
    f.observed.stdout = "\n(error \"it's a $bug\")\n".into();
    expect(&f, "echo '(error \"it'\"'\"'s a $bug\")'", 0);
    expect(&f, "echo '(error \"other\")'", 1);
}

#[test]
fn slow_solvers_are_ended() {
    let mut f = loop_bug(Kind::WallTime);
    f.observed.seconds = 0.5;
    expect(&f, "exec sleep 1000", 0);
    expect(&f, "echo sat", 1);
}

#[test]
fn a_flaky_failure_is_tried_again() {
    let mut f = from_code();
    f.stability = Some(Stability { runs: 10, failed: 3 });
    expect(
        &f,
        "n=$(cat \"$0.n\" 2> /dev/null); echo \"x$n\" > \"$0.n\"; [ \"$n\" = xxx ] && echo unsat || echo sat",
        0,
    );
    f.stability = None;
    expect(
        &f,
        "n=$(cat \"$0.n\" 2> /dev/null); echo \"x$n\" > \"$0.n\"; [ \"$n\" = xxx ] && echo unsat || echo sat",
        1,
    );
}

#[test]
fn a_solver_that_is_not_there() {
    let dir = tempfile::tempdir().expect("a folder");
    bundle::write(&from_code(), &Context::default(), dir.path()).expect("written");
    let output = Command::new("sh").arg(dir.path().join("reproduce.sh")).arg("./none").output().expect("sh");
    assert_eq!(output.status.code(), Some(2));
}
