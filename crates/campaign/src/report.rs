//! Reports on a stored campaign.
//!
//! [`Data`] is read from the store once; each [`Format`] is one file and renders it. The texts of runs (formula, output, evidence) are
//! loaded only for the runs that a format shows.
//!
//! | module | holds |
//! |---|---|
//! | [`data`] | the campaign as plain data |
//! | [`takes`] | how much of a suite a solver takes |
//! | [`counts`], [`tally`] | the table of the paper, and times |
//! | [`conclusion`], [`scope`] | the conclusion in one line; the reading of the standard that it holds under |
//! | [`failure`] | failures, and commands that show and reproduce one |
//! | [`findings`] | findings of a triage: the verdict, and each in words |
//! | [`unlabelled`] | instances without a known answer |
//! | [`baseline`] | known failures |
//! | [`compare`] | two campaigns compared |
//! | [`mod@format`], [`options`] | the interface of formats, and what to show |
//! | [`find`] | runs by number or name |
//! | [`live`] | a campaign that may be running, brought up to date step by step |
//! | [`text`], [`show`], `layout`, `terminal` | the terminal: the report, one run in full, formulas, tables and colours |
//! | `unreadable`, `wrong_status` | files that could not be read, or state a wrong answer |
//! | [`html`], [`plot`] | one offline page, with plots |
//! | [`json`], [`jsonl`], [`csv`], [`junit`] | for machines |

pub mod baseline;
pub mod compare;
pub mod conclusion;
pub mod counts;
pub mod csv;
pub mod data;
pub mod failure;
pub mod find;
pub mod findings;
pub mod format;
pub mod html;
pub mod json;
pub mod jsonl;
pub mod junit;
mod layout;
pub mod live;
pub mod options;
pub mod plot;
pub mod scope;
pub mod show;
pub mod takes;
pub mod tally;
mod terminal;
pub mod text;
pub mod unlabelled;
mod unreadable;
mod wrong_status;

pub use data::{Conclusion, Data};
pub use format::{Format, View};
pub use options::Options;

use crate::store::{Store, StoreError};
use compare::Comparison;
use std::io;

/// All formats.
pub const FORMATS: &[&dyn Format] =
    &[&text::Text, &html::Html, &json::Json, &jsonl::Jsonl, &csv::Csv, &junit::Junit];

/// Errors of writing a report.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The store cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The output cannot be written.
    #[error("the report cannot be written")]
    Write(#[from] io::Error),
}

/// Writes a report on `data`, which was read from `store`.
pub fn write(
    format: &dyn Format,
    store: &Store,
    data: &mut Data,
    comparison: Option<&Comparison>,
    options: &Options,
    out: &mut dyn io::Write,
) -> Result<(), ReportError> {
    data.load_details(store, &format.details(data, options))?;
    format.write(&View { data, comparison, options }, out)?;
    Ok(out.flush()?)
}
