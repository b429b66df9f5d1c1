use super::*;
use proptest::prelude::*;
use semantics::{Config, Evaluator, Model, Str, Value};
use smt::{Int, Sort};

const SEED: &str = r#"(set-logic QF_SLIA)
(set-info :status sat)
(set-info :stringent-model "((x ""ab"") (n 2))")
(declare-const x String)
(declare-const n Int)
(push 1)
(assert (= (str.len x) n))
(assert (str.contains x "b"))
(assert (str.in_re x (re.+ (re.range "a" "c"))))
(check-sat)
"#;

fn breeder(mutators: &str) -> Breeder {
    Breeder { mutators: mutators.parse().unwrap(), min_asserts: 2, max_asserts: 6 }
}

fn seed() -> Instance {
    Instance::from_text(SEED.as_bytes(), None).unwrap()
}

#[test]
fn weights_determine_frequencies() {
    let mutators: Mutators = " add=3, cross , reverse=0".parse().unwrap();
    assert_eq!(mutators.to_string(), "add=3,cross,reverse=0");
    let mut dice = Dice::new(1, 0);
    let mut counts = [0; 3];
    for _ in 0..4000 {
        match mutators.draw(&mut dice).unwrap() {
            Mutator::Add => counts[0] += 1,
            Mutator::Cross => counts[1] += 1,
            _ => counts[2] += 1,
        }
    }
    assert!((2800..3200).contains(&counts[0]) && counts[2] == 0, "{counts:?}");
    let wrong = "revers".parse::<Mutators>().unwrap_err().to_string();
    assert!(wrong.ends_with("Did you mean `reverse`?"), "{wrong}");
    assert!("add=x".parse::<Mutators>().is_err());
    assert!("add=0".parse::<Mutators>().is_err());
    assert!("".parse::<Mutators>().is_err());
}

#[test]
fn a_start_has_no_levels_and_fits() {
    let few = Breeder { max_asserts: 2, ..breeder("add") };
    let start = few.start(&seed(), &mut Dice::new(0, 0)).unwrap();
    assert_eq!(asserts(&start), 2);
    assert!(!body(&start).contains("push"));
    let many = Breeder { min_asserts: 5, ..breeder("add") };
    assert_eq!(asserts(&many.start(&seed(), &mut Dice::new(0, 0)).unwrap()), 5);
    assert_eq!(asserts(&many.random(&mut Dice::new(0, 0))), 5);
}

#[test]
fn constants_that_nothing_uses_are_left_out() {
    let mut start = breeder("add").start(&seed(), &mut Dice::new(0, 0)).unwrap();
    remove::remove_at(&mut start, 0);
    assert!(!body(&start).contains("declare-const n"));
    assert!(start.declared().count() == 2);
    drop_unused(&mut start);
    assert!(start.declared().count() == 1);
}

#[test]
fn cores_are_kept_while_they_can_be() {
    let text = "(declare-const x String)(assert (= x \"a\"))(assert true)(assert (= x \"b\"))(check-sat)";
    let mut instance = Instance::from_text(text.as_bytes(), None).unwrap();
    instance.truth = Truth::Unsat(vec![0, 2]);
    remove::remove_at(&mut instance, 1);
    assert!(matches!(&instance.truth, Truth::Unsat(core) if core == &[0, 1]));
    let mut more = instance.clone();
    Add::draw(&mut Dice::new(3, 3)).add(&mut more, &mut Dice::new(3, 4));
    assert!(matches!(&more.truth, Truth::Unsat(core) if core == &[0, 1]));
    remove::remove_at(&mut instance, 1);
    assert!(matches!(instance.truth, Truth::Unknown));
}

#[test]
fn shrinking_ends_at_a_minimal_script() {
    let mut instance = breeder("add").start(&seed(), &mut Dice::new(0, 0)).unwrap();
    // Whatever still speaks of x is accepted.
    let mut tried = 0;
    while let Some(next) = steps(&instance).into_iter().map(|s| s.apply(&instance)).find(|i| {
        tried += 1;
        let text = body(i);
        text.contains(" x") && text.len() < body(&instance).len()
    }) {
        instance = next;
        assert!(tried < 1000);
    }
    assert!(body(&instance).lines().count() <= 4, "{}", body(&instance));
}

/// The assertions under some small assignments: undetermined ones are skipped.
fn values(instance: &Instance) -> Vec<Option<bool>> {
    let mut out = Vec::new();
    for word in ["", "a", "ab", "bca"] {
        for n in -1..4i64 {
            let mut model = Model::new();
            for f in instance.declared() {
                let value = match instance.pool.fun(f).ret {
                    Sort::INT => Value::Int(Int::from(n)),
                    Sort::STRING => {
                        Value::Str(Str::from(&word.chars().map(u32::from).collect::<Vec<_>>()[..]))
                    }
                    _ => Value::Bool(n > 1),
                };
                model.assign(f, value);
            }
            let mut e = Evaluator::with(&instance.pool, &model, Config::default(), Default::default());
            out.extend(instance.script.assertions().map(|t| match e.truth(t) {
                semantics::Satisfaction::Holds => Some(true),
                semantics::Satisfaction::Fails => Some(false),
                semantics::Satisfaction::Undetermined(_) => None,
            }));
        }
    }
    out
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    /// Generations of children are scripts that can be read again, within the bounds, the same for the same die; and
    /// known answers are correct.
    #[test]
    fn children_are_scripts(seed_of_dice in any::<u64>()) {
        let b = breeder("add=3,remove,cross,reverse,translate,fuzz,graft,rotate,multiply,insert-operator,unprintable");
        let mut population = vec![b.start(&seed(), &mut Dice::new(seed_of_dice, 0)).unwrap(), b.random(&mut Dice::new(seed_of_dice, 1))];
        for g in 2..20u64 {
            let parents: Vec<&Instance> = population.iter().collect();
            let child = b.child(&parents, &mut Dice::new(seed_of_dice, g));
            let again = b.child(&parents, &mut Dice::new(seed_of_dice, g));
            let text = child.instance.to_text("test");
            prop_assert_eq!(&text, &again.instance.to_text("test"));
            prop_assert!((2..=6).contains(&asserts(&child.instance)), "{}", text);
            let read = Instance::from_text(text.as_bytes(), None);
            prop_assert!(read.is_ok(), "{}\n{:?}", text, read.err());
            prop_assert_eq!(values(&read.unwrap()), values(&child.instance), "{}", text);
            if let Truth::Sat(_) = child.instance.truth {
                prop_assert_eq!(child.instance.judge(), Some(semantics::Satisfaction::Holds));
            }
            for step in steps(&child.instance).into_iter().step_by(7) {
                let smaller = step.apply(&child.instance).to_text("test");
                let read = Instance::from_text(smaller.as_bytes(), None);
                prop_assert!(read.is_ok(), "{:?} of\n{}\n{}\n{:?}", step, text, smaller, read.err());
            }
            population.push(child.instance);
        }
    }
}
