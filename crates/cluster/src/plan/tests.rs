use super::*;
use campaign::outcome::Status;
use campaign::profile;
use campaign::store::{Campaign, SECOND_OPINION, Store};
use tempfile::TempDir;

fn instance(id: i64) -> InstanceRow {
    InstanceRow {
        id,
        name: format!("a/{id}"),
        category: "c".into(),
        operation: String::new(),
        status: if id % 4 == 0 { Status::Unknown } else { Status::Sat },
        source: format!("(assert {id})").repeat(id as usize % 7).into_bytes(),
    }
}

/// A campaign with instances of every third key, as of `--shard 2/3`.
fn campaign(dir: &TempDir, count: i64) -> Store {
    let mut store = Store::create(&dir.path().join("a.store"), &Campaign::default()).expect("created");
    let rows: Vec<InstanceRow> = (0..count).map(|i| instance(2 + 3 * i)).collect();
    store.add_instances(&rows).expect("written");
    store.set_planned().expect("written");
    store
}

fn solvers() -> Vec<(i64, campaign::profile::Solver)> {
    let shell = profile::resolve("shell=/bin/sh").expect("a program");
    let second = campaign::profile::Solver { name: SECOND_OPINION.into(), ..shell.clone() };
    vec![(1, shell), (4, second)]
}

fn frozen(dir: &TempDir, count: i64, chunk: u64) -> Frozen {
    let settings = Settings { seeds: vec![3, 1], ..Settings::default() };
    let plans = dir.path().join("plans");
    freeze(&campaign(dir, count), (&solvers(), &settings), (chunk, 1.0), &Nodes::default(), &plans)
        .expect("frozen")
}

#[test]
fn every_job_is_in_one_chunk_and_has_its_instance() {
    let dir = tempfile::tempdir().expect("a folder");
    let frozen = frozen(&dir, 1200, 7);
    let plan = Plan::open(&frozen.plan.folder, Some(&frozen.plan.digest)).expect("opened");
    assert_eq!(plan, frozen.plan);
    assert_eq!((plan.jobs(), plan.chunks()), (4800, 686));
    let mut seen = Done::new(plan.jobs());
    for chunk in 0..plan.chunks() {
        let range = plan.range(chunk).expect("a chunk");
        let rows = plan.instances(range.clone()).expect("readable");
        for (place, row) in &rows {
            assert_eq!(*row, instance(2 + 3 * *place as i64));
            for (solver, seed) in [(1, 1), (1, 3), (4, 1), (4, 3)] {
                let job = plan.job(*place, (row.id, solver, seed)).expect("planned");
                assert_eq!(Some(job), frozen.job((row.id, solver, seed)));
                assert!(!range.contains(&job) || (seen.add(job) && plan.chunk_of(job) == chunk));
            }
        }
    }
    assert_eq!(seen.count(), plan.jobs());
    assert!(matches!(plan.range(686), Err(Error::NoChunk(686, 686))));
    assert_eq!((plan.job(0, (2, 9, 1)), plan.job(0, (2, 1, 2)), frozen.job((3, 1, 1))), (None, None, None));
}

#[test]
fn second_opinions_are_for_open_instances_and_one_seed() {
    let dir = tempfile::tempdir().expect("a folder");
    let frozen = frozen(&dir, 8, 7);
    let unknown = (0..8).filter(|i| (2 + 3 * i) % 4 == 0).count() as u64;
    assert_eq!(frozen.plan.header.runs, 8 * 2 + unknown);
    assert_eq!(frozen.plan.done().expect("readable"), frozen.done);
}

#[test]
fn an_empty_plan_is_an_error() {
    let dir = tempfile::tempdir().expect("a folder");
    let settings = Settings::default();
    let store = campaign(&dir, 0);
    let plans = dir.path().join("plans");
    let empty = freeze(&store, (&solvers(), &settings), (5, 1.0), &Nodes::default(), &plans);
    assert!(matches!(empty, Err(Error::Empty)));
}

#[test]
fn a_plan_that_was_changed_is_refused() {
    let dir = tempfile::tempdir().expect("a folder");
    let frozen = frozen(&dir, 50, 10);
    let folder = &frozen.plan.folder;
    for file in [INSTANCES, DONE] {
        let path = folder.join(file);
        let mut bytes = std::fs::read(&path).expect("readable");
        let last = bytes.len() - 1;
        bytes[last] ^= 1;
        std::fs::write(&path, &bytes).expect("written");
    }
    let plan = Plan::open(folder, None).expect("opened");
    assert!(plan.instances(0..10).expect_err("refused").to_string().contains("differs from the plan"));
    assert!(plan.done().expect_err("refused").to_string().contains("differs"));
    let header = folder.join(HEADER);
    let text = std::fs::read_to_string(&header).expect("readable").replace("\"chunk\":10", "\"chunk\":11");
    std::fs::write(&header, text).expect("written");
    let refused = Plan::open(folder, Some(&frozen.plan.digest)).expect_err("refused").to_string();
    assert!(refused.contains("its digest is another one: the plan was changed"), "{refused}");
    std::fs::write(&header, "{").expect("written");
    assert!(Plan::open(folder, None).expect_err("refused").to_string().contains("not a plan"));
}

#[test]
fn the_same_campaign_in_two_stores_has_two_plans() {
    let (a, b, shared) = (tempfile::tempdir(), tempfile::tempdir(), tempfile::tempdir());
    let (a, b, shared) = (a.expect("a folder"), b.expect("a folder"), shared.expect("a folder"));
    let plan = |dir: &TempDir| {
        let settings = Settings::default();
        freeze(&campaign(dir, 4), (&solvers(), &settings), (3, 1.0), &Nodes::default(), shared.path())
            .expect("frozen")
            .plan
    };
    // Drivers remove the shards that they have merged.
    assert_ne!(plan(&a).folder, plan(&b).folder);
}
