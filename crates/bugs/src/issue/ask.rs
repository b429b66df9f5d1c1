//! The solver, run again before the text is written: that it still fails, which options and requests of the script can be left out, how
//! often it fails with different seeds, and its answer when the values of the known model are asserted.

use super::policy::is_plumbing;
use crate::doc::Doc;
use crate::property::{Detected, Setup, detect};
use crate::truth::Keeper;
use anyhow::{Context as _, bail};
use campaign::clean::printable;
use campaign::compose::fill;
use campaign::drive::invocation;
use campaign::finding::reason::Reason;
use campaign::finding::{Argument, Finding, Stability, words};
use campaign::host::Host;
use campaign::outcome::{Answer, Ending, Kind, Status};
use campaign::process::{self, Cancel, Ended, Limits};
use campaign::profile::Solver;
use campaign::settings::Wants;
use std::time::Duration;

/// Bytes of output that are read.
const MAX_OUTPUT: usize = 1 << 20;
/// The number of seeds that are tried.
const SEEDS: u64 = 10;
/// Memory of a run, in bytes.
const MEMORY: u64 = 4 << 30;

/// Results of running the solver again; all empty if it was not run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// The failure was there again.
    pub failed: Option<bool>,
    /// A script with fewer options and requests, with the same failure.
    pub script: Option<String>,
    /// A command line with fewer options, with the same failure.
    pub command: Option<String>,
    /// The standard output for that script.
    pub stdout: Option<String>,
    /// The standard error for that script.
    pub stderr: Option<String>,
    /// The answer when the values of the known model are asserted too.
    pub pinned: Option<Answer>,
    /// How often it fails with different seeds.
    pub stability: Option<Stability>,
}

/// Runs the solver of a finding again.
pub fn ask(f: &Finding, solver: &Solver, cancel: &Cancel) -> anyhow::Result<Asked> {
    let folder = tempfile::tempdir().context("cannot create a temporary folder")?;
    let run = Run { f, solver, cancel, file: folder.path().join("bug.smt2") };
    let all = &solver.profile.args[..];
    let first = run.once(&f.reduced.sent, all)?;
    if !run.fails(&first, None) {
        return Ok(Asked { failed: Some(false), ..Asked::default() });
    }
    let mut asked = Asked { failed: Some(true), ..Asked::default() };
    if words::is_slow(f.kind) {
        return Ok(asked);
    }
    let (script, last) = run.trim(first)?;
    let (args, last) = run.trim_args(&script, last)?;
    if args.len() < all.len() {
        asked.command = Some(command(f, all, &args));
    }
    if script != f.reduced.sent {
        asked.script = Some(script.clone());
        asked.stdout = Some(printable(&last.stdout, MAX_OUTPUT));
        asked.stderr = Some(printable(&last.stderr, MAX_OUTPUT));
    }
    asked.stability = run.seeds()?;
    if let Some(pinned) = pinned(f, &script) {
        asked.pinned = run.answer(&run.once(&pinned, &args)?);
    }
    Ok(asked)
}

/// The command line without the arguments of the profile that are left out.
fn command(f: &Finding, all: &[String], kept: &[String]) -> String {
    let gone: Vec<&String> = all.iter().filter(|a| !kept.contains(a)).collect();
    let words = f.solver.command.split_whitespace().filter(|w| !gone.iter().any(|g| g == w));
    words.collect::<Vec<_>>().join(" ")
}

/// The script with the values of the known model, if it has one check.
fn pinned(f: &Finding, script: &str) -> Option<String> {
    let pins = Reason::of(f).pins();
    if f.kind != Kind::WrongUnsat || pins.is_empty() || script.matches("(check-sat").count() != 1 {
        return None;
    }
    let at = script.find("(check-sat")?;
    Some(format!("{}{}\n{}", &script[..at], pins.join("\n"), &script[at..]))
}

struct Run<'a> {
    f: &'a Finding,
    solver: &'a Solver,
    cancel: &'a Cancel,
    /// For solvers that read files.
    file: std::path::PathBuf,
}

impl Run<'_> {
    fn once(&self, script: &str, args: &[String]) -> anyhow::Result<Ended> {
        let limits = self.limits();
        let wants = Wants { time: limits.cpu.unwrap_or(limits.wall), ..Wants::default() };
        let args = args.iter().map(|a| fill(a, self.f.observed.seed, &wants).into_owned()).collect();
        let what = invocation(self.solver, args, &self.file, script.into()).map_err(anyhow::Error::msg)?;
        let ended = process::run(&what, &limits, self.cancel);
        match &ended.ending {
            Ending::Cancelled => bail!("stopped"),
            Ending::NotStarted(why) => bail!("{} cannot be run: {why}", self.solver.name),
            _ => Ok(ended),
        }
    }

    /// For a slow solver the time that was waited, for others much more than they took.
    fn limits(&self) -> Limits {
        let seconds = self.f.observed.seconds.clamp(0.0, 3600.0);
        let seconds = if words::is_slow(self.f.kind) { seconds } else { (seconds * 10.0).max(10.0) };
        let memory_how = self.solver.profile.memory;
        Limits::of_work(Duration::from_secs_f64(seconds), Some(MEMORY), memory_how, MAX_OUTPUT)
    }

    /// The answer to the check of the finding.
    fn answer(&self, ended: &Ended) -> Option<Answer> {
        let text = self.solver.profile.standard_output(&ended.stdout);
        let text = String::from_utf8_lossy(&text);
        let mut answers =
            text.lines().filter_map(|l| Answer::from_code(l.trim())).filter(|a| *a != Answer::None);
        answers.nth(self.f.observed.check.saturating_sub(1))
    }

    /// Runs the script with different seeds; each run is judged.
    fn seeds(&self) -> anyhow::Result<Option<Stability>> {
        let Ok(doc) = Doc::from_text(self.f.reduced.script.as_bytes()) else { return Ok(None) };
        let host = Host { progress: &(), cancel: self.cancel };
        let keeper = Keeper::of(self.solver, &[])?;
        let expect = match self.f.reduced.argument {
            Argument::Construction { .. } | Argument::Agreement { .. } => Some(Status::Unsat),
            Argument::Model { .. } | Argument::NotNeeded => None,
        };
        let mut found = Stability { runs: 0, failed: 0 };
        for seed in 0..SEEDS {
            let setup = Setup { seed, repeat: 1, expect, ..Setup::new(self.solver.clone()) };
            let detected = detect(&self.f.reduced.origin, doc.clone(), &setup, &keeper, &host)?;
            let fails = matches!(detected, Detected::Failing(ref f) if f.start.observed.kind == self.f.kind);
            found.runs += 1;
            found.failed += u32::from(fails);
        }
        if self.cancel.is_cancelled() {
            bail!("stopped");
        }
        // It failed before: a judge that never sees it has less to go by.
        Ok((found.failed > 0).then_some(found))
    }

    /// The failure is there. Where it is in the output, that must be the same as `before`, or as what was recorded.
    fn fails(&self, ended: &Ended, before: Option<&Ended>) -> bool {
        let o = &self.f.observed;
        match self.f.kind {
            Kind::WrongUnsat | Kind::Unknown => self.answer(ended) == Some(o.answer),
            Kind::WallTime | Kind::CpuTime | Kind::OwnLimit => self.answer(ended).is_none(),
            Kind::Crash | Kind::CrashAfterAnswer => {
                ended.ending.to_string() == o.ending && self.answer(ended).unwrap_or(Answer::None) == o.answer
            }
            Kind::UnsoundCore | Kind::ForeignCore => match before {
                Some(before) => elements(&ended.stdout) == elements(&before.stdout),
                None => elements(&ended.stdout) == elements(o.stdout.as_bytes()),
            },
            _ => match before {
                Some(before) => ended.stdout == before.stdout && ended.ending == before.ending,
                None => words_of(&printable(&ended.stdout, MAX_OUTPUT)) == words_of(&o.stdout),
            },
        }
    }

    /// The script without options and requests that the failure does not need, and its run.
    fn trim(&self, first: Ended) -> anyhow::Result<(String, Ended)> {
        let mut lines: Vec<&str> = self.f.reduced.sent.lines().collect();
        let mut last = first;
        for at in (0..lines.len()).rev().filter(|&at| is_extra(self.f.reduced.sent.lines().nth(at))) {
            let mut fewer = lines.clone();
            fewer.remove(at);
            let ended = self.once(&joined(&fewer), &self.solver.profile.args)?;
            if self.fails(&ended, Some(&last)) {
                (lines, last) = (fewer, ended);
            }
        }
        Ok((joined(&lines), last))
    }

    /// The arguments of the solver that the failure needs, and the last run.
    fn trim_args(&self, script: &str, first: Ended) -> anyhow::Result<(Vec<String>, Ended)> {
        let (mut args, mut last) = (self.solver.profile.args.clone(), first);
        for at in (0..args.len()).rev() {
            if is_plumbing(&args[at]) {
                continue;
            }
            let mut fewer = args.clone();
            fewer.remove(at);
            let ended = self.once(script, &fewer)?;
            if self.fails(&ended, Some(&last)) {
                (args, last) = (fewer, ended);
            }
        }
        Ok((args, last))
    }
}

fn joined(lines: &[&str]) -> String {
    lines.iter().map(|l| format!("{l}\n")).collect()
}

fn words_of(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

/// The answer and the names of a core, in any order: options change the order of the names.
fn elements(stdout: &[u8]) -> Vec<String> {
    let text = printable(stdout, MAX_OUTPUT).replace(['(', ')'], " ");
    let mut words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
    words.sort_unstable();
    words
}

/// An option or a request on a line of its own.
fn is_extra(line: Option<&str>) -> bool {
    let is_whole = |l: &&str| l.matches('(').count() == l.matches(')').count();
    line.map(str::trim)
        .filter(is_whole)
        .is_some_and(|l| l.starts_with("(set-option ") || l.starts_with("(get-"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cores_are_the_same_in_any_order() {
        assert_eq!(elements(b"unsat\n(b z)\n"), elements(b"unsat\n(z b)\n"));
        assert_ne!(elements(b"unsat\n(b z)\n"), elements(b"unsat\n(b z a)\n"));
        assert_ne!(elements(b"unsat\n(b)\n"), elements(b"sat\n(b)\n"));
    }
}
