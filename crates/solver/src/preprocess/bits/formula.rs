//! Formulas over bits, without constants in them where possible, and terms of vectors.

use super::Pairs;
use rustc_hash::FxHashSet;
use smt::term::BitOp;
use smt::{Head, Op, Pool, Sort, Term};

/// The axioms so far, and the terms whose meaning is still to be stated.
pub(super) struct Bits<'p> {
    pub(super) pool: &'p mut Pool,
    pub(super) seen: FxHashSet<Term>,
    pub(super) todo: Vec<Term>,
    pub(super) pairs: Pairs,
    pub(super) axioms: Vec<Term>,
}

impl<'p> Bits<'p> {
    pub(super) fn new(pool: &'p mut Pool, pairs: Pairs) -> Self {
        Bits { pool, seen: FxHashSet::default(), todo: Vec::new(), pairs, axioms: Vec::new() }
    }

    pub(super) fn width(&self, t: Term) -> usize {
        self.pool.bit_width(self.pool.sort_of(t)).unwrap_or(0)
    }

    pub(super) fn axiom(&mut self, t: Term) {
        if self.truth(t) != Some(true) {
            self.axioms.push(t);
        }
    }

    /// States that two formulas are equivalent.
    pub(super) fn define(&mut self, a: Term, b: Term) {
        let same = self.iff(a, b);
        self.axiom(same);
    }

    /// Bit `i` as a predicate, also of a literal.
    pub(super) fn atom(&mut self, t: Term, i: usize) -> Term {
        self.pool.bits_term(&format!("(_ bit2bool {i})"), &[t])
    }

    /// Bit `i`; of a literal its value.
    pub(super) fn bit(&mut self, t: Term, i: usize) -> Term {
        if self.pool.bit_op(t) == Some(BitOp::Literal)
            && let Some(bits) = self.pool.literal_bits(t)
        {
            return self.pool.bool(bits[i]);
        }
        self.atom(t, i)
    }

    /// All bits, the lowest first.
    pub(super) fn all(&mut self, t: Term) -> Vec<Term> {
        (0..self.width(t)).map(|i| self.bit(t, i)).collect()
    }

    /// The highest bit.
    pub(super) fn sign(&mut self, t: Term) -> Term {
        let width = self.width(t);
        self.bit(t, width - 1)
    }

    /// A new term of vectors, whose meaning is to be stated as well.
    pub(super) fn term(&mut self, name: &str, args: &[Term]) -> Term {
        let t = self.pool.bits_term(name, args);
        self.note(t)
    }

    /// A literal.
    pub(super) fn literal(&mut self, bits: &[bool]) -> Term {
        let t = self.pool.bits_literal(bits);
        self.note(t)
    }

    /// The vector `a` if the condition holds, else `b`.
    pub(super) fn choice(&mut self, condition: Term, a: Term, b: Term) -> Term {
        match self.truth(condition) {
            Some(true) => a,
            Some(false) => b,
            None => {
                let t = self.pool.mk(Head::Op(Op::Ite), self.pool.sort_of(a), &[condition, a, b]);
                self.note(t)
            }
        }
    }

    fn note(&mut self, t: Term) -> Term {
        if self.seen.insert(t) {
            self.todo.push(t);
        }
        t
    }

    pub(super) fn truth(&self, t: Term) -> Option<bool> {
        match self.pool.head(t) {
            Head::Op(Op::True) => Some(true),
            Head::Op(Op::False) => Some(false),
            _ => None,
        }
    }

    pub(super) fn equal(&mut self, a: Term, b: Term) -> Term {
        if a == b { self.pool.bool(true) } else { self.formula(Op::Eq, &[a, b]) }
    }

    fn formula(&mut self, op: Op, args: &[Term]) -> Term {
        self.pool.mk(Head::Op(op), Sort::BOOL, args)
    }

    pub(super) fn not(&mut self, t: Term) -> Term {
        match (self.truth(t), self.pool.head(t)) {
            (Some(value), _) => self.pool.bool(!value),
            (_, Head::Op(Op::Not)) => self.pool.args(t)[0],
            _ => self.formula(Op::Not, &[t]),
        }
    }

    pub(super) fn and(&mut self, list: &[Term]) -> Term {
        self.junction(Op::And, list)
    }

    pub(super) fn or(&mut self, list: &[Term]) -> Term {
        self.junction(Op::Or, list)
    }

    fn junction(&mut self, op: Op, list: &[Term]) -> Term {
        let unit = op == Op::And;
        if list.iter().any(|&t| self.truth(t) == Some(!unit)) {
            return self.pool.bool(!unit);
        }
        let open: Vec<Term> = list.iter().copied().filter(|&t| self.truth(t).is_none()).collect();
        match open[..] {
            [] => self.pool.bool(unit),
            [only] => only,
            _ => self.formula(op, &open),
        }
    }

    pub(super) fn xor(&mut self, a: Term, b: Term) -> Term {
        match (self.truth(a), self.truth(b)) {
            (Some(false), _) => b,
            (_, Some(false)) => a,
            (Some(true), _) => self.not(b),
            (_, Some(true)) => self.not(a),
            _ if a == b => self.pool.bool(false),
            _ => self.formula(Op::Xor, &[a, b]),
        }
    }

    pub(super) fn iff(&mut self, a: Term, b: Term) -> Term {
        match (self.truth(a), self.truth(b)) {
            (Some(true), _) => b,
            (_, Some(true)) => a,
            (Some(false), _) => self.not(b),
            (_, Some(false)) => self.not(a),
            _ => self.equal(a, b),
        }
    }

    pub(super) fn ite(&mut self, condition: Term, a: Term, b: Term) -> Term {
        match self.truth(condition) {
            Some(true) => a,
            Some(false) => b,
            None if a == b => a,
            None => self.formula(Op::Ite, &[condition, a, b]),
        }
    }

    /// At least two of three.
    pub(super) fn majority(&mut self, a: Term, b: Term, c: Term) -> Term {
        let (both, any) = (self.and(&[a, b]), self.or(&[a, b]));
        let carried = self.and(&[c, any]);
        self.or(&[both, carried])
    }
}
