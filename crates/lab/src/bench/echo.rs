//! A solver with a constant answer, for measurements: this program, started with an argument that is not a verb.

use std::io::{BufRead as _, Write as _};

/// The argument: the solver answers `sat` with `s` = `a` to every check.
pub const ECHO_SOLVER: &str = "__echo-solver";

/// Acts as that solver if the first argument is [`ECHO_SOLVER`]; false otherwise.
pub fn serve() -> std::io::Result<bool> {
    let requested = std::env::args_os().nth(1).is_some_and(|word| word == ECHO_SOLVER);
    if requested {
        echo_solver()?;
    }
    Ok(requested)
}

fn echo_solver() -> std::io::Result<()> {
    let mut input = std::io::stdin().lock();
    let mut out = Vec::new();
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line)? > 0 {
        let text = line.trim_ascii();
        if text == b"(check-sat)" {
            out.extend_from_slice(b"sat\n");
        } else if text.starts_with(b"(get-") {
            out.extend_from_slice(b"((s \"a\"))\n");
        } else if let Some(word) = text.strip_prefix(b"(echo \"").and_then(|t| t.strip_suffix(b"\")")) {
            out.extend_from_slice(word);
            out.push(b'\n');
            std::io::stdout().write_all(&out)?;
            std::io::stdout().flush()?;
            out.clear();
        }
        line.clear();
    }
    std::io::stdout().write_all(&out)
}
