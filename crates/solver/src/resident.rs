//! An engine that stays between the checks of a session.
//!
//! It has a pool of its own, which no `pop` cuts back: the assertions of a check are copied there (`import.rs`), so their
//! rewritten forms, clauses, atoms, axioms, automata, learnt clauses and phases are found again by the next check. The
//! assertions come in *groups*, those of one level, that are asserted and popped together. A group has a selector `s` and
//! the clauses `s => F`; a check assumes the selectors of the groups in force.
//!
//! Example: after the check of `p`, `q`, `r`, the session pops `r` and asserts `(not r)`. The groups of `p` and `q` and
//! all that was learnt about them are there; the check adds one group, whose literal is the negation of an atom it knows.
//!
//! What makes this right: every learnt clause follows from valid clauses (lemmas, definitions of connectives) and the
//! clauses of groups, which contain the negated selector. What a check *needed* is dropped at its end: lemmas are decided
//! only if the current check finds their terms relevant ([`crate::calculus::Kept::begin`]).
//!
//! Constants are not eliminated here, so a fresh engine may answer where this one does not; the session asks it then.
//! Memory is bounded: an engine that has grown past a multiple of its first check is replaced.

mod import;

use crate::engine::{Statistics, statistics};
use crate::options::Options;
use crate::preprocess::{self, Bits, Preprocessed};
use crate::rewrite::{Mode, Rewriter};
use crate::strings::model::Problem;
use crate::theory::{Kept, Theory, input_strings};
use import::Importer;
use rustc_hash::{FxHashMap, FxHashSet};
use sat::Lit;
use semantics::Model;
use smt::work::{Stop, within};
use smt::{Fun, Pool, Term};

/// Terms of a pool that are no reason for a new engine.
const MIN_TERMS: usize = 20_000;
/// The growth of the pool since the first check at which the engine is replaced.
const MAX_GROWTH: usize = 8;

/// A group of assertions, by its number in the engine.
pub(crate) type Group = u32;

/// Assertions that are asserted together.
struct Assertions {
    selector: Lit,
    /// The copies as given, which candidate models are judged on.
    originals: Box<[Term]>,
    /// Those after rewriting.
    rewritten: Box<[Term]>,
    literals: Box<[Lit]>,
    /// What the bit-vectors in them mean.
    bits: Option<Box<Bits>>,
    /// The string constants in them.
    strings: Box<[Term]>,
}

/// The answer of the engine.
pub(crate) enum Answer {
    /// A model, by the constants of the engine's pool ([`Resident::constant`]).
    Sat(Model),
    /// The groups that have no model together.
    Unsat(Vec<Group>),
    /// No answer, perhaps because of a limit.
    Unknown,
}

/// An answer, with counters and the first claim that the audit found false.
pub(crate) struct Found {
    pub(crate) answer: Answer,
    pub(crate) statistics: Statistics,
    pub(crate) audit_failure: Option<String>,
}

/// The engine.
pub(crate) struct Resident {
    pool: Pool,
    rewriter: Rewriter,
    sat: sat::Solver,
    importer: Importer,
    kept: Option<Kept>,
    groups: Vec<Assertions>,
    /// Groups by the copies of their assertions.
    known: FxHashMap<Box<[Term]>, Group>,
    /// Terms of the pool at the end of the first check.
    size: usize,
}

impl Resident {
    /// An engine without assertions.
    pub(crate) fn new(options: &Options) -> Resident {
        Resident {
            pool: Pool::new(),
            rewriter: Rewriter::new(),
            sat: sat::Solver::new(options.seed),
            importer: Importer::default(),
            kept: None,
            groups: Vec::new(),
            known: FxHashMap::default(),
            size: 0,
        }
    }

    /// Whether it should be replaced by a new one.
    pub(crate) fn is_full(&self) -> bool {
        self.size > 0 && self.pool.len() > MIN_TERMS.max(MAX_GROWTH * self.size)
    }

    /// The group of these assertions, terms of `from` without definitions; none if one has symbols that the engine does not
    /// take.
    pub(crate) fn group(&mut self, from: &Pool, assertions: &[Term]) -> Option<Group> {
        let copy = |&t: &Term| self.importer.term(from, t, &mut self.pool);
        let originals: Box<[Term]> = assertions.iter().map(copy).collect::<Option<_>>()?;
        if let Some(&group) = self.known.get(&originals) {
            return Some(group);
        }
        let group = Group::try_from(self.groups.len()).expect("groups are limited by the size of the pool");
        self.known.insert(originals.clone(), group);
        let selector = self.sat.new_var();
        // Variables that no theory sees are decided, and selectors only assumed.
        self.sat.observe(selector);
        let selector = selector.lit(true);
        let (rewritten, bits) = self.rewritten(&originals);
        let strings = input_strings(&self.pool, &rewritten).into();
        self.groups.push(Assertions {
            selector,
            originals,
            rewritten,
            literals: Box::new([]),
            bits,
            strings,
        });
        Some(group)
    }

    fn rewritten(&mut self, originals: &[Term]) -> (Box<[Term]>, Option<Box<Bits>>) {
        let rw = &mut self.rewriter;
        let mut rewrite = |pool: &mut Pool, t: Term| rw.rewrite(pool, Mode::Full, t);
        let prepared = preprocess::run(&mut self.pool, originals, &mut rewrite, true);
        (prepared.assertions.iter().map(|&t| rewrite(&mut self.pool, t)).collect(), prepared.bits)
    }

    /// The constant of this name and sort, if an assertion had it.
    pub(crate) fn constant(&self, from: &Pool, f: Fun) -> Option<Fun> {
        self.importer.known(from, f)
    }

    /// The pool that the values of models refer to.
    pub(crate) fn pool(&self) -> &Pool {
        &self.pool
    }

    /// Checks groups together.
    pub(crate) fn check(&mut self, groups: &[Group], options: &Options, stop: &Stop) -> Found {
        let collect = |part: fn(&Assertions) -> &[Term]| -> Vec<Term> {
            groups.iter().flat_map(|&g| part(&self.groups[g as usize])).copied().collect()
        };
        let (originals, assertions) = (collect(|g| &g.originals), collect(|g| &g.rewritten));
        let mut strings = collect(|g| &g.strings);
        strings.sort_unstable();
        strings.dedup();
        let prepared = Preprocessed { assertions, ..Preprocessed::default() };
        let problem = Problem { originals: &originals, prepared: &prepared };
        let before = (self.sat.ticks(), self.sat.stats());
        self.sat.set_tick_limit(options.ticks.map(|n| before.0.saturating_add(n)));
        let (pool, rw) = (&mut self.pool, &mut self.rewriter);
        let mut theory = match self.kept.take() {
            Some(kept) => Theory::resume(pool, rw, kept, options, &**stop, problem),
            None => Theory::new(pool, rw, options, &**stop, problem),
        };
        let (sat, all) = (&mut self.sat, &mut self.groups);
        let run = || {
            let assumptions: Vec<Lit> =
                groups.iter().map(|&g| require(&mut theory, sat, &mut all[g as usize])).collect();
            theory.start_with(&strings);
            sat.solve(&mut theory, &assumptions)
        };
        let result = within(stop, run);
        let statistics = statistics(&self.sat, &mut theory, before);
        let audit_failure = theory.audit_failure().map(str::to_owned);
        let model = theory.found.take();
        // A search that was cut off in the middle leaves nothing that can be resumed.
        self.kept = result.is_some().then(|| theory.into_kept());
        let answer = match result {
            _ if audit_failure.is_some() => Answer::Unknown,
            Some(sat::Answer::Sat) => model.map_or(Answer::Unknown, Answer::Sat),
            Some(sat::Answer::Unsat) => self.failed(groups),
            Some(sat::Answer::Unknown) | None => Answer::Unknown,
        };
        if self.size == 0 {
            self.size = self.pool.len();
        }
        Found { answer, statistics, audit_failure }
    }

    /// Whether the last search was cut off, so that the engine cannot be used again.
    pub(crate) fn is_broken(&self) -> bool {
        self.size > 0 && self.kept.is_none()
    }

    /// The groups that the refutation uses. Clauses without a selector are valid, so at least one is.
    fn failed(&self, groups: &[Group]) -> Answer {
        let failed: FxHashSet<Lit> = self.sat.failed().iter().copied().collect();
        let used: Vec<Group> =
            groups.iter().copied().filter(|&g| failed.contains(&self.groups[g as usize].selector)).collect();
        if used.is_empty() { Answer::Unknown } else { Answer::Unsat(used) }
    }
}

/// Adds the clauses of a group if they are new, and requires its assertions in this check. Returns the selector.
fn require(theory: &mut Theory<'_>, sat: &mut sat::Solver, group: &mut Assertions) -> Lit {
    let s = group.selector;
    let new = group.literals.len() < group.rewritten.len();
    if let Some(bits) = &group.bits {
        if new {
            theory.add_bits(bits, sat);
        }
        theory.require_bits(bits, sat);
    }
    if new {
        group.literals = group.rewritten.iter().map(|&t| theory.literal(t, sat)).collect();
        for &l in &group.literals {
            sat.add_clause(&[!s, l]);
        }
    }
    for &l in &group.literals {
        theory.require(Some(s), l);
    }
    s
}
