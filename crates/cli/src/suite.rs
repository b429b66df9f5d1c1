//! `stringent suite`: suites as files.

use crate::Outcome;
use crate::output::{Sink, write_file};
use crate::render;
use anyhow::{anyhow, bail};
use comfy_table::{CellAlignment, Table, presets};
use smt::Dialect;
use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::PathBuf;
use synth::generators::bulk::Frame;
use synth::scaling::{self, GENERATED, SubSuite};
use synth::transformers::recipe::Recipe;
use synth::transformers::text::Form;

/// Write a suite as files.
///
/// `generated` is the suite of the StringFuzz thesis (Table 3.3), each of its sub-suites growing from easy to hard in one
/// property; each sub-suite also has a name. Each instance states its answer, with a model or a core, and the
/// value of the property (`:stringent-scale`), from which reports draw time against it.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  stringent suite                                  # list the suites\n  \
    stringent suite generated --out suite/\n  stringent suite concats-big --out old/ --language smt25\n  \
    stringent suite transformed --seeds scripts/ --out transformed/\n  \
    stringent test --suite concats-big --solver z3 --solver cvc5\n\nExit codes: 0 done, 2 bad usage.")]
pub(crate) struct Args {
    /// The suite: `generated`, one of its sub-suites, or `transformed`; without one, a list
    name: Vec<String>,
    /// Write the instances below this directory; without it, the instances are only counted
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// For `transformed`: the scripts to start from, files or directories; may be repeated
    #[arg(long, value_name = "PATH")]
    seeds: Vec<PathBuf>,
    /// Random seed
    #[arg(long, short, default_value_t = 0, value_name = "S")]
    seed: u64,
    /// The language to write: smt20, smt25, smt26, norn
    #[arg(long, short, visible_alias = "dialect", default_value = "smt26")]
    language: Dialect,
    /// Request models at the end
    #[arg(long, short)]
    models: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    if args.name.iter().any(|n| n == "transformed") {
        return transformed(args);
    }
    let mut out = std::io::stdout().lock();
    if args.name.is_empty() {
        writeln!(out, "{}", list())?;
        return Ok(Outcome::Clean);
    }
    let suites = named(&args.name)?;
    let frame = Frame { dialect: args.language, models: args.models, ..Frame::default() };
    let mut tally: BTreeMap<String, [usize; 3]> = BTreeMap::new();
    let mut sink = Sink::default();
    scaling::generate(&suites, args.seed, &frame, &mut |text| {
        let at = text.status as usize;
        tally.entry(text.category.clone()).or_default()[at] += 1;
        match &args.out {
            Some(dir) => sink.put(write_file(dir, &text)),
            None => true,
        }
    })?;
    sink.finish()?;
    writeln!(out, "{}", table(&suites, &tally))?;
    if let Some(dir) = &args.out {
        render::notice(&format!(
            "{} instances in {}",
            tally.values().flatten().sum::<usize>(),
            dir.display()
        ));
    }
    Ok(Outcome::Clean)
}

/// The second suite of the thesis: chains of transformers over given scripts.
fn transformed(args: &Args) -> anyhow::Result<Outcome> {
    let Some(out) = &args.out else { bail!("`transformed` needs --out DIR") };
    if args.seeds.is_empty() {
        bail!("`transformed` is built from other scripts: name them with --seeds PATH");
    }
    let provenance =
        format!("stringent {}: suite transformed --seed {}", env!("CARGO_PKG_VERSION"), args.seed);
    let form = Form { to: Some(args.language), models: args.models, provenance, ..Form::default() };
    let recipe = Recipe { seed: args.seed, form, ..Recipe::default() };
    crate::transform::transformed(&recipe, &args.seeds, out, false)
}

/// The sub-suites of these names.
pub(crate) fn named(names: &[String]) -> anyhow::Result<Vec<&'static SubSuite>> {
    let mut suites: Vec<&'static SubSuite> = Vec::new();
    for name in names {
        for suite in scaling::by_name(name).map_err(|e| anyhow!(e))? {
            if !suites.iter().any(|s| s.name == suite.name) {
                suites.push(suite);
            }
        }
    }
    Ok(suites)
}

fn list() -> Table {
    let mut table = plain(["suite", "each instance is", "grows in", "from", "to", "count"]);
    for s in GENERATED {
        let (first, last) = (s.values().next().unwrap_or(0), s.values().last().unwrap_or(0));
        let (first, last, count) = (first.to_string(), last.to_string(), s.count().to_string());
        table.add_row([s.name, s.about, s.property, &first, &last, &count]);
    }
    let all: usize = GENERATED.iter().map(SubSuite::count).sum();
    table.add_row(["generated", "all of these", "", "", "", &all.to_string()]);
    right(&mut table, 3);
    table
}

fn table(suites: &[&SubSuite], tally: &BTreeMap<String, [usize; 3]>) -> Table {
    let mut table = plain(["suite", "instances", "sat", "unsat", "unknown"]);
    let row = |name: &str, [sat, unsat, unknown]: [usize; 3]| {
        let show = |n: usize| if n == 0 { "·".to_owned() } else { n.to_string() };
        [name.to_owned(), (sat + unsat + unknown).to_string(), show(sat), show(unsat), show(unknown)]
    };
    let mut sum = [0; 3];
    for s in suites {
        let counts = tally.get(s.name).copied().unwrap_or_default();
        (0..3).for_each(|i| sum[i] += counts[i]);
        table.add_row(row(s.name, counts));
    }
    table.add_row(row("all", sum));
    right(&mut table, 1);
    table
}

fn plain<const N: usize>(header: [&str; N]) -> Table {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING);
    table.set_header(header);
    table
}

fn right(table: &mut Table, from: usize) {
    for column in table.column_iter_mut().skip(from) {
        column.set_cell_alignment(CellAlignment::Right);
    }
}
