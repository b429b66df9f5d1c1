//! The store that `show` and `repro` look at, and the run in it.

use anyhow::{Context as _, bail};
use campaign::job;
use campaign::report::{Data, Options, find};
use campaign::store::Store;
use std::path::{Path, PathBuf};

/// A run of a store.
#[derive(clap::Args)]
pub(crate) struct RunArgs {
    /// The number of a failure in the report, or the name of an instance
    #[arg(value_name = "NUMBER|NAME")]
    pub(crate) which: String,
    #[command(flatten)]
    place: PlaceArgs,
}

/// A store, and which of its runs.
#[derive(clap::Args)]
pub(crate) struct PlaceArgs {
    /// The store that `test` or `run` wrote [default: the newest in stringent-results]
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    /// With a name: only this solver
    #[arg(long, value_name = "NAME")]
    solver: Option<String>,
    /// With a name: only this solver seed
    #[arg(long)]
    seed: Option<u64>,
}

/// A campaign that was read.
pub(crate) struct Opened {
    pub(crate) store: Store,
    pub(crate) data: Data,
    /// How commands are printed.
    pub(crate) options: Options,
}

/// A run that was found.
pub(crate) struct Found {
    pub(crate) store: Store,
    pub(crate) data: Data,
    /// The run, by its place.
    pub(crate) run: usize,
    /// How commands are printed.
    pub(crate) options: Options,
}

impl RunArgs {
    /// Opens the store and finds the run.
    pub(crate) fn find(&self) -> anyhow::Result<Found> {
        self.place.find(&self.which)
    }
}

impl PlaceArgs {
    /// Opens the store and finds the run.
    pub(crate) fn find(&self, which: &str) -> anyhow::Result<Found> {
        let Opened { store, mut data, options } = self.open()?;
        data.include(&store, which)?;
        let run = find::run(&data, which, self.seed)?;
        Ok(Found { store, data, run, options })
    }

    /// Opens the store.
    pub(crate) fn open(&self) -> anyhow::Result<Opened> {
        let path = match &self.store {
            Some(path) => path.clone(),
            None => job::newest().context("no campaign in stringent-results/; name one with --store")?,
        };
        let store = open(&path)?;
        let only: Vec<String> = self.solver.iter().cloned().collect();
        let data = read(&store, &only)?;
        let options = Options { newest: self.store.is_none(), ..Options::default() };
        Ok(Opened { store, data, options })
    }
}

/// Opens a store for reading.
pub(crate) fn open(path: &Path) -> anyhow::Result<Store> {
    if !Store::exists(path) {
        bail!("there is no store `{}`", path.display());
    }
    Ok(Store::open_read_only(path)?)
}

/// Reads the campaign, all solvers or only those named; names of solvers that are not in it are errors.
pub(crate) fn read(store: &Store, only: &[String]) -> anyhow::Result<Data> {
    let data = Data::read(store, only)?;
    known(&data, store, only)?;
    Ok(data)
}

/// An error unless all these solvers are there.
pub(crate) fn known(data: &Data, store: &Store, names: &[String]) -> anyhow::Result<()> {
    match names.iter().find(|name| !data.solvers.iter().any(|s| s.name == **name)) {
        None => Ok(()),
        Some(name) => {
            let known: Vec<String> = store.solvers()?.into_iter().map(|s| s.name).collect();
            bail!("there is no solver `{name}` in {}; it has {}", data.store, known.join(", "))
        }
    }
}
