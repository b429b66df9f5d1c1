//! Ext-Expand: extended terms are defined by basic ones, as the operator table states.
//!
//! `(str.contains x "a")`, asserted, becomes `x = (str.++ k "a" l)` with skolems `k` and `l`. Terms of lower levels come
//! first: a `replace` is defined by a `contains`. Expansions in the paper (Figure 5) differ from the standard;
//! docs/solver.md has the differences.

use super::round::Round;
use super::unfold::{is_call, unfold};
use crate::calculus::{Calculus, Step, stop_if};
use crate::egraph::Node;
use crate::infer::Rule;
use crate::operators::{self, Role, contains, indexof_re};
use crate::rewrite::Mode;
use smt::{Head, Op};

/// The levels of expansion.
const LEVELS: std::ops::RangeInclusive<u32> = 1..=4;

/// Expands every extended term, in strategies that do not wait for a candidate model.
pub(super) fn expand_eagerly(c: &mut Calculus<'_>, round: &Round) -> Step {
    if c.strategy.expands_by_model() { Ok(()) } else { expand_all(c, round) }
}

/// Expands every extended term that is not false, those of the lowest level that has something new.
pub(super) fn expand_all(c: &mut Calculus<'_>, round: &Round) -> Step {
    for level in LEVELS {
        let mut sent = false;
        for &n in &round.extended {
            let falsity = c.state.falsity;
            if expansion_level(c, n) == level && c.state.egraph.value(n).is_none_or(|v| v != falsity) {
                sent |= expand(c, n);
            }
        }
        stop_if(sent)?;
    }
    Ok(())
}

/// The level of an extended term.
pub(super) fn expansion_level(c: &Calculus<'_>, n: Node) -> u32 {
    match operators::of_head(c.head(c.term(n))).map(|o| o.role) {
        Some(Role::Extended { level, .. }) => level,
        Some(Role::Basic) | None => *LEVELS.end(),
    }
}

/// Sends the definition of a term. True if it is new, or states more than before.
pub(super) fn expand(c: &mut Calculus<'_>, n: Node) -> bool {
    let t = c.term(n);
    if is_call(c.terms.pool, t) {
        return unfold(c, t);
    }
    let role = operators::of_head(c.head(t)).map(|o| o.role);
    let Some(Role::Extended { expansion: Some(expansion), .. }) = role else { return false };
    let args = c.terms.pool.args(t).to_vec();
    // As for axioms: entailment rules would keep the definition from arithmetic.
    c.in_mode(Mode::WithoutEntailment, |c| {
        let mut sent = false;
        for f in expansion(c, t, &args) {
            sent |= c.valid(Rule::ExtExpand, f);
        }
        sent
    })
}

/// B-Inst: a `contains` that is false is false at place `k`; the first match of an `indexof_re` is not after one at `k`.
pub(super) fn instantiate(c: &mut Calculus<'_>, n: Node, k: usize) -> bool {
    let t = c.term(n);
    if c.head(t) == Head::Op(Op::StrIndexofRe) {
        let args = c.terms.pool.args(t).to_vec();
        let formula = indexof_re::at_most(c, t, &args, k);
        return expand(c, n) || c.valid(Rule::NotContainsAt, formula);
    }
    let &[s, u] = c.terms.pool.args(t) else { return false };
    let formula = contains::absent_at(c, t, s, u, k);
    c.valid(Rule::NotContainsAt, formula)
}
