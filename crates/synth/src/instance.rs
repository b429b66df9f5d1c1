//! A script with what is known of its answer: what generators make, and transformers and mergers take and give.
//!
//! The truth is about the one question that the script asks; a script that asks several times, or that has commands
//! which may change its meaning and are only carried along, is [`Truth::Open`]. In text the truth is the certificate of
//! `set-info` that docs/synthesis.md describes, and it is read back from there: a model that does not hold by the
//! referee makes the instance open.

use semantics::model::Meaning;
use semantics::referee::{self, Judgement};
use semantics::regex::RegexStore;
use semantics::{Config, Evaluator, Model, Value, ambiguity};
use smt::answer::Item;
use smt::print::{Inexpressible, Printer, Sharing};
use smt::sexpr::Quoting;
use smt::symbol::quote;
use smt::{Command, Diagnostic, Dialect, Fun, Pool, Script, Severity, Term};
use std::borrow::Cow;
use std::fmt::Write as _;

/// What is known of an instance.
#[derive(Clone, Debug)]
pub enum Truth {
    /// It has this model.
    Sat(Box<Model>),
    /// It has none, and neither have these assertions alone: indices into [`Script::assertions`], in order. Empty if no
    /// core is known (an answer by the word of a file).
    Unsat(Vec<usize>),
    /// Nothing.
    Open,
}

impl Truth {
    /// The value of `:status`.
    pub fn status(&self) -> &'static str {
        match self {
            Truth::Sat(_) => "sat",
            Truth::Unsat(_) => "unsat",
            Truth::Open => "unknown",
        }
    }
}

/// A script with its terms and what is known of it.
#[derive(Clone, Debug)]
pub struct Instance {
    /// The terms.
    pub pool: Pool,
    /// The commands.
    pub script: Script,
    /// What is known.
    pub truth: Truth,
}

/// The attributes that state the truth, which are written anew.
const CERTIFICATE: [&str; 4] = [":status", ":stringent-model", ":stringent-core", ":stringent-drop"];

impl Instance {
    /// Reads a text in any dialect, with the truth that it states. The errors are those of the reader.
    pub fn from_text(src: &[u8], dialect: Option<Dialect>) -> Result<Instance, Vec<Diagnostic>> {
        let mut pool = Pool::new();
        let parsed = smt::parse(src, dialect, &mut pool);
        if !parsed.is_ok() {
            let errors = parsed.diagnostics.into_iter().filter(|d| d.severity == Severity::Error);
            return Err(errors.collect());
        }
        let doubtful = ambiguity::redeclaration(&parsed.diagnostics).is_some();
        Ok(Instance::from_script(pool, parsed.script, doubtful))
    }

    /// A script with the truth that it states; none if what it means is in doubt.
    pub fn from_script(pool: Pool, script: Script, doubtful: bool) -> Instance {
        let mut instance = Instance { pool, script, truth: Truth::Open };
        if !doubtful && instance.asks_once() {
            instance.truth = instance.stated();
            instance.confirm();
        }
        instance
    }

    /// It has one `check-sat` (or none, and is asked at its end), and nothing in it is unknown.
    pub fn asks_once(&self) -> bool {
        let check = |c: &&Command| matches!(c, Command::CheckSat | Command::CheckSatAssuming(_));
        let unknown = |c: &Command| matches!(c, Command::Other(text) if !is_declaration(text));
        self.script.commands().filter(check).count() <= 1 && !self.script.commands().any(unknown)
    }

    /// Opens what claims to be satisfiable unless the referee finds that its model holds.
    pub fn confirm(&mut self) {
        if matches!(self.truth, Truth::Sat(_)) && self.judge() != Some(semantics::Satisfaction::Holds) {
            self.truth = Truth::Open;
        }
    }

    /// The referee on the model of a satisfiable instance.
    pub fn judge(&self) -> Option<semantics::Satisfaction> {
        let Truth::Sat(model) = &self.truth else { return None };
        let check = referee::check(&self.script, 0)?;
        let mut e = Evaluator::with(&self.pool, model, Config::default(), RegexStore::new());
        Some(Judgement::of(&check, &mut e).overall())
    }

    /// What its attributes say of it, unchecked.
    fn stated(&mut self) -> Truth {
        let (status, model, core) =
            (self.info(":status"), self.info(":stringent-model"), self.info(":stringent-core"));
        match status.as_deref() {
            Some("sat") => match model.and_then(|text| Model::read(&text, &mut self.pool)) {
                Some(model) => Truth::Sat(Box::new(model)),
                None => Truth::Open,
            },
            Some("unsat") => Truth::Unsat(core.and_then(|text| self.core(&text)).unwrap_or_default()),
            _ => Truth::Open,
        }
    }

    /// The value of an attribute of the script, without quotes; the last one if there are several.
    pub fn info(&self, key: &str) -> Option<String> {
        self.script.infos(&self.pool.names, key).last()
    }

    /// The assertions that a list of names means; none if there is one that it does not know.
    fn core(&self, text: &str) -> Option<Vec<usize>> {
        let items = smt::answer::read(text.as_bytes(), Dialect::Smt26, &mut Pool::new());
        let Some(Item::Names(names)) = items.into_iter().next_back() else { return None };
        let terms: Vec<Term> = self.script.assertions().collect();
        let position = |name: &String| {
            let is = |t: &Term| self.pool.given_name(*t).is_some_and(|n| self.pool.names.name(n) == name);
            terms.iter().position(is)
        };
        let mut core = names.iter().map(position).collect::<Option<Vec<usize>>>()?;
        core.sort_unstable();
        Some(core)
    }

    /// The constants and functions that the script declares.
    pub fn declared(&self) -> impl Iterator<Item = Fun> + '_ {
        self.script.commands().filter_map(|c| match c {
            Command::DeclareFun(f) | Command::DeclareConst(f) => Some(*f),
            _ => None,
        })
    }

    /// The model as it stands in the certificate, if it has one.
    pub fn model_text(&self) -> Option<String> {
        let Truth::Sat(model) = &self.truth else { return None };
        Some(Writer::new(self, Dialect::Smt26).model(model))
    }

    /// As SMT-LIB 2.6 text; `provenance` says what made it: program, version and command with seed.
    pub fn to_text(&self, provenance: &str) -> String {
        self.to_text_in(Dialect::Smt26, provenance).expect("2.6 can say every term")
    }

    /// As text in a dialect. The first provenance is the `:source`, later ones follow as `:stringent-made`. What is in
    /// the certificate is SMT-LIB 2.6 in every dialect.
    pub fn to_text_in(&self, dialect: Dialect, provenance: &str) -> Result<String, Inexpressible> {
        let mut out = String::with_capacity(1024);
        self.write(dialect, provenance, &mut out)?;
        Ok(out)
    }

    /// Appends that text to `out`.
    pub fn write(&self, dialect: Dialect, provenance: &str, out: &mut String) -> Result<(), Inexpressible> {
        let heading =
            |c: &Command| matches!(c, Command::SetLogic(_) | Command::SetInfo(..) | Command::SetOption(..));
        let head = self.script.commands().take_while(|c| heading(c)).count();
        let mut writer = Writer::new(self, dialect);
        for entry in &self.script.entries[..head] {
            writer.entry(entry, out)?;
        }
        if !provenance.is_empty() {
            let made = if self.info(":source").is_none() { ":source" } else { ":stringent-made" };
            writer.info(made, &plain(provenance), out);
        }
        writer.truth(out);
        for entry in &self.script.entries[head..] {
            writer.entry(entry, out)?;
        }
        Ok(())
    }

    /// The same for a script that has no heading: its lines are `heading`.
    pub(crate) fn write_below(
        &self,
        dialect: Dialect,
        heading: &str,
        provenance: &str,
        out: &mut String,
    ) -> Result<(), Inexpressible> {
        let mut writer = Writer::new(self, dialect);
        out.push_str(heading);
        writer.info(":source", &plain(provenance), out);
        writer.truth(out);
        self.script.entries.iter().try_for_each(|entry| writer.entry(entry, out))
    }
}

struct Writer<'i> {
    instance: &'i Instance,
    printer: Printer<'i>,
    dialect: Dialect,
    core: &'i [usize],
    /// The index of the next assertion.
    assertion: usize,
}

impl<'i> Writer<'i> {
    fn new(instance: &'i Instance, dialect: Dialect) -> Self {
        let core: &[usize] = match &instance.truth {
            Truth::Unsat(core) => core,
            _ => &[],
        };
        Writer { instance, printer: Printer::new(&instance.pool, dialect), dialect, core, assertion: 0 }
    }

    fn entry(&mut self, entry: &smt::script::Entry, out: &mut String) -> Result<(), Inexpressible> {
        let names = &self.instance.pool.names;
        match &entry.command {
            Command::SetInfo(key, _) if CERTIFICATE.contains(&names.name(*key)) => return Ok(()),
            Command::Assert(t) => {
                let index = self.assertion;
                self.assertion += 1;
                if !self.core.is_empty() && self.instance.pool.given_name(*t).is_none() {
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

    /// What was read with `let` is written with it.
    fn with_printer<T>(&mut self, lets: bool, write: impl FnOnce(&mut Printer<'_>) -> T) -> T {
        if lets {
            return write(&mut Printer::new(&self.instance.pool, self.dialect).sharing(Sharing::Always));
        }
        write(&mut self.printer)
    }

    /// The name of an assertion; all have one if there is a core, lest a solver's core be empty for those without.
    fn name(&self, index: usize, t: Term) -> String {
        let pool = &self.instance.pool;
        match pool.given_name(t) {
            Some(name) => quote(pool.names.name(name)).into_owned(),
            None => {
                let mut name = format!("A{}", index + 1);
                while pool.names.lookup(&name).is_some() {
                    name.push('_');
                }
                name
            }
        }
    }

    /// The attributes that say what is known.
    fn truth(&self, out: &mut String) {
        let asks = self.instance.asks_once();
        let truth = if asks { &self.instance.truth } else { &Truth::Open };
        let _ = writeln!(out, "(set-info :status {})", truth.status());
        match truth {
            Truth::Sat(model) => self.info(":stringent-model", &self.model(model), out),
            Truth::Unsat(core) if !core.is_empty() => {
                let terms: Vec<Term> = self.instance.script.assertions().collect();
                let names: Vec<String> = core.iter().map(|&i| self.name(i, terms[i])).collect();
                self.info(":stringent-core", &format!("({})", names.join(" ")), out);
            }
            _ => {}
        }
    }

    /// A `set-info` with a text.
    fn info(&self, key: &str, text: &str, out: &mut String) {
        out.push_str("(set-info ");
        out.push_str(key);
        out.push_str(" \"");
        match self.dialect.quoting() {
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

    /// A model as pairs, or as definitions if it has functions.
    fn model(&self, model: &Model) -> String {
        let pool = &self.instance.pool;
        // Only values of regular expressions need it.
        let store = std::cell::LazyCell::new(RegexStore::new);
        let functions = self.instance.declared().any(|f| !pool.fun(f).params.is_empty());
        let mut printer = Printer::new(pool, Dialect::Smt26);
        let mut out = String::from("(");
        for f in self.instance.declared() {
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
            match meaning {
                Meaning::Value(Value::Str(word)) => {
                    smt::dialect::escape(word, Dialect::Smt26, &mut out).expect("2.6 can say every word");
                }
                Meaning::Value(Value::Bool(b)) => out.push_str(if *b { "true" } else { "false" }),
                Meaning::Value(Value::Int(n)) if !n.is_negative() => {
                    let _ = write!(out, "{n}");
                }
                Meaning::Value(v) => out.push_str(&v.to_smtlib(&store)),
                Meaning::Term(t) => printer.term(t, &mut out).expect("2.6 can say every term"),
                Meaning::Definition(d) => {
                    let body = pool.fun(d).def.as_ref().map(|def| def.body);
                    body.into_iter().for_each(|t| printer.term(t, &mut out).expect("2.6 can say every term"));
                }
            }
            out.push_str(") ");
        }
        out.truncate(out.trim_end().len());
        out.push(')');
        out
    }
}

/// A text for people in which nothing needs more than a typewriter: cvc5 reads no other character in a string.
fn plain(text: &str) -> Cow<'_, str> {
    let typed = |c: char| matches!(c, ' '..='~');
    if text.chars().all(typed) {
        return Cow::Borrowed(text);
    }
    let escaped = |c: char| if typed(c) { c.to_string() } else { format!("\\u{{{:X}}}", u32::from(c)) };
    Cow::Owned(text.chars().map(escaped).collect())
}

fn is_declaration(text: &str) -> bool {
    let inside = text.trim_start_matches('(').trim_start();
    ["declare-", "define-", "get-"].iter().any(|h| inside.starts_with(h))
}

#[cfg(test)]
mod tests;
