//! A search for models of formulas that must have none.

use crate::workers::Done;
use crate::{Progress, Report};
use rayon::prelude::*;
use serde_json::json;
use std::fmt::Write as _;
use synth::text::Text;

/// The result of attacks on unsatisfiable formulas.
pub struct Attacks {
    length: usize,
    steps: u64,
    /// The name of each formula; whether the search was exhaustive, or the model.
    found: Vec<(String, Result<bool, String>)>,
}

/// Searches for a model of each formula among all strings up to `length`, in at most `steps` steps each.
pub fn run(unsat: &[Text], length: usize, steps: u64, progress: &dyn Progress) -> Attacks {
    let done = Done::new(progress);
    let attack = |text: &Text| {
        let found = synth::attack::attack(&text.source, length, steps);
        done.add(1);
        (text.name.clone(), found)
    };
    Attacks { length, steps, found: unsat.par_iter().map(attack).collect() }
}

impl Attacks {
    /// A formula has a model.
    pub fn has_model(&self) -> bool {
        self.models() > 0
    }

    fn models(&self) -> usize {
        self.found.iter().filter(|(_, f)| f.is_err()).count()
    }

    fn exhausted(&self) -> usize {
        self.found.iter().filter(|(_, f)| *f == Ok(true)).count()
    }
}

impl Report for Attacks {
    fn text(&self) -> String {
        let mut out = String::new();
        for (name, found) in &self.found {
            if let Err(model) = found {
                let _ = writeln!(out, "{name} HAS A MODEL: {model}");
            }
        }
        let (total, models, exhausted) = (self.found.len(), self.models(), self.exhausted());
        let _ = writeln!(
            out,
            "{total} unsatisfiable formulas, strings up to length {}: {models} have a model, {exhausted} searched \
             exhaustively, {} stopped after {} steps or undetermined",
            self.length,
            total - models - exhausted,
            self.steps,
        );
        out
    }

    fn json(&self) -> serde_json::Value {
        let model = |(name, found): &(String, Result<bool, String>)| {
            Some(json!({ "name": name, "model": found.as_ref().err()? }))
        };
        json!({ "length": self.length, "steps": self.steps, "formulas": self.found.len(),
            "exhausted": self.exhausted(), "models": self.found.iter().filter_map(model).collect::<Vec<_>>() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(name: &str, assertion: &str) -> Text {
        let source = format!("(declare-const x String)(assert {assertion})(check-sat)");
        Text {
            name: name.into(),
            category: String::new(),
            operation: String::new(),
            status: semantics::Status::Unsat,
            source,
        }
    }

    #[test]
    fn a_model_is_found() {
        let texts = [text("bad", "(= (str.len x) 1)"), text("good", "(= (str.len x) (- 1))")];
        let attacks = run(&texts, 2, 10_000, &());
        assert!(
            attacks.has_model() && attacks.text().starts_with("bad HAS A MODEL: x = "),
            "{}",
            attacks.text()
        );
        assert_eq!((attacks.models(), attacks.exhausted()), (1, 1));
        assert!(!run(&texts[1..], 2, 10_000, &()).has_model());
    }
}
