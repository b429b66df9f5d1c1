//! Known issues of a solver: `[[known]]` in a profile, or in a list of the user.
//!
//! ```toml
//! [[known]]
//! issue = "Z3Prover/z3#10492"
//! title = "wrong sat: a constant in re.* of a string term"
//! kinds = ["wrong-sat"]                      # or verdicts: "S"
//! operators = ["str.in_re", "re.*"]          # all of them are in the reduced formula
//! patterns = ["(re.* (str.to_re _))"]        # optional: one of them is in it; _ stands for any term
//! from = "5.0"                               # optional: the first version that has it
//! below = "5.1"                              # optional: the first one that does not
//! ```
//!
//! In a list of the user, `solver` names the profile that an entry is about.

use super::Version;
use super::error::Mistake;
use crate::outcome::{Kind, Verdict};
use serde::Deserialize;
use smt::sexpr::{Quoting, Reader, Tree};
use toml::Spanned;

/// A known issue.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct KnownIssue {
    /// The issue: `Z3Prover/z3#10492`, or any name.
    pub issue: String,
    /// Its title.
    pub title: String,
    /// The profile of the solver; any if it is not given. In a profile, that one.
    solver: Option<String>,
    kinds: Spanned<Vec<String>>,
    operators: Spanned<Vec<String>>,
    #[serde(default)]
    patterns: Vec<Spanned<String>>,
    /// The versions that are known to have it; all numbers that follow are meant: `5.0` is also `5.0.1`.
    #[serde(default)]
    versions: Vec<Spanned<String>>,
    from: Option<Spanned<String>>,
    below: Option<Spanned<String>>,
}

impl KnownIssue {
    /// It is about solvers of this profile.
    pub fn is_about(&self, profile: &str) -> bool {
        self.solver.as_deref().is_none_or(|solver| solver == profile)
    }

    /// It is about failures of this kind.
    pub fn has_kind(&self, kind: Kind) -> bool {
        let same = |code: &String| code == kind.code() || code == kind.verdict().code();
        self.kinds.get_ref().iter().any(same)
    }

    /// The operators, all of which a formula must have.
    pub fn operators(&self) -> &[String] {
        self.operators.get_ref()
    }

    /// The patterns, one of which a formula must have; any formula if there are none.
    pub fn patterns(&self) -> impl Iterator<Item = &str> {
        self.patterns.iter().map(|p| p.get_ref().as_str())
    }

    /// It names versions.
    pub fn has_versions(&self) -> bool {
        !self.versions.is_empty() || self.from.is_some() || self.below.is_some()
    }

    /// This version has it, as far as the entry tells.
    pub fn covers(&self, version: &Version) -> bool {
        let listed = |v: &Spanned<String>| is_part(v.get_ref(), version.as_str());
        let bound = |b: &Option<Spanned<String>>| b.as_ref().and_then(|b| Version::parse(b.get_ref()));
        (self.versions.is_empty() || self.versions.iter().any(listed))
            && bound(&self.from).is_none_or(|from| from <= *version)
            && bound(&self.below).is_none_or(|below| *version < below)
    }

    /// The errors beyond its syntax.
    pub(crate) fn mistakes(&self) -> Vec<Mistake> {
        let mut found = Vec::new();
        let code = |k: &&String| Kind::from_code(k).is_none() && Verdict::from_code(k).is_none();
        for kind in self.kinds.get_ref().iter().filter(code) {
            found.push((
                self.kinds.span(),
                format!("there is no kind `{kind}`"),
                Some("as in `wrong-unsat`, `crash`"),
            ));
        }
        let operator =
            |o: &&String| !smt::op::TABLE.iter().chain(smt::op::SEQUENCES).any(|row| row.name == o.as_str());
        for name in self.operators.get_ref().iter().filter(operator) {
            found.push((self.operators.span(), format!("there is no operator `{name}`"), None));
        }
        if self.kinds.get_ref().is_empty() || self.operators.get_ref().is_empty() {
            let message = "an issue needs at least one kind and one operator".to_owned();
            found.push((self.kinds.span(), message, None));
        }
        for pattern in self.patterns.iter().filter(|p| !is_expression(p.get_ref())) {
            let message = format!("`{}` is not one s-expression", pattern.get_ref());
            found.push((pattern.span(), message, Some("as in `(str.replace _ \"\" _)`")));
        }
        let versions = self.versions.iter().chain(&self.from).chain(&self.below);
        for version in versions.filter(|v| Version::parse(v.get_ref()).is_none()) {
            found.push((version.span(), format!("`{}` is not a version", version.get_ref()), None));
        }
        found
    }
}

/// `5.0` and `5.0.1` are of `5.0`, `5.01` is not.
fn is_part(whole: &str, version: &str) -> bool {
    version.strip_prefix(whole).is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_digit()))
}

fn is_expression(text: &str) -> bool {
    let (mut reader, mut tree) = (Reader::new(text.as_bytes(), Quoting::Doubled), Tree::default());
    let one = reader.read(&mut tree) && !reader.read(&mut Tree::default());
    one && reader.diagnostics.is_empty()
}
