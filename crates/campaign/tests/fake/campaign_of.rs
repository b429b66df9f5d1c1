//! Small campaigns with fake solvers.

use super::{Fakes, roomy};
use std::path::{Path, PathBuf};
use std::time::Duration;
use stringent_campaign::outcome::Status;
use stringent_campaign::process::Limits;
use stringent_campaign::profile::{Profile, Solver};
use stringent_campaign::settings::Settings;
use stringent_campaign::store::{Campaign, InstanceRow, RunRow, SolverRow, Store};

/// Takes all of its input, then answers as expected for [`sat`].
pub(crate) const GOOD: &str = "cat > /dev/null; echo sat; echo '((s \"a\"))'";

/// An instance that is satisfiable with `s` = `a`.
pub(crate) fn sat(id: i64) -> InstanceRow {
    let source = "(set-logic QF_S)(set-info :status sat)(set-info :stringent-model ((s \"a\")))\
                  (declare-const s String)(assert (= s \"a\"))(check-sat)";
    instance(id, Status::Sat, source)
}

/// An instance that is not satisfiable.
pub(crate) fn unsat(id: i64) -> InstanceRow {
    let source = "(set-logic QF_S)(set-info :status unsat)(declare-const s String)\
                  (assert (= s \"a\"))(assert (= s \"b\"))(check-sat)";
    instance(id, Status::Unsat, source)
}

pub(crate) fn instance(id: i64, status: Status, source: &str) -> InstanceRow {
    InstanceRow {
        id,
        name: format!("test/{id:04}"),
        category: "test".into(),
        operation: String::new(),
        status,
        source: source.into(),
    }
}

/// A store with these instances.
pub(crate) fn store(path: &Path, instances: &[InstanceRow]) -> Store {
    let mut store = Store::create(path, &Campaign::default()).expect("a new store");
    store.add_instances(instances).expect("added");
    store.set_planned().expect("planned");
    store
}

/// A solver with this program; `extra` are further lines of its profile.
pub(crate) fn solver(name: &str, program: PathBuf, extra: &str) -> Solver {
    let text = format!("name = '{name}'\nabout = ''\nprogram = '{name}'\nmodel = 'get-value'\n{extra}");
    let profile: Profile = toml::from_str(&text).expect("a profile");
    Solver { name: name.into(), profile, program, version: String::new() }
}

/// Adds solvers to a store.
pub(crate) fn entered(store: &Store, solvers: Vec<Solver>) -> Vec<(i64, Solver)> {
    let enter = |s: &Solver| {
        let (name, program) = (s.name.clone(), s.program.display().to_string());
        store.add_solver(&SolverRow { id: 0, name, program, version: String::new(), profile: String::new() })
    };
    solvers.into_iter().map(|s| (enter(&s).expect("entered"), s)).collect()
}

pub(crate) fn settings() -> Settings {
    Settings { limits: Limits { wall: Duration::from_secs(30), ..roomy() }, jobs: 2, ..Settings::default() }
}

/// A run without its measurements.
pub(crate) fn timeless(mut run: RunRow) -> RunRow {
    (run.wall, run.cpu, run.memory_kib) = (Duration::ZERO, Duration::ZERO, 0);
    run
}

/// All runs, without their measurements.
pub(crate) fn runs(store: &Store) -> Vec<RunRow> {
    store.runs(true).expect("readable").into_iter().map(timeless).collect()
}

/// The lines that solvers wrote to the file `log`.
pub(crate) fn log(fakes: &Fakes) -> Vec<String> {
    let text = std::fs::read_to_string(fakes.path("log")).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}
