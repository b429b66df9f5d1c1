//! Sets of options that users of a solver use: `[[options]]` in a profile. A hunt runs the solver with each of them.
//!
//! ```toml
//! [[options]]
//! name = "proofs"
//! prelude = ["(set-option :produce-proofs true)"]   # commands after those of the profile
//! add-args = ["--no-x"]                              # arguments after those of the profile
//! spellings = { "str.to_int" = "str.to.int" }        # operators that are sent by another name
//! experimental = true                                # the solver's documents advise against it
//! from = "4.8.9"                                     # optional: the first version that has them
//! ```

use super::error::Mistake;
use super::{Profile, Solver, Version};
use serde::Deserialize;
use std::collections::BTreeMap;
use toml::Spanned;

/// A set of options.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct OptionSet {
    name: Spanned<String>,
    #[serde(default)]
    prelude: Vec<String>,
    #[serde(default)]
    add_args: Vec<String>,
    #[serde(default)]
    spellings: BTreeMap<Spanned<String>, String>,
    /// The solver's documents advise against them.
    #[serde(default)]
    pub experimental: bool,
    from: Option<Spanned<String>>,
    below: Option<Spanned<String>>,
}

impl OptionSet {
    /// Its name.
    pub fn name(&self) -> &str {
        self.name.get_ref()
    }

    /// This version has the options; the newest one if it is not known.
    pub fn fits(&self, version: &str) -> bool {
        let bound = |b: &Option<Spanned<String>>| b.as_ref().and_then(|b| Version::parse(b.get_ref()));
        match Version::parse(version) {
            None => self.below.is_none(),
            Some(version) => {
                bound(&self.from).is_none_or(|from| from <= version)
                    && bound(&self.below).is_none_or(|below| version < below)
            }
        }
    }

    /// The solver with these options: `z3-5.4.0+proofs`.
    pub fn applied(&self, solver: &Solver) -> Solver {
        let Solver { name, profile, program, version } = solver.clone();
        let args = [profile.args, self.add_args.clone()].concat();
        let prelude = [profile.prelude, self.prelude.clone()].concat();
        let mut spellings = profile.spellings;
        spellings.extend(self.spellings.iter().map(|(op, name)| (op.get_ref().clone(), name.clone())));
        let profile = Profile { args, prelude, spellings, ..profile };
        Solver { name: format!("{name}+{}", self.name()), profile, program, version }
    }

    /// The errors beyond its syntax.
    pub(crate) fn mistakes(&self) -> Vec<Mistake> {
        let mut found = Vec::new();
        if !super::spec::is_name(self.name()) {
            let message = format!("`{}` cannot be the name of a set of options", self.name());
            found.push((
                self.name.span(),
                message,
                Some("letters, digits, `.`, `_`, `-`, with a letter first"),
            ));
        }
        for version in self.from.iter().chain(&self.below).filter(|v| Version::parse(v.get_ref()).is_none()) {
            found.push((version.span(), format!("`{}` is not a version", version.get_ref()), None));
        }
        for op in self.spellings.keys().filter(|op| !smt::op::names().any(|name| name == op.get_ref())) {
            found.push((op.span(), format!("`{}` is not an operator", op.get_ref()), None));
        }
        found
    }
}
