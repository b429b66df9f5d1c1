//! `cluster.toml`: the profile of a cluster.
//!
//! ```toml
//! shared = "/scratch/me/stringent"      # a folder that all nodes see
//! solvers = "shared"                    # the same paths on the nodes, or "install": each node installs them
//!
//! [slurm]
//! partition = "short"
//! account = "strings"
//! time = 60                             # minutes of a task
//! memory = 4096                         # MiB of each CPU
//! cpus = 4                              # CPUs of a task
//! slots = 200                           # tasks at a time
//! flags = ["--qos=low"]
//!
//! [programs]                            # where single solvers are on the nodes
//! "z3-4.8.6" = "/opt/z3-4.8.6/bin/z3"
//! ```

use crate::drive::Tuning;
use crate::error::Error;
use crate::plan::Nodes;
use campaign::toml_file;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;
use toml::de::{DeTable, DeValue};

/// The profile of a cluster. Unknown keys are errors.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Config {
    /// A folder that all nodes see.
    pub shared: PathBuf,
    /// This program on the nodes; where it is here if there is none.
    pub program: Option<PathBuf>,
    /// How solvers come to the nodes.
    #[serde(default)]
    pub solvers: Solvers,
    /// Where single solvers are on the nodes, by their names in tables.
    #[serde(default)]
    pub programs: BTreeMap<String, PathBuf>,
    /// Slurm.
    #[serde(default)]
    pub slurm: Slurm,
}

/// How solvers come to the nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Solvers {
    /// They have the same paths as here.
    #[default]
    Shared,
    /// Each node installs them, as by `stringent solvers install`.
    Install,
}

/// What is submitted to Slurm.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default, expecting = "a table")]
pub struct Slurm {
    /// The partition; the default one of the cluster if there is none.
    pub partition: Option<String>,
    /// The account.
    pub account: Option<String>,
    /// The time of a task, in minutes.
    pub time: u32,
    /// The memory of each CPU, in MiB; the default of the cluster if there is none.
    pub memory: Option<u64>,
    /// The CPUs of a task.
    pub cpus: u32,
    /// Tasks at a time; as many as the partition has CPUs for if there is no number.
    pub slots: Option<u32>,
    /// Tasks in the queue.
    pub queued: usize,
    /// Tasks of an array.
    pub array: usize,
    /// Attempts of a chunk that make no progress.
    pub attempts: u8,
    /// The time that a task should take, in minutes.
    pub chunk: f64,
    /// Minutes between copies of a part of a hunt or of `break`.
    pub copy: f64,
    /// Seconds between looks at the queue.
    pub poll: f64,
    /// Further arguments of sbatch.
    pub flags: Vec<String>,
}

impl Default for Slurm {
    fn default() -> Self {
        let tuning = Tuning::default();
        Slurm {
            partition: None,
            account: None,
            time: 60,
            memory: None,
            cpus: 4,
            slots: None,
            queued: tuning.queued,
            array: tuning.array,
            attempts: tuning.attempts,
            chunk: crate::chunk::TARGET.as_secs_f64() / 60.0,
            copy: COPY.as_secs_f64() / 60.0,
            poll: tuning.poll.as_secs_f64(),
            flags: Vec::new(),
        }
    }
}

/// The time between copies of a part.
const COPY: Duration = Duration::from_secs(180);
/// A task that runs this much longer than it may is stuck: Slurm ends tasks at their limit.
const LATE: Duration = Duration::from_secs(600);
/// Slurm takes no larger arrays by default.
const MAX_ARRAY: usize = 1000;
/// The least time of a task, in minutes: it is told to end a minute before its limit, or up to two.
const MIN_TIME: u32 = 3;
/// Arguments of sbatch that [`crate::slurm`] sets, with the keys of the profile that they come from.
const OWN_FLAGS: [(&str, &str, &str); 15] = [
    ("--array", "-a", ""),
    ("--chdir", "-D", ""),
    ("--job-name", "-J", ""),
    ("--open-mode", "", ""),
    ("--output", "-o", ""),
    ("--parsable", "", ""),
    ("--requeue", "", ""),
    ("--no-requeue", "", ""),
    ("--signal", "", ""),
    ("--wait", "-W", ""),
    ("--time", "-t", "time"),
    ("--cpus-per-task", "-c", "cpus"),
    ("--mem-per-cpu", "", "memory"),
    ("--partition", "-p", "partition"),
    ("--account", "-A", "account"),
];

/// The reason why an argument of sbatch cannot be used, if there is one.
fn own_flag(flag: &str) -> Option<String> {
    let name = flag.split('=').next().unwrap_or_default();
    let is = |long: &str, short: &str| {
        name == long || (!short.is_empty() && flag.starts_with(short) && !flag.starts_with("--"))
    };
    let (long, _, key) = OWN_FLAGS.into_iter().find(|(long, short, _)| is(long, short))?;
    Some(match key {
        "" => format!("`{long}` is set by stringent"),
        key => format!("`{long}` is set by stringent, with the value of `{key}`"),
    })
}

/// Whether Slurm can write files in a folder.
fn is_plain(path: &Path) -> bool {
    path.to_str().is_some_and(|text| !text.contains(|c: char| c == '\\' || c.is_control()))
}

/// Where the value of a key is in a TOML text.
fn span(text: &str, keys: &[&str]) -> Option<Range<usize>> {
    let table = DeTable::parse(text).ok()?;
    let (last, tables) = keys.split_last()?;
    let inner = tables.iter().try_fold(table.get_ref(), |table, key| match table.get(*key)?.get_ref() {
        DeValue::Table(inner) => Some(inner),
        _ => None,
    });
    Some(inner?.get(*last)?.span())
}

impl Config {
    /// The default file: `$XDG_CONFIG_HOME/stringent/cluster.toml`, else `~/.config/stringent/cluster.toml`.
    pub fn default_path() -> PathBuf {
        let set = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
        let folder = set("XDG_CONFIG_HOME").filter(|p| p.is_absolute());
        let folder = folder.or_else(|| set("HOME").map(|h| h.join(".config")));
        folder.unwrap_or_default().join("stringent/cluster.toml")
    }

    /// Reads `file`, or the default one.
    pub fn read(file: Option<&Path>) -> Result<Config, Error> {
        let path = file.map_or_else(Config::default_path, Path::to_owned);
        if !path.exists() {
            return Err(Error::NoConfig(path));
        }
        Config::parse(&path.display().to_string(), &toml_file::text(&path)?)
    }

    /// Reads the text of the file `name`.
    pub fn parse(name: &str, text: &str) -> Result<Config, Error> {
        let config: Config = toml_file::parse(name, text)?;
        match config.mistake() {
            Some((place, why)) => {
                Err(toml_file::mistake(name, text, span(text, &place).unwrap_or(0..0), why, None).into())
            }
            None => Ok(config),
        }
    }

    /// The keys of a value that cannot be used, and the reason.
    fn mistake(&self) -> Option<(Vec<&str>, String)> {
        let s = &self.slurm;
        let positive = |n: f64| n.is_finite() && n > 0.0 && n <= 1e6;
        let not_absolute = |path: &Option<PathBuf>| path.as_ref().is_some_and(|p| !p.is_absolute());
        if !self.shared.is_absolute() {
            return Some((vec!["shared"], "the shared folder must be an absolute path".into()));
        }
        if !is_plain(&self.shared) {
            let why = "Slurm cannot write to a path with a backslash or a control character";
            return Some((vec!["shared"], why.into()));
        }
        if not_absolute(&self.program) {
            return Some((
                vec!["program"],
                "it must be an absolute path: tasks run in another folder".into(),
            ));
        }
        if let Some((name, _)) = self.programs.iter().find(|(_, path)| !path.is_absolute()) {
            let why = "it must be an absolute path: tasks run in another folder";
            return Some((vec!["programs", name], why.into()));
        }
        let wrong = [
            ("cpus", s.cpus == 0, "a task needs at least one CPU"),
            (
                "time",
                s.time < MIN_TIME,
                "a task needs at least three minutes: it is told to end before its limit",
            ),
            ("memory", s.memory == Some(0), "expected a number of MiB"),
            ("slots", s.slots == Some(0), "there must be at least one task at a time"),
            ("queued", s.queued == 0, "there must be at least one task in the queue"),
            ("array", !(1..=MAX_ARRAY).contains(&s.array), "an array has 1 to 1000 tasks"),
            ("attempts", s.attempts == 0, "there must be at least one attempt"),
            ("chunk", !positive(s.chunk), "expected a number of minutes"),
            ("copy", !positive(s.copy), "expected a number of minutes"),
            ("poll", !positive(s.poll), "expected a number of seconds"),
        ];
        if let Some((key, _, why)) = wrong.into_iter().find(|(_, wrong, _)| *wrong) {
            return Some((vec!["slurm", key], why.into()));
        }
        s.flags.iter().find_map(|flag| own_flag(flag)).map(|why| (vec!["slurm", "flags"], why))
    }

    /// Where solvers are on the nodes.
    pub fn nodes(&self) -> Nodes {
        Nodes { programs: self.programs.clone(), install: self.solvers == Solvers::Install }
    }

    /// The time between copies of a part.
    pub fn every(&self) -> Duration {
        Duration::from_secs_f64(self.slurm.copy * 60.0)
    }

    /// How arrays are submitted.
    pub fn tuning(&self) -> Tuning {
        let s = &self.slurm;
        let longest = Duration::from_secs(u64::from(s.time) * 60) + LATE;
        Tuning {
            array: s.array,
            queued: s.queued,
            attempts: s.attempts,
            poll: Duration::from_secs_f64(s.poll),
            longest: Some(longest),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_the_comment() {
        let text: String = include_str!("config.rs")
            .lines()
            .filter_map(|l| l.strip_prefix("//! "))
            .skip_while(|l| *l != "```toml")
            .skip(1)
            .take_while(|l| *l != "```")
            .map(|l| format!("{l}\n"))
            .collect();
        let config = Config::parse("cluster.toml", &text).expect("readable");
        assert_eq!((config.slurm.cpus, config.slurm.slots), (4, Some(200)));
        assert_eq!(config.nodes().programs.len(), 1);
    }

    #[test]
    fn mistakes_name_the_key() {
        let wrong = |text: &str| Config::parse("cluster.toml", text).expect_err("refused").to_string();
        assert!(wrong("shared = \"x\"").contains("absolute path"));
        let head = "shared = \"/cpus\" # time, cpus\n[slurm]\n";
        for (line, at) in [("cpus = 0", "cluster.toml:3:8"), ("slots=0", "cluster.toml:3:7")] {
            let text = wrong(&format!("{head}{line}\n"));
            assert!(text.starts_with(at) && text.ends_with('^'), "{text}");
        }
        assert!(wrong("shared = \"/x\"\nslurm = { cpus = 1, time = 0 }\n").starts_with("cluster.toml:2:28"));
        assert!(
            wrong("shared = \"/x\"\n[programs]\n\"z3-4.8\" = \"bin/z3\"\n").starts_with("cluster.toml:3:12")
        );
        assert!(wrong("shared = \"/x\"\nprogram = \"stringent\"\n").contains("absolute path"));
        assert!(wrong("shared = \"/x\"\n[slurm]\nflags = [\"--array=1-9\"]\n").contains("set by stringent"));
        for flag in ["-J=a", "-Ja", "-t5", "--time=5", "--wait", "--partition=x", "-W"] {
            let text = format!("shared = \"/x\"\n[slurm]\nflags = [\"--qos=low\", \"{flag}\"]\n");
            assert!(wrong(&text).contains("set by stringent"), "{flag}");
        }
        let fine = "shared = \"/x\"\n[slurm]\nflags = [\"--qos=low\", \"--exclude=n1\", \"-C\", \"avx\"]\n";
        assert!(Config::parse("c", fine).is_ok());
        assert!(wrong("shared = '/a\\b'").contains("backslash"));
        assert!(wrong("shared = \"/x\"\n[slurm]\npartitoin = \"a\"\n").contains("partitoin"));
        assert!(wrong("[slurm]\ncpus = 1\n").contains("shared"));
        assert!(wrong("shared = \"/x\"\n[slurm]\ncpus = \"four\"\n").contains("expected a number from 0"));
        assert!(wrong("shared = \"/x\"\n[slurm]\nflags = \"--qos\"\n").contains("expected a list"));
        for line in [
            "array = 1001",
            "poll = 0.0",
            "chunk = nan",
            "copy = -1.0",
            "slots = 0",
            "time = 2",
            "attempts = 0",
        ] {
            assert!(Config::parse("c", &format!("shared = \"/x\"\n[slurm]\n{line}\n")).is_err(), "{line}");
        }
    }
}
