//! Output that cannot be written: a reader that leaves, a full disk.

use std::path::Path;
use std::process::{Command, Output};

const STRINGENT: &str = env!("CARGO_BIN_EXE_stringent");

/// Runs a line of the shell in which `stringent` is this program.
fn shell(dir: &Path, line: &str) -> Output {
    let line = format!("stringent() {{ {STRINGENT} \"$@\"; }}\n{line}");
    Command::new("bash").args(["-c", &line]).current_dir(dir).output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Verbs that print much.
const PRINTERS: [&str; 8] = [
    "completions bash",
    "completions zsh",
    "man",
    "--help",
    "test --help",
    "solvers list",
    "gen regex --count 1000",
    "synth --only operation --stream smt2",
];

#[test]
fn a_reader_may_leave() {
    let dir = tempfile::tempdir().unwrap();
    for verb in PRINTERS {
        for reader in ["head -1", "true"] {
            let got = shell(
                dir.path(),
                &format!("stringent {verb} | {reader} >/dev/null; echo ${{PIPESTATUS[0]}}"),
            );
            assert_eq!(String::from_utf8_lossy(&got.stdout), "0\n", "{verb} | {reader}");
            assert!(!stderr(&got).contains("error"), "{verb} | {reader}: {}", stderr(&got));
        }
    }
}

#[test]
fn a_full_disk_is_an_output_error() {
    let dir = tempfile::tempdir().unwrap();
    for verb in PRINTERS {
        let got = shell(dir.path(), &format!("stringent {verb} >/dev/full"));
        assert_eq!(got.status.code(), Some(4), "{verb}: {}", stderr(&got));
        assert!(stderr(&got).contains("error: No space left on device"), "{verb}: {}", stderr(&got));
    }
}

/// Reports of a store, and a campaign.
#[test]
fn reports_that_cannot_be_written() {
    let dir = tempfile::tempdir().unwrap();
    let test = "test -q --no-html --only operation --operation str.at";
    assert_eq!(shell(dir.path(), &format!("stringent {test} --store s.store")).status.code(), Some(0));
    let html = "report s.store --html /dev/full";
    assert_eq!(shell(dir.path(), &format!("stringent {html}")).status.code(), Some(4));
    for verb in [
        "report s.store",
        "report s.store --runs",
        "report s.store --csv -",
        "report s.store --format json",
        test,
    ] {
        let full = shell(dir.path(), &format!("stringent {verb} >/dev/full"));
        assert_eq!(full.status.code(), Some(4), "{verb}: {}", stderr(&full));
        assert!(stderr(&full).contains("No space left on device"), "{verb}: {}", stderr(&full));
        let left = shell(dir.path(), &format!("stringent {verb} | true; exit ${{PIPESTATUS[0]}}"));
        assert_eq!(left.status.code(), Some(0), "{verb}: {}", stderr(&left));
        assert!(!stderr(&left).contains("error"), "{verb}: {}", stderr(&left));
    }
}

/// The limit of a file's size stands in for the disk.
#[test]
fn a_store_on_a_full_disk_can_be_resumed() {
    let dir = tempfile::tempdir().unwrap();
    let test =
        "stringent test --only operation --only constant --limit 200 -j 2 -q --no-html --store s.store";
    let got = shell(dir.path(), &format!("trap '' XFSZ; ulimit -f 80; {test}"));
    assert_eq!(got.status.code(), Some(4), "{}", stderr(&got));
    assert!(stderr(&got).contains("to resume: "), "{}", stderr(&got));
    assert!(stderr(&got).contains("error: s.store: "), "{}", stderr(&got));
    let got = shell(dir.path(), &format!("{test} --resume"));
    assert_eq!(got.status.code(), Some(0), "{}", stderr(&got));
    assert!(String::from_utf8_lossy(&got.stdout).contains("200"), "{}", stderr(&got));
}

#[test]
fn the_reason_is_told_once() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("text.store"), "no database").unwrap();
    for verb in ["report text.store", "test --resume --store text.store", "run --resume --store text.store"] {
        let got = shell(dir.path(), &format!("stringent {verb}"));
        assert_eq!(got.status.code(), Some(2), "{verb}");
        assert_eq!(stderr(&got), "error: text.store: file is not a database\n", "{verb}");
    }
}

#[test]
fn unknown_names_list_the_known_ones() {
    let dir = tempfile::tempdir().unwrap();
    for (verb, known) in [
        ("gen regexx", "unknown generator `regexx`; the generators are concats, lengths, "),
        ("break --gen regexx", "unknown generator `regexx`; the generators are concats, lengths, "),
        ("suite nothing", "unknown suite `nothing`; the suites are generated, concats-small, "),
        ("transform revers", "Did you mean `reverse`?"),
        (
            "transform insert-operator --operator str.foo",
            "unknown operator `str.foo`; the operators are not, ",
        ),
        ("break --mutators ad", "unknown mutator `ad`; the mutators are add, remove, cross, "),
        ("test --operation str.foo", "unknown operation `str.foo`; the operations are str.at, str.++, "),
        ("test --operation str.rev", "unknown operation `str.rev`; the operations are str.at, str.++, "),
        (
            "test --preset icse20 --operation re.comp",
            "unknown operation `re.comp`; the operations are str.at, ",
        ),
        ("selftest --operator str.foo", "unknown operator `str.foo`; the operators are "),
        ("test --only nothing", "[possible values: operation, constant, term, equivalent, core, redundancy]"),
        ("test --preset nothing", "[possible values: full, icse20]"),
        ("check --format yaml x", "[possible values: text, json]"),
        ("solvers show nothing", "builtin, cvc4, cvc5"),
    ] {
        let got = shell(dir.path(), &format!("stringent {verb} </dev/null"));
        assert_eq!(got.status.code(), Some(2), "{verb}: {}", stderr(&got));
        assert!(stderr(&got).contains(known), "{verb}: {}", stderr(&got));
    }
}

#[test]
fn one_solver_needs_no_name() {
    let dir = tempfile::tempdir().unwrap();
    let test = "stringent test -q --no-html --only operation --operation str.at";
    let extract = "--extract full/operation/str.at/0001";
    let line = format!("{test} --store one.store >/dev/null; stringent report one.store {extract}");
    let got = shell(dir.path(), &line);
    assert_eq!(got.status.code(), Some(0), "{}", stderr(&got));
    assert!(String::from_utf8_lossy(&got.stdout).contains("(check-sat)"));
    let both = "-s builtin -s other='/bin/echo unknown'";
    let got = shell(
        dir.path(),
        &format!("{test} {both} --store two.store >/dev/null; stringent report two.store {extract}"),
    );
    assert_eq!(got.status.code(), Some(2), "{}", stderr(&got));
    assert!(stderr(&got).contains("choose one with --solver: builtin-"), "{}", stderr(&got));
    assert!(stderr(&got).contains(", other"), "{}", stderr(&got));
}

#[test]
fn the_semantics_have_one_name() {
    let dir = tempfile::tempdir().unwrap();
    for verb in ["eval", "rules", "run", "synth", "test"] {
        let got = shell(dir.path(), &format!("stringent {verb} --help"));
        let help = String::from_utf8_lossy(&got.stdout).into_owned();
        assert!(help.contains("--semantics") && !help.contains("--reading"), "{verb}: {help}");
    }
    std::fs::write(
        dir.path().join("a.smt2"),
        "(declare-const x String)(assert (= (str.indexof x \"\" 0) (- 1)))(check-sat)",
    )
    .unwrap();
    for option in ["--semantics", "--reading"] {
        let line = format!("printf 'sat\\n((x \"a\"))' | stringent eval a.smt2 --model - {option} pre-2.6");
        let got = shell(dir.path(), &line);
        assert_eq!(got.status.code(), Some(0), "{option}: {}", stderr(&got));
    }
}
