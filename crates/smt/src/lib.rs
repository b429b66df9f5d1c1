//! SMT-LIB text and terms.
pub mod num;
