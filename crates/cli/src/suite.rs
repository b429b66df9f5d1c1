//! `stringent suite`: whole suites as files.

use crate::Outcome;
use crate::render;
use crate::synth::write_file;
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

/// Write a whole suite as files.
///
/// `generated` is the suite of the StringFuzz thesis (Table 3.3), each of its sub-suites growing from easy to hard in one
/// property; a sub-suite can be had alone by its name. Each instance states its answer, with a model or a core, and the
/// value of the property (`:stringent-scale`), from which reports draw time against it.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  stringent suite                                  # what there is\n  \
    stringent suite generated --out suite/\n  stringent suite concats-big --out old/ --language smt25\n  \
    stringent suite transformed --seeds scripts/ --out transformed/\n  \
    stringent test --suite concats-big --solver z3 --solver cvc5\n\nExit codes: 0 done, 2 bad usage.")]
pub(crate) struct Args {
    /// The suite: `generated`, one of its sub-suites, or `transformed`; without one, a list
    name: Vec<String>,
    /// Write the instances below this directory; without it they are only counted
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// For `transformed`: the scripts to start from, files or directories; may be repeated
    #[arg(long, value_name = "PATH")]
    seeds: Vec<PathBuf>,
    /// What random choices start from
    #[arg(long, short, default_value_t = 0, value_name = "S")]
    seed: u64,
    /// The language to write: smt20, smt25, smt26, norn
    #[arg(long, short, visible_alias = "dialect", default_value = "smt26")]
    language: Dialect,
    /// Ask for models at the end
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
    let mut trouble = None;
    scaling::generate(&suites, args.seed, &frame, &mut |text| {
        let at = text.status as usize;
        tally.entry(text.category.clone()).or_default()[at] += 1;
        match &args.out {
            Some(dir) => write_file(dir, &text).map_err(|e| trouble = Some(e)).is_ok(),
            None => true,
        }
    })?;
    if let Some(e) = trouble {
        return Err(e);
    }
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

/// The thesis' second suite: chains of transformers over scripts that somebody has.
fn transformed(args: &Args) -> anyhow::Result<Outcome> {
    let Some(out) = &args.out else { bail!("`transformed` needs --out DIR") };
    if args.seeds.is_empty() {
        bail!("`transformed` is made of other scripts: say where they are, with --seeds PATH");
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
    let mut table = plain(["suite", "instances", "sat", "unsat", "open"]);
    let row = |name: &str, [sat, unsat, open]: [usize; 3]| {
        let show = |n: usize| if n == 0 { "·".to_owned() } else { n.to_string() };
        [name.to_owned(), (sat + unsat + open).to_string(), show(sat), show(unsat), show(open)]
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
