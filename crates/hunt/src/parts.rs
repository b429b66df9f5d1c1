//! Hunts with different seeds, united into one.
//!
//! The names of instances have the seed of their hunt, so that no two hunts have one in common. Runs keep their examinations: the next triage groups
//! them without another reduction. The result depends on the parts only: uniting more of them later, or again after it was stopped, starts
//! from nothing.

use crate::state::State;
use campaign::store::{InstanceRow, RunRow, Store};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Records the hunts of `parts` in the store of a hunt with the same solvers, instead of what it holds.
pub fn unite(store: &mut Store, parts: &[PathBuf]) -> anyhow::Result<()> {
    store.clear()?;
    let mut united = State::default();
    for path in parts {
        let part = Store::open_read_only(path)?;
        let Some(state) = State::read(&part)? else { continue };
        add(store, &part, united.kept)?;
        united.absorb(&state);
        // Failures have numbers: some may have been recorded after the state.
        united.kept = store.run_keys()?.iter().map(|key| key.0).max().unwrap_or(0).cast_unsigned();
    }
    united.write(store)
}

/// Adds the failures of a part, numbered after those that are there.
fn add(store: &mut Store, part: &Store, after: u64) -> anyhow::Result<()> {
    let after = i64::try_from(after)?;
    let mine: BTreeMap<String, i64> = store.solvers()?.into_iter().map(|s| (s.name, s.id)).collect();
    let solvers: BTreeMap<i64, i64> =
        part.solvers()?.into_iter().filter_map(|s| Some((s.id, *mine.get(&s.name)?))).collect();
    let rows = part.instances(true)?;
    store.add_instances(
        &rows.into_iter().map(|row| InstanceRow { id: row.id + after, ..row }).collect::<Vec<_>>(),
    )?;
    let solver = |id: i64| solvers.get(&id).copied().unwrap_or(id);
    let runs = part.runs(true)?.into_iter();
    let rekeyed = |run: RunRow| RunRow { instance: run.instance + after, solver: solver(run.solver), ..run };
    store.add_runs(&runs.map(rekeyed).collect::<Vec<_>>(), true)?;
    for examined in part.examinations()? {
        let (instance, id, seed) = examined.run;
        store.set_examination((instance + after, solver(id), seed), &examined.examination)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use campaign::finding::Examination;
    use campaign::outcome::{Answer, CoreCheck, Kind, ModelCheck, Status};
    use campaign::store::{Campaign, SolverRow};
    use std::path::Path;
    use std::time::Duration;

    fn solver(name: &str) -> SolverRow {
        let text = String::new;
        SolverRow { id: 0, name: name.into(), program: name.into(), version: text(), profile: text() }
    }

    fn run(instance: i64, solver: i64) -> RunRow {
        RunRow {
            instance,
            solver,
            seed: 0,
            kind: Kind::WrongUnsat,
            answer: Answer::Unsat,
            model: ModelCheck::Absent,
            core: CoreCheck::Absent,
            ending: "exit 0".into(),
            wall: Duration::from_millis(1),
            cpu: Duration::ZERO,
            memory_kib: 0,
            batched: false,
            flaky: false,
            output: b"unsat".to_vec(),
            evidence: String::new(),
            command: String::new(),
        }
    }

    /// A store with solvers in this order, and failures of the second one.
    fn store(path: &Path, solvers: [&str; 2], seed: u64, failures: i64) -> Store {
        let mut store = Store::create(path, &Campaign::default()).expect("created");
        for name in solvers {
            store.add_solver(&solver(name)).expect("added");
        }
        let row = |id| InstanceRow {
            id,
            name: format!("hunt/term/{seed}-{id}"),
            category: "hunt".into(),
            operation: String::new(),
            status: Status::Sat,
            source: format!("; {seed} {id}").into_bytes(),
        };
        store.add_instances(&(1..=failures).map(row).collect::<Vec<_>>()).expect("written");
        store.add_runs(&(1..=failures).map(|id| run(id, 2)).collect::<Vec<_>>(), false).expect("written");
        let mut state =
            State { kept: failures.cast_unsigned(), units: seed, cpu_own: 1.5, ..State::default() };
        let arm = state.arms.place("term", solvers[1]);
        state.arms.list[arm].instances = 100;
        state.kinds.entry(solvers[1].into()).or_default().insert(Kind::WrongUnsat, failures.cast_unsigned());
        state.next.insert("term".into(), 50 * seed);
        state.write(&store).expect("written");
        store
    }

    #[test]
    fn failures_are_numbered_on_and_states_added_up() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = |name: &str| dir.path().join(name);
        let refused = Examination::Refused { why: "it did not fail again".into() };
        let one = store(&path("1"), ["z3", "cvc5"], 1, 2);
        one.set_examination((2, 2, 0), &refused).expect("written");
        drop((one, store(&path("2"), ["cvc5", "z3"], 2, 3)));
        let mut all = store(&path("all"), ["z3", "cvc5"], 9, 1);
        // Uniting again starts from nothing.
        for _ in 0..2 {
            unite(&mut all, &[path("1"), path("2")]).expect("united");
            let runs: Vec<_> =
                all.runs(false).expect("read").iter().map(|r| (r.instance, r.solver)).collect();
            assert_eq!(runs, [(1, 2), (2, 2), (3, 1), (4, 1), (5, 1)], "solvers by name");
            let names: Vec<String> =
                all.instances(false).expect("read").into_iter().map(|i| i.name).collect();
            assert_eq!((&*names[1], &*names[2]), ("hunt/term/1-2", "hunt/term/2-1"));
            let examined = all.examinations().expect("read");
            assert_eq!(examined.iter().map(|e| e.run).collect::<Vec<_>>(), [(2, 2, 0)]);
            let state = State::read(&all).expect("read").expect("a hunt");
            assert_eq!((state.kept, state.instances(), state.units, state.parts), (5, 200, 2, 2));
            assert_eq!((state.next["term"], state.kinds["z3"][&Kind::WrongUnsat]), (100, 3));
            assert!((state.cpu_own - 3.0).abs() < 1e-9);
        }
    }
}
