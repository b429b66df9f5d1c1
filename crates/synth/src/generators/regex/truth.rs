//! Decides whether there is a word in some expressions, in none of others, and of a given length.
//!
//! First by construction: with one expression, a sample of it; with only negated expressions, built from
//! literals, stars, pluses and unions, a word over a character that occurs in no literal. Otherwise the intersection of the
//! constraints is searched for a shortest word, one constraint after the other: the first that leaves no word is the last
//! of a core, from which unneeded constraints are removed. Searches are bounded, and use the languages of the referee.

use super::sample::Sample;
use crate::generators::Builder;
use crate::generators::build::Values;
use semantics::instance::Truth;
use semantics::regex::{Re, RegexStore};
use semantics::{Config, Evaluator, Model, Value};
use smt::Term;

/// The budget of each search: some tenths of a second.
const BUDGET: u64 = 2_000_000;

/// The maximal number of constraints that are considered for removal from a core.
const TRIES: usize = 12;

/// An expression and which side the variable is on.
pub(super) struct Member {
    pub(super) r: Term,
    pub(super) inside: bool,
    pub(super) assertion: usize,
    /// A word of it, if it consists of literals, stars, pluses and unions.
    pub(super) sample: Option<Sample>,
}

/// All constraints of an instance.
pub(super) struct Problem {
    pub(super) x: Term,
    pub(super) members: Vec<Member>,
    /// The least length and its assertion.
    pub(super) low: Option<(u64, usize)>,
    /// The greatest length and its assertion.
    pub(super) high: Option<(u64, usize)>,
}

impl Problem {
    pub(super) fn answer(&self, b: &Builder) -> Truth {
        if let Some(word) = self.obvious() {
            return self.sat(b, &word);
        }
        self.search(b).unwrap_or(Truth::Unknown)
    }

    fn sat(&self, b: &Builder, word: &[u32]) -> Truth {
        let mut values = Values::new(b);
        values.word(self.x, word);
        values.sat()
    }

    fn least(&self) -> u64 {
        self.low.map_or(0, |(n, _)| n)
    }

    fn not_too_long(&self, word: &[u32]) -> bool {
        self.high.is_none_or(|(n, _)| word.len() as u64 <= n)
    }

    /// A word by construction.
    fn obvious(&self) -> Option<Vec<u32>> {
        let word = match &self.members[..] {
            [only] if only.inside => only.sample.as_ref()?.at_least(self.least())?,
            all if all.iter().all(|m| !m.inside && m.sample.is_some()) => {
                // No literal has a space.
                let length = usize::try_from(self.least().max(1)).ok().filter(|&n| n < 1 << 20)?;
                vec![u32::from(b' '); length]
            }
            _ => return None,
        };
        self.not_too_long(&word).then_some(word)
    }

    /// None if the budget is exhausted.
    fn search(&self, b: &Builder) -> Option<Truth> {
        let (mut store, languages) = self.languages(b)?;
        let mut all = store.all();
        for (i, &(r, _)) in languages.iter().enumerate() {
            all = store.inter(&[all, r]);
            if i + 1 == languages.len() {
                break;
            }
            if store.is_empty_language(all, BUDGET)? {
                return Some(Truth::Unsat(core(&mut store, &languages[..=i])));
            }
        }
        Some(match store.shortest_member(all, BUDGET)? {
            Some(word) => self.sat(b, &word),
            None => Truth::Unsat(core(&mut store, &languages)),
        })
    }

    /// The constraints as languages, with their assertions; those on the length first, which are simple.
    fn languages(&self, b: &Builder) -> Option<(RegexStore, Vec<(Re, usize)>)> {
        let model = Model::new();
        let mut e = Evaluator::with(b.terms(), &model, Config::default(), RegexStore::new());
        let mut values = Vec::with_capacity(self.members.len());
        for m in &self.members {
            let Ok(Value::Re(r)) = e.eval(m.r) else { return None };
            values.push(r);
        }
        let mut store = e.into_store();
        let mut out = Vec::with_capacity(values.len() + 2);
        let any = store.allchar();
        if let Some((n, assertion)) = self.low {
            let (head, tail) = (store.power(any, n), store.all());
            out.push((store.concat(&[head, tail]), assertion));
        }
        if let Some((n, assertion)) = self.high {
            out.push((store.loop_(any, 0u64, n), assertion));
        }
        for (m, r) in self.members.iter().zip(values) {
            out.push((if m.inside { r } else { store.comp(r) }, m.assertion));
        }
        Some((store, out))
    }
}

/// The assertions of constraints that leave no word, without those that are found to be redundant. The last is needed.
fn core(store: &mut RegexStore, languages: &[(Re, usize)]) -> Vec<usize> {
    let mut kept = languages.to_vec();
    if kept.len() <= TRIES {
        for i in (0..kept.len() - 1).rev() {
            let left_out = kept.remove(i);
            let all: Vec<Re> = kept.iter().map(|(r, _)| *r).collect();
            let all = store.inter(&all);
            if store.is_empty_language(all, BUDGET) != Some(true) {
                kept.insert(i, left_out);
            }
        }
    }
    let mut core: Vec<usize> = kept.iter().map(|(_, assertion)| *assertion).collect();
    core.sort_unstable();
    core
}
