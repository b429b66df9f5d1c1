//! A theory that hides clauses and parities and lets the engine know of them at odd moments and in odd ways.

use sat::{Context, Decision, Final, Lit, Theory, Var};

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

/// What happened, to see that everything did.
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
    /// The parities as given, and what is left of them after pairs were named by new variables.
    pub(crate) parities: Vec<Parity>,
    rest: Vec<Parity>,
    /// Clauses the engine must propagate: those given by the caller and the lemmas.
    pub(crate) known: Vec<Clause>,
    /// Told literals; where levels start.
    trail: Vec<Lit>,
    levels: Vec<usize>,
    /// The clause of each reason.
    reasons: Vec<Clause>,
    pub(crate) random: Random,
    /// In percent: how often something is said that could be.
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

    /// What was told is what is assigned.
    fn check_told(&self, ctx: &Context<'_>) {
        assert_eq!(ctx.level(), self.levels.len());
        for (place, &l) in self.trail.iter().enumerate() {
            assert_eq!(ctx.value(l), Some(true));
            assert_eq!(ctx.level_of(l), self.levels.iter().filter(|&&start| start <= place).count());
        }
        let assigned = (0..self.vars).filter(|&v| ctx.value(Var(v as u32).lit(true)).is_some()).count();
        assert_eq!(self.trail.iter().filter(|l| (l.var().0 as usize) < self.vars).count(), assigned);
    }

    /// No clause that the engine has is false, or unit and not propagated.
    fn check_fixpoint(&self, ctx: &Context<'_>) {
        for clause in &self.known {
            let clause = canonical(clause);
            let open = clause.iter().filter(|&&l| ctx.value(l).is_none()).count();
            let satisfied = clause.iter().any(|&l| ctx.value(l) == Some(true));
            assert!(satisfied || open > 1, "{clause:?} is not propagated");
        }
    }

    /// Says a clause as a lemma, perhaps in disguise.
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

    /// Says a clause that is false, or unit (its open literal first).
    fn say(&mut self, clause: &[Lit], ctx: &mut Context<'_>) {
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

    /// Looks at one hidden clause; true if it is false, and something was said.
    fn look(&mut self, clause: &[Lit], must: bool, ctx: &mut Context<'_>) -> bool {
        let mut clause = canonical(clause);
        let satisfied = clause.iter().any(|&l| ctx.value(l) == Some(true));
        let open = clause.iter().filter(|&&l| ctx.value(l).is_none()).count();
        let speak = must || self.random.chance(self.eager);
        if satisfied || open > 1 {
            if speak && self.random.chance(3) {
                self.lemma(&clause, ctx);
            }
            return false;
        }
        if speak {
            clause.sort_by_key(|&l| ctx.value(l).is_some());
            self.say(&clause, ctx);
        }
        speak && open == 0
    }

    /// Names the parity of two literals by a new variable, or says all clauses if few are left.
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
        self.check_told(ctx);
        if self.random.chance(50) {
            return;
        }
        for k in 0..self.hidden.len() {
            let clause = self.hidden[k].clone();
            self.look(&clause, false, ctx);
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
        self.check_told(ctx);
        self.check_fixpoint(ctx);
        if self.random.chance(3) && !self.hidden.is_empty() {
            let clause = self.hidden[self.random.below(self.hidden.len())].clone();
            self.look(&clause, false, ctx);
        }
        match self.random.below(4) {
            0 if self.all_assigned(ctx) || self.random.chance(10) => {
                self.counts.done += 1;
                Decision::Done
            }
            1 => Decision::Lit(self.random.lit(self.vars)),
            _ => Decision::Any,
        }
    }

    fn final_check(&mut self, ctx: &mut Context<'_>) -> Final {
        self.check_told(ctx);
        self.check_fixpoint(ctx);
        if !self.all_assigned(ctx) {
            return Final::Continue;
        }
        let mut spoken = false;
        for k in 0..self.hidden.len() {
            let clause = self.hidden[k].clone();
            if !spoken || self.random.chance(30) {
                spoken |= self.look(&clause, true, ctx);
            }
        }
        for k in 0..self.parities.len() {
            let value = |l| ctx.value(l) == Some(true);
            if self.parities[k].holds(value) || spoken && self.random.chance(50) {
                continue;
            }
            spoken = true;
            let clause = self.parities[k].forbid(value);
            if self.random.chance(40) { self.say(&clause, ctx) } else { self.split(k, ctx) }
        }
        if spoken { Final::Continue } else { Final::Consistent }
    }
}
