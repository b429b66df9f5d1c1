//! From failures to bug reports.
//!
//! | module | job |
//! |---|---|
//! | [`doc`] | scripts as they are edited, their size, the effect of an edit on the answer |
//! | [`passes`] | smaller scripts: one file per kind of edit |
//! | [`truth`] | the known answer of a script while it shrinks, with its argument |
//! | [`property`] | the failure that is kept: one file per kind |
//! | [`mod@reduce`] | delta debugging with all of the above |
//! | [`mod@fingerprint`] | the features of a failure by which the same bug is recognised |
//! | [`bisect`] | versions and options of a solver on which a script fails |
//! | [`triage`] | failures of a campaign in groups by cause |
//! | [`issue`] | issue texts, bundles, policies of trackers |
//! | [`deadline`] | work that ends in time |
//!
//! The results are [findings](campaign::finding), which a store keeps and reports show.

pub mod bisect;
pub mod deadline;
pub mod doc;
pub mod fingerprint;
pub mod issue;
pub mod passes;
pub mod property;
pub mod reduce;
pub mod triage;
pub mod truth;
