//! A small store with hand-made runs: every verdict and kind, and content that could break reports.

use std::time::Duration;
use stringent_campaign::outcome::{Answer, CoreCheck, Kind, ModelCheck, Status};
use stringent_campaign::report::Data;
use stringent_campaign::settings::Settings;
use stringent_campaign::store::{Campaign, InstanceRow, RunRow, SolverRow, Store};

/// Text that solvers and files may contain.
pub(crate) const NASTY: &str = "</script><script>alert(1)</script>&<\"'\u{1b}[31m\u{202e}]]>";

/// A store in a directory of its own.
pub(crate) struct Fixture {
    _dir: tempfile::TempDir,
    pub(crate) store: Store,
    instances: i64,
}

impl Fixture {
    /// An empty campaign with these solvers.
    pub(crate) fn new(file: &str, solvers: &[&str]) -> Fixture {
        let dir = tempfile::tempdir().expect("a directory");
        let campaign = Campaign {
            created: "2026-01-02T03:04:05Z".into(),
            version: "0.1.0".into(),
            command: "stringent test --solver a --solver b".into(),
            host: "a machine".into(),
            seed: 7,
            settings: Settings { jobs: 2, ..Settings::default() },
            finished: None,
        };
        let store = Store::create(&dir.path().join(file), &campaign).expect("a store");
        for (i, name) in solvers.iter().enumerate() {
            let profile = if i == 0 {
                "name = \"a\"\nabout = \"\"\nprogram = \"a\"\nargs = [\"--seed\", \"{seed}\"]\n".to_owned()
            } else {
                "name = \"b\"\nabout = \"\"\nprogram = \"b\"\ninput = \"file\"\nargs = [\"--tlimit={time-ms}\", \"{file}\"]\n".to_owned()
            };
            let row = SolverRow {
                id: 0,
                name: (*name).to_owned(),
                program: format!("/opt/{i} x/bin/solver"),
                version: format!("version {i}"),
                profile,
            };
            store.add_solver(&row).expect("a solver");
        }
        Fixture { _dir: dir, store, instances: 0 }
    }

    /// Adds an instance; its key.
    pub(crate) fn instance(&mut self, name: &str, category: &str, operation: &str, status: Status) -> i64 {
        self.text(name, category, operation, status, &format!("(assert (= \"{name}\" x))\n(check-sat)\n"))
    }

    /// Adds an instance with this text.
    pub(crate) fn text(
        &mut self,
        name: &str,
        category: &str,
        operation: &str,
        status: Status,
        text: &str,
    ) -> i64 {
        self.instances += 1;
        let row = InstanceRow {
            id: self.instances,
            name: name.into(),
            category: category.into(),
            operation: operation.into(),
            status,
            source: text.as_bytes().to_vec(),
        };
        self.store.add_instances(&[row]).expect("an instance");
        self.instances
    }

    /// Adds a run of `millis`.
    pub(crate) fn run(&mut self, instance: i64, solver: i64, kind: Kind, millis: u64) -> RunRow {
        let answer = match kind {
            Kind::ValidModel
            | Kind::CorrectSat
            | Kind::InvalidModel
            | Kind::WrongSat
            | Kind::OverApproximation => Answer::Sat,
            Kind::MinimalCore
            | Kind::CorrectUnsat
            | Kind::WrongUnsat
            | Kind::UnsoundCore
            | Kind::ImpreciseCore => Answer::Unsat,
            Kind::Unknown => Answer::Unknown,
            _ => Answer::None,
        };
        let row = RunRow {
            instance,
            solver,
            seed: 0,
            kind,
            answer,
            model: ModelCheck::Absent,
            core: CoreCheck::Absent,
            ending: "exit 0".into(),
            wall: Duration::from_millis(millis),
            cpu: Duration::from_millis(millis / 2),
            memory_kib: 2048,
            batched: false,
            flaky: false,
            output: format!("{answer}\n").into_bytes(),
            evidence: evidence(kind),
            command: format!("/opt/solver --seed 0 --for {instance}"),
        };
        self.add(&row);
        row
    }

    /// Adds or replaces a run.
    pub(crate) fn add(&mut self, row: &RunRow) {
        self.store.add_runs(std::slice::from_ref(row), true).expect("a run");
    }

    /// The data, its store under a name that does not change.
    pub(crate) fn data(&self, name: &str) -> Data {
        let mut data = Data::read(&self.store, &[]).expect("it reads");
        let all: Vec<usize> = (0..data.runs.len()).collect();
        data.load_details(&self.store, &all).expect("it reads");
        data.store = name.into();
        data
    }
}

fn evidence(kind: Kind) -> String {
    match kind {
        Kind::NotAsked => "not sent: dialect 2.0 cannot express `str.replace_all`".into(),
        Kind::NotSent => "not sent: it cannot be read: t.smt2:1:1: `x` is not declared".into(),
        Kind::Unsupported => "its profile lists `str.rev` as unsupported\nunknown constant str.rev".into(),
        _ => format!("because of {kind}\nand so on"),
    }
}

/// Every kind once on solver `a`, all right on solver `b`; in the categories of the paper.
pub(crate) fn every_kind() -> Fixture {
    let mut f = Fixture::new("all.store", &["a", "b"]);
    let categories = ["operation", "constant", "term", "equivalent", "core", "redundancy"];
    for (i, &kind) in Kind::ALL.iter().enumerate() {
        let status = match kind {
            Kind::MinimalCore | Kind::CorrectUnsat | Kind::WrongSat | Kind::OverApproximation => {
                Status::Unsat
            }
            Kind::UnsoundCore | Kind::ForeignCore | Kind::ImpreciseCore | Kind::CoreUndetermined => {
                Status::Unsat
            }
            _ => Status::Sat,
        };
        let category = categories[i % 3 + if status == Status::Sat { 0 } else { 3 }];
        let instance = f.instance(&format!("t/{category}/{kind}"), category, "str.at", status);
        f.run(instance, 1, kind, 10 + i as u64);
        let good = if status == Status::Sat { Kind::ValidModel } else { Kind::MinimalCore };
        f.run(instance, 2, good, 5);
    }
    f.store.set_finished("2026-01-02T03:14:05Z").expect("it writes");
    f
}
