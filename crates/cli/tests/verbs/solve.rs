//! `stringent solve` over a pipe: a command, its answer, the next command.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

struct Session {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Session {
    fn start(args: &[&str]) -> Session {
        let mut child = Command::new(env!("CARGO_BIN_EXE_stringent"))
            .arg("solve")
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("stringent runs");
        let stdout = child.stdout.take().expect("a pipe");
        let (send, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if send.send(line).is_err() {
                    break;
                }
            }
        });
        let stdin = child.stdin.take();
        Session { child, stdin, lines }
    }

    /// Writes, without a line end and without closing the pipe.
    fn write(&mut self, text: &str) {
        let stdin = self.stdin.as_mut().expect("open");
        stdin.write_all(text.as_bytes()).and_then(|()| stdin.flush()).expect("it reads");
    }

    fn line(&self) -> String {
        self.lines.recv_timeout(Duration::from_secs(60)).expect("an answer")
    }

    fn end(mut self) -> Option<i32> {
        self.stdin = None;
        self.child.wait().expect("it ends").code()
    }
}

#[test]
fn a_command_is_answered_before_the_next_is_written() {
    let mut s = Session::start(&[]);
    s.write("(echo \"one\")");
    assert_eq!(s.line(), "one");
    s.write("\n(set-option :print-success true)");
    assert_eq!(s.line(), "success");
    for part in ["(declare-const", " x ; a comment )\n", " String", ")"] {
        s.write(part);
    }
    assert_eq!(s.line(), "success");
    s.write("(assert (= x \"a)\"\"\"))(assert (= y x)) (get-assertions)");
    assert_eq!(s.line(), "success");
    assert_eq!(s.line(), "(error \"line 3 column 41: unknown symbol `y`\")");
    assert_eq!(s.line(), "((= x \"a)\"\"\"))");
    s.write("(get-info :name)");
    assert_eq!(s.line(), "(:name \"stringent\")");
    s.write("(exit)");
    assert_eq!(s.line(), "success");
    assert_eq!(s.end(), Some(2), "a command could not be read");
}

#[test]
fn the_end_of_the_text_ends_the_session() {
    let mut s = Session::start(&["-"]);
    s.write("(check-sat");
    s.stdin = None;
    assert!(s.line().contains("unclosed"));
    assert_eq!(s.end(), Some(2));
    assert_eq!(Session::start(&[]).end(), Some(0));
}

#[test]
fn undecided_queries_are_not_bad_input() {
    let mut s = Session::start(&[]);
    s.write("(get-model)");
    assert_eq!(s.line(), "(error \"line 1 column 1: model is not available\")");
    assert_eq!(s.end(), Some(0));
}

#[test]
fn a_check_that_needs_too_much_memory_is_unknown() {
    // The place of a string in a word of more than 2^39 parts.
    let towers = (1..40).map(|i| format!("(let ((a{i} (str.++ a{0} x a{0})))", i - 1)).collect::<String>();
    let body = format!("(let ((a0 y)) {towers} (= (str.indexof a39 z 0) 3){}", ")".repeat(40));
    let mut s = Session::start(&["--memory-limit", "150"]);
    s.write("(declare-const x String)(declare-const y String)(declare-const z String)(push 1)");
    s.write(&format!("(assert {body})(check-sat)(get-info :reason-unknown)"));
    assert_eq!(s.line(), "unknown");
    assert_eq!(s.line(), "(:reason-unknown memout)");
    s.write("(pop 1)(assert (= x \"a\"))(check-sat)");
    assert_eq!(s.line(), "sat");
    assert_eq!(s.end(), Some(0));
}
