//! Rows for tests.

use std::path::Path;
use std::time::Duration;
use stringent_campaign::outcome::{Answer, CoreCheck, Kind, ModelCheck, Status};
use stringent_campaign::store::{Campaign, InstanceRow, RunRow, SolverRow, Store};

pub(crate) fn campaign() -> Campaign {
    Campaign {
        created: "2026-01-02T03:04:05Z".into(),
        version: "0.2.0".into(),
        seed: u64::MAX,
        ..Campaign::default()
    }
}

pub(crate) fn instance(id: i64, name: &str) -> InstanceRow {
    InstanceRow {
        id,
        name: name.into(),
        category: "constant".into(),
        operation: "str.at".into(),
        status: Status::Sat,
        source: format!("(set-info :stringent-scale \"depth {id}\")\n(assert (= x \"{name}\"))\n")
            .into_bytes(),
    }
}

pub(crate) fn solver(name: &str) -> SolverRow {
    let text = |part: &str| format!("{part} of {name}");
    SolverRow {
        id: 0,
        name: name.into(),
        program: text("program"),
        version: text("version"),
        profile: text("profile"),
    }
}

pub(crate) fn run(instance: i64, solver: i64, seed: u64) -> RunRow {
    RunRow {
        instance,
        solver,
        seed,
        kind: Kind::ValidModel,
        answer: Answer::Sat,
        model: ModelCheck::Holds,
        core: CoreCheck::Absent,
        ending: "exit 0".into(),
        wall: Duration::from_micros(1_234_567),
        cpu: Duration::from_micros(7),
        memory_kib: 1 << 40,
        batched: true,
        flaky: false,
        output: format!("sat\n(model {instance})\n\0\u{1b}\n").into_bytes(),
        evidence: "x is \"ü\"\n".into(),
        command: "z3 -in".into(),
    }
}

/// A store with two solvers and this number of instances.
pub(crate) fn filled(path: &Path, instances: i64) -> Store {
    let mut store = Store::create(path, &campaign()).expect("created");
    assert_eq!(store.add_solver(&solver("a")).expect("added"), 1);
    assert_eq!(store.add_solver(&solver("b")).expect("added"), 2);
    let list: Vec<InstanceRow> = (1..=instances).map(|id| instance(id, &format!("i/{id}"))).collect();
    store.add_instances(&list).expect("added");
    store.set_planned().expect("planned");
    store
}
