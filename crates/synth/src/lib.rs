//! Formulas whose answer is known by construction, each with a certificate.
//!
//! After Bugariu & Müller, "Automatically Testing String Solvers", ICSE 2020. Satisfiable formulas come from
//! evaluating operations on constants and replacing some of the constants by variables ([`sat`]); unsatisfiable ones from an
//! equivalence `A ⇔ B`, as `¬A ∧ B`, made harder by equalities ([`unsat`]). Rules are data (`rules/*.smt2`), verified by
//! the referee. The certificate of a satisfiable formula is a model; that of an unsatisfiable one is its derivation,
//! its minimal core, and for each assertion of the core a model of the others ([`certify`]).
//!
//! Start at [`suite`]: it generates complete suites, in parallel and in order.

pub mod attack;
pub mod certify;
pub mod constants;
pub mod dice;
pub mod edits;
pub mod evolve;
pub mod generators;
pub mod merge;
pub mod mine;
pub mod operation;
pub mod parameters;
pub mod random;
pub mod rules;
pub mod sat;
pub mod scaling;
pub mod search;
pub mod sources;
pub mod stats;
pub mod substitute;
pub mod suite;
pub mod text;
pub mod transformers;
pub mod unsat;

pub use dice::Dice;
pub use suite::{Options, Preset, generate};
pub use text::Text;
