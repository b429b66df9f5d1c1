//! The theory as the SAT solver sees it: congruence closure, linear arithmetic and strings together.
//!
//! Literals arrive through `assign` and are processed in `propagate` (`theory/propagate.rs`). When nothing is left to
//! decide, `final_check` (`theory/check.rs`) runs the arithmetic checks and the strategy of [`crate::strings`], then
//! builds a candidate model. All conclusions leave through the inference interface of [`crate::calculus`].

mod check;
mod propagate;
mod register;
mod small;

use crate::audit::Audit;
use crate::builder::Builder;
use crate::calculus::{self, Record, Workspace};
use crate::infer::Log;
use crate::lra::Reals;
use crate::options::Options;
use crate::preprocess::Bits;
use crate::rewrite::Rewriter;
use crate::strings::ahead::{self, Ahead};
use crate::strings::bound::{self, LengthBound};
use crate::strings::model::Problem;
use sat::{Context, Decision, Final, Lit};
use semantics::Model;
use smt::{Head, Op, Pool, Sort, Term};

/// What a theory leaves for a later check with the same SAT solver.
pub(crate) struct Kept {
    workspace: calculus::Kept,
    pending: Vec<Lit>,
}

/// The theory. See the module.
pub(crate) struct Theory<'a> {
    workspace: Workspace<'a>,
    problem: Problem<'a>,
    bound: LengthBound,
    /// Checks of candidates that ended without a model; small values are tried in one of them, and then no more.
    open_checks: u32,
    ahead: Ahead,
    /// Literals that are assigned and not yet processed.
    pending: Vec<Lit>,
    /// Nothing needs a decision but the bits of vectors, since the last change that this theory was notified of.
    settled: bool,
    /// The model that was accepted.
    pub(crate) found: Option<Model>,
    /// The reason why the search cannot be completed.
    pub(crate) incomplete: Option<String>,
}

impl<'a> Theory<'a> {
    /// A theory without literals.
    pub(crate) fn new(
        pool: &'a mut Pool,
        rewriter: &'a mut Rewriter,
        options: &Options,
        interrupt: &'a dyn Fn() -> bool,
        problem: Problem<'a>,
    ) -> Self {
        let record = Record::new(pool, problem.originals, &problem.prepared.fresh, options);
        Theory::over(Workspace::new(pool, rewriter, record, options, interrupt), problem, Vec::new())
    }

    /// The theory of an earlier check on the same pool, for other assertions.
    pub(crate) fn resume(
        pool: &'a mut Pool,
        rewriter: &'a mut Rewriter,
        mut kept: Kept,
        options: &Options,
        interrupt: &'a dyn Fn() -> bool,
        problem: Problem<'a>,
    ) -> Self {
        let fresh = &problem.prepared.fresh;
        kept.workspace.begin(options.audit.then(|| Audit::new(pool, problem.originals, fresh, options.seed)));
        let workspace = Workspace::resume(pool, rewriter, kept.workspace, options, interrupt);
        Theory::over(workspace, problem, kept.pending)
    }

    fn over(workspace: Workspace<'a>, problem: Problem<'a>, pending: Vec<Lit>) -> Self {
        let bound = LengthBound::default();
        Theory {
            workspace,
            problem,
            bound,
            open_checks: 0,
            ahead: Ahead::default(),
            pending,
            settled: false,
            found: None,
            incomplete: None,
        }
    }

    /// What a later check can resume.
    pub(crate) fn into_kept(self) -> Kept {
        Kept { workspace: self.workspace.into_kept(), pending: self.pending }
    }

    /// The literal of an assertion.
    pub(crate) fn literal(&mut self, t: Term, sat: &mut sat::Solver) -> Lit {
        self.workspace.assertion_literal(t, sat)
    }

    /// Requires a literal to be justified; if there is an assumption, only while that is true.
    pub(crate) fn require(&mut self, assumption: Option<Lit>, l: Lit) {
        self.workspace.require(assumption, l);
    }

    /// Adds the meaning of bit-vectors.
    pub(crate) fn add_bits(&mut self, bits: &Bits, sat: &mut sat::Solver) {
        self.workspace.add_bits(bits, sat);
    }

    /// Requires what it needs in this check.
    pub(crate) fn require_bits(&mut self, bits: &Bits, sat: &mut sat::Solver) {
        self.workspace.require_bits(bits, sat);
    }

    /// Ends the input.
    pub(crate) fn start(&mut self) {
        let pool = &*self.workspace.terms.builder().pool;
        self.workspace.state.reals = Reals::wanted(pool, &self.problem.prepared.assertions);
        let inputs = input_strings(self.workspace.terms.builder().pool, &self.problem.prepared.assertions);
        self.start_with(&inputs);
    }

    /// Ends the input, whose string constants are these.
    pub(crate) fn start_with(&mut self, inputs: &[Term]) {
        self.workspace.register_new_atoms();
        if inputs.is_empty() {
            return;
        }
        let mut terms = self.workspace.terms.builder();
        let lengths: Vec<Term> = inputs.iter().map(|&t| terms.len(t)).collect();
        self.bound.sum = Some(terms.mk(Op::Add, &lengths));
    }

    /// The first false claim that the audit found.
    pub(crate) fn audit_failure(&self) -> Option<&str> {
        self.workspace.record.audit().and_then(|a| a.failure.as_deref())
    }

    /// The number of claims that were audited, if the audit is on.
    pub(crate) fn audited_claims(&self) -> Option<u64> {
        self.workspace.record.audit().map(|a| a.claims)
    }

    /// Counters and trace.
    pub(crate) fn log(&mut self) -> &mut Log {
        self.workspace.record.log()
    }
}

impl sat::Theory for Theory<'_> {
    fn new_level(&mut self) {
        self.workspace.record.push();
        self.workspace.state.push();
    }

    fn backtrack(&mut self, level: usize) {
        self.settled = false;
        if level < self.workspace.state.level() {
            self.workspace.record.backtrack(level);
            self.workspace.state.backtrack(level);
            self.pending.clear();
        }
    }

    fn assign(&mut self, l: Lit) {
        self.settled = false;
        if self.workspace.record.cnf().atom(l.var()).is_some() {
            self.pending.push(l);
        }
    }

    fn propagate(&mut self, ctx: &mut Context<'_>) {
        let pending = std::mem::take(&mut self.pending);
        let _ = propagate::assert_literals(&mut self.workspace.calculus(ctx), &pending);
    }

    fn explain(&mut self, l: Lit, reason: u32, out: &mut Vec<Lit>) {
        self.workspace.explain_propagation(l, reason, out);
    }

    fn decide(&mut self, ctx: &mut Context<'_>) -> Decision {
        if self.settled {
            return Decision::Unobserved;
        }
        let mut calculus = self.workspace.calculus(ctx);
        let literal = ahead::decide(&mut calculus, self.problem.originals, &mut self.ahead)
            .or_else(|| bound::decide(&mut calculus, &self.bound))
            .or_else(|| calculus.inferences.next_decision());
        self.settled = literal.is_none();
        literal.map_or(Decision::Unobserved, Decision::Lit)
    }

    fn final_check(&mut self, ctx: &mut Context<'_>) -> Final {
        self.settled = false;
        self.check(ctx)
    }

    fn stop(&mut self) -> bool {
        self.workspace.interrupted()
    }
}

/// The declared string constants in the assertions.
pub(crate) fn input_strings(pool: &Pool, assertions: &[Term]) -> Vec<Term> {
    let is_input = |t: Term| {
        matches!(pool.head(t), Head::Fun(_)) && pool.args(t).is_empty() && pool.sort_of(t) == Sort::STRING
    };
    pool.subterms(assertions.iter().copied()).filter(|&t| is_input(t)).collect()
}
