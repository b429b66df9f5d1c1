//! Storage of clauses: one vector of words; a clause is a header of two words followed by its literals.
//!
//! The words are of type [`Lit`] so that a clause's literals can be borrowed as a slice without `unsafe`.

use crate::Lit;

/// The position of a clause in the arena. The topmost bit is never set (watches use it).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct ClauseRef(pub(crate) u32);

const HEADER: usize = 2;
const REDUNDANT: u32 = 1;
const DELETED: u32 = 2;
const MOVED: u32 = 4;
const USED_SHIFT: u32 = 3;
const USED_MASK: u32 = 3 << USED_SHIFT;
const LBD_SHIFT: u32 = 8;
const LBD_MAX: u32 = (1 << (32 - LBD_SHIFT)) - 1;

/// The clauses.
#[derive(Default)]
pub(crate) struct Arena {
    words: Vec<Lit>,
    wasted: usize,
}

impl Arena {
    /// Stores a clause.
    pub(crate) fn alloc(&mut self, lits: &[Lit], redundant: bool, lbd: u32) -> ClauseRef {
        let at = self.words.len();
        assert!(at + HEADER + lits.len() < 1 << 31, "too many clauses");
        self.words.push(Lit(lits.len() as u32));
        self.words.push(Lit(u32::from(redundant) | (lbd.min(LBD_MAX) << LBD_SHIFT)));
        self.words.extend_from_slice(lits);
        ClauseRef(at as u32)
    }

    fn meta(&self, c: ClauseRef) -> u32 {
        self.words[c.0 as usize + 1].0
    }

    fn meta_mut(&mut self, c: ClauseRef) -> &mut u32 {
        &mut self.words[c.0 as usize + 1].0
    }

    /// The number of literals.
    pub(crate) fn len(&self, c: ClauseRef) -> usize {
        self.words[c.0 as usize].0 as usize
    }

    /// The literals.
    #[inline]
    pub(crate) fn lits(&self, c: ClauseRef) -> &[Lit] {
        let at = c.0 as usize;
        let len = self.words[at].0 as usize;
        &self.words[at + HEADER..at + HEADER + len]
    }

    /// The literals, for reordering.
    #[inline]
    pub(crate) fn lits_mut(&mut self, c: ClauseRef) -> &mut [Lit] {
        let at = c.0 as usize;
        let len = self.words[at].0 as usize;
        &mut self.words[at + HEADER..at + HEADER + len]
    }

    /// One literal.
    #[inline]
    pub(crate) fn lit(&self, c: ClauseRef, k: usize) -> Lit {
        self.words[c.0 as usize + HEADER + k]
    }

    /// Keeps the first `len` literals.
    pub(crate) fn shrink(&mut self, c: ClauseRef, len: usize) {
        self.wasted += self.len(c) - len;
        self.words[c.0 as usize] = Lit(len as u32);
    }

    /// Marks a clause as deleted; its words stay readable until the next compaction.
    pub(crate) fn free(&mut self, c: ClauseRef) {
        *self.meta_mut(c) |= DELETED;
        self.wasted += HEADER + self.len(c);
    }

    pub(crate) fn is_deleted(&self, c: ClauseRef) -> bool {
        self.meta(c) & DELETED != 0
    }

    pub(crate) fn is_redundant(&self, c: ClauseRef) -> bool {
        self.meta(c) & REDUNDANT != 0
    }

    /// The LBD: the number of decision levels of the clause when it was last computed.
    pub(crate) fn lbd(&self, c: ClauseRef) -> u32 {
        self.meta(c) >> LBD_SHIFT
    }

    pub(crate) fn set_lbd(&mut self, c: ClauseRef, lbd: u32) {
        let meta = self.meta_mut(c);
        *meta = (*meta & ((1 << LBD_SHIFT) - 1)) | (lbd.min(LBD_MAX) << LBD_SHIFT);
    }

    /// The number of reductions that the clause survives without being used.
    pub(crate) fn used(&self, c: ClauseRef) -> u32 {
        (self.meta(c) & USED_MASK) >> USED_SHIFT
    }

    pub(crate) fn set_used(&mut self, c: ClauseRef, used: u32) {
        let meta = self.meta_mut(c);
        *meta = (*meta & !USED_MASK) | (used << USED_SHIFT);
    }

    /// Whether more than `words` words, and more than a quarter of all, are unused.
    pub(crate) fn is_wasting(&self, words: usize) -> bool {
        self.wasted > words && self.wasted * 4 > self.words.len()
    }

    /// Moves a clause to the new arena if it is not there yet. Returns its new position.
    pub(crate) fn relocate(&mut self, c: ClauseRef, to: &mut Arena) -> ClauseRef {
        if self.meta(c) & MOVED != 0 {
            return ClauseRef(self.words[c.0 as usize].0);
        }
        let new = to.alloc(self.lits(c), false, 0);
        *to.meta_mut(new) = self.meta(c);
        *self.meta_mut(c) |= MOVED;
        self.words[c.0 as usize] = Lit(new.0);
        new
    }

    /// An empty arena with capacity for the clauses that are not deleted.
    pub(crate) fn successor(&self) -> Arena {
        Arena { words: Vec::with_capacity(self.words.len().saturating_sub(self.wasted)), wasted: 0 }
    }
}
