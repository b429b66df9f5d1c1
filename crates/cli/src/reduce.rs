//! `stringent reduce`: the smallest script with a failure.

mod keep;
mod report;

use crate::Outcome;
use crate::bar::{self, Bar};
use crate::input::{self, Input};
use crate::limits::{count, mebibytes, seconds};
use crate::render::{self, Format};
use anyhow::{Context as _, anyhow, bail, ensure};
use bugs::deadline::{unless, until};
use bugs::doc::Doc;
use bugs::passes::{PASSES, Pass};
use bugs::property::{CommandSetup, Detected, Failing, Output, Setup, detect, detect_command};
use bugs::reduce::{Options, finding_of, reduce};
use bugs::truth::Keeper;
use campaign::finding::Finding;
use campaign::host::Host;
use campaign::process::Watchdog;
use campaign::profile::{self, Solver};
use keep::Wanted;
use report::{Reduced, Refused};
use semantics::Status;
use smt::diag::did_you_mean;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Make a script on which a solver fails as small as possible.
///
/// Runs the solver on the script, and finds what is wrong: a wrong answer, a model that is none, a satisfiable core, a crash. Then removes
/// and simplifies parts of the script as long as the same failure is there. Every script on the way is well-sorted SMT-LIB, and its
/// answer stays known: `sat` by a model that the referee accepts, `unsat` by construction, or because two other solvers prove it.
///
/// The best script so far is always in the output file. A reduction that was stopped or killed continues with --resume.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    /// The script, in any dialect; `-` for standard input
    file: PathBuf,
    /// The solver: NAME, NAME@VERSION, NAME=PROGRAM, a profile FILE.toml, or NAME='COMMAND…'
    #[arg(long, short, value_name = "SPEC")]
    solver: Option<String>,
    /// The failure to keep: wrong, model, core, crash, error, unknown, slow[=SECONDS], slower=SOLVER:FACTOR, or a command with {file}
    /// whose exit code and output stay the same [default: the worst failure of the solver]
    #[arg(long, value_name = "FAILURE")]
    keep: Option<Wanted>,
    /// With a command: its standard output must contain this text, in place of being the same
    #[arg(long, value_name = "TEXT")]
    match_out: Option<String>,
    /// With a command: its standard error must contain this text, in place of being the same
    #[arg(long, value_name = "TEXT")]
    match_err: Option<String>,
    /// The texts of --match-out and --match-err are regular expressions
    #[arg(long)]
    regex: bool,
    /// With a command: only its exit code counts
    #[arg(long, conflicts_with_all = ["match_out", "match_err"])]
    ignore_output: bool,
    /// With a command: it must run into --time-limit
    #[arg(long, requires = "time_limit", conflicts_with_all = ["match_out", "match_err", "ignore_output"])]
    hangs: bool,
    /// The answer of the script, if it does not state it: sat or unsat
    #[arg(long, value_name = "ANSWER", value_parser = answer)]
    expect: Option<Status>,
    /// A second solver, which proves smaller scripts unsatisfiable; may be repeated [default: cvc5 and z3]
    #[arg(long, value_name = "SPEC")]
    second: Vec<String>,
    /// The file for the reduced script [default: FILE with .reduced.smt2, beside it]
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Continue a reduction that was stopped
    #[arg(long)]
    resume: bool,
    /// Runs of the solver at a time; the result is the same for any number [default: the number of cores]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    jobs: Option<u16>,
    /// End after this time, in seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true)]
    budget: Option<f64>,
    /// End after this number of runs
    #[arg(long, value_name = "N", value_parser = count, allow_negative_numbers = true)]
    max_runs: Option<u64>,
    /// Only these passes, in this order; `help` lists them
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    passes: Vec<String>,
    /// Runs of the original, to see how often it fails; if not always, each test is a majority of as many runs
    #[arg(long, value_name = "K", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000))]
    repeat: u32,
    /// The seed of the solver
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Seeds with which the result is tried; if it depends on the seed, it is reduced again with all of them
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=100))]
    seeds: u64,
    /// Time for a run, in seconds of CPU time, or of waiting for something other than a core [default: 15 for the first, then by the time of the failure]
    #[arg(long, alias = "time", value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true)]
    time_limit: Option<f64>,
    /// Memory for a run, in MiB; 0 for no limit
    #[arg(long, value_name = "MIB", default_value_t = 4096, value_parser = mebibytes, allow_negative_numbers = true)]
    memory_limit: u64,
    /// Write the finding to this file, as JSON: for `stringent bisect` and `stringent file`
    #[arg(long, value_name = "FILE")]
    bug: Option<PathBuf>,
    /// Format of the result on standard output
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// No progress
    #[arg(long, short)]
    quiet: bool,
}

const HELP: &str = "\
Examples:
  stringent reduce wrong.smt2 --solver z3@4.8.6
  stringent reduce wrong.smt2 --solver z3 --keep model --out small.smt2
  stringent reduce slow.smt2 --solver cvc5 --keep slow=5 --budget 600
  stringent reduce slow.smt2 --solver cvc5 --keep slower=z3:10
  stringent reduce mine.smt2 --keep './mysolver {file}'
  stringent reduce wrong.smt2 --solver z3@4.8.6 --resume

Exit codes: 10 it fails, and was reduced; 0 it does not fail; 11 undetermined: its answer is not known, it fails too rarely, or the search for the failure was stopped; 2 usage \
or bad input; 4 output cannot be written.";

fn answer(text: &str) -> Result<Status, String> {
    match text.to_ascii_lowercase().as_str() {
        "sat" => Ok(Status::Sat),
        "unsat" => Ok(Status::Unsat),
        _ => Err("must be sat or unsat".into()),
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let deadline = args.budget.map(|budget| Instant::now() + Duration::from_secs_f64(budget));
    let passes = args.passes()?;
    let subject = args.subject()?;
    let out = args.out()?;
    let text = input::read(&args.file)?;
    let options = args.options(passes, out, deadline);
    let _watchdog =
        Watchdog::own_command().map(|c| Watchdog::start(&c)).transpose().context("cannot start")?;
    let bar = Bar::new(0, "{spinner} {msg}").lines(args.quiet);
    let done = bar::with_host(&bar, |host| work(args, &text, &subject, &options, host));
    campaign::process::sweep();
    args.show(done?)
}

/// The result.
enum Done {
    Reduced(Box<Reduced>),
    Refused(Refused),
}

/// The solver with its specification, if there is one.
type Subject = Option<(Solver, String)>;

fn work(
    args: &Args,
    text: &Input,
    subject: &Subject,
    options: &Options,
    host: &Host<'_>,
) -> anyhow::Result<Done> {
    host.progress.stage(0, &|| "looking for the failure".into());
    let keeper = match subject {
        Some((solver, _)) => Keeper::of(solver, &args.second)?,
        None => Keeper::new(Vec::new()),
    };
    let found = until(options.deadline, host, |limited| {
        let found = unless(limited.cancel, || args.detect(text, subject, &keeper, limited));
        // Without a result there is no error either: what was stopped says so in its own words.
        found.filter(|found| found.is_ok() || !limited.cancel.is_cancelled())
    })?;
    let Some(found) = found else {
        let by_user = host.cancel.is_cancelled();
        return Ok(Done::Refused(Refused::Stopped { by_user }));
    };
    let failing = match found? {
        Detected::Failing(failing) => *failing,
        Detected::Passing(passing) => return Ok(Done::Refused(Refused::Passing(passing))),
        Detected::Flaky { property, rate } => return Ok(Done::Refused(Refused::Flaky { property, rate })),
    };
    let Failing { start, property, rate } = failing;
    let failure = property.describe();
    if !args.quiet {
        host.progress.notice(&failure);
    }
    let reduction = reduce(start, &*property, &keeper, options, host)?;
    let finding = subject.as_ref().map(|(solver, spec)| finding_of(&reduction, solver, spec));
    let out = options.out.clone().unwrap_or_default();
    Ok(Done::Reduced(Box::new(Reduced { failure, rate, reduction, finding, out })))
}

impl Args {
    /// The solver under test.
    fn subject(&self) -> anyhow::Result<Subject> {
        let compares =
            self.match_out.is_some() || self.match_err.is_some() || self.ignore_output || self.hangs;
        ensure!(
            !compares || matches!(self.keep, Some(Wanted::Command(_))),
            "--match-out, --match-err, --ignore-output and --hangs are about a command: --keep 'CMD {{file}}'"
        );
        ensure!(
            !self.regex || self.match_out.is_some() || self.match_err.is_some(),
            "--regex is about --match-out and --match-err"
        );
        match (&self.solver, &self.keep) {
            (Some(_), Some(Wanted::Command(_))) => {
                bail!("a command of --keep is run in place of a solver; leave out --solver")
            }
            (Some(spec), _) => Ok(Some((profile::resolve(spec)?, spec.clone()))),
            (None, Some(Wanted::Command(_))) if self.bug.is_some() => {
                bail!("--bug needs --solver: a finding is about a solver")
            }
            (None, Some(Wanted::Command(_))) => Ok(None),
            (None, _) => bail!("name a solver with --solver, or give a command: --keep 'CMD {{file}}'"),
        }
    }

    fn detect(
        &self,
        text: &Input,
        subject: &Subject,
        keeper: &Keeper,
        host: &Host<'_>,
    ) -> anyhow::Result<Detected> {
        let (name, doc) = script(&self.file, text)?;
        let keep = match (&self.keep, subject) {
            (Some(Wanted::Command(command)), _) => {
                return detect_command(&name, doc, &self.command_setup(command)?, host);
            }
            (Some(Wanted::Failure(keep)), _) => Some(keep.clone()),
            (None, _) => None,
        };
        let (solver, _) = subject.as_ref().context("there is no solver to run")?;
        detect(&name, doc, &Setup { keep, ..self.setup(solver) }, keeper, host)
    }

    fn command_setup(&self, command: &str) -> anyhow::Result<CommandSetup> {
        let output = |option: &'static str, text: &Option<String>| -> anyhow::Result<Output> {
            Ok(match text {
                Some(text) if self.regex => Output::matching(text).context(option)?,
                Some(text) => Output::Contains(text.clone()),
                None if self.ignore_output || self.match_out.is_some() || self.match_err.is_some() => {
                    Output::Any
                }
                None => Output::Equal,
            })
        };
        Ok(CommandSetup {
            stdout: output("--match-out", &self.match_out)?,
            stderr: output("--match-err", &self.match_err)?,
            time_limit: self.time_limit.map(Duration::from_secs_f64),
            memory: (self.memory_limit > 0).then_some(self.memory_limit << 20),
            hangs: self.hangs,
            repeat: self.repeat,
            ..CommandSetup::new(command)
        })
    }

    fn setup(&self, solver: &Solver) -> Setup {
        Setup {
            seed: self.seed,
            time_limit: self.time_limit.map(Duration::from_secs_f64),
            memory: (self.memory_limit > 0).then_some(self.memory_limit << 20),
            expect: self.expect,
            repeat: self.repeat,
            ..Setup::new(solver.clone())
        }
    }

    fn options(&self, passes: Vec<&'static dyn Pass>, out: PathBuf, deadline: Option<Instant>) -> Options {
        Options {
            passes,
            jobs: self.jobs.map_or_else(campaign::provenance::cores, usize::from),
            deadline,
            work: None,
            seeds: self.seeds,
            max_runs: self.max_runs,
            out: Some(out),
            resume: self.resume,
        }
    }

    fn passes(&self) -> anyhow::Result<Vec<&'static dyn Pass>> {
        if self.passes.is_empty() {
            return Ok(PASSES.to_vec());
        }
        let names: Vec<&str> = PASSES.iter().map(|p| p.name()).collect();
        let one = |name: &String| {
            let found = PASSES.iter().copied().find(|p| p.name() == name.trim());
            let meant = did_you_mean(name, names.iter().copied());
            let hint = meant.map_or_else(String::new, |m| format!("; did you mean `{m}`?"));
            found.ok_or_else(|| anyhow!("there is no pass `{name}`{hint} The passes: {}", names.join(", ")))
        };
        self.passes.iter().map(one).collect()
    }

    /// The output file: another one than the input.
    fn out(&self) -> anyhow::Result<PathBuf> {
        let out = self.out.clone().unwrap_or_else(|| default_out(&self.file));
        let same =
            |a: &Path, b: &Path| a.canonicalize().is_ok_and(|a| b.canonicalize().is_ok_and(|b| a == b));
        ensure!(!same(&out, &self.file), "`{}` is the input; choose another --out", out.display());
        ensure!(!out.is_dir(), "`{}` is a folder; --out is a file", out.display());
        Ok(out)
    }

    fn show(&self, done: Done) -> anyhow::Result<Outcome> {
        match done {
            Done::Refused(refused) => {
                render::print(self.format, &refused)?;
                Ok(refused.outcome())
            }
            Done::Reduced(reduced) => {
                if let (Some(path), Some(finding)) = (&self.bug, &reduced.finding) {
                    write_finding(path, finding)?;
                }
                render::print(self.format, &*reduced)?;
                if let Some(stopped) = &reduced.reduction.stopped {
                    render::notice(&format!("ended early: {stopped}; --resume continues"));
                }
                Ok(Outcome::Found)
            }
        }
    }
}

fn default_out(file: &Path) -> PathBuf {
    if file == Path::new("-") {
        return "reduced.smt2".into();
    }
    let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    file.with_file_name(format!("{stem}.reduced.smt2"))
}

fn write_finding(path: &Path, finding: &Finding) -> anyhow::Result<()> {
    let text = serde_json::to_string_pretty(finding)? + "\n";
    std::fs::write(path, text).with_context(|| format!("cannot write `{}`", path.display()))
}

fn script(path: &Path, text: &Input) -> anyhow::Result<(String, Doc)> {
    let doc = Doc::from_text(&text.bytes).map_err(|errors| {
        let shown: Vec<String> =
            errors.iter().take(5).map(|d| render::diagnostic(&text.name, &text.bytes, d)).collect();
        anyhow!("not a valid script\n{}", shown.join("\n"))
    })?;
    let name = path.file_name().map_or_else(|| text.name.clone(), |n| n.to_string_lossy().into_owned());
    Ok((if path == Path::new("-") { "<stdin>".into() } else { name }, doc))
}
