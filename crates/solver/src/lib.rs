//! The built-in solver: DPLL(T) for strings, regular expressions and linear integers.

pub mod egraph;
pub mod engine;
pub mod entail;
pub mod lia;
pub mod options;
pub mod poly;
pub mod preprocess;
pub mod rewrite;
pub mod session;
