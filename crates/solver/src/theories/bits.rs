//! Vectors that differ, and have the same bits.
//!
//! The equalities of the assertions are part of the circuit (`preprocess/bits.rs`); this is for those that the search makes. Members of the two classes that have bits say how they differ:
//! `(not (= s t))`, `s = a`, `t = b` imply that a bit of `a` is not that of `b`.

use crate::calculus::{Calculus, Step, equality, stop_if};
use crate::egraph::{Node, Premise};
use smt::{Head, Op};

/// States how unequal vectors differ, if their bits are the same.
pub(super) fn check(c: &mut Calculus<'_>) -> Step {
    let mut sent = false;
    for l in c.state.asserted.clone() {
        smt::work::spend(1);
        let Some(t) = c.inferences.atom(l.var()) else { continue };
        if l.is_positive() || !matches!(c.head(t), Head::Op(Op::Eq)) {
            continue;
        }
        let &[s, t] = c.terms.pool.args(t) else { continue };
        if c.terms.pool.bit_width(c.sort(s)).is_none() {
            continue;
        }
        let (s, t) = (c.node(s), c.node(t));
        if let (Some(a), Some(b)) = (with_bits(c, s), with_bits(c, t))
            && c.inferences.bits(c.term(a)) == c.inferences.bits(c.term(b))
        {
            let premises: Vec<Premise> =
                [Some(Premise::Lit(l)), equality(s, a), equality(t, b)].into_iter().flatten().collect();
            sent |= c.differ(&premises, c.term(a), c.term(b));
        }
    }
    stop_if(sent)
}

/// A member of a class whose bits are known.
fn with_bits(c: &Calculus<'_>, n: Node) -> Option<Node> {
    c.state.egraph.members(n).find(|&m| c.inferences.has_bits(c.term(m)))
}
