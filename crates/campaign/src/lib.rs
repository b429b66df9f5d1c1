//! Running solvers on instances under limits, judging what they answer, storing and reporting it.
//!
//! | module | holds |
//! |---|---|
//! | [`install`] | solvers from package registries into a cache |
//! | [`outcome`] | the vocabulary: how a process ended, what a solver answered, verdicts and their kinds |
//! | [`profile`] | how a solver is run and asked |
//! | [`store`] | the SQLite store: one file is one campaign |

pub mod install;
pub mod outcome;
pub mod profile;
pub mod store;
