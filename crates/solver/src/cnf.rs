//! From formulas to clauses, and what still has to be decided.
//!
//! Every formula gets a literal (Tseitin, both directions, cached); connectives are [`Gate`]s. Decisions follow the
//! structure of the formulas: a literal is decided only if some formula that must hold is not yet made true by what is
//! assigned (*justification*, as in cvc5). What no formula needs stays open, so the theories see no atom that does not
//! matter.

use rustc_hash::FxHashMap;
use sat::{Context, Lit, Var};
use smt::{Head, Op, Pool, Sort, Term};

/// Where clauses and variables go: the SAT solver before solving, its context during it.
pub(crate) trait Sink {
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

/// What a variable stands for.
#[derive(Clone, Debug)]
pub(crate) enum Def {
    /// An atom of a theory, or a declared Bool constant.
    Atom(Term),
    /// The conjunction of these.
    And(Box<[Lit]>),
    /// Both or neither.
    Iff(Lit, Lit),
    /// The second if the first, else the third.
    Ite(Lit, Lit, Lit),
    /// Nothing: a name.
    Free,
}

/// Something that must be true, or decided.
#[derive(Clone, Debug)]
enum Root {
    /// An assertion.
    Lit(Lit),
    /// A lemma: if all premises are true, one of the others must be.
    Lemma { premises: Box<[Lit]>, conclusion: Box<[Lit]> },
    /// Must have a value, whichever, while the premises hold.
    Split { premises: Box<[Lit]>, lit: Lit },
}

/// Formulas as literals.
#[derive(Debug, Default)]
pub(crate) struct Cnf {
    lits: FxHashMap<Term, Lit>,
    defs: Vec<Def>,
    truth: Option<Lit>,
    roots: Vec<Root>,
    /// Roots before this are justified at the present level.
    next: usize,
    stamps: Vec<u32>,
    stamp: u32,
    fresh_atoms: Vec<Var>,
    /// The formula of a variable, and whether its positive literal is the formula or its negation.
    formulas: Vec<Option<(Term, bool)>>,
}

impl Cnf {
    fn define(&mut self, v: Var, def: Def) {
        let i = v.0 as usize;
        if self.defs.len() <= i {
            self.defs.resize(i + 1, Def::Free);
        }
        self.defs[i] = def;
    }

    /// What a variable stands for.
    pub(crate) fn def(&self, v: Var) -> &Def {
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

    /// The formula of a literal, and whether the literal says that it is true.
    pub(crate) fn formula(&self, l: Lit) -> Option<(Term, bool)> {
        let (t, positive) = (*self.formulas.get(l.var().0 as usize)?)?;
        Some((t, positive == l.is_positive()))
    }

    /// Atoms made since the last call.
    pub(crate) fn take_fresh(&mut self) -> Vec<Var> {
        std::mem::take(&mut self.fresh_atoms)
    }

    /// A literal that is true.
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
        let mut stack = vec![(t, false)];
        while let Some((t, seen)) = stack.pop() {
            if self.lits.contains_key(&t) {
                continue;
            }
            let children = connective_args(pool, t);
            if !seen && !children.is_empty() {
                stack.push((t, true));
                stack.extend(children.iter().map(|&c| (c, false)));
                continue;
            }
            let l = self.make(pool, t, sink);
            self.lits.insert(t, l);
            let v = l.var().0 as usize;
            if self.formulas.len() <= v {
                self.formulas.resize(v + 1, None);
            }
            self.formulas[v].get_or_insert((t, l.is_positive()));
        }
        self.lits[&t]
    }

    fn make(&mut self, pool: &Pool, t: Term, sink: &mut dyn Sink) -> Lit {
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

    /// This must hold.
    pub(crate) fn add_root(&mut self, l: Lit) {
        self.roots.push(Root::Lit(l));
    }

    /// If the premises hold, one of the conclusions must.
    pub(crate) fn add_lemma(&mut self, premises: &[Lit], conclusion: &[Lit]) {
        self.roots.push(Root::Lemma { premises: premises.into(), conclusion: conclusion.into() });
    }

    /// Must be decided while the premises hold.
    pub(crate) fn add_split(&mut self, premises: &[Lit], lit: Lit) {
        self.roots.push(Root::Split { premises: premises.into(), lit });
    }

    /// Where the scan of roots stands; to be put back on backtracking.
    pub(crate) fn mark(&self) -> usize {
        self.next
    }

    /// Back to a mark.
    pub(crate) fn back_to(&mut self, mark: usize) {
        self.next = self.next.min(mark);
    }

    /// A literal that should be true next; none if everything that must hold does.
    pub(crate) fn decide(&mut self, ctx: &Context<'_>) -> Option<Lit> {
        while self.next < self.roots.len() {
            if let Some(l) = self.open(self.next, ctx) {
                return Some(l);
            }
            self.next += 1;
        }
        // Premises may have become true since a lemma was passed by.
        (0..self.roots.len()).find_map(|i| self.open(i, ctx))
    }

    fn open(&mut self, root: usize, ctx: &Context<'_>) -> Option<Lit> {
        let goal = match &self.roots[root] {
            Root::Lit(l) => *l,
            Root::Split { premises, lit } => {
                let wanted =
                    ctx.value(*lit).is_none() && premises.iter().all(|&p| ctx.value(p) == Some(true));
                return wanted.then(|| ctx.phase(lit.var()));
            }
            Root::Lemma { premises, conclusion } => {
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

    fn justify(&mut self, goal: Lit, ctx: &Context<'_>) -> Option<Lit> {
        self.stamp += 1;
        self.stamps.resize(self.defs.len().max(self.stamps.len()), 0);
        let mut stack = vec![goal];
        while let Some(l) = stack.pop() {
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
            let signed = |x: Lit| ctx.value(x).map(|b| if b { x } else { !x });
            match self.def(v) {
                Def::Atom(_) | Def::Free => {}
                Def::And(args) if l.is_positive() => stack.extend(args.iter().rev().copied()),
                Def::And(args) => match args.iter().find(|&&a| ctx.value(a) == Some(false)) {
                    Some(&a) => stack.push(!a),
                    None => return best(args.iter().map(|&a| !a), ctx),
                },
                Def::Iff(a, b) => match (signed(*a), signed(*b)) {
                    (Some(a), Some(b)) => stack.extend([a, b]),
                    (None, _) => return Some(ctx.phase(a.var())),
                    (_, None) => return Some(ctx.phase(b.var())),
                },
                Def::Ite(c, t, e) => match signed(*c) {
                    None => return Some(ctx.phase(c.var())),
                    Some(x) => {
                        let branch = if ctx.value(*c) == Some(true) { *t } else { *e };
                        stack.push(x);
                        match signed(branch) {
                            Some(b) => stack.push(b),
                            None => return Some(if l.is_positive() { branch } else { !branch }),
                        }
                    }
                },
            }
        }
        None
    }
}

/// The open literal with the highest activity, the first of equals.
fn best(lits: impl Iterator<Item = Lit>, ctx: &Context<'_>) -> Option<Lit> {
    let mut found: Option<(f64, Lit)> = None;
    for l in lits.filter(|&l| ctx.value(l).is_none()) {
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
