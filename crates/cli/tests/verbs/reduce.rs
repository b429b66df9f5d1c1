//! `stringent reduce` with fake solvers.

use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// A solver that is wrong about one operator.
const WRONG: &str = "#!/bin/sh\nif grep -q str.replace_all; then echo unsat; else echo sat; fi\n";

const SCRIPT: &str = "(set-logic QF_SLIA)
(declare-const user String)(declare-const path String)(declare-const n Int)
(assert (= (str.len user) n))
(assert (and (> n 2) (not (= user (str.replace_all path \"ab\" \"c\")))))
(assert (or (str.in_re path (re.* (re.range \"a\" \"f\"))) (str.prefixof \"x\" path)))
(assert (= (str.at user 0) (str.substr user 0 1)))
(check-sat)
";

struct Scene(tempfile::TempDir);

impl Scene {
    fn new(solver: &str) -> Scene {
        let scene = Scene(tempfile::tempdir().expect("a folder"));
        scene.program("solver", solver);
        fs::write(scene.path("a.smt2"), SCRIPT).expect("a script");
        scene
    }

    fn program(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).expect("a program");
        let mode = fs::Permissions::from_mode(0o755);
        fs::set_permissions(self.path(name), mode).expect("made executable");
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_stringent"));
        command.current_dir(self.0.path()).env("HOME", self.0.path()).env_remove("XDG_CACHE_HOME");
        command.env_remove("STRINGENT_CACHE").env("PATH", "/usr/bin:/bin");
        command.arg("reduce").args(args).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().expect("stringent")
    }

    /// Reduces `a.smt2` for the solver.
    fn reduce(&self, args: &[&str]) -> Output {
        self.run(&[&["a.smt2", "--solver", "fake=./solver", "--quiet"], args].concat())
    }
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {output:?}"))
}

#[test]
fn a_wrong_answer_is_reduced() {
    let scene = Scene::new(WRONG);
    let output = scene.reduce(&["--bug", "bug.json"]);
    assert_eq!(output.status.code(), Some(10), "{output:?}");
    let text = stdout(&output);
    assert!(text.starts_with("fake answers unsat to a satisfiable formula; "), "{text}");
    assert!(text.contains(" → 1 assertion, ") && text.contains("written to a.reduced.smt2"), "{text}");
    assert!(text.contains("satisfiable"), "{text}");
    let script = fs::read_to_string(scene.path("a.reduced.smt2")).expect("the script");
    assert!(script.contains("str.replace_all") && script.contains("(set-info :status sat)"), "{script}");
    assert!(!scene.path("a.reduced.smt2.journal").exists());
    let bug: Value =
        serde_json::from_slice(&fs::read(scene.path("bug.json")).expect("a finding")).expect("JSON");
    assert_eq!((&bug["kind"], &bug["solver"]["command"]), (&"wrong-unsat".into(), &"solver".into()), "{bug}");
    assert!(bug["reduced"]["bytes"].as_u64().expect("bytes") < 110, "{bug}");
    assert_eq!(bug["reduced"]["argument"]["by"], "model", "{bug}");
}

#[test]
fn answers_of_datatypes_are_known() {
    let scene = Scene::new(WRONG);
    let script = "(declare-datatype Tree ((leaf (val String)) (node (left Tree) (right Tree))))
(declare-datatypes ((Pair 2)) ((par (A B) ((mk (fst A) (snd B))))))
(declare-const t Tree)(declare-const p (Pair Int String))
(assert ((_ is node) t))
(assert (= (val (left t)) (str.replace_all (snd p) \"a\" \"x\")))
(assert (match t (((leaf s) false) ((node a b) (= (str.len (val a)) (fst p))))))
(check-sat)
";
    fs::write(scene.path("a.smt2"), script).expect("a script");
    let value = json(&scene.reduce(&["--format", "json"]));
    let reduced = value["script"].as_str().expect("a script");
    assert!(reduced.contains("str.replace_all") && reduced.len() < 80, "{value}");
    assert_eq!(value["finding"]["kind"], "wrong-unsat", "{value}");
}

#[test]
fn the_script_of_a_crash_asks_by_itself() {
    let scene = Scene::new(
        "#!/bin/sh\nif grep -q str.replace_all; then echo 'internal failure' >&2; kill -SEGV $$; fi\necho sat\n",
    );
    let output = scene.reduce(&[]);
    assert_eq!(output.status.code(), Some(10), "{output:?}");
    assert!(stdout(&output).contains("fake crashes"), "{output:?}");
    let script = fs::read_to_string(scene.path("a.reduced.smt2")).expect("the script");
    assert!(script.contains("str.replace_all") && script.ends_with("(check-sat)\n"), "{script}");
}

#[test]
fn jobs_do_not_change_the_result() {
    let scene = Scene::new(WRONG);
    let of = |jobs| json(&scene.reduce(&["--jobs", jobs, "--format", "json"]))["script"].clone();
    let one = of("1");
    assert!(one.is_string());
    assert_eq!(one, of("8"));
}

#[test]
fn a_script_that_does_not_fail_is_left_alone() {
    let scene = Scene::new(WRONG);
    fs::write(scene.path("a.smt2"), "(declare-const x String)(assert (= x \"a\"))(check-sat)")
        .expect("a script");
    let output = scene.reduce(&[]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(stdout(&output).starts_with("does not fail: "), "{output:?}");
    assert!(!scene.path("a.reduced.smt2").exists());
    // An answer that nobody knows is no failure, and none that is ruled out.
    let scene = Scene::new("#!/bin/sh\necho unsat\n");
    let hard = "(declare-fun f (String) Int)(declare-const x String)(assert (forall ((y String)) (= (f (str.++ x y)) (str.len y))))(check-sat)";
    fs::write(scene.path("a.smt2"), hard).expect("a script");
    let output = scene.reduce(&["--format", "json"]);
    assert_eq!(
        (output.status.code(), &json(&output)["result"]),
        (Some(11), &"undetermined".into()),
        "{output:?}"
    );
}

#[test]
fn a_rare_failure_is_measured_and_refused() {
    // Wrong in the first run and in every fourth.
    let scene = Scene::new(
        "#!/bin/sh\necho x >> runs\nif [ $(($(wc -l < runs) % 8)) -eq 1 ]; then echo unsat; else echo sat; fi\n",
    );
    let output = scene.reduce(&["--repeat", "5"]);
    assert_eq!(output.status.code(), Some(11), "{output:?}");
    assert!(stdout(&output).starts_with("flaky: ") && stdout(&output).contains(" runs only"), "{output:?}");
}

#[test]
fn a_solver_that_disappears_leaves_the_best_so_far() {
    let scene = Scene::new(&WRONG.replace(
        "#!/bin/sh\n",
        "#!/bin/sh\necho x >> runs\nif [ $(wc -l < runs) -ge 15 ]; then rm -f solver; fi\n",
    ));
    let output = scene.reduce(&["--jobs", "1"]);
    assert_eq!(output.status.code(), Some(10), "{output:?}");
    assert!(stderr(&output).contains("ended early"), "{output:?}");
    assert!(stdout(&output).contains("not complete: "), "{output:?}");
    let best = fs::read_to_string(scene.path("a.reduced.smt2")).expect("the best so far");
    assert!(best.len() < SCRIPT.len() && best.contains("str.replace_all"), "{best}");
    // It is back: the reduction goes on.
    scene.program("solver", WRONG);
    let whole = json(&scene.reduce(&["--format", "json", "--out", "whole.smt2"]));
    let resumed = json(&scene.reduce(&["--format", "json", "--resume"]));
    assert_eq!((&resumed["script"], &resumed["complete"]), (&whole["script"], &true.into()));
    assert!(resumed["runs"].as_u64() < whole["runs"].as_u64(), "{resumed} {whole}");
}

#[test]
fn killed_and_resumed() {
    let scene = Scene::new(&WRONG.replace("#!/bin/sh\n", "#!/bin/sh\nsleep 0.02\n"));
    let whole = json(&scene.reduce(&["--format", "json", "--out", "whole.smt2"]));
    let args = ["a.smt2", "--solver", "fake=./solver", "--quiet", "--format", "json", "--out", "cut.smt2"];
    let mut child = scene.command(&args).spawn().expect("stringent");
    let end = Instant::now() + Duration::from_secs(120);
    let lines = || fs::read_to_string(scene.path("cut.smt2.journal")).unwrap_or_default().lines().count();
    while lines() < 8 {
        assert!(Instant::now() < end, "no progress");
        std::thread::sleep(Duration::from_millis(5));
    }
    // It would be done before the others begin.
    let stopped = Command::new("kill").args(["-STOP", &child.id().to_string()]).status();
    assert!(stopped.is_ok_and(|status| status.success()));
    // Two at a time do not write to one file.
    let output = scene.run(&[&args[..], &["--resume"]].concat());
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(stderr(&output).contains("in use"), "{output:?}");
    child.kill().expect("killed");
    child.wait().expect("ended");
    let best = fs::read_to_string(scene.path("cut.smt2")).expect("the best so far");
    assert!(best.contains("str.replace_all"), "{best}");
    let output = scene.run(&args);
    assert_eq!(output.status.code(), Some(2), "nothing is overwritten: {output:?}");
    assert!(stderr(&output).contains("--resume"), "{output:?}");
    let resumed = json(&scene.run(&[&args[..], &["--resume"]].concat()));
    assert_eq!((&resumed["script"], &resumed["complete"]), (&whole["script"], &true.into()));
}

#[test]
fn limits_are_kept() {
    let scene = Scene::new(WRONG);
    let output = scene.reduce(&["--max-runs", "3", "--format", "json", "--jobs", "1"]);
    assert_eq!(output.status.code(), Some(10), "{output:?}");
    let value = json(&output);
    assert_eq!(
        (&value["complete"], &value["verified"], &value["runs"]),
        (&false.into(), &true.into(), &4.into())
    );
    assert!(stderr(&output).contains("the number of runs is used up"), "{output:?}");
}

#[test]
fn the_search_for_the_failure_ends_at_the_budget_and_at_ctrl_c() {
    let scene = Scene::new("#!/bin/sh\n: > started\nsleep 1000\n");
    let output = scene.reduce(&["--budget", "0.5", "--time-limit", "500"]);
    assert_eq!(output.status.code(), Some(11), "{output:?}");
    assert_eq!(stdout(&output), "undetermined: no failure was found within --budget\n");
    fs::remove_file(scene.path("started")).expect("it was started");
    let child =
        scene.command(&["a.smt2", "--solver", "fake=./solver", "--quiet", "--time-limit", "500"]).spawn();
    let child = child.expect("stringent");
    let end = Instant::now() + Duration::from_secs(120);
    while !scene.path("started").exists() {
        assert!(Instant::now() < end, "the solver is not started");
        std::thread::sleep(Duration::from_millis(5));
    }
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(killed.expect("kill").success());
    let output = child.wait_with_output().expect("ended");
    assert_eq!(output.status.code(), Some(11), "{output:?}");
    assert_eq!(stdout(&output), "undetermined: stopped before a failure was found\n");
}

#[test]
fn a_command_is_kept() {
    let scene = Scene::new(WRONG);
    let output = scene.run(&["a.smt2", "--quiet", "--format", "json", "--keep", "./solver < {file}"]);
    assert_eq!(output.status.code(), Some(10), "{output:?}");
    let script = json(&output)["script"].as_str().expect("a script").to_owned();
    assert!(script.contains("str.replace_all") && script.len() < 110, "{script}");
    // One that hangs is ended, and does not count.
    scene.program("hang", "#!/bin/sh\ngrep -q str.replace_all $1 || sleep 1000\nexit 3\n");
    let args = [
        "a.smt2",
        "--quiet",
        "--keep",
        "./hang {file}",
        "--time-limit",
        "1",
        "--max-runs",
        "12",
        "--out",
        "b.smt2",
    ];
    let output = scene.run(&args);
    assert_eq!(output.status.code(), Some(10), "{output:?}");
    assert!(stdout(&output).contains("str.replace_all"), "{output:?}");
    // The ends of a regular expression are those of a line.
    let args = ["a.smt2", "--quiet", "--keep", "grep -c replace_all {file}", "--match-out", "^1$", "--regex"];
    let output = scene.run(&[&args[..], &["--out", "c.smt2", "--max-runs", "3"]].concat());
    assert_eq!(output.status.code(), Some(10), "{output:?}");
    let output = scene.run(&["a.smt2", "--quiet", "--keep", "sleep 1000; cat {file}", "--time-limit", "1"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(stderr(&output).contains("did not end within"), "{output:?}");
}

#[test]
fn bad_input_is_refused() {
    let scene = Scene::new(WRONG);
    fs::write(scene.path("bad.smt2"), "(assert (= x 1))").expect("a file");
    let solver = ["--solver", "fake=./solver"];
    let refused = |args: &[&str], why: &str| {
        let output = scene.run(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {output:?}");
        assert!(stderr(&output).contains(why), "{args:?}: {output:?}");
        assert!(output.stdout.is_empty());
    };
    refused(&[&["missing.smt2"], &solver[..]].concat(), "cannot read `missing.smt2`");
    refused(&[&["bad.smt2"], &solver[..]].concat(), "not a valid script");
    refused(&["a.smt2"], "--solver");
    refused(&["a.smt2", "--solver", "nothing"], "nothing");
    refused(&[&["a.smt2", "--passes", "argument"], &solver[..]].concat(), "did you mean `arguments`?");
    refused(&[&["a.smt2", "--keep", "slower=x:0.5"], &solver[..]].concat(), "larger than 1");
    refused(&[&["a.smt2", "--keep", "everything"], &solver[..]].concat(), "must be wrong, model");
    refused(&[&["a.smt2", "--out", "a.smt2"], &solver[..]].concat(), "is the input");
    refused(&[&["a.smt2", "--out", "no/such/folder/a.smt2"], &solver[..]].concat(), "no/such/folder");
    refused(&[&["a.smt2", "--expect", "maybe"], &solver[..]].concat(), "sat or unsat");
    refused(&[&["a.smt2", "--ignore-output"], &solver[..]].concat(), "about a command");
    refused(&[&["a.smt2", "--keep", "cat {file}"], &solver[..]].concat(), "leave out --solver");
    assert_eq!(fs::read_to_string(scene.path("a.smt2")).expect("the input"), SCRIPT);
}
