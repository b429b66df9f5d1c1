//! `stringent file`: texts, rules that are not met, bundles, the ledger.

use campaign::finding::{Argument, Finding, Fingerprint, Observed, Reduced, Stability, Subject};
use campaign::outcome::{Answer, Kind};
use campaign::store::{Campaign, Store};
use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

const SCRIPT: &str = "(set-info :status sat)\n(set-info :stringent-model \"((x \"\"a\"\"))\")\n(declare-const x String)\n\
                      (assert (= (str.at x 0) \"a\"))\n(check-sat)\n";

fn finding(id: &str) -> Finding {
    let sent = "(set-option :produce-models true)\n(declare-const x String)\n(assert (= (str.at x 0) \"a\"))\n\
                (check-sat)\n(get-value (x))\n";
    Finding {
        number: 0,
        id: id.into(),
        solver: Subject { name: "mine".into(), command: "mine".into(), ..Subject::default() },
        kind: Kind::WrongUnsat,
        reduced: Reduced {
            script: SCRIPT.into(),
            sent: sent.into(),
            bytes: 60,
            assertions: 1,
            operators: vec!["=".into(), "str.at".into()],
            origin: "a".into(),
            origin_bytes: 900,
            runs: 10,
            seconds: 0.5,
            complete: true,
            argument: Argument::Model {
                model: "((define-fun x () String \"a\"))".into(),
                source: "the construction".into(),
            },
        },
        observed: Observed {
            kind: Kind::WrongUnsat,
            check: 1,
            answer: Answer::Unsat,
            stdout: "unsat\n(error \"no model\")\n".into(),
            stderr: String::new(),
            ending: "exit 0".into(),
            evidence: String::new(),
            core: None,
            message: None,
            seconds: 0.01,
            seed: 0,
        },
        fingerprint: Fingerprint::default(),
        members: Vec::new(),
        stability: Some(Stability { runs: 3, failed: 3 }),
        modes: None,
        versions: None,
        options: None,
        known: Vec::new(),
        related: Vec::new(),
        seen: None,
    }
}

struct Scene(TempDir);

impl Scene {
    fn new(list: &[(&str, Finding)]) -> Scene {
        let scene = Scene(tempfile::tempdir().expect("a folder"));
        for (name, f) in list {
            fs::write(scene.path(name), serde_json::to_string(f).expect("JSON")).expect("written");
        }
        scene
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Standard output and standard error.
    #[track_caller]
    fn file(&self, args: &[&str], code: i32) -> (String, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_stringent"));
        command.arg("file").args(args).args(["--ledger", "filed.jsonl"]);
        let output = command.current_dir(self.0.path()).stdin(Stdio::null()).output().expect("stringent");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let (out, err) = (text(&output.stdout), text(&output.stderr));
        assert_eq!(output.status.code(), Some(code), "{out}\n{err}");
        (out, err)
    }
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).expect("a file")
}

#[test]
fn a_finding_that_is_ready() {
    let scene = Scene::new(&[("bug.json", finding("a"))]);
    let (out, err) = scene.file(&["bug.json", "--platform", "Plan 9"], 0);
    assert!(out.starts_with("# Wrong unsat: str.at") && out.contains("Plan 9"), "{out}");
    assert_eq!(err, "");
    scene.file(&["bug.json", "--bundle", "b", "--regress", "r.smt2"], 0);
    assert!(read(&scene.path("b/issue.md")).starts_with("# Wrong unsat"));
    assert!(
        read(&scene.path("r.smt2"))
            .starts_with("; mine: unsat. Reduced automatically.\n(set-info :status sat)")
    );
    let (again, _) = scene.file(&["b", "--platform", "Plan 9"], 0);
    assert_eq!(again, out, "a bundle is a finding");
    let (none, _) = scene.file(&["bug.json", "--output", "i.md", "--platform", "Plan 9"], 0);
    assert_eq!((none.as_str(), read(&scene.path("i.md"))), ("", out));
}

#[test]
fn rules_that_are_not_met() {
    let large = Finding { stability: None, ..finding("b") };
    let scene = Scene::new(&[("bug.json", large), ("good.json", finding("a"))]);
    let (out, err) = scene.file(&["bug.json"], 11);
    assert_eq!(out, "");
    assert!(err.contains("not ready by the policy default") && err.contains("\n  stable "), "{err}");
    let (out, err) = scene.file(&["bug.json", "--force"], 0);
    assert!(out.starts_with("# Wrong unsat") && err.contains("written, but not ready"), "{out}{err}");
    let (out, _) = scene.file(&["good.json", "bug.json", "--format", "json", "--bundle", "all"], 11);
    let json: Value = serde_json::from_str(&out).expect("JSON");
    let ready = |i: usize| (&json["issues"][i]["ready"], &json["issues"][i]["written"]);
    assert_eq!((ready(0), ready(1)), ((&true.into(), &true.into()), (&false.into(), &false.into())));
    assert_eq!(json["issues"][1]["unmet"][0]["rule"], "stable");
    assert_eq!(fs::read_dir(scene.path("all")).expect("a folder").count(), 1);
}

#[test]
fn what_was_filed_is_not_filed_again() {
    let scene = Scene::new(&[("bug.json", finding("a"))]);
    let (out, _) = scene.file(&["bug.json", "--filed", "#12"], 0);
    assert!(out.starts_with("filed as #12: Wrong unsat"), "{out}");
    let (_, err) = scene.file(&["bug.json"], 11);
    assert!(err.contains("it was filed already: #12"), "{err}");
    fs::write(scene.path("filed.jsonl"), "{").expect("written");
    let (_, err) = scene.file(&["bug.json"], 2);
    assert!(err.contains("filed.jsonl") && err.contains("line 1"), "{err}");
}

#[test]
fn the_findings_of_a_store() {
    let scene = Scene::new(&[]);
    let store = Store::create(&scene.path("s"), &Campaign::default()).expect("a store");
    let (_, err) = scene.file(&["1", "--store", "s"], 2);
    assert!(err.contains("has no findings") && err.contains("stringent triage"), "{err}");
    let crash = Finding { number: 1, kind: Kind::Crash, ..finding("a") };
    let unsat = Finding { number: 2, ..finding("b") };
    let flaky = Finding { number: 3, stability: None, ..finding("c") };
    store.set_findings(&[(crash, vec![]), (unsat, vec![]), (flaky, vec![])]).expect("written");
    drop(store);
    let (out, _) = scene.file(&["2", "--store", "s"], 0);
    assert!(out.starts_with("# Wrong unsat"), "{out}");
    let (_, err) = scene.file(&["7", "--store", "s"], 2);
    assert!(err.contains("there is no finding 7") && err.contains("the last one is 3"), "{err}");
    let (out, err) = scene.file(&["--all", "--store", "s", "--bundle", "all"], 0);
    let names: Vec<&str> = out.lines().filter_map(|l| l.split_whitespace().next()).collect();
    assert_eq!(names, ["all/02-wrong-unsat-str.at", "all/01-crash-str.at"], "by rank: {out}");
    assert!(err.contains("finding 3") && err.contains("not ready"), "{err}");
}

#[test]
fn bad_input() {
    let scene = Scene::new(&[]);
    fs::write(scene.path("bad.json"), "{\"id\": 3}").expect("written");
    assert!(scene.file(&["bad.json"], 2).1.contains("`bad.json` is not a finding"));
    assert!(scene.file(&["none.json"], 2).1.contains("there is no `none.json`"));
    scene.file(&[], 2);
    fs::write(scene.path("p.toml"), "nam = \"x\"\n").expect("written");
    fs::write(scene.path("bug.json"), serde_json::to_string(&finding("a")).expect("JSON")).expect("written");
    assert!(scene.file(&["bug.json", "--policy", "p.toml"], 2).1.contains("p.toml:1:1"));
}

#[test]
fn the_solver_is_run_again() {
    let scene = Scene::new(&[]);
    let program = scene.path("mine");
    // It answers `sat` only if the value is asserted, and complains about the request for a model.
    let text = "#!/bin/sh\ninput=$(cat)\ncase $input in *'(= x '*) echo sat;; *) echo unsat;; esac\n\
                case $input in *get-value*) echo '(error \"no model\")';; esac\n";
    fs::write(&program, text).expect("written");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("executable");
    let mut f = Finding { stability: None, ..finding("a") };
    f.solver.spec = format!("mine={}", program.display());
    fs::write(scene.path("bug.json"), serde_json::to_string(&f).expect("JSON")).expect("written");
    let (out, _) = scene.file(&["bug.json", "--check"], 0);
    assert!(out.contains("mine itself answers `sat`") && out.contains("(assert (= x \"a\"))\n"), "{out}");
    assert!(out.contains("It fails with each of 10 random seeds."), "{out}");
    assert!(!out.contains("set-option") && !out.contains("get-value") && !out.contains("no model"), "{out}");
    fs::write(&program, "#!/bin/sh\ncat > /dev/null\necho sat\n").expect("written");
    let (_, err) = scene.file(&["bug.json", "--check"], 11);
    assert!(err.contains("it did not fail when it was run again"), "{err}");
}
