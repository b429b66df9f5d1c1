//! The arguments that choose a suite of formulas with known answers.

use crate::eval::ReadingArg;
use anyhow::{Context as _, bail};
use clap::ValueEnum;
use std::path::PathBuf;
use synth::constants::Constants;
use synth::suite::{Options, Patterns, Preset};
use synth::text::Category;

/// Which formulas.
#[derive(clap::Args, Clone)]
pub(crate) struct SuiteArgs {
    /// The suite of the paper, or one for every operator of the theory
    #[arg(long, value_enum, default_value_t = PresetArg::Full)]
    pub(crate) preset: PresetArg,
    /// Random seed
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
    /// Only this category; may be repeated
    #[arg(long, value_enum, value_name = "CATEGORY")]
    pub(crate) only: Vec<CategoryArg>,
    /// Only this operation, by its SMT-LIB name; may be repeated
    #[arg(long, value_name = "OP")]
    pub(crate) operation: Vec<String>,
    /// A string to use in constant assignment, with SMT-LIB escapes; replaces the preset's
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) string: Vec<String>,
    /// An integer to use in constant assignment; replaces the preset's
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub(crate) int: Vec<i64>,
    /// A regular expression to use in constant assignment, as an SMT-LIB term; replaces the preset's
    #[arg(long, value_name = "TERM")]
    pub(crate) regex: Vec<String>,
    /// Maximum number of evaluations of each operation in constant assignment (default: all for icse20, 50 for full)
    #[arg(long, value_name = "N")]
    pub(crate) runs: Option<usize>,
    /// Depth of the terms in term synthesis
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=4))]
    pub(crate) bound: u8,
    /// In term synthesis, replace only some of the constants by variables
    #[arg(long)]
    pub(crate) mix: bool,
    /// Apply N transformations to unsatisfiable formulas, one after the other
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=16))]
    pub(crate) chain: u8,
    /// Quantified formulas without patterns, with them, or both
    #[arg(long, value_enum, default_value_t = PatternsArg::Both)]
    pub(crate) patterns: PatternsArg,
    /// A file with further equivalences and equalities; verified first; may be repeated
    #[arg(long, value_name = "FILE")]
    pub(crate) rules: Vec<PathBuf>,
    /// The semantics of the answers
    #[arg(long, alias = "reading", value_enum, default_value_t)]
    pub(crate) semantics: ReadingArg,
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
    /// sat: one operation, all arguments free
    Operation,
    /// sat: one operation, some arguments or the result fixed
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
        options.operations = self.operations(preset)?;
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
        options.reading = self.semantics.into();
        for path in &self.rules {
            options.rules.push(crate::rules::verified(path, self.semantics)?);
        }
        options.maker = format!("stringent {}: {}", env!("CARGO_PKG_VERSION"), self.command());
        Ok(options)
    }

    fn operations(&self, preset: Preset) -> anyhow::Result<Vec<String>> {
        let known = preset.operations().iter().map(|op| op.row().name);
        // Rules may be about others.
        let others = smt::op::names().filter(|_| !self.rules.is_empty());
        for name in &self.operation {
            if !known.clone().chain(others.clone()).any(|k| k == name) {
                bail!(smt::diag::unknown_name("operation", name, known));
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

    /// The options that differ from the defaults, as on the command line; each formula states them.
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
        if self.semantics != ReadingArg::default() {
            out.push_str(&format!(" --semantics {}", name(self.semantics)));
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
