//! `stringent triage` on solvers with planted bugs.

use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Output};

const PROGRAM: &str = env!("CARGO_BIN_EXE_stringent");

fn stringent(dir: &Path, args: &[&str]) -> Output {
    Command::new(PROGRAM).args(args).current_dir(dir).output().expect("stringent")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A campaign on these operations, with triage, and its findings.
fn findings(dir: &Path, solver: &str, operations: &[&str], limit: &str) -> Value {
    let mut args = vec!["test", "--limit", limit, "--solver", solver, "--store", "s"];
    args.extend(["--triage", "--no-html", "--no-config", "--quiet"]);
    operations.iter().for_each(|o| args.extend(["--operation", o]));
    let out = stringent(dir, &args);
    assert_eq!(out.status.code(), Some(10), "{}{}", text(&out.stdout), text(&out.stderr));
    summary(dir)
}

/// The result of a triage, which has nothing left to examine.
fn summary(dir: &Path) -> Value {
    let out = stringent(dir, &["triage", "s", "--format", "json", "--quiet"]);
    assert_eq!(out.status.code(), Some(10), "{}{}", text(&out.stdout), text(&out.stderr));
    serde_json::from_slice(&out.stdout).expect("JSON")
}

fn list<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value[key].as_array().map(Vec::as_slice).unwrap_or_default()
}

/// The operators of each finding that say something about it.
fn operators(summary: &Value) -> Vec<String> {
    let special = |f: &Value| {
        let names = list(&f["reduced"], "operators").iter().filter_map(Value::as_str);
        names.filter(|n| ["str.replace_all", "str.<=", "re.+"].contains(n)).collect::<Vec<_>>().join(" ")
    };
    let mut all: Vec<String> = list(summary, "findings").iter().map(special).collect();
    all.sort();
    all
}

/// A solver that answers `unsat` in place of `sat` if a script has a word.
fn liar(dir: &Path, word: &str) -> String {
    let body = format!(
        "#!/bin/sh\nscript=$(cat)\nanswer=$(printf '%s\\n' \"$script\" | '{PROGRAM}' solve -)\n\
         if printf '%s' \"$answer\" | head -n 1 | grep -qx sat && printf '%s' \"$script\" | grep -qF '{word}'; then\n\
         echo unsat\nelse printf '%s\\n' \"$answer\"\nfi\n"
    );
    let file = dir.join("liar");
    fs::write(&file, body).expect("a script");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).expect("made executable");
    format!("liar={}", file.display())
}

#[test]
fn many_failures_of_one_planted_bug_are_one_finding_with_a_minimal_formula() {
    let dir = tempfile::tempdir().expect("a folder");
    let dir = dir.path();
    let summary = findings(dir, &liar(dir, "str.replace_all"), &["str.replace_all"], "40");
    let [finding] = list(&summary, "findings") else { panic!("one finding: {}", summary["verdict"]) };
    assert!(list(&summary, "open").is_empty(), "{}", summary["open"]);
    assert_eq!(finding["kind"], "wrong-unsat");
    let members = list(finding, "members");
    assert!(members.len() > 20, "{}", summary["verdict"]);
    assert!(members.iter().all(|m| m["reason"].as_str().is_some_and(|r| !r.is_empty())));
    assert_eq!(finding["reduced"]["assertions"], 1);
    assert!(finding["reduced"]["bytes"].as_u64() < Some(60), "{}", finding["reduced"]["script"]);
    assert_eq!(finding["stability"]["failed"], finding["stability"]["runs"]);
}

#[test]
fn three_planted_bugs_are_three_findings_that_keep_their_numbers() {
    let dir = tempfile::tempdir().expect("a folder");
    let dir = dir.path();
    let solver = format!("faulty={PROGRAM} demo-solver");
    let first = findings(dir, &solver, &["str.replace_all", "str.<=", "re.+"], "100");
    assert_eq!(operators(&first), ["re.+", "str.<=", "str.replace_all"], "{}", first["verdict"]);
    let numbers = |s: &Value| -> Vec<(String, u64)> {
        let key = |f: &Value| (f["id"].to_string(), f["number"].as_u64().unwrap_or_default());
        list(s, "findings").iter().map(key).collect()
    };
    let again = stringent(dir, &["triage", "s", "--again", "--format", "json", "--quiet"]);
    let again: Value = serde_json::from_slice(&again.stdout).expect("JSON");
    assert_eq!(numbers(&first), numbers(&again));
}

/// A version of a solver that answers `unsat` in place of `sat` if a script has all these words.
fn version(dir: &Path, version: &str, words: &[&str]) -> String {
    let has: String = words.iter().map(|w| format!(" && printf '%s' \"$script\" | grep -qF '{w}'")).collect();
    let body = format!(
        "#!/bin/sh\n[ \"$1\" = --version ] && {{ echo 'liar {version}'; exit; }}\nscript=$(cat)\n\
         answer=$(printf '%s\\n' \"$script\" | '{PROGRAM}' solve -)\n\
         if [ \"$answer\" = sat ]{has}; then echo unsat; else printf '%s\\n' \"$answer\"; fi\n"
    );
    let file = dir.join(version);
    fs::write(&file, body).expect("a script");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).expect("made executable");
    format!("liar.toml={}", file.display())
}

#[test]
fn a_version_on_which_the_representative_does_not_fail_has_another_bug() {
    let dir = tempfile::tempdir().expect("a folder");
    let dir = dir.path();
    let profile = "name = \"liar\"\nprogram = \"liar\"\nmodel = \"none\"\n[version]\nargs = [\"--version\"]\nafter = \"liar\"\n";
    fs::write(dir.join("liar.toml"), profile).expect("a profile");
    fs::create_dir(dir.join("d")).expect("a folder");
    let script = "(set-info :status sat)(set-info :stringent-model \"((x \"\"cc\"\"))\")(declare-const x String)\
                  (assert (= (str.len (str.replace_all x \"a\" \"b\")) 2))(check-sat)";
    fs::write(dir.join("d/a.smt2"), script).expect("a script");
    let solvers = [
        version(dir, "1.0", &["str.replace_all"]),
        version(dir, "2.0", &["str.replace_all", "str.len"]),
        version(dir, "3.0", &["str.replace_all"]),
    ];
    let mut args = vec!["run", "d", "--store", "s", "--triage", "--no-html", "--no-config", "--quiet"];
    solvers.iter().for_each(|s| args.extend(["--solver", s]));
    let out = stringent(dir, &args);
    assert_eq!(out.status.code(), Some(10), "{}{}", text(&out.stdout), text(&out.stderr));
    let summary = summary(dir);
    let members = |f: &Value| -> Vec<String> {
        list(f, "members").iter().filter_map(|m| m["solver"].as_str().map(str::to_owned)).collect()
    };
    let groups: Vec<Vec<String>> = list(&summary, "findings").iter().map(members).collect();
    assert_eq!(groups, [vec!["liar-1.0", "liar-3.0"], vec!["liar-2.0"]]);
    let scripts = list(&summary, "findings").iter().map(|f| f["reduced"]["script"].to_string());
    assert_eq!(scripts.map(|s| s.contains("str.len")).collect::<Vec<_>>(), [false, true]);
}

#[test]
fn bad_input_and_nothing_to_do() {
    let dir = tempfile::tempdir().expect("a folder");
    let dir = dir.path();
    let missing = stringent(dir, &["triage", "none.store"]);
    assert_eq!(missing.status.code(), Some(2));
    assert!(text(&missing.stderr).contains("there is no store `none.store`"));
    let ok = stringent(
        dir,
        &["test", "--only", "constant", "--limit", "3", "--store", "s", "--no-html", "--quiet"],
    );
    assert_eq!(ok.status.code(), Some(0), "{}", text(&ok.stderr));
    let clean = stringent(dir, &["triage", "s", "--quiet"]);
    assert_eq!((clean.status.code(), text(&clean.stdout).as_str()), (Some(0), "no failures\n"));
    let kind = stringent(dir, &["triage", "s", "--kind", "wrong-unsta"]);
    assert_eq!(kind.status.code(), Some(2));
    assert!(text(&kind.stderr).contains("did you mean `wrong-unsat`?"));
    let solver = stringent(dir, &["triage", "s", "--solver", "z3"]);
    assert_eq!(solver.status.code(), Some(2));
    assert!(
        text(&solver.stderr).contains("there is no solver `z3` in s; it has builtin"),
        "{}",
        text(&solver.stderr)
    );
    fs::write(dir.join("known.toml"), "[[known]]\nissue = \"a\"\n").expect("a file");
    let known = stringent(dir, &["triage", "s", "--known", "known.toml"]);
    assert_eq!(known.status.code(), Some(2));
    assert!(text(&known.stderr).contains("missing key `title`"), "{}", text(&known.stderr));
}
