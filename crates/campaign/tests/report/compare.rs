//! Two campaigns compared.

use crate::fixture::Fixture;
use std::time::Duration;
use stringent_campaign::outcome::{Kind, Status};
use stringent_campaign::report::compare::speed::Direction;
use stringent_campaign::report::compare::times::Clock;
use stringent_campaign::report::compare::{CompareError, Comparison, compare, text};
use stringent_campaign::report::{Data, Options};

/// A store of one solver with these instances, kinds and times.
fn store(solver: &str, runs: &[(&str, Kind, u64)]) -> Fixture {
    let mut f = Fixture::new("x.store", &[solver]);
    for &(name, kind, millis) in runs {
        let i = f.instance(name, "term", "str.at", Status::Sat);
        f.run(i, 1, kind, millis);
    }
    f
}

fn names(list: &[stringent_campaign::report::compare::Change]) -> Vec<&str> {
    list.iter().map(|c| c.instance.as_str()).collect()
}

fn sample() -> Comparison {
    use Kind as K;
    let old = store(
        "z3-4.8.6",
        &[
            ("broke", K::ValidModel, 10),
            ("no answer", K::ValidModel, 10),
            ("worse", K::WallTime, 15_000),
            ("fixed", K::WrongUnsat, 10),
            ("better", K::Crash, 10),
            ("other", K::Unknown, 10),
            ("slower", K::ValidModel, 100),
            ("faster", K::ValidModel, 900),
            ("a bit slower", K::ValidModel, 20),
            ("same kind of ok", K::CorrectSat, 10),
            ("gone", K::ValidModel, 10),
        ],
    );
    let new = store(
        "z3-5.4.0",
        &[
            ("broke", K::WallTime, 15_000),
            ("no answer", K::Unknown, 10),
            ("worse", K::InvalidModel, 10),
            ("fixed", K::ValidModel, 10),
            ("better", K::WallTime, 15_000),
            ("other", K::WallTime, 15_000),
            ("slower", K::ValidModel, 400),
            ("faster", K::ValidModel, 100),
            ("a bit slower", K::ValidModel, 80),
            ("same kind of ok", K::ValidModel, 10),
            ("new", K::Crash, 10),
        ],
    );
    compare(&old.data("old.store"), &new.data("new.store"), &[]).expect("one solver each: they match")
}

#[test]
fn broken_and_fixed_runs() {
    let c = sample();
    assert_eq!(names(&c.broken), ["worse", "no answer"], "the worst first");
    assert_eq!(names(&c.fixed), ["fixed", "better"]);
    assert_eq!(names(&c.changed), ["other"]);
    let speeds: Vec<_> = c.speeds.iter().map(|s| (s.change.instance.as_str(), s.direction)).collect();
    assert_eq!(
        speeds,
        [("broke", Direction::Slower), ("slower", Direction::Slower), ("faster", Direction::Faster)]
    );
    assert_eq!(c.unconfirmed().count(), 3, "recorded times confirm nothing");
    assert_eq!(
        (c.added.as_slice(), c.absent.as_slice()),
        (&["new".to_owned()][..], &["gone".to_owned()][..])
    );
    let p = &c.pairs[0];
    assert_eq!((p.runs, p.old_ok, p.new_ok, p.timed), (10, 6, 5, 4));
}

#[test]
fn times_are_of_one_set() {
    let c = sample();
    let p = &c.pairs[0];
    // slower, faster, a bit slower, same kind of ok: CPU time is half of the wall-clock time in these stores.
    assert_eq!(p.timed, 4);
    assert_eq!(
        (p.times.clock, p.times.old.as_millis(), p.times.new.as_millis()),
        (Clock::Cpu, 1030 / 2, 590 / 2)
    );
    let expected = (4.0f64 * (1.0 / 9.0) * 4.0 * 1.0).powf(0.25);
    assert!((p.times.mean_ratio.expect("four runs") - expected).abs() < 1e-9);
    let doc = c.json();
    assert_eq!((&doc["solvers"][0]["timed"], &doc["solvers"][0]["clock"]), (&4.into(), &"CPU".into()));
    let moved = ["broken", "fixed", "changed"].map(|list| doc[list].as_array().map_or(0, Vec::len));
    assert_eq!(
        moved.iter().sum::<usize>() as u64 + p.timed + 1,
        p.runs,
        "every run is in one place, `broke` with the speeds"
    );
}

/// An answer then and a time limit now is a claim about speed, whatever made it.
#[test]
fn time_limits_are_not_broken_at_once() {
    for kind in [Kind::WallTime, Kind::CpuTime, Kind::OwnLimit] {
        let of = |one, two| store("a", &[("x", one, 10), ("y", two, 10)]).data("s");
        let c = compare(&of(Kind::ValidModel, kind), &of(kind, Kind::ValidModel), &[]).expect("they compare");
        assert_eq!((c.broken.len(), c.fixed.len(), c.changed.len(), c.speeds.len()), (0, 0, 0, 2), "{kind}");
        let shown = text::render(&c, &Options::default());
        assert!(shown.contains("0 slower, 0 faster, 2 not confirmed"), "{shown}");
        let line = format!("ok valid-model after 10.0 ms → T {kind} after 10.0 ms as recorded");
        assert!(shown.contains(&line), "{shown}");
        let c = compare(&of(kind, kind), &of(Kind::Unknown, Kind::WrongUnsat), &[]).expect("they compare");
        assert_eq!(
            (names(&c.broken), names(&c.changed)),
            (vec!["y"], vec!["x"]),
            "unsound is broken at once"
        );
    }
}

#[test]
fn different_time_limits_explain_time_limits() {
    let short = |kind, millis| {
        let mut data = store("a", &[("x", kind, millis)]).data("s");
        data.campaign.settings.limits.wall = Duration::from_millis(50);
        data
    };
    let long = |kind, millis| {
        let mut data = short(kind, millis);
        data.campaign.settings.limits.wall = Duration::from_secs(1);
        data
    };
    let c = compare(&short(Kind::WallTime, 50), &long(Kind::ValidModel, 300), &[]).expect("they compare");
    assert_eq!((c.speeds.len(), c.fixed.len(), c.explained), (0, 0, 1));
    let shown = text::render(&c, &Options::default());
    let line = "the time limits differ: 0.05 s and 1 s; they explain 1 time limit";
    assert!(shown.contains(line), "{shown}");
    let c = compare(&long(Kind::ValidModel, 300), &short(Kind::WallTime, 50), &[]).expect("they compare");
    assert_eq!((c.speeds.len(), c.broken.len(), c.explained), (0, 0, 1));
    let c = compare(&long(Kind::ValidModel, 20), &short(Kind::WallTime, 50), &[]).expect("they compare");
    assert_eq!((c.speeds.len(), c.broken.len(), c.explained), (1, 0, 0), "within the limit then");
}

/// A store with a run of `millis` of wall-clock time in a batch, and no CPU time, and another run.
fn batched(millis: u64) -> Data {
    let mut f = store("a", &[("x", Kind::ValidModel, millis), ("y", Kind::ValidModel, 100)]);
    let mut row = f.store.run(1, 1, 0).expect("readable").expect("a run");
    (row.batched, row.cpu) = (true, Duration::ZERO);
    f.add(&row);
    f.data("x.store")
}

#[test]
fn batch_mode_has_wall_clock_times_only() {
    let c = compare(&batched(10), &batched(860), &[]).expect("they compare");
    assert_eq!((c.pairs[0].times.clock, c.pairs[0].timed), (Clock::Wall, 2));
    assert_eq!(c.speeds[0].change.clock(), Clock::Wall);
    let shown = text::render(&c, &Options::default());
    assert!(shown.contains("0 slower, 0 faster, 1 not confirmed"), "{shown}");
    let line = "10.0 ms → 860 ms wall, × 86.00 as recorded\n    not confirmed: not re-run";
    assert!(shown.contains(line), "{shown}");
}

#[test]
fn a_wait_is_not_a_slowdown() {
    let run = |wall: u64| {
        let mut f = store("a", &[("x", Kind::ValidModel, wall)]);
        let mut row = f.store.run(1, 1, 0).expect("readable").expect("a run");
        row.cpu = Duration::from_millis(5);
        f.add(&row);
        f.data("x.store")
    };
    let c = compare(&run(10), &run(5000), &[]).expect("they compare");
    assert_eq!(c.speeds, [], "the CPU time is known, and it is the same");
}

#[test]
fn comparisons_as_text_and_json() {
    let c = sample();
    crate::snapshot("compare.txt", &text::render(&c, &Options::default()));
    let doc = c.json();
    assert_eq!(doc["broken"][0]["instance"], "worse");
    assert_eq!(doc["broken"][0]["new"]["verdict"], "IM");
    assert_eq!(doc["solvers"][0]["old"], "z3-4.8.6");
}

#[test]
fn which_solver_is_which() {
    let old = Fixture::new("o.store", &["z3-4.8.6", "cvc5"]).data("o.store");
    let new = Fixture::new("n.store", &["cvc5", "z3-5.4.0"]).data("n.store");
    let pairs = |map: &[(String, String)]| {
        compare(&old, &new, map).map(|c| c.pairs.into_iter().map(|p| (p.old, p.new)).collect::<Vec<_>>())
    };
    let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
    assert_eq!(pairs(&[]), Ok(vec![pair("cvc5", "cvc5")]));
    let map = [pair("z3-4.8.6", "z3-5.4.0")];
    assert_eq!(pairs(&map), Ok(vec![pair("cvc5", "cvc5"), pair("z3-4.8.6", "z3-5.4.0")]));
    let wrong = pairs(&[pair("z3", "z3-5.4.0")]).expect_err("no such solver");
    assert!(matches!(&wrong, CompareError::NoSolver { missing, .. } if missing == "z3"));
    assert!(wrong.to_string().ends_with("it has z3-4.8.6, cvc5"), "{wrong}");
    let apart = Fixture::new("p.store", &["p", "q"]).data("p.store");
    let none = compare(&old, &apart, &[]).expect_err("nothing in common");
    assert!(matches!(none, CompareError::NothingInCommon { .. }));
}

#[test]
fn another_formula_of_the_same_name_is_not_compared() {
    let one = |text: &str, kind| {
        let mut f = Fixture::new("x.store", &["a"]);
        let i = f.text("name", "term", "", Status::Sat, text);
        f.run(i, 1, kind, 1);
        f.data("x.store")
    };
    let old = one("(set-info :source |0.1|)\n(assert true)\n", Kind::ValidModel);
    let new = one("(assert false)\n", Kind::WrongUnsat);
    let c = compare(&old, &new, &[]).expect("they compare");
    assert_eq!(c.different, ["name"]);
    assert!(c.is_empty() && c.broken.is_empty());
    let same = one("(set-info :source |0.2|)\n(assert true)\n", Kind::WrongUnsat);
    assert_eq!(compare(&old, &same, &[]).expect("they compare").broken.len(), 1);
}

/// Nothing broke and nothing was fixed where a solver was not asked, then or now.
#[test]
fn what_was_not_asked_is_not_compared() {
    let old =
        store("a", &[("one", Kind::ValidModel, 1), ("two", Kind::NotAsked, 0), ("three", Kind::NotAsked, 0)]);
    let new =
        store("a", &[("one", Kind::NotAsked, 0), ("two", Kind::WrongUnsat, 1), ("three", Kind::NotAsked, 0)]);
    let c = compare(&old.data("old"), &new.data("new"), &[]).expect("they compare");
    assert_eq!((c.broken.len(), c.fixed.len(), c.changed.len(), c.unmatched), (0, 0, 0, 2));
    assert!(c.is_empty());
}

#[test]
fn seeds_are_matched() {
    let mut f = Fixture::new("x.store", &["a"]);
    let i = f.instance("x", "term", "", Status::Sat);
    let run = f.run(i, 1, Kind::ValidModel, 1);
    let old = f.data("old");
    f.add(&stringent_campaign::store::RunRow { seed: 1465, kind: Kind::Crash, ..run });
    let c = compare(&old, &f.data("new"), &[]).expect("they compare");
    assert_eq!((c.broken.len(), c.unmatched, c.pairs[0].runs), (0, 1, 1));
}
