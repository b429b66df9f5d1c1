//! `stringent eval`: which assertions hold under a model, and why one does not.

use crate::Outcome;
use crate::input;
use crate::render::{self, Format};
use anyhow::{Context as _, bail};
use semantics::explain::Line;
use semantics::transcript::Transcript;
use semantics::{Conclusion, Options, Reading, Report, Satisfaction};
use serde_json::json;
use smt::Dialect;
use smt::answer::Verdict;
use std::io::Write as _;
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
    let report = Report::of(case, &script.bytes, &answer.bytes);
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    match args.format {
        Format::Text => write!(out, "{report}")?,
        Format::Json => writeln!(out, "{:#}", json(&report, &script.name, &answer.name))?,
    }
    out.flush()?;
    Ok(match report.conclusion() {
        Conclusion::Holds => Outcome::Clean,
        Conclusion::Fails => Outcome::Found,
        Conclusion::Undetermined => Outcome::Undetermined,
    })
}

fn json(report: &Report, script: &str, answer: &str) -> serde_json::Value {
    let assertion = |f: &semantics::report::Finding| {
        let (truth, reason) = match f.truth {
            Satisfaction::Holds => ("holds", None),
            Satisfaction::Fails => ("fails", None),
            Satisfaction::Undetermined(why) => ("undetermined", Some(why.reason())),
        };
        json!({ "what": f.label, "line": f.line, "term": report.text_of(f.term), "truth": truth, "reason": reason })
    };
    let explanation = report.explanation.as_ref().map(|e| {
        let step = |l: &Line| json!({ "depth": l.depth, "term": l.term, "value": l.value.as_ref().ok() });
        json!({ "what": report.findings[e.finding].label, "steps": e.lines.iter().map(step).collect::<Vec<_>>() })
    });
    let case = &report.transcript;
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "file": script,
        "model": answer,
        "check": case.number,
        "dialect": case.parsed.script.dialect.name(),
        "verdict": case.verdict.map(Verdict::code),
        "overall": match report.conclusion() {
            Conclusion::Holds => "holds",
            Conclusion::Fails => "fails",
            Conclusion::Undetermined => "undetermined",
        },
        "doubt": report.doubt,
        "assertions": report.findings.iter().map(assertion).collect::<Vec<_>>(),
        "explanation": explanation,
        "completed": report.completed,
    })
}

impl Args {
    fn options(&self) -> Options {
        Options {
            dialect: self.dialect,
            model_dialect: self.model_dialect,
            reading: self.semantics.into(),
            check: self.check,
            lines: self.lines,
        }
    }
}
