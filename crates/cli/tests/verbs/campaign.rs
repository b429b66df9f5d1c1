//! `stringent run`, killed repeatedly: nothing is lost, nothing is repeated, no solver is left behind.

use campaign::outcome::Verdict;
use campaign::store::{RunRow, Store};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const COUNT: usize = 40;
const INSTANCE: &str =
    "(set-logic QF_S)(set-info :status sat)(declare-const s String)(assert (= s \"a\"))(check-sat)";
/// Records its process and its input, forks, waits, answers.
const SOLVER: &str = "#!/bin/sh\necho $$ >> DIR/pids\ncat > /dev/null\nsleep 0.2 &\necho $! >> DIR/pids\n\
    setsid sh -c 'echo $$ >> DIR/pids; exec sleep 100' > /dev/null 2>&1 &\nsleep 0.03\necho sat\necho '(model (define-fun s () String \"a\"))'\n";

fn start(dir: &Path, resume: bool) -> Child {
    let solver = format!("fake={}", dir.join("solver").display());
    let mut command = Command::new(env!("CARGO_BIN_EXE_stringent"));
    command.arg("run").arg(dir.join("files")).args(["--solver", &solver, "--jobs", "2", "--no-html"]);
    command.arg("--store").arg(dir.join("store"));
    if resume {
        command.arg("--resume");
    }
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("stringent")
}

fn runs(dir: &Path) -> Vec<RunRow> {
    Store::open(&dir.join("store")).and_then(|s| s.runs(true)).expect("a sound store")
}

/// Waits until no solver is there any more.
fn assert_ended(dir: &Path) {
    let end = Instant::now() + Duration::from_secs(60);
    while fs::read_to_string(dir.join("pids")).unwrap_or_default().lines().any(lives) {
        assert!(Instant::now() < end, "a solver lives on");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Its number may be somebody else's by now, and a zombie is dead.
fn lives(pid: &str) -> bool {
    let Ok(command) = fs::read_to_string(format!("/proc/{pid}/cmdline")) else { return false };
    let Ok(stat) = fs::read_to_string(format!("/proc/{pid}/stat")) else { return false };
    (command.starts_with("sleep") || command.contains("/solver")) && !stat.contains(") Z ")
}

#[test]
fn killed_and_resumed() {
    let dir = tempfile::tempdir().expect("a folder");
    let dir = dir.path();
    fs::create_dir(dir.join("files")).expect("a folder");
    for i in 0..COUNT {
        fs::write(dir.join(format!("files/{i:03}.smt2")), INSTANCE).expect("a file");
    }
    let script = SOLVER.replace("DIR", dir.to_str().expect("a plain name"));
    fs::write(dir.join("solver"), script).expect("a script");
    fs::set_permissions(dir.join("solver"), fs::Permissions::from_mode(0o755)).expect("made executable");
    let mut kept: Vec<RunRow> = Vec::new();
    let (mut resume, mut killed) = (false, 0);
    for round in 0.. {
        assert!(round < 100, "it gets nowhere");
        let mut campaign = start(dir, resume);
        let end = Instant::now() + Duration::from_millis(200 + 61 * round);
        while campaign.try_wait().expect("a status").is_none() && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(5));
        }
        let finished = campaign.try_wait().expect("a status").is_some();
        let _ = campaign.kill();
        let status = campaign.wait().expect("reaped");
        assert_ended(dir);
        if Store::open(&dir.join("store")).is_err() {
            // Killed before there was anything to go on with.
            assert!(!finished, "{status}");
            let _ = fs::remove_file(dir.join("store"));
            continue;
        }
        resume = true;
        let now = runs(dir);
        assert!(kept.iter().all(|run| now.contains(run)), "recorded once, a run stays as it is");
        kept = now;
        if finished {
            assert_eq!(status.code(), Some(0));
            break;
        }
        killed += 1;
    }
    assert!(killed > 0, "it was killed at least once");
    assert_eq!(kept.len(), COUNT, "nothing is lost");
    assert!(kept.iter().all(|run| run.verdict() == Verdict::Ok && !run.flaky));
}
