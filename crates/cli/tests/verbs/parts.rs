//! `hunt --on slurm` and `break --on slurm`, with programs in the place of Slurm that run the tasks one after the other, and lose the first.

use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Output};

const SBATCH: &str = r#"#!/bin/sh
for word; do
    case "$word" in --array=0-*) last=${word#--array=0-} ;; esac
    script=$word
done
count=$(cat "$COUNT" 2>/dev/null || echo 0)
echo $((count + 1)) > "$COUNT"
for task in $(seq 0 "$last"); do
    if [ "$count$task" != 00 ]; then
        SLURM_ARRAY_TASK_ID=$task SLURM_JOB_ID=$((count * 100 + task + 1)) SLURM_CPUS_PER_TASK=2 sh "$script" >> "$COUNT.log" 2>&1
    fi
done
exit 0
"#;
const WRONG: &str = "#!/bin/sh\ncase \"$(cat)\" in *str.at*) echo unsat ;; *) echo unknown ;; esac\n";

pub(crate) fn program(path: &Path, text: &str) {
    fs::write(path, text).expect("written");
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("made executable");
}

/// A folder with the programs of Slurm, a solver that is wrong, and the profile of a cluster.
pub(crate) fn cluster() -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a folder");
    let bin = dir.path().join("bin");
    fs::create_dir(&bin).expect("created");
    program(&bin.join("sbatch"), SBATCH);
    program(&bin.join("squeue"), "#!/bin/sh\n");
    program(&bin.join("scancel"), "#!/bin/sh\n");
    program(&bin.join("sinfo"), "#!/bin/sh\n");
    program(&dir.path().join("wrong"), WRONG);
    let profile = format!("shared = \"{}\"\n[slurm]\npoll = 0.01\n", dir.path().join("shared").display());
    fs::write(dir.path().join("cluster.toml"), profile).expect("written");
    dir
}

pub(crate) fn stringent(dir: &Path, args: &[&str]) -> Output {
    let path = format!("{}:{}", dir.join("bin").display(), std::env::var("PATH").unwrap_or_default());
    let mut command = Command::new(env!("CARGO_BIN_EXE_stringent"));
    command.args(args).current_dir(dir).env("PATH", path).env("COUNT", dir.join("count"));
    command.output().expect("stringent")
}

fn json(out: &Output) -> Value {
    serde_json::from_slice(&out.stdout)
        .unwrap_or_else(|e| panic!("{e}: {}", String::from_utf8_lossy(&out.stderr)))
}

pub(crate) const ON: [&str; 4] = ["--on", "slurm", "--cluster", "cluster.toml"];

/// A hunt with these arguments: its result, and the names of its failures.
fn hunt(dir: &Path, store: &str, more: &[&str]) -> (Value, BTreeSet<String>) {
    let mut args = vec![
        "hunt",
        "--solver",
        "wrong=./wrong",
        "--source",
        "model-first",
        "--unit",
        "5",
        "--budget",
        "0.2",
    ];
    args.extend([
        "--time-limit",
        "30",
        "--instances",
        "60",
        "--no-html",
        "--quiet",
        "--format",
        "json",
        "--store",
        store,
    ]);
    args.extend(more);
    let out = stringent(dir, &args);
    assert_eq!(out.status.code(), Some(10), "{}", String::from_utf8_lossy(&out.stderr));
    let report = stringent(dir, &["report", store, "--csv", "runs.csv"]);
    assert!(
        report.status.code().is_some_and(|code| code < 20),
        "{}",
        String::from_utf8_lossy(&report.stderr)
    );
    let csv = fs::read_to_string(dir.join("runs.csv")).expect("readable");
    let name = |line: &str| line.split(',').find(|cell| cell.starts_with("hunt/")).map(str::to_owned);
    (json(&out), csv.lines().filter_map(name).collect())
}

#[test]
fn the_parts_of_a_hunt_are_the_hunts_of_their_seeds() {
    let dir = cluster();
    let (one, first) = hunt(dir.path(), "one.store", &["--seed", "40"]);
    let (two, second) = hunt(dir.path(), "two.store", &["--seed", "41"]);
    assert!(!first.is_empty() && !second.is_empty());
    let (all, names) = hunt(dir.path(), "all.store", &[&["--seed", "40", "--parts", "2"][..], &ON].concat());
    assert_eq!(names, &first | &second);
    let number = |value: &Value, key: &str| value[key].as_u64().expect("a number");
    assert_eq!(number(&all, "instances"), number(&one, "instances") + number(&two, "instances"));
    assert_eq!((number(&all, "parts"), &all["stopped"]), (2, &Value::Bool(false)));
    let counted = number(&all["failures"], "kept");
    assert_eq!(counted, number(&one["failures"], "kept") + number(&two["failures"], "kept"));
    assert_eq!(
        fs::read_to_string(dir.path().join("count")).expect("readable").trim(),
        "2",
        "one task was lost"
    );
    assert_eq!(fs::read_dir(dir.path().join("shared/parts")).expect("a folder").count(), 0);
    // It can go on on one machine, but its parts are not begun again.
    let again = [&["hunt", "--resume", "--store", "all.store"][..], &ON].concat();
    let refused = stringent(dir.path(), &again);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("its parts are united already"));
}

#[test]
fn a_hunt_on_a_cluster_needs_an_end() {
    let dir = cluster();
    let out = stringent(
        dir.path(),
        &[&["hunt", "--solver", "wrong=./wrong", "--store", "a.store"][..], &ON].concat(),
    );
    assert_eq!(out.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&out.stderr).contains("each part needs an end"));
    assert!(!dir.path().join("a.store").exists());
}

#[test]
fn a_part_that_cannot_be_done_is_given_up_and_tried_again_with_another_profile() {
    let dir = cluster();
    let profile = fs::read_to_string(dir.path().join("cluster.toml")).expect("readable");
    fs::write(dir.path().join("bad.toml"), format!("{profile}[programs]\nwrong = \"/nowhere/wrong\"\n"))
        .expect("written");
    let args =
        ["hunt", "--solver", "wrong=./wrong", "--source", "model-first", "--unit", "2", "--budget", "0.1"];
    let more = ["--time-limit", "30", "--instances", "1", "--no-html", "--store", "a.store", "--parts", "1"];
    let out =
        stringent(dir.path(), &[&args[..], &more, &["--on", "slurm", "--cluster", "bad.toml"]].concat());
    let said = String::from_utf8_lossy(&out.stderr).into_owned();
    assert_eq!(out.status.code(), Some(11), "{said}");
    assert!(said.contains("part 0 is given up after 3 attempts"), "{said}");
    let here = stringent(dir.path(), &["hunt", "--resume", "--store", "a.store"]);
    assert!(String::from_utf8_lossy(&here.stderr).contains("its parts are on a cluster: add --on slurm"));
    let resume = ["hunt", "--resume", "--store", "a.store", "--no-html", "--format", "json"];
    let out = stringent(dir.path(), &[&resume[..], &ON].concat());
    assert_eq!(json(&out)["parts"], 1, "{}", String::from_utf8_lossy(&out.stderr));
}

#[test]
fn the_runs_of_a_search_are_parts() {
    let dir = cluster();
    let args = [
        "break",
        "--runs",
        "2",
        "--seed",
        "5",
        "--generations",
        "2",
        "--population",
        "4",
        "--survivors",
        "2",
    ];
    let more = [
        "--time-limit",
        "20",
        "--repeat",
        "1",
        "--shrink",
        "3",
        "--out",
        "out",
        "--format",
        "json",
        "--quiet",
    ];
    let out = stringent(dir.path(), &[&args[..], &more, &ON].concat());
    let found = json(&out);
    let seeds: Vec<u64> =
        found["best"].as_array().expect("runs").iter().filter_map(|b| b["seed"].as_u64()).collect();
    assert_eq!(seeds, [5, 6]);
    for run in ["run-01.jsonl", "run-02.jsonl"] {
        let log = fs::read_to_string(dir.path().join("out").join(run)).expect("a log");
        assert_eq!(log.matches("{\"kind\":\"end\"").count(), 1, "{log}");
    }
    assert!(!dir.path().join("out/cluster.json").exists());
    let again = stringent(dir.path(), &["break", "--resume", "--out", "out", "--format", "json", "--quiet"]);
    assert_eq!(json(&again)["best"], found["best"]);
}
