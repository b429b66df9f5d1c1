//! The hunt: a loop that looks for bugs of solvers by itself.
//!
//! ```text
//! arms (source × solver with options) ─ units of fresh instances ─ answers ─ judged by witnesses ─ failures ─ triage ─ findings
//!   ▲                                                                                                              │
//!   └──────────────────────────── yield: new findings, failures that are not like known ones, new pairs of operators ┘
//! ```
//!
//! | module | job |
//! |---|---|
//! | [`run`](mod@run) | the loop: rounds of units, triage, the end |
//! | `workers` | threads that do the units of a round |
//! | [`arms`] | which source and solver is next: a bandit over their yields |
//! | [`unit`](mod@unit) | a unit of work: instances of one source on one solver; independent of all others |
//! | `ask` | instances to a solver, many in one process |
//! | `replay` | what a process got before an instance, as one script |
//! | `look` | a second look at what may be a failure: is it one, and is it there again? |
//! | `fit` | instances in a form that a solver takes |
//! | `witness` | models that refute an `unsat` or a core |
//! | `claims` | what solvers state besides answers: values, simplified terms, unsat assumptions |
//! | `back` | a solver's own model, asserted back |
//! | `ledger` | failures that are like known findings |
//! | [`coverage`] | pairs of operators: one directly inside another |
//! | [`state`] | the state of a hunt, kept in its store |
//! | [`parts`] | hunts with different seeds united into one |
//! | [`variant`] | solvers with their sets of options |
//! | [`corpus`] | files to mutate and recombine |
//! | [`planted`] | planted bugs, which measure how long a hunt needs |
//! | [`summary`] | the result in words |
//!
//! No label is needed: a `sat` is judged by its model, an `unsat` by any model that the referee accepts, from the construction, the built-in
//! solver, or another solver. The store of a hunt has the failures only.

pub mod arms;
mod ask;
mod back;
mod claims;
pub mod corpus;
pub mod coverage;
#[cfg(test)]
mod fake;
mod fit;
mod ledger;
mod look;
pub mod parts;
pub mod planted;
mod replay;
pub mod run;
pub mod state;
pub mod summary;
pub mod unit;
pub mod variant;
mod witness;
mod workers;

pub use run::{Observer, Options, Status, run};
pub use summary::Summary;
