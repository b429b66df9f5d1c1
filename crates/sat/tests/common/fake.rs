//! A theory of clauses and parities that are hidden from the solver and sent at random moments.

use stringent_sat::{Context, Decision, Final, Lit, Theory, Var};

use super::{Clause, Random, canonical};

/// An odd number of these literals is true.
#[derive(Clone, Debug)]
pub(crate) struct Parity(pub(crate) Vec<Lit>);

impl Parity {
    pub(crate) fn holds(&self, value: impl Fn(Lit) -> bool) -> bool {
        self.0.iter().filter(|&&l| value(l)).count() % 2 == 1
    }

    /// The clause that forbids the assignment in which exactly these literals are true.
    fn forbid(&self, value: impl Fn(Lit) -> bool) -> Clause {
        self.0.iter().map(|&l| if value(l) { !l } else { l }).collect()
    }

    /// All clauses.
    fn clauses(&self) -> Vec<Clause> {
        let n = self.0.len();
        let value = |mask: usize| move |k: usize| mask >> k & 1 == 1;
        (0..1usize << n)
            .filter(|mask| mask.count_ones() % 2 == 0)
            .map(|mask| (0..n).map(|k| if value(mask)(k) { !self.0[k] } else { self.0[k] }).collect())
            .collect()
    }
}

/// Counts of events, to check that all of them occurred.
#[derive(Default, Debug, Clone, Copy)]
pub(crate) struct Counts {
    pub(crate) lemmas: usize,
    pub(crate) conflicts: usize,
    pub(crate) propagations: usize,
    pub(crate) false_propagations: usize,
    pub(crate) vars: usize,
    pub(crate) explanations: usize,
    pub(crate) done: usize,
    pub(crate) late: usize,
}

/// The theory.
pub(crate) struct Fake {
    pub(crate) vars: usize,
    pub(crate) hidden: Vec<Clause>,
    /// The parities as given, and the rest of them after pairs were replaced by new variables.
    pub(crate) parities: Vec<Parity>,
    rest: Vec<Parity>,
    /// Clauses that the solver must propagate: those of the caller and the lemmas.
    pub(crate) known: Vec<Clause>,
    /// Assigned literals, and the start of each level.
    trail: Vec<Lit>,
    levels: Vec<usize>,
    /// The clause of each reason.
    reasons: Vec<Clause>,
    pub(crate) random: Random,
    /// The probability that a clause is sent when it could be, in percent.
    eager: usize,
    pub(crate) counts: Counts,
}

impl Fake {
    pub(crate) fn new(vars: usize, hidden: Vec<Clause>, parities: Vec<Parity>, seed: u64) -> Self {
        let mut random = Random(seed);
        let eager = [5, 30, 100][random.below(3)];
        Fake {
            vars,
            hidden,
            rest: parities.clone(),
            parities,
            known: Vec::new(),
            trail: Vec::new(),
            levels: Vec::new(),
            reasons: Vec::new(),
            random,
            eager,
            counts: Counts::default(),
        }
    }

    /// The literals notified are those assigned.
    fn check_notified(&self, ctx: &Context<'_>) {
        assert_eq!(ctx.level(), self.levels.len());
        for (place, &l) in self.trail.iter().enumerate() {
            assert_eq!(ctx.value(l), Some(true));
            assert_eq!(ctx.level_of(l), self.levels.iter().filter(|&&start| start <= place).count());
        }
        let assigned = (0..self.vars).filter(|&v| ctx.value(Var(v as u32).lit(true)).is_some()).count();
        assert_eq!(self.trail.iter().filter(|l| (l.var().0 as usize) < self.vars).count(), assigned);
    }

    /// No clause of the solver is false, or unit and not propagated.
    fn check_fixpoint(&self, ctx: &Context<'_>) {
        for clause in &self.known {
            let clause = canonical(clause);
            let open = clause.iter().filter(|&&l| ctx.value(l).is_none()).count();
            let satisfied = clause.iter().any(|&l| ctx.value(l) == Some(true));
            assert!(satisfied || open > 1, "{clause:?} is not propagated");
        }
    }

    /// Sends a clause as a lemma, with its literals shuffled and perhaps one of them twice.
    fn lemma(&mut self, clause: &[Lit], ctx: &mut Context<'_>) {
        let mut clause = clause.to_vec();
        if self.random.chance(10) {
            clause.push(clause[0]);
        }
        for k in 0..clause.len() {
            let other = self.random.below(clause.len());
            clause.swap(k, other);
        }
        let is_late = clause.iter().any(|&l| ctx.value(l) == Some(true))
            && clause.iter().filter(|&&l| ctx.value(l) != Some(false)).count() == 1;
        self.counts.late += usize::from(is_late);
        self.counts.lemmas += 1;
        ctx.lemma(&clause);
        self.known.push(clause);
    }

    /// Sends a clause that is false, or unit (its unassigned literal first).
    fn send(&mut self, clause: &[Lit], ctx: &mut Context<'_>) {
        let falsified = clause.iter().all(|&l| ctx.value(l) == Some(false));
        match self.random.below(3) {
            0 => self.lemma(clause, ctx),
            1 if falsified => {
                self.counts.conflicts += 1;
                ctx.conflict(clause);
            }
            _ => {
                let k = if falsified { self.random.below(clause.len()) } else { 0 };
                let mut reason = clause.to_vec();
                reason.swap(0, k);
                self.counts.propagations += 1;
                self.counts.false_propagations += usize::from(falsified);
                ctx.propagate(reason[0], self.reasons.len() as u32);
                self.reasons.push(reason);
            }
        }
    }

    /// Checks one hidden clause. Returns whether it is false and something was sent.
    fn check_clause(&mut self, clause: &[Lit], must: bool, ctx: &mut Context<'_>) -> bool {
        let mut clause = canonical(clause);
        let satisfied = clause.iter().any(|&l| ctx.value(l) == Some(true));
        let open = clause.iter().filter(|&&l| ctx.value(l).is_none()).count();
        let send = must || self.random.chance(self.eager);
        if satisfied || open > 1 {
            if send && self.random.chance(3) {
                self.lemma(&clause, ctx);
            }
            return false;
        }
        if send {
            clause.sort_by_key(|&l| ctx.value(l).is_some());
            self.send(&clause, ctx);
        }
        send && open == 0
    }

    /// Replaces two literals by a new variable for their parity, or sends all clauses if few literals are left.
    fn split(&mut self, k: usize, ctx: &mut Context<'_>) {
        let mut parity = self.rest[k].clone();
        if parity.0.len() > 3 {
            let a = parity.0.remove(self.random.below(parity.0.len()));
            let b = parity.0.remove(self.random.below(parity.0.len()));
            let named = ctx.new_var();
            if self.random.chance(50) {
                ctx.set_phase(named, self.random.chance(50));
            }
            self.counts.vars += 1;
            for clause in Parity(vec![a, b, named.lit(false)]).clauses() {
                self.lemma(&clause, ctx);
            }
            parity.0.push(named.lit(true));
            self.rest[k] = parity;
        } else {
            for clause in parity.clauses() {
                self.lemma(&clause, ctx);
            }
        }
    }

    fn all_assigned(&self, ctx: &Context<'_>) -> bool {
        (0..self.vars).all(|v| ctx.value(Var(v as u32).lit(true)).is_some())
    }
}

impl Theory for Fake {
    fn new_level(&mut self) {
        self.levels.push(self.trail.len());
    }

    fn backtrack(&mut self, level: usize) {
        assert!(level < self.levels.len());
        self.trail.truncate(self.levels[level]);
        self.levels.truncate(level);
    }

    fn assign(&mut self, l: Lit) {
        assert!(!self.trail.contains(&l) && !self.trail.contains(&!l));
        self.trail.push(l);
    }

    fn propagate(&mut self, ctx: &mut Context<'_>) {
        self.check_notified(ctx);
        if self.random.chance(50) {
            return;
        }
        for k in 0..self.hidden.len() {
            let clause = self.hidden[k].clone();
            self.check_clause(&clause, false, ctx);
        }
        if !self.rest.is_empty() && self.random.chance(self.eager) && self.random.chance(10) {
            let k = self.random.below(self.rest.len());
            self.split(k, ctx);
        }
    }

    fn explain(&mut self, l: Lit, reason: u32, out: &mut Vec<Lit>) {
        self.counts.explanations += 1;
        let clause = &self.reasons[reason as usize];
        assert_eq!(clause[0], l);
        out.extend(clause);
    }

    fn decide(&mut self, ctx: &mut Context<'_>) -> Decision {
        self.check_notified(ctx);
        self.check_fixpoint(ctx);
        if self.random.chance(3) && !self.hidden.is_empty() {
            let clause = self.hidden[self.random.below(self.hidden.len())].clone();
            self.check_clause(&clause, false, ctx);
        }
        match self.random.below(4) {
            0 if self.all_assigned(ctx) || self.random.chance(10) => {
                self.counts.done += 1;
                Decision::Done
            }
            1 => Decision::Lit(self.random.lit(self.vars)),
            2 if self.random.chance(20) => Decision::Unobserved,
            _ => Decision::Any,
        }
    }

    fn final_check(&mut self, ctx: &mut Context<'_>) -> Final {
        self.check_notified(ctx);
        self.check_fixpoint(ctx);
        if !self.all_assigned(ctx) {
            return Final::Continue;
        }
        let mut sent = false;
        for k in 0..self.hidden.len() {
            let clause = self.hidden[k].clone();
            if !sent || self.random.chance(30) {
                sent |= self.check_clause(&clause, true, ctx);
            }
        }
        for k in 0..self.parities.len() {
            let value = |l| ctx.value(l) == Some(true);
            if self.parities[k].holds(value) || sent && self.random.chance(50) {
                continue;
            }
            sent = true;
            let clause = self.parities[k].forbid(value);
            if self.random.chance(40) { self.send(&clause, ctx) } else { self.split(k, ctx) }
        }
        if sent { Final::Continue } else { Final::Consistent }
    }
}
