//! This program in the place of z3, cvc5 and CVC4: links, flags, responses, and the end of a session from outside.

use std::io::{BufRead as _, BufReader, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

const STRINGENT: &str = env!("CARGO_BIN_EXE_stringent");

/// A folder with links, as a user makes them.
struct Links(tempfile::TempDir);

impl Links {
    fn new() -> Links {
        let dir = tempfile::tempdir().expect("a folder");
        let made = Command::new(STRINGENT).arg("link").arg(dir.path()).output().expect("it runs");
        assert!(made.status.success(), "{made:?}");
        Links(dir)
    }

    fn program(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The output of a solver for a script on stdin.
    fn run(&self, name: &str, flags: &[&str], script: &str) -> Output {
        let mut child = Command::new(self.program(name))
            .args(flags)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it runs");
        // A program that refuses its flags ends without reading.
        if let Err(error) = child.stdin.take().expect("a pipe").write_all(script.as_bytes()) {
            assert_eq!(error.kind(), ErrorKind::BrokenPipe, "{error}");
        }
        child.wait_with_output().expect("it ends")
    }

    fn text(&self, name: &str, flags: &[&str], script: &str) -> String {
        String::from_utf8(self.run(name, flags, script).stdout).expect("text")
    }
}

const MODEL: &str = "(set-logic ALL)(declare-const x String)(assert (= x \"ab\"))(check-sat)(get-model)";

#[test]
fn flags_of_clients_are_taken() {
    let links = Links::new();
    for (name, flags) in [
        ("z3", "-smt2 -in -v:0"),
        ("z3", "-nw -in -smt2"),
        ("z3", "-in -T:20 smt.random_seed=3 model_validate=true"),
        ("cvc5", "--quiet --lang=smt2 --incremental"),
        ("cvc5", "-q --no-interactive --lang smt2 --produce-models"),
        ("cvc5", "--lang smt2 --incremental --strings-exp --fp-exp"),
        ("cvc5", "--produce-models --lang smt --quiet --strings-exp --tlimit=20000"),
        ("cvc4", "--rewrite-divk --lang smt --finite-model-find --tlimit=20000"),
        ("cvc4", "--lang=smt -q --strings-exp"),
    ] {
        let flags: Vec<&str> = flags.split(' ').collect();
        let out = links.run(name, &flags, "(set-option :print-success true)(check-sat)");
        assert!(out.status.success(), "{name} {flags:?}: {out:?}");
        assert_eq!(String::from_utf8_lossy(&out.stdout), "success\nsat\n", "{name} {flags:?}");
    }
}

#[test]
fn models_have_the_header_of_the_solver() {
    let links = Links::new();
    assert_eq!(links.text("z3", &["-in"], MODEL), "sat\n(\n  (define-fun x () String\n    \"ab\")\n)\n");
    let body = "\n(define-fun x () String \"ab\")\n)\n";
    assert_eq!(links.text("cvc5", &[], MODEL), format!("sat\n({body}"));
    assert_eq!(links.text("cvc4", &[], MODEL), format!("sat\n(model{body}"));
}

#[test]
fn versions_have_the_shape_of_the_solver_and_our_name() {
    let links = Links::new();
    for (name, flag, start) in [
        ("z3", "--version", "Z3 version 5."),
        ("z3", "-version", "Z3 version 5."),
        ("cvc5", "--version", "This is cvc5 version 1."),
        ("cvc4", "--version", "This is CVC4 version 1.8"),
    ] {
        let text = links.text(name, &[flag], "");
        assert!(text.starts_with(start) && text.contains("stringent"), "{text}");
    }
}

#[test]
fn options_without_an_effect_are_accepted_and_others_are_not() {
    let links = Links::new();
    let accepted = [
        ":pp.decimal true",
        ":model.completion true",
        ":smt.mbqi false",
        ":smt.string_solver seq",
        ":model_validate true",
        ":produce-proofs false",
        ":tlimit 5000",
        ":fp-exp true",
        ":nl-cov true",
        ":strings-exp true",
        ":encoding unicode",
        ":diagnostic-output-channel \"stdout\"",
        ":regular-output-channel \"stdout\"",
        ":verbosity 0",
        ":interactive-mode true",
        ":produce-assertions true",
    ];
    for option in accepted {
        let script = format!("(set-option :print-success true)(set-option {option})");
        assert_eq!(links.text("z3", &["-in"], &script), "success\nsuccess\n", "{option}");
    }
    for option in [":produce-proofs true", ":encoding ascii", ":strings-alpha-card 2", ":no-such-option 1"] {
        let script = format!("(set-option {option})");
        assert_eq!(links.text("z3", &["-in"], &script), "unsupported\n", "{option}");
    }
}

#[test]
fn flags_that_would_change_answers_are_refused() {
    let links = Links::new();
    for (name, flags, code) in [
        ("z3", "-foo", 109),
        ("z3", "-dimacs", 109),
        ("z3", "encoding=ascii", 110),
        ("z3", "proof=true", 110),
        ("cvc5", "--lang=tptp", 1),
        ("cvc5", "--strings-alpha-card=2", 1),
        ("cvc5", "--produce-proofs", 1),
        ("cvc5", "--no-such-flag", 1),
        ("z3", "no-such-file.smt2", 108),
        ("cvc5", "no-such-file.smt2", 1),
    ] {
        let out = links.run(name, &[flags], "(check-sat)");
        assert_eq!(out.status.code(), Some(code), "{name} {flags}: {out:?}");
        assert!(!String::from_utf8_lossy(&out.stdout).contains("sat\n"), "{name} {flags}");
    }
}

#[test]
fn errors_have_the_form_of_the_solver() {
    let links = Links::new();
    let script = "(set-logic ALL)\n(assert (= x 1))\n(check-sat)\n";
    let z3 = links.text("z3", &["-in"], script);
    assert!(z3.starts_with("(error \"line 2 column 12: "), "{z3}");
    let cvc5 = links.text("cvc5", &[], script);
    assert!(cvc5.starts_with("(error \"Parse Error: <stdin>:2.12: "), "{cvc5}");
}

#[test]
fn responses_have_the_form_of_the_solver() {
    let links = Links::new();
    let script = "(set-option :produce-unsat-cores true)(set-logic ALL)(declare-const x Int)(assert (! (= x -2) :named a))\
                  (check-sat)(get-value (x (+ x 1)))(echo \"b\")(assert (! (> x 3) :named c))(check-sat)(get-unsat-core)(get-model)";
    let out = links.run("z3", &["-in"], script);
    let text = String::from_utf8(out.stdout).expect("text");
    assert!(
        text.starts_with("sat\n((x (- 2))\n ((+ x 1) (- 1)))\nb\nunsat\n(a c)\n(error \"line 1 column "),
        "{text}"
    );
    assert_eq!(out.status.code(), Some(1), "an error is in the exit code");
    let text = links.text("cvc5", &[], script);
    let want =
        "sat\n((x (- 2)) ((+ x 1) (- 1)))\n\"b\"\nunsat\n(\na\nc\n)\n(error \"model is not available\")\n";
    assert_eq!(text, want);
    assert_eq!(
        links.text("z3", &["-in"], "(check-sat)(get-info :reason-unknown)"),
        "sat\n(:reason-unknown \"\")\n"
    );
    assert_eq!(links.text("z3", &["-in", "smtlib2_compliant=true"], "(check-sat)(push)"), "sat\nsuccess\n");
    let options =
        "(get-option :produce-assertions)(set-option :interactive-mode true)(get-option :produce-assertions)";
    assert_eq!(links.text("z3", &["-in"], options), "false\ntrue\n");
}

#[test]
fn commands_of_z3_are_answered() {
    let links = Links::new();
    let script = "(declare-const x String)(assert (= x \"ab\"))(check-sat-using (then simplify smt))\
                  (eval (str.++ x x))(simplify (str.len (str.++ x \"c\")))(simplify (+ 1 2))(get-objectives)\
                  (get-value (x))";
    let text = links.text("z3", &["-in"], script);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "sat");
    assert_eq!(lines[1], "\"abab\"");
    assert!(lines[2].contains("(str.len x)"), "{text}");
    assert_eq!(lines[3], "3");
    assert!(lines[4].contains("optimisation is not supported"), "{text}");
    assert_eq!(lines[5], "((x \"ab\"))");
}

/// A check that takes long: a word equation with large lengths, without a time limit.
const LONG: &str = "(declare-const x String)(declare-const y String)(declare-const z String)\n\
    (assert (= (str.++ x \"ab\" y x z) (str.++ y \"ba\" z x x)))(assert (> (str.len x) 70))\n\
    (assert (str.in_re (str.++ x y) (re.+ (re.union (str.to_re \"abb\") (str.to_re \"bab\")))))\n\
    (assert (= (str.replace_all x \"ab\" y) (str.replace_all y \"b\" z)))(check-sat)\n";

struct Running {
    child: Child,
    lines: std::io::Lines<BufReader<std::process::ChildStdout>>,
}

fn running(program: &Path, flags: &[&str]) -> Running {
    let mut child = Command::new(program)
        .args(flags)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it runs");
    let lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    Running { child, lines }
}

impl Running {
    fn write(&mut self, text: &str) {
        let stdin = self.child.stdin.as_mut().expect("a pipe");
        stdin.write_all(text.as_bytes()).and_then(|()| stdin.flush()).expect("it reads");
    }

    fn line(&mut self) -> String {
        self.lines.next().expect("a line").expect("text")
    }

    fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args([name, &id]).status().expect("kill runs").success());
    }
}

#[test]
fn an_interrupt_ends_the_check_and_not_the_session() {
    let links = Links::new();
    let mut z3 = running(&links.program("z3"), &["-in"]);
    z3.write("(echo \"ready\")");
    assert_eq!(z3.line(), "ready");
    z3.write(LONG);
    std::thread::sleep(std::time::Duration::from_millis(500));
    z3.signal("-INT");
    let answer = z3.line();
    assert!(["unknown", "sat", "unsat"].contains(&answer.as_str()), "{answer}");
    z3.write("(echo \"still here\")");
    assert_eq!(z3.line(), "still here");
    z3.write("(exit)");
    assert!(z3.child.wait().expect("it ends").success());
}

#[test]
fn a_client_that_goes_away_ends_the_check() {
    let links = Links::new();
    let Running { mut child, mut lines } = running(&links.program("z3"), &["-in"]);
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(b"(echo \"ready\")").expect("it reads");
    assert_eq!(lines.next().expect("a line").expect("text"), "ready");
    stdin.write_all(LONG.as_bytes()).expect("it reads");
    drop((stdin, lines));
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
}

#[test]
fn the_time_of_the_process_is_limited_as_in_the_solver() {
    let links = Links::new();
    let script = format!("{LONG}{LONG}").replace("(declare-const x", "(reset)(declare-const x");
    let out = links.run("z3", &["-in", "-T:1"], &script.repeat(50));
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    assert!(text.ends_with("timeout\n"), "{text}");
    assert!(out.status.success());
}

#[test]
fn links_are_made_once_and_spoil_nothing() {
    let links = Links::new();
    let again = || Command::new(STRINGENT).arg("link").arg(links.0.path()).output().expect("it runs");
    assert!(again().status.success());
    std::fs::remove_file(links.program("z3")).expect("removed");
    std::fs::write(links.program("z3"), "a real one").expect("written");
    assert_eq!(again().status.code(), Some(2));
    assert_eq!(std::fs::read_to_string(links.program("z3")).expect("there"), "a real one");
}

#[test]
fn solve_as_takes_the_flags_that_follow() {
    let out = Command::new(STRINGENT).args(["solve", "--as", "cvc4", "--version"]).output().expect("it runs");
    assert!(String::from_utf8_lossy(&out.stdout).starts_with("This is CVC4 version"));
    for wrong in [&["solve", "--model", "--as", "z3"][..], &["solve", "--as", "yices"]] {
        let out = Command::new(STRINGENT).args(wrong).output().expect("it runs");
        assert_eq!(out.status.code(), Some(2), "{wrong:?}");
    }
}
