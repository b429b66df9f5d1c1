//! A constant that is cut into parts, of which something is known.
//!
//! With `x y z = "solution"` and `(str.at (str.++ y z) 9) = "q"`, the constant must be in Σ* (Σ⁹qΣ*). Each known part of the concatenation, or
//! of a run of its arguments, is a language; a run may contain others. If the constant is not in the concatenation of all, the parts that are needed
//! are in conflict. Which arguments are empty does not matter, so one conflict refutes all ways to cut.

use super::disjoint::{self, MAX_PARTS};
use super::membership::{BUDGET, store};
use super::round::Round;
use crate::calculus::{Calculus, Step, equality};
use crate::egraph::{Node, Premise};
use crate::infer::Rule;
use semantics::regex::Re;
use smt::{Head, Op};

/// Known runs of one concatenation, at most.
const MAX_KNOWN: usize = 60;

/// What is known of a string.
struct Fact {
    string: Node,
    language: Re,
    premises: Vec<Premise>,
}

/// What is known of the arguments `lo..hi` of a concatenation.
struct Known {
    lo: usize,
    hi: usize,
    language: Re,
    premises: Vec<Premise>,
}

/// Refutes concatenations that are equal to constants.
pub(super) fn refute(c: &mut Calculus<'_>, round: &Round) -> Step {
    let whole = constants(c, round);
    if whole.is_empty() {
        return Ok(());
    }
    let facts: Vec<Fact> = round.extended.iter().filter_map(|&n| fact(c, n)).collect();
    for n in whole {
        refute_one(c, round, n, &facts)?;
    }
    Ok(())
}

/// The concatenations with a constant value.
fn constants(c: &Calculus<'_>, round: &Round) -> Vec<Node> {
    let of_root = |root| round.concats.get(root).into_iter().flatten().copied();
    let whole = round.roots.iter().filter(|&&root| c.word_of(root).is_some()).flat_map(of_root);
    whole.filter(|&n| c.state.egraph.args(n).len() <= MAX_PARTS).collect()
}

/// What an application says about its first argument.
fn fact(c: &mut Calculus<'_>, n: Node) -> Option<Fact> {
    let (string, language, premises) = match c.head(c.term(n)) {
        Head::Op(Op::StrSubstr) => disjoint::part(c, n)?,
        Head::Op(Op::StrInRe) => {
            let value = c.state.egraph.value(n)?;
            let (string, language) = (c.state.egraph.args(n)[0], c.terms.pool.args(c.term(n))[1]);
            let language = c.languages.of(c.terms.pool, language)?;
            let holds = value == c.state.truth;
            let language = if holds { language } else { store(c).comp(language) };
            (string, language, equality(n, value).into_iter().collect())
        }
        _ => return None,
    };
    Some(Fact { string, language, premises })
}

fn refute_one(c: &mut Calculus<'_>, round: &Round, n: Node, facts: &[Fact]) -> Step {
    let args = c.state.egraph.args(n).to_vec();
    let Some(value) = c.state.egraph.value(n) else { return Ok(()) };
    let word = c.word_of(value).expect("a constant").to_vec();
    let mut known: Vec<Known> = facts.iter().filter_map(|fact| place(c, round, &args, fact)).collect();
    known.truncate(MAX_KNOWN);
    known.sort_by_key(|k| k.hi - k.lo);
    if known.is_empty() || holds(c, &args, &known, &word) {
        return Ok(());
    }
    let mut k = 0;
    while k < known.len() {
        let item = known.remove(k);
        if holds(c, &args, &known, &word) {
            known.insert(k, item);
            k += 1;
        }
    }
    let mut premises: Vec<Premise> = known.into_iter().flat_map(|k| k.premises).collect();
    premises.extend(equality(n, value));
    Err(c.conflict(Rule::Disjoint, &premises))
}

/// The place of a string among the arguments: one of them, or a run.
fn place(c: &Calculus<'_>, round: &Round, args: &[Node], fact: &Fact) -> Option<Known> {
    let egraph = &c.state.egraph;
    let of_class = round.concats.get(&egraph.root(fact.string));
    let terms = std::iter::once(fact.string).chain(of_class.into_iter().flatten().copied());
    let run = |n: Node| {
        let run = if matches!(c.head(c.term(n)), Head::Op(Op::StrConcat)) { egraph.args(n) } else { &[] };
        let at = args.windows(run.len().max(1)).position(|here| here == run);
        at.map(|lo| (lo, lo + run.len(), n))
    };
    let alone = |n: Node| args.iter().position(|&a| a == n).map(|lo| (lo, lo + 1, n));
    let same = args.iter().position(|&a| egraph.same(a, fact.string)).map(|lo| (lo, lo + 1, args[lo]));
    let (lo, hi, n) = alone(fact.string).or_else(|| terms.clone().find_map(run)).or(same)?;
    let premises = fact.premises.iter().copied().chain(equality(fact.string, n)).collect();
    Some(Known { lo, hi, language: fact.language, premises })
}

/// Whether the word is cut as the known runs say, or that is not known. `known` has shorter runs first.
fn holds(c: &mut Calculus<'_>, args: &[Node], known: &[Known], word: &[u32]) -> bool {
    let mut done: Vec<(usize, usize, Re)> = Vec::new();
    for k in known {
        let inside = match done.iter().position(|&(lo, hi, _)| (lo, hi) == (k.lo, k.hi)) {
            Some(at) => done.remove(at).2,
            None => concatenation(c, args, &done, k.lo, k.hi),
        };
        let both = store(c).inter(&[inside, k.language]);
        done.push((k.lo, k.hi, both));
    }
    let whole = concatenation(c, args, &done, 0, args.len());
    c.inferences.tick(word.len() as u64);
    store(c).try_matches(whole, word, BUDGET) != Some(false)
}

/// The concatenation of the arguments from `lo` to `hi`, of which the longest runs first are known.
fn concatenation(
    c: &mut Calculus<'_>,
    args: &[Node],
    done: &[(usize, usize, Re)],
    lo: usize,
    hi: usize,
) -> Re {
    let (mut at, mut parts) = (lo, Vec::new());
    while at < hi {
        let here = done.iter().filter(|&&(from, to, _)| from == at && to <= hi);
        let (next, part) = match here.max_by_key(|&&(_, to, _)| to) {
            Some(&(_, to, re)) => (to, re),
            None => (at + 1, argument(c, args[at])),
        };
        parts.push(part);
        at = next;
    }
    store(c).concat(&parts)
}

/// The language of an argument of which nothing is known: a constant, or all strings.
fn argument(c: &mut Calculus<'_>, arg: Node) -> Re {
    match c.terms.pool.head(c.term(arg)) {
        Head::Str(_) => {
            let word = c.word_of(arg).expect("a constant").to_vec();
            store(c).word(&word)
        }
        _ => store(c).all(),
    }
}
