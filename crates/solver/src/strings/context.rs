//! Context-dependent simplification (section 3.2 of the seed): Ext-Simplify, Ext-Simplify-Pred, Ext-Eq.
//!
//! Each argument of an extended term is replaced by what its class is known to be: a constant, or, once there are
//! normal forms, the concatenation of its components. If the result rewrites to something basic, the term is that.
//! Only the replacements that were needed are cited: each is dropped if the rewriting goes the same way without it.

use super::classes::Classes;
use crate::egraph::{Node, Premise};
use crate::infer::Rule;
use crate::theory::{Stop, Theory};
use rustc_hash::FxHashMap;
use sat::Context;
use smt::{Head, Op, Sort, Term};

/// How an argument is replaced.
#[derive(Clone, Debug)]
struct Replacement {
    original: Term,
    term: Term,
    premises: Vec<Premise>,
}

impl Theory<'_> {
    /// Simplifies every extended term in the present context. True if equalities were concluded.
    pub(crate) fn simplify_in_context(
        &mut self,
        ctx: &mut Context<'_>,
        classes: &Classes,
    ) -> Result<bool, Stop> {
        let mut news = false;
        let mut seen: FxHashMap<Term, (Node, Vec<Premise>)> = FxHashMap::default();
        for &n in &classes.extended {
            ctx.tick(2);
            let arguments = self.replacements(classes, n);
            if arguments.iter().all(|r| r.original == r.term) {
                let t = self.eg.term(n);
                let plain = self.rw.rewrite(self.pool, self.mode, t);
                seen.entry(plain).or_insert((n, Vec::new()));
                continue;
            }
            let result = self.rewritten(n, &arguments);
            if self.is_basic(result)
                && let Some(target) = self.target(n, result)
            {
                if !self.eg.same(n, target) {
                    let premises = self.needed(n, &arguments, result);
                    news |= self.fact(Rule::ExtSimplify, n, target, &premises);
                }
                continue;
            }
            if self.refuted(ctx, n, &arguments, result)? {
                news = true;
                continue;
            }
            match seen.get(&result) {
                None => {
                    let premises = arguments.iter().flat_map(|r| r.premises.clone()).collect();
                    seen.insert(result, (n, premises));
                }
                Some((other, why)) if !self.eg.same(n, *other) => {
                    let (other, mut premises) = (*other, why.clone());
                    premises.extend(arguments.iter().flat_map(|r| r.premises.clone()));
                    news |= self.fact(Rule::ExtEq, n, other, &premises);
                }
                Some(_) => {}
            }
        }
        Ok(news)
    }

    fn replacements(&mut self, classes: &Classes, n: Node) -> Vec<Replacement> {
        let args = self.eg.args(n).to_vec();
        args.into_iter().map(|a| self.replacement(classes, a)).collect()
    }

    fn replacement(&mut self, classes: &Classes, a: Node) -> Replacement {
        let original = self.eg.term(a);
        if let Some(v) = self.eg.value(a) {
            return Replacement {
                original,
                term: self.eg.term(v),
                premises: Self::because(a, v).into_iter().collect(),
            };
        }
        let root = self.eg.root(a);
        if let Some(n) = classes.normal.get(&root) {
            let parts: Vec<Term> = n.parts.iter().map(|&p| self.eg.term(p)).collect();
            let term = self.mk(Op::StrConcat, Sort::STRING, &parts);
            let premises = n.premises().chain(Self::because(a, n.term)).collect();
            return Replacement { original, term, premises };
        }
        Replacement { original, term: original, premises: Vec::new() }
    }

    fn rewritten(&mut self, n: Node, arguments: &[Replacement]) -> Term {
        let t = self.eg.term(n);
        let args: Vec<Term> = arguments.iter().map(|r| r.term).collect();
        let (head, sort) = (self.pool.head(t), self.pool.sort_of(t));
        let applied = self.pool.mk(head, sort, &args);
        self.rw.rewrite(self.pool, self.mode, applied)
    }

    /// A constant, or a concatenation of constants and terms that are not extended.
    fn is_basic(&self, t: Term) -> bool {
        let leaf = |t: Term| self.pool.args(t).is_empty() || matches!(self.pool.head(t), Head::Fun(_));
        match self.pool.head(t) {
            Head::Op(Op::StrConcat) => self.pool.args(t).iter().all(|&a| leaf(a)),
            Head::Op(Op::True | Op::False) => true,
            _ => leaf(t),
        }
    }

    fn target(&mut self, n: Node, result: Term) -> Option<Node> {
        if self.pool.sort_of(result) == Sort::BOOL && !crate::build::is_value(self.pool, result) {
            return None;
        }
        if self.eg.term(n) == result {
            return None;
        }
        Some(self.made_node(result))
    }

    /// The premises of the replacements without which the rewriting goes another way.
    fn needed(&mut self, n: Node, arguments: &[Replacement], result: Term) -> Vec<Premise> {
        let mut kept: Vec<Replacement> = arguments.to_vec();
        for k in 0..kept.len() {
            if kept[k].original == kept[k].term {
                continue;
            }
            let replaced = kept[k].clone();
            kept[k].term = replaced.original;
            if self.rewritten(n, &kept) == result {
                kept[k].premises.clear();
            } else {
                kept[k] = replaced;
            }
        }
        kept.into_iter().flat_map(|r| r.premises).collect()
    }

    /// Ext-Simplify-Pred, only if it ends here: the term's class has a value that the simplified term cannot have. A
    /// conclusion is drawn only if it is an equality between terms that are there, or false.
    fn refuted(
        &mut self,
        ctx: &mut Context<'_>,
        n: Node,
        arguments: &[Replacement],
        result: Term,
    ) -> Result<bool, Stop> {
        let Some(value) = self.eg.value(n) else { return Ok(false) };
        let v = self.eg.term(value);
        let equation = self.rw.rewrite_eq(self.pool, result, v);
        let falsity = self.eg.term(self.falsity);
        let mut premises: Vec<Premise> = arguments.iter().flat_map(|r| r.premises.clone()).collect();
        premises.extend(Self::because(n, value));
        if equation == falsity {
            return Err(self.conflict(ctx, Rule::ExtPred, &premises));
        }
        let mut news = false;
        for part in self.conjuncts(equation) {
            if let (Head::Op(Op::Eq), &[a, b]) = (self.pool.head(part), self.pool.args(part))
                && self.pool.sort_of(a) == Sort::STRING
                && self.is_basic(a)
                && self.is_basic(b)
            {
                let (a, b) = (self.made_node(a), self.made_node(b));
                news |= self.fact(Rule::ExtPred, a, b, &premises);
            }
        }
        Ok(news)
    }

    fn conjuncts(&self, t: Term) -> Vec<Term> {
        match self.pool.head(t) {
            Head::Op(Op::And) => self.pool.args(t).to_vec(),
            _ => vec![t],
        }
    }
}
