//! `stringent run` and `stringent test` with fake solvers.

use campaign::outcome::{Kind, Verdict};
use campaign::store::{RunRow, Store};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

/// An empty directory for a test.
fn directory(test: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("campaigns").join(test);
    // There is none if it did not run before.
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(&dir).expect("a directory");
    dir
}

/// A solver that reads everything and then does this.
fn fake(dir: &Path, name: &str, script: &str) -> String {
    let path = dir.join(name);
    std::fs::write(&path, format!("#!/bin/sh\ncat > /dev/null\n{script}\n")).expect("written");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("executable");
    format!("{name}={}", path.display())
}

const GOOD: &str = "echo sat; echo '((define-fun s () String \"a\"))'";

fn file(dir: &Path, name: &str, text: &str) {
    let path = dir.join("files").join(name);
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    std::fs::write(path, text).expect("written");
}

fn is_a(status: &str, word: &str) -> String {
    format!("(set-info :status {status})\n(declare-const s String)\n(assert (= s \"{word}\"))\n(check-sat)\n")
}

fn command(dir: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_stringent"));
    command.current_dir(dir).args(args).stdin(Stdio::null());
    command
}

fn stringent(dir: &Path, args: &[&str]) -> Output {
    command(dir, args).output().expect("stringent runs")
}

#[track_caller]
fn expect(output: &Output, code: i32) -> (String, String) {
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{stdout}\n{stderr}");
    (stdout, stderr)
}

fn runs(store: &Path) -> Vec<RunRow> {
    Store::open_read_only(store).expect("a store").runs(true).expect("runs")
}

#[test]
fn files_are_judged() {
    let dir = directory("judged");
    file(&dir, "good.smt2", &is_a("sat", "a"));
    let solver = fake(&dir, "fake", GOOD);
    let run = ["run", "files", "--quiet", "--solver", &solver];
    let (stdout, stderr) = expect(&stringent(&dir, &run), 0);
    assert!(stdout.contains("fake"), "{stdout}");
    let said = |what: &str| stderr.lines().find_map(|l| l.strip_prefix(what)).map(|p| dir.join(p.trim()));
    let page = said("report:").expect("the path of the report");
    assert!(std::fs::read_to_string(page).expect("a page").contains("<html"));
    let store = said("store:").expect("the path of the store");
    assert_eq!(runs(&store)[0].kind, Kind::ValidModel);

    file(&dir, "sub/bad.smt2", &is_a("sat", "b"));
    let (stdout, _) = expect(&stringent(&dir, &[&run[..], &["--format", "json", "--no-html"]].concat()), 10);
    serde_json::from_str::<serde_json::Value>(&stdout).expect("one JSON document");
    let only = [&run[..], &["--only", "files", "--no-html"]].concat();
    expect(&stringent(&dir, &only), 0);
}

#[test]
fn unreadable_files_are_skipped_and_reported() {
    let dir = directory("unreadable");
    file(&dir, "good.smt2", &is_a("sat", "a"));
    file(&dir, "broken.smt2", "(declare-const s String)\n(assert (= (str.foo s) 1))\n");
    let solver = fake(&dir, "fake", GOOD);
    let output = stringent(&dir, &["run", "files", "--solver", &solver, "--store", "s", "--no-html"]);
    let (_, stderr) = expect(&output, 2);
    assert!(stderr.contains("broken.smt2:2:13: error: unknown symbol `str.foo`"), "{stderr}");
    assert!(stderr.contains("1 file(s) cannot be read"), "{stderr}");
    assert_eq!(runs(&dir.join("s")).len(), 1);
    let said = "broken.smt2:2:13: unknown symbol `str.foo`";
    for format in ["--text", "--html", "--json", "--csv", "--junit", "--jsonl"] {
        let (report, _) = expect(&stringent(&dir, &["report", "s", format, "-"]), 2);
        let named = report.contains(said) || (report.contains("broken.smt2") && report.contains("str.foo"));
        assert!(named, "{format}: {report}");
    }
    let again = stringent(&dir, &["run", "--resume", "--store", "s", "--no-html"]);
    let (stdout, _) = expect(&again, 2);
    assert!(stdout.contains(&format!("1 file could not be read\n  files/{said}")), "{stdout}");
    let wrong = fake(&dir, "wrong", "echo unsat");
    let worse = ["run", "--resume", "--store", "s", "--no-html", "--solver", &wrong];
    expect(&stringent(&dir, &worse), 10);
    let (_, stderr) = expect(&stringent(&dir, &["run", "nowhere", "--solver", &solver]), 2);
    assert!(stderr.contains("nowhere"), "{stderr}");
}

/// A formula without a status: `s` is all of these words.
fn open(words: &[&str]) -> String {
    let asserted: Vec<String> = words.iter().map(|w| format!("(assert (= s \"{w}\"))\n")).collect();
    format!("(declare-const s String)\n{}(check-sat)\n", asserted.concat())
}

fn kinds(store: &Path) -> Vec<(Verdict, Kind)> {
    let store = Store::open_read_only(store).expect("a store");
    let solvers: Vec<i64> = store.solvers().expect("solvers").iter().map(|s| s.id).collect();
    let runs = store.runs(false).expect("runs");
    runs.iter().filter(|r| solvers.contains(&r.solver)).map(|r| (r.verdict(), r.kind)).collect()
}

#[test]
fn nothing_known_of_a_file() {
    let dir = directory("open");
    file(&dir, "open.smt2", &open(&["a"]));
    let (no, yes) = (fake(&dir, "no", "echo unsat"), fake(&dir, "yes", GOOD));
    let run = ["run", "files", "--quiet", "--no-html", "--no-second-opinion", "--solver", &no];
    expect(&stringent(&dir, &[&run[..], &["--store", "alone"]].concat()), 11);
    expect(&stringent(&dir, &[&run[..], &["--store", "both", "--solver", &yes]].concat()), 10);
    let judged = [(Verdict::WrongUnsat, Kind::WrongUnsat), (Verdict::Ok, Kind::ValidModel)];
    assert_eq!(kinds(&dir.join("both")), judged);
    // A solver that joins later counts as if it had been there from the start.
    let resume = ["run", "--resume", "--quiet", "--no-html", "--store", "alone", "--solver", &yes];
    expect(&stringent(&dir, &resume), 10);
    assert_eq!(kinds(&dir.join("alone")), judged);
    assert_eq!(runs(&dir.join("alone")).len(), 2, "no second opinion was wanted");
}

#[test]
fn an_answer_that_nothing_refutes_is_no_failure() {
    let dir = directory("unrefuted");
    file(&dir, "open.smt2", &open(&["a", "b"]));
    let no = fake(&dir, "no", "echo unsat");
    let run =
        ["run", "files", "--quiet", "--no-html", "--no-second-opinion", "--solver", &no, "--store", "s"];
    let (stdout, _) = expect(&stringent(&dir, &run), 11);
    assert!(stdout.contains("1 instance without a known answer: 1 undetermined"), "{stdout}");
    let (json, _) = expect(&stringent(&dir, &["report", "s", "--format", "json"]), 11);
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["failures"], serde_json::json!([]));
    let times = &json["times"]["no"];
    assert_eq!(times["par2_s"], times["wall_s"], "an answer does not cost twice the limit");
}

#[test]
fn the_built_in_solver_gives_a_second_opinion() {
    let dir = directory("second");
    let (no, yes) = (fake(&dir, "no", "echo unsat"), fake(&dir, "yes", "echo sat"));
    let run = |store: &str, solver: &str, code| {
        let args = ["run", "files", "--quiet", "--no-html", "--store", store, "--solver", solver];
        expect(&stringent(&dir, &args), code).0
    };
    // Satisfiable: its model is a proof.
    file(&dir, "open.smt2", &open(&["a"]));
    run("no-sat", &no, 10);
    assert_eq!(kinds(&dir.join("no-sat")), [(Verdict::WrongUnsat, Kind::WrongUnsat)]);
    let (shown, _) = expect(&stringent(&dir, &["report", "no-sat", "--show", "files/open"]), 0);
    assert!(shown.contains("the model of the built-in solver satisfies every assertion"), "{shown}");
    let stdout = run("yes-sat", &yes, 0);
    assert!(stdout.contains("1 instance without a known answer: 1 sat by a checked model"), "{stdout}");
    // Unsatisfiable: its answer is an argument, which convicts nobody.
    file(&dir, "open.smt2", &open(&["a", "b"]));
    let stdout = run("no-unsat", &no, 0);
    assert!(stdout.contains("1 unsat by no and the built-in solver (agreement, no proof)"), "{stdout}");
    run("yes-unsat", &yes, 11);
    assert_eq!(kinds(&dir.join("yes-unsat")), [(Verdict::Undetermined, Kind::Disagreement)]);
    // It is in the store: not asked again, and not a solver of the campaign.
    let before = runs(&dir.join("no-unsat"));
    expect(&stringent(&dir, &["run", "--resume", "--no-html", "--store", "no-unsat"]), 0);
    assert_eq!(runs(&dir.join("no-unsat")), before);
    assert_eq!((before.len(), kinds(&dir.join("no-unsat")).len()), (2, 1));
    // It gives none on itself.
    let own = ["run", "files", "--quiet", "--no-html", "--store", "own", "--solver", "builtin"];
    expect(&stringent(&dir, &own), 11);
    assert_eq!(runs(&dir.join("own")).len(), 1);
}

#[test]
fn merged_stores_keep_opinions_and_unreadable_files() {
    let dir = directory("merged");
    file(&dir, "a.smt2", &open(&["a", "b"]));
    file(&dir, "b.smt2", "(assert");
    file(&dir, "c.smt2", &open(&["a"]));
    file(&dir, "d.smt2", &open(&["a", "d"]));
    let solver = fake(&dir, "no", "echo unsat");
    let run = |part: &str, store: &str, code| {
        let args =
            ["run", "files", "--quiet", "--no-html", "--solver", &solver, "--shard", part, "--store", store];
        expect(&stringent(&dir, &args), code);
    };
    // The wrong answer on `c` is known to its shard already.
    run("1/2", "s1", 10);
    run("2/2", "s2", 2);
    expect(&stringent(&dir, &["store", "merge", "all", "s1", "s2"]), 0);
    assert_eq!(kinds(&dir.join("all")).len(), 3);
    let (stdout, _) = expect(&stringent(&dir, &["report", "all"]), 10);
    assert!(stdout.contains("2 unsat by no and the built-in solver (agreement, no proof)"), "{stdout}");
    assert!(stdout.contains("1 file could not be read\n  files/b.smt2:1:"), "{stdout}");
}

/// Waits until the store has some runs.
fn wait_for_runs(store: &Path, wanted: usize, child: &mut Child) {
    for _ in 0..3000 {
        let have = Store::open_read_only(store).and_then(|s| s.run_keys()).map_or(0, |keys| keys.len());
        if have >= wanted {
            return;
        }
        assert!(child.try_wait().expect("a status").is_none(), "it ended with {have} runs");
        std::thread::sleep(Duration::from_millis(20));
    }
    panic!("no {wanted} runs");
}

#[test]
fn stopped_and_resumed() {
    let dir = directory("resumed");
    for i in 0..30 {
        file(&dir, &format!("{i:02}.smt2"), &is_a("sat", "a"));
    }
    let log = dir.join("log");
    let solver = fake(&dir, "slow", &format!("echo x >> '{}'; sleep 0.1; {GOOD}", log.display()));
    let store = dir.join("s");
    let run = ["run", "files", "--solver", &solver, "--store", "s", "--no-html", "--jobs", "1"];
    let mut child =
        command(&dir, &run).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    wait_for_runs(&store, 3, &mut child);
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
    assert!(killed.success());
    let (stdout, stderr) = expect(&child.wait_with_output().expect("output"), 11);
    assert!(stderr.contains("stopped; to resume: stringent run --resume --store s"), "{stderr}");
    assert!(stdout.contains("slow"), "a report of what there is: {stdout}");
    let before = runs(&store);
    assert!((3..30).contains(&before.len()), "{}", before.len());

    let other = stringent(&dir, &["run", "--resume", "--store", "s", "--time-limit", "3"]);
    let (_, stderr) = expect(&other, 2);
    assert!(stderr.contains("--time-limit differs from the campaign that is resumed"), "{stderr}");
    let (_, stderr) = expect(&stringent(&dir, &run), 2);
    assert!(stderr.contains("already holds a campaign"), "{stderr}");

    expect(&stringent(&dir, &["run", "--resume", "--store", "s", "--no-html"]), 0);
    let after = runs(&store);
    assert_eq!(after.len(), 30);
    assert!(before.iter().all(|b| after.contains(b)), "nothing is repeated");
    let started = std::fs::read_to_string(log).expect("a log").lines().count();
    assert!((30..=31).contains(&started), "30, and the one that was stopped: {started}");
}

#[test]
fn a_suite_is_generated_and_run() {
    let dir = directory("suite");
    let solver = fake(&dir, "unsure", "echo unknown");
    let test = ["test", "--preset", "icse20", "--only", "operation", "--solver", &solver, "--quiet"];
    expect(&stringent(&dir, &[&test[..], &["--store", "s", "--no-html"]].concat()), 0);
    let all = runs(&dir.join("s"));
    assert_eq!(all.len(), 12);
    assert!(all.iter().all(|r| r.kind == Kind::Unknown));
    expect(&stringent(&dir, &[&test[..], &["--store", "few", "--limit", "5"]].concat()), 0);
    assert_eq!(runs(&dir.join("few")).len(), 5);
    assert!(dir.join("few.html").exists());
    let (_, stderr) = expect(&stringent(&dir, &["test", "--solver", "no-such-solver"]), 2);
    assert!(stderr.contains("no-such-solver"), "{stderr}");
}
