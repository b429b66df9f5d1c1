//! Addresses that cannot be used.

use std::path::Path;
use stringent_campaign::store::{Store, StoreError};

#[test]
fn a_password_is_refused_and_not_repeated() {
    let path = Path::new("postgres://ann:secret@db.example/lab/paper");
    let message = Store::open(path).err().expect("refused").to_string();
    assert!(message.contains("PGPASSFILE") && !message.contains("secret"), "{message}");
}

#[test]
fn a_database_is_not_a_campaign() {
    let path = Path::new("postgres://ann@db.example/lab");
    assert!(matches!(Store::open(path), Err(StoreError::NoCampaign(_))));
}

#[test]
fn a_server_that_is_not_there() {
    let dir = tempfile::tempdir().expect("a folder");
    let address = format!("postgres://ann@/lab/paper?host={}", dir.path().display());
    let message = Store::open(Path::new(&address)).err().expect("refused").to_string();
    assert!(message.contains("no connection to"), "{message}");
}
