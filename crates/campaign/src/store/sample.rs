//! A store with invented runs, of any size: to measure stores and reports.
//!
//! 8 solvers with 5 seeds each; of 100 runs about 90 are correct, 4 reach the time limit, 3 are unknown, 2 are errors; one in ten thousand is a wrong `unsat`. Each
//! instance has a formula and a model of its own, which its runs share.

use super::{Campaign, InstanceRow, RunRow, SolverRow, Store, StoreError};
use crate::outcome::{Answer, CoreCheck, Kind, ModelCheck, Status};
use crate::profile::{Profile, Solver};
use crate::settings::Settings;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::time::Duration;

const SOLVERS: u64 = 8;
const SEEDS: u64 = 5;
/// Instances in one transaction.
const CHUNK: u64 = 200;
const CATEGORIES: [&str; 6] = ["operation", "constant", "term", "equivalent", "core", "redundancy"];
const OPERATIONS: [&str; 8] = [
    "str.at",
    "str.substr",
    "str.indexof",
    "str.replace",
    "str.contains",
    "str.to_int",
    "str.in_re",
    "str.len",
];

impl Store {
    /// Creates a store with at least this number of runs. `progress` gets the number of runs so far.
    pub fn sample(path: &Path, runs: u64, progress: &mut dyn FnMut(u64)) -> Result<Store, StoreError> {
        Store::sample_by(path, (runs, 1), progress)
    }

    /// The same, written by some threads at once, each with a connection of its own.
    pub fn sample_by(
        path: &Path,
        (runs, writers): (u64, usize),
        progress: &mut dyn FnMut(u64),
    ) -> Result<Store, StoreError> {
        let settings = Settings { seeds: (0..SEEDS).collect(), ..Settings::default() };
        let campaign = Campaign { command: "stringent bench store".into(), settings, ..Campaign::default() };
        let store = Store::create(path, &campaign)?;
        for n in 0..SOLVERS {
            let (name, program) = (format!("solver-{n}"), PathBuf::from(format!("/opt/solver-{n}")));
            let profile = Profile { name: name.clone(), ..Profile::default() };
            store.add_solver(&SolverRow::new(&Solver {
                name,
                profile,
                program,
                version: format!("{n}.0"),
            }))?;
        }
        let instances = runs.div_ceil(SOLVERS * SEEDS);
        let next = AtomicU64::new(1);
        std::thread::scope(|scope| {
            let (send, written) = mpsc::channel();
            let writers: Vec<_> = (0..writers.max(1))
                .map(|_| (&next, send.clone()))
                .map(|(next, send)| scope.spawn(move || write(path, instances, next, &send)))
                .collect();
            drop(send);
            let mut count = 0;
            for ids in written {
                count += ids;
                progress(count * SOLVERS * SEEDS);
            }
            writers
                .into_iter()
                .try_for_each(|writer| writer.join().unwrap_or_else(|e| std::panic::resume_unwind(e)))
        })?;
        store.set_planned()?;
        store.set_finished("2026-01-01T00:00:00Z")?;
        Ok(store)
    }
}

/// Writes instances with their runs, a chunk at a time, until all are written; sends the numbers of instances.
fn write(
    path: &Path,
    instances: u64,
    next: &AtomicU64,
    written: &mpsc::Sender<u64>,
) -> Result<(), StoreError> {
    let mut store = Store::open(path)?;
    loop {
        let first = next.fetch_add(CHUNK, Ordering::Relaxed);
        if first > instances {
            return Ok(());
        }
        let ids = first..=(first + CHUNK - 1).min(instances);
        store.add_instances(&ids.clone().map(instance).collect::<Vec<_>>())?;
        store.add_runs(&ids.clone().flat_map(of_instance).collect::<Vec<_>>(), false)?;
        let _ = written.send(ids.end() + 1 - first);
    }
}

/// A number that looks random and is the same everywhere.
fn mixed(n: u64) -> u64 {
    let n = (n ^ (n >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let n = (n ^ (n >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    n ^ (n >> 31)
}

fn instance(id: u64) -> InstanceRow {
    let category = CATEGORIES[(id % 6) as usize];
    let operation = OPERATIONS[(mixed(id) % 8) as usize];
    let word = mixed(id);
    let source = format!(
        "(set-info :status sat)\n(declare-const x String)\n(declare-const y String)\n(declare-const n Int)\n\
         (assert (= (str.++ x \"{word:x}\" y) (str.replace y x \"{id}\")))\n(assert (= n (str.len ({operation} x y))))\n\
         (assert (str.in_re x (re.* (re.range \"a\" \"z\"))))\n(check-sat)\n"
    );
    InstanceRow {
        id: id.cast_signed(),
        name: format!("{category}/{operation}/{id:08}"),
        category: category.into(),
        operation: operation.into(),
        status: if id.is_multiple_of(2) { Status::Sat } else { Status::Unsat },
        source: source.into_bytes(),
    }
}

fn of_instance(id: u64) -> impl Iterator<Item = RunRow> {
    (1..=SOLVERS).flat_map(move |solver| (0..SEEDS).map(move |seed| run(id, solver, seed)))
}

fn run(id: u64, solver: u64, seed: u64) -> RunRow {
    let dice = mixed(id * 64 + solver * 8 + seed);
    let sat = id.is_multiple_of(2);
    let correct = if sat { Kind::ValidModel } else { Kind::CorrectUnsat };
    let (kind, answer) = match dice % 10_000 {
        0 if sat => (Kind::WrongUnsat, Answer::Unsat),
        0..400 => (Kind::WallTime, Answer::None),
        400..700 => (Kind::Unknown, Answer::Unknown),
        700..900 => (Kind::Crash, Answer::None),
        _ => (correct, if sat { Answer::Sat } else { Answer::Unsat }),
    };
    let model = format!("sat\n((define-fun x () String \"{:x}\")\n (define-fun n () Int {id}))\n", mixed(id));
    RunRow {
        instance: id.cast_signed(),
        solver: solver.cast_signed(),
        seed,
        kind,
        answer,
        model: if answer == Answer::Sat { ModelCheck::Holds } else { ModelCheck::Absent },
        core: CoreCheck::Absent,
        ending: if kind == Kind::Crash { "signal 11".into() } else { "exit 0".into() },
        wall: Duration::from_micros(1000 + (dice >> 32) % 1_000_000),
        cpu: Duration::from_micros(900 + (dice >> 32) % 1_000_000),
        memory_kib: 20_000 + dice % 50_000,
        batched: false,
        flaky: false,
        output: match answer {
            Answer::Sat => model.into_bytes(),
            other => format!("{other}\n").into_bytes(),
        },
        evidence: String::new(),
        command: format!("/opt/solver-{solver} --seed {seed}"),
    }
}
