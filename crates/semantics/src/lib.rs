//! The referee: an executable SMT-LIB semantics.
//!
//! Written from the text of the standard alone; depends on neither generators nor solvers. [`strings`] and [`regex`]
//! are the operators as functions of strings and languages, [`eval`] evaluates terms under a [`model`], [`referee`]
//! judges models on scripts, [`transcript`] finds the model to judge in the output of a solver, [`ambiguity`] finds texts with two readings, [`explain`] shows why an assertion is
//! false, [`mod@report`] does all of this in one call, [`rule`] reads and verifies rule files, [`certificate`] and [`instance`] read and write scripts with known answers.
//!
//! Truth is three-valued: an assertion holds, fails or is undetermined. Nothing is guessed.
//!
//! # Judge a model
//!
//! ```
//! use stringent_semantics::{Conclusion, Options, judge};
//!
//! let script = "(declare-const x String)\n(assert (= (str.replace x \"\" \"b\") \"a\"))\n(check-sat)\n(get-model)";
//! let report = judge(script, "sat\n((define-fun x () String \"a\"))", Options::default())?;
//! assert_eq!(report.conclusion(), Conclusion::Fails);
//! let why = &report.explanation.as_ref().expect("it is false").lines;
//! assert_eq!(why[1].to_string(), r#"    (str.replace x "" "b")  →  "ba""#);
//! # Ok::<(), stringent_semantics::Refusal>(())
//! ```
//!
//! # Evaluate a term
//!
//! Terms are those of [`smt`] (the crate `stringent-smt`, re-exported).
//!
//! ```
//! use stringent_semantics::{Evaluator, Model, Value, smt};
//!
//! let mut pool = smt::Pool::new();
//! let t = smt::parse_term(br#"(str.indexof "banana" "an" 2)"#, &mut pool).expect("a term");
//! let model = Model::new();
//! assert_eq!(Evaluator::new(&pool, &model).eval(t), Ok(Value::Int(3.into())));
//! ```
//!
//! Constants get their values from the model:
//!
//! ```
//! use stringent_semantics::{Evaluator, Model, Satisfaction, Str, Value, smt};
//!
//! let mut pool = smt::Pool::new();
//! let parsed = smt::parse(br#"(declare-const x String)(assert (str.in_re x (re.+ (re.range "0" "9"))))"#, None, &mut pool);
//! let mut model = Model::new();
//! for x in parsed.script.declared() {
//!     model.assign(x, Value::Str(Str::from_text("2026").expect("characters of the standard")));
//! }
//! let mut evaluator = Evaluator::new(&pool, &model);
//! assert!(parsed.script.assertions().all(|t| evaluator.truth(t) == Satisfaction::Holds));
//! ```
//!
//! # Decide about languages
//!
//! ```
//! use stringent_semantics::{Str, regex::RegexStore};
//!
//! let mut store = RegexStore::new();
//! let word = |text: &str| Str::from_text(text).expect("characters of the standard");
//! let ab = store.word(&word("ab"));
//! let not_ab = store.comp(ab);
//! assert!(store.matches(not_ab, &word("aa")));
//! let both = store.inter(&[ab, not_ab]);
//! assert_eq!(store.is_empty_language(both, 1_000_000), Some(true));
//! ```
//!
//! # Known answers
//!
//! ```
//! use stringent_semantics::{Instance, Status};
//!
//! let text = br#"(set-info :status sat)
//! (set-info :stringent-model |((define-fun x () Int 2))|)
//! (declare-const x Int)
//! (assert (> x 1))
//! (check-sat)"#;
//! let instance = Instance::from_text(text, None).expect("no errors");
//! assert_eq!(instance.truth.status(), Status::Sat); // the model was evaluated
//!
//! let wrong = std::str::from_utf8(text).unwrap().replace("x () Int 2", "x () Int 1");
//! let instance = Instance::from_text(wrong.as_bytes(), None).expect("no errors");
//! assert_eq!(instance.truth.status(), Status::Unknown);
//! ```

pub mod ambiguity;
mod apply;
pub mod certificate;
pub mod eval;
pub mod explain;
pub mod instance;
pub mod model;
pub mod referee;
pub mod regex;
pub mod report;
pub mod rule;
pub mod strings;
pub mod transcript;
pub mod value;

pub use certificate::{Certificate, Query, Status};
pub use eval::{Config, Evaluator};
pub use instance::{Instance, Truth};
pub use model::Model;
pub use report::{Conclusion, Refusal, Report, judge};
pub use smt;
pub use strings::{Reading, Str};
pub use transcript::Options;
pub use value::{Satisfaction, Val, Value, Why};
