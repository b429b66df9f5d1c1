//! `stringent synth`: formulas with known answers.

use crate::Outcome;
use crate::bar::Bar;
use crate::output::{Sink, Stream, json, write_file};
use crate::render::{self, Format};
use crate::suite_args::SuiteArgs;
use comfy_table::{CellAlignment, Table, presets};
use semantics::Status;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use synth::suite::{Tally, generate};
use synth::text::{Category, Text};

/// Synthesise formulas whose answer is known by construction.
///
/// Satisfiable ones carry a model, unsatisfiable ones their minimal core and, for each assertion of it, a model of the
/// others. Without --out or --stream only a table of counts is printed. The same options give the same bytes.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  stringent synth --preset icse20                      # the suite of the ICSE'20 paper, counted\n  \
    stringent synth --out suite/                         # the default suite, as files\n  \
    stringent synth --only core --chain 2 --stream smt2  # harder unsatisfiable formulas, on standard output\n  \
    stringent synth --operation str.replace --string x --string xyx --stream json\n\n\
    Exit codes: 0 done, 10 --attack found a model, 2 bad usage or a bad rule file."
)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) suite: SuiteArgs,
    /// Write each formula to its own file in this directory
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write all formulas to standard output, as scripts or as one JSON object per line
    #[arg(long, value_enum, value_name = "FORM", conflicts_with = "out")]
    stream: Option<Stream>,
    /// Stop after N formulas
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Search for a model of each unsatisfiable formula among all strings up to this length; there must be none
    #[arg(long, value_name = "LENGTH", conflicts_with_all = ["out", "stream"])]
    attack: Option<usize>,
    /// Maximum number of steps of each search for --attack
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    attack_steps: u64,
    /// Print only the total, not the table
    #[arg(long)]
    quiet: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let options = args.suite.options()?;
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let mut left = args.limit.unwrap_or(usize::MAX);
    let (mut sink, mut unsat) = (Sink::default(), Vec::new());
    let mut write = |text: Text| {
        if left == 0 {
            return false;
        }
        left -= 1;
        let written = match (&args.out, args.stream) {
            (Some(dir), _) => write_file(dir, &text),
            (None, Some(Stream::Smt2)) => {
                write!(out, "; {}\n{}\n", text.name, text.source).map_err(Into::into)
            }
            (None, Some(Stream::Json)) => writeln!(out, "{}", json(&text)).map_err(Into::into),
            (None, None) => {
                if args.attack.is_some() && text.status == Status::Unsat {
                    unsat.push(text);
                }
                Ok(())
            }
        };
        sink.put(written) && left > 0
    };
    let tally = generate(&options, &mut write)?;
    sink.finish()?;
    out.flush()?;
    summarise(args, &tally, &mut out)?;
    args.attack.map_or(Ok(Outcome::Clean), |length| attack(&unsat, length, args.attack_steps))
}

/// Prints the table, the number of formulas and the rules that were not used.
fn summarise(args: &Args, tally: &Tally, out: &mut impl Write) -> anyhow::Result<()> {
    for rule in &tally.unused_rules {
        render::notice(&format!(
            "rule {rule} is not used: it is neither an equivalence nor an equality with a variable or constant"
        ));
    }
    let total: usize = tally.categories.values().sum();
    if args.stream.is_none() && !args.quiet {
        writeln!(out, "{}", table(tally))?;
    }
    if let Some(dir) = &args.out {
        render::notice(&format!("{total} formulas in {}", dir.display()));
    } else if args.stream.is_none() {
        writeln!(out, "{total} formulas")?;
    }
    Ok(out.flush()?)
}

/// Searches for models of formulas that must have none.
fn attack(unsat: &[Text], length: usize, steps: u64) -> anyhow::Result<Outcome> {
    let bar = Bar::new(unsat.len() as u64, "{bar:30} {pos}/{len} attacked, {eta} left");
    let attacks = lab::attack::run(unsat, length, steps, &bar);
    bar.finish();
    render::print(Format::Text, &attacks)?;
    Ok(if attacks.has_model() { Outcome::Found } else { Outcome::Clean })
}

/// Operations by category.
fn table(tally: &Tally) -> Table {
    let order = |name: &str| Category::ALL.iter().position(|c| name.trim_end_matches("+p") == c.name());
    let mut categories: Vec<&String> = tally.categories.keys().collect();
    categories.sort_by_key(|c| (order(c), c.len()));
    let mut rows: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for ((category, operation), n) in &tally.operations {
        let row = rows.entry(operation).or_insert_with(|| vec![0; categories.len()]);
        if let Some(i) = categories.iter().position(|c| *c == category) {
            row[i] += n;
        }
    }
    let mut table = Table::new();
    table.load_preset(presets::NOTHING);
    let header = ["operation".to_owned()].into_iter().chain(categories.iter().map(|c| (*c).clone()));
    table.set_header(header);
    let show = |n: &usize| if *n == 0 { "·".to_owned() } else { n.to_string() };
    for (operation, row) in &rows {
        table.add_row([(*operation).to_owned()].into_iter().chain(row.iter().map(show)));
    }
    let totals = categories.iter().map(|c| tally.categories[*c].to_string());
    table.add_row(["all".to_owned()].into_iter().chain(totals));
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}
