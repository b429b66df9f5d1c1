//! Values of terms.

pub mod bits;
mod data;
mod seq;
pub mod set;

pub use data::{Data, default_value};
pub use seq::Seq;

use crate::regex::{Re, RegexStore};
use crate::strings::Str;
use smt::{Int, Rat, Sort, Term};
use std::sync::Arc;

/// The denotation of a term.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// Of `Bool`.
    Bool(bool),
    /// Of `Int`.
    Int(Int),
    /// Of `Real`.
    Real(Rat),
    /// Of `String`.
    Str(Str),
    /// Of `RegLan`: a language, by an expression in the evaluator's [`RegexStore`]. Two different ids may
    /// denote one language; compare with [`RegexStore::equivalent`].
    Re(Re),
    /// Of a declared sort: an element known by its name only.
    Element(Arc<str>),
    /// Of a datatype.
    Data(Arc<Data>),
    /// Of a sort of sequences.
    Seq(Seq),
}

impl Value {
    /// The truth value, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(b) => Some(*b),
            _ => None,
        }
    }

    /// As SMT-LIB text.
    pub fn to_smtlib(&self, store: &RegexStore) -> String {
        match self {
            Value::Bool(b) => b.to_string(),
            Value::Int(n) if n.is_negative() => format!("(- {})", n.abs()),
            Value::Int(n) => n.to_string(),
            Value::Real(q) => q.to_string(),
            Value::Str(s) => format!("{s:?}"),
            Value::Re(r) => store.to_smtlib(*r),
            Value::Element(name) => name.to_string(),
            Value::Data(d) => match set::elements(self) {
                Some(elements) => {
                    set::union_text(d.constructor(), elements.iter().map(|e| e.to_smtlib(store)))
                }
                None => d.to_smtlib(store),
            },
            Value::Seq(s) => s.to_smtlib(store),
        }
    }

    /// The value that completes a model for a constant of sort `sort` that it does not mention.
    pub fn default_of(sort: Sort, name: impl FnOnce() -> String, store: &RegexStore) -> Option<Value> {
        Some(match sort {
            Sort::BOOL => Value::Bool(false),
            Sort::INT => Value::Int(Int::ZERO),
            Sort::REAL => Value::Real(Rat::from(Int::ZERO)),
            Sort::STRING => Value::Str(Str::empty()),
            Sort::REGLAN => Value::Re(store.none()),
            Sort::OPAQUE => return None,
            _ => Value::Element(name().into()),
        })
    }
}

/// Why a value is undetermined, with the subterm that is the cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Why {
    /// It belongs to a foreign theory.
    Opaque(Term),
    /// Division by zero: the standard leaves the value to the model, and the model has none.
    DivisionByZero(Term),
    /// A quantifier over an unbounded domain, and no instance decides it.
    Quantifier(Term),
    /// More work than the evaluator's budget.
    Budget(Term),
    /// The model's value for it has another shape than its declaration.
    ModelShape(Term),
    /// The model is from `get-value`, which did not request this value.
    Unmentioned(Term),
    /// A variable that nothing binds.
    Unbound(Term),
    /// A function as a value.
    HigherOrder(Term),
    /// `seq.nth` past the end: its value is left open.
    OutOfBounds(Term),
    /// A selector of another constructor: the standard leaves the value to the model, and the model has none.
    Misapplied(Term),
}

impl Why {
    /// The subterm that is the cause.
    pub fn term(self) -> Term {
        match self {
            Why::Opaque(t)
            | Why::DivisionByZero(t)
            | Why::Quantifier(t)
            | Why::Budget(t)
            | Why::ModelShape(t)
            | Why::Unmentioned(t)
            | Why::Unbound(t)
            | Why::HigherOrder(t)
            | Why::OutOfBounds(t)
            | Why::Misapplied(t) => t,
        }
    }

    /// The reason as text.
    pub fn reason(self) -> &'static str {
        match self {
            Why::Opaque(_) => "it belongs to a theory that stringent does not evaluate",
            Why::DivisionByZero(_) => {
                "the standard leaves division by zero to the model, which does not define it"
            }
            Why::Quantifier(_) => "it quantifies over an unbounded domain",
            Why::Budget(_) => "it exceeds the work limit",
            Why::ModelShape(_) => "the model gives it a value of another shape than it is declared with",
            Why::Unmentioned(_) => "the values given do not mention it",
            Why::Unbound(_) => "nothing binds this variable",
            Why::HigherOrder(_) => "it is a function used as a value",
            Why::OutOfBounds(_) => "its value is left open: there is no element at this position",
            Why::Misapplied(_) => {
                "the standard leaves selectors of other constructors to the model, which does not define it"
            }
        }
    }
}

/// A value, or the reason why it is undetermined.
pub type Val = Result<Value, Why>;

/// Whether a model satisfies an assertion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Satisfaction {
    /// True under the model.
    Holds,
    /// False under the model.
    Fails,
    /// Neither could be shown.
    Undetermined(Why),
}

impl Satisfaction {
    /// The truth of a `Bool` value.
    pub fn of(val: &Val, t: Term) -> Satisfaction {
        match val {
            Ok(Value::Bool(true)) => Satisfaction::Holds,
            Ok(Value::Bool(false)) => Satisfaction::Fails,
            Ok(_) => Satisfaction::Undetermined(Why::ModelShape(t)),
            Err(why) => Satisfaction::Undetermined(*why),
        }
    }
}
