//! Speed relative to other programs, measured in one run.
//!
//! | module | measures |
//! |---|---|
//! | [`front_end`] | parsing and sort-checking a large script |
//! | [`evaluator`] | operator applications per second on short strings |
//! | [`campaign`] | the overhead of the campaign runner, and its speed in batch mode |
//! | [`cluster`] | the driver of a cluster on a campaign of 10⁸ runs, simulated |
//! | [`synth`] | formulas with known answers per second |
//! | [`gen`](mod@gen) | scripts of generators per second |
//! | [`limits`] | the time that the built-in solver takes beyond its limit |
//! | [`latency`] | one query after the other over a pipe, beside other solvers |
//! | [`sessions`] | sessions of a concolic executor, beside other solvers |
//! | [`store`] | writing stores, and their size |
//! | [`solver`] | the built-in solver's process on trivial formulas, and its memory over many checks |

pub mod campaign;
pub mod cluster;
pub mod echo;
pub mod evaluator;
pub mod front_end;
pub mod r#gen;
pub mod latency;
pub mod limits;
mod peers;
mod script;
pub mod sessions;
pub mod solver;
pub mod store;
pub mod synth;
