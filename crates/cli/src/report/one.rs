//! One instance of a campaign: in full, or as the script that a solver got.

use crate::Outcome;
use crate::render::Format;
use anyhow::{Context as _, bail};
use campaign::report::{Data, Options, find, json, show};
use campaign::store::Store;
use std::io::Write as _;

/// Prints the instance and its runs.
pub(super) fn show(
    store: &Store,
    data: &mut Data,
    name: &str,
    seed: Option<u64>,
    format: Format,
) -> anyhow::Result<Outcome> {
    data.include(store, name)?;
    let runs = find::named(data, name, seed)?;
    data.load_details(store, &runs)?;
    let mut out = anstream::stdout().lock();
    match format {
        Format::Text => write!(out, "{}", show::render(data, &runs, &Options::default()))?,
        Format::Json => writeln!(out, "{:#}", json::show(data, &runs))?,
    }
    Ok(Outcome::Clean)
}

/// Prints the script as it was sent to the solver.
pub(super) fn extract(
    store: &Store,
    data: &mut Data,
    name: &str,
    seed: Option<u64>,
) -> anyhow::Result<Outcome> {
    data.include(store, name)?;
    let runs = find::named(data, name, seed)?;
    let run = &data.runs[runs[0]];
    if runs.iter().any(|r| data.runs[*r].solver != run.solver) {
        let names: Vec<&str> = data.solvers.iter().map(|s| s.name.as_str()).collect();
        bail!("each solver gets its own script; choose one with --solver: {}", names.join(", "));
    }
    let instance = store
        .instance(data.instances[run.instance].id)?
        .context("the instance is not in the store any more")?;
    let script = show::script(data, run, &instance)
        .map_err(anyhow::Error::msg)
        .with_context(|| format!("`{name}` was not sent to {}", data.solvers[run.solver].name))?;
    std::io::stdout().lock().write_all(&script)?;
    Ok(Outcome::Clean)
}
