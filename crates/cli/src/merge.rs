//! `stringent merge`: several scripts as one.

use crate::Outcome;
use crate::output::write_or_print;
use crate::{input, render};
use anyhow::Context as _;
use clap::ValueEnum;
use semantics::Instance;
use smt::script::Plain;
use smt::{Command, Dialect};
use std::path::PathBuf;
use synth::merge::{Mode, merge};

/// Merge scripts into one that asserts what all of them assert.
///
/// Of a script with several checks, the assertions of the first one are taken. The merged script is unsat if one of them is known
/// to be; it is sat if all are, by models that hold together.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  stringent merge disjoint a.smt2 b.smt2 > both.smt2\n  stringent merge concat parts/ -o whole.smt2\n  \
    stringent merge intersecting a.smt2 b.smt2 c.smt2 --out-lang 2.5\n\nExit codes: 0 merged, 2 bad input, or the dialect cannot express it."
)]
pub(crate) struct Args {
    /// How names are merged
    #[arg(value_enum)]
    mode: ModeArg,
    /// Scripts, directories of *.smt2 files, or `-` for stdin
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Write here instead of stdout
    #[arg(long, short)]
    output: Option<PathBuf>,
    /// The dialect to read, instead of detecting it: 2.0, 2.5, 2.6, 2.7 or norn
    #[arg(long, value_name = "DIALECT")]
    in_lang: Option<Dialect>,
    /// The dialect to write
    #[arg(long, value_name = "DIALECT", default_value = "2.6")]
    out_lang: Dialect,
    /// Request a model after the check
    #[arg(long)]
    models: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum ModeArg {
    /// Constants and functions with the same name and signature are the same; equal assertions are asserted once
    Concat,
    /// Names of later scripts that are already in use are renamed
    Disjoint,
    /// One pool of names: the n-th constant of a sort is the same in all scripts
    Intersecting,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let files = input::files(&args.files)?;
    let mut instances = Vec::new();
    for file in &files {
        let input = input::read(file)?;
        match Instance::from_text(&input.bytes, args.in_lang) {
            Ok(instance) => instances.push(instance),
            Err(errors) => {
                render::diagnostics(&input, &errors, 5);
                render::error(&format!(
                    "`{}` has {} error(s); nothing was written",
                    input.name,
                    errors.len()
                ));
                return Ok(Outcome::BadInput);
            }
        }
    }
    let (mode, name) = match args.mode {
        ModeArg::Concat => (Mode::Concat, "concat"),
        ModeArg::Disjoint => (Mode::Disjoint, "disjoint"),
        ModeArg::Intersecting => (Mode::Intersecting, "intersecting"),
    };
    let mut merged = merge(&instances, mode)?;
    if args.models {
        merged.script.push(Command::Plain(Plain::GetModel));
    }
    let named: Vec<String> = files
        .iter()
        .map(|f| f.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned()))
        .collect();
    let shown = if named.len() > 8 { format!("{} scripts", named.len()) } else { named.join(" ") };
    let provenance = format!("stringent {}: merge {name} {shown}", env!("CARGO_PKG_VERSION"));
    let text = merged
        .to_text_in(args.out_lang, &provenance)
        .with_context(|| format!("the result cannot be written in dialect {}", args.out_lang))?;
    write_or_print(args.output.as_deref(), &text)?;
    Ok(Outcome::Clean)
}
