//! The rewriter: `t↓` of Reynolds et al., "Scaling up DPLL(T) string solvers using context-dependent
//! simplification" (CAV 2017), with the abstractions of "High-level abstractions for simplifying extended
//! string constraints in SMT" (CAV 2019).
//!
//! Terms are rewritten bottom-up, memoised and without recursion. A rule is a function, registered in [`RULES`] with a
//! name and the operators it applies to. It gets a term whose arguments are in normal form and returns an equivalent
//! term, which is rewritten in turn. Tests evaluate each step of each rule by the referee's semantics.
//!
//! For example `(str.len (str.++ x "ab"))` becomes `(+ (str.len x) 2)`, and `(str.contains (str.++ x "ab") "b")` becomes
//! `true`.
//!
//! Nested conjunctions, disjunctions, sums and concatenations are flattened top-down, so that a chain of `n` of them takes
//! linear time.

mod arith;
mod boolean;
mod concat;
mod contains;
mod convert;
pub(crate) mod data;
mod equality;
mod extended;
mod fold;
mod indexof;
mod letters;
pub(crate) mod loops;
mod order;
pub(crate) mod reals;
mod regex;
mod replace;
mod substr;
pub(crate) mod symbolic;
#[cfg(test)]
pub(crate) mod tests;

use crate::build::{self, Terms, is};
use crate::poly::{Linear, Poly, linear};
use regex::Regexes;
use rustc_hash::FxHashMap;
use smt::term::Role;
use smt::work::spend;
use smt::{Head, Op, Pool, Sort, Term, Walk};
use std::sync::LazyLock;

/// The data that rules work on.
pub(crate) struct Cx<'a> {
    /// The terms.
    pub(crate) pool: &'a mut Pool,
    /// Languages of ground regular expressions.
    pub(crate) regexes: &'a mut Regexes,
}

/// The function of a rule: returns an equivalent and different term, or none if the rule does not apply.
type Apply = fn(&mut Cx<'_>, Term) -> Option<Term>;

/// A rewrite rule.
pub(crate) struct Rule {
    /// The name, by which tests report and count steps.
    pub(crate) name: &'static str,
    /// The operators that the rule is tried on.
    ops: &'static [Op],
    apply: Apply,
    /// The rule uses facts about a term that its axioms state; it rewrites those axioms to `true`.
    entailment: bool,
}

impl Rule {
    /// A rule for both modes.
    const fn new(name: &'static str, ops: &'static [Op], apply: Apply) -> Self {
        Rule { name, ops, apply, entailment: false }
    }

    /// A rule for [`Mode::Full`] only.
    const fn entailment(name: &'static str, ops: &'static [Op], apply: Apply) -> Self {
        Rule { name, ops, apply, entailment: true }
    }
}

/// The set of rules to use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// All rules.
    Full,
    /// All but the entailment rules: for axioms, which state the facts that those rules use. With all rules,
    /// `(>= (str.len x) 0)` is rewritten to `true`, and arithmetic never gets the bound.
    WithoutEntailment,
}

impl Mode {
    const ALL: [Mode; 2] = [Mode::Full, Mode::WithoutEntailment];

    fn uses(self, rule: &Rule) -> bool {
        self == Mode::Full || !rule.entailment
    }
}

/// All rules of the core rewriter, tried in this order.
static RULES: &[&[Rule]] = &[
    fold::RULES,
    boolean::RULES,
    arith::RULES,
    concat::RULES,
    substr::RULES,
    contains::RULES,
    indexof::RULES,
    replace::RULES,
    convert::RULES,
    order::RULES,
    regex::RULES,
    symbolic::RULES,
    letters::RULES,
    equality::RULES,
    loops::RULES,
];

/// In the memo: not rewritten yet.
const UNKNOWN: u32 = u32::MAX;
/// In the memo: being rewritten.
const RUNNING: u32 = u32::MAX - 1;

/// Parts of a flat concatenation, at most: with sharing it can be exponentially long.
const MAX_PARTS: usize = 1 << 20;
/// Steps of [`Rewriter::rewrite_eq`], at most.
const MAX_EXTENDED_STEPS: usize = 50;
/// Chains too long to flatten, after which a call flattens no concatenations.
const MAX_FAILURES: u32 = 40;
/// Rule applications in sequence, each to the result of the previous one, at most.
const MAX_CHAIN: u32 = 5_000;

/// A step of rewriting; the numbers are rule applications in sequence so far.
enum Task {
    /// Rewrites a term.
    Visit(Term, u32),
    /// Rebuilds a term from its rewritten arguments and applies the rules.
    Build(Term, u32),
    /// Rebuilds a chain of associative operators from its rewritten operands and applies the rules.
    Chain(Term, u32, Box<[Term]>),
    /// Copies the normal form of the last term to the other two.
    Link(Term, Term, Term),
}

/// The core rules of each mode, by operator.
static BY_OP: LazyLock<[Vec<Vec<&'static Rule>>; 2]> = LazyLock::new(|| {
    Mode::ALL.map(|mode| {
        let mut by_op = vec![Vec::new(); smt::op::TABLE.len() + smt::op::SEQUENCES.len()];
        for rule in RULES.iter().copied().flatten().filter(|r| mode.uses(r)) {
            rule.ops.iter().for_each(|&op| by_op[op as usize].push(rule));
        }
        by_op
    })
});

/// A rewriter with its memory.
pub(crate) struct Rewriter {
    /// The mode of the current call.
    mode: Mode,
    /// The normal form of each term, by mode.
    memo: [Vec<u32>; 2],
    extended: FxHashMap<Term, Term>,
    regexes: Regexes,
    stack: Vec<Task>,
    /// Chains of the current call that were too long to flatten.
    failures: u32,
    /// Rule applications stopped at [`MAX_CHAIN`] or in a cycle; a bug if not zero.
    exhausted: u64,
    /// Every step: the rule, and the term before and after.
    #[cfg(test)]
    pub(crate) trace: Vec<(&'static str, Term, Term)>,
}

impl Rewriter {
    /// A rewriter with an empty memory.
    pub(crate) fn new() -> Self {
        Rewriter {
            mode: Mode::Full,
            memo: [Vec::new(), Vec::new()],
            extended: FxHashMap::default(),
            regexes: Regexes::default(),
            stack: Vec::new(),
            failures: 0,
            exhausted: 0,
            #[cfg(test)]
            trace: Vec::new(),
        }
    }

    /// The normal form of `t` by the rules of `mode`: a term with the same value in every model.
    pub(crate) fn rewrite(&mut self, pool: &mut Pool, mode: Mode, t: Term) -> Term {
        self.mode = mode;
        if let Some(u) = self.known(t) {
            return u;
        }
        self.failures = 0;
        debug_assert!(self.stack.is_empty());
        self.stack.push(Task::Visit(t, 0));
        while let Some(task) = self.stack.pop() {
            spend(1);
            match task {
                Task::Visit(t, depth) => self.visit(pool, t, depth),
                Task::Build(t, depth) => self.build(pool, t, depth),
                Task::Chain(t, depth, leaves) => self.chain(pool, t, depth, &leaves),
                Task::Link(t, built, result) => {
                    let u = self.result(result);
                    self.set(built, u);
                    self.set(t, u);
                }
            }
        }
        self.result(t)
    }

    /// `(= s t)` of two strings, rewritten by all rules and those of [`extended`], which the core rewriter does not use.
    pub(crate) fn rewrite_eq(&mut self, pool: &mut Pool, s: Term, t: Term) -> Term {
        let equality = build::eq(pool, s, t);
        let mut now = self.rewrite(pool, Mode::Full, equality);
        let start = now;
        if let Some(&u) = self.extended.get(&start) {
            return u;
        }
        for _ in 0..MAX_EXTENDED_STEPS {
            if !is(pool, now, Op::Eq) || pool.sort_of(pool.args(now)[0]) != Sort::STRING {
                break;
            }
            let Some(u) = self.extended_step(pool, now) else { break };
            now = self.rewrite(pool, Mode::Full, u);
            if now == start {
                self.exhausted += 1;
                break;
            }
        }
        self.extended.insert(start, now);
        now
    }

    fn extended_step(&mut self, pool: &mut Pool, t: Term) -> Option<Term> {
        extended::RULES.iter().find_map(|rule| self.try_rule(pool, rule, t))
    }

    fn known(&self, t: Term) -> Option<Term> {
        match self.memo[self.mode as usize].get(t.0 as usize) {
            Some(&u) if u < RUNNING => Some(Term(u)),
            _ => None,
        }
    }

    /// The normal form of a visited term; the term itself if it is still being rewritten, which is a cycle of rules.
    fn result(&self, t: Term) -> Term {
        self.known(t).unwrap_or(t)
    }

    fn set(&mut self, t: Term, u: Term) {
        self.mark(t, u.0);
    }

    fn mark(&mut self, t: Term, u: u32) {
        let i = t.0 as usize;
        let memo = &mut self.memo[self.mode as usize];
        if memo.len() <= i {
            memo.resize(i + 1, UNKNOWN);
        }
        memo[i] = u;
    }

    fn visit(&mut self, pool: &mut Pool, t: Term, depth: u32) {
        match self.memo[self.mode as usize].get(t.0 as usize) {
            None | Some(&UNKNOWN) => {}
            Some(&RUNNING) => {
                self.exhausted += 1;
                return;
            }
            Some(_) => return,
        }
        match pool.head(t) {
            Head::Forall | Head::Exists | Head::Lambda => return self.set(t, t),
            Head::Opaque(_) if pool.set_op(t).is_none() && pool.bit_op(t).is_none() => return self.set(t, t),
            Head::Op(_) | Head::Indexed(..) | Head::Annot(_) => {}
            _ if pool.args(t).is_empty() => return self.set(t, t),
            _ => {}
        }
        self.mark(t, RUNNING);
        if let Some(leaves) = self.leaves(pool, t) {
            let visits: Vec<Task> = leaves.iter().rev().map(|&a| Task::Visit(a, depth)).collect();
            self.stack.push(Task::Chain(t, depth, leaves));
            self.stack.extend(visits);
        } else {
            self.stack.push(Task::Build(t, depth));
            for &a in pool.args(t).iter().rev() {
                if self.known(a).is_none() {
                    self.stack.push(Task::Visit(a, depth));
                }
            }
        }
    }

    /// The operands of a chain of associative operators.
    fn leaves(&mut self, pool: &mut Pool, t: Term) -> Option<Box<[Term]>> {
        let Head::Op(op) = pool.head(t) else { return None };
        match op {
            Op::And | Op::Or | Op::Implies => Some(junction_leaves(pool, t)),
            Op::StrConcat => {
                if self.failures > MAX_FAILURES {
                    return None;
                }
                let leaves = concat_leaves(pool, t);
                self.failures += u32::from(leaves.is_none());
                leaves
            }
            Op::Add | Op::Sub | Op::Neg | Op::Mul => match linear(pool, t) {
                Linear::Parts(_) => Some(Poly::of(pool, t).terms.into_iter().map(|(m, _)| m).collect()),
                _ => None,
            },
            _ => None,
        }
    }

    fn chain(&mut self, pool: &mut Pool, t: Term, depth: u32, leaves: &[Term]) {
        let Head::Op(op) = pool.head(t) else { unreachable!("only operators have chains") };
        let (rule, u) = match op {
            Op::And | Op::Or | Op::Implies => {
                let op = if op == Op::And { Op::And } else { Op::Or };
                let args: Vec<Term> = leaves.iter().map(|&a| self.result(a)).collect();
                (boolean::JUNCTION, boolean::junction(pool, op, &args))
            }
            Op::StrConcat => {
                let args: Vec<Term> = leaves.iter().map(|&a| self.result(a)).collect();
                (concat::CONCAT, concat::flat(pool, &args).unwrap_or(t))
            }
            _ => {
                let old = Poly::of(pool, t);
                let (mut terms, mut constant) = (Vec::with_capacity(old.terms.len()), old.constant);
                for (m, k) in old.terms {
                    let part = Poly::of(pool, self.result(m));
                    constant += &(&part.constant * &k);
                    terms.extend(part.terms.into_iter().map(|(u, n)| (u, n * &k)));
                }
                let sum = Poly::gather(terms, constant);
                (arith::SUM, sum.to_term(pool))
            }
        };
        if u != t {
            self.record(rule, t, u);
        }
        self.finish(pool, t, u, depth);
    }

    fn build(&mut self, pool: &mut Pool, t: Term, depth: u32) {
        let head = pool.head(t);
        if let Head::Annot(_) = head {
            let u = self.result(pool.args(t)[0]);
            return self.set(t, u);
        }
        let changed = pool.args(t).iter().any(|&a| self.result(a) != a);
        let u = if changed {
            let args: Terms = pool.args(t).iter().map(|&a| self.result(a)).collect();
            let sort = pool.sort_of(t);
            pool.mk(head, sort, &args)
        } else {
            t
        };
        self.finish(pool, t, u, depth);
    }

    /// Applies the rules to `u`, which is `t` with arguments in normal form.
    fn finish(&mut self, pool: &mut Pool, t: Term, u: Term, depth: u32) {
        if let Some(v) = self.known(u) {
            return self.set(t, v);
        }
        match self.step(pool, u) {
            None => {
                self.set(u, u);
                self.set(t, u);
            }
            Some(_) if depth >= MAX_CHAIN => {
                self.exhausted += 1;
                self.set(u, u);
                self.set(t, u);
            }
            Some(v) => {
                self.mark(u, RUNNING);
                self.stack.push(Task::Link(t, u, v));
                self.stack.push(Task::Visit(v, depth + 1));
            }
        }
    }

    fn step(&mut self, pool: &mut Pool, t: Term) -> Option<Term> {
        if let Some(u) = self.theory_step(pool, t) {
            return Some(u);
        }
        let op = match pool.head(t) {
            Head::Op(op) | Head::Indexed(op, _) => op as usize,
            _ => return None,
        };
        BY_OP[self.mode as usize][op].iter().find_map(|rule| self.try_rule(pool, rule, t))
    }

    /// A step on a term of another theory than strings and integers.
    fn theory_step(&mut self, pool: &mut Pool, t: Term) -> Option<Term> {
        let (rule, u) = match pool.head(t) {
            Head::Fun(f) if pool.fun(f).role != Role::Plain => ("data", data::application(pool, f, t)?),
            Head::Op(op) if arithmetic(op) => {
                let sort = pool.sort_of(*pool.args(t).first()?);
                let real = sort == Sort::REAL || op == Op::ToReal;
                match op {
                    _ if real => ("real", reals::step(pool, op, t)?),
                    Op::Eq if sort.0 > Sort::REGLAN.0 => ("data-eq", data::equality(pool, t)?),
                    _ => return None,
                }
            }
            _ => return None,
        };
        self.record(rule, t, u);
        Some(u)
    }

    fn try_rule(&mut self, pool: &mut Pool, rule: &Rule, t: Term) -> Option<Term> {
        spend(1 + pool.args(t).len() / 8);
        let u = (rule.apply)(&mut Cx { pool, regexes: &mut self.regexes }, t)?;
        if u == t {
            return None;
        }
        self.record(rule.name, t, u);
        Some(u)
    }

    #[cfg_attr(not(test), allow(unused_variables, clippy::unused_self, reason = "only tests keep the steps"))]
    fn record(&mut self, rule: &'static str, before: Term, after: Term) {
        #[cfg(test)]
        self.trace.push((rule, before, after));
    }

    /// The number of times that rewriting was stopped, which is a bug.
    #[cfg(test)]
    pub(crate) fn exhausted(&self) -> u64 {
        self.exhausted
    }
}

/// Operators that have reals as arguments, and equality.
fn arithmetic(op: Op) -> bool {
    matches!(op, Op::Eq | Op::Ge | Op::Gt | Op::Le | Op::Lt | Op::Add | Op::Sub | Op::Neg | Op::Mul | Op::Abs)
        || matches!(op, Op::RealDiv | Op::ToReal | Op::ToInt | Op::IsInt)
}

/// The operands of nested conjunctions, or of nested disjunctions and implications, each once.
fn junction_leaves(pool: &mut Pool, t: Term) -> Box<[Term]> {
    let conjunction = is(pool, t, Op::And);
    let mut leaves = Vec::new();
    let mut walk = Walk::new([t]);
    while let Some(u) = walk.next() {
        match pool.head(u) {
            Head::Op(Op::And) if conjunction => walk.enter(pool, u),
            Head::Op(Op::Or) if !conjunction => walk.enter(pool, u),
            Head::Op(Op::Implies) if !conjunction => {
                let args: Terms = pool.args(u).into();
                let (&last, before) = args.split_last().expect("an implication has a conclusion");
                walk.push(last);
                for &a in before {
                    let a = build::not(pool, a);
                    walk.push(a);
                }
            }
            Head::Annot(_) => walk.enter(pool, u),
            _ => leaves.push(u),
        }
    }
    leaves.into()
}

/// The operands of nested concatenations, unless there are too many.
fn concat_leaves(pool: &Pool, t: Term) -> Option<Box<[Term]>> {
    let mut leaves = Vec::new();
    let mut stack = vec![t];
    while let Some(u) = stack.pop() {
        spend(1);
        if is(pool, u, Op::StrConcat) {
            stack.extend(pool.args(u).iter().rev());
            if stack.len() > MAX_PARTS {
                return None;
            }
        } else {
            leaves.push(u);
            if leaves.len() > MAX_PARTS {
                return None;
            }
        }
    }
    Some(leaves.into())
}
