//! Second opinions: the query for each kind of wrong result, and the effect of each answer.

mod fake;

use fake::campaign_of::{instance, sat, solver};
use fake::{Fakes, roomy, short};
use std::time::Duration;
use stringent_campaign::confirm::{Confirmation, Outcome, Settings, confirm, json, text};
use stringent_campaign::outcome::{Answer, CoreCheck, Kind, ModelCheck, Status};
use stringent_campaign::process::Cancel;
use stringent_campaign::profile::Solver;
use stringent_campaign::report::Data;
use stringent_campaign::store::{Campaign, InstanceRow, RunRow, SolverRow, Store};

/// Records its queries, and gives the answers in its arguments, then repeats the last one.
fn noting(fakes: &Fakes, name: &str, answers: &[&str]) -> Solver {
    let n = "n=$(cat $DIR/$0.n 2>/dev/null || echo 0); n=$((n + 1)); echo $n > $DIR/$0.n";
    let n = n.replace("$0", name);
    let cases: Vec<String> =
        answers.iter().enumerate().map(|(i, answer)| format!("{}) {answer} ;;", i + 1)).collect();
    let last = answers.last().expect("an answer");
    let body = format!("{n}\ncat >> $DIR/{name}.log\ncase $n in {} *) {last} ;; esac", cases.join(" "));
    solver(name, fakes.sh(name, &body), "")
}

fn asked(fakes: &Fakes, name: &str) -> String {
    std::fs::read_to_string(fakes.path(&format!("{name}.log"))).unwrap_or_default()
}

fn unsat(id: i64) -> InstanceRow {
    let source = "(set-logic QF_S)(set-info :status unsat)(set-info :stringent-core (n1 n2))
        (set-info :stringent-drop (n1 ((s \"b\"))))(set-info :stringent-drop (n2 ((s \"a\"))))
        (declare-const s String)(assert (! (= s \"a\") :named n1))(assert (! (= s \"b\") :named n2))(check-sat)";
    instance(id, Status::Unsat, source)
}

/// A run of instance `id` with this verdict and output.
fn run(id: i64, kind: Kind, output: &str) -> RunRow {
    let answer = if output.starts_with("sat") { Answer::Sat } else { Answer::Unsat };
    RunRow {
        instance: id,
        solver: 1,
        seed: 0,
        kind,
        answer,
        model: ModelCheck::Absent,
        core: CoreCheck::Absent,
        ending: "exit 0".into(),
        wall: Duration::ZERO,
        cpu: Duration::ZERO,
        memory_kib: 0,
        batched: false,
        flaky: false,
        output: output.into(),
        evidence: "as the referee found".into(),
        command: "first".into(),
    }
}

fn wrong_unsat(id: i64) -> RunRow {
    run(id, Kind::WrongUnsat, "unsat\n")
}

fn bad_model(id: i64, output: &str) -> RunRow {
    run(id, Kind::InvalidModel, output)
}

/// A campaign of one solver, `first`.
fn campaign(fakes: &Fakes, instances: &[InstanceRow], runs: &[RunRow]) -> Store {
    let mut store = Store::create(&fakes.path("a.store"), &Campaign::default()).expect("a new store");
    let profile = "name = 'first'\nabout = ''\nprogram = 'first'\ncores = true\n".into();
    let (name, program) = ("first".into(), "first".into());
    store.add_solver(&SolverRow { id: 0, name, program, version: String::new(), profile }).expect("added");
    store.add_instances(instances).expect("added");
    store.add_runs(runs, false).expect("added");
    store
}

fn opinions(store: &Store, solvers: &[Solver]) -> (Data, Vec<Confirmation>) {
    let settings = Settings { limits: roomy(), jobs: 2, watchdog: None };
    opinions_by(store, solvers, &settings)
}

fn opinions_by(store: &Store, solvers: &[Solver], settings: &Settings) -> (Data, Vec<Confirmation>) {
    let data = Data::read(store, &[]).expect("readable");
    let cancel = Cancel::new().expect("an event");
    let found = confirm(store.path(), &data, solvers, settings, &|| {}, &cancel).expect("opinions");
    (data, found)
}

/// The opinion of solvers that answer `answers` on one run, and their queries.
fn one(instance: InstanceRow, run: RunRow, answers: &[&str]) -> (Outcome, String, String) {
    let fakes = Fakes::new();
    let store = campaign(&fakes, &[instance], &[run]);
    let (_, found) = opinions(&store, &[noting(&fakes, "second", answers)]);
    assert_eq!(found.len(), 1);
    (found[0].outcome(), asked(&fakes, "second"), found[0].opinions[0].why.clone())
}

const SAT: &str = "echo sat";
const UNSAT: &str = "echo unsat";

#[test]
fn a_wrong_unsat_is_checked_with_the_known_model() {
    let (outcome, asked, _) = one(sat(1), wrong_unsat(1), &[SAT]);
    assert_eq!(outcome, Outcome::Confirmed);
    let expected = "(set-logic QF_S)\n(declare-const s String)\n(assert (= s \"a\"))\n(assert (= s \"a\"))\n(check-sat)\n";
    assert_eq!(asked, expected);
    assert_eq!(one(sat(1), wrong_unsat(1), &[UNSAT]).0, Outcome::Contradicted);
}

#[test]
fn a_wrong_unsat_by_the_status_of_the_file_is_checked_alone() {
    let source = "(set-info :status sat)(declare-const s String)(assert (= s \"x\"))(check-sat)";
    let (outcome, asked, _) = one(instance(1, Status::Sat, source), wrong_unsat(1), &[SAT]);
    assert_eq!(outcome, Outcome::Confirmed);
    assert_eq!(asked, "(declare-const s String)\n(assert (= s \"x\"))\n(check-sat)\n");
}

#[test]
fn an_invalid_model_is_checked_with_the_printed_model() {
    let output = "sat\n(model (define-fun s () String \"\\u{e9}\"))\n\n; standard error:\nsat\n";
    let (outcome, asked, _) = one(sat(1), bad_model(1, output), &[UNSAT]);
    assert_eq!(outcome, Outcome::Confirmed);
    assert!(asked.ends_with("(assert (= s \"a\"))\n(assert (= s \"\\u{e9}\"))\n(check-sat)\n"), "{asked}");
    assert_eq!(one(sat(1), bad_model(1, output), &[SAT]).0, Outcome::Contradicted);
}

#[test]
fn constants_without_value_are_free_first_then_completed() {
    let source =
        "(set-info :status sat)(set-info :stringent-model ((s \"a\") (i (- 1))))(declare-const s String)
        (declare-const i Int)(assert (= (str.at s i) \"\"))(assert (not (= s \"\")))(check-sat)";
    let with = |answers: &[&str]| {
        one(
            instance(1, Status::Sat, source),
            bad_model(1, "sat\n((define-fun s () String \"a\"))\n"),
            answers,
        )
    };
    let (outcome, asked, _) = with(&[UNSAT]);
    assert_eq!(outcome, Outcome::Confirmed);
    assert!(asked.ends_with("(assert (= s \"a\"))\n(check-sat)\n"), "{asked}");
    let (outcome, asked, _) = with(&[SAT, UNSAT]);
    assert_eq!(outcome, Outcome::Weak);
    assert!(asked.ends_with("(assert (= s \"a\"))\n(assert (= i 0))\n(check-sat)\n"), "{asked}");
    assert_eq!(with(&[SAT]).0, Outcome::Contradicted);
}

#[test]
fn functions_are_not_asserted_and_sat_is_then_no_opinion() {
    let source = "(set-info :status sat)(declare-const s String)(declare-fun f (String) Int)
        (assert (= (f s) 1))(check-sat)";
    let output = "sat\n((define-fun s () String \"a\") (define-fun f ((x String)) Int 0))\n";
    let with = |answer| one(instance(1, Status::Sat, source), bad_model(1, output), &[answer]);
    let (outcome, asked, why) = with(SAT);
    assert_eq!(outcome, Outcome::NoOpinion);
    assert_eq!(why, "not expressible as equalities, left out: f");
    assert!(asked.ends_with("(assert (= (f s) 1))\n(assert (= s \"a\"))\n(check-sat)\n"), "{asked}");
    assert_eq!(with(UNSAT).0, Outcome::Confirmed);
}

#[test]
fn a_wrong_sat_is_checked_alone_then_with_its_model() {
    let wrong = || run(1, Kind::WrongSat, "sat\n((s \"b\"))\n");
    let (outcome, asked, _) = one(unsat(1), wrong(), &[UNSAT]);
    assert_eq!(outcome, Outcome::Confirmed);
    let plain = "(set-logic QF_S)\n(declare-const s String)\n(assert (= s \"a\"))\n(assert (= s \"b\"))\n";
    assert_eq!(asked, format!("{plain}(check-sat)\n"));
    let (outcome, asked, _) = one(unsat(1), wrong(), &["echo unknown", UNSAT]);
    assert_eq!(outcome, Outcome::Weak);
    assert_eq!(asked, format!("{plain}(check-sat)\n{plain}(assert (= s \"b\"))\n(check-sat)\n"));
    assert_eq!(one(unsat(1), wrong(), &[SAT]).0, Outcome::Contradicted);
    assert_eq!(one(unsat(1), wrong(), &["echo unknown", SAT]).0, Outcome::Contradicted);
    assert_eq!(one(unsat(1), wrong(), &["echo unknown"]).0, Outcome::NoOpinion);
}

#[test]
fn a_core_is_checked_with_the_model_that_refutes_it() {
    let core = || run(1, Kind::UnsoundCore, "unsat\n(n2)\n");
    let (outcome, asked, _) = one(unsat(1), core(), &[SAT]);
    assert_eq!(outcome, Outcome::Confirmed);
    let head = "(set-logic QF_S)\n(declare-const s String)\n";
    assert_eq!(asked, format!("{head}(assert (= s \"b\"))\n(assert (= s \"b\"))\n(check-sat)\n"));
    assert_eq!(one(unsat(1), core(), &[UNSAT]).0, Outcome::Contradicted);
    let foreign = || run(1, Kind::ForeignCore, "unsat\n(n1 n7)\n");
    let (outcome, asked, _) = one(unsat(1), foreign(), &[SAT]);
    assert_eq!(outcome, Outcome::Confirmed);
    assert_eq!(asked, format!("{head}(assert (= s \"a\"))\n(check-sat)\n"));
    assert_eq!(one(unsat(1), foreign(), &[UNSAT]).0, Outcome::NoOpinion);
}

#[test]
fn the_failing_check_of_several_is_confirmed() {
    let source = "(declare-const s String)(push 1)(declare-const t Int)(assert (= s \"a\"))(set-info :status sat)
        (check-sat)(pop 1)(push 1)(declare-const t String)(assert (= s t))(set-info :status sat)(check-sat)(pop 1)";
    let mut wrong = wrong_unsat(1);
    wrong.output = b"sat\n((s \"a\") (t 0))\nunsat\n".to_vec();
    let (outcome, asked, _) = one(instance(1, Status::Sat, source), wrong, &[SAT]);
    assert_eq!(outcome, Outcome::Confirmed);
    let expected = "(declare-const s String)\n(declare-const t String)\n(assert (= s t))\n(check-sat)\n";
    assert_eq!(asked, expected);
}

#[test]
fn without_an_answer_there_is_no_opinion() {
    let list = [
        ("echo unknown", "unknown"),
        ("echo lorem ipsum", "no answer: lorem ipsum"),
        ("true", "no answer"),
        ("echo '(error \"line 1\")'; echo sat", "error: line 1"),
        ("echo sat; echo sat", "2 answers to one query"),
        ("echo sat; kill -9 $$", "signal 9"),
    ];
    for (answer, expected) in list {
        let (outcome, _, why) = one(sat(1), wrong_unsat(1), &[answer]);
        assert_eq!((outcome, why.as_str()), (Outcome::NoOpinion, expected), "{answer}");
    }
    // A truncated model cannot be checked.
    let (outcome, asked, why) = one(sat(1), bad_model(1, "sat\n((define-fun s () Str"), &[SAT]);
    assert_eq!(
        (outcome, asked.as_str(), why.as_str()),
        (Outcome::NoOpinion, "", "its model: it is truncated")
    );
}

#[test]
fn time_is_limited() {
    let fakes = Fakes::new();
    let store = campaign(&fakes, &[sat(1)], &[wrong_unsat(1)]);
    let hanging = solver("hanging", fakes.sh("hanging", "echo $$ >> $PIDS; exec sleep 1000"), "");
    let (_, found) = opinions_by(&store, &[hanging], &Settings { limits: short(), jobs: 1, watchdog: None });
    assert_eq!(found[0].opinions[0].why, "wall limit");
    fakes.assert_ended(1);
}

#[test]
fn several_solvers_are_weighed_and_none_judges_itself() {
    let fakes = Fakes::new();
    // The same formula is sent once; results that are not wrong are not sent.
    let runs = [wrong_unsat(1), wrong_unsat(2), run(3, Kind::CorrectUnsat, "unsat\n")];
    let store = campaign(&fakes, &[sat(1), sat(2), unsat(3)], &runs);
    let yes = noting(&fakes, "yes", &[SAT]);
    let no = noting(&fakes, "no", &[UNSAT]);
    let first = noting(&fakes, "first", &[UNSAT]);
    let dumb = noting(&fakes, "dumb", &["echo unknown"]);

    let (_, found) = opinions(&store, &[dumb.clone(), yes.clone(), first.clone()]);
    assert_eq!(found.iter().map(Confirmation::outcome).collect::<Vec<_>>(), [Outcome::Confirmed; 2]);
    assert_eq!(found[0].opinions[2].why, "it is the solver in question");
    assert_eq!(asked(&fakes, "first"), "");
    assert_eq!(asked(&fakes, "yes").matches("(check-sat)").count(), 1);

    let (mut data, found) = opinions(&store, &[yes, no]);
    assert_eq!(found.iter().map(Confirmation::outcome).collect::<Vec<_>>(), [Outcome::Contradicted; 2]);
    data.load_details(&store, &text::wanted(&found)).expect("loaded");
    let shown = text::render(&data, &found, false);
    assert_eq!(shown.matches("CONTRADICTED  test/000").count(), 2, "{shown}");
    for part in [
        "as the referee found",
        "no: contradicted",
        "yes: confirmed",
        "    (assert (= s \"a\"))\n    (check-sat)",
    ] {
        assert!(shown.contains(part), "{part} in {shown}");
    }
    let machine = json::render(&data, &found);
    assert_eq!(machine["groups"][0]["contradicted"], 2);
    assert_eq!(machine["runs"][1]["instance"], "test/0002");
    assert_eq!(machine["runs"][1]["opinions"][1]["printed"], "unsat\n");

    let (data, found) = opinions(&store, &[first]);
    let shown = text::render(&data, &found, false);
    assert!(shown.contains("No opinion:\n  test/0001  first  U (wrong-unsat)\n"), "{shown}");
}
