//! Memberships in ground languages: refuted here, or given a string by `choose.rs`.
//!
//! All memberships of a class are one language: the intersection of the languages of those that hold, and of the
//! complements of those that do not. If the class is a concatenation, the languages of its components are concatenated
//! and intersected with that. An empty language is a conflict. Example: `x ∈ a*` and `x = y "b"` are in
//! conflict, since no string is in `a*` and in `Σ* b`. Languages are those of `semantics::regex` (symbolic
//! derivatives), within a budget.

use super::codes::characters;
use super::form::Form;
use super::round::Round;
use crate::calculus::{Calculus, Step, equality};
use crate::egraph::{Node, Premise};
use crate::infer::Rule;
use rustc_hash::FxHashMap;
use semantics::regex::{Re, RegexStore};
use smt::{Head, Op, Sort};

/// Steps of the regular expression engine for one query.
pub(super) const BUDGET: u64 = 2_000_000;

/// No longer string is searched for.
pub(super) const MAX_MEMBER: usize = 1 << 16;

/// A membership that has a truth value.
#[derive(Clone, Debug)]
pub(super) struct Membership {
    /// The language of the string: the complement, if it is not in the regular expression.
    pub(super) language: Re,
    /// The truth value, and the class of the string.
    pub(super) premises: Vec<Premise>,
    /// Whether it counts only where there are others: a disequality with a constant, whether a constant is contained, the range of a function.
    pub(super) weak: bool,
    /// Whether it comes through a function.
    pub(super) derived: bool,
}

/// The memberships of a round.
#[derive(Default)]
pub(super) struct Memberships {
    pub(super) by_class: FxHashMap<Node, Vec<Membership>>,
    /// The characters of classes in the arithmetic model.
    pub(super) characters: FxHashMap<Node, u32>,
}

impl Memberships {
    /// All memberships; none if there is nothing of the kind. Those of values of functions, `defined`, are not weak.
    pub(super) fn new(
        c: &mut Calculus<'_>,
        round: &Round,
        defined: impl Fn(Node) -> bool,
    ) -> Option<Memberships> {
        let mut by_class: FxHashMap<Node, Vec<Membership>> = FxHashMap::default();
        for &n in &round.extended {
            if let Some((root, membership)) = membership(c, n) {
                by_class.entry(root).or_default().push(membership);
            }
        }
        if by_class.is_empty() && !round.roots.iter().any(|&root| defined(root)) {
            return None;
        }
        add_disequalities(c, &mut by_class);
        add_contained(c, round, &defined, &mut by_class);
        Some(Memberships { by_class, characters: characters(c, round) })
    }

    /// The memberships of a class, if there are others than weak ones.
    pub(super) fn of(&self, root: Node) -> Option<&[Membership]> {
        self.by_class.get(&root).filter(|list| list.iter().any(|m| !m.weak)).map(|list| &list[..])
    }

    /// All memberships of a class.
    pub(super) fn any(&self, root: Node) -> &[Membership] {
        self.by_class.get(&root).map_or(&[], Vec::as_slice)
    }

    /// The language of a component of a form, and its premises.
    pub(super) fn of_component(&self, c: &mut Calculus<'_>, part: Node) -> (Re, Vec<Premise>) {
        if let Some(w) = c.word_of(part).map(<[u32]>::to_vec) {
            return (store(c).word(&w), Vec::new());
        }
        let mut languages = Vec::new();
        let mut premises = Vec::new();
        for m in self.by_class.get(&part).into_iter().flatten() {
            languages.push(m.language);
            premises.extend(m.premises.iter().copied());
        }
        let len = c.len_node(part);
        if let Some(value) = c.state.egraph.value(len)
            && let Some(n) = c.natural_of(value).filter(|&n| n <= MAX_MEMBER)
        {
            languages.push(of_length(c, n));
            premises.extend(equality(len, value));
        }
        let language = match languages[..] {
            [] => store(c).all(),
            _ => store(c).inter(&languages),
        };
        (language, premises)
    }
}

/// The store of all languages.
pub(super) fn store<'a>(c: &'a mut Calculus<'_>) -> &'a mut RegexStore {
    c.languages.store()
}

/// All strings of a length.
pub(super) fn of_length(c: &mut Calculus<'_>, n: usize) -> Re {
    let any = store(c).allchar();
    store(c).power(any, n as u64)
}

/// The intersection of memberships.
pub(super) fn intersection(c: &mut Calculus<'_>, list: &[Membership]) -> Re {
    let all: Vec<Re> = list.iter().map(|m| m.language).collect();
    store(c).inter(&all)
}

/// The premises of memberships.
pub(super) fn premises(list: &[Membership]) -> Vec<Premise> {
    list.iter().flat_map(|m| m.premises.iter().copied()).collect()
}

/// The premises that make a form one of the root of its class, which memberships are about.
pub(super) fn form_premises(c: &Calculus<'_>, form: &Form) -> Vec<Premise> {
    form.premises().chain(equality(form.term, c.state.egraph.root(form.term))).collect()
}

/// The class and the membership of an application of `str.in_re` that has a value.
fn membership(c: &mut Calculus<'_>, n: Node) -> Option<(Node, Membership)> {
    let t = c.term(n);
    if !matches!(c.head(t), Head::Op(Op::StrInRe)) {
        return None;
    }
    let egraph = &c.state.egraph;
    let (value, &[string, _]) = (egraph.value(n)?, egraph.args(n)) else { return None };
    if egraph.value(string).is_some() {
        return None;
    }
    let (root, positive) = (egraph.root(string), egraph.same(value, c.state.truth));
    let language = c.languages.of(c.terms.pool, c.terms.pool.args(t)[1])?;
    let language = if positive { language } else { store(c).comp(language) };
    let premises = equality(n, value).into_iter().chain(equality(string, root)).collect();
    Some((root, Membership { language, premises, weak: false, derived: false }))
}

/// `x != "c"`: x is in the complement of "c".
fn add_disequalities(c: &mut Calculus<'_>, out: &mut FxHashMap<Node, Vec<Membership>>) {
    for k in 0..c.state.asserted.len() {
        let l = c.state.asserted[k];
        let Some(t) = c.inferences.atom(l.var()).filter(|_| !l.is_positive()) else { continue };
        let (Head::Op(Op::Eq), &[a, b]) = (c.head(t), c.terms.pool.args(t)) else { continue };
        if c.sort(a) != Sort::STRING {
            continue;
        }
        let (a, b) = (c.node(a), c.node(b));
        for (x, constant) in [(a, b), (b, a)] {
            let egraph = &c.state.egraph;
            let Some(value) = egraph.value(constant).filter(|_| egraph.value(x).is_none()) else { continue };
            let root = egraph.root(x);
            let Some(word) = c.word_of(value).map(<[u32]>::to_vec) else { continue };
            let only = store(c).word(&word);
            let language = store(c).comp(only);
            let mut premises = vec![Premise::Lit(l)];
            premises.extend(equality(x, root));
            premises.extend(equality(constant, value));
            out.entry(root).or_default().push(Membership { language, premises, weak: true, derived: false });
        }
    }
}

/// `(str.contains x "c")`: x is in Σ*cΣ*, or not.
fn add_contained(
    c: &mut Calculus<'_>,
    round: &Round,
    defined: &impl Fn(Node) -> bool,
    out: &mut FxHashMap<Node, Vec<Membership>>,
) {
    for &n in &round.extended {
        let egraph = &c.state.egraph;
        let (Head::Op(Op::StrContains), &[s, u]) = (c.head(c.term(n)), egraph.args(n)) else { continue };
        let (Some(truth), Some(value)) = (egraph.value(n), egraph.value(u)) else { continue };
        if egraph.value(s).is_some() {
            continue;
        }
        let (root, positive) = (egraph.root(s), egraph.same(truth, c.state.truth));
        let premises = [equality(n, truth), equality(s, root), equality(u, value)];
        let premises = premises.into_iter().flatten().collect();
        let Some(word) = c.word_of(value).map(<[u32]>::to_vec) else { continue };
        let (word, all) = (store(c).word(&word), store(c).all());
        let with = store(c).concat(&[all, word, all]);
        let weak = !defined(root);
        let language = if positive { with } else { store(c).comp(with) };
        out.entry(root).or_default().push(Membership { language, premises, weak, derived: false });
    }
}

/// Sends a conflict if no string is in all languages of a class, or of its components concatenated.
pub(super) fn refute(c: &mut Calculus<'_>, form: &Form, list: &[Membership], all: &Memberships) -> Step {
    let language = intersection(c, list);
    if is_empty(c, language) {
        let needed = needed(c, list.to_vec());
        return Err(c.conflict(rule(&needed), &premises(&needed)));
    }
    let mut parts = Vec::new();
    let mut reasons: Vec<Premise> = Vec::new();
    for &p in &form.parts {
        let (language, premises) = all.of_component(c, p);
        parts.push(language);
        reasons.extend(premises);
    }
    let concatenation = store(c).concat(&parts);
    let both = store(c).inter(&[concatenation, language]);
    if is_empty(c, both) {
        reasons.extend(form_premises(c, form));
        reasons.extend(premises(list));
        return Err(c.conflict(rule(list), &reasons));
    }
    Ok(())
}

/// The rule by which memberships are refuted.
fn rule(list: &[Membership]) -> Rule {
    if list.iter().any(|m| m.derived) { Rule::Image } else { Rule::Membership }
}

fn is_empty(c: &mut Calculus<'_>, language: Re) -> bool {
    store(c).is_empty_language(language, BUDGET) == Some(true)
}

/// Memberships without which the language would not be empty.
fn needed(c: &mut Calculus<'_>, mut list: Vec<Membership>) -> Vec<Membership> {
    let mut k = 0;
    while k < list.len() && list.len() > 1 {
        let mut fewer = list.clone();
        fewer.remove(k);
        let language = intersection(c, &fewer);
        if is_empty(c, language) {
            list = fewer;
        } else {
            k += 1;
        }
    }
    list
}
