//! Runs solvers on instances under limits, judges their answers, stores and reports the results.
//!
//! | module | holds |
//! |---|---|
//! | [`case`] | an instance as parsed: script, known answers, certificate |
//! | [`clean`] | text that is safe to display; times, counts, shell words |
//! | [`closing`] | verdicts that need all runs of an instance: instances without a known answer |
//! | [`compose`] | the script that is sent to a solver |
//! | [`confirm`] | second opinions of other solvers on unsound results |
//! | [`drive`] | the worker pool: instances × solvers × seeds |
//! | [`finding`] | bugs: failures that were reduced, grouped and examined |
//! | [`folder`] | run folders, locks, resuming |
//! | [`host`] | the caller of long work: progress, a request to stop |
//! | [`install`] | solvers from package registries into a cache |
//! | [`job`] | a campaign: created or resumed, planned, run, closed |
//! | [`judge`] | from the output of a solver to a verdict |
//! | [`known`] | lists of known issues that users write |
//! | [`measure`] | the cost of one script for a solver |
//! | [`merge`] | stores united: shards, or solvers on the same instances |
//! | [`outcome`] | the vocabulary: endings, answers, verdicts and their kinds |
//! | [`process`] | running a solver's process under limits |
//! | [`profile`] | how a solver is started and which requests it understands |
//! | [`project`] | `stringent.toml`: solvers, limits, suites, known failures |
//! | [`provenance`] | time, command, machine and version of a result |
//! | [`report`] | a stored campaign as text, HTML, JSON, CSV, JUnit XML; two campaigns compared |
//! | [`repro`] | a run, done again |
//! | [`rerun`] | candidates for slowdowns and speed-ups, run again |
//! | [`selection`] | which instances are run: limits and shards |
//! | [`session`] | batch mode: one process for many instances |
//! | [`settings`] | the settings of a campaign |
//! | [`store`] | the SQLite store: one file is one campaign |
//! | [`toml_file`] | TOML files that users write |

pub mod case;
pub mod clean;
pub mod closing;
pub mod compose;
pub mod confirm;
pub mod drive;
pub mod finding;
pub mod folder;
pub mod host;
pub mod install;
pub mod job;
pub mod judge;
pub mod known;
pub mod measure;
pub mod merge;
pub mod outcome;
pub mod process;
pub mod profile;
pub mod project;
pub mod provenance;
pub mod report;
pub mod repro;
pub mod rerun;
pub mod selection;
pub mod session;
pub mod settings;
pub mod store;
pub mod toml_file;
