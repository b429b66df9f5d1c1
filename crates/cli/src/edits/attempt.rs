//! `stringent edits try`: two words, until a solver fails.
//!
//! Rounds of formulas from consecutive seeds, each a campaign of its own. The store of a round without a failure is removed; that
//! of the first one with a failure stays, and its report is printed.

use super::search::{LIMIT, TIME};
use super::shape::Flags;
use crate::Outcome;
use crate::campaign_args::CampaignArgs;
use crate::campaign_run::{self, Plan};
use crate::limits::seconds;
use crate::render;
use anyhow::{Context as _, anyhow, bail};
use campaign::process::Cancel;
use campaign::report::Data;
use campaign::settings::Settings;
use lab::edits::Formulas;
use lab::edits::attempt::{self, Limits, Round};
use std::time::Duration;
use synth::edits::words::{Given, word};
use synth::generators::bulk::Frame;
use synth::generators::{Edits, Generator as _};

/// Run solvers on formulas of two words, with other edits and operations each time, until a solver fails: a wrong answer,
/// a model that falsifies the formula, or an error.
///
/// Formulas come in rounds. After the first round with a failure the report names the formulas and the store; of rounds without one
/// nothing is kept.
#[derive(clap::Args)]
#[command(after_help = HELP, mut_arg("time_limit", |a| a.help(TIME)))]
pub(crate) struct Args {
    /// The first word
    #[arg(value_name = "WORD1", allow_hyphen_values = true)]
    from: String,
    /// The second word
    #[arg(value_name = "WORD2", allow_hyphen_values = true)]
    to: String,
    #[command(flatten)]
    campaign: CampaignArgs,
    /// Give up after N formulas; 0 for no limit
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    limit_iterations: u64,
    /// Give up after this time, in seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true)]
    limit_time: Option<f64>,
    /// Random seed
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    flags: Flags<true>,
}

const HELP: &str = "\
Examples:
  stringent edits try host wops
  stringent edits try kitten sitting --solver z3@4.8.15 --solver cvc5 --limit-time 600 --time-limit 5
  stringent edits try \"\" abc --mode unsat --limit-iterations 0

Exit codes: 0 no failure within the limits, 10 a failure, 11 no failure, but some verdicts are undetermined or it was
stopped, 2 usage or bad input.";

pub(super) fn run(args: &Args) -> anyhow::Result<Outcome> {
    for (given, why) in [
        (args.campaign.resume, "--resume: nothing of a round is kept to continue; use --seed"),
        (args.campaign.limit.is_some(), "--limit: use --limit-iterations here"),
        (args.campaign.shard.is_some(), "--shard: rounds are not divided; use --seed"),
    ] {
        if given {
            bail!(why);
        }
    }
    let generator = generator(args)?;
    let campaign = args.campaign.limited(LIMIT);
    let cancel = Cancel::new().context("cannot start")?;
    crate::signals::stop_on_signals(&cancel)?;
    let limits =
        Limits { formulas: args.limit_iterations, time: args.limit_time.map(Duration::from_secs_f64) };
    let mut round = |round| run_round(&campaign, &generator, round, &cancel);
    let tally = attempt::rounds(limits, args.seed, &cancel, &mut round)?;
    if tally.failed {
        return Ok(Outcome::Found);
    }
    render::print(args.campaign.format, &tally)?;
    Ok(if tally.is_undetermined() { Outcome::Undetermined } else { Outcome::Clean })
}

fn generator(args: &Args) -> anyhow::Result<Edits> {
    let given = |text: &str| {
        Ok::<_, anyhow::Error>(Given(Some(word(text).map_err(|e| anyhow!("`{text}`: {e}"))?.into())))
    };
    let mut generator = args.flags.generator()?;
    generator.from = given(&args.from)?;
    generator.to = given(&args.to)?;
    generator.check().map_err(|e| anyhow!(e))?;
    Ok(generator)
}

/// One round as a campaign. With a failure, its store stays and its report is printed; otherwise the store is removed.
fn run_round(
    campaign: &CampaignArgs,
    generator: &Edits,
    Round { number, seed, count }: Round,
    cancel: &Cancel,
) -> anyhow::Result<Data> {
    let source = &mut Formulas { generator, frame: &Frame::default(), seed, count };
    let defaults = Settings { batch: true, instances: source.provenance(), ..Settings::default() };
    let plan = &mut Plan { verb: "edits try", seed, defaults, source };
    let done = campaign_run::execute(campaign, plan, cancel)?;
    let data = Data::read(&done.job.store, &[])?;
    if attempt::has_failure(&data) {
        render::notice(&format!("a failure in round {number}"));
        campaign_run::print_report(&done.job.store, campaign, &lab::edits::table)?;
    } else {
        done.job.discard();
    }
    Ok(data)
}
