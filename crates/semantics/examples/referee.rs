//! Judges the model in the output of a solver: prints the report of `stringent eval`, and ends with its exit code (0 the model
//! holds, 10 it fails, 11 undetermined, 2 nothing to judge).
//!
//!     z3 FILE > OUTPUT; cargo run -p stringent-semantics --example referee -- FILE OUTPUT

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "an example prints")]

use std::process::ExitCode;
use stringent_semantics::{Conclusion, Options, judge};

fn main() -> Result<ExitCode, Box<dyn std::error::Error>> {
    let files: Vec<String> = std::env::args().skip(1).collect();
    let [script, output] = &files[..] else { return Err("usage: referee FILE OUTPUT".into()) };
    let report = match judge(std::fs::read(script)?, std::fs::read(output)?, Options::default()) {
        Ok(report) => report,
        Err(refusal) => {
            eprintln!("{refusal}");
            return Ok(ExitCode::from(2));
        }
    };
    print!("{report}");
    Ok(match report.conclusion() {
        Conclusion::Holds => ExitCode::SUCCESS,
        Conclusion::Fails => ExitCode::from(10),
        Conclusion::Undetermined => ExitCode::from(11),
    })
}
