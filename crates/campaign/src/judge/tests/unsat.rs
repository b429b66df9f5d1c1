//! `unsat` and its cores, and opposite answers.

use super::*;

#[test]
fn cores() {
    for (core, verdict, kind, check) in [
        ("(n1 n2)", Verdict::Ok, Kind::MinimalCore, CoreCheck::Minimal),
        ("(\nn2\nn1\n)", Verdict::Ok, Kind::MinimalCore, CoreCheck::Minimal),
        ("(n1 n2 n3)", Verdict::InvalidCore, Kind::ImpreciseCore, CoreCheck::Imprecise),
        ("(n1 n3)", Verdict::InvalidCore, Kind::UnsoundCore, CoreCheck::Satisfiable),
        ("()", Verdict::InvalidCore, Kind::UnsoundCore, CoreCheck::Satisfiable),
        ("(n1 n7)", Verdict::InvalidCore, Kind::ForeignCore, CoreCheck::Foreign),
        ("(n1 n2", Verdict::Undetermined, Kind::CoreUndetermined, CoreCheck::Unreadable),
        ("", Verdict::Undetermined, Kind::CoreUndetermined, CoreCheck::Absent),
    ] {
        for tail in ["", "\n(error \"line 10 column 14: model is not available\")\n"] {
            if core.is_empty() && !tail.is_empty() || core == "(n1 n2" {
                continue;
            }
            let j = printed(UNSAT, &format!("unsat\n{core}{tail}"));
            expect(&j, verdict, kind);
            assert_eq!((j.answer, j.core), (Answer::Unsat, check), "{core}");
            assert_eq!(j.evidence.is_empty(), verdict == Verdict::Ok, "{j:?}");
        }
    }
    let cut = printed(UNSAT, "unsat\n(n1 n2");
    expect(&cut, Verdict::Undetermined, Kind::CoreUndetermined);
    assert_eq!(cut.core, CoreCheck::Unreadable);
}

#[test]
fn a_refuted_core_has_the_model_as_evidence() {
    let j = printed(UNSAT, "unsat\n(n2 n3)\n");
    assert!(j.is_unsound());
    assert!(j.evidence.contains("core: (n2 n3)"), "{}", j.evidence);
    assert!(j.evidence.contains("model: s = \"b\""), "{}", j.evidence);
}

#[test]
fn a_core_that_nothing_refutes_is_undetermined() {
    let wrong = UNSAT.replace("(n1 ((s \"b\")))", "(n1 ((s \"c\")))");
    let j = printed(&wrong, "unsat\n(n2 n3)\n");
    expect(&j, Verdict::Undetermined, Kind::CoreUndetermined);
    assert_eq!(j.core, CoreCheck::Undetermined);
}

#[test]
fn a_file_without_certificate_has_no_known_core() {
    let file = "(set-info :status unsat)(declare-const s String)(assert (! (= s \"a\") :named n1))\n\
                (assert (= s \"b\"))(check-sat)";
    let j = printed(file, "unsat\n(n1)\n");
    expect(&j, Verdict::Ok, Kind::CorrectUnsat);
    expect(&printed(file, "unsat\n(n2)\n"), Verdict::InvalidCore, Kind::ForeignCore);
    let plain = "(set-info :status unsat)(assert false)(check-sat)";
    expect(&printed(plain, "unsat\n(error \"model is not available\")\n"), Verdict::Ok, Kind::CorrectUnsat);
}

#[test]
fn no_core_where_none_is_requested() {
    let none = judged_by(&solver("").without_cores(), UNSAT, "unsat\n", "", &Ending::Exited(0));
    expect(&none, Verdict::Ok, Kind::CorrectUnsat);
    let rules = Rules { wants: Wants { named: false, ..Wants::default() }, ..Rules::default() };
    let raw = Raw { stdout: b"unsat\n", stderr: b"", ending: &Ending::Exited(0) };
    expect(&judge(&case(UNSAT), &solver(""), &raw, &rules), Verdict::Ok, Kind::CorrectUnsat);
}

trait WithoutCores {
    fn without_cores(self) -> Self;
}

impl WithoutCores for Solver {
    fn without_cores(mut self) -> Self {
        self.profile.cores = false;
        self
    }
}

#[test]
fn an_error_in_place_of_the_core() {
    let j = printed(UNSAT, "unsat\n(error \"core is gone\")\n");
    expect(&j, Verdict::Error, Kind::Message);
}

#[test]
fn sat_on_unsat() {
    let j = printed(UNSAT, "sat\n(error \"unsat core is not available\")\n((s \"a\"))\n");
    expect(&j, Verdict::WrongSat, Kind::WrongSat);
    assert_eq!(j.model, ModelCheck::Fails);
    assert!(j.evidence.contains("unsatisfiable by construction"), "{}", j.evidence);
    assert!(j.evidence.contains("assertion 2 `n2` is false"), "{}", j.evidence);
    let over = judged_by(&solver("over-approximating = true"), UNSAT, "sat\n", "", &Ending::Exited(0));
    expect(&over, Verdict::WrongSat, Kind::OverApproximation);
    assert!(!over.is_unsound());
}

#[test]
fn a_file_can_be_wrong() {
    let file = "(set-info :status unsat)(declare-const s String)(assert (= s \"a\"))(check-sat)";
    let j = printed(file, "sat\n((s \"a\"))\n");
    expect(&j, Verdict::Ok, Kind::ValidModel);
    assert!(j.evidence.contains("status of the file, unsat, is wrong"), "{}", j.evidence);
    let j = printed(file, "sat\n((s \"b\"))\n");
    expect(&j, Verdict::WrongSat, Kind::WrongSat);
    assert!(j.evidence.contains("as stated by the file"), "{}", j.evidence);
}

#[test]
fn unsat_on_sat() {
    let j = printed(SAT, "unsat\n(error \"model is not available\")\n");
    expect(&j, Verdict::WrongUnsat, Kind::WrongUnsat);
    assert!(j.evidence.contains("this model satisfies every assertion"), "{}", j.evidence);
    assert!(j.evidence.contains("model: s = \"a\", i = 0"), "{}", j.evidence);
    let file = "(set-info :status sat)(declare-const s String)(assert (= s \"a\"))(check-sat)";
    let j = printed(file, "unsat\n");
    expect(&j, Verdict::WrongUnsat, Kind::WrongUnsat);
    assert!(j.evidence.contains("as stated by the file"), "{}", j.evidence);
    let broken = SAT.replace("(i 0)", "(i 7)");
    let j = printed(&broken, "unsat\n");
    expect(&j, Verdict::Undetermined, Kind::Unlabelled);
    assert!(j.evidence.contains("the known model is wrong"), "{}", j.evidence);
    let ground = "(set-info :status sat)(set-info :stringent-model \"()\")(assert (= \"a\" (str.++ \"a\" \"\")))(check-sat)";
    let j = printed(ground, "unsat\n");
    expect(&j, Verdict::WrongUnsat, Kind::WrongUnsat);
    assert!(j.evidence.contains("it has no variables and is true by evaluation"), "{}", j.evidence);
}
