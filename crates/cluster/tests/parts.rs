//! Parts of searches with faults, without a cluster: tasks that are killed, copies that are torn, twins, a scheduler that loses tasks.

use campaign::process::Cancel;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;
use stringent_cluster::Error;
use stringent_cluster::drive::{Driver, Ended, Live, Scheduler, Tuning, Work as _, list_path, read_list};
use stringent_cluster::parts::{Counts, Files, New, Order, Parts, Search, Worked, work};
use stringent_cluster::worker::Task;
use tempfile::TempDir;

/// Steps of a part.
const STEPS: u64 = 10;

/// Counts to [`STEPS`] in a file.
struct Counting {
    /// It is stopped at these numbers, once each.
    stops: Mutex<BTreeSet<u64>>,
    /// It is killed there, once: an error, so that no copy is written.
    kill: Mutex<Option<u64>>,
}

fn counting(stops: &[u64], kill: Option<u64>) -> Counting {
    Counting { stops: Mutex::new(stops.iter().copied().collect()), kill: Mutex::new(kill) }
}

fn file(folder: &Path) -> PathBuf {
    folder.join("steps/count")
}

fn count(folder: &Path) -> u64 {
    fs::read_to_string(file(folder)).ok().and_then(|text| text.parse().ok()).unwrap_or(0)
}

impl Search<Error> for Counting {
    fn run(&self, folder: &Path, _: &Cancel) -> Result<bool, Error> {
        fs::create_dir_all(folder.join("steps")).expect("created");
        for n in count(folder) + 1..=STEPS {
            if self.kill.lock().expect("a lock").take_if(|k| *k == n).is_some() {
                return Err(Error::Empty);
            }
            fs::write(file(folder), n.to_string()).expect("written");
            if self.stops.lock().expect("a lock").remove(&n) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn copy(&self, folder: &Path) -> Result<Option<(Files, Counts)>, Error> {
        let n = count(folder);
        let files = vec![("steps/count".to_owned(), n.to_string().into_bytes())];
        Ok((n > 0).then(|| (files, Counts::from([("steps".to_owned(), n)]))))
    }
}

struct Bench {
    dir: TempDir,
    parts: Parts,
    cancel: Cancel,
}

impl Bench {
    fn new(parts: u64) -> Bench {
        let dir = tempfile::tempdir().expect("a folder");
        let new = New {
            result: &dir.path().join("a.store"),
            verb: "count",
            task: serde_json::Value::Null,
            parts,
            solvers: Vec::new(),
            every: Duration::from_secs(3600),
        };
        let parts = Parts::freeze(dir.path(), new).expect("frozen");
        Bench { dir, parts, cancel: Cancel::new().expect("a request") }
    }

    fn work(&self, part: u64, job: &str, search: &Counting) -> Result<Worked, Error> {
        let task = Task { job: job.into(), restart: 0 };
        let order = Order { part, out: &self.parts.copies(), every: Duration::from_secs(3600), task };
        work(&self.parts, &order, search, &self.cancel)
    }

    fn look(&mut self) -> String {
        let mut said = String::new();
        self.parts.look(&mut |text| said += &format!("{text}\n")).expect("looked");
        said
    }

    fn steps(&self) -> u64 {
        self.parts.counts().get("steps").copied().unwrap_or(0)
    }
}

#[test]
fn a_task_goes_on_from_the_newest_copy() {
    let mut bench = Bench::new(2);
    let search = counting(&[4, 7], Some(9));
    let stopped = bench.work(1, "1", &search).expect("stopped");
    assert_eq!(stopped, Worked { from: 0, to: 1, done: false, behind: false });
    bench.look();
    assert_eq!((bench.parts.open(0), bench.parts.open(1), bench.steps()), (u64::MAX, u64::MAX - 1, 4));
    assert_eq!(bench.work(1, "2", &search).expect("stopped").to, 2);
    assert!(matches!(bench.work(1, "3", &search), Err(Error::Empty)), "killed at 9, without a copy");
    bench.look();
    assert_eq!(bench.steps(), 7, "it lost what it did since the last copy, and no more");
    let done = bench.work(1, "4", &search).expect("done");
    assert_eq!(done, Worked { from: 2, to: 3, done: true, behind: false });
    bench.look();
    assert_eq!((bench.parts.open(1), bench.parts.done(), bench.steps()), (0, 1, STEPS));
    assert_eq!(bench.work(1, "5", &search).expect("nothing to do").from, 3);
    let folder = bench.dir.path().join("out");
    assert!(bench.parts.unpack(1, &folder).expect("unpacked"));
    assert_eq!(count(&folder), STEPS);
    assert!(!bench.parts.unpack(0, &folder).expect("no copy"));
    assert!(matches!(bench.work(2, "6", &search), Err(Error::NoChunk(2, 2))));
}

#[test]
fn a_twin_that_is_behind_ends_without_a_copy() {
    /// While it runs, a twin gets further.
    struct Overtaken<'a>(&'a Bench);

    impl Search<Error> for Overtaken<'_> {
        fn run(&self, folder: &Path, _: &Cancel) -> Result<bool, Error> {
            let twin = counting(&[5], None);
            self.0.work(0, "twin", &twin)?;
            counting(&[], None).run(folder, &self.0.cancel)
        }

        fn copy(&self, folder: &Path) -> Result<Option<(Files, Counts)>, Error> {
            counting(&[], None).copy(folder)
        }
    }

    let mut bench = Bench::new(1);
    let task = Task { job: "late".into(), restart: 0 };
    let order = Order { part: 0, out: &bench.parts.copies(), every: Duration::from_secs(3600), task };
    let worked = work(&bench.parts, &order, &Overtaken(&bench), &bench.cancel).expect("worked");
    assert_eq!(worked, Worked { from: 0, to: 0, done: false, behind: true });
    bench.look();
    assert_eq!(bench.steps(), 5, "the copy of the twin is kept");
}

#[test]
fn a_torn_or_foreign_copy_is_refused_and_named_and_its_part_is_done_again() {
    let mut bench = Bench::new(3);
    for part in 0..3 {
        bench.work(part, "1", &counting(&[], None)).expect("done");
    }
    let path = |part: u64| bench.parts.copies().join(part.to_string());
    let whole = fs::read(path(0)).expect("readable");
    fs::write(path(0), &whole[..whole.len() - 1]).expect("written");
    fs::write(path(1), &whole).expect("written");
    assert_eq!(bench.look(), "", "it may be seen too early");
    let said = bench.look();
    for words in ["the copy of part 0 is refused: torn", "the copy of part 1 is refused: it is of part 0"] {
        assert!(said.contains(words), "{said}");
    }
    assert_eq!((bench.parts.done(), bench.parts.refused), (1, 2));
    let again = bench.work(0, "2", &counting(&[], None)).expect("done again");
    assert_eq!(again, Worked { from: 0, to: 1, done: true, behind: false });
    bench.look();
    assert_eq!((bench.parts.open(0), bench.parts.done()), (0, 2));
}

#[test]
fn a_description_that_was_changed_is_refused() {
    let bench = Bench::new(1);
    let path = bench.parts.folder.join("parts.json");
    let text = fs::read_to_string(&path).expect("readable");
    fs::write(&path, text.replace("\"parts\":1", "\"parts\":2")).expect("written");
    let refused =
        Parts::open(&bench.parts.folder, Some(&bench.parts.digest)).expect_err("refused").to_string();
    assert!(refused.contains("it was changed"), "{refused}");
    fs::write(&path, text.replace("\"version\":\"", "\"version\":\"9")).expect("written");
    let refused = Parts::open(&bench.parts.folder, None).expect_err("refused").to_string();
    assert!(refused.contains("written by stringent 9"), "{refused}");
}

/// A scheduler whose tasks run when they are submitted; of those of a part, every other one is lost.
struct Fake<'a> {
    parts: PathBuf,
    digest: String,
    search: &'a Counting,
    tasks: BTreeMap<u64, u32>,
    now: Duration,
}

impl Fake<'_> {
    fn new<'a>(parts: &Parts, search: &'a Counting) -> Fake<'a> {
        let (digest, tasks) = (parts.digest.clone(), BTreeMap::new());
        Fake { parts: parts.folder.clone(), digest, search, tasks, now: Duration::ZERO }
    }
}

impl Scheduler for Fake<'_> {
    fn submit(&mut self, array: u32, _: u32) -> Result<(), String> {
        let parts = Parts::open(&self.parts, Some(&self.digest)).map_err(|e| e.to_string())?;
        let list = read_list(&list_path(&self.parts.join("arrays"), array)).map_err(|e| e.to_string())?;
        for part in list {
            let count = self.tasks.entry(part).or_default();
            *count += 1;
            if !count.is_multiple_of(2) {
                continue;
            }
            let task = Task { job: count.to_string(), restart: 0 };
            let order = Order { part, out: &parts.copies(), every: Duration::from_secs(3600), task };
            let _ = work(&parts, &order, self.search, &Cancel::new().expect("a request"));
        }
        Ok(())
    }

    fn live(&mut self, _: &BTreeSet<u32>) -> Result<Vec<Live>, String> {
        Ok(Vec::new())
    }

    fn cancel(&mut self, _: u32, _: Option<u32>) {}

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

#[test]
fn the_driver_submits_parts_until_all_are_done() {
    let mut bench = Bench::new(5);
    // Parts that make progress are never given up, however often their tasks end.
    let stops: Vec<u64> = (1..STEPS).collect();
    let search = counting(&stops, None);
    let Bench { parts, cancel, .. } = &mut bench;
    let mut fake = Fake::new(parts, &search);
    let mut say = |_: &str| {};
    let tuning = Tuning { attempts: 2, ..Tuning::default() };
    let mut driver = Driver::new(parts, &mut fake, &mut say, tuning, cancel).expect("a driver");
    let ended = driver.run(parts, &mut |parts: &mut Parts, say| parts.look(say), cancel).expect("driven");
    assert_eq!(ended, Ended::Complete);
    assert_eq!((bench.parts.done(), bench.steps()), (5, 5 * STEPS));
}

#[test]
fn a_part_without_progress_is_given_up() {
    let mut bench = Bench::new(1);
    let search = counting(&[], None);
    let Bench { parts, cancel, .. } = &mut bench;
    let mut fake = Fake::new(parts, &search);
    // The first task is lost.
    let lost = Tuning { attempts: 1, ..Tuning::default() };
    let mut said = String::new();
    let mut say = |text: &str| said += text;
    let mut driver = Driver::new(parts, &mut fake, &mut say, lost, cancel).expect("a driver");
    let ended = driver.run(parts, &mut |parts: &mut Parts, say| parts.look(say), cancel).expect("driven");
    assert_eq!(ended, Ended::GivenUp(vec![0]));
    drop(driver);
    assert!(said.contains("part 0 is given up after 1 attempt: z3: not found"), "{said}");
}
