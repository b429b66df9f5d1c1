//! The string calculus of Reynolds et al., CAV 2017, as a strategy of steps.
//!
//! [`strategy`] is Strategy 1 of the paper, extended. Each step is one file:
//!
//! | step | file |
//! |---|---|
//! | classes of relevant terms | `round.rs` |
//! | Ext-Simplify, Ext-Simplify-Pred, Ext-Eq | `simplify.rs` |
//! | F-Form, N-Form, cycles | `normal.rs` (forms: `form.rs`) |
//! | F-Unify, endpoints, clashes | `align.rs` |
//! | prefixes of equal length | `balance.rs` |
//! | counting characters | `parikh.rs` |
//! | forms without a common string, by languages | `cuts.rs`, `disjoint.rs` |
//! | F-Split, L-Split, splits by constants | `split.rs` |
//! | loops between constants | `loops.rs` |
//! | equations with loops, solved by themselves | `nielsen.rs` (systems: [`crate::weq`]) |
//! | guesses while equations are open | `positions.rs` |
//! | equal code points | `codes.rs` |
//! | functions of one string: compositions, equal ones, common values, images of languages, lengths | `functions.rs`, `twins.rs`, `agree.rs`, `images.rs` |
//! | cycles of `str.<=` | `order.rs` |
//! | disequalities of strings that have one value: the place where they differ, powers of one word | `differ.rs`, `powers.rs` |
//! | strings that are determined by their lengths: parts of powers of one word | `runs.rs` |
//! | `distinct` of many terms | `distinct.rs` |
//! | memberships in ground languages | `membership.rs`, `choose.rs`, `joint.rs`, `pieces.rs`, `quotients.rs`, `repeated.rs`, `remainders.rs` |
//! | values of numerals in languages, coupled by constraints | `digits.rs`, `../digits.rs` |
//! | products of terms, of reals | `products.rs`, `reals.rs` |
//! | regular expressions with variables | `patterns.rs`, `outline.rs`, `factors.rs`, `reglan.rs` |
//! | recursive functions | `unfold.rs` |
//! | instances of quantifiers | `instances.rs` |
//! | first occurrences, numerals in languages | `occurrences.rs` |
//! | Ext-Expand, B-Inst | `expand.rs` |
//! | B-Val | `bound.rs` |
//! | lengths of a solution in powers of one letter, decided first | `ahead.rs` |
//! | candidate models | `words.rs`, `words/values.rs`, `model.rs`, `repair.rs` |
//! | combination of theories | `combine.rs` |

mod agree;
pub(crate) mod ahead;
mod align;
mod balance;
pub(crate) mod bound;
mod choose;
mod codes;
pub(crate) mod combine;
mod cuts;
mod differ;
mod digits;
mod disjoint;
pub(crate) mod distinct;
mod expand;
mod factors;
mod form;
mod functions;
mod images;
mod instances;
mod joint;
mod loops;
mod membership;
pub(crate) mod model;
mod nielsen;
mod normal;
mod occurrences;
mod order;
mod outline;
mod parikh;
mod patterns;
mod pieces;
mod positions;
mod powers;
mod probe;
mod products;
mod quotients;
mod reals;
mod reglan;
mod remainders;
mod repair;
mod repeated;
mod round;
mod runs;
mod simplify;
mod split;
mod twins;
mod unfold;
mod unused;
pub(crate) mod words;

pub(crate) use round::Round;

use crate::calculus::{Calculus, Stop};
use crate::engines::Engine;
use smt::Term;

/// The result of a round.
pub(crate) enum Progress {
    /// Equalities were derived: close under them, then start the next round.
    Facts,
    /// No step derives anything.
    Saturated(Box<Round>),
    /// Equations are open, and strings for their variables are a guess at a model.
    Guess(Box<Round>),
}

/// One round of Strategy 1: the first step that derives something ends it.
pub(crate) fn strategy(c: &mut Calculus<'_>, terms: &[Term], guess: bool) -> Result<Progress, Stop> {
    let mut round = Round::new(c, terms);
    if c.has(Engine::Disjoint) {
        cuts::refute(c, &round)?;
    }
    let simplify = c.strategy.simplifies();
    let facts = simplify && simplify::simplify(c, &round)?
        || twins::merge(c, &round)
        || normal::collapse(c, &round)
        || normal::normal_forms(c, &mut round)?
        || simplify && simplify::simplify(c, &round)?
        || simplify && occurrences::occurrences(c, &round)?
        || order::cycles(c, &round)?;
    if facts {
        return Ok(Progress::Facts);
    }
    if guess
        && !round.differing.is_empty()
        && let Some(words) = positions::words(c, &round)
    {
        round.chosen = words;
        return Ok(Progress::Guess(Box::new(round)));
    }
    if split::split(c, &mut round)? || normal::equal_normal_forms(c, &round) {
        return Ok(Progress::Facts);
    }
    codes::equal_codes(c, &round)?;
    choose::choose(c, &mut round)?;
    expand::expand_eagerly(c, &round)?;
    Ok(Progress::Saturated(Box::new(round)))
}
