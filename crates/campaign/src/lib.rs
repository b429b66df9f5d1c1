//! Running solvers on instances under limits, judging what they answer, storing and reporting it.
//!
//! | module | holds |
//! |---|---|
//! | [`outcome`] | the vocabulary: how a process ended, what a solver answered, verdicts and their kinds |
//! | [`process`] | running a solver's process under limits |
//! | [`profile`] | how a solver is run and asked |
//! | [`session`] | batch mode: one process that is asked many instances |
//! | [`store`] | the SQLite store: one file is one campaign |

pub mod outcome;
pub mod process;
pub mod profile;
pub mod session;
pub mod store;
