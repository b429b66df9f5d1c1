//! Unions of loops.

use std::hash::Hasher;
use std::iter;

use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use smallvec::{SmallVec, smallvec};

use super::node::{Node, Re};
use super::span::Span;
use super::store::RegexStore;

/// Only loops among the first parts of a concatenation are considered.
const DEPTH: usize = 12;
/// What was merged is looked at again, but not more often than this.
const ROUNDS: usize = 3;

/// A loop in a concatenation that is a member of a union. Loops that may be merged are neighbours
/// in the order of these.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    /// The number of parts before the loop.
    depth: usize,
    /// The hash of these.
    before: u64,
    body: Re,
    /// The parts after the loop.
    after: Re,
    span: Span,
    member: Re,
}

impl RegexStore {
    /// Merges members of a union that differ only in the number of repetitions of one loop.
    ///
    /// The identity is pL{a,b}s ∪ pL{c,d}s = pL{min(a,c),max(b,d)}s, if there is no gap between the
    /// spans; where p is empty, the member s counts as L{0,0}s, and where s is empty as well, L as L{1,1}.
    ///
    /// Without this, nested loops would have as many derivatives as there are combinations of their
    /// counters: a word of n characters can be read in about n ways by (a|aa){2,5000}, and these
    /// differ only in the number of iterations; by ((a|aa){2,5000}b?){1,3000} in
    /// about n² ways. But the spans of remaining iterations overlap, unless both ends of the
    /// loop are about the same, and so merge into one. Points that are far from each other do not merge, as
    /// in Σ*a(a|b){1000}: there are words after which a set of about a thousand counters must be
    /// known. (L. Turoňová et al., "Regex matching with counting-set automata", OOPSLA 2020, keep
    /// such sets in a queue of numbers relative to a common offset.)
    ///
    /// `members` is ascending without duplicates, both before and after. The cost is that of
    /// sorting.
    pub(super) fn merge_loops(&mut self, members: &mut Vec<Re>) {
        for _ in 0..ROUNDS {
            let mut places = Vec::new();
            for &member in members.iter() {
                self.find_places(member, &mut places);
            }
            // A loop at the beginning may absorb a member without one.
            let alone = places.len() == 1 && places[0].depth > 0;
            if places.is_empty() || alone || !self.merge_places(members, places) {
                return;
            }
        }
    }

    /// Removes members of a union that are contained in others of the form ΣᵏΣ*L.
    ///
    /// These are the products of anything with such a member, and those of L with anything of k or
    /// more characters. So of the derivatives of Σ*aΣ*bΣ*c, which contain an a or a b or
    /// a c, only the last remains. `members` stays ascending.
    pub(super) fn absorb_all(&self, members: &mut Vec<Re>) {
        // Both L and the member, with the member and k.
        let mut greedy: FxHashMap<Re, (Re, u64)> = FxHashMap::default();
        for &member in members.iter() {
            let (head, rest) = self.split(member);
            if let Node::Loop(Re::ALLCHAR, span) = *self.node(head)
                && span.hi == Span::INF
                && !span.clamped
                && rest != Re::EPSILON
            {
                greedy.insert(rest, (member, span.lo));
                greedy.insert(member, (member, 0));
            }
        }
        if greedy.is_empty() {
            return;
        }
        members.retain(|&member| {
            let mut rest = member;
            for _ in 0..DEPTH {
                if let Some(&(other, k)) = greedy.get(&rest)
                    && other != member
                {
                    let (whole, rest) = (self.facts(member).min, self.facts(rest).min);
                    if whole < u64::MAX && whole - rest >= k {
                        return false;
                    }
                }
                let (_, tail) = self.split(rest);
                if tail == Re::EPSILON {
                    break;
                }
                rest = tail;
            }
            true
        });
    }

    /// Appends the loops of one member.
    fn find_places(&self, member: Re, places: &mut Vec<Place>) {
        let (mut head, mut after) = self.split(member);
        let mut before = FxHasher::default();
        for depth in 0..DEPTH {
            if let Node::Loop(body, span) = *self.node(head) {
                places.push(Place { depth, before: before.finish(), body, after, span, member });
            }
            if after == Re::EPSILON {
                return;
            }
            before.write_u32(head.0);
            (head, after) = self.split(after);
        }
    }

    /// Merges loops in the given places, each member at most once. Returns whether any were
    /// merged.
    ///
    /// A member is removed only if an added member contains it, and every added member is
    /// contained in the old union. So the language stays the same.
    fn merge_places(&mut self, members: &mut Vec<Re>, mut places: Vec<Place>) -> bool {
        places.sort_unstable();
        let mut removed: FxHashSet<Re> = FxHashSet::default();
        let mut added: Vec<(&Place, Span)> = Vec::new();
        let mut rest = &*places;
        while let Some((place, others)) = rest.split_first() {
            rest = others;
            if removed.contains(&place.member) {
                continue;
            }
            let mut span = place.span;
            let mut merged: SmallVec<[Re; 4]> = smallvec![place.member];
            while let Some((next, others)) = rest.split_first()
                && self.alike(place, next)
            {
                if !removed.contains(&next.member) {
                    let Some(joined) = span.or(next.span) else {
                        break;
                    };
                    span = joined;
                    merged.push(next.member);
                }
                rest = others;
            }
            if place.depth == 0 {
                absorb(members, place, &mut span, &mut merged);
            }
            if merged.len() > 1 {
                removed.extend(merged);
                added.push((place, span));
            }
        }
        if removed.is_empty() {
            return false;
        }
        members.retain(|member| !removed.contains(member));
        for (place, span) in added {
            let before: SmallVec<[Re; DEPTH]> = self.parts(place.member).take(place.depth).collect();
            let mut merged = self.repeat(place.body, span);
            merged = self.append(merged, place.after);
            for &part in before.iter().rev() {
                merged = self.append(part, merged);
            }
            members.push(merged);
        }
        members.sort_unstable();
        members.dedup();
        true
    }

    /// Whether two places differ at most in how often the loop repeats.
    fn alike(&self, a: &Place, b: &Place) -> bool {
        let before = |place: &Place| self.parts(place.member).take(place.depth);
        (a.depth, a.before, a.body, a.after) == (b.depth, b.before, b.body, b.after)
            && before(a).eq(before(b))
    }

    /// The parts of a concatenation, as an infinite sequence: ε after the last part.
    fn parts(&self, r: Re) -> impl Iterator<Item = Re> {
        let mut rest = r;
        iter::from_fn(move || {
            let (head, tail) = self.split(rest);
            rest = tail;
            Some(head)
        })
    }
}

/// Extends the span of a loop at the beginning of a member by other members, and appends these to
/// `merged`.
fn absorb(members: &[Re], place: &Place, span: &mut Span, merged: &mut SmallVec<[Re; 4]>) {
    let zero = (place.after, Span::new(0, 0));
    let one = (place.body, Span::ONCE);
    let candidates = if place.after == Re::EPSILON { [Some(one), Some(zero)] } else { [Some(zero), None] };
    for (other, more) in candidates.into_iter().flatten() {
        if let Some(joined) = span.or(more)
            && members.binary_search(&other).is_ok()
        {
            *span = joined;
            merged.push(other);
        }
    }
}
