//! Entailment is never wrong.
