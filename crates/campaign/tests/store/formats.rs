//! Stores of other formats: format 2 is read as it is and upgraded when it is written; format 1 is refused.

use crate::rows::{instance, run};
use rusqlite::{Connection, params};
use std::path::Path;
use stringent_campaign::folder::Lock;
use stringent_campaign::outcome::{Answer, CoreCheck, Kind, ModelCheck};
use stringent_campaign::settings::Settings;
use stringent_campaign::store::{Facts, RunRow, Store, StoreError};

const FORMAT_2: &str = "
CREATE TABLE campaign (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    created TEXT NOT NULL, version TEXT NOT NULL, command TEXT NOT NULL, host TEXT NOT NULL,
    seed INTEGER NOT NULL, settings TEXT NOT NULL, planned INTEGER NOT NULL DEFAULT 0, finished TEXT
);
CREATE TABLE solver (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE, program TEXT NOT NULL, version TEXT NOT NULL, profile TEXT NOT NULL
);
CREATE TABLE instance (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE, category TEXT NOT NULL, operation TEXT NOT NULL,
    status TEXT NOT NULL, source BLOB NOT NULL
);
CREATE TABLE run (
    instance INTEGER NOT NULL REFERENCES instance, solver INTEGER NOT NULL REFERENCES solver,
    seed INTEGER NOT NULL, kind TEXT NOT NULL,
    answer TEXT NOT NULL, model TEXT NOT NULL, core TEXT NOT NULL, ending TEXT NOT NULL,
    wall_us INTEGER NOT NULL, cpu_us INTEGER NOT NULL, memory_kib INTEGER NOT NULL,
    batched INTEGER NOT NULL, flaky INTEGER NOT NULL,
    output BLOB NOT NULL, evidence TEXT NOT NULL, command TEXT NOT NULL,
    PRIMARY KEY (instance, solver, seed)
) WITHOUT ROWID;
INSERT INTO solver VALUES (1, 'a', 'program of a', 'version of a', 'profile of a');
PRAGMA user_version = 2;
";

/// The tables of findings, which the first stores of format 2 lack.
const FINDINGS: &str = "
CREATE TABLE finding (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, data TEXT NOT NULL);
CREATE TABLE finding_run (
    instance INTEGER NOT NULL REFERENCES instance, solver INTEGER NOT NULL REFERENCES solver, seed INTEGER NOT NULL,
    finding INTEGER REFERENCES finding, examination TEXT NOT NULL,
    PRIMARY KEY (instance, solver, seed)
) WITHOUT ROWID;
INSERT INTO finding_run VALUES (2, 1, 0, NULL, '{\"is\":\"refused\",\"why\":\"no\"}');
";

/// The runs of an old store. The last two have the kinds of versions that had fewer of them.
fn runs() -> Vec<RunRow> {
    let unsent = |instance, evidence: &str| RunRow {
        kind: Kind::NotSent,
        answer: Answer::None,
        model: ModelCheck::Absent,
        core: CoreCheck::Absent,
        evidence: evidence.into(),
        output: Vec::new(),
        ..run(instance, 1, 0)
    };
    let mut runs: Vec<RunRow> = (1..=1500).map(|id| run(id, 1, 0)).collect();
    runs.push(unsent(1501, "not sent: it cannot be read"));
    runs.push(unsent(1502, "not sent: the operator is missing"));
    runs.push(RunRow { kind: Kind::Unsupported, answer: Answer::Unknown, ..run(1503, 1, 0) });
    runs
}

/// A store of format 2.
fn old(path: &Path) {
    let db = Connection::open(path).expect("opened");
    db.execute_batch(&format!("BEGIN; {FORMAT_2}")).expect("created");
    let settings = serde_json::to_string(&Settings::default()).expect("JSON");
    let sql = "INSERT INTO campaign VALUES (1, 'now', '0.2.0', 'stringent test', 'here', -1, ?, 1, NULL)";
    db.execute(sql, [settings]).expect("inserted");
    for r in &runs() {
        let i = instance(r.instance, &format!("i/{}", r.instance));
        let sql = "INSERT INTO instance VALUES (?, ?, ?, ?, ?, ?)";
        db.execute(sql, params![i.id, i.name, i.category, i.operation, i.status.code(), i.source])
            .expect("inserted");
        let sql = "INSERT INTO run VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
        let row = params![
            r.instance,
            r.solver,
            r.seed.cast_signed(),
            r.kind.code(),
            r.answer.code(),
            r.model.code(),
            r.core.code(),
            r.ending,
            r.wall.as_micros() as i64,
            r.cpu.as_micros() as i64,
            r.memory_kib.cast_signed(),
            r.batched,
            r.flaky,
            r.output,
            r.evidence,
            r.command
        ];
        db.execute(sql, row).expect("inserted");
    }
    db.execute_batch("COMMIT").expect("written");
}

/// The content, as both versions must see it.
fn check(store: &Store) {
    let mut expected = runs();
    (expected[1501].kind, expected[1502].kind) = (Kind::NotAsked, Kind::Unknown);
    assert_eq!(store.runs(true).expect("read"), expected);
    assert_eq!(store.runs(false).expect("read").len(), expected.len());
    assert_eq!(store.instance(7).expect("read"), Some(instance(7, "i/7")));
    assert_eq!(store.instance_facts().expect("read")[6].1, Facts::of(&instance(7, "i/7").source));
    assert_eq!(store.campaign().expect("read").seed, u64::MAX);
    assert_eq!(store.runs_with_evidence().expect("read").len(), expected.len() - 1);
    assert_eq!(store.fingerprint(1).expect("read"), None);
    assert_eq!(store.hunt_state().expect("read"), None);
    assert_eq!(store.unreadable().expect("read"), []);
    assert_eq!(store.findings().expect("read"), []);
}

#[test]
fn format_2_is_read_without_writing_to_it() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("old.store");
    old(&path);
    let before = std::fs::read(&path).expect("a file");
    check(&Store::open_read_only(&path).expect("opened"));
    assert!(std::fs::read(&path).expect("a file") == before, "the file was changed");
}

#[test]
fn format_2_is_upgraded_when_it_is_written() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("old.store");
    old(&path);
    Connection::open(&path).and_then(|db| db.execute_batch(FINDINGS)).expect("written");
    let lock = Lock::acquire(&path).expect("free");
    assert!(matches!(Store::open(&path), Err(StoreError::InUse(_))));
    drop(lock);
    let mut store = Store::open(&path).expect("upgraded");
    check(&store);
    assert_eq!(store.examinations().expect("read").len(), 1);
    store.add_runs(&[run(1, 1, 1)], false).expect("recorded");
    assert!(store.add_runs(&[run(9999, 1, 1)], false).is_err(), "references are checked");
    drop(store);
    let again = Store::open_read_only(&path).expect("opened");
    assert_eq!(again.runs(true).expect("read").len(), runs().len() + 1);
    let db = Connection::open(&path).expect("opened");
    let format: i64 = db.query_row("PRAGMA user_version", [], |row| row.get(0)).expect("read");
    let broken: i64 =
        db.query_row("SELECT COUNT(*) FROM pragma_foreign_key_check", [], |r| r.get(0)).expect("read");
    assert_eq!((format, broken), (3, 0));
}

#[test]
fn format_1_is_refused_by_the_version_that_wrote_it() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("older.store");
    old(&path);
    let db = Connection::open(&path).expect("opened");
    db.execute_batch("UPDATE campaign SET version = '0.1.0'; PRAGMA user_version = 1").expect("written");
    for refused in [Store::open(&path), Store::open_read_only(&path)] {
        let message = refused.err().expect("refused").to_string();
        assert!(message.contains("written by stringent 0.1.0 (store format 1)"), "{message}");
    }
}

#[test]
fn files_that_are_no_stores() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("x");
    std::fs::write(&path, "(check-sat)\n".repeat(100)).expect("written");
    assert!(Store::open(&path).is_err() && Store::open_read_only(&path).is_err());
    std::fs::write(&path, "").expect("written");
    assert!(matches!(Store::open_read_only(&path), Err(StoreError::Missing(_))));
}

#[test]
fn a_page_that_was_overwritten_is_found() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("a.store");
    drop(crate::rows::filled(&path, 2000));
    assert_eq!(Store::open_read_only(&path).expect("opened").check().expect("checked").found, 0);
    let mut bytes = std::fs::read(&path).expect("readable");
    let middle = bytes.len() / 2;
    bytes[middle..].fill(0xa5);
    std::fs::write(&path, bytes).expect("written");
    let checked = Store::open_read_only(&path).expect("opened").check().expect("checked");
    assert!(checked.found > 0, "{checked:?}");
}
