//! The referee: an executable SMT-LIB semantics.
//!
//! Written from the standard's text alone, and sharing no code with anything it may judge: neither
//! generators nor solvers are known here. [`strings`] and [`regex`] are the operators as functions of words
//! and languages, [`eval`] evaluates terms under a [`model`], [`referee`] judges models on whole scripts,
//! [`explain`] says why an assertion is false, [`rule`] reads and verifies rule files.
//!
//! Satisfaction is three-valued: *holds*, *fails*, *cannot tell*, never a guess.

mod apply;
pub mod doubt;
pub mod eval;
pub mod explain;
pub mod model;
pub mod referee;
pub mod regex;
pub mod rule;
pub mod strings;
pub mod value;

pub use eval::{Config, Evaluator};
pub use model::Model;
pub use strings::{Reading, Str};
pub use value::{Satisfaction, Val, Value, Why};
