//! Scripts with several checks.

use super::*;

const THREE: &str =
    "(declare-const x Int)(set-info :status sat)(assert (> x 0))(check-sat)(push 1)(assert (< x 0))
    (set-info :status unsat)(check-sat)(pop 1)(set-info :status sat)(check-sat)";

#[test]
fn all_results_are_correct() {
    let j = printed(THREE, "sat\n((x 1))\nunsat\n(error \"no model\")\nsat\n((x 2))\n");
    expect(&j, Verdict::Ok, Kind::ValidModel);
}

#[test]
fn the_worst_check_counts_and_is_named() {
    let j = printed(THREE, "sat\n((x 1))\nunsat\n(error \"no model\")\nsat\n((x 0))\n");
    expect(&j, Verdict::InvalidModel, Kind::InvalidModel);
    assert!(j.evidence.starts_with("check-sat 3 of 3: "), "{}", j.evidence);
    let j = printed(THREE, "unknown\nsat\n((x 1))\nsat\n((x 2))\n");
    expect(&j, Verdict::WrongSat, Kind::WrongSat);
    assert_eq!(j.answer, Answer::Sat);
    assert!(j.evidence.starts_with("check-sat 2 of 3: "), "{}", j.evidence);
}

#[test]
fn it_may_end_too_soon() {
    let j = judged(THREE, "sat\n((x 1))\nunsat\n", &Ending::WallLimit);
    expect(&j, Verdict::Timeout, Kind::WallTime);
    assert_eq!(j.evidence, "it gave 2 answers, then ran out of time");
    expect(&judged(THREE, "sat\n((x 1))\n", &Ending::Exited(0)), Verdict::Error, Kind::Silent);
    expect(&judged(THREE, "sat\n((x 1))\n", &Ending::Signalled(11)), Verdict::Error, Kind::CrashAfterAnswer);
}

#[test]
fn answers_after_an_error_are_ignored() {
    let output = "sat\n((x 1))\n(error \"line 3: unknown symbol\")\nsat\n((x 1))\nsat\n((x 1))\n";
    let j = judged(THREE, output, &Ending::Exited(1));
    expect(&j, Verdict::Error, Kind::Rejected);
}
