//! Reduction: the smallest script with a property, by hierarchical delta debugging.
