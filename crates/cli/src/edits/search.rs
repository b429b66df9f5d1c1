//! `stringent edits search`: a campaign on the formulas of random pairs of words.

use super::shape::Shape;
use crate::Outcome;
use crate::campaign_args::CampaignArgs;
use crate::campaign_run::{self, Plan};
use campaign::settings::Settings;
use lab::edits::Formulas;

/// Run solvers on the formulas of many pairs of words, and judge every answer and model.
///
/// Without options: 1000 pairs of words of 2 to 4 characters, on the built-in solver, satisfiable and unsatisfiable at random. Prints
/// the report of `stringent test`, and the share of formulas that each solver solved by distance. Everything is kept in a store.
#[derive(clap::Args)]
#[command(after_help = HELP, mut_arg("time_limit", |a| a.help(TIME)))]
pub(crate) struct Args {
    #[command(flatten)]
    pub(super) campaign: CampaignArgs,
    /// Number of formulas, from consecutive seeds
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    count: u64,
    /// Random seed
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    shape: Shape,
}

pub(super) const TIME: &str = "Wall-clock time for each run, in seconds [default: 30]";

/// The default limit in seconds, that of the MADAMASTRA report.
pub(super) const LIMIT: f64 = 30.0;

const HELP: &str = "\
Examples:
  stringent edits search --count 150000 --time-limit 2
  stringent edits search --distance 1..6 --length 6 --solver z3 --solver cvc5 --cpu-limit 2
  stringent edits search --word-list words.txt --unknown 0.5 --solver z3@4.8.15
  stringent edits search --alphabet unicode --extra 2 --regex --index-sum --solver cvc5
  stringent edits search --resume --store edits.store

Exit codes: 0 no wrong result and no error, 10 a wrong result or an error, 11 no failure, but some verdicts are undetermined or
the campaign was stopped, 2 usage or bad input.";

pub(super) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let (generator, frame) = args.shape.generator()?;
    let source = &mut Formulas { generator: &generator, frame: &frame, seed: args.seed, count: args.count };
    let defaults = Settings { batch: true, instances: source.provenance(), ..Settings::default() };
    let plan = &mut Plan { verb: "edits search", seed: args.seed, defaults, source };
    campaign_run::run_with(&args.campaign.limited(LIMIT), plan, &lab::edits::table)
}
