//! Languages through functions: for `y = f(x)`, what is known of `y` is known of `x`, and the other way round.
//!
//! *Backward*: if `y` is in L, `x` is in the inverse image f⁻¹(L). Functions are total, so f⁻¹(¬L) = ¬f⁻¹(L): a membership that is false needs no other
//! treatment. Where every class has one definition and there is no cycle, this is exact: a string of the languages of the sources extends to
//! all. *Forward*: if `x` is in L, `y` is in the image f(L); this is needed only where `y` is a part of other strings. Example: with
//! `y = (str.replace_all x "<" "")`, `(str.++ "a" y)` does not contain `<`.

use super::functions::{Definition, Functions};
use super::membership::{BUDGET, MAX_MEMBER, Membership, of_length, premises, store};
use super::round::{Excluded, Round};
use super::unused::unused_word;
use crate::builder::Builder;
use crate::calculus::{Calculus, equality};
use crate::egraph::{Node, Premise};
use crate::infer::Rule;
use crate::rewrite::Mode;
use automata::Transducer;
use rustc_hash::{FxHashMap, FxHashSet};
use semantics::regex::Re;
use smt::Term;
use std::rc::Rc;

/// Memberships that are derived, at most.
const MAX_DERIVED: usize = 300;
/// Functions one after the other whose values are considered for one source, at most.
const MAX_PATH: usize = 20;

/// Adds the inverse images of all memberships, from the outermost functions to the sources.
pub(super) fn backward(
    c: &mut Calculus<'_>,
    functions: &Functions,
    by_class: &mut FxHashMap<Node, Vec<Membership>>,
) {
    let mut derived = 0;
    for root in functions.outer_first(c) {
        let mut items = by_class.get(&root).cloned().unwrap_or_default();
        if let Some(value) = c.state.egraph.value(root)
            && let Some(word) = c.word_of(value).map(<[u32]>::to_vec)
        {
            let language = store(c).word(&word);
            let premises = equality(root, value).into_iter().collect();
            items = vec![Membership { language, premises, weak: false, derived: false }];
        }
        for d in functions.of(root) {
            for item in &items {
                if derived > MAX_DERIVED {
                    return;
                }
                let (machines, store) = c.languages.machines();
                let Some(language) = machines.inverse(store, &d.function, item.language) else { continue };
                let premises = with_definition(root, d, &item.premises);
                let list = by_class.entry(d.source).or_default();
                list.push(Membership { language, premises, weak: item.weak, derived: true });
                derived += 1;
            }
        }
    }
}

/// Adds the images of the languages of arguments, for values that are parts of concatenations or have several definitions.
pub(super) fn forward(
    c: &mut Calculus<'_>,
    round: &Round,
    functions: &Functions,
    by_class: &mut FxHashMap<Node, Vec<Membership>>,
) {
    if functions.all.is_empty() {
        return;
    }
    let forms = round.normal.values().filter(|form| form.parts.len() > 1);
    let parts: FxHashSet<Node> = forms.flat_map(|form| form.parts.iter().copied()).collect();
    let mut order = functions.outer_first(c);
    let needed = needed(functions, &order, parts);
    order.reverse();
    let mut through: FxHashSet<Node> = FxHashSet::default();
    for root in order {
        if c.state.egraph.value(root).is_some() || !needed.contains(&root) {
            continue;
        }
        for d in functions.of(root) {
            let items: Vec<Membership> = by_class.get(&d.source).cloned().unwrap_or_default();
            // An image of an image is not known otherwise.
            let inner = through.contains(&d.source);
            let known: Vec<&Membership> = items.iter().filter(|m| !m.weak || inner && m.derived).collect();
            let language = match known[..] {
                [] => store(c).all(),
                _ => {
                    let all: Vec<_> = known.iter().map(|m| m.language).collect();
                    store(c).inter(&all)
                }
            };
            let premises: Vec<Premise> = known.iter().flat_map(|m| m.premises.iter().copied()).collect();
            let (machines, store) = c.languages.machines();
            if let Some(language) = machines.image(store, &d.function, language) {
                let premises = with_definition(root, d, &premises);
                through.insert(root);
                by_class.entry(root).or_default().push(Membership {
                    language,
                    premises,
                    weak: true,
                    derived: true,
                });
            }
        }
    }
}

/// The classes of which images are needed: parts, those with several definitions, and those that these are functions of.
fn needed(functions: &Functions, outer_first: &[Node], parts: FxHashSet<Node>) -> FxHashSet<Node> {
    let mut out = parts;
    for &root in outer_first {
        let definitions: Vec<&Definition> = functions.of(root).collect();
        if definitions.len() > 1 {
            out.insert(root);
        }
        if out.contains(&root) {
            out.extend(definitions.iter().map(|d| d.source));
        }
    }
    out
}

/// The premises, and those by which the class is a function of the source.
pub(super) fn with_definition(root: Node, d: &Definition, premises: &[Premise]) -> Vec<Premise> {
    let own = d.premises.iter().copied().chain(equality(d.node, root));
    premises.iter().copied().chain(own).collect()
}

/// A string for a source whose values have the lengths that arithmetic gives them, and the strings that were chosen for them. False if
/// there is none, or no function depends on the class.
pub(super) fn choose(
    c: &mut Calculus<'_>,
    round: &mut Round,
    source: Node,
    list: &[Membership],
    functions: &Functions,
) -> bool {
    let mut languages: Vec<Re> = list.iter().map(|m| m.language).collect();
    let own = c.model_length_of(source);
    if own > MAX_MEMBER {
        return false;
    }
    let length = of_length(c, own);
    let mut search = Restrictions { premises: premises(list), lengths: vec![(source, own)], greedy: false };
    let mut restricted = false;
    let mut stack: Vec<(Node, Vec<&Definition>)> =
        functions.all.iter().filter(|d| d.source == source).map(|d| (d.node, vec![d])).collect();
    while let Some((node, path)) = stack.pop() {
        let value = c.state.egraph.root(node);
        if let Some(wanted) = wanted(c, round, value, &mut search)
            && let Some(language) = pulled_back(c, &path, wanted)
        {
            restricted = true;
            languages.push(language);
            let last = path.last().expect("a path has a function");
            search.premises.extend(with_definition(value, last, &[]));
        }
        if path.len() < MAX_PATH && languages.len() < MAX_DERIVED {
            let next = functions.all.iter().filter(|d| d.source == value);
            stack.extend(next.map(|d| (d.node, path.iter().copied().chain([d]).collect())));
        }
    }
    if !restricted {
        return false;
    }
    let exact = [&languages[..], &[length]].concat();
    let any_length = list.iter().map(|m| m.language).collect::<Vec<Re>>();
    let more = of_length(c, own + 1);
    let all = store(c).all();
    let more = store(c).concat(&[more, all]);
    let longer = [&languages[..], &[more]].concat();
    for (k, languages) in [exact, longer, languages, any_length].into_iter().enumerate() {
        let language = store(c).inter(&languages);
        match store(c).shortest_member(language, BUDGET) {
            Some(Some(word)) => {
                let word = unused_word(c, round, language, word);
                round.chosen.insert(source, word);
                return true;
            }
            Some(None) if k == 0 && !search.greedy => {
                let excluded = search.excluded(c);
                round.excluded.push(excluded);
            }
            _ => {}
        }
    }
    false
}

/// What the candidate model requires of the values of a source.
struct Restrictions {
    premises: Vec<Premise>,
    lengths: Vec<(Node, usize)>,
    /// Whether a string that was chosen is required, so that a failure proves nothing.
    greedy: bool,
}

impl Restrictions {
    /// One of the lengths is another.
    fn excluded(&self, c: &mut Calculus<'_>) -> Excluded {
        let mut conclusion = Vec::new();
        for &(x, n) in &self.lengths {
            let t = c.term(x);
            let n = c.int(i64::try_from(n).expect("lengths are at most MAX_MEMBER"));
            let len = c.len(t);
            let same = c.eq(len, n);
            conclusion.push(c.not(same));
        }
        Excluded { rule: Rule::ImageLength, premises: self.premises.clone(), conclusion }
    }
}

/// The string of a class in the candidate model, or its length.
fn wanted(c: &mut Calculus<'_>, round: &Round, root: Node, search: &mut Restrictions) -> Option<Re> {
    if c.state.egraph.value(root).is_some() {
        return None;
    }
    if let Some(word) = round.chosen.get(&root) {
        search.greedy = true;
        return Some(store(c).word(word));
    }
    let n = c.model_length_of(root);
    if n > MAX_MEMBER {
        return None;
    }
    search.lengths.push((root, n));
    Some(of_length(c, n))
}

/// The strings whose value under the functions of a path is in a language.
fn pulled_back(c: &mut Calculus<'_>, path: &[&Definition], language: Re) -> Option<Re> {
    let (machines, store) = c.languages.machines();
    path.iter().rev().try_fold(language, |r, d| machines.inverse(store, &d.function, r))
}

/// Gives classes the values of functions of strings that were chosen.
pub(super) fn evaluate(c: &mut Calculus<'_>, round: &mut Round, functions: &Functions) {
    let mut order = functions.outer_first(c);
    order.reverse();
    for root in order {
        if !round.is_free(root) || c.state.egraph.value(root).is_some() || round.chosen.contains_key(&root) {
            continue;
        }
        for d in functions.of(root) {
            let Some(word) = round.chosen.get(&d.source) else { continue };
            let (machines, store) = c.languages.machines();
            if let Some(value) = machines.apply(store, &d.function, word) {
                round.chosen.insert(root, value);
                break;
            }
        }
    }
}

/// Sends bounds of the lengths of values by those of arguments. True if one is new.
pub(super) fn bound_lengths(c: &mut Calculus<'_>, functions: &Functions) -> bool {
    let mut sent = false;
    for d in &functions.all {
        let (machines, store) = c.languages.machines();
        let Some(id) = machines.of(store, &d.function) else { continue };
        let t = Rc::clone(machines.transducer(id));
        let bounds = [lower(&t), upper(&t)];
        for (bound, is_lower) in bounds.into_iter().zip([true, false]) {
            let Some((factor, constant)) = bound else { continue };
            sent |= c.in_mode(Mode::WithoutEntailment, |c| {
                let formula = linear_bound(c, d, factor, constant, is_lower);
                formula != c.term(c.state.truth) && c.lemma(Rule::FunctionLength, &d.premises, &[formula])
            });
        }
    }
    sent
}

/// `|f(x)| >= factor·|x| + constant`, or at most.
fn linear_bound(c: &mut Calculus<'_>, d: &Definition, factor: i64, constant: i64, is_lower: bool) -> Term {
    let (y, x) = (c.term(d.node), c.term(d.source));
    let (y, x) = (c.len(y), c.len(x));
    let (factor, constant) = (c.int(factor), c.int(constant));
    let product = c.mk(smt::Op::Mul, &[factor, x]);
    let sum = c.mk(smt::Op::Add, &[product, constant]);
    if is_lower { c.ge(y, sum) } else { c.ge(sum, y) }
}

/// The greatest factor and constant with `|f(s)| >= factor·|s| + constant`; factors are 0 or 1.
fn lower(t: &Transducer) -> Option<(i64, i64)> {
    let least = (t.least_output(1)).map(|b| (1, b)).or_else(|| t.least_output(0).map(|b| (0, b)));
    least.filter(|&bound| bound != (0, 0))
}

/// The least factor and constant with `|f(s)| <= factor·|s| + constant`.
fn upper(t: &Transducer) -> Option<(i64, i64)> {
    (0..=t.longest_output()).find_map(|a| Some((a, t.greatest_output(a)?)))
}
