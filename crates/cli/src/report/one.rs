//! One instance of a campaign: in full, or as the script that a solver got.

use crate::Outcome;
use anyhow::{Context as _, bail};
use campaign::report::{Data, show};
use campaign::store::Store;
use std::io::Write as _;

/// Prints the instance and its runs.
pub(super) fn show(store: &Store, data: &mut Data, name: &str, seed: Option<u64>) -> anyhow::Result<Outcome> {
    let runs = find(data, name, seed)?;
    data.load_details(store, &runs)?;
    write!(anstream::stdout().lock(), "{}", show::render(data, &runs))?;
    Ok(Outcome::Clean)
}

/// Prints the script as it was sent to the solver.
pub(super) fn extract(store: &Store, data: &Data, name: &str, seed: Option<u64>) -> anyhow::Result<Outcome> {
    let runs = find(data, name, seed)?;
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

/// The runs of the instance; an error with a hint if there are none.
fn find(data: &Data, name: &str, seed: Option<u64>) -> anyhow::Result<Vec<usize>> {
    let runs = show::runs_of(data, name, seed);
    if !runs.is_empty() {
        return Ok(runs);
    }
    let known = data.instances.iter().any(|i| i.name == name);
    match (known, seed) {
        (true, Some(seed)) => bail!("`{name}` was not run with seed {seed}"),
        (true, None) => bail!("`{name}` was not run yet"),
        (false, _) => {
            let similar = show::similar(data, name);
            let hint = if similar.is_empty() {
                String::new()
            } else {
                format!(
                    "; did you mean {}?",
                    similar.iter().map(|s| format!("`{s}`")).collect::<Vec<_>>().join(", ")
                )
            };
            bail!("there is no instance `{name}` in {}{hint}", data.store)
        }
    }
}
