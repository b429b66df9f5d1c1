//! Generators and suites as sources of campaigns: with fake solvers, and with real ones.

use campaign::outcome::{Status, Verdict};
use campaign::store::Store;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The program of a solver, from the environment. Without it there is nothing to test, and a test that tests
/// nothing must not pass.
fn solver(variable: &str) -> String {
    std::env::var(variable).ok().filter(|path| !path.is_empty()).unwrap_or_else(|| {
        panic!("{variable} is not set: run the tests with tools/test, which fetches the solvers and sets it")
    })
}

/// An empty directory for a test.
fn directory(test: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("generators").join(test);
    // There is none if it did not run before.
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(&dir).expect("a directory");
    dir
}

/// A solver that reads everything and then prints this.
fn fake(dir: &Path, output: &str) -> String {
    let path = dir.join("fake");
    std::fs::write(&path, format!("#!/bin/sh\ncat > /dev/null\necho {output}\n")).expect("written");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("executable");
    format!("fake={}", path.display())
}

fn stringent(dir: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_stringent"));
    command.current_dir(dir).args(args).stdin(Stdio::null()).output().expect("stringent runs")
}

#[track_caller]
fn expect(output: &Output, code: i32) -> String {
    let stdout = String::from_utf8_lossy(&output.stdout);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{stdout}\n{stderr}");
    stderr.into_owned()
}

#[test]
fn a_suite_is_plotted() {
    let dir = directory("suite");
    let unsat = fake(&dir, "unsat");
    let args = ["test", "--suite", "different-prefix", "--suite", "concats-balanced", "--solver", &unsat];
    let rest =
        ["--limit", "16", "--no-confirm", "--unnamed", "--quiet", "--store", "s", "--html", "page.html"];
    expect(&stringent(&dir, &[&args[..], &rest].concat()), 10);
    let store = Store::open_read_only(&dir.join("s")).expect("a store");
    let instances = store.instances(false).expect("instances");
    assert_eq!(instances.len(), 16);
    let wrong = |status| if status == Status::Sat { Verdict::WrongUnsat } else { Verdict::Ok };
    for (i, run) in instances.iter().zip(store.runs(false).expect("runs")) {
        assert_eq!(run.verdict(), wrong(i.status), "{}", i.name);
        assert!(!run.batched);
    }
    let page = std::fs::read_to_string(dir.join("page.html")).expect("a page");
    for text in
        ["different-prefix: time against terms", "concats-balanced: time against depth", "solves none"]
    {
        assert!(page.contains(text), "{text}");
    }
}

#[test]
fn a_generator_is_a_source() {
    let dir = directory("source");
    let sat = fake(&dir, "sat");
    let run = |generator: &str, more: &[&str]| {
        let args = ["test", "--gen", generator, "--quiet", "--no-html", "--no-confirm", "--solver", &sat];
        stringent(&dir, &[&args[..], more].concat())
    };
    let overlaps = "overlaps --length-of-consts 1 --num-vars 1";
    expect(&run(overlaps, &["--count", "25", "--seed", "9", "--store", "s"]), 10);
    let store = Store::open_read_only(&dir.join("s")).expect("a store");
    let names: Vec<String> = store.instances(false).expect("instances").into_iter().map(|i| i.name).collect();
    assert_eq!(names.len(), 25);
    assert_eq!((names[0].as_str(), names[24].as_str()), ("overlaps/000009", "overlaps/000033"));
    assert!(expect(&run("overlap", &[]), 2).contains("Did you mean `overlaps`?"));
    assert!(expect(&run("random-text", &[]), 2).contains("generates no scripts"));
    expect(&run("overlaps", &["--preset", "icse20"]), 2);
    expect(&run("overlaps", &["--suite", "generated"]), 2);
}

/// Solvers accept the output of generators, and agree with its stated answers.
#[test]
fn z3_and_cvc5_agree() {
    let dir = directory("real");
    let (z3, cvc5) = (format!("z3={}", solver("STRINGENT_Z3")), format!("cvc5={}", solver("STRINGENT_CVC5")));
    let shapes = [
        "concats --depth 3 --depth-type semantic --extract 2 --extract-max 2 --solution solution",
        "lengths --num-concats 2 --random-relations",
        "overlaps --length-of-consts 1",
        "equality --add-infixes --prefix-len 1 --random-lengths",
        "regex --depth 2 --num-regexes 2 --membership-type alternating --coincide --literal-type increasing",
        "random-ast --meaningful --satisfiable",
        "clever",
    ];
    for (i, shape) in shapes.iter().enumerate() {
        let store = format!("s{i}");
        let args = [
            "test",
            "--gen",
            shape,
            "--count",
            "12",
            "--time-limit",
            "5",
            "--solver",
            &z3,
            "--solver",
            &cvc5,
        ];
        let rest = ["--quiet", "--no-html", "--no-confirm", "--no-second-opinion", "--store", &store];
        let output = stringent(&dir, &[&args[..], &rest].concat());
        assert_ne!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
        let store = Store::open_read_only(&dir.join(&store)).expect("a store");
        let runs = store.runs(true).expect("runs");
        assert_eq!(runs.len(), 24, "{shape}");
        let bad = [Verdict::Error, Verdict::WrongSat, Verdict::WrongUnsat];
        for run in &runs {
            assert!(!bad.contains(&run.verdict()), "{shape}: {} {}", run.kind, run.evidence);
        }
        assert!(runs.iter().any(|r| r.verdict() == Verdict::Ok), "{shape}: nothing was solved");
    }
}
