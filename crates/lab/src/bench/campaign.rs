//! The cost of the campaign runner: its overhead over starting the solver, and its speed in batch mode.

use super::echo;
use crate::{Host, Report};
use ::campaign::drive::drive;
use ::campaign::outcome::{Status, Verdict};
use ::campaign::process::{Limits, Watchdog};
use ::campaign::profile::{MemoryLimit, Profile, Solver};
use ::campaign::provenance::cores;
use ::campaign::settings::{Rules, Settings};
use ::campaign::store::{Campaign, InstanceRow, SolverRow, Store};
use anyhow::Context as _;
use serde_json::json;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The solvers here always give the correct answer to this.
const SOURCE: &str = "(set-info :smt-lib-version 2.6)\n(set-logic QF_SLIA)\n(set-info :status sat)\n\
    (set-info :stringent-model ((s \"a\")))\n(declare-const s String)\n(assert (= (str.at s 0) \"a\"))\n\
    (assert (= (str.len s) 1))\n(check-sat)\n";

/// Runs of the fresh mode in a block, blocks in a round, instances of the batch mode.
const FRESH: usize = 2500;
const BLOCKS: usize = 3;
const BATCH: usize = 40_000;

/// Tests per second of wall-clock time, and CPU time for each, of all processes together.
#[derive(Clone, Copy)]
struct Rate {
    per_s: f64,
    cpu_us: f64,
}

impl Rate {
    /// Measures `work`, which runs `count` tests.
    fn of(count: usize, work: impl FnOnce() -> anyhow::Result<()>) -> anyhow::Result<Rate> {
        let (started, cpu) = (Instant::now(), cpu_seconds());
        work()?;
        let per_s = count as f64 / started.elapsed().as_secs_f64();
        Ok(Rate { per_s, cpu_us: (cpu_seconds() - cpu) * 1e6 / count as f64 })
    }

    /// Tests per second of CPU time.
    fn per_core(self) -> f64 {
        1e6 / self.cpu_us
    }

    /// The median of each measure.
    fn median_of(rates: &[Rate]) -> Rate {
        let by = |measure: fn(&Rate) -> f64| median(rates.iter().map(measure));
        Rate { per_s: by(|r| r.per_s), cpu_us: by(|r| r.cpu_us) }
    }
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// CPU time of this process and of its children that have ended. The kernel counts hundredths of a second here.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit_once(')').map_or("", |(_, rest)| rest).split_ascii_whitespace();
    fields.skip(11).take(4).filter_map(|f| f.parse::<f64>().ok()).sum::<f64>() / 100.0
}

/// All measurements. Blocks alternate, so that a busy machine slows down all of them.
#[derive(Default)]
pub struct Rates {
    cores: usize,
    bare: Vec<Rate>,
    piped: Vec<Rate>,
    fresh: Vec<Rate>,
    batch: Vec<Rate>,
}

impl Rates {
    /// The overhead of the campaign over starting and waiting, in percent: the median over all blocks.
    fn overhead(&self, measure: fn(&Rate) -> f64) -> f64 {
        let pairs = self.fresh.iter().zip(&self.bare);
        (median(pairs.map(|(fresh, bare)| measure(fresh) / measure(bare))) - 1.0) * 100.0
    }
}

/// Medians of all rounds.
struct Medians {
    bare: Rate,
    piped: Rate,
    fresh: Rate,
    batch: Rate,
    overhead: f64,
    overhead_wall: f64,
}

impl Rates {
    fn medians(&self) -> Medians {
        Medians {
            bare: Rate::median_of(&self.bare),
            piped: Rate::median_of(&self.piped),
            fresh: Rate::median_of(&self.fresh),
            batch: Rate::median_of(&self.batch),
            overhead: self.overhead(|r| r.cpu_us),
            overhead_wall: self.overhead(|r| 1.0 / r.per_s),
        }
    }
}

/// Measures the campaign runner.
pub fn run(rounds: usize, host: &Host<'_>) -> anyhow::Result<Rates> {
    let cores = cores();
    let mut rates = Rates { cores, ..Rates::default() };
    for round in 1..=rounds.max(1) {
        host.progress.notice(&format!("round {round} of {} …", rounds.max(1)));
        for _ in 0..BLOCKS {
            rates.bare.push(spawning(cores, false)?);
            rates.fresh.push(fresh(cores, host)?);
            rates.piped.push(spawning(cores, true)?);
        }
        rates.batch.push(batch(cores, host)?);
    }
    Ok(rates)
}

impl Report for Rates {
    fn text(&self) -> String {
        let Medians { bare, piped, fresh, batch, overhead, overhead_wall } = self.medians();
        let mut out =
            format!("campaign on {} cores, medians: tests per second, CPU time of each\n", self.cores);
        let mut line = |what: &str, rate: Rate, note: &str| {
            let _ = writeln!(out, "  {what:<52}{:>7.0} /s {:>6.0} µs  {note}", rate.per_s, rate.cpu_us);
        };
        line("`echo sat`, process start and wait only", bare, "");
        line("the same, with its output read", piped, "");
        let note = format!("{overhead:+.1} % CPU time, {overhead_wall:+.1} % wall-clock time");
        line("the same, as a campaign", fresh, &note);
        let note = format!("{:.0} per second of a core", batch.per_core());
        line("batch mode, a solver with a constant answer", batch, &note);
        out
    }

    fn json(&self) -> serde_json::Value {
        let rate = |r: Rate| json!({ "per_s": r.per_s, "cpu_us": r.cpu_us });
        let m = self.medians();
        json!({ "version": env!("CARGO_PKG_VERSION"), "cores": self.cores, "spawn": rate(m.bare),
            "spawn_with_pipes": rate(m.piped), "fresh": rate(m.fresh), "batch": rate(m.batch),
            "overhead_percent": m.overhead, "overhead_wall_percent": m.overhead_wall,
            "batch_per_core_s": m.batch.per_core() })
    }
}

/// Starting and waiting, with as many threads as there are cores.
fn spawning(cores: usize, piped: bool) -> anyhow::Result<Rate> {
    let program = no_op();
    let each = FRESH / cores;
    Rate::of(each * cores, || {
        std::thread::scope(|scope| {
            let many = || (0..each).try_for_each(|_| once(&program, piped));
            let threads: Vec<_> = (0..cores).map(|_| scope.spawn(many)).collect();
            threads.into_iter().try_for_each(|t| t.join().expect("no panic"))
        })
        .context("cannot run `echo`")
    })
}

fn once(program: &Path, piped: bool) -> std::io::Result<()> {
    let mut command = Command::new(program);
    command.arg("sat").stdin(Stdio::null());
    if piped {
        return command.output().map(drop);
    }
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn()?.wait().map(drop)
}

fn no_op() -> PathBuf {
    ["/bin/echo", "/usr/bin/echo"]
        .map(PathBuf::from)
        .into_iter()
        .find(|p| p.exists())
        .unwrap_or("echo".into())
}

/// A campaign with a process for each run.
fn fresh(cores: usize, host: &Host<'_>) -> anyhow::Result<Rate> {
    let mut rules = Rules::default();
    rules.wants.model = false;
    measure(&solver(no_op(), "args = ['sat']\nmodel = 'none'")?, FRESH, cores, host, false, rules)
}

/// A campaign in batch mode.
fn batch(cores: usize, host: &Host<'_>) -> anyhow::Result<Rate> {
    let me = std::env::current_exe().context("cannot find this binary")?;
    let extra = format!("args = ['{}']\nmodel = 'get-value'\nbatch = 'reset'", echo::ECHO_SOLVER);
    measure(&solver(me, &extra)?, BATCH, cores, host, true, Rules::default())
}

fn solver(program: PathBuf, extra: &str) -> anyhow::Result<Solver> {
    let profile: Profile =
        toml::from_str(&format!("name = 'bench'\nabout = ''\nprogram = 'bench'\n{extra}"))?;
    Ok(Solver { name: "bench".into(), profile, program, version: String::new() })
}

fn measure(
    solver: &Solver,
    count: usize,
    jobs: usize,
    host: &Host<'_>,
    batch: bool,
    rules: Rules,
) -> anyhow::Result<Rate> {
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
        idle: None,
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
        watchdog: Watchdog::own_command(),
        ..Settings::default()
    };
    Rate::of(count, || {
        let summary = drive(&mut store, &solvers, &settings, &mut (), host.cancel)?;
        let ok = summary.tallies.get(&(solvers[0].0, Verdict::Ok)).copied().unwrap_or(0);
        anyhow::ensure!(
            ok == count as u64,
            "only {ok} of {count} runs are as expected: {:?}",
            summary.tallies
        );
        Ok(())
    })
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
