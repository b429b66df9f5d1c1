//! The store, on SQLite and on PostgreSQL: one suite for both.
//!
//! The tests on PostgreSQL need its programs; they are ignored unless asked for. `tools/test` installs them and runs all, as does
//! `cargo test -p stringent-campaign --test store -- --include-ignored`.

mod addresses;
mod formats;
mod lost;
mod read_only;
mod rows;
mod server;
mod suite;

use server::Server;
use std::path::PathBuf;
use std::sync::Arc;

/// A place for stores of a test.
pub(crate) enum Place {
    Folder(tempfile::TempDir),
    Server(Arc<Server>),
}

impl Place {
    /// The place of a store with this name.
    pub(crate) fn at(&self, name: &str) -> PathBuf {
        match self {
            Place::Folder(dir) => dir.path().join(name),
            Place::Server(server) => server.address(name),
        }
    }
}

/// Runs the tests of the suite on both databases.
macro_rules! both {
    ($($test:ident),* $(,)?) => {
        mod sqlite {
            $(#[test]
            fn $test() {
                super::suite::$test(&super::Place::Folder(tempfile::tempdir().expect("a folder")));
            })*
        }

        mod postgres {
            $(#[test]
            #[ignore = "needs the programs of PostgreSQL"]
            fn $test() {
                super::suite::$test(&super::Place::Server(super::Server::shared()));
            })*
        }
    };
}

both!(
    rows_are_read_as_they_were_written,
    a_campaign_is_created_once,
    runs_are_recorded_once_and_replaced_on_request,
    a_transaction_is_whole_or_nothing,
    eight_writers_at_once,
    texts_are_stored_once,
    findings_are_replaced_together,
    one_process_works_on_a_campaign,
    names_with_quotes_and_other_scripts,
    a_removed_store_is_gone,
    a_newer_format_is_refused,
);
