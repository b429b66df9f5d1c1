//! Each pass on examples, before and after.

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
fn names_become_short() {
    makes(
        "rename",
        "(declare-const |a b| String)(declare-fun long (String) Int)(assert (= (long |a b|) 0))",
        "(declare-const |a b| String)(declare-fun y (String) Int)(assert (= (y |a b|) 0))",
        Effect::Equivalent,
    );
}
