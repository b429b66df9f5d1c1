//! `stringent eval`: which assertions hold under a model, and why one does not.

use crate::Outcome;
use crate::input;
use crate::render::{self, Format};
use anyhow::{Context as _, bail};
use semantics::explain::{Step, explain};
use semantics::referee::{Check, Judgement, checks};
use semantics::{Config, Evaluator, Model, Reading, Truth};
use smt::answer::Item;
use smt::diag::position;
use smt::print::term_text;
use smt::{Dialect, Parsed, Pool, Term};
use std::io::Write as _;
use std::path::PathBuf;

/// Say which assertions hold under a model, and why one does not.
///
/// The model is what a solver printed: `(get-model)` or `(get-value …)` output, other lines around it do no
/// harm. What it leaves out is completed with defaults (0, "", false), and said so.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  z3 problem.smt2 > answer; stringent eval problem.smt2 --model answer\n  \
    echo '((x \"ab\"))' | stringent eval problem.smt2 --model -\n\n\
    Exit codes: 0 every assertion holds, 10 one fails, 11 none fails but one cannot be told, 2 bad input."
)]
pub(crate) struct Args {
    /// The script, or `-` for stdin
    file: PathBuf,
    /// The model, or `-` for stdin
    #[arg(long, short)]
    model: PathBuf,
    /// Which check-sat of the script, from 1 (default: the last)
    #[arg(long)]
    check: Option<usize>,
    /// The dialect of the script, instead of detecting it
    #[arg(long)]
    dialect: Option<Dialect>,
    /// How the solver escapes strings: 2.5 for `\x41`, 2.6 for `\u{41}` (default: 2.6)
    #[arg(long)]
    model_dialect: Option<Dialect>,
    /// Which semantics: the standard, or the one of CVC4 before SMT-LIB 2.6
    #[arg(long, value_enum, default_value_t)]
    reading: ReadingArg,
    /// At most this many lines of explanation
    #[arg(long, default_value_t = 30)]
    lines: usize,
    /// Output form
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
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
    let script = input::read(&args.file)?;
    if args.file == args.model {
        bail!("the script and the model cannot both be `{}`", args.file.display());
    }
    let answer = input::read(&args.model)?;
    let mut pool = Pool::new();
    let parsed = smt::parse(&script.bytes, args.dialect, &mut pool);
    for d in parsed.diagnostics.iter().filter(|d| d.severity == smt::Severity::Error).take(20) {
        render::notice(&render::diagnostic(&script.name, &script.bytes, d));
    }
    if !parsed.is_ok() {
        return Ok(Outcome::BadInput);
    }
    let items = smt::answer::read(&answer.bytes, args.model_dialect.unwrap_or_default(), &mut pool);
    let model = model_of(&pool, &items).with_context(|| format!("no model in `{}`", answer.name))?;
    let all = checks(&parsed.script);
    let number = args.check.unwrap_or(all.len());
    let Some(check) = number.checked_sub(1).and_then(|n| all.get(n)) else {
        bail!("`{}` has {} check-sat command(s), there is no number {number}", script.name, all.len());
    };
    let config = Config { reading: args.reading.into(), ..Config::default() };
    let mut e = Evaluator::with(&pool, &model, config, semantics::regex::RegexStore::new());
    let judgement = Judgement::of(check, &mut e);
    let report =
        Report { args, script: &script, answer: &answer, parsed: &parsed, pool: &pool, check, number };
    match args.format {
        Format::Text => report.text(&judgement, &mut e)?,
        Format::Json => report.json(&judgement, &mut e)?,
    }
    Ok(match judgement.overall() {
        Truth::Holds => Outcome::Clean,
        Truth::Fails => Outcome::Found,
        Truth::CannotTell(_) => Outcome::Open,
    })
}

/// The last model or values in a solver's output.
fn model_of(pool: &Pool, items: &[Item]) -> anyhow::Result<Model> {
    let mut model = Model::new();
    for item in items.iter().rev() {
        match item {
            Item::Unreadable(why) => bail!("it cannot be read: {why}"),
            Item::Truncated(_) => bail!("it is cut off"),
            Item::Model(_) | Item::Values(_) | Item::Empty => {
                model.add(pool, item);
                return Ok(model);
            }
            _ => {}
        }
    }
    bail!("a `((define-fun x () String \"…\") …)` or `((x \"…\") …)` is needed");
}

struct Report<'a> {
    args: &'a Args,
    script: &'a input::Input,
    answer: &'a input::Input,
    parsed: &'a Parsed,
    pool: &'a Pool,
    check: &'a Check,
    number: usize,
}

impl Report<'_> {
    fn line(&self, command: usize) -> usize {
        position(&self.script.bytes, self.parsed.script.entries[command].span.start as usize).line
    }

    /// Each assertion and assumption: what it is called, its line, the term.
    fn rows(&self) -> Vec<(String, usize, Term)> {
        let asserted = self.check.assertions.iter().enumerate().map(|(i, &(command, t))| {
            let name = self.pool.given_name(t).map(|s| self.pool.names.name(s));
            let label =
                name.map_or_else(|| format!("assertion {}", i + 1), |n| format!("assertion {} `{n}`", i + 1));
            (label, self.line(command), t)
        });
        let line = self.check.command.map_or(0, |c| self.line(c));
        let assumed = self
            .check
            .assumptions
            .iter()
            .enumerate()
            .map(|(i, &t)| (format!("assumption {}", i + 1), line, t));
        asserted.chain(assumed).collect()
    }

    fn first_not_holding(&self, j: &Judgement) -> Option<(usize, Truth)> {
        let all: Vec<Truth> = j.assertions.iter().chain(&j.assumptions).copied().collect();
        let fails = all.iter().position(|t| *t == Truth::Fails);
        let open = all.iter().position(|t| *t != Truth::Holds);
        fails.or(open).map(|i| (i, all[i]))
    }

    fn text(&self, j: &Judgement, e: &mut Evaluator<'_>) -> anyhow::Result<()> {
        let mut out = std::io::BufWriter::new(std::io::stdout().lock());
        let rows = self.rows();
        let wide = rows.iter().map(|(label, ..)| label.chars().count()).max().unwrap_or(0);
        let digits = rows.iter().map(|(_, line, _)| line.to_string().len()).max().unwrap_or(0);
        for ((label, line, _), truth) in rows.iter().zip(j.assertions.iter().chain(&j.assumptions)) {
            let word = match truth {
                Truth::Holds => "holds".to_owned(),
                Truth::Fails => "FAILS".to_owned(),
                Truth::CannotTell(why) => format!("cannot tell: {}", why.reason()),
            };
            writeln!(out, "{label:<wide$}  line {line:>digits$}  {word}")?;
        }
        if let Some((i, truth)) = self.first_not_holding(j) {
            let (label, line, t) = &rows[i];
            let word = if truth == Truth::Fails { "is false" } else { "cannot be told" };
            writeln!(out, "\n{label} (line {line}) {word}:")?;
            for step in explain(e, *t, self.args.lines) {
                self.step(&step, e, &mut out)?;
            }
        }
        if self.parsed.script.dialect != Dialect::Smt26 && self.args.dialect.is_none() {
            writeln!(
                out,
                "\nthe script was read in dialect {}; if the solver read it as 2.6, say --dialect 2.6",
                self.parsed.script.dialect
            )?;
        }
        let completed: Vec<&str> = e.completed().iter().map(|&f| self.pool.fun_name(f)).collect();
        if !completed.is_empty() {
            writeln!(out, "\nnot in the model, completed with defaults: {}", completed.join(", "))?;
        }
        out.flush()?;
        Ok(())
    }

    fn step(&self, step: &Step, e: &Evaluator<'_>, out: &mut impl std::io::Write) -> std::io::Result<()> {
        let indent = "  ".repeat(step.depth.min(30) + 1);
        let value = step.value.as_ref().map_or_else(
            |why| format!("unknown, {}", why.reason()),
            |v| shorten(&v.to_smtlib(e.store()), 120),
        );
        writeln!(out, "{indent}{}  →  {value}", shorten(&term_text(self.pool, step.term), 120))
    }

    fn json(&self, j: &Judgement, e: &mut Evaluator<'_>) -> anyhow::Result<()> {
        let rows = self.rows();
        let word = |t: &Truth| match t {
            Truth::Holds => "holds",
            Truth::Fails => "fails",
            Truth::CannotTell(_) => "cannot tell",
        };
        let reason = |t: &Truth| match t {
            Truth::CannotTell(why) => Some(why.reason()),
            _ => None,
        };
        let truths = j.assertions.iter().chain(&j.assumptions);
        let assertions: Vec<_> = rows
            .iter()
            .zip(truths)
            .map(|((label, line, t), truth)| {
                serde_json::json!({ "what": label, "line": line, "term": term_text(self.pool, *t),
                                    "truth": word(truth), "reason": reason(truth) })
            })
            .collect();
        let explanation = self.first_not_holding(j).map(|(i, _)| {
            let steps: Vec<_> = explain(e, rows[i].2, self.args.lines)
                .iter()
                .map(|s| {
                    serde_json::json!({ "depth": s.depth, "term": term_text(self.pool, s.term),
                        "value": s.value.as_ref().ok().map(|v| v.to_smtlib(e.store())) })
                })
                .collect();
            serde_json::json!({ "what": rows[i].0, "steps": steps })
        });
        let completed: Vec<&str> = e.completed().iter().map(|&f| self.pool.fun_name(f)).collect();
        let doc = serde_json::json!({
            "version": env!("CARGO_PKG_VERSION"),
            "file": self.script.name,
            "model": self.answer.name,
            "check": self.number,
            "overall": word(&j.overall()),
            "assertions": assertions,
            "explanation": explanation,
            "completed": completed,
        });
        writeln!(std::io::stdout().lock(), "{doc:#}")?;
        Ok(())
    }
}

fn shorten(text: &str, limit: usize) -> String {
    if text.chars().count() <= limit {
        return text.to_owned();
    }
    let head: String = text.chars().take(limit - 20).collect();
    let tail: String = text.chars().skip(text.chars().count() - 17).collect();
    format!("{head} … {tail}")
}
