//! Batch mode with solvers that behave and solvers that do not.

mod fake;

use fake::{Fakes, roomy, short};
use stringent_campaign::outcome::Ending;
use stringent_campaign::process::{Cancel, Limits};
use stringent_campaign::session::Session;

/// Answers `sat` to each `(check-sat)` and echoes, with or without quotes; other lines are commands to misbehave.
const POLITE: &str = r#"
note()
for line in sys.stdin:
  line = line.strip()
  if line == '(check-sat)': print('sat')
  elif line.startswith('(echo '): print(line[7:-2] if 'bare' in sys.argv[0] else line[6:-1])
  elif line == '(die)': print('un', end='', flush=True); os.kill(os.getpid(), signal.SIGSEGV)
  elif line == '(exit)': sys.exit(7)
  elif line == '(hang)': print('hm', flush=True); time.sleep(1000)
  elif line == '(flood)':
    while True: print('x' * 1000)
  elif line == '(babble)':
    while True: print('x', flush=True); time.sleep(0.05)
  elif line == '(trick)': print('stringent-1'); print('xstringent-0'); print('"stringent-0')
  elif line == '(complain)': print('oops', file=sys.stderr, flush=True)
  sys.stdout.flush()
"#;

fn start(fakes: &Fakes, limits: &Limits) -> Session {
    Session::start(&fakes.python("solver", POLITE), &[], limits).expect("started")
}

fn cancel() -> Cancel {
    Cancel::new().expect("an event")
}

#[test]
fn one_after_the_other() {
    for name in ["quoted", "bare"] {
        let fakes = Fakes::new();
        let mut session = Session::start(&fakes.python(name, POLITE), &[], &roomy()).expect("started");
        for _ in 0..20 {
            let reply = session.ask(b"(check-sat)", &cancel());
            assert_eq!((&reply.output[..], &reply.ending), (&b"sat\n"[..], &Ending::Running));
        }
        assert_eq!(session.ask(b"(nothing)", &cancel()).output, b"");
        assert!(session.is_alive() && session.answered() == 21);
        drop(session);
        fakes.assert_ended(1);
    }
}

#[test]
fn many_texts_in_flight() {
    let fakes = Fakes::new();
    let mut session = start(&fakes, &roomy());
    let long = " ".repeat(20_000);
    for i in 0..200 {
        let text = if i % 2 == 0 { format!("(check-sat)\n{long}\n(check-sat)") } else { "(x)".into() };
        session.send(text.as_bytes(), b"(reset)\n");
    }
    assert_eq!(session.in_flight(), 200);
    for i in 0..200 {
        let reply = session.receive(&cancel());
        assert_eq!(reply.output, if i % 2 == 0 { &b"sat\nsat\n"[..] } else { b"" });
    }
    assert_eq!(session.in_flight(), 0);
}

#[test]
fn output_that_looks_like_a_marker() {
    let fakes = Fakes::new();
    let mut session = start(&fakes, &roomy());
    let reply = session.ask(b"(trick)", &cancel());
    assert_eq!(reply.output, b"stringent-1\nxstringent-0\n\"stringent-0\n");
    assert_eq!(session.ask(b"(check-sat)", &cancel()).output, b"sat\n");
}

#[test]
fn answers_before_a_crash_are_kept() {
    for (how, ending) in [("(die)", Ending::Signalled(11)), ("(exit)", Ending::Exited(7))] {
        let fakes = Fakes::new();
        let mut session = start(&fakes, &roomy());
        for text in ["(check-sat)", "(check-sat)", how, "(check-sat)"] {
            session.send(text.as_bytes(), b"");
        }
        for _ in 0..2 {
            let reply = session.receive(&cancel());
            assert_eq!((&reply.output[..], reply.ending), (&b"sat\n"[..], Ending::Running));
        }
        let reply = session.receive(&cancel());
        assert_eq!(reply.ending, ending);
        assert_eq!(reply.output, if how == "(die)" { &b"un"[..] } else { b"" });
        assert!(!session.is_alive());
        fakes.assert_ended(1);
    }
}

#[test]
fn hanging_and_babbling_end_at_the_time_limit() {
    for how in ["(hang)", "(babble)"] {
        let fakes = Fakes::new();
        let mut session = start(&fakes, &short());
        assert_eq!(session.ask(b"(check-sat)", &cancel()).ending, Ending::Running);
        let reply = session.ask(how.as_bytes(), &cancel());
        assert_eq!(reply.ending, Ending::WallLimit, "{how}");
        assert!(!reply.output.is_empty() && reply.wall >= short().wall);
        assert!(!session.is_alive());
        fakes.assert_ended(1);
    }
}

#[test]
fn flooding_ends_at_the_output_limit() {
    let fakes = Fakes::new();
    let limits = Limits { output: 5000, ..roomy() };
    let mut session = start(&fakes, &limits);
    for _ in 0..3000 {
        session.send(b"(check-sat)", b"");
    }
    session.send(b"(flood)", b"");
    for i in 0..3000 {
        assert_eq!(session.receive(&cancel()).ending, Ending::Running, "{i}: the limit is for each reply");
    }
    let reply = session.receive(&cancel());
    assert_eq!((reply.ending, reply.output.len()), (Ending::OutputLimit, 5000));
    fakes.assert_ended(1);
}

#[test]
fn standard_error_is_kept() {
    let fakes = Fakes::new();
    let reply = start(&fakes, &roomy()).ask(b"(complain)\n(exit)", &cancel());
    assert_eq!((reply.ending, &reply.stderr[..]), (Ending::Exited(7), &b"oops\n"[..]));
}

#[test]
fn cancelling() {
    let fakes = Fakes::new();
    let mut session = start(&fakes, &roomy());
    let cancel = cancel();
    let reply = std::thread::scope(|scope| {
        let asked = scope.spawn(|| session.ask(b"(hang)", &cancel));
        fakes.await_pids(1);
        cancel.cancel();
        asked.join().expect("no panic")
    });
    assert_eq!(reply.ending, Ending::Cancelled);
    fakes.assert_ended(1);
}

#[test]
fn a_solver_that_cannot_be_started() {
    let why = Session::start("/nowhere/z3".as_ref(), &[], &roomy()).err().expect("an error");
    assert!(why.contains("there is no such program"), "{why}");
}
