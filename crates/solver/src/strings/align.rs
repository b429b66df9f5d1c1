//! Two flat forms of one class, laid side by side from one end: F-Unify, endpoints, clashes of constants.

use super::normal::Normal;
use super::split::Split;
use crate::egraph::{Node, Premise};
use crate::infer::Rule;
use crate::theory::{Stop, Theory};
use sat::Context;

/// What came of it.
#[derive(Debug)]
pub(crate) enum Found {
    /// They agree.
    Equal,
    /// Equalities were concluded.
    Facts,
    /// They agree up to here; a split would lead on.
    Open(Split),
}

/// A place in a flat form: a component, and how many characters of it are used up.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cursor {
    pub(crate) part: usize,
    pub(crate) used: usize,
}

impl Theory<'_> {
    /// Compares two flat forms of one class from one end.
    pub(crate) fn align(
        &mut self,
        ctx: &mut Context<'_>,
        a: &Normal,
        b: &Normal,
        reverse: bool,
    ) -> Result<Found, Stop> {
        let (mut i, mut j) = (Cursor::default(), Cursor::default());
        loop {
            ctx.tick(1);
            let (x, y) = (part(a, i.part, reverse), part(b, j.part, reverse));
            let (x, y) = match (x, y) {
                (None, None) => return Ok(Found::Equal),
                (Some(_), None) => return self.rest_is_empty(ctx, a, i, b, reverse),
                (None, Some(_)) => return self.rest_is_empty(ctx, b, j, a, reverse),
                (Some(x), Some(y)) => (x, y),
            };
            if i.used == 0 && j.used == 0 && self.eg.same(x, y) {
                (i.part, j.part) = (i.part + 1, j.part + 1);
                continue;
            }
            match (self.word_of(x), self.word_of(y)) {
                (Some(v), Some(w)) => {
                    let (v, w) = (left(v, i.used, reverse), left(w, j.used, reverse));
                    let n = v.len().min(w.len());
                    if common(v, w, reverse) < n {
                        let premises = self.up_to(a, i.part, b, j.part, reverse);
                        return Err(self.conflict(ctx, Rule::ConstClash, &premises));
                    }
                    let (whole_v, whole_w) = (v.len() == n, w.len() == n);
                    advance(&mut i, n, whole_v);
                    advance(&mut j, n, whole_w);
                }
                (None, None) => return self.two_variables(a, i, b, j, reverse),
                (None, Some(_)) => return self.variable_and_word(a, i, b, j, reverse),
                (Some(_), None) => return self.variable_and_word(b, j, a, i, reverse),
            }
        }
    }

    /// One form has ended: what is left of the other is empty.
    fn rest_is_empty(
        &mut self,
        ctx: &mut Context<'_>,
        a: &Normal,
        from: Cursor,
        b: &Normal,
        reverse: bool,
    ) -> Result<Found, Stop> {
        let premises = self.whole(a, b);
        let mut news = false;
        for k in from.part.. {
            let Some(x) = part(a, k, reverse) else { break };
            if self.word_of(x).is_some() {
                return Err(self.conflict(ctx, Rule::EndEmpty, &premises));
            }
            news |= self.fact(Rule::EndEmpty, x, self.empty, &premises);
        }
        debug_assert!(news, "a class of its own that is empty has no place in a flat form");
        Ok(Found::Facts)
    }

    fn two_variables(
        &mut self,
        a: &Normal,
        i: Cursor,
        b: &Normal,
        j: Cursor,
        reverse: bool,
    ) -> Result<Found, Stop> {
        let (x, y) = (at(a, i, reverse), at(b, j, reverse));
        if is_last(a, i) && is_last(b, j) {
            let premises = self.whole(a, b);
            self.fact(Rule::EndEqual, x, y, &premises);
            return Ok(Found::Facts);
        }
        let (lx, ly) = (self.len_node(x), self.len_node(y));
        if self.eg.same(lx, ly) {
            let mut premises = self.up_to(a, i.part, b, j.part, reverse);
            premises.extend(Self::because(lx, ly));
            self.fact(Rule::Unify, x, y, &premises);
            return Ok(Found::Facts);
        }
        Ok(Found::Open(Split { a: a.clone(), i, b: b.clone(), j, reverse }))
    }

    /// A variable in `a` stands before a constant in `b`.
    fn variable_and_word(
        &mut self,
        a: &Normal,
        i: Cursor,
        b: &Normal,
        j: Cursor,
        reverse: bool,
    ) -> Result<Found, Stop> {
        let x = at(a, i, reverse);
        let (word, last) = self.run(b, j, reverse);
        if is_last(a, i) && last == b.parts.len() {
            let premises = self.whole(a, b);
            let w = self.word_node(&word);
            self.fact(Rule::EndEqual, x, w, &premises);
            return Ok(Found::Facts);
        }
        let len = self.len_node(x);
        if let Some(value) = self.eg.value(len)
            && let Some(n) = self.small_int(value)
            && n <= word.len()
        {
            let piece = if reverse { &word[word.len() - n..] } else { &word[..n] };
            let w = self.word_node(piece);
            let used = self.parts_for(b, j, n, reverse);
            let mut premises = self.up_to(a, i.part, b, used, reverse);
            premises.extend(Self::because(len, value));
            self.fact(Rule::ConstUnify, x, w, &premises);
            return Ok(Found::Facts);
        }
        Ok(Found::Open(Split { a: a.clone(), i, b: b.clone(), j, reverse }))
    }

    /// The constant characters that follow a place, and the component after them.
    pub(crate) fn run(&self, n: &Normal, from: Cursor, reverse: bool) -> (Vec<u32>, usize) {
        let mut word = Vec::new();
        let mut k = from.part;
        while let Some(w) = part(n, k, reverse).and_then(|p| self.word_of(p)) {
            let rest = if k == from.part { left(w, from.used, reverse) } else { w };
            if reverse {
                word.splice(0..0, rest.iter().copied());
            } else {
                word.extend_from_slice(rest);
            }
            k += 1;
        }
        (word, k)
    }

    /// The last component that is touched by the next `count` constant characters.
    pub(crate) fn parts_for(&self, n: &Normal, from: Cursor, count: usize, reverse: bool) -> usize {
        let mut k = from.part;
        let mut covered = 0;
        while let Some(w) = part(n, k, reverse).and_then(|p| self.word_of(p)) {
            covered += if k == from.part { w.len() - from.used } else { w.len() };
            if covered >= count {
                break;
            }
            k += 1;
        }
        k
    }

    /// What is used to compare two forms of one class up to these components.
    pub(crate) fn up_to(&self, a: &Normal, i: usize, b: &Normal, j: usize, reverse: bool) -> Vec<Premise> {
        let mut premises: Vec<Premise> = a.premises_to(i, reverse).collect();
        premises.extend(b.premises_to(j, reverse));
        premises.extend(Self::because(a.term, b.term));
        premises
    }

    /// What is used to compare two whole forms of one class.
    pub(crate) fn whole(&self, a: &Normal, b: &Normal) -> Vec<Premise> {
        a.premises().chain(b.premises()).chain(Self::because(a.term, b.term)).collect()
    }

    /// The node of a constant word.
    pub(crate) fn word_node(&mut self, word: &[u32]) -> Node {
        let t = self.pool.string(word);
        self.node(t)
    }

    /// The node of the length of a node.
    pub(crate) fn len_node(&mut self, x: Node) -> Node {
        let t = self.eg.term(x);
        let len = self.len(t);
        let n = self.node(len);
        let _ = self.ar.sum(self.pool, self.rw, self.mode, len);
        self.meet_monomials();
        n
    }

    /// The value of an integer constant node.
    pub(crate) fn small_int(&self, n: Node) -> Option<usize> {
        match self.pool.head(self.eg.term(n)) {
            smt::Head::Int(id) => self.pool.int_value(id).to_usize(),
            _ => None,
        }
    }
}

/// The component at a distance from one end.
pub(crate) fn part(n: &Normal, k: usize, reverse: bool) -> Option<Node> {
    if k >= n.parts.len() {
        return None;
    }
    Some(if reverse { n.parts[n.parts.len() - 1 - k] } else { n.parts[k] })
}

pub(crate) fn at(n: &Normal, c: Cursor, reverse: bool) -> Node {
    part(n, c.part, reverse).expect("a place in the form")
}

fn is_last(n: &Normal, c: Cursor) -> bool {
    c.part + 1 == n.parts.len()
}

/// What is left of a word of which some characters are used up from one end.
fn left(w: &[u32], used: usize, reverse: bool) -> &[u32] {
    if reverse { &w[..w.len() - used] } else { &w[used..] }
}

/// How many characters agree from one end.
fn common(v: &[u32], w: &[u32], reverse: bool) -> usize {
    if reverse {
        v.iter().rev().zip(w.iter().rev()).take_while(|(a, b)| a == b).count()
    } else {
        v.iter().zip(w).take_while(|(a, b)| a == b).count()
    }
}

fn advance(c: &mut Cursor, n: usize, whole: bool) {
    if whole {
        *c = Cursor { part: c.part + 1, used: 0 };
    } else {
        c.used += n;
    }
}
