//! Languages of the only variable part of a concatenation.
//!
//! With `x = "<b>" y "</b>"` and `x ∈ L`, `y` is in the quotient { w | "<b>" w "</b>" ∈ L }, and in no more. So what is known of `y` goes on to
//! the strings that `y` is a function of (`images.rs`), which nothing in `x` says. A complement needs no other treatment.

use super::membership::{BUDGET, Membership, form_premises, store};
use super::round::Round;
use crate::calculus::Calculus;
use crate::egraph::Node;
use rustc_hash::FxHashMap;

/// Adds the quotients of the languages of concatenations that have one part without a constant value.
pub(super) fn add(c: &mut Calculus<'_>, round: &Round, by_class: &mut FxHashMap<Node, Vec<Membership>>) {
    for &root in &round.roots {
        let (Some(form), Some(items)) = (round.normal.get(&root), by_class.get(&root).cloned()) else {
            continue;
        };
        let Some((before, part, after)) = around(c, &form.parts) else { continue };
        let premises = form_premises(c, form);
        for item in items {
            let Some(language) = store(c).quotient(item.language, &before, &after, BUDGET) else { continue };
            let premises = [&item.premises[..], &premises].concat();
            let derived = Membership { language, premises, weak: item.weak, derived: true };
            by_class.entry(part).or_default().push(derived);
        }
    }
}

/// The only part without a value, and the characters before and after it, of which there are some.
fn around(c: &Calculus<'_>, parts: &[Node]) -> Option<(Vec<u32>, Node, Vec<u32>)> {
    let mut open = parts.iter().enumerate().filter(|&(_, &p)| c.word_of(p).is_none());
    let (at, &part) = open.next()?;
    if parts.len() < 2 || open.next().is_some() {
        return None;
    }
    let text = |parts: &[Node]| parts.iter().filter_map(|&p| c.word_of(p)).flatten().copied().collect();
    Some((text(&parts[..at]), part, text(&parts[at + 1..])))
}
