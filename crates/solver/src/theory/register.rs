//! Registration of terms: the axioms of a term are sent when it first becomes relevant.
//!
//! For `(str.indexof x "b" 0)` these are `t >= -1`, and `t + 1 <= |x|` and `t >= 0` unless `t = -1`. They are built
//! without the entailment rules of the rewriter, which would find them true and keep them from arithmetic.

use crate::build::is_value;
use crate::builder::Builder;
use crate::calculus::Calculus;
use crate::infer::Rule;
use crate::operators;
use crate::rewrite::Mode;
use smt::{Head, Op, Sort, Term};

/// Sends the axioms of a term, once. True if one is new.
pub(super) fn register(c: &mut Calculus<'_>, t: Term) -> bool {
    if !c.state.registered.insert(t) || is_value(c.terms.pool, t) {
        return false;
    }
    let mut sent = false;
    if c.sort(t) == Sort::STRING {
        let len = c.len(t);
        c.node(len);
        let _ = c.sum(len);
        sent |= empty_or_longer(c, t);
    }
    let Head::Op(op) = c.head(t) else { return sent };
    let Some((rule, axioms)) = operators::of(op).axioms else { return sent };
    let args = c.terms.pool.args(t).to_vec();
    c.in_mode(Mode::WithoutEntailment, |c| {
        for formula in axioms(c, t, &args) {
            sent |= c.valid(rule, formula);
        }
    });
    sent
}

/// L-Geq: `t = "" or |t| >= 1`
fn empty_or_longer(c: &mut Calculus<'_>, t: Term) -> bool {
    if matches!(c.head(t), Head::Op(Op::StrConcat)) {
        return false;
    }
    let empty = c.empty();
    let is_empty = c.eq(t, empty);
    let len = c.len(t);
    let one = c.int(1);
    let longer = c.ge(len, one);
    let sent = c.lemma(Rule::LenGeq, &[], &[is_empty, longer]);
    c.set_phase(is_empty, false);
    sent
}
