//! Candidate models from the sources of functions.
//!
//! Functions of a source are computed from its string, whatever the arithmetic model says about lengths; the referee decides. The strings that are tried
//! use every edge of the composed transducers once: for an escape function, each letter that it changes, and each prefix of a pattern. So
//! two functions that differ do so on one of a few short strings. Nothing is inferred when all are refused.

use super::functions::Functions;
use super::round::Round;
use super::words::{Words, nodes};
use crate::calculus::Calculus;
use crate::egraph::Node;
use crate::engines::Engine;
use crate::infer::Rule;
use crate::languages::Id;
use automata::Twin;
use rustc_hash::{FxHashMap, FxHashSet};
use semantics::Model;
use smt::{Head, Sort};
use std::rc::Rc;

/// Strings for one source, at most.
const MAX_WORDS: usize = 256;
/// Functions of one source that are compared, at most.
const MAX_COMPARED: usize = 12;
/// The greatest position that is tried.
const MAX_POSITION: usize = 12;
/// Candidates in one check, at most.
const MAX_CANDIDATES: u64 = 4_000;

/// A judge of candidate models.
pub(super) type Judge<'a> = dyn FnMut(&mut Calculus<'_>, &Words) -> Option<Box<Model>> + 'a;

/// A model of the strings that were chosen, or of others for one source, if the judge accepts it.
pub(super) fn probe(
    c: &mut Calculus<'_>,
    round: &Round,
    words: &Words,
    judge: &mut Judge<'_>,
) -> Option<Box<Model>> {
    if !c.has(Engine::Probe) {
        return None;
    }
    let functions = Functions::new(c, round);
    if functions.all.is_empty() {
        return None;
    }
    let mut chosen: Vec<(Node, Vec<u32>)> = round.chosen.iter().map(|(&n, w)| (n, w.clone())).collect();
    chosen.sort_unstable();
    chosen.retain(|(n, _)| functions.of(*n).next().is_none());
    if let Some(model) = words.forward(c, round, &chosen).and_then(|w| judge(c, &w)) {
        return Some(model);
    }
    for (source, list) in sources(c, round, &functions) {
        for word in list {
            if c.languages.probes >= MAX_CANDIDATES || c.interrupted() {
                return None;
            }
            c.languages.probes += 1;
            c.inferences.count(Rule::Probe);
            c.inferences.tick(20);
            let mut given = chosen.clone();
            given.retain(|(n, _)| *n != source);
            given.push((source, word));
            let Some(words) = words.forward(c, round, &given) else { continue };
            if let Some(model) = judge_with_integers(c, &words, judge) {
                return Some(model);
            }
        }
    }
    None
}

/// A model with these strings, and integers of the arithmetic model, or a position in one of the strings.
fn judge_with_integers(c: &mut Calculus<'_>, words: &Words, judge: &mut Judge<'_>) -> Option<Box<Model>> {
    if let Some(model) = judge(c, words) {
        return Some(model);
    }
    let is_constant = |c: &Calculus<'_>, n: Node| {
        let t = c.term(n);
        c.sort(t) == Sort::INT && matches!(c.head(t), Head::Fun(_))
    };
    if !nodes(c).any(|n| is_constant(c, n)) {
        return None;
    }
    (0..=words.longest().min(MAX_POSITION)).find_map(|k| judge(c, &words.with_integer(k)))
}

/// The strings to try for each source that is free: those on which two of its functions differ first.
fn sources(c: &mut Calculus<'_>, round: &Round, functions: &Functions) -> Vec<(Node, Vec<Vec<u32>>)> {
    let mut out: Vec<(Node, Vec<Vec<u32>>)> = Vec::new();
    let mut place: FxHashMap<Node, usize> = FxHashMap::default();
    let mut known: Vec<Vec<Id>> = Vec::new();
    for d in functions.all.iter().rev() {
        let Some(composition) = functions.composition(c, d) else { continue };
        if !round.is_free(composition.source) {
            continue;
        }
        let k = *place.entry(composition.source).or_insert_with(|| {
            out.push((composition.source, Vec::new()));
            known.push(Vec::new());
            out.len() - 1
        });
        witnesses(c, &mut known[k], composition.function, &mut out[k].1);
        if out[k].1.len() < MAX_WORDS {
            let (machines, _) = c.languages.machines();
            let t = Rc::clone(machines.transducer(composition.function));
            out[k].1.extend(t.cover(MAX_WORDS));
        }
    }
    for (_, list) in &mut out {
        let mut seen: FxHashSet<Vec<u32>> = FxHashSet::default();
        list.retain(|w| seen.insert(w.clone()));
        list.truncate(MAX_WORDS);
    }
    out
}

/// Adds strings on which a function differs from others of the source.
fn witnesses(c: &mut Calculus<'_>, known: &mut Vec<Id>, f: Id, out: &mut Vec<Vec<u32>>) {
    if known.contains(&f) || known.len() > MAX_COMPARED {
        return;
    }
    for &g in known.iter() {
        let (machines, _) = c.languages.machines();
        if let Some(Twin::Differ(words)) = machines.compare(f, g) {
            out.extend(words.iter().cloned());
        }
    }
    known.push(f);
}
