//! `stringent hunt` on the built-in solver, with and without planted bugs.

use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

const PROGRAM: &str = env!("CARGO_BIN_EXE_stringent");

fn command(dir: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(PROGRAM);
    command.args(args).current_dir(dir);
    command
}

fn stringent(dir: &Path, args: &[&str]) -> Output {
    command(dir, args).output().expect("stringent")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

/// A profile of the built-in solver that is wrong on `str.to_code` of `str.at` of `str.from_int`.
fn planted(dir: &Path) -> String {
    let file = dir.join("planted.toml");
    fs::write(&file, "name = \"planted\"\nbase = \"builtin\"\nadd-args = [\"--planted\", \"8\"]\n")
        .expect("a profile");
    file.display().to_string()
}

/// The result of a hunt with formulas in which the planted bug is frequent.
fn hunt(dir: &Path, more: &[&str]) -> Value {
    let solver = planted(dir);
    let mut args = vec!["hunt", "--solver", &solver, "--source", "model-first", "--format", "json"];
    for weight in ["str.to_code=200", "str.at=100", "str.from_int=100"] {
        args.extend(["--weight", weight]);
    }
    args.extend(["--time-limit", "20", "--no-html", "--quiet"]);
    args.extend(more);
    let out = stringent(dir, &args);
    assert_eq!(out.status.code(), Some(10), "{}{}", text(&out.stdout), text(&out.stderr));
    serde_json::from_slice(&out.stdout).expect("JSON")
}

fn list<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value[key].as_array().map(Vec::as_slice).unwrap_or_default()
}

#[test]
fn a_planted_bug_is_found_reduced_and_grouped() {
    let dir = folder();
    let found = hunt(dir.path(), &["--instances", "4000", "--stop-after", "1", "--store", "s"]);
    let [finding] = list(&found, "findings") else { panic!("one finding: {found:#}") };
    assert_eq!(finding["kind"], "wrong-unsat");
    assert_eq!(finding["reduced"]["assertions"], 1);
    assert!(finding["reduced"]["bytes"].as_u64() < Some(100), "{}", finding["reduced"]["script"]);
    let script = finding["reduced"]["script"].as_str().unwrap_or_default();
    assert!(script.contains("(str.to_code (str.at (str.from_int "), "{script}");
    assert!(list(&found, "wrong-labels").is_empty());

    // The store is one like others.
    let out = stringent(dir.path(), &["show", "--bug", "1", "--store", "s"]);
    assert!(text(&out.stdout).contains("Wrong unsat"), "{}{}", text(&out.stdout), text(&out.stderr));
}

#[test]
fn a_hunt_does_not_depend_on_the_number_of_threads_and_can_be_resumed() {
    let dir = folder();
    let facts = |found: &Value| {
        let scripts: Vec<String> =
            list(found, "findings").iter().map(|f| f["reduced"]["script"].to_string()).collect();
        (found["instances"].clone(), found["verdicts"].clone(), found["operator-pairs"].clone(), scripts)
    };
    let one = hunt(dir.path(), &["--instances", "1600", "--jobs", "1", "--store", "one"]);
    let four = hunt(dir.path(), &["--instances", "1600", "--jobs", "4", "--store", "four"]);
    assert_eq!(facts(&one), facts(&four));

    hunt(dir.path(), &["--instances", "800", "--store", "half"]);
    let args = [
        "hunt",
        "--resume",
        "--store",
        "half",
        "--instances",
        "800",
        "--format",
        "json",
        "--quiet",
        "--no-html",
    ];
    let out = stringent(dir.path(), &args);
    let both: Value = serde_json::from_slice(&out.stdout).expect("JSON");
    assert_eq!(both["instances"], one["instances"]);
    assert_eq!(both["operator-pairs"], one["operator-pairs"]);
    assert_eq!(both["verdicts"], one["verdicts"]);
}

#[test]
fn a_hunt_that_is_killed_can_be_resumed() {
    let dir = folder();
    let args = ["hunt", "--source", "stars", "--unit", "10", "--store", "s", "--quiet"];
    let mut child =
        command(dir.path(), &args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("stringent");
    let show = ["report", "s", "--format", "json"];
    let start = Instant::now();
    // Exit code 2: there is no campaign in the store yet.
    while stringent(dir.path(), &show).status.code() == Some(2) && start.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(50));
    }
    std::thread::sleep(Duration::from_millis(500));
    child.kill().expect("killed");
    child.wait().expect("ended");
    let args = ["hunt", "--resume", "--store", "s", "--instances", "200", "--format", "json", "--quiet"];
    let out = stringent(dir.path(), &args);
    assert_eq!(out.status.code(), Some(0), "{}{}", text(&out.stdout), text(&out.stderr));
    let found: Value = serde_json::from_slice(&out.stdout).expect("JSON");
    assert!(found["instances"].as_u64() >= Some(200), "{found:#}");
    assert_eq!(found["stopped"], false);
}

/// A process that is killed, or finds the disk full, may have recorded failures of a round, and not the state after it.
#[test]
fn a_round_that_was_not_finished_is_repeated() {
    let dir = folder();
    let open = || campaign::store::Store::open(&dir.path().join("s")).expect("a store");
    hunt(dir.path(), &["--instances", "800", "--store", "s"]);
    let before = open().hunt_state().expect("read").expect("a state");
    let failures = || open().run_count().expect("read");
    let resume = || {
        let args =
            ["--resume", "--store", "s", "--instances", "800", "--format", "json", "--quiet", "--no-html"];
        let out = stringent(dir.path(), &[&["hunt"], &args[..]].concat());
        assert_eq!(out.status.code(), Some(10), "{}", text(&out.stderr));
        let found: Value = serde_json::from_slice(&out.stdout).expect("JSON");
        (found["instances"].clone(), list(&found, "findings").len())
    };
    let first = failures();
    let once = resume();
    let all = failures();
    assert!(all > first, "the second part has failures");
    open().set_hunt_state(&before).expect("written");
    assert_eq!(resume(), once);
    assert_eq!(failures(), all);
}

#[test]
fn instances_are_written_as_files_the_same_each_time() {
    let dir = folder();
    let write = |to: &str| {
        let out = stringent(dir.path(), &["hunt", "--write", to, "--instances", "5", "--seed", "3"]);
        assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    };
    write("a");
    write("b");
    let mut files = 0;
    for source in fs::read_dir(dir.path().join("a")).expect("a folder") {
        let source = source.expect("a source").path();
        for file in fs::read_dir(&source).expect("files") {
            let file = file.expect("a file").path();
            let other = dir.path().join("b").join(file.strip_prefix(dir.path().join("a")).expect("inside"));
            assert_eq!(fs::read(&file).expect("read"), fs::read(&other).expect("read"), "{}", file.display());
            let out = stringent(dir.path(), &["check", &file.display().to_string()]);
            assert_eq!(out.status.code(), Some(0), "{}{}", file.display(), text(&out.stdout));
            files += 1;
        }
    }
    assert!(files > 50, "{files}");
}

#[test]
fn mistakes_are_reported_before_anything_runs() {
    let dir = folder();
    fs::write(dir.path().join("wrong.smt2"), "(define-rule r :vars ((x String)) :lhs (str.len x) :rhs 1)")
        .expect("a file");
    for (args, message) in [
        (&["--source", "moddel-first"][..], "model-first"),
        (&["--source", "mutate"], "--corpus"),
        (&["--weight", "str.foo=1"], "str.foo"),
        (&["--weight", "str.at=-1"], "whole number"),
        (&["--options", "nosuch", "--solver", "builtin"], "nosuch"),
        (&["--corpus", "absent"], "absent"),
        (&["--rules", "wrong.smt2"], "does not hold"),
        (&["--time", "soon"], "soon"),
        (&["--solver", "nosuchsolver"], "nosuchsolver"),
        (&["--resume", "--store", "absent.store"], "absent.store"),
    ] {
        let out = stringent(dir.path(), &[&["hunt"], args].concat());
        assert_eq!(out.status.code(), Some(2), "{args:?}: {}{}", text(&out.stdout), text(&out.stderr));
        assert!(text(&out.stderr).contains(message), "{args:?}: {}", text(&out.stderr));
    }
    assert!(!dir.path().join("stringent-results").exists());
}
