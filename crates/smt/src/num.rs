//! Unbounded integers and rationals.
