//! B-Val: the sum of the lengths of the input strings is decided to be small, and larger only if that is refuted.
//!
//! For inputs `x` and `y` the decisions are `|x| + |y| <= 0`, then `<= 1`, `<= 2`, `<= 3`, `<= 4`, `<= 6`, …: the next
//! one as soon as the last one is false. A decision, never an assumption: refuting a bound keeps all learnt clauses, and
//! unsat cores do not depend on it.

use crate::builder::Builder;
use crate::calculus::Calculus;
use crate::infer::Rule;
use sat::Lit;
use smt::Term;

/// No bound above this is decided by strategies with B-Val.
const MAX_BOUND: i64 = 1 << 40;
/// The first and the last bound of strategies without B-Val, decided only after a string of a model was too long.
const ON_DEMAND: (i64, i64) = (64, 1 << 15);

/// The sum of lengths, and whether it is bounded.
#[derive(Debug, Default)]
pub(crate) struct LengthBound {
    /// The sum of the lengths of the input strings, if there are any.
    pub(crate) sum: Option<Term>,
    /// A string of a model was too long.
    on_demand: bool,
}

/// The least bound that is not refuted, if it is undecided.
pub(crate) fn decide(c: &mut Calculus<'_>, bound: &LengthBound) -> Option<Lit> {
    let always = c.strategy.bounds_lengths();
    let sum = bound.sum.filter(|_| always || bound.on_demand)?;
    let mut n = if always { 0 } else { ON_DEMAND.0 };
    loop {
        let limit = c.int(n);
        let atom = c.ge(limit, sum);
        match c.decision(Rule::BoundLengths, atom) {
            Ok(l) => return Some(l),
            Err(true) => return None,
            Err(false) if always => n = (n < MAX_BOUND).then(|| n + 1 + n / 4)?,
            Err(false) => n = Some(16 * n).filter(|&n| n <= ON_DEMAND.1)?,
        }
    }
}

/// The arithmetic model has a string that is too long: from now on, shorter ones are tried first. True the first time;
/// the search then starts again.
pub(super) fn activate(c: &mut Calculus<'_>, bound: &mut LengthBound) -> bool {
    if bound.on_demand || bound.sum.is_none() {
        return false;
    }
    bound.on_demand = true;
    c.inferences.restart();
    true
}
