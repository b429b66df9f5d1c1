//! Writing instances: the certificate, and the commands with the names that a core needs.

use super::Truth;
use crate::certificate::{CORE, DROP, MODEL, STATUS, Status, has_one_check};
use crate::model::{Meaning, Model};
use crate::regex::RegexStore;
use crate::value::Value;
use smt::print::{Inexpressible, Printer, Sharing};
use smt::script::Entry;
use smt::sexpr::Quoting;
use smt::symbol::quote;
use smt::{Command, Dialect, Pool, Script, Term};
use std::borrow::Cow;
use std::cell::LazyCell;
use std::fmt::Write as _;

/// Writes a script and its certificate.
pub struct Writer<'i> {
    pool: &'i Pool,
    script: &'i Script,
    truth: &'i Truth,
    printer: Printer<'i>,
    dialect: Dialect,
    /// The index of the next assertion.
    assertion: usize,
}

/// The attributes that state the truth. Those of the script are replaced.
const CERTIFICATE: [&str; 4] = [STATUS, MODEL, CORE, DROP];

impl<'i> Writer<'i> {
    /// A writer of `script` in `dialect`.
    pub fn new(pool: &'i Pool, script: &'i Script, truth: &'i Truth, dialect: Dialect) -> Self {
        Writer { pool, script, truth, printer: Printer::new(pool, dialect), dialect, assertion: 0 }
    }

    /// Writes the status and its proof. The truth of a script with several checks is not stated.
    pub fn certificate(&self, out: &mut String) {
        let known = has_one_check(self.script);
        let status = if known { self.truth.status() } else { Status::Unknown };
        let _ = writeln!(out, "(set-info {STATUS} {status})");
        if known && let Some((key, text)) = self.proof(&|i, t| Some(self.name(i, t))) {
            write_info(self.dialect, key, &text, out);
        }
    }

    /// The attribute that proves the truth. `name` gives the name of an assertion, by index and term.
    pub(super) fn proof(
        &self,
        name: &dyn Fn(usize, Term) -> Option<String>,
    ) -> Option<(&'static str, String)> {
        match self.truth {
            Truth::Sat(model) => Some((MODEL, self.model(model))),
            Truth::Unsat(core) if !core.is_empty() => {
                let terms: Vec<Term> = self.script.assertions().collect();
                let names: Option<Vec<String>> = core.iter().map(|&i| name(i, *terms.get(i)?)).collect();
                Some((CORE, format!("({})", names?.join(" "))))
            }
            Truth::Unsat(_) | Truth::Unknown => None,
        }
    }

    /// Writes a model of all assertions but one, which proves that every core has this one.
    pub fn drop_model(&self, assertion: usize, model: &Model, out: &mut String) {
        let Some(t) = self.script.assertions().nth(assertion) else { return };
        let text = format!("({} {})", self.name(assertion, t), self.model(model));
        write_info(self.dialect, DROP, &text, out);
    }

    /// Writes commands of the script, in order, without the attributes of an old certificate.
    pub fn commands(&mut self, entries: &[Entry], out: &mut String) -> Result<(), Inexpressible> {
        entries.iter().try_for_each(|entry| self.entry(entry, out))
    }

    fn entry(&mut self, entry: &Entry, out: &mut String) -> Result<(), Inexpressible> {
        match &entry.command {
            Command::SetInfo(key, _) if CERTIFICATE.contains(&self.pool.names.name(*key)) => return Ok(()),
            Command::Assert(t) => {
                let index = self.assertion;
                self.assertion += 1;
                let has_core = matches!(self.truth, Truth::Unsat(core) if !core.is_empty());
                if has_core && self.pool.given_name(*t).is_none() {
                    out.push_str("(assert (! ");
                    self.with_printer(entry.lets, |p| p.term(*t, out))?;
                    let _ = writeln!(out, " :named {}))", self.name(index, *t));
                    return Ok(());
                }
            }
            _ => {}
        }
        self.with_printer(entry.lets, |p| p.command(&entry.command, out))?;
        out.push('\n');
        Ok(())
    }

    /// Commands that were read with `let` are written with it.
    fn with_printer<T>(&mut self, lets: bool, write: impl FnOnce(&mut Printer<'_>) -> T) -> T {
        if lets {
            return write(&mut Printer::new(self.pool, self.dialect).sharing(Sharing::Always));
        }
        write(&mut self.printer)
    }

    /// The name of an assertion. If there is a core, all assertions have one: a solver's core lists only named ones.
    fn name(&self, index: usize, t: Term) -> String {
        given_name(self.pool, t).unwrap_or_else(|| {
            let mut name = format!("A{}", index + 1);
            while self.pool.names.lookup(&name).is_some() {
                name.push('_');
            }
            name
        })
    }

    /// A model as pairs, or as definitions if there are functions.
    fn model(&self, model: &Model) -> String {
        let pool = self.pool;
        let functions = self.script.declared().any(|f| !pool.fun(f).params.is_empty());
        let mut printer = Printer::new(pool, Dialect::Smt26);
        let mut out = String::from("(");
        for f in self.script.declared() {
            let Some(meaning) = model.lookup(pool, f) else { continue };
            if let (Meaning::Definition(d), true) = (meaning, functions) {
                let _ = printer.command(&Command::DefineFun(d), &mut out);
                out.push(' ');
                continue;
            }
            let name = quote(pool.fun_name(f));
            if functions {
                let _ = write!(out, "(define-fun {name} () {} ", pool.sort_text(pool.fun(f).ret));
            } else {
                out.push('(');
                out.push_str(&name);
                out.push(' ');
            }
            meaning_text(pool, meaning, &mut printer, &mut out);
            out.push_str(") ");
        }
        out.truncate(out.trim_end().len());
        out.push(')');
        out
    }
}

/// Writes the value of a constant.
fn meaning_text(pool: &Pool, meaning: Meaning<'_>, printer: &mut Printer<'_>, out: &mut String) {
    // Only values of regular expressions need it.
    let store = LazyCell::new(RegexStore::new);
    match meaning {
        Meaning::Value(Value::Str(word)) => {
            smt::dialect::escape(word, Dialect::Smt26, out).expect("2.6 can express every string");
        }
        Meaning::Value(Value::Bool(b)) => out.push_str(if *b { "true" } else { "false" }),
        Meaning::Value(Value::Int(n)) if !n.is_negative() => {
            let _ = write!(out, "{n}");
        }
        Meaning::Value(v) => out.push_str(&v.to_smtlib(&store)),
        Meaning::Term(t) => printer.term(t, out).expect("2.6 can express every term"),
        Meaning::Definition(d) => {
            let body = pool.fun(d).def.as_ref().map(|def| def.body);
            body.into_iter().for_each(|t| printer.term(t, out).expect("2.6 can express every term"));
        }
    }
}

/// The name that the term of an assertion has, as a symbol.
pub(super) fn given_name(pool: &Pool, t: Term) -> Option<String> {
    Some(quote(pool.names.name(pool.given_name(t)?)).into_owned())
}

/// Appends a `set-info` with a text.
pub fn write_info(dialect: Dialect, key: &str, text: &str, out: &mut String) {
    out.push_str("(set-info ");
    out.push_str(key);
    out.push_str(" \"");
    match dialect.quoting() {
        Quoting::Doubled => {
            for (i, part) in text.split('"').enumerate() {
                out.push_str(if i == 0 { "" } else { "\"\"" });
                out.push_str(part);
            }
        }
        Quoting::Backslash => out.push_str(&text.replace('\\', "\\\\").replace('"', "\\\"")),
    }
    out.push_str("\")\n");
}

/// A text as an SMT-LIB string literal, as [`Command::SetInfo`] holds it.
pub fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

/// A text for people with all but printable ASCII escaped: cvc5 reads no other character in a string.
pub fn ascii(text: &str) -> Cow<'_, str> {
    let printable = |c: char| matches!(c, ' '..='~');
    if text.chars().all(printable) {
        return Cow::Borrowed(text);
    }
    let escaped = |c: char| if printable(c) { c.to_string() } else { format!("\\u{{{:X}}}", u32::from(c)) };
    Cow::Owned(text.chars().map(escaped).collect())
}
