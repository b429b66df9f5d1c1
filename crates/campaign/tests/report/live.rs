//! A campaign that is brought up to date step by step has the counts of the report.

use super::fixture::{Fixture, every_kind};
use stringent_campaign::outcome::{Kind, Status};
use stringent_campaign::report::Data;
use stringent_campaign::report::conclusion;
use stringent_campaign::report::live::{Live, Step};
use stringent_campaign::report::tally::{Table, timing};
use stringent_campaign::store::Store;

/// The data when it is up to date.
fn current(live: &mut Live) -> Data {
    while live.step().expect("read") == Step::More {}
    live.data().expect("read")
}

#[track_caller]
fn assert_same(live: &Data, report: &Data) {
    let (a, b) = (Table::new(live), Table::new(report));
    assert_eq!(conclusion::line(live, &a), conclusion::line(report, &b));
    let rows = |t: &Table| t.rows.iter().map(|r| (r.label.clone(), r.counts.clone())).collect::<Vec<_>>();
    assert_eq!(rows(&a), rows(&b));
    assert_eq!(live.totals.operations, report.totals.operations);
    let groups = |d: &Data| -> Vec<_> {
        d.groups.iter().map(|g| (g.number, g.solver, g.kind, g.operation.clone(), g.size.clone())).collect()
    };
    assert_eq!(groups(live), groups(report));
    for (live, report) in timing(live).iter().zip(timing(report)) {
        assert_eq!(
            (live.solved, live.runs, live.wall, live.cpu),
            (report.solved, report.runs, report.wall, report.cpu)
        );
        assert_eq!((live.par2, live.memory_kib), (report.par2, report.memory_kib));
        let near = |a: std::time::Duration, b: std::time::Duration| {
            a <= b && b.as_secs_f64() <= a.as_secs_f64() * 1.01 + 1e-6
        };
        assert!(
            near(live.median, report.median)
                && near(live.p95, report.p95)
                && near(live.slowest, report.slowest)
        );
    }
}

#[test]
fn every_kind_counts_as_in_the_report() {
    let f = every_kind();
    let mut live = Live::open(f.store.path()).expect("open");
    assert_same(&current(&mut live), &Data::read(&f.store, &[]).expect("read"));
    assert_eq!(live.step().expect("read"), Step::Same);
}

#[test]
fn new_runs_and_changed_runs_are_seen() {
    let mut f = Fixture::new("a.store", &["a", "b"]);
    let ids: Vec<i64> = (0..5).map(|n| f.instance(&format!("x/{n}"), "x", "str.at", Status::Sat)).collect();
    let mut live = Live::open(f.store.path()).expect("open");
    assert_eq!(current(&mut live).totals.runs, 0);
    for (n, &id) in ids.iter().enumerate() {
        f.run(id, 1, Kind::CorrectSat, 10 + n as u64);
        let data = current(&mut live);
        assert_eq!((data.totals.runs, data.expected()), (n as u64 + 1, 10));
    }
    for &id in &ids {
        f.run(id, 2, Kind::Unlabelled, 3);
    }
    assert_same(&current(&mut live), &Data::read(&f.store, &[]).expect("read"));
    // All runs are there; when the campaign is closed, some of them change.
    f.run(ids[2], 2, Kind::WrongUnsat, 3);
    f.store.set_finished("2026-01-02T04:00:00Z").expect("finished");
    let data = current(&mut live);
    assert_same(&data, &Data::read(&f.store, &[]).expect("read"));
    assert_eq!(data.groups[0].smallest, Some(ids[2]));
}

#[test]
fn a_campaign_of_many_blocks() {
    let dir = tempfile::tempdir().expect("a folder");
    let store = Store::sample(&dir.path().join("a.store"), 24_000, &mut |_| {}).expect("a store");
    let mut live = Live::open(store.path()).expect("open");
    assert_eq!(live.step().expect("read"), Step::More);
    assert!(live.progress() > 0.0 && live.progress() < 1.0);
    let data = current(&mut live);
    assert_same(&data, &Data::read(&store, &[]).expect("read"));
    let sizes = store.instance_facts().expect("read");
    let report = Data::read(&store, &[]).expect("read");
    for (group, full) in data.groups.iter().zip(&report.groups) {
        let smallest = group.smallest.expect("an instance");
        let size = |id: i64| sizes.iter().find(|(i, _)| *i == id).map(|(_, f)| f.size);
        let in_report = report.instances[report.runs[full.runs[0]].instance].id;
        assert_eq!(size(smallest), size(in_report));
    }
}
