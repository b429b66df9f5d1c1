//! Searches in parts on a cluster, as their verbs show them.

use crate::bar::Bar;
use crate::campaign_args::On;
use crate::render;
use ::cluster::check;
use ::cluster::config::Config;
use ::cluster::parts::{self, Counts, Ended, Host, Parts, Progress};
use anyhow::anyhow;
use campaign::clean::{count, counted};
use campaign::host::Progress as _;
use campaign::process::Cancel;
use std::io::IsTerminal as _;
use std::path::Path;

/// The profile of the cluster, with `--on`. A mistake in it is to be reported before a store is created.
pub(crate) fn config(on: Option<On>, file: Option<&Path>) -> anyhow::Result<Option<Config>> {
    let Some(On::Slurm) = on else { return Ok(None) };
    let config = Config::read(file)?;
    check::commands().map_err(|why| anyhow!(why))?;
    check::shared(&config).map_err(|why| anyhow!("the shared folder of the cluster: {why}"))?;
    Ok(Some(config))
}

/// Has all parts done, with a progress bar.
pub(crate) fn drive(
    parts: &mut Parts,
    config: &Config,
    quiet: bool,
    cancel: &Cancel,
) -> anyhow::Result<Ended> {
    let bar = Bar::new(parts.header.parts, "{bar:20} {msg}").lines(quiet);
    let ended = parts::drive(
        parts,
        config,
        &mut Host {
            show: &mut |progress| bar.update(progress.done, &|| words(progress)),
            say: &mut |text| bar.notice(text),
            cancel,
            leave: &mut leave_running,
        },
    );
    bar.finish();
    match &ended {
        Ok(Ended::Left) => {
            render::notice("the jobs go on; `squeue` shows them, and --resume collects their results");
        }
        Ok(Ended::GivenUp(list)) => {
            let parts = counted(list.len() as u64, "part");
            render::notice(&format!("{parts} could not be done on the cluster; --resume tries again"));
        }
        Ok(Ended::Complete | Ended::Stopped) | Err(_) => {}
    }
    Ok(ended?)
}

/// As in `1 of 3 parts done, 2 findings, 10,000 instances`.
fn words(progress: &Progress) -> String {
    let Progress { parts, done, counts } = progress;
    let counts = counts.iter().map(|(name, n)| format!(", {} {name}", count(*n)));
    format!("{done} of {} done{}", counted(*parts, "part"), counts.collect::<String>())
}

/// Asks whether the jobs are to go on; without a terminal they do.
pub(crate) fn leave_running() -> bool {
    if !(std::io::stdin().is_terminal() && std::io::stderr().is_terminal()) {
        return true;
    }
    render::notice("leave the jobs running? [Y/n]");
    let mut line = String::new();
    let read = std::io::stdin().read_line(&mut line);
    !(read.is_ok() && line.trim().eq_ignore_ascii_case("n"))
}

/// What a part has counted.
pub(crate) fn counts<const N: usize>(list: [(&str, u64); N]) -> Counts {
    list.into_iter().map(|(name, n)| (name.to_owned(), n)).collect()
}
