//! Instances: scripts with a known answer.
//!
//! The truth is about the only check of the script; a script with several checks, or with commands that are not understood
//! and may change its meaning, is [`Truth::Unknown`]. In text the truth is the [certificate] of the
//! script. When it is read back, a model that the referee does not accept makes the truth unknown.

mod write;

pub use write::{Writer, ascii, quoted, write_info};

use crate::certificate::{self, Certificate, STATUS, Status};
use crate::referee::{self, Judgement};
use crate::regex::RegexStore;
use crate::{Config, Evaluator, Model, Satisfaction, ambiguity};
use smt::print::Inexpressible;
use smt::{Command, Diagnostic, Dialect, Fun, Pool, Script, Severity, Term};

/// The known answer of an instance, with its proof.
#[derive(Clone, Debug)]
pub enum Truth {
    /// It has this model.
    Sat(Box<Model>),
    /// It has no model, and neither have these assertions alone: indices into [`Script::assertions`], in order. Empty if
    /// no core is known.
    Unsat(Vec<usize>),
    /// Nothing is known.
    Unknown,
}

impl Truth {
    /// The answer alone.
    pub fn status(&self) -> Status {
        match self {
            Truth::Sat(_) => Status::Sat,
            Truth::Unsat(_) => Status::Unsat,
            Truth::Unknown => Status::Unknown,
        }
    }
}

/// A script with its terms and its truth.
#[derive(Clone, Debug)]
pub struct Instance {
    /// The terms.
    pub pool: Pool,
    /// The commands.
    pub script: Script,
    /// The known answer.
    pub truth: Truth,
}

impl Default for Instance {
    /// The empty script, unlabelled.
    fn default() -> Self {
        Instance { pool: Pool::new(), script: Script::default(), truth: Truth::Unknown }
    }
}

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

    /// A script with the truth that it states; unknown if its meaning is in doubt.
    pub fn from_script(pool: Pool, script: Script, doubtful: bool) -> Instance {
        let mut instance = Instance { pool, script, truth: Truth::Unknown };
        if !doubtful && instance.has_one_check() {
            instance.truth = instance.stated();
            instance.confirm();
        }
        instance
    }

    /// It has one check, or none and is checked at its end; and all its commands are understood.
    pub fn has_one_check(&self) -> bool {
        certificate::has_one_check(&self.script)
    }

    /// Makes the truth unknown if it is a model that the referee does not accept.
    pub fn confirm(&mut self) {
        if matches!(self.truth, Truth::Sat(_)) && self.judge() != Some(Satisfaction::Holds) {
            self.truth = Truth::Unknown;
        }
    }

    /// The referee's judgement of the model, if there is one.
    pub fn judge(&self) -> Option<Satisfaction> {
        let Truth::Sat(model) = &self.truth else { return None };
        let check = referee::check(&self.script, 0)?;
        let mut e = Evaluator::with(&self.pool, model, Config::default(), RegexStore::new());
        Some(Judgement::of(&check, &mut e).overall())
    }

    /// The truth that its attributes state, unchecked.
    fn stated(&mut self) -> Truth {
        let stated = Certificate::of(&self.pool, &self.script);
        match stated.status() {
            Status::Sat => match stated.model(&mut self.pool) {
                Some(model) => Truth::Sat(Box::new(model)),
                None => Truth::Unknown,
            },
            Status::Unsat => Truth::Unsat(stated.core().and_then(|c| self.indices(&c)).unwrap_or_default()),
            Status::Unknown => Truth::Unknown,
        }
    }

    /// The indices of the assertions with these names; none if one of them does not exist.
    fn indices(&self, names: &[String]) -> Option<Vec<usize>> {
        let terms: Vec<Term> = self.script.assertions().collect();
        let position = |name: &String| {
            let is = |t: &Term| self.pool.given_name(*t).is_some_and(|n| self.pool.names.name(n) == name);
            terms.iter().position(is)
        };
        let mut core = names.iter().map(position).collect::<Option<Vec<usize>>>()?;
        core.sort_unstable();
        Some(core)
    }

    /// The value of an attribute of the script, without quotes; the last one if there are several.
    pub fn info(&self, key: &str) -> Option<String> {
        self.script.infos(&self.pool.names, key).last()
    }

    /// Replaces the value of every `:status` attribute of the script.
    pub fn set_status(&mut self, status: Status) {
        for entry in &mut self.script.entries {
            if let Command::SetInfo(key, value) = &mut entry.command
                && self.pool.names.name(*key) == STATUS
            {
                *value = status.code().into();
            }
        }
    }

    /// The constants and functions that the script declares.
    pub fn declared(&self) -> impl Iterator<Item = Fun> + '_ {
        self.script.declared()
    }

    /// The attribute that proves the truth, if there is one and all assertions of a core have names.
    pub fn proof(&self) -> Option<(&'static str, String)> {
        self.writer(Dialect::Smt26).proof(&|_, t| write::given_name(&self.pool, t))
    }

    /// The text in SMT-LIB 2.6; `provenance` is the program, its version, and the command with the seed.
    pub fn to_text(&self, provenance: &str) -> String {
        self.to_text_in(Dialect::Smt26, provenance).expect("2.6 can express every term")
    }

    /// The text in a dialect. The first provenance is the `:source`, later ones follow as `:stringent-made`. Proofs are
    /// in SMT-LIB 2.6 in every dialect.
    pub fn to_text_in(&self, dialect: Dialect, provenance: &str) -> Result<String, Inexpressible> {
        let mut out = String::with_capacity(1024);
        self.write(dialect, provenance, &mut out)?;
        Ok(out)
    }

    /// Appends that text to `out`.
    pub fn write(&self, dialect: Dialect, provenance: &str, out: &mut String) -> Result<(), Inexpressible> {
        let heading =
            |c: &Command| matches!(c, Command::SetLogic(_) | Command::SetInfo(..) | Command::SetOption(..));
        let (head, body) =
            self.script.entries.split_at(self.script.commands().take_while(|c| heading(c)).count());
        let mut writer = self.writer(dialect);
        writer.commands(head, out)?;
        if !provenance.is_empty() {
            let key = if self.info(":source").is_none() { ":source" } else { ":stringent-made" };
            write_info(dialect, key, &ascii(provenance), out);
        }
        writer.certificate(out);
        writer.commands(body, out)
    }

    /// A writer of this instance.
    pub fn writer(&self, dialect: Dialect) -> Writer<'_> {
        Writer::new(&self.pool, &self.script, &self.truth, dialect)
    }
}

#[cfg(test)]
mod tests;
