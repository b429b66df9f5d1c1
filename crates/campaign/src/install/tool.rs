//! Runs the tools that fetch and build.

use super::{Error, Job};
use crate::profile::probe::patiently;
use std::path::Path;
use std::process::{Command, Stdio};

/// The output of a tool, both streams together, and whether it succeeded.
pub(super) struct Ran {
    pub(super) ok: bool,
    pub(super) stdout: String,
    pub(super) text: String,
}

impl Ran {
    /// The last lines, for people.
    pub(super) fn tail(&self) -> Vec<String> {
        let lines: Vec<&str> = self.text.lines().filter(|l| !l.trim().is_empty()).collect();
        let from = lines.len().saturating_sub(6);
        lines[from..].iter().map(|l| l.chars().take(200).collect()).collect()
    }

    /// Whether it failed because the network could not be reached.
    pub(super) fn offline(&self) -> bool {
        let text = self.text.to_lowercase();
        [
            "temporary failure in name resolution",
            "temporary failure resolving",
            "failed to establish a new connection",
            "could not resolve host",
            "couldn't resolve host",
            "could not connect to",
            "connection timed out",
            "network is unreachable",
            "connectionerror",
            "proxyerror",
        ]
        .iter()
        .any(|sign| text.contains(sign))
    }
}

/// The hint if the network cannot be reached.
pub(super) const NETWORK: &str = "The network or the configured package index cannot be reached.";

/// Runs a tool found on PATH. `missing` is the hint if there is none.
pub(super) fn run(job: &Job<'_>, tool: &str, args: &[&str], missing: &str) -> Result<Ran, Error> {
    run_with(job, tool, args, &[], missing)
}

/// [`run`] with environment variables.
pub(super) fn run_with(
    job: &Job<'_>,
    tool: &str,
    args: &[&str],
    vars: &[(&str, &Path)],
    missing: &str,
) -> Result<Ran, Error> {
    let Some(program) = job.places.find_program(tool) else {
        return Err(job.failed(
            format!("`{tool}` is needed to install {}, and missing", job.title()),
            Vec::new(),
            missing,
        ));
    };
    let path = std::env::join_paths(&job.places.path).unwrap_or_default();
    let mut command = Command::new(&program);
    command.args(args).current_dir(&job.work).stdin(Stdio::null()).env("PATH", path).env("LC_ALL", "C");
    for (name, value) in vars {
        command.env(name, value);
    }
    let output = patiently(|| command.output())
        .map_err(|why| Error::Io { what: format!("cannot start `{}`", program.display()), why })?;
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    let text = format!("{stdout}\n{}", String::from_utf8_lossy(&output.stderr));
    Ok(Ran { ok: output.status.success(), stdout, text })
}
