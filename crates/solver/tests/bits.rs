//! Wide bit-vectors within a small number of ticks: alone, as cores, and in a session that keeps its engine.

mod common;

use common::{run, settings};
use stringent_solver::options::Strategy;

const TICKS: u64 = 8_000_000;

const HEADER: &str = "(declare-const a (_ BitVec 64))(declare-const b (_ BitVec 64))(declare-const c (_ BitVec 64))(declare-const d (_ BitVec 64))\
    (declare-fun f ((_ BitVec 64)) (_ BitVec 64))(declare-datatype R ((mk (left (_ BitVec 64)) (right (_ BitVec 64)))))(declare-const r R)(declare-const x String)";

/// The answer, then assertions.
const PROBLEMS: &[(&str, &[&str])] = &[
    ("unsat", &["(bvult a b)", "(bvult b c)", "(not (bvult a c))"]),
    ("unsat", &["(bvslt a b)", "(bvslt b c)", "(bvslt c d)", "(bvslt d a)"]),
    ("sat", &["(bvslt a b)", "(bvslt b c)", "(bvult c a)"]),
    ("unsat", &["(bvsle a b)", "(bvsle b a)", "(distinct (f a) (f b))"]),
    ("unsat", &["(bvult (f a) (f b))", "(bvult (f b) (f c))", "(= a c)"]),
    ("unsat", &["(bvslt (left r) a)", "(bvslt a b)", "(= r (mk b c))"]),
    (
        "sat",
        &[
            "(bvslt (left r) a)",
            "(bvslt a (right r))",
            "(= (str.len x) (ubv_to_int ((_ extract 1 0) a)))",
            "(> (str.len x) 2)",
        ],
    ),
    ("unsat", &["(distinct (bvadd a (bvadd b c)) (bvadd (bvadd c a) b))"]),
    ("unsat", &["(not (bvsaddo a b))", "(bvsgt b #x0000000000000000)", "(bvsle (bvadd a b) a)"]),
    (
        "sat",
        &[
            "(= (bvudiv a b) #x0000000000000007)",
            "(= (bvurem a b) #x0000000000000005)",
            "(bvugt b #x00000000000000ff)",
        ],
    ),
    ("sat", &["(= (bvsdiv a b) #xfffffffffffffff9)", "(= (bvsrem a b) #x0000000000000003)"]),
    ("unsat", &["(= b #x0000000000000000)", "(distinct (bvurem a b) a)"]),
    (
        "unsat",
        &["(bvsmulo a #x0000000000000064)", "(bvslt a #x00000fffffffffff)", "(bvsgt a #xffff000000000000)"],
    ),
    (
        "sat",
        &[
            "(= (bvmul a b) #x000000000000005b)",
            "(bvugt a #x0000000000000001)",
            "(bvugt b #x0000000000000001)",
        ],
    ),
];

fn script(assertions: &[&str]) -> String {
    let named = |(n, a): (usize, &&str)| format!("(assert (! {a} :named a{n}))");
    assertions.iter().enumerate().map(named).collect::<String>() + "(check-sat)"
}

#[test]
fn answers() {
    for (answer, assertions) in PROBLEMS {
        let output = run(&format!("{HEADER}{}", script(assertions)), settings(Strategy::Auto, TICKS));
        assert_eq!(output.verdict(), *answer, "{assertions:?}: {:?}", output.responses);
    }
}

#[test]
fn cores_are_complete() {
    for (_, assertions) in PROBLEMS.iter().filter(|p| p.0 == "unsat") {
        let mut wanted = settings(Strategy::Auto, TICKS);
        wanted.cores = true;
        let output = run(&format!("{HEADER}{}(get-unsat-core)", script(assertions)), wanted);
        assert_eq!(output.verdict(), "unsat", "{assertions:?}");
        // No assertion of these is redundant.
        let core = output.responses.last().expect("a core");
        assert_eq!(core.matches('a').count(), assertions.len(), "{assertions:?}: {core}");
    }
}

/// A vector that is alone in one check is the argument of a function in the next one.
#[test]
fn sessions_share_bits() {
    let mut text = HEADER.to_owned();
    let mut wanted = Vec::new();
    for _ in 0..2 {
        for (answer, assertions) in PROBLEMS {
            text += &format!("(push){}(pop)", script(assertions));
            wanted.push(*answer);
        }
    }
    let mut kept = settings(Strategy::Auto, TICKS);
    kept.options.standing_from = 0;
    assert_eq!(run(&text, kept).verdicts, wanted);
}

/// Circuits have a limit, past which the answer is unknown.
#[test]
fn large_circuits_are_unknown() {
    let sort = "(_ BitVec 2048)";
    let text = format!(
        "(declare-const a {sort})(declare-const b {sort})(assert (distinct (bvmul a b) (bvmul b a)))(check-sat)"
    );
    let output = run(&text, settings(Strategy::Auto, TICKS));
    assert_eq!(output.verdict(), "unknown");
}

/// More fields than are compared in pairs: how two of them differ is stated when the search makes their equality.
#[test]
fn fields_that_differ_have_different_bits() {
    let text = "(declare-datatype Option (par (X) ((none) (some (val X)))))(declare-datatype T ((T (at (_ BitVec 6)))))(declare-datatype D ((D (by (_ BitVec 6)))))
        (declare-datatype R ((R (r0 T) (r1 D) (r2 D))))(declare-const r R)(define-fun no () (Option T) (as none (Option T)))
        (define-fun later ((t T) (d D)) (Option T) (ite (bvsaddo (at t) (by d)) no (some (T (bvadd (at t) (by d))))))
        (define-fun both ((d D) (e D)) (Option T) (ite (bvsaddo (at (r0 r)) (by d)) no (later (val (later (r0 r) d)) e)))
        (define-fun x () (Option T) (both (r1 r) (r2 r)))(define-fun y () (Option T) (both (r2 r) (r1 r)))
        (define-fun no2 () (Option Bool) (as none (Option Bool)))
        (define-fun same () (Option Bool) (ite (= x no) no2 (ite (= y no) no2 (some (= (val x) (val y))))))
        (push)(assert (= same (some false)))(check-sat)(pop)(assert (= same (some true)))(check-sat)";
    assert_eq!(run(text, settings(Strategy::Auto, TICKS)).verdicts, ["unsat", "sat"]);
}
