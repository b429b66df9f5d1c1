//! Counting letters: two forms of one class have every letter equally often.
//!
//! After variables that occur on both sides are cancelled, letters that are left on one side must be in the variables
//! of the other. If there are none, the forms differ. This ends equations as `a x = x b`, on which splitting would go
//! on for ever.

use super::normal::{Normal, Piece};
use crate::infer::Rule;
use crate::theory::{Stop, Theory};
use rustc_hash::FxHashMap;
use sat::Context;
use std::collections::BTreeMap;

impl Theory<'_> {
    /// A conflict if the letters of two forms of one class cannot agree. True is never returned: there are no facts yet.
    pub(crate) fn parikh(&mut self, ctx: &mut Context<'_>, a: &Normal, b: &Normal) -> Result<bool, Stop> {
        let (left, right) = (self.pieces(a), self.pieces(b));
        let mut variables: FxHashMap<crate::egraph::Node, i64> = FxHashMap::default();
        let mut letters: BTreeMap<u32, i64> = BTreeMap::new();
        for (side, sign) in [(&left, 1), (&right, -1)] {
            for piece in side {
                match piece {
                    Piece::Class(n) => *variables.entry(*n).or_default() += sign,
                    Piece::Word(w) => w.iter().for_each(|&c| *letters.entry(c).or_default() += sign),
                }
            }
        }
        let more_left = variables.values().any(|&n| n > 0);
        let more_right = variables.values().any(|&n| n < 0);
        // Letters that are more on one side, while the other side has no variable to hold them.
        let clash = letters.values().any(|&n| (n > 0 && !more_right) || (n < 0 && !more_left));
        if clash {
            let premises = self.whole(a, b);
            return Err(self.conflict(ctx, Rule::ConstClash, &premises));
        }
        Ok(false)
    }
}
