//! The seeds of the steps of a reduction.

/// The seeds with which a step has to fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seeds {
    /// The given one.
    One,
    /// Any of this number.
    Any(u64),
    /// All of this number.
    Every(u64),
}
