//! Statements of fake solvers: true ones pass, false ones become instances.

use super::*;
use crate::fake;
use campaign::outcome::Status;

fn case(text: &str) -> Case {
    Case::from_text("c", text.as_bytes()).expect("a script")
}

/// The claims about a case by a solver that prints this.
fn said(output: &str, case: &Case, ask: fn(&Case, &Variant, &Asker<'_>) -> Vec<Claim>) -> Vec<Claim> {
    fake::with_solver("z3", &format!("cat > /dev/null\ncat <<'END'\n{output}\nEND"), |variant, asker| {
        ask(case, variant, asker)
    })
}

fn simplified(case: &Case, variant: &Variant, asker: &Asker<'_>) -> Vec<Claim> {
    simplify::ask([case].into_iter(), variant, asker, &fake::cancel()).expect("not cancelled")
}

fn valued(case: &Case, variant: &Variant, asker: &Asker<'_>) -> Vec<Claim> {
    values::ask([case].into_iter(), variant, asker, &fake::cancel()).expect("not cancelled")
}

fn assumed(case: &Case, variant: &Variant, asker: &Asker<'_>) -> Vec<Claim> {
    assumptions::ask([case].into_iter(), variant, asker, &fake::cancel()).expect("not cancelled")
}

#[test]
fn outputs_are_divided_by_their_markers() {
    assert_eq!(divided("a\nclaim-0\nb\nc\n\"claim-1\"\nd\n", 2), ["a\n", "b\nc\n"]);
    assert_eq!(divided("a\n", 2), Vec::<String>::new());
}

#[test]
fn a_simplified_term_keeps_its_value() {
    let ground = case("(assert (= (str.replace \"ab\" \"\" \"c\") \"cab\"))(check-sat)");
    assert!(said("\"cab\"\nclaim-0\ntrue\nclaim-1", &ground, simplified).is_empty());
    assert!(said("(str.++ \"c\" \"ab\")\nclaim-0\n(= 1 1)\nclaim-1", &ground, simplified).is_empty());
    let found = said("\"ab\"\nclaim-0\nfalse\nclaim-1", &ground, simplified);
    assert_eq!(found.len(), 2);
    for claim in &found {
        let (case, text) = claim.instance.as_ref().expect("an instance");
        assert_eq!(case.status(0), Status::Sat, "{text}");
    }
    assert!(said("(error \"no\")\nclaim-0\nseq.what\nclaim-1", &ground, simplified).is_empty());
}

#[test]
fn a_simplified_term_is_compared_under_the_model() {
    let open = case(
        "(set-info :status sat)(set-info :stringent-model \"((define-fun x () String \"\"b\"\"))\")(declare-const x String)\
         (assert (= (str.at x 1) \"\"))(check-sat)",
    );
    assert!(said("(str.at x 1)\nclaim-0\n(<= (str.len x) 1)\nclaim-1", &open, simplified).is_empty());
    let found = said("(str.at x 0)\nclaim-0\ntrue\nclaim-1", &open, simplified);
    let (_, text) = found[0].instance.as_ref().expect("an instance");
    assert!(found.len() == 1 && text.contains("(= x \"b\")"), "{text}");
}

#[test]
fn values_agree_with_the_model() {
    let case = case("(declare-const x String)(assert (= (str.len x) 2))(check-sat)");
    let model = |x: &str| format!("(\n  (define-fun x () String\n    \"{x}\")\n)");
    let reply = |x: &str, len: &str| {
        format!(
            "sat\n{}\n((x \"{x}\") ((= (str.len x) 2) true) ((str.len x) {len}) (x \"{x}\"))\nclaim-0",
            model(x)
        )
    };
    assert!(said(&reply("ab", "2"), &case, valued).is_empty());
    let found = said(&reply("ab", "3"), &case, valued);
    let (back, _) = found[0].instance.as_ref().expect("an instance");
    assert_eq!((found.len(), back.status(0)), (1, Status::Sat));
    let found = said(&reply("abc", "2"), &case, valued);
    assert!(found.len() == 1 && found[0].instance.is_none(), "{found:?}");
    assert!(said("unsat\n(error \"no model\")\nclaim-0", &case, valued).is_empty());
}

#[test]
fn unsat_assumptions_have_no_model() {
    let case = case(
        "(declare-const p Bool)(declare-const q Bool)(declare-const x String)(assert (=> p (= x \"a\")))(assert (=> q (= x \"b\")))\
         (set-info :status sat)(check-sat)(set-info :status unsat)(check-sat-assuming (p q))",
    );
    assert!(said("sat\nunsat\n(p q)\nclaim-0", &case, assumed).is_empty());
    let found = said("sat\nunsat\n(p)\nclaim-0", &case, assumed);
    let (back, text) = found[0].instance.as_ref().expect("an instance");
    assert!(back.status(0) == Status::Sat && text.contains("(check-sat-assuming (p))"), "{text}");
    assert!(said("sat\nsat\n(error \"no\")\nclaim-0", &case, assumed).is_empty());
    assert!(said("sat\nunsat\n(r)\nclaim-0", &case, assumed).is_empty());
}
