//! `stringent transform`: similar scripts from existing ones.

mod files;

pub(crate) use files::transformed;

use crate::Outcome;
use crate::input;
use anyhow::bail;
use files::{directory, report};
use smt::op::TABLE;
use smt::{Dialect, Op};
use std::io::Write as _;
use std::path::PathBuf;
use synth::transformers::recipe::Recipe;
use synth::transformers::text::{Form, transform};
use synth::transformers::{Chain, Flags, REGISTRY};

/// Change scripts into similar ones, keeping known answers where that is proved.
///
/// Transformers are applied one after the other. A single script is written to standard output; with --out, each is written to a file
/// whose name records the chain (`a-fuzz-graft.smt2`). Commands, logic, options, definitions, levels and comments between
/// commands are kept. A `:status` is kept, or becomes `unknown`; a model in the certificate is transformed as well and checked again.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    /// Transformers, one after the other: fuzz, graft, insert-operator, multiply, nop, reverse, rotate, translate, unprintable
    #[arg(value_name = "NAME[,NAME…]", required_unless_present = "list")]
    names: Option<String>,
    /// Scripts, directories of *.smt2 files, or `-` for stdin, which is the default
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Write each result to a file below this directory
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Random seed
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Take the seed from the clock; the result records it
    #[arg(long, conflicts_with = "seed")]
    random: bool,
    /// Results of each script, with consecutive seeds
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..), requires = "out")]
    count: u32,
    /// Apply every chain of the transformers up to this length, instead of the one given: the recipe of the suite
    /// Transformed of the StringFuzz thesis. Duplicates from the same script are left out
    #[arg(long, value_name = "LENGTH", value_parser = clap::value_parser!(u8).range(1..=8), requires = "out", conflicts_with = "count")]
    chains: Option<u8>,
    /// With --chains, at most N from each script, the shortest chains first
    #[arg(long, value_name = "N", requires = "chains")]
    per_seed: Option<usize>,
    /// The dialect to read, instead of detecting it: 2.0, 2.5, 2.6, 2.7 or norn
    #[arg(long, value_name = "DIALECT")]
    in_lang: Option<Dialect>,
    /// The dialect to write [default: the dialect of the input]
    #[arg(long, value_name = "DIALECT")]
    out_lang: Option<Dialect>,
    /// Request a model after each check
    #[arg(long)]
    models: bool,
    #[command(flatten)]
    flags: FlagArgs,
    /// Scripts at a time [default: the number of cores]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    jobs: Option<u16>,
    /// Do not report the number of results
    #[arg(long, short)]
    quiet: bool,
    /// List the transformers, and when they keep the answer
    #[arg(long)]
    list: bool,
}

/// Parameters of transformers.
#[derive(clap::Args)]
struct FlagArgs {
    /// fuzz, multiply, translate: also change the literals of re.range
    #[arg(long)]
    re_range: bool,
    /// graft: also swap arguments of str.to_re
    #[arg(long)]
    str_to_re: bool,
    /// multiply: the factor [default: 2]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    factor: Option<u32>,
    /// translate: also permute digits
    #[arg(long)]
    integers: bool,
    /// translate: permute only among characters that no range of the script separates, so that answers are kept
    #[arg(long)]
    within_ranges: bool,
    /// insert-operator: the operator to insert [default: a random one for each assertion]
    #[arg(long, value_name = "OP", value_parser = operator, allow_hyphen_values = true)]
    operator: Option<Op>,
    /// insert-operator: maximum depth below the root of an assertion [default: 2]
    #[arg(long, value_name = "N")]
    depth: Option<u32>,
}

const HELP: &str = "\
Examples:
  stringent transform reverse < problem.smt2
  stringent transform fuzz,graft,reverse problem.smt2 --seed 7 > similar.smt2
  stringent transform translate --within-ranges seeds/ --out translated/ --count 10
  stringent transform nop --out-lang 2.5 problem.smt2
  stringent transform insert-operator --operator str.replace_all --depth 4 problem.smt2
  stringent transform fuzz,graft,reverse,translate --chains 3 seeds/ --out suite/
  stringent transform --list

Exit codes: 0 transformed, 2 bad usage, bad input, or the dialect cannot express a result (others are still written).";

/// An operator by its name in any dialect.
fn operator(name: &str) -> Result<Op, String> {
    let called = |r: &&smt::op::Row| r.name == name || r.aliases.iter().any(|a| a.name == name);
    // `-` is subtraction, not negation.
    let row = TABLE.iter().rfind(called);
    row.map(|r| r.op).filter(|op| !op.row().params.is_empty()).ok_or_else(|| {
        let known = smt::op::names().filter(|n| TABLE.iter().any(|r| r.name == *n && !r.params.is_empty()));
        smt::diag::unknown_name("operator", name, known)
    })
}

impl FlagArgs {
    fn flags(&self) -> Flags {
        let default = Flags::default();
        Flags {
            re_range: self.re_range,
            str_to_re: self.str_to_re,
            factor: self.factor.unwrap_or(default.factor),
            integers: self.integers,
            within_ranges: self.within_ranges,
            operator: self.operator,
            depth: self.depth.unwrap_or(default.depth),
        }
    }

    /// The flags that were given, as on the command line.
    fn given(&self) -> Vec<(&'static str, String)> {
        let mut out = Vec::new();
        let switches = [
            ("re-range", self.re_range),
            ("str-to-re", self.str_to_re),
            ("integers", self.integers),
            ("within-ranges", self.within_ranges),
        ];
        out.extend(switches.iter().filter(|(_, on)| *on).map(|(name, _)| (*name, String::new())));
        out.extend(self.factor.map(|n| ("factor", n.to_string())));
        out.extend(self.operator.map(|op| ("operator", op.name().to_owned())));
        out.extend(self.depth.map(|n| ("depth", n.to_string())));
        out
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    if args.list {
        return list();
    }
    let names = args.names.as_deref().unwrap_or_default();
    let chain = Chain::new(names.split(',').map(str::trim), &args.flags.flags())?;
    for (flag, _) in args.flags.given() {
        if !chain.steps().iter().any(|t| t.flags.contains(&flag)) {
            let of: Vec<&str> = REGISTRY.iter().filter(|t| t.flags.contains(&flag)).map(|t| t.name).collect();
            bail!("--{flag} is for {}, which is not among the transformers", of.join(" and "));
        }
    }
    let seed = if args.random { input::time_seed() } else { args.seed };
    let stdin = [PathBuf::from("-")];
    let given = if args.files.is_empty() { &stdin[..] } else { &args.files };
    match &args.out {
        Some(out) if args.chains.is_some() => transformed(&recipe(args, seed), given, out, args.quiet),
        Some(out) => directory(args, &chain, seed, given, out),
        None => filter(args, &chain, seed, given),
    }
}

fn form(args: &Args, seed: u64) -> Form {
    let mut command = format!("transform {} --seed {seed}", args.names.as_deref().unwrap_or_default());
    for (flag, value) in args.flags.given() {
        command.push_str(&format!(" --{flag}"));
        if !value.is_empty() {
            command.push_str(&format!(" {}", campaign::clean::shell(&value)));
        }
    }
    Form {
        from: args.in_lang,
        to: args.out_lang,
        models: args.models,
        provenance: format!("stringent {}: {command}", env!("CARGO_PKG_VERSION")),
    }
}

/// One script, to standard output.
fn filter(args: &Args, chain: &Chain, seed: u64, given: &[PathBuf]) -> anyhow::Result<Outcome> {
    let [path] = given else { bail!("for more than one script, name a directory: --out DIR") };
    if path.is_dir() {
        bail!("`{}` is a directory; name one for the results: --out DIR", path.display());
    }
    let input = input::read(path)?;
    match transform(&input.bytes, chain, seed, &form(args, seed)) {
        Ok(made) => {
            std::io::stdout().lock().write_all(made.text.as_bytes())?;
            Ok(Outcome::Clean)
        }
        Err(e) => {
            report(&input, &e);
            Ok(Outcome::BadInput)
        }
    }
}

fn recipe(args: &Args, seed: u64) -> Recipe {
    let names = args.names.as_deref().unwrap_or_default();
    let mut form = form(args, seed);
    form.provenance.push_str(&format!(" --chains {}", args.chains.unwrap_or(1)));
    Recipe {
        transformers: names.split(',').map(|n| n.trim().to_owned()).collect(),
        length: usize::from(args.chains.unwrap_or(1)),
        per_seed: args.per_seed.unwrap_or(usize::MAX),
        flags: args.flags.flags(),
        seed,
        form,
    }
}

fn list() -> anyhow::Result<Outcome> {
    let mut out = std::io::stdout().lock();
    for info in REGISTRY {
        let flags: String = info.flags.iter().map(|f| format!(" --{f}")).collect();
        writeln!(out, "{}{flags}\n    {}\n    keeps the answer: {}", info.name, info.about, info.keeps)?;
    }
    Ok(Outcome::Clean)
}
