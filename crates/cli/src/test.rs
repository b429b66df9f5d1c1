//! `stringent test`: a suite with known answers on solvers.

use crate::Outcome;
use crate::campaign_args::CampaignArgs;
use crate::campaign_run::{self, Job};
use crate::synth::SuiteArgs;
use campaign::outcome::Status;
use campaign::process::Cancel;
use campaign::store::InstanceRow;
use synth::suite::generate;

/// Synthesise formulas with known answers, run solvers on them, and judge what they answer.
///
/// Without options: the default suite, on the built-in solver. Prints a table of categories and verdicts for each
/// solver and the failures, each with a command that shows it, and writes an HTML report. Everything is kept in a store:
/// a campaign that was stopped, even by `kill -9`, goes on with --resume.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    campaign: CampaignArgs,
    #[command(flatten)]
    suite: SuiteArgs,
}

const HELP: &str = "\
Examples:
  stringent test
  stringent test --solver z3@4.8.6 --solver cvc5 --limit 500 --time-limit 5
  stringent test --preset icse20 --solver z3str3@4.8.6 --solver-seeds 0,1465 --store paper.store
  stringent test --solver mine='./mysolver {file}' --only constant --operation str.replace
  stringent test --resume --store paper.store

Verdicts: ok right, IM model fails, IC core has a model or is not minimal, S wrong sat, U wrong unsat, K unknown,
T time limit, E error, ? cannot be told.

Exit codes: 0 no wrong result and no error, 10 there are, 11 there are none but some verdicts cannot be told or
the campaign was stopped, 2 usage or bad input.";

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let options = args.suite.options()?;
    let mut plan = |cancel: &Cancel| {
        let mut rows = Vec::new();
        generate(&options, &mut |text| {
            rows.push(InstanceRow {
                id: 0,
                name: text.name,
                category: text.category,
                operation: text.operation,
                status: Status::from_code(text.status).unwrap_or(Status::Open),
                source: text.source.into_bytes(),
            });
            !cancel.is_cancelled()
        })?;
        Ok(rows)
    };
    let mut job = Job {
        verb: "test",
        seed: options.seed,
        reading: options.reading,
        made_for: options.reading,
        batch: true,
        instances: options.maker.clone(),
        plan: &mut plan,
    };
    campaign_run::run(&args.campaign, &mut job)
}
