//! What a session keeps from one check for the next: models and unsatisfiable sets of assertions.
//!
//! Symbolic execution asks hundreds of checks with long common prefixes. Two observations answer many of them without a
//! search:
//!
//! - **An earlier model may satisfy the assertions in force.** The referee evaluates them, the newest first, since that
//!   is the one that most models fail. If all hold, the answer is `sat` with that model.
//! - **If the assertions of an earlier refutation are all in force, the answer is `unsat`.** Sets are kept as cores. If
//!   cores are not requested, a second, limited search with cores follows a refutation that took some work.
//!
//! Example: after the branches `p`, `q` with the model `x = "a"`, the check of `p`, `(not r)` is `sat` if `(not r)` holds
//! for `"a"`; after the refutation of `p`, `q`, `s` with the core `p`, `s`, every check with both is `unsat`.
//!
//! A `pop` removes terms from the pool and frees their ids. So models are kept by the names of constants, and assertions
//! are compared by their text, together with the sorts of their symbols. Assertions with definitions, binders or symbols
//! of declared sorts have no such text, and while a name has two declarations, no text is used.
//!
//! Memory is bounded: the number of models and cores, and the size of all texts.

use super::{Session, engine};
use crate::engine::{Answer, Outcome};
use crate::options::Options;
use rustc_hash::{FxHashMap, FxHashSet};
use semantics::model::Meaning;
use semantics::regex::RegexStore;
use semantics::{Config, Evaluator, Model, Satisfaction, Value};
use smt::print::term_text;
use smt::work::{Stop, within};
use smt::{Head, Pool, Sort, Term};
use std::collections::{BTreeSet, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Models that are kept, at most.
const MAX_MODELS: usize = 32;
/// Characters in the strings of a model that is kept, at most.
const MAX_CHARACTERS: usize = 1 << 16;
/// Cores that are kept, at most.
const MAX_CORES: usize = 256;
/// The size of all texts, at most.
const MAX_TEXT: usize = 1 << 22;
/// The subterms of an assertion with a text, at most.
const MAX_TERMS: usize = 4_000;
/// The ticks of a refutation that is worth a search for a core, at least.
const WORTH_A_CORE: u64 = 300;

/// The values of a model, by the name and sort of constants.
type Saved = Vec<(Box<str>, Sort, Value)>;

/// A model that is kept.
struct Kept {
    values: Saved,
    /// The model by the declarations of a scope.
    restored: Option<(u64, Model)>,
}

/// The number of the text of an assertion.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Key {
    generation: u32,
    text: Option<u32>,
}

/// A set of assertions without a model.
struct Core {
    /// Their texts, sorted.
    texts: Box<[u32]>,
    minimal: bool,
}

/// What a session keeps.
#[derive(Default)]
pub(super) struct Memory {
    /// The most recently used first.
    models: VecDeque<Kept>,
    cores: VecDeque<Core>,
    texts: FxHashMap<Box<str>, u32>,
    size: usize,
    /// Changes when texts are forgotten; keys of other generations are void.
    generation: u32,
}

impl Memory {
    /// Forgets texts and cores if the texts have become too many.
    fn limit_texts(&mut self) {
        if self.size > MAX_TEXT || self.generation == 0 {
            let generation = self.generation + 1;
            let models = std::mem::take(&mut self.models);
            *self = Memory { models, generation, ..Memory::default() };
        }
    }

    fn number(&mut self, text: String) -> u32 {
        let next = u32::try_from(self.texts.len()).expect("texts are limited");
        if let Some(&n) = self.texts.get(text.as_str()) {
            return n;
        }
        self.size += text.len();
        self.texts.insert(text.into(), next);
        next
    }

    fn add_model(&mut self, saved: Saved) {
        let characters: usize =
            saved.iter().map(|(_, _, v)| if let Value::Str(w) = v { w.len() } else { 1 }).sum();
        let known = |kept: &Kept| kept.values == saved;
        if saved.is_empty() || characters > MAX_CHARACTERS || self.models.iter().any(known) {
            return;
        }
        self.models.truncate(MAX_MODELS - 1);
        self.models.push_front(Kept { values: saved, restored: None });
    }

    fn add_core(&mut self, texts: Box<[u32]>, minimal: bool) {
        self.cores.truncate(MAX_CORES - 1);
        self.cores.push_front(Core { texts, minimal });
    }
}

impl Session<'_> {
    /// The answer that an earlier check implies.
    pub(super) fn recall(&mut self, terms: &[Term], options: &Options, stop: &Stop) -> Option<Outcome> {
        let keys = self.keys(terms);
        if let Some(core) = self.recall_core(&keys, options) {
            return Some(reused("reused cores", Answer::Unsat(core)));
        }
        let model = within(stop, || self.recall_model(terms)).flatten()?;
        Some(reused("reused models", Answer::Sat(Box::new(model))))
    }

    /// Keeps an answer for later checks.
    pub(super) fn remember(&mut self, terms: &[Term], options: &Options, outcome: &Outcome, stop: &Stop) {
        match &outcome.answer {
            Answer::Sat(model) if !model.holds_terms() => {
                let saved = self.saved(model);
                self.memory.add_model(saved);
            }
            Answer::Unsat(core) => {
                let keys = self.keys(terms);
                let smaller = self.search_core(terms, &keys, options, outcome, stop);
                let core = smaller.as_ref().unwrap_or(core);
                self.remember_core(core, &keys, options.minimise_cores);
            }
            _ => {}
        }
    }

    /// Keeps an answer whose core, if it is one, needs no second search.
    pub(super) fn remember_as_is(&mut self, terms: &[Term], answer: &Answer) {
        match answer {
            Answer::Sat(model) => {
                let saved = self.saved(model);
                self.memory.add_model(saved);
            }
            Answer::Unsat(core) => {
                let keys = self.keys(terms);
                self.remember_core(core, &keys, false);
            }
            Answer::Unknown(_) => {}
        }
    }

    fn remember_core(&mut self, core: &[usize], keys: &[Option<u32>], minimal: bool) {
        let texts: Option<BTreeSet<u32>> = core.iter().map(|&i| keys[i]).collect();
        if let Some(texts) = texts {
            self.memory.add_core(texts.into_iter().collect(), minimal);
        }
    }

    /// Whether a name in force has two declarations.
    pub(super) fn has_shadowed_names(&mut self) -> bool {
        if let Some((scope, known)) = self.shadowed
            && scope == self.scope
        {
            return known;
        }
        let pool = &*self.elaborator.pool;
        let shadowed = self.declared.iter().any(|&f| self.elaborator.lookup(pool.fun_name(f)) != Some(f));
        self.shadowed = Some((self.scope, shadowed));
        shadowed
    }

    /// The texts of assertions and assumptions; none while a name has two declarations.
    fn keys(&mut self, terms: &[Term]) -> Vec<Option<u32>> {
        self.memory.limit_texts();
        if self.has_shadowed_names() {
            return vec![None; terms.len()];
        }
        let pool = &*self.elaborator.pool;
        let mut keys = Vec::with_capacity(terms.len());
        for (i, &t) in terms.iter().enumerate() {
            let known = self.assertions.get(i).map(|a| a.key);
            if let Some(key) = known.filter(|k| k.generation == self.memory.generation) {
                keys.push(key.text);
                continue;
            }
            let text = text(pool, t).map(|text| self.memory.number(text));
            if let Some(a) = self.assertions.get_mut(i) {
                a.key = Key { generation: self.memory.generation, text };
            }
            keys.push(text);
        }
        keys
    }

    /// The indices of assertions that an earlier check found unsatisfiable together.
    fn recall_core(&mut self, keys: &[Option<u32>], options: &Options) -> Option<Vec<usize>> {
        let here: FxHashSet<u32> = keys.iter().copied().flatten().collect();
        let fits = |core: &Core| {
            (core.minimal || !options.minimise_cores)
                && core.texts.iter().rev().all(|text| here.contains(text))
        };
        let k = self.memory.cores.iter().position(fits)?;
        let core = self.memory.cores.remove(k)?;
        let mut open: FxHashSet<u32> = core.texts.iter().copied().collect();
        let used = |key: &Option<u32>| key.is_some_and(|text| open.remove(&text));
        let indices: Vec<usize> =
            keys.iter().map(used).enumerate().filter(|(_, u)| *u).map(|(i, _)| i).collect();
        self.memory.cores.push_front(core);
        Some(if options.cores { indices } else { (0..keys.len()).collect() })
    }

    /// An earlier model that the referee accepts.
    fn recall_model(&mut self, terms: &[Term]) -> Option<Model> {
        if terms.iter().any(|&t| self.elaborator.pool.has_binder(t)) {
            return None;
        }
        let mut store = RegexStore::new();
        for k in 0..self.memory.models.len() {
            let model = match self.memory.models[k].restored.take() {
                Some((scope, model)) if scope == self.scope => model,
                _ => self.restored(&self.memory.models[k].values),
            };
            let mut e = Evaluator::with(self.elaborator.pool, &model, Config::default(), store);
            let holds = terms.iter().rev().all(|&t| e.truth(t) == Satisfaction::Holds);
            store = e.into_store();
            let found = holds.then(|| model.clone());
            self.memory.models[k].restored = Some((self.scope, model));
            if holds {
                let kept = self.memory.models.remove(k)?;
                self.memory.models.push_front(kept);
                return found;
            }
        }
        None
    }

    /// The values of a model that can be kept.
    fn saved(&self, model: &Model) -> Saved {
        let pool = &*self.elaborator.pool;
        let mut out = Vec::new();
        for &f in &self.declared {
            if let Some(Meaning::Value(v @ (Value::Bool(_) | Value::Int(_) | Value::Str(_)))) =
                model.lookup(pool, f)
            {
                out.push((pool.fun_name(f).into(), pool.fun(f).ret, v.clone()));
            }
        }
        out
    }

    /// The values of an earlier model for the constants that are declared now.
    fn restored(&self, saved: &Saved) -> Model {
        let pool = &*self.elaborator.pool;
        let mut model = Model::new();
        for (name, sort, value) in saved {
            if let Some(f) = self.elaborator.lookup(name)
                && pool.fun(f).ret == *sort
                && pool.fun(f).params.is_empty()
                && pool.fun(f).def.is_none()
            {
                model.assign(f, value.clone());
            }
        }
        model
    }

    /// A core of a refutation that was made without, if that took some work and levels will be popped.
    fn search_core(
        &mut self,
        terms: &[Term],
        keys: &[Option<u32>],
        options: &Options,
        outcome: &Outcome,
        stop: &Stop,
    ) -> Option<Vec<usize>> {
        let ticks = ticks(outcome);
        if options.cores || self.levels.is_empty() || terms.len() < 2 || ticks < WORTH_A_CORE {
            return None;
        }
        if keys.iter().all(Option::is_none) {
            return None;
        }
        let options = Options {
            cores: true,
            minimise_cores: false,
            trace: false,
            ticks: Some(2 * ticks),
            ..options.clone()
        };
        let (pool, engine) = (&mut *self.elaborator.pool, self.engine);
        let again = catch_unwind(AssertUnwindSafe(|| engine(pool, terms, &options, stop))).ok()?;
        match again.answer {
            Answer::Unsat(core) => Some(core),
            _ => None,
        }
    }
}

/// The ticks of a check.
fn ticks(outcome: &Outcome) -> u64 {
    outcome.statistics.iter().find(|(name, _)| *name == "ticks").map_or(0, |&(_, n)| n)
}

fn reused(counter: &'static str, answer: Answer) -> Outcome {
    let statistics: engine::Statistics = vec![("ticks", 0), (counter, 1)];
    Outcome { answer, statistics, trace: Vec::new(), audit_failure: None }
}

/// The text of a formula with the sorts of its symbols, without its name: two formulas with one text have the same models.
fn text(pool: &Pool, t: Term) -> Option<String> {
    let t = pool.strip(t);
    if pool.has_binder(t) || pool.has_opaque(t) {
        return None;
    }
    let builtin = |s: &Sort| matches!(*s, Sort::BOOL | Sort::INT | Sort::STRING | Sort::REGLAN);
    let mut symbols: BTreeSet<String> = BTreeSet::new();
    for (k, u) in pool.subterms([t]).enumerate() {
        if k >= MAX_TERMS {
            return None;
        }
        if let Head::Fun(f) = pool.head(u) {
            let data = pool.fun(f);
            if data.def.is_some() || !builtin(&data.ret) || !data.params.iter().all(builtin) {
                return None;
            }
            let sorts: Vec<String> =
                data.params.iter().chain([&data.ret]).map(|&s| pool.sort_text(s)).collect();
            symbols.insert(format!("{} {}", pool.fun_name(f), sorts.join(" ")));
        }
    }
    let mut out = term_text(pool, t);
    for symbol in symbols {
        out.push('\n');
        out.push_str(&symbol);
    }
    Some(out)
}
