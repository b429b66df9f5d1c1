//! A script as text with the values of its constants, and short names for terms.

use crate::dice::Dice;
use crate::generators::Builder;
use semantics::instance::Truth;
use semantics::{Model, Str, Value};
use smt::{Command, Dialect, Int};

/// Collects the commands of a script, and the value of each constant in the model drawn first.
#[derive(Debug, Default)]
pub struct Sheet {
    text: String,
    values: Vec<Value>,
}

impl Sheet {
    /// Declares a string with its value; returns the name.
    pub fn string(&mut self, name: impl Into<String>, word: &str) -> String {
        let word: Vec<u32> = word.chars().map(u32::from).collect();
        self.declare(name.into(), "String", Value::Str(Str::from(word)))
    }

    /// Declares an integer with its value; returns the name.
    pub fn int(&mut self, name: impl Into<String>, value: i64) -> String {
        self.declare(name.into(), "Int", Value::Int(Int::from(value)))
    }

    fn declare(&mut self, name: String, sort: &str, value: Value) -> String {
        self.line(&format!("(declare-const {name} {sort})"));
        self.values.push(value);
        name
    }

    /// Defines a function of one string.
    pub fn function(&mut self, name: &str, body: &str) {
        self.line(&format!("(define-fun {name} ((v String)) String {body})"));
    }

    /// Asserts a formula.
    pub fn assert(&mut self, formula: impl AsRef<str>) {
        self.line(&format!("(assert {})", formula.as_ref()));
    }

    fn line(&mut self, command: &str) {
        self.text.push_str(command);
        self.text.push('\n');
    }

    /// Moves the script into a builder; its truth.
    pub fn write(self, sat: bool, b: &mut Builder) -> Result<Truth, String> {
        let parsed = smt::parse(self.text.as_bytes(), Some(Dialect::Smt26), b.pool());
        if let Some(first) = parsed.diagnostics.first() {
            return Err(first.message.clone());
        }
        let (mut model, mut values) = (Model::new(), self.values.into_iter());
        for entry in parsed.script.entries {
            match entry.command {
                Command::Assert(t) => {
                    b.assert(t);
                    continue;
                }
                Command::DeclareConst(f) => values.next().into_iter().for_each(|v| model.assign(f, v)),
                _ => {}
            }
            b.push(entry.command);
        }
        Ok(if sat { Truth::Sat(Box::new(model)) } else { Truth::Unsat(Vec::new()) })
    }
}

/// A string literal of printable characters without quotes and backslashes.
pub(super) fn lit(word: &str) -> String {
    format!("\"{word}\"")
}

/// The language of one word.
pub(super) fn to_re(word: &str) -> String {
    format!("(str.to_re \"{word}\")")
}

/// The application of an operator to some terms; the term itself if there is only one.
pub(super) fn many<T: AsRef<str>>(op: &str, terms: &[T]) -> String {
    match terms {
        [one] => one.as_ref().to_owned(),
        _ => format!("({op} {})", terms.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(" ")),
    }
}

/// A concatenation of strings.
pub(super) fn concat<T: AsRef<str>>(terms: &[T]) -> String {
    if terms.is_empty() { lit("") } else { many("str.++", terms) }
}

/// An integer literal.
pub(super) fn num(n: i64) -> String {
    if n < 0 { format!("(- {})", n.unsigned_abs()) } else { n.to_string() }
}

/// The linear combination of terms.
pub(super) fn sum(terms: &[(i64, String)]) -> String {
    let product = |(a, t): &(i64, String)| if *a == 1 { t.clone() } else { format!("(* {} {t})", num(*a)) };
    many("+", &terms.iter().map(product).collect::<Vec<_>>())
}

/// A random word.
pub(super) fn word(dice: &mut Dice, letters: &str, length: usize) -> String {
    let letters: Vec<char> = letters.chars().collect();
    (0..length).map(|_| *dice.pick(&letters)).collect()
}

/// Some of the letters, in random order.
pub(super) fn some(dice: &mut Dice, letters: &str, count: usize) -> Vec<char> {
    let mut all: Vec<char> = letters.chars().collect();
    dice.shuffle(&mut all);
    all.truncate(count);
    all
}
