//! `stringent edits try`: two words, until a solver fails.
//!
//! Rounds of formulas from seeds in a row, each a campaign of its own. The store of a round without a failure is removed; that
//! of the first one with a failure stays, and its report is printed.

use super::search::{LIMIT, TIME, rows};
use super::shape::{Flags, provenance};
use super::share;
use crate::Outcome;
use crate::campaign_args::{CampaignArgs, seconds};
use crate::campaign_run::{self, Plan};
use crate::render::{self, Format};
use anyhow::{Context as _, anyhow, bail};
use campaign::outcome::Severity;
use campaign::process::Cancel;
use campaign::report::Data;
use campaign::settings::Settings;
use std::io::Write as _;
use std::time::{Duration, Instant};
use synth::edits::words::{Given, word};
use synth::generators::bulk::Frame;
use synth::generators::{Edits, Generator as _};

/// Run solvers on formulas of two words, with other edits and operations each time, until a solver fails: a wrong answer,
/// a model that does not hold, or an error.
///
/// Formulas come in rounds. After the first round with a failure the report says which formulas and in which store; of
/// rounds without one nothing is kept.
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
    /// Give up after so many formulas; 0 for no limit
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    limit_iterations: u64,
    /// Give up after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    limit_time: Option<f64>,
    /// What random choices start from
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

Exit codes: 0 no failure within the limits, 10 a failure, 11 no failure but some verdicts cannot be told or it was
stopped, 2 usage or bad input.";

/// The first and the largest round.
const ROUNDS: (u64, u64) = (32, 8192);

/// A round that takes longer than this is followed by a smaller one; one that takes a quarter of it, by a larger one.
const LONG: Duration = Duration::from_secs(20);

pub(super) fn run(args: &Args) -> anyhow::Result<Outcome> {
    for (given, why) in [
        (args.campaign.resume, "--resume: nothing of a round is kept to go on with; use --seed"),
        (args.campaign.limit.is_some(), "--limit: here it is --limit-iterations"),
    ] {
        if given {
            bail!(why);
        }
    }
    let generator = generator(args)?;
    let campaign = args.campaign.limited(LIMIT);
    let (cancel, stopped) = (Cancel::new().context("cannot start")?, Instant::now());
    campaign_run::stop_on_signals(&cancel)?;
    if let Some(limit) = args.limit_time {
        let (cancel, limit) = (cancel.clone(), Duration::from_secs_f64(limit));
        std::thread::spawn(move || {
            std::thread::sleep(limit);
            cancel.cancel();
        });
    }
    let mut tried = Tried { campaign, generator, next: args.seed, tally: Tally::default() };
    let mut size = ROUNDS.0;
    while !cancel.is_cancelled() {
        let left =
            if args.limit_iterations == 0 { u64::MAX } else { args.limit_iterations - tried.tally.formulas };
        if left == 0 {
            break;
        }
        let started = Instant::now();
        if tried.round(size.min(left), &cancel)? {
            return Ok(Outcome::Found);
        }
        size = next_size(size, started.elapsed());
    }
    let in_time = args.limit_time.is_some_and(|limit| stopped.elapsed().as_secs_f64() >= limit);
    tried.tally.tell(args.campaign.format)?;
    let open = tried.tally.untold > 0 || cancel.is_cancelled() && !in_time;
    Ok(if open { Outcome::Open } else { Outcome::Clean })
}

/// How large the next round is.
fn next_size(size: u64, took: Duration) -> u64 {
    let next = match took {
        t if t > LONG => size / 2,
        t if t > LONG / 4 => size,
        _ => size * 2,
    };
    next.clamp(ROUNDS.0, ROUNDS.1)
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

/// What was tried so far.
struct Tried {
    campaign: CampaignArgs,
    generator: Edits,
    /// The seed of the next formula.
    next: u64,
    tally: Tally,
}

#[derive(Default)]
struct Tally {
    formulas: u64,
    rounds: u64,
    runs: usize,
    solved: usize,
    untold: usize,
}

impl Tried {
    /// One round; whether something failed.
    fn round(&mut self, size: u64, cancel: &Cancel) -> anyhow::Result<bool> {
        let (generator, frame, seed) = (&self.generator, Frame::default(), self.next);
        let mut instances = |cancel: &Cancel| rows(generator, &frame, seed, size, cancel);
        let source = provenance(generator, &Frame::default(), seed, size);
        let defaults = Settings { batch: true, instances: source, ..Settings::default() };
        let plan = &mut Plan { verb: "edits try", seed, defaults, instances: &mut instances };
        let done = campaign_run::execute(&self.campaign, plan, cancel)?;
        let data = Data::read(&done.job.store, &[])?;
        self.next = self.next.wrapping_add(size);
        self.tally.add(&data, size);
        let failed = data.runs.iter().any(|r| matches!(r.severity(), Severity::Unsound | Severity::Error));
        if failed {
            render::notice(&format!("a failure in round {}", self.tally.rounds));
            campaign_run::report(&done.job.store, &self.campaign, &share::table)?;
        } else {
            done.job.discard();
        }
        Ok(failed)
    }
}

impl Tally {
    fn add(&mut self, data: &Data, formulas: u64) {
        self.rounds += 1;
        self.formulas += formulas;
        self.runs += data.runs.len();
        self.solved += data.runs.iter().filter(|r| r.severity() == Severity::Fine).count();
        self.untold += data.runs.iter().filter(|r| r.severity() == Severity::Undetermined).count();
    }

    fn tell(&self, format: Format) -> anyhow::Result<()> {
        let mut out = std::io::stdout().lock();
        let Tally { formulas, rounds, runs, solved, untold } = self;
        match format {
            Format::Text => writeln!(
                out,
                "no failure: {formulas} formulas in {rounds} rounds, {runs} runs, {solved} solved, {untold} cannot be told"
            )?,
            Format::Json => {
                let told = serde_json::json!({
                    "conclusion": if *untold > 0 { "untold" } else { "clean" },
                    "formulas": formulas, "rounds": rounds, "runs": runs, "solved": solved, "untold": untold,
                });
                writeln!(out, "{told:#}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_grow_and_shrink() {
        let seconds = Duration::from_secs;
        assert_eq!(next_size(32, seconds(1)), 64);
        assert_eq!(next_size(64, seconds(10)), 64);
        assert_eq!(next_size(64, seconds(60)), 32);
        assert_eq!(next_size(32, seconds(60)), 32);
        assert_eq!(next_size(8192, seconds(1)), 8192);
    }
}
