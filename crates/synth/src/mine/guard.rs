//! Conditions on the variables of a rule, found by generalising its constants.
//!
//! `(str.contains "a" x) = (str.prefixof x "a")` does not hold for every word in place of `"a"`, but for all of length 1. The
//! variable for it gets the condition `(= (str.len c) 1)`, which becomes `:when` in the rule. The condition is part of the name of the
//! variable, so a rule is two terms with or without conditions.

use super::grammar::variable;
use smt::{Head, Op, Pool, Sort, Term};

/// A condition on a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guard {
    /// A word that is not empty.
    Nonempty,
    /// A word of at most one character.
    Short,
    /// A character.
    Char,
    /// A digit.
    Digit,
    /// An integer of at least 0.
    Natural,
    /// An integer of at least 1.
    Positive,
    /// An integer below 0.
    Negative,
}

use Guard::{Char, Digit, Natural, Negative, Nonempty, Positive, Short};

impl Guard {
    /// All of them, the weaker ones first.
    const ALL: [Guard; 7] = [Nonempty, Short, Char, Digit, Natural, Positive, Negative];

    fn prefix(self) -> &'static str {
        match self {
            Nonempty => "nonempty.",
            Short => "short.",
            Char => "char.",
            Digit => "digit.",
            Natural => "natural.",
            Positive => "positive.",
            Negative => "negative.",
        }
    }

    /// The condition of a variable.
    pub fn of(pool: &Pool, v: Term) -> Option<Guard> {
        let Head::Var(name) = pool.head(v) else { return None };
        let name = pool.names.name(name);
        Guard::ALL.into_iter().find(|g| name.starts_with(g.prefix()))
    }

    /// The conditions under which a variable can take the place of `t`, after none.
    pub fn choices(pool: &Pool, t: Term) -> Vec<Option<Guard>> {
        let admitting = Guard::ALL.into_iter().filter(|g| g.admits(pool, t)).map(Some);
        std::iter::once(None).chain(admitting).collect()
    }

    /// A variable with a condition, or without.
    pub fn variable(guard: Option<Guard>, pool: &mut Pool, number: u32, sort: Sort) -> Term {
        variable(pool, &format!("{}{number}", guard.map_or("v", Guard::prefix)), sort)
    }

    /// Whether `t` satisfies the condition by its form: a constant, a variable with a condition that implies it, or a term of an
    /// operator with such values.
    pub fn admits(self, pool: &Pool, t: Term) -> bool {
        match pool.head(t) {
            Head::Str(id) => self.admits_word(pool.word(id)),
            Head::Int(id) => self.admits_int(pool.int_value(id)),
            Head::Var(_) => Guard::of(pool, t).is_some_and(|g| g == self || self.follows_from(g)),
            Head::Op(Op::StrAt | Op::StrFromCode) => self == Short,
            Head::Op(Op::StrLen) => self == Natural,
            _ => false,
        }
    }

    fn admits_word(self, word: &[u32]) -> bool {
        match self {
            Nonempty => !word.is_empty(),
            Short => word.len() <= 1,
            Char => word.len() == 1,
            Digit => matches!(word, [48..=57]),
            Natural | Positive | Negative => false,
        }
    }

    fn admits_int(self, n: &smt::Int) -> bool {
        match self {
            Natural => *n >= smt::Int::from(0),
            Positive => *n >= smt::Int::from(1),
            Negative => *n < smt::Int::from(0),
            Nonempty | Short | Char | Digit => false,
        }
    }

    fn follows_from(self, other: Guard) -> bool {
        match self {
            Nonempty | Short => matches!(other, Char | Digit),
            Char => other == Digit,
            Natural => other == Positive,
            Digit | Positive | Negative => false,
        }
    }

    /// The condition as a formula.
    pub fn formula(self, pool: &mut Pool, v: Term) -> Term {
        let (zero, one) = (pool.int(0), pool.int(1));
        let mut op = |op: Op, args: &[Term]| pool.op(op, args).expect("well sorted");
        match self {
            Short => {
                let length = op(Op::StrLen, &[v]);
                op(Op::Le, &[length, one])
            }
            Char => {
                let length = op(Op::StrLen, &[v]);
                op(Op::Eq, &[length, one])
            }
            Digit => op(Op::StrIsDigit, &[v]),
            Natural => op(Op::Ge, &[v, zero]),
            Positive => op(Op::Ge, &[v, one]),
            Negative => op(Op::Lt, &[v, zero]),
            Nonempty => {
                let empty = pool.string(&[]);
                pool.op(Op::Distinct, &[v, empty]).expect("well sorted")
            }
        }
    }
}
