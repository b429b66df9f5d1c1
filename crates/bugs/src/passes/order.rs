//! Effects from monotonicity.
//!
//! Formulas are ordered by implication, regular expressions by inclusion, numbers by value. Most operators are monotone: `(and p q)`
//! grows with `p`, `(str.in_re x r)` with `r`, `(re.comp r)` falls as `r` grows, `(<= a b)` falls with `a`. The polarity of an occurrence
//! says how the whole assertion depends on it; with the order between the old term and the new one, it gives the effect of a
//! replacement.
//!
//! Example: in `(not (str.in_re x (re.union r s)))` the union has negative polarity. Its replacement by `r` is a smaller
//! language, so the assertion becomes weaker.

use crate::doc::Effect;
use smt::{Head, Int, Op, Pool, Term};

/// How an assertion depends on an occurrence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Polarity {
    /// It grows with it.
    Positive,
    /// It falls as the occurrence grows.
    Negative,
    /// Neither is known.
    Mixed,
}

/// A term compared with the one that it replaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// The same.
    Equal,
    /// At least the old one: implied by it, a larger language, a larger number.
    Above,
    /// At most the old one.
    Below,
    /// Nothing is known.
    Unknown,
}

impl Polarity {
    fn flipped(self) -> Polarity {
        match self {
            Polarity::Positive => Polarity::Negative,
            Polarity::Negative => Polarity::Positive,
            Polarity::Mixed => Polarity::Mixed,
        }
    }

    /// The polarity of argument `i` of `t`, which has this one.
    pub(super) fn of_argument(self, pool: &Pool, t: Term, i: usize) -> Polarity {
        let (first, last) = (i == 0, i + 1 == pool.args(t).len());
        let (keeps, falls) = (self, self.flipped());
        let ends = |at_first, at_last| match (first, last) {
            (true, _) => at_first,
            (_, true) => at_last,
            _ => Polarity::Mixed,
        };
        use Op::*;
        match pool.head(t) {
            Head::Annot(_) => keeps,
            Head::Forall | Head::Exists if last => keeps,
            Head::Op(And | Or | Add | ToReal | ToInt) => keeps,
            Head::Op(ReConcat | ReUnion | ReInter | ReStar | RePlus | ReOpt) => keeps,
            Head::Indexed(ReLoop | RePower, _) => keeps,
            Head::Op(Not | Neg | ReComp) => falls,
            Head::Op(Implies) => {
                if last {
                    keeps
                } else {
                    falls
                }
            }
            Head::Op(Ite) if !first => keeps,
            Head::Op(StrInRe) if last => keeps,
            Head::Op(Sub | ReDiff) => {
                if first {
                    keeps
                } else {
                    falls
                }
            }
            Head::Op(Le | Lt) => ends(falls, keeps),
            Head::Op(Ge | Gt) => ends(keeps, falls),
            _ => Polarity::Mixed,
        }
    }

    /// The effect of a replacement at an occurrence of this polarity.
    pub(super) fn effect(self, order: Order) -> Effect {
        match (order, self) {
            (Order::Equal, _) => Effect::Equivalent,
            (Order::Unknown, _) | (_, Polarity::Mixed) => Effect::Any,
            (Order::Above, Polarity::Positive) | (Order::Below, Polarity::Negative) => Effect::Weaker,
            (Order::Below, Polarity::Positive) | (Order::Above, Polarity::Negative) => Effect::Stronger,
        }
    }
}

impl Order {
    /// One replacement after another.
    pub(super) fn then(self, next: Order) -> Order {
        match (self, next) {
            (a, Order::Equal) => a,
            (Order::Equal, b) => b,
            (a, b) if a == b => a,
            _ => Order::Unknown,
        }
    }

    /// Argument `i` of `t` compared with `t`.
    pub(super) fn of_argument(pool: &Pool, t: Term, i: usize) -> Order {
        let last = i + 1 == pool.args(t).len();
        use Op::*;
        match pool.head(t) {
            Head::Annot(_) => Order::Equal,
            // Without the variable: no sort is empty.
            Head::Forall | Head::Exists if last => Order::Equal,
            Head::Op(And | ReInter) => Order::Above,
            Head::Op(Or | ReUnion | ReStar | RePlus | ReOpt) => Order::Below,
            Head::Op(Implies) if last => Order::Below,
            Head::Op(ReDiff) if i == 0 => Order::Above,
            Head::Indexed(ReLoop, id) => {
                let (one, bounds) = (Int::from(1u64), pool.index_values(id));
                if bounds[0] <= one && one <= bounds[1] { Order::Below } else { Order::Unknown }
            }
            _ => Order::Unknown,
        }
    }

    /// A constant of an operator compared with any term of its sort.
    pub(super) fn of_constant(op: Op) -> Order {
        match op {
            Op::True | Op::ReAll => Order::Above,
            Op::False | Op::ReNone => Order::Below,
            _ => Order::Unknown,
        }
    }

    /// An integer compared with `t`.
    pub(super) fn of_int(pool: &Pool, t: Term, new: &Int) -> Order {
        match pool.head(t) {
            Head::Int(id) => match new.cmp(pool.int_value(id)) {
                std::cmp::Ordering::Less => Order::Below,
                std::cmp::Ordering::Equal => Order::Equal,
                std::cmp::Ordering::Greater => Order::Above,
            },
            _ if matches!(pool.head(t), Head::Op(Op::StrLen)) && new.is_zero() => Order::Below,
            _ => Order::Unknown,
        }
    }
}
