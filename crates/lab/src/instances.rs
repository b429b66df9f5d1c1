//! Generated texts as instances of a campaign.

use campaign::store::InstanceRow;
use synth::text::Text;

/// A text as stored.
pub fn row(text: Text) -> InstanceRow {
    InstanceRow {
        id: 0,
        name: text.name,
        category: text.category,
        operation: text.operation,
        status: text.status,
        source: text.source.into_bytes(),
    }
}
