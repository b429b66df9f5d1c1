//! Bisection: the versions and options of a solver on which a script fails.
//!
//! | module | job |
//! |---|---|
//! | `cell` | one version on one script: run, judged, put into a cell |
//! | `search` | which versions are run |
//! | `conclude` | first bad, last good, fixed in; in words |
//! | `options` | the options that the failure needs |
//! | `bench` | the versions of a solver, installed when they are needed |
//! | `matrix` | tables of versions |

mod bench;
mod cell;
mod conclude;
mod matrix;
mod options;
mod search;
#[cfg(test)]
mod tests;

pub use bench::{Bench, Bisection};
pub use cell::{Failure, Question, word};
pub use conclude::{conclude, verdict};
pub use matrix::{Matrix, Row};

use campaign::finding::Finding;
use campaign::host::Host;
use campaign::profile::{Places, Solver, Version};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::time::Duration;

/// How to bisect.
#[derive(Clone, Debug)]
pub struct Options {
    /// Wall-clock time of a run.
    pub time: Duration,
    /// Memory of a run, in bytes.
    pub memory: Option<u64>,
    /// Runs of the given version with different seeds, to see whether the failure is flaky.
    pub repeat: u32,
    /// Run all versions.
    pub all: bool,
    /// The oldest version.
    pub from: Option<Version>,
    /// The newest version.
    pub to: Option<Version>,
    /// These versions only; all if empty.
    pub only: Vec<Version>,
    /// Use installed versions only.
    pub offline: bool,
    /// Runs at a time.
    pub jobs: usize,
    /// Find the options that the failure needs.
    pub minimise: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            time: Duration::from_secs(10),
            memory: Some(4096 << 20),
            repeat: 3,
            all: false,
            from: None,
            to: None,
            only: Vec::new(),
            offline: false,
            jobs: campaign::provenance::cores(),
            minimise: true,
        }
    }
}

/// Fills the versions and options of a finding of `solver`. Those of a solver without versions stay empty, with a notice.
pub fn examine(
    finding: &mut Finding,
    solver: &Solver,
    options: &Options,
    host: &Host<'_>,
) -> anyhow::Result<()> {
    let spec = match finding.solver.spec.as_str() {
        "" => format!("{}@{}", solver.profile.name, solver.version),
        spec => spec.to_owned(),
    };
    match Bench::open(&spec, options, host) {
        Ok(bench) => examine_on(&bench, finding),
        Err(e) => {
            host.progress.notice(&format!("not bisected: {e}"));
            Ok(())
        }
    }
}

/// Fills the versions and options of findings, except those that were bisected over the same versions. Each version is installed once. Returns those that could not be examined, and why.
pub fn examine_all(
    findings: &mut [Finding],
    options: &Options,
    host: &Host<'_>,
) -> anyhow::Result<Vec<(String, String)>> {
    examine_all_in(findings, &Places::from_env(), options, host)
}

/// The same in given places.
pub fn examine_all_in(
    findings: &mut [Finding],
    places: &Places,
    options: &Options,
    host: &Host<'_>,
) -> anyhow::Result<Vec<(String, String)>> {
    let mut lines: BTreeMap<String, Vec<&mut Finding>> = BTreeMap::new();
    for finding in findings {
        lines.entry(line_of(&finding.solver.spec)).or_default().push(finding);
    }
    let mut refused = Vec::new();
    for (spec, mut findings) in lines {
        let bench = match Bench::open_in(&spec, places, options, host) {
            Ok(bench) => bench,
            Err(e) => {
                refused.extend(findings.iter().map(|f| (f.id.clone(), e.to_string())));
                continue;
            }
        };
        findings.retain(|f| !f.versions.as_ref().is_some_and(|v| bench.is_current(v)));
        let results: Vec<(String, anyhow::Result<()>)> = bench
            .in_pool(|| findings.par_iter_mut().map(|f| (f.id.clone(), examine_on(&bench, f))).collect());
        if host.cancel.is_cancelled() {
            anyhow::bail!("stopped");
        }
        refused.extend(results.into_iter().filter_map(|(id, r)| Some((id, r.err()?.to_string()))));
    }
    Ok(refused)
}

/// The specification without its version: findings of all versions of a solver are examined together.
pub fn line_of(spec: &str) -> String {
    let (first, rest) = spec.split_once(' ').map_or((spec, ""), |(a, b)| (a, b));
    let at = first.find(['@', '=', ':']).filter(|&at| first[at..].starts_with('@')).unwrap_or(first.len());
    format!("{} {rest}", &first[..at]).trim_end().to_owned()
}

/// Fills the versions and options of a finding.
pub fn examine_on(bench: &Bench<'_>, finding: &mut Finding) -> anyhow::Result<()> {
    let failure = bench::failure_of(finding.kind)?;
    let named = finding.solver.spec.split([' ', '@']).nth(1).unwrap_or("");
    let given = bench.place(&finding.solver.version).or_else(|| bench.place(named));
    let seed = finding.observed.seed;
    let mut question =
        bench.question(&finding.reduced.origin, &finding.reduced.script, Some(failure), given, seed)?;
    if finding.stability.is_some_and(|s| s.failed < s.runs) && question.seeds.len() < 2 {
        question.seeds = bench::seeds_from(seed, bench::FLAKY_SEEDS);
    }
    let found = bench.bisect(&question, given)?;
    finding.options = found.options.map(|(_, needed)| needed);
    finding.versions = Some(found.versions);
    Ok(())
}
