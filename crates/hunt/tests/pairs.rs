//! The sources reach nearly all legal pairs of operators.

use std::collections::BTreeMap;
use std::sync::Arc;
use stringent_hunt::coverage::Coverage;
use synth::sources::{Library, Material, REGISTRY, make};

/// Instances of each source.
const COUNT: u64 = 400;

#[test]
fn nearly_all_pairs_of_operators_are_reached() {
    let material = Material { rules: Arc::new(Library::shipped()), ..Material::default() };
    let mut coverage = Coverage::default();
    let mut new = BTreeMap::new();
    for source in REGISTRY {
        for made in (0..COUNT).filter_map(|i| make(source, &material, 1, i)) {
            let mut one = Coverage::default();
            one.add(&made.instance.pool, made.instance.script.assertions());
            *new.entry(source.name).or_insert(0) += coverage.merge(&one);
        }
    }
    let (seen, all) = coverage.count(&|_| true);
    let missing = coverage.missing(&|_| true);
    assert!(seen * 100 >= all * 95, "{seen} of {all}; new by source: {new:?}; missing: {missing:?}");
}
