//! The paper's suite: its counts, per operation.

use std::collections::BTreeMap;
use stringent_synth::suite::{Options, Preset, generate};

/// Operation, constant assignment, term synthesis; equivalent formula, larger core, redundancy. Of the published suite.
const PUBLISHED: &[(&str, [usize; 6])] = &[
    ("str.at", [1, 93, 73, 1, 16, 0]),
    ("str.++", [1, 329, 77, 0, 0, 0]),
    ("str.contains", [1, 65, 72, 1, 14, 14]),
    ("not str.contains", [0, 112, 28, 1, 11, 28]),
    ("=", [1, 49, 44, 0, 0, 0]),
    ("not =", [0, 129, 56, 0, 0, 0]),
    ("str.indexof", [1, 712, 143, 1, 36, 29]),
    ("str.from_int", [1, 9, 10, 1, 40, 0]),
    ("str.replace", [1, 2480, 447, 1, 35, 22]),
    ("str.to_int", [1, 19, 10, 1, 38, 8]),
    ("str.substr", [1, 343, 223, 1, 28, 21]),
    ("str.prefixof", [1, 63, 72, 1, 14, 7]),
    ("not str.prefixof", [0, 114, 28, 1, 11, 21]),
    ("str.suffixof", [1, 63, 72, 1, 14, 7]),
    ("not str.suffixof", [0, 114, 28, 1, 11, 21]),
    ("str.len", [1, 20, 11, 0, 0, 0]),
];

#[test]
fn the_counts_are_the_published_ones() {
    let mut texts = 0;
    let tally = generate(&Options::new(Preset::Icse20), &mut |_| {
        texts += 1;
        true
    })
    .expect("our own rules are sound");
    let expected: BTreeMap<String, usize> = [
        ("operation", 12),
        ("constant", 4714),
        ("term", 1394),
        ("equivalent", 12),
        ("core", 268),
        ("redundancy", 178),
        ("equivalent+p", 12),
        ("core+p", 268),
        ("redundancy+p", 178),
    ]
    .map(|(name, n)| (name.to_owned(), n))
    .into();
    assert_eq!(tally.categories, expected);
    assert_eq!(texts, 7036);
    let categories = ["operation", "constant", "term", "equivalent", "core", "redundancy"];
    for (operation, counts) in PUBLISHED {
        for (category, count) in categories.iter().zip(counts) {
            for p in ["", "+p"] {
                let key = (format!("{category}{p}"), (*operation).to_owned());
                let ours = tally.operations.get(&key).copied().unwrap_or(0);
                let unsat = ["equivalent", "core", "redundancy"].contains(category);
                assert_eq!(ours, if p.is_empty() || unsat { *count } else { 0 }, "{key:?}");
            }
        }
    }
}

#[test]
fn names_are_unique_and_threads_make_no_difference() {
    for preset in [Preset::Icse20, Preset::Full] {
        let run = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            pool.install(|| {
                let mut texts = Vec::new();
                let mut options = Options::new(preset);
                options.chain = 2;
                options.patterns = stringent_synth::suite::Patterns::Without;
                options.operations = vec!["str.at".into(), "str.prefixof".into(), "re.loop".into()];
                generate(&options, &mut |t| {
                    texts.push(t);
                    true
                })
                .expect("our own rules are sound");
                texts
            })
        };
        let (one, four) = (run(1), run(4));
        assert_eq!(one, four);
        let names: std::collections::BTreeSet<&str> = one.iter().map(|t| t.name.as_str()).collect();
        assert_eq!(names.len(), one.len());
    }
}

#[test]
fn a_divisor_that_was_replaced_is_not_linear() {
    let mut options = Options::new(Preset::Icse20);
    options.only = vec![stringent_synth::text::Category::Core];
    options.operations = vec!["str.from_int".into()];
    let mut logics = Vec::new();
    generate(&options, &mut |t| {
        let divided = t.source.contains("(div n z_fresh)");
        logics.push((divided, t.source.contains("(set-logic ALL)")));
        true
    })
    .expect("our own rules are sound");
    assert!(logics.iter().any(|(divided, _)| *divided));
    assert!(logics.iter().all(|(divided, all)| divided == all));
}

#[test]
fn no_two_formulas_have_one_name() {
    for preset in [Preset::Icse20, Preset::Full] {
        let mut names = std::collections::BTreeSet::new();
        generate(&Options::new(preset), &mut |t| {
            assert!(names.insert(t.name.clone()), "{}", t.name);
            true
        })
        .expect("our own rules are sound");
    }
}
