//! Evaluating the assertions of any script ends.

#![no_main]

use libfuzzer_sys::fuzz_target;
use semantics::explain::explain;
use semantics::referee::{Judgement, check, check_count};
use semantics::regex::RegexStore;
use semantics::{Config, Evaluator, Model, Satisfaction};
use smt::Pool;

fuzz_target!(|text: &[u8]| {
    let mut pool = Pool::new();
    let parsed = smt::parse(text, None, &mut pool);
    if !parsed.is_ok() {
        return;
    }
    let (model, config) = (Model::new(), limits());
    let mut evaluator = Evaluator::with(&pool, &model, config, RegexStore::new());
    for t in parsed.script.assertions() {
        let truth = evaluator.truth(t);
        assert_eq!(truth, evaluator.truth(t), "a second look sees something else");
        if truth == Satisfaction::Fails {
            assert!(!explain(&mut evaluator, t, 20).is_empty());
        }
    }
    for n in [0, check_count(&parsed.script) - 1] {
        let check = check(&parsed.script, n).expect("there is a check");
        Judgement::of(&check, &mut evaluator).overall();
    }
});

fn limits() -> Config {
    Config { steps: 200_000, regex_budget: 200_000, instances: 1_000, ..Config::default() }
}
