//! A server that is killed while runs are written: nothing that was recorded is lost, nothing is there twice.

use crate::rows::{filled, run};
use crate::server::Server;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use stringent_campaign::store::{RunRow, Store};

const WRITERS: u64 = 4;
const BATCHES: u64 = 60;

#[test]
#[ignore = "needs the programs of PostgreSQL"]
fn a_server_killed_while_runs_are_written() {
    let server = Server::start();
    let path = server.address("lost");
    filled(&path, 10).add_cluster_tables().expect("written");
    let written = AtomicU64::new(0);
    std::thread::scope(|scope| {
        for writer in 0..WRITERS {
            let (path, written) = (&path, &written);
            scope.spawn(move || {
                let mut store = Store::open(path).expect("opened");
                for batch in 0..BATCHES {
                    let seed = writer * BATCHES + batch;
                    let rows: Vec<RunRow> = (1..=10).map(|i| run(i, 1, seed)).collect();
                    // One by one, and as a shard of a cluster.
                    let done = match batch % 2 {
                        0 => store.add_runs(&rows, false),
                        _ => store.merge_shard(&format!("{writer}.{batch}.0.0"), &rows).map(drop),
                    };
                    done.expect("recorded, if necessary by the server that was started again");
                    written.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        for round in 1..=2 {
            while written.load(Ordering::Relaxed) < round * WRITERS * BATCHES / 3 {
                std::thread::sleep(Duration::from_millis(1));
            }
            server.kill();
            let before = written.load(Ordering::Relaxed);
            server.restart();
            let kept = Store::open_read_only(&path).expect("opened").run_keys().expect("read").len() as u64;
            assert!(kept >= before * 10, "{kept} runs are left of {}", before * 10);
        }
    });
    let store = Store::open_read_only(&path).expect("opened");
    let expected: Vec<RunRow> =
        (1..=10).flat_map(|i| (0..WRITERS * BATCHES).map(move |seed| run(i, 1, seed))).collect();
    assert_eq!(store.runs(true).expect("read"), expected);
}
