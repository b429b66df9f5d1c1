//! `stringent rules mine`: find rules.

use crate::Outcome;
use anyhow::Context as _;
use std::io::Write as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use synth::mine::{Options, Tally, mine};

/// Find rules: enumerate small terms, compare their values on a grid of inputs, verify the equalities on more, and write the
/// most interesting ones as a rule file.
///
/// The result depends on the parameters only, unless the time limit is reached; then the sizes that were completed are used.
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  stringent rules mine --size 4 --out mined.smt2\n\nExit codes: 0 done, 11 a limit was \
    reached before the wanted size, 2 usage."
)]
pub(crate) struct Args {
    /// The largest size of a left side: its operators, variables and constants
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(2..=9))]
    size: u64,
    /// The seed of the inputs
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Inputs of the grid
    #[arg(long, default_value_t = 256, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    points: u64,
    /// At most this many terms are evaluated
    #[arg(long, default_value_t = 1_000_000)]
    terms: usize,
    /// At most this many assignments per rule
    #[arg(long, default_value_t = 100_000)]
    cases: usize,
    /// At most this many rules are written
    #[arg(long, default_value_t = 120)]
    rules: usize,
    /// End after this many seconds
    #[arg(long, value_name = "SECONDS")]
    limit_time: Option<u64>,
    /// Write the rules to this file instead of stdout
    #[arg(long)]
    out: Option<PathBuf>,
}

impl Args {
    fn options(&self) -> Options {
        Options {
            size: self.size as usize,
            seed: self.seed,
            points: self.points as usize,
            terms: self.terms,
            cases: self.cases.max(1),
            rules: self.rules,
        }
    }

    /// The command line, with what is not the default.
    fn command(&self) -> String {
        let (options, usual) = (self.options(), Options::default());
        let mut out = format!("stringent rules mine --size {}", options.size);
        let numbers = [
            ("seed", options.seed, usual.seed),
            ("points", options.points as u64, usual.points as u64),
            ("terms", options.terms as u64, usual.terms as u64),
            ("cases", options.cases as u64, usual.cases as u64),
            ("rules", options.rules as u64, usual.rules as u64),
        ];
        for (name, value, _) in numbers.iter().filter(|(_, value, usual)| value != usual) {
            out += &format!(" --{name} {value}");
        }
        out
    }
}

pub(super) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let start = Instant::now();
    let limit = args.limit_time.map(Duration::from_secs);
    let stop = move || limit.is_some_and(|limit| start.elapsed() >= limit);
    let mined = mine(&args.options(), &stop);
    let text = header(&args.command(), &mined.tally) + &mined.text;
    match &args.out {
        Some(path) => {
            std::fs::write(path, text).with_context(|| format!("cannot write `{}`", path.display()))?;
        }
        None => std::io::stdout().lock().write_all(text.as_bytes())?,
    }
    let complete = mined.tally.size == args.size as usize;
    Ok(if complete { Outcome::Clean } else { Outcome::Undetermined })
}

fn header(command: &str, t: &Tally) -> String {
    format!(
        "; Mined rules: {command}\n\
         ; Terms up to size {}: {} evaluated, {} more are instances of rules; {} classes; {} conjectures, {} refuted on the\n\
         ; larger domain, {} kept, of which {} follow from the rules written by hand. Selected: {}, and {} that more values refuted.\n\n",
        t.size,
        t.terms,
        t.instances,
        t.classes,
        t.conjectures,
        t.refuted,
        t.kept,
        t.known,
        t.selected,
        t.late
    )
}
