//! Unions of loops.

use smallvec::SmallVec;

use super::span::Span;
use super::store::{Node, Re, RegexStore};

/// Only loops among the first few parts of a concatenation are looked at.
const DEPTH: usize = 4;

/// Where there is a loop in a concatenation: what it repeats, and what is before and after it.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    before: SmallVec<[Re; DEPTH]>,
    body: Re,
    after: Re,
}

impl RegexStore {
    /// Merges members of a union that differ only in how often one loop repeats.
    ///
    /// The identity is pL{a,b}s ∪ pL{c,d}s = pL{min(a,c),max(b,d)}s, if there is no gap between the
    /// spans; where p is empty, the member s counts as L{0,0}s, and where s is, too, L as L{1,1}.
    ///
    /// Without this, nested loops would have as many derivatives as there are combinations of their
    /// counters: a word of n letters can be read in about n ways by (a|aa){2,5000}, and these differ
    /// in nothing but how often the loop has been passed; by ((a|aa){2,5000}b?){1,3000} in about n²
    /// ways. But the spans of what is left to be done overlap, unless both ends of the loop are about
    /// the same, and so melt into one. What does not melt are points far apart, as in Σ*a(a|b){1000}:
    /// there are words after which a set of about a thousand counters must be known. (L. Turoňová et
    /// al., "Regex matching with counting-set automata", OOPSLA 2020, keep such sets in a queue of
    /// numbers relative to a common offset.)
    ///
    /// `members` is ascending without duplicates, both before and after. The cost is that of sorting.
    pub(super) fn merge_loops(&mut self, members: &mut Vec<Re>) {
        for depth in 0..DEPTH {
            let mut counted: Vec<(Place, Span, Re)> = Vec::new();
            for &member in members.iter() {
                counted.extend(self.place(member, depth));
            }
            // Only at the beginning can a loop absorb members without one.
            if counted.len() < if depth == 0 { 1 } else { 2 } {
                continue;
            }
            counted.sort_unstable();

            let (mut removed, mut added) = (Vec::new(), Vec::new());
            let mut counted = counted.into_iter().peekable();
            while let Some((place, mut span, member)) = counted.next() {
                let mut merged = vec![member];
                while let Some(&(ref other, more, member)) = counted.peek()
                    && *other == place
                    && let Some(joined) = span.or(more)
                {
                    span = joined;
                    merged.push(member);
                    counted.next();
                }
                if depth == 0 {
                    absorb(members, &place, &mut span, &mut merged);
                }
                if merged.len() > 1 {
                    removed.append(&mut merged);
                    added.push((place, span));
                }
            }
            if removed.is_empty() {
                continue;
            }

            removed.sort_unstable();
            members.retain(|member| removed.binary_search(member).is_err());
            for (place, span) in added {
                let mut merged = self.repeat(place.body, span);
                merged = self.append(merged, place.after);
                for &part in place.before.iter().rev() {
                    merged = self.append(part, merged);
                }
                members.push(merged);
            }
            members.sort_unstable();
            members.dedup();
        }
    }

    /// The loop after the first `depth` parts of a concatenation, if there is one.
    fn place(&self, member: Re, depth: usize) -> Option<(Place, Span, Re)> {
        let mut before = SmallVec::new();
        let mut rest = member;
        for _ in 0..depth {
            let Node::Concat([head, tail]) = *self.node(rest) else {
                return None;
            };
            before.push(head);
            rest = tail;
        }
        let (head, after) = self.split(rest);
        let Node::Loop(body, span) = *self.node(head) else {
            return None;
        };
        let place = Place { before, body, after };
        Some((place, span, member))
    }
}

/// Extends the span of a loop at the beginning of a member of a union by other members, and appends
/// these to `merged`.
fn absorb(members: &[Re], place: &Place, span: &mut Span, merged: &mut Vec<Re>) {
    let zero = (place.after, Span::new(0, 0));
    let one = (place.body, Span::ONCE);
    let candidates = if place.after == Re::EPSILON {
        [Some(one), Some(zero)]
    } else {
        [Some(zero), None]
    };
    for (other, more) in candidates.into_iter().flatten() {
        if let Some(joined) = span.or(more)
            && members.binary_search(&other).is_ok()
        {
            *span = joined;
            merged.push(other);
        }
    }
}
