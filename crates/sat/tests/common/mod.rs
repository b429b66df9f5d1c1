//! Shared by the tests: random numbers, brute force, a proof checker.
#![allow(dead_code)]

pub(crate) mod fake;

use std::cell::RefCell;
use std::rc::Rc;

use stringent_sat::{Lit, ProofStep, Solver, Var};

/// A clause.
pub(crate) type Clause = Vec<Lit>;

/// Random numbers (splitmix64).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub(crate) fn lit(&mut self, vars: usize) -> Lit {
        Var(self.below(vars) as u32).lit(self.chance(50))
    }

    /// A clause that may be tautological or repeat literals.
    pub(crate) fn clause(&mut self, vars: usize, len: usize) -> Clause {
        (0..len).map(|_| self.lit(vars)).collect()
    }

    /// A clause of distinct variables.
    pub(crate) fn proper_clause(&mut self, vars: usize, len: usize) -> Clause {
        let mut clause = Clause::new();
        while clause.len() < len {
            let l = self.lit(vars);
            if clause.iter().all(|q| q.var() != l.var()) {
                clause.push(l);
            }
        }
        clause
    }
}

/// The value of a literal under an assignment written as a number.
pub(crate) fn holds(assignment: u64, l: Lit) -> bool {
    (assignment >> l.var().0 & 1 == 1) == l.is_positive()
}

pub(crate) fn satisfies(assignment: u64, clauses: &[Clause]) -> bool {
    clauses.iter().all(|c| c.iter().any(|&l| holds(assignment, l)))
}

/// True if some assignment satisfies the clauses, the assumptions and the further condition.
pub(crate) fn brute(
    vars: usize,
    clauses: &[Clause],
    assumptions: &[Lit],
    further: impl Fn(u64) -> bool,
) -> bool {
    (0..1u64 << vars).any(|a| assumptions.iter().all(|&l| holds(a, l)) && satisfies(a, clauses) && further(a))
}

/// A solver with this many variables, all observed, and clauses.
pub(crate) fn solver(seed: u64, vars: usize, clauses: &[Clause]) -> Solver {
    let mut solver = Solver::new(seed);
    for _ in 0..vars {
        let v = solver.new_var();
        solver.observe(v);
    }
    clauses.iter().for_each(|c| solver.add_clause(c));
    solver
}

/// Checks each learnt clause by reverse unit propagation.
#[derive(Default)]
pub(crate) struct Checker {
    clauses: Vec<Clause>,
    pub(crate) learnt: usize,
    pub(crate) deleted: usize,
    pub(crate) last: Clause,
}

pub(crate) fn canonical(clause: &[Lit]) -> Clause {
    let mut clause = clause.to_vec();
    clause.sort_unstable();
    clause.dedup();
    clause
}

impl Checker {
    /// A checker that receives the proof of a solver.
    pub(crate) fn install(solver: &mut Solver) -> Rc<RefCell<Checker>> {
        let checker = Rc::new(RefCell::new(Checker::default()));
        let handle = checker.clone();
        solver.set_proof(Box::new(move |step| handle.borrow_mut().step(step)));
        checker
    }

    pub(crate) fn step(&mut self, step: ProofStep<'_>) {
        match step {
            ProofStep::Input(c) | ProofStep::Lemma(c) => self.clauses.push(canonical(c)),
            ProofStep::Learnt(c) => {
                assert!(self.follows(c), "{c:?} does not follow from {:?}", self.clauses);
                self.learnt += 1;
                self.last = c.to_vec();
                self.clauses.push(canonical(c));
            }
            ProofStep::Delete(c) => {
                let c = canonical(c);
                let at = self.clauses.iter().position(|d| *d == c);
                self.clauses.swap_remove(at.unwrap_or_else(|| panic!("{c:?} is deleted but does not exist")));
                self.deleted += 1;
            }
        }
    }

    /// By reverse unit propagation.
    fn follows(&self, clause: &[Lit]) -> bool {
        let size = self.clauses.iter().flatten().chain(clause).map(|l| l.index() + 2).max().unwrap_or(0);
        let mut value = vec![0i8; size];
        let set = |value: &mut Vec<i8>, l: Lit| {
            value[l.index()] = 1;
            value[(!l).index()] = -1;
        };
        for &l in clause {
            if value[l.index()] > 0 {
                return true;
            }
            set(&mut value, !l);
        }
        loop {
            let mut changed = false;
            for c in &self.clauses {
                let mut open = c.iter().filter(|l| value[l.index()] >= 0);
                match (open.next(), open.next()) {
                    (None, _) => return true,
                    (Some(&l), None) if value[l.index()] == 0 => {
                        set(&mut value, l);
                        changed = true;
                    }
                    _ => {}
                }
            }
            if !changed {
                return false;
            }
        }
    }
}
