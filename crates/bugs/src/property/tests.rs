//! Each kind of failure on fake solvers: small shell scripts.

use super::*;
use crate::truth::Keeper;
use campaign::host::Host;
use campaign::outcome::Kind;
use campaign::profile::{self, Solver};
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

/// A folder of fake solvers.
struct Fakes(tempfile::TempDir);

impl Fakes {
    fn new() -> Fakes {
        Fakes(tempfile::tempdir().expect("a temporary folder"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// A solver that reads its script into `$in`, and does this.
    fn solver(&self, name: &str, text: &str) -> Solver {
        let path = self.path(name);
        let dir = self.0.path().display();
        std::fs::write(&path, format!("#!/bin/sh\nin=$(cat)\nDIR={dir}\n{text}\n")).expect("a script");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("made executable");
        let mut solver = profile::resolve(&format!("{name}={}", path.display())).expect("a solver");
        solver.profile.cores = true;
        solver
    }
}

fn doc(text: &str) -> Doc {
    Doc::from_text(text.as_bytes()).expect("a script")
}

fn run(text: &str, setup: &Setup) -> Detected {
    let cancel = Cancel::new().expect("an event");
    let host = Host { progress: &(), cancel: &cancel };
    detect("it", doc(text), setup, &Keeper::new(Vec::new()), &host).expect("it can be run")
}

fn failing(text: &str, setup: &Setup) -> Failing {
    match run(text, setup) {
        Detected::Failing(f) => *f,
        Detected::Passing(p) => panic!("{}: {:?}", p.reason, p.observed),
        Detected::Flaky { property, rate } => panic!("{property}: {rate:?}"),
    }
}

fn passing(text: &str, setup: &Setup) -> String {
    match run(text, setup) {
        Detected::Failing(f) => panic!("{}", f.property.describe()),
        Detected::Passing(p) => p.reason,
        Detected::Flaky { property, rate } => panic!("{property}: {rate:?}"),
    }
}

/// Tests a property on another script, whose truth is found by the built-in solver.
fn test(property: &dyn Property, text: &str) -> Test {
    let cancel = Cancel::new().expect("an event");
    let doc = doc(text);
    let label =
        Keeper::new(Vec::new()).start(&doc, None, &cancel).unwrap_or_else(|_| Label::not_needed(&doc));
    property.test(&doc, &label, 0.into(), &cancel)
}

#[track_caller]
fn holds(property: &dyn Property, text: &str) -> Observed {
    match test(property, text) {
        Test::Holds(observed) => *observed,
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn fails(property: &dyn Property, text: &str) {
    assert!(matches!(test(property, text), Test::Fails(_)));
}

fn kept(solver: Solver, keep: Keep) -> Setup {
    Setup { keep: Some(keep), ..Setup::new(solver) }
}

const SAT: &str = "(declare-const x String)(assert (= x \"a\"))(check-sat)";
const LONGER: &str =
    "(declare-const x String)(declare-const y String)(assert (= x \"a\"))(assert (= y x))(check-sat)";
const UNSAT: &str = "(set-info :status unsat)(set-info :stringent-core |(a b)|)(declare-const x String)\
    (assert (! (= x \"a\") :named a))(assert (! (= x \"b\") :named b))(check-sat)";

#[test]
fn a_wrong_unsat_needs_only_the_check() {
    let fakes = Fakes::new();
    let found = failing(LONGER, &Setup::new(fakes.solver("liar", "echo unsat")));
    assert_eq!(found.start.observed.kind, Kind::WrongUnsat);
    assert_eq!(found.property.describe(), "liar answers unsat to a satisfiable formula");
    assert!(found.property.needs_truth() && found.start.label.is_known());
    assert!(
        found.start.observed.evidence.contains("this model satisfies every assertion"),
        "{:?}",
        found.start.observed
    );
    let sent = found.property.sent(&doc(SAT), &found.start.label, 0).expect("a text");
    assert!(!sent.contains("get-model") && !sent.contains("produce"), "{sent}");
    assert_eq!(holds(&*found.property, SAT).kind, Kind::WrongUnsat);
    let unknown = Label::not_needed(&doc(SAT));
    let cancel = Cancel::new().expect("an event");
    assert!(
        matches!(found.property.test(&doc(SAT), &unknown, 0.into(), &cancel), Test::Fails(_)),
        "nothing is known"
    );
}

#[test]
fn a_wrong_sat_is_judged_by_the_certificate() {
    let fakes = Fakes::new();
    let found = failing(
        UNSAT,
        &Setup::new(fakes.solver("liar", "echo sat; echo '((define-fun x () String \"a\"))'")),
    );
    assert_eq!(found.start.observed.kind, Kind::WrongSat);
    assert!(
        found.start.observed.evidence.starts_with("it is unsatisfiable by construction"),
        "{:?}",
        found.start.observed
    );
    fails(&*found.property, SAT);
}

#[test]
fn answers_that_are_right_are_no_failure() {
    let fakes = Fakes::new();
    let unsat = fakes.solver("unsat", "echo unsat; echo '(a b)'");
    assert_eq!(passing(UNSAT, &Setup::new(unsat)), "it answers unsat, which is right");
    let sat = fakes.solver("sat", "echo sat; echo '((define-fun x () String \"a\"))'");
    assert_eq!(passing(SAT, &Setup::new(sat)), "it answers sat, and the referee accepts its model");
    let unknown = fakes.solver("dunno", "echo unknown");
    assert_eq!(passing(SAT, &Setup::new(unknown)), "it answers unknown; `--keep unknown` keeps that");
}

#[test]
fn an_unsat_that_nobody_can_check_is_no_failure() {
    let fakes = Fakes::new();
    let hard = "(declare-fun f (String) String)(declare-const x String)(assert (not (= (f x) (f (f x)))))\
        (assert (forall ((y String)) (= (f y) (f (f y)))))(check-sat)";
    let reason = passing(hard, &Setup::new(fakes.solver("unsat", "echo unsat")));
    assert!(reason.starts_with("it answers unsat, which cannot be judged: "), "{reason}");
}

#[test]
fn an_invalid_model_needs_no_label() {
    let fakes = Fakes::new();
    let solver = fakes.solver("modeller", "echo sat; echo '((define-fun x () String \"b\"))'");
    let found = failing(LONGER, &Setup::new(solver));
    assert_eq!(found.start.observed.kind, Kind::InvalidModel);
    assert!(!found.property.needs_truth() && !found.start.label.is_known());
    assert_eq!(holds(&*found.property, SAT).kind, Kind::InvalidModel);
    fails(&*found.property, "(declare-const x String)(assert (= x \"b\"))(check-sat)");
    // On an unsatisfiable script the model is as wrong.
    assert_eq!(holds(&*found.property, UNSAT).kind, Kind::InvalidModel);
}

#[test]
fn a_core_with_a_model_is_a_failure() {
    let fakes = Fakes::new();
    let found = failing(UNSAT, &Setup::new(fakes.solver("core", "echo unsat; echo '(a)'")));
    assert_eq!(found.start.observed.kind, Kind::UnsoundCore);
    assert_eq!(found.start.observed.core.as_deref(), Some(&["a".to_owned()][..]));
    assert!(found.property.needs_truth());
    let sent = found.property.sent(&doc(UNSAT), &found.start.label, 0).expect("a text");
    assert!(sent.contains("get-unsat-core") && !sent.contains("get-model"), "{sent}");
    fails(&*found.property, SAT);
    let all = failing(UNSAT, &Setup::new(fakes.solver("foreign", "echo unsat; echo '(a c)'")));
    assert_eq!(all.start.observed.kind, Kind::ForeignCore);
}

#[test]
fn a_crash_keeps_its_signal_and_message() {
    let fakes = Fakes::new();
    let text = "echo \"ASSERTION VIOLATION at /src/$$/a.cpp:$$\" >&2\ncase $in in *str.len*) kill -SEGV $$;; \
        *str.at*) kill -ABRT $$;; *) exit 3;; esac";
    let with = |body: &str| format!("(declare-const x String)(assert {body})(check-sat)");
    let found = failing(&with("(= (str.len x) 1)"), &Setup::new(fakes.solver("crash", text)));
    assert_eq!((found.start.observed.kind, found.start.observed.ending.as_str()), (Kind::Crash, "signal 11"));
    holds(&*found.property, &with("(= (str.len x) 2)"));
    fails(&*found.property, &with("(= (str.at x 1) x)"));
    fails(&*found.property, &with("(= x x)"));
    assert!(!found.property.needs_truth());
}

#[test]
fn an_error_keeps_its_message() {
    let fakes = Fakes::new();
    let text = "case $in in *str.len*) echo '(error \"line 7: no theory\")';; *) echo '(error \"line 8: other\")';; esac";
    let with = |body: &str| format!("(declare-const x String)(assert {body})(check-sat)");
    let found = failing(&with("(= (str.len x) 1)"), &Setup::new(fakes.solver("error", text)));
    assert_eq!(found.start.observed.message.as_deref(), Some("line _: no theory"));
    holds(&*found.property, &with("(= (str.len x) 2)"));
    fails(&*found.property, &with("(= x x)"));
}

#[test]
fn unknown_is_kept_if_asked() {
    let fakes = Fakes::new();
    let solver = fakes.solver("dunno", "case $in in *str.len*) echo unknown;; *) echo sat;; esac");
    let long = "(declare-const x String)(assert (= (str.len x) 1))(check-sat)";
    let found = failing(long, &kept(solver.clone(), Keep::Unknown));
    fails(&*found.property, SAT);
    let reason = passing(SAT, &kept(solver, Keep::Unknown));
    assert!(reason.starts_with("it does not answer unknown: "), "{reason}");
}

#[test]
fn slow_runs_are_stopped_at_the_limit() {
    let fakes = Fakes::new();
    let solver = fakes.solver("slow", "case $in in *str.len*) sleep 30;; esac; echo sat");
    let long = "(declare-const x String)(assert (= (str.len x) 1))(check-sat)";
    let setup = Setup { repeat: 1, ..kept(solver, Keep::Slow(Some(Duration::from_millis(700)))) };
    let found = failing(long, &setup);
    assert_eq!(found.start.observed.kind, Kind::WallTime);
    fails(&*found.property, SAT);
}

#[test]
fn slower_than_another_solver() {
    let fakes = Fakes::new();
    let slow = fakes.solver("slow", "case $in in *str.len*) sleep 30;; esac; echo sat");
    let quick = fakes.solver("quick", "case $in in *str.at*) exit 1;; esac; echo sat");
    let other = format!("quick={}", quick.program.display());
    let long = "(declare-const x String)(assert (= (str.len x) 1))(check-sat)";
    let keep = Keep::Slower { solver: other, factor: 5.0 };
    let found = failing(long, &Setup { repeat: 1, ..kept(slow, keep) });
    fails(&*found.property, SAT);
    fails(
        &*found.property,
        "(declare-const x String)(assert (= (str.len x) 1))(assert (= x (str.at x 0)))(check-sat)",
    );
}

#[test]
fn a_flaky_failure_is_measured() {
    let fakes = Fakes::new();
    // Every second run answers wrongly.
    let text = "n=$(cat $DIR/n 2>/dev/null || echo 0); echo $((n+1)) > $DIR/n\n\
        if [ $((n % 2)) = 0 ]; then echo unsat; else echo sat; fi";
    let setup = |threshold| {
        let _ = std::fs::remove_file(fakes.path("n"));
        Setup { repeat: 4, threshold, ..Setup::new(fakes.solver("flaky", text)) }
    };
    match run(SAT, &setup(0.9)) {
        Detected::Flaky { property, rate } => {
            assert!(
                property.contains("answers unsat") && rate.failed > 0 && rate.failed < rate.runs,
                "{rate:?}"
            );
        }
        _ => panic!("it is flaky"),
    }
    let found = failing(SAT, &setup(0.1));
    assert!(found.rate.failed < found.rate.runs);
    assert!(found.property.describe().ends_with("in most of 5 runs"), "{}", found.property.describe());
    // Three of five runs, if the first of them is a wrong one.
    std::fs::write(fakes.path("n"), "0").expect("written");
    holds(&*found.property, SAT);
    std::fs::write(fakes.path("n"), "1").expect("written");
    fails(&*found.property, SAT);
}

#[test]
fn a_solver_that_disappears_is_gone() {
    let fakes = Fakes::new();
    let found = failing(SAT, &Setup::new(fakes.solver("liar", "echo unsat")));
    std::fs::remove_file(fakes.path("liar")).expect("removed");
    assert!(matches!(test(&*found.property, SAT), Test::Stopped(Stop::Gone(_))));
    let behind =
        failing(SAT, &Setup::new(fakes.solver("shell", "cd $DIR; [ -e off ] && exec ./none; echo unsat")));
    std::fs::write(fakes.path("off"), "").expect("written");
    assert!(matches!(test(&*behind.property, SAT), Test::Stopped(Stop::Gone(_))));
}

#[test]
fn the_wrong_check_of_a_session_may_move() {
    let fakes = Fakes::new();
    // The last answer is wrong.
    let text = "n=$(printf '%s' \"$in\" | grep -c check-sat); while [ $n -gt 1 ]; do echo sat; n=$((n-1)); done; echo unsat";
    let session = "(declare-const x String)(push 1)(assert (= x \"a\"))(check-sat)(pop 1)(assert (= x \"b\"))(check-sat)";
    let found = failing(session, &Setup::new(fakes.solver("session", text)));
    assert_eq!((found.start.observed.kind, found.start.observed.check), (Kind::WrongUnsat, 2));
    assert!(found.start.observed.evidence.contains("this model satisfies every assertion"));
    assert_eq!(holds(&*found.property, SAT).check, 1);
}

#[test]
fn expected_answers_are_checked() {
    let fakes = Fakes::new();
    let solver = fakes.solver("sat", "echo sat");
    let setup = Setup { expect: Some(semantics::Status::Unsat), ..Setup::new(solver) };
    let reason = passing(SAT, &setup);
    assert!(reason.contains("satisfiable, not unsat as expected"), "{reason}");
}

fn command(text: &str, setup: &CommandSetup) -> anyhow::Result<Detected> {
    let cancel = Cancel::new().expect("an event");
    detect_command("it", doc(text), setup, &Host { progress: &(), cancel: &cancel })
}

fn failing_command(setup: &CommandSetup) -> Failing {
    match command(LONGER, setup).expect("it can be run") {
        Detected::Failing(f) => *f,
        Detected::Passing(p) => panic!("{}", p.reason),
        Detected::Flaky { property, rate } => panic!("{property}: {rate:?}"),
    }
}

#[test]
fn a_command_keeps_its_exit_code_and_output() {
    let code = failing_command(&CommandSetup::new("grep -q '= x' {file} && exit 3"));
    assert_eq!(code.start.observed.ending, "exit 3");
    holds(&*code.property, SAT);
    fails(&*code.property, "(check-sat)");
    let counts = failing_command(&CommandSetup::new("grep -c assert"));
    assert_eq!(counts.start.observed.stdout, "2\n");
    fails(&*counts.property, SAT);
    let any = CommandSetup { stdout: Output::Any, ..CommandSetup::new("grep -c assert") };
    holds(&*failing_command(&any).property, SAT);
    let part = CommandSetup { stdout: Output::Contains("= x".into()), ..CommandSetup::new("cat") };
    let part = failing_command(&part);
    holds(&*part.property, SAT);
    fails(&*part.property, "(check-sat)");
    let stdout = Output::matching("(?m)^.assert.*= x").expect("a regular expression");
    let line = failing_command(&CommandSetup { stdout, ..CommandSetup::new("cat") });
    holds(&*line.property, SAT);
    fails(&*line.property, "(check-sat)");
    assert!(Output::matching("(").is_err());
}

#[test]
fn the_name_of_the_file_is_no_difference() {
    let found = failing_command(&CommandSetup::new("echo {file}; echo {file} >&2; false"));
    assert_eq!((found.rate.failed, found.rate.runs), (2, 2));
    holds(&*found.property, SAT);
}

#[test]
fn a_command_that_hangs_does_not_have_the_property() {
    let quick = Duration::from_millis(500);
    let text = "grep -q 'y x' {file} || sleep 60";
    let found = failing_command(&CommandSetup { time_limit: Some(quick), ..CommandSetup::new(text) });
    fails(&*found.property, SAT);
    let hang = CommandSetup { time_limit: Some(quick), ..CommandSetup::new("sleep 60; true") };
    let error = command(SAT, &hang).err().expect("refused").to_string();
    assert!(error.contains("did not end within"), "{error}");
    holds(&*failing_command(&CommandSetup { hangs: true, ..hang }).property, SAT);
}

#[test]
fn a_command_that_cannot_be_run_is_an_error() {
    let error = command(SAT, &CommandSetup::new("no-such-program")).err().expect("refused").to_string();
    assert!(error.contains("cannot be run"), "{error}");
    let reason = match command(
        SAT,
        &CommandSetup { stdout: Output::Contains("z".into()), ..CommandSetup::new("true") },
    ) {
        Ok(Detected::Passing(p)) => p.reason,
        _ => panic!("it has not the property"),
    };
    assert_eq!(reason, "the standard output of `true` does not contain `z`");
    let stderr = Output::matching("z$").expect("a regular expression");
    let Ok(Detected::Passing(p)) = command(SAT, &CommandSetup { stderr, ..CommandSetup::new("true") }) else {
        panic!("it has not the property");
    };
    assert_eq!(p.reason, "the standard error of `true` does not match `z$`");
}

#[test]
fn an_attempt_has_less_time_unless_the_failure_is_about_time() {
    let fakes = Fakes::new();
    let solver = fakes.solver("late", "case \"$in\" in *declare*) sleep 1;; esac; echo unsat");
    let (script, cancel) = (doc(SAT), Cancel::new().expect("an event"));
    for (keep, is_timed) in [(Keep::Wrong, false), (Keep::Slow(Some(Duration::from_millis(500))), true)] {
        let setup = Setup { keep: Some(keep), repeat: 1, ..Setup::new(solver.clone()) };
        let Failing { property, start, .. } = failing(SAT, &setup);
        let test = |time| {
            let attempt = Attempt { seed: 0, time };
            matches!(property.test(&script, &start.label, attempt, &cancel), Test::Holds(_))
        };
        assert!(test(None));
        assert_eq!(test(Some(Duration::from_millis(100))), is_timed);
    }
}
