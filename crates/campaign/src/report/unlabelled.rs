//! Instances without a known answer, as JSON.

pub use super::data::Unlabelled;

use super::data::Data;
use crate::store::SECOND_OPINION;
use serde_json::{Value, json};

/// The counts of a campaign.
pub fn document(data: &Data) -> Value {
    let u = &data.unlabelled;
    json!({
        "instances": u.all, "sat": u.sat, "disputed": u.disputed, "undetermined": u.open(),
        "unsat": u.unsat.iter().map(|(by, n)| json!({"by": by, "instances": n})).collect::<Vec<_>>(),
        "second_opinion": data.second.as_ref().map(|s| json!({
            "solver": SECOND_OPINION, "version": s.version, "program": s.program, "asked": u.asked,
        })),
    })
}
