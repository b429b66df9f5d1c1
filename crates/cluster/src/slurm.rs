//! Slurm: arrays by `sbatch`, the queue by `squeue`, ends by `scancel`.
//!
//! The accounting database is not used: not every cluster has one. `squeue` is asked for a few columns of our arrays only, which is
//! quicker than its JSON and the same in all versions.

use crate::config::Config;
use crate::drive::{Live, Scheduler, list_path};
use crate::error::Error;
use crate::files;
use campaign::clean::{one_line, printable, shell};
use campaign::process::Cancel;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The time between looks whether to stop.
const NAP: Duration = Duration::from_millis(50);
/// Bytes of the log of a task that are shown.
const WORDS: usize = 2000;

/// Slurm, for the arrays of one plan.
pub struct Slurm<'a> {
    config: &'a Config,
    /// The folder of the plan.
    plan: &'a Path,
    digest: &'a str,
    program: PathBuf,
    /// The folder for shards.
    out: &'a Path,
    started: Instant,
}

impl<'a> Slurm<'a> {
    /// For a plan with this digest.
    pub fn new(
        config: &'a Config,
        plan: &'a Path,
        digest: &'a str,
        out: &'a Path,
    ) -> Result<Slurm<'a>, Error> {
        files::create_folder(&plan.join("logs"))?;
        Ok(Slurm { config, plan, digest, program: program(config)?, out, started: Instant::now() })
    }

    /// The name of an array in the queue.
    pub fn name(&self, array: u32) -> String {
        format!("stringent-{}-{array}", &self.digest[..12])
    }

    /// The script of an array.
    fn script(&self, array: u32) -> String {
        let list = list_path(&self.plan.join("arrays"), array);
        let word = |path: &Path| shell(&path.display().to_string());
        format!(
            "#!/bin/sh\nexec {} worker --plan {} --digest {} --list {} --index \"$SLURM_ARRAY_TASK_ID\" --out {}\n",
            word(&self.program),
            word(self.plan),
            self.digest,
            word(&list),
            word(self.out)
        )
    }

    fn log(&self, array: u32, task: u32) -> PathBuf {
        self.plan.join("logs").join(format!("{}.{task}.log", self.name(array)))
    }
}

/// This program, as the nodes find it.
pub fn program(config: &Config) -> Result<PathBuf, Error> {
    let own = || std::env::current_exe().map_err(crate::error::io_error(Path::new("this program")));
    config.program.clone().map_or_else(own, Ok)
}

/// The arguments of sbatch that the profile of the cluster states.
pub fn flags(config: &Config) -> Vec<String> {
    let s = &config.slurm;
    let mut flags = vec![format!("--cpus-per-task={}", s.cpus), format!("--time={}", s.time)];
    flags.extend(s.partition.iter().map(|p| format!("--partition={p}")));
    flags.extend(s.account.iter().map(|a| format!("--account={a}")));
    flags.extend(s.memory.iter().map(|m| format!("--mem-per-cpu={m}")));
    flags.extend(s.flags.iter().cloned());
    flags
}

/// A secret that tasks do not need: Slurm stores the environment of jobs.
const SECRETS: [&str; 2] = ["PGPASSWORD", "STRINGENT_SERVE_TOKEN"];

/// A variable that changes what the commands print or whether they wait.
fn is_taste(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    ["SQUEUE_", "SINFO_", "SCANCEL_"].iter().any(|head| name.starts_with(head)) || name == "SBATCH_WAIT"
}

/// A path in an argument in which Slurm replaces `%x` and the like.
fn plain(path: &Path) -> String {
    path.display().to_string().replace('%', "%%")
}

/// The file that Slurm writes the output of a job to; `name` may have such letters.
pub(crate) fn output(folder: &Path, name: &str) -> String {
    format!("--output={}/{name}", plain(folder))
}

/// A refusal that does not pass by itself: a mistake in the profile, or no Slurm.
pub(crate) fn is_mistake(why: &str) -> bool {
    let why = why.to_ascii_lowercase();
    let mistakes = [
        "cannot run sbatch",
        "invalid",
        "unrecognized option",
        "not permitted",
        "configuration is not available",
    ];
    // The clocks of machines, or a service that is started again.
    !why.contains("credential") && mistakes.iter().any(|words| why.contains(words))
}

/// Runs a command of Slurm: its output, or its complaint.
pub fn call<S: AsRef<str>>(command: &str, args: &[S]) -> Result<String, String> {
    let args = args.iter().map(AsRef::as_ref);
    let mut command_line = Command::new(command);
    command_line.args(args).stdin(Stdio::null());
    // Filters and formats for the eyes of the user: `SQUEUE_STATES=running` would hide tasks that wait.
    for (name, _) in std::env::vars_os().filter(|(name, _)| is_taste(name)) {
        command_line.env_remove(name);
    }
    for name in SECRETS {
        command_line.env_remove(name);
    }
    let out = command_line.output();
    let out = out.map_err(|e| format!("cannot run {command}: {e}"))?;
    let text = |bytes: &[u8]| one_line(printable(bytes, WORDS).trim());
    if out.status.success() { Ok(printable(&out.stdout, usize::MAX)) } else { Err(text(&out.stderr)) }
}

impl Scheduler for Slurm<'_> {
    fn submit(&mut self, array: u32, tasks: u32) -> Result<(), String> {
        let script = self.plan.join("arrays").join(format!("{array}.sh"));
        files::write(&script, self.script(array).as_bytes()).map_err(|e| e.to_string())?;
        let slots = self.config.slurm.slots.map(|n| format!("%{n}")).unwrap_or_default();
        let mut args = vec![
            "--parsable".to_owned(),
            format!("--job-name={}", self.name(array)),
            format!("--array=0-{}{slots}", tasks - 1),
            "--requeue".into(),
            "--open-mode=append".into(),
            "--signal=B:TERM@60".into(),
            output(&self.plan.join("logs"), "%x.%a.log"),
            format!("--chdir={}", self.plan.display()),
        ];
        args.extend(flags(self.config));
        args.push(script.display().to_string());
        call("sbatch", &args).map(drop)
    }

    fn live(&mut self, arrays: &BTreeSet<u32>) -> Result<Vec<Live>, String> {
        let names: Vec<String> = arrays.iter().map(|&array| self.name(array)).collect();
        let args = ["--noheader", "--array", &format!("--name={}", names.join(",")), "--format=%j|%K|%T|%r"];
        Ok(call("squeue", &args)?.lines().filter_map(parse).collect())
    }

    fn cancel(&mut self, array: u32, task: Option<u32>) {
        let name = format!("--name={}", self.name(array));
        let Some(task) = task else {
            let _ = call("scancel", &[name]);
            return;
        };
        // scancel takes the index with the number of the array, not with its name.
        let ids = call("squeue", &["--noheader", "--array", &name, "--format=%K|%i"]).unwrap_or_default();
        let wanted = |line: &&str| line.split_once('|').is_some_and(|(k, _)| k.trim() == task.to_string());
        if let Some((_, id)) = ids.lines().find(wanted).and_then(|line| line.split_once('|')) {
            let _ = call("scancel", &[id.trim()]);
        }
    }

    fn words(&self, array: u32, task: u32) -> Option<String> {
        let text = std::fs::read(self.log(array, task)).ok()?;
        let end = printable(&text[text.len().saturating_sub(WORDS)..], WORDS);
        end.lines().rev().find(|line| !line.trim().is_empty()).map(one_line)
    }

    fn is_mistake(&self, why: &str) -> bool {
        is_mistake(why)
    }

    fn now(&self) -> Duration {
        self.started.elapsed()
    }

    fn wait(&mut self, time: Duration, cancel: &Cancel) {
        let end = Instant::now() + time;
        while !cancel.is_cancelled() {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            std::thread::sleep(left.min(NAP));
        }
    }
}

/// A line of squeue: name, index, state, reason.
fn parse(line: &str) -> Option<Live> {
    let mut parts = line.trim().splitn(4, '|');
    let (name, index, state, reason) =
        (parts.next()?, parts.next()?, parts.next()?, parts.next().unwrap_or(""));
    let array = name.rsplit('-').next()?.parse().ok()?;
    let ended = [
        "COMPLETED",
        "FAILED",
        "CANCELLED",
        "TIMEOUT",
        "NODE_FAIL",
        "OUT_OF_MEMORY",
        "DEADLINE",
        "BOOT_FAIL",
    ];
    if ended.contains(&state) {
        return None;
    }
    let held = state == "PENDING" && reason.to_ascii_lowercase().contains("held");
    let held = held || state == "REQUEUE_HOLD" || state == "SPECIAL_EXIT";
    Some(Live { array, task: index.trim().parse().ok()?, running: state == "RUNNING", held })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_squeue() {
        let live = |running, held| Some(Live { array: 3, task: 17, running, held });
        assert_eq!(parse("stringent-0123-3|17|RUNNING|None"), live(true, false));
        assert_eq!(parse("stringent-0123-3|17|PENDING|Resources"), live(false, false));
        assert_eq!(parse("stringent-0123-3|17|COMPLETING|None"), live(false, false));
        assert_eq!(parse("stringent-0123-3|17|PENDING|launch failed requeued held"), live(false, true));
        assert_eq!(parse("stringent-0123-3|17|PENDING|(JobHeldUser)"), live(false, true));
        assert_eq!(parse("stringent-0123-3|17|FAILED|NonZeroExitCode"), None);
        assert_eq!(parse("stringent-0123-3|N/A|RUNNING|None"), None);
        assert_eq!(parse("slurm_load_jobs error"), None);
    }
    #[test]
    fn mistakes_and_what_passes() {
        for why in [
            "cannot run sbatch: No such file or directory (os error 2)",
            "sbatch: error: invalid partition specified: mian",
            "sbatch: error: Batch job submission failed: Invalid account or account/partition combination specified",
            "sbatch: error: Batch job submission failed: Invalid job array specification",
            "allocation failure: Requested node configuration is not available",
            "sbatch: unrecognized option '--qoss=x'",
        ] {
            assert!(is_mistake(why), "{why}");
        }
        for why in [
            "sbatch: error: QOSMaxSubmitJobPerUserLimit",
            "sbatch: error: Batch job submission failed: Unable to contact slurm controller (connect failure)",
            "sbatch: error: Batch job submission failed: Invalid authentication credential",
            "sbatch: error: Slurm temporarily unable to accept job, sleeping and retrying",
        ] {
            assert!(!is_mistake(why), "{why}");
        }
    }

    #[test]
    fn variables_for_the_eyes_of_users() {
        let taste = |name: &str| is_taste(OsStr::new(name));
        assert!(taste("SQUEUE_STATES") && taste("SINFO_FORMAT") && taste("SBATCH_WAIT"));
        assert!(!taste("SBATCH_ACCOUNT") && !taste("SLURM_CONF"));
    }

    #[test]
    fn paths_in_which_slurm_replaces_letters() {
        assert_eq!(output(Path::new("/a/100%u b"), "%x.log"), "--output=/a/100%%u b/%x.log");
    }
}
