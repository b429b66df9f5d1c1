//! Formulas that solvers got wrong, with their certificates (`regress/known-wrong`).

use campaign::outcome::{Kind, Status, Verdict};
use campaign::store::{InstanceRow, RunRow, Store};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

fn files() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../regress/known-wrong")
}

/// The program of a solver, from the environment. Without it there is nothing to test, and a test that tests
/// nothing must not pass.
fn solver(variable: &str) -> String {
    std::env::var(variable).ok().filter(|path| !path.is_empty()).unwrap_or_else(|| {
        panic!("{variable} is not set: run the tests with tools/test, which fetches the solvers and sets it")
    })
}

/// Runs solvers on all files; the runs with their instances.
fn runs(test: &str, solvers: &[String], options: &[&str]) -> Vec<(InstanceRow, RunRow)> {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("known-wrong");
    std::fs::create_dir_all(&dir).expect("a directory");
    let store = dir.join(format!("{test}.store"));
    for suffix in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(format!("{}{suffix}", store.display()));
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_stringent"));
    command.arg("run").arg(files()).args(["--quiet", "--no-html", "--store"]).arg(&store).args(options);
    for solver in solvers {
        command.args(["--solver", solver]);
    }
    let output = command.output().expect("stringent runs");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(matches!(output.status.code(), Some(0 | 10 | 11)), "{stderr}");
    let store = Store::open_read_only(&store).expect("a store");
    let runs = store.runs(true).expect("runs");
    runs.into_iter()
        .map(|r| (store.instance(r.instance).expect("a store").expect("an instance"), r))
        .collect()
}

fn fake(name: &str, script: &str) -> String {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("known-wrong");
    std::fs::create_dir_all(&dir).expect("a directory");
    let path = dir.join(name);
    std::fs::write(&path, format!("#!/bin/sh\ncat > /dev/null\n{script}\n")).expect("written");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("executable");
    format!("{name}={}", path.display())
}

/// Wrong results of current solvers: part of the name of the formula, the number of the solver, the verdict.
const STILL_WRONG: [(&str, i64, Verdict); 6] = [
    ("from-code-ite", 1, Verdict::WrongUnsat),
    ("opt-core", 1, Verdict::InvalidCore),
    ("len-core", 1, Verdict::InvalidCore),
    ("equal-length-core", 1, Verdict::InvalidCore),
    ("substr-core", 1, Verdict::InvalidCore),
    ("opt-equal-core", 1, Verdict::InvalidCore),
];

#[test]
fn current_solvers_are_correct_on_the_other_formulas() {
    let (z3, cvc5) = (solver("STRINGENT_Z3"), solver("STRINGENT_CVC5"));
    let solvers = [format!("z3='{z3}'"), format!("cvc5='{cvc5}'"), "builtin".to_owned()];
    let runs = runs("current", &solvers, &["--time-limit", "5", "--cpu-limit", "1"]);
    assert_eq!(runs.len(), 81);
    for (instance, run) in runs {
        let name = &instance.name;
        let known =
            |&(n, s, v): &(&str, i64, Verdict)| name.contains(n) && run.solver == s && run.verdict() == v;
        let fair = matches!(run.verdict(), Verdict::Ok | Verdict::Timeout | Verdict::Unknown);
        assert!(
            fair || STILL_WRONG.iter().any(known),
            "{name}: {} {} {} {}",
            run.solver,
            run.verdict(),
            run.kind,
            run.evidence
        );
    }
}

/// Their certificates refute a solver that always answers unsat with an empty core, and one that always answers sat.
#[test]
fn certificates_state_answers() {
    let solvers = [fake("never", "echo unsat; echo '()'"), fake("always", "echo sat")];
    for (instance, run) in runs("certificates", &solvers, &[]) {
        let expected = match (instance.status, run.solver) {
            (Status::Sat, 1) => Kind::WrongUnsat,
            (Status::Sat, _) if instance.name.ends_with("replace-all-ground") => Kind::ValidModel,
            (Status::Sat, _) => Kind::ModelUndetermined,
            (_, 1) => Kind::UnsoundCore,
            (_, _) => Kind::WrongSat,
        };
        assert_eq!(run.kind, expected, "{}: {}", instance.name, run.evidence);
    }
}
