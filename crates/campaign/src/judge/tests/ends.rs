//! Errors, crashes, limits.

use super::*;

#[test]
fn answers_after_a_rejected_command_are_ignored() {
    let bogus = "(error \"line 3 column 21: unknown constant str.foo (String) \")\nsat\n((s \"\"))\n";
    let j = judged(UNSAT, bogus, &Ending::Exited(1));
    expect(&j, Verdict::Error, Kind::Rejected);
    assert_eq!(j.answer, Answer::None);
    assert!(j.evidence.contains("`sat` after that is ignored"), "{}", j.evidence);
    let j = judged(SAT, "(error \"the parser is lost\")\nunsat\n", &Ending::Exited(1));
    expect(&j, Verdict::Error, Kind::Message);
}

#[test]
fn unsupported_assertions_suppress_alarms_only() {
    let j = printed(UNSAT, "unsupported\nsat\n((s \"a\"))\n");
    expect(&j, Verdict::Error, Kind::Rejected);
    expect(&printed(UNSAT, "unsupported\nunsat\n(n1 n2)\n"), Verdict::Ok, Kind::MinimalCore);
}

#[test]
fn benign_messages_do_not_count() {
    let s = solver("benign = ['random seed']");
    let j = judged_by(
        &s,
        SAT,
        "(error \"no random seed here\")\nsat\n((s \"a\") (i 0))\n",
        "",
        &Ending::Exited(1),
    );
    expect(&j, Verdict::Ok, Kind::ValidModel);
}

#[test]
fn operators_that_the_profile_lists() {
    let s = solver("unsupported = ['str.at']");
    let rejected = "(error \"unknown constant str.at\")\n";
    expect(&judged_by(&s, SAT, rejected, "", &Ending::Exited(1)), Verdict::NotApplicable, Kind::Unsupported);
    expect(&judged_by(&s, SAT, "unknown\n", "", &Ending::Exited(0)), Verdict::Unknown, Kind::Unknown);
    expect(&judged_by(&s, UNSAT, rejected, "", &Ending::Exited(1)), Verdict::Error, Kind::Rejected);
    expect(&judged_by(&s, SAT, "unsat\n", "", &Ending::Exited(0)), Verdict::WrongUnsat, Kind::WrongUnsat);
}

#[test]
fn unknown() {
    for output in [
        "unknown\n",
        "unknown\n(error \"model is not available\")\n",
        "unknown\n((s \"zz\") (i 0))\n",
        "unknown\n(:reason-unknown \"incomplete\")\n",
    ] {
        let j = printed(SAT, output);
        expect(&j, Verdict::Unknown, Kind::Unknown);
        assert_eq!(j.answer, Answer::Unknown);
    }
}

#[test]
fn time_limits() {
    expect(&judged(SAT, "", &Ending::WallLimit), Verdict::Timeout, Kind::WallTime);
    expect(&judged(SAT, "", &Ending::CpuLimit), Verdict::Timeout, Kind::CpuTime);
    for output in ["timeout\n", "cvc5 interrupted by timeout.\n"] {
        expect(&judged(SAT, output, &Ending::Exited(0)), Verdict::Timeout, Kind::OwnLimit);
    }
    let stderr = judged_by(&solver(""), SAT, "", "CVC4 interrupted by timeout.", &Ending::Signalled(6));
    expect(&stderr, Verdict::Timeout, Kind::OwnLimit);
    let stderr = judged_by(&solver(""), SAT, "", "CVC4 interrupted by timeout.", &Ending::Exited(1));
    expect(&stderr, Verdict::Timeout, Kind::OwnLimit);
}

#[test]
fn answered_then_hung() {
    let j = judged(SAT, "sat\n", &Ending::WallLimit);
    expect(&j, Verdict::Timeout, Kind::WallTime);
    assert_eq!(j.answer, Answer::Sat);
    assert_eq!(j.evidence, "it answered sat, then hung");
    // An unsound answer stays one.
    expect(&judged(SAT, "unsat\n", &Ending::WallLimit), Verdict::WrongUnsat, Kind::WrongUnsat);
}

#[test]
fn crashes() {
    expect(&judged(SAT, "", &Ending::Signalled(11)), Verdict::Error, Kind::Crash);
    expect(&judged(SAT, "", &Ending::Exited(139)), Verdict::Error, Kind::Crash);
    let j = judged_by(&solver(""), SAT, "", "ASSERTION VIOLATION\nFile: seq.cpp\n", &Ending::Exited(114));
    expect(&j, Verdict::Error, Kind::Crash);
    assert!(j.evidence.contains("seq.cpp"));
    let answered = "sat\n((s \"a\") (i 0))\n";
    for ending in [Ending::Signalled(6), Ending::Exited(134)] {
        let j = judged(SAT, answered, &ending);
        expect(&j, Verdict::Error, Kind::CrashAfterAnswer);
        assert_eq!((j.answer, j.evidence.starts_with("it answered sat, then ")), (Answer::Sat, true));
    }
    for code in [1, 10] {
        expect(&judged(SAT, answered, &Ending::Exited(code)), Verdict::Ok, Kind::ValidModel);
    }
    let j = judged(SAT, "Fatal failure within strings\n", &Ending::Exited(1));
    expect(&j, Verdict::Error, Kind::Crash);
}

#[test]
fn memory() {
    expect(&judged(SAT, "", &Ending::MemoryLimit), Verdict::Error, Kind::OutOfMemory);
    expect(
        &judged(SAT, "(error \"out of memory\")\n", &Ending::Exited(101)),
        Verdict::Error,
        Kind::OutOfMemory,
    );
    let thrown =
        "terminate called after throwing an instance of 'std::bad_alloc'\n  what():  std::bad_alloc\n";
    let j = judged_by(&solver(""), SAT, "", thrown, &Ending::Signalled(6));
    expect(&j, Verdict::Error, Kind::OutOfMemory);
}

#[test]
fn silence_garbage_and_floods() {
    expect(&judged(SAT, "", &Ending::Exited(0)), Verdict::Error, Kind::Silent);
    expect(&judged(SAT, "  \n", &Ending::Running), Verdict::Error, Kind::Silent);
    expect(&judged(SAT, "I think so\n", &Ending::Exited(0)), Verdict::Error, Kind::Garbage);
    expect(&judged(SAT, "((s \"a\"))\n", &Ending::Exited(0)), Verdict::Error, Kind::Garbage);
    expect(&judged(SAT, "sat\nsat\nunsat\n", &Ending::Exited(0)), Verdict::Error, Kind::Garbage);
    expect(&judged(SAT, "aaaa", &Ending::OutputLimit), Verdict::Error, Kind::Flood);
    expect(&judged(SAT, "\u{0}\u{1}((((", &Ending::Exited(0)), Verdict::Error, Kind::Garbage);
    let usage = judged_by(&solver(""), SAT, "", "unknown option --foo\nusage: …", &Ending::Exited(1));
    expect(&usage, Verdict::Error, Kind::Rejected);
}

#[test]
fn not_started_and_not_sent() {
    let j = judged(SAT, "", &Ending::NotStarted("no such file".into()));
    expect(&j, Verdict::Error, Kind::NotStarted);
    assert_eq!(j.evidence, "no such file");
    let why = smt::print::Inexpressible { dialect: smt::Dialect::Smt25, what: "`str.<`".into() };
    let j = Judged::not_asked(&why);
    expect(&j, Verdict::NotApplicable, Kind::NotAsked);
    assert_eq!(j.evidence, "not sent: dialect 2.5 cannot express `str.<`");
}

#[test]
fn a_running_session_is_judged_like_one_that_ended() {
    expect(&judged(SAT, "sat\n((s \"a\") (i 0))\n", &Ending::Running), Verdict::Ok, Kind::ValidModel);
    expect(&judged(UNSAT, "unsat\n(n1 n2)\n", &Ending::Running), Verdict::Ok, Kind::MinimalCore);
}

/// Two checks; the solver rejects an assertion between them.
const TWO: &str = "(declare-const s String)(push 1)(assert (! (= (str.len s) (- 1)) :named n))(set-info :status unsat)\
    (check-sat)(pop 1)(declare-const t String)(assert (= (str.rev t) \"ab\"))(set-info :status sat)(check-sat)";

#[test]
fn answers_after_a_rejected_assertion_are_ignored() {
    let output = "unsat\n(error \"line 5 column 9: model is not available\")\n(n)\n\
        (error \"line 8 column 9: unknown constant str.rev\")\nsat\n((define-fun t () String \"zz\"))\n";
    let judged = judged(TWO, output, &Ending::Exited(1));
    assert!(!judged.is_unsound(), "{} {}", judged.kind, judged.evidence);
}

#[test]
fn answers_that_cannot_be_assigned_are_undetermined() {
    let three = "(declare-const s String)(push 1)(assert (! (= (str.len s) (- 1)) :named a))(set-info :status unsat)\
        (check-sat)(pop 1)(push 1)(assert (! (= (str.len s) (- 2)) :named b))(set-info :status unsat)(check-sat)(pop 1)\
        (assert (= s \"x\"))(set-info :status sat)(check-sat)";
    let output = "unsat\n(a)\n(error \"resource limit reached\")\nsat\n((define-fun s () String \"x\"))\n";
    assert!(!judged(three, output, &Ending::Exited(0)).is_unsound());
    assert!(
        !judged(three, "unsat\n(a)\nsat\n((define-fun s () String \"x\"))\n", &Ending::Exited(0))
            .is_unsound()
    );
}

#[test]
fn a_model_that_was_cut_off_is_not_completed() {
    let text = "(set-info :status sat)(declare-const s String)(declare-const i Int)\
        (assert (= (str.at s i) \"a\"))(assert (> i 2))(check-sat)";
    let judged = judged(text, "sat\n(define-fun s () String \"bbba\")\n", &Ending::WallLimit);
    assert!(!judged.is_unsound(), "{}", judged.evidence);
}

#[test]
fn an_empty_list_after_a_rejected_query() {
    let text = "(declare-const s String)(assert (! (= s \"a\") :named n))(check-sat)";
    for said in ["sat\nunsupported\n()\n", "sat\n(error \"no models\")\n()\n"] {
        assert!(!judged(text, said, &Ending::Exited(0)).is_unsound(), "{said}");
    }
    let unsat = "(set-info :status unsat)(set-info :stringent-core \"(n m)\")\
        (set-info :stringent-drop \"(n ((s \"\"b\"\")))\")(set-info :stringent-drop \"(m ((s \"\"a\"\")))\")\
        (declare-const s String)(assert (! (= s \"a\") :named n))(assert (! (= s \"b\") :named m))(check-sat)";
    expect(&judged(unsat, "unsat\n()\n", &Ending::Exited(0)), Verdict::InvalidCore, Kind::UnsoundCore);
    let refused = judged(unsat, "unsat\n(error \"cores not enabled\")\n()\n", &Ending::Exited(0));
    assert!(!refused.is_unsound(), "{}", refused.evidence);
    let chatty = judged(unsat, "unsat\n(core minimized)\n(n m)\n", &Ending::Exited(0));
    expect(&chatty, Verdict::Ok, Kind::MinimalCore);
    expect(&judged(unsat, "unsat\n(m n m)\n", &Ending::Exited(0)), Verdict::Ok, Kind::MinimalCore);
}

#[test]
fn assumptions_are_not_foreign_names() {
    let text = "(declare-const p Bool)(declare-const s String)(assert (! (=> p (= s \"a\")) :named n1))\
        (assert (! (= s \"b\") :named n2))(set-info :status unsat)(check-sat-assuming (p))";
    expect(&judged(text, "unsat\n(n2 n1 p)\n", &Ending::Exited(0)), Verdict::Ok, Kind::CorrectUnsat);
    let other = judged(text, "unsat\n(n2 q)\n", &Ending::Exited(0));
    expect(&other, Verdict::InvalidCore, Kind::ForeignCore);
}

#[test]
fn time_runs_out_while_the_core_is_minimised() {
    let text = "(set-info :status unsat)(declare-const s String)(assert (! (= (str.len s) (- 1)) :named n))(check-sat)";
    expect(&judged(text, "unsat\ntimeout\n", &Ending::Exited(0)), Verdict::Timeout, Kind::OwnLimit);
    expect(&judged(SAT, "unsat\ntimeout\n", &Ending::Exited(0)), Verdict::WrongUnsat, Kind::WrongUnsat);
}
