//! The built-in solver: DPLL(T) for strings, regular expressions and linear integer arithmetic.
//!
//! The entry point is [`engine::check`]; [`session`] runs SMT-LIB commands. The calculus is that of Reynolds et al.
//! (CAV 2017); `docs/` maps its rules to the functions that implement them.

mod arith;
mod audit;
mod build;
mod builder;
mod calculus;
mod cnf;
mod dice;
mod digits;
mod egraph;
pub mod engine;
pub mod engines;
mod entail;
mod infer;
mod languages;
mod lia;
mod lra;
mod operators;
pub mod options;
mod poly;
mod preprocess;
mod resident;
mod rewrite;
pub mod session;
mod skolem;
mod strings;
mod terms;
mod theories;
mod theory;
mod weq;

use smt::{Pool, Term};

/// An equivalent term in the normal form of the rewriter.
pub fn normal_form(pool: &mut Pool, t: Term) -> Term {
    rewrite::Rewriter::new().rewrite(pool, rewrite::Mode::Full, t)
}
