//! The members of a suite, and their texts: SMT-LIB 2.6 with the certificate as `set-info`.

use semantics::instance::{Truth, Writer, ascii, write_info};
use semantics::{Model, Status, Value};
use smt::term::{AttrValue, Attribute};
use smt::{Command, Dialect, Head, Op, Pool, Script, Term};
use std::fmt::Write as _;

/// The category of a formula: the rows of the paper's Table 4.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Category {
    /// One operation, all arguments free.
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
}

/// A formula of a suite. Its terms are in a pool that all formulas of a task share.
#[derive(Clone, Debug)]
pub struct Member {
    /// Its category.
    pub category: Category,
    /// The operation under test.
    pub operation: String,
    /// The equivalence that it comes from, or empty: part of its name.
    pub rule: String,
    /// Its construction; the derivation of an unsatisfiable formula.
    pub recipe: String,
    /// Declarations, assertions and the check.
    pub script: Script,
    /// Its answer.
    pub truth: Truth,
    /// For some assertions of the core, by index, a model of all other assertions.
    pub drops: Vec<(usize, Model)>,
}

/// An instance as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// Its name, a path without extension.
    pub name: String,
    /// Its category, with `+p` if it has the patterns.
    pub category: String,
    /// The operation under test.
    pub operation: String,
    /// Its known answer.
    pub status: Status,
    /// The script.
    pub source: String,
}

impl Member {
    /// The text of the member with this number within its category, operation and rule; `suite` is the first part
    /// of its name, `source` the program, its version and the command.
    pub fn text(&self, pool: &Pool, source: &str, suite: &str, patterns: bool, number: usize) -> Text {
        let p = if patterns { "+p" } else { "" };
        let category = format!("{}{p}", self.category.name());
        let folder = folder(&self.operation);
        let dash = if self.rule.is_empty() { "" } else { "-" };
        let name = format!("{suite}/{category}/{folder}/{}{dash}{number:04}", self.rule);
        let mut out = String::with_capacity(1024);
        self.heading(pool, source, &name, &category, &mut out);
        let mut writer = Writer::new(pool, &self.script, &self.truth, Dialect::Smt26);
        writer.certificate(&mut out);
        self.drops.iter().for_each(|(i, model)| writer.drop_model(*i, model, &mut out));
        writer.commands(&self.script.entries, &mut out).expect("2.6 expresses every term");
        Text { name, category, operation: self.operation.clone(), status: self.truth.status(), source: out }
    }

    /// Writes the attributes before the certificate.
    fn heading(&self, pool: &Pool, source: &str, name: &str, category: &str, out: &mut String) {
        let beyond = |t| pool.has_binder(t) || is_non_linear(pool, t);
        let logic = if self.script.assertions().any(beyond) { "ALL" } else { "QF_SLIA" };
        let _ = write!(out, "(set-info :smt-lib-version 2.6)\n(set-logic {logic})\n");
        for (key, text) in [
            (":source", &*ascii(source)),
            (":category", category),
            (":stringent-name", name),
            (":stringent-operation", &self.operation),
            (":stringent-recipe", &self.recipe),
        ] {
            write_info(Dialect::Smt26, key, text, out);
        }
    }
}

/// The script that declares constants, asserts terms and checks once.
pub(crate) fn script(pool: &Pool, constants: &[Term], assertions: &[Term]) -> Script {
    let mut script = Script::default();
    for &c in constants {
        if let Head::Fun(f) = pool.head(c) {
            script.push(Command::DeclareConst(f));
        }
    }
    assertions.iter().for_each(|&t| script.push(Command::Assert(t)));
    script.push(Command::CheckSat);
    script
}

/// The model that gives constants these values.
pub(crate) fn model(pool: &Pool, values: impl Iterator<Item = (Term, Value)>) -> Model {
    let mut model = Model::new();
    for (c, value) in values {
        if let Head::Fun(f) = pool.head(c) {
            model.assign(f, value);
        }
    }
    model
}

/// `t` with a name.
pub(crate) fn named(pool: &mut Pool, t: Term, name: &str) -> Term {
    let (key, name) = (pool.names.intern(":named"), pool.names.intern(name));
    pool.annotate(t, Box::new([Attribute { key, value: AttrValue::Symbol(name) }]))
}

/// It divides by something other than a constant: a replaced constant may have been a divisor.
fn is_non_linear(pool: &Pool, t: Term) -> bool {
    pool.subterms([t]).any(|t| {
        let divides = matches!(pool.head(t), Head::Op(Op::IntDiv | Op::Mod | Op::Mul));
        divides && pool.args(t)[1..].iter().any(|&a| !matches!(pool.head(a), Head::Int(_)))
    })
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
