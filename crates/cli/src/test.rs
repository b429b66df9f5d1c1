//! `stringent test`: runs solvers on instances with known answers.

use crate::Outcome;
use crate::campaign_args::CampaignArgs;
use crate::campaign_run::{self, Instances, Plan};
use crate::suite_args::SuiteArgs;
use crate::{r#gen, suite};
use anyhow::anyhow;
use campaign::process::Cancel;
use campaign::settings::{Rules, Settings};
use lab::instances::row;
use synth::generators::bulk::{self, Frame};
use synth::scaling;
use synth::suite::generate;

/// Synthesise formulas with known answers, run solvers on them, and judge the answers.
///
/// Without options: the default suite, on the built-in solver. Prints a table of categories and verdicts for each
/// solver and the failures, each with a command that shows it, and writes an HTML report. Everything is kept in a store:
/// a campaign that was stopped, even by `kill -9`, is continued with --resume.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    campaign: CampaignArgs,
    /// Use the scripts of a generator instead, given as `NAME FLAGS…`; see `stringent gen`
    #[arg(long = "gen", value_name = "GENERATOR", conflicts_with_all = SYNTHESIS)]
    generator: Option<String>,
    /// Number of scripts of the generator, from --seed on
    #[arg(long, value_name = "N", default_value_t = 1000, requires = "generator")]
    count: u64,
    /// Use a StringFuzz suite instead, such as `generated` or `concats-big`; may be repeated; see `stringent suite`
    #[arg(long = "suite", value_name = "NAME", conflicts_with_all = SYNTHESIS, conflicts_with = "generator")]
    suites: Vec<String>,
    #[command(flatten)]
    suite: SuiteArgs,
}

/// The arguments of synthesis.
const SYNTHESIS: [&str; 12] = [
    "preset",
    "only",
    "operation",
    "string",
    "int",
    "regex",
    "runs",
    "bound",
    "mix",
    "chain",
    "patterns",
    "rules",
];

const HELP: &str = "\
Examples:
  stringent test
  stringent test --solver z3@4.8.6 --solver cvc5 --limit 500 --time-limit 5
  stringent test --preset icse20 --solver z3str3@4.8.6 --solver-seeds 0,1465 --store paper.store
  stringent test --solver mine='./mysolver {file}' --only constant --operation str.replace
  stringent test --gen 'regex --depth 3 --num-regexes 2' --count 10000 --solver z3
  stringent test --suite concats-big --suite different-prefix --solver z3 --solver cvc5
  stringent test --resume --store paper.store

Verdicts: ok correct, IM model fails, IC core has a model or is not minimal, S wrong sat, U wrong unsat, K unknown,
T time limit, E error, ? undetermined.

Exit codes: 0 no wrong result and no error, 10 a wrong result or an error, 11 no failure, but some verdicts are undetermined
or the campaign was stopped, 2 usage or bad input.";

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    if let Some(text) = &args.generator {
        return generated(args, text);
    }
    if !args.suites.is_empty() {
        return growing(args);
    }
    let options = args.suite.options()?;
    let mut instances = |cancel: &Cancel| {
        let mut rows = Vec::new();
        generate(&options, &mut |text| {
            rows.push(row(text));
            !cancel.is_cancelled()
        })?;
        Ok(rows.into())
    };
    let rules = Rules { reading: options.reading, made_for: options.reading, ..Rules::default() };
    let defaults = Settings { rules, batch: true, instances: options.maker.clone(), ..Settings::default() };
    let plan = &mut Plan { verb: "test", seed: options.seed, defaults, instances: &mut instances };
    campaign_run::run(&args.campaign, plan)
}

/// Scripts of a generator.
fn generated(args: &Args, text: &str) -> anyhow::Result<Outcome> {
    let generator = r#gen::parse(text)?;
    let (seed, frame) = (args.suite.seed, Frame::default());
    let command = synth::generators::command(&*generator);
    let instances = format!("{}: gen {command} --seed {seed} --count {}", frame.maker, args.count);
    let mut plan = |cancel: &Cancel| {
        let mut rows = Vec::new();
        let mut sink = |text| {
            rows.push(row(text));
            !cancel.is_cancelled()
        };
        bulk::generate(&*generator, seed, args.count, &frame, &mut sink)
            .map_err(|e| anyhow!("{}: {e}", generator.info().name))?;
        Ok(rows.into())
    };
    start(args, instances, true, &mut plan)
}

/// Suites that grow. They are for measuring times, so each run has a process of its own.
fn growing(args: &Args) -> anyhow::Result<Outcome> {
    let suites = suite::named(&args.suites)?;
    let (seed, frame) = (args.suite.seed, Frame::default());
    let names: Vec<&str> = suites.iter().map(|s| s.name).collect();
    let instances = format!("{}: suite {} --seed {seed}", frame.maker, names.join(" "));
    let mut plan = |cancel: &Cancel| {
        let mut rows = Vec::new();
        scaling::generate(&suites, seed, &frame, &mut |text| {
            rows.push(row(text));
            !cancel.is_cancelled()
        })?;
        Ok(rows.into())
    };
    start(args, instances, false, &mut plan)
}

fn start(
    args: &Args,
    source: String,
    batch: bool,
    instances: &mut dyn FnMut(&Cancel) -> anyhow::Result<Instances>,
) -> anyhow::Result<Outcome> {
    let rules = Rules { reading: args.suite.reading.into(), ..Rules::default() };
    let defaults = Settings { rules, batch, instances: source, ..Settings::default() };
    let plan = &mut Plan { verb: "test", seed: args.suite.seed, defaults, instances };
    campaign_run::run(&args.campaign, plan)
}
