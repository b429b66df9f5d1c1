//! SMT-LIB text and terms.
//!
//! Two layers. [`sexpr`] is lossless and never rejects: flat s-expressions with spans. Above it,
//! [`elaborate`] resolves names and checks sorts, and builds hash-consed terms in a [`term::Pool`];
//! [`parse()`] reads scripts. [`mod@print`] writes terms and scripts in any [`dialect`];
//! [`answer`] reads solvers' output. [`op`] is the operator table.
//!
//! # Read a script
//!
//! [`parse()`] never fails: what it cannot read is a [`Diagnostic`], and the next command is read. All terms go to a [`Pool`], which
//! keeps equal ones once.
//!
//! ```
//! use stringent_smt::{Pool, diag::position, parse};
//!
//! let text = b"(declare-const x String)\n(assert (= (str.lne x) 3))";
//! let parsed = parse(text, None, &mut Pool::new());
//! assert!(!parsed.is_ok());
//! let error = &parsed.diagnostics[0];
//! let at = position(text, error.span.start as usize);
//! assert_eq!((at.line, at.column), (2, 13));
//! assert_eq!(error.message, "unknown symbol `str.lne`");
//! assert_eq!(error.hint.as_deref(), Some("did you mean `str.len`?"));
//! ```
//!
//! # Walk terms
//!
//! A [`Term`] is an index into its pool: [`Pool::head`] is its operator, constant or variable, [`Pool::args`] are its arguments.
//!
//! ```
//! use stringent_smt::{Head, Op, Pool, parse};
//!
//! let mut pool = Pool::new();
//! let parsed = parse(b"(declare-const x String)(assert (= (str.++ x x) \"abab\"))", None, &mut pool);
//! let of_op = |op: Op| pool.subterms(parsed.script.assertions()).filter(|&t| pool.head(t) == Head::Op(op)).count();
//! assert_eq!(of_op(Op::StrConcat), 1);
//! ```
//!
//! # Build and print terms
//!
//! [`Pool::op`] checks sorts. [`print::term_text`] is SMT-LIB 2.6; [`print::Printer`] and [`print::script_text`] print in any dialect.
//!
//! ```
//! use stringent_smt::print::{script_text, term_text};
//! use stringent_smt::{Dialect, Op, Pool, parse};
//!
//! let mut pool = Pool::new();
//! let word = pool.string(&[0x61, 0xe9]);
//! let length = pool.op(Op::StrLen, &[word])?;
//! assert_eq!(term_text(&pool, length), r#"(str.len "a\u{e9}")"#);
//! assert!(pool.op(Op::StrLen, &[length]).is_err());
//!
//! let text = b"(declare-const x String)\n(assert (str.in_re x (str.to_re \"\\u{e9}\")))\n";
//! let parsed = parse(text, None, &mut pool);
//! let old = script_text(&pool, &parsed.script, Dialect::Smt25, None, None)?;
//! assert_eq!(old, "(declare-const x String)\n(assert (str.in.re x (str.to.re \"\\xe9\")))\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Read the output of a solver
//!
//! ```
//! use stringent_smt::answer::{Item, Verdict, read};
//! use stringent_smt::{Dialect, Pool};
//!
//! let mut pool = Pool::new();
//! let items = read(b"sat\n((define-fun x () String \"ab\"))\n", Dialect::Smt26, &mut pool);
//! assert_eq!(items[0], Item::Verdict(Verdict::Sat));
//! let Item::Model(functions) = &items[1] else { panic!("a model") };
//! assert_eq!(pool.fun_name(functions[0]), "x");
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
pub use parse::{Parsed, parse, parse_term};
pub use script::{Command, Script};
pub use term::{Fun, Head, Pool, PostOrder, Sort, Term, Walk};
