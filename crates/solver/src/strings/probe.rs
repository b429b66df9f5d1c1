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

/// Strings for one source, at most.
const MAX_WORDS: usize = 256;
/// Functions of one source that are compared, at most.
const MAX_COMPARED: usize = 12;
/// The greatest position that is tried.
const MAX_POSITION: usize = 12;
/// Candidates in one check, at most.
const MAX_CANDIDATES: u64 = 2_000;

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
    // The same strings are tried again when the rest of the model may have changed enough.
    c.languages.probed += 1;
    if !c.languages.probed.is_power_of_two() {
        return None;
    }
    for (source, list) in sources(c, round, &functions) {
        for word in list {
            if c.languages.probes >= MAX_CANDIDATES || c.interrupted() {
                return None;
            }
            c.languages.probes += 1;
            c.inferences.count(Rule::Probe);
            c.inferences.tick(5);
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

/// What is tried for a source.
struct Source {
    node: Node,
    functions: Vec<Id>,
    /// Strings on which two of its functions differ.
    witnesses: Vec<Vec<u32>>,
    /// Strings that use every edge of a function.
    cover: Vec<Vec<u32>>,
}

/// The strings to try for each source that is free.
fn sources(c: &mut Calculus<'_>, round: &Round, functions: &Functions) -> Vec<(Node, Vec<Vec<u32>>)> {
    let mut out: Vec<Source> = Vec::new();
    let mut place: FxHashMap<Node, usize> = FxHashMap::default();
    for d in functions.all.iter().rev() {
        let Some(composition) = functions.composition(c, d) else { continue };
        let node = composition.source;
        if !round.is_free(node) {
            continue;
        }
        let k = *place.entry(node).or_insert_with(|| {
            out.push(Source { node, functions: Vec::new(), witnesses: Vec::new(), cover: Vec::new() });
            out.len() - 1
        });
        add(c, &mut out[k], composition.function);
    }
    out.into_iter().map(|s| (s.node, first(s.witnesses.into_iter().chain(s.cover)))).collect()
}

/// The first strings, each once.
fn first(words: impl Iterator<Item = Vec<u32>>) -> Vec<Vec<u32>> {
    let mut seen: FxHashSet<Vec<u32>> = FxHashSet::default();
    words.filter(|w| seen.insert(w.clone())).take(MAX_WORDS).collect()
}

/// Adds a function of a source.
fn add(c: &mut Calculus<'_>, source: &mut Source, f: Id) {
    if source.functions.contains(&f) || source.functions.len() > MAX_COMPARED {
        return;
    }
    let (machines, _) = c.languages.machines();
    for &g in &source.functions {
        if let Some(Twin::Differ(words)) = machines.compare(f, g) {
            source.witnesses.extend(words.iter().cloned());
        }
    }
    source.cover.extend(machines.transducer(f).cover(MAX_WORDS));
    source.functions.push(f);
}
