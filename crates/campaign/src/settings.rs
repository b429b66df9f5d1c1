//! The settings of a campaign: limits, seeds, requests to solvers, and how answers are judged.
//!
//! They are fixed when a campaign is created and kept in its store as one JSON object with a version, so that a resumed campaign and
//! its reports use the same.

use crate::process::Limits;
use crate::profile::{MemoryLimit, Solver};
use crate::provenance::cores;
use crate::selection::{Selection, Shard};
use semantics::{Config, Reading};
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

/// The requests to a solver besides `check-sat`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wants {
    /// Models.
    pub model: bool,
    /// Cores.
    pub core: bool,
    /// Assertions keep their names; without names there are no cores.
    pub named: bool,
    /// The model also where `unsat` is expected, as evidence against a `sat`.
    pub both: bool,
    /// The value of `{time-ms}` and `{time-s}`.
    pub time: Duration,
    /// The value of `{memory-mib}`.
    pub memory_mib: u64,
}

impl Default for Wants {
    fn default() -> Self {
        let time = Duration::from_secs(15);
        Wants { model: true, core: true, named: true, both: true, time, memory_mib: 4096 }
    }
}

/// How answers are judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The requests that were sent.
    pub wants: Wants,
    /// The semantics to judge by.
    pub reading: Reading,
    /// The semantics of the known answers.
    pub made_for: Reading,
}

impl Default for Rules {
    fn default() -> Self {
        Rules { wants: Wants::default(), reading: Reading::Standard, made_for: Reading::Standard }
    }
}

impl Rules {
    pub(crate) fn config(&self) -> Config {
        Config { reading: self.reading, steps: 20_000_000, regex_budget: 20_000_000, ..Config::default() }
    }
}

/// How a campaign was started.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Origin {
    /// The verb and its arguments; none in stores of stringent 0.1.
    pub arguments: Vec<String>,
    /// The folder that relative paths among them start from.
    pub directory: String,
}

impl Origin {
    fn is_unknown(&self) -> bool {
        self.arguments.is_empty() && self.directory.is_empty()
    }

    /// The solver with its program and the files among its arguments where they were, if this process is in another folder.
    pub fn locate(&self, mut solver: Solver) -> Solver {
        let there = Path::new(&self.directory);
        if self.directory.is_empty() || std::env::current_dir().is_ok_and(|here| here == there) {
            return solver;
        }
        solver.program = there.join(&solver.program);
        for arg in &mut solver.profile.args {
            let file = there.join(&*arg);
            if file.is_file() {
                *arg = file.display().to_string();
            }
        }
        solver
    }
}

/// The settings of a campaign.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(into = "Stored", try_from = "Stored")]
pub struct Settings {
    /// The resources of each run; how memory is limited depends on the solver's profile.
    pub limits: Limits,
    /// The requests and the semantics; time and memory are those of the limits, see [`Settings::rules`].
    pub rules: Rules,
    /// The seeds that each solver is run with, in order.
    pub seeds: Vec<u64>,
    /// The number of runs at a time.
    pub jobs: usize,
    /// One process for many instances, where the solver's profile allows it.
    pub batch: bool,
    /// Unsound results are run again and marked if they differ.
    pub confirm: bool,
    /// The built-in solver is asked about instances without a known answer.
    pub second_opinion: bool,
    /// The number of bytes of a solver's output that are kept.
    pub keep: usize,
    /// The origin of the instances: the command that generates them, or paths.
    pub instances: String,
    /// Which of them are run.
    pub selection: Selection,
    /// The shards of which it was merged; empty if all instances of the selection are there.
    pub shards: Vec<Shard>,
    /// How the campaign was started, so that it can be resumed before its instances are stored.
    pub origin: Origin,
    /// The command of the helper that ends solvers if this process is killed, one that calls
    /// [`Watchdog::serve`](crate::process::Watchdog::serve). Not stored.
    pub watchdog: Option<Vec<OsString>>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            limits: Limits {
                wall: Duration::from_secs(15),
                cpu: None,
                idle: None,
                memory: Some(4096 << 20),
                memory_how: MemoryLimit::default(),
                output: 16 << 20,
            },
            rules: Rules::default(),
            seeds: vec![0],
            jobs: cores(),
            batch: false,
            confirm: true,
            second_opinion: true,
            keep: 64 << 10,
            instances: String::new(),
            selection: Selection::default(),
            shards: Vec::new(),
            origin: Origin::default(),
            watchdog: None,
        }
    }
}

impl Settings {
    /// The rules, with the time and memory of the limits for the placeholders of profiles.
    pub fn rules(&self) -> Rules {
        let mut rules = self.rules;
        rules.wants.time = self.limits.wall.min(self.limits.cpu.unwrap_or(self.limits.wall));
        rules.wants.memory_mib = self.limits.memory.map_or(rules.wants.memory_mib, |bytes| bytes >> 20);
        rules
    }

    /// The shards that a merged campaign lacks.
    pub fn missing_shards(&self) -> Vec<Shard> {
        let count = self.shards.first().map_or(0, |s| s.count());
        Shard::all(count).filter(|s| !self.shards.contains(s)).collect()
    }

    /// The seeds, sorted, each once.
    pub fn sorted_seeds(&self) -> Vec<u64> {
        let mut seeds = self.seeds.clone();
        seeds.sort_unstable();
        seeds.dedup();
        seeds
    }

    /// The settings that a report shows, as names and values; those that are off are left out.
    pub fn shown(&self) -> Vec<(&'static str, String)> {
        let seeds: Vec<String> = self.seeds.iter().map(u64::to_string).collect();
        let seconds = |d: Duration| format!("{} s", d.as_secs_f64());
        let shown = [
            ("time-limit", Some(seconds(self.limits.wall))),
            ("cpu-limit", self.limits.cpu.map(seconds)),
            ("memory-limit", self.limits.memory.map(|bytes| format!("{} MiB", bytes >> 20))),
            ("solver-seeds", Some(seeds.join(", "))),
            ("batch", self.batch.then(|| "yes".into())),
            ("unnamed", (!self.rules.wants.named).then(|| "yes".into())),
            ("second-opinion", (!self.second_opinion).then(|| "no".into())),
            ("semantics", Some(reading_name(self.rules.reading).into())),
            ("instances", Some(self.instances.clone()).filter(|i| !i.is_empty())),
            ("limit", self.selection.limit.map(|n| n.to_string())),
            ("shard", self.selection.shard.map(|s| s.to_string())),
        ];
        shown.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
    }
}

/// The semantics as `--semantics` names them.
pub(crate) fn reading_name(reading: Reading) -> &'static str {
    match reading {
        Reading::Standard => "standard",
        Reading::Pre26 => "pre-2.6",
    }
}

fn reading_named(name: &str) -> Result<Reading, SettingsError> {
    let all = [Reading::Standard, Reading::Pre26];
    let found = all.into_iter().find(|&r| reading_name(r) == name);
    found.ok_or_else(|| SettingsError::Value("semantics", name.into()))
}

/// Settings that cannot be read back.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// Another version of stringent wrote them.
    #[error("settings of version {0}; this stringent reads version {FORMAT}")]
    Version(u32),
    /// A value is out of range.
    #[error("`{1}` is not a value of the setting `{0}`")]
    Value(&'static str, String),
}

/// The version of [`Stored`].
const FORMAT: u32 = 1;

/// The settings as the store has them: seconds, MiB, bytes.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Stored {
    version: u32,
    time_limit: f64,
    cpu_limit: Option<f64>,
    memory_limit: Option<u64>,
    output_limit: usize,
    solver_seeds: Vec<u64>,
    jobs: usize,
    batch: bool,
    confirm: bool,
    #[serde(default = "yes")]
    second_opinion: bool,
    keep: usize,
    models: bool,
    cores: bool,
    names: bool,
    both: bool,
    semantics: String,
    made_for: String,
    instances: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    limit: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    shard: Option<Shard>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    shards: Vec<Shard>,
    #[serde(default, skip_serializing_if = "Origin::is_unknown")]
    origin: Origin,
}

/// The default of settings that older versions did not store.
fn yes() -> bool {
    true
}

impl From<Settings> for Stored {
    fn from(s: Settings) -> Stored {
        let Rules { wants, reading, made_for } = s.rules;
        Stored {
            version: FORMAT,
            time_limit: s.limits.wall.as_secs_f64(),
            cpu_limit: s.limits.cpu.map(|d| d.as_secs_f64()),
            memory_limit: s.limits.memory.map(|bytes| bytes >> 20),
            output_limit: s.limits.output,
            solver_seeds: s.seeds,
            jobs: s.jobs,
            batch: s.batch,
            confirm: s.confirm,
            second_opinion: s.second_opinion,
            keep: s.keep,
            models: wants.model,
            cores: wants.core,
            names: wants.named,
            both: wants.both,
            semantics: reading_name(reading).into(),
            made_for: reading_name(made_for).into(),
            instances: s.instances,
            limit: s.selection.limit,
            shard: s.selection.shard,
            shards: s.shards,
            origin: s.origin,
        }
    }
}

impl TryFrom<Stored> for Settings {
    type Error = SettingsError;

    fn try_from(s: Stored) -> Result<Settings, SettingsError> {
        if s.version != FORMAT {
            return Err(SettingsError::Version(s.version));
        }
        let (model, core, named, both) = (s.models, s.cores, s.names, s.both);
        let wants = Wants { model, core, named, both, ..Wants::default() };
        let (reading, made_for) = (reading_named(&s.semantics)?, reading_named(&s.made_for)?);
        Ok(Settings {
            limits: Limits {
                wall: seconds("time-limit", s.time_limit)?,
                cpu: s.cpu_limit.map(|value| seconds("cpu-limit", value)).transpose()?,
                idle: None,
                memory: s.memory_limit.map(|mib| mib << 20),
                memory_how: MemoryLimit::default(),
                output: s.output_limit,
            },
            rules: Rules { wants, reading, made_for },
            seeds: s.solver_seeds,
            jobs: s.jobs,
            batch: s.batch,
            confirm: s.confirm,
            second_opinion: s.second_opinion,
            keep: s.keep,
            instances: s.instances,
            selection: Selection { limit: s.limit, shard: s.shard },
            shards: s.shards,
            origin: s.origin,
            watchdog: None,
        })
    }
}

fn seconds(name: &'static str, value: f64) -> Result<Duration, SettingsError> {
    Duration::try_from_secs_f64(value).map_err(|_| SettingsError::Value(name, value.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unusual() -> Settings {
        let mut settings = Settings { seeds: vec![0, 1465], batch: true, jobs: 3, ..Settings::default() };
        settings.limits.wall = Duration::from_millis(1500);
        settings.limits.cpu = Some(Duration::from_secs(1));
        settings.limits.memory = Some(512 << 20);
        settings.rules.wants.named = false;
        settings.rules.made_for = Reading::Pre26;
        settings.instances = "run files/".into();
        settings.selection = Selection { limit: Some(300), shard: "2/8".parse().ok() };
        settings.shards = ["1/3", "3/3"].iter().filter_map(|s| s.parse().ok()).collect();
        settings.origin =
            Origin { arguments: vec!["run".into(), "it's".into()], directory: "/home/me".into() };
        settings
    }

    #[test]
    fn stored_and_read_back() {
        for settings in [Settings::default(), unusual()] {
            let text = serde_json::to_string(&settings).expect("JSON");
            assert_eq!(serde_json::from_str::<Settings>(&text).expect("settings"), settings);
        }
    }

    #[test]
    fn shards_that_are_missing() {
        let missing: Vec<String> = unusual().missing_shards().iter().map(Shard::to_string).collect();
        assert_eq!(missing, ["2/3"]);
        assert!(Settings::default().missing_shards().is_empty());
    }

    #[test]
    fn settings_of_older_versions() {
        let text = serde_json::to_string(&unusual()).expect("JSON").replace("\"second-opinion\":true,", "");
        assert_eq!(serde_json::from_str::<Settings>(&text).expect("settings"), unusual());
    }

    #[test]
    fn settings_of_version_0_1_are_read() {
        let text = r#"{"version":1,"time-limit":15.0,"cpu-limit":null,"memory-limit":4096,"output-limit":16777216,
            "solver-seeds":[0],"jobs":1,"batch":false,"confirm":true,"keep":65536,"models":true,"cores":true,
            "names":true,"both":true,"semantics":"standard","made-for":"standard","instances":""}"#;
        let expected = Settings { jobs: 1, ..Settings::default() };
        assert_eq!(serde_json::from_str::<Settings>(text).expect("settings"), expected);
    }

    #[test]
    fn other_versions_are_refused() {
        let text = serde_json::to_string(&Settings::default()).expect("JSON");
        let newer = text.replace("\"version\":1", "\"version\":2");
        let error = serde_json::from_str::<Settings>(&newer).expect_err("refused").to_string();
        assert_eq!(error, "settings of version 2; this stringent reads version 1");
        let other = text.replace("\"semantics\":\"standard\"", "\"semantics\":\"odd\"");
        assert!(serde_json::from_str::<Settings>(&other).is_err());
    }

    #[test]
    fn placeholders_have_the_values_of_the_limits() {
        let wants = unusual().rules().wants;
        assert_eq!((wants.time, wants.memory_mib, wants.named), (Duration::from_secs(1), 512, false));
    }

    #[test]
    fn settings_in_a_report() {
        let shown = unusual().shown();
        let shown: Vec<String> = shown.iter().map(|(name, value)| format!("{name} {value}")).collect();
        let expected = "time-limit 1.5 s · cpu-limit 1 s · memory-limit 512 MiB · solver-seeds 0, 1465 · batch yes · \
                        unnamed yes · semantics standard · instances run files/ · \
                        limit 300 · shard 2/8";
        assert_eq!(shown.join(" · "), expected);
    }
}
