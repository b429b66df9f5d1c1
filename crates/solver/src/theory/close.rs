//! What is done with every literal, before anything else is decided: cheap, and to the fixpoint.

use super::{Step, Stop, Theory};
use crate::arith::{self, Arith};
use crate::egraph::{Event, Node, Premise, Reason};
use crate::infer::Rule;
use crate::lia::Tag;
use rustc_hash::FxHashSet;
use sat::{Context, Lit};
use smt::{Head, Op, Sort, Term};

impl Theory<'_> {
    /// Processes all literals told, and closes under congruence, evaluation and the bounds of arithmetic.
    pub(super) fn close(&mut self, ctx: &mut Context<'_>) -> Step {
        let pending = std::mem::take(&mut self.pending);
        for &l in &pending {
            self.assert_lit(ctx, l)?;
        }
        self.settle(ctx)?;
        self.propagate_bounds(ctx, &pending);
        Ok(())
    }

    /// Closes under congruence, evaluation and rational arithmetic.
    pub(crate) fn settle(&mut self, ctx: &mut Context<'_>) -> Step {
        loop {
            if let Err(premises) = self.eg.propagate() {
                return Err(self.conflict(ctx, Rule::Equality, &premises));
            }
            let mut events = std::mem::take(&mut self.events);
            events.clear();
            self.eg.take_events(&mut events);
            if events.is_empty() {
                self.events = events;
                break;
            }
            let mut told: FxHashSet<Node> = FxHashSet::default();
            for &event in &events {
                self.handle(ctx, event, &mut told)?;
            }
            self.events = events;
        }
        ctx.tick(1);
        if let Err(tags) = self.ar.lia.check() {
            return Err(self.arith_conflict(ctx, &tags));
        }
        Ok(())
    }

    pub(crate) fn arith_conflict(&mut self, ctx: &mut Context<'_>, tags: &[Tag]) -> Stop {
        let premises = self.ar.premises(tags);
        self.conflict(ctx, Rule::Arith, &premises)
    }

    fn assert_lit(&mut self, ctx: &mut Context<'_>, l: Lit) -> Step {
        let Some(t) = self.cnf.atom(l.var()) else { return Ok(()) };
        self.asserted.push(l);
        match self.pool.head(t) {
            Head::Op(Op::Ge) if self.ar.knows(l) => {
                if let Err(tags) = self.ar.assert_atom(l) {
                    return Err(self.arith_conflict(ctx, &tags));
                }
            }
            _ => {
                let n = self.node(t);
                let value = if l.is_positive() { self.truth } else { self.falsity };
                self.eg.merge(n, value, Reason::Lit(l));
                if l.is_positive() && matches!(self.pool.head(t), Head::Op(Op::Eq)) {
                    self.assert_int_equality(ctx, t, l)?;
                }
            }
        }
        Ok(())
    }

    fn assert_int_equality(&mut self, ctx: &mut Context<'_>, t: Term, l: Lit) -> Step {
        let &[a, b] = self.pool.args(t) else { return Ok(()) };
        if self.pool.sort_of(a) != Sort::INT {
            return Ok(());
        }
        let d = self.difference(a, b);
        match self.ar.assert_zero(&d, Arith::tag(l)) {
            Ok(()) => Ok(()),
            Err(tags) => Err(self.arith_conflict(ctx, &tags)),
        }
    }

    /// `a - b` as a sum.
    pub(crate) fn difference(&mut self, a: Term, b: Term) -> arith::Sum {
        let a = self.ar.sum(self.pool, self.rw, self.mode, a);
        let b = self.ar.sum(self.pool, self.rw, self.mode, b);
        arith::difference(&a, &b)
    }

    /// Takes notice of what has changed; `told` has the classes whose new members know their value.
    fn handle(&mut self, ctx: &mut Context<'_>, event: Event, told: &mut FxHashSet<Node>) -> Step {
        match event {
            Event::Merged { kept, gone, a, b } => {
                let t = self.eg.term(kept);
                match self.pool.sort_of(t) {
                    // A-Prop
                    Sort::INT => self.merged_ints(ctx, a, b)?,
                    // The first merge of a class in a row sees the members of the later ones as well.
                    Sort::BOOL if !told.contains(&kept) && self.merged_bools(ctx, kept, gone) => {
                        told.insert(kept);
                    }
                    _ => {}
                }
            }
            Event::Ready(n) => self.evaluate(n),
            Event::Unequal(n) => {
                let &[a, b] = self.eg.args(n) else { return Ok(()) };
                if let Some(premises) = self.eg.disequal(a, b) {
                    self.fact(Rule::Equality, n, self.falsity, &premises);
                }
            }
        }
        Ok(())
    }

    fn merged_ints(&mut self, ctx: &mut Context<'_>, a: Node, b: Node) -> Step {
        let (s, t) = (self.eg.term(a), self.eg.term(b));
        let d = self.difference(s, t);
        match self.ar.assert_merged(&d, a, b) {
            Ok(()) => Ok(()),
            Err(tags) => Err(self.arith_conflict(ctx, &tags)),
        }
    }

    /// Atoms that are equal to true or false have that value. False if the class has none.
    fn merged_bools(&mut self, ctx: &mut Context<'_>, kept: Node, gone: Node) -> bool {
        let Some(value) = self.eg.value(kept) else { return false };
        let positive = self.eg.same(value, self.truth);
        // The others had the value before, unless it came with those.
        let mut members: Vec<Node> = self.eg.absorbed(kept, gone).collect();
        if members.contains(&value) {
            members = self.eg.members(kept).collect();
        }
        for m in members {
            let Some(l) = self.cnf.known(self.eg.term(m)) else { continue };
            let l = if positive { l } else { !l };
            if ctx.value(l).is_none() {
                self.propagate_lit(ctx, l, Box::new([Premise::Eq(m, value)]));
            }
        }
        true
    }

    fn propagate_lit(&mut self, ctx: &mut Context<'_>, l: Lit, premises: Box<[Premise]>) {
        self.reasons.push(premises);
        let reason = u32::try_from(self.reasons.len() - 1).expect("fewer than 2^32 reasons");
        ctx.propagate(l, reason);
    }

    /// An application of an operator to constants has the value that the referee gives it.
    fn evaluate(&mut self, n: Node) {
        let t = self.eg.term(n);
        let args: Vec<Node> = self.eg.args(n).to_vec();
        let mut premises = Vec::new();
        let mut values = Vec::new();
        for &a in &args {
            let Some(v) = self.eg.value(a) else { return };
            values.push(self.eg.term(v));
            if a != v {
                premises.push(Premise::Eq(a, v));
            }
        }
        let (head, sort) = (self.pool.head(t), self.pool.sort_of(t));
        let ground = self.pool.mk(head, sort, &values);
        let value = self.rw.rewrite(self.pool, self.mode, ground);
        if crate::build::is_value(self.pool, value) {
            let v = self.node(value);
            self.fact(Rule::Evaluate, n, v, &premises);
        }
    }

    /// Comparisons that follow from the bounds of one variable.
    fn propagate_bounds(&mut self, ctx: &mut Context<'_>, lits: &[Lit]) {
        let mut implied = Vec::new();
        for &l in lits {
            self.ar.implied_by_bounds(l, &mut implied);
        }
        for (l, tag) in implied {
            if ctx.value(l).is_none() {
                let premises = self.ar.premises(&[tag]);
                self.propagate_lit(ctx, l, premises.into());
            }
        }
    }
}
