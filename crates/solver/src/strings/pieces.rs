//! Numerals and characters that are parts of strings in languages.
//!
//! A part of a string in L is a factor of a word of L. That is stated of parts whose number or code matters, since `digits.rs` and `codes.rs` look at their own languages only. Example:
//! with `x ∈ [01]+` and `x = y z w`, `(str.to_int z)` is not 3.

use super::codes;
use super::membership::{BUDGET, Membership, Memberships, form_premises, intersection, premises, store};
use super::round::Round;
use crate::calculus::{Calculus, Step, stop_if};
use crate::egraph::Node;
use crate::infer::Rule;
use smt::{Head, Op};

/// Adds the factors of the languages of concatenations to the languages of parts that `str.to_int` or `str.to_code` is applied to.
pub(super) fn add(c: &mut Calculus<'_>, round: &Round, all: &mut Memberships) {
    for part in parts(c, round) {
        for &root in round.roots.iter().filter(|&&root| root != part) {
            let (Some(form), Some(list)) = (round.normal.get(&root), all.of(root).map(<[_]>::to_vec)) else {
                continue;
            };
            if !form.parts.contains(&part) {
                continue;
            }
            let whole = intersection(c, &list);
            let (machines, store) = c.languages.machines();
            let Some(language) = machines.factors(store, whole) else { continue };
            let premises = [premises(&list), form_premises(c, form)].concat();
            let derived = Membership { language, premises, weak: false, derived: true };
            all.by_class.entry(part).or_default().push(derived);
        }
    }
}

/// The classes without a constant value that `str.to_int` or `str.to_code` is applied to.
fn parts(c: &Calculus<'_>, round: &Round) -> Vec<Node> {
    let mut out: Vec<Node> = Vec::new();
    for &n in &round.extended {
        if let (Head::Op(Op::StrToInt | Op::StrToCode), &[s]) = (c.head(c.term(n)), c.state.egraph.args(n)) {
            let root = c.state.egraph.root(s);
            if c.word_of(root).is_none() && !out.contains(&root) {
                out.push(root);
            }
        }
    }
    out
}

/// Excludes the character that the arithmetic model gives a class of one character, if its languages do.
pub(super) fn exclude(c: &mut Calculus<'_>, root: Node, list: &[Membership], code: u32) -> Step {
    let language = intersection(c, list);
    if store(c).try_matches(language, &[code], BUDGET) != Some(false) {
        return Ok(());
    }
    let (lo, hi) = codes::gap(code, |lo, hi| {
        let here = codes::between(store(c), lo, hi);
        let here = store(c).inter(&[language, here]);
        store(c).is_empty_language(here, BUDGET) == Some(true)
    });
    let other = codes::outside(c, root, lo, hi);
    stop_if(c.lemma(Rule::MemberLength, &premises(list), &other))
}
