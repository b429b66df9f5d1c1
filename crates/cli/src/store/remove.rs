//! `stringent store remove`: a store is deleted.

use crate::{Outcome, render, stored};
use campaign::folder::Lock;
use campaign::store::{Store, StoreError};
use std::path::{Path, PathBuf};

/// Delete stores. Only stores are deleted, and none that another process works on.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    /// The stores
    #[arg(required = true, value_name = "STORE")]
    stores: Vec<PathBuf>,
}

const HELP: &str = "\
Examples:
  stringent store remove old.store
  stringent store remove postgres://db.example/lab/old

Exit codes: 0 done, 2 usage, not a store, or in use.";

pub(super) fn run(args: &Args) -> anyhow::Result<Outcome> {
    args.stores.iter().try_for_each(|path| is_store(path))?;
    for path in &args.stores {
        let lock = Lock::acquire(path)?;
        Store::try_remove(path)?;
        drop(lock);
        render::notice(&format!("removed {}", path.display()));
    }
    Ok(Outcome::Clean)
}

/// An error unless it is a store, of whatever format.
fn is_store(path: &Path) -> anyhow::Result<()> {
    use StoreError::{Incomplete, Newer, Version};
    match stored::open(path) {
        Err(e) => match e.downcast_ref() {
            Some(Incomplete(_) | Newer { .. } | Version { .. }) => Ok(()),
            _ => Err(e),
        },
        Ok(_) => Ok(()),
    }
}
