//! Strings of languages for the candidate model.
//!
//! A class in languages is given a string of the length that the arithmetic model gives it. If the language has none of
//! that length, a lemma excludes the length: for `x ∈ (ab)*` and `|x| = 3` in the model, `|x| < 3 or |x| >= 4`. If the
//! class is a concatenation, one search finds the strings of all its components.

use super::form::Form;
use super::functions::Functions;
use super::membership::{
    self, BUDGET, MAX_MEMBER, Membership, Memberships, intersection, of_length, premises, store,
};
use super::repeated::{self, Choice, agree};
use super::round::{Excluded, Round};
use super::unused::{other_word, unused_word};
use super::{agree, codes, digits, images, joint, pieces, quotients, remainders};
use crate::builder::Builder;
use crate::calculus::{Calculus, Step, Stop, stop_if};
use crate::egraph::{Node, Premise};
use crate::engines::Engine;
use crate::infer::Rule;
use crate::rewrite::Mode;
use rustc_hash::FxHashSet;
use semantics::regex::Re;
use smt::{Op, Term};

/// The greatest number modulo which lengths are considered.
const MAX_MODULUS: u32 = 64;
/// Residues of a lemma, at most.
const MAX_RESIDUES: u32 = 8;
/// Components of one concatenation for whose characters intervals are excluded, at most.
const MAX_WIDENED: usize = 8;
/// Strings of one length that a class is said to be one of, at most.
const MAX_FEW: usize = 16;
/// Strings that a shared component is tried to be, at most.
const MAX_TRIED: usize = 200;

/// Refutes memberships, or chooses strings for all classes that are in languages.
pub(super) fn choose(c: &mut Calculus<'_>, round: &mut Round) -> Step {
    let functions = if c.has(Engine::Image) { Functions::new(c, round) } else { Functions::default() };
    stop_if(images::bound_lengths(c, &functions))?;
    let Some(mut all) = Memberships::new(c, round, |root| functions.of(root).next().is_some()) else {
        return Ok(());
    };
    quotients::add(c, round, &mut all.by_class);
    if c.has(Engine::Repeat) {
        repeated::add(c, round, &mut all);
    }
    images::backward(c, &functions, &mut all.by_class);
    images::forward(c, round, &functions, &mut all.by_class);
    let roots: Vec<Node> = round.roots.iter().copied().filter(|&root| all.of(root).is_some()).collect();
    for &root in &roots {
        if let (Some(form), Some(list)) = (round.normal.get(&root), all.of(root)) {
            membership::refute(c, form, list, &all)?;
        }
    }
    if c.has(Engine::Repeat) {
        pieces::add(c, round, &mut all);
    }
    for &root in &round.roots {
        if let (Some(&code), Some(list)) = (all.characters.get(&root), all.of(root))
            && c.model_length_of(root) == 1
        {
            pieces::exclude(c, root, list, code)?;
        }
    }
    if c.has(Engine::Repeat) {
        joint::choose(c, round, &all, &roots, &functions)?;
    }
    for &root in &roots {
        if let (Some(form), Some(list)) = (round.normal.get(&root).cloned(), all.of(root))
            && form.parts != [root]
            && !is_value(c, round, &form, &functions)
        {
            choose_components(c, round, root, &form, list, &all)?;
        }
    }
    if c.has(Engine::Residue) {
        remainders::exclude(c, round, &all)?;
    }
    if c.has(Engine::Twin) {
        agree::decide(c, round, &functions, &all)?;
    }
    if c.has(Engine::Digits) {
        digits::decide(c, round, &all)?;
    }
    for root in round.roots.clone() {
        if round.is_free(root) && !round.chosen.contains_key(&root) && c.word_of(root).is_none() {
            choose_source(c, round, root, &all, &functions)?;
        }
    }
    Ok(())
}

/// Whether the only part without a value is the value of a function: it is computed, and `quotients.rs` has told its languages.
fn is_value(c: &Calculus<'_>, round: &Round, form: &Form, functions: &Functions) -> bool {
    let mut open = form.parts.iter().filter(|&&p| c.word_of(p).is_none());
    let only = open.next().filter(|_| open.next().is_none());
    only.is_some_and(|&p| functions.of(p).any(|d| round.is_free(d.source)))
}

/// A string for a free class that is in languages, or on which the strings of others depend. The value of a function is computed instead.
fn choose_source(
    c: &mut Calculus<'_>,
    round: &mut Round,
    root: Node,
    all: &Memberships,
    functions: &Functions,
) -> Step {
    if functions.of(root).any(|d| round.is_free(d.source)) {
        return Ok(());
    }
    let list = all.of(root);
    let needed = list.is_some() || functions.is_shared(c, round, root);
    if needed && images::choose(c, round, root, all.any(root), functions) {
        images::evaluate(c, round, functions);
        return Ok(());
    }
    match list {
        Some(list) => choose_free(c, round, root, list, all),
        None => Ok(()),
    }
}

/// A string for a free class, of the length in the arithmetic model; or a lemma about lengths.
fn choose_free(
    c: &mut Calculus<'_>,
    round: &mut Round,
    root: Node,
    list: &[Membership],
    all: &Memberships,
) -> Step {
    let n = c.model_length_of(root);
    if n > MAX_MEMBER {
        return Ok(());
    }
    let language = intersection(c, list);
    if let Some(&code) = all.characters.get(&root).filter(|_| n == 1) {
        return pieces::exclude(c, root, list, code);
    }
    let exact = of_length(c, n);
    let here = store(c).inter(&[language, exact]);
    match store(c).shortest_member(here, BUDGET) {
        None => Ok(()),
        Some(Some(word)) => {
            let word = unused_word(c, round, here, word);
            if is_another(c, round, root, &word)
                && let Some(mut conclusion) = few_members(c, root, here)
            {
                conclusion.push(other_length(c, root, n));
                let premises = premises(list);
                round.excluded.push(Excluded { rule: Rule::MemberFew, premises, conclusion });
            }
            round.chosen.insert(root, word);
            Ok(())
        }
        Some(None) => {
            if c.has(Engine::Residue) {
                exclude_residue(c, root, list, language, n)?;
            }
            exclude_length(c, root, list, language, n)
        }
    }
}

/// Another string for a concatenation, if one that it differs from was given this one.
fn unlike(c: &mut Calculus<'_>, round: &Round, root: Node, language: Re, word: Vec<u32>) -> Vec<u32> {
    if !is_taken(c, round, root, &word) {
        return word;
    }
    let taken = round.divided.iter().map(|(_, w)| &w[..]).filter(|w| w.len() == word.len()).collect();
    other_word(c, language, taken).unwrap_or(word)
}

/// Whether a concatenation that this one differs from was given this string.
fn is_taken(c: &Calculus<'_>, round: &Round, root: Node, word: &[u32]) -> bool {
    let mut same = round.divided.iter().filter(|(_, w)| w[..] == *word);
    same.any(|&(n, _)| c.state.egraph.disequal(root, n).is_some())
}

/// Whether a class that is not equal has this string.
fn is_another(c: &Calculus<'_>, round: &Round, root: Node, word: &[u32]) -> bool {
    let same = round.chosen.iter().filter(|(_, w)| w[..] == *word);
    let mut others = same.map(|(&n, _)| n);
    others.any(|other| c.state.egraph.disequal(root, other).is_some())
}

/// The string of a class is one of those of a language, if these are few: a class that is not equal may then have none left.
fn few_members(c: &mut Calculus<'_>, root: Node, language: Re) -> Option<Vec<Term>> {
    let (t, mut rest, mut out) = (c.term(root), language, Vec::new());
    while let Some(word) = store(c).shortest_member(rest, BUDGET)? {
        if out.len() == MAX_FEW {
            return None;
        }
        let this = store(c).word(&word);
        rest = store(c).diff(&[rest, this]);
        let value = c.terms.pool.string(&word);
        out.push(c.in_mode(Mode::WithoutEntailment, |c| c.eq(t, value)));
    }
    Some(out)
}

/// Lengths like `n` modulo a small number are impossible: a lemma on the residues, with the memberships it needs.
fn exclude_residue(c: &mut Calculus<'_>, root: Node, list: &[Membership], language: Re, n: usize) -> Step {
    let excluded = |mask: u64, p: u32| mask >> (n % p as usize) & 1 == 0;
    let Some(p) = (2..=MAX_MODULUS).find(|&p| {
        let mask = store(c).residues(language, p);
        excluded(mask, p) && mask.count_ones() <= MAX_RESIDUES
    }) else {
        return Ok(());
    };
    let mut needed = list.to_vec();
    let mut k = 0;
    while k < needed.len() && needed.len() > 1 {
        let mut fewer = needed.clone();
        fewer.remove(k);
        let language = intersection(c, &fewer);
        let mask = store(c).residues(language, p);
        if excluded(mask, p) && mask.count_ones() <= MAX_RESIDUES {
            needed = fewer;
        } else {
            k += 1;
        }
    }
    let language = intersection(c, &needed);
    let mask = store(c).residues(language, p);
    let t = c.term(root);
    let (len, modulus) = (c.len(t), c.int(i64::from(p)));
    let residue = c.mk(Op::Mod, &[len, modulus]);
    let cases: Vec<Term> = (0..p)
        .filter(|r| mask >> r & 1 == 1)
        .map(|r| {
            let r = c.int(i64::from(r));
            c.eq(residue, r)
        })
        .collect();
    stop_if(c.lemma(Rule::Residue, &premises(&needed), &cases))
}

/// No string has length `n`: the length is less, or at least that of the shortest longer string.
fn exclude_length(c: &mut Calculus<'_>, root: Node, list: &[Membership], language: Re, n: usize) -> Step {
    let more = of_length(c, n + 1);
    let all = store(c).all();
    let longer = store(c).concat(&[more, all]);
    let longer = store(c).inter(&[language, longer]);
    let shortest = store(c).shortest_member(language, BUDGET).flatten().map(|w| w.len());
    let next = store(c).shortest_member(longer, BUDGET);
    let t = c.term(root);
    let len = c.len(t);
    let here = length_term(c, n);
    let mut conclusion = Vec::new();
    if shortest.is_none_or(|s| s < n) {
        conclusion.push(c.greater(here, len));
    }
    match next {
        Some(Some(word)) => {
            let next = length_term(c, word.len());
            conclusion.push(c.ge(len, next));
        }
        Some(None) => {}
        None => conclusion.push(c.greater(len, here)),
    }
    stop_if(c.lemma(Rule::MemberLength, &premises(list), &conclusion))
}

/// A component of one character, which the arithmetic model gives.
struct Coded {
    node: Node,
    code: u32,
    /// Its place among the components.
    place: usize,
    /// Its language, for all characters.
    language: Re,
}

/// A search for the strings of a concatenation: one language for each component.
#[derive(Default)]
struct Search {
    languages: Vec<Re>,
    lengths: Vec<(Node, usize)>,
    /// Components whose character the arithmetic model gives.
    coded: Vec<Coded>,
    premises: Vec<Premise>,
    /// Whether strings that were chosen before are fixed, so that a failure proves nothing.
    greedy: bool,
}

/// Strings for the components of a concatenation, of the lengths in the arithmetic model.
fn choose_components(
    c: &mut Calculus<'_>,
    round: &mut Round,
    root: Node,
    form: &Form,
    list: &[Membership],
    all: &Memberships,
) -> Step {
    let mut search = Search { premises: premises(list), ..Search::default() };
    for &p in &form.parts {
        if !add_component(c, round, &mut search, p, all) {
            return Ok(());
        }
    }
    let language = intersection(c, list);
    if c.has(Engine::Repeat) {
        match repeated::choose(c, form, search.languages.clone(), language) {
            Choice::Impossible => return exclude(c, round, root, form, list, all, search),
            Choice::Strings(words) => {
                for (k, p) in form.parts.iter().enumerate() {
                    if let Some(word) = words.get(p) {
                        search.languages[k] = store(c).word(word);
                    }
                }
                search.greedy |= !words.is_empty();
            }
            Choice::Open => {}
        }
    }
    let concatenation = store(c).concat(&search.languages);
    let both = store(c).inter(&[concatenation, language]);
    match store(c).shortest_member(both, BUDGET) {
        None => Ok(()),
        Some(Some(word)) => {
            let word = unlike(c, round, root, both, word);
            let word = agree(c, &search.lengths, search.languages.clone(), language, word);
            assign_components(c, round, &search.lengths, &word);
            if !search.greedy
                && is_taken(c, round, root, &word)
                && let Some(few) = few_members(c, root, both)
            {
                let exact = search.coded.iter().map(|coded| (coded.node, coded.code, coded.code)).collect();
                let excluded = excluded_lengths(c, form, search, exact, &few);
                round.excluded.push(Excluded { rule: Rule::MemberFew, ..excluded });
            }
            round.divided.push((root, word));
            Ok(())
        }
        Some(None) => exclude(c, round, root, form, list, all, search),
    }
}

/// The components have no strings of these lengths. If the language has none of the total length, the lemma is about that alone.
///
/// Example: `y y y ∈ (aaa)*` of odd length has a length that is 3 modulo 6, whatever the length of `y` in the arithmetic model.
fn exclude(
    c: &mut Calculus<'_>,
    round: &Round,
    root: Node,
    form: &Form,
    list: &[Membership],
    all: &Memberships,
    search: Search,
) -> Step {
    let language = intersection(c, list);
    let n = search.lengths.iter().map(|&(_, n)| n).sum();
    let exact = of_length(c, n);
    let here = store(c).inter(&[language, exact]);
    if c.has(Engine::Residue) && store(c).shortest_member(here, BUDGET) == Some(None) {
        exclude_residue(c, root, list, language, n)?;
    }
    if search.greedy {
        share(c, round, form, list, all)
    } else {
        exclude_lengths(c, form, search, language, &[])
    }
}

/// A component was given a string for another concatenation, which does not fit here: decides whether it is one that
/// does. Words that it is known not to be are excluded; if none is left, one of the lengths is another.
///
/// Example: `x ∈ (A|W)+`, `y ∈ (B|W)PR`, with one class for the first characters of `x` and `y`. For `x` alone it is `A`;
/// for `y` the split is whether it is `B`, then whether it is `W`.
fn share(c: &mut Calculus<'_>, round: &Round, form: &Form, list: &[Membership], all: &Memberships) -> Step {
    let Some(&shared) = form.parts.iter().find(|p| round.chosen.contains_key(p)) else { return Ok(()) };
    let mut tried: Vec<Vec<u32>> = Vec::new();
    let mut atoms: Vec<Term> = Vec::new();
    while tried.len() <= MAX_TRIED {
        let mut search = Search { premises: premises(list), ..Search::default() };
        let open = Round::default();
        for &p in &form.parts {
            if !add_component(c, &open, &mut search, p, all) {
                return Ok(());
            }
            if p == shared && !tried.is_empty() {
                let words: Vec<Re> = tried.iter().map(|w| store(c).word(w)).collect();
                let used = store(c).union(&words);
                let others = store(c).comp(used);
                let language = search.languages.pop().expect("just added");
                search.languages.push(store(c).inter(&[language, others]));
            }
        }
        let concatenation = store(c).concat(&search.languages);
        let language = intersection(c, list);
        let both = store(c).inter(&[concatenation, language]);
        let word = match store(c).shortest_member(both, BUDGET) {
            None => return Ok(()),
            Some(None) => return exclude_lengths(c, form, search, language, &atoms),
            Some(Some(word)) => word,
        };
        let place = form.parts.iter().take_while(|&&p| p != shared).count();
        let start: usize = search.lengths[..place].iter().map(|&(_, n)| n).sum();
        let piece = word[start..start + search.lengths[place].1].to_vec();
        let (t, value) = (c.term(shared), c.terms.pool.string(&piece));
        let atom = c.in_mode(Mode::WithoutEntailment, |c| c.eq(t, value));
        if c.in_mode(Mode::WithoutEntailment, |c| c.split(Rule::MemberShared, &[], atom, true)) {
            return Err(Stop);
        }
        tried.push(piece);
        atoms.push(atom);
    }
    Ok(())
}

/// Adds a component to a search. False if it is too long.
fn add_component(
    c: &mut Calculus<'_>,
    round: &Round,
    search: &mut Search,
    p: Node,
    all: &Memberships,
) -> bool {
    let (language, premises) = all.of_component(c, p);
    search.premises.extend(premises);
    let length = match c.word_of(p) {
        Some(w) => w.len(),
        None => c.model_length_of(p),
    };
    if length > MAX_MEMBER {
        return false;
    }
    let exact = match (round.chosen.get(&p), all.characters.get(&p)) {
        (Some(word), _) => {
            search.greedy = true;
            store(c).word(word)
        }
        (None, Some(&code)) if length == 1 => {
            let place = search.languages.len();
            search.coded.push(Coded { node: p, code, place, language });
            store(c).word(&[code])
        }
        _ => of_length(c, length),
    };
    search.languages.push(store(c).inter(&[language, exact]));
    search.lengths.push((p, length));
    true
}

/// Divides a string among the components.
fn assign_components(c: &Calculus<'_>, round: &mut Round, lengths: &[(Node, usize)], word: &[u32]) {
    let mut rest = word;
    for &(p, length) in lengths {
        let (piece, after) = rest.split_at(length);
        rest = after;
        if c.word_of(p).is_none() {
            round.chosen.entry(p).or_insert_with(|| piece.to_vec());
        }
    }
}

/// No strings have these lengths and characters: one of them is another, or one of the exceptions holds. Intervals of
/// characters are excluded at once.
fn exclude_lengths(
    c: &mut Calculus<'_>,
    form: &Form,
    search: Search,
    language: Re,
    exceptions: &[Term],
) -> Step {
    let codes = excluded_codes(c, &search, language);
    let excluded = excluded_lengths(c, form, search, codes, exceptions);
    stop_if(c.lemma(excluded.rule, &excluded.premises, &excluded.conclusion))
}

/// Intervals around the characters of components, as wide as possible one after the other, for which there are no
/// strings in the language. A component that occurs again has the interval in all places.
fn excluded_codes(c: &mut Calculus<'_>, search: &Search, language: Re) -> Vec<(Node, u32, u32)> {
    let mut languages = search.languages.clone();
    let is_empty = |c: &mut Calculus<'_>, languages: &[Re]| {
        let concatenation = store(c).concat(languages);
        let both = store(c).inter(&[concatenation, language]);
        store(c).is_empty_language(both, BUDGET) == Some(true)
    };
    let known = is_empty(c, &languages);
    let mut out: Vec<(Node, u32, u32)> = Vec::new();
    for (k, coded) in search.coded.iter().enumerate() {
        if out.iter().any(|&(node, ..)| node == coded.node) {
            continue;
        }
        let within = |c: &mut Calculus<'_>, languages: &[Re], lo: u32, hi: u32| {
            let mut wider = languages.to_vec();
            for other in search.coded.iter().filter(|other| other.node == coded.node) {
                let range = codes::between(store(c), lo, hi);
                wider[other.place] = store(c).inter(&[other.language, range]);
            }
            wider
        };
        let (lo, hi) = if known && k < MAX_WIDENED {
            codes::gap(coded.code, |lo, hi| {
                let wider = within(c, &languages, lo, hi);
                is_empty(c, &wider)
            })
        } else {
            (coded.code, coded.code)
        };
        languages = within(c, &languages, lo, hi);
        out.push((coded.node, lo, hi));
    }
    out
}

fn excluded_lengths(
    c: &mut Calculus<'_>,
    form: &Form,
    search: Search,
    codes: Vec<(Node, u32, u32)>,
    exceptions: &[Term],
) -> Excluded {
    let mut premises = search.premises;
    premises.extend(membership::form_premises(c, form));
    let mut conclusion = exceptions.to_vec();
    for (p, lo, hi) in codes {
        conclusion.extend(codes::outside(c, p, lo, hi));
    }
    let mut seen: FxHashSet<Node> = FxHashSet::default();
    for (p, length) in search.lengths {
        if c.word_of(p).is_none() && seen.insert(p) {
            conclusion.push(other_length(c, p, length));
        }
    }
    Excluded { rule: Rule::MemberLength, premises, conclusion }
}

fn other_length(c: &mut Calculus<'_>, x: Node, length: usize) -> Term {
    let t = c.term(x);
    let (len, n) = (c.len(t), length_term(c, length));
    let same = c.eq(len, n);
    c.not(same)
}

fn length_term(c: &mut Calculus<'_>, n: usize) -> Term {
    c.int(i64::try_from(n).expect("lengths are at most MAX_MEMBER, or those of strings in memory"))
}
