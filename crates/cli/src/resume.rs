//! Resuming a campaign that was stopped before its instances were stored.
//!
//! The store has the verb and arguments that it was started with; they take the place of those given with `--resume`, so
//! that `stringent test --resume --store S` makes the same instances again.

use crate::campaign_args::CampaignArgs;
use crate::{Cli, Verb};
use anyhow::{Context as _, bail};
use campaign::job;
use campaign::settings::Origin;
use campaign::store::Store;
use clap::Parser as _;

/// The verb to run: the one that started the campaign, if that is resumed without instances, else the given one.
pub(crate) fn started_verb(mut given: Verb) -> anyhow::Result<Verb> {
    let Some(args) = given.campaign().filter(|args| args.resume).cloned() else { return Ok(given) };
    let Some(mut first) = unplanned(&args).map(|origin| parse(&origin)).transpose()? else {
        return Ok(given);
    };
    let campaign = first.campaign().context("the store is not that of a campaign")?;
    *campaign = args;
    Ok(first)
}

/// How the campaign was started, if it has no instances yet. Stores that cannot be read are reported when they are resumed.
fn unplanned(args: &CampaignArgs) -> Option<Origin> {
    let path = args.store.clone().or_else(job::newest)?;
    let store = Store::open_read_only(&path).ok()?;
    if store.is_planned().ok()? {
        return None;
    }
    let origin = store.campaign().ok()?.settings.origin;
    (!origin.arguments.is_empty()).then_some(origin)
}

fn parse(origin: &Origin) -> anyhow::Result<Verb> {
    let words = std::iter::once("stringent").chain(origin.arguments.iter().map(String::as_str));
    let verb = Cli::try_parse_from(words).map(|cli| cli.verb);
    let verb = verb.context("the arguments it was started with are not those of this version")?;
    let here = std::env::current_dir().unwrap_or_default().display().to_string();
    if matches!(verb, Verb::Run(_)) && here != origin.directory {
        bail!("it was stopped before its files were stored; resume it in {}", origin.directory);
    }
    Ok(verb)
}
