//! Transforming files into files.

use super::{Args, form};
use crate::Outcome;
use crate::input::{self, Input};
use crate::output::{Sink, write_below};
use crate::render;
use anyhow::bail;
use rayon::prelude::*;
use semantics::Status;
use smt::Severity;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use synth::transformers::Chain;
use synth::transformers::recipe::{Recipe, Seed, transformed_suite};
use synth::transformers::text::{TextError, transform};

/// Shows why a script was not transformed.
pub(super) fn report(input: &Input, e: &TextError) {
    if let TextError::Rejected(diagnostics) = e {
        render::diagnostics(input, diagnostics.iter().filter(|d| d.severity == Severity::Error), 5);
    }
    render::error(&format!("`{}`: {e}; nothing was written", input.name));
}

/// A file to transform, and the name of its result, without the extension.
struct Job {
    path: PathBuf,
    stem: PathBuf,
}

/// The scripts that are given; below a directory they keep their place.
fn jobs(given: &[PathBuf]) -> anyhow::Result<Vec<Job>> {
    let mut jobs = Vec::new();
    for path in given {
        for file in input::files(std::slice::from_ref(path))? {
            let below =
                if path.is_dir() { file.strip_prefix(path).ok() } else { file.file_name().map(Path::new) };
            let stem = match below {
                _ if file == Path::new("-") => PathBuf::from("stdin"),
                Some(below) => below.with_extension(""),
                None => bail!("`{}` has no name", file.display()),
            };
            jobs.push(Job { path: file, stem });
        }
    }
    let mut seen = BTreeSet::new();
    if let Some(twice) = jobs.iter().find(|j| !seen.insert(&j.stem)) {
        bail!("two scripts would become `{}`", twice.stem.display());
    }
    Ok(jobs)
}

/// Transforms scripts into files below `out`.
pub(super) fn directory(
    args: &Args,
    chain: &Chain,
    seed: u64,
    given: &[PathBuf],
    out: &Path,
) -> anyhow::Result<Outcome> {
    let jobs = jobs(given)?;
    let suffix: String = chain.steps().iter().map(|t| format!("-{}", t.name)).collect();
    let one = |job: &Job| -> anyhow::Result<Vec<Status>> {
        let input = input::read(&job.path)?;
        let mut statuses = Vec::new();
        for i in 0..args.count {
            let seed = seed.wrapping_add(u64::from(i));
            let made = match transform(&input.bytes, chain, seed, &form(args, seed)) {
                Ok(made) => made,
                Err(e) => {
                    report(&input, &e);
                    break;
                }
            };
            let number = if args.count > 1 { format!("-{:04}", i + 1) } else { String::new() };
            write_below(out, &format!("{}{suffix}{number}.smt2", job.stem.display()), &made.text)?;
            statuses.push(made.status);
        }
        Ok(statuses)
    };
    let all = || jobs.par_iter().map(&one).collect::<Vec<_>>();
    let results = match args.jobs {
        Some(n) => rayon::ThreadPoolBuilder::new().num_threads(usize::from(n)).build()?.install(all),
        None => all(),
    };
    let mut statuses = Vec::new();
    for result in results {
        match result {
            Ok(of_one) => statuses.extend(of_one),
            Err(e) => render::error(&format!("{e:#}")),
        }
    }
    let count = |s: Status| statuses.iter().filter(|t| **t == s).count();
    if !args.quiet {
        render::notice(&format!(
            "{} of {} scripts in {}: {} sat, {} unsat, {} unknown",
            statuses.len(),
            jobs.len() * args.count as usize,
            out.display(),
            count(Status::Sat),
            count(Status::Unsat),
            count(Status::Unknown),
        ));
    }
    let complete = statuses.len() == jobs.len() * args.count as usize;
    Ok(if complete { Outcome::Clean } else { Outcome::BadInput })
}

/// Writes the suite of a recipe over the scripts in `seeds` (files and directories) below `out`.
pub(crate) fn transformed(
    recipe: &Recipe,
    seeds: &[PathBuf],
    out: &Path,
    quiet: bool,
) -> anyhow::Result<Outcome> {
    let read = |job: Job| -> anyhow::Result<Seed> {
        Ok(Seed { name: job.stem.display().to_string(), source: input::read(&job.path)?.bytes })
    };
    let seeds: Vec<Seed> = jobs(seeds)?.into_iter().map(read).collect::<anyhow::Result<_>>()?;
    let mut statuses: BTreeMap<Status, usize> = BTreeMap::new();
    let mut sink = Sink::default();
    let tally = transformed_suite(&seeds, recipe, &mut |made| {
        *statuses.entry(made.status).or_default() += 1;
        sink.put(write_below(out, &format!("{}.smt2", made.name), &made.source))
    })?;
    sink.finish()?;
    for (name, why) in &tally.skipped {
        render::notice(&format!("`{name}` was left out: {why}"));
    }
    if !quiet {
        let count = |s: Status| statuses.get(&s).copied().unwrap_or(0);
        render::notice(&format!(
            "{} scripts from {} seeds in {}: {} sat, {} unsat, {} unknown; {} duplicates were left out",
            tally.made,
            seeds.len(),
            out.display(),
            count(Status::Sat),
            count(Status::Unsat),
            count(Status::Unknown),
            tally.duplicates,
        ));
    }
    Ok(if tally.skipped.is_empty() { Outcome::Clean } else { Outcome::BadInput })
}
