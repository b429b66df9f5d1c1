//! Limits, shards, merged stores, and campaigns that were stopped before their instances were stored.

use campaign::job::{Job, New};
use campaign::profile;
use campaign::store::{InstanceRow, Store};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Wrong on some instances.
const FAKE: &str = "#!/bin/sh\nif grep -q str.prefixof; then echo unsat; else echo unknown; fi\n";

struct Project {
    dir: tempfile::TempDir,
    solver: String,
}

impl Project {
    fn new() -> Project {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("fake");
        std::fs::write(&path, FAKE).expect("written");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("executable");
        let solver = format!("fake={}", path.display());
        Project { dir, solver }
    }

    fn path(&self) -> &Path {
        self.dir.path()
    }

    fn stringent(&self, args: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_stringent"));
        command.current_dir(self.path()).args(args).stdin(Stdio::null()).output().expect("stringent runs")
    }

    /// `stringent test` on formulas that take no time to make.
    fn test(&self, store: &str, more: &[&str]) -> Output {
        let fixed = ["test", "--preset", "icse20", "--only", "operation", "--only", "equivalent"];
        let rest = ["--solver", &self.solver, "--quiet", "--no-html", "--store", store];
        self.stringent(&[&fixed[..], &rest, more].concat())
    }

    fn instances(&self, store: &str) -> Vec<InstanceRow> {
        let store = Store::open_read_only(&self.path().join(store)).expect("a store");
        store.instances(true).expect("instances")
    }

    /// A campaign like that in `store`, killed before its instances were stored.
    fn killed(&self, store: &str, as_store: &str) {
        let settings = Store::open_read_only(&self.path().join(store)).and_then(|s| s.campaign());
        let settings = settings.expect("a campaign").settings;
        let solver = profile::resolve(&self.solver).expect("a solver");
        let path = self.path().join(as_store);
        let new = New { verb: "test", store: Some(&path), seed: 0, settings, solvers: &[solver] };
        drop(Job::create(&new).expect("created"));
    }
}

#[track_caller]
fn expect(output: &Output, code: i32) -> String {
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(code), "{stdout}\n{stderr}");
    stderr
}

#[test]
fn a_campaign_killed_before_its_instances_were_stored_is_resumed_as_it_was_started() {
    let p = Project::new();
    expect(&p.test("whole", &["--limit", "7", "--shard", "2/2"]), 0);
    let expected = p.instances("whole");
    assert_eq!(expected.len(), 3);
    p.killed("whole", "killed");
    let differs = p.stringent(&["test", "--resume", "--store", "killed", "--limit", "5"]);
    let stderr = expect(&differs, 2);
    assert!(stderr.contains("--limit differs from the campaign that is resumed"), "{stderr}");
    expect(&p.stringent(&["test", "--resume", "--store", "killed", "--no-html", "--quiet"]), 0);
    assert_eq!(p.instances("killed"), expected);
}

#[test]
fn files_are_resumed_where_they_are() {
    let p = Project::new();
    std::fs::create_dir(p.path().join("files")).expect("a folder");
    for name in ["a", "b", "c"] {
        std::fs::write(p.path().join(format!("files/{name}.smt2")), "(check-sat)\n").expect("written");
    }
    let run = ["run", "files", "--limit", "2", "--solver", &p.solver, "--no-html", "--store", "whole"];
    p.stringent(&run);
    let expected = p.instances("whole");
    assert_eq!(expected.iter().map(|i| i.name.as_str()).collect::<Vec<_>>(), ["files/a", "files/b"]);
    p.killed("whole", "killed");
    let elsewhere = Command::new(env!("CARGO_BIN_EXE_stringent"))
        .current_dir(p.path().join("files"))
        .args(["run", "--resume", "--store", "../killed"])
        .output()
        .expect("stringent runs");
    let stderr = expect(&elsewhere, 2);
    assert!(stderr.contains("stopped before its files were stored; resume it in "), "{stderr}");
    // Any verb resumes it as what it is.
    p.stringent(&["test", "--resume", "--store", "killed", "--no-html"]);
    assert_eq!(p.instances("killed"), expected);
}

#[test]
fn shards_that_do_not_exist_are_refused() {
    let p = Project::new();
    for (shard, message) in [
        ("0/4", "shards are counted from 1: 1/4 to 4/4"),
        ("5/4", "there is no shard 5 of 4"),
        ("x", "expected I/N, as in 2/8"),
    ] {
        let stderr = expect(&p.test("s", &["--shard", shard]), 2);
        assert!(stderr.contains(message), "{stderr}");
    }
    let stderr = expect(&p.test("s", &["--limit", "2", "--shard", "3/3"]), 2);
    assert!(stderr.contains("shard 3/3 has no instances"), "{stderr}");
    assert!(!p.path().join("s").exists(), "nothing is left behind");
}

/// The report without what differs by construction: paths, commands, times and the machine.
fn report(p: &Project, store: &str) -> serde_json::Value {
    let output = p.stringent(&["report", store, "--runs"]);
    let mut runs: Vec<serde_json::Value> = String::from_utf8_lossy(&output.stdout)
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    for run in &mut runs {
        let run = run.as_object_mut().expect("an object");
        run.retain(|key, _| !["wall", "cpu", "memory", "time", "store"].iter().any(|k| key.contains(k)));
    }
    serde_json::Value::Array(runs)
}

/// The tables of a report.
fn tables(p: &Project, store: &str) -> Vec<serde_json::Value> {
    let output = p.stringent(&["report", store, "--format", "json"]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert!(report["table"].as_array().is_some_and(|rows| rows.len() > 2), "{report}");
    ["table", "operations", "groups", "takes", "conclusion"].iter().map(|key| report[key].clone()).collect()
}

#[test]
fn merged_shards_are_the_campaign_without_shards() {
    let p = Project::new();
    expect(&p.test("whole", &["--limit", "20"]), 10);
    for i in 1..=3 {
        p.test(&format!("s{i}"), &["--limit", "20", "--shard", &format!("{i}/3")]);
    }
    let stderr = expect(&p.stringent(&["store", "merge", "all", "s3", "s1", "s2"]), 0);
    assert!(stderr.contains("all: 1 solver, 20 instances, 20 runs"), "{stderr}");
    assert_eq!(p.instances("all"), p.instances("whole"));
    assert_eq!(report(&p, "all"), report(&p, "whole"));
    assert_eq!(tables(&p, "all"), tables(&p, "whole"));
    expect(&p.stringent(&["report", "all"]), 10);
    let finished = |store: &str| {
        let store = Store::open_read_only(&p.path().join(store)).expect("a store");
        store.campaign().expect("a campaign").finished.is_some()
    };
    assert!(finished("all"));

    // One that is missing is told, and the campaign is not finished.
    let stderr = expect(&p.stringent(&["store", "merge", "two", "s1", "s3"]), 11);
    assert!(stderr.contains("shard 2/3 is missing"), "{stderr}");
    assert!(!finished("two"));
    // Runs that are in both are taken once.
    let stderr = expect(&p.stringent(&["store", "merge", "again", "all", "s2"]), 0);
    assert!(stderr.contains("in several stores, with the same result"), "{stderr}");
    assert_eq!(p.instances("again"), p.instances("whole"));
    let stderr = expect(&p.stringent(&["store", "merge", "all", "s1"]), 2);
    assert!(stderr.contains("already holds a campaign"), "{stderr}");
    let stderr = expect(&p.stringent(&["store", "merge", "new", "s1", "nowhere"]), 2);
    assert!(stderr.contains("there is no store `nowhere`"), "{stderr}");
}

#[test]
fn solvers_on_the_same_instances_are_merged() {
    let p = Project::new();
    let other = format!("other={}", p.path().join("fake").display());
    expect(&p.test("a", &[]), 10);
    let fixed = ["test", "--preset", "icse20", "--only", "operation", "--only", "equivalent"];
    p.stringent(&[&fixed[..], &["--solver", &other, "--quiet", "--no-html", "--store", "b"]].concat());
    let stderr = expect(&p.stringent(&["store", "merge", "both", "a", "b"]), 0);
    assert!(stderr.contains("2 solvers, 36 instances, 72 runs"), "{stderr}");
    assert_eq!(p.instances("both"), p.instances("a"));
}

#[test]
fn stores_that_contradict_each_other_are_not_merged() {
    let p = Project::new();
    expect(&p.test("a", &[]), 10);
    expect(&p.test("b", &["--time-limit", "3"]), 10);
    let stderr = expect(&p.stringent(&["store", "merge", "out", "a", "b"]), 2);
    assert!(stderr.contains("the time limit is 15 s in a and 3 s in b"), "{stderr}");
    std::fs::write(p.path().join("fake"), "#!/bin/sh\ncat > /dev/null\necho unknown\n").expect("written");
    p.test("c", &[]);
    let stderr = expect(&p.stringent(&["store", "merge", "out", "a", "c"]), 2);
    assert!(stderr.contains("the result of fake on icse20/"), "{stderr}");
    assert!(!p.path().join("out").exists(), "nothing is left behind");
}

#[test]
fn a_merged_store_knows_its_shards() {
    let p = Project::new();
    std::fs::write(p.path().join("fake"), "#!/bin/sh\necho unknown\n").expect("written");
    for i in 1..=3 {
        expect(&p.test(&format!("s{i}"), &["--limit", "6", "--shard", &format!("{i}/3")]), 0);
    }
    let stderr = expect(&p.stringent(&["store", "merge", "s12", "s1", "s2"]), 11);
    assert!(stderr.contains("shard 3/3 is missing"), "{stderr}");
    let stderr = expect(&p.stringent(&["test", "--resume", "--store", "s12"]), 2);
    assert!(
        stderr.contains("s12: shard 3/3 is missing; run it with --shard 3/3, then unite the stores with `stringent store merge`"),
        "{stderr}"
    );
    let report = p.stringent(&["report", "s12"]);
    expect(&report, 11);
    let text = String::from_utf8_lossy(&report.stdout).into_owned();
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        words.contains("Not finished: shard 3/3 is missing.") && !words.contains("4 of 4 runs"),
        "{text}"
    );

    // Stores that were merged from parts are merged as their parts are.
    let stderr = expect(&p.stringent(&["store", "merge", "all", "s12", "s3"]), 0);
    assert!(stderr.contains("6 instances, 6 runs") && !stderr.contains("missing"), "{stderr}");
    expect(&p.stringent(&["store", "merge", "only3", "s3"]), 11);
    expect(&p.stringent(&["store", "merge", "all2", "s12", "only3"]), 0);
    expect(&p.stringent(&["report", "all2"]), 0);
    expect(&p.stringent(&["test", "--resume", "--store", "all", "--no-html", "--quiet"]), 0);
    let stderr = expect(&p.stringent(&["store", "merge", "s1again", "s1"]), 11);
    assert!(stderr.contains("shards 2/3, 3/3 are missing"), "{stderr}");
}

#[test]
fn shards_of_different_campaigns_are_not_merged() {
    let p = Project::new();
    let first = ["--limit", "6", "--shard", "1/2"];
    p.test("s1", &first);
    p.test("limit", &["--limit", "8", "--shard", "2/2"]);
    p.test("seed", &["--limit", "6", "--shard", "2/2", "--seed", "5"]);
    p.test("count", &["--limit", "6", "--shard", "2/3"]);
    p.test("bound", &["--limit", "6", "--shard", "2/2", "--bound", "2"]);
    p.test("unnamed", &["--limit", "6", "--shard", "2/2", "--unnamed"]);
    p.test("semantics", &["--limit", "6", "--shard", "2/2", "--semantics", "pre-2.6"]);
    for (store, message) in [
        ("limit", "--limit is 6 in s1 and 8 in limit"),
        ("seed", "--seed is 0 in s1 and 5 in seed"),
        ("count", "the number of shards is 2 in s1 and 3 in count"),
        ("bound", "the origin of the instances is `stringent "),
        ("unnamed", "--unnamed is not given in s1 and given in unnamed"),
        ("semantics", "--semantics is standard in s1 and pre-2.6 in semantics"),
    ] {
        let stderr = expect(&p.stringent(&["store", "merge", "out", "s1", store]), 2);
        assert!(stderr.contains(message), "{store}: {stderr}");
        assert!(!p.path().join("out").exists(), "nothing is left behind");
    }
}

#[test]
fn a_solver_that_is_gone_is_not_a_result() {
    let p = Project::new();
    let run = |store: &str| {
        let fixed = ["test", "--preset", "icse20", "--only", "operation", "--operation", "str.prefixof"];
        p.stringent(
            &[&fixed[..], &["--solver", "mine=./fake", "--quiet", "--no-html", "--store", store]].concat(),
        )
    };
    expect(&run("s"), 10);
    expect(&p.stringent(&["repro", "1", "--store", "s"]), 10);
    // From another folder, the program is where it was.
    std::fs::create_dir(p.path().join("elsewhere")).expect("a folder");
    let elsewhere = Command::new(env!("CARGO_BIN_EXE_stringent"))
        .current_dir(p.path().join("elsewhere"))
        .args(["repro", "1", "--store", "../s"])
        .output()
        .expect("stringent runs");
    expect(&elsewhere, 10);
    std::fs::remove_file(p.path().join("fake")).expect("removed");
    let stderr = expect(&p.stringent(&["repro", "1", "--store", "s"]), 2);
    assert!(stderr.contains("mine: cannot start `./fake`: there is no such program"), "{stderr}");
}
