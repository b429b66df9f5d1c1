//! The suite of StringFuzz: counts, properties, answers.

use semantics::Instance;
use std::collections::BTreeMap;
use stringent_synth::generators::bulk::Frame;
use stringent_synth::scaling::{GENERATED, by_name, generate};

/// Table 3.3 of the thesis.
const TABLE: [(&str, usize); 17] = [
    ("concats-small", 60),
    ("concats-big", 60),
    ("concats-balanced", 100),
    ("concats-extracts-small", 60),
    ("concats-extracts-big", 60),
    ("lengths-long", 100),
    ("lengths-short", 100),
    ("lengths-concats", 100),
    ("overlaps-small", 40),
    ("overlaps-big", 40),
    ("regex-small", 60),
    ("regex-big", 60),
    ("many-regexes", 40),
    ("regex-deep", 45),
    ("regex-pair", 40),
    ("regex-lengths", 40),
    ("different-prefix", 60),
];

#[test]
fn the_counts_are_those_of_the_thesis() {
    let counts: Vec<(&str, usize)> = GENERATED.iter().map(|s| (s.name, s.count())).collect();
    assert_eq!(counts, TABLE);
}

/// "concats --depth 88 --depth-type semantic --solution solution is the last of concats-small".
#[test]
fn the_last_of_concats_small() {
    let suite = by_name("concats-small").expect("it is there")[0];
    let last = suite.generator(suite.values().last().expect("values"));
    assert_eq!(
        stringent_synth::generators::command(&*last),
        "concats --depth 88 --depth-type semantic --solution solution"
    );
}

#[test]
fn all_instances_state_the_correct_answer() {
    let suites = by_name("generated").expect("it is there");
    let mut tally: BTreeMap<String, [usize; 3]> = BTreeMap::new();
    let mut values: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    generate(&suites, 0, &Frame::default(), &mut |text| {
        let read = Instance::from_text(text.source.as_bytes(), None)
            .unwrap_or_else(|e| panic!("{}: {e:?}", text.name));
        assert_eq!(read.truth.status(), text.status, "{}", text.name);
        let scale = read.info(":stringent-scale").expect("a property");
        let value = scale.rsplit_once(' ').expect("a value").1.parse().expect("a number");
        values.entry(text.category.clone()).or_default().push(value);
        let at = text.status as usize;
        tally.entry(text.category).or_default()[at] += 1;
        true
    })
    .expect("instances");
    for (name, count) in TABLE {
        assert_eq!(tally[name].iter().sum::<usize>(), count, "{name}");
        assert_eq!(tally[name][2], 0, "{name}: open");
        assert!(values[name].is_sorted() && values[name].first() < values[name].last(), "{name}");
    }
    // As the page of the instances has it: these are satisfiable, that one is not.
    for name in [
        "lengths-short",
        "lengths-long",
        "lengths-concats",
        "concats-small",
        "concats-big",
        "concats-balanced",
    ] {
        assert_eq!(tally[name][1], 0, "{name}");
    }
    assert_eq!(tally["different-prefix"][0], 0);
}
