//! Findings: failures that were reduced, grouped and examined; each is one bug, as far as is known.
//!
//! Plain data with a stable JSON form, in stores and in files (`bug.json`). Fields that a step of the examination fills are `None` until it was done, so
//! that no report claims more than was checked. [`Finding::rank`] orders them by what maintainers value.

pub mod reason;
mod related;
pub mod words;

use crate::outcome::{Answer, Kind};
use serde::{Deserialize, Serialize};

mod rank;

pub use rank::Rank;
#[cfg(test)]
pub(crate) use rank::tests;
pub use related::{Related, causes};

/// A bug.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// Its number in the store, from 1, which it keeps; 0 for a single file.
    #[serde(default)]
    pub number: u32,
    /// The hash of its fingerprint, eight hexadecimal digits: the same for the same bug in another campaign.
    pub id: String,
    /// The solver that fails.
    pub solver: Subject,
    /// The failure.
    pub kind: Kind,
    /// The reduced script.
    pub reduced: Reduced,
    /// The answer of the solver to the reduced script.
    pub observed: Observed,
    /// The features that identify the bug.
    pub fingerprint: Fingerprint,
    /// The runs of the campaign that belong to it, smallest formula first; empty for a single file.
    pub members: Vec<Member>,
    /// How often it fails.
    pub stability: Option<Stability>,
    /// Whether it fails in a fresh process, in an incremental session, or in both.
    pub modes: Option<Modes>,
    /// The versions of the solver.
    pub versions: Option<Versions>,
    /// The options that the failure needs.
    pub options: Option<Vec<String>>,
    /// Known issues that match.
    pub known: Vec<Known>,
    /// Other findings of the store that probably have the same cause.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub related: Vec<Related>,
    /// When the failure was last seen, as RFC 3339.
    #[serde(default)]
    pub seen: Option<String>,
}

/// The solver of a finding.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    /// Its specification, with which stringent gets it again: `z3@5.4.0`.
    pub spec: String,
    /// Its name in the campaign.
    pub name: String,
    /// The name of its profile.
    pub profile: String,
    /// The version that it reports.
    pub version: String,
    /// The command line without local paths: `z3 -in`.
    pub command: String,
}

/// A reduced script.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reduced {
    /// SMT-LIB 2.6, with the certificate as `set-info`.
    pub script: String,
    /// The text that the solver reads, in its dialect.
    pub sent: String,
    /// Bytes of the formula: without comments, `set-info` and options.
    pub bytes: usize,
    /// The number of assertions.
    pub assertions: usize,
    /// The operators, sorted.
    pub operators: Vec<String>,
    /// The name of the instance or file it comes from.
    pub origin: String,
    /// Bytes of the original formula.
    pub origin_bytes: usize,
    /// Runs of the solver.
    pub runs: u64,
    /// CPU time of the reduction, and idle time of the solver.
    pub seconds: f64,
    /// No smaller step is left; false if a limit ended the reduction.
    pub complete: bool,
    /// The argument for the known answer.
    pub argument: Argument,
}

/// Why the answer of a script is known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "by")]
pub enum Argument {
    /// The referee accepts this model (SMT-LIB `define-fun`s).
    Model {
        /// The model.
        model: String,
        /// Where it comes from: `the construction`, `the built-in solver`, `cvc5 1.4.2`.
        source: String,
    },
    /// Unsatisfiable by construction: each step of the reduction keeps it so.
    Construction {
        /// The reason why the original is unsatisfiable.
        origin: String,
        /// Solvers, with versions, that prove the reduced script unsatisfiable too, independent of the one that fails; none if that was
        /// not checked.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        agreed: Vec<String>,
        /// The values among which the reduced script has no model, in words; empty if that was not checked.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        bound: String,
    },
    /// Solvers prove it unsatisfiable, and a search finds no model.
    Agreement {
        /// The solvers, with versions; at least two that are independent of each other and of the one that fails.
        solvers: Vec<String>,
        /// The values among which there is no model, in words.
        bound: String,
    },
    /// The failure does not depend on the answer.
    NotNeeded,
}

/// The reaction of a solver to a script.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Observed {
    /// The verdict.
    pub kind: Kind,
    /// The number of the check that it is about, from 1.
    pub check: usize,
    /// Its answer.
    pub answer: Answer,
    /// Its standard output, clipped.
    pub stdout: String,
    /// Its standard error, clipped.
    pub stderr: String,
    /// How the process ended: `exit 0`, `signal 11`.
    pub ending: String,
    /// The evidence of the verdict, for people: the falsified assertion with its values, the model of the core.
    pub evidence: String,
    /// The core that it printed.
    pub core: Option<Vec<String>>,
    /// The error message without numbers and addresses, for crashes and errors.
    pub message: Option<String>,
    /// Its time: CPU time, and time in which it was idle.
    pub seconds: f64,
    /// The seed of the solver.
    #[serde(default)]
    pub seed: u64,
}

/// The features that identify a bug.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Fingerprint {
    /// The profile of the solver.
    pub solver: String,
    /// The failure.
    pub kind: String,
    /// The operators of the reduced script, sorted.
    pub operators: Vec<String>,
    /// The shape of the reduced script: its terms with constants and names abstracted.
    pub shape: String,
    /// The message or stack of a crash, normalised.
    pub message: Option<String>,
    /// The options that the failure needs.
    pub options: Vec<String>,
    /// The operator that the solver evaluates wrongly on constants, if that explains the failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evaluation: Option<String>,
    /// The shape after rewriting by the built-in solver; empty if it was not rewritten.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub core: String,
}

/// A run of a campaign.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Member {
    /// The name of the instance.
    pub instance: String,
    /// The name of the solver in the campaign.
    pub solver: String,
    /// The seed.
    pub seed: u64,
    /// Why it belongs to the finding, for people: `same shape`, `same formula up to names`.
    #[serde(default)]
    pub reason: String,
}

/// A failing run, examined by itself, before it is in a group. A store keeps one for each run, so that nothing is reduced twice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "is")]
pub enum Examination {
    /// A finding with this run as its only member.
    Reduced(Box<Finding>),
    /// It is the same formula as that of another run of the same solver, up to names.
    Same {
        /// The name of the other instance.
        instance: String,
        /// The seed of the other run.
        seed: u64,
    },
    /// Not reduced: the solver evaluates an operator wrongly on the constants of this formula, as it does in a finding.
    Explained {
        /// The failure.
        kind: Kind,
        /// The operator.
        operator: String,
        /// The experiment, for people: `(str.replace_all "aa" "a" "b")`.
        experiment: String,
    },
    /// Not reduced: it is put with another run of the same solver, for another reason.
    Alike {
        /// The name of the other instance.
        instance: String,
        /// The seed of the other run.
        seed: u64,
        /// The reason, for people: `same message`.
        why: String,
    },
    /// It was not reduced.
    Refused {
        /// The reason: `it did not fail again`.
        why: String,
    },
}

/// How often a script fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stability {
    /// Runs with different seeds.
    pub runs: u32,
    /// Those that failed.
    pub failed: u32,
}

/// Modes in which a script fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Modes {
    /// In a fresh process.
    pub fresh: bool,
    /// In an incremental session: within `push` and `pop`, after another check.
    pub incremental: bool,
}

/// The versions of a solver on a script.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Versions {
    /// Those that were run, oldest first.
    pub tried: Vec<Tried>,
    /// The number of versions that can be installed.
    pub available: usize,
    /// The oldest version of the last stretch of failing versions.
    pub first_bad: Option<String>,
    /// The version before it, which does not fail.
    pub last_good: Option<String>,
    /// The first version after the stretch that does not fail.
    pub fixed_in: Option<String>,
    /// The newest version that was run.
    pub newest: Option<String>,
    /// The newest version fails.
    pub newest_fails: bool,
}

/// A version of a solver on a script.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tried {
    /// The version.
    pub version: String,
    /// The result.
    pub cell: Cell,
    /// More about it, for people: the answer, a message.
    pub detail: String,
}

/// The result of a version, as a matrix shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cell {
    /// It has the failure.
    Fails,
    /// Its answer is right.
    Right,
    /// It fails in another way.
    Other,
    /// A time limit.
    Slow,
    /// `unknown`.
    Unknown,
    /// It cannot read the script.
    CannotRead,
    /// It cannot be installed or started here.
    Missing,
}

/// A known issue that matches a finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Known {
    /// The issue: `Z3Prover/z3#10492`, or the name of an entry of the user's list.
    pub issue: String,
    /// Its title.
    pub title: String,
    /// Why it matches, for people.
    pub reason: String,
}
