//! What this program does for itself in a process of its own: it is started again with a word that is no verb.

use campaign::process::Watchdog;
use std::ffi::OsString;
use std::io::{BufRead as _, Write as _};

const WATCHDOG: &str = "__watchdog";
/// A solver for measuring: answers `sat`, and that `s` is `a`, to whatever it is asked.
pub(crate) const ECHO_SOLVER: &str = "__echo-solver";

/// Does what the first argument asks for; false if it is for people.
pub(crate) fn serve() -> std::io::Result<bool> {
    match std::env::args_os().nth(1) {
        Some(word) if word == WATCHDOG => Watchdog::serve(),
        Some(word) if word == ECHO_SOLVER => echo_solver()?,
        _ => return Ok(false),
    }
    Ok(true)
}

/// The command of the helper that ends solvers if this process is killed.
pub(crate) fn watchdog() -> std::io::Result<Vec<OsString>> {
    Ok(vec![std::env::current_exe()?.into(), WATCHDOG.into()])
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
