//! The state of the search (assignment, trail, watched clauses), and unit propagation.
//!
//! The invariant of watches: of the two watched literals of a clause, if one is false and was propagated, the
//! other (or the blocker) is true at the same or a lower level. A clause that the theory adds when one of its
//! literals is true, at a level above those of all its false ones, violates it; such clauses are on the list `late`
//! and are revisited after each backjump.

use crate::arena::{Arena, ClauseRef};
use crate::heap::Heap;
use crate::proof::{Proof, ProofStep};
use crate::restart::Restarts;
use crate::stats::Stats;
use crate::theory::{Host, Theory};
use crate::{Lit, Var};

/// The reason of an assignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    /// None: a decision, or an assignment at level 0.
    None,
    /// A clause in which the literal is watched.
    Clause(ClauseRef),
    /// A propagation of the theory, not explained yet.
    Theory(u32),
    /// An explanation of the theory: an unwatched clause that lives as long as the literal is assigned.
    Explained(ClauseRef),
}

/// The data of an assigned variable.
#[derive(Clone, Copy)]
pub(crate) struct VarData {
    pub(crate) reason: Reason,
    pub(crate) level: u32,
    /// The position on the trail.
    pub(crate) place: u32,
}

/// The bit of [`Watch::clause`] that marks a binary clause.
const BINARY: u32 = 1 << 31;

/// An entry of a watch list.
#[derive(Clone, Copy)]
pub(crate) struct Watch {
    clause: u32,
    /// Another literal of the clause; in a binary clause, the only other one.
    pub(crate) blocker: Lit,
}

impl Watch {
    pub(crate) fn new(c: ClauseRef, binary: bool, blocker: Lit) -> Self {
        Watch { clause: c.0 | if binary { BINARY } else { 0 }, blocker }
    }

    #[inline]
    pub(crate) fn clause(self) -> ClauseRef {
        ClauseRef(self.clause & !BINARY)
    }

    #[inline]
    pub(crate) fn is_binary(self) -> bool {
        self.clause & BINARY != 0
    }
}

/// An effect of a callback of the theory; clauses are ranges of [`Queue::lits`].
#[derive(Clone, Copy)]
pub(crate) enum Effect {
    Lemma(usize, usize),
    Conflict(usize, usize),
    Propagate(Lit, u32),
}

/// The effects of a callback of the theory.
#[derive(Default)]
pub(crate) struct Queue {
    pub(crate) effects: Vec<Effect>,
    pub(crate) lits: Vec<Lit>,
}

/// The state of the search.
pub(crate) struct Core {
    /// False once the clauses are known to be unsatisfiable.
    pub(crate) ok: bool,
    pub(crate) arena: Arena,
    pub(crate) clauses: Vec<ClauseRef>,
    pub(crate) learnts: Vec<ClauseRef>,
    /// The clauses to visit when a literal becomes false, by literal.
    pub(crate) watches: Vec<Vec<Watch>>,
    pub(crate) late: Vec<ClauseRef>,
    pub(crate) late_due: bool,
    /// The value of each literal: 1 true, -1 false, 0 unassigned.
    pub(crate) values: Vec<i8>,
    pub(crate) vars: Vec<VarData>,
    pub(crate) phase: Vec<bool>,
    pub(crate) observed: Vec<bool>,
    pub(crate) trail: Vec<Lit>,
    /// The length of the trail when each level was opened.
    pub(crate) levels: Vec<usize>,
    /// The lengths of the trail that were propagated, and that the theory was notified of.
    pub(crate) head: usize,
    pub(crate) notified: usize,
    /// Literals assigned at level 0 before their variable was observed.
    pub(crate) to_notify: Vec<Lit>,
    /// The theory's `propagate` must be called.
    pub(crate) theory_due: bool,
    pub(crate) queue: Queue,
    pub(crate) heap: Heap,
    /// Unassigned variables were taken from the heap without being decided.
    pub(crate) passed_over: bool,
    pub(crate) restarts: Restarts,
    /// The clause in conflict, the learnt clause, and the clause being added or explained.
    pub(crate) conflict: Vec<Lit>,
    pub(crate) learnt: Vec<Lit>,
    pub(crate) buffer: Vec<Lit>,
    pub(crate) seen: Vec<bool>,
    pub(crate) to_clear: Vec<Var>,
    pub(crate) stack: Vec<Var>,
    /// The stamp of the last count that each level was part of, by level.
    pub(crate) stamps: Vec<u64>,
    pub(crate) stamp: u64,
    pub(crate) next_reduction: u64,
    pub(crate) reduction_interval: u64,
    /// The lengths of the trail at level 0 at the last simplification, and that were sent to the proof.
    pub(crate) simplified: usize,
    pub(crate) proved: usize,
    pub(crate) proof: Option<Proof>,
    /// The number of backjumps.
    pub(crate) backjumps: u64,
    pub(crate) ticks: u64,
    pub(crate) tick_limit: Option<u64>,
    pub(crate) next_poll: u64,
    pub(crate) random: u64,
    pub(crate) stats: Stats,
}

impl Core {
    pub(crate) fn new(seed: u64) -> Self {
        Core {
            ok: true,
            arena: Arena::default(),
            clauses: Vec::new(),
            learnts: Vec::new(),
            watches: Vec::new(),
            late: Vec::new(),
            late_due: false,
            values: Vec::new(),
            vars: Vec::new(),
            phase: Vec::new(),
            observed: Vec::new(),
            trail: Vec::new(),
            levels: Vec::new(),
            head: 0,
            notified: 0,
            to_notify: Vec::new(),
            theory_due: false,
            queue: Queue::default(),
            heap: Heap::new(),
            passed_over: false,
            restarts: Restarts::new(),
            conflict: Vec::new(),
            learnt: Vec::new(),
            buffer: Vec::new(),
            seen: Vec::new(),
            to_clear: Vec::new(),
            stack: Vec::new(),
            stamps: vec![0],
            stamp: 0,
            next_reduction: 2000,
            reduction_interval: 2000,
            simplified: 0,
            proved: 0,
            proof: None,
            backjumps: 0,
            ticks: 0,
            tick_limit: None,
            next_poll: 0,
            random: seed,
            stats: Stats::default(),
        }
    }

    pub(crate) fn add_var(&mut self, observed: bool) -> Var {
        let v = Var(self.vars.len() as u32);
        assert!(v.0 < 1 << 30, "too many variables");
        self.vars.push(VarData { reason: Reason::None, level: 0, place: 0 });
        self.values.extend([0, 0]);
        self.watches.extend([Vec::new(), Vec::new()]);
        self.phase.push(false);
        self.observed.push(observed);
        self.seen.push(false);
        self.stamps.push(0);
        let noise = self.noise();
        self.heap.add(noise);
        v
    }

    /// A small random initial activity; 0 if the seed is 0.
    fn noise(&mut self) -> f64 {
        if self.random == 0 {
            return 0.0;
        }
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        (self.random >> 40) as f64 / (1u64 << 24) as f64 * 1e-3
    }

    /// 1 true, -1 false, 0 unassigned.
    #[inline]
    pub(crate) fn val(&self, l: Lit) -> i8 {
        self.values[l.index()]
    }

    #[inline]
    pub(crate) fn data(&self, v: Var) -> &VarData {
        &self.vars[v.0 as usize]
    }

    /// The level of an assigned literal.
    #[inline]
    pub(crate) fn lit_level(&self, l: Lit) -> u32 {
        self.vars[l.var().0 as usize].level
    }

    #[inline]
    pub(crate) fn current_level(&self) -> u32 {
        self.levels.len() as u32
    }

    pub(crate) fn log(&mut self, step: ProofStep<'_>) {
        if let Some(proof) = &mut self.proof {
            proof(step);
        }
    }

    /// Assigns an unassigned literal at the current level.
    #[inline]
    pub(crate) fn enqueue(&mut self, l: Lit, reason: Reason) {
        debug_assert_eq!(self.val(l), 0);
        self.values[l.index()] = 1;
        self.values[(!l).index()] = -1;
        let level = self.levels.len() as u32;
        let reason = if level == 0 { Reason::None } else { reason };
        self.vars[l.var().0 as usize] = VarData { reason, level, place: self.trail.len() as u32 };
        self.trail.push(l);
    }

    /// Watches the first two literals of a clause.
    pub(crate) fn attach(&mut self, c: ClauseRef) {
        let lits = self.arena.lits(c);
        let (a, b, binary) = (lits[0], lits[1], lits.len() == 2);
        self.watches[a.index()].push(Watch::new(c, binary, b));
        self.watches[b.index()].push(Watch::new(c, binary, a));
    }

    pub(crate) fn open_level(&mut self, theory: &mut impl Theory) {
        self.levels.push(self.trail.len());
        if self.stamps.len() <= self.levels.len() {
            self.stamps.push(0);
        }
        theory.new_level();
    }

    /// Backtracks to a level and notifies the theory.
    pub(crate) fn backjump(&mut self, level: u32, theory: &mut impl Theory) {
        if level >= self.current_level() {
            return;
        }
        let keep = self.levels[level as usize];
        for k in (keep..self.trail.len()).rev() {
            let l = self.trail[k];
            let v = l.var();
            self.values[l.index()] = 0;
            self.values[(!l).index()] = 0;
            self.phase[v.0 as usize] = l.is_positive();
            self.heap.insert(v);
            if let Reason::Explained(c) = self.data(v).reason {
                self.delete(c);
            }
        }
        self.trail.truncate(keep);
        self.levels.truncate(level as usize);
        self.head = self.head.min(keep);
        self.notified = self.notified.min(keep);
        self.late_due = true;
        self.theory_due = true;
        self.backjumps += 1;
        theory.backtrack(level as usize);
    }

    /// Marks a clause as deleted and logs it to the proof.
    pub(crate) fn delete(&mut self, c: ClauseRef) {
        if let Some(proof) = &mut self.proof {
            proof(ProofStep::Delete(self.arena.lits(c)));
        }
        self.arena.free(c);
    }

    /// Revisits the clauses that violate the invariant of watches.
    fn revisit_late(&mut self) {
        self.late_due = false;
        let mut late = std::mem::take(&mut self.late);
        late.retain(|&c| self.revisit(c));
        self.late = late;
    }

    /// Propagates a late clause if it is unit. Returns whether it is still late.
    fn revisit(&mut self, c: ClauseRef) -> bool {
        let (mut a, mut b) = (self.arena.lit(c, 0), self.arena.lit(c, 1));
        let rank = |l: Lit| if self.val(l) < 0 { self.lit_level(l) } else { u32::MAX };
        if rank(a) < rank(b) {
            std::mem::swap(&mut a, &mut b);
        }
        if self.val(b) >= 0 || self.data(b.var()).place as usize >= self.head {
            return false;
        }
        if self.val(a) == 0 {
            self.enqueue(a, Reason::Clause(c));
        }
        self.lit_level(a) > self.lit_level(b)
    }

    /// Unit propagation. Returns the clause in conflict, if there is one.
    pub(crate) fn propagate_clauses(&mut self) -> Option<ClauseRef> {
        if self.late_due {
            self.revisit_late();
        }
        while self.head < self.trail.len() {
            let falsified = !self.trail[self.head];
            self.head += 1;
            self.stats.propagations += 1;
            let mut list = std::mem::take(&mut self.watches[falsified.index()]);
            self.ticks += 1 + list.len() as u64 / 8;
            let conflict = self.visit(falsified, &mut list);
            self.watches[falsified.index()] = list;
            if conflict.is_some() {
                return conflict;
            }
        }
        None
    }

    /// Visits the clauses that watch a literal that became false.
    #[inline]
    fn visit(&mut self, falsified: Lit, list: &mut Vec<Watch>) -> Option<ClauseRef> {
        let mut conflict = None;
        let (mut from, mut to) = (0, 0);
        while from < list.len() {
            let watch = list[from];
            list[to] = watch;
            from += 1;
            to += 1;
            let blocker = self.val(watch.blocker);
            if blocker > 0 {
                continue;
            }
            if watch.is_binary() {
                if blocker < 0 {
                    conflict = Some(watch.clause());
                    break;
                }
                self.enqueue(watch.blocker, Reason::Clause(watch.clause()));
                continue;
            }
            self.ticks += 1;
            let c = watch.clause();
            let lits = self.arena.lits_mut(c);
            if lits[0] == falsified {
                lits.swap(0, 1);
            }
            let first = lits[0];
            let value = self.values[first.index()];
            if value > 0 {
                list[to - 1].blocker = first;
                continue;
            }
            let values = &self.values;
            if let Some(k) = lits[2..].iter().position(|l| values[l.index()] >= 0) {
                lits.swap(1, k + 2);
                self.watches[lits[1].index()].push(Watch::new(c, false, first));
                to -= 1;
            } else if value < 0 {
                conflict = Some(c);
                break;
            } else {
                self.enqueue(first, Reason::Clause(c));
            }
        }
        list.copy_within(from.., to);
        list.truncate(list.len() - (from - to));
        conflict
    }
}

impl Host for Core {
    fn new_var(&mut self) -> Var {
        self.add_var(true)
    }

    fn value(&self, l: Lit) -> Option<bool> {
        match self.val(l) {
            0 => None,
            x => Some(x > 0),
        }
    }

    fn level(&self) -> usize {
        self.levels.len()
    }

    fn level_of(&self, l: Lit) -> usize {
        self.lit_level(l) as usize
    }

    fn lemma(&mut self, clause: &[Lit]) {
        let start = self.queue.lits.len();
        self.queue.lits.extend_from_slice(clause);
        self.queue.effects.push(Effect::Lemma(start, self.queue.lits.len()));
    }

    fn conflict(&mut self, clause: &[Lit]) {
        let start = self.queue.lits.len();
        self.queue.lits.extend_from_slice(clause);
        self.queue.effects.push(Effect::Conflict(start, self.queue.lits.len()));
    }

    fn propagate(&mut self, l: Lit, reason: u32) {
        self.queue.effects.push(Effect::Propagate(l, reason));
    }

    fn set_phase(&mut self, v: Var, phase: bool) {
        self.phase[v.0 as usize] = phase;
    }

    fn phase(&self, v: Var) -> Lit {
        v.lit(self.phase[v.0 as usize])
    }

    fn activity(&self, v: Var) -> f64 {
        self.heap.activity(v)
    }

    fn tick(&mut self, n: u64) {
        self.ticks += n;
    }
}
