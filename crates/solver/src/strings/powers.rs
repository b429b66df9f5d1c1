//! Powers of one word commute: `x y = y x` if `x` and `y` are in `(ab)*`; and strings that commute are powers of one word.
//!
//! - `x y = y x`, `x ∈ (ab)+`: `y ∈ (ab)*`.
//! - `x x y y y = z z`: `x y = y x`. For all exponents that are at least 2 (R. C. Lyndon, M. P. Schützenberger, "The equation aᴹ = bᴺcᴾ in a free
//!   group", Michigan Math. J. 9, 1962).
//!
//! A component whose language has only powers of a word is determined by its length. So two forms are equal if they have the same components, and in the
//! place of neighbours that are powers of one word others of the same total length. Checked where two classes that must differ have one
//! string in a candidate model; otherwise such classes would be made longer without end.

use super::form::{Form, compared};
use super::membership::{BUDGET, Memberships, form_premises, store};
use super::round::Round;
use crate::arith::{self, Sum};
use crate::builder::Builder;
use crate::calculus::{Calculus, Step, stop_if};
use crate::egraph::{Node, Premise};
use crate::infer::Rule;
use rustc_hash::FxHashMap;
use semantics::regex::Re;
use smt::{Head, Op, Sort, Term};

/// Components of a form, at most.
pub(super) const MAX_PARTS: usize = 40;
/// The longest word whose powers are considered.
const MAX_WORD: usize = 16;

/// A part of a form.
#[derive(Debug, PartialEq, Eq)]
enum Item {
    Other(Node),
    /// Neighbours that are powers of a word: variables, and the number of characters of constants.
    Run(Vec<u32>, Vec<Node>, usize),
}

/// Refutes two classes that must differ if their forms are equal.
pub(super) fn refute(c: &mut Calculus<'_>, round: &Round, all: &Memberships, a: Node, b: Node) -> Step {
    let (a, b) = (c.state.egraph.root(a), c.state.egraph.root(b));
    let (Some(left), Some(right)) = (round.normal.get(&a).cloned(), round.normal.get(&b).cloned()) else {
        return Ok(());
    };
    if left.parts.len() > MAX_PARTS || right.parts.len() > MAX_PARTS {
        return Ok(());
    }
    let mut roots: FxHashMap<Node, Option<Vec<u32>>> = FxHashMap::default();
    let mut reasons = Vec::new();
    for &p in left.parts.iter().chain(&right.parts) {
        roots.entry(p).or_insert_with(|| {
            let found = root(c, all, p);
            reasons.extend(found.iter().flat_map(|(_, premises)| premises.iter().copied()));
            found.map(|(word, _)| word)
        });
    }
    let ends = ends(c, all, &roots);
    reasons.extend(ends.values().flat_map(|(_, premises)| premises.iter().copied()));
    let (x, y) = (items(c, &left, &roots, &ends), items(c, &right, &roots, &ends));
    if x.len() != y.len() {
        return Ok(());
    }
    for (x, y) in x.iter().zip(&y) {
        match (x, y) {
            (Item::Run(u, xs, n), Item::Run(v, ys, m)) if u == v => {
                let Some(premises) = same_length(c, (xs, *n), (ys, *m)) else { return Ok(()) };
                reasons.extend(premises);
            }
            _ if x == y => {}
            _ => return Ok(()),
        }
    }
    let Some(different) = c.state.egraph.disequal(a, b) else { return Ok(()) };
    reasons.extend(different);
    reasons.extend(form_premises(c, &left));
    reasons.extend(form_premises(c, &right));
    Err(c.conflict(Rule::Powers, &reasons))
}

/// Sends what follows from equations between powers, and from those that say that two components commute.
pub(super) fn commute(c: &mut Calculus<'_>, round: &Round) -> Step {
    let mut all: Option<Memberships> = None;
    for (left, right) in &round.differing {
        if let (&[x, y], &[z, w]) = (&left.parts[..], &right.parts[..])
            && (x, y) == (w, z)
        {
            let all = all.get_or_insert_with(|| Memberships::new(c, round, |_| true).unwrap_or_default());
            for (x, y) in [(x, y), (y, x)] {
                stop_if(share_root(c, all, (&**left, &**right), x, y))?;
            }
        }
        stop_if(sum_of_powers(c, left, right) || sum_of_powers(c, right, left))?;
    }
    Ok(())
}

/// `x y = y x` and `x` is a power of a word, not empty: so is `y`. True if that is new.
fn share_root(
    c: &mut Calculus<'_>,
    all: &Memberships,
    (left, right): (&Form, &Form),
    x: Node,
    y: Node,
) -> bool {
    if c.word_of(x).is_some() || c.word_of(y).is_some() {
        return false;
    }
    let Some((word, reasons)) = root(c, all, x) else { return false };
    let Some(nonempty) = c.entails_length(x, 1) else { return false };
    let word = c.terms.pool.string(&word);
    let language = c.terms.pool.mk(Head::Op(Op::StrToRe), Sort::REGLAN, &[word]);
    let language = c.terms.pool.mk(Head::Op(Op::ReStar), Sort::REGLAN, &[language]);
    let t = c.term(y);
    let member = c.mk(Op::StrInRe, &[t, language]);
    let mut premises = compared(left, right);
    premises.extend(reasons.into_iter().chain(nonempty));
    c.lemma(Rule::Powers, &premises, &[member])
}

/// `xⁿ yᵐ = zᵖ` with exponents of at least 2: `x y = y x`. True if that is new.
fn sum_of_powers(c: &mut Calculus<'_>, left: &Form, right: &Form) -> bool {
    let (&[(x, n), (y, m)], &[(_, p)]) = (&exponents(left)[..], &exponents(right)[..]) else { return false };
    if n < 2 || m < 2 || p < 2 {
        return false;
    }
    let (x, y) = (c.term(x), c.term(y));
    let (xy, yx) = (c.concat(&[x, y]), c.concat(&[y, x]));
    let same = c.eq(xy, yx);
    c.lemma(Rule::Powers, &compared(left, right), &[same])
}

/// The components of a form with the number of times that each occurs in a row.
fn exponents(form: &Form) -> Vec<(Node, usize)> {
    let mut out: Vec<(Node, usize)> = Vec::new();
    for &p in &form.parts {
        match out.last_mut() {
            Some((q, n)) if *q == p => *n += 1,
            _ => out.push((p, 1)),
        }
    }
    out
}

/// The word of which a component is a power, with the premises.
fn root(c: &mut Calculus<'_>, all: &Memberships, part: Node) -> Option<(Vec<u32>, Vec<Premise>)> {
    if let Some(word) = c.word_of(part) {
        return Some((primitive(word).to_vec(), Vec::new())).filter(|(w, _)| w.len() <= MAX_WORD);
    }
    all.of(part)?;
    let (language, premises) = all.of_component(c, part);
    Some((only_powers(c, language, BUDGET)?, premises))
}

/// The word of which all strings of a language are powers, if they are, and not all empty.
pub(super) fn only_powers(c: &mut Calculus<'_>, language: Re, budget: u64) -> Option<Vec<u32>> {
    let any = store(c).allchar();
    let some = store(c).plus(any);
    let longer = store(c).inter(&[language, some]);
    let word = store(c).shortest_member(longer, budget)??;
    let word = primitive(&word).to_vec();
    let powers = store(c).word(&word);
    let powers = store(c).star(powers);
    let others = store(c).diff(&[language, powers]);
    let only = word.len() <= MAX_WORD && store(c).is_empty_language(others, budget) == Some(true);
    only.then_some(word)
}

/// Whether all strings of a language are prefixes of powers of a word.
pub(super) fn runs_along(c: &mut Calculus<'_>, language: Re, word: &[u32], budget: u64) -> bool {
    let powers = store(c).word(word);
    let powers = store(c).star(powers);
    let prefixes: Vec<Re> = (0..word.len()).map(|n| store(c).word(&word[..n])).collect();
    let end = store(c).union(&prefixes);
    let runs = store(c).concat(&[powers, end]);
    let others = store(c).diff(&[language, runs]);
    store(c).is_empty_language(others, budget) == Some(true)
}

/// The shortest word of which a word is a power.
fn primitive(word: &[u32]) -> &[u32] {
    let repeats = |n: usize| word.len().is_multiple_of(n) && word.iter().zip(&word[n..]).all(|(a, b)| a == b);
    let n = (1..=word.len()).find(|&n| repeats(n)).unwrap_or(0);
    &word[..n]
}

/// Components that start as powers of a word and may end within it; each is the end of a run. With the word, and the premises.
fn ends(
    c: &mut Calculus<'_>,
    all: &Memberships,
    roots: &FxHashMap<Node, Option<Vec<u32>>>,
) -> FxHashMap<Node, (Vec<u32>, Vec<Premise>)> {
    let mut words: Vec<&Vec<u32>> = roots.values().flatten().collect();
    words.sort_unstable();
    words.dedup();
    let mut open: Vec<Node> = roots.iter().filter(|(_, word)| word.is_none()).map(|(&p, _)| p).collect();
    open.sort_unstable();
    let mut out = FxHashMap::default();
    for p in open {
        if words.is_empty() || all.of(p).is_none() {
            continue;
        }
        let (language, premises) = all.of_component(c, p);
        if let Some(word) = words.iter().find(|word| runs_along(c, language, word, BUDGET)) {
            out.insert(p, (word.to_vec(), premises));
        }
    }
    out
}

fn items(
    c: &Calculus<'_>,
    form: &Form,
    roots: &FxHashMap<Node, Option<Vec<u32>>>,
    ends: &FxHashMap<Node, (Vec<u32>, Vec<Premise>)>,
) -> Vec<Item> {
    let mut out: Vec<Item> = Vec::new();
    let mut closed = false;
    for &p in &form.parts {
        if let Some((word, _)) = ends.get(&p) {
            match out.last_mut() {
                Some(Item::Run(u, xs, _)) if u == word && !closed => xs.push(p),
                _ => out.push(Item::Run(word.clone(), vec![p], 0)),
            }
            closed = true;
            continue;
        }
        let started = std::mem::replace(&mut closed, false);
        let Some(word) = roots.get(&p).cloned().flatten() else {
            out.push(Item::Other(p));
            continue;
        };
        let (variable, characters) = match c.word_of(p) {
            Some(w) => (None, w.len()),
            None => (Some(p), 0),
        };
        match out.last_mut() {
            Some(Item::Run(u, xs, n)) if *u == word && !started => {
                xs.extend(variable);
                *n += characters;
            }
            _ => out.push(Item::Run(word, variable.into_iter().collect(), characters)),
        }
    }
    out
}

/// The premises by which two runs have the same length.
fn same_length(
    c: &mut Calculus<'_>,
    (xs, n): (&[Node], usize),
    (ys, m): (&[Node], usize),
) -> Option<Vec<Premise>> {
    let total = |c: &mut Calculus<'_>, parts: &[Node], characters: usize| -> Option<Term> {
        let mut sum = c.int(i64::try_from(characters).ok()?);
        for &p in parts {
            let t = c.term(p);
            let len = c.len(t);
            sum = c.plus(sum, len);
        }
        Some(sum)
    };
    let (left, right) = (total(c, xs, n)?, total(c, ys, m)?);
    let d = c.difference(left, right);
    if d.terms.is_empty() {
        return d.constant.is_zero().then(Vec::new);
    }
    c.state.register_monomials(c.terms.pool);
    let mut premises = c.entails_nonneg(&d)?;
    premises.extend(c.entails_nonneg(&arith::difference(&Sum::default(), &d))?);
    Some(premises)
}

#[cfg(test)]
mod tests {
    use super::primitive;

    #[test]
    fn the_primitive_root_is_the_shortest() {
        for (word, root) in [("abab", "ab"), ("aaa", "a"), ("aba", "aba"), ("", ""), ("a", "a")] {
            let [word, root] = [word, root].map(|s| s.chars().map(u32::from).collect::<Vec<u32>>());
            assert_eq!(primitive(&word), root);
        }
    }

    #[test]
    fn the_rules_hold_for_short_words() {
        let mut all: Vec<Vec<u32>> = vec![Vec::new()];
        let mut k = 0;
        while all[k].len() < 5 {
            let longer = [0, 1].map(|a| [&all[k][..], &[a]].concat());
            all.extend(longer);
            k += 1;
        }
        for x in &all {
            for y in &all {
                let commute = [&x[..], y].concat() == [&y[..], x].concat();
                if commute && !x.is_empty() {
                    assert!(y.is_empty() || primitive(x) == primitive(y), "{x:?} {y:?}");
                }
                for (n, m) in [(2, 2), (2, 3), (3, 2), (3, 3)] {
                    let word = [x.repeat(n), y.repeat(m)].concat();
                    let exponent = word.len() / primitive(&word).len().max(1);
                    assert!(commute || exponent < 2, "{x:?} {y:?}");
                }
            }
        }
    }
}
