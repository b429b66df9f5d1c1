//! Where flat forms part: what follows from lengths, else one split (F-Split, L-Split, constant splits).
//!
//! A variable before a constant, or a longer variable before a shorter one, is cut without any case distinction; only
//! which of two variables is longer is decided, the arithmetic model's opinion first.

use super::align::{Cursor, at, part};
use super::classes::Classes;
use super::normal::Normal;
use crate::arith::{self, Sum};
use crate::egraph::{Node, Premise};
use crate::infer::Rule;
use crate::theory::{Stop, Theory};
use rustc_hash::FxHashSet;
use sat::Context;
use smt::{Int, Op, Sort, Term};

/// Work of the arithmetic solver for one question.
const BUDGET: u64 = 200;

/// Two forms of one class that agree up to a place.
#[derive(Clone, Debug)]
pub(crate) struct Split {
    pub(crate) a: Normal,
    pub(crate) i: Cursor,
    pub(crate) b: Normal,
    pub(crate) j: Cursor,
    pub(crate) reverse: bool,
}

impl Theory<'_> {
    /// Leads on at one of the places where forms part. True if equalities were concluded.
    pub(crate) fn split_once(&mut self, ctx: &mut Context<'_>, classes: &mut Classes) -> Result<bool, Stop> {
        let splits = std::mem::take(&mut classes.splits);
        let (loops, plain): (Vec<Split>, Vec<Split>) = splits.into_iter().partition(is_loop);
        for (k, splits) in [plain, loops].into_iter().enumerate() {
            // A loop may be cut for ever: whatever else there is to say comes first.
            if k == 1 && !splits.is_empty() {
                for s in &splits {
                    self.check_loop(ctx, s)?;
                }
                self.expand_all(ctx, classes)?;
            }
            let mut cut: FxHashSet<Node> = FxHashSet::default();
            for s in &splits {
                let places = [at(&s.a, s.i, s.reverse), at(&s.b, s.j, s.reverse)];
                if places.iter().any(|p| cut.contains(p)) {
                    continue;
                }
                if self.cut_without_choice(ctx, s)? {
                    cut.extend(places);
                }
            }
            if !cut.is_empty() {
                return Ok(true);
            }
            for s in &splits {
                self.split_lengths(ctx, s)?;
            }
        }
        Ok(false)
    }

    /// A cut that follows.
    fn cut_without_choice(&mut self, ctx: &mut Context<'_>, s: &Split) -> Result<bool, Stop> {
        let (x, y) = (at(&s.a, s.i, s.reverse), at(&s.b, s.j, s.reverse));
        match (self.word_of(x).is_some(), self.word_of(y).is_some()) {
            (false, true) => self.cut_by_word(ctx, &s.a, s.i, &s.b, s.j, s.reverse),
            (true, false) => self.cut_by_word(ctx, &s.b, s.j, &s.a, s.i, s.reverse),
            _ => self.cut_by_length(s, x, y),
        }
    }

    /// A variable that is not empty stands before a constant: it starts with so much of the constant as fits what
    /// follows it.
    fn cut_by_word(
        &mut self,
        ctx: &mut Context<'_>,
        a: &Normal,
        i: Cursor,
        b: &Normal,
        j: Cursor,
        reverse: bool,
    ) -> Result<bool, Stop> {
        let x = at(a, i, reverse);
        let Some(nonempty) = self.at_least(x, 1) else {
            let (t, empty) = (self.eg.term(x), self.eg.term(self.empty));
            let atom = self.eq(t, empty);
            if self.split(ctx, Rule::LenGeq, &[], atom, false) {
                return Err(Stop);
            }
            return Ok(false);
        };
        let (word, _) = self.run(b, j, reverse);
        let mut nonempty = nonempty;
        let wanted = self.model_length(x).min(word.len());
        let mut known = 1;
        if wanted > 1 {
            let n = i64::try_from(wanted).expect("a length of a word");
            match self.at_least(x, n) {
                Some(why) => (nonempty, known) = (why, wanted),
                None => {
                    // One decision for all characters, instead of one for each.
                    let t = self.eg.term(x);
                    let (len, least) = (self.len(t), self.pool.int(n));
                    let atom = self.ge(len, least);
                    let premises = self.up_to(a, i.part, b, j.part, reverse);
                    if self.split(ctx, Rule::LenSplit, &premises, atom, true) {
                        return Err(Stop);
                    }
                }
            }
        }
        let next = Cursor { part: i.part + 1, used: 0 };
        let (after, _) = self.run(a, next, reverse);
        let n = first_fit(&word, &after, known, reverse);
        // What follows the variable is cited only if it was of use.
        let fitted = n > known;
        let seen_after =
            if fitted { self.parts_for(a, next, after.len().min(word.len()), reverse) } else { i.part };
        let touched = if fitted { word.len() } else { n };
        let used = self.parts_for(b, j, touched, reverse);
        let mut premises = self.up_to(a, seen_after.min(a.parts.len().saturating_sub(1)), b, used, reverse);
        premises.extend(nonempty);
        let piece = if reverse { &word[word.len() - n..] } else { &word[..n] };
        let w = self.pool.string(piece);
        let t = self.eg.term(x);
        let rest = self.rest_after(t, w, reverse);
        let whole = self.joined(w, rest, reverse);
        let whole = self.made_node(whole);
        Ok(self.fact(Rule::ConstSplit, x, whole, &premises))
    }

    /// Two variables whose lengths compare: equal ones are equal, the longer one starts with the shorter.
    fn cut_by_length(&mut self, s: &Split, x: Node, y: Node) -> Result<bool, Stop> {
        let d = self.length_difference(x, y);
        let value = self.ar.value_of(&d);
        let base = |this: &Self| this.up_to(&s.a, s.i.part, &s.b, s.j.part, s.reverse);
        if value.is_zero() {
            let Some(first) = self.ar.entails_nonneg(&d, BUDGET) else { return Ok(false) };
            let Some(second) = self.ar.entails_nonneg(&negated(&d), BUDGET) else { return Ok(false) };
            let mut premises = base(self);
            premises.extend(self.ar.premises(&first));
            premises.extend(self.ar.premises(&second));
            return Ok(self.fact(Rule::Unify, x, y, &premises));
        }
        let (long, short, mut d) = if value.is_negative() { (y, x, negated(&d)) } else { (x, y, d) };
        d.constant = &d.constant - &Int::from(1);
        let Some(tags) = self.ar.entails_nonneg(&d, BUDGET) else { return Ok(false) };
        let mut premises = base(self);
        premises.extend(self.ar.premises(&tags));
        let (t, u) = (self.eg.term(long), self.eg.term(short));
        let rest = self.rest_after(t, u, s.reverse);
        let whole = self.joined(u, rest, s.reverse);
        let whole = self.made_node(whole);
        Ok(self.fact(Rule::VarSplitProp, long, whole, &premises))
    }

    /// L-Split: which of two variables is longer, or neither.
    fn split_lengths(&mut self, ctx: &mut Context<'_>, s: &Split) -> Result<(), Stop> {
        let (x, y) = (at(&s.a, s.i, s.reverse), at(&s.b, s.j, s.reverse));
        if self.word_of(x).is_some() || self.word_of(y).is_some() {
            return Ok(());
        }
        let (t, u) = (self.eg.term(x), self.eg.term(y));
        let (lt, lu) = (self.len(t), self.len(u));
        let d = self.length_difference(x, y);
        let value = self.ar.value_of(&d);
        let atoms = if value.is_zero() {
            [self.eq(lt, lu), self.greater(lt, lu), self.greater(lu, lt)]
        } else if value.is_negative() {
            [self.greater(lu, lt), self.eq(lt, lu), self.greater(lt, lu)]
        } else {
            [self.greater(lt, lu), self.eq(lt, lu), self.greater(lu, lt)]
        };
        let premises = self.up_to(&s.a, s.i.part, &s.b, s.j.part, s.reverse);
        for atom in atoms {
            if self.split(ctx, Rule::LenSplit, &premises, atom, true) {
                return Err(Stop);
            }
        }
        Ok(())
    }

    /// `|x| - |y|`.
    pub(crate) fn length_difference(&mut self, x: Node, y: Node) -> Sum {
        let (t, u) = (self.eg.term(x), self.eg.term(y));
        let (lt, lu) = (self.len(t), self.len(u));
        let d = self.difference(lt, lu);
        self.meet_monomials();
        d
    }

    /// Why `|x| >= n`, if arithmetic knows.
    pub(crate) fn at_least(&mut self, x: Node, n: i64) -> Option<Vec<Premise>> {
        let t = self.eg.term(x);
        let len = self.len(t);
        let mut s = self.ar.sum(self.pool, self.rw, self.mode, len);
        self.meet_monomials();
        s.constant = &s.constant - &Int::from(n);
        let tags = self.ar.entails_nonneg(&s, BUDGET)?;
        Some(self.ar.premises(&tags))
    }

    /// The length that the arithmetic model gives, zero if it is none.
    pub(crate) fn model_length(&mut self, x: Node) -> usize {
        let t = self.eg.term(x);
        let len = self.len(t);
        self.ar.value(self.pool, self.rw, self.mode, len).floor().to_usize().unwrap_or(0)
    }

    /// The skolem for what follows `start` in `t` (precedes it, in reverse).
    pub(crate) fn rest_after(&mut self, t: Term, start: Term, reverse: bool) -> Term {
        let (len, used) = (self.len(t), self.len(start));
        let count = self.minus(len, used);
        let from = if reverse { self.pool.int(0) } else { self.rw.rewrite(self.pool, self.mode, used) };
        let witness = self.mk(Op::StrSubstr, Sort::STRING, &[t, from, count]);
        self.skolems.get(self.pool, witness)
    }

    fn joined(&mut self, start: Term, rest: Term, reverse: bool) -> Term {
        let args = if reverse { [rest, start] } else { [start, rest] };
        self.mk(Op::StrConcat, Sort::STRING, &args)
    }

    /// The node of a term that only a conclusion mentions; it matters as long as the conclusion holds.
    pub(crate) fn made_node(&mut self, t: Term) -> Node {
        self.made.push(t);
        self.node(t)
    }
}

fn negated(s: &Sum) -> Sum {
    let zero = Sum::default();
    arith::difference(&zero, s)
}

/// The least n, from `least` on, such that a word cut after n characters agrees with what must follow there.
fn first_fit(word: &[u32], after: &[u32], least: usize, reverse: bool) -> usize {
    if reverse {
        let turned = |w: &[u32]| w.iter().rev().copied().collect::<Vec<u32>>();
        return first_fit(&turned(word), &turned(after), least, false);
    }
    (least..word.len())
        .find(|&n| {
            let rest = &word[n..];
            rest.iter().zip(after).all(|(a, b)| a == b)
        })
        .unwrap_or(word.len())
}

/// Whether a component at the place occurs again on the other side, after it.
fn is_loop(s: &Split) -> bool {
    let occurs_after = |n: &Normal, from: Cursor, x: Node| {
        (from.part + 1..).map_while(|k| part(n, k, s.reverse)).any(|p| p == x)
    };
    let (x, y) = (at(&s.a, s.i, s.reverse), at(&s.b, s.j, s.reverse));
    occurs_after(&s.b, s.j, x) || occurs_after(&s.a, s.i, y)
}
