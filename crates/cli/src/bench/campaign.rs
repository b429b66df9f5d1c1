//! What the campaign runner costs: its overhead over starting the solver, and its speed in batch mode.

use crate::hidden;
use crate::render::{self, Format};
use anyhow::Context as _;
use campaign::drive::{Settings, drive};
use campaign::judge::Rules;
use campaign::outcome::{Status, Verdict};
use campaign::process::{Cancel, Limits};
use campaign::profile::{MemoryLimit, Profile, Solver};
use campaign::store::{Campaign, InstanceRow, SolverRow, Store};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The answer to this is what the solvers here always say.
const SOURCE: &str = "(set-info :smt-lib-version 2.6)\n(set-logic QF_SLIA)\n(set-info :status sat)\n\
    (set-info :stringent-model ((s \"a\")))\n(declare-const s String)\n(assert (= (str.at s 0) \"a\"))\n\
    (assert (= (str.len s) 1))\n(check-sat)\n";

/// Runs of the fresh mode, instances of the batch mode.
const FRESH: usize = 3000;
const BATCH: usize = 40_000;

/// Tests per second.
struct Rates {
    bare: f64,
    piped: f64,
    fresh: f64,
    batch: f64,
}

pub(super) fn run(format: Format, rounds: usize) -> anyhow::Result<()> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut rounds_done = Vec::new();
    for round in 1..=rounds.max(1) {
        render::notice(&format!("round {round} of {} …", rounds.max(1)));
        rounds_done.push(Rates {
            bare: spawning(cores, false)?,
            fresh: fresh(cores)?,
            piped: spawning(cores, true)?,
            batch: batch(cores)?,
        });
    }
    let best = |rate: fn(&Rates) -> f64| rounds_done.iter().map(rate).fold(0.0, f64::max);
    let rates = Rates {
        bare: best(|r| r.bare),
        piped: best(|r| r.piped),
        fresh: best(|r| r.fresh),
        batch: best(|r| r.batch),
    };
    show(format, cores, &rates)
}

fn show(format: Format, cores: usize, rates: &Rates) -> anyhow::Result<()> {
    let overhead = (rates.bare / rates.fresh - 1.0) * 100.0;
    let per_core = rates.batch / cores as f64;
    let mut out = std::io::stdout().lock();
    if format == Format::Json {
        let doc = serde_json::json!({ "version": env!("CARGO_PKG_VERSION"), "cores": cores,
            "spawn_per_s": rates.bare, "spawn_with_pipes_per_s": rates.piped, "fresh_per_s": rates.fresh,
            "overhead_percent": overhead, "batch_per_s": rates.batch, "batch_per_s_per_core": per_core });
        writeln!(out, "{doc:#}")?;
        return Ok(());
    }
    writeln!(out, "campaign on {cores} cores, tests per second, best of all rounds")?;
    writeln!(out, "  `echo sat` started and waited for, nothing else    {:>8.0}", rates.bare)?;
    writeln!(out, "  the same, with its output read                     {:>8.0}", rates.piped)?;
    writeln!(
        out,
        "  the same, as a campaign                            {:>8.0}  {overhead:+.1} % time",
        rates.fresh
    )?;
    writeln!(
        out,
        "  batch mode, a solver that always says the same     {:>8.0}  {per_core:.0} per core",
        rates.batch
    )?;
    Ok(())
}

/// Starting and waiting, with as many threads as there are cores.
fn spawning(cores: usize, piped: bool) -> anyhow::Result<f64> {
    let program = echo();
    let each = FRESH / cores;
    let started = Instant::now();
    std::thread::scope(|scope| {
        let threads: Vec<_> =
            (0..cores).map(|_| scope.spawn(|| (0..each).try_for_each(|_| once(&program, piped)))).collect();
        threads.into_iter().try_for_each(|t| t.join().expect("no panic"))
    })
    .context("cannot run `echo`")?;
    Ok((each * cores) as f64 / started.elapsed().as_secs_f64())
}

fn once(program: &Path, piped: bool) -> std::io::Result<()> {
    let mut command = Command::new(program);
    command.arg("sat").stdin(Stdio::null());
    if piped {
        return command.output().map(drop);
    }
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn()?.wait().map(drop)
}

fn echo() -> PathBuf {
    ["/bin/echo", "/usr/bin/echo"]
        .map(PathBuf::from)
        .into_iter()
        .find(|p| p.exists())
        .unwrap_or("echo".into())
}

/// A campaign with a process for each run.
fn fresh(cores: usize) -> anyhow::Result<f64> {
    let mut rules = Rules::default();
    rules.wants.model = false;
    measure(&solver(echo(), "args = ['sat']\nmodel = 'none'")?, FRESH, cores, false, rules)
}

/// A campaign in batch mode.
fn batch(cores: usize) -> anyhow::Result<f64> {
    let me = std::env::current_exe().context("cannot find this binary")?;
    let extra = format!("args = ['{}']\nmodel = 'get-value'\nbatch = 'reset'", hidden::ECHO_SOLVER);
    measure(&solver(me, &extra)?, BATCH, cores, true, Rules::default())
}

fn solver(program: PathBuf, extra: &str) -> anyhow::Result<Solver> {
    let profile: Profile =
        toml::from_str(&format!("name = 'bench'\nabout = ''\nprogram = 'bench'\n{extra}"))?;
    Ok(Solver { name: "bench".into(), profile, program, version: String::new() })
}

fn measure(solver: &Solver, count: usize, jobs: usize, batch: bool, rules: Rules) -> anyhow::Result<f64> {
    let dir = tempfile::tempdir().context("cannot create a temporary directory")?;
    let mut store = Store::create(&dir.path().join("store"), &Campaign::default())?;
    let instances: Vec<InstanceRow> = (0..count as i64).map(instance).collect();
    store.add_instances(&instances)?;
    let row = SolverRow {
        id: 0,
        name: "bench".into(),
        program: String::new(),
        version: String::new(),
        profile: String::new(),
    };
    let solvers = [(store.add_solver(&row)?, solver.clone())];
    let limits = Limits {
        wall: Duration::from_secs(15),
        cpu: Some(Duration::from_secs(15)),
        memory: Some(4 << 30),
        memory_how: MemoryLimit::AddressSpace,
        output: 1 << 20,
    };
    let settings = Settings {
        limits,
        rules,
        seeds: vec![0],
        jobs,
        batch,
        confirm: true,
        keep: 1 << 16,
        watchdog: Some(hidden::watchdog()?),
    };
    let started = Instant::now();
    let summary = drive(&mut store, &solvers, &settings, &mut (), &Cancel::new()?)?;
    let seconds = started.elapsed().as_secs_f64();
    let ok = summary.tallies.get(&(solvers[0].0, Verdict::Ok)).copied().unwrap_or(0);
    anyhow::ensure!(ok == count as u64, "only {ok} of {count} runs are as expected: {:?}", summary.tallies);
    Ok(count as f64 / seconds)
}

fn instance(id: i64) -> InstanceRow {
    InstanceRow {
        id,
        name: format!("bench/{id:06}"),
        category: "bench".into(),
        operation: "str.at".into(),
        status: Status::Sat,
        source: SOURCE.into(),
    }
}
