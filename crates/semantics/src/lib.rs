//! The referee: an executable SMT-LIB semantics.
//!
//! Written from the text of the standard alone; depends on neither generators nor solvers. [`strings`] and [`regex`]
//! are the operators as functions of strings and languages, [`eval`] evaluates terms under a [`model`], [`referee`]
//! judges models on scripts, [`transcript`] finds the model to judge in the output of a solver, [`ambiguity`] finds texts with two readings, [`explain`] shows why an assertion is
//! false, [`rule`] reads and verifies rule files, [`certificate`] and [`instance`] read and write scripts with known answers.
//!
//! Truth is three-valued: an assertion holds, fails or is undetermined. Nothing is guessed.

pub mod ambiguity;
mod apply;
pub mod certificate;
pub mod eval;
pub mod explain;
pub mod instance;
pub mod model;
pub mod referee;
pub mod regex;
pub mod rule;
pub mod strings;
pub mod transcript;
pub mod value;

pub use certificate::{Certificate, Query, Status};
pub use eval::{Config, Evaluator};
pub use instance::{Instance, Truth};
pub use model::Model;
pub use strings::{Reading, Str};
pub use value::{Satisfaction, Val, Value, Why};
