//! SMT-LIB text and terms.
//!
//! Two layers. [`sexpr`] is lossless and never rejects: flat s-expressions with spans. Above it,
//! [`elaborate`] resolves names and checks sorts, and builds hash-consed terms in a [`term::Pool`];
//! [`parse()`] reads scripts. [`print`] writes terms and scripts in any [`dialect`];
//! [`answer`] reads solvers' output. [`op`] is the operator table.
//!
//! Start with [`parse`]:
//!
//! ```
//! let mut pool = smt::Pool::new();
//! let parsed = smt::parse(b"(declare-const x String)(assert (= (str.len x) 3))", None, &mut pool);
//! assert!(parsed.is_ok());
//! assert_eq!(parsed.script.assertions().count(), 1);
//! ```
//!
//! Nothing here touches files, processes or the clock, and nothing recurses on the depth of its input.

pub mod answer;
pub mod diag;
pub mod dialect;
pub mod elaborate;
pub mod foreign;
pub mod num;
pub mod op;
pub mod parse;
pub mod print;
pub mod script;
pub mod sexpr;
pub mod stream;
pub mod symbol;
pub mod term;
pub mod trip;
pub mod typing;
pub mod work;

pub use diag::{Code, Diagnostic, Severity, Span};
pub use dialect::Dialect;
pub use num::{Int, Rat};
pub use op::Op;
pub use parse::{Parsed, parse};
pub use script::{Command, Script};
pub use term::{Fun, Head, Pool, PostOrder, Sort, Term, Walk};
