//! The languages of ground regular expression terms, computed once each by the evaluator of `semantics`.

mod joint;
mod machines;
mod states;

pub(crate) use joint::{Tape, Tapes};
pub(crate) use machines::{Function, Id, Machines, Slot};

use rustc_hash::{FxHashMap, FxHashSet};
use semantics::regex::{Re, RegexStore};
use semantics::{Config, Evaluator, Model, Value};
use smt::{Head, Pool, PostOrder, Sort, Term};
use std::rc::Rc;

/// Languages by term, in one store.
#[derive(Default)]
pub(crate) struct Languages {
    store: Option<RegexStore>,
    of: FxHashMap<Term, Option<Re>>,
    machines: Machines,
    /// Pairs of languages by whether they are known to be disjoint.
    pub(crate) disjoint: FxHashMap<(Re, Re), bool>,
    /// Decisions on inputs for which two functions agree.
    pub(crate) agreements: u64,
    /// Candidate models tried for sources of functions.
    pub(crate) probes: u64,
    /// Strings proposed for variables of regular expressions, the last one of each.
    pub(crate) proposed: FxHashMap<Term, Term>,
    pub(crate) proposals: u64,
    /// Constants and expressions with one variable that were treated: see `strings/factors.rs`.
    pub(crate) factored: FxHashMap<(Term, Term), Option<Rc<Factors>>>,
    /// Calls of the search for them.
    pub(crate) probed: u64,
}

/// The factors of a word by whether it is in the expression with them, and whether it is with other strings.
#[derive(Debug)]
pub(crate) struct Factors {
    pub(crate) inside: Vec<Vec<u32>>,
    pub(crate) outside: Vec<Vec<u32>>,
    pub(crate) otherwise: bool,
}

/// The strings in an expression that are not constants.
pub(crate) fn variables(pool: &Pool, r: Term) -> Vec<Term> {
    let below = |t: Term| if pool.sort_of(t) == Sort::REGLAN { pool.args(t) } else { &[] };
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    let mut out = Vec::new();
    let mut walk = PostOrder::new([r]);
    while let Some(t) = walk.next(|t| seen.insert(t).then(|| below(t).iter().rev().copied())) {
        if pool.sort_of(t) == Sort::STRING && !matches!(pool.head(t), Head::Str(_)) {
            out.push(t);
        }
    }
    out
}

impl Languages {
    /// The store of all languages.
    pub(crate) fn store(&mut self) -> &mut RegexStore {
        self.store.get_or_insert_with(RegexStore::new)
    }

    /// The machines of functions, and the store.
    pub(crate) fn machines(&mut self) -> (&mut Machines, &mut RegexStore) {
        (&mut self.machines, self.store.get_or_insert_with(RegexStore::new))
    }

    /// The language of a regular expression; none if it is not ground.
    pub(crate) fn of(&mut self, pool: &Pool, t: Term) -> Option<Re> {
        if let Some(&known) = self.of.get(&t) {
            return known;
        }
        let store = self.store.take().unwrap_or_default();
        let mut model = Model::new();
        model.set_partial(true);
        let mut e = Evaluator::with(pool, &model, Config::default(), store);
        let re = match e.eval(t) {
            Ok(Value::Re(r)) => Some(r),
            _ => None,
        };
        self.store = Some(e.into_store());
        self.of.insert(t, re);
        re
    }

    /// The least and the greatest length of a string in a regular expression, if it is ground and not seen to be empty.
    pub(crate) fn lengths(&mut self, pool: &Pool, r: Term) -> Option<(u64, u64)> {
        let language = self.of(pool, r)?;
        Some(self.store().lengths(language)).filter(|(least, most)| least <= most)
    }
}
