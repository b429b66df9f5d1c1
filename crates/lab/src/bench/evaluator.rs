//! The evaluator on a mix of string operators over short words, each application once per model.

use super::script::Generator;
use crate::Report;
use semantics::{Evaluator, Model, Str, Value};
use serde_json::json;
use smt::{Command, Pool, Script, Term};
use std::fmt::Write as _;
use std::time::Instant;

const MODELS: usize = 400;
const ASSERTIONS: usize = 1500;
/// Constants of each sort.
const CONSTANTS: u64 = 8;

/// Operator applications per second.
pub struct Speed {
    applications: u64,
    seconds: f64,
    assertions: usize,
    /// Assertions that hold, over all models.
    holds: u64,
}

/// Measures the evaluator, the fastest of `runs`.
pub fn run(seed: u64, runs: usize) -> Speed {
    let mut g = Generator::new(seed, 0);
    let mut text = String::new();
    for i in 0..CONSTANTS {
        let _ = writeln!(text, "(declare-const s{i} String)(declare-const n{i} Int)");
    }
    for _ in 0..ASSERTIONS {
        g.assertion(CONSTANTS, CONSTANTS);
    }
    text += &g.out;
    let mut pool = Pool::new();
    let parsed = smt::parse(text.as_bytes(), None, &mut pool);
    assert!(parsed.is_ok(), "the generated script is well sorted");
    let terms: Vec<Term> = parsed.script.assertions().collect();
    let models: Vec<Model> = (0..MODELS).map(|_| model(&parsed.script, &mut g)).collect();
    let mut speed = Speed { applications: 0, seconds: f64::MAX, assertions: terms.len(), holds: 0 };
    for _ in 0..runs.max(1) {
        speed.round(&pool, &terms, &models);
    }
    speed
}

/// Random values for the constants: short words and small integers.
fn model(script: &Script, g: &mut Generator) -> Model {
    let mut model = Model::new();
    for (i, command) in script.commands().enumerate() {
        let Command::DeclareConst(f) = command else { continue };
        let value = if i % 2 == 0 {
            let word: Vec<u32> = (0..g.below(7)).map(|_| 97 + g.below(3) as u32).collect();
            Value::Str(Str::from(word))
        } else {
            Value::Int(smt::Int::from(g.below(9) as i64 - 2))
        };
        model.assign(*f, value);
    }
    model
}

impl Speed {
    fn round(&mut self, pool: &Pool, terms: &[Term], models: &[Model]) {
        (self.applications, self.holds) = (0, 0);
        let start = Instant::now();
        let mut e = Evaluator::new(pool, &models[0]);
        for model in models {
            e.set_model(model);
            for &t in terms {
                self.holds += u64::from(e.eval(t) == Ok(Value::Bool(true)));
            }
            self.applications += e.applications();
            e.reset_applications();
        }
        self.seconds = self.seconds.min(start.elapsed().as_secs_f64());
    }

    fn rate(&self) -> f64 {
        self.applications as f64 / self.seconds
    }
}

impl Report for Speed {
    fn text(&self) -> String {
        let Speed { applications, seconds, assertions, .. } = self;
        format!(
            "evaluator: {applications} operator applications ({assertions} assertions × {MODELS} models) in \
             {seconds:.3} s: {:.1} million per second\n",
            self.rate() / 1e6
        )
    }

    fn json(&self) -> serde_json::Value {
        json!({ "version": env!("CARGO_PKG_VERSION"), "applications": self.applications, "seconds": self.seconds,
            "per_second": self.rate(), "models": MODELS, "assertions": self.assertions, "true": self.holds })
    }
}
