//! Quotients by words: what may stand between two words.
//!
//! { w | uwv ∈ L } is the derivative of L by u, and its derivative by v read backwards, as the words of L are.

use super::matching::limited;
use super::node::Re;
use super::store::RegexStore;

impl RegexStore {
    /// The words that are in the language between `before` and `after`; none if that takes more than the budget.
    pub fn quotient(&mut self, r: Re, before: &[u32], after: &[u32], budget: u64) -> Option<Re> {
        let middle = limited(budget, |fuel| {
            let mut state = self.prepare(r).start;
            for &c in before {
                state = self.derive(state, c, fuel)?;
            }
            if after.is_empty() {
                return Ok(state);
            }
            let mut state = self.reverse(state);
            for &c in after.iter().rev() {
                state = self.derive(state, c, fuel)?;
            }
            Ok(self.reverse(state))
        });
        let middle = middle.map(|m| self.pin(m));
        self.relieve(&[]);
        middle
    }
}
