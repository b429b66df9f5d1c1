//! Applications that can have any value, because of a constant that occurs nowhere else.
//!
//! If `x` occurs only in `x + t`, then `x + t` can be any integer for any `t`; it is replaced by a new constant `k`, and
//! `x` gets the value `k - t`. Each rule of [`invert`] determines free arguments of an application as terms over `k` and
//! the other arguments. The new constant occurs once and may be unconstrained in turn; since arguments are visited
//! before applications, one traversal finds all.

mod spread;

use super::{State, constant, is_plain, terms};
use rustc_hash::FxHashMap;
use smt::{Fun, Head, Int, Op, Pool, Sort, Term};

/// Replaces the unconstrained applications of all assertions.
pub(super) fn round(pool: &mut Pool, state: &mut State) {
    let uses = terms::Uses::new(pool, &state.assertions);
    let mut new: FxHashMap<Term, Term> = FxHashMap::default();
    for t in uses.in_order() {
        let args: Vec<Term> = pool.args(t).iter().map(|a| new[a]).collect();
        let free: Vec<bool> = (pool.args(t).iter().zip(&args))
            .map(|(&old, &a)| uses.of(old) == 1 && constant(pool, a).is_some())
            .collect();
        let mut to = if args == pool.args(t) { t } else { pool.with_children(t, &args) };
        if free.contains(&true) && args.iter().all(|&a| is_plain(pool, a)) {
            let mut site = Site { pool, args: &args, free: &free, result: t, fresh: None, condition: None };
            if let Some(values) = invert(&mut site) {
                let (fresh, condition) = (site.fresh, site.condition);
                for (i, value) in values {
                    let fun = constant(pool, args[i]).expect("free arguments are constants");
                    state.defs.push((fun, value));
                }
                if let Some(f) = fresh {
                    state.fresh.push((f, t));
                    let k = pool.apply(f, &[]);
                    to = condition.map_or(k, |c| pool.mk(Head::Op(Op::And), Sort::BOOL, &[k, c]));
                }
            }
        }
        new.insert(t, to);
    }
    for t in &mut state.assertions {
        *t = new[t];
    }
}

/// An application and its arguments.
struct Site<'a> {
    pool: &'a mut Pool,
    args: &'a [Term],
    /// Whether each argument is a constant that occurs nowhere else.
    free: &'a [bool],
    result: Term,
    fresh: Option<Fun>,
    /// The application is `k` and this, a formula over the other arguments.
    condition: Option<Term>,
}

type Values = Vec<(usize, Term)>;

impl Site<'_> {
    /// The constant that replaces the application.
    fn k(&mut self) -> Term {
        let sort = self.pool.sort_of(self.result);
        let pool = &mut *self.pool;
        let f = *self.fresh.get_or_insert_with(|| {
            let name = format!(".u{}", pool.fun_count());
            let name = pool.names.intern(&name);
            pool.declare(name, Box::new([]), sort)
        });
        self.pool.apply(f, &[])
    }

    /// An application of an operator whose sort is that of its last argument.
    fn mk(&mut self, op: Op, args: &[Term]) -> Term {
        let sort = self.pool.sort_of(args[args.len() - 1]);
        self.pool.mk(Head::Op(op), sort, args)
    }

    fn equal(&mut self, a: Term, b: Term) -> Term {
        self.pool.mk(Head::Op(Op::Eq), Sort::BOOL, &[a, b])
    }

    /// `then` if the application is true, else `other`.
    fn by_truth(&mut self, then: Term, other: Term) -> Term {
        let k = self.k();
        self.mk(Op::Ite, &[k, then, other])
    }

    /// A longer string, or a larger integer, than `t`.
    fn after(&mut self, t: Term) -> Term {
        if self.pool.sort_of(t) == Sort::STRING {
            let a = self.pool.string(&[u32::from(b'a')]);
            return self.mk(Op::StrConcat, &[t, a]);
        }
        let one = self.pool.int(1);
        self.mk(Op::Add, &[t, one])
    }

    fn before(&mut self, t: Term) -> Term {
        let minus = self.pool.int(-1);
        self.mk(Op::Add, &[t, minus])
    }

    fn empty(&mut self) -> Term {
        self.pool.string(&[])
    }

    /// A free argument of a binary application, and the other argument.
    fn one_of_two(&self) -> Option<(usize, Term)> {
        let &[a, b] = self.args else { return None };
        if self.free[0] { Some((0, b)) } else { self.free[1].then_some((1, a)) }
    }

    fn is_nonempty_literal(&self, t: Term) -> bool {
        matches!(self.pool.head(t), Head::Str(id) if !self.pool.word(id).is_empty())
    }
}

/// Values of free arguments, by index, for which the application has the value of [`Site::k`].
fn invert(s: &mut Site<'_>) -> Option<Values> {
    let Head::Op(op) = s.pool.head(s.result) else { return None };
    match op {
        Op::Not => {
            let k = s.k();
            Some(vec![(0, s.mk(Op::Not, &[k]))])
        }
        Op::And => all_free(s, |s| s.pool.bool(true)),
        Op::Or => all_free(s, |s| s.pool.bool(false)),
        Op::StrConcat => all_free(s, |s| s.pool.string(&[])),
        Op::Distinct if s.args.len() > 2 => spread::spread(s),
        Op::Eq | Op::Distinct | Op::Xor => equality(s, op == Op::Eq),
        Op::Ite => branch(s),
        Op::Neg | Op::Add | Op::Sub | Op::Mul | Op::IntDiv => arithmetic(s, op),
        Op::Le | Op::Lt | Op::Ge | Op::Gt => comparison(s, op),
        Op::StrRev => {
            let k = s.k();
            Some(vec![(0, s.mk(Op::StrRev, &[k]))])
        }
        Op::StrContains | Op::StrPrefixof | Op::StrSuffixof | Op::StrLt | Op::StrLe => predicate(s, op),
        Op::StrIsDigit => {
            let (zero, empty) = (s.pool.string(&[u32::from(b'0')]), s.empty());
            Some(vec![(0, s.by_truth(zero, empty))])
        }
        _ => None,
    }
}

/// The first argument is the result, the others are the neutral element.
fn all_free(s: &mut Site<'_>, neutral: fn(&mut Site<'_>) -> Term) -> Option<Values> {
    if s.free.contains(&false) {
        return None;
    }
    let (k, neutral) = (s.k(), neutral(s));
    Some((0..s.args.len()).map(|i| (i, if i == 0 { k } else { neutral })).collect())
}

/// `=`, or its negation for two arguments.
fn equality(s: &mut Site<'_>, positive: bool) -> Option<Values> {
    let (i, t) = s.one_of_two()?;
    let value = match s.pool.sort_of(t) {
        Sort::BOOL => {
            let k = s.k();
            let same = s.equal(k, t);
            if positive { same } else { s.mk(Op::Not, &[same]) }
        }
        Sort::INT | Sort::STRING => {
            let other = s.after(t);
            if positive { s.by_truth(t, other) } else { s.by_truth(other, t) }
        }
        _ => return None,
    };
    Some(vec![(i, value)])
}

fn branch(s: &mut Site<'_>) -> Option<Values> {
    match *s.free {
        [_, true, true] => Some(vec![(1, s.k()), (2, s.k())]),
        [true, true, _] => Some(vec![(0, s.pool.bool(true)), (1, s.k())]),
        [true, _, true] => Some(vec![(0, s.pool.bool(false)), (2, s.k())]),
        _ => None,
    }
}

fn arithmetic(s: &mut Site<'_>, op: Op) -> Option<Values> {
    let i = s.free.iter().position(|&f| f)?;
    if s.pool.sort_of(s.args[i]) != Sort::INT || (op != Op::Neg && s.args.len() < 2) {
        return None;
    }
    let others: Vec<Term> = (0..s.args.len()).filter(|&j| j != i).map(|j| s.args[j]).collect();
    if matches!(op, Op::Mul | Op::IntDiv) && !is_scaling(s, op, i, &others) {
        return None;
    }
    let k = s.k();
    let list = |first: Term, rest: &[Term]| [&[first], rest].concat();
    let value = match op {
        Op::Neg => s.mk(Op::Neg, &[k]),
        Op::Add => s.mk(Op::Sub, &list(k, &others)),
        Op::Sub if i == 0 => s.mk(Op::Add, &list(k, &others)),
        Op::Sub => s.mk(Op::Sub, &list(others[0], &list(k, &others[1..]))),
        _ => s.mk(Op::Mul, &[k, others[0]]),
    };
    Some(vec![(i, value)])
}

/// A product with one or minus one, or a quotient by a number other than zero.
fn is_scaling(s: &Site<'_>, op: Op, i: usize, others: &[Term]) -> bool {
    let &[other] = others else { return false };
    let Head::Int(n) = s.pool.head(other) else { return false };
    let n = s.pool.int_value(n);
    let unit = *n == Int::ONE || *n == Int::MINUS_ONE;
    if op == Op::Mul { unit } else { i == 0 && !n.is_zero() }
}

fn comparison(s: &mut Site<'_>, op: Op) -> Option<Values> {
    let (i, t) = s.one_of_two()?;
    if s.pool.sort_of(t) != Sort::INT {
        return None;
    }
    let (smaller, larger) = (s.before(t), s.after(t));
    // As if the constant were on the left.
    let value = match (op, i) {
        (Op::Le, 0) | (Op::Ge, 1) => s.by_truth(t, larger),
        (Op::Ge, 0) | (Op::Le, 1) => s.by_truth(t, smaller),
        (Op::Lt, 0) | (Op::Gt, 1) => s.by_truth(smaller, t),
        _ => s.by_truth(larger, t),
    };
    Some(vec![(i, value)])
}

/// Predicates of two strings.
fn predicate(s: &mut Site<'_>, op: Op) -> Option<Values> {
    let &[a, b] = s.args else { return None };
    let empty = s.empty();
    // The argument that is contained in the other one.
    let (inner, outer) = if op == Op::StrContains { (1, 0) } else { (0, 1) };
    let value = match op {
        Op::StrLt if s.free[1] => {
            let longer = s.after(a);
            (1, s.by_truth(longer, empty))
        }
        Op::StrLe if s.free[0] => {
            let longer = s.after(b);
            (0, s.by_truth(empty, longer))
        }
        Op::StrLt | Op::StrLe => return None,
        _ if s.free[inner] => {
            let longer = s.after(s.args[outer]);
            (inner, s.by_truth(empty, longer))
        }
        _ if s.is_nonempty_literal(s.args[inner]) => (outer, s.by_truth(s.args[inner], empty)),
        _ => return None,
    };
    Some(vec![value])
}
