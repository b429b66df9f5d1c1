//! The `stringent` binary.
fn main() {}
