//! Campaigns on a cluster.
//!
//! A scheduler of batch jobs is neither exactly-once nor at-least-once: tasks are lost, run twice, or held. So it decides nothing here. The
//! jobs of a campaign are frozen in a plan ([`plan`]); a task gets the number of a chunk ([`chunk`]), does its runs with the
//! ordinary worker pool ([`worker`]), and leaves shards of results ([`shard`]), which are merged by the keys of the runs
//! ([`merge`]). What is planned and not recorded is submitted again ([`drive`]).
//!
//! | module | holds |
//! |---|---|
//! | [`plan`] | the frozen list of jobs: settings, solvers, instances, seeds, with a digest |
//! | [`done`] | a set of jobs, one bit each |
//! | [`chunk`] | how many jobs a task gets |
//! | [`shard`] | results of a task: one file, complete or refused |
//! | [`pilot`] | a sample that is run first, for the size of chunks |
//! | [`pool`] | the worker pool of a campaign on some of its jobs |
//! | [`worker`] | index → chunk → shards |
//! | [`parts`] | searches that are not lists of jobs: hunts, runs of `break` |
//! | [`merge`] | shards into the store, each once |
//! | [`drive`] | submits what is missing until nothing is |
//! | [`simulate`] | a cluster that does not exist, for measurements |
//! | [`slurm`] | sbatch, squeue, scancel |
//! | [`config`] | `cluster.toml` |
//! | [`check`] | what is wrong with a cluster, before anything is submitted |
//! | [`hand`] | plan and merge for other schedulers |
//! | [`launch`] | a campaign on Slurm, from its store to the last merged shard |

pub mod check;
pub mod chunk;
pub mod config;
pub mod done;
pub mod drive;
mod error;
mod files;
pub mod hand;
pub mod launch;
pub mod merge;
mod pack;
pub mod parts;
pub mod pilot;
pub mod plan;
pub mod pool;
pub mod shard;
pub mod simulate;
pub mod slurm;
pub mod worker;

pub use error::Error;
