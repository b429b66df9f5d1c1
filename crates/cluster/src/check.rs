//! What is wrong with a cluster, before anything is submitted.
//!
//! The commands, the controller, the partition, the arguments of sbatch, the shared folder; then a tiny job on some nodes, which reads a
//! file in the shared folder and answers with another: its version, its CPUs, and whether the solvers are there and the same.

use crate::config::Config;
use crate::error::Error;
use crate::files;
use crate::plan::{Nodes, Planned};
use crate::slurm::{self, call, flags};
use crate::worker;
use campaign::clean::{listed, shell};
use campaign::process::Cancel;
use campaign::provenance::build;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A line of the result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// What was checked.
    pub what: String,
    /// The result, or the problem.
    pub result: Result<String, String>,
}

/// How to check.
pub struct Options<'a> {
    /// The solvers that nodes must have.
    pub solvers: &'a [Planned],
    /// The number of nodes that get a job.
    pub nodes: usize,
    /// The time to wait for their answers.
    pub wait: Duration,
}

const QUESTION: &str = "question.json";
/// The time between looks for answers.
const NAP: Duration = Duration::from_millis(200);

/// What a node is asked.
#[derive(Serialize, Deserialize)]
struct Question {
    solvers: Vec<Planned>,
    nodes: Nodes,
}

/// What a node answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// The node.
    pub host: String,
    /// The version of stringent there.
    pub version: String,
    /// The CPUs of the allocation.
    pub cpus: usize,
    /// What is wrong with its solvers.
    pub problems: Vec<String>,
}

/// Checks a cluster; each line goes to `show`. False if something is wrong.
pub fn check(config: &Config, options: &Options<'_>, cancel: &Cancel, show: &mut dyn FnMut(&Line)) -> bool {
    let mut good = true;
    let mut line = |what: &str, result: Result<String, String>| {
        let fine = result.is_ok();
        good &= fine;
        show(&Line { what: what.into(), result });
        fine
    };
    // The later ones would fail for the same reason.
    let ready = line("commands", commands())
        && line("controller", controller())
        && line("partition", partition(config))
        && line("shared folder", shared(config))
        && line("sbatch", test_only(config));
    if !config.programs.is_empty() && !options.solvers.is_empty() {
        line("programs", programs(config, options.solvers));
    }
    if ready && options.nodes > 0 {
        match probe(config, options, cancel) {
            Ok(lines) => {
                for Line { what, result } in lines {
                    line(&what, result);
                }
            }
            Err(e) => {
                line("a job", Err(e.to_string()));
            }
        }
    }
    good
}

/// Whether the commands of Slurm are there.
pub fn commands() -> Result<String, String> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = |name: &&&str| std::env::split_paths(&path).any(|dir| dir.join(name).is_file());
    let all = ["sbatch", "squeue", "scancel", "sinfo"];
    let missing: Vec<&&str> = all.iter().filter(|name| !found(name)).collect();
    if missing.is_empty() {
        return Ok("sbatch, squeue, scancel and sinfo are on PATH".into());
    }
    Err(format!("not on PATH: {}; is this a login node of the cluster?", listed(missing)))
}

fn controller() -> Result<String, String> {
    call("sinfo", &["--noheader", "--format=%P"])
        .map(|_| "it answers".into())
        .map_err(|why| format!("it does not answer: {why}"))
}

fn partition(config: &Config) -> Result<String, String> {
    let text = call("sinfo", &["--noheader", "--format=%P|%a|%D|%C"])?;
    let rows: Vec<Vec<&str>> = text.lines().map(|l| l.trim().split('|').collect()).collect();
    let plain = |row: &Vec<&str>| row[0].trim_end_matches('*').to_owned();
    let wanted = |row: &&Vec<&str>| match &config.slurm.partition {
        Some(name) => plain(row) == *name,
        None => row[0].ends_with('*'),
    };
    let full = rows.iter().filter(|row| row.len() == 4);
    let Some(row) = full.clone().find(wanted) else {
        let all: Vec<String> = full.map(plain).collect();
        let name = config
            .slurm
            .partition
            .as_deref()
            .map_or("default partition".into(), |p| format!("partition `{p}`"));
        return Err(format!("there is no {name}; there are {}", listed(all)));
    };
    match row[1] {
        "up" => {
            Ok(format!("{}: {} node(s), CPUs {} (allocated/idle/other/total)", plain(row), row[2], row[3]))
        }
        state => Err(format!("{} is {state}", plain(row))),
    }
}

/// Whether the shared folder can be written.
pub fn shared(config: &Config) -> Result<String, String> {
    let folder = &config.shared;
    if folder.exists() && !folder.is_dir() {
        return Err(format!("{} is not a folder", folder.display()));
    }
    files::create_folder(folder).map_err(|e| e.to_string())?;
    let probe = folder.join(format!("check-{}", std::process::id()));
    files::write(&probe, b"x").map_err(|e| e.to_string())?;
    let _ = std::fs::remove_file(&probe);
    let free = rustix::fs::statvfs(folder).map_err(|e| e.to_string())?;
    let bytes = free.f_bavail.saturating_mul(free.f_frsize);
    Ok(format!("{} can be written, {} free", folder.display(), campaign::clean::bytes(bytes)))
}

fn test_only(config: &Config) -> Result<String, String> {
    let last = config.slurm.array.min(config.slurm.queued) - 1;
    let mut args = vec!["--test-only".to_owned(), format!("--array=0-{last}"), "--wrap=true".into()];
    args.extend(flags(config));
    match call("sbatch", &args) {
        Ok(_) => Ok("it takes the arguments".into()),
        Err(why) => Err(format!("it refuses: {why}{}", hint(config, &why))),
    }
}

/// What may help against a refusal.
fn hint(config: &Config, why: &str) -> String {
    let why = why.to_ascii_lowercase();
    if why.contains("configuration is not available") {
        return largest(config).map_or(String::new(), |node| {
            format!("; a task asks for {}, the largest node has {node}", wanted(config))
        });
    }
    if why.contains("job array") { format!("; `array` is {}", config.slurm.array) } else { String::new() }
}

fn wanted(config: &Config) -> String {
    let cpus = config.slurm.cpus;
    let memory = config.slurm.memory.map(|each| format!(" and {} MiB", each * u64::from(cpus)));
    format!("{cpus} CPUs{}", memory.unwrap_or_default())
}

/// The CPUs and the memory of the largest node.
fn largest(config: &Config) -> Option<String> {
    let partition = config.slurm.partition.iter().map(|p| format!("--partition={p}"));
    let head = ["--noheader".into(), "--Node".into(), "--format=%c|%m".into()];
    let text = call("sinfo", &head.into_iter().chain(partition).collect::<Vec<String>>()).ok()?;
    let number = |n: &str| n.trim().trim_end_matches('+').parse::<u64>().ok();
    let sizes =
        text.lines().filter_map(|l| l.split_once('|')).filter_map(|(c, m)| Some((number(c)?, number(m)?)));
    sizes.max().map(|(cpus, memory)| format!("{cpus} CPUs and {memory} MiB"))
}

/// Names in `[programs]` that no solver has are mistakes: the solver would be looked for where it is here.
fn programs(config: &Config, solvers: &[Planned]) -> Result<String, String> {
    let known = |name: &&String| solvers.iter().any(|s| s.name == **name);
    let (here, other): (Vec<&String>, Vec<&String>) = config.programs.keys().partition(known);
    match (here.is_empty(), other.is_empty()) {
        (_, true) => Ok(format!("{} of the nodes", listed(here))),
        (true, false) => {
            let names: Vec<&String> = solvers.iter().map(|s| &s.name).collect();
            Err(format!(
                "[programs] has {}, which is not the name of a solver here: {}",
                listed(other),
                listed(names)
            ))
        }
        (false, false) => Ok(format!("{} of the nodes; {} for other campaigns", listed(here), listed(other))),
    }
}

/// Sends jobs to nodes, and waits for their answers.
fn probe(config: &Config, options: &Options<'_>, cancel: &Cancel) -> Result<Vec<Line>, Error> {
    let folder = tempfile::Builder::new().prefix("check-").tempdir_in(&config.shared);
    let folder = folder.map_err(crate::error::io_error(&config.shared))?;
    let open = std::os::unix::fs::PermissionsExt::from_mode(0o777);
    std::fs::set_permissions(folder.path(), open).map_err(crate::error::io_error(folder.path()))?;
    let question = Question { solvers: options.solvers.to_vec(), nodes: config.nodes() };
    let text = serde_json::to_vec(&question).map_err(|e| Error::plan(folder.path(), e.to_string()))?;
    files::write(&folder.path().join(QUESTION), &text)?;
    let mut sent = Vec::new();
    let mut lines = Vec::new();
    for node in nodes(config).map_err(Error::Scheduler)?.into_iter().take(options.nodes) {
        match send(config, folder.path(), &node) {
            Ok(id) => sent.push((node, id)),
            Err(why) => lines.push(Line {
                what: format!("node {node}"),
                result: Err(format!("the job is refused: {why}")),
            }),
        }
    }
    let end = Instant::now() + options.wait;
    let missing =
        |sent: &[(String, String)]| sent.iter().any(|(n, _)| !answer_path(folder.path(), n).exists());
    while missing(&sent) && Instant::now() < end && !cancel.is_cancelled() {
        std::thread::sleep(NAP);
    }
    for (node, id) in sent {
        let result = judge(folder.path(), &node, &id);
        lines.push(Line { what: format!("node {node}"), result });
    }
    Ok(lines)
}

/// The nodes of the partition, idle ones first.
fn nodes(config: &Config) -> Result<Vec<String>, String> {
    let partition = config.slurm.partition.iter().map(|p| format!("--partition={p}"));
    let head = ["--noheader".into(), "--Node".into(), "--format=%T|%N".into()];
    let text = call("sinfo", &head.into_iter().chain(partition).collect::<Vec<String>>())?;
    let mut rows: Vec<(bool, &str)> = text
        .lines()
        .filter_map(|l| l.trim().split_once('|'))
        .map(|(s, n)| (!s.starts_with("idle"), n))
        .collect();
    rows.sort_unstable();
    rows.dedup();
    Ok(rows.into_iter().map(|(_, n)| n.to_owned()).collect())
}

fn send(config: &Config, folder: &Path, node: &str) -> Result<String, String> {
    let program = slurm::program(config).map_err(|e| e.to_string())?;
    let word = |path: &Path| shell(&path.display().to_string());
    let script = format!("exec {} cluster answer {}", word(&program), word(folder));
    let mut args = vec![
        "--parsable".to_owned(),
        "--job-name=stringent-check".into(),
        format!("--nodelist={node}"),
        slurm::output(folder, &format!("{node}.log")),
        format!("--chdir={}", folder.display()),
    ];
    // A few minutes are enough, and start sooner.
    args.extend(
        flags(config).into_iter().map(|f| if f.starts_with("--time=") { "--time=5".into() } else { f }),
    );
    args.push(format!("--wrap={script}"));
    call("sbatch", &args).map(|id| id.trim().split(';').next().unwrap_or_default().to_owned())
}

fn answer_path(folder: &Path, node: &str) -> PathBuf {
    folder.join(format!("{node}.json"))
}

/// The result of a node.
fn judge(folder: &Path, node: &str, id: &str) -> Result<String, String> {
    let Ok(bytes) = std::fs::read(answer_path(folder, node)) else {
        let state =
            call("squeue", &["--noheader", &format!("--jobs={id}"), "--format=%T: %r"]).unwrap_or_default();
        let _ = call("scancel", &[id]);
        let log = std::fs::read_to_string(folder.join(format!("{node}.log"))).unwrap_or_default();
        return Err(silence(state.trim(), log.trim(), folder));
    };
    let answer: Answer = serde_json::from_slice(&bytes).map_err(|e| e.to_string())?;
    if answer.version != build() {
        return Err(format!("stringent {} is there, {} here", answer.version, build()));
    }
    if !answer.problems.is_empty() {
        return Err(answer.problems.join("; "));
    }
    Ok(format!("it sees the shared folder; stringent {}, {} CPU(s)", build(), answer.cpus))
}

/// Why a node has not answered.
fn silence(state: &str, log: &str, folder: &Path) -> String {
    if !log.is_empty() {
        return format!("its job failed: {}", campaign::clean::one_line(log));
    }
    match state.split_once(':') {
        Some(("PENDING", why)) => format!("its job did not start in time:{why}"),
        Some(("RUNNING" | "COMPLETING" | "CONFIGURING", _)) => "its job is still running".into(),
        _ => format!("its job ended without an answer; does it see {}?", folder.display()),
    }
}

/// On a node: answers the question in the folder.
pub fn answer(folder: &Path) -> Result<Answer, Error> {
    let path = folder.join(QUESTION);
    let question: Question =
        serde_json::from_slice(&files::read(&path)?).map_err(|e| Error::plan(&path, e.to_string()))?;
    let wrong =
        |planned: &Planned| worker::on_this_machine(planned, &question.nodes).err().map(|e| e.to_string());
    let answer = Answer {
        host: worker::host(),
        version: build().into(),
        cpus: worker::cpus(),
        problems: question.solvers.iter().filter_map(wrong).collect(),
    };
    let text = serde_json::to_vec(&answer).map_err(|e| Error::plan(&path, e.to_string()))?;
    files::write(&answer_path(folder, &answer.host), &text)?;
    Ok(answer)
}
