//! Prints a script in another dialect, or its errors.
//!
//!     cargo run -p stringent-smt --example dialect -- 2.5 FILE

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "an example prints")]

use stringent_smt::diag::position;
use stringent_smt::{Dialect, Pool, parse, print::script_text};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let (Some(dialect), Some(file)) = (args.next(), args.next()) else {
        return Err("usage: dialect DIALECT FILE".into());
    };
    let (dialect, text) = (dialect.parse::<Dialect>()?, std::fs::read(&file)?);
    let mut pool = Pool::new();
    let parsed = parse(&text, None, &mut pool);
    for d in &parsed.diagnostics {
        let at = position(&text, d.span.start as usize);
        eprintln!("{file}:{}:{}: {:?}: {}", at.line, at.column, d.severity, d.message);
    }
    if !parsed.is_ok() {
        return Err("the script has errors".into());
    }
    // With the text and its end, comments are kept.
    print!("{}", script_text(&pool, &parsed.script, dialect, Some(&text), Some(parsed.trailing))?);
    Ok(())
}
