//! `report`, `show` and `repro` on a stored campaign, as docs/campaigns.md shows them.

use campaign::store::{RunRow, Store};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Output};
use std::time::Duration;

const FILES: [(&str, &str); 5] = [
    (
        "concat",
        "(set-info :status sat)(declare-const s String)(declare-const t String)(assert (= (str.++ s t) \"ab\"))(assert (= (str.len t) 1))(check-sat)",
    ),
    ("hard", "(set-info :status sat)(declare-const s String)(assert (= (str.at s 2) \"c\"))(check-sat)"),
    ("length", "(set-info :status unsat)(declare-const s String)(assert (= (str.len s) (- 1)))(check-sat)"),
    ("prefix", "(set-info :status sat)(declare-const s String)(assert (str.prefixof \"d\" s))(check-sat)"),
    (
        "replace",
        "(set-info :status sat)(declare-const s String)(assert (= (str.replace_re s (re.+ (str.to_re \"e\")) \"\") \"\"))(check-sat)",
    ),
];

/// Wrong on `concat` and `length`, crashes on `prefix`, gives up on `hard`.
const LIAR: &str = r#"text=$(cat)
case "$text" in
  *'"ab"'*) echo sat; echo '((define-fun s () String "b") (define-fun t () String "a"))';;
  *'"c"'*) echo unknown;;
  *'"d"'*) kill -SEGV $$;;
  *) echo sat; echo '((define-fun s () String ""))';;
esac"#;

const GOOD: &str = r#"text=$(cat)
case "$text" in
  *'"ab"'*) echo sat; echo '((define-fun s () String "a") (define-fun t () String "b"))';;
  *'"c"'*) echo sat; echo '((define-fun s () String "abc"))';;
  *'"d"'*) echo sat; echo '((define-fun s () String "d"))';;
  *'(- 1)'*) echo unsat;;
  *) echo sat; echo '((define-fun s () String "e"))';;
esac"#;

fn stringent(dir: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_stringent")).current_dir(dir).args(args).output().expect("it starts")
}

fn program(dir: &Path, name: &str, text: &str) {
    let path = dir.join(name);
    fs::write(&path, format!("#!/bin/sh\n{text}\n")).expect("written");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("executable");
}

/// A campaign of two solvers on five files, with the same times everywhere.
fn campaign(dir: &Path) {
    fs::create_dir_all(dir.join("demo")).expect("a folder");
    for (name, text) in FILES {
        fs::write(dir.join(format!("demo/{name}.smt2")), text.replace(")(", ")\n(")).expect("written");
    }
    program(dir, "liar", LIAR);
    program(dir, "good", GOOD);
    fs::write(dir.join("old.toml"), OLD).expect("written");
    let solvers = ["--solver", "liar=./liar", "--solver", "good=./good"];
    let settings = ["--store", "my.store", "--no-html", "--quiet", "--no-confirm"];
    let run = stringent(dir, &[&["run", "demo"], &solvers[..], &settings[..]].concat());
    assert_eq!(run.status.code(), Some(10), "{}", String::from_utf8_lossy(&run.stderr));
    let mut store = Store::open(&dir.join("my.store")).expect("a store");
    let (cpu, memory_kib) = (Duration::from_millis(1), 2048);
    let same =
        |run: RunRow| RunRow { wall: Duration::from_millis(run.instance as u64), cpu, memory_kib, ..run };
    let runs: Vec<RunRow> = store.runs(true).expect("runs").into_iter().map(same).collect();
    store.add_runs(&runs, true).expect("written");
}

/// A profile whose dialect has no `str.replace_re`.
const OLD: &str = "name = 'old'\nabout = ''\nprogram = './good'\ndialect = '2.5'\n";

/// The blocks of the document are the output of the commands.
#[test]
fn the_document() {
    let dir = tempfile::tempdir().expect("a folder");
    let input = dir.path().join("campaigns.in");
    fs::create_dir(&input).expect("a folder");
    campaign(&input);
    let document = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/campaigns.md");
    fs::copy(document, dir.path().join("campaigns.md")).expect("copied");
    trycmd::TestCases::new().case(dir.path().join("campaigns.md").to_str().expect("a name")).run();
}

#[test]
fn failures_are_reproduced_or_not() {
    let dir = tempfile::tempdir().expect("a folder");
    let dir = dir.path();
    campaign(dir);
    let repro = |args: &[&str]| stringent(dir, &[&["repro"], args, &["--store", "my.store"]].concat());
    let text = |o: &Output| String::from_utf8_lossy(&o.stdout).into_owned();
    for which in ["1", "2", "3", "4", "demo/concat"] {
        let again = repro(&[which]);
        assert_eq!(again.status.code(), Some(10), "{which}: {}", text(&again));
        assert!(text(&again).contains("\nreproduced: "), "{}", text(&again));
    }
    assert!(dir.join("my-1.smt2").exists() && dir.join("my-demo-concat.smt2").exists());
    let right = repro(&["demo/concat", "--solver", "good", "--output", "x.smt2"]);
    assert_eq!(right.status.code(), Some(10), "the same verdict, ok");
    assert!(dir.join("x.smt2").exists());
    program(dir, "liar", GOOD);
    let fixed = repro(&["1"]);
    assert_eq!(fixed.status.code(), Some(0), "{}", text(&fixed));
    assert!(text(&fixed).contains("\nnot reproduced: it was "), "{}", text(&fixed));
    fs::remove_file(dir.join("liar")).expect("removed");
    let gone = repro(&["1"]);
    assert_eq!(gone.status.code(), Some(2), "it cannot be started: no verdict");
    assert!(String::from_utf8_lossy(&gone.stderr).contains("cannot start `"), "{gone:?}");
}

#[test]
fn numbers_and_stores_that_are_not_there() {
    let dir = tempfile::tempdir().expect("a folder");
    let dir = dir.path();
    let error = |args: &[&str]| {
        let out = stringent(dir, args);
        assert_eq!(out.status.code(), Some(2), "{args:?}");
        String::from_utf8_lossy(&out.stderr).into_owned()
    };
    assert_eq!(error(&["show", "1"]), "error: no campaign in stringent-results/; name one with --store\n");
    assert_eq!(error(&["repro", "1", "--store", "x"]), "error: there is no store `x`\n");
    campaign(dir);
    for verb in ["show", "repro"] {
        let missing = error(&[verb, "7", "--store", "my.store"]);
        assert_eq!(
            missing,
            "error: there is no failure 7 in my.store; it has 1 to 3; 4: time limits, unknown and the like\n"
        );
        assert!(error(&[verb, "concat", "--store", "my.store"]).contains("did you mean `demo/concat`?"));
        assert!(error(&[verb, "1", "--store", "my.store", "--solver", "z3"]).contains("it has liar, good"));
    }
    fs::write(dir.join("not.store"), "text").expect("written");
    assert!(error(&["show", "1", "--store", "not.store"]).contains("not.store"));
}

/// Without --store the newest store is meant, and commands do not name it.
#[test]
fn the_newest_store() {
    let dir = tempfile::tempdir().expect("a folder");
    let dir = dir.path();
    campaign(dir);
    fs::create_dir(dir.join("stringent-results")).expect("a folder");
    fs::rename(dir.join("my.store"), dir.join("stringent-results/2026-run.store")).expect("moved");
    let shown = stringent(dir, &["show", "1"]);
    let text = String::from_utf8_lossy(&shown.stdout);
    assert!(text.contains("\nagain     stringent repro 1\n"), "{text}");
    let report = stringent(dir, &["report", "stringent-results/2026-run.store"]);
    let text = String::from_utf8_lossy(&report.stdout).into_owned();
    assert!(text.contains("    stringent show 1 · stringent repro 1\n"), "{text}");
    assert_eq!(stringent(dir, &["repro", "1"]).status.code(), Some(10));
}

/// Nothing that a solver was not asked counts against it, and no command is printed that cannot work.
#[test]
fn not_asked() {
    let dir = tempfile::tempdir().expect("a folder");
    let dir = dir.path();
    campaign(dir);
    let args = ["run", "demo", "--solver", "old.toml", "--store", "old.store", "--no-html", "--quiet"];
    let run = stringent(dir, &args);
    let text = String::from_utf8_lossy(&run.stdout);
    assert_eq!(run.status.code(), Some(0), "{text}");
    let line = "1 not asked: old takes 4 of 5 instances (dialect 2.5 cannot express str.replace_re: 1)";
    assert!(text.replace("\n     ", " ").contains(line), "{text}");
    let shown = stringent(dir, &["show", "demo/replace", "--store", "old.store"]);
    let shown = String::from_utf8_lossy(&shown.stdout);
    assert!(shown.contains("verdict   n/a not-asked") && !shown.contains("--extract"), "{shown}");
    let repro = stringent(dir, &["repro", "demo/replace", "--store", "old.store"]);
    assert_eq!(repro.status.code(), Some(2));
}
