//! `sat`, with models of all kinds.

use super::*;
use crate::judge::Scope;
use semantics::Reading;

#[test]
fn good_models_as_solvers_print_them() {
    for output in [
        "sat\n(\n  (define-fun i () Int\n    0)\n  (define-fun s () String\n    \"a\")\n)\n",
        "sat\n(model\n(define-fun s () String \"ba\")\n(define-fun i () Int 1)\n)\n",
        "sat\n((s \"a\")\n (i 0))\n",
        "unsupported\nsat\n((s \"a\") (i 0))\n",
        "WARNING: be careful\nsuccess\nsat\n((s \"a\") (i 0))\n",
    ] {
        let j = printed(SAT, output);
        expect(&j, Verdict::Ok, Kind::ValidModel);
        assert_eq!((j.answer, j.model, &*j.evidence), (Answer::Sat, ModelCheck::Holds, ""));
    }
    // No core was requested, so an error about one is an error.
    let j = printed(SAT, "sat\n((s \"a\") (i 0))\n(error \"unsat core is not available\")\n");
    expect(&j, Verdict::Error, Kind::Message);
}

#[test]
fn an_invalid_model_has_a_trace() {
    let j = printed(SAT, "sat\n((s \"ab\") (i 1))\n");
    expect(&j, Verdict::InvalidModel, Kind::InvalidModel);
    assert_eq!(j.model, ModelCheck::Fails);
    assert!(j.is_unsound());
    assert!(j.evidence.contains("assertion 1 is false"), "{}", j.evidence);
    assert!(j.evidence.contains("(str.at s i)  →  \"b\""), "{}", j.evidence);
    assert!(j.evidence.contains("model: s = \"ab\", i = 1"), "{}", j.evidence);
}

#[test]
fn a_partial_model_is_completed_with_a_note() {
    expect(&printed(SAT, "sat\n((define-fun s () String \"a\"))\n"), Verdict::Ok, Kind::ValidModel);
    let j = printed(SAT, "sat\n((define-fun i () Int 0))\n");
    expect(&j, Verdict::InvalidModel, Kind::InvalidModel);
    assert!(j.evidence.contains("completed with defaults: s"), "{}", j.evidence);
    // Constants that get-value did not report may have any value.
    expect(&printed(SAT, "sat\n((i 0))\n"), Verdict::Undetermined, Kind::ModelUndetermined);
}

#[test]
fn unreadable_is_not_wrong() {
    for (output, check) in [
        ("sat\n((define-fun s () String \"a", ModelCheck::Unreadable),
        ("sat\n((define-fun s () String (foo 1)))\n", ModelCheck::Undetermined),
        ("sat\n((s (= 1 \"a\")) (i 0))\n", ModelCheck::Unreadable),
        ("sat\nhm, let me see\n", ModelCheck::Unreadable),
        ("sat\n", ModelCheck::Absent),
        ("sat\n((define-fun s () String \"a\") (define-fun s () String \"b\"))\n", ModelCheck::Unreadable),
    ] {
        let j = printed(SAT, output);
        expect(&j, Verdict::Undetermined, Kind::ModelUndetermined);
        assert_eq!(j.model, check, "{output}: {j:?}");
        assert!(!j.evidence.is_empty());
    }
}

#[test]
fn no_alarm_where_it_depends_on_escapes() {
    let text = "(set-info :status sat)(declare-const s String)(assert (= (str.len s) 1))(check-sat)";
    let j = printed(text, "sat\n((s \"\\x41\"))\n");
    expect(&j, Verdict::Undetermined, Kind::ModelUndetermined);
    assert!(j.evidence.starts_with("in doubt"), "{}", j.evidence);
    let old = solver("dialect = '2.5'");
    let j = judged_by(&old, text, "sat\n((s \"\\x41\"))\n", "", &Ending::Exited(0));
    expect(&j, Verdict::Ok, Kind::ValidModel);
    let j = judged_by(&old, text, "sat\n((s \"\\u{41}\\x41\"))\n", "", &Ending::Exited(0));
    expect(&j, Verdict::InvalidModel, Kind::InvalidModel);
    let twice = "(set-info :status sat)(declare-const s String)(declare-const s String)(assert (= s \"a\"))(check-sat)";
    expect(&printed(twice, "sat\n((s \"b\"))\n"), Verdict::Undetermined, Kind::ModelUndetermined);
}

#[test]
fn no_alarm_where_it_depends_on_escapes_and_answers_are_renamed() {
    let text = "(set-info :status sat)(declare-const s String)(assert (= (str.len s) 1))(check-sat)";
    let renamed = solver("answers = { '>> SAT' = 'sat' }");
    let j = judged_by(&renamed, text, ">> SAT\n((s \"\\x41\"))\n", "", &Ending::Exited(0));
    expect(&j, Verdict::Undetermined, Kind::ModelUndetermined);
    assert!(j.evidence.starts_with("in doubt"), "{}", j.evidence);
}

#[test]
fn no_alarm_where_the_referee_is_undetermined() {
    let division = "(set-info :status sat)(declare-const x Int)(assert (= (div x 0) 5))(check-sat)";
    expect(
        &printed(division, "sat\n((define-fun x () Int 1))\n"),
        Verdict::Undetermined,
        Kind::ModelUndetermined,
    );
    let quantified = "(set-info :status sat)(declare-const s String)\n\
        (assert (forall ((t String)) (=> (str.prefixof t s) (str.contains s t))))(check-sat)";
    let j = printed(quantified, "sat\n((define-fun s () String \"\"))\n");
    assert!(!j.is_unsound(), "{j:?}");
}

#[test]
fn a_formula_without_constants_needs_no_model() {
    let j = printed("(set-info :status sat)(assert (= 1 1))(check-sat)", "sat\n");
    expect(&j, Verdict::Ok, Kind::ValidModel);
}

#[test]
fn unrequested_models() {
    let silent = solver("model = 'none'");
    expect(&judged_by(&silent, SAT, "sat\n", "", &Ending::Exited(0)), Verdict::Ok, Kind::CorrectSat);
    expect(
        &judged_by(&silent, OPEN, "sat\n", "", &Ending::Exited(0)),
        Verdict::Undetermined,
        Kind::Unlabelled,
    );
}

#[test]
fn an_error_in_place_of_the_model() {
    let j = printed(SAT, "sat\n(error \"line 8 column 10: model is not available\")\n");
    expect(&j, Verdict::Error, Kind::Message);
    assert_eq!(j.answer, Answer::Sat);
    let j = printed(SAT, "sat\n(error \"out of memory\")\n");
    expect(&j, Verdict::Error, Kind::OutOfMemory);
    let j = printed(SAT, "sat\n(error \"timeout\")\n");
    expect(&j, Verdict::Timeout, Kind::OwnLimit);
}

#[test]
fn an_unlabelled_formula_is_decided_by_a_model_only() {
    expect(&printed(OPEN, "sat\n((s \"a\"))\n"), Verdict::Ok, Kind::ValidModel);
    expect(&printed(OPEN, "sat\n((s \"ab\"))\n"), Verdict::InvalidModel, Kind::InvalidModel);
    expect(&printed(OPEN, "sat\n((s \"ab"), Verdict::Undetermined, Kind::Unlabelled);
    expect(&printed(OPEN, "unsat\n(error \"cannot get model\")\n"), Verdict::Undetermined, Kind::Unlabelled);
}

#[test]
fn the_other_semantics() {
    let text =
        "(set-info :status sat)(declare-const s String)(assert (= (str.indexof s \"\" 0) (- 1)))(check-sat)";
    let j = printed(text, "sat\n((s \"a\"))\n");
    expect(&j, Verdict::InvalidModel, Kind::InvalidModel);
    assert!(j.evidence.contains("CVC4 before SMT-LIB 2.6, the model satisfies it"), "{}", j.evidence);
    assert_eq!(Scope::of(&j.evidence), Some(Scope::One));
    let both = text.replace("(- 1)", "(- 2)");
    let j = printed(&both, "sat\n((s \"a\"))\n");
    assert_eq!((j.kind, Scope::of(&j.evidence)), (Kind::InvalidModel, Some(Scope::Both)));
    let j = printed(&both.replace(":status sat", ":status unsat"), "sat\n");
    assert_eq!((j.kind, Scope::of(&j.evidence)), (Kind::WrongSat, Some(Scope::Open)));
    let rules = Rules { reading: Reading::Pre26, ..Rules::default() };
    let raw = Raw { stdout: b"sat\n((s \"a\"))\n", stderr: b"", ending: &Ending::Exited(0) };
    expect(&judge(&case(text), &solver(""), &raw, &rules), Verdict::Ok, Kind::ValidModel);
    // An answer known for the standard semantics is not known for another one.
    let unsat = text.replace(":status sat", ":status unsat");
    let raw = Raw { stdout: b"unsat\n", ..raw };
    expect(&judge(&case(&unsat), &solver(""), &raw, &rules), Verdict::Undetermined, Kind::Unlabelled);
}
