//! What every store must do, on every database.

use crate::Place;
use crate::rows::{campaign, filled, instance, run, solver};
use stringent_campaign::finding::Examination;
use stringent_campaign::folder::{FolderError, Lock};
use stringent_campaign::outcome::Kind;
use stringent_campaign::store::{RunRow, Store, StoreError, UnreadableRow};

pub(crate) fn rows_are_read_as_they_were_written(place: &Place) {
    let path = place.at("rows");
    let mut store = filled(&path, 3);
    let empty =
        RunRow { output: Vec::new(), evidence: String::new(), command: String::new(), ..run(1, 2, 0) };
    let large = RunRow { seed: u64::MAX, output: vec![0xff; 3 << 20], kind: Kind::Crash, ..run(2, 1, 0) };
    let unreadable = UnreadableRow { file: "a b.smt2".into(), line: 1, column: 2, message: "no".into() };
    store.add_runs(&[large.clone(), empty.clone(), run(1, 1, 5)], false).expect("recorded");
    store.set_unreadable(std::slice::from_ref(&unreadable)).expect("recorded");
    store.set_fingerprint(1, "abc").expect("recorded");
    store.set_fingerprint(1, "other").expect("the first one counts");
    store.set_hunt_state("{}").expect("recorded");
    store.set_hunt_state("{1}").expect("replaced");
    let read = Store::open_read_only(&path).expect("opened");
    assert_eq!(read.runs(true).expect("read"), [run(1, 1, 5), empty, large.clone()]);
    assert_eq!(read.run(2, 1, u64::MAX).expect("read"), Some(large));
    assert_eq!(read.run(3, 1, 0).expect("read"), None);
    assert!(read.runs(false).expect("read").iter().all(|r| r.output.is_empty() && r.command.is_empty()));
    assert_eq!(read.run_keys().expect("read"), [(1, 1, 5), (1, 2, 0), (2, 1, u64::MAX)]);
    assert_eq!(read.instance(2).expect("read"), Some(instance(2, "i/2")));
    assert_eq!(read.instances(true).expect("read")[2], instance(3, "i/3"));
    assert!(read.instances(false).expect("read")[0].source.is_empty());
    assert_eq!(read.instance_facts().expect("read")[1].1.scale, Some(("depth".into(), 2)));
    assert_eq!(read.campaign().expect("read"), campaign());
    assert_eq!(read.unreadable().expect("read"), [unreadable]);
    assert_eq!(read.fingerprint(1).expect("read").as_deref(), Some("abc"));
    assert_eq!(read.hunt_state().expect("read").as_deref(), Some("{1}"));
    assert!(read.is_planned().expect("read"));
    assert_eq!(read.runs_with_evidence().expect("read").len(), 1);
}

pub(crate) fn a_campaign_is_created_once(place: &Place) {
    let path = place.at("once");
    assert!(Store::open(&path).is_err());
    drop(filled(&path, 1));
    assert!(matches!(Store::create(&path, &campaign()), Err(StoreError::Exists(_))));
    let store = Store::open(&path).expect("opened");
    assert_eq!(store.add_solver(&solver("b")).expect("the same"), 2);
    store.set_finished("2026-01-03T00:00:00Z").expect("recorded");
    assert_eq!(store.campaign().expect("read").finished.as_deref(), Some("2026-01-03T00:00:00Z"));
}

pub(crate) fn runs_are_recorded_once_and_replaced_on_request(place: &Place) {
    let mut store = filled(&place.at("runs"), 2);
    let other = RunRow { kind: Kind::Crash, evidence: "other".into(), ..run(1, 1, 0) };
    store.add_runs(&[run(1, 1, 0), other.clone()], false).expect("recorded");
    store.add_runs(std::slice::from_ref(&other), false).expect("recorded");
    assert_eq!(store.runs(true).expect("read"), [run(1, 1, 0)]);
    store.add_runs(&[run(1, 1, 0), other.clone()], true).expect("recorded");
    assert_eq!(store.runs(true).expect("read"), [other]);
}

pub(crate) fn a_transaction_is_whole_or_nothing(place: &Place) {
    let path = place.at("whole");
    let mut store = filled(&path, 2);
    assert!(store.add_runs(&[run(1, 1, 0), run(99, 1, 0)], false).is_err(), "there is no instance 99");
    assert_eq!(store.run_keys().expect("read"), []);
    assert!(store.add_instances(&[instance(3, "i/3"), instance(4, "i/1")]).is_err(), "a name that is taken");
    assert_eq!(store.instances(false).expect("read").len(), 2);
    // Texts of the failed transaction are not remembered.
    store.add_runs(&[run(1, 1, 0)], false).expect("recorded");
    assert_eq!(Store::open(&path).expect("opened").runs(true).expect("read"), [run(1, 1, 0)]);
    let mut reader = Store::open_read_only(&path).expect("opened");
    assert!(reader.add_runs(&[run(2, 1, 0)], false).is_err(), "it was opened for reading");
}

pub(crate) fn eight_writers_at_once(place: &Place) {
    let path = place.at("eight");
    drop(filled(&path, 40));
    let keys: Vec<(i64, i64, u64)> =
        (1..=40).flat_map(|i| (1..=2).flat_map(move |s| (0..5).map(move |seed| (i, s, seed)))).collect();
    std::thread::scope(|scope| {
        for writer in 0..8 {
            let (path, mut keys) = (&path, keys.clone());
            scope.spawn(move || {
                // Every writer records every run, each in an order of its own.
                keys.rotate_left(writer * 47);
                if writer % 2 == 1 {
                    keys.reverse();
                }
                let mut store = Store::open(path).expect("opened");
                for chunk in keys.chunks(20) {
                    let rows: Vec<RunRow> = chunk.iter().map(|k| run(k.0, k.1, k.2)).collect();
                    store.add_runs(&rows, writer == 3).expect("recorded");
                }
            });
        }
    });
    let store = Store::open_read_only(&path).expect("opened");
    assert_eq!(store.run_keys().expect("read"), keys);
    assert!(store.runs(true).expect("read").iter().all(|r| *r == run(r.instance, r.solver, r.seed)));
}

pub(crate) fn texts_are_stored_once(place: &Place) {
    let path = place.at("texts");
    let mut store = filled(&path, 10);
    let output: Vec<u8> = (0..200_000u32).flat_map(|n| n.wrapping_mul(2_654_435_761).to_be_bytes()).collect();
    for id in 1..=10 {
        let rows: Vec<RunRow> =
            (0..10).map(|seed| RunRow { output: output.clone(), ..run(id, 1, seed) }).collect();
        store.add_runs(&rows, false).expect("recorded");
    }
    let size = store.size().expect("known");
    assert!(size < 4 << 20, "100 runs with one output of 800 kB: {size} bytes");
    assert_eq!(
        Store::open_read_only(&path).expect("opened").run(7, 1, 3).expect("read").expect("there").output,
        output
    );
}

pub(crate) fn findings_are_replaced_together(place: &Place) {
    let mut store = filled(&place.at("findings"), 2);
    store.add_runs(&[run(1, 1, 0), run(2, 1, 0)], false).expect("recorded");
    let refused = |why: &str| Examination::Refused { why: why.into() };
    store.set_examination((1, 1, 0), &refused("first")).expect("recorded");
    store.set_examination((1, 1, 0), &refused("second")).expect("replaced");
    let all = store.examinations().expect("read");
    assert_eq!((all.len(), &all[0].examination), (1, &refused("second")));
    store.set_findings(&[]).expect("recorded");
    assert_eq!(store.findings().expect("read"), []);
    assert_eq!(store.elsewhere("f", "z3").expect("read"), None);
    store.set_elsewhere("f", "z3", true).expect("recorded");
    store.set_elsewhere("f", "z3", false).expect("replaced");
    assert_eq!(store.elsewhere("f", "z3").expect("read"), Some(false));
    store.forget_elsewhere().expect("forgotten");
    assert_eq!(store.elsewhere("f", "z3").expect("read"), None);
}

pub(crate) fn one_process_works_on_a_campaign(place: &Place) {
    let path = place.at("lock");
    drop(filled(&path, 1));
    let lock = Lock::acquire(&path).expect("free");
    assert!(matches!(Lock::acquire(&path), Err(FolderError::Busy(_))));
    drop(lock);
    drop(Lock::acquire(&path).expect("free again"));
}

pub(crate) fn names_with_quotes_and_other_scripts(place: &Place) {
    let path = place.at("a%22b'%C3%BC%E6%96%87");
    let mut store = filled(&path, 1);
    let name = "'; DROP TABLE run; -- \"?\" \u{202e}文";
    store.add_instances(&[instance(2, name)]).expect("added");
    let solver = store.add_solver(&solver(name)).expect("added");
    store.add_runs(&[RunRow { ending: name.into(), ..run(2, solver, 0) }], false).expect("recorded");
    let read = Store::open_read_only(&path).expect("opened");
    assert_eq!(read.instance(2).expect("read").expect("there").name, name);
    assert_eq!(read.solvers().expect("read")[2].name, name);
    assert_eq!(read.runs(false).expect("read")[0].ending, name);
}

pub(crate) fn a_removed_store_is_gone(place: &Place) {
    let (one, other) = (place.at("one"), place.at("other"));
    drop((filled(&one, 1), filled(&other, 2)));
    Store::try_remove(&one).expect("removed");
    assert!(Store::open(&one).is_err());
    assert_eq!(Store::open(&other).expect("opened").instances(false).expect("read").len(), 2);
    drop(filled(&one, 1));
}

pub(crate) fn a_newer_format_is_refused(place: &Place) {
    let path = place.at("newer");
    drop(filled(&path, 1));
    match place {
        Place::Folder(_) => {
            let db = rusqlite::Connection::open(&path).expect("opened");
            db.pragma_update(None, "user_version", 99).expect("written");
        }
        Place::Server(server) => {
            let mut db = postgres::Client::connect(&server.database(), postgres::NoTls).expect("connected");
            let name = path.display().to_string();
            let name =
                name.rsplit_once('?').and_then(|(p, _)| p.rsplit('/').next()).expect("a name").to_owned();
            db.batch_execute(&format!("UPDATE \"stringent_{name}\".format SET version = 99"))
                .expect("written");
        }
    }
    let opened: Vec<_> = [Store::open(&path), Store::open_read_only(&path)].into_iter().collect();
    for refused in opened {
        let message = refused.err().expect("refused").to_string();
        assert!(message.contains("newer stringent (store format 99)"), "{message}");
    }
    assert!(matches!(Store::create(&path, &campaign()), Err(StoreError::Exists(_))));
}
