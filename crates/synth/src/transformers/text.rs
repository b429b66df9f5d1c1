//! From a text to the text of the transformed script.
//!
//! Comments between commands stay, as do all attributes but the certificate, which is replaced. The provenance
//! is added as `:source`, or as `:stringent-made` if it has a source already.
//!
//! The status of a file is ignored if its meaning is ambiguous: if it declares a name twice, or if its
//! dialect was detected and it has escapes that another dialect reads differently (`\\0`, which used to be one character).
//! A model that holds is accepted in any case.

use super::Chain;
use semantics::ambiguity;
use semantics::certificate::{CORE, Certificate, DROP, MODEL, STATUS, Status};
use semantics::instance::{Instance, Truth, quoted};
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
    /// Request a model after each check.
    pub models: bool,
    /// The provenance: program, version, command.
    pub provenance: String,
}

/// A transformed text.
#[derive(Clone, Debug)]
pub struct Transformed {
    /// The text.
    pub text: String,
    /// Its known answer.
    pub status: Status,
    /// The diagnostics of the original.
    pub notices: Vec<Diagnostic>,
}

/// Why there is no transformed text.
#[derive(Clone, Debug, thiserror::Error)]
pub enum TextError {
    /// The original is not a script.
    #[error("{} error(s) in the script", .0.len())]
    Rejected(Vec<Diagnostic>),
    /// The dialect cannot express the result.
    #[error("{0}")]
    Inexpressible(#[from] Inexpressible),
}

/// A script that was read, with its comments.
pub struct Original<'s> {
    /// The script.
    pub instance: Instance,
    /// Its diagnostics.
    pub notices: Vec<Diagnostic>,
    src: &'s [u8],
    trailing: Span,
}

impl<'s> Original<'s> {
    /// Reads a script.
    pub fn read(src: &'s [u8], from: Option<Dialect>) -> Result<Self, TextError> {
        let mut pool = Pool::new();
        // An estimate of the terms of the text, before and after.
        pool.reserve(src.len() / 8);
        let parsed = smt::parse(src, from, &mut pool);
        if !parsed.is_ok() {
            return Err(TextError::Rejected(parsed.diagnostics));
        }
        let doubtful = ambiguity::redeclaration(&parsed.diagnostics).is_some();
        let unclear = from.is_none() && ambiguity::other_escapes(src, parsed.script.dialect).is_some();
        let mut instance = Instance::from_script(pool, parsed.script, doubtful);
        if (doubtful || unclear) && !matches!(instance.truth, Truth::Sat(_)) {
            instance.truth = Truth::Unknown;
            instance.set_status(Status::Unknown);
        }
        Ok(Original { instance, notices: parsed.diagnostics, src, trailing: parsed.trailing })
    }

    /// Writes `instance`, which was made from this script.
    pub fn write(&self, instance: &mut Instance, form: &Form) -> Result<String, Inexpressible> {
        let script = with_attributes(instance, form);
        let dialect = form.to.unwrap_or(script.dialect);
        script_text(&instance.pool, &script, dialect, Some(self.src), Some(self.trailing))
    }
}

/// Reads, transforms and writes.
pub fn transform(src: &[u8], chain: &Chain, seed: u64, form: &Form) -> Result<Transformed, TextError> {
    let mut original = Original::read(src, form.from)?;
    let mut instance = std::mem::take(&mut original.instance);
    let dialect = form.to.unwrap_or(instance.script.dialect);
    chain.apply(&mut instance, seed, dialect);
    let text = original.write(&mut instance, form)?;
    Ok(Transformed { text, status: status(&instance), notices: original.notices })
}

/// The known answer, with or without a proof.
pub fn status(instance: &Instance) -> Status {
    let stated = Certificate::of(&instance.pool, &instance.script);
    match instance.truth.status() {
        Status::Unknown if stated.queries.len() == 1 => stated.status(),
        status => status,
    }
}

/// The script with the attributes to write.
fn with_attributes(instance: &mut Instance, form: &Form) -> Script {
    let added = attributes(instance, form);
    let names = &instance.pool.names;
    let stale =
        |c: &Command| matches!(c, Command::SetInfo(k, _) if [MODEL, CORE, DROP].contains(&names.name(*k)));
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

/// Provenance and certificate.
fn attributes(instance: &mut Instance, form: &Form) -> Vec<Command> {
    let mut infos: Vec<(&str, String)> = Vec::new();
    if !form.provenance.is_empty() {
        let key = if instance.info(":source").is_none() { ":source" } else { ":stringent-made" };
        infos.push((key, quoted(&form.provenance)));
    }
    if !matches!(instance.truth, Truth::Unknown) && instance.info(STATUS).is_none() {
        infos.push((STATUS, instance.truth.status().code().into()));
    }
    infos.extend(instance.proof().map(|(key, text)| (key, quoted(&text))));
    infos.into_iter().map(|(k, v)| Command::SetInfo(instance.pool.names.intern(k), v.into())).collect()
}
