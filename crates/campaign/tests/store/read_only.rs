//! Stores in folders that cannot be written: archives, backups, the results of others.

use crate::rows::{filled, run};
use rustix::thread::{CapabilitySet, capabilities, set_capabilities};
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use stringent_campaign::store::Store;

/// Calls `work` in a thread for which permissions count, also if the user is root, while `folder` cannot be written.
fn without_writing<T: Send>(folder: &Path, work: impl FnOnce() -> T + Send) -> T {
    fs::set_permissions(folder, Permissions::from_mode(0o555)).expect("made read-only");
    let result = std::thread::scope(|scope| {
        let thread = scope.spawn(|| {
            let mut sets = capabilities(None).expect("known");
            sets.effective.remove(CapabilitySet::DAC_OVERRIDE);
            set_capabilities(None, sets).expect("dropped");
            assert!(fs::write(folder.join("probe"), "").is_err(), "the folder can be written");
            work()
        });
        thread.join().expect("no panic")
    });
    fs::set_permissions(folder, Permissions::from_mode(0o755)).expect("made writable");
    result
}

#[test]
fn a_store_is_read_in_a_folder_that_cannot_be_written() {
    let dir = tempfile::tempdir().expect("a folder");
    let folder = dir.path().join("50% #1?");
    fs::create_dir(&folder).expect("created");
    let path = folder.join("a b.store");
    filled(&path, 2).add_runs(&[run(1, 1, 0)], false).expect("recorded");
    let runs = without_writing(&folder, || {
        let store = Store::open_read_only(&path)?;
        assert!(Store::open(&path).is_err(), "it cannot be written");
        store.runs(true)
    });
    assert_eq!(runs.expect("readable"), [run(1, 1, 0)]);
}

#[test]
fn a_store_that_is_written_is_read_with_its_log_or_not_at_all() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("a.store");
    let mut writer = filled(&path, 2);
    writer.add_runs(&[run(1, 1, 0)], false).expect("recorded");
    let read = || Store::open_read_only(&path)?.runs(true);
    assert_eq!(without_writing(dir.path(), read).expect("readable"), [run(1, 1, 0)]);
    // A killed process leaves the log; what lies in it must not be missing without a word.
    let other = dir.path().join("other");
    fs::create_dir(&other).expect("created");
    for name in ["a.store", "a.store-wal"] {
        fs::copy(dir.path().join(name), other.join(name)).expect("copied");
    }
    let path = other.join("a.store");
    let refused = without_writing(&other, || Store::open_read_only(&path).map(drop)).expect_err("refused");
    assert!(refused.to_string().contains("copy all files of the store"), "{refused}");
    assert_eq!(Store::open_read_only(&path).expect("opened").runs(true).expect("readable"), [run(1, 1, 0)]);
}
