//! The names of the forms of trackers.

use serde::Deserialize;

/// The form of a tracker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Template {
    /// No particular form.
    #[default]
    Plain,
    /// The forms of Z3.
    Z3,
    /// The form of cvc5.
    Cvc5,
}
