//! The string calculus of Reynolds et al., CAV 2017, as a strategy of steps.
//!
//! [`Theory::strategy`] is the seed's Strategy 1 with what was learnt since. Each step is one file:
//!
//! | step | file |
//! |---|---|
//! | classes, which terms matter | `classes.rs` |
//! | Ext-Simplify, Ext-Simplify-Pred, Ext-Eq | `context.rs` |
//! | F-Form, N-Form, cycles | `normal.rs` |
//! | F-Unify, endpoints, clashes | `align.rs` |
//! | F-Split, L-Split, constant splits | `split.rs` |
//! | Ext-Expand, B-Inst | `expand.rs` |
//! | B-Val | `bound.rs` |
//! | memberships in ground languages | `regex.rs` |
//! | candidate models | `model.rs` |

pub(crate) mod align;
pub(crate) mod bound;
pub(crate) mod classes;
pub(crate) mod codes;
pub(crate) mod context;
pub(crate) mod expand;
pub(crate) mod loops;
pub(crate) mod model;
pub(crate) mod normal;
pub(crate) mod parikh;
pub(crate) mod regex;
pub(crate) mod split;

use crate::options::Strategy;
use crate::theory::{Round, Stop, Theory};
use sat::Context;
use smt::Term;

/// Which techniques are on, and what lives longer than a check.
#[derive(Debug)]
pub(crate) struct Strings {
    /// `s`: context-dependent simplification.
    pub(crate) simplify: bool,
    /// `f`: lengths are bounded by decision.
    pub(crate) bound: bool,
    /// Extended terms are expanded only if the candidate model gives them a wrong value.
    pub(crate) by_model: bool,
    pub(crate) lengths: bound::Lengths,
    pub(crate) languages: regex::Languages,
    /// The function that witnesses of the order use.
    pub(crate) first_difference: Option<smt::Fun>,
}

impl Strings {
    pub(crate) fn new(strategy: Strategy) -> Strings {
        use Strategy::{Auto, F, Fs, S};
        Strings {
            simplify: matches!(strategy, S | Fs | Auto),
            bound: matches!(strategy, F | Fs),
            by_model: matches!(strategy, Auto),
            lengths: bound::Lengths::default(),
            languages: regex::Languages::default(),
            first_difference: None,
        }
    }
}

impl Theory<'_> {
    /// Strategy 1: the first step that concludes something ends the round.
    pub(crate) fn strategy(&mut self, ctx: &mut Context<'_>, terms: &[Term]) -> Result<Round, Stop> {
        let mut classes = self.classes(terms);
        if self.strings.simplify && self.simplify_in_context(ctx, &classes)? {
            return Ok(Round::Facts);
        }
        if self.collapse(&classes) {
            return Ok(Round::Facts);
        }
        if self.normal_forms(ctx, &mut classes)? {
            return Ok(Round::Facts);
        }
        if self.strings.simplify && self.simplify_in_context(ctx, &classes)? {
            return Ok(Round::Facts);
        }
        if self.split_once(ctx, &mut classes)? {
            return Ok(Round::Facts);
        }
        if self.equal_normal_forms(&classes) {
            return Ok(Round::Facts);
        }
        self.codes(ctx, &classes)?;
        self.memberships(ctx, &mut classes)?;
        self.expand_eagerly(ctx, &classes)?;
        self.strings.lengths.saturated(classes);
        Ok(Round::Saturated)
    }
}
