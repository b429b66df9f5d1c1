//! `stringent run`: runs solvers on existing files.

use crate::Outcome;
use crate::campaign_args::CampaignArgs;
use crate::campaign_run::{self, Plan};
use crate::eval::ReadingArg;
use crate::{input, render};
use campaign::case::Case;
use campaign::settings::{Rules, Settings};
use campaign::store::{InstanceRow, UnreadableRow};
use lab::instances::{Sink, Source};
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Run solvers on existing files, and judge the answers.
///
/// The known answer is the `:status` of each file, with the certificate if stringent generated it. For a file without one, a
/// model that the referee accepts proves `sat`; `unsat` counts if two different programs agree on it and none contradicts it;
/// there is no majority vote. The built-in solver is asked about such files as well. A file with several `check-sat` is judged on each, and the worst verdict counts.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    /// Files, directories (searched for *.smt2), or `-` for stdin
    #[arg(required_unless_present = "resume")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) campaign: CampaignArgs,
    /// Only files of this category: the name of the folder they are in; may be repeated
    #[arg(long, value_name = "CATEGORY")]
    only: Vec<String>,
    /// The semantics used to judge answers
    #[arg(long, alias = "reading", value_enum, default_value_t)]
    semantics: ReadingArg,
}

const HELP: &str = "\
Examples:
  stringent run benchmarks/ --solver z3 --solver cvc5
  stringent run a.smt2 b.smt2 --solver z3@4.8.6 --solver z3@5.4.0 --time-limit 60
  stringent run suite/ --solver mine='./mysolver --strings {file}' --store mine.store
  stringent run --resume --store mine.store

Exit codes: 0 no wrong result and no error, 10 a wrong result or an error, 11 no failure, but some verdicts are undetermined
or the campaign was stopped, 2 usage or bad input, also if a file cannot be read and there is nothing worse.";

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let paths: Vec<String> = args.paths.iter().map(|p| p.display().to_string()).collect();
    let only = args.only.iter().map(|category| format!("--only {category}"));
    let words: Vec<String> = paths.into_iter().chain(only).collect();
    let rules = Rules { reading: args.semantics.into(), ..Rules::default() };
    let defaults = Settings { rules, instances: format!("run {}", words.join(" ")), ..Settings::default() };
    let source = &mut Files { args, found: None, filtered: None, unreadable: Vec::new() };
    campaign_run::run(&args.campaign, &mut Plan { verb: "run", seed: 0, defaults, source })
}

/// The files as instances. A limit and shards count files, whether they can be read or not; only for `--only`, which
/// looks into them, all are read and those that fit are counted.
struct Files<'a> {
    args: &'a Args,
    /// The files, each with a name of its own.
    found: Option<Vec<(PathBuf, String)>>,
    /// With `--only`: the instances of those categories.
    filtered: Option<Vec<InstanceRow>>,
    unreadable: Vec<UnreadableRow>,
}

impl Source for Files<'_> {
    fn count(&mut self) -> anyhow::Result<u64> {
        if self.args.only.is_empty() {
            return Ok(self.found()?.len() as u64);
        }
        Ok(self.filtered()?.len() as u64)
    }

    fn make(&mut self, places: Option<&[u64]>, sink: Sink<'_>) -> anyhow::Result<()> {
        if !self.args.only.is_empty() {
            let rows = self.filtered()?;
            match places {
                Some(places) => places.iter().all(|&i| sink(Some(rows[i as usize].clone()))),
                None => rows.iter().all(|row| sink(Some(row.clone()))),
            };
            return Ok(());
        }
        let found = self.found()?;
        let files = match places {
            Some(places) => places.iter().map(|&i| found[i as usize].clone()).collect(),
            None => found.to_vec(),
        };
        self.read(&files, sink);
        Ok(())
    }

    fn unreadable(&self) -> &[UnreadableRow] {
        &self.unreadable
    }
}

impl Files<'_> {
    fn found(&mut self) -> anyhow::Result<&[(PathBuf, String)]> {
        if self.found.is_none() {
            let mut names = BTreeSet::new();
            let named = |path: PathBuf| {
                let name = unique(&mut names, path.with_extension("").display().to_string());
                (path, name)
            };
            self.found = Some(input::files(&self.args.paths)?.into_iter().map(named).collect());
        }
        Ok(self.found.as_deref().unwrap_or_default())
    }

    fn filtered(&mut self) -> anyhow::Result<&[InstanceRow]> {
        if self.filtered.is_none() {
            let files = self.found()?.to_vec();
            let (mut rows, only) = (Vec::new(), &self.args.only);
            self.read(&files, &mut |row| {
                rows.extend(row.filter(|row| only.contains(&row.category)));
                true
            });
            self.filtered = Some(rows);
        }
        Ok(self.filtered.as_deref().unwrap_or_default())
    }

    /// Reads files in parallel, and reports those that cannot be read.
    fn read(&mut self, files: &[(PathBuf, String)], sink: Sink<'_>) {
        self.unreadable.clear();
        'files: for chunk in files.chunks(512) {
            let read: Vec<Result<InstanceRow, Unreadable>> =
                chunk.par_iter().map(|(path, name)| instance(path, name)).collect();
            for result in read {
                let row = result.map_err(|bad| self.note(bad)).ok();
                if !sink(row) {
                    break 'files;
                }
            }
        }
        if !self.unreadable.is_empty() {
            render::notice(&format!("{} file(s) cannot be read and are left out", self.unreadable.len()));
        }
    }

    fn note(&mut self, bad: Unreadable) {
        if self.unreadable.len() < MAX_SHOWN {
            render::notice(&bad.shown);
        }
        self.unreadable.push(bad.row);
    }
}

/// Maximum number of files that cannot be read to show at once; reports have all.
const MAX_SHOWN: usize = 20;

/// A file that cannot be read: for the store, and as it is shown at once.
struct Unreadable {
    row: UnreadableRow,
    shown: String,
}

/// A file as an instance.
fn instance(path: &Path, name: &str) -> Result<InstanceRow, Unreadable> {
    let file = path.display().to_string();
    let input = input::read(path).map_err(|e| {
        let (message, file) = (e.root_cause().to_string(), file.clone());
        Unreadable { shown: format!("{e:#}"), row: UnreadableRow { file, line: 0, column: 0, message } }
    })?;
    let case = Case::from_text(&input.name, &input.bytes).map_err(|e| {
        let at = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let (line, column, message) = (at(e.line), at(e.column), e.diagnostic.message.to_string());
        let shown = render::diagnostic(&input.name, &input.bytes, &e.diagnostic);
        Unreadable { shown, row: UnreadableRow { file, line, column, message } }
    })?;
    let folder = path.parent().and_then(Path::file_name).map(|f| f.to_string_lossy().into_owned());
    let generated = case.attribute(":stringent-name").is_some();
    let category = case.attribute(":category").filter(|_| generated).or(folder);
    Ok(InstanceRow {
        id: 0,
        name: name.to_owned(),
        category: category.unwrap_or_else(|| "files".into()),
        operation: case.attribute(":stringent-operation").unwrap_or_default(),
        status: case.certificate.status(),
        source: input.bytes,
    })
}

/// `name`, with a number after it if it is taken.
fn unique(names: &mut BTreeSet<String>, name: String) -> String {
    let mut candidate = name.clone();
    let mut n = 2;
    while !names.insert(candidate.clone()) {
        candidate = format!("{name}#{n}");
        n += 1;
    }
    candidate
}
