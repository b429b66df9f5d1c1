//! Each pass on examples, before and after.

mod effects;
mod generator;
mod limits;

use super::*;
use crate::doc::Effect;

fn doc(text: &str) -> Doc {
    Doc::from_text(text.as_bytes()).expect("a script")
}

fn pass(name: &str) -> &'static dyn Pass {
    *PASSES.iter().find(|p| p.name() == name).expect("a pass of this name")
}

/// The scripts that single edits of a pass make, with their effects.
fn singles(name: &str, text: &str) -> Vec<(String, Effect)> {
    let start = doc(text);
    let made = pass(name).edits(&start).into_iter().filter_map(|e| apply(&start, &[e]));
    made.map(|c| (c.doc.to_text(), c.effect)).collect()
}

/// A pass makes a script with the assertions `after` and this effect from one with `before`.
#[track_caller]
fn makes(name: &str, before: &str, after: &str, effect: Effect) {
    let all = singles(name, before);
    let after = doc(after).to_text();
    let found = all.iter().find(|(text, _)| *text == after);
    assert_eq!(found.map(|f| f.1), Some(effect), "{name} makes {all:#?}");
}

const DECLARED: &str =
    "(declare-const x String)(declare-const y String)(declare-const p Bool)(declare-const q Bool)";

/// Assertions over some constants; those that are unused disappear.
fn with(body: &str) -> String {
    let text = format!("{DECLARED}{body}(check-sat)");
    let kept = |name: &str| body.contains(&format!(" {name})")) || body.contains(&format!(" {name} "));
    let declared: String =
        DECLARED.split_inclusive(')').filter(|d| kept(d.split(' ').nth(1).expect("a name"))).collect();
    text.replace(DECLARED, &declared)
}

#[track_caller]
fn turns(name: &str, before: &str, after: &str, effect: Effect) {
    makes(name, &with(before), &with(after), effect);
}

#[test]
fn assertions_are_dropped() {
    turns("assertions", "(assert (= x y))(assert (or p q))", "(assert (or p q))", Effect::Weaker);
}

#[test]
fn arguments_take_the_place_of_terms() {
    turns("arguments", "(assert (= (str.++ x y) y))", "(assert (= x y))", Effect::Any);
    turns("arguments", "(assert (and p q))", "(assert p)", Effect::Weaker);
    turns("arguments", "(assert (not (and p q)))", "(assert (not p))", Effect::Stronger);
    let union = "(assert (str.in_re x (re.union re.allchar (re.* re.allchar))))";
    turns("arguments", union, "(assert (str.in_re x re.allchar))", Effect::Stronger);
}

#[test]
fn terms_deep_inside_take_the_place_of_terms() {
    turns("descendants", "(assert (or q (not (and p q))))", "(assert p)", Effect::Any);
    turns("descendants", "(assert (= (str.++ (str.rev x) y) y))", "(assert (= x y))", Effect::Any);
}

#[test]
fn constants_take_the_place_of_terms() {
    turns("constants", "(assert (= (str.++ x x) y))", "(assert (= \"\" y))", Effect::Any);
    turns("constants", "(assert (or (= x y) p))", "(assert (or false p))", Effect::Stronger);
    turns("constants", "(assert (not (= x y)))", "(assert (not true))", Effect::Stronger);
}

#[test]
fn sequences_get_simpler() {
    let turns = |name, before: &str, after: &str, effect| {
        let with = |body: &str| {
            let y = if body.contains(" y") { "(declare-const y (Seq Int))" } else { "" };
            format!("(declare-const x (Seq Int)){y}(assert {body})(check-sat)")
        };
        makes(name, &with(before), &with(after), effect);
    };
    let empty = "(as seq.empty (Seq Int))";
    turns(
        "constants",
        "(= (seq.extract (seq.++ x x) 0 (seq.len x)) x)",
        &format!("(= {empty} x)"),
        Effect::Any,
    );
    turns("arguments", "(= (seq.at (seq.++ x y) 1) y)", "(= (seq.at x 1) y)", Effect::Any);
    turns("simplify", &format!("(= (seq.++ x {empty}) y)"), "(= x y)", Effect::Equivalent);
    turns("operators", "(= (seq.replace_all x y x) y)", "(= (seq.replace x y x) y)", Effect::Any);
    turns("operators", "(seq.prefixof x y)", "(= x y)", Effect::Stronger);
    turns("evaluate", "(= (seq.len (seq.unit 1)) (seq.len x))", "(= 1 (seq.len x))", Effect::Equivalent);
}

#[test]
fn bounds_take_the_place_of_excluded_values() {
    let bounds = |before: &str, after: &str| {
        let with = |body: &str| format!("(declare-const n Int){body}(check-sat)");
        makes("bounds", &with(before), &with(after), Effect::Equivalent);
    };
    bounds("(assert (not (< n 0)))(assert (not (= n 0)))", "(assert (>= n 1))");
    bounds("(assert (distinct (- 1) n))(assert (< (- 2) n))", "(assert (>= n 0))");
    bounds("(assert (not (= n 7)))(assert (> 9 n))(assert (not (= 8 n)))", "(assert true)(assert (<= n 6))");
    for none in [
        "(assert (> n 0))(assert (not (= n 0)))",
        "(assert (>= n 0))(assert (= n 0))",
        "(assert (>= n 0))(assert (not (distinct n 0)))",
        "(assert (>= n 0))(push 1)(assert (not (= n 0)))",
        "(declare-const r Real)(assert (>= r 0.0))(assert (not (= r 0.0)))",
    ] {
        assert_eq!(singles("bounds", &format!("(declare-const n Int){none}(check-sat)")), [], "{none}");
    }
}

#[test]
fn a_conditional_with_a_constant_is_a_connective() {
    turns("simplify", "(assert (ite p q true))", "(assert (=> p q))", Effect::Equivalent);
    turns("simplify", "(assert (ite p true q))", "(assert (or p q))", Effect::Equivalent);
    turns("simplify", "(assert (ite p q false))", "(assert (and p q))", Effect::Equivalent);
    turns("simplify", "(assert (ite p false true))", "(assert (not p))", Effect::Equivalent);
}

#[test]
fn literals_become_the_last_arguments() {
    turns("last", "(assert (distinct \"\" y x))", "(assert (distinct y x \"\"))", Effect::Equivalent);
    turns(
        "last",
        "(assert (= \"a\" (str.++ x \"b\")))",
        "(assert (= (str.++ x \"b\") \"a\"))",
        Effect::Equivalent,
    );
    assert_eq!(singles("last", &with("(assert (= x (str.++ \"a\" y) \"b\"))")), []);
}

#[test]
fn names_become_short() {
    makes(
        "rename",
        "(declare-const |a b| String)(declare-fun long (String) Int)(assert (= (long |a b|) 0))",
        "(declare-const |a b| String)(declare-fun y (String) Int)(assert (= (y |a b|) 0))",
        Effect::Equivalent,
    );
}

#[test]
fn commands_disappear() {
    let all = "(set-logic QF_S)(set-info :source |x|)(declare-fun x () String)(assert (= x \"\"))(check-sat)(get-model)(exit)(check-sat)";
    let expect = [
        "(set-logic QF_S)(set-info :source |x|)(declare-fun x () String)(assert (= x \"\"))(check-sat)(get-model)",
        "(set-info :source |x|)(declare-fun x () String)(assert (= x \"\"))(check-sat)(get-model)(exit)(check-sat)",
        "(set-logic ALL)(set-info :source |x|)(declare-fun x () String)(assert (= x \"\"))(check-sat)(get-model)(exit)(check-sat)",
        "(set-logic QF_S)(set-info :source |x|)(declare-const x String)(assert (= x \"\"))(check-sat)(get-model)(exit)(check-sat)",
        "(set-logic QF_S)(set-info :source |x|)(declare-fun x () String)(assert (= x \"\"))(check-sat)(exit)(check-sat)",
    ];
    for after in expect {
        makes("commands", all, after, Effect::Equivalent);
    }
}

#[test]
fn checks_disappear_with_their_requests() {
    let two = "(declare-const p Bool)(check-sat)(get-model)(assert p)(check-sat)";
    makes("checks", two, "(declare-const p Bool)(assert p)(check-sat)", Effect::Equivalent);
}

#[test]
fn levels_disappear_with_their_content_or_without() {
    let script = "(declare-const p Bool)(declare-const q Bool)(push 1)(assert p)(check-sat)(pop 1)(assert q)(check-sat)";
    makes("levels", script, "(declare-const q Bool)(assert q)(check-sat)", Effect::Equivalent);
    let flat = "(declare-const p Bool)(declare-const q Bool)(assert p)(check-sat)(assert q)(check-sat)";
    makes("levels", script, flat, Effect::Stronger);
    makes(
        "levels",
        "(declare-const p Bool)(push 1)(assert p)(check-sat)",
        "(declare-const p Bool)(assert p)(check-sat)",
        Effect::Equivalent,
    );
    let last = "(declare-const p Bool)(push 2)(assert p)(check-sat)(pop 2)";
    makes("levels", last, "(declare-const p Bool)(assert p)(check-sat)", Effect::Equivalent);
    // One `pop` closes a part of the levels of one `push`.
    assert_eq!(singles("levels", "(push 2)(check-sat)(pop 1)(check-sat)(pop 1)"), []);
    let reset = "(declare-const p Bool)(assert p)(check-sat)(reset-assertions)(assert (not p))(check-sat)";
    makes("levels", reset, "(declare-const p Bool)(assert (not p))(check-sat)", Effect::Equivalent);
    let kept = "(declare-const p Bool)(assert p)(check-sat)(assert (not p))(check-sat)";
    makes("levels", reset, kept, Effect::Stronger);
}

#[test]
fn assumptions_disappear_or_are_asserted() {
    let script = "(declare-const p Bool)(declare-const q Bool)(check-sat-assuming (p q))";
    makes("assumptions", script, "(declare-const q Bool)(check-sat-assuming (q))", Effect::Weaker);
    let asserted = "(declare-const p Bool)(declare-const q Bool)(assert p)(assert q)(check-sat)";
    makes("assumptions", script, asserted, Effect::Equivalent);
    let start = doc(script);
    let both = apply(&start, &pass("assumptions").edits(&start)[..2]).expect("a script");
    assert_eq!(both.doc.text(), "(check-sat)\n");
}

#[test]
fn conjunctions_are_split() {
    turns(
        "split",
        "(assert (and p (not (or q p))))",
        "(assert p)(assert (not q))(assert (not p))",
        Effect::Equivalent,
    );
    turns("split", "(assert (! (and p q) :named n))", "(assert p)(assert q)", Effect::Equivalent);
    turns("split", "(assert (not (=> p q)))", "(assert p)(assert (not q))", Effect::Equivalent);
}

#[test]
fn arguments_disappear() {
    turns("arity", "(assert (and p q p))", "(assert (and p p))", Effect::Weaker);
    turns("arity", "(assert (or p q))", "(assert q)", Effect::Stronger);
    turns("arity", "(assert (= (str.++ x \"a\") y))", "(assert (= x y))", Effect::Any);
    let start = doc(&with("(assert (or (= x y y) p q))"));
    let all = apply(&start, &pass("arity").edits(&start)).expect("a script");
    assert_eq!(all.doc.text(), "(assert false)\n(check-sat)\n");
}

#[test]
fn annotations_disappear_unless_their_names_are_used() {
    turns("annotations", "(assert (! p :named n))", "(assert p)", Effect::Equivalent);
    assert_eq!(singles("annotations", "(declare-const p Bool)(assert (! p :named n))(assert (not n))"), []);
}

#[test]
fn literals_get_smaller() {
    turns("literals", "(assert (= x \"bcd\" y))", "(assert (= x \"b\" y))", Effect::Any);
    turns("literals", "(assert (= x \"bcd\" y))", "(assert (= x \"bd\" y))", Effect::Any);
    turns("literals", "(assert (= x \"\\u{1f600}\" y))", "(assert (= x \"a\" y))", Effect::Any);
    turns("literals-at", "(assert (<= (str.len x) 17))", "(assert (<= (str.len x) 8))", Effect::Stronger);
    turns("literals-at", "(assert (>= (str.len x) 17))", "(assert (>= (str.len x) 8))", Effect::Weaker);
    turns("characters", "(assert (= \"zq\" x \"qz\" y))", "(assert (= \"zb\" x \"bz\" y))", Effect::Any);
}

#[test]
fn regular_expressions_get_narrower() {
    let before = "(assert (str.in_re x ((_ re.loop 2 5) (str.to_re y))))";
    turns("regexes", before, "(assert (str.in_re x (re.* (str.to_re y))))", Effect::Weaker);
    turns("regexes", before, "(assert (str.in_re x ((_ re.loop 2 2) (str.to_re y))))", Effect::Stronger);
    turns("regexes", before, "(assert (str.in_re x ((_ re.^ 2) (str.to_re y))))", Effect::Stronger);
    let range = "(assert (not (str.in_re x (re.range \"b\" \"y\"))))";
    turns("regexes", range, "(assert (not (str.in_re x (str.to_re \"b\"))))", Effect::Weaker);
    let ground = "(assert (str.in_re x (re.++ (re.* (str.to_re \"b\")) (str.to_re \"cd\"))))";
    turns("regexes", ground, "(assert (str.in_re x (str.to_re \"cd\")))", Effect::Stronger);
}

#[test]
fn definitions_are_inlined() {
    makes(
        "inline",
        "(declare-const x Int)(define-fun f ((a Int)) Bool (> a 0))(define-fun g ((a Int)) Bool (f (+ a 1)))(assert (g x))",
        "(declare-const x Int)(define-fun f ((a Int)) Bool (> a 0))(assert (f (+ x 1)))",
        Effect::Equivalent,
    );
    makes(
        "inline",
        "(declare-const x Int)(define-fun f ((a Int)) Bool (> a 0))(assert (f x))",
        "(declare-const x Int)(assert (> x 0))",
        Effect::Equivalent,
    );
    makes(
        "inline",
        "(declare-const x Bool)(assert (! x :named long_name))(assert (not long_name))",
        "(declare-const x Bool)(assert (! x :named long_name))(assert (not x))",
        Effect::Equivalent,
    );
    // The variable `a` would be captured.
    let captured = "(define-fun function ((b Int)) Bool (exists ((a Int)) (= a b)))(assert (forall ((a Int)) (function a)))";
    assert_eq!(singles("inline", captured), []);
}

#[test]
fn equalities_are_solved() {
    turns(
        "solve",
        "(assert (= x (str.++ y \"a\")))(assert (= x \"b\"))",
        "(assert (= (str.++ y \"a\") \"b\"))",
        Effect::Equivalent,
    );
    turns("solve", "(assert (not p))(assert (or p q))", "(assert (or false q))", Effect::Equivalent);
    // The first check is without the equality.
    let later = "(declare-const x String)(assert (= x \"b\"))(check-sat)(assert (= x \"a\"))(check-sat)";
    makes("solve", later, "(check-sat)(assert (= \"b\" \"a\"))(check-sat)", Effect::Equivalent);
    makes("solve", later, "(assert (= \"a\" \"b\"))(check-sat)(check-sat)", Effect::Stronger);
    // `x` depends on itself, through a definition.
    let own = "(declare-const x Int)(define-fun f () Int (+ x 1))(assert (= x f))(assert (> x 0))";
    assert_eq!(singles("solve", own), []);
}

#[test]
fn constants_of_the_script_become_fewer() {
    turns(
        "values",
        "(assert (= x (str.++ y \"b\")))",
        "(assert (= x (str.++ \"\" \"b\")))",
        Effect::Stronger,
    );
    turns("merge", "(assert (= x (str.++ y \"b\")))", "(assert (= x (str.++ x \"b\")))", Effect::Stronger);
}

#[test]
fn constants_take_the_place_of_terms_around_them() {
    turns("own", "(assert (= x (str.replace y \"a\" y)))", "(assert (= x y))", Effect::Weaker);
    turns("own", "(assert (= x (str.replace y x y)))", "(assert (= x y))", Effect::Weaker);
    assert_eq!(singles("own", &with("(assert (= x (str.rev y) (str.replace x x y) y))")), []);
    let start = doc(&with("(assert (= x (str.replace y \"a\" y)))"));
    let edits = pass("own").edits(&start);
    let made = apply(&start, &edits[..1]).expect("a script");
    assert_eq!(made.fresh.len(), 1);
}

#[test]
fn a_constant_takes_the_place_of_one_term_only() {
    let start = doc(&with("(assert (not (and (or p q) q)))(assert q)"));
    let mut edits = pass("own").edits(&start);
    edits.reverse();
    let made = apply(&start, &edits).expect("a script");
    assert_eq!(
        made.doc.text(),
        "(declare-const p Bool)\n(declare-const q Bool)\n(assert (not (and p q)))\n(assert q)\n(check-sat)\n"
    );
    assert_eq!(made.fresh.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["p"]);
}

#[test]
fn new_constants_take_the_place_of_terms() {
    let term = "(str.replace_all (str.++ x \"abc\" y \"abc\") \"abcdefgh\" x)";
    let start = doc(&with(&format!("(assert (= x {term} y {term}))")));
    let made = apply(&start, &pass("fresh").edits(&start)[1..2]).expect("a script");
    assert_eq!(made.effect, Effect::Weaker);
    assert!(made.doc.text().contains("(assert (= x z y z))"), "{}", made.doc.text());
    assert_eq!(made.fresh.len(), 1);
}

#[test]
fn quantifiers_disappear() {
    let all = "(assert (forall ((a Int) (b Int)) (= a (str.len x))))";
    turns("quantifiers", all, "(assert (forall ((b Int)) (= 0 (str.len x))))", Effect::Weaker);
    turns("quantifiers", all, "(assert (forall ((a Int)) (= a (str.len x))))", Effect::Equivalent);
    turns("quantifiers", all, "(assert (= 1 (str.len x)))", Effect::Weaker);
    let some = "(assert (exists ((aa Int)) (and (= aa (str.len x)) (> aa 2) (< aa 5) (distinct aa 3))))";
    let fresh = "(declare-const y Int)(declare-const x String)(assert (and (= y (str.len x)) (> y 2) (< y 5) (distinct y 3)))(check-sat)";
    makes("quantifiers", &with(some), fresh, Effect::Equivalent);
    turns(
        "quantifiers",
        some,
        "(assert (and (= 0 (str.len x)) (> 0 2) (< 0 5) (distinct 0 3)))",
        Effect::Stronger,
    );
    // The inner variable is another one.
    let hidden = "(assert (forall ((a Int)) (and (= a 1) (exists ((a Int)) (= a (str.len x))))))";
    turns(
        "quantifiers",
        hidden,
        "(assert (forall ((a Int)) (and (= a 1) (= 0 (str.len x)))))",
        Effect::Stronger,
    );
    assert_eq!(singles("quantifiers", &with(hidden)).len(), 3);
}

#[test]
fn functions_lose_parameters() {
    let script = "(declare-fun f (Int Bool) Int)(assert (= (f 1 true) 2))";
    makes("parameters", script, "(declare-fun f (Int) Int)(assert (= (f 1) 2))", Effect::Stronger);
    makes("parameters", script, "(declare-const f Int)(assert (= f 2))", Effect::Stronger);
    let defined = "(define-fun f ((a Int) (b Int)) Int (+ a 3))(assert (= (f 1 2) 2))";
    makes(
        "parameters",
        defined,
        "(define-fun f ((a Int)) Int (+ a 3))(assert (= (f 1) 2))",
        Effect::Equivalent,
    );
    makes("parameters", defined, "(define-fun f ((b Int)) Int (+ 0 3))(assert (= (f 2) 2))", Effect::Any);
}

#[test]
fn formulas_are_simplified() {
    for (before, after) in [
        ("(not (not p))", "p"),
        ("(= true p)", "p"),
        ("(= p false)", "(not p)"),
        ("(and p true q)", "(and p q)"),
        ("(or p true q)", "true"),
        ("(ite p q q)", "q"),
        ("(= (str.++ x \"\" y) y)", "(= (str.++ x y) y)"),
        ("(=> p false)", "(not p)"),
        ("(or p p)", "p"),
    ] {
        turns("simplify", &format!("(assert {before})"), &format!("(assert {after})"), Effect::Equivalent);
    }
}

#[test]
fn terms_without_constants_are_evaluated() {
    turns("evaluate", "(assert (= x (str.++ \"a\" \"b\") y))", "(assert (= x \"ab\" y))", Effect::Equivalent);
    let readings = "(assert (= x (str.replace \"a\" \"\" \"b\") y))";
    turns("evaluate", readings, "(assert (= x \"ba\" y))", Effect::Any);
}

#[test]
fn operators_are_exchanged() {
    turns(
        "operators",
        "(assert (= x (str.replace_all x y y)))",
        "(assert (= x (str.replace x y y)))",
        Effect::Any,
    );
    turns("operators", "(assert (str.prefixof x y))", "(assert (= x y))", Effect::Stronger);
}

#[test]
fn other_terms_take_the_place_of_terms() {
    turns("others", "(assert (= x (str.++ y y)))", "(assert (= x x))", Effect::Any);
}

#[test]
fn lets_disappear() {
    let before = "(declare-const p Bool)(assert (let ((a (not p))) (or a a)))";
    let start = doc(before);
    let made = apply(&start, &pass("let").edits(&start)[..1]);
    assert_eq!(made.expect("a script").doc.text(), "(declare-const p Bool)\n(assert (or (not p) (not p)))\n");
}

#[test]
fn passes_are_found_by_name() {
    let found = by_names(&["rename".into(), "split".into()]).expect("both exist");
    assert_eq!(found.iter().map(|p| p.name()).collect::<Vec<_>>(), ["split", "rename"]);
    assert!(by_names(&["splitt".into()]).is_err_and(|e| e.contains("splitt") && e.contains("rename")));
}
