//! Reductions with properties that are tested in process.

use super::*;
use crate::fingerprint::operators;
use crate::passes::PASSES;
use crate::property::{Attempt, Stop, Test};
use crate::truth::Keeper;
use campaign::outcome::{Answer, Kind};
use campaign::process::Cancel;
use std::sync::Mutex;
use std::sync::atomic::AtomicU64;

/// Any reaction of a solver.
pub(crate) fn observed() -> Observed {
    Observed {
        kind: Kind::WrongUnsat,
        check: 1,
        answer: Answer::Unsat,
        stdout: "unsat\n".into(),
        stderr: String::new(),
        ending: "exit 0".into(),
        evidence: String::new(),
        core: None,
        message: None,
        seconds: 0.0,
        seed: 0,
    }
}

/// A property of scripts.
struct Planted<P> {
    holds: P,
    truth: bool,
    tests: AtomicU64,
    /// The test from which on it stops, and how.
    stop: Option<(u64, Stop)>,
    /// It also depends on luck: one of this number of seeds.
    luck: Option<u64>,
    /// Scripts that fail with all seeds; others fail with one only.
    steady: Option<fn(&Doc) -> bool>,
    /// That one.
    pinned: u64,
    /// The times of the attempts that were given one.
    times: Mutex<std::collections::BTreeSet<Duration>>,
}

impl<P: Fn(&Doc) -> bool + Sync> Planted<P> {
    fn new(holds: P) -> Planted<P> {
        Planted {
            holds,
            truth: false,
            tests: AtomicU64::new(0),
            stop: None,
            luck: None,
            steady: None,
            pinned: 0,
            times: Mutex::default(),
        }
    }

    fn count(&self) -> u64 {
        self.tests.load(Ordering::SeqCst)
    }
}

impl<P: Fn(&Doc) -> bool + Sync> Property for Planted<P> {
    fn describe(&self) -> String {
        "a planted failure".into()
    }

    fn needs_truth(&self) -> bool {
        self.truth
    }

    fn is_seeded(&self) -> bool {
        self.luck.is_some() || self.steady.is_some()
    }

    fn test(&self, doc: &Doc, _: &Label, attempt: Attempt, _: &Cancel) -> Test {
        let seed = attempt.seed;
        self.times.lock().expect("a set").extend(attempt.time);
        let n = self.tests.fetch_add(1, Ordering::SeqCst);
        let seen = Box::new(Observed { seed, ..observed() });
        match &self.stop {
            Some((from, stop)) if n >= *from => Test::Stopped(stop.clone()),
            _ if (self.holds)(doc)
                && self.luck.is_none_or(|of| is_lucky(doc, seed, of))
                && self.steady.is_none_or(|steady| seed == self.pinned || steady(doc)) =>
            {
                Test::Holds(seen)
            }
            _ => Test::Fails(seen),
        }
    }
}

/// One of `of` scripts is.
fn is_lucky(doc: &Doc, seed: u64, of: u64) -> bool {
    let sum = doc.text().bytes().fold(seed, |sum, b| (sum ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3));
    (sum >> 7) % of == 0
}

fn options() -> Options {
    Options {
        passes: PASSES.to_vec(),
        jobs: 1,
        deadline: None,
        work: None,
        max_runs: None,
        seeds: 5,
        out: None,
        resume: false,
    }
}

fn start(text: &str) -> Start {
    let doc = Doc::from_text(text.as_bytes()).expect("a script");
    let label = Label::not_needed(&doc);
    Start { name: "test".into(), doc, label, observed: observed() }
}

fn run(text: &str, property: &dyn Property, options: &Options) -> Reduction {
    let cancel = Cancel::new().expect("a token");
    let host = Host { progress: &(), cancel: &cancel };
    reduce(start(text), property, &Keeper::new(Vec::new()), options, &host).expect("reduced")
}

/// A script of many assertions, one of which has both operators.
fn large() -> String {
    let mut text = String::from("(set-logic QF_SLIA)");
    for i in 0..12 {
        text += &format!("(declare-const s{i} String)(declare-const n{i} Int)");
    }
    for i in 0..12 {
        let j = (i + 5) % 12;
        text += &format!(
            "(assert (= (str.++ s{i} \"ab\" (str.substr s{j} n{i} (str.len s{i}))) (str.replace s{j} s{i} \"c\")))"
        );
        text += &format!(
            "(assert (or (<= (str.indexof s{i} s{j} n{j}) (+ n{i} 3)) (str.in_re s{i} (re.* (re.union (str.to_re \"a\") (re.range \"b\" \"d\"))))))"
        );
    }
    text += "(assert (and (> n3 1) (not (= s7 (ite (= (str.to_int (str.++ s3 \"0\")) n4) (str.from_code (+ n5 48)) s2)))))(check-sat)";
    text
}

fn has(names: &'static [&'static str]) -> impl Fn(&Doc) -> bool + Sync {
    move |doc| {
        let found: Vec<&str> = operators(doc).iter().map(|op| op.name()).collect();
        names.iter().all(|n| found.contains(n))
    }
}

/// As in a failure of z3 5.4.0: the first assertion is needed only if the literal comes first.
#[test]
fn an_assertion_disappears_after_a_literal_became_the_last_argument() {
    let text = "(declare-const x String)(declare-const y String)(assert (str.prefixof y \"b\"))\
                (assert (distinct \"\" y x))(check-sat)";
    let property = Planted::new(|doc: &Doc| {
        let text = doc.text();
        text.contains("(distinct x \"\")")
            || text.contains("(distinct y x \"\")")
            || (text.contains("(distinct \"\" y x)") && text.contains("str.prefixof"))
    });
    let reduced = run(text, &property, &options());
    assert_eq!(reduced.doc.text(), "(declare-const x String)\n(assert (distinct x \"\"))\n");
}

#[test]
fn one_operator_is_left() {
    let property = Planted::new(has(&["str.from_code"]));
    let reduction = run(&large(), &property, &options());
    assert!(reduction.complete && reduction.verified && reduction.stopped.is_none());
    assert_eq!(reduction.runs, property.count());
    let text = reduction.doc.to_text();
    assert!(text.contains("(str.from_code "), "{text}");
    assert_eq!(reduction.doc.assertions(), 1, "{text}");
    assert!(text.len() < 120, "{} tests: {text}", reduction.runs);
    assert!(reduction.runs < 150, "{} tests", reduction.runs);
}

#[test]
fn the_result_is_the_same_for_any_number_of_jobs() {
    let property = Planted::new(has(&["str.from_code", "str.replace"]));
    let one = run(&large(), &property, &options());
    for jobs in [2, 8] {
        let many = run(&large(), &property, &Options { jobs, ..options() });
        assert_eq!(many.doc.to_text(), one.doc.to_text(), "{jobs} jobs");
        assert!(many.complete);
    }
}

#[test]
fn a_stopped_reduction_goes_on_to_the_same_end() {
    let whole = run(&large(), &Planted::new(has(&["str.to_int", "str.in_re"])), &options());
    let dir = tempfile::tempdir().expect("a folder");
    let mut stops = 0;
    for (k, jobs) in [(1, 1), (2, 2), (7, 1), (16, 8), (40, 1)] {
        let out = dir.path().join(format!("{k}.smt2"));
        let mut last = None;
        let reduction = loop {
            let mut property = Planted::new(has(&["str.to_int", "str.in_re"]));
            property.stop = Some((k, Stop::Cancelled));
            let options = Options { out: Some(out.clone()), resume: last.is_some(), jobs, ..options() };
            let reduction = run(&large(), &property, &options);
            let best = Doc::from_text(&std::fs::read(&out).expect("the best so far")).expect("a script");
            assert!(last.is_none_or(|last| best.size() <= last), "it got larger");
            last = Some(best.size());
            if reduction.stopped.is_none() {
                break reduction;
            }
            assert_eq!(reduction.stopped, Some(Ended::Stop(Stop::Cancelled)));
            assert!(journal_of(&out).exists() && !reduction.complete);
            stops += 1;
        };
        assert_eq!(reduction.doc.to_text(), whole.doc.to_text(), "stopped after {k} tests");
        assert_eq!(std::fs::read_to_string(&out).expect("the result"), whole.doc.to_text());
        assert!(!journal_of(&out).exists());
    }
    assert!(stops > 10);
}

#[test]
fn limits_end_it_with_the_best_so_far() {
    let property = Planted::new(has(&["str.from_code"]));
    let reduction = run(&large(), &property, &Options { max_runs: Some(5), ..options() });
    assert!(matches!(reduction.stopped, Some(Ended::Limit(_))) && !reduction.complete);
    assert!(reduction.doc.size() < reduction.start.doc.size());
    // One more run verifies the result.
    assert_eq!((reduction.runs, reduction.verified), (6, true));
    let none = run(&large(), &property, &Options { deadline: Some(Instant::now()), ..options() });
    assert!(matches!(none.stopped, Some(Ended::Limit(_))));
    assert_eq!(none.doc.to_text(), none.start.doc.to_text());
}

#[test]
fn a_solver_that_disappears_leaves_the_best_so_far() {
    let mut property = Planted::new(has(&["str.from_code"]));
    property.stop = Some((12, Stop::Gone("the program is gone".into())));
    let reduction = run(&large(), &property, &options());
    assert_eq!(reduction.stopped, Some(Ended::Stop(Stop::Gone("the program is gone".into()))));
    assert!(reduction.doc.size() < reduction.start.doc.size() && !reduction.verified);
}

#[test]
fn a_failure_that_vanishes_leads_back() {
    // Small scripts fail once only; no script is tested twice before the end.
    let seen = Mutex::new(std::collections::BTreeSet::new());
    let property = Planted::new(|doc: &Doc| {
        let first = seen.lock().expect("a set").insert(doc.to_text());
        has(&["str.from_code"])(doc) && (doc.text().len() > 300 || first)
    });
    let reduction = run(&large(), &property, &options());
    assert_eq!(reduction.stopped, Some(Ended::Unrepeatable));
    assert!(reduction.verified && reduction.doc.text().len() > 300);
}

#[test]
fn a_failure_that_depends_on_the_seed_is_reduced_with_several() {
    let names: &[&str] = &["str.from_code", "str.to_int", "str.indexof", "str.substr", "str.in_re"];
    let (mut by_one, mut by_several) = (0, 0);
    for luck in [3, 4, 5] {
        let lucky = || Planted { luck: Some(luck), ..Planted::new(has(names)) };
        let alone = run(&large(), &lucky(), &Options { seeds: 1, ..options() });
        let several = run(&large(), &lucky(), &options());
        assert_eq!((alone.seeds, several.seeds), (Seeds::One, Seeds::Any(5)));
        assert!(several.complete && several.verified && is_lucky(&several.doc, several.seed, luck));
        let parallel = run(&large(), &lucky(), &Options { jobs: 4, ..options() });
        assert_eq!((parallel.doc.to_text(), parallel.seed), (several.doc.to_text(), several.seed));
        by_one += alone.doc.text().len();
        by_several += several.doc.text().len();
    }
    assert!(by_several < by_one, "{by_several} and {by_one} bytes");
    let always = run(&large(), &Planted { luck: Some(1), ..Planted::new(has(names)) }, &options());
    assert_eq!(always.seeds, Seeds::One, "it fails with all");
}

#[test]
fn a_failure_with_all_seeds_stays_one() {
    // Short scripts fail with the given seed only.
    let steady = |doc: &Doc| doc.text().len() > 200;
    let property = || Planted { steady: Some(steady), ..Planted::new(has(&["str.from_code"])) };
    let alone = run(&large(), &property(), &Options { seeds: 1, ..options() });
    let several = run(&large(), &property(), &options());
    assert!(!steady(&alone.doc) && steady(&several.doc), "{}", several.doc.text());
    assert_eq!(several.seeds, Seeds::Every(5));
    assert!(several.complete && several.verified && several.doc.text().len() < 260, "{}", several.doc.text());
    let parallel = run(&large(), &property(), &Options { jobs: 4, ..options() });
    assert_eq!(parallel.doc.to_text(), several.doc.to_text());
    // A limit in the second descent leaves the smaller script.
    let early = Options { max_runs: Some(alone.runs + 30), ..options() };
    let early = run(&large(), &property(), &early);
    assert_eq!((early.doc.to_text(), early.complete), (alone.doc.to_text(), false));
}

#[test]
fn a_large_script_is_reduced_further_with_a_seed_of_its_own() {
    // Short scripts fail with seed 3 only.
    let steady = |doc: &Doc| doc.text().len() > 600;
    let property = || Planted { steady: Some(steady), pinned: 3, ..Planted::new(has(&["str.from_code"])) };
    let alone = run(&large(), &property(), &Options { seeds: 1, ..options() });
    assert!(steady(&alone.doc) && alone.complete && alone.seed == 0);
    let several = run(&large(), &property(), &options());
    assert!(several.doc.text().len() < 120, "{}", several.doc.text());
    assert_eq!((several.seeds, several.seed, several.observed.seed), (Seeds::Any(5), 3, 3));
    assert!(several.complete && several.verified);
    let parallel = run(&large(), &property(), &Options { jobs: 4, ..options() });
    assert_eq!((parallel.doc.to_text(), parallel.seed), (several.doc.to_text(), 3));
    // A limit while steps have to fail with every seed leaves the smaller script.
    let early = run(&large(), &property(), &Options { max_runs: Some(several.runs - 5), ..options() });
    assert_eq!((early.doc.to_text(), early.seed, early.complete), (several.doc.to_text(), 3, false));
}

#[test]
fn seeds_do_not_matter_to_a_result_that_fails_with_all() {
    let names: &[&str] = &["str.from_code", "str.to_int", "str.indexof", "str.substr", "str.in_re"];
    let property = Planted { steady: Some(|_| true), ..Planted::new(has(names)) };
    let reduced = run(&large(), &property, &options());
    assert!(!property.times.lock().expect("a set").is_empty(), "several seeds were tried");
    assert_eq!((reduced.seeds, reduced.seed, reduced.complete), (Seeds::One, 0, true));
    let one = run(&large(), &Planted::new(has(names)), &options());
    assert_eq!(reduced.doc.to_text(), one.doc.to_text());
}

#[test]
fn attempts_with_several_seeds_are_short() {
    let names: &[&str] = &["str.from_code", "str.to_int", "str.indexof", "str.substr", "str.in_re"];
    let times = |luck: Option<u64>| {
        let property = Planted { luck, ..Planted::new(has(names)) };
        run(&large(), &property, &options());
        property.times.into_inner().expect("a set")
    };
    assert!(times(None).is_empty());
    assert_eq!(times(Some(3)).into_iter().collect::<Vec<_>>(), [Duration::from_millis(100)]);
}

#[test]
fn a_reduction_with_several_seeds_goes_on_where_it_was_stopped() {
    let short: fn(&Doc) -> bool = |doc| doc.text().len() > 200;
    let long: fn(&Doc) -> bool = |doc| doc.text().len() > 600;
    for (steady, pinned) in [(short, 0), (long, 3)] {
        let property = || Planted { steady: Some(steady), pinned, ..Planted::new(has(&["str.from_code"])) };
        let whole = run(&large(), &property(), &options());
        let dir = tempfile::tempdir().expect("a folder");
        let out = dir.path().join("out.smt2");
        let mut last = None;
        for stop in (5..).step_by(40) {
            let property = Planted { stop: Some((stop, Stop::Cancelled)), ..property() };
            let options = Options { out: Some(out.clone()), resume: stop > 5, ..options() };
            let reduction = run(&large(), &property, &options);
            if reduction.stopped.is_none() {
                last = Some((stop, reduction));
                break;
            }
        }
        let (stop, reduction) = last.expect("it ends");
        assert!(stop > 5);
        assert_eq!((reduction.doc.to_text(), reduction.seed), (whole.doc.to_text(), whole.seed));
        assert_eq!(std::fs::read_to_string(&out).expect("the result"), whole.doc.to_text());
    }
}

#[test]
fn a_reduction_ends_at_its_work() {
    let property = Planted::new(has(&["str.from_code"]));
    let none = run(&large(), &property, &Options { work: Some(Duration::ZERO), ..options() });
    assert!(matches!(none.stopped, Some(Ended::Limit(_))));
    let all = run(&large(), &property, &Options { work: Some(Duration::from_secs(600)), ..options() });
    assert!(all.complete && all.work > Duration::ZERO);
}

#[test]
fn nothing_is_tested_twice() {
    let seen = Mutex::new(std::collections::BTreeMap::<String, u32>::new());
    let property = Planted::new(|doc: &Doc| {
        *seen.lock().expect("a map").entry(doc.to_text()).or_default() += 1;
        has(&["str.replace", "str.in_re"])(doc)
    });
    let reduction = run(&large(), &property, &options());
    let result = reduction.doc.to_text();
    for (text, n) in &*seen.lock().expect("a map") {
        assert!(*n == 1 || *text == result, "{n} tests of {text}");
    }
}

#[test]
fn the_truth_is_kept() {
    let text = "(set-logic QF_S)(declare-const x String)(declare-const y String)\
        (assert (= (str.replace x \"a\" \"b\") y))(assert (not (= x y)))(assert (= (str.len y) 3))(check-sat)";
    let doc = Doc::from_text(text.as_bytes()).expect("a script");
    let (keeper, cancel) = (Keeper::new(Vec::new()), Cancel::new().expect("a token"));
    let label = keeper.start(&doc, None, &cancel).expect("satisfiable");
    let start = Start { name: "test".into(), doc, label, observed: observed() };
    let property = Planted { truth: true, ..Planted::new(has(&["str.replace"])) };
    let host = Host { progress: &(), cancel: &cancel };
    let reduction = reduce(start, &property, &keeper, &options(), &host).expect("reduced");
    assert!(reduction.complete && reduction.label.is_known());
    let model = reduction.label.check(0).model().expect("a model").to_owned();
    let script = script(&reduction.doc, &reduction.label);
    let certified = keeper.start(&Doc::from_text(script.as_bytes()).expect("a script"), None, &cancel);
    assert!(certified.is_ok(), "{script}\n{model}");
    assert!(reduction.doc.text().len() < 120, "{}", reduction.doc.text());
}

/// A pass that never ends.
struct Endless;

impl crate::passes::Pass for Endless {
    fn name(&self) -> &'static str {
        "endless"
    }

    fn edits(&self, _: &Doc) -> Vec<crate::passes::Edit> {
        loop {
            smt::work::spend(1);
        }
    }
}

#[test]
fn work_in_process_ends_at_the_deadline_and_at_the_request_of_the_user() {
    let property = Planted::new(has(&["str.from_code"]));
    for jobs in [1, 2] {
        let deadline = Some(Instant::now() + Duration::from_millis(50));
        let options = Options { passes: vec![&Endless], jobs, deadline, ..options() };
        let late = run(&large(), &property, &options);
        assert_eq!(late.stopped, Some(Ended::Limit("the time for the reduction")));
        assert_eq!(late.doc.to_text(), late.start.doc.to_text());
        let cancel = Cancel::new().expect("a token");
        cancel.cancel();
        let host = Host { progress: &(), cancel: &cancel };
        let options = Options { deadline: None, ..options };
        let stopped = reduce(start(&large()), &property, &Keeper::new(Vec::new()), &options, &host);
        assert_eq!(stopped.expect("a result").stopped, Some(Ended::Stop(Stop::Cancelled)));
    }
}
