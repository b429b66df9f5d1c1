//! The built-in solver: DPLL(T) for strings, regular expressions and linear integers.
//!
//! Start at [`engine::check`]. The calculus is that of Reynolds et al., CAV 2017; `docs/solver.md` maps its rules to the
//! functions that implement them.

mod arith;
mod audit;
mod build;
mod builder;
mod calculus;
mod cnf;
mod dice;
pub mod egraph;
pub mod engine;
pub mod entail;
pub mod infer;
mod languages;
pub mod lia;
mod operators;
pub mod options;
pub mod poly;
pub mod preprocess;
pub mod rewrite;
pub mod session;
mod skolem;
mod strings;
mod terms;
mod theory;
