//! Examined failures, and groups of them while they are built.

use campaign::finding::{Examination, Finding, Member};
use campaign::store::RunKey;

/// An examined failure.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub(super) run: RunKey,
    /// Without a reason.
    pub(super) member: Member,
    /// Bytes of its text.
    pub(super) bytes: u64,
    pub(super) examination: Examination,
}

/// Failures that are in no group, with the reasons.
pub(super) type Refused = Vec<(Member, String)>;

/// A member of a group while it is built: the place of the item, and the reason.
pub(super) type Joined = Vec<(usize, String)>;

/// The finding of an item that was reduced.
pub(super) fn finding(item: &Item) -> Option<&Finding> {
    match &item.examination {
        Examination::Reduced(finding) => Some(finding),
        Examination::Same { .. }
        | Examination::Alike { .. }
        | Examination::Explained { .. }
        | Examination::Refused { .. } => None,
    }
}
