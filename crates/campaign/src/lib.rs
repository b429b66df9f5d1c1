//! Running solvers on instances under limits, judging what they answer, storing and reporting it.
//!
//! | module | holds |
//! |---|---|
//! | [`case`] | an instance, read: script, what is known of it, and its proof |
//! | [`closing`] | what all runs together say of instances of which nothing is known |
//! | [`compose`] | what is sent to a solver |
//! | [`confirm`] | second opinions of other solvers on what was judged unsound |
//! | [`drive`] | the worker pool: instances × solvers × seeds |
//! | [`install`] | solvers from package registries into a cache |
//! | [`judge`] | what its output amounts to |
//! | [`measure`] | what one script costs a solver |
//! | [`outcome`] | the vocabulary: how a process ended, what a solver answered, verdicts and their kinds |
//! | [`process`] | running a solver's process under limits |
//! | [`profile`] | how a solver is run and asked |
//! | [`report`] | a stored campaign for people and machines: terminal, HTML, JSON, CSV, JUnit; two compared |
//! | [`session`] | batch mode: one process that is asked many instances |
//! | [`store`] | the SQLite store: one file is one campaign |

pub mod case;
pub mod clean;
pub mod closing;
pub mod compose;
pub mod confirm;
pub mod drive;
pub mod folder;
pub mod install;
pub mod job;
pub mod judge;
pub mod measure;
pub mod outcome;
pub mod process;
pub mod profile;
pub mod provenance;
pub mod report;
pub mod session;
pub mod settings;
pub mod store;
