//! Equalities of strings rewritten further, where the core rewriter keeps them as they are.

use super::Rule;

pub(super) static RULES: &[Rule] = &[];
