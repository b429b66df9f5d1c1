//! `stringent selftest` with the real solvers, and with fake solvers.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

/// The program of a solver, from the environment. Without it there is nothing to test, and a test that tests
/// nothing must not pass.
fn solver(variable: &str) -> String {
    std::env::var(variable).ok().filter(|path| !path.is_empty()).unwrap_or_else(|| {
        panic!("{variable} is not set: run the tests with tools/test, which fetches the solvers and sets it")
    })
}

fn selftest(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_stringent"))
        .arg("selftest")
        .args(arguments)
        .output()
        .expect("stringent runs")
}

fn json(output: &Output) -> serde_json::Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {}", text(output)))
}

fn text(output: &Output) -> String {
    let stdout = String::from_utf8_lossy(&output.stdout);
    let stderr = String::from_utf8_lossy(&output.stderr);
    format!("{stdout}\n{stderr}\n{}", output.status)
}

/// An empty directory for a test.
fn directory(test: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("selftest").join(test);
    // There is none if it did not run before.
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(&dir).expect("a directory");
    dir
}

/// A shell script in place of a solver, as an argument for `--solver`.
fn fake(dir: &Path, name: &str, script: &str) -> String {
    use std::os::unix::fs::PermissionsExt as _;
    let path: PathBuf = dir.join(name);
    std::fs::write(&path, format!("#!/bin/sh\n{script}")).expect("written");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("executable");
    format!("{name}='{}'", path.display())
}

/// A profile for such a script, which one process can use for many queries.
fn batched(dir: &Path, name: &str, script: &str) -> String {
    fake(dir, name, script);
    let (profile, program) = (dir.join(format!("{name}.toml")), dir.join(name));
    let text = format!("name = '{name}'\nprogram = '{}'\nbatch = 'reset'\n", program.display());
    std::fs::write(&profile, text).expect("written");
    profile.display().to_string()
}

/// A script that runs `answer` at each check-sat, and echoes.
fn parrot(answer: &str) -> String {
    format!(
        "while IFS= read -r line; do\n  case $line in\n    '(check-sat)') {answer} ;;\n    \
         '(echo '*) line=${{line#*\\\"}}; echo \"${{line%\\\"*}}\" ;;\n  esac\ndone\n"
    )
}

#[test]
fn z3_and_cvc5_agree_with_the_evaluator() {
    let (z3, cvc5) = (solver("STRINGENT_Z3"), solver("STRINGENT_CVC5"));
    let output = selftest(&["--count", "100", "--format", "json"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    let report = json(&output);
    assert_eq!(report["solvers"][0]["command"][0], z3.as_str());
    assert_eq!(report["solvers"][1]["command"][0], cvc5.as_str());
    let names = [0, 1].map(|i| report["solvers"][i]["name"].as_str().expect("a name").to_owned());
    assert!(names[0].starts_with("z3-") && names[1].starts_with("cvc5-"), "{names:?}");
    let operators = report["operators"].as_array().expect("a list");
    // All operators, and literals.
    assert!(operators.len() >= 68, "{}", operators.len());
    for operator in operators {
        let count = |name: &str, what: &str| operator["solvers"][name][what].as_u64().unwrap_or(0);
        let agree = count(&names[0], "agree") + count(&names[1], "agree");
        assert!(agree >= 80, "hardly anybody agrees: {operator}");
        for name in &names {
            assert_eq!(count(name, "new"), 0, "{operator}");
            assert_eq!(count(name, "asked") + count(name, "not_applicable"), 100, "{operator}");
        }
    }
    assert_eq!(report["disagreements"].as_array().map(Vec::len), Some(0));
}

#[test]
fn a_bug_in_a_solver_is_found_and_reduced() {
    let z3 = solver("STRINGENT_Z3");
    let dir = &directory("wrong");
    let cases = dir.join("cases");
    let swap = format!("sed -u 's/str\\.prefixof/str.suffixof/g' | '{z3}' -in\n");
    let wrong = fake(dir, "wrong", &swap);
    let cases_arg = cases.display().to_string();
    let output = selftest(&[
        "--solver",
        &wrong,
        "--operator",
        "str.prefixof",
        "--operator",
        "str.at",
        "--count",
        "200",
        "--format",
        "json",
        "--cases",
        &cases_arg,
    ]);
    assert_eq!(output.status.code(), Some(10), "{}", text(&output));
    let report = json(&output);
    let found = report["disagreements"].as_array().expect("a list");
    assert!(!found.is_empty());
    let shortest = found.iter().filter_map(|f| f["minimal"].as_str()).map(str::len).min();
    assert!(shortest.is_some_and(|n| n < 40), "not reduced: {found:?}");
    assert!(found.iter().all(|f| f["minimal"].as_str().is_some_and(|t| t.contains("str.prefixof"))));
    let case = std::fs::read_dir(&cases).expect("cases").next().expect("one").expect("readable");
    let script = std::fs::read_to_string(case.path()).expect("readable");
    for part in ["--seed 0", "; ours: ", "; theirs: ", "(check-sat)", env!("CARGO_PKG_VERSION"), "wrong"] {
        assert!(script.contains(part), "no {part} in:\n{script}");
    }
    let checked = Command::new(env!("CARGO_BIN_EXE_stringent"))
        .arg("check")
        .arg(case.path())
        .output()
        .expect("stringent runs");
    assert!(checked.status.success(), "{}", text(&checked));
}

#[test]
fn a_solver_that_always_answers_sat_disagrees_with_everything() {
    let dir = &directory("liar");
    let liar = fake(dir, "liar", &parrot("echo sat"));
    let output = selftest(&["--solver", &liar, "--operator", "str.len", "--count", "5", "--format", "json"]);
    assert_eq!(output.status.code(), Some(10), "{}", text(&output));
    let tally = &json(&output)["operators"][0]["solvers"]["liar"];
    assert_eq!((&tally["asked"], &tally["new"]), (&5.into(), &5.into()), "{tally}");
}

#[test]
fn a_solver_that_always_answers_unsat_is_rejected() {
    let dir = &directory("flatterer");
    let flatterer = fake(dir, "flatterer", &parrot("echo unsat"));
    let output = selftest(&["--solver", &flatterer, "--operator", "str.len", "--count", "5"]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output));
}

#[test]
fn a_solver_that_crashes_at_start_is_reported() {
    let dir = &directory("dead");
    let dead = fake(dir, "dead", "exit 1\n");
    let missing = format!("missing={}", dir.join("nothing").display());
    for solver in [dead, missing] {
        let output = selftest(&["--solver", &solver, "--operator", "str.len", "--count", "5"]);
        assert_eq!(output.status.code(), Some(2), "{}", text(&output));
        assert!(text(&output).contains("error"), "{}", text(&output));
    }
}

#[test]
fn a_solver_that_crashes_or_hangs_later_is_not_waited_for() {
    let dir = &directory("later");
    // Correct except for this operator.
    let script = |then: &str| {
        let start = "while IFS= read -r line; do\n  case $line in\n    *.rev*\\\"*) ";
        let rest = "    '(check-sat)') echo sat ;;\n    '(echo '*) line=${line#*\\\"}; echo \"${line%\\\"*}\" ;;\n  esac\ndone\n";
        format!("{start}{then} ;;\n{rest}")
    };
    let start = Instant::now();
    for (name, then) in [("dies", "exit 1"), ("hangs", "exec sleep 1000")] {
        let solver = fake(dir, name, &script(then));
        let output =
            selftest(&["--solver", &solver, "--operator", "str.rev", "--count", "3", "--format", "json"]);
        let report = json(&output);
        let tally = &report["operators"][0]["solvers"][name];
        // Detected before the comparison, so that nothing is sent.
        assert_eq!((&tally["asked"], &tally["not_applicable"]), (&0.into(), &3.into()), "{}", text(&output));
        assert!(report["solvers"][0]["missing"]["str.rev"].is_string(), "{}", text(&output));
    }
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
}

#[test]
fn a_solver_that_crashes_on_large_queries_gets_single_ones() {
    let dir = &directory("frail");
    let script =
        parrot("echo sat").replacen("case $line in\n", "case $line in\n    *'(not (and'*) exit 1 ;;\n", 1);
    let frail = fake(dir, "frail", &script);
    let output = selftest(&["--solver", &frail, "--operator", "str.len", "--count", "4", "--format", "json"]);
    assert_eq!(output.status.code(), Some(10), "{}", text(&output));
    let tally = &json(&output)["operators"][0]["solvers"]["frail"];
    assert_eq!((&tally["asked"], &tally["new"]), (&4.into(), &4.into()), "{tally}");
}

#[test]
fn a_solver_that_never_decides_neither_agrees_nor_disagrees() {
    let dir = &directory("shy");
    // Sure of `(= 1 2)` and of the simple questions, of nothing else.
    let count = "n=$((n + 1)); if [ $n -lt 200 ]; then echo sat; else echo unknown; fi";
    let shy = batched(dir, "shy", &format!("n=0\n{}", parrot(count)));
    let arguments =
        ["--solver", &shy, "--operator", "str.len", "--count", "500", "--jobs", "1", "--format", "json"];
    let output = selftest(&arguments);
    let tally = &json(&output)["operators"][0]["solvers"]["shy"];
    assert!(output.status.code().is_some_and(|code| code == 10 || code == 11), "{}", text(&output));
    assert!(tally["undecided"].as_u64().is_some_and(|n| n > 0), "{tally}");
    assert_eq!(tally["agree"], 0, "{tally}");
}

#[test]
fn bad_usage_is_refused() {
    for arguments in [
        &["--operator", "str.nothing"][..],
        &["--solver", "z3@"][..],
        &["--solver", "z3="][..],
        &["--depth", "0"][..],
    ] {
        let output = selftest(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", text(&output));
    }
}
