//! Unsatisfiable formulas: the negation of one side of an equivalence together with the other side, made harder.
//!
//! If `B` implies `A`, then `¬A ∧ B` is unsatisfiable. Three transformations keep it so:
//!
//! - *variable replacement*: `x`, free in both, becomes `x_fresh` in `B`, and `C(x, x_fresh)`, an equality with its side
//!   condition which implies `x = x_fresh`, is one assertion more. All three are needed.
//! - *constant replacement*: a constant `c` of `B` becomes `z_fresh`, and `C` states that it has the value `c`.
//! - *redundancy introduction*: the same for a variable that is only in `B`; `C` is not needed. For a variable under
//!   a universal quantifier the clause is added under it as an implication, and the pattern is extended.
//!
//! They can be chained: each works on the result of another.

mod steps;

pub use steps::{Step, steps};

use crate::rules::Equivalence;
use crate::substitute::free_vars;
use crate::text::Category;
use rustc_hash::FxHashSet;
use smt::{Op, Pool, Term};

/// An unsatisfiable formula with its derivation.
#[derive(Clone, Debug)]
pub struct Refutation {
    /// The operation under test.
    pub operation: String,
    /// The equivalence it comes from.
    pub rule: String,
    /// `¬A`
    pub negation: Term,
    /// `B`, changed.
    pub body: Term,
    /// What implies `body`, in a form that the referee can evaluate: `body` before steps under quantifiers, with their
    /// side conditions.
    pub plain: Term,
    /// The clauses.
    pub clauses: Vec<Clause>,
    /// The steps taken.
    pub steps: Vec<String>,
}

/// A clause that a step added.
#[derive(Clone, Copy, Debug)]
pub struct Clause {
    /// The equality with its side condition.
    pub term: Term,
    /// It ties `¬A` and `B` together; otherwise it is redundant.
    pub needed: bool,
}

impl Refutation {
    /// `¬A ∧ B` of an equivalence.
    pub fn new(pool: &mut Pool, equivalence: &Equivalence) -> Refutation {
        let rule = &equivalence.rule;
        let negation = pool.op(Op::Not, &[rule.lhs]).expect("a Bool");
        let body = match rule.when {
            Some(when) => pool.op(Op::And, &[when, rule.rhs]).expect("Bools"),
            None => rule.rhs,
        };
        Refutation {
            operation: equivalence.operation.clone(),
            rule: rule.name.clone(),
            negation,
            body,
            plain: body,
            clauses: Vec::new(),
            steps: Vec::new(),
        }
    }

    /// Its assertions: `¬A`, `B`, the clauses.
    pub fn assertions(&self) -> Vec<Term> {
        [self.negation, self.body].into_iter().chain(self.clauses.iter().map(|c| c.term)).collect()
    }

    /// Its free variables.
    pub fn vars(&self, pool: &Pool) -> Vec<Term> {
        let mut seen = FxHashSet::default();
        let all = self.assertions().into_iter().flat_map(|t| free_vars(pool, t));
        all.filter(|&v| seen.insert(v)).collect()
    }

    /// All names in use, bound ones too.
    fn taken(&self, pool: &Pool) -> FxHashSet<Term> {
        let all = pool.subterms(self.assertions());
        all.flat_map(|t| pool.bound_vars(t).iter().copied().chain([t])).collect()
    }

    /// Its category.
    pub fn category(&self) -> Category {
        if self.steps.is_empty() {
            Category::Equivalent
        } else if self.clauses.iter().any(|c| c.needed) {
            Category::Core
        } else {
            Category::Redundancy
        }
    }

    /// Its derivation, in words.
    pub fn recipe(&self) -> String {
        let mut out = format!("not A and B of {}", self.rule);
        for step in &self.steps {
            out.push_str("; ");
            out.push_str(step);
        }
        out
    }
}

/// How a subformula occurs in a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Polarity {
    /// Making it true can only make the formula true.
    Positive,
    /// Anything else.
    Other,
}

impl Polarity {
    /// Whether a free variable may be replaced under a quantifier that occurs so, with a side condition; and whether
    /// in the weak form.
    ///
    /// A stronger quantifier is sound where it occurs positively. In E6 it is the condition of both branches;
    /// there the weak form is right: if the condition is weakened to `s ≠ ""`, the first branch `from_int(res) = s`
    /// still implies `to_int(s) = res`, and the second is only reached by `s = ""`, where `to_int(s) = −1`.
    pub fn allows(self, rule: &str) -> Option<bool> {
        match (self, rule) {
            (Polarity::Positive, _) => Some(false),
            (Polarity::Other, "E6") => Some(true),
            (Polarity::Other, _) => None,
        }
    }
}

/// The polarity of `part` in `whole`.
pub fn polarity(pool: &Pool, whole: Term, part: Term) -> Polarity {
    let mut stack = vec![(whole, true)];
    let mut seen = FxHashSet::default();
    while let Some((t, positive)) = stack.pop() {
        if t == part {
            if !positive {
                return Polarity::Other;
            }
            continue;
        }
        if !seen.insert((t, positive)) {
            continue;
        }
        let args = pool.args(t);
        match pool.head(t) {
            smt::Head::Annot(_) => stack.push((args[0], positive)),
            smt::Head::Op(Op::And | Op::Or) => stack.extend(args.iter().map(|&a| (a, positive))),
            smt::Head::Op(Op::Not) => stack.push((args[0], !positive)),
            smt::Head::Op(Op::Implies) => {
                let (last, others) = args.split_last().expect("arguments");
                stack.push((*last, positive));
                stack.extend(others.iter().map(|&a| (a, !positive)));
            }
            smt::Head::Op(Op::Ite) => {
                stack.extend([(args[1], positive), (args[2], positive)]);
                stack.extend([(args[0], true), (args[0], false)]);
            }
            smt::Head::Forall | smt::Head::Exists => stack.push((args[args.len() - 1], positive)),
            _ => stack.extend(args.iter().flat_map(|&a| [(a, true), (a, false)])),
        }
    }
    Polarity::Positive
}
