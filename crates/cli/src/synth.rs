//! `stringent synth`: formulas with known answers.

use crate::Outcome;
use crate::eval::ReadingArg;
use crate::render;
use anyhow::{Context as _, bail};
use clap::ValueEnum;
use comfy_table::{CellAlignment, Table, presets};
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;
use semantics::Status;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use synth::constants::Constants;
use synth::suite::{Options, Patterns, Preset, Tally, generate};
use synth::text::{Category, Text};

/// Synthesise formulas whose answer is known by construction.
///
/// Satisfiable ones carry a model, unsatisfiable ones their minimal core and, for each assertion of it, a model of the
/// others. Without --out or --stream only a table of counts is printed. The same options give the same bytes.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  stringent synth --preset icse20                      # the suite of the ICSE'20 paper, counted\n  \
    stringent synth --out suite/                         # the default suite, as files\n  \
    stringent synth --only core --chain 2 --stream smt2  # harder unsatisfiable formulas, on standard output\n  \
    stringent synth --operation str.replace --string x --string xyx --stream json\n\n\
    Exit codes: 0 done, 10 --attack found a model, 2 bad usage or a bad rule file."
)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) suite: SuiteArgs,
    /// Write each formula to a file of its own below this directory
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write all formulas to standard output, as scripts or as one JSON object a line
    #[arg(long, value_enum, value_name = "FORM", conflicts_with = "out")]
    stream: Option<Stream>,
    /// Stop after so many formulas
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Look for a model of each unsatisfiable formula among all words up to this length, and report; there must be none
    #[arg(long, value_name = "LENGTH", conflicts_with_all = ["out", "stream"])]
    attack: Option<usize>,
    /// Steps of each such search, at most
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    attack_steps: u64,
    /// Only count, without the table
    #[arg(long)]
    quiet: bool,
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Stream {
    /// Scripts, one after the other, each beginning with a comment that names it
    Smt2,
    /// One JSON object a line: name, category, operation, status, source
    Json,
}

/// Which formulas.
#[derive(clap::Args, Clone)]
pub(crate) struct SuiteArgs {
    /// Which suite: the paper's, or every operator of the theory
    #[arg(long, value_enum, default_value_t = PresetArg::Full)]
    pub(crate) preset: PresetArg,
    /// What random choices start from
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
    /// Only this category; may be given more than once
    #[arg(long, value_enum, value_name = "CATEGORY")]
    pub(crate) only: Vec<CategoryArg>,
    /// Only this operation, by its SMT-LIB name; may be given more than once
    #[arg(long, value_name = "OP")]
    pub(crate) operation: Vec<String>,
    /// A string to use in constant assignment, with SMT-LIB escapes; replaces the preset's
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) string: Vec<String>,
    /// An integer to use in constant assignment; replaces the preset's
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub(crate) int: Vec<i64>,
    /// A regular expression to use in constant assignment, as SMT-LIB term; replaces the preset's
    #[arg(long, value_name = "TERM")]
    pub(crate) regex: Vec<String>,
    /// Evaluations of each operation in constant assignment, at most (default: all for icse20, 50 for full)
    #[arg(long, value_name = "N")]
    pub(crate) runs: Option<usize>,
    /// How deep the terms of term synthesis are
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=4))]
    pub(crate) bound: u8,
    /// Forget only some of the constants in term synthesis
    #[arg(long)]
    pub(crate) mix: bool,
    /// Apply so many transformations to unsatisfiable formulas, one after the other
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=16))]
    pub(crate) chain: u8,
    /// Quantified formulas without patterns, with them, or both
    #[arg(long, value_enum, default_value_t = PatternsArg::Both)]
    pub(crate) patterns: PatternsArg,
    /// A file with further equivalences and equalities; verified first. May be given more than once
    #[arg(long, value_name = "FILE")]
    pub(crate) rules: Vec<PathBuf>,
    /// Which semantics the answers follow
    #[arg(long, value_enum, default_value_t)]
    pub(crate) reading: ReadingArg,
}

#[derive(Clone, Copy, ValueEnum, Debug, PartialEq, Eq)]
pub(crate) enum PresetArg {
    /// Every operator of the theory of strings and regular expressions
    Full,
    /// The twelve operations, constants and rules of the ICSE'20 paper
    Icse20,
}

#[derive(Clone, Copy, ValueEnum, Debug, PartialEq, Eq)]
pub(crate) enum PatternsArg {
    Both,
    With,
    Without,
}

#[derive(Clone, Copy, ValueEnum, Debug, PartialEq, Eq)]
pub(crate) enum CategoryArg {
    /// sat: one operation, everything free
    Operation,
    /// sat: some positions of an evaluation fixed
    Constant,
    /// sat: operations applied to operations
    Term,
    /// unsat: one side of an equivalence and the negation of the other
    Equivalent,
    /// unsat: variables and constants replaced, larger core
    Core,
    /// unsat: redundancy introduced
    Redundancy,
}

impl SuiteArgs {
    /// The options of the generator; rule files are read and verified.
    pub(crate) fn options(&self) -> anyhow::Result<Options> {
        let preset = match self.preset {
            PresetArg::Full => Preset::Full,
            PresetArg::Icse20 => Preset::Icse20,
        };
        let mut options = Options::new(preset);
        options.seed = self.seed;
        options.only = self.only.iter().map(|c| Category::ALL[*c as usize]).collect();
        options.operations = self.operations()?;
        options.constants = self.constants(preset)?;
        options.runs = self.runs;
        options.bound = usize::from(self.bound);
        options.mix = self.mix;
        options.chain = usize::from(self.chain);
        options.patterns = match self.patterns {
            PatternsArg::Both => Patterns::Both,
            PatternsArg::With => Patterns::With,
            PatternsArg::Without => Patterns::Without,
        };
        options.reading = self.reading.into();
        for path in &self.rules {
            options.rules.push(crate::rules::verified(path, self.reading)?);
        }
        options.maker = format!("stringent {}: {}", env!("CARGO_PKG_VERSION"), self.command());
        Ok(options)
    }

    fn operations(&self) -> anyhow::Result<Vec<String>> {
        let known: Vec<&str> = smt::op::TABLE.iter().map(|row| row.name).collect();
        for name in &self.operation {
            if !known.contains(&name.as_str()) {
                let hint = smt::diag::did_you_mean(name, known.iter().copied());
                let hint = hint.map_or_else(String::new, |h| format!(" Did you mean `{h}`?"));
                bail!("no operation `{name}`.{hint}");
            }
        }
        Ok(self.operation.clone())
    }

    fn constants(&self, preset: Preset) -> anyhow::Result<Option<Constants>> {
        if self.string.is_empty() && self.int.is_empty() && self.regex.is_empty() {
            return Ok(None);
        }
        let mut c = if preset == Preset::Icse20 { Constants::icse20() } else { Constants::full() };
        if !self.string.is_empty() {
            c.strings = self.string.iter().map(|s| unescaped(s)).collect();
        }
        if !self.int.is_empty() {
            c.ints.clone_from(&self.int);
        }
        for r in &self.regex {
            let t = synth::constants::parse(&mut smt::Pool::new(), r);
            t.with_context(|| format!("--regex {r}: not a regular expression in SMT-LIB"))?;
        }
        if !self.regex.is_empty() {
            c.regexes.clone_from(&self.regex);
        }
        Ok(Some(c))
    }

    /// The options that differ from the defaults, as they would be typed; what made a formula is written into it.
    fn command(&self) -> String {
        let mut out = format!("synth --preset {} --seed {}", name(self.preset), self.seed);
        let mut add = |flag: &str, value: &str| {
            out.push_str(&format!(" --{flag} {}", campaign::clean::shell(value)));
        };
        for s in &self.string {
            add("string", s);
        }
        for n in &self.int {
            add("int", &n.to_string());
        }
        for r in &self.regex {
            add("regex", r);
        }
        if let Some(n) = self.runs {
            add("runs", &n.to_string());
        }
        if self.bound != 1 {
            add("bound", &self.bound.to_string());
        }
        if self.chain != 1 {
            add("chain", &self.chain.to_string());
        }
        for path in &self.rules {
            add("rules", &path.display().to_string());
        }
        if self.mix {
            out.push_str(" --mix");
        }
        if self.reading != ReadingArg::default() {
            out.push_str(&format!(" --reading {}", name(self.reading)));
        }
        out
    }
}

fn name(value: impl ValueEnum) -> String {
    value.to_possible_value().map_or_else(String::new, |v| v.get_name().to_owned())
}

/// A text with SMT-LIB escapes.
fn unescaped(text: &str) -> String {
    let mut pool = smt::Pool::new();
    let literal = format!("\"{}\"", text.replace('"', "\"\""));
    let word = synth::constants::parse(&mut pool, &literal).and_then(|t| match pool.head(t) {
        smt::Head::Str(id) => pool.word(id).iter().map(|&c| char::from_u32(c)).collect::<Option<String>>(),
        _ => None,
    });
    word.unwrap_or_else(|| text.to_owned())
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let options = args.suite.options()?;
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let mut left = args.limit.unwrap_or(usize::MAX);
    let mut trouble = None;
    let mut unsat = Vec::new();
    let mut sink = |text: Text| {
        if left == 0 {
            return false;
        }
        left -= 1;
        let written = match (&args.out, args.stream) {
            (Some(dir), _) => write_file(dir, &text),
            (None, Some(Stream::Smt2)) => {
                write!(out, "; {}\n{}\n", text.name, text.source).map_err(Into::into)
            }
            (None, Some(Stream::Json)) => writeln!(out, "{}", json(&text)).map_err(Into::into),
            (None, None) => {
                if args.attack.is_some() && text.status == Status::Unsat {
                    unsat.push(text);
                }
                Ok(())
            }
        };
        written.map_err(|e: anyhow::Error| trouble = Some(e)).is_ok() && left > 0
    };
    let tally = generate(&options, &mut sink)?;
    if let Some(e) = trouble {
        return Err(e);
    }
    out.flush()?;
    for rule in &tally.unused_rules {
        render::notice(&format!(
            "rule {rule} is no equivalence, and no equality with a variable or constant: not used"
        ));
    }
    let total: usize = tally.categories.values().sum();
    if args.stream.is_none() && !args.quiet {
        writeln!(out, "{}", table(&tally))?;
    }
    if let Some(dir) = &args.out {
        render::notice(&format!("{total} formulas in {}", dir.display()));
    } else if args.stream.is_none() {
        writeln!(out, "{total} formulas")?;
    }
    out.flush()?;
    match args.attack {
        Some(length) => attack(&unsat, length, args.attack_steps, &mut out),
        None => Ok(Outcome::Clean),
    }
}

/// Looks for models that must not exist.
fn attack(unsat: &[Text], length: usize, steps: u64, out: &mut impl Write) -> anyhow::Result<Outcome> {
    let bar = ProgressBar::new(unsat.len() as u64).with_style(
        ProgressStyle::with_template("{bar:30} {pos}/{len} attacked, {eta} left").expect("a template"),
    );
    let found: Vec<Result<bool, String>> = unsat
        .par_iter()
        .map(|text| {
            let found = synth::attack::attack(&text.source, length, steps);
            bar.inc(1);
            found
        })
        .collect();
    bar.finish_and_clear();
    let mut outcome = Outcome::Clean;
    for (text, found) in unsat.iter().zip(&found) {
        if let Err(model) = found {
            outcome = Outcome::Found;
            writeln!(out, "{} HAS A MODEL: {model}", text.name)?;
        }
    }
    let models = found.iter().filter(|f| f.is_err()).count();
    let exhausted = found.iter().filter(|f| matches!(f, Ok(true))).count();
    writeln!(
        out,
        "{} unsatisfiable formulas, words up to length {length}: {models} have a model, {exhausted} searched to the end, \
         {} stopped after {steps} steps or not decided",
        unsat.len(),
        unsat.len() - models - exhausted,
    )?;
    out.flush()?;
    Ok(outcome)
}

pub(crate) fn write_file(dir: &Path, text: &Text) -> anyhow::Result<()> {
    let path = dir.join(format!("{}.smt2", text.name));
    let folder = path.parent().unwrap_or(dir);
    std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    std::fs::write(&path, &text.source).with_context(|| path.display().to_string())
}

pub(crate) fn json(text: &Text) -> serde_json::Value {
    serde_json::json!({
        "name": text.name,
        "category": text.category,
        "operation": text.operation,
        "status": text.status.code(),
        "source": text.source,
    })
}

/// Operations by category.
fn table(tally: &Tally) -> Table {
    let order = |name: &str| Category::ALL.iter().position(|c| name.trim_end_matches("+p") == c.name());
    let mut categories: Vec<&String> = tally.categories.keys().collect();
    categories.sort_by_key(|c| (order(c), c.len()));
    let mut rows: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for ((category, operation), n) in &tally.operations {
        let row = rows.entry(operation).or_insert_with(|| vec![0; categories.len()]);
        if let Some(i) = categories.iter().position(|c| *c == category) {
            row[i] += n;
        }
    }
    let mut table = Table::new();
    table.load_preset(presets::NOTHING);
    let header = ["operation".to_owned()].into_iter().chain(categories.iter().map(|c| (*c).clone()));
    table.set_header(header);
    let show = |n: &usize| if *n == 0 { "·".to_owned() } else { n.to_string() };
    for (operation, row) in &rows {
        table.add_row([(*operation).to_owned()].into_iter().chain(row.iter().map(show)));
    }
    let totals = categories.iter().map(|c| tally.categories[*c].to_string());
    table.add_row(["all".to_owned()].into_iter().chain(totals));
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}
