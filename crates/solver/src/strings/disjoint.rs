//! Two forms of one class that have no string in common, by the languages of their components.
//!
//! Each component is in its languages; if a part of it is known, it contains that: from `(str.substr x 2 1) = "9"` it follows that `x` is in
//! Σ²9Σ*. The concatenations of the languages of both forms are intersected before anything is split. Example: `x y z = "solution"` with
//! `(str.at y 6) = "9"` has no solution, however it is cut.

use super::form::{Form, compared};
use super::membership::{Membership, Memberships, of_length, store};
use super::round::Round;
use crate::calculus::{Calculus, Step, equality};
use crate::egraph::{Node, Premise};
use crate::infer::Rule;
use rustc_hash::FxHashMap;
use semantics::regex::Re;
use smt::{Head, Op};

/// Components of a form, and pairs of forms in a round, at most.
pub(super) const MAX_PARTS: usize = 100;
const MAX_PAIRS: usize = 20;
/// Positions that are used exactly, at most.
const MAX_POSITION: usize = 1_000;
/// Steps of the regular expression engine for one pair.
const BUDGET: u64 = 50_000;

/// Refutes pairs of forms that differ.
pub(super) fn refute(c: &mut Calculus<'_>, round: &Round) -> Step {
    if round.differing.is_empty() {
        return Ok(());
    }
    let Some(mut all) = Memberships::new(c, round, |_| true) else { return Ok(()) };
    add_parts(c, round, &mut all.by_class);
    if all.by_class.is_empty() {
        return Ok(());
    }
    for (left, right) in round.differing.iter().take(MAX_PAIRS) {
        let has = |form: &Form| form.parts.iter().any(|p| all.by_class.contains_key(p));
        if left.parts.len().max(right.parts.len()) > MAX_PARTS || !has(left) && !has(right) {
            continue;
        }
        let ((a, mut premises), (b, more)) = (language(c, left, &all), language(c, right, &all));
        if is_disjoint(c, a, b) {
            premises.extend(more);
            premises.extend(compared(left, right));
            return Err(c.conflict(Rule::Disjoint, &premises));
        }
    }
    Ok(())
}

/// The concatenation of the languages of components.
fn language(c: &mut Calculus<'_>, form: &Form, all: &Memberships) -> (Re, Vec<Premise>) {
    let mut languages = Vec::new();
    let mut premises = Vec::new();
    for &p in &form.parts {
        let (language, reasons) = all.of_component(c, p);
        languages.push(language);
        premises.extend(reasons);
    }
    (store(c).concat(&languages), premises)
}

fn is_disjoint(c: &mut Calculus<'_>, a: Re, b: Re) -> bool {
    let key = (a.min(b), a.max(b));
    if let Some(&known) = c.languages.disjoint.get(&key) {
        return known;
    }
    c.inferences.tick(10);
    let both = store(c).inter(&[a, b]);
    let known = store(c).is_empty_language(both, BUDGET) == Some(true);
    c.languages.disjoint.insert(key, known);
    known
}

/// Adds what is known of parts of strings to the languages of their classes.
fn add_parts(c: &mut Calculus<'_>, round: &Round, out: &mut FxHashMap<Node, Vec<Membership>>) {
    for &n in &round.extended {
        let Some((s, language, mut premises)) = part(c, n) else { continue };
        let root = c.state.egraph.root(s);
        premises.extend(equality(s, root));
        out.entry(root).or_default().push(Membership { language, premises, weak: true, derived: false });
    }
}

/// `(str.substr s n m)` is a constant that is not empty: `s` contains it, after n characters if n is a constant.
pub(super) fn part(c: &mut Calculus<'_>, n: Node) -> Option<(Node, Re, Vec<Premise>)> {
    let egraph = &c.state.egraph;
    let (Head::Op(Op::StrSubstr), &[s, start, _]) = (c.head(c.term(n)), egraph.args(n)) else { return None };
    let value = egraph.value(n).filter(|&v| !egraph.same(v, c.state.empty))?;
    if egraph.value(s).is_some() {
        return None;
    }
    let place = egraph.value(start);
    let mut premises: Vec<Premise> = equality(n, value).into_iter().collect();
    let word = c.word_of(value).map(<[u32]>::to_vec)?;
    let before = match place.and_then(|v| Some((v, c.natural_of(v)?))) {
        Some((v, n)) if n <= MAX_POSITION => {
            premises.extend(equality(start, v));
            of_length(c, n)
        }
        _ => store(c).all(),
    };
    let (word, after) = (store(c).word(&word), store(c).all());
    Some((s, store(c).concat(&[before, word, after]), premises))
}
