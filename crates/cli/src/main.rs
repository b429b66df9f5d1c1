//! The `stringent` binary: one file per verb.
//!
//! Results go to stdout, notices and progress to stderr; `--format json` is for machines. Exit codes:
//! 0 clean, 10 bugs found (a model that fails), 11 nothing fails but something is undetermined, 2 usage or bad
//! input, 3 internal error.

mod bar;
mod bench;
mod r#break;
mod campaign_args;
mod campaign_run;
mod check;
mod completions;
mod convert;
mod edits;
mod eval;
mod r#gen;
mod input;
mod limits;
mod merge;
mod output;
mod progress;
mod render;
mod report;
mod rules;
mod run;
mod selftest;
mod solve;
mod solvers;
mod stats;
mod suite;
mod suite_args;
mod synth;
mod test;
mod transform;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Tests string solvers: generates formulas with known answers, runs solvers on them and judges their answers, searches for hard
/// scripts, and solves SMT-LIB scripts with strings itself.
#[derive(Parser)]
#[command(name = "stringent", version = env!("STRINGENT_VERSION"), max_term_width = 100, arg_required_else_help = true, after_help = EXITS)]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

const EXITS: &str = "Exit codes: 0 clean, 10 something fails (a model, a rule, an evaluator case), 11 nothing fails but \
                     something is undetermined, 2 usage or bad input, 3 internal error.";

#[derive(Subcommand)]
enum Verb {
    /// Synthesise formulas with known answers and run solvers on them
    Test(test::Args),
    /// Solve scripts with the built-in solver
    Solve(solve::Args),
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
    /// List, install, check and show solvers
    Solvers(solvers::Args),
    /// Measure speed against other programs
    Bench(bench::Args),
    /// Print a completion script for a shell
    Completions(completions::CompletionArgs),
    /// Print the manual page, or write one page per verb
    Man(completions::ManArgs),
    /// Ends solvers when the campaign that started them is killed
    #[command(hide = true)]
    Watchdog,
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

fn main() -> ExitCode {
    match lab::bench::echo::serve() {
        Ok(false) => {}
        Ok(true) => return ExitCode::SUCCESS,
        Err(_) => return ExitCode::from(3),
    }
    let verb = r#gen::quick().map_or_else(|| Cli::parse().verb, Verb::Gen);
    if let Ok(me) = std::env::current_exe() {
        campaign::profile::set_own_program(me);
    }
    let run = std::panic::catch_unwind(|| match verb {
        Verb::Test(args) => test::run(&args),
        Verb::Solve(args) => solve::run(&args),
        Verb::Run(args) => run::run(&args),
        Verb::Check(args) => check::run(&args),
        Verb::Convert(args) => convert::run(&args),
        Verb::Eval(args) => eval::run(&args),
        Verb::Report(args) => report::run(&args),
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
        Verb::Solvers(args) => solvers::run(&args),
        Verb::Bench(args) => bench::run(&args),
        Verb::Completions(args) => completions::completions(&args),
        Verb::Man(args) => completions::man(&args),
        Verb::Watchdog => {
            campaign::process::Watchdog::serve();
            Ok(Outcome::Clean)
        }
    });
    match run {
        Ok(Ok(outcome)) => outcome.code(),
        Ok(Err(e)) if is_broken_pipe(&e) => ExitCode::SUCCESS,
        Ok(Err(e)) => {
            render::error(&format!("{e:#}"));
            ExitCode::from(2)
        }
        Err(_) => {
            render::error("internal error, please report it with the input that caused it");
            ExitCode::from(3)
        }
    }
}

/// The reader of the output has closed it (`stringent … | head`), which is not an error.
fn is_broken_pipe(e: &anyhow::Error) -> bool {
    e.chain().any(|c| {
        c.downcast_ref::<std::io::Error>().is_some_and(|io| io.kind() == std::io::ErrorKind::BrokenPipe)
    })
}
