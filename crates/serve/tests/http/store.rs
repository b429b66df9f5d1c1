//! Stores for the tests: `a` with hostile texts, `b` that grows, `big` with some thousand runs.

use campaign::outcome::{Answer, CoreCheck, Kind, ModelCheck, Status};
use campaign::settings::Settings;
use campaign::store::{Campaign, InstanceRow, RunRow, SolverRow, Store};
use std::path::Path;
use std::time::Duration;

/// Text that solvers and files may contain.
pub(crate) const NASTY: &str =
    "</script><script>alert(1)</script><img src=x onerror=alert(1)>&<\"'\u{1b}[31m\u{202e}]]>";

/// A folder of stores.
pub(crate) struct Made {
    dir: tempfile::TempDir,
    growing: Store,
}

impl Made {
    pub(crate) fn new() -> Made {
        let dir = tempfile::tempdir().expect("a folder");
        hostile(&dir.path().join("a.store"));
        let growing = growing(&dir.path().join("b.store"));
        Made { dir, growing }
    }

    /// With `big` too.
    pub(crate) fn with_big() -> Made {
        let made = Made::new();
        Store::sample(&made.path().join("big.store"), 8000, &mut |_| {}).expect("a store");
        made
    }

    pub(crate) fn path(&self) -> &Path {
        self.dir.path()
    }

    /// Adds the `n`th run of `b`.
    pub(crate) fn grow(&mut self, n: i64) {
        self.growing.add_runs(&[run(n, 1, Kind::CorrectSat)], false).expect("a run");
    }

    pub(crate) fn finish(&self) {
        self.growing.set_finished("2026-01-02T04:00:00Z").expect("finished");
    }

    /// The runs of a solver in `big`.
    pub(crate) fn runs(&self, solver: &str) -> usize {
        let store = Store::open_read_only(&self.path().join("big.store")).expect("a store");
        let id = store.solvers().expect("read").iter().find(|s| s.name == solver).expect("a solver").id;
        store.runs(false).expect("read").iter().filter(|r| r.solver == id).count()
    }
}

fn campaign() -> Campaign {
    Campaign {
        created: "2026-01-02T03:04:05Z".into(),
        version: "0.2.0".into(),
        command: format!("stringent run {NASTY}"),
        host: "a machine".into(),
        seed: 7,
        settings: Settings { jobs: 2, ..Settings::default() },
        finished: None,
    }
}

fn solver(store: &Store, name: &str) {
    let (name, program, version) = (name.to_owned(), format!("/opt/{NASTY}/solver"), format!("1.0 {NASTY}"));
    store.add_solver(&SolverRow { id: 0, name, program, version, profile: String::new() }).expect("a solver");
}

fn instance(id: i64, name: &str) -> InstanceRow {
    InstanceRow {
        id,
        name: name.into(),
        category: "x".into(),
        operation: format!("o{NASTY}"),
        status: Status::Sat,
        source: format!("; {NASTY}\n(declare-const x String)\n(assert (= x \"{NASTY}\"))\n(check-sat)\n")
            .into_bytes(),
    }
}

fn run(instance: i64, solver: i64, kind: Kind) -> RunRow {
    RunRow {
        instance,
        solver,
        seed: 0,
        kind,
        answer: if kind == Kind::WrongUnsat { Answer::Unsat } else { Answer::Sat },
        model: ModelCheck::Absent,
        core: CoreCheck::Absent,
        ending: format!("exit 0 {NASTY}"),
        wall: Duration::from_millis(12),
        cpu: Duration::from_millis(10),
        memory_kib: 2048,
        batched: false,
        flaky: false,
        output: format!("unsat\n{NASTY}\n").into_bytes(),
        evidence: format!("because {NASTY}"),
        command: format!("/opt/solver {NASTY}"),
    }
}

fn hostile(path: &Path) {
    let mut store = Store::create(path, &campaign()).expect("a store");
    solver(&store, "s<b>");
    solver(&store, "t");
    store.add_instances(&[instance(1, &format!("n{NASTY}")), instance(2, "plain")]).expect("instances");
    let runs = [
        run(1, 1, Kind::WrongUnsat),
        run(1, 2, Kind::CorrectSat),
        run(2, 1, Kind::CorrectSat),
        run(2, 2, Kind::CorrectSat),
    ];
    store.add_runs(&runs, false).expect("runs");
    store.set_planned().expect("planned");
    store.set_finished("2026-01-02T03:05:00Z").expect("finished");
}

fn growing(path: &Path) -> Store {
    let mut store = Store::create(path, &campaign()).expect("a store");
    solver(&store, "t");
    let all: Vec<InstanceRow> = (1..=6).map(|id| instance(id, &format!("grows/{id}"))).collect();
    store.add_instances(&all).expect("instances");
    store.set_planned().expect("planned");
    store.add_runs(&[run(1, 1, Kind::CorrectSat)], false).expect("a run");
    store
}
