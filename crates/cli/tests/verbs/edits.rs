//! `stringent edits` on the built-in solver, and with fake solvers.

use campaign::outcome::{Status, Verdict};
use campaign::store::Store;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// An empty directory for a test.
fn directory(test: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("edits").join(test);
    // There is none if it did not run before.
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(&dir).expect("a directory");
    dir
}

/// A solver that reads everything and then does this.
fn fake(dir: &Path, script: &str) -> String {
    let path = dir.join("fake");
    std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).expect("written");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("executable");
    format!("fake={}", path.display())
}

fn stringent(dir: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_stringent"));
    command.current_dir(dir).arg("edits").args(args).stdin(Stdio::null()).output().expect("stringent runs")
}

#[track_caller]
fn expect(output: &Output, code: i32) -> (String, String) {
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{stdout}\n{stderr}");
    (stdout, stderr)
}

#[test]
fn search_on_the_built_in_solver() {
    let dir = directory("search");
    let search = ["search", "--count", "60", "--length", "0..2", "--seed", "3", "--quiet", "--store", "s"];
    let (stdout, _) = expect(&stringent(&dir, &search), 0);
    for text in
        ["Solved share by distance", "sat distance 01", "unsat distance 02", "Limits: 30.0 s", "100.0 %"]
    {
        assert!(stdout.contains(text), "{text}\n{stdout}");
    }
    let store = Store::open_read_only(&dir.join("s")).expect("a store");
    let instances = store.instances(true).expect("instances");
    assert_eq!(instances.len(), 60);
    for i in &instances {
        assert_eq!(i.category, i.status.code());
        assert!(i.operation.starts_with("distance 0"), "{}", i.operation);
    }
    for status in [Status::Sat, Status::Unsat] {
        assert!(instances.iter().filter(|i| i.status == status).count() > 10);
    }
    assert!(store.runs(false).expect("runs").iter().all(|r| r.verdict() == Verdict::Ok && r.batched));
    let page = std::fs::read_to_string(dir.join("s.html")).expect("a page");
    assert!(page.contains("sat: time against distance"));
    // The command that a formula states generates it.
    let source = String::from_utf8(instances[7].source.clone()).expect("text");
    assert!(source.contains(": gen edits --length 0..2 --seed 10\")"), "{source}");
    let (again, _) = expect(&stringent(&dir, &["log", "--length", "0..2", "--seed", "10"]), 0);
    assert_eq!(again, source);
}

#[test]
fn shares_by_distance_in_json() {
    let dir = directory("json");
    let unknown = fake(&dir, "cat > /dev/null; echo unknown");
    let search =
        ["search", "--count", "40", "--distance", "1..2", "--format", "json", "--quiet", "--no-html"];
    let (stdout, _) = expect(&stringent(&dir, &[&search[..], &["--solver", &unknown]].concat()), 0);
    let report: serde_json::Value = serde_json::from_str(&stdout).expect("one JSON document");
    let rows = report["operations"].as_array().expect("rows");
    let named: Vec<String> = rows.iter().map(|r| format!("{} {}", r["category"], r["operation"])).collect();
    let expected = [
        "\"sat\" \"distance 01\"",
        "\"sat\" \"distance 02\"",
        "\"unsat\" \"distance 01\"",
        "\"unsat\" \"distance 02\"",
    ];
    assert_eq!(named, expected);
    let tests: u64 = rows.iter().map(|r| r["solvers"]["fake"]["unknown"].as_u64().expect("a number")).sum();
    assert_eq!(tests, 40);
}

#[test]
fn search_is_resumed() {
    let dir = directory("resume");
    let sat = fake(&dir, "cat > /dev/null; echo sat");
    let search = [
        "search",
        "--count",
        "20",
        "--mode",
        "unsat",
        "--no-confirm",
        "--quiet",
        "--no-html",
        "--store",
        "s",
    ];
    expect(&stringent(&dir, &[&search[..], &["--solver", &sat]].concat()), 10);
    let resume = ["search", "--resume", "--quiet", "--no-html", "--store", "s"];
    let (stdout, _) = expect(&stringent(&dir, &resume), 10);
    assert!(stdout.contains("Solved share by distance"), "{stdout}");
}

/// Whatever it answers, it is wrong about half of the formulas.
#[test]
fn try_finds_a_solver_with_a_constant_answer() {
    for (answer, verdict, status) in
        [("sat", Verdict::WrongSat, Status::Unsat), ("unsat", Verdict::WrongUnsat, Status::Sat)]
    {
        let dir = directory(&format!("always-{answer}"));
        let solver = fake(&dir, &format!("cat > /dev/null; echo {answer}"));
        let attempt = ["try", "host", "wops", "--solver", &solver, "--store", "s", "--quiet", "--no-html"];
        let (stdout, stderr) = expect(&stringent(&dir, &attempt), 10);
        assert!(stderr.contains("a failure in round 1") && stderr.contains("store:  s"), "{stderr}");
        assert!(stdout.contains("    edits/0000"), "{stdout}");
        let store = Store::open_read_only(&dir.join("s")).expect("a store");
        let runs = store.runs(false).expect("runs");
        let wrong = runs.iter().filter(|r| r.verdict() == verdict);
        let wrong: Vec<i64> = wrong.map(|r| r.instance).collect();
        assert!(wrong.len() > 5);
        let instances = store.instances(false).expect("instances");
        assert!(instances.iter().filter(|i| wrong.contains(&i.id)).all(|i| i.status == status));
    }
}

/// A solver that is wrong only about a rare list of operations is found in a later round.
#[test]
fn try_runs_until_it_fails() {
    let dir = directory("rare");
    let rare = "(edit_remove i4 (edit_remove i3 (edit_remove i2 (edit_remove i1 (edit_insert c0 i0 .abcdefg";
    let solver = fake(&dir, &format!("if grep -q '{rare}'; then echo sat; else echo unknown; fi"));
    let attempt = [
        "try",
        "abcdefg",
        "hijklmn",
        "--mode",
        "unsat",
        "--no-batch",
        "--solver",
        &solver,
        "--quiet",
        "--no-html",
    ];
    let (stdout, stderr) = expect(&stringent(&dir, &attempt), 10);
    let round: u64 = stderr
        .lines()
        .find_map(|l| l.strip_prefix("a failure in round "))
        .and_then(|n| n.parse().ok())
        .expect("a round");
    assert!(round > 1, "it is not that rare");
    assert!(stdout.contains("wrong-sat"), "{stdout}");
    let kept = std::fs::read_dir(dir.join("stringent-results")).expect("a folder").count();
    assert_eq!(kept, 1, "only the store of round {round}");
}

#[test]
fn try_gives_up() {
    let dir = directory("limits");
    let limited = ["try", "ab", "ba", "--limit-iterations", "100", "--quiet", "--no-html"];
    let (stdout, _) = expect(&stringent(&dir, &limited), 0);
    assert!(stdout.starts_with("no failure: 100 formulas in 3 rounds, 100 runs, 100 solved, 0 "), "{stdout}");
    assert_eq!(std::fs::read_dir(dir.join("stringent-results")).expect("a folder").count(), 0);
    let slow = fake(&dir, "cat > /dev/null; sleep 0.2; echo unknown");
    let timed =
        ["try", "ab", "ba", "--limit-time", "1", "--limit-iterations", "0", "--solver", &slow, "--quiet"];
    let (stdout, _) = expect(&stringent(&dir, &[&timed[..], &["--format", "json"]].concat()), 0);
    let report: serde_json::Value = serde_json::from_str(&stdout).expect("JSON");
    assert_eq!(report["conclusion"], "clean", "{stdout}");
}

#[test]
fn words_from_a_file() {
    let dir = directory("words");
    let list = "kitten\r\nsitting\n\nna\u{ef}ve\n\"quoted\\u{61}\"\n\u{1f600}\n";
    std::fs::write(dir.join("list"), list).expect("written");
    let log = ["log", "--word-list", "list", "--mode", "sat", "--count", "200", "--out", "out"];
    expect(&stringent(&dir, &log), 0);
    let texts: Vec<String> = (0..200)
        .map(|n| std::fs::read_to_string(dir.join(format!("out/edits/{n:06}.smt2"))).expect("a file"))
        .collect();
    assert!(texts[9].contains(": edits log --word-list list --mode sat --seed 9\")"), "{}", texts[9]);
    let (alone, _) = expect(&stringent(&dir, &[&log[..5], &["--seed", "9"]].concat()), 0);
    assert_eq!(alone, texts[9]);
    for word in
        ["\"kitten\"", "\"sitting\"", "\"na\\u{ef}ve\"", "\"\"\"quoted\\u{5c}u{61}\"\"\"", "\"\\u{1f600}\""]
    {
        assert!(texts.iter().any(|t| t.contains(&format!("{word})"))), "{word}");
    }
    let search = ["search", "--word-list", "list", "--count", "5", "--unknown", "0", "--mode", "sat"];
    expect(&stringent(&dir, &[&search[..], &["--quiet", "--no-html"]].concat()), 0);
}

#[test]
fn bad_input() {
    let dir = directory("bad");
    std::fs::write(dir.join("empty"), "\n\n").expect("written");
    std::fs::write(dir.join("one"), "word\nword\n").expect("written");
    std::fs::write(dir.join("latin1"), b"caf\xe9\n".as_slice()).expect("written");
    std::fs::write(dir.join("beyond"), "ok\n\u{e0001}\n").expect("written");
    let beyond = "is above U+2FFFF, the largest in SMT-LIB strings";
    let cases: [(&[&str], &str); 12] = [
        (&["log", "--word-list", "empty"], "empty: no words in it"),
        (&["log", "--word-list", "one"], "there is only one word to draw"),
        (&["search", "--word-list", "nowhere"], "cannot read `nowhere`"),
        (&["search", "--word-list", "latin1"], "latin1:1: not UTF-8"),
        (&["log", "--word-list", "beyond"], "beyond:2: the character U+E0001 is above U+2FFFF"),
        (&["try", "a", "\u{30000}"], beyond),
        (&["log", "--from", "\u{10ffff}"], beyond),
        (&["try", "a", "a"], "equal words have only satisfiable formulas"),
        (&["try", "a", "b", "--resume"], "--resume: nothing of a round is kept"),
        (&["try", "a", "b", "--limit", "3"], "--limit: use --limit-iterations here"),
        (&["search", "--length", "5..2"], "--length: `5..2`: 2 is below 5"),
        (&["search", "--unknown", "2"], "--unknown: `2` is not between 0 and 1"),
    ];
    for (args, message) in cases {
        let (_, stderr) = expect(&stringent(&dir, args), 2);
        assert!(stderr.contains(message), "{args:?}: {stderr}");
    }
    expect(&stringent(&dir, &["log", "--word-list", "one", "--words", "a b"]), 2);
    expect(&stringent(&dir, &["try", "a", "b", "--length", "3"]), 2);
    assert!(!dir.join("stringent-results").exists(), "nothing is begun");
}

#[test]
fn texts_are_plain_for_all_strings() {
    let dir = directory("plain");
    std::fs::write(dir.join("words"), "\u{FEFF}é\r\ne\u{1}\r\n").expect("written");
    for args in [&["--from", "é\u{1}", "--to", "e"][..], &["--word-list", "words"], &["--words", "é e"]] {
        let (stdout, _) = expect(&stringent(&dir, &[&["log"], args].concat()), 0);
        assert!(stdout.chars().all(|c| matches!(c, ' '..='~' | '\n')), "{stdout}");
        assert!(!stdout.contains("feff"), "{stdout}");
    }
}
