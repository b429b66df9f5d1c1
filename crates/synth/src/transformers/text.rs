//! From a text to the text of the transformed script.
//!
//! Comments between commands stay, as do all attributes but the certificate, which is written anew. What made the text
//! is added as `:source`, or as `:stringent-made` if it has a source already.
//!
//! What a file says of its answer counts only if what it means is clear: not if it declares a name twice, nor if its
//! dialect was detected and it has escapes that another dialect reads differently (`\\0`, which was one character once).
//! A model that holds counts all the same.

use super::{Chain, carry};
use crate::instance::{Instance, Truth};
use semantics::ambiguity;
use smt::print::{Inexpressible, script_text};
use smt::script::{Entry, Plain};
use smt::{Command, Diagnostic, Dialect, Pool, Script, Span};

/// How a text is read and written.
#[derive(Clone, Debug, Default)]
pub struct Form {
    /// The dialect to read; detected if none.
    pub from: Option<Dialect>,
    /// The dialect to write; that of the text if none.
    pub to: Option<Dialect>,
    /// Ask for a model after each check.
    pub models: bool,
    /// What made it: program, version, command.
    pub provenance: String,
}

/// A transformed text.
#[derive(Clone, Debug)]
pub struct Transformed {
    /// The text.
    pub text: String,
    /// What is known of its answer: `sat`, `unsat`, or `unknown`.
    pub status: &'static str,
    /// What was noticed when the original was read.
    pub notices: Vec<Diagnostic>,
}

/// Why there is no transformed text.
#[derive(Clone, Debug, thiserror::Error)]
pub enum TextError {
    /// The original is no script.
    #[error("it has {} error(s)", .0.len())]
    Rejected(Vec<Diagnostic>),
    /// The dialect cannot say the result.
    #[error("{0}")]
    Inexpressible(#[from] Inexpressible),
}

/// A script that was read, with what its text has besides.
pub struct Original<'s> {
    /// It.
    pub instance: Instance,
    /// What was noticed.
    pub notices: Vec<Diagnostic>,
    src: &'s [u8],
    trailing: Span,
}

impl<'s> Original<'s> {
    /// Reads a script.
    pub fn read(src: &'s [u8], from: Option<Dialect>) -> Result<Self, TextError> {
        let mut pool = Pool::new();
        // About as many as a text has, as it is and transformed.
        pool.reserve(src.len() / 8);
        let parsed = smt::parse(src, from, &mut pool);
        if !parsed.is_ok() {
            return Err(TextError::Rejected(parsed.diagnostics));
        }
        let doubtful = ambiguity::redeclaration(&parsed.diagnostics).is_some();
        let unclear = from.is_none() && ambiguity::other_escapes(src, parsed.script.dialect).is_some();
        let mut instance = Instance::from_script(pool, parsed.script, doubtful);
        if (doubtful || unclear) && !matches!(instance.truth, Truth::Sat(_)) {
            instance.truth = Truth::Open;
            carry::set_status(&mut instance, "unknown");
        }
        Ok(Original { instance, notices: parsed.diagnostics, src, trailing: parsed.trailing })
    }

    /// Writes `instance`, which was made from this script.
    pub fn write(&self, instance: &mut Instance, form: &Form) -> Result<String, Inexpressible> {
        let script = dressed(instance, form);
        let dialect = form.to.unwrap_or(script.dialect);
        script_text(&instance.pool, &script, dialect, Some(self.src), Some(self.trailing))
    }
}

/// Reads, transforms and writes.
pub fn transform(src: &[u8], chain: &Chain, seed: u64, form: &Form) -> Result<Transformed, TextError> {
    let mut original = Original::read(src, form.from)?;
    let mut instance = std::mem::replace(&mut original.instance, empty());
    let dialect = form.to.unwrap_or(instance.script.dialect);
    chain.apply(&mut instance, seed, dialect);
    let text = original.write(&mut instance, form)?;
    Ok(Transformed { text, status: status(&instance), notices: original.notices })
}

fn empty() -> Instance {
    Instance { pool: Pool::new(), script: Script::default(), truth: Truth::Open }
}

/// What is known of the answer: by a certificate, or by the one `:status` that the script has.
pub fn status(instance: &Instance) -> &'static str {
    match &instance.truth {
        Truth::Open if instance.asks_once() => match instance.info(":status").as_deref() {
            Some("sat") => "sat",
            Some("unsat") => "unsat",
            _ => "unknown",
        },
        truth => truth.status(),
    }
}

/// The script with the attributes that it is to be written with.
fn dressed(instance: &mut Instance, form: &Form) -> Script {
    let added = attributes(instance, form);
    let names = &instance.pool.names;
    let stale = |c: &Command| matches!(c, Command::SetInfo(k, _) if [":stringent-model", ":stringent-core", ":stringent-drop"].contains(&names.name(*k)));
    let heading =
        |c: &Command| matches!(c, Command::SetLogic(_) | Command::SetInfo(..) | Command::SetOption(..));
    let mut script = Script { entries: Vec::new(), dialect: instance.script.dialect };
    let head = instance.script.commands().take_while(|c| heading(c)).count();
    let keep = |e: &&Entry| !stale(&e.command);
    script.entries.extend(instance.script.entries[..head].iter().filter(keep).cloned());
    added.into_iter().for_each(|c| script.push(c));
    for entry in instance.script.entries[head..].iter().filter(keep) {
        script.entries.push(entry.clone());
        if form.models && matches!(entry.command, Command::CheckSat | Command::CheckSatAssuming(_)) {
            script.push(Command::Plain(Plain::GetModel));
        }
    }
    script
}

/// Where it is from, and the certificate.
fn attributes(instance: &mut Instance, form: &Form) -> Vec<Command> {
    let mut infos: Vec<(&str, String)> = Vec::new();
    if !form.provenance.is_empty() {
        let key = if instance.info(":source").is_none() { ":source" } else { ":stringent-made" };
        infos.push((key, quoted(&form.provenance)));
    }
    if !matches!(instance.truth, Truth::Open) && instance.info(":status").is_none() {
        infos.push((":status", instance.truth.status().into()));
    }
    infos.extend(instance.model_text().map(|text| (":stringent-model", quoted(&text))));
    infos.extend(core_text(instance).map(|text| (":stringent-core", quoted(&text))));
    infos.into_iter().map(|(k, v)| Command::SetInfo(instance.pool.names.intern(k), v.into())).collect()
}

/// The names of the assertions of the core.
fn core_text(instance: &Instance) -> Option<String> {
    let Truth::Unsat(core) = &instance.truth else { return None };
    let terms: Vec<_> = instance.script.assertions().collect();
    let name = |&i: &usize| {
        let name = instance.pool.given_name(*terms.get(i)?)?;
        Some(smt::symbol::quote(instance.pool.names.name(name)).into_owned())
    };
    let names: Option<Vec<String>> = core.iter().map(name).collect();
    names.filter(|n| !n.is_empty()).map(|n| format!("({})", n.join(" ")))
}

/// As an SMT-LIB string.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}
