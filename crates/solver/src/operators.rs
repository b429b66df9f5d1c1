//! The operator table of the solver: how the calculus treats each operator of [`smt::Op`].
//!
//! [`of`] is one `match` without a default arm, so that a new operator does not compile before it has a row here. A row
//! states
//!
//! - whether the operator is *basic* (congruence, arithmetic, the SAT solver and normal forms suffice) or *extended*:
//!   simplified in context, evaluated under candidate models and, if its value there is wrong, expanded;
//! - the level of an extended operator: expansions of lower levels are sent first, since those of higher levels are
//!   defined by them;
//! - constant bounds of its value, which arithmetic knows from the start;
//! - its axioms: formulas about a term, valid by its operator alone, which are sent when the term is registered;
//! - its expansion: formulas that define a term by terms of lower levels.
//!
//! Axioms and expansions are functions in the files of this folder. They are valid for all values of the input, the
//! skolems being equal to their witnesses; `tests.rs` evaluates them on all small values.

mod codes;
pub(crate) mod contains;
mod division;
mod indexof;
pub(crate) mod indexof_re;
mod letters;
mod membership;
mod numerals;
mod order;
mod replace;
mod replace_re;
mod substr;
#[cfg(test)]
mod tests;
mod update;

use crate::build;
use crate::builder::Builder;
use crate::infer::Rule;
use semantics::strings::MAX_CHAR;
use smt::{Fun, Head, Int, Op, Pool, Term};

/// The state of the solver that axioms and expansions can query.
pub(crate) trait Site: Builder {
    /// Whether the e-graph has the term.
    fn is_node(&self, t: Term) -> bool;

    /// The value of a term in the arithmetic model, if it is an integer.
    fn integer_value(&mut self, t: Term) -> Option<i64>;

    /// The length of a string in the arithmetic model, if it is an integer.
    fn model_length(&mut self, s: Term) -> Option<i64> {
        let len = self.len(s);
        self.integer_value(len)
    }

    /// The least and the greatest length of a string in a regular expression, if it is ground and not seen to be empty.
    fn word_lengths(&mut self, r: Term) -> Option<(u64, u64)>;

    /// The factors of a concatenation of regular expressions; none if there is one only, or too many.
    fn regex_factors(&self, r: Term) -> Option<Vec<Term>>;

    /// The function that maps two strings and a place to the place from there on where they first differ.
    fn first_difference(&mut self) -> Fun;
}

/// Builds formulas about a term with these arguments.
pub(crate) type Formulas = fn(&mut dyn Site, Term, &[Term]) -> Vec<Term>;

/// How an operator is decided.
#[derive(Clone, Copy)]
pub(crate) enum Role {
    /// Without expansion.
    Basic,
    /// By simplification in context, and by expansion if there is one.
    Extended { level: u32, expansion: Option<Formulas> },
}

/// Constant bounds of integer values.
#[derive(Clone, Copy)]
pub(crate) enum Bounds {
    None,
    /// At least this.
    From(i64),
    /// Between these.
    Within(i64, i64),
    /// Of a remainder by a constant other than zero: at least zero, less than the absolute value of the divisor.
    Remainder,
}

/// A row of the table.
#[derive(Clone, Copy)]
pub(crate) struct Operator {
    pub(crate) role: Role,
    pub(crate) bounds: Bounds,
    /// The axioms, and the rule by which they are reported.
    pub(crate) axioms: Option<(Rule, Formulas)>,
}

const BASIC: Operator = Operator { role: Role::Basic, bounds: Bounds::None, axioms: None };

/// An extended operator without expansion. It is decided only where its arguments become constants, or where the
/// rewriter eliminates it.
const OPAQUE: Operator = Operator { role: Role::Extended { level: 4, expansion: None }, ..BASIC };

const fn extended(level: u32) -> Operator {
    Operator { role: Role::Extended { level, expansion: None }, ..BASIC }
}

impl Operator {
    const fn bounds(self, bounds: Bounds) -> Operator {
        Operator { bounds, ..self }
    }

    const fn axioms(self, rule: Rule, formulas: Formulas) -> Operator {
        Operator { axioms: Some((rule, formulas)), ..self }
    }

    const fn expansion(self, formulas: Formulas) -> Operator {
        let level = match self.role {
            Role::Basic => 4,
            Role::Extended { level, .. } => level,
        };
        Operator { role: Role::Extended { level, expansion: Some(formulas) }, ..self }
    }
}

/// The table.
pub(crate) const fn of(op: Op) -> Operator {
    use Bounds::{From, Remainder, Within};
    match op {
        // Core
        Op::True | Op::False | Op::Not | Op::And | Op::Or | Op::Xor | Op::Implies => BASIC,
        Op::Eq | Op::Distinct => BASIC,
        Op::Ite => BASIC.axioms(Rule::Ite, ite_axioms),
        // Ints and Reals
        Op::Neg | Op::Add | Op::Sub | Op::Mul | Op::RealDiv => BASIC,
        Op::Le | Op::Lt | Op::Ge | Op::Gt | Op::Divisible => BASIC,
        Op::ToReal | Op::ToInt | Op::IsInt => BASIC,
        Op::IntDiv => BASIC.axioms(Rule::Division, division::div_axioms),
        Op::Mod => BASIC.bounds(Remainder).axioms(Rule::Division, division::mod_axioms),
        Op::Abs => BASIC.bounds(From(0)).axioms(Rule::Division, division::abs_axioms),
        // Strings
        Op::StrConcat => BASIC,
        Op::StrLen => BASIC.bounds(From(0)),
        Op::StrSubstr => extended(1).axioms(Rule::Bounds, substr::axioms).expansion(substr::expansion),
        Op::StrContains => extended(1).expansion(contains::expansion),
        Op::StrIndexof => {
            extended(2).bounds(From(-1)).axioms(Rule::Bounds, indexof::axioms).expansion(indexof::expansion)
        }
        Op::StrLe => extended(2).axioms(Rule::Bounds, order::axioms).expansion(order::expansion),
        Op::StrToCode => {
            extended(2).bounds(Within(-1, MAX_CHAR as i64)).axioms(Rule::Bounds, codes::to_code_axioms)
        }
        Op::StrFromCode => extended(2).axioms(Rule::Bounds, codes::from_code_axioms),
        Op::StrReplace => extended(3).axioms(Rule::Bounds, replace::axioms).expansion(replace::expansion),
        Op::StrToInt => extended(3)
            .bounds(From(-1))
            .axioms(Rule::Bounds, numerals::to_int_axioms)
            .expansion(numerals::to_int_expansion),
        Op::StrFromInt => extended(3)
            .axioms(Rule::Bounds, numerals::from_int_axioms)
            .expansion(numerals::from_int_expansion),
        Op::StrReplaceAll => extended(4).expansion(replace::all_expansion),
        Op::StrInRe => extended(4).axioms(Rule::Bounds, membership::axioms),
        // Eliminated by the rewriter: str.at is a substr, str.< is a str.<=, the others are equations and bounds.
        Op::StrAt => extended(1),
        Op::StrLt => extended(2),
        Op::StrPrefixof | Op::StrSuffixof | Op::StrIsDigit => OPAQUE,
        Op::StrReplaceRe => extended(4).expansion(replace_re::expansion),
        Op::StrReplaceReAll => extended(4).expansion(replace_re::all_expansion),
        // Regular expressions
        Op::StrToRe | Op::ReNone | Op::ReAll | Op::ReAllchar | Op::ReConcat | Op::ReUnion => BASIC,
        Op::ReInter | Op::ReStar | Op::ReComp | Op::ReDiff | Op::RePlus | Op::ReOpt => BASIC,
        Op::ReRange | Op::RePower | Op::ReLoop => BASIC,
        // Extensions
        Op::StrToLower => extended(3).expansion(letters::lower_expansion),
        Op::StrToUpper => extended(3).expansion(letters::upper_expansion),
        Op::StrUpdate => extended(2).axioms(Rule::Bounds, update::axioms).expansion(update::expansion),
        Op::StrIndexofRe => extended(3).bounds(From(-1)).expansion(indexof_re::expansion),
        Op::StrRev => OPAQUE,
        Op::StrLastIndexof => OPAQUE.bounds(From(-1)),
        // Formulas with sequences are not solved: `session/support.rs`.
        Op::SeqEmpty | Op::SeqUnit | Op::SeqNth | Op::SeqConcat | Op::SeqLen | Op::SeqAt | Op::SeqExtract => {
            OPAQUE
        }
        Op::SeqPrefixof
        | Op::SeqSuffixof
        | Op::SeqContains
        | Op::SeqIndexof
        | Op::SeqReplace
        | Op::SeqReplaceAll => OPAQUE,
    }
}

/// The row of an application; none for constants, variables and uninterpreted functions.
pub(crate) fn of_head(head: Head) -> Option<Operator> {
    match head {
        Head::Op(op) | Head::Indexed(op, _) => Some(of(op)),
        _ => None,
    }
}

/// Whether an application is of the extended signature.
pub(crate) fn is_extended(head: Head) -> bool {
    of_head(head).is_some_and(|o| matches!(o.role, Role::Extended { .. }))
}

/// The constant bounds of an integer term that its operator gives: the lower and the upper one.
pub(crate) fn constant_bounds(pool: &Pool, t: Term) -> (Option<Int>, Option<Int>) {
    let Some(row) = of_head(pool.head(t)) else { return (None, None) };
    match row.bounds {
        Bounds::None => (None, None),
        Bounds::From(n) => (Some(Int::from(n)), None),
        Bounds::Within(low, high) => (Some(Int::from(low)), Some(Int::from(high))),
        Bounds::Remainder => match build::int(pool, pool.args(t)[1]) {
            Some(k) if !k.is_zero() => (Some(Int::ZERO), Some(k.abs() - Int::ONE)),
            _ => (None, None),
        },
    }
}

/// The constant bounds of a term as formulas.
fn bounds_as_formulas(b: &mut dyn Site, op: Op, t: Term) -> Vec<Term> {
    let (low, high) = match of(op).bounds {
        Bounds::None | Bounds::Remainder => (None, None),
        Bounds::From(low) => (Some(low), None),
        Bounds::Within(low, high) => (Some(low), Some(high)),
    };
    let mut out = Vec::new();
    if let Some(low) = low {
        let low = b.int(low);
        out.push(b.ge(t, low));
    }
    if let Some(high) = high {
        let high = b.int(high);
        out.push(b.ge(high, t));
    }
    out
}

/// `c => t = x`, `(not c) => t = y`
fn ite_axioms(b: &mut dyn Site, t: Term, args: &[Term]) -> Vec<Term> {
    let &[c, x, y] = args else { return Vec::new() };
    let (is_x, is_y, not_c) = (b.eq(t, x), b.eq(t, y), b.not(c));
    vec![b.or(&[not_c, is_x]), b.or(&[c, is_y])]
}
