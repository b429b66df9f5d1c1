//! Conjunctions as several assertions.
//!
//! `(assert (and p q))` becomes `(assert p) (assert q)`, of which one may be dropped afterwards; `(assert (not (or p q)))` becomes `(assert (not p))
//! (assert (not q))`, and `(assert (not (=> p q)))` becomes `(assert p) (assert (not q))`. The models stay the same. An annotation of the
//! conjunction is lost; if its name is used, it is not split.

use super::Pass;
use super::edit::{Change, Edit, largest};
use super::survey::Survey;
use crate::doc::{Doc, Effect};
use smt::{Command, Head, Op, Pool, Term};

/// Splits conjunctions.
pub(super) struct Split;

impl Pass for Split {
    fn name(&self) -> &'static str {
        "split"
    }

    fn edits(&self, doc: &Doc) -> Vec<Edit> {
        let survey = Survey::new(doc);
        largest(doc.script.commands().enumerate().filter_map(|(i, c)| match c {
            Command::Assert(t) if !survey.uses_name_of(*t) => {
                let parts = conjuncts(&doc.pool, *t);
                (parts.len() > 1).then(|| Edit {
                    effect: Effect::Equivalent,
                    gain: parts.len() as u32,
                    change: Change::Conjuncts(i, parts),
                })
            }
            _ => None,
        }))
    }
}

/// The conjuncts of a formula, and whether they are negated. Nested conjunctions are opened.
fn conjuncts(pool: &Pool, t: Term) -> Vec<(Term, bool)> {
    let (mut out, mut open) = (Vec::new(), vec![(t, false)]);
    while let Some((t, negated)) = open.pop() {
        let args = pool.args(t);
        match (pool.head(t), negated) {
            (Head::Annot(_), _) if pool.given_name(t).is_none() || open.is_empty() && out.is_empty() => {
                open.push((args[0], negated));
            }
            (Head::Op(Op::Not), _) => open.push((args[0], !negated)),
            (Head::Op(Op::And), false) | (Head::Op(Op::Or), true) => {
                open.extend(args.iter().rev().map(|&a| (a, negated)));
            }
            (Head::Op(Op::Implies), true) => {
                let (&last, rest) = args.split_last().unwrap_or((&t, &[]));
                open.push((last, true));
                open.extend(rest.iter().rev().map(|&a| (a, false)));
            }
            _ => out.push((t, negated)),
        }
    }
    out
}
