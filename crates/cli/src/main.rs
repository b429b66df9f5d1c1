//! The `stringent` binary: one file per verb.
//!
//! Results go to stdout, notices and progress to stderr; `--format json` is for machines. Exit codes:
//! 0 no failure, 10 a failure, 11 nothing fails but something is undetermined, 2 usage or bad
//! input, 3 internal error, 4 output cannot be written.

mod bar;
mod bench;
mod bisect;
mod r#break;
mod campaign_args;
mod campaign_run;
mod check;
mod cluster;
mod completions;
mod convert;
mod demo;
mod edits;
mod eval;
mod failure;
mod file;
mod r#gen;
mod hunt;
mod input;
mod limits;
mod link;
mod merge;
mod output;
mod overview;
mod parts;
mod personality;
mod progress;
mod project;
mod project_args;
mod reduce;
mod render;
mod report;
mod repro;
mod resume;
mod rules;
mod run;
mod selftest;
mod serve;
mod show;
mod signals;
mod solve;
mod solvers;
mod stats;
mod store;
mod stored;
mod suite;
mod suite_args;
mod synth;
mod test;
mod transform;
mod triage;
mod worker;

use campaign_args::CampaignArgs;
use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use std::process::ExitCode;

/// With the allocator of musl, a run takes about twice as long.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Tests string solvers: generates formulas with known answers, runs solvers on them and judges their answers, searches for hard
/// scripts, and solves SMT-LIB scripts with strings itself.
#[derive(Parser)]
#[command(name = "stringent", version = env!("STRINGENT_VERSION"), max_term_width = 100, arg_required_else_help = true, after_help = EXITS)]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

const EXITS: &str = "Exit codes: 0 no failure, 10 a failure (of a solver, a model, a rule), 11 no failure but \
                     something is undetermined, 2 usage or bad input, 3 internal error, 4 output cannot be written (the disk is full).";

#[derive(Subcommand)]
enum Verb {
    /// Find a wrong answer of an old z3 within a minute
    Demo(demo::Args),
    /// Synthesise formulas with known answers and run solvers on them
    Test(test::Args),
    /// Solve scripts with the built-in solver
    Solve(solve::Args),
    /// Search for bugs with fresh formulas, for a time or until stopped
    Hunt(hunt::Args),
    /// Run solvers on existing files
    Run(run::Args),
    /// Parse and sort-check scripts
    Check(check::Args),
    /// Rewrite a script in another dialect
    Convert(convert::Args),
    /// Show which assertions hold under a model, and why one does not
    Eval(eval::Args),
    /// Render a stored campaign, or compare two
    Report(report::Args),
    /// Show campaigns as a live page for browsers
    Serve(serve::Args),
    /// Explain a failure of a campaign
    Show(show::Args),
    /// Run a failure of a campaign again
    Repro(repro::Args),
    /// Make a script on which a solver fails as small as possible
    Reduce(reduce::Args),
    /// Group the failures of a campaign by cause, each with a reduced formula
    Triage(triage::Args),
    /// Find the versions and options of a solver on which scripts fail
    Bisect(bisect::Args),
    /// Write the text of an issue for a finding
    File(file::Args),
    /// Check a cluster, plan and merge campaigns on it
    Cluster(cluster::Args),
    /// Run one chunk of a plan, as a task of a cluster
    Worker(worker::Args),
    /// Merge, copy, list, check or remove stores of campaigns
    Store(store::Args),
    /// Verify rule files
    Rules(rules::Args),
    /// Synthesise formulas with known answers
    Synth(synth::Args),
    /// Search for scripts on which a solver is slow
    Break(r#break::Args),
    /// Generate scripts of a given shape
    Gen(r#gen::Args),
    /// Test solvers on edit-distance formulas, or write such formulas
    Edits(edits::Args),
    /// Write a suite as files
    Suite(suite::Args),
    /// Change scripts into similar ones, keeping known answers where that is proved
    Transform(transform::Args),
    /// Merge scripts into one
    Merge(merge::Args),
    /// Count the contents of scripts
    Stats(stats::Args),
    /// Compare the evaluator with real solvers on random ground terms
    Selftest(selftest::Args),
    /// Make links to this program under the names of other solvers
    Link(link::Args),
    /// List, install, check and show solvers
    Solvers(solvers::Args),
    /// Measure speed against other programs
    Bench(bench::Args),
    /// Print a completion script for a shell
    Completions(completions::CompletionArgs),
    /// Print the manual page, or write one per command
    Man(completions::ManArgs),
    /// Solves a script with planted bugs
    #[command(hide = true)]
    DemoSolver,
    /// Ends solvers when the campaign that started them is killed
    #[command(hide = true)]
    Watchdog,
}

impl Verb {
    /// The arguments of a campaign that can be resumed.
    fn campaign(&mut self) -> Option<&mut CampaignArgs> {
        match self {
            Verb::Test(args) => Some(&mut args.campaign),
            Verb::Run(args) => Some(&mut args.campaign),
            Verb::Edits(args) => args.campaign(),
            _ => None,
        }
    }
}

/// The result of a verb, as an exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    Clean,
    /// Something fails.
    Found,
    /// Nothing fails, but something is undetermined.
    Undetermined,
    BadInput,
}

impl Outcome {
    fn code(self) -> ExitCode {
        match self {
            Outcome::Clean => ExitCode::SUCCESS,
            Outcome::Found => ExitCode::from(10),
            Outcome::Undetermined => ExitCode::from(11),
            Outcome::BadInput => ExitCode::from(2),
        }
    }
}

/// A verb that is started often, without building the commands of all others. None if anything is unusual; the complete
/// command line then reports it.
fn quick() -> Option<Verb> {
    r#gen::quick()
        .map(Verb::Gen)
        .or_else(|| alone("solve").map(Verb::Solve))
        .or_else(|| alone("eval").map(Verb::Eval))
        .or_else(|| alone("check").map(Verb::Check))
}

/// The arguments of a verb, if the command line has this verb and no error.
fn alone<A: clap::Args>(verb: &'static str) -> Option<A> {
    let words: Vec<_> = std::env::args_os().skip(1).collect();
    if words.first()? != verb {
        return None;
    }
    let matches = A::augment_args(clap::Command::new(verb)).try_get_matches_from(words).ok()?;
    A::from_arg_matches(&matches).ok()
}

/// The command line, and which arguments of `test` were given.
fn parsed() -> Result<(Verb, test::Given), clap::Error> {
    let matches = Cli::command().try_get_matches().or_else(overview::printed)?;
    let cli = Cli::from_arg_matches(&matches)?;
    Ok((cli.verb, matches.subcommand_matches("test").map(test::Given::of).unwrap_or_default()))
}

fn main() -> ExitCode {
    campaign::provenance::set_build(env!("STRINGENT_VERSION"));
    match lab::bench::echo::serve() {
        Ok(false) => {}
        Ok(true) => return ExitCode::SUCCESS,
        Err(_) => return ExitCode::from(3),
    }
    match personality::read() {
        None => {}
        Some(personality::Read::Printed(code)) => return code,
        Some(personality::Read::Solve(personality, request)) => return solve::run_as(personality, &request),
    }
    let (verb, given) = match quick() {
        Some(verb) => (verb, test::Given::default()),
        None => match parsed() {
            Ok(parsed) => parsed,
            Err(e) => return failure::usage(&e),
        },
    };
    if let Ok(me) = std::env::current_exe() {
        campaign::profile::set_own_program(me);
    }
    let run = std::panic::catch_unwind(|| match resume::started_verb(project::completed(verb, given)?)? {
        Verb::Demo(args) => demo::run(&args),
        Verb::Test(args) => test::run(&args),
        Verb::Solve(args) => solve::run(&args),
        Verb::Hunt(args) => hunt::run(&args),
        Verb::Run(args) => run::run(&args),
        Verb::Check(args) => check::run(&args),
        Verb::Convert(args) => convert::run(&args),
        Verb::Eval(args) => eval::run(&args),
        Verb::Report(args) => report::run(&args),
        Verb::Serve(args) => serve::run(&args),
        Verb::Show(args) => show::run(&args),
        Verb::Repro(args) => repro::run(&args),
        Verb::Reduce(args) => reduce::run(&args),
        Verb::Triage(args) => triage::run(&args),
        Verb::Bisect(args) => bisect::run(&args),
        Verb::File(args) => file::run(&args),
        Verb::Cluster(args) => cluster::run(&args),
        Verb::Worker(args) => worker::run(&args),
        Verb::Store(args) => store::run(&args),
        Verb::Rules(args) => rules::run(&args),
        Verb::Synth(args) => synth::run(&args),
        Verb::Break(args) => r#break::run(&args),
        Verb::Gen(args) => r#gen::run(&args),
        Verb::Edits(args) => edits::run(&args),
        Verb::Suite(args) => suite::run(&args),
        Verb::Transform(args) => transform::run(&args),
        Verb::Merge(args) => merge::run(&args),
        Verb::Stats(args) => stats::run(&args),
        Verb::Selftest(args) => selftest::run(&args),
        Verb::Link(args) => link::run(&args),
        Verb::Solvers(args) => solvers::run(&args),
        Verb::Bench(args) => bench::run(&args),
        Verb::Completions(args) => completions::completions(&args),
        Verb::Man(args) => completions::man(&args),
        Verb::DemoSolver => demo::serve(),
        Verb::Watchdog => {
            campaign::process::Watchdog::serve();
            Ok(Outcome::Clean)
        }
    });
    match run {
        Ok(Ok(outcome)) => failure::finish(outcome.code()),
        Ok(Err(e)) => failure::report(&e),
        Err(_) => failure::internal(),
    }
}
