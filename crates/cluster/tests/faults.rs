//! Faults of clusters, without one: shards that are torn, foreign or twins; a scheduler that refuses, forgets, holds; workers that are
//! started again, with another plan or another solver.

use campaign::drive::Observer;
use campaign::outcome::{Answer, CoreCheck, Kind, ModelCheck, Status};
use campaign::process::Cancel;
use campaign::profile;
use campaign::settings::Settings;
use campaign::store::{Campaign, InstanceRow, RunRow, SolverRow, Store};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Duration;
use stringent_cluster::drive::{Driver, Ended, Live, Scheduler, Tuning, list_path, read_list};
use stringent_cluster::merge::{Caller, Merger};
use stringent_cluster::plan::{Frozen, Nodes, freeze};
use stringent_cluster::shard::{self, Name};
use stringent_cluster::worker::{Flush, Order, Task, Worked, work};
use stringent_cluster::{Error, plan::Plan};
use tempfile::TempDir;

const SCRIPT: &str = "(set-logic QF_S)\n(set-info :status sat)\n(declare-const x String)\n(check-sat)\n";

/// A campaign of ten instances on one solver, in chunks of three.
struct Bench {
    dir: TempDir,
    store: Store,
    frozen: Frozen,
    cancel: Cancel,
}

impl Bench {
    fn new() -> Bench {
        let dir = tempfile::tempdir().expect("a folder");
        let program = dir.path().join("solver");
        fs::write(&program, "#!/bin/sh\necho sat\n").expect("written");
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("made executable");
        let solver = profile::resolve(&format!("fake={}", program.display())).expect("a solver");
        let mut store = Store::create(&dir.path().join("a.store"), &Campaign::default()).expect("created");
        store.add_cluster_tables().expect("written");
        let id = store.add_solver(&SolverRow::new(&solver)).expect("added");
        let row = |id| InstanceRow {
            id,
            name: format!("i{id}"),
            category: String::new(),
            operation: String::new(),
            status: Status::Sat,
            source: SCRIPT.into(),
        };
        store.add_instances(&(1..=10).map(row).collect::<Vec<_>>()).expect("written");
        store.set_planned().expect("written");
        let settings = Settings::default();
        let plans = dir.path().join("plans");
        let frozen = freeze(&store, (&[(id, solver)], &settings), (3, 1.0), &Nodes::default(), &plans);
        Bench { frozen: frozen.expect("frozen"), dir, store, cancel: Cancel::new().expect("a request") }
    }

    fn plan(&self) -> &Plan {
        &self.frozen.plan
    }

    fn shards(&self) -> PathBuf {
        self.plan().folder.join("shards")
    }

    fn shard(&self, name: &str, instances: &[i64], kind: Kind) {
        let name: Name = name.parse().expect("a name");
        let runs: Vec<RunRow> = instances.iter().map(|&i| run(i, kind)).collect();
        shard::write(&self.shards(), &self.plan().digest, &name, "n1", &runs).expect("written");
    }

    /// Merges, and returns what was said.
    fn merge(&mut self, merger: &mut Merger) -> String {
        let mut said = String::new();
        let mut say = |text: &str| said += &format!("{text}\n");
        let mut caller = Caller { observer: &mut (), say: &mut say, cancel: &self.cancel };
        merger.collect(&mut self.store, &mut self.frozen, &mut caller).expect("merged");
        said
    }

    fn work(&self, chunk: u64, digest: Option<&str>) -> Result<Worked, Error> {
        let order = Order {
            plan: &self.plan().folder,
            digest,
            chunk,
            out: &self.shards(),
            jobs: 2,
            flush: Flush::default(),
            task: Task { job: "77".into(), restart: 0 },
        };
        work(&order, &self.cancel)
    }
}

fn run(instance: i64, kind: Kind) -> RunRow {
    RunRow {
        instance,
        solver: 1,
        seed: 0,
        kind,
        answer: Answer::Sat,
        model: ModelCheck::Absent,
        core: CoreCheck::Absent,
        ending: "exit 0".into(),
        wall: Duration::from_millis(1),
        cpu: Duration::ZERO,
        memory_kib: 0,
        batched: false,
        flaky: false,
        output: b"sat".to_vec(),
        evidence: String::new(),
        command: String::new(),
    }
}

#[test]
fn torn_and_foreign_shards_are_refused_and_named() {
    let mut bench = Bench::new();
    let mut merger = Merger::new(&bench.plan().folder).expect("a folder");
    bench.shard("0.1.0.0", &[1, 2], Kind::CorrectSat);
    bench.shard("1.1.0.0", &[1], Kind::CorrectSat);
    let good = fs::read(bench.shards().join("0.1.0.0")).expect("readable");
    fs::write(bench.shards().join("0.2.0.0"), &good[..good.len() / 2]).expect("written");
    fs::write(bench.shards().join("0.3.0.0"), &good).expect("written");
    fs::write(bench.shards().join(".tmp-0.4.0.0"), "torn").expect("written");
    assert_eq!(bench.merge(&mut merger), "", "it may be seen too early");
    let said = bench.merge(&mut merger);
    for (why, name) in
        [("torn", "0.2.0.0"), ("its name was 0.1.0.0", "0.3.0.0"), ("another chunk", "1.1.0.0")]
    {
        assert!(said.lines().any(|l| l.contains(why) && l.ends_with(name)), "{said}");
    }
    assert_eq!((merger.tally.refused, merger.tally.runs, bench.frozen.left()), (3, 2, 8));
    assert_eq!(bench.merge(&mut merger), "");
    assert_eq!(fs::read_dir(bench.plan().folder.join("refused")).expect("a folder").count(), 3);
}

#[test]
fn twins_are_recorded_once_and_disagreement_is_reported() {
    let mut bench = Bench::new();
    let mut merger = Merger::new(&bench.plan().folder).expect("a folder");
    bench.shard("0.1.0.0", &[1, 2], Kind::CorrectSat);
    bench.shard("0.1.1.0", &[1, 2, 3], Kind::WrongSat);
    let said = bench.merge(&mut merger);
    assert!(
        said.contains("instance 1, solver 1, seed 0: correct-sat is kept, 0.1.1.0 has wrong-sat"),
        "{said}"
    );
    assert_eq!((merger.tally.runs, merger.tally.twins, merger.tally.disagree), (3, 2, 2));
    assert_eq!(bench.store.run_keys().expect("readable").len(), 3);
    assert!(shard::list(&bench.shards()).expect("a folder").is_empty(), "the chunk is complete");
    // A driver that was killed after the merge and before the removal.
    bench.shard("0.1.0.0", &[1, 2], Kind::CorrectSat);
    let mut other = Merger::new(&bench.plan().folder).expect("a folder");
    assert_eq!(bench.merge(&mut other), "");
    assert_eq!((other.tally.runs, other.tally.twins), (0, 0));
}

#[test]
fn a_shard_that_was_merged_while_the_server_went_away_counts_as_done() {
    let mut bench = Bench::new();
    let mut merger = Merger::new(&bench.plan().folder).expect("a folder");
    bench.shard("0.1.0.0", &[1, 2, 3], Kind::CorrectSat);
    let runs: Vec<RunRow> = (1..=3).map(|i| run(i, Kind::CorrectSat)).collect();
    bench.store.merge_shard("0.1.0.0", &runs).expect("merged");
    assert_eq!(bench.merge(&mut merger), "");
    assert_eq!((merger.tally.runs, bench.frozen.left()), (0, 7));
    assert!(shard::list(&bench.shards()).expect("a folder").is_empty(), "the chunk is complete");
}

#[test]
fn a_worker_does_what_no_shard_has() {
    let mut bench = Bench::new();
    let mut merger = Merger::new(&bench.plan().folder).expect("a folder");
    bench.shard("1.1.0.0", &[5], Kind::CorrectSat);
    let worked = bench.work(1, Some(&bench.plan().digest)).expect("worked");
    assert_eq!((worked.jobs, worked.before, worked.done, worked.shards), (3, 1, 2, 1));
    let worked = bench.work(1, None).expect("worked");
    assert_eq!((worked.before, worked.done, worked.shards), (3, 0, 0));
    assert_eq!(bench.merge(&mut merger), "");
    let keys = bench.store.run_keys().expect("readable");
    assert_eq!(keys, [(4, 1, 0), (5, 1, 0), (6, 1, 0)]);
    assert_eq!(bench.work(3, None).expect("worked").done, 1, "the last chunk is shorter");
    assert!(matches!(bench.work(4, None), Err(Error::NoChunk(4, 4))));
}

#[test]
fn a_worker_refuses_another_plan_and_another_solver() {
    let bench = Bench::new();
    let refused = bench.work(0, Some("0123")).expect_err("refused").to_string();
    assert!(refused.contains("the plan was changed"), "{refused}");
    fs::write(bench.dir.path().join("solver"), "#!/bin/sh\necho unsat\n").expect("written");
    let refused = bench.work(0, None).expect_err("refused").to_string();
    assert!(refused.starts_with("`fake` on ") && refused.ends_with("is another build now"), "{refused}");
    fs::remove_file(bench.dir.path().join("solver")).expect("removed");
    let refused = bench.work(0, None).expect_err("refused").to_string();
    assert!(refused.contains("there is no program"), "{refused}");
}

#[test]
fn a_shard_that_cannot_be_written_is_an_error_and_leaves_nothing() {
    let bench = Bench::new();
    fs::write(bench.shards(), "a file where the folder should be").expect("written");
    assert!(matches!(bench.work(0, None), Err(Error::Io { .. })));
}

/// What happens to the tasks of an array.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fate {
    /// They do their work.
    Work,
    /// They are gone, without a result.
    Vanish,
    /// They are held.
    Hold,
    /// The submission is refused.
    Refuse,
    /// It is refused as a mistake.
    Mistake,
}

/// The shards that tasks leave, in order: their names and the jobs in them.
type Shards = Rc<RefCell<Vec<(Name, Vec<i64>)>>>;

/// A scheduler with a script: the fate of each submission, the last one for all others.
struct Fake {
    fates: Vec<Fate>,
    plan: Plan,
    next: usize,
    held: BTreeMap<u32, u32>,
    running: BTreeSet<(u32, u32)>,
    results: Shards,
    submissions: u32,
    cancelled: u32,
    silent: u32,
    now: Duration,
}

impl Fake {
    fn new(bench: &Bench, fates: &[Fate]) -> Fake {
        Fake {
            fates: fates.to_vec(),
            plan: bench.plan().clone(),
            next: 0,
            held: BTreeMap::new(),
            running: BTreeSet::new(),
            results: Rc::default(),
            submissions: 0,
            cancelled: 0,
            silent: 0,
            now: Duration::ZERO,
        }
    }
}

impl Scheduler for Fake {
    fn submit(&mut self, array: u32, tasks: u32) -> Result<(), String> {
        let fate = self.fates[self.next.min(self.fates.len() - 1)];
        self.next += 1;
        let chunks = read_list(&list_path(&self.plan.folder.join("arrays"), array)).expect("written before");
        assert_eq!(chunks.len(), tasks as usize);
        match fate {
            Fate::Refuse => return Err("no more jobs".into()),
            Fate::Mistake => return Err("invalid partition".into()),
            Fate::Hold => drop(self.held.insert(array, tasks)),
            Fate::Vanish => {}
            Fate::Work => {
                for chunk in chunks {
                    let range = self.plan.range(chunk).expect("a chunk");
                    let instances = range.map(|job| job.cast_signed() + 1).collect();
                    let name = Name { chunk, job: format!("{array}"), restart: 0, part: 0 };
                    self.results.borrow_mut().push((name, instances));
                }
            }
        }
        self.submissions += 1;
        Ok(())
    }

    fn live(&mut self, arrays: &BTreeSet<u32>) -> Result<Vec<Live>, String> {
        if self.silent > 0 {
            self.silent -= 1;
            return Err("connection refused".into());
        }
        let held =
            self.held.iter().flat_map(|(&array, &tasks)| (0..tasks).map(move |task| (array, task, true)));
        let running = self.running.iter().map(|&(array, task)| (array, task, false));
        let all = held.chain(running).filter(|(array, ..)| arrays.contains(array));
        Ok(all.map(|(array, task, held)| Live { array, task, running: !held, held }).collect())
    }

    fn cancel(&mut self, array: u32, _: Option<u32>) {
        self.cancelled += 1;
        self.held.remove(&array);
    }

    fn is_mistake(&self, why: &str) -> bool {
        why.starts_with("invalid")
    }

    fn words(&self, _: u32, _: u32) -> Option<String> {
        Some("z3: not found".into())
    }

    fn now(&self) -> Duration {
        self.now
    }

    fn wait(&mut self, time: Duration, _: &Cancel) {
        self.now += time;
    }
}

/// Drives the bench with a scheduler; how it ended, and what was said.
fn drive(bench: &mut Bench, fake: &mut Fake) -> (Result<Ended, Error>, String, u64) {
    drive_with(Tuning::default(), bench, fake)
}

fn drive_with(tuning: Tuning, bench: &mut Bench, fake: &mut Fake) -> (Result<Ended, Error>, String, u64) {
    let mut merger = Merger::new(&bench.plan().folder).expect("a folder");
    let Bench { store, frozen, cancel, .. } = bench;
    let (results, digest) = (Rc::clone(&fake.results), frozen.plan.digest.clone());
    let said = RefCell::new(String::new());
    let mut say = |text: &str| *said.borrow_mut() += &format!("{text}\n");
    let mut driver = Driver::new(frozen, fake, &mut say, tuning, cancel).expect("a driver");
    let ended = driver.run(
        frozen,
        &mut |frozen, say| {
            for (name, instances) in results.borrow_mut().drain(..) {
                let runs: Vec<RunRow> = instances.iter().map(|&i| run(i, Kind::CorrectSat)).collect();
                shard::write(merger.out(), &digest, &name, "n1", &runs)?;
            }
            merger.collect(store, frozen, &mut Caller { observer: &mut Counting, say, cancel })
        },
        cancel,
    );
    let adopted = driver.counts.adopted;
    drop(driver);
    (ended, said.into_inner(), adopted)
}

struct Counting;

impl Observer for Counting {}

fn recorded(bench: &Bench) -> usize {
    bench.store.run_keys().expect("readable").len()
}

#[test]
fn lost_held_and_refused_tasks_are_submitted_again() {
    let mut bench = Bench::new();
    let fates = [Fate::Refuse, Fate::Vanish, Fate::Hold, Fate::Refuse, Fate::Work];
    let mut fake = Fake::new(&bench, &fates);
    fake.silent = 2;
    let (ended, said, _) = drive(&mut bench, &mut fake);
    assert_eq!(ended.expect("driven"), Ended::Complete);
    assert_eq!((recorded(&bench), fake.submissions, fake.cancelled), (10, 3, 4));
    for part in ["refused, it is tried again: no more jobs", "does not answer", "answers again"] {
        assert!(said.contains(part), "{said}");
    }
}

#[test]
fn a_chunk_without_progress_is_given_up_with_the_last_words_of_its_task() {
    let mut bench = Bench::new();
    let mut fake = Fake::new(&bench, &[Fate::Vanish]);
    let (ended, said, _) = drive(&mut bench, &mut fake);
    assert_eq!(ended.expect("driven"), Ended::GivenUp(vec![0, 1, 2, 3]));
    assert_eq!(fake.submissions, 3);
    assert!(said.contains("chunk 0 is given up after 3 attempts: z3: not found"), "{said}");
}

#[test]
fn a_scheduler_that_takes_nothing_is_an_error() {
    let mut bench = Bench::new();
    let mut fake = Fake::new(&bench, &[Fate::Refuse]);
    let refused = drive(&mut bench, &mut fake).0.expect_err("refused").to_string();
    assert_eq!(refused, "nothing can be submitted: no more jobs");
}

#[test]
fn a_mistake_in_the_profile_ends_it_at_once() {
    let mut bench = Bench::new();
    let mut fake = Fake::new(&bench, &[Fate::Mistake]);
    let refused = drive(&mut bench, &mut fake).0.expect_err("refused").to_string();
    let words = "nothing can be submitted: invalid partition; `stringent cluster check` shows what is wrong";
    assert_eq!((refused.as_str(), fake.now), (words, Duration::ZERO));
}

#[test]
fn a_short_queue_is_filled_again_and_again() {
    for queued in 1..=4 {
        let mut bench = Bench::new();
        let mut fake = Fake::new(&bench, &[Fate::Work]);
        let tuning = Tuning { queued, ..Tuning::default() };
        let (ended, ..) = drive_with(tuning, &mut bench, &mut fake);
        assert_eq!((ended.expect("driven"), recorded(&bench)), (Ended::Complete, 10), "{queued}");
        assert_eq!(fake.submissions as usize, 4usize.div_ceil(queued));
    }
}

#[test]
fn a_second_driver_adopts_what_is_running() {
    let mut bench = Bench::new();
    let lists = bench.plan().folder.join("arrays");
    fs::create_dir_all(&lists).expect("created");
    fs::write(list_path(&lists, 4), "2\n0\n").expect("written");
    let mut fake = Fake::new(&bench, &[Fate::Work]);
    fake.running.insert((4, 0));
    let name: Name = "2.4.0.0".parse().expect("a name");
    fake.results.borrow_mut().push((name, vec![7, 8, 9]));
    let (ended, said, adopted) = drive(&mut bench, &mut fake);
    assert_eq!((ended.expect("driven"), adopted, recorded(&bench)), (Ended::Complete, 1, 10));
    assert!(said.contains("1 task still in the queue"), "{said}");
    assert_eq!(read_list(&list_path(&lists, 5)).expect("a list"), [0, 1, 3], "what is not running");
}

#[test]
fn a_driver_that_is_stopped_leaves_tasks_to_the_next_one() {
    let mut bench = Bench::new();
    bench.cancel.cancel();
    let mut fake = Fake::new(&bench, &[Fate::Work]);
    assert_eq!(drive(&mut bench, &mut fake).0.expect("stopped"), Ended::Stopped);
    bench.cancel = Cancel::new().expect("a request");
    assert_eq!(drive(&mut bench, &mut fake).0.expect("driven"), Ended::Complete);
    assert_eq!(recorded(&bench), 10);
    assert!(Path::new(&bench.plan().folder).exists());
}
