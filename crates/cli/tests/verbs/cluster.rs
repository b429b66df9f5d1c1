//! `test --on slurm` with programs in the place of Slurm: mistakes end it before anything runs, or at once.

use crate::parts::{ON, cluster, program, stringent};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const TEST: [&str; 13] = [
    "test",
    "--gen",
    "regex",
    "--count",
    "5",
    "--seed",
    "3",
    "--solver",
    "wrong=./wrong",
    "--no-html",
    "--quiet",
    "--store",
    "a.store",
];

fn said(out: &Output) -> String {
    String::from_utf8_lossy(&out.stderr).into_owned()
}

fn run(dir: &Path) -> Output {
    stringent(dir, &[&TEST[..], &ON].concat())
}

#[test]
fn without_the_commands_of_slurm_no_store_is_created() {
    let dir = cluster();
    let mut command = Command::new(env!("CARGO_BIN_EXE_stringent"));
    let out = command.args(TEST).args(ON).current_dir(dir.path()).env("PATH", dir.path()).output();
    let out = out.expect("stringent");
    assert_eq!(out.status.code(), Some(2), "{}", said(&out));
    assert!(said(&out).contains("not on PATH: sbatch, squeue, scancel and sinfo"), "{}", said(&out));
    assert!(!dir.path().join("a.store").exists());
}

#[test]
fn a_wrong_partition_is_not_tried_again() {
    let dir = cluster();
    let refuses = "#!/bin/sh\necho \"$*\" >> asked\necho 'sbatch: error: invalid partition specified: mian' >&2\nexit 1\n";
    program(&dir.path().join("bin/sbatch"), refuses);
    let out = run(dir.path());
    assert_eq!(out.status.code(), Some(2), "{}", said(&out));
    assert!(
        said(&out).contains("nothing can be submitted: sbatch: error: invalid partition"),
        "{}",
        said(&out)
    );
    assert!(said(&out).contains("stringent cluster check") && !said(&out).contains("the jobs go on"));
    assert_eq!(fs::read_to_string(dir.path().join("asked")).expect("asked").lines().count(), 1);
}

#[test]
fn a_plan_that_is_cut_off_is_named_with_a_way_out() {
    let dir = cluster();
    // Its tasks vanish.
    program(&dir.path().join("bin/sbatch"), "#!/bin/sh\nexit 0\n");
    assert_eq!(run(dir.path()).status.code(), Some(11));
    let plans = fs::read_dir(dir.path().join("shared/plans")).expect("plans");
    let plan = plans.map(|p| p.expect("an entry").path()).next().expect("a plan");
    let text = fs::read(plan.join("plan.json")).expect("readable");
    fs::write(plan.join("plan.json"), &text[..text.len() / 2]).expect("written");
    let resume = [&["test", "--resume", "--no-html", "--quiet", "--store", "a.store"][..], &ON].concat();
    let out = stringent(dir.path(), &resume);
    assert_eq!(out.status.code(), Some(2), "{}", said(&out));
    assert!(said(&out).contains("the plan was changed, or is cut off; after `rm -r "), "{}", said(&out));
    fs::remove_dir_all(&plan).expect("removed");
    assert_eq!(stringent(dir.path(), &resume).status.code(), Some(11), "planned again");
}

#[test]
fn another_build_of_a_solver_is_refused_before_anything_is_submitted() {
    let dir = cluster();
    program(&dir.path().join("bin/sbatch"), "#!/bin/sh\necho x >> asked\n");
    assert_eq!(run(dir.path()).status.code(), Some(11));
    let before = fs::read_to_string(dir.path().join("asked")).expect("asked");
    program(&dir.path().join("wrong"), "#!/bin/sh\necho unknown # newer\n");
    let out =
        stringent(dir.path(), &[&["test", "--resume", "--no-html", "--store", "a.store"][..], &ON].concat());
    assert_eq!(out.status.code(), Some(2), "{}", said(&out));
    assert!(said(&out).contains("is another build than at the start of the campaign"), "{}", said(&out));
    assert_eq!(fs::read_to_string(dir.path().join("asked")).expect("asked"), before);
    // On one machine it is told, and goes on.
    let out = stringent(dir.path(), &["test", "--resume", "--no-html", "--store", "a.store"]);
    assert!(said(&out).contains("note: `wrong`"), "{}", said(&out));
    assert_eq!(out.status.code(), Some(0), "{}", said(&out));
}
