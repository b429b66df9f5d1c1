//! `stringent convert`: rewrite a script in another dialect.

use crate::Outcome;
use crate::output::write_or_print;
use crate::{input, render};
use anyhow::Context as _;
use smt::{Dialect, Pool};
use std::path::PathBuf;

/// Rewrite a script in another dialect.
///
/// Operator names and the escapes of string literals are translated so that the meaning stays; comments
/// between commands are kept. What the dialect cannot express is an error.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  stringent convert --to 2.6 old.smt2\n  stringent convert --to 2.5 new.smt2 -o old.smt2\n  \
    stringent convert --from 2.0 --to 2.6 - < z3str2.smt2\n\nExit codes: 0 converted, 2 bad input, or the dialect cannot express it."
)]
pub(crate) struct Args {
    /// The script, or `-` for stdin
    file: PathBuf,
    /// The dialect to write: 2.0, 2.5, 2.6, 2.7 or norn
    #[arg(long)]
    to: Dialect,
    /// The dialect to read, instead of detecting it
    #[arg(long)]
    from: Option<Dialect>,
    /// Write here instead of stdout
    #[arg(long, short)]
    output: Option<PathBuf>,
    /// Output format: `json` wraps the script in an object
    #[arg(long, value_enum, default_value_t)]
    format: render::Format,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let input = input::read(&args.file)?;
    let mut pool = Pool::new();
    let parsed = smt::parse(&input.bytes, args.from, &mut pool);
    render::diagnostics(&input, &parsed.diagnostics, 20);
    if !parsed.is_ok() {
        render::error(&format!("`{}` has {} error(s); nothing was written", input.name, parsed.errors()));
        return Ok(Outcome::BadInput);
    }
    let text =
        smt::print::script_text(&pool, &parsed.script, args.to, Some(&input.bytes), Some(parsed.trailing))
            .with_context(|| format!("`{}` cannot be written in dialect {}", input.name, args.to))?;
    let text = match args.format {
        render::Format::Text => text,
        render::Format::Json => format!(
            "{:#}\n",
            serde_json::json!({
                "version": env!("CARGO_PKG_VERSION"),
                "file": input.name,
                "from": parsed.script.dialect.name(),
                "to": args.to.name(),
                "script": text,
            })
        ),
    };
    write_or_print(args.output.as_deref(), &text)?;
    Ok(Outcome::Clean)
}
