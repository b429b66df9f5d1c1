//! Membership, search and replacement.

use super::derive::{Fuel, Spent};
use super::node::{Node, Re};
use super::store::{Prepared, RegexStore};

/// Operators that read words.
///
/// Each comes in two forms; the one whose name starts with `try_` returns `None` after about
/// `budget` units of work. A unit is one character read, or one expression visited to read it. The other form has no limit; see [`RegexStore::matches`].
impl RegexStore {
    /// `str.in_re`: "true iff w ∈ L".
    ///
    /// The language is derived by one character after the other; the word is in it iff the empty
    /// word is in the final derivative. For the cost see `derive.rs`; it is linear in the length of the
    /// word, times the size of the expression, if this has no complements or intersections other
    /// than at the top. A step that was computed before for the same expressions is a table
    /// lookup.
    ///
    /// The size is that of the expression as a tree. It may be exponentially smaller in
    /// a store, where common subexpressions are shared.
    pub fn matches(&mut self, r: Re, w: &[u32]) -> bool {
        unlimited(|fuel| self.read(r, w, fuel))
    }

    /// [`RegexStore::matches`] within a budget.
    pub fn try_matches(&mut self, r: Re, w: &[u32], budget: u64) -> Option<bool> {
        limited(budget, |fuel| self.read(r, w, fuel))
    }

    /// The shortest of the leftmost matches of `r` in `w` that start at `from` or later: its start
    /// and its end. If `nonempty` is set, the empty word is no match.
    ///
    /// # Panics
    ///
    /// If `from` is beyond the end of the word.
    pub fn find_shortest_leftmost(
        &mut self,
        r: Re,
        w: &[u32],
        from: usize,
        nonempty: bool,
    ) -> Option<(usize, usize)> {
        unlimited(|fuel| Search::new(self, r, w, from, nonempty).next(self, from, fuel))
    }

    /// `str.replace_re`: "w if no substring of w is in L; u₁w₂u₂ where u₁, w₁ are the shortest
    /// words such that w = u₁w₁u₂ and w₁ ∈ L", otherwise.
    ///
    /// Of these it is u₁ that comes first, as the match is the leftmost one.
    pub fn replace_re(&mut self, w: &[u32], r: Re, w2: &[u32]) -> Vec<u32> {
        unlimited(|fuel| self.replace(w, r, w2, fuel))
    }

    /// [`RegexStore::replace_re`] within a budget.
    pub fn try_replace_re(&mut self, w: &[u32], r: Re, w2: &[u32], budget: u64) -> Option<Vec<u32>> {
        limited(budget, |fuel| self.replace(w, r, w2, fuel))
    }

    /// `str.replace_re_all`: "w if no substring of w is in L; u₁w₂⟦str.replace_re_all⟧(u₂, L, w₂)
    /// where u₁, w₁ are the shortest words such that w = u₁w₁u₂, w₁ ∈ L and w₁ ≠ ε", otherwise.
    ///
    /// Those words need not exist if ε is in L; then the result is w as well: "replacing, left-to
    /// right, each shortest *non-empty* match of r in s by t". Note that u₂ is searched as a separate
    /// word; since a match does not depend on its context, this makes no difference.
    pub fn replace_re_all(&mut self, w: &[u32], r: Re, w2: &[u32]) -> Vec<u32> {
        unlimited(|fuel| self.replace_all(w, r, w2, fuel))
    }

    /// [`RegexStore::replace_re_all`] within a budget.
    pub fn try_replace_re_all(&mut self, w: &[u32], r: Re, w2: &[u32], budget: u64) -> Option<Vec<u32>> {
        limited(budget, |fuel| self.replace_all(w, r, w2, fuel))
    }

    /// `str.indexof_re`, an extension of cvc5: the first position at `i` or later where a match of
    /// `r` starts, possibly an empty one. There is none if `i` is beyond the end of the word.
    pub fn indexof_re(&mut self, w: &[u32], r: Re, i: usize) -> Option<usize> {
        unlimited(|fuel| self.index(w, r, i, fuel))
    }

    /// [`RegexStore::indexof_re`] within a budget.
    pub fn try_indexof_re(&mut self, w: &[u32], r: Re, i: usize, budget: u64) -> Option<Option<usize>> {
        limited(budget, |fuel| self.index(w, r, i, fuel))
    }
}

/// The result of an operation without a limit.
fn unlimited<T>(work: impl FnOnce(&mut Fuel) -> Result<T, Spent>) -> T {
    work(&mut Fuel::unlimited()).expect("the fuel is unlimited")
}

/// The result of an operation within a budget.
pub(super) fn limited<T>(budget: u64, work: impl FnOnce(&mut Fuel) -> Result<T, Spent>) -> Option<T> {
    work(&mut Fuel::new(budget)).ok()
}

impl RegexStore {
    fn read(&mut self, r: Re, w: &[u32], fuel: &mut Fuel) -> Result<bool, Spent> {
        let prepared = self.prepare(r);
        let (mut state, mut rest) = (prepared.start, w);
        while !rest.is_empty() {
            let (facts, length) = (self.facts(state), rest.len() as u64);
            if length < facts.min || facts.max < length {
                return Ok(false);
            }
            if state == Re::ALL {
                return Ok(true);
            }
            let taken = self.advance(&mut state, rest, &prepared, fuel)?;
            rest = &rest[taken..];
            state = self.trim(state, rest.len() as u64);
            self.relieve(&[state]);
        }
        Ok(self.nullable(state))
    }

    /// An expression that has the same words of a certain length.
    ///
    /// Members of unions that cannot have a word of that length are left out. So for Σ*aΣ{1000} the
    /// positions of the a matter only within the last thousand characters.
    /// Only unions at the top, or directly below complements and intersections there, are considered.
    fn trim(&mut self, r: Re, length: u64) -> Re {
        match *self.node(r) {
            Node::Union(_) => self.trim_union(r, length),
            Node::Comp(body) => {
                let trimmed = self.trim_union(body, length);
                if trimmed == body {
                    return r;
                }
                self.complement(trimmed)
            }
            Node::Inter(ref members) => {
                let members = members.clone();
                let trimmed: Vec<Re> = (members.iter())
                    .map(|&member| match *self.node(member) {
                        Node::Comp(_) => {
                            let body = self.complement(member);
                            let trimmed = self.trim_union(body, length);
                            self.complement(trimmed)
                        }
                        _ => self.trim_union(member, length),
                    })
                    .collect();
                if *trimmed == *members {
                    return r;
                }
                self.intersect(trimmed, usize::MAX)
            }
            _ => r,
        }
    }

    /// A union without members that cannot have a word of a certain length.
    fn trim_union(&mut self, r: Re, length: u64) -> Re {
        let fits = |(min, max): (u64, u64)| min <= length && length <= max;
        if fits(self.facts(r).common) {
            return r;
        }
        let Node::Union(members) = self.node(r) else {
            return r;
        };
        let fitting = members.iter().copied().filter(|&member| {
            let facts = self.facts(member);
            fits((facts.min, facts.max))
        });
        let fitting: Vec<Re> = fitting.collect();
        match *fitting {
            [] => Re::NONE,
            [only] => only,
            _ => self.intern(Node::Union(fitting.into())),
        }
    }

    /// Replaces a state by its derivative by the next characters and returns how many these were.
    /// In between, the empty word was in none of the languages.
    ///
    /// It is one character, unless a long literal comes next.
    #[inline]
    fn advance(
        &mut self,
        state: &mut Re,
        rest: &[u32],
        prepared: &Prepared,
        fuel: &mut Fuel,
    ) -> Result<usize, Spent> {
        let (head, tail) = self.split(*state);
        if let Node::Word { text, start } = *self.node(head) {
            let chars = self.suffix(text, start);
            fuel.spend(1 + chars.len() / 16)?;
            if rest.starts_with(chars) {
                *state = tail;
                return Ok(chars.len());
            }
            let agree = chars.iter().zip(rest).take_while(|(a, b)| a == b);
            *state = Re::NONE;
            return Ok(rest.len().min(agree.count() + 1));
        }
        let c = prepared.alphabet.representative(rest[0]);
        *state = self.derive(*state, c, fuel)?;
        Ok(1)
    }

    fn replace(&mut self, w: &[u32], r: Re, w2: &[u32], fuel: &mut Fuel) -> Result<Vec<u32>, Spent> {
        Ok(match Search::new(self, r, w, 0, false).next(self, 0, fuel)? {
            None => w.to_vec(),
            Some((start, end)) => [&w[..start], w2, &w[end..]].concat(),
        })
    }

    fn replace_all(&mut self, w: &[u32], r: Re, w2: &[u32], fuel: &mut Fuel) -> Result<Vec<u32>, Spent> {
        let mut search = Search::new(self, r, w, 0, true);
        let (mut result, mut done) = (Vec::new(), 0);
        while let Some((start, end)) = search.next(self, done, fuel)? {
            result.extend_from_slice(&w[done..start]);
            result.extend_from_slice(w2);
            done = end;
        }
        result.extend_from_slice(&w[done..]);
        Ok(result)
    }

    fn index(&mut self, w: &[u32], r: Re, i: usize, fuel: &mut Fuel) -> Result<Option<usize>, Spent> {
        if i > w.len() {
            return Ok(None);
        }
        let found = Search::new(self, r, w, i, false).next(self, i, fuel)?;
        Ok(found.map(|(start, _)| start))
    }
}

/// A search for matches in one word, from left to right.
///
/// At first, positions are tried one by one: the language is derived by the following characters,
/// until it contains the empty word or is empty. For most expressions most positions fail early,
/// but not for all: a*b fails in aⁿ after reading the rest of the word, which is quadratic. So after
/// more than a few unsuccessful steps per character, the word is read backwards once, by Σ*rev(L): the
/// empty word is in the derivative of this by rev(u) iff u starts with a word of L. From then on
/// only positions are tried where there is a match. As matches do not overlap, the remaining time
/// is linear (in terms of steps, see `derive.rs`).
struct Search<'w> {
    word: &'w [u32],
    /// The language to find.
    target: Re,
    forwards: Prepared,
    /// The remaining number of unsuccessful steps.
    patience: usize,
    /// Whether there is a match at each position.
    starts: Option<Vec<bool>>,
}

/// How an attempt to find a match at a position ended.
enum Attempt {
    /// There is a match up to this position.
    Match(usize),
    /// There is none.
    Failure,
    /// The limit on unsuccessful steps is reached.
    Impatience,
}

impl<'w> Search<'w> {
    fn new(store: &mut RegexStore, r: Re, word: &'w [u32], from: usize, nonempty: bool) -> Self {
        let target = if nonempty { store.intersect(vec![r, Re::NONEMPTY], 0) } else { r };
        Search {
            word,
            target,
            forwards: store.prepare(target),
            patience: store.patience * (64 + word.len() - from),
            starts: None,
        }
    }

    /// The shortest leftmost match at `from` or later. Nothing before `from` may be of interest
    /// later.
    fn next(
        &mut self,
        store: &mut RegexStore,
        from: usize,
        fuel: &mut Fuel,
    ) -> Result<Option<(usize, usize)>, Spent> {
        let mut start = from;
        while start <= self.word.len() {
            if let Some(starts) = &self.starts {
                let Some(distance) = starts[start..].iter().position(|&is_start| is_start) else {
                    return Ok(None);
                };
                start += distance;
            }
            match self.attempt(store, start, fuel)? {
                Attempt::Match(end) => return Ok(Some((start, end))),
                Attempt::Failure => start += 1,
                Attempt::Impatience => self.find_starts(store, start, fuel)?,
            }
        }
        Ok(None)
    }

    /// Looks for a match at `start`.
    fn attempt(&mut self, store: &mut RegexStore, start: usize, fuel: &mut Fuel) -> Result<Attempt, Spent> {
        let mut state = self.forwards.start;
        let mut end = start;
        loop {
            if store.nullable(state) {
                return Ok(Attempt::Match(end));
            }
            let rest = &self.word[end..];
            if state == Re::NONE || (rest.len() as u64) < store.facts(state).min || rest.is_empty() {
                self.patience = self.patience.saturating_sub(end - start);
                return Ok(Attempt::Failure);
            }
            if self.starts.is_none() && end - start >= self.patience {
                return Ok(Attempt::Impatience);
            }
            end += store.advance(&mut state, rest, &self.forwards, fuel)?;
            store.relieve(&[state, self.target, self.forwards.start]);
        }
    }

    /// Computes where matches start, from `from` on.
    fn find_starts(&mut self, store: &mut RegexStore, from: usize, fuel: &mut Fuel) -> Result<(), Spent> {
        if let Node::Word { text, start } = *store.node(self.forwards.start) {
            fuel.spend(self.word.len())?;
            self.starts = Some(occurrences(store.suffix(text, start), self.word, from));
            return Ok(());
        }
        let backwards = store.prepare_search(self.target);
        let mut state = backwards.start;
        let mut starts = vec![false; self.word.len() + 1];
        for at in (from..=self.word.len()).rev() {
            starts[at] = store.nullable(state);
            if state == Re::ALL {
                starts[from..at].fill(true);
                break;
            }
            if at > from {
                let c = backwards.alphabet.representative(self.word[at - 1]);
                state = store.derive(state, c, fuel)?;
                store.relieve(&[state, self.target, self.forwards.start]);
            }
        }
        self.starts = Some(starts);
        Ok(())
    }
}

/// The positions from `from` on at which a word that is not empty occurs in another, by the method
/// of Knuth, Morris and Pratt.
fn occurrences(needle: &[u32], hay: &[u32], from: usize) -> Vec<bool> {
    let mut starts = vec![false; hay.len() + 1];
    // For each prefix of the needle the length of its longest proper border.
    let mut borders = vec![0; needle.len()];
    let mut matched = 0;
    for (at, &c) in needle.iter().enumerate().skip(1) {
        while matched > 0 && needle[matched] != c {
            matched = borders[matched - 1];
        }
        matched += usize::from(needle[matched] == c);
        borders[at] = matched;
    }
    matched = 0;
    for (at, &c) in hay.iter().enumerate().skip(from) {
        while matched > 0 && (matched == needle.len() || needle[matched] != c) {
            matched = borders[matched - 1];
        }
        matched += usize::from(needle[matched] == c);
        if matched == needle.len() {
            starts[at + 1 - matched] = true;
        }
    }
    starts
}
