//! The theory as the SAT solver sees it: congruence closure, linear arithmetic and strings together.
//!
//! Literals come in through `assign`, are processed in `propagate` ([`Theory::close`]), and when nothing is left to
//! decide, `final_check` runs the arithmetic checks and the strategy of [`crate::strings`]. What they conclude leaves
//! by one of four doors: [`Theory::conflict`], [`Theory::fact`] (an equality that follows from what is asserted; no
//! clause is made), [`Theory::lemma`] (premises imply a formula, which may have new atoms) and [`Theory::split`].

mod check;
mod close;
mod register;

pub(crate) use check::Round;

use crate::arith::Arith;
use crate::audit::Audit;
use crate::cnf::Cnf;
use crate::egraph::{Egraph, Event, Node, Premise, Reason};
use crate::infer::{Log, Rule};
use crate::options::Options;
use crate::preprocess::Preprocessed;
use crate::rewrite::{Mode, Rewriter};
use crate::skolem::Skolems;
use crate::strings::Strings;
use rustc_hash::FxHashSet;
use sat::{Context, Decision, Final, Lit};
use semantics::Model;
use smt::{Op, Pool, Sort, Term};

/// Something was concluded that ends the present round: a conflict or a lemma has been handed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stop;

/// Goes on, or stops because something was handed over.
pub(crate) type Step = Result<(), Stop>;

/// What is to be put back on backtracking.
struct Mark {
    asserted: usize,
    equalities: usize,
    reasons: usize,
    made: usize,
    root: usize,
}

/// The theory. See the module.
pub(crate) struct Theory<'a> {
    pub(crate) pool: &'a mut Pool,
    pub(crate) rw: &'a mut Rewriter,
    /// The mode in which new terms are rewritten.
    pub(crate) mode: Mode,
    interrupted: &'a dyn Fn() -> bool,
    pub(crate) eg: Egraph,
    pub(crate) ar: Arith,
    pub(crate) cnf: Cnf,
    pub(crate) skolems: Skolems,
    pub(crate) log: Log,
    pub(crate) audit: Option<Audit>,
    pub(crate) strings: Strings,
    /// The assertions as they were given, for the gate.
    pub(crate) originals: &'a [Term],
    /// What preprocessing did.
    pub(crate) prepared: &'a Preprocessed,
    /// Literals told and not yet processed.
    pending: Vec<Lit>,
    /// Literals of atoms that are processed.
    pub(crate) asserted: Vec<Lit>,
    marks: Vec<Mark>,
    events: Vec<Event>,
    /// Terms that only conclusions mention, as long as those hold.
    pub(crate) made: Vec<Term>,
    reasons: Vec<Box<[Premise]>>,
    sent: FxHashSet<Box<[Lit]>>,
    registered: FxHashSet<Term>,
    pub(crate) found: Option<Model>,
    pub(crate) incomplete: Option<String>,
    pub(crate) truth: Node,
    pub(crate) falsity: Node,
    pub(crate) empty: Node,
}

impl<'a> Theory<'a> {
    /// An empty theory.
    pub(crate) fn new(
        pool: &'a mut Pool,
        rw: &'a mut Rewriter,
        options: &'a Options,
        interrupted: &'a dyn Fn() -> bool,
        originals: &'a [Term],
        prepared: &'a Preprocessed,
    ) -> Self {
        let mut eg = Egraph::new();
        let (t, f, e) = (pool.bool(true), pool.bool(false), pool.string(&[]));
        let (truth, falsity, empty) = (eg.add(pool, t), eg.add(pool, f), eg.add(pool, e));
        let audit = options.audit.then(|| Audit::new(pool, originals, &prepared.fresh, options.seed));
        Theory {
            rw,
            mode: Mode::Full,
            interrupted,
            eg,
            ar: Arith::default(),
            cnf: Cnf::default(),
            skolems: Skolems::default(),
            log: Log::new(options.trace),
            audit,
            strings: Strings::new(options.strategy),
            originals,
            prepared,
            pending: Vec::new(),
            asserted: Vec::new(),
            marks: Vec::new(),
            events: Vec::new(),
            made: Vec::new(),
            reasons: Vec::new(),
            sent: FxHashSet::default(),
            registered: FxHashSet::default(),
            found: None,
            incomplete: None,
            truth,
            falsity,
            empty,
            pool,
        }
    }

    /// The node of a term.
    pub(crate) fn node(&mut self, t: Term) -> Node {
        self.eg.add(self.pool, t)
    }

    /// A term as text, for traces.
    pub(crate) fn text(&self, t: Term) -> String {
        smt::print::term_text(self.pool, t)
    }

    /// An application, rewritten.
    pub(crate) fn mk(&mut self, op: Op, sort: Sort, args: &[Term]) -> Term {
        let t = self.pool.mk(smt::Head::Op(op), sort, args);
        self.rw.rewrite(self.pool, self.mode, t)
    }

    /// Runs `f` while new terms are rewritten in another mode.
    pub(crate) fn in_mode<T>(&mut self, mode: Mode, f: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.mode, mode);
        let out = f(self);
        self.mode = before;
        out
    }

    /// The literals that imply the premises.
    pub(crate) fn explain_premises(&mut self, premises: &[Premise]) -> Vec<Lit> {
        let mut lits = Vec::new();
        self.eg.explain(premises, &mut lits);
        lits
    }

    /// The premises contradict each other.
    pub(crate) fn conflict(&mut self, ctx: &mut Context<'_>, rule: Rule, premises: &[Premise]) -> Stop {
        let lits = self.explain_premises(premises);
        let clause: Vec<Lit> = lits.iter().map(|&l| !l).collect();
        self.log.count(rule);
        if self.log.tracing {
            let text = self.clause_text(&clause);
            self.log.say(|| format!("{:18} conflict: {text}", rule.name()));
        }
        self.audit_clause(rule, &clause);
        ctx.conflict(&clause);
        Stop
    }

    /// Two terms are equal because of the premises. Nothing to do if they are known to be.
    pub(crate) fn fact(&mut self, rule: Rule, a: Node, b: Node, premises: &[Premise]) -> bool {
        if self.eg.same(a, b) {
            return false;
        }
        if self.log.tracing || self.audit.is_some() {
            let lits = self.explain_premises(premises);
            let (s, t) = (self.eg.term(a), self.eg.term(b));
            if self.log.tracing {
                let clause: Vec<Lit> = lits.iter().map(|&l| !l).collect();
                let why = self.clause_text(&clause);
                let (s, t) = (self.text(s), self.text(t));
                self.log.say(|| format!("{:18} fact: (= {s} {t}) or {why}", rule.name()));
            }
            self.audit_fact(rule, &lits, s, t);
        }
        self.log.count(rule);
        let id = self.eg.add_fact(premises);
        self.eg.merge(a, b, Reason::Fact(id));
        true
    }

    /// The premises imply one of these (rewritten) formulas. False if the lemma was sent before and is satisfied or
    /// waits for a decision.
    pub(crate) fn lemma(
        &mut self,
        ctx: &mut Context<'_>,
        rule: Rule,
        premises: &[Premise],
        conclusion: &[Term],
    ) -> bool {
        let premises = self.explain_premises(premises);
        self.lemma_lits(ctx, rule, &premises, conclusion)
    }

    /// As [`Theory::lemma`], from literals.
    pub(crate) fn lemma_lits(
        &mut self,
        ctx: &mut Context<'_>,
        rule: Rule,
        premises: &[Lit],
        conclusion: &[Term],
    ) -> bool {
        let mut out: Vec<Lit> = Vec::new();
        for &t in conclusion {
            let t = self.rw.rewrite(self.pool, self.mode, t);
            out.push(self.literal(ctx, t));
        }
        let mut clause: Vec<Lit> = premises.iter().map(|&l| !l).collect();
        clause.extend(&out);
        clause.sort_unstable();
        clause.dedup();
        if !self.sent.insert(clause.clone().into()) {
            // Sent before. If it is false now, it has to be heard again.
            if clause.iter().all(|&l| ctx.value(l) == Some(false)) {
                ctx.conflict(&clause);
                return true;
            }
            return false;
        }
        self.log.count(rule);
        if self.log.tracing {
            let text = self.clause_text(&clause);
            self.log.say(|| format!("{:18} lemma: {text}", rule.name()));
        }
        self.audit_clause(rule, &clause);
        ctx.lemma(&clause);
        self.cnf.add_lemma(premises, &out);
        true
    }

    /// A formula that holds always.
    pub(crate) fn valid(&mut self, ctx: &mut Context<'_>, rule: Rule, formula: Term) -> bool {
        let formula = self.rw.rewrite(self.pool, self.mode, formula);
        if formula == self.eg.term(self.truth) {
            return false;
        }
        // A disjunction is a clause as it stands: a unit clause of its name would send the search back to the start.
        let parts = match self.pool.head(formula) {
            smt::Head::Op(Op::Or) => self.pool.args(formula).to_vec(),
            _ => vec![formula],
        };
        self.lemma_lits(ctx, rule, &[], &parts)
    }

    /// This atom should be decided while the premises hold; `phase` first.
    pub(crate) fn split(
        &mut self,
        ctx: &mut Context<'_>,
        rule: Rule,
        premises: &[Premise],
        atom: Term,
        phase: bool,
    ) -> bool {
        let atom = self.rw.rewrite(self.pool, self.mode, atom);
        let l = self.literal(ctx, atom);
        if ctx.value(l).is_some() {
            return false;
        }
        ctx.set_phase(l.var(), phase == l.is_positive());
        if self.log.tracing {
            let text = self.text(atom);
            self.log.say(|| format!("{:18} split: {text}", rule.name()));
        }
        self.log.count(rule);
        let premises = self.explain_premises(premises);
        self.cnf.add_split(&premises, l);
        true
    }

    /// The literal of a rewritten formula; new atoms are made known to the theories.
    pub(crate) fn literal(&mut self, ctx: &mut Context<'_>, t: Term) -> Lit {
        let l = self.cnf.literal(self.pool, t, ctx);
        self.meet_atoms();
        l
    }

    /// A clause as text.
    pub(crate) fn clause_text(&self, clause: &[Lit]) -> String {
        let lits: Vec<String> = clause.iter().map(|&l| self.lit_text(l)).collect();
        format!("(or {})", lits.join(" "))
    }

    fn lit_text(&self, l: Lit) -> String {
        let text = match self.cnf.atom(l.var()) {
            Some(t) => self.text(t),
            None => format!("{:?}", l.var().lit(true)),
        };
        if l.is_positive() { text } else { format!("(not {text})") }
    }

    fn audit_clause(&mut self, rule: Rule, clause: &[Lit]) {
        let Some(mut audit) = self.audit.take() else { return };
        let lits: Vec<(Term, bool)> = clause.iter().filter_map(|&l| self.cnf.formula(l)).collect();
        if lits.len() == clause.len() {
            audit.clause(self.pool, self.skolems.all(), rule, &lits);
        }
        self.audit = Some(audit);
    }

    fn audit_fact(&mut self, rule: Rule, lits: &[Lit], s: Term, t: Term) {
        if self.audit.is_none() {
            return;
        }
        let eq = self.pool.mk(smt::Head::Op(Op::Eq), Sort::BOOL, &[s, t]);
        let Some(mut audit) = self.audit.take() else { return };
        let mut clause: Vec<(Term, bool)> = vec![(eq, true)];
        clause.extend(lits.iter().filter_map(|&l| self.cnf.formula(!l)));
        if clause.len() == lits.len() + 1 {
            audit.clause(self.pool, self.skolems.all(), rule, &clause);
        }
        self.audit = Some(audit);
    }
}

impl sat::Theory for Theory<'_> {
    fn new_level(&mut self) {
        self.marks.push(Mark {
            asserted: self.asserted.len(),
            equalities: self.ar.mark(),
            reasons: self.reasons.len(),
            made: self.made.len(),
            root: self.cnf.mark(),
        });
        self.eg.push();
        self.ar.push();
    }

    fn backtrack(&mut self, level: usize) {
        let levels = self.marks.len() - level;
        if levels == 0 {
            return;
        }
        let mark = &self.marks[level];
        self.asserted.truncate(mark.asserted);
        self.reasons.truncate(mark.reasons);
        self.made.truncate(mark.made);
        self.cnf.back_to(mark.root);
        self.eg.pop(levels);
        self.ar.pop(levels, mark.equalities);
        self.marks.truncate(level);
        self.pending.clear();
        self.events.clear();
    }

    fn assign(&mut self, l: Lit) {
        if self.cnf.atom(l.var()).is_some() {
            self.pending.push(l);
        }
    }

    fn propagate(&mut self, ctx: &mut Context<'_>) {
        let _ = self.close(ctx);
    }

    fn explain(&mut self, l: Lit, reason: u32, out: &mut Vec<Lit>) {
        let premises = self.reasons[reason as usize].clone();
        let lits = self.explain_premises(&premises);
        out.push(l);
        out.extend(lits.iter().map(|&l| !l));
        if self.audit.is_some() {
            let clause = out.clone();
            self.audit_clause(Rule::Equality, &clause);
        }
    }

    fn decide(&mut self, ctx: &mut Context<'_>) -> Decision {
        if let Some(l) = self.bound_lengths(ctx) {
            return Decision::Lit(l);
        }
        match self.cnf.decide(ctx) {
            Some(l) => Decision::Lit(l),
            None => Decision::Done,
        }
    }

    fn final_check(&mut self, ctx: &mut Context<'_>) -> Final {
        self.full_check(ctx)
    }

    fn stop(&mut self) -> bool {
        (self.interrupted)() || self.audit.as_ref().is_some_and(|a| a.failure.is_some())
    }
}
