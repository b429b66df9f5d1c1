//! `stringent report --against`: what is claimed about times.

use serde_json::Value;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const FILE: &str = "(set-info :status sat)\n(declare-const s String)\n(assert (= s \"a\"))\n(check-sat)\n";

fn directory(test: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("against").join(test);
    // There is none if it did not run before.
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(&dir).expect("a directory");
    std::fs::write(dir.join("x.smt2"), FILE).expect("written");
    dir
}

/// A solver that does this in python, then answers.
fn solver(dir: &Path, name: &str, work: &str) -> String {
    let path = dir.join(name);
    let text = format!(
        "#!/usr/bin/env -S python3 -S\nimport sys, time\nsys.stdin.read()\n{work}\nprint('sat')\n\
         print('((define-fun s () String \"a\"))')\n"
    );
    std::fs::write(&path, text).expect("written");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("executable");
    format!("mine={}", path.display())
}

fn busy(millis: u32) -> String {
    format!("while time.process_time() < {millis} / 1000: pass")
}

#[track_caller]
fn stringent(dir: &Path, args: &[&str], code: i32) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_stringent"));
    let output = command.current_dir(dir).args(args).stdin(Stdio::null()).output().expect("stringent runs");
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{stdout}\n{stderr}");
    stdout
}

fn campaign(dir: &Path, store: &str, solver: &str) {
    stringent(dir, &["run", "x.smt2", "--quiet", "--no-html", "--solver", solver, "--store", store], 0);
}

fn json(dir: &Path, more: &[&str]) -> Value {
    let args = [&["report", "new", "--against", "old", "--format", "json"], more].concat();
    serde_json::from_str(&stringent(dir, &args, 0)).expect("JSON")
}

#[test]
fn a_slowdown_is_claimed_with_its_interval() {
    let dir = directory("slower");
    campaign(&dir, "old", &solver(&dir, "quick", &busy(60)));
    campaign(&dir, "new", &solver(&dir, "slow", &busy(600)));
    let shown = stringent(&dir, &["report", "new", "--against", "old"], 0);
    assert!(shown.contains("1 slower, 0 faster;") && shown.contains(", 97 %)"), "{shown}");
    let found = json(&dir, &[]);
    let rerun = &found["slower"][0]["rerun"];
    assert_eq!((&rerun["confirmed"], &rerun["pairs"]), (&true.into(), &6.into()), "{found}");
    assert!(rerun["low"].as_f64() > Some(1.0) && rerun["low"].as_f64() <= rerun["high"].as_f64(), "{rerun}");
    let unasked = json(&dir, &["--no-rerun"]);
    assert_eq!(
        (&unasked["slower"], &unasked["unconfirmed"][0]["rerun"]["reason"]),
        (&Value::Array(vec![]), &"not-rerun".into())
    );
    let page = stringent(&dir, &["report", "new", "--against", "old", "--no-rerun", "--html", "-"], 0);
    assert!(page.contains("by recorded times, not confirmed: 1"), "{page}");
}

#[test]
fn time_without_computing_is_not_a_slowdown() {
    let dir = directory("sleeps");
    campaign(&dir, "old", &solver(&dir, "quick", "pass"));
    campaign(&dir, "new", &solver(&dir, "sleepy", "time.sleep(0.5)"));
    let found = json(&dir, &[]);
    assert_eq!(found["slower"], Value::Array(vec![]), "{found}");
}

#[test]
fn a_program_that_was_replaced_is_not_run() {
    let dir = directory("replaced");
    campaign(&dir, "old", &solver(&dir, "mine", &busy(60)));
    campaign(&dir, "new", &solver(&dir, "mine", &busy(600)));
    let shown = stringent(&dir, &["report", "new", "--against", "old"], 0);
    assert!(shown.contains("0 slower, 0 faster, 1 not confirmed"), "{shown}");
    assert!(shown.contains("not confirmed: mine of old cannot be run: `"), "{shown}");
    assert!(shown.contains("is another build now"), "{shown}");
}
