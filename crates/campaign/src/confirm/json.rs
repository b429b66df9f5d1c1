//! Second opinions as JSON.

use super::{Confirmation, Opinion, Outcome};
use crate::report::Data;
use serde_json::{Value, json};

/// All of it.
pub fn render(data: &Data, found: &[Confirmation]) -> Value {
    let groups = super::text::groups(data, found).into_iter().map(|((solver, kind), counts)| {
        let solver = &data.solvers[solver].name;
        let mut group = json!({ "solver": solver, "verdict": kind.verdict().code(), "kind": kind.code() });
        for outcome in Outcome::ALL {
            group[outcome.code()] = counts.get(&outcome).copied().unwrap_or(0).into();
        }
        group
    });
    json!({
        "store": data.store,
        "groups": groups.collect::<Vec<_>>(),
        "runs": found.iter().map(|c| of(data, c)).collect::<Vec<_>>(),
    })
}

fn of(data: &Data, confirmation: &Confirmation) -> Value {
    let run = &data.runs[confirmation.run];
    json!({
        "instance": data.instances[run.instance].name,
        "solver": data.solvers[run.solver].name,
        "seed": run.seed,
        "verdict": run.verdict().code(),
        "kind": run.kind.code(),
        "outcome": confirmation.outcome().code(),
        "opinions": confirmation.opinions.iter().map(opinion).collect::<Vec<_>>(),
    })
}

fn opinion(o: &Opinion) -> Value {
    let mut value = json!({ "by": o.by, "outcome": o.outcome.code() });
    for (key, text) in [("why", &o.why), ("question", &o.question), ("printed", &o.printed)] {
        if !text.is_empty() {
            value[key] = text.as_str().into();
        }
    }
    value
}
