//! The string operators.
