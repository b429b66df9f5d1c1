//! The final check: nothing is left to decide; is this a model?

use super::{Step, Stop, Theory};
use crate::egraph::Premise;
use crate::infer::Rule;
use crate::lia::IntResult;
use crate::poly::Poly;
use rustc_hash::FxHashSet;
use sat::{Context, Final};
use smt::{Head, Int, Op, Sort, Term};

/// What a round of the strategy ended with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Round {
    /// Equalities were added: close under them, and start again.
    Facts,
    /// Nothing more can be said.
    Saturated,
}

impl Theory<'_> {
    pub(super) fn full_check(&mut self, ctx: &mut Context<'_>) -> Final {
        match self.rounds(ctx) {
            Err(Stop) => Final::Continue,
            Ok(()) => match self.candidate(ctx) {
                Ok(true) => Final::Consistent,
                Ok(false) => Final::GiveUp,
                Err(Stop) => Final::Continue,
            },
        }
    }

    /// Rounds of the strategy until nothing more can be said.
    fn rounds(&mut self, ctx: &mut Context<'_>) -> Step {
        for round in 0.. {
            let terms = self.relevant_terms();
            self.register_all(ctx, &terms)?;
            // New terms may be equal to others by congruence.
            self.settle(ctx)?;
            self.integers(ctx)?;
            if self.fixed_integers(&terms) {
                continue;
            }
            self.int_disequalities(ctx)?;
            ctx.tick(100);
            if round % 4 == 3 && sat::Theory::stop(self) {
                return Ok(());
            }
            if self.strategy(ctx, &terms)? == Round::Saturated {
                return Ok(());
            }
        }
        Ok(())
    }

    /// The subterms of all atoms that have a value, and of what the bounds are about; arguments first.
    fn relevant_terms(&mut self) -> Vec<Term> {
        let mut seen: FxHashSet<Term> = FxHashSet::default();
        let mut out = Vec::new();
        let mut atoms: Vec<Term> = self.asserted.iter().filter_map(|l| self.cnf.atom(l.var())).collect();
        atoms.extend(&self.made);
        let mut next = 0;
        loop {
            for t in atoms.drain(..) {
                self.subterms(t, &mut seen, &mut out);
            }
            // Arithmetic may know terms by others: lengths of concatenations, and what they rewrite to.
            while next < out.len() {
                let t = out[next];
                next += 1;
                self.monomials(t, &mut atoms);
            }
            if atoms.is_empty() {
                return out;
            }
        }
    }

    fn subterms(&self, t: Term, seen: &mut FxHashSet<Term>, out: &mut Vec<Term>) {
        let mut stack = vec![(t, false)];
        while let Some((t, done)) = stack.pop() {
            if done {
                out.push(t);
                continue;
            }
            if !seen.insert(t) {
                continue;
            }
            stack.push((t, true));
            if self.pool.has_var(t) || self.pool.sort_of(t) == Sort::REGLAN {
                continue;
            }
            stack.extend(self.pool.args(t).iter().map(|&a| (a, false)));
        }
    }

    /// The terms of which arithmetic makes up an integer, or the length of a string.
    fn monomials(&mut self, t: Term, out: &mut Vec<Term>) {
        let integer = match self.pool.sort_of(t) {
            Sort::INT => t,
            Sort::STRING => self.len(t),
            _ => return,
        };
        let s = self.ar.sum(self.pool, self.rw, self.mode, integer);
        out.extend(s.terms.iter().map(|(_, v)| self.ar.term(*v)));
        self.meet_monomials();
    }

    fn register_all(&mut self, ctx: &mut Context<'_>, terms: &[Term]) -> Step {
        let mut said = false;
        for (k, &t) in terms.iter().enumerate() {
            said |= self.register(ctx, t);
            if k % 64 == 63 && sat::Theory::stop(self) {
                return Err(Stop);
            }
        }
        if said { Err(Stop) } else { Ok(()) }
    }

    /// Integer solutions: cuts and branches.
    fn integers(&mut self, ctx: &mut Context<'_>) -> Step {
        match self.ar.lia.check_int() {
            IntResult::Model => Ok(()),
            IntResult::Conflict(tags) => Err(self.arith_conflict(ctx, &tags)),
            IntResult::Branch(v, n) => {
                let poly = self.ar.poly_of(v);
                let t = poly.to_term(self.pool);
                let above = self.pool.int(&n + &Int::from(1));
                let atom = self.ge(t, above);
                if self.split(ctx, Rule::Branch, &[], atom, false) {
                    return Err(Stop);
                }
                // The atom has a value, which the bounds do not show: let it be told again.
                Ok(())
            }
            IntResult::Cut(sum, c, tags) => {
                let mut poly = Poly { terms: Vec::new(), constant: Int::ZERO };
                for (k, v) in &sum {
                    poly = poly.add(&self.ar.poly_of(*v).scale(k));
                }
                let t = poly.to_term(self.pool);
                let bound = self.pool.int(c);
                let atom = self.ge(bound, t);
                let premises = self.ar.premises(&tags);
                if self.lemma(ctx, Rule::Cut, &premises, &[atom]) { Err(Stop) } else { Ok(()) }
            }
        }
    }

    /// S-Prop: a term with one value left is that value.
    fn fixed_integers(&mut self, terms: &[Term]) -> bool {
        let mut news = false;
        for &t in terms {
            let length = self.pool.sort_of(t) == Sort::STRING;
            if !length && self.pool.sort_of(t) != Sort::INT {
                continue;
            }
            let t = if length { self.len(t) } else { t };
            let n = self.node(t);
            if self.eg.value(n).is_some() {
                continue;
            }
            let s = self.ar.sum(self.pool, self.rw, self.mode, t);
            self.meet_monomials();
            if let Some((value, tags)) = self.ar.fixed(&s) {
                let constant = self.pool.int(value);
                let c = self.node(constant);
                let premises = self.ar.premises(&tags);
                news |= self.fact(Rule::Fixed, n, c, &premises);
            }
        }
        news
    }

    /// `s != t` with equal values: one is greater.
    fn int_disequalities(&mut self, ctx: &mut Context<'_>) -> Step {
        let negative: Vec<_> = self.asserted.iter().copied().filter(|l| !l.is_positive()).collect();
        let mut said = false;
        for l in negative {
            let Some(t) = self.cnf.atom(l.var()) else { continue };
            if !matches!(self.pool.head(t), Head::Op(Op::Eq)) {
                continue;
            }
            let &[a, b] = self.pool.args(t) else { continue };
            if self.pool.sort_of(a) != Sort::INT {
                continue;
            }
            let d = self.difference(a, b);
            if !self.ar.value_of(&d).is_zero() {
                continue;
            }
            let (above, below) = (self.greater(a, b), self.greater(b, a));
            said |= self.lemma_lits(ctx, Rule::IntDisequal, &[l], &[above, below]);
        }
        if said { Err(Stop) } else { Ok(()) }
    }

    /// `a > b`, rewritten.
    pub(crate) fn greater(&mut self, a: Term, b: Term) -> Term {
        let one = self.pool.int(1);
        let next = self.plus(b, one);
        self.ge(a, next)
    }

    /// That the e-graph has `a` and `b` in one class, as a premise; nothing if they are one node.
    pub(crate) fn because(a: crate::egraph::Node, b: crate::egraph::Node) -> Option<Premise> {
        (a != b).then_some(Premise::Eq(a, b))
    }
}
