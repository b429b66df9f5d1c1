//! Equations between regular expressions with variables.
//!
//! If R(v) = S, where S is ground, then the words of S are in R(v), and others are not: the shortest ones of either kind are instances, from which `factors.rs`
//! derives the strings that `v` may be. If all variables have constants, the two languages are compared.
//! Example: `(str.to_re v)* = (ab)*` gives `"ab" ∈ (str.to_re v)*`, so `v = "ab"`.

use super::membership::{BUDGET, store};
use crate::calculus::{Calculus, Step, equality, stop_if};
use crate::egraph::Premise;
use crate::infer::Rule;
use crate::languages::variables;
use rustc_hash::FxHashMap;
use semantics::regex::Re;
use smt::{Head, Op, Sort, Term};

/// Words of a language that become instances, at most.
const MAX_WORDS: usize = 3;

/// Sends instances of equations that hold, and refutes those that are wrong for the constants of their variables.
pub(super) fn instantiate(c: &mut Calculus<'_>) -> Step {
    for k in 0..c.state.asserted.len() {
        let l = c.state.asserted[k];
        let Some(t) = c.inferences.atom(l.var()) else { continue };
        let (Head::Op(Op::Eq), &[a, b]) = (c.head(t), c.terms.pool.args(t)) else { continue };
        if c.sort(a) != Sort::REGLAN {
            continue;
        }
        let mut sent = compare(c, [a, b], Premise::Lit(l), l.is_positive());
        if l.is_positive() {
            sent = sent || members(c, [a, b], Premise::Lit(l)) || members(c, [b, a], Premise::Lit(l));
        }
        stop_if(sent)?;
    }
    Ok(())
}

/// Refutes an equation between languages that are known.
fn compare(c: &mut Calculus<'_>, sides: [Term; 2], equation: Premise, holds: bool) -> bool {
    let mut premises = vec![equation];
    let mut languages: Vec<Re> = Vec::new();
    for side in sides {
        let mut map: FxHashMap<Term, Term> = FxHashMap::default();
        for v in variables(c.terms.pool, side) {
            let Some(node) = c.state.egraph.node(v) else { return false };
            let Some(value) = c.state.egraph.value(node) else { return false };
            premises.extend(equality(node, value));
            map.insert(v, c.term(value));
        }
        let ground = c.terms.pool.replace(side, &mut map);
        let Some(language) = c.languages.of(c.terms.pool, ground) else { return false };
        languages.push(language);
    }
    let equal = store(c).equivalent(languages[0], languages[1], BUDGET);
    equal == Some(!holds) && c.lemma(Rule::Pattern, &premises, &[])
}

/// The shortest words of a ground side are in the other one, and the shortest others are not.
fn members(c: &mut Calculus<'_>, [open, ground]: [Term; 2], equation: Premise) -> bool {
    if c.languages.of(c.terms.pool, open).is_some() {
        return false;
    }
    let Some(language) = c.languages.of(c.terms.pool, ground) else { return false };
    let mut sent = false;
    for inside in [true, false] {
        let mut left = if inside { language } else { store(c).comp(language) };
        for _ in 0..MAX_WORDS {
            let Some(Some(word)) = store(c).shortest_member(left, BUDGET) else { break };
            let only = store(c).word(&word);
            left = store(c).diff(&[left, only]);
            let word = c.terms.pool.string(&word);
            let member = crate::build::op(c.terms.pool, Op::StrInRe, &[word, open]);
            let conclusion = if inside { member } else { crate::build::not(c.terms.pool, member) };
            sent |= c.lemma(Rule::Pattern, &[equation], &[conclusion]);
        }
    }
    sent
}
