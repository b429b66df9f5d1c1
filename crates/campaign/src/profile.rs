//! Solver profiles: how a solver is started, its dialect, the requests it understands, and its known properties.
//!
//! A profile is a TOML file ([`Definition`]), shipped or the user's; together with the version of a program it becomes a
//! [`Profile`]. [`resolve`] turns a specification of the command line ([`spec`]) into a [`Solver`].

mod check;
mod error;
mod file;
mod fingerprint;
mod known;
mod options;
mod places;
pub mod probe;
mod resolve;
mod shipped;
pub mod spec;
#[cfg(test)]
mod tests;
mod version;

pub use check::{Check, Finding, check};
pub use error::{BadFile, Error};
pub(crate) use file::readable;
pub use file::{Definition, Driver, Registry, Source};
pub use fingerprint::{check_unchanged, fingerprint};
pub use known::KnownIssue;
pub use options::OptionSet;
pub use places::{Installed, Places, SELF, set_own_program};
pub(crate) use resolve::resolve_definition;
pub use resolve::{default_solver, default_solver_in, find, load, resolve, resolve_in, shipped, user_files};
pub use shipped::SHIPPED;
pub use version::Version;

use serde::{Deserialize, Serialize};
use smt::Dialect;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// How a solver is run: one TOML file. Unknown keys are errors.
///
/// In `args` and the preludes, `{seed}`, `{time-ms}`, `{time-s}`, `{memory-mib}` and `{file}` are replaced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Profile {
    /// Its name: `z3`, `z3str3`, `cvc5`.
    pub name: String,
    /// A sentence.
    pub about: String,
    /// The program, looked up on PATH if it is not a path.
    pub program: String,
    /// Its arguments.
    #[serde(default)]
    pub args: Vec<String>,
    /// How it gets its input.
    #[serde(default)]
    pub input: Input,
    /// The dialect it reads and writes: `2.0`, `2.5`, `2.6`, `norn`.
    #[serde(default, with = "dialect")]
    pub dialect: Dialect,
    /// The logic that is sent.
    #[serde(default)]
    pub logic: Logic,
    /// Commands sent first, for every instance.
    #[serde(default)]
    pub prelude: Vec<String>,
    /// The request for a model.
    #[serde(default)]
    pub model: ModelRequest,
    /// Commands sent first if models are requested.
    #[serde(default)]
    pub model_prelude: Vec<String>,
    /// It supports `get-unsat-core`.
    #[serde(default)]
    pub cores: bool,
    /// Commands sent first if cores are requested.
    #[serde(default)]
    pub core_prelude: Vec<String>,
    /// Commands sent first if the script has several `check-sat` or levels.
    #[serde(default)]
    pub incremental_prelude: Vec<String>,
    /// How one process gets many instances.
    #[serde(default)]
    pub batch: Batch,
    /// Commands that have it end a check by itself after `{time-ms}`. A hunt sends them, since a solver that is killed at a limit has to be
    /// started again.
    #[serde(default)]
    pub check_limit: Vec<String>,
    /// A hunt may send several instances between two `(reset)`, with `push` and `pop` around each.
    #[serde(default)]
    pub levels: bool,
    /// It may answer `sat` on unsatisfiable formulas: model counters, automata.
    #[serde(default)]
    pub over_approximating: bool,
    /// Operators that it does not support, by their SMT-LIB names.
    #[serde(default)]
    pub unsupported: Vec<String>,
    /// Chainable operators that it takes with two arguments only. A hunt sends it conjunctions of pairs.
    #[serde(default)]
    pub binary: Vec<String>,
    /// Operators that are sent by another name: `"str.to_int" = "str.to.int"`. From a set of options.
    #[serde(default)]
    pub spellings: BTreeMap<String, String>,
    /// Parts of harmless messages.
    #[serde(default)]
    pub benign: Vec<String>,
    /// How its memory is limited.
    #[serde(default)]
    pub memory: MemoryLimit,
    /// Lines that it prints in place of `sat`, `unsat` and `unknown`: `">> SAT" = "sat"`.
    #[serde(default)]
    pub answers: BTreeMap<String, String>,
}

impl Default for Profile {
    /// A program that reads SMT-LIB 2.6 on standard input, without other known properties.
    fn default() -> Profile {
        Profile {
            name: String::new(),
            about: String::new(),
            program: String::new(),
            args: Vec::new(),
            input: Input::default(),
            dialect: Dialect::default(),
            logic: Logic::default(),
            prelude: Vec::new(),
            model: ModelRequest::default(),
            model_prelude: Vec::new(),
            cores: false,
            core_prelude: Vec::new(),
            incremental_prelude: Vec::new(),
            batch: Batch::default(),
            check_limit: Vec::new(),
            levels: false,
            over_approximating: false,
            unsupported: Vec::new(),
            binary: Vec::new(),
            spellings: BTreeMap::new(),
            benign: Vec::new(),
            memory: MemoryLimit::default(),
            answers: BTreeMap::new(),
        }
    }
}

impl Profile {
    /// It has an argument or option for the seed.
    pub fn is_seeded(&self) -> bool {
        self.args.iter().chain(&self.prelude).any(|text| text.contains("{seed}"))
    }

    /// Its output with the answers of the standard: lines that are in `answers` are replaced.
    pub fn standard_output<'o>(&self, output: &'o [u8]) -> Cow<'o, [u8]> {
        if self.answers.is_empty() {
            return Cow::Borrowed(output);
        }
        let standard = |line: &'o [u8]| {
            let text = str::from_utf8(line).unwrap_or("").trim();
            self.answers.get(text).map_or(line.to_vec(), |answer| answer.clone().into_bytes())
        };
        let lines: Vec<Vec<u8>> = output.split(|&b| b == b'\n').map(standard).collect();
        Cow::Owned(lines.join(&b'\n'))
    }
}

/// How a solver gets its input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Input {
    /// On standard input.
    #[default]
    Stdin,
    /// As a file: `{file}` among its arguments.
    File,
}

/// The logic that is sent: `keep`, `omit`, or the name of one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum Logic {
    /// That of the instance.
    #[default]
    Keep,
    /// None.
    Omit,
    /// This one.
    Named(String),
}

impl Logic {
    /// The logic to send for an instance whose own logic is `own`.
    pub fn choose<'l>(&'l self, own: Option<&'l str>) -> Option<&'l str> {
        match self {
            Logic::Keep => own,
            Logic::Omit => None,
            Logic::Named(name) => Some(name),
        }
    }
}

impl From<String> for Logic {
    fn from(text: String) -> Logic {
        match text.as_str() {
            "keep" => Logic::Keep,
            "omit" => Logic::Omit,
            _ => Logic::Named(text),
        }
    }
}

impl From<Logic> for String {
    fn from(logic: Logic) -> String {
        match logic {
            Logic::Keep => "keep".into(),
            Logic::Omit => "omit".into(),
            Logic::Named(name) => name,
        }
    }
}

/// The request for a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ModelRequest {
    /// `(get-model)`
    #[default]
    GetModel,
    /// `(get-value (x y …))` of all declared constants.
    GetValue,
    /// None: it prints no models.
    None,
}

/// How one process gets many instances.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Batch {
    /// A fresh process for each.
    #[default]
    None,
    /// `(reset)` in between.
    Reset,
    /// `(push 1)` … `(pop 1)`.
    PushPop,
}

/// How a solver's memory is limited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MemoryLimit {
    /// Its address space, by the kernel.
    #[default]
    AddressSpace,
    /// Its resident memory, sampled: for virtual machines that reserve much and use little.
    Resident,
}

/// A solver ready to run: a profile that fits its version, and a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solver {
    /// Its name in tables: `z3-4.8.6`, `z3str3-4.8.6`, `mine`.
    pub name: String,
    /// How it is run.
    pub profile: Profile,
    /// The program.
    pub program: PathBuf,
    /// The version that it reports; empty if it is not known.
    pub version: String,
}

/// A dialect by its name, in TOML.
mod dialect {
    use serde::{Deserialize as _, Deserializer, Serializer, de::Error as _};
    use smt::Dialect;

    pub(super) fn serialize<S: Serializer>(dialect: &Dialect, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(dialect)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Dialect, D::Error> {
        let name = String::deserialize(from)?;
        name.parse().map_err(|_| D::Error::custom(format!("unknown dialect `{name}`")))
    }
}
