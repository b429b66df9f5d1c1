//! Concatenations in languages that have parts in common.
//!
//! With `x "z" y ∈ L` and `"b" x "z" y ∉ M`, no string of one part can be chosen without the other concatenation. So concatenations that share parts are
//! read together ([`crate::languages::Tapes`]): if there are no strings at all, their memberships are in conflict. Otherwise strings of the
//! lengths in the arithmetic model are chosen; if there are none, the lengths of the shortest strings are decided, and those of the model are excluded.
//!
//! All concatenations must have their parts in one order. One that does not, or in which a part occurs again, is left out; a conflict remains one.

use super::form::Form;
use super::functions::Functions;
use super::membership::{
    MAX_MEMBER, Membership, Memberships, form_premises, intersection, of_length, premises, store,
};
use super::round::Round;
use crate::builder::Builder;
use crate::calculus::{Calculus, Step, stop_if};
use crate::egraph::{Node, Premise};
use crate::infer::Rule;
use crate::languages::{Tape, Tapes};
use crate::rewrite::Mode;
use semantics::regex::Re;
use smt::Term;
use std::rc::Rc;

/// Concatenations that are read together, at most.
const MAX_FORMS: usize = 12;
/// Lengths of strings that are searched for, at most.
const MAX_LENGTH: usize = 300;

/// A concatenation, and the memberships of its class.
#[derive(Clone)]
struct Item {
    form: Rc<Form>,
    list: Vec<Membership>,
}

/// Concatenations that share parts.
#[derive(Default)]
struct Group {
    items: Vec<Item>,
    /// The parts without a constant value, in the order of all concatenations.
    order: Vec<Node>,
    /// A concatenation was left out.
    partial: bool,
}

/// Refutes concatenations that share parts, or chooses strings for the parts.
pub(super) fn choose(
    c: &mut Calculus<'_>,
    round: &mut Round,
    all: &Memberships,
    roots: &[Node],
    functions: &Functions,
) -> Step {
    for group in groups(c, round, all, roots) {
        if group.items.len() < 2 {
            continue;
        }
        let computed = group.order.iter().any(|&p| functions.of(p).next().is_some());
        let owns: Vec<(Re, Vec<Premise>)> = group.order.iter().map(|&p| all.of_component(c, p)).collect();
        let languages: Vec<Re> = owns.iter().map(|(r, _)| *r).collect();
        match read(c, &group, languages.clone()) {
            Some(None) => return refute(c, group, &owns),
            Some(Some(words)) if !group.partial && !computed => fit(c, round, all, &group, &owns, &words)?,
            _ => {}
        }
    }
    Ok(())
}

/// The strings of the parts, in their order; none of them if there are none.
fn read(c: &mut Calculus<'_>, group: &Group, words: Vec<Re>) -> Option<Option<Vec<Vec<u32>>>> {
    let tapes = group.items.iter().map(|item| tape(c, &group.order, item)).collect();
    let (machines, store) = c.languages.machines();
    machines.joint(store, Tapes { words, tapes })
}

fn tape(c: &mut Calculus<'_>, order: &[Node], item: &Item) -> Tape {
    let language = intersection(c, &item.list);
    let mut tape = Tape { language, before: Vec::new(), words: Vec::new() };
    for &p in &item.form.parts {
        match c.word_of(p) {
            Some(w) => tape.words.last_mut().map_or(&mut tape.before, |(_, after)| after).extend(w),
            None => {
                let number = order.iter().position(|&q| q == p).expect("a part of the group");
                tape.words.push((number, Vec::new()));
            }
        }
    }
    tape
}

/// The concatenations that are needed are in conflict.
fn refute(c: &mut Calculus<'_>, mut group: Group, owns: &[(Re, Vec<Premise>)]) -> Step {
    let languages: Vec<Re> = owns.iter().map(|(r, _)| *r).collect();
    let mut k = 0;
    while k < group.items.len() {
        let item = group.items.remove(k);
        if read(c, &group, languages.clone()) != Some(None) {
            group.items.insert(k, item);
            k += 1;
        }
    }
    let mut reasons: Vec<Premise> = Vec::new();
    for item in &group.items {
        reasons.extend(form_premises(c, &item.form));
        reasons.extend(premises(&item.list));
    }
    reasons.extend(owns.iter().flat_map(|(_, premises)| premises));
    Err(c.conflict(Rule::Membership, &reasons))
}

/// Strings of the lengths in the arithmetic model. If there are none, the lengths of `words` are decided, then those of the model are excluded.
fn fit(
    c: &mut Calculus<'_>,
    round: &mut Round,
    all: &Memberships,
    group: &Group,
    owns: &[(Re, Vec<Premise>)],
    words: &[Vec<u32>],
) -> Step {
    let lengths: Vec<usize> = group.order.iter().map(|&p| c.model_length_of(p)).collect();
    let coded = group.order.iter().zip(&lengths).any(|(p, &n)| n == 1 && all.characters.contains_key(p));
    if coded || lengths.iter().sum::<usize>() > MAX_LENGTH {
        return Ok(());
    }
    let mut exact = Vec::new();
    for ((language, _), &n) in owns.iter().zip(&lengths) {
        let length = of_length(c, n);
        exact.push(store(c).inter(&[*language, length]));
    }
    match read(c, group, exact) {
        Some(Some(words)) => round.chosen.extend(group.order.iter().copied().zip(words)),
        Some(None) => {
            decide(c, &group.order, words)?;
            return exclude(c, group, owns, &lengths);
        }
        None => {}
    }
    Ok(())
}

/// Decides the lengths of strings. Stops if one is undecided.
fn decide(c: &mut Calculus<'_>, parts: &[Node], words: &[Vec<u32>]) -> Step {
    for (&p, word) in parts.iter().zip(words) {
        let same = same_length(c, p, word.len());
        stop_if(c.in_mode(Mode::WithoutEntailment, |c| c.split(Rule::MemberShared, &[], same, true)))?;
    }
    Ok(())
}

/// One of the lengths is another.
fn exclude(c: &mut Calculus<'_>, group: &Group, owns: &[(Re, Vec<Premise>)], lengths: &[usize]) -> Step {
    let mut reasons: Vec<Premise> = owns.iter().flat_map(|(_, premises)| premises.clone()).collect();
    for item in &group.items {
        reasons.extend(form_premises(c, &item.form));
        reasons.extend(premises(&item.list));
    }
    let mut conclusion = Vec::new();
    for (&p, &n) in group.order.iter().zip(lengths) {
        let same = same_length(c, p, n);
        conclusion.push(c.not(same));
    }
    stop_if(c.lemma(Rule::MemberLength, &reasons, &conclusion))
}

fn same_length(c: &mut Calculus<'_>, p: Node, n: usize) -> Term {
    debug_assert!(n <= MAX_MEMBER);
    let t = c.term(p);
    let (len, n) = (c.len(t), c.int(i64::try_from(n).expect("the length of a string in memory")));
    c.eq(len, n)
}

/// The concatenations in languages, by shared parts.
fn groups(c: &Calculus<'_>, round: &Round, all: &Memberships, roots: &[Node]) -> Vec<Group> {
    let mut out: Vec<Group> = Vec::new();
    for root in roots {
        let Some(form) = round.normal.get(root).filter(|form| form.parts != [*root]) else { continue };
        let item = Item { form: Rc::clone(form), list: all.any(*root).to_vec() };
        let open = open_parts(c, &item.form);
        let shares = |g: &Group| g.order.iter().any(|p| open.contains(p));
        let (same, others): (Vec<_>, Vec<_>) = out.into_iter().partition(shares);
        out = others;
        let mut group = same.into_iter().fold(Group::default(), Group::united);
        group.add(c, item);
        out.push(group);
    }
    out
}

fn open_parts(c: &Calculus<'_>, form: &Form) -> Vec<Node> {
    form.parts.iter().copied().filter(|&p| c.word_of(p).is_none()).collect()
}

impl Group {
    /// Two groups without a part in common.
    fn united(mut self, other: Group) -> Group {
        self.items.extend(other.items);
        self.order.extend(other.order);
        self.partial |= other.partial;
        self
    }

    /// Adds a concatenation, if its parts have an order with those of the others.
    fn add(&mut self, c: &Calculus<'_>, item: Item) {
        self.items.push(item);
        match order(c, &self.items).filter(|_| self.items.len() <= MAX_FORMS) {
            Some(order) => self.order = order,
            None => {
                self.items.pop();
                self.partial = true;
            }
        }
    }
}

/// An order of the parts that is that of each concatenation; none if there is none.
fn order(c: &Calculus<'_>, items: &[Item]) -> Option<Vec<Node>> {
    let mut left: Vec<Vec<Node>> = items.iter().map(|item| open_parts(c, &item.form)).collect();
    let mut out = Vec::new();
    loop {
        left.retain(|parts| !parts.is_empty());
        if left.is_empty() {
            return Some(out);
        }
        let free = |p: &Node| left.iter().all(|parts| !parts[1..].contains(p));
        let next = left.iter().map(|parts| parts[0]).find(free)?;
        out.push(next);
        for parts in left.iter_mut().filter(|parts| parts[0] == next) {
            parts.remove(0);
        }
    }
}
