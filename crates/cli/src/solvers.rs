//! `stringent solvers`: list, install, check and show the solvers that can be run.

use crate::Outcome;
use crate::render::{self, Format};
use campaign::install;
use campaign::profile::{self, Check, Definition, Finding, Places};
use comfy_table::{Table, presets};
use serde_json::{Value, json};
use std::io::Write as _;

/// List, install, check and show solvers.
///
/// A solver is named by its profile (`z3`), with a version (`z3@4.8.6`), with a program (`z3=/opt/z3/bin/z3`), by a
/// profile file (`my.toml`), or, without a profile, by a command line (`mine=./mysolver {file}`). Further words are
/// arguments of the solver: `z3@4.8.6 smt.string_solver=auto`. See docs/solvers.md.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  stringent solvers list\n  stringent solvers install z3@4.8.6 cvc5@1.4.2\n  stringent solvers check \
    z3@4.8.6 'mine=./mysolver -in'\n  stringent solvers show generic > mine.toml\n\nExit codes: 0 no failure, 10 a solver fails its \
    check, 2 bad input, or a solver cannot be found or installed."
)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(clap::Subcommand)]
enum Verb {
    /// List the profiles, with the programs that are found for them
    List(ListArgs),
    /// Install solvers from package registries into a cache, without root
    Install(InstallArgs),
    /// Check that solvers do what their profiles claim
    Check(CheckArgs),
    /// Print a profile, to read or to copy
    Show(ShowArgs),
}

#[derive(clap::Args)]
#[command(after_help = "Examples:\n  stringent solvers list\n  stringent solvers list --format json")]
struct ListArgs {
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

#[derive(clap::Args)]
#[command(
    after_help = "Solvers go to $STRINGENT_CACHE, else $XDG_CACHE_HOME/stringent/solvers, else ~/.cache/stringent/solvers. An \
    installed one is left unchanged.\n\nExamples:\n  stringent solvers install z3@5.4.0\n  stringent solvers install z3@4.8.0 z3@4.8.6 \
    cvc4@1.6 cvc5@1.4.2\n  stringent solvers install z3                     # the newest\n\nExit codes: 0 all are installed, 2 \
    one could not be."
)]
struct InstallArgs {
    /// The solver: NAME@VERSION, or NAME for the newest
    #[arg(required = true, value_name = "NAME@VERSION")]
    specs: Vec<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

#[derive(clap::Args)]
#[command(
    after_help = "Checks a satisfiable and an unsatisfiable formula, a model, a core, a seed, `echo`, and both formulas in one \
    process.\n`-`: the profile does not claim it.\n\nExamples:\n  stringent solvers check                          # all \
    that are found\n  stringent solvers check z3@4.8.6 my.toml\n  stringent solvers check 'mine=./mysolver --smt2 {file}'\n\nExit \
    codes: 0 all work, 10 one fails, 2 one cannot be found."
)]
struct CheckArgs {
    /// The solvers [default: all on PATH or installed]
    #[arg(value_name = "SOLVER")]
    specs: Vec<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  stringent solvers show z3\n  stringent solvers show generic > ~/.config/stringent/solvers/mine.toml"
)]
struct ShowArgs {
    /// The name of a profile
    name: String,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let places = Places::from_env();
    match &args.verb {
        Verb::List(args) => list(args, &places),
        Verb::Install(args) => install_all(args, &places),
        Verb::Check(args) => check_all(args, &places),
        Verb::Show(args) => {
            let definition = profile::find(&args.name, &places)?;
            std::io::stdout().lock().write_all(definition.text.as_bytes())?;
            Ok(Outcome::Clean)
        }
    }
}

fn table(header: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING).set_header(header.iter().copied());
    table
}

fn print(table: &Table) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    for line in table.to_string().lines() {
        writeln!(out, "{}", line.trim())?;
    }
    Ok(())
}

fn document(key: &str, rows: Vec<Value>) -> anyhow::Result<()> {
    let doc = json!({ "version": env!("CARGO_PKG_VERSION"), key: rows });
    Ok(writeln!(std::io::stdout().lock(), "{doc:#}")?)
}

/// A profile, and the programs for it.
struct Listed {
    definition: Definition,
    /// On PATH: the path, and the version or the reason why it cannot be used.
    on_path: Option<(String, Result<String, String>)>,
    installed: Vec<String>,
}

/// The profiles of the user and the shipped ones that they do not replace; and the files that cannot be read.
fn definitions(places: &Places) -> (Vec<Definition>, Vec<profile::Error>) {
    let (mut all, mut bad) = (Vec::<Definition>::new(), Vec::new());
    for file in profile::user_files(places) {
        match profile::load(&file) {
            Ok(definition) => all.push(definition),
            Err(e) => bad.push(e),
        }
    }
    for shipped in profile::shipped() {
        if all.iter().all(|d| d.name() != shipped.name()) {
            all.push(shipped);
        }
    }
    (all, bad)
}

fn look(definition: Definition, places: &Places) -> Listed {
    let program = definition.program();
    let on_path = places.find_program(program).map(|path| {
        let version = profile::resolve_in(&format!("{}='{}'", definition.name(), path.display()), places);
        (path.display().to_string(), version.map(|s| s.version).map_err(|e| e.to_string()))
    });
    let installed = places.installed(definition.family(), program).into_iter();
    let installed =
        installed.filter(|i| definition.covers(&i.version)).map(|i| i.version.to_string()).collect();
    Listed { on_path, installed, definition }
}

fn list(args: &ListArgs, places: &Places) -> anyhow::Result<Outcome> {
    let (all, bad) = definitions(places);
    let listed: Vec<Listed> = all.into_iter().map(|d| look(d, places)).collect();
    match args.format {
        Format::Text => {
            let mut table = table(&["profile", "on PATH", "installed", "about"]);
            for l in &listed {
                let on_path = match &l.on_path {
                    None => "-".to_owned(),
                    Some((_, Ok(version))) if version.is_empty() => "yes".into(),
                    Some((_, Ok(version))) => version.clone(),
                    Some((_, Err(_))) => "unfit".into(),
                };
                let installed = if l.installed.is_empty() { "-".into() } else { l.installed.join(" ") };
                table.add_row([l.definition.name(), &on_path, &installed, l.definition.about()]);
            }
            print(&table)?;
        }
        Format::Json => document("profiles", listed.iter().map(listed_json).collect())?,
    }
    for e in &bad {
        render::error(&e.to_string());
    }
    Ok(if bad.is_empty() { Outcome::Clean } else { Outcome::BadInput })
}

fn listed_json(l: &Listed) -> Value {
    let on_path = l.on_path.as_ref().map(|(path, version)| match version {
        Ok(version) => json!({ "program": path, "version": version }),
        Err(e) => json!({ "program": path, "error": e }),
    });
    json!({
        "name": l.definition.name(), "about": l.definition.about(), "origin": l.definition.origin,
        "program": l.definition.program(), "on_path": on_path, "installed": l.installed,
    })
}

fn install_all(args: &InstallArgs, places: &Places) -> anyhow::Result<Outcome> {
    let mut rows = Vec::new();
    let mut outcome = Outcome::Clean;
    for spec in &args.specs {
        let mut log = |message: &str| render::notice(message);
        match install::install(spec, places, &mut log) {
            Ok(done) => {
                if done.already {
                    render::notice(&format!("{} {} is installed already", done.name, done.version));
                }
                if args.format == Format::Text {
                    writeln!(std::io::stdout().lock(), "{}", done.program.display())?;
                }
                let (version, program) = (done.version.to_string(), done.program.display().to_string());
                rows.push(json!({ "name": done.name, "version": version, "program": program, "already": done.already }));
            }
            Err(e) => {
                render::error(&e.to_string());
                rows.push(json!({ "spec": spec, "error": e.to_string() }));
                outcome = Outcome::BadInput;
            }
        }
    }
    if args.format == Format::Json {
        document("installed", rows)?;
    }
    Ok(outcome)
}

/// All solvers: the programs on PATH and the installed versions.
fn all_specs(places: &Places) -> Vec<String> {
    let (all, _) = definitions(places);
    let mut specs = Vec::new();
    for l in all.into_iter().filter(|d| d.name() != "generic").map(|d| look(d, places)) {
        if let Some((path, Ok(_))) = &l.on_path {
            specs.push(format!("{}='{path}'", l.definition.name()));
        }
        specs.extend(l.installed.iter().map(|v| format!("{}@{v}", l.definition.name())));
    }
    specs
}

fn check_all(args: &CheckArgs, places: &Places) -> anyhow::Result<Outcome> {
    let specs = if args.specs.is_empty() { all_specs(places) } else { args.specs.clone() };
    if specs.is_empty() {
        anyhow::bail!("there is no solver to check; `stringent solvers install z3@5.4.0` installs one");
    }
    let mut checked = Vec::new();
    let mut outcome = Outcome::Clean;
    for spec in &specs {
        match profile::resolve_in(spec, places) {
            Ok(solver) => {
                let check = profile::check(&solver);
                outcome = outcome.max(if check.ok() { Outcome::Clean } else { Outcome::Found });
                checked.push((solver.name, solver.program.display().to_string(), check));
            }
            Err(e) => {
                render::error(&e.to_string());
                outcome = Outcome::BadInput;
            }
        }
    }
    match args.format {
        Format::Json => document("solvers", checked.iter().map(check_json).collect())?,
        Format::Text if checked.is_empty() => {}
        Format::Text => show_checks(&checked)?,
    }
    Ok(outcome)
}

fn show_checks(checked: &[(String, String, Check)]) -> anyhow::Result<()> {
    let names = checked[0].2.findings.iter().map(|(name, _)| *name);
    let header: Vec<&str> = ["solver", "start"].into_iter().chain(names).collect();
    let mut table = table(&header);
    for (name, _, check) in checked {
        let mut row = vec![name.clone(), format!("{:.0} ms", check.start.as_secs_f64() * 1000.0)];
        row.extend(check.findings.iter().map(|(_, finding)| match finding {
            Finding::Works => "ok".to_owned(),
            Finding::Unclaimed => "-".into(),
            Finding::Fails(_) => "FAILS".into(),
        }));
        table.add_row(row);
    }
    print(&table)?;
    let mut out = std::io::stdout().lock();
    for (name, _, check) in checked {
        for (what, finding) in &check.findings {
            if let Finding::Fails(why) = finding {
                writeln!(out, "{name}: {what}: {why}")?;
            }
        }
    }
    Ok(())
}

fn check_json((name, program, check): &(String, String, Check)) -> Value {
    let finding = |f: &Finding| match f {
        Finding::Works => json!("ok"),
        Finding::Unclaimed => Value::Null,
        Finding::Fails(why) => json!({ "fails": why }),
    };
    let findings: serde_json::Map<String, Value> =
        check.findings.iter().map(|(name, f)| ((*name).to_owned(), finding(f))).collect();
    json!({
        "solver": name, "program": program, "ok": check.ok(),
        "start_ms": check.start.as_secs_f64() * 1000.0, "findings": findings,
    })
}
