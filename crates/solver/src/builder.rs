//! Building terms in rewritten form.
//!
//! Steps of the calculus, axioms and expansions build formulas through this trait; its implementation decides how
//! terms are rewritten.

use crate::build;
use smt::{Op, Pool, Term};

/// Builds terms. All constructors return rewritten terms unless stated otherwise.
pub(crate) trait Builder {
    /// The term pool.
    fn pool(&mut self) -> &mut Pool;

    /// The normal form of a term.
    fn rewrite(&mut self, t: Term) -> Term;

    /// The constant that is equal to the witness.
    fn skolem(&mut self, witness: Term) -> Term;

    /// An application.
    fn mk(&mut self, op: Op, args: &[Term]) -> Term {
        let t = build::op(self.pool(), op, args);
        self.rewrite(t)
    }

    /// An integer constant.
    fn int(&mut self, n: i64) -> Term {
        self.pool().int(n)
    }

    /// The empty string.
    fn empty(&mut self) -> Term {
        self.pool().string(&[])
    }

    /// `(= s t)`
    fn eq(&mut self, s: Term, t: Term) -> Term {
        self.mk(Op::Eq, &[s, t])
    }

    /// `(>= s t)`
    fn ge(&mut self, s: Term, t: Term) -> Term {
        self.mk(Op::Ge, &[s, t])
    }

    /// `(>= a (+ b 1))`
    fn greater(&mut self, a: Term, b: Term) -> Term {
        let one = self.int(1);
        let next = self.plus(b, one);
        self.ge(a, next)
    }

    /// The negation.
    fn not(&mut self, t: Term) -> Term {
        self.mk(Op::Not, &[t])
    }

    /// The conjunction.
    fn and(&mut self, args: &[Term]) -> Term {
        match args {
            [t] => *t,
            _ => self.mk(Op::And, args),
        }
    }

    /// The disjunction.
    fn or(&mut self, args: &[Term]) -> Term {
        match args {
            [t] => *t,
            _ => self.mk(Op::Or, args),
        }
    }

    /// `(or (not a) b)`
    fn implies(&mut self, a: Term, b: Term) -> Term {
        let not = self.not(a);
        self.or(&[not, b])
    }

    /// `(+ a b)`
    fn plus(&mut self, a: Term, b: Term) -> Term {
        self.mk(Op::Add, &[a, b])
    }

    /// `(- a b)`
    fn minus(&mut self, a: Term, b: Term) -> Term {
        self.mk(Op::Sub, &[a, b])
    }

    /// `(str.len t)`, not rewritten: the e-graph has the lengths of all strings as they are.
    fn len(&mut self, t: Term) -> Term {
        build::len(self.pool(), t)
    }

    /// `(str.++ parts)`
    fn concat(&mut self, parts: &[Term]) -> Term {
        self.mk(Op::StrConcat, parts)
    }

    /// `(str.substr s from count)`
    fn substr(&mut self, s: Term, from: Term, count: Term) -> Term {
        self.mk(Op::StrSubstr, &[s, from, count])
    }

    /// `(str.contains s t)`
    fn contains(&mut self, s: Term, t: Term) -> Term {
        self.mk(Op::StrContains, &[s, t])
    }

    /// `(str.to_code t)`
    fn code(&mut self, t: Term) -> Term {
        self.mk(Op::StrToCode, &[t])
    }
}
