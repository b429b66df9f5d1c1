//! `stringent eval`: which assertions hold under a model, and why one does not.

mod report;

use crate::Outcome;
use crate::input;
use crate::render::{self, Format};
use anyhow::{Context as _, bail};
use report::Report;
use semantics::referee::Judgement;
use semantics::transcript::{Options, Transcript};
use semantics::{Reading, Satisfaction};
use smt::Dialect;
use smt::diag::Lines;
use std::path::PathBuf;

/// Show which assertions hold under a model, and why one does not.
///
/// The model is the output of a solver on the script: verdicts, `(get-model)` and `(get-value …)` output, errors and other
/// lines. Constants that a model leaves out get default values (0, "", false), which is reported; constants that
/// were not requested with `get-value` are unknown.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  z3 problem.smt2 > answer; stringent eval problem.smt2 --model answer\n  \
    echo '((x \"ab\"))' | stringent eval problem.smt2 --model -\n\n\
    Exit codes: 0 every assertion holds, 10 one fails, 11 none fails but one is undetermined, 2 bad input."
)]
pub(crate) struct Args {
    /// The script, or `-` for stdin
    file: PathBuf,
    /// The model, or `-` for stdin
    #[arg(long, short)]
    model: PathBuf,
    /// Number of the check-sat in the script, from 1 (default: the last that has a model)
    #[arg(long)]
    check: Option<usize>,
    /// The dialect of the script, instead of detecting it
    #[arg(long)]
    dialect: Option<Dialect>,
    /// How the solver escapes strings: 2.5 for `\x41`, 2.6 for `\u{41}` (default: 2.6)
    #[arg(long)]
    model_dialect: Option<Dialect>,
    /// The semantics: the standard, or that of CVC4 before SMT-LIB 2.6
    #[arg(long, alias = "reading", value_enum, default_value_t)]
    semantics: ReadingArg,
    /// At most this many lines of explanation
    #[arg(long, default_value_t = 30)]
    lines: usize,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum ReadingArg {
    /// SMT-LIB 2.6 and 2.7
    #[default]
    Standard,
    /// An empty pattern: `str.indexof` gives −1, `str.replace` changes nothing
    #[value(name = "pre-2.6")]
    Pre26,
}

impl From<ReadingArg> for Reading {
    fn from(r: ReadingArg) -> Reading {
        match r {
            ReadingArg::Standard => Reading::Standard,
            ReadingArg::Pre26 => Reading::Pre26,
        }
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    if args.file == args.model {
        bail!("the script and the model cannot both be `{}`", args.file.display());
    }
    let (script, answer) = (input::read(&args.file)?, input::read(&args.model)?);
    let mut case = Transcript::read(&script.bytes, &answer.bytes, args.options());
    render::diagnostics(&script, &case.parsed.diagnostics, 20);
    if !case.parsed.is_ok() {
        return Ok(Outcome::BadInput);
    }
    case.choose().with_context(|| format!("nothing to judge in `{}`", answer.name))?;
    let mut e = case.evaluator();
    let judgement = Judgement::of(&case.check, &mut e);
    let doubt = match judgement.overall() {
        Satisfaction::Fails => case.ambiguity(&script.bytes, &answer.bytes),
        Satisfaction::Holds | Satisfaction::Undetermined(_) => None,
    };
    let lines = Lines::new(&script.bytes);
    let report =
        Report { args, script: &script, answer: &answer, case: &case, lines, doubt: doubt.as_deref() };
    match args.format {
        Format::Text => report.text(&judgement, &mut e)?,
        Format::Json => report.json(&judgement, &mut e)?,
    }
    Ok(match judgement.overall() {
        Satisfaction::Holds => Outcome::Clean,
        Satisfaction::Fails if doubt.is_none() => Outcome::Found,
        Satisfaction::Fails | Satisfaction::Undetermined(_) => Outcome::Undetermined,
    })
}

impl Args {
    fn options(&self) -> Options {
        Options {
            dialect: self.dialect,
            model_dialect: self.model_dialect,
            reading: self.semantics.into(),
            check: self.check,
        }
    }
}
