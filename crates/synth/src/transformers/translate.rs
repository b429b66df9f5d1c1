//! *Translate*: permutes the alphabet.
//!
//! The alphabet is the printable characters of ASCII and whatever else is in literals; digits stay unless
//! `integers`, and the literals of `re.range` stay unless `re_range`. With `within_ranges` only characters that no range of
//! the script separates are exchanged, so that ranges keep the answer.

use super::permutation::{Permutation, characters};
use super::walk::{live, map};
use super::{Effect, Flags, Job, Transformer, commute};
use semantics::{Str, Value};
use smt::{Head, Op, Pool, Term};
use std::collections::{BTreeMap, BTreeSet};

/// The transformer.
pub static TRANSLATE: Transformer = Transformer {
    name: "translate",
    about: "permute the alphabet of the literals",
    flags: &["integers", "re-range", "within-ranges"],
    keeps: "unless the script orders characters or uses their codes (str.<, str.to_code, …), or has a range or digits that are not mapped onto themselves",
    apply,
};

fn apply(flags: &Flags, job: &mut Job<'_>) -> Effect {
    let live = live(job.pool, job.script);
    let mut alphabet = characters(job.pool, &live);
    alphabet.extend(0x20..=0x7E);
    if !flags.integers {
        alphabet.retain(|c| !(0x30..=0x39).contains(c));
    }
    let classes = if flags.within_ranges {
        classes(&alphabet, &cuts(job.pool, &live))
    } else {
        vec![alphabet.into_iter().collect()]
    };
    let pi = Permutation::random(&classes, job.dice);
    permute(job, pi, flags.re_range)
}

/// Permutes the characters of all literals, those of ranges only if `re_range`.
pub(super) fn permute(job: &mut Job<'_>, pi: Permutation, re_range: bool) -> Effect {
    let before = live(job.pool, job.script);
    let keeps = commute::all_commute(job.pool, job.script, &before, &|pool, op, args| {
        commute::commutes_with(&pi, re_range, pool, op, args)
    });
    let changed = map(job.pool, job.script, &mut |pool, t, _| match pool.head(t) {
        Head::Str(id) => {
            let word = pi.word(pool.word(id));
            Some(pool.string(&word))
        }
        Head::Op(Op::ReRange) if !re_range => Some(t),
        _ => None,
    });
    let values = move |v: &Value| match v {
        Value::Str(w) => Some(Value::Str(Str::from(&pi.word(w)[..]))),
        Value::Re(_) => None,
        _ => Some(v.clone()),
    };
    Effect::of(changed, keeps, Some(Box::new(values)))
}

/// The ranges that separate characters.
fn cuts(pool: &Pool, live: &[bool]) -> BTreeSet<(u32, u32)> {
    let mut out = BTreeSet::new();
    for t in (0..live.len()).filter(|&i| live[i]).map(|i| Term(i as u32)) {
        match pool.head(t) {
            Head::Op(Op::ReRange) => out.extend(commute::range_ends(pool, pool.args(t)).flatten()),
            Head::Op(Op::StrIsDigit) => {
                out.insert((0x30, 0x39));
            }
            Head::Op(Op::StrToInt | Op::StrFromInt) => out.extend((0x30..=0x39).map(|c| (c, c))),
            _ => {}
        }
    }
    out
}

/// Characters by the ranges they are in.
fn classes(alphabet: &BTreeSet<u32>, cuts: &BTreeSet<(u32, u32)>) -> Vec<Vec<u32>> {
    let mut classes: BTreeMap<Vec<bool>, Vec<u32>> = BTreeMap::new();
    for &c in alphabet {
        let key = cuts.iter().map(|&(lo, hi)| (lo..=hi).contains(&c)).collect();
        classes.entry(key).or_default().push(c);
    }
    classes.into_values().collect()
}
