//! The constructors, and the identities they simplify by.
//!
//! There are no normal forms for languages that are cheap to compute, and none is attempted. The
//! purpose of all simplification here is that derivatives that are obviously the same language are
//! the same expression; Brzozowski showed that there are then finitely many of them. Each identity
//! is stated where it is used.

use smallvec::SmallVec;

use super::charset::CharSet;
use super::node::{Node, Re};
use super::span::{Count, Span};
use super::store::RegexStore;

/// When expressions of the caller are built, nested unions and intersections with more than this
/// many members are not flattened: the members of deeply nested unions would be copied repeatedly. See `prepare.rs`.
const SMALL: usize = 16;

/// The constants and operators of the theory.
impl RegexStore {
    /// `re.none`: ∅.
    pub fn none(&self) -> Re {
        Re::NONE
    }

    /// `re.all`: UC*.
    pub fn all(&self) -> Re {
        Re::ALL
    }

    /// `re.allchar`: "{ w ∈ UC* | |w| = 1 }".
    pub fn allchar(&self) -> Re {
        Re::ALLCHAR
    }

    /// `str.to_re`: "{ w }".
    pub fn word(&mut self, w: &[u32]) -> Re {
        let re = self.text_of(w);
        self.pin(re)
    }

    /// The language of a word, not pinned.
    pub(super) fn text_of(&mut self, w: &[u32]) -> Re {
        debug_assert!(w.iter().all(|&c| c <= super::charset::MAX_CHAR));
        match w {
            [] => Re::EPSILON,
            &[c] => self.class(CharSet::range(c, c)),
            _ => {
                let text = self.text(w);
                self.intern(Node::Word { text, start: 0 })
            }
        }
    }

    /// `re.range`: "{ w ∈ UC | w₁ <= w <= w₂ } if |w₁| = |w₂| = 1, ∅ otherwise".
    pub fn range(&mut self, w1: &[u32], w2: &[u32]) -> Re {
        let re = match (w1, w2) {
            (&[first], &[last]) => self.class(CharSet::range(first, last)),
            _ => Re::NONE,
        };
        self.pin(re)
    }

    /// `re.++`: "{ w₁w₂ | w₁ ∈ L₁ and w₂ ∈ L₂ }", of any number of languages.
    pub fn concat(&mut self, parts: &[Re]) -> Re {
        let mut re = Re::EPSILON;
        for &part in parts.iter().rev() {
            re = self.append(part, re);
        }
        self.pin(re)
    }

    /// `re.union`: "{ w | w ∈ L₁ or w ∈ L₂ }", of any number of languages.
    pub fn union(&mut self, members: &[Re]) -> Re {
        let re = self.unite(members.to_vec(), SMALL);
        self.pin(re)
    }

    /// `re.inter`: "{ w | w ∈ L₁ and w ∈ L₂ }", of any number of languages.
    pub fn inter(&mut self, members: &[Re]) -> Re {
        let re = self.intersect(members.to_vec(), SMALL);
        self.pin(re)
    }

    /// `re.diff`: "L₁ \ L₂", of any number of languages: those after the first are taken away from
    /// it.
    pub fn diff(&mut self, parts: &[Re]) -> Re {
        let Some((&first, others)) = parts.split_first() else {
            return Re::NONE;
        };
        let mut members = vec![first];
        members.extend(others.iter().map(|&other| self.complement(other)));
        let re = self.intersect(members, SMALL);
        self.pin(re)
    }

    /// `re.comp`: "UC* \ L".
    pub fn comp(&mut self, r: Re) -> Re {
        let re = self.complement(r);
        self.pin(re)
    }

    /// `re.*`: "the smallest subset K of UC* such that ε ∈ K, and ⟦re.++⟧(L,K) ⊆ K".
    pub fn star(&mut self, r: Re) -> Re {
        let re = self.repeat(r, Span::STAR);
        self.pin(re)
    }

    /// `re.+`: "⟦re.++⟧(L, ⟦re.*⟧(L))".
    pub fn plus(&mut self, r: Re) -> Re {
        let re = self.repeat(r, Span::PLUS);
        self.pin(re)
    }

    /// `re.opt`: "L ∪ { ε }".
    pub fn opt(&mut self, r: Re) -> Re {
        let re = self.repeat(r, Span::OPT);
        self.pin(re)
    }

    /// `(_ re.^ n)`: "Lⁿ", where "L⁰ = { ε }, Lⁿ⁺¹ = ⟦re.++⟧(L, Lⁿ)".
    pub fn power(&mut self, r: Re, n: impl Into<Count>) -> Re {
        let n = n.into();
        self.loop_(r, n, n)
    }

    /// `(_ re.loop i n)`: "Lⁱ ∪ ... ∪ Lⁿ if i <= n, ∅ otherwise".
    ///
    /// If both numerals are [`Count::Beyond`], the first must not be greater than the second.
    pub fn loop_(&mut self, r: Re, lo: impl Into<Count>, hi: impl Into<Count>) -> Re {
        let re = match Span::between(lo.into(), hi.into()) {
            Some(span) => self.repeat(r, span),
            None => Re::NONE,
        };
        self.pin(re)
    }
}

/// Simplifying constructors. Their results are not pinned.
impl RegexStore {
    /// The words of one character from a set.
    fn class(&mut self, set: CharSet) -> Re {
        if set.is_empty() {
            return Re::NONE;
        }
        self.intern(Node::Class(set))
    }

    /// Concatenation.
    ///
    /// It is kept in the form r₁(r₂(r₃…)), so that the first part is accessible, by (rs)t = r(st). But
    /// only up to a certain number of parts of the first argument: appending to an expression
    /// repeatedly would take quadratic time, and if r is ss, s is tt, …, there may be more
    /// parts than fit in memory. The derivative flattens the rest.
    pub(super) fn append(&mut self, first: Re, second: Re) -> Re {
        if first == Re::NONE || second == Re::NONE {
            return Re::NONE;
        }
        let (next, rest) = self.split(second);
        if let Some((body, span)) = self.common_loop(first, next) {
            let repeated = self.repeat(body, span);
            return self.prepend(repeated, rest);
        }
        const PARTS: usize = 16;
        let mut parts: SmallVec<[Re; PARTS]> = SmallVec::new();
        let mut last = first;
        while let Node::Concat([head, tail]) = *self.node(last) {
            if parts.len() == PARTS {
                return self.intern(Node::Concat([first, second]));
            }
            parts.push(head);
            last = tail;
        }
        parts.push(last);
        let mut result = second;
        for part in parts.into_iter().rev() {
            result = self.prepend(part, result);
        }
        result
    }

    /// Concatenation of a first part and others. Neighbours that repeat the same are put together.
    fn prepend(&mut self, mut part: Re, mut others: Re) -> Re {
        loop {
            if part == Re::EPSILON {
                return others;
            }
            if others == Re::EPSILON {
                return part;
            }
            let (next, rest) = self.split(others);
            let Some((body, span)) = self.common_loop(part, next) else {
                return self.intern(Node::Concat([part, others]));
            };
            part = self.repeat(body, span);
            others = rest;
        }
    }

    /// The concatenation of two expressions as a loop, if they repeat the same: L{a,b}L{c,d} =
    /// L{a+c,b+d}, where L is L{1,1} and L ∪ {ε} is L{0,1}. Expressions without loops are not
    /// changed, except that (L ∪ {ε})(L ∪ {ε}) becomes L{0,2}.
    fn common_loop(&mut self, a: Re, b: Re) -> Option<(Re, Span)> {
        let (left, right) = (self.as_loop(a), self.as_loop(b));
        let (body, first, second) = match (left, right) {
            (Some((body, first)), Some((other, second))) if body == other => (body, first, second),
            (Some((body, first)), _) if body == b => (body, first, Span::ONCE),
            (_, Some((body, second))) if body == a => (body, Span::ONCE, second),
            _ => return None,
        };
        Some((body, first.then(second)?))
    }

    /// The body of a repetition, and the number of repetitions.
    fn as_loop(&mut self, r: Re) -> Option<(Re, Span)> {
        match self.node(r) {
            &Node::Loop(body, span) => Some((body, span)),
            Node::Union(members) if members[0] == Re::EPSILON && members.len() <= SMALL => {
                Some((self.without_epsilon(r), Span::OPT))
            }
            _ => None,
        }
    }

    /// An expression without its member ε if it is a union that has it. As unions have that only if
    /// no other member contains the empty word, the result then does not contain it either.
    fn without_epsilon(&mut self, r: Re) -> Re {
        match self.node(r) {
            Node::Union(members) if members[0] == Re::EPSILON => match &members[1..] {
                &[only] => only,
                others => {
                    let others = others.into();
                    self.intern(Node::Union(others))
                }
            },
            _ => r,
        }
    }

    /// Loops.
    ///
    /// If L contains the empty word, Lⁿ contains all lower powers, so the lower end of the span is
    /// irrelevant, and so is that word; L{0,n} without it is used. See [`Span::around`]
    /// for loops of loops.
    pub(super) fn repeat(&mut self, body: Re, mut span: Span) -> Re {
        if span.lo > span.hi {
            return Re::NONE;
        }
        if span.hi == 0 || body == Re::EPSILON || (body == Re::NONE && span.lo == 0) {
            return Re::EPSILON;
        }
        if body == Re::NONE {
            return Re::NONE;
        }
        if self.nullable(body) {
            span.lo = 0;
        }
        let body = self.without_epsilon(body);
        if span == Span::ONCE {
            return body;
        }
        if span == Span::OPT {
            return self.unite(vec![Re::EPSILON, body], usize::MAX);
        }
        if let Node::Loop(innermost, inner) = *self.node(body)
            && let Some(span) = span.around(inner)
        {
            return self.intern(Node::Loop(innermost, span));
        }
        self.intern(Node::Loop(body, span))
    }

    /// Complement, with ¬¬L = L, ¬∅ = Σ*, ¬{ε} = Σ⁺.
    pub(super) fn complement(&mut self, r: Re) -> Re {
        match *self.node(r) {
            Node::None => Re::ALL,
            Node::Epsilon => Re::NONEMPTY,
            Node::Comp(body) => body,
            _ if r == Re::ALL => Re::NONE,
            _ if r == Re::NONEMPTY => Re::EPSILON,
            _ => self.intern(Node::Comp(r)),
        }
    }

    /// Union: associative, commutative, idempotent, with ∅ as neutral and Σ* as absorbing element.
    ///
    /// Moreover, sets of characters are united into one, ε is left out if another member contains
    /// it, L ∪ ¬L is Σ* (unless numerals were clamped, when equal expressions may differ),
    /// loops are merged, and members contained in Σ*L are absorbed by it. Members that are
    /// unions of more than `small` members stay as they are.
    pub(super) fn unite(&mut self, members: Vec<Re>, small: usize) -> Re {
        let mut all = Vec::with_capacity(members.len());
        for member in members {
            match self.node(member) {
                Node::None => {}
                Node::Union(members) if members.len() <= small => all.extend_from_slice(members),
                _ => all.push(member),
            }
        }
        all.sort_unstable();
        all.dedup();
        if all.len() > 1 {
            self.unite_classes(&mut all);
            if all[0] == Re::EPSILON && all[1..].iter().any(|&r| self.nullable(r)) {
                all.remove(0);
            }
            self.absorb_all(&mut all);
            self.merge_loops(&mut all);
            if all.binary_search(&Re::ALL).is_ok() || self.has_complements(&all) {
                return Re::ALL;
            }
        }
        match *all {
            [] => Re::NONE,
            [only] => only,
            _ => self.intern(Node::Union(all.into())),
        }
    }

    /// Intersection: associative, commutative, idempotent, with Σ* as neutral and ∅ as absorbing
    /// element.
    ///
    /// Moreover, sets of characters are intersected, {ε} ∩ L is {ε} or ∅, Σ⁺ is left out if another
    /// member lacks the empty word, L ∩ ¬L is ∅ (see [`RegexStore::unite`]), and so is an
    /// intersection of languages of which one has only words longer than those of another. Members
    /// that are intersections of more than `small` members stay as they are.
    pub(super) fn intersect(&mut self, members: Vec<Re>, small: usize) -> Re {
        let mut all = Vec::with_capacity(members.len());
        for member in members {
            match self.node(member) {
                _ if member == Re::ALL => {}
                Node::Inter(members) if members.len() <= small => all.extend_from_slice(members),
                _ => all.push(member),
            }
        }
        all.sort_unstable();
        all.dedup();
        if all.len() > 1 {
            self.intersect_classes(&mut all);
            if all.contains(&Re::NONEMPTY) && all.iter().filter(|&&r| !self.nullable(r)).count() > 1 {
                all.retain(|&r| r != Re::NONEMPTY);
            }
            let min = all.iter().map(|&r| self.facts(r).min).max();
            let max = all.iter().map(|&r| self.facts(r).max).min();
            if min > max || self.has_complements(&all) {
                return Re::NONE;
            }
            if all[0] == Re::EPSILON {
                let nullable = all.iter().all(|&r| self.nullable(r));
                return if nullable { Re::EPSILON } else { Re::NONE };
            }
        }
        match *all {
            [] => Re::ALL,
            [only] => only,
            _ => self.intern(Node::Inter(all.into())),
        }
    }

    /// Replaces all sets of characters in an ascending list by their union.
    fn unite_classes(&mut self, all: &mut Vec<Re>) {
        if all.iter().filter(|&&r| self.as_class(r).is_some()).count() > 1 {
            let set = CharSet::union(all.iter().filter_map(|&r| self.as_class(r)));
            self.replace_classes(all, set);
        }
    }

    /// Replaces all sets of characters in an ascending list by their intersection.
    fn intersect_classes(&mut self, all: &mut Vec<Re>) {
        let mut classes = all.iter().filter_map(|&r| self.as_class(r));
        if let (Some(first), Some(second)) = (classes.next(), classes.next()) {
            let set = classes.fold(first.intersection(second), |set, other| set.intersection(other));
            self.replace_classes(all, set);
        }
    }

    fn replace_classes(&mut self, all: &mut Vec<Re>, set: CharSet) {
        let class = self.class(set);
        all.retain(|&r| self.as_class(r).is_none());
        if let Err(at) = all.binary_search(&class) {
            all.insert(at, class);
        }
    }

    fn as_class(&self, r: Re) -> Option<&CharSet> {
        match self.node(r) {
            Node::Class(set) => Some(set),
            _ => None,
        }
    }

    /// Whether an ascending list has both an expression and its complement.
    fn has_complements(&self, all: &[Re]) -> bool {
        all.iter().any(|&r| match *self.node(r) {
            Node::Comp(body) => self.facts(body).exact && all.binary_search(&body).is_ok(),
            _ => false,
        })
    }
}
