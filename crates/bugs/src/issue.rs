//! Issue texts for the trackers of solvers, bundles to attach, and the policies of trackers.
//!
//! | module | job |
//! |---|---|
//! | [`Issue`] | the text, by the template of the tracker |
//! | [`bundle`] | the files to attach: scripts, JSON, a shell script that reproduces the failure |
//! | [`policy`] | the rules of a tracker: which findings may be filed, and how many |
//! | [`ledger`] | the findings that were filed |
//! | [`ask`] | the solver, run again before the text is written |
//! | [`regress`] | a finding as a file of `regress/known-wrong` |
//!
//! A text says what was checked, and nothing else: each field of a finding that is `None` is left out.

pub mod ask;
pub mod bundle;
mod expected;
mod form;
pub mod ledger;
mod markdown;
mod origin;
mod parts;
pub mod policy;
pub mod regress;
mod shell;
mod template;
mod versions;

pub use form::Template;

use ask::Asked;
use campaign::finding::Finding;
use parts::Parts;

/// What the text of an issue needs, apart from the finding.
#[derive(Clone, Debug, Default)]
pub struct Context {
    /// The form of the tracker.
    pub template: Template,
    /// The machine on which it failed, without its name: `Linux x86_64`; none if it is not known.
    pub platform: Option<String>,
    /// Results of running the solver again.
    pub asked: Asked,
}

/// An issue, ready to be filed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issue {
    /// The title.
    pub title: String,
    /// The text, in Markdown.
    pub body: String,
}

impl Issue {
    /// The issue of a finding.
    pub fn of(finding: &Finding, context: &Context) -> Issue {
        let parts = Parts::of(finding, context);
        context.template.fill(&parts)
    }

    /// Title and text as one Markdown file.
    pub fn markdown(&self) -> String {
        format!("# {}\n\n{}", self.title, self.body)
    }
}

/// This machine, as trackers want it: `Linux x86_64`.
pub fn platform() -> String {
    platform_of(&format!("{} {}", std::env::consts::OS, std::env::consts::ARCH))
}

/// The platform in the description of a machine ([`campaign::provenance::host`]): its first two words.
pub fn platform_of(host: &str) -> String {
    let first = host.split(',').next().unwrap_or_default();
    let words: Vec<&str> = first.split_whitespace().take(2).collect();
    let name = |word: &str| match word {
        "linux" => "Linux".to_owned(),
        "macos" => "macOS".to_owned(),
        "windows" => "Windows".to_owned(),
        other => campaign::clean::one_line(other),
    };
    words.into_iter().map(name).collect::<Vec<_>>().join(" ")
}
