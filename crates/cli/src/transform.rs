//! `stringent transform`: similar scripts from existing ones.

use crate::Outcome;
use crate::input;
use crate::render;
use anyhow::{Context as _, bail};
use rayon::prelude::*;
use semantics::Status;
use smt::op::TABLE;
use smt::{Dialect, Op, Severity};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use synth::transformers::recipe::{Recipe, Seed, transformed_suite};
use synth::transformers::text::{Form, TextError, transform};
use synth::transformers::{Chain, Flags, REGISTRY};

/// Change scripts into similar ones, and carry known answers across where that is proved.
///
/// Transformers are applied one after the other. A single script goes to standard output; with --out, each goes to a file
/// whose name records the chain (`a-fuzz-graft.smt2`). Commands, logic, options, definitions, levels and comments between
/// commands stay. A `:status` is kept, or becomes `unknown`; a model in the certificate is changed along and judged again.
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
    /// What random choices start from
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Start random choices from a seed of their own each time; it is written into the result
    #[arg(long, conflicts_with = "seed")]
    random: bool,
    /// Make so many of each script, with consecutive seeds
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..), requires = "out")]
    count: u32,
    /// Make every chain of the transformers up to this length, instead of the one given: the recipe of the suite
    /// Transformed of the StringFuzz thesis. What was made before from the same script is left out
    #[arg(long, value_name = "LENGTH", value_parser = clap::value_parser!(u8).range(1..=8), requires = "out", conflicts_with = "count")]
    chains: Option<u8>,
    /// With --chains, at most so many from each script, the shortest chains first
    #[arg(long, value_name = "N", requires = "chains")]
    per_seed: Option<usize>,
    /// The dialect to read, instead of detecting it: 2.0, 2.5, 2.6, 2.7 or norn
    #[arg(long, value_name = "DIALECT")]
    in_lang: Option<Dialect>,
    /// The dialect to write [default: as it was]
    #[arg(long, value_name = "DIALECT")]
    out_lang: Option<Dialect>,
    /// Ask for a model after each check
    #[arg(long)]
    models: bool,
    #[command(flatten)]
    flags: FlagArgs,
    /// Scripts at a time [default: the number of cores]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    jobs: Option<u16>,
    /// Do not say how many were made
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
    /// graft: also swap what is in str.to_re
    #[arg(long)]
    str_to_re: bool,
    /// multiply: by how much [default: 2]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    factor: Option<u32>,
    /// translate: also permute digits
    #[arg(long)]
    integers: bool,
    /// translate: permute only among characters that no range of the script tells apart, so that answers are kept
    #[arg(long)]
    within_ranges: bool,
    /// insert-operator: which [default: a random one for each assertion]
    #[arg(long, value_name = "OP", value_parser = operator, allow_hyphen_values = true)]
    operator: Option<Op>,
    /// insert-operator: how far below the top, at most [default: 2]
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

Exit codes: 0 transformed, 2 bad usage, bad input, or the dialect cannot say a result (others are still written).";

/// An operator by its name in any dialect.
fn operator(name: &str) -> Result<Op, String> {
    let called = |r: &&smt::op::Row| r.name == name || r.aliases.iter().any(|a| a.name == name);
    // `-` is subtraction, not negation.
    let row = TABLE.iter().rfind(called);
    row.map(|r| r.op).filter(|op| !op.row().params.is_empty()).ok_or_else(|| {
        let near = smt::diag::did_you_mean(name, TABLE.iter().map(|r| r.name));
        near.map_or_else(|| "no such operator".into(), |n| format!("no such operator; did you mean `{n}`?"))
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

    /// What was given, as it would be typed.
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
    let seed = if args.random { random_seed() } else { args.seed };
    let stdin = [PathBuf::from("-")];
    let given = if args.files.is_empty() { &stdin[..] } else { &args.files };
    match &args.out {
        Some(out) if args.chains.is_some() => transformed(&recipe(args, seed), given, out, args.quiet),
        Some(out) => directory(args, &chain, seed, given, out),
        None => filter(args, &chain, seed, given),
    }
}

/// A seed of the clock's making.
fn random_seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(0, |d| d.as_nanos() as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 16
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
    let [path] = given else { bail!("for more than one script, say where they go: --out DIR") };
    if path.is_dir() {
        bail!("`{}` is a directory; say where its scripts go: --out DIR", path.display());
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

fn report(input: &input::Input, e: &TextError) {
    if let TextError::Rejected(diagnostics) = e {
        for d in diagnostics.iter().filter(|d| d.severity == Severity::Error).take(5) {
            render::notice(&render::diagnostic(&input.name, &input.bytes, d));
        }
    }
    render::error(&format!("`{}`: {e}; nothing was written", input.name));
}

/// A file to transform, and the name of what it becomes, without the extension.
struct Job {
    path: PathBuf,
    stem: PathBuf,
}

/// The scripts that are given; below a directory they keep their place.
fn jobs(given: &[PathBuf]) -> anyhow::Result<Vec<Job>> {
    let mut jobs = Vec::new();
    for path in given {
        for file in input::files(std::slice::from_ref(path))? {
            let below =
                if path.is_dir() { file.strip_prefix(path).ok() } else { file.file_name().map(Path::new) };
            let stem = match below {
                _ if file == Path::new("-") => PathBuf::from("stdin"),
                Some(below) => below.with_extension(""),
                None => bail!("`{}` has no name", file.display()),
            };
            jobs.push(Job { path: file, stem });
        }
    }
    let mut seen = BTreeSet::new();
    if let Some(twice) = jobs.iter().find(|j| !seen.insert(&j.stem)) {
        bail!("two scripts would become `{}`", twice.stem.display());
    }
    Ok(jobs)
}

fn directory(
    args: &Args,
    chain: &Chain,
    seed: u64,
    given: &[PathBuf],
    out: &Path,
) -> anyhow::Result<Outcome> {
    let jobs = jobs(given)?;
    let suffix: String = chain.steps().iter().map(|t| format!("-{}", t.name)).collect();
    let one = |job: &Job| -> anyhow::Result<Vec<Status>> {
        let input = input::read(&job.path)?;
        let mut statuses = Vec::new();
        for i in 0..args.count {
            let seed = seed.wrapping_add(u64::from(i));
            let made = match transform(&input.bytes, chain, seed, &form(args, seed)) {
                Ok(made) => made,
                Err(e) => {
                    report(&input, &e);
                    break;
                }
            };
            let number = if args.count > 1 { format!("-{:04}", i + 1) } else { String::new() };
            write(out, &format!("{}{suffix}{number}.smt2", job.stem.display()), &made.text)?;
            statuses.push(made.status);
        }
        Ok(statuses)
    };
    let all = || jobs.par_iter().map(&one).collect::<Vec<_>>();
    let results = match args.jobs {
        Some(n) => rayon::ThreadPoolBuilder::new().num_threads(usize::from(n)).build()?.install(all),
        None => all(),
    };
    let mut statuses = Vec::new();
    for result in results {
        match result {
            Ok(of_one) => statuses.extend(of_one),
            Err(e) => render::error(&format!("{e:#}")),
        }
    }
    let count = |s: Status| statuses.iter().filter(|t| **t == s).count();
    if !args.quiet {
        render::notice(&format!(
            "{} of {} scripts in {}: {} sat, {} unsat, {} open",
            statuses.len(),
            jobs.len() * args.count as usize,
            out.display(),
            count(Status::Sat),
            count(Status::Unsat),
            count(Status::Unknown),
        ));
    }
    let whole = statuses.len() == jobs.len() * args.count as usize;
    Ok(if whole { Outcome::Clean } else { Outcome::BadInput })
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

/// Writes the suite that a recipe makes of the scripts in `seeds` (files and directories) below `out`.
pub(crate) fn transformed(
    recipe: &Recipe,
    seeds: &[PathBuf],
    out: &Path,
    quiet: bool,
) -> anyhow::Result<Outcome> {
    let read = |job: Job| -> anyhow::Result<Seed> {
        Ok(Seed { name: job.stem.display().to_string(), source: input::read(&job.path)?.bytes })
    };
    let seeds: Vec<Seed> = jobs(seeds)?.into_iter().map(read).collect::<anyhow::Result<_>>()?;
    let mut statuses: BTreeMap<Status, usize> = BTreeMap::new();
    let mut trouble = None;
    let tally = transformed_suite(&seeds, recipe, &mut |made| {
        *statuses.entry(made.status).or_default() += 1;
        write(out, &format!("{}.smt2", made.name), &made.source).map_err(|e| trouble = Some(e)).is_ok()
    })?;
    if let Some(e) = trouble {
        return Err(e);
    }
    for (name, why) in &tally.skipped {
        render::notice(&format!("`{name}` was left out: {why}"));
    }
    if !quiet {
        let count = |s: Status| statuses.get(&s).copied().unwrap_or(0);
        render::notice(&format!(
            "{} scripts from {} seeds in {}: {} sat, {} unsat, {} open; {} were made before",
            tally.made,
            seeds.len(),
            out.display(),
            count(Status::Sat),
            count(Status::Unsat),
            count(Status::Unknown),
            tally.duplicates,
        ));
    }
    Ok(if tally.skipped.is_empty() { Outcome::Clean } else { Outcome::BadInput })
}

fn write(out: &Path, name: &str, text: &str) -> anyhow::Result<()> {
    let path = out.join(name);
    let folder = path.parent().unwrap_or(out);
    std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    std::fs::write(&path, text).with_context(|| path.display().to_string())
}

fn list() -> anyhow::Result<Outcome> {
    let mut out = std::io::stdout().lock();
    for info in REGISTRY {
        let flags: String = info.flags.iter().map(|f| format!(" --{f}")).collect();
        writeln!(out, "{}{flags}\n    {}\n    keeps the answer: {}", info.name, info.about, info.keeps)?;
    }
    Ok(Outcome::Clean)
}
