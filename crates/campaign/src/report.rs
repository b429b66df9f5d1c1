//! A stored campaign for people and machines.
//!
//! [`Data`] is read from the store once; each renderer is one file and makes text from it. Texts of runs (formula, output,
//! evidence) are fetched only for those that are shown: each renderer says which with its `wanted`.
//!
//! | module | holds |
//! |---|---|
//! | [`data`] | the campaign as plain data |
//! | [`tally`] | the table of the paper, and times |
//! | [`failure`] | how bad a verdict is, failures in groups, commands that show one again |
//! | [`compare`] | two campaigns compared |
//! | [`text`], [`show`] | the terminal: the report, and one run in full |
//! | [`html`], [`plot`] | one offline page, with plots |
//! | [`json`], [`csv`], [`junit`] | for machines |

pub mod compare;
pub mod csv;
pub mod data;
pub mod failure;
pub mod html;
pub mod json;
pub mod junit;
pub mod plot;
pub mod show;
pub mod tally;
pub mod text;

pub use crate::clean;
pub use data::{Conclusion, Data};

use crate::store::{Store, StoreError};

/// The report for a terminal, and what it amounts to.
pub fn terminal(store: &Store, options: &text::Options) -> Result<(String, Conclusion), StoreError> {
    let mut data = Data::read(store, &[])?;
    let wanted = text::wanted(&data, options);
    data.load_details(store, &wanted)?;
    Ok((text::render(&data, options), data.conclusion()))
}

/// The report as one HTML page.
pub fn page(store: &Store, options: &html::Options) -> Result<String, StoreError> {
    let mut data = Data::read(store, &[])?;
    let wanted = html::wanted(&data, options);
    data.load_details(store, &wanted)?;
    Ok(html::render(&data, None, options))
}
