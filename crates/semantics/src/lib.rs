//! The referee: an executable SMT-LIB semantics.
pub mod regex;
pub mod strings;
