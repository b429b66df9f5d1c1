//! Values of numerals modulo small numbers, where the arithmetic model has another one.
//!
//! If `x ∈ (9|0)*9`, `(str.to_int x)` is 9 modulo 10 and 0 modulo 9. With the value 4 in the model the lemma is `(str.to_int x) < 0` or
//! `(mod (str.to_int x) 9) = 0`. Then arithmetic knows that `2·(str.to_int x) = 3·n + 1` has no solution.

use super::membership::{Memberships, intersection, premises, store};
use super::round::Round;
use crate::builder::Builder;
use crate::calculus::{Calculus, Step, equality, stop_if};
use crate::egraph::{Node, Premise};
use crate::infer::Rule;
use smt::{Head, Int, Op, Term};

/// The numbers modulo which values are considered.
const MODULI: [u32; 7] = [10, 9, 2, 5, 3, 11, 7];
/// Remainders of a lemma, at most.
const MAX_REMAINDERS: usize = 5;

/// Sends lemmas for values that no numeral of the language has.
pub(super) fn exclude(c: &mut Calculus<'_>, round: &Round, all: &Memberships) -> Step {
    for &n in &round.extended {
        if !matches!(c.head(c.term(n)), Head::Op(Op::StrToInt)) {
            continue;
        }
        let value = c.model_value(c.term(n)).floor();
        let root = c.state.egraph.root(c.state.egraph.args(n)[0]);
        if !value.is_negative() {
            stop_if(exclude_value(c, n, root, all, &value))?;
        }
    }
    Ok(())
}

fn exclude_value(c: &mut Calculus<'_>, n: Node, root: Node, all: &Memberships, value: &Int) -> bool {
    let Some(list) = all.of(root) else { return false };
    let language = intersection(c, list);
    let wrong = MODULI.into_iter().find_map(|m| {
        let remainder = value.mod_euclid_smt(&Int::from(m))?;
        let possible = store(c).remainders(language, m);
        let excluded = possible.iter().all(|&r| Int::from(r) != remainder);
        (possible.len() <= MAX_REMAINDERS && excluded).then_some((m, possible))
    });
    let Some((m, possible)) = wrong else { return false };
    let (t, zero, modulus) = (c.term(n), c.int(0), c.int(i64::from(m)));
    let remainder = c.mk(Op::Mod, &[t, modulus]);
    let mut cases: Vec<Term> = vec![c.greater(zero, t)];
    for r in possible {
        let r = c.int(i64::from(r));
        cases.push(c.eq(remainder, r));
    }
    let argument = equality(c.state.egraph.args(n)[0], root);
    let reasons: Vec<Premise> = premises(list).into_iter().chain(argument).collect();
    c.lemma(Rule::Residue, &reasons, &cases)
}
