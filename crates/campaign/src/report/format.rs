//! The interface of report formats.

use super::compare::Comparison;
use super::data::Data;
use super::options::Options;
use std::io::{self, Write};
use std::panic::RefUnwindSafe;

/// The input of a format.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The campaign, with the texts of the runs that [`Format::details`] selects.
    pub data: &'a Data,
    /// The comparison with an older campaign, if requested; formats of single runs ignore it.
    pub comparison: Option<&'a Comparison>,
    /// The options.
    pub options: &'a Options,
}

/// A report format. `stringent report` has an option `--NAME FILE` for each format in [`FORMATS`](super::FORMATS).
pub trait Format: Sync + RefUnwindSafe {
    /// Its name, in lower case.
    fn name(&self) -> &'static str;

    /// The help of its option, one sentence without a full stop.
    fn about(&self) -> &'static str;

    /// It lists every run, so that all must be loaded.
    fn lists_runs(&self) -> bool {
        false
    }

    /// The runs whose texts (formula, output, evidence) it shows, by their places in [`Data::runs`].
    fn details(&self, data: &Data, options: &Options) -> Vec<usize> {
        let _ = (data, options);
        Vec::new()
    }

    /// Writes the report.
    fn write(&self, view: &View<'_>, out: &mut dyn Write) -> io::Result<()>;
}
