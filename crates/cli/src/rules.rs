//! `stringent rules`: verify rule files, or mine rules.

mod mine;

use crate::Outcome;
use crate::input;
use crate::render::{self, Format};
use anyhow::Context as _;
use semantics::Config;
use semantics::rule::{Domain, load};
use smt::Pool;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Verify rule files: sort-check every rule and evaluate it on all small values.
///
/// The format is in docs/rules.md. A rule passes if no small value refutes it, in both directions where both are
/// claimed, and if it applies to some value.
#[derive(clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "Examples:\n  stringent rules my-rules.smt2\n  stringent rules my-rules.smt2 --smt2 out/   \
    # one script per rule, unsat if it holds\n  \
    stringent rules mine --size 4 --out mined.smt2\n\nExit codes: 0 all hold, 10 a rule is wrong or never applies, 2 bad input."
)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Option<Verb>,
    /// Rule files, or `-` for stdin
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Write the negation of each rule as a script into this directory
    #[arg(long)]
    smt2: Option<PathBuf>,
    /// The semantics
    #[arg(long, alias = "reading", value_enum, default_value_t)]
    semantics: crate::eval::ReadingArg,
    /// At most this many assignments per rule and direction
    #[arg(long, default_value_t = 200_000)]
    cases: usize,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

#[derive(clap::Subcommand)]
enum Verb {
    /// Find rules: small terms that have the same values
    Mine(mine::Args),
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    match &args.verb {
        Some(Verb::Mine(args)) => mine::run(args),
        None => verify(args),
    }
}

fn verify(args: &Args) -> anyhow::Result<Outcome> {
    let mut outcome = Outcome::Clean;
    let mut documents = Vec::new();
    let mut out = std::io::stdout().lock();
    for path in input::files(&args.files)? {
        let input = input::read(&path)?;
        let mut pool = Pool::new();
        let rules = match load(&input.bytes, &mut pool) {
            Ok(rules) => rules,
            Err(errors) => {
                render::diagnostics(&input, &errors, usize::MAX);
                outcome = Outcome::BadInput;
                continue;
            }
        };
        let mut domain = Domain::small(&mut pool);
        domain.max_cases = args.cases.max(1);
        let config = Config { reading: args.semantics.into(), ..Config::default() };
        for rule in &rules {
            let v = rule.verify(&mut pool, &domain, config);
            if !v.ok() {
                outcome = outcome.max(Outcome::Found);
            }
            match args.format {
                Format::Text => writeln!(out, "{:<30} {}", rule.name, v.summary())?,
                Format::Json => documents.push(serde_json::json!({
                    "file": input.name, "rule": rule.name, "ok": v.ok(), "cases": v.cases, "fired": v.fired,
                    "undecided": v.undecided, "counterexample": v.counterexample,
                })),
            }
            if let Some(dir) = &args.smt2 {
                std::fs::create_dir_all(dir).with_context(|| format!("cannot create `{}`", dir.display()))?;
                let file = dir.join(format!("{}.smt2", rule.name));
                std::fs::write(&file, rule.refutation(&mut pool))
                    .with_context(|| format!("cannot write `{}`", file.display()))?;
            }
        }
    }
    if args.format == Format::Json {
        let doc = serde_json::json!({ "version": env!("CARGO_PKG_VERSION"), "rules": documents });
        writeln!(out, "{doc:#}")?;
    }
    Ok(outcome)
}

/// Reads and verifies a rule file: its name and text. Its errors are shown.
pub(crate) fn verified(path: &Path, reading: crate::eval::ReadingArg) -> anyhow::Result<(String, String)> {
    let input = input::read(path)?;
    let mut pool = Pool::new();
    let rules = load(&input.bytes, &mut pool).map_err(|errors| {
        render::diagnostics(&input, &errors, usize::MAX);
        anyhow::anyhow!("{}: {} errors", input.name, errors.len())
    })?;
    let domain = Domain::small(&mut pool);
    let config = Config { reading: reading.into(), ..Config::default() };
    for rule in &rules {
        let v = rule.verify(&mut pool, &domain, config);
        if !v.ok() {
            let message = format!("rule {}: {}", rule.name, v.summary());
            let at = smt::Diagnostic::error(smt::Code::UnverifiedRule, rule.span, message);
            render::notice(&render::diagnostic(&input.name, &input.bytes, &at));
            anyhow::bail!("{}: a rule that is not verified cannot be used", input.name);
        }
    }
    let text = String::from_utf8(input.bytes).context("not UTF-8")?;
    Ok((input.name, text))
}
