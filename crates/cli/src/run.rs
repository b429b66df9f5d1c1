//! `stringent run`: runs solvers on existing files.

use crate::Outcome;
use crate::campaign_args::CampaignArgs;
use crate::campaign_run::{self, Instances, Plan};
use crate::eval::ReadingArg;
use crate::{input, render};
use campaign::case::Case;
use campaign::process::Cancel;
use campaign::settings::{Rules, Settings};
use campaign::store::{InstanceRow, UnreadableRow};
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Run solvers on existing files, and judge the answers.
///
/// The known answer is the `:status` of each file, with the certificate if stringent generated it. For a file without one, a
/// model that the referee accepts proves `sat`; `unsat` counts if two different programs agree on it and none contradicts it;
/// there is no majority vote. A file with several `check-sat` is judged on each, and the worst verdict counts.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    /// Files, directories (searched for *.smt2), or `-` for stdin
    #[arg(required_unless_present = "resume")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    campaign: CampaignArgs,
    /// Only files of this category: the name of the folder they are in; may be repeated
    #[arg(long, value_name = "CATEGORY")]
    only: Vec<String>,
    /// The semantics used to judge answers
    #[arg(long, value_enum, default_value_t)]
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

/// Maximum number of unreadable files that are shown at once; reports have all.
const MAX_SHOWN: usize = 20;

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let paths: Vec<String> = args.paths.iter().map(|p| p.display().to_string()).collect();
    let mut read = |cancel: &Cancel| {
        let read = instances(&input::files(&args.paths)?, &args.only, cancel);
        if !read.unreadable.is_empty() {
            render::notice(&format!("{} file(s) cannot be read and are left out", read.unreadable.len()));
        }
        Ok(read)
    };
    let rules = Rules { reading: args.semantics.into(), ..Rules::default() };
    let defaults = Settings { rules, instances: format!("run {}", paths.join(" ")), ..Settings::default() };
    let plan = &mut Plan { verb: "run", seed: 0, defaults, instances: &mut read };
    campaign_run::run(&args.campaign, plan)
}

/// Reads the files in parallel.
fn instances(files: &[PathBuf], only: &[String], cancel: &Cancel) -> Instances {
    let mut all = Instances::default();
    let mut names = BTreeSet::new();
    for chunk in files.chunks(512) {
        if cancel.is_cancelled() {
            break;
        }
        let read: Vec<Result<InstanceRow, Unreadable>> = chunk.par_iter().map(|p| instance(p)).collect();
        for result in read {
            match result {
                Ok(mut row) if only.is_empty() || only.contains(&row.category) => {
                    row.name = unique(&mut names, row.name);
                    all.rows.push(row);
                }
                Ok(_) => {}
                Err(bad) => {
                    if all.unreadable.len() < MAX_SHOWN {
                        render::notice(&bad.shown);
                    }
                    all.unreadable.push(bad.row);
                }
            }
        }
    }
    all
}

/// A file that cannot be read: for the store, and as it is shown at once.
struct Unreadable {
    row: UnreadableRow,
    shown: String,
}

/// A file as an instance.
fn instance(path: &Path) -> Result<InstanceRow, Unreadable> {
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
        name: path.with_extension("").display().to_string(),
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
