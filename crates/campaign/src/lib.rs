//! Running solvers on instances under limits, judging what they answer, storing and reporting it.
//!
//! | module | holds |
//! |---|---|
//! | [`outcome`] | the vocabulary: how a process ended, what a solver answered, verdicts and their kinds |
//! | [`profile`] | how a solver is run and asked |
//! | [`report`] | a stored campaign for people and machines: terminal, HTML, JSON, CSV, JUnit; two compared |
//! | [`store`] | the SQLite store: one file is one campaign |

pub mod outcome;
pub mod profile;
pub mod report;
pub mod store;
