//! The two solvers: fetched, or the built-in one with and without planted bugs.

use super::{NEW, OLD, Options, planted};
use crate::Host;
use anyhow::{Context as _, bail};
use campaign::clean::shell;
use campaign::install;
use campaign::profile::{Places, Solver, default_solver_in, resolve_in};

/// Where solvers are installed if there is no cache, because HOME is not set.
const FALLBACK: &str = "stringent-results/solvers";

/// The solvers of the demonstration.
pub(super) struct Pair {
    pub(super) old: Solver,
    pub(super) new: Solver,
    /// They are the built-in solver with and without planted bugs.
    pub(super) planted: bool,
    /// Why they are, if that was not asked for.
    pub(super) reason: Option<String>,
}

impl Pair {
    /// The solvers of the options, which are fetched if they are not there. Only those that nobody named have a substitute.
    pub(super) fn find(options: &Options, host: &Host<'_>) -> anyhow::Result<Pair> {
        let mut places = Places::from_env();
        if places.cache.is_none() {
            places.cache = std::path::absolute(FALLBACK).ok();
        }
        let named = options.old.is_some() || options.new.is_some();
        if options.offline && !named {
            return built_in(&places, None);
        }
        let specs = [(&options.old, OLD), (&options.new, NEW)];
        let [old, new] = specs.map(|(spec, default)| spec.as_deref().unwrap_or(default));
        let get = |spec| match options.offline {
            true => Ok(resolve_in(spec, &places)?),
            false => fetched(spec, &places, host),
        };
        let both = get(old).and_then(|old| Ok(Pair { old, new: get(new)?, planted: false, reason: None }));
        match both {
            Ok(pair) => Ok(pair),
            Err(_) if host.cancel.is_cancelled() => bail!("stopped"),
            Err(install::Error::Profile(e)) => Err(e.into()),
            Err(e) if named => Err(e.into()),
            Err(e @ (install::Error::Failed { .. } | install::Error::Io { .. })) => {
                built_in(&places, Some(e.to_string().lines().next().unwrap_or("").to_owned()))
            }
        }
    }
}

/// A solver that is there, or is fetched.
fn fetched(spec: &str, places: &Places, host: &Host<'_>) -> Result<Solver, install::Error> {
    match resolve_in(spec, places) {
        Err(campaign::profile::Error::NoProgram { .. }) => {
            install::install(spec, places, &mut |text| host.progress.notice(text))?;
            Ok(resolve_in(spec, places)?)
        }
        other => Ok(other?),
    }
}

/// The built-in solver, with and without planted bugs.
fn built_in(places: &Places, reason: Option<String>) -> anyhow::Result<Pair> {
    let own = places.own.as_ref().context("this program is not known")?;
    let command = format!("{}={} {}", planted::NAME, shell(&own.display().to_string()), planted::VERB);
    Ok(Pair { old: resolve_in(&command, places)?, new: default_solver_in(places)?, planted: true, reason })
}
