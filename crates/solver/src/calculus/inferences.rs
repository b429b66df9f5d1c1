//! The inference interface: the only exit of conclusions.
//!
//! | | concludes | sent to |
//! |---|---|---|
//! | [`Calculus::conflict`] | the premises contradict each other | the SAT solver |
//! | [`Calculus::fact`] | the premises imply an equality; no clause, no new atom | the e-graph |
//! | [`Calculus::propagate`] | the premises imply a literal; explained only on request | the SAT solver |
//! | [`Calculus::lemma`], [`Calculus::valid`] | the premises imply a disjunction, perhaps with new atoms | the SAT solver |
//! | [`Calculus::split`] | nothing: requests a decision on an atom | [`Cnf::decide`] |
//!
//! Each call names its [`Rule`] and its premises, is counted, and is written to the trace and evaluated by the audit if
//! these are on. The context of the SAT solver is private to this file.

use super::{Calculus, State, Stop, Workspace};
use crate::audit::Audit;
use crate::build;
use crate::cnf::Cnf;
use crate::egraph::{Node, Premise, Reason};
use crate::infer::{Log, Rule};
use crate::options::Options;
use crate::preprocess::Bits;
use crate::terms::Terms;
use rustc_hash::FxHashMap;
use sat::{Context, Lit, Var};
use smt::work::spend;
use smt::{Fun, Head, Op, Pool, Term};

/// The conclusions of a check, so far.
pub(crate) struct Record {
    cnf: Cnf,
    log: Log,
    audit: Option<Audit>,
    /// The clauses of all lemmas, with the check that last needed them.
    sent: FxHashMap<Box<[Lit]>, u32>,
    /// The number of the check.
    epoch: u32,
    /// The reasons of propagated literals.
    reasons: Vec<(Rule, Box<[Premise]>)>,
    marks: Vec<Mark>,
}

/// The sizes to which lists are cut on backtracking.
struct Mark {
    reasons: usize,
    goals: usize,
}

impl Record {
    /// An empty record. `originals` are the assertions as given, `fresh` the constants of preprocessing with their
    /// witnesses.
    pub(crate) fn new(pool: &Pool, originals: &[Term], fresh: &[(Fun, Term)], options: &Options) -> Record {
        Record {
            cnf: Cnf::default(),
            log: Log::new(options.trace),
            audit: options.audit.then(|| Audit::new(pool, originals, fresh, options.seed)),
            sent: FxHashMap::default(),
            epoch: 0,
            reasons: Vec::new(),
            marks: Vec::new(),
        }
    }

    /// Starts another check at level 0: clauses stay, but nothing that earlier checks needed is decided any more.
    pub(super) fn begin(&mut self, audit: Option<Audit>) {
        debug_assert!(self.marks.is_empty(), "a check begins at level 0");
        self.epoch += 1;
        self.cnf.forget_goals();
        self.log = Log::new(self.log.tracing);
        self.audit = audit;
    }

    /// The formulas as literals.
    pub(crate) fn cnf(&self) -> &Cnf {
        &self.cnf
    }

    /// Counters, and the trace.
    pub(crate) fn log(&mut self) -> &mut Log {
        &mut self.log
    }

    /// The audit, if it is on.
    pub(crate) fn audit(&self) -> Option<&Audit> {
        self.audit.as_ref()
    }

    /// Whether the audit found a false claim.
    pub(super) fn audit_failed(&self) -> bool {
        self.audit.as_ref().is_some_and(|a| a.failure.is_some())
    }

    /// Opens a decision level.
    pub(crate) fn push(&mut self) {
        self.marks.push(Mark { reasons: self.reasons.len(), goals: self.cnf.mark() });
    }

    /// Returns to a decision level below the current one.
    pub(crate) fn backtrack(&mut self, level: usize) {
        let mark = &self.marks[level];
        self.reasons.truncate(mark.reasons);
        self.cnf.back_to(mark.goals);
        self.marks.truncate(level);
    }

    fn register_new_atoms(&mut self, terms: &mut Terms<'_>, state: &mut State) {
        for v in self.cnf.take_fresh() {
            if let Some(atom) = self.cnf.atom(v) {
                state.register_atom(terms, atom, v.lit(true));
            }
        }
        state.register_monomials(terms.pool);
    }

    fn literal_texts(&self, pool: &Pool, lits: &[Lit]) -> Vec<String> {
        lits.iter().map(|&l| self.literal_text(pool, l)).collect()
    }

    fn literal_text(&self, pool: &Pool, l: Lit) -> String {
        let text = match self.cnf.atom(l.var()) {
            Some(t) => smt::print::term_text(pool, t),
            None => format!("{:?}", l.var().lit(true)),
        };
        if l.is_positive() { text } else { format!("(not {text})") }
    }

    fn trace_lemma(&mut self, pool: &Pool, rule: Rule, clause: &[Lit]) {
        if self.log.tracing {
            let text = self.literal_texts(pool, clause).join(" or ");
            self.log.write(format!("{:18} lemma: {text}", rule.name()));
        }
    }

    fn trace_conflict(&mut self, pool: &Pool, rule: Rule, lits: &[Lit]) {
        if self.log.tracing {
            let text = self.literal_texts(pool, lits).join(", ");
            self.log.write(format!("{:18} conflict: not all of {text}", rule.name()));
        }
    }

    fn audit_clause(&mut self, pool: &Pool, skolems: &[(Fun, Term)], rule: Rule, clause: &[Lit]) {
        let Some(audit) = &mut self.audit else { return };
        let lits: Vec<(Term, bool)> = clause.iter().filter_map(|&l| self.cnf.formula(l)).collect();
        if lits.len() == clause.len() {
            audit.clause(pool, skolems, rule, &lits);
        }
    }

    fn audit_fact(&mut self, terms: &mut Terms<'_>, rule: Rule, lits: &[Lit], s: Term, t: Term) {
        let Some(audit) = &mut self.audit else { return };
        let eq = build::eq(terms.pool, s, t);
        let mut clause: Vec<(Term, bool)> = vec![(eq, true)];
        clause.extend(lits.iter().filter_map(|&l| self.cnf.formula(!l)));
        if clause.len() == lits.len() + 1 {
            audit.clause(terms.pool, terms.skolems.all(), rule, &clause);
        }
    }
}

/// The record, with the context of the SAT solver.
pub(crate) struct Inferences<'c> {
    ctx: Context<'c>,
    record: &'c mut Record,
}

impl<'c> Inferences<'c> {
    pub(super) fn new(ctx: Context<'c>, record: &'c mut Record) -> Self {
        Inferences { ctx, record }
    }

    /// The value of a literal.
    pub(crate) fn value(&self, l: Lit) -> Option<bool> {
        self.ctx.value(l)
    }

    /// Counts units of work.
    pub(crate) fn tick(&mut self, n: u64) {
        self.ctx.tick(n);
        spend(n as usize);
    }

    /// The atom of a variable.
    pub(crate) fn atom(&self, v: Var) -> Option<Term> {
        self.record.cnf.atom(v)
    }

    /// The literal of a formula, if it has one.
    pub(crate) fn literal_of(&self, t: Term) -> Option<Lit> {
        self.record.cnf.known(t)
    }

    /// Whether there are vectors with bits.
    pub(crate) fn has_vectors(&self) -> bool {
        self.record.cnf.has_vectors()
    }

    /// Whether a vector has bits.
    pub(crate) fn has_bits(&self, t: Term) -> bool {
        self.record.cnf.vector(t).is_some()
    }

    /// The values of the bits of a vector, if it has any.
    pub(crate) fn bits(&self, t: Term) -> Option<Vec<bool>> {
        let bits = self.record.cnf.vector(t)?;
        Some(bits.iter().map(|&l| self.ctx.value(l) == Some(true)).collect())
    }

    /// A literal that some formula needs to be true, or to have a value.
    pub(crate) fn next_decision(&mut self) -> Option<Lit> {
        self.record.cnf.decide(&self.ctx)
    }

    /// Whether the audit found a false claim.
    pub(super) fn audit_failed(&self) -> bool {
        self.record.audit_failed()
    }

    /// Counts a step that concludes nothing.
    pub(crate) fn count(&mut self, rule: Rule) {
        self.record.log.count(rule);
    }

    /// Writes lines to the trace, if it is on.
    pub(crate) fn trace(&mut self, lines: impl FnOnce() -> Vec<String>) {
        if self.record.log.tracing {
            lines().into_iter().for_each(|line| self.record.log.write(line));
        }
    }

    /// Returns the search to level 0, by a unit clause.
    pub(crate) fn restart(&mut self) {
        let truth = self.record.cnf.truth(&mut self.ctx);
        self.ctx.lemma(&[truth]);
    }
}

fn negated(lits: &[Lit]) -> Vec<Lit> {
    lits.iter().map(|&l| !l).collect()
}

impl Calculus<'_> {
    /// Sends a conflict: the premises contradict each other.
    pub(crate) fn conflict(&mut self, rule: Rule, premises: &[Premise]) -> Stop {
        let lits = self.explain(premises);
        let clause = negated(&lits);
        let record = &mut *self.inferences.record;
        record.log.count(rule);
        record.trace_conflict(self.terms.pool, rule, &lits);
        record.audit_clause(self.terms.pool, self.terms.skolems.all(), rule, &clause);
        self.inferences.ctx.conflict(&clause);
        Stop
    }

    /// Merges two nodes whose equality the premises imply. False if they are in one class already.
    pub(crate) fn fact(&mut self, rule: Rule, a: Node, b: Node, premises: &[Premise]) -> bool {
        if self.state.egraph.same(a, b) {
            return false;
        }
        let record = &*self.inferences.record;
        if record.log.tracing || record.audit.is_some() {
            self.report_fact(rule, a, b, premises);
        }
        self.inferences.record.log.count(rule);
        let id = self.state.egraph.add_fact(premises);
        self.state.egraph.merge(a, b, Reason::Fact(id));
        true
    }

    fn report_fact(&mut self, rule: Rule, a: Node, b: Node, premises: &[Premise]) {
        let lits = self.explain(premises);
        let (s, t) = (self.term(a), self.term(b));
        let record = &mut *self.inferences.record;
        if record.log.tracing {
            let why = match lits[..] {
                [] => String::new(),
                _ => format!(" because {}", record.literal_texts(self.terms.pool, &lits).join(", ")),
            };
            let (s, t) = (self.terms.text(s), self.terms.text(t));
            record.log.write(format!("{:18} fact: (= {s} {t}){why}", rule.name()));
        }
        record.audit_fact(&mut self.terms, rule, &lits, s, t);
    }

    /// Sends a literal that the premises imply.
    pub(crate) fn propagate(&mut self, rule: Rule, l: Lit, premises: &[Premise]) {
        let reasons = &mut self.inferences.record.reasons;
        let reason = u32::try_from(reasons.len()).expect("fewer than 2^32 reasons");
        reasons.push((rule, premises.into()));
        self.inferences.ctx.propagate(l, reason);
    }

    /// Sends a lemma: the premises imply one of the formulas. False if it was sent before and is not false now.
    pub(crate) fn lemma(&mut self, rule: Rule, premises: &[Premise], conclusion: &[Term]) -> bool {
        let premises = self.explain(premises);
        let mut out: Vec<Lit> = Vec::new();
        for &t in conclusion {
            let t = self.terms.rewrite(t);
            out.push(self.literal(t));
        }
        let mut clause = negated(&premises);
        clause.extend(&out);
        clause.sort_unstable();
        clause.dedup();
        let Inferences { ctx, record } = &mut self.inferences;
        if let Some(epoch) = record.sent.insert(clause.clone().into(), record.epoch) {
            let violated = clause.iter().all(|&l| ctx.value(l) == Some(false));
            if violated {
                ctx.conflict(&clause);
            }
            if epoch != record.epoch {
                record.cnf.add_lemma(&premises, &out);
            }
            return violated || epoch != record.epoch;
        }
        record.log.count(rule);
        record.trace_lemma(self.terms.pool, rule, &clause);
        record.audit_clause(self.terms.pool, self.terms.skolems.all(), rule, &clause);
        ctx.lemma(&clause);
        record.cnf.add_lemma(&premises, &out);
        true
    }

    /// Sends a lemma: the premises imply that two vectors have different bits. False if that was sent before.
    pub(crate) fn differ(&mut self, premises: &[Premise], a: Term, b: Term) -> bool {
        let mut clause = negated(&self.explain(premises));
        let Inferences { ctx, record } = &mut self.inferences;
        let (Some(x), Some(y)) = (record.cnf.vector(a), record.cnf.vector(b)) else { return false };
        let both: Vec<(Lit, Lit)> = x.iter().copied().zip(y.iter().copied()).collect();
        // As a key, the clause has the vectors in the place of the bits that differ.
        let mut key: Vec<Lit> = clause.clone();
        key.extend(both.iter().flat_map(|&(x, y)| [x, y]));
        if record.sent.insert(key.into(), record.epoch).is_some() {
            return false;
        }
        record.log.count(Rule::Bits);
        for (x, y) in both {
            let d = ctx.new_var().lit(true);
            for part in [[!d, x, y], [!d, !x, !y], [d, !x, y], [d, x, !y]] {
                ctx.lemma(&part);
            }
            clause.push(d);
        }
        ctx.lemma(&clause);
        true
    }

    /// Sends a valid formula. False if it rewrites to true, or as for [`Calculus::lemma`].
    pub(crate) fn valid(&mut self, rule: Rule, formula: Term) -> bool {
        let formula = self.terms.rewrite(formula);
        if formula == self.term(self.state.truth) {
            return false;
        }
        // A disjunction is sent as a clause: a unit clause of its name would return the search to level 0.
        let parts = match self.head(formula) {
            Head::Op(Op::Or) => self.terms.pool.args(formula).to_vec(),
            _ => vec![formula],
        };
        self.lemma(rule, &[], &parts)
    }

    /// Requests a decision on an atom while the premises hold, with `phase` first. False if it has a value.
    pub(crate) fn split(&mut self, rule: Rule, premises: &[Premise], atom: Term, phase: bool) -> bool {
        let atom = self.terms.rewrite(atom);
        let l = self.literal(atom);
        if self.inferences.value(l).is_some() {
            return false;
        }
        self.inferences.ctx.set_phase(l.var(), phase == l.is_positive());
        let record = &mut *self.inferences.record;
        if record.log.tracing {
            let text = self.terms.text(atom);
            record.log.write(format!("{:18} split: {text}", rule.name()));
        }
        record.log.count(rule);
        let premises = self.explain(premises);
        self.inferences.record.cnf.add_split(&premises, l);
        true
    }

    /// The literal of an atom, to be decided now; its value if it has one.
    pub(crate) fn decision(&mut self, rule: Rule, atom: Term) -> Result<Lit, bool> {
        let l = self.literal(atom);
        if let Some(value) = self.inferences.value(l) {
            return Err(value);
        }
        self.inferences.record.log.count(rule);
        Ok(l)
    }

    /// Sets the value that is tried first when an atom is decided.
    pub(crate) fn set_phase(&mut self, atom: Term, phase: bool) {
        let l = self.literal(atom);
        self.inferences.ctx.set_phase(l.var(), phase == l.is_positive());
    }

    /// The literals that imply the premises.
    fn explain(&mut self, premises: &[Premise]) -> Vec<Lit> {
        let mut lits = Vec::new();
        self.state.egraph.explain(premises, &mut lits);
        lits
    }

    /// The literal of a rewritten formula; new atoms are added to the theories.
    fn literal(&mut self, t: Term) -> Lit {
        let Inferences { ctx, record } = &mut self.inferences;
        let l = record.cnf.literal(self.terms.pool, t, ctx);
        record.register_new_atoms(&mut self.terms, self.state);
        l
    }
}

impl Workspace<'_> {
    /// The clause by which a propagated literal is implied; the literal is first.
    pub(crate) fn explain_propagation(&mut self, l: Lit, reason: u32, out: &mut Vec<Lit>) {
        let (rule, premises) = &self.record.reasons[reason as usize];
        let rule = *rule;
        let mut lits = Vec::new();
        self.state.egraph.explain(premises, &mut lits);
        out.push(l);
        out.extend(lits.iter().map(|&l| !l));
        self.record.audit_clause(self.terms.pool, self.terms.skolems.all(), rule, out);
    }

    /// The literal of an assertion, before the search. The caller registers its atoms.
    pub(crate) fn assertion_literal(&mut self, t: Term, sat: &mut sat::Solver) -> Lit {
        let t = self.terms.builder().rewrite(t);
        self.record.cnf.literal(self.terms.pool, t, sat)
    }

    /// Adds the meaning of bit-vectors, before the search. The caller registers its atoms.
    pub(crate) fn add_bits(&mut self, bits: &Bits, sat: &mut sat::Solver) {
        let terms = &mut self.terms.builder();
        let formula = |cnf: &mut Cnf, t: Term, sat: &mut sat::Solver| {
            let t = terms.rewrite(t);
            cnf.literal(terms.pool, t, sat)
        };
        self.record.cnf.add_circuit(bits, formula, sat);
        for &t in &bits.statements {
            let l = self.assertion_literal(t, sat);
            sat.add_clause(&[l]);
        }
    }

    /// Requires what the meaning of bit-vectors needs in a check.
    pub(crate) fn require_bits(&mut self, bits: &Bits, sat: &mut sat::Solver) {
        for &t in &bits.statements {
            let l = self.assertion_literal(t, sat);
            self.record.cnf.add_assertion(l);
        }
        for &t in &bits.conditions {
            let l = self.assertion_literal(t, sat);
            self.record.cnf.add_value(l);
        }
    }

    /// Adds the atoms of all assertions to the theories.
    pub(crate) fn register_new_atoms(&mut self) {
        self.record.register_new_atoms(&mut self.terms.builder(), &mut self.state);
    }

    /// Requires a literal to be true; if there is an assumption, only while that is true.
    pub(crate) fn require(&mut self, assumption: Option<Lit>, l: Lit) {
        match assumption {
            Some(a) => self.record.cnf.add_lemma(&[a], &[l]),
            None => self.record.cnf.add_assertion(l),
        }
    }
}
