//! Labels are true: through edits, with solvers that lie, and in sessions.

use super::*;
use crate::passes::{PASSES, apply};
use proptest::prelude::*;
use semantics::{Instance, Truth};
use std::os::unix::fs::PermissionsExt as _;
use synth::dice::Dice;

fn doc(text: &str) -> Doc {
    Doc::from_text(text.as_bytes()).expect("a script")
}

fn cancel() -> Cancel {
    Cancel::new().expect("an event")
}

/// A solver that always prints this.
struct Fake(tempfile::TempDir);

impl Fake {
    fn says(text: &str) -> Fake {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("fake");
        std::fs::write(&path, format!("#!/bin/sh\ncat > /dev/null\necho '{text}'\n")).expect("written");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("executable");
        Fake(dir)
    }

    fn named(&self, name: &str) -> Solver {
        profile::resolve(&format!("{name}={}", self.0.path().join("fake").display())).expect("a solver")
    }

    fn solver(&self) -> Solver {
        self.named("fake")
    }
}

/// A smaller script made by hand from `old`: a candidate with this effect whose commands come from those with the same text, or in order.
fn candidate(old: &Doc, text: &str, effect: Effect) -> Candidate {
    let new = doc(text);
    let lines = |d: &Doc| d.text().lines().map(str::to_owned).collect::<Vec<_>>();
    let (before, after) = (lines(old), lines(&new));
    // The certificate comes first, and the text does not have it.
    let hidden = old.script.entries.len() - before.len();
    let mut from = 0;
    let origin = after.iter().map(|line| {
        let at = before.iter().skip(from).position(|b| b == line).map(|i| i + from);
        from = at.map_or(from, |i| i + 1);
        at.map(|i| i + hidden)
    });
    let origin = origin.collect();
    Candidate { doc: new, effect, origin, renamed: Vec::new(), fresh: Vec::new() }
}

fn start(keeper: &Keeper, text: &str) -> (Doc, Result<Label, Unlabelled>) {
    let doc = doc(text);
    let label = keeper.start(&doc, None, &cancel());
    (doc, label)
}

#[track_caller]
fn labelled(keeper: &Keeper, text: &str) -> (Doc, Label) {
    let (doc, label) = start(keeper, text);
    (doc, label.unwrap_or_else(|e| panic!("{e}")))
}

const MODEL: &str = "(set-info :status sat)(set-info :stringent-model |((define-fun x () String \"ab\") (define-fun y () String \"cd\"))|)\
    (declare-const x String)(declare-const y String)(assert (= x \"ab\"))(assert (str.contains (str.++ x y) \"bc\"))(check-sat)";

const CORE: &str = "(set-info :status unsat)(set-info :stringent-core |(a b)|)(declare-const x String)(declare-const y String)\
    (assert (! (= x \"a\") :named a))(assert (! (= x \"b\") :named b))(assert (! (= y x) :named c))(check-sat)";

#[test]
fn a_model_is_carried_to_a_smaller_script() {
    let keeper = Keeper::new(Vec::new());
    let (old, label) = labelled(&keeper, MODEL);
    assert_eq!(label.check(0).status, Status::Sat);
    let text = "(declare-const x String)(declare-const y String)(assert (str.contains (str.++ x y) \"bc\"))(check-sat)";
    let new = keeper.label(&label, &old, &candidate(&old, text, Effect::Any)).expect("a label");
    let Argument::Model { model, source } = &new.checks[0].argument else { panic!("{new:?}") };
    assert!(model.contains("\"ab\"") && model.contains("\"cd\""), "{model}");
    assert_eq!(source, "the certificate of the script");
}

#[test]
fn a_model_is_carried_through_new_names_and_new_constants() {
    let keeper = Keeper::new(Vec::new());
    let (old, label) = labelled(&keeper, MODEL);
    let text = "(declare-const z String)(declare-const k String)(assert (str.contains k \"bc\"))(assert (= z \"ab\"))(check-sat)";
    let mut new = candidate(&old, text, Effect::Weaker);
    // `(str.++ x y)` became `k`.
    let joined =
        old.pool.subterms(old.all_roots()).find(|&t| old.pool.head(t) == smt::Head::Op(smt::Op::StrConcat));
    new.renamed = vec![("z".into(), "x".into())];
    new.fresh = vec![("k".into(), joined.expect("it is there"))];
    let label = keeper.label(&label, &old, &new).expect("a label");
    let model = label.checks[0].model().expect("a model");
    assert!(model.contains("z () String \"ab\"") && model.contains("k () String \"abcd\""), "{model}");
}

#[test]
fn names_may_be_exchanged() {
    let keeper = Keeper::new(Vec::new());
    let (old, label) = labelled(&keeper, MODEL);
    let text = "(declare-const x String)(declare-const y String)(assert (= y \"ab\"))(assert (str.contains (str.++ y x) \"bc\"))(check-sat)";
    let mut new = candidate(&old, text, Effect::Equivalent);
    new.renamed = vec![("x".into(), "y".into()), ("y".into(), "x".into())];
    let label = keeper.label(&label, &old, &new).expect("a label");
    assert_eq!(
        label.checks[0].model(),
        Some("((define-fun x () String \"cd\") (define-fun y () String \"ab\"))")
    );
}

#[test]
fn merged_constants_get_another_model() {
    let keeper = Keeper::new(Vec::new());
    let text = "(declare-const x String)(declare-const y String)(assert (not (= x \"\")))(assert (= (str.len x) (str.len y)))(check-sat)";
    let (old, mut label) = labelled(&keeper, text);
    label.checks[0] = CheckLabel::sat(
        "((define-fun x () String \"a\") (define-fun y () String \"b\"))".into(),
        String::new(),
        None,
    );
    let merged = "(declare-const x String)(assert (not (= x \"\")))(assert (= x x))(assert (= (str.len x) (str.len x)))(check-sat)";
    let new = keeper.label(&label, &old, &candidate(&old, merged, Effect::Stronger)).expect("a label");
    assert_eq!(new.checks[0].status, Status::Sat);
    let impossible = "(declare-const x String)(assert (not (= x \"\")))(assert (= (str.len x) 0))(check-sat)";
    assert_eq!(
        keeper.label(&label, &old, &candidate(&old, impossible, Effect::Stronger)),
        None,
        "sat never becomes unsat"
    );
}

#[test]
fn unsat_stays_by_construction() {
    let keeper = Keeper::new(Vec::new());
    let (old, label) = labelled(&keeper, CORE);
    let changed = "(declare-const x String)(assert (= x \"a\"))(assert (= x \"\"))(check-sat)";
    for effect in [Effect::Equivalent, Effect::Stronger] {
        let new = keeper.label(&label, &old, &candidate(&old, changed, effect)).expect("a label");
        assert_eq!(new.checks[0].status, Status::Unsat);
        assert!(matches!(new.checks[0].argument, Argument::Construction { .. }));
    }
    for effect in [Effect::Weaker, Effect::Any] {
        assert_eq!(
            keeper.label(&label, &old, &candidate(&old, changed, effect)),
            None,
            "there is no second solver"
        );
    }
}

#[test]
fn unsat_stays_while_the_core_is_there() {
    let keeper = Keeper::new(Vec::new());
    let (old, label) = labelled(&keeper, CORE);
    let kept = "(declare-const x String)(assert (= x \"b\"))(assert (= x \"a\"))(check-sat)";
    let new = keeper.label(&label, &old, &candidate(&old, kept, Effect::Any)).expect("a label");
    assert_eq!(new.checks[0].status, Status::Unsat);
    let other_sort = "(define-fun x () String \"a\")(assert (= x \"b\"))(assert (= x \"a\"))(check-sat)";
    assert_eq!(keeper.label(&label, &old, &candidate(&old, other_sort, Effect::Any)), None, "another x");
    let without =
        "(declare-const x String)(declare-const y String)(assert (= x \"a\"))(assert (= y x))(check-sat)";
    assert_eq!(keeper.label(&label, &old, &candidate(&old, without, Effect::Any)), None);
}

const CONTRADICTION: &str = "(declare-const x String)(assert (= x \"a\"))(assert (= x \"b\"))(check-sat)";

#[test]
fn unsat_is_agreed_by_two_solvers_and_a_search() {
    let fake = Fake::says("unsat");
    let keeper = Keeper::new(vec![fake.solver()]);
    let (old, label) = labelled(&keeper, CONTRADICTION);
    let Argument::Agreement { solvers, bound } = &label.checks[0].argument else { panic!("{label:?}") };
    assert_eq!(solvers.len(), 2);
    assert!(solvers[1].starts_with("fake") && !bound.is_empty());
    let smaller = "(declare-const x String)(assert (= x \"\"))(assert (= x \"b\"))(check-sat)";
    let pending = keeper.label(&label, &old, &candidate(&old, smaller, Effect::Any)).expect("a label");
    assert!(pending.checks[0].pending);
    let sure = keeper.confirm(pending, &doc(smaller), &cancel()).expect("agreed");
    assert!(!sure.checks[0].pending);
    assert!(Keeper::new(Vec::new()).start(&old, None, &cancel()).is_err(), "one proof is not enough");
}

#[test]
fn a_solver_that_always_says_unsat_makes_no_label() {
    let fake = Fake::says("unsat");
    let keeper = Keeper::new(vec![fake.solver()]);
    let (_, label) = labelled(&keeper, "(declare-const x String)(assert (= x \"a\"))(check-sat)");
    assert_eq!(label.check(0).status, Status::Sat);
    // Two liars agree, but a small model is found.
    let own = Keeper { own: false, ..Keeper::new(vec![fake.named("one"), fake.named("two")]) };
    let sat = doc("(declare-const x String)(assert (= x \"a\"))(check-sat)");
    let claimed = Label { checks: vec![pending(&sat)] };
    assert_eq!(own.confirm(claimed, &sat, &cancel()), None);
}

/// An `unsat` that waits for agreement.
fn pending(doc: &Doc) -> CheckLabel {
    let work = Work { doc, n: 0, terms: model::terms(&doc.script, 0), ticks: 1_000_000 };
    work.unsat(Argument::Agreement { solvers: Vec::new(), bound: String::new() }, true)
}

#[test]
fn a_solver_that_always_says_sat_makes_no_label() {
    let fake = Fake::says("sat");
    let keeper = Keeper::new(vec![fake.solver()]);
    assert!(start(&keeper, CONTRADICTION).1.is_err());
    let modelled = Fake::says("sat\n((define-fun x () String \"a\"))");
    let keeper = Keeper::new(vec![modelled.solver()]);
    assert!(start(&keeper, CONTRADICTION).1.is_err(), "the referee rejects its model");
}

#[test]
fn solvers_of_one_family_are_one_opinion() {
    let fake = Fake::says("unsat");
    let mut twins = vec![fake.named("one"), fake.named("two")];
    twins.iter_mut().for_each(|s| s.profile.name = "cvc5".into());
    let keeper = Keeper { own: false, ..Keeper::new(twins) };
    assert!(start(&keeper, CONTRADICTION).1.is_err());
}

#[test]
fn a_solver_under_a_name_of_the_user_is_of_the_family_of_its_program() {
    let fake = Fake::says("unsat");
    let of = |profile: &str, program: &str| {
        let mut solver = fake.named("one");
        (solver.profile.name, solver.program) = (profile.into(), program.into());
        family(&solver).to_owned()
    };
    assert_eq!(of("mine", "/usr/bin/z3"), "z3");
    assert_eq!(of("mine", "z3-nightly"), "z3");
    assert_eq!(of("z3str3", "solver"), "z3");
    assert_eq!(of("old", "cvc4"), of("cvc5", "solver"));
    assert_eq!(of("mine", "solver"), "mine");
}

#[test]
fn a_construction_from_an_unsettled_answer_needs_agreement() {
    let quiet = Fake::says("unknown");
    let keeper = Keeper::new(vec![quiet.solver()]);
    let old = doc(CONTRADICTION);
    let label = Label { checks: vec![pending(&old)] };
    let smaller = "(declare-const x String)(assert (= x \"\"))(assert (= x \"b\"))(check-sat)";
    let new = keeper.label(&label, &old, &candidate(&old, smaller, Effect::Stronger)).expect("for now");
    assert_eq!(keeper.confirm(new.clone(), &doc(smaller), &cancel()), None);
    let fake = Fake::says("unsat");
    let sure = Keeper::new(vec![fake.solver()]).confirm(new, &doc(smaller), &cancel()).expect("agreed");
    assert!(matches!(&sure.checks[0].argument, Argument::Agreement { solvers, .. } if solvers.len() == 2));
}

#[test]
fn a_false_core_is_refuted() {
    let text = CORE.replace("(= x \"b\")", "(= x \"a\")");
    let (_, label) = labelled(&Keeper::new(Vec::new()), &text);
    assert_eq!(label.check(0).status, Status::Sat);
}

#[test]
fn a_false_model_is_not_kept() {
    let text = MODEL.replace("String \"ab\")", "String \"b\")");
    let (_, label) = labelled(&Keeper::new(Vec::new()), &text);
    assert_eq!(label.check(0).status, Status::Sat);
    assert!(label.check(0).model().is_some_and(|m| m.contains("\"ab\"")));
}

#[test]
fn names_with_two_declarations_are_refused() {
    let text = "(declare-const x String)(declare-const x String)(assert (= x \"a\"))(check-sat)";
    assert!(start(&Keeper::new(Vec::new()), text).1.is_err());
    let (old, label) = labelled(&Keeper::new(Vec::new()), MODEL);
    let keeper = Keeper::new(Vec::new());
    assert_eq!(keeper.label(&label, &old, &candidate(&old, text, Effect::Weaker)), None);
}

#[test]
fn a_claim_of_the_user_is_checked() {
    let keeper = Keeper::new(Vec::new());
    let claim = |text: &str, status| keeper.start(&doc(text), Some(status), &cancel());
    let error = claim("(declare-const x Bool)(assert x)(check-sat)", Status::Unsat).expect_err("it is sat");
    assert!(error.0.contains("not unsat as expected"), "{error}");
    let label = claim(CONTRADICTION, Status::Unsat).expect("taken as given");
    assert!(
        matches!(&label.checks[0].argument, Argument::Construction { origin, .. } if origin.contains("user states"))
    );
    assert!(claim(CONTRADICTION, Status::Sat).is_err());
}

const SESSION: &str = "(declare-const x String)(push 1)(assert (= x \"a\"))(check-sat)(pop 1)(assert (= x \"b\"))(check-sat)\
    (check-sat-assuming ((= x \"a\")))";

#[test]
fn sessions_have_a_label_for_each_check() {
    let fake = Fake::says("unsat");
    let keeper = Keeper::new(vec![fake.solver()]);
    let (old, label) = labelled(&keeper, SESSION);
    assert_eq!(label.statuses(), [Status::Sat, Status::Sat, Status::Unsat]);
    let text = "(declare-const x String)(assert (= x \"b\"))(check-sat)(check-sat-assuming ((= x \"a\")))";
    let mut new = candidate(&old, text, Effect::Equivalent);
    new.origin = vec![Some(0), Some(5), Some(6), Some(7)];
    let label = keeper.label(&label, &old, &new).expect("a label");
    assert_eq!(label.statuses(), [Status::Sat, Status::Unsat]);
    let written = label.text(&new.doc);
    assert!(
        written
            .contains("(set-info :status sat)\n(check-sat)\n(set-info :status unsat)\n(check-sat-assuming"),
        "{written}"
    );
}

#[test]
fn a_check_of_another_place_has_no_label() {
    let keeper = Keeper::new(Vec::new());
    let (old, label) = labelled(&keeper, MODEL);
    let mut new = candidate(&old, "(declare-const x String)(assert (= x \"ab\"))(check-sat)", Effect::Weaker);
    new.origin = vec![Some(0), Some(1), None];
    assert_eq!(keeper.label(&label, &old, &new), None);
}

#[test]
fn cores_with_a_model() {
    let keeper = Keeper::new(Vec::new());
    let doc = doc(CORE);
    let names = |list: &[&str]| list.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>();
    assert!(keeper.core_model(&doc, 0, &names(&["a", "c"])).is_some_and(|m| m.contains("\"a\"")));
    assert_eq!(keeper.core_model(&doc, 0, &names(&["a", "b"])), None);
    assert_eq!(keeper.core_model(&doc, 7, &names(&["a"])), None, "there is no such check");
}

/// Contradictions; each is unsatisfiable by itself.
const IMPOSSIBLE: [&str; 4] = [
    "(assert (! (= x \"a\") :named p))(assert (! (= (str.++ y x) \"ab\") :named q))",
    "(assert (! (str.prefixof \"b\" x) :named p))(assert (! (= (str.len x) 0) :named q))",
    "(assert (! (str.in_re x (re.* (str.to_re \"ab\"))) :named p))(assert (! (= (str.at x 0) \"b\") :named q))",
    "(assert (! (< i (str.len y)) :named p))(assert (! (> (- i 1) (+ (str.len y) 2)) :named q))",
];

/// Random terms.
struct Terms(Dice);

impl Terms {
    fn string(&mut self, depth: u32) -> String {
        match self.0.below(if depth == 0 { 4 } else { 8 }) {
            0 => "x".into(),
            1 => "y".into(),
            2 => "\"a\"".into(),
            3 => "\"ab\"".into(),
            4 => format!("(str.++ {} {})", self.string(depth - 1), self.string(depth - 1)),
            5 => format!("(str.at {} {})", self.string(depth - 1), self.int(depth - 1)),
            6 => format!("(str.replace {} \"a\" {})", self.string(depth - 1), self.string(depth - 1)),
            _ => format!(
                "(ite {} {} {})",
                self.bool(depth - 1),
                self.string(depth - 1),
                self.string(depth - 1)
            ),
        }
    }

    fn int(&mut self, depth: u32) -> String {
        match self.0.below(if depth == 0 { 3 } else { 5 }) {
            0 => "i".into(),
            1 => "0".into(),
            2 => "2".into(),
            3 => format!("(str.len {})", self.string(depth - 1)),
            _ => format!("(+ {} {})", self.int(depth - 1), self.int(depth - 1)),
        }
    }

    fn bool(&mut self, depth: u32) -> String {
        let depth = depth.saturating_sub(1);
        match self.0.below(6) {
            0 => format!("(= {} {})", self.string(depth), self.string(depth)),
            1 => format!("(str.contains {} {})", self.string(depth), self.string(depth)),
            2 => format!("(<= {} {})", self.int(depth), self.int(depth)),
            3 => format!("(str.in_re {} (re.+ (re.union (str.to_re \"a\") re.allchar)))", self.string(depth)),
            4 if depth > 0 => format!("(not {})", self.bool(depth)),
            _ if depth > 0 => format!("(or {} {})", self.bool(depth), self.bool(depth)),
            _ => format!("(= {} {})", self.int(depth), self.int(depth)),
        }
    }

    /// A script; every second one is unsatisfiable, with its core.
    fn script(&mut self) -> String {
        let declared = "(declare-const x String)(declare-const y String)(declare-const i Int)";
        let random: String =
            (0..self.0.between(1, 3)).map(|_| format!("(assert {})", self.bool(3))).collect();
        if self.0.one_in(2) {
            return format!("{declared}{random}(check-sat)");
        }
        let core = *self.0.pick(&IMPOSSIBLE);
        let info = "(set-info :status unsat)(set-info :stringent-core |(p q)|)";
        format!("{info}{declared}{core}{random}(check-sat)")
    }

    /// Some edits of a pass on a script, done.
    fn edited(&mut self, doc: &Doc) -> Option<Candidate> {
        let edits = self.0.pick(PASSES).edits(doc);
        let chosen = self.0.between(1, 3);
        let some: Vec<_> =
            (0..chosen).filter(|_| !edits.is_empty()).map(|_| self.0.pick(&edits).clone()).collect();
        apply(doc, &some)
    }
}

/// The referee accepts the model, or a search finds none.
fn is_true(label: &Label, doc: &Doc) -> Result<(), String> {
    match label.check(0).status {
        Status::Sat => {
            let read = Instance::from_text(label.text(doc).as_bytes(), None).map_err(|e| format!("{e:?}"))?;
            matches!(read.truth, Truth::Sat(_)).then_some(()).ok_or_else(|| "the model is refuted".into())
        }
        Status::Unsat => synth::attack::attack(doc.text(), 2, 100_000).map(|_| ()),
        Status::Unknown => Err("a label says nothing".into()),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn labels_stay_true_while_a_script_shrinks(seed in any::<u64>()) {
        let mut terms = Terms(Dice::new(seed, 0));
        let keeper = Keeper::new(Vec::new());
        let mut doc = doc(&terms.script());
        let Ok(mut label) = keeper.start(&doc, None, &cancel()) else { return Ok(()) };
        let first = label.check(0).status;
        prop_assert_eq!(is_true(&label, &doc), Ok(()), "{}", doc.text());
        for _ in 0..12 {
            let Some(next) = terms.edited(&doc) else { continue };
            let Some(new) = keeper.label(&label, &doc, &next) else { continue };
            let Some(new) = keeper.confirm(new, &next.doc, &cancel()) else {
                prop_assert!(false, "construction has a model: {} from {}", next.doc.text(), doc.text());
                return Ok(());
            };
            prop_assert_eq!(new.check(0).status, first);
            prop_assert_eq!(is_true(&new, &next.doc), Ok(()), "{} from {}", next.doc.text(), doc.text());
            (doc, label) = (next.doc, new);
        }
    }
}
