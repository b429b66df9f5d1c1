//! Translation of formulas to clauses, and the decision heuristic.
//!
//! Every formula has a literal (Tseitin, both directions, cached); the variable of a connective has its definition
//! ([`Def`]). Decisions follow the structure of the formulas: a literal is decided only if some formula that must hold
//! is not yet true under the assignment (*justification*, as in cvc5). Literals that no formula needs stay undecided, so
//! the theories never see irrelevant atoms.

use crate::preprocess::{Bits, Source, Wire};
use rustc_hash::FxHashMap;
use sat::{Context, Lit, Var};
use smt::work::spend;
use smt::{Head, Op, Pool, PostOrder, Sort, Term};

/// Receives clauses and variables: the SAT solver before the search, its context during it.
pub(crate) trait Sink {
    /// A new variable whose assignment theories see.
    fn new_var(&mut self) -> Var;
    fn clause(&mut self, clause: &[Lit]);
}

impl Sink for sat::Solver {
    fn new_var(&mut self) -> Var {
        let v = sat::Solver::new_var(self);
        self.observe(v);
        v
    }

    fn clause(&mut self, clause: &[Lit]) {
        self.add_clause(clause);
    }
}

impl Sink for Context<'_> {
    fn new_var(&mut self) -> Var {
        Context::new_var(self)
    }

    fn clause(&mut self, clause: &[Lit]) {
        self.lemma(clause);
    }
}

/// The definition of a variable.
#[derive(Clone, Debug)]
pub(crate) enum Def {
    /// An atom of a theory, or a declared Bool constant.
    Atom(Term),
    /// The conjunction of these.
    And(Box<[Lit]>),
    /// Both or neither.
    Iff(Lit, Lit),
    /// If the first, then the second, else the third.
    Ite(Lit, Lit, Lit),
    /// None.
    Free,
}

/// The goals of decisions.
#[derive(Clone, Debug)]
enum Goal {
    /// An assertion must be true.
    Assertion(Lit),
    /// If all premises are true, one of the conclusions must be.
    Lemma { premises: Box<[Lit]>, conclusion: Box<[Lit]> },
    /// The literal must have a value while the premises are true.
    Split { premises: Box<[Lit]>, lit: Lit },
    /// The literal must have a value, for which there is a reason.
    Value(Lit),
}

/// Formulas as literals.
#[derive(Debug, Default)]
pub(crate) struct Cnf {
    lits: FxHashMap<Term, Lit>,
    defs: Vec<Def>,
    truth: Option<Lit>,
    goals: Vec<Goal>,
    /// Goals before this one are justified at the current level.
    next: usize,
    /// The last traversal that visited a variable.
    stamps: Vec<u32>,
    stamp: u32,
    /// Variables of atoms since the last [`Cnf::take_fresh`].
    fresh_atoms: Vec<Var>,
    /// The formula of a variable, and whether its positive literal is the formula or its negation.
    formulas: Vec<Option<(Term, bool)>>,
    /// The bits of vectors, the lowest first.
    vectors: FxHashMap<Term, Box<[Lit]>>,
}

impl Cnf {
    fn define(&mut self, v: Var, def: Def) {
        let i = v.0 as usize;
        if self.defs.len() <= i {
            self.defs.resize(i + 1, Def::Free);
        }
        self.defs[i] = def;
    }

    fn def(&self, v: Var) -> &Def {
        self.defs.get(v.0 as usize).unwrap_or(&Def::Free)
    }

    /// The atom of a variable.
    pub(crate) fn atom(&self, v: Var) -> Option<Term> {
        match self.def(v) {
            Def::Atom(t) => Some(*t),
            _ => None,
        }
    }

    /// The literal of a formula, if it has one.
    pub(crate) fn known(&self, t: Term) -> Option<Lit> {
        self.lits.get(&t).copied()
    }

    /// The formula of a literal, and whether the literal states that it is true.
    pub(crate) fn formula(&self, l: Lit) -> Option<(Term, bool)> {
        let (t, positive) = (*self.formulas.get(l.var().0 as usize)?)?;
        Some((t, positive == l.is_positive()))
    }

    /// The variables of atoms that are new since the last call.
    pub(crate) fn take_fresh(&mut self) -> Vec<Var> {
        std::mem::take(&mut self.fresh_atoms)
    }

    /// The literal that is always true.
    pub(crate) fn truth(&mut self, sink: &mut dyn Sink) -> Lit {
        if let Some(l) = self.truth {
            return l;
        }
        let l = sink.new_var().lit(true);
        sink.clause(&[l]);
        self.truth = Some(l);
        l
    }

    /// The literal of a rewritten formula.
    pub(crate) fn literal(&mut self, pool: &Pool, t: Term, sink: &mut dyn Sink) -> Lit {
        let mut walk = PostOrder::new([t]);
        let below = |lits: &FxHashMap<Term, Lit>, t: Term| {
            (!lits.contains_key(&t)).then(|| connective_args(pool, t).iter().rev().copied())
        };
        while let Some(t) = walk.next(|t| below(&self.lits, t)) {
            let l = self.define_formula(pool, t, sink);
            self.lits.insert(t, l);
            let v = l.var().0 as usize;
            if self.formulas.len() <= v {
                self.formulas.resize(v + 1, None);
            }
            self.formulas[v].get_or_insert((t, l.is_positive()));
        }
        self.lits[&t]
    }

    fn define_formula(&mut self, pool: &Pool, t: Term, sink: &mut dyn Sink) -> Lit {
        let args: Vec<Lit> = connective_args(pool, t).iter().map(|c| self.lits[c]).collect();
        match pool.head(t) {
            Head::Op(Op::True) => self.truth(sink),
            Head::Op(Op::False) => !self.truth(sink),
            Head::Op(Op::Not) => !args[0],
            Head::Op(Op::And) => self.and(&args, sink),
            Head::Op(Op::Or) => {
                let negated: Vec<Lit> = args.iter().map(|&l| !l).collect();
                !self.and(&negated, sink)
            }
            Head::Op(Op::Eq) if args.len() == 2 => self.iff(args[0], args[1], sink),
            Head::Op(Op::Ite) if args.len() == 3 => self.ite(args[0], args[1], args[2], sink),
            _ => {
                let v = sink.new_var();
                self.define(v, Def::Atom(t));
                self.fresh_atoms.push(v);
                v.lit(true)
            }
        }
    }

    fn and(&mut self, args: &[Lit], sink: &mut dyn Sink) -> Lit {
        let out = sink.new_var();
        let mut back = vec![out.lit(true)];
        for &a in args {
            sink.clause(&[out.lit(false), a]);
            back.push(!a);
        }
        sink.clause(&back);
        self.define(out, Def::And(args.into()));
        out.lit(true)
    }

    fn iff(&mut self, a: Lit, b: Lit, sink: &mut dyn Sink) -> Lit {
        let v = sink.new_var();
        let o = v.lit(true);
        for clause in [[!o, !a, b], [!o, a, !b], [o, a, b], [o, !a, !b]] {
            sink.clause(&clause);
        }
        self.define(v, Def::Iff(a, b));
        o
    }

    fn ite(&mut self, c: Lit, t: Lit, e: Lit, sink: &mut dyn Sink) -> Lit {
        let v = sink.new_var();
        let o = v.lit(true);
        for clause in [[!c, !t, o], [!c, t, !o], [c, !e, o], [c, e, !o], [!t, !e, o], [t, e, !o]] {
            sink.clause(&clause);
        }
        self.define(v, Def::Ite(c, t, e));
        o
    }

    /// Removes all goals, at level 0.
    pub(crate) fn forget_goals(&mut self) {
        self.goals.clear();
        self.next = 0;
    }

    /// Adds an assertion.
    pub(crate) fn add_assertion(&mut self, l: Lit) {
        self.goals.push(Goal::Assertion(l));
    }

    /// Adds a lemma: if the premises are true, one of the conclusions is.
    pub(crate) fn add_lemma(&mut self, premises: &[Lit], conclusion: &[Lit]) {
        self.goals.push(Goal::Lemma { premises: premises.into(), conclusion: conclusion.into() });
    }

    /// Requests a value.
    pub(crate) fn add_value(&mut self, l: Lit) {
        self.goals.push(Goal::Value(l));
    }

    /// Whether any vector has bits.
    pub(crate) fn has_vectors(&self) -> bool {
        !self.vectors.is_empty()
    }

    /// The bits of a vector.
    pub(crate) fn vector(&self, t: Term) -> Option<&[Lit]> {
        self.vectors.get(&t).map(|bits| &bits[..])
    }

    /// Adds the clauses of a circuit whose formulas have these literals. Bits that are known stay what they are.
    pub(crate) fn add_circuit(
        &mut self,
        bits: &Bits,
        mut formula: impl FnMut(&mut Cnf, Term, &mut sat::Solver) -> Lit,
        sat: &mut sat::Solver,
    ) {
        let truth = self.truth(sat);
        let mut lits: Vec<Lit> = vec![truth; bits.circuit.sources.len()];
        for i in bits.circuit.order() {
            lits[i] = match bits.circuit.sources[i] {
                Source::True => truth,
                Source::Formula(t) => formula(self, t, sat),
                Source::Bit(t, i) => match self.vectors.get(&t) {
                    Some(known) => known[i as usize],
                    // A variable of the SAT solver alone.
                    None => sat.new_var().lit(true),
                },
                Source::Gate => sat.new_var().lit(true),
            };
        }
        let lit = |w: Wire| {
            let (i, positive) = w.parts();
            if positive { lits[i] } else { !lits[i] }
        };
        let mut buffer = Vec::new();
        for clause in bits.circuit.clauses() {
            spend(1);
            buffer.clear();
            buffer.extend(clause.iter().map(|&w| lit(w)));
            sat.add_clause(&buffer);
        }
        for (t, wires) in &bits.vectors {
            self.vectors.entry(*t).or_insert_with(|| wires.iter().map(|&w| lit(w)).collect());
        }
    }

    /// Requests a decision while the premises are true.
    pub(crate) fn add_split(&mut self, premises: &[Lit], lit: Lit) {
        self.goals.push(Goal::Split { premises: premises.into(), lit });
    }

    /// The first goal that is not justified, for backtracking.
    pub(crate) fn mark(&self) -> usize {
        self.next
    }

    /// Returns to a mark.
    pub(crate) fn back_to(&mut self, mark: usize) {
        self.next = self.next.min(mark);
    }

    /// The literal to decide next, positively; none if all goals are justified.
    pub(crate) fn decide(&mut self, ctx: &Context<'_>) -> Option<Lit> {
        while self.next < self.goals.len() {
            if let Some(l) = self.undecided(self.next, ctx) {
                return Some(l);
            }
            self.next += 1;
        }
        // Premises of lemmas before may have become true.
        (0..self.goals.len()).find_map(|i| self.undecided(i, ctx))
    }

    /// A literal whose decision helps to justify a goal; none if it is justified or its premises are not true.
    fn undecided(&mut self, goal: usize, ctx: &Context<'_>) -> Option<Lit> {
        spend(1);
        let goal = match &self.goals[goal] {
            Goal::Assertion(l) => *l,
            Goal::Split { premises, lit } => {
                let wanted =
                    ctx.value(*lit).is_none() && premises.iter().all(|&p| ctx.value(p) == Some(true));
                return wanted.then(|| ctx.phase(lit.var()));
            }
            Goal::Value(l) => match ctx.value(*l) {
                None => return Some(ctx.phase(l.var())),
                Some(true) => *l,
                Some(false) => !*l,
            },
            Goal::Lemma { premises, conclusion } => {
                if premises.iter().any(|&p| ctx.value(p) != Some(true)) {
                    return None;
                }
                match conclusion.iter().find(|&&l| ctx.value(l) == Some(true)) {
                    Some(&l) => l,
                    None => return best(conclusion.iter().copied(), ctx),
                }
            }
        };
        self.justify(goal, ctx)
    }

    /// A literal whose decision helps to make `goal` true by its definition.
    fn justify(&mut self, goal: Lit, ctx: &Context<'_>) -> Option<Lit> {
        self.stamp += 1;
        self.stamps.resize(self.defs.len().max(self.stamps.len()), 0);
        let mut stack = vec![goal];
        while let Some(l) = stack.pop() {
            spend(1);
            let v = l.var();
            if self.stamps.get(v.0 as usize) == Some(&self.stamp) {
                continue;
            }
            if let Some(s) = self.stamps.get_mut(v.0 as usize) {
                *s = self.stamp;
            }
            if ctx.value(l).is_none() {
                return Some(l);
            }
            if let Err(undecided) = push_support(self.def(v), l.is_positive(), ctx, &mut stack) {
                return undecided;
            }
        }
        None
    }
}

/// Pushes the true literals by which a variable has its value, given its definition. If they are not all assigned: the
/// literal to decide first.
fn push_support(
    def: &Def,
    positive: bool,
    ctx: &Context<'_>,
    stack: &mut Vec<Lit>,
) -> Result<(), Option<Lit>> {
    let assigned = |x: Lit| ctx.value(x).map(|b| if b { x } else { !x });
    let decided = |x: Lit| assigned(x).ok_or_else(|| Some(ctx.phase(x.var())));
    match def {
        Def::Atom(_) | Def::Free => {}
        Def::And(args) if positive => stack.extend(args.iter().rev().copied()),
        Def::And(args) => match args.iter().find(|&&a| ctx.value(a) == Some(false)) {
            Some(&a) => stack.push(!a),
            None => return Err(best(args.iter().map(|&a| !a), ctx)),
        },
        Def::Iff(a, b) => stack.extend([decided(*a)?, decided(*b)?]),
        Def::Ite(c, t, e) => {
            let condition = decided(*c)?;
            let branch = if ctx.value(*c) == Some(true) { *t } else { *e };
            let wanted = if positive { branch } else { !branch };
            stack.extend([condition, assigned(branch).ok_or(Some(wanted))?]);
        }
    }
    Ok(())
}

/// The unassigned literal with the highest activity, the first of equals.
fn best(lits: impl Iterator<Item = Lit>, ctx: &Context<'_>) -> Option<Lit> {
    let mut found: Option<(f64, Lit)> = None;
    for l in lits.inspect(|_| spend(1)).filter(|&l| ctx.value(l).is_none()) {
        let activity = ctx.activity(l.var());
        if found.is_none_or(|(a, _)| activity > a) {
            found = Some((activity, l));
        }
    }
    found.map(|(_, l)| l)
}

/// The arguments of a propositional connective; none for atoms.
fn connective_args(pool: &Pool, t: Term) -> &[Term] {
    let args = pool.args(t);
    match pool.head(t) {
        Head::Op(Op::Not | Op::And | Op::Or) => args,
        Head::Op(Op::Eq) if args.len() == 2 && pool.sort_of(args[0]) == Sort::BOOL => args,
        Head::Op(Op::Ite) if pool.sort_of(t) == Sort::BOOL => args,
        _ => &[],
    }
}

#[cfg(test)]
mod tests;
