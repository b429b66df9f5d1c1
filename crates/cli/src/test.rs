//! `stringent test`: runs solvers on instances with known answers.

use crate::Outcome;
use crate::campaign_args::CampaignArgs;
use crate::campaign_run::{self, Plan};
use crate::suite_args::SuiteArgs;
use crate::{r#gen, suite};
use campaign::settings::{Rules, Settings};
use clap::ArgMatches;
use clap::parser::ValueSource;
use lab::instances::{Generated, Growing, Source, Synthesised};
use synth::generators::bulk::Frame;

/// Synthesise formulas with known answers, run solvers on them, and judge the answers.
///
/// Without options: the default suite, on the built-in solver. Prints a table of categories and verdicts for each
/// solver and the failures, each with a command that shows it, and writes an HTML report. Everything is kept in a store:
/// a campaign that was stopped, even by `kill -9`, is continued with --resume.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    /// A suite of the project file, stringent.toml [default: the only one, or the one called `default`]
    #[arg(value_name = "SUITE", conflicts_with_all = SYNTHESIS, conflicts_with_all = ["generator", "suites"])]
    pub(crate) name: Option<String>,
    #[command(flatten)]
    pub(crate) campaign: CampaignArgs,
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
    pub(crate) suite: SuiteArgs,
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
  stringent test nightly --shard 2/8                # a suite of stringent.toml, one part of eight
  stringent test --baseline known.toml              # fail only on failures that are not listed

Verdicts: ok correct, IM model fails, IC core has a model or is not minimal, S wrong sat, U wrong unsat, K unknown,
T time limit, E error, n/a not asked, ? undetermined.

Exit codes: 0 no wrong result and no error, 10 a wrong result or an error, 11 no failure, but some verdicts are undetermined
or the campaign was stopped, 2 usage or bad input.";

/// What the command line says about the instances, other than by default values.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Given {
    /// It says which instances to run.
    pub(crate) instances: bool,
    /// It has a seed.
    pub(crate) seed: Option<u64>,
}

impl Given {
    pub(crate) fn of(matches: &ArgMatches) -> Given {
        let explicit = |id: &str| matches.value_source(id) == Some(ValueSource::CommandLine);
        let instances = SYNTHESIS.iter().chain(&["generator", "suites"]).any(|id| explicit(id));
        Given { instances, seed: matches.get_one("seed").copied().filter(|_| explicit("seed")) }
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    if let Some(text) = &args.generator {
        return generated(args, text);
    }
    if !args.suites.is_empty() {
        return growing(args);
    }
    let options = args.suite.options()?;
    let source = &mut Synthesised::new(&options)?;
    let rules = Rules { reading: options.reading, made_for: options.reading, ..Rules::default() };
    let defaults = Settings { rules, batch: true, instances: options.maker.clone(), ..Settings::default() };
    campaign_run::run(&args.campaign, &mut Plan { verb: "test", seed: options.seed, defaults, source })
}

/// Scripts of a generator.
fn generated(args: &Args, text: &str) -> anyhow::Result<Outcome> {
    let generator = r#gen::parse(text)?;
    let (seed, count, frame) = (args.suite.seed, args.count, Frame::default());
    let command = synth::generators::command(&*generator);
    let instances = format!("{}: gen {command} --seed {seed} --count {count}", frame.maker);
    start(args, instances, true, &mut Generated { generator: &*generator, frame: &frame, seed, count })
}

/// Suites that grow. They are for measuring times, so each run has a process of its own.
fn growing(args: &Args) -> anyhow::Result<Outcome> {
    let suites = suite::named(&args.suites)?;
    let (seed, frame) = (args.suite.seed, Frame::default());
    let names: Vec<&str> = suites.iter().map(|s| s.name).collect();
    let instances = format!("{}: suite {} --seed {seed}", frame.maker, names.join(" "));
    start(args, instances, false, &mut Growing { suites: &suites, frame: &frame, seed })
}

fn start(args: &Args, instances: String, batch: bool, source: &mut dyn Source) -> anyhow::Result<Outcome> {
    let rules = Rules { reading: args.suite.semantics.into(), ..Rules::default() };
    let defaults = Settings { rules, batch, instances, ..Settings::default() };
    campaign_run::run(&args.campaign, &mut Plan { verb: "test", seed: args.suite.seed, defaults, source })
}
