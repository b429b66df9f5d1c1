//! Instances, and how they are written: SMT-LIB 2.6 with the certificate as `set-info`.

use semantics::Value;
use semantics::regex::RegexStore;
use smt::print::Printer;
use smt::symbol::quote;
use smt::{Dialect, Head, Op, Pool, Term};
use std::fmt::Write as _;

/// Where an instance belongs: the rows of the paper's Table 4.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Category {
    /// One operation, everything free.
    Operation,
    /// Constant assignment.
    Constant,
    /// Term synthesis.
    Term,
    /// An equivalence.
    Equivalent,
    /// Variable and constant replacement.
    Core,
    /// Redundancy introduction.
    Redundancy,
}

impl Category {
    /// All of them, in the order of reports.
    pub const ALL: [Category; 6] = [
        Category::Operation,
        Category::Constant,
        Category::Term,
        Category::Equivalent,
        Category::Core,
        Category::Redundancy,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Category::Operation => "operation",
            Category::Constant => "constant",
            Category::Term => "term",
            Category::Equivalent => "equivalent",
            Category::Core => "core",
            Category::Redundancy => "redundancy",
        }
    }

    /// Its instances are satisfiable.
    pub fn is_sat(self) -> bool {
        matches!(self, Category::Operation | Category::Constant | Category::Term)
    }
}

/// An assignment of values to variables.
pub type Assignment = Vec<(Term, Value)>;

/// What is known of an instance, and why.
#[derive(Clone, Debug)]
pub enum Truth {
    /// It has this model.
    Sat(Assignment),
    /// It has none.
    Unsat {
        /// The assertions of its minimal core, by index.
        core: Vec<usize>,
        /// For those of which it was found, a model of all other assertions.
        drops: Vec<(usize, Assignment)>,
    },
}

/// A formula with a known answer, over terms of a pool. Its free variables stand for constants.
#[derive(Clone, Debug)]
pub struct Instance {
    /// Where it belongs.
    pub category: Category,
    /// The operation it is about.
    pub operation: String,
    /// The equivalence it comes from, if it does: part of its name.
    pub rule: String,
    /// How it was made: for an unsatisfiable one, its derivation.
    pub recipe: String,
    /// Its free variables.
    pub vars: Vec<Term>,
    /// Its assertions; those of an unsatisfiable one have names.
    pub assertions: Vec<(Option<String>, Term)>,
    /// What is known of it.
    pub truth: Truth,
}

/// An instance as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// Its name, a path without extension.
    pub name: String,
    /// Its category, with `+p` if it has the patterns.
    pub category: String,
    /// The operation it is about.
    pub operation: String,
    /// `sat` or `unsat`.
    pub status: &'static str,
    /// The script.
    pub source: String,
}

/// What all texts of a suite have in common.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// What made it: program, version, command.
    pub maker: String,
    /// The first part of names.
    pub suite: String,
    /// The instances have patterns, and say so in their category.
    pub patterns: bool,
}

impl Instance {
    /// Writes it; `number` is its number within its category, operation and rule.
    pub fn text(&self, pool: &Pool, store: &RegexStore, frame: &Frame, number: usize) -> Text {
        let p = if frame.patterns { "+p" } else { "" };
        let category = format!("{}{p}", self.category.name());
        let folder = folder(&self.operation);
        let dash = if self.rule.is_empty() { "" } else { "-" };
        let name = format!("{}/{category}/{folder}/{}{dash}{number:04}", frame.suite, self.rule);
        let mut out = String::with_capacity(1024);
        let status = if matches!(self.truth, Truth::Sat(_)) { "sat" } else { "unsat" };
        self.write(pool, store, frame, &name, &category, status, &mut out);
        Text { name, category, operation: self.operation.clone(), status, source: out }
    }

    #[allow(clippy::too_many_arguments, reason = "one place writes the format")]
    fn write(
        &self,
        pool: &Pool,
        store: &RegexStore,
        frame: &Frame,
        name: &str,
        category: &str,
        status: &str,
        out: &mut String,
    ) {
        let beyond = |t| pool.has_binder(t) || is_non_linear(pool, t);
        let logic = if self.assertions.iter().any(|&(_, t)| beyond(t)) { "ALL" } else { "QF_SLIA" };
        let _ = write!(out, "(set-info :smt-lib-version 2.6)\n(set-logic {logic})\n");
        let _ = writeln!(out, "(set-info :source \"{}\")", quoted(&frame.maker));
        let _ = writeln!(out, "(set-info :category \"{category}\")");
        let _ = writeln!(out, "(set-info :stringent-name \"{}\")", quoted(name));
        let _ = writeln!(out, "(set-info :stringent-operation \"{}\")", quoted(&self.operation));
        let _ = writeln!(out, "(set-info :stringent-recipe \"{}\")", quoted(&self.recipe));
        let _ = writeln!(out, "(set-info :status {status})");
        self.certificate(pool, store, out);
        for &v in &self.vars {
            let sort = pool.sort_text(pool.sort_of(v));
            let _ = writeln!(out, "(declare-const {} {sort})", symbol(pool, v));
        }
        let mut printer = Printer::new(pool, Dialect::Smt26);
        for (name, t) in &self.assertions {
            out.push_str(if name.is_some() { "(assert (! " } else { "(assert " });
            printer.term(*t, out).expect("2.6 can say every term");
            match name {
                Some(name) => {
                    let _ = writeln!(out, " :named {name}))");
                }
                None => out.push_str(")\n"),
            }
        }
        out.push_str("(check-sat)\n");
    }

    fn certificate(&self, pool: &Pool, store: &RegexStore, out: &mut String) {
        let label = |i: usize| self.assertions[i].0.as_deref().unwrap_or("");
        match &self.truth {
            Truth::Sat(model) => {
                let model = model_text(pool, store, model);
                let _ = writeln!(out, "(set-info :stringent-model \"{}\")", quoted(&model));
            }
            Truth::Unsat { core, drops } => {
                let names: Vec<&str> = core.iter().map(|&i| label(i)).collect();
                let _ = writeln!(out, "(set-info :stringent-core \"({})\")", names.join(" "));
                for (i, model) in drops {
                    let model = model_text(pool, store, model);
                    let _ =
                        writeln!(out, "(set-info :stringent-drop \"({} {})\")", label(*i), quoted(&model));
                }
            }
        }
    }
}

/// It divides by something other than a constant: a replaced constant may have been a divisor.
fn is_non_linear(pool: &Pool, t: Term) -> bool {
    crate::substitute::subterms(pool, t).into_iter().any(|t| {
        let divides = matches!(pool.head(t), Head::Op(Op::IntDiv | Op::Mod | Op::Mul));
        divides && pool.args(t)[1..].iter().any(|&a| !matches!(pool.head(a), Head::Int(_)))
    })
}

fn model_text(pool: &Pool, store: &RegexStore, model: &Assignment) -> String {
    let pair = |(v, value): &(Term, Value)| format!("({} {})", symbol(pool, *v), value.to_smtlib(store));
    format!("({})", model.iter().map(pair).collect::<Vec<_>>().join(" "))
}

/// The name of an operation in paths.
fn folder(operation: &str) -> String {
    let (not, name) = match operation.strip_prefix("not ") {
        Some(name) => ("not_", name),
        None => ("", operation),
    };
    let name = match name {
        "=" => "equal",
        "str.<" => "str.lt",
        "str.<=" => "str.le",
        "str.++" => "str.concat",
        "re.*" => "re.star",
        "re.+" => "re.plus",
        "re.++" => "re.concat",
        "re.^" => "re.power",
        name => name,
    };
    let plain = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '_' };
    format!("{not}{}", name.chars().map(plain).collect::<String>())
}

fn symbol(pool: &Pool, v: Term) -> std::borrow::Cow<'_, str> {
    quote(crate::substitute::name_of(pool, v))
}

/// A text inside an SMT-LIB string literal.
fn quoted(text: &str) -> String {
    text.replace('"', "\"\"")
}
