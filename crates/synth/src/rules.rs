//! The rules that unsatisfiable formulas are built from: equivalences and equalities.

use crate::substitute::with_negative_literals;
use semantics::rule::{self, Rule, RuleKind};
use smt::diag::Diagnostic;
use smt::{Head, Op, Pool, Sort, Term};

/// The rules of the paper, Tables 2 and 3.
pub const ICSE20: &str = include_str!("../rules/icse20.smt2");
/// Rules for the rest of the theory.
pub const STRINGS: &str = include_str!("../rules/strings.smt2");

/// An equivalence, or the implication from right to left, to be asserted as `¬lhs ∧ rhs`.
#[derive(Clone, Debug)]
pub struct Equivalence {
    /// The rule.
    pub rule: Rule,
    /// The operation under test.
    pub operation: String,
}

/// An equality `lhs = rhs` whose right side is a variable of it or a constant.
#[derive(Clone, Debug)]
pub struct Equality {
    /// The rule.
    pub rule: Rule,
    /// The right side is a constant, not a variable.
    pub constant: bool,
    /// The sort of both sides.
    pub sort: Sort,
}

/// The rules of some files.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// The equivalences that formulas start from.
    pub equivalences: Vec<Equivalence>,
    /// The equalities that make formulas harder.
    pub equalities: Vec<Equality>,
    /// Names of rules that are neither.
    pub unused: Vec<String>,
}

impl Rules {
    /// Adds the rules of a file.
    pub fn add(&mut self, src: &str, pool: &mut Pool) -> Result<(), Vec<Diagnostic>> {
        for mut rule in rule::load(src.as_bytes(), pool)? {
            let normal = |pool: &mut Pool, t: &mut Term| *t = with_negative_literals(pool, *t);
            normal(pool, &mut rule.lhs);
            normal(pool, &mut rule.rhs);
            if let Some(when) = &mut rule.when {
                normal(pool, when);
            }
            self.place(rule, pool);
        }
        Ok(())
    }

    fn place(&mut self, rule: Rule, pool: &Pool) {
        let sort = pool.sort_of(rule.lhs);
        if rule.kind != RuleKind::Equality {
            let operation = operation_of(pool, rule.lhs);
            self.equivalences.push(Equivalence { rule, operation });
            return;
        }
        match pool.head(rule.rhs) {
            Head::Var(_) => self.equalities.push(Equality { rule, constant: false, sort }),
            Head::Str(_) | Head::Int(_) | Head::Op(Op::True | Op::False) => {
                self.equalities.push(Equality { rule, constant: true, sort });
            }
            _ => self.unused.push(rule.name),
        }
    }
}

/// The operation of an equivalence: the operator on the left, without the equality with its result.
fn operation_of(pool: &Pool, lhs: Term) -> String {
    let mut t = lhs;
    let mut not = "";
    loop {
        match pool.head(t) {
            Head::Op(Op::Not) => not = "not ",
            Head::Op(Op::Eq) if matches!(pool.head(pool.args(t)[0]), Head::Op(_) | Head::Indexed(..)) => {}
            Head::Op(Op::StrInRe) => {
                let language = pool.args(t)[1];
                return format!("{not}{}", head_name(pool, language));
            }
            _ => return format!("{not}{}", head_name(pool, t)),
        }
        t = pool.args(t)[0];
    }
}

fn head_name(pool: &Pool, t: Term) -> &'static str {
    match pool.head(t) {
        Head::Op(op) | Head::Indexed(op, _) => smt::op::TABLE[op as usize].name,
        _ => "other",
    }
}
