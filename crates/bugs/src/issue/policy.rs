//! The rules of a tracker: which findings may be filed, and how many.
//!
//! A policy is a TOML file, shipped for Z3 and cvc5 or the user's. A rule that cannot be checked, because a step of the examination was not done,
//! is not met.

mod options;
mod rules;

pub(crate) use options::{is_plumbing, of_command as options_of_command};
pub use rules::{Desk, Unmet};

use super::form::Template;
use campaign::outcome::Kind;
use campaign::toml_file::{self, FileError};
use serde::Deserialize;
use std::path::Path;

/// The shipped policies; the last one is for all other solvers.
const SHIPPED: [(&str, &str); 3] = [
    ("z3.toml", include_str!("../../policies/z3.toml")),
    ("cvc5.toml", include_str!("../../policies/cvc5.toml")),
    ("default.toml", include_str!("../../policies/default.toml")),
];

/// The rules of a tracker.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Policy {
    /// Its name, by which the ledger counts.
    pub name: String,
    /// The profiles of the solvers that it is for.
    #[serde(default)]
    pub profiles: Vec<String>,
    /// The address of the tracker.
    #[serde(default)]
    pub tracker: String,
    /// The form of the text.
    #[serde(default)]
    pub template: Template,
    /// The largest number of issues in a number of days.
    pub quota: Option<Quota>,
    /// Only failures of the newest version.
    #[serde(default)]
    pub newest: bool,
    /// Only failures that match no known issue.
    #[serde(default)]
    pub new: bool,
    /// Only scripts that cannot be reduced further.
    #[serde(default)]
    pub reduced: bool,
    /// Maximum size of the formula.
    pub max_bytes: Option<usize>,
    /// Maximum number of assertions.
    pub max_assertions: Option<usize>,
    /// The smallest share of seeds that must fail.
    pub stable: Option<f64>,
    /// The options that may be used; `*` at the end matches the rest. Without it, all.
    pub options: Option<Vec<String>>,
    /// The failures that may be filed. Without it, all.
    pub kinds: Option<Vec<Kind>>,
}

/// A limit on the number of issues.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Quota {
    /// The number of issues.
    pub issues: usize,
    /// In so many days.
    pub days: u64,
}

impl Policy {
    /// The shipped policy for the solvers of a profile.
    pub fn shipped(profile: &str) -> Result<Policy, FileError> {
        let mut last = None;
        for (name, text) in SHIPPED {
            let policy: Policy = toml_file::parse(name, text)?;
            if policy.profiles.iter().any(|p| p == profile) {
                return Ok(policy);
            }
            last = Some(policy);
        }
        Ok(last.expect("there are shipped policies"))
    }

    /// Reads a file.
    pub fn read(path: &Path) -> Result<Policy, FileError> {
        toml_file::parse(&path.display().to_string(), &toml_file::text(path)?)
    }
}
