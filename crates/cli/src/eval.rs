//! `stringent eval`: which assertions hold under a model, and why one does not.

use crate::Outcome;
use crate::input;
use crate::render::{self, Format};
use anyhow::{Context as _, bail};
use semantics::ambiguity::{other_escapes, redeclaration};
use semantics::explain::explain;
use semantics::model::{Answer, answers};
use semantics::referee::{Check, Judgement, check, check_count};
use semantics::{Config, Evaluator, Model, Reading, Satisfaction};
use smt::answer::{Item, Verdict};
use smt::diag::Lines;
use smt::print::term_text;
use smt::{Dialect, Parsed, Pool, Term};
use std::io::Write as _;
use std::path::PathBuf;

/// Say which assertions hold under a model, and why one does not.
///
/// The model is what a solver printed for the script: verdicts, `(get-model)` and `(get-value …)` output, errors
/// and other lines around them. What a model leaves out is completed with defaults (0, "", false), and said so; what
/// `get-value` was not asked for is unknown.
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
    /// Which check-sat of the script, from 1 (default: the last that has a model)
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
    let mut case = Case::read(&script.bytes, &answer.bytes, args.dialect, args.model_dialect);
    for d in case.parsed.diagnostics.iter().take(20) {
        render::notice(&render::diagnostic(&script.name, &script.bytes, d));
    }
    if !case.parsed.is_ok() {
        return Ok(Outcome::BadInput);
    }
    case.choose(args.check).with_context(|| format!("nothing to judge in `{}`", answer.name))?;
    let mut e = case.evaluator(args);
    let judgement = Judgement::of(&case.check, &mut e);
    let doubt = match judgement.overall() {
        Satisfaction::Fails => doubt(args, &script.bytes, &answer.bytes, &case),
        _ => None,
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
        Satisfaction::Fails | Satisfaction::Undetermined(_) => Outcome::Open,
    })
}

/// A script and an answer, read in certain dialects; then the check and the model to judge.
struct Case {
    pool: Pool,
    parsed: Parsed,
    items: Vec<Item>,
    check: Check,
    number: usize,
    verdict: Option<Verdict>,
    model: Model,
}

impl Case {
    fn read(script: &[u8], answer: &[u8], dialect: Option<Dialect>, of_model: Option<Dialect>) -> Case {
        let mut pool = Pool::new();
        let parsed = smt::parse(script, dialect, &mut pool);
        let items = smt::answer::read(answer, of_model.unwrap_or_default(), &mut pool);
        let (check, model) = (Check::default(), Model::new());
        Case { pool, parsed, items, check, number: 1, verdict: None, model }
    }

    /// Finds the model to judge and the check-sat that it answers: the `number`th, or the last that has a model.
    fn choose(&mut self, number: Option<usize>) -> anyhow::Result<()> {
        let declared: std::collections::HashSet<&str> = self
            .parsed
            .script
            .commands()
            .filter_map(|c| match c {
                smt::Command::DeclareFun(f) | smt::Command::DeclareConst(f) => Some(self.pool.fun_name(*f)),
                _ => None,
            })
            .collect();
        let mut all = answers(&self.pool, &self.items, &|name| declared.contains(name));
        let checks = check_count(&self.parsed.script);
        if let Some(n) = number
            && (n == 0 || n > checks)
        {
            bail!("the script has {checks} check-sat command(s), there is no number {n}");
        }
        let numbered = all[0].verdict.is_some();
        if numbered && all.len() > checks {
            bail!("it has {} verdicts, the script {checks} check-sat command(s)", all.len());
        }
        let failed = self.items.iter().any(|i| matches!(i, Item::Error(_)));
        if numbered && all.len() > 1 && all.len() < checks && failed {
            bail!("it has errors, and only {} verdicts for {checks} check-sat commands", all.len());
        }
        let useful =
            |a: &Answer| a.verdict != Some(Verdict::Unsat) && (a.model.is_some() || a.trouble.is_some());
        let index = match number {
            Some(n) if numbered => n - 1,
            _ => all.iter().rposition(useful).unwrap_or(all.len() - 1),
        };
        if index >= all.len() {
            bail!("it has only {} verdict(s)", all.len());
        }
        let chosen = all.swap_remove(index);
        self.number = if numbered { index + 1 } else { number.unwrap_or(checks) };
        self.verdict = chosen.verdict;
        if chosen.verdict == Some(Verdict::Unsat) {
            bail!("the solver answered unsat to check-sat {}", self.number);
        }
        if let Some(why) = chosen.trouble {
            bail!("{why}");
        }
        let Some(model) = chosen.model else {
            bail!("a `((define-fun x () String \"…\") …)` or `((x \"…\") …)` is needed");
        };
        self.model = model;
        self.check = check(&self.parsed.script, self.number - 1).context("there is no such check-sat")?;
        Ok(())
    }

    fn evaluator(&self, args: &Args) -> Evaluator<'_> {
        let config = Config { reading: args.reading.into(), ..Config::default() };
        Evaluator::with(&self.pool, &self.model, config, semantics::regex::RegexStore::new())
    }
}

/// Before it says that a model fails: does that hang on how the texts are read?
fn doubt(args: &Args, script: &[u8], answer: &[u8], case: &Case) -> Option<String> {
    let holds = |dialect, of_model| {
        let mut other = Case::read(script, answer, dialect, of_model);
        if !other.parsed.is_ok() || other.choose(args.check).is_err() {
            return false;
        }
        let mut e = other.evaluator(args);
        Judgement::of(&other.check, &mut e).overall() != Satisfaction::Fails
    };
    let detected = case.parsed.script.dialect;
    if args.dialect.is_none() && detected != Dialect::Smt26 && holds(Some(Dialect::Smt26), args.model_dialect)
    {
        return Some(format!(
            "the script was read in dialect {detected}; read with --dialect 2.6, nothing fails"
        ));
    }
    let other = other_escapes(answer, Dialect::default()).filter(|_| args.model_dialect.is_none());
    if other.is_some_and(|other| holds(args.dialect, Some(other))) {
        return Some(
            "the model has escapes of old solvers; read with --model-dialect 2.5, nothing fails".into(),
        );
    }
    redeclaration(&case.parsed.diagnostics)
}

struct Report<'a> {
    args: &'a Args,
    script: &'a input::Input,
    answer: &'a input::Input,
    case: &'a Case,
    lines: Lines,
    doubt: Option<&'a str>,
}

impl Report<'_> {
    fn line(&self, command: usize) -> usize {
        self.lines.of(self.case.parsed.script.entries[command].span.start as usize)
    }

    /// Each assertion and assumption: what it is called, its line, the term.
    fn rows(&self) -> Vec<(String, usize, Term)> {
        let asserted = self.case.check.assertions.iter().enumerate().map(|(i, &(command, t))| {
            let name = self.case.pool.given_name(t).map(|s| self.case.pool.names.name(s));
            let label =
                name.map_or_else(|| format!("assertion {}", i + 1), |n| format!("assertion {} `{n}`", i + 1));
            (label, self.line(command), t)
        });
        let line = self.case.check.command.map_or(0, |c| self.line(c));
        let assumed = self
            .case
            .check
            .assumptions
            .iter()
            .enumerate()
            .map(|(i, &t)| (format!("assumption {}", i + 1), line, t));
        asserted.chain(assumed).collect()
    }

    fn first_not_holding(&self, j: &Judgement) -> Option<(usize, Satisfaction)> {
        let all: Vec<Satisfaction> = j.assertions.iter().chain(&j.assumptions).copied().collect();
        let fails = all.iter().position(|t| *t == Satisfaction::Fails);
        let open = all.iter().position(|t| *t != Satisfaction::Holds);
        fails.or(open).map(|i| (i, all[i]))
    }

    fn text(&self, j: &Judgement, e: &mut Evaluator<'_>) -> anyhow::Result<()> {
        let mut out = std::io::BufWriter::new(std::io::stdout().lock());
        let rows = self.rows();
        let wide = rows.iter().map(|(label, ..)| label.chars().count()).max().unwrap_or(0);
        let digits = rows.iter().map(|(_, line, _)| line.to_string().len()).max().unwrap_or(0);
        for ((label, line, _), truth) in rows.iter().zip(j.assertions.iter().chain(&j.assumptions)) {
            let word = match truth {
                Satisfaction::Holds => "holds".to_owned(),
                Satisfaction::Fails => "FAILS".to_owned(),
                Satisfaction::Undetermined(why) => format!("cannot tell: {}", why.reason()),
            };
            writeln!(out, "{label:<wide$}  line {line:>digits$}  {word}")?;
        }
        if let Some((i, truth)) = self.first_not_holding(j) {
            let (label, line, t) = &rows[i];
            let word = if truth == Satisfaction::Fails { "is false" } else { "cannot be told" };
            writeln!(out, "\n{label} (line {line}) {word}:")?;
            out.write_all(semantics::explain::text(e, *t, self.args.lines).as_bytes())?;
        }
        if self.case.verdict == Some(Verdict::Unknown) {
            writeln!(out, "\nthe solver answered unknown: its model is only a candidate")?;
        }
        if let Some(doubt) = self.doubt {
            writeln!(out, "\nin doubt: {doubt}")?;
        }
        let completed: Vec<&str> = e.completed().iter().map(|&f| self.case.pool.fun_name(f)).collect();
        if !completed.is_empty() {
            let more = completed.len().saturating_sub(20);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let some = completed.iter().take(20).copied().collect::<Vec<_>>().join(", ");
            writeln!(out, "\nnot in the model, completed with defaults: {some}{more}")?;
        }
        out.flush()?;
        Ok(())
    }

    fn json(&self, j: &Judgement, e: &mut Evaluator<'_>) -> anyhow::Result<()> {
        let rows = self.rows();
        let word = |t: &Satisfaction| match t {
            Satisfaction::Holds => "holds",
            Satisfaction::Fails => "fails",
            Satisfaction::Undetermined(_) => "cannot tell",
        };
        let reason = |t: &Satisfaction| match t {
            Satisfaction::Undetermined(why) => Some(why.reason()),
            _ => None,
        };
        let truths = j.assertions.iter().chain(&j.assumptions);
        let assertions: Vec<_> = rows
            .iter()
            .zip(truths)
            .map(|((label, line, t), truth)| {
                serde_json::json!({ "what": label, "line": line, "term": term_text(&self.case.pool, *t),
                                    "truth": word(truth), "reason": reason(truth) })
            })
            .collect();
        let explanation = self.first_not_holding(j).map(|(i, _)| {
            let steps: Vec<_> = explain(e, rows[i].2, self.args.lines)
                .iter()
                .map(|s| {
                    serde_json::json!({ "depth": s.depth, "term": term_text(&self.case.pool, s.term),
                        "value": s.value.as_ref().ok().map(|v| v.to_smtlib(e.store())) })
                })
                .collect();
            serde_json::json!({ "what": rows[i].0, "steps": steps })
        });
        let completed: Vec<&str> = e.completed().iter().map(|&f| self.case.pool.fun_name(f)).collect();
        let doc = serde_json::json!({
            "version": env!("CARGO_PKG_VERSION"),
            "file": self.script.name,
            "model": self.answer.name,
            "check": self.case.number,
            "dialect": self.case.parsed.script.dialect.name(),
            "verdict": self.case.verdict.map(|v| match v {
                Verdict::Sat => "sat",
                Verdict::Unsat => "unsat",
                Verdict::Unknown => "unknown",
            }),
            "overall": if self.doubt.is_some() { "cannot tell" } else { word(&j.overall()) },
            "doubt": self.doubt,
            "assertions": assertions,
            "explanation": explanation,
            "completed": completed,
        });
        writeln!(std::io::stdout().lock(), "{doc:#}")?;
        Ok(())
    }
}
