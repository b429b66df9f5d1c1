//! Every source: labels, texts, determinism.

use super::*;
use std::collections::BTreeMap;

fn material() -> Material {
    Material { rules: Arc::new(Library::shipped()), ..Material::default() }
}

fn text(source: &Source, material: &Material, index: u64) -> Option<String> {
    make(source, material, 7, index).map(|m| m.text(source.name, "n"))
}

#[test]
fn instances_follow_from_their_number_and_can_be_read_back() {
    let material = material();
    for source in REGISTRY {
        let mut made = 0;
        for i in 0..300 {
            let Some(one) = make(source, &material, 7, i) else { continue };
            made += 1;
            let text = one.text(source.name, "n");
            assert_eq!(Some(&text), self::text(source, &material, i).as_ref());
            let back = Instance::from_text(text.as_bytes(), None).unwrap_or_else(|e| panic!("{text}: {e:?}"));
            assert_eq!(back.truth.status(), one.status(), "{text}");
        }
        assert!(made > 100, "{}: {made} of 300", source.name);
    }
}

#[test]
fn unsatisfiable_instances_have_no_small_model() {
    let material = material();
    let mut seen = BTreeMap::new();
    for source in REGISTRY {
        for i in 0..400 {
            let Some(made) = make(source, &material, 3, i) else { continue };
            let Truth::Unsat(_) = made.instance.truth else { continue };
            *seen.entry(source.name).or_insert(0) += 1;
            let text = made.text(source.name, "n");
            assert!(crate::attack::attack(&text, 2, 2_000).is_ok(), "{text}");
        }
    }
    assert!(seen["refute"] > 100, "{seen:?}");
}
